// Files may be dropped anywhere on the page.
import { droppedFiles } from "./drop";
import { openFiles } from "./open";

export const dragging = $state({ isOver: false });

const hasFiles = (event: DragEvent) =>
  Array.from(event.dataTransfer?.types ?? []).includes("Files");

export function catchDrops(): () => void {
  let depth = 0;
  const enter = (event: DragEvent) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    depth += 1;
    dragging.isOver = true;
  };
  const leave = (event: DragEvent) => {
    if (!hasFiles(event)) return;
    depth = Math.max(0, depth - 1);
    if (depth === 0) dragging.isOver = false;
  };
  const over = (event: DragEvent) => {
    if (hasFiles(event)) event.preventDefault();
  };
  const drop = (event: DragEvent) => {
    if (!hasFiles(event) || !event.dataTransfer) return;
    event.preventDefault();
    depth = 0;
    dragging.isOver = false;
    void droppedFiles(event.dataTransfer).then(openFiles);
  };
  const pairs = [
    ["dragenter", enter],
    ["dragleave", leave],
    ["dragover", over],
    ["drop", drop],
  ] as const;
  for (const [name, run] of pairs) addEventListener(name, run);
  return () => {
    for (const [name, run] of pairs) removeEventListener(name, run);
  };
}
