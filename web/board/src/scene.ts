// The parts of the board that do not move: tray, cells, lines, coordinates.
// Built again when the game, the side or the width changes, never for a move.
import type { ImageSet, LayoutView, StrokeView } from "$protocol";
import { svg } from "./dom";
import { drawKey } from "./levels";
import { boundsOf, turn, type Geometry, type Place } from "./geometry";
import { flatten, type Box, type Point } from "./outline";

export interface SceneOptions {
  slim: boolean; // a narrow screen: thin frame, coordinates in the cells
  coordinates: boolean;
  picture: ImageSet | null; // the author's board
  flipped: boolean; // seen from the other side
}

export interface Scene {
  ground: SVGGElement;
  coords: SVGGElement;
  box: Box;
}

const COLOURS = new Set(["frame", "inlay", "line", "plain", "1", "2", "3"]);
const colour = (name: string | null, kind: "fill" | "stroke") =>
  name && COLOURS.has(name) ? `bw-${kind}-${name}` : `bw-${kind}-none`;

export function drawScene(layout: LayoutView, geometry: Geometry, options: SceneOptions): Scene {
  const ground = svg("g", { class: "bw-ground" });
  const coords = svg("g", { class: "bw-coords", "aria-hidden": "true" });
  if (options.picture !== null) {
    ground.append(drawPicture(options.picture, geometry, options.flipped));
    return { ground, coords, box: geometry.surface };
  }
  const still = svg("g");
  const box = drawTray(layout, still, options.slim);
  for (const stroke of layout.under) still.append(drawStroke(stroke));
  drawCells(layout, geometry, still);
  for (const stroke of layout.over) still.append(drawStroke(stroke));
  if (geometry.turned)
    still.setAttribute("transform", `rotate(180 ${geometry.center.x} ${geometry.center.y})`);
  ground.append(still);
  const key = drawKey(layout);
  if (key) coords.append(key);
  if (options.coordinates) drawCoords(layout, geometry, options.slim, coords);
  return { ground, coords, box: geometry.turned ? turnBox(box, geometry.center) : box };
}

let nPatterns = 0;

/** The author's board: one picture, another for the other side, or a tile on every site. */
function drawPicture(images: ImageSet, geometry: Geometry, flipped: boolean): SVGElement {
  const { width, height } = geometry.surface;
  const second = flipped ? images.flipped : null;
  const href = second ?? images.board ?? "";
  const turned = geometry.turned && second === null;
  const transform = turned ? `rotate(180 ${width / 2} ${height / 2})` : undefined;
  if (!images.tile) return svg("image", { href, width, height, transform, class: "bw-picture" });
  const [w, h] = images.tile;
  const id = `bw-tile-${(nPatterns += 1)}`;
  const d = images.rects
    .map((it) => (it ? `M${it[0]} ${it[1]}H${it[2]}V${it[3]}H${it[0]}Z` : ""))
    .join("");
  return svg(
    "g",
    { class: "bw-picture", transform },
    svg(
      "pattern",
      { id, width: w, height: h, patternUnits: "userSpaceOnUse" },
      svg("image", { href, width: w, height: h }),
    ),
    svg("path", { d, fill: `url(#${id})` }),
  );
}

function turnBox(box: Box, c: Point): Box {
  const corner = turn({ x: box.x + box.width, y: box.y + box.height }, c);
  return { ...corner, width: box.width, height: box.height };
}

function drawTray(layout: LayoutView, parent: SVGGElement, slim: boolean): Box {
  const { width, height, pad } = layout;
  if (layout.open) return grow({ x: 0, y: 0, width, height }, pad);
  if (layout.frame) {
    parent.append(
      svg("path", { d: layout.frame, class: "bw-tray-shape" }),
      svg("path", { d: layout.frame, class: "bw-inlay", "stroke-linejoin": "round" }),
    );
    const corners = flatten(layout.frame);
    const bounds = boundsOf([{ outline: corners } as Place]) ?? { x: 0, y: 0, width, height };
    return grow(bounds, 14);
  }
  const wanted = layout.trim?.borderSize ?? null;
  const frame = pad + (wanted === null ? (slim ? 16 : 44) : Math.max(wanted, slim ? 16 : 44));
  const rect = (by: number, attributes: Record<string, string | number>) =>
    svg("rect", { x: -by, y: -by, width: width + 2 * by, height: height + 2 * by, ...attributes });
  parent.append(
    rect(frame, { class: "bw-tray", rx: slim ? 10 : 16 }),
    rect(pad + 7, { class: "bw-inlay", rx: 4 }),
  );
  if (layout.plain) parent.append(rect(pad, { class: "bw-plain" }));
  return grow({ x: 0, y: 0, width, height }, frame);
}

const grow = (box: Box, by: number): Box => ({
  x: box.x - by,
  y: box.y - by,
  width: box.width + 2 * by,
  height: box.height + 2 * by,
});

function drawStroke(stroke: StrokeView): SVGPathElement {
  return svg("path", {
    d: stroke.d,
    class: `${colour(stroke.fill, "fill")} ${colour(stroke.stroke, "stroke")}`,
    "stroke-width": stroke.width,
    "stroke-linejoin": "round",
    "stroke-linecap": "round",
  });
}

