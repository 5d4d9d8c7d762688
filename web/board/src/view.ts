// The window on the board: fit, zoom and pan. It is a viewBox, so that every zoom is sharp.
import type { Site } from "$protocol";
import type { Context } from "./context";
import { set } from "./dom";
import type { Box, Point } from "./outline";

export const MAX_SCALE = 4;

/** Boards with more sites are moved as a picture while fingers are at work, and drawn sharp after. */
const MANY = 250;
const SETTLE = 140;

export interface View {
  full: Box; // the whole board with its frame
  scale: number; // 1: fit
  x: number; // upper left corner of the window
  y: number;
  drawn: Box; // the window that the SVG is drawn for
  timer: number;
  listeners: (() => void)[];
}

export function newView(): View {
  const full = { x: 0, y: 0, width: 1, height: 1 };
  return { full, scale: 1, x: 0, y: 0, drawn: full, timer: 0, listeners: [] };
}

export function windowOf(view: View): Box {
  return {
    x: view.x,
    y: view.y,
    width: view.full.width / view.scale,
    height: view.full.height / view.scale,
  };
}

/** Keeps the window on the board. */
export function clampView(view: View) {
  const { full } = view;
  view.scale = Math.max(1, Math.min(MAX_SCALE, view.scale));
  const w = full.width / view.scale,
    h = full.height / view.scale;
  view.x = Math.max(full.x, Math.min(full.x + full.width - w, view.x));
  view.y = Math.max(full.y, Math.min(full.y + full.height - h, view.y));
}

/** Shows the window; `isLive` while a gesture goes on. */
export function applyView(ctx: Context, isLive = false) {
  const { view, layers } = ctx;
  clampView(view);
  window.clearTimeout(view.timer);
  layers.root.classList.toggle("bw-zoomed", view.scale > 1.001);
  const box = windowOf(view);
  if (isLive && (ctx.geometry?.places.length ?? 0) > MANY) {
    const { left, top, k } = fitted(layers.clip.getBoundingClientRect(), view.drawn);
    const s = view.drawn.width / box.width;
    const x = left - s * left + (view.drawn.x - box.x) * k * s,
      y = top - s * top + (view.drawn.y - box.y) * k * s;
    layers.svg.style.willChange = "transform";
    layers.svg.style.transform = `matrix(${s}, 0, 0, ${s}, ${x}, ${y})`;
    view.timer = window.setTimeout(() => applyView(ctx), SETTLE);
  } else {
    view.drawn = box;
    layers.svg.style.willChange = layers.svg.style.transform = "";
    set(
      layers.svg,
      "viewBox",
      [box.x, box.y, box.width, box.height].map((n) => Math.round(n * 100) / 100).join(" "),
    );
  }
  for (const listener of view.listeners) listener();
}

/** How a window lies in the box that the page gives: as large as fits, in the middle. */
function fitted(
  rect: { width: number; height: number },
  box: Box,
): { left: number; top: number; k: number } {
  const k = Math.min(rect.width / box.width, rect.height / box.height) || 1;
  return { left: (rect.width - box.width * k) / 2, top: (rect.height - box.height * k) / 2, k };
}

/** Zooms so that the given point of the board stays under the finger. */
export function zoomAt(view: View, point: Point, factor: number) {
  const before = windowOf(view);
  const scale = Math.max(1, Math.min(MAX_SCALE, view.scale * factor));
  const after = { width: view.full.width / scale, height: view.full.height / scale };
  view.x = point.x - ((point.x - before.x) / before.width) * after.width;
  view.y = point.y - ((point.y - before.y) / before.height) * after.height;
  view.scale = scale;
  clampView(view);
}

export function centerOn(view: View, point: Point) {
  const box = windowOf(view);
  view.x = point.x - box.width / 2;
  view.y = point.y - box.height / 2;
  clampView(view);
}

/** Moves the window only if the site is not well inside it. */
export function reveal(ctx: Context, site: Site) {
  const place = ctx.geometry?.places[site];
  if (!place || ctx.view.scale <= 1.001) return;
  const box = windowOf(ctx.view),
    r = place.radius;
  const isIn =
    place.x - r >= box.x &&
    place.x + r <= box.x + box.width &&
    place.y - r >= box.y &&
    place.y + r <= box.y + box.height;
  if (isIn) return;
  centerOn(ctx.view, place);
  applyView(ctx);
}

export function toBoard(ctx: Context, clientX: number, clientY: number): Point {
  const rect = ctx.layers.clip.getBoundingClientRect(),
    box = windowOf(ctx.view);
  const { left, top, k } = fitted(rect, box);
  return { x: box.x + (clientX - rect.left - left) / k, y: box.y + (clientY - rect.top - top) / k };
}

export function toClient(ctx: Context, point: Point): Point {
  const rect = ctx.layers.clip.getBoundingClientRect(),
    box = windowOf(ctx.view);
  const { left, top, k } = fitted(rect, box);
  return { x: rect.left + left + (point.x - box.x) * k, y: rect.top + top + (point.y - box.y) * k };
}

/** Screen pixels for one board unit. */
export function pixelScale(ctx: Context): number {
  return fitted(ctx.layers.clip.getBoundingClientRect(), windowOf(ctx.view)).k;
}

export function siteAt(ctx: Context, clientX: number, clientY: number): Site | null {
  const p = toBoard(ctx, clientX, clientY);
  return ctx.geometry?.grid.at(p.x, p.y) ?? null;
}
