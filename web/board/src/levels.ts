// Boards of several levels: on a narrow screen they are set in fewer columns, and
// in a free slot a key shows the stack from the side.
import type { LayoutView, StrokeView } from "$protocol";
import { svg } from "./dom";
import { boundsOf, type Place } from "./geometry";
import { flatten, pathOf, type Box, type Point } from "./outline";

/** Room that a phone gives to the board, in pixels; cells are made as large as fits. */
const NARROW = { width: 390, height: 560 };

/** Arranges the levels for a narrow screen; other boards stay as they are. */
export function arrange(layout: LayoutView, isSlim: boolean): LayoutView {
  if (!isSlim || layout.levels.length < 2) return layout;
  // sites beside the levels could not be placed
  const inside = new Set(layout.levels.flatMap((it) => it.sites));
  if (layout.cells.some((cell, site) => !cell.hidden && !inside.has(site))) return layout;
  const now = columnsOf(layout),
    best = bestColumns(layout);
  return best === now ? layout : setIn(layout, best);
}

function columnsOf(layout: LayoutView): number {
  const top = layout.levels[0]?.y ?? 0;
  return layout.levels.filter((it) => Math.abs(it.y - top) < 1).length;
}

/** Distance from one level to the next, each way. */
function pitchOf(layout: LayoutView): Point {
  const first = layout.levels[0] as LayoutView["levels"][number];
  const other = (along: "x" | "y") =>
    Math.min(...layout.levels.map((it) => it[along] - first[along]).filter((it) => it > 1));
  const x = other("x"),
    y = other("y");
  return {
    x: Number.isFinite(x) ? x : first.width + 70,
    y: Number.isFinite(y) ? y : first.height + 175,
  };
}

function sizeOf(layout: LayoutView, columns: number): { width: number; height: number } {
  const first = layout.levels[0] as LayoutView["levels"][number],
    pitch = pitchOf(layout);
  const rows = Math.ceil(layout.levels.length / columns);
  return {
    width: (columns - 1) * pitch.x + first.width,
    height: (rows - 1) * pitch.y + first.height + labelRoom(layout),
  };
}

/** What the surface keeps below the last row, for its labels. */
function labelRoom(layout: LayoutView): number {
  return Math.max(0, layout.height - Math.max(...layout.levels.map((it) => it.y + it.height)));
}

function bestColumns(layout: LayoutView): number {
  let best = 1,
    scale = 0;
  for (let columns = 1; columns <= layout.levels.length; columns++) {
    const size = sizeOf(layout, columns);
    const here = Math.min(
      NARROW.width / (size.width + 2 * layout.pad),
      NARROW.height / (size.height + 2 * layout.pad),
    );
    if (here > scale + 1e-9) {
      scale = here;
      best = columns;
    }
  }
  return best;
}

function setIn(layout: LayoutView, columns: number): LayoutView {
  const pitch = pitchOf(layout),
    first = layout.levels[0] as LayoutView["levels"][number];
  const moves = layout.levels.map((it, i): Point => ({
    x: first.x + (i % columns) * pitch.x - it.x,
    y: first.y + Math.floor(i / columns) * pitch.y - it.y,
  }));
  const levelAt = (p: Point) =>
    layout.levels.findIndex(
      (it) =>
        Math.abs(p.x - it.x - it.width / 2) <= pitch.x / 2 &&
        Math.abs(p.y - it.y - it.height / 2) <= pitch.y / 2 + 20,
    );
  const shift = (p: Point, by: Point | undefined) => ({
    x: p.x + (by?.x ?? 0),
    y: p.y + (by?.y ?? 0),
  });
  const shiftPath = (d: string): string =>
    partsOf(d)
      .map((part) => {
        const corners = flatten(part),
          box = boundsOf([{ outline: corners } as Place]);
        if (!box) return "";
        const by = moves[levelAt(middle(box))];
        const moved = pathOf(corners.map((p) => shift(p, by)));
        return /z\s*$/i.test(part) ? moved : moved.slice(0, -1);
      })
      .join("");
  const strokes = (list: StrokeView[]) => list.map((it) => ({ ...it, d: shiftPath(it.d) }));
  return {
    ...layout,
    ...sizeOf(layout, columns),
    cells: layout.cells.map((cell) => {
      const by = cell.hidden ? undefined : moves[cell.level];
      return {
        ...cell,
        ...shift(cell, by),
        d: cell.d === null ? null : pathOf(flatten(cell.d).map((p) => shift(p, by))),
      };
    }),
    under: strokes(layout.under),
    over: strokes(layout.over),
    coords: layout.coords.map((it) => ({ ...it, ...shift(it, moves[levelAt(it)]) })),
    levels: layout.levels.map((it, i) => ({ ...it, ...shift(it, moves[i]) })),
  };
}

const partsOf = (d: string) => d.split(/(?=M)/).filter((it) => it.trim());
const middle = (box: Box): Point => ({ x: box.x + box.width / 2, y: box.y + box.height / 2 });

/** The stack seen from the side, if the last row has a free slot for it. */
export function drawKey(layout: LayoutView): SVGGElement | null {
  const { levels } = layout,
    columns = levels.length ? columnsOf(layout) : 0;
  const n = levels.length,
    slot = n % Math.max(1, columns);
  if (n < 3 || n > 8 || columns < 2 || slot === 0) return null;
  const pitch = pitchOf(layout),
    last = levels[n - 1] as LayoutView["levels"][number];
  const cx = last.x + pitch.x * ((columns - slot + 1) / 2) + last.width / 2,
    cy = last.y + last.height / 2;
  const k = Math.min(last.width, last.height) / 500,
    step = Math.min(76, 320 / n) * k;
  const group = svg("g", { class: "bw-key", "aria-hidden": "true" });
  levels.forEach((level, i) => {
    const y = cy + (step * (n - 1)) / 2 - i * step,
      w = 150 * k,
      h = 66 * k;
    const text = svg("text", { x: cx + w + 36 * k, y, "font-size": 30 * k });
    text.textContent = level.label.replace(/^Level\s+/, "").slice(0, 3);
    group.append(
      svg("path", {
        d: `M${cx - w} ${y}L${cx} ${y - h}L${cx + w} ${y}L${cx} ${y + h}Z`,
        class: "bw-key-level",
        "data-level": i,
        "stroke-width": 7 * k,
      }),
      text,
    );
  });
  return group;
}

/** Shows on the key which level is pointed at. */
export function markKey(group: Element | null, level: number | null) {
  for (const path of group?.querySelectorAll(".bw-key-level") ?? [])
    path.classList.toggle(
      "bw-on",
      level !== null && path.getAttribute("data-level") === String(level),
    );
}
