// Outlines of sites as polygons, in board units.
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
export function innerRadius(outline: Point[], c: Point): number {
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
