// Keyboard travel on any board: an arrow takes the link whose angle on the screen
// is nearest, so that the same keys work on squares, hexes, rings and free graphs.
import type { Site } from "$protocol";
import type { Place } from "./geometry";
import type { Point } from "./outline";

const LIMIT = Math.PI / 3;

export const ARROWS: Record<string, Point> = {
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
};

/** Q W E above, A S D below: the six directions of a board of hexes. */
export function hexKeys(isFlat: boolean): Record<string, Point> {
  const at = (degrees: number): Point => ({
    x: Math.cos((degrees * Math.PI) / 180),
    y: -Math.sin((degrees * Math.PI) / 180),
  });
  return isFlat
    ? { q: at(150), w: at(90), e: at(30), a: at(210), s: at(270), d: at(330) }
    : { q: at(120), w: at(60), e: at(0), a: at(180), s: at(240), d: at(300) };
}

/** Whether hexes stand on a side: then their links run straight up. */
export function isFlatHex(places: Place[], links: Site[][]): boolean {
  for (let site = 0; site < links.length; site++)
    for (const to of links[site] ?? []) {
      const a = places[site],
        b = places[to];
      if (!a || !b || a.hidden || b.hidden) continue;
      const angle = (Math.abs(Math.atan2(b.y - a.y, b.x - a.x)) * 180) / Math.PI;
      if (Math.abs(angle - 90) < 5) return true;
      if (angle < 5) return false;
    }
  return true;
}

const bothWays = new WeakMap<Site[][], Site[][]>();

/** Rules often name a direction one way only; keys work both ways. */
function neighbours(links: Site[][], from: Site): Site[] {
  let all = bothWays.get(links);
  if (!all) {
    const sets = links.map((it) => new Set(it));
    links.forEach((targets, site) => {
      for (const to of targets) sets[to]?.add(site);
    });
    all = sets.map((it) => [...it]);
    bothWays.set(links, all);
  }
  return all[from] ?? [];
}

/**
 * Follows the best link of `from`. Links to other levels do not count: Page Up and
 * Page Down take them. Between equal angles the nearer site wins.
 */
export function travel(
  places: Place[],
  links: Site[][],
  from: Site,
  direction: Point,
): Site | null {
  const here = places[from];
  if (!here) return null;
  const linked = neighbours(links, from);
  const near = best(
    places,
    linked.filter((to) => places[to]?.level === here.level),
    here,
    direction,
  );
  if (near !== null || linked.length) return near;
  // a site without links, such as a reserve beside the board: the nearest one that way
  return best(
    places,
    places.map((_, site) => site),
    here,
    direction,
  );
}

function best(places: Place[], candidates: Site[], here: Place, direction: Point): Site | null {
  let found: Site | null = null,
    score = Infinity;
  for (const to of candidates) {
    const place = places[to];
    if (!place || place.hidden || place === here) continue;
    const dx = place.x - here.x,
      dy = place.y - here.y,
      length = Math.hypot(dx, dy);
    if (length < 1e-6) continue;
    const angle = Math.acos(
      Math.max(-1, Math.min(1, (dx * direction.x + dy * direction.y) / length)),
    );
    if (angle > LIMIT + 1e-6) continue;
    // one degree weighs as much as a hundredth of the way, so distance only settles ties
    const weight = Math.round((angle * 180) / Math.PI) + length / 1e4;
    if (weight < score) {
      score = weight;
      found = to;
    }
  }
  return found;
}

/** The site above or below: the same place of the next level, else the nearest there. */
export function changeLevel(
  places: Place[],
  levels: { x: number; y: number; sites: Site[] }[],
  from: Site,
  step: 1 | -1,
): Site | null {
  const here = places[from];
  if (!here) return null;
  const home = levels[here.level],
    other = levels[here.level + step];
  if (!home || !other) return null;
  const x = here.x - home.x + other.x,
    y = here.y - home.y + other.y;
  return nearest(places, other.sites, { x, y });
}

/** The next ring outwards or inwards: along the links, the one that changes the distance from the middle most. */
export function changeRing(
  places: Place[],
  links: Site[][],
  center: Point,
  from: Site,
  outwards: boolean,
): Site | null {
  const here = places[from];
  if (!here) return null;
  const away = (p: Point) => Math.hypot(p.x - center.x, p.y - center.y);
  const length = away(here);
  const out =
    length > 1e-6
      ? { x: (here.x - center.x) / length, y: (here.y - center.y) / length }
      : { x: 0, y: -1 };
  return best(places, neighbours(links, from), here, outwards ? out : { x: -out.x, y: -out.y });
}

export function nearest(places: Place[], sites: Site[], p: Point): Site | null {
  let found: Site | null = null,
    distance = Infinity;
  for (const site of sites) {
    const place = places[site];
    if (!place || place.hidden) continue;
    const d = Math.hypot(place.x - p.x, place.y - p.y);
    if (d < distance) {
      distance = d;
      found = site;
    }
  }
  return found;
}

/** Sites as one reads: levels, then rows from the top, then from the left. */
export function readingOrder(places: Place[], unit: number): Site[] {
  const row = (p: Place) => Math.round(p.y / (unit / 2));
  return places
    .map((_, site) => site)
    .filter((site) => !(places[site] as Place).hidden)
    .sort((a, b) => {
      const p = places[a] as Place,
        q = places[b] as Place;
      return p.level - q.level || row(p) - row(q) || p.x - q.x;
    });
}