/** Cells of one tone are one path: a board of nine hundred is drawn by three nodes. */
function drawCells(layout: LayoutView, geometry: Geometry, parent: SVGGElement) {
  const byTone = new Map<string, string>();
  const isTurnedByLevel = layout.levels.length > 0;
  const points = svg("g", { class: "bw-points" });
  layout.cells.forEach((cell, site) => {
    if (cell.hidden) return;
    const place = geometry.places[site] as Place;
    if (cell.d === null) {
      if (!cell.bare)
        points.append(svg("circle", { cx: cell.x, cy: cell.y, r: layout.unit * 0.15 }));
      return;
    }
    const d =
      isTurnedByLevel && place.outline
        ? "M" + place.outline.map((p) => `${p.x} ${p.y}`).join("L") + "Z"
        : cell.d;
    const key = `${cell.tone} ${cell.fill ?? ""}`;
    byTone.set(key, (byTone.get(key) ?? "") + d);
  });
  for (const [key, d] of [...byTone].sort((a, b) => (a[0] < b[0] ? -1 : 1))) {
    const [tone, fill] = key.split(" ");
    const path = svg("path", { d, class: `bw-cell bw-cell-${tone} bw-style-${layout.style}` });
    // an author's own colour outranks the theme
    if (fill) path.style.fill = fill;
    parent.append(path);
  }
  if (points.childNodes.length) parent.append(points);
}

/** Whether moves are written in numbers: then these stand in the cells, as draughts players know. */
export function isNumbered(layout: LayoutView): boolean {
  const cells = layout.cells.filter((cell) => !cell.hidden);
  return (
    layout.coords.length === 0 && cells.length > 0 && cells.every((it) => /^\d+$/.test(it.name))
  );
}

function drawNumbers(layout: LayoutView, geometry: Geometry, parent: SVGGElement) {
  layout.cells.forEach((cell, site) => {
    const place = geometry.places[site];
    if (cell.hidden || !place?.outline) return;
    const u = layout.unit;
    const text = svg("text", {
      x: place.x - 0.37 * u,
      y: place.y - 0.39 * u,
      class: `bw-coord-cell bw-coord-number${cell.tone === 2 ? " bw-on-dark" : ""}`,
    });
    text.textContent = cell.name;
    parent.append(text);
  });
}

function drawCoords(layout: LayoutView, geometry: Geometry, slim: boolean, parent: SVGGElement) {
  if (isNumbered(layout)) drawNumbers(layout, geometry, parent);
  const isFlipped = layout.cells.some(
    (cell, site) =>
      !cell.hidden &&
      (Math.abs((geometry.places[site] as Place).x - cell.x) > 1 ||
        Math.abs((geometry.places[site] as Place).y - cell.y) > 1),
  );
  for (const coord of layout.coords) {
    let { x, y } = coord;
    if (isFlipped && !coord.big) ({ x, y } = turnCoord(layout, coord, geometry));
    let name = coord.big
      ? "bw-coord-level"
      : coord.side === "free"
        ? `bw-coord-free${slim ? " bw-slim" : ""}`
        : "bw-coord";
    if (coord.side !== "free" && !coord.big) {
      if (slim) {
        const spot = inCell(layout, geometry, coord.side, x, y);
        if (!spot) continue;
        ({ x, y } = spot);
        name = spot.isDark ? "bw-coord-cell bw-on-dark" : "bw-coord-cell";
      } else {
        // an open board has its room around all of it, not between surface and frame
        const out = (layout.open ? 0 : layout.pad) + 24.5;
        if (coord.side === "bottom") y += out;
        if (coord.side === "top") y -= out;
        if (coord.side === "left") x -= out;
        if (coord.side === "right") x += out;
      }
    }
    const text = svg("text", { x, y, class: name });
    text.textContent = coord.text;
    parent.append(text);
  }
}

/** Letters stay on their side of the frame and change their order along it. */
function turnCoord(
  layout: LayoutView,
  coord: LayoutView["coords"][number],
  geometry: Geometry,
): Point {
  const level = layout.levels.find(
    (it) =>
      coord.x >= it.x - 60 &&
      coord.x <= it.x + it.width + 60 &&
      coord.y >= it.y - 60 &&
      coord.y <= it.y + it.height + 60,
  );
  const c = level
    ? { x: level.x + level.width / 2, y: level.y + level.height / 2 }
    : geometry.center;
  const there = turn(coord, c);
  if (coord.side === "bottom" || coord.side === "top") return { x: there.x, y: coord.y };
  if (coord.side === "left" || coord.side === "right") return { x: coord.x, y: there.y };
  return there;
}

function inCell(
  layout: LayoutView,
  geometry: Geometry,
  side: string,
  x: number,
  y: number,
): (Point & { isDark: boolean }) | null {
  if (layout.style !== "checkered") return null;
  const u = layout.unit;
  const isAlong = side === "bottom" || side === "top";
  let found: Place | null = null;
  for (const place of geometry.places) {
    if (place.hidden || !place.outline || Math.abs(isAlong ? place.x - x : place.y - y) > u / 3)
      continue;
    const away = (p: Place) =>
      side === "bottom" ? -p.y : side === "top" ? p.y : side === "left" ? p.x : -p.x;
    if (!found || away(place) < away(found)) found = place;
  }
  if (!found) return null;
  const at = isAlong
    ? { x: found.x + 0.38 * u, y: found.y + (side === "top" ? -0.36 : 0.36) * u }
    : { x: found.x + (side === "right" ? 0.38 : -0.38) * u, y: found.y - 0.32 * u };
  return { ...at, isDark: found.tone === 2 };
}
