// Where the sites are, on a flipped board too, and which of them is at a point. Everything is in
// board units; `view` turns them into pixels.
import type { GameView, ImageSet, LayoutView, Site } from "$protocol";
import { flatten, innerRadius, isInside, type Box, type Point } from "./outline";

/** One site as it is shown now: already flipped if the board is. */
export interface Place extends Point {
  name: string;
  outline: Point[] | null; // null: a point of lines
  radius: number; // of the largest circle around the centre that a mark may fill
  tone: number;
  level: number;
  hidden: boolean;
}

export type FlipMode = GameView["options"]["flipping"];

/** The board as it is shown: places of all sites and how to find them again. */
export interface Geometry {
  places: Place[];
  surface: Box;
  unit: number;
  pitch: number; // how wide a usual site is to a finger
  turned: boolean; // pictures of the board are turned by half
  center: Point; // around which they turn
  grid: SiteGrid;
}

/** The sites before any flipping. */
export interface BoardShape {
  width: number;
  height: number;
  unit: number;
  pitch: number;
  places: Place[];
  levels: Box[]; // each turns in itself, so that the floor stays the floor
}

export function shapeOfLayout(layout: LayoutView): BoardShape {
  const widths: number[] = [];
  const places = layout.cells.map((cell): Place => {
    const outline = cell.d ? flatten(cell.d) : null;
    const room = outline ? innerRadius(outline, cell) : layout.unit / 2;
    if (!cell.hidden) widths.push(2 * room);
    const radius = Math.min(room, layout.unit / 2);
    return {
      x: cell.x,
      y: cell.y,
      name: cell.name,
      outline,
      radius,
      tone: cell.tone,
      level: cell.level,
      hidden: cell.hidden,
    };
  });
  return {
    width: layout.width,
    height: layout.height,
    unit: layout.unit,
    pitch: median(widths) ?? layout.unit,
    places,
    levels: layout.levels,
  };
}

/** The author's picture: sites are the rectangles that the rules give. */
export function shapeOfImages(images: ImageSet, layout: LayoutView): BoardShape {
  const sizes: number[] = [];
  const places = layout.cells.map((cell, site): Place => {
    const rect = images.rects[site];
    if (!rect)
      return {
        x: 0,
        y: 0,
        name: cell.name,
        outline: null,
        radius: 0,
        tone: 0,
        level: cell.level,
        hidden: true,
      };
    const [left, top, right, bottom] = rect;
    const radius = Math.max(2, Math.min(right - left, bottom - top) / 2);
    if (!cell.hidden) sizes.push(radius * 2);
    return {
      x: (left + right) / 2,
      y: (top + bottom) / 2,
      name: cell.name,
      radius,
      tone: 0,
      level: cell.level,
      hidden: cell.hidden,
      outline: [
        { x: left, y: top },
        { x: right, y: top },
        { x: right, y: bottom },
        { x: left, y: bottom },
      ],
    };
  });
  const unit = median(sizes) ?? 50;
  return { width: images.width, height: images.height, unit, pitch: unit, places, levels: [] };
}

const median = (list: number[]): number | undefined =>
  list.sort((a, b) => a - b)[Math.floor(list.length / 2)];

/**
 * The geometry of a board, flipped or not. The modes are those of the option "prevent flipping":
 * `sitesOnly` turns the sites but not the picture, `sitesOnlyTight` turns them within
 * their own bounds and leaves `fixed` sites where they are.
 */
export function geometryOf(
  shape: BoardShape,
  flipped: boolean,
  mode: FlipMode,
  fixed: ReadonlySet<Site> = new Set(),
): Geometry {
  const isFlipped = flipped && mode !== "prevented";
  let center = { x: shape.width / 2, y: shape.height / 2 };
  if (mode === "sitesOnlyTight")
    center = middle(shape.places.filter((it, site) => !it.hidden && !fixed.has(site))) ?? center;
  const places = shape.places.map((place, site): Place => {
    if (!isFlipped || (mode === "sitesOnlyTight" && fixed.has(site))) return place;
    const level = shape.levels[place.level];
    const c =
      shape.levels.length && level
        ? { x: level.x + level.width / 2, y: level.y + level.height / 2 }
        : center;
    return { ...place, ...turn(place, c), outline: place.outline?.map((p) => turn(p, c)) ?? null };
  });
  const surface = { x: 0, y: 0, width: shape.width, height: shape.height };
  const turned = isFlipped && mode === "allowed" && shape.levels.length === 0;
  return {
    places,
    surface,
    unit: shape.unit,
    pitch: shape.pitch,
    turned,
    center,
    grid: new SiteGrid(places, shape.unit),
  };
}

export const turn = (p: Point, c: Point): Point => ({ x: 2 * c.x - p.x, y: 2 * c.y - p.y });

function middle(places: Place[]): Point | null {
  const box = boundsOf(places);
  return box && { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

export function boundsOf(places: Place[]): Box | null {
  let x0 = Infinity,
    y0 = Infinity,
    x1 = -Infinity,
    y1 = -Infinity;
  for (const place of places)
    for (const p of place.outline ?? [
      { x: place.x - place.radius, y: place.y - place.radius },
      { x: place.x + place.radius, y: place.y + place.radius },
    ]) {
      x0 = Math.min(x0, p.x);
      y0 = Math.min(y0, p.y);
      x1 = Math.max(x1, p.x);
      y1 = Math.max(y1, p.y);
    }
  return x0 <= x1 ? { x: x0, y: y0, width: x1 - x0, height: y1 - y0 } : null;
}

// ------------------------------------------------------------------ hit test

/** Buckets of sites, so that a pointer on a board of thousands asks only a few. */
export class SiteGrid {
  private readonly buckets = new Map<string, Site[]>();

  constructor(
    private readonly places: Place[],
    private readonly size: number,
  ) {
    places.forEach((place, site) => {
      if (place.hidden) return;
      const box = boundsOf([place]);
      if (!box) return;
      const [i0, j0] = this.bucket(box.x, box.y),
        [i1, j1] = this.bucket(box.x + box.width, box.y + box.height);
      // an outline that claims half the plane would fill memory, not help
      if ((i1 - i0 + 1) * (j1 - j0 + 1) > 4096) return;
      for (let i = i0; i <= i1; i++)
        for (let j = j0; j <= j1; j++) {
          const list = this.buckets.get(`${i},${j}`);
          if (list) list.push(site);
          else this.buckets.set(`${i},${j}`, [site]);
        }
    });
  }

  /** The site under a point: the cell that holds it, else the nearest point within its circle. */
  at(x: number, y: number): Site | null {
    let best: Site | null = null,
      distance = Infinity;
    for (const site of this.buckets.get(this.bucket(x, y).join()) ?? []) {
      const place = this.places[site] as Place;
      const here = Math.hypot(place.x - x, place.y - y);
      const hit = place.outline ? isInside(place.outline, x, y) : here <= place.radius;
      if (hit && here < distance) {
        best = site;
        distance = here;
      }
    }
    return best;
  }

  private bucket(x: number, y: number): [number, number] {
    return [Math.floor(x / this.size), Math.floor(y / this.size)];
  }
}
