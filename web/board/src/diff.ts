// Two placements and what happened between them, as walks of pieces that keep their
// identity. The new placement is the truth; effects only say who went where.
import type { EffectView, Site } from "$protocol";
import type { Piece, Placement } from "./moves";

/** What happens to one drawn piece. `id` is its old site, by which its drawing is found. */
export type Step =
  | { type: "stay"; from: Site; to: Site; piece: Piece; changes: boolean }
  | { type: "walk"; from: Site; to: Site; piece: Piece; changes: boolean }
  | { type: "copy"; from: Site; to: Site; piece: Piece }
  | { type: "drop"; to: Site; piece: Piece }
  | { type: "fade"; from: Site; to: Site; piece: Piece }; // `to` differs if it walks off the board

const same = (a: Piece | undefined, b: Piece | undefined) =>
  !!a && !!b && a.player === b.player && a.kind === b.kind;

export function stepsBetween(
  before: Placement,
  after: Placement,
  effects: readonly EffectView[] = [],
): Step[] {
  const endOf = follow(before, effects);
  const copies = new Map<Site, Site>();
  for (const effect of effects) if (effect.type === "copy") copies.set(effect.to, effect.from);
  const steps: Step[] = [];
  const arrived = new Set<Site>();
  const settle = (from: Site, to: Site) => {
    const piece = after.get(to) as Piece,
      changes = !same(before.get(from), piece);
    arrived.add(to);
    steps.push({ type: from === to ? "stay" : "walk", from, to, piece, changes });
  };
  const lost: Site[] = [];
  for (const from of before.keys()) {
    const to = endOf.get(from);
    if (
      to !== undefined &&
      after.has(to) &&
      !arrived.has(to) &&
      (from !== to || effects.length > 0 || same(before.get(from), after.get(to)))
    )
      settle(from, to);
    else lost.push(from);
  }
  const came = [...after.keys()].filter((site) => !arrived.has(site));
  const left = effects.length ? lost : pairUp(before, after, lost, came, settle);
  for (const from of left)
    steps.push({
      type: "fade",
      from,
      to: endOf.get(from) ?? from,
      piece: before.get(from) as Piece,
    });
  for (const to of came) {
    if (arrived.has(to)) continue;
    const from = copies.get(to),
      piece = after.get(to) as Piece;
    steps.push(
      from === undefined ? { type: "drop", to, piece } : { type: "copy", from, to, piece },
    );
  }
  return steps;
}

/** Where each old piece ends; missing if it was captured. */
function follow(before: Placement, effects: readonly EffectView[]): Map<Site, Site> {
  const endOf = new Map<Site, Site>([...before.keys()].map((site) => [site, site]));
  const moved = new Set<Site>();
  const standing = (site: Site) => {
    // cascades speak of the board before the move, so a piece that has not moved comes first
    if (before.has(site) && !moved.has(site) && endOf.has(site)) return site;
    for (const id of moved) if (endOf.get(id) === site) return id;
    return undefined;
  };
  const walks = effects.filter((it) => it.type === "walk");
  const leaving = new Set(walks.map((it) => it.from));
  for (const effect of effects) {
    if (effect.type === "walk") {
      const id = standing(effect.from);
      if (id === undefined) continue;
      const there = standing(effect.to);
      if (there !== undefined && there !== id && !(leaving.has(effect.to) && !moved.has(there)))
        endOf.delete(there);
      endOf.set(id, effect.to);
      moved.add(id);
    } else if (effect.type === "capture") {
      const id = before.has(effect.site) && !moved.has(effect.site) ? effect.site : undefined;
      if (id !== undefined) endOf.delete(id);
    } else if (effect.type === "drop" || effect.type === "copy") {
      if (before.has(effect.to) && !moved.has(effect.to) && !leaving.has(effect.to))
        endOf.delete(effect.to);
    }
  }
  return endOf;
}

/** Without effects (a step back): pieces that vanished here and came there are the same. */
function pairUp(
  before: Placement,
  after: Placement,
  lost: Site[],
  came: Site[],
  settle: (from: Site, to: Site) => void,
): Site[] {
  // a jump over many moves is not animated
  if (lost.length + came.length > 24) return lost;
  const free = new Set(came);
  return lost.filter((from) => {
    for (const to of free)
      if (same(before.get(from), after.get(to))) {
        free.delete(to);
        settle(from, to);
        return false;
      }
    return true;
  });
}
