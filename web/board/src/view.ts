// The window on the board: fit, zoom and pan. It is a viewBox, so that every zoom is sharp.
import type { Site } from '$protocol';
import type { Context } from './context';
import { set } from './dom';
import type { Box, Point } from './geometry';

export const MOST = 4;

export interface View {
  full: Box;      // the whole board with its frame
  scale: number;  // 1: fit
  x: number;      // upper left corner of the window
  y: number;
  listeners: (() => void)[];
}

export function newView(): View {
  return { full: { x: 0, y: 0, width: 1, height: 1 }, scale: 1, x: 0, y: 0, listeners: [] };
}

export function windowOf(view: View): Box {
  return { x: view.x, y: view.y, width: view.full.width / view.scale, height: view.full.height / view.scale };
}

/** Keeps the window on the board. */
export function clampView(view: View) {
  const { full } = view;
  view.scale = Math.max(1, Math.min(MOST, view.scale));
  const w = full.width / view.scale, h = full.height / view.scale;
  view.x = Math.max(full.x, Math.min(full.x + full.width - w, view.x));
  view.y = Math.max(full.y, Math.min(full.y + full.height - h, view.y));
}

export function applyView(ctx: Context) {
  const { view, layers } = ctx;
  clampView(view);
  const box = windowOf(view);
  set(layers.svg, 'viewBox', [box.x, box.y, box.width, box.height].map(n => Math.round(n * 100) / 100).join(' '));
  layers.root.classList.toggle('bw-zoomed', view.scale > 1.001);
  for (const listener of view.listeners) listener();
}

/** Zooms so that the given point of the board stays under the finger. */
export function zoomAt(view: View, point: Point, factor: number) {
  const before = windowOf(view);
  const scale = Math.max(1, Math.min(MOST, view.scale * factor));
  const after = { width: view.full.width / scale, height: view.full.height / scale };
  view.x = point.x - (point.x - before.x) / before.width * after.width;
  view.y = point.y - (point.y - before.y) / before.height * after.height;
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
  const place = ctx.face?.places[site];
  if (!place || ctx.view.scale <= 1.001) return;
  const box = windowOf(ctx.view), r = place.radius;
  const isIn = place.x - r >= box.x && place.x + r <= box.x + box.width && place.y - r >= box.y && place.y + r <= box.y + box.height;
  if (isIn) return;
  centerOn(ctx.view, place);
  applyView(ctx);
}

export function toBoard(ctx: Context, clientX: number, clientY: number): Point {
  const matrix = ctx.layers.svg.getScreenCTM();
  if (!matrix) return { x: NaN, y: NaN };
  const p = new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse());
  return { x: p.x, y: p.y };
}

export function toClient(ctx: Context, point: Point): Point {
  const matrix = ctx.layers.svg.getScreenCTM();
  if (!matrix) return { x: 0, y: 0 };
  const p = new DOMPoint(point.x, point.y).matrixTransform(matrix);
  return { x: p.x, y: p.y };
}

/** Screen pixels for one board unit. */
export function pixelScale(ctx: Context): number {
  return ctx.layers.svg.getScreenCTM()?.a ?? 1;
}

export function siteAt(ctx: Context, clientX: number, clientY: number): Site | null {
  const p = toBoard(ctx, clientX, clientY);
  return ctx.face?.grid.at(p.x, p.y) ?? null;
}
