// Files that somebody dropped or chose, with the paths they had in their folder.
import type { NamedFile } from "./api";

export const MOST_FILES = 2000;
const TOO_DEEP = 12;

export async function droppedFiles(data: DataTransfer): Promise<NamedFile[]> {
  // entries must be taken at once: the list is emptied when the event is over
  const entries = Array.from(data.items).map((item) =>
    item.kind === "file" ? item.webkitGetAsEntry() : null,
  );
  const plain = Array.from(data.files);
  const found: NamedFile[] = [];
  if (entries.some((entry) => entry?.isDirectory)) {
    for (const entry of entries) if (entry) await walk(entry, found, 0);
    return found;
  }
  return plain.map((file) => ({ path: file.name, file }));
}

async function walk(entry: FileSystemEntry, found: NamedFile[], depth: number): Promise<void> {
  if (found.length >= MOST_FILES || depth > TOO_DEEP) return;
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    );
    found.push({ path: entry.fullPath.replace(/^\/+/, ""), file });
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (batch.length === 0) return;
    for (const below of batch) await walk(below, found, depth + 1);
  }
}

export function chosenFiles(list: FileList): NamedFile[] {
  return Array.from(list).map((file) => ({ path: file.webkitRelativePath || file.name, file }));
}

/** A saved game, or the record of a preset's game. */
export function isSave(files: NamedFile[]): boolean {
  const name = files[0]?.file.name.toLowerCase() ?? "";
  return (
    files.length === 1 &&
    (name.endsWith(".zsg") || (name.endsWith(".txt") && name !== "preset.txt"))
  );
}
