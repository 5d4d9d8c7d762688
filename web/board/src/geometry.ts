// Where things are: outlines as polygons, the flipped view, and which site lies
// under a point. Everything is in board units; the screen is another module's matter.
import type { GameView, ImageSet, Layout, Site } from "$protocol";

export interface Point {
  x: number;
  y: number;
}
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

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
export interface Face {
  places: Place[];
  surface: Box;
  unit: number;
  pitch: number; // how wide a usual site is to a finger
  turned: boolean; // pictures of the board are turned by half
  center: Point; // around which they turn
  grid: SiteGrid;
}

// ------------------------------------------------------------------ outlines

const NUMBER = /[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/gi;

/** Turns a path into corners; curves become a few short sides. */
export function flatten(d: string): Point[] {
  const out: Point[] = [];
  let at: Point = { x: 0, y: 0 };
  let start = at;
  const go = (x: number, y: number) => out.push((at = { x, y }));
  for (const [, command = "", rest = ""] of d.matchAll(/([MLHVZACQ])([^MLHVZACQ]*)/gi)) {
    const n = (rest.match(NUMBER) ?? []).map(Number);
    const relative = command === command.toLowerCase();
    const take = (i: number) => ({
      x: (n[i] ?? 0) + (relative ? at.x : 0),
      y: (n[i + 1] ?? 0) + (relative ? at.y : 0),
    });
    switch (command.toUpperCase()) {
      case "M": {
        const p = take(0);
        go(p.x, p.y);
        start = at;
        for (let i = 2; i + 1 < n.length; i += 2) {
          const q = take(i);
          go(q.x, q.y);
        }
        break;
      }
      case "L":
        for (let i = 0; i + 1 < n.length; i += 2) {
          const p = take(i);
          go(p.x, p.y);
        }
        break;
      case "H":
        for (const x of n) go(x + (relative ? at.x : 0), at.y);
        break;
      case "V":
        for (const y of n) go(at.x, y + (relative ? at.y : 0));
        break;
      case "C":
        for (let i = 0; i + 5 < n.length; i += 6)
          bezier(at, [take(i), take(i + 2), take(i + 4)], go);
        break;
      case "Q":
        for (let i = 0; i + 3 < n.length; i += 4) bezier(at, [take(i), take(i + 2)], go);
        break;
      case "A":
        for (let i = 0; i + 6 < n.length; i += 7)
          arc(at, take(i + 5), n[i] ?? 0, n[i + 3] === 1, n[i + 4] === 1, go);
        break;
      case "Z":
        at = start;
        break;
    }
  }
  return out;
}

function bezier(from: Point, via: Point[], go: (x: number, y: number) => void) {
  for (let k = 1; k <= 6; k++) {
    const t = k / 6;
    let points = [from, ...via];
    while (points.length > 1)
      points = points.slice(1).map((p, i) => {
        const q = points[i] as Point;
        return { x: q.x + (p.x - q.x) * t, y: q.y + (p.y - q.y) * t };
      });
    const end = points[0] as Point;
    go(end.x, end.y);
  }
}

/** An arc of a circle; boards have no ellipses, so one radius is enough. */
function arc(
  from: Point,
  to: Point,
  radius: number,
  large: boolean,
  sweep: boolean,
  go: (x: number, y: number) => void,
) {
  const dx = to.x - from.x,
    dy = to.y - from.y,
    chord = Math.hypot(dx, dy);
  if (chord < 1e-9 || radius < 1e-9) {
    go(to.x, to.y);
    return;
  }
  const r = Math.max(radius, chord / 2);
  const height = Math.sqrt(Math.max(0, r * r - (chord * chord) / 4)) * (large === sweep ? -1 : 1);
  const cx = (from.x + to.x) / 2 - (dy / chord) * height,
    cy = (from.y + to.y) / 2 + (dx / chord) * height;
  const a0 = Math.atan2(from.y - cy, from.x - cx);
  let a1 = Math.atan2(to.y - cy, to.x - cx);
  if (sweep && a1 < a0) a1 += 2 * Math.PI;
  if (!sweep && a1 > a0) a1 -= 2 * Math.PI;
  const steps = Math.max(2, Math.ceil(Math.abs(a1 - a0) / (Math.PI / 18)));
  for (let k = 1; k <= steps; k++) {
    const a = a0 + ((a1 - a0) * k) / steps;
    go(cx + r * Math.cos(a), cy + r * Math.sin(a));
  }
}

export function isInside(outline: Point[], x: number, y: number): boolean {
  let inside = false;
  for (let i = 0, j = outline.length - 1; i < outline.length; j = i++) {
    const a = outline[i] as Point,
      b = outline[j] as Point;
    if (a.y > y !== b.y > y && x < ((b.x - a.x) * (y - a.y)) / (b.y - a.y) + a.x) inside = !inside;
  }
  return inside;
}

/** Distance from the centre to the nearest side. */
function innerRadius(outline: Point[], c: Point): number {
  let best = Infinity;
  for (let i = 0, j = outline.length - 1; i < outline.length; j = i++) {
    const a = outline[i] as Point,
      b = outline[j] as Point;
    const dx = b.x - a.x,
      dy = b.y - a.y,
      length = dx * dx + dy * dy;
    const t = length ? Math.max(0, Math.min(1, ((c.x - a.x) * dx + (c.y - a.y) * dy) / length)) : 0;
    best = Math.min(best, Math.hypot(a.x + t * dx - c.x, a.y + t * dy - c.y));
  }
  return best;
}

export const round = (n: number) => Math.round(n * 10) / 10;

export function pathOf(outline: Point[], center?: Point, scale = 1): string {
  const c = center ?? { x: 0, y: 0 };
  return (
    "M" +
    outline
      .map((p) => `${round(c.x + (p.x - c.x) * scale)} ${round(c.y + (p.y - c.y) * scale)}`)
      .join("L") +
    "Z"
  );
}

// ------------------------------------------------------------------ the face

/** What is asked of the sites before any flipping. */
export interface Ground {
  width: number;
  height: number;
  unit: number;
  pitch: number;
  places: Place[];
  levels: Box[]; // each turns in itself, so that the floor stays the floor
}

export function groundOfLayout(layout: Layout): Ground {
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
export function groundOfImages(images: ImageSet, layout: Layout): Ground {
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
 * Shows the ground from one side. The modes are those of the option "prevent flipping":
 * `sitesOnly` turns the sites but not the picture, `sitesOnlyTight` turns them within
 * their own bounds and leaves `fixed` sites where they are.
 */
export function faceOf(
  ground: Ground,
  flipped: boolean,
  mode: FlipMode,
  fixed: ReadonlySet<Site> = new Set(),
): Face {
  const isFlipped = flipped && mode !== "prevented";
  let center = { x: ground.width / 2, y: ground.height / 2 };
  if (mode === "sitesOnlyTight")
    center = middle(ground.places.filter((it, site) => !it.hidden && !fixed.has(site))) ?? center;
  const places = ground.places.map((place, site): Place => {
    if (!isFlipped || (mode === "sitesOnlyTight" && fixed.has(site))) return place;
    const level = ground.levels[place.level];
    const c =
      ground.levels.length && level
        ? { x: level.x + level.width / 2, y: level.y + level.height / 2 }
        : center;
    return { ...place, ...turn(place, c), outline: place.outline?.map((p) => turn(p, c)) ?? null };
  });
  const surface = { x: 0, y: 0, width: ground.width, height: ground.height };
  const turned = isFlipped && mode === "allowed" && ground.levels.length === 0;
  return {
    places,
    surface,
    unit: ground.unit,
    pitch: ground.pitch,
    turned,
    center,
    grid: new SiteGrid(places, ground.unit),
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
