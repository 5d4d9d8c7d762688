// Sites that are one place to the eye, such as a house of seeds: the number of pieces stands on
// it, and a click anywhere in it means the site that the presentation names. In games whose
// pieces fall, a column is such a place.
import type { MoveView, PileView, Site } from "$protocol";
import type { Context } from "./context";
import { svg } from "./dom";
import type { Place } from "./geometry";
import { toBoard } from "./view";

interface Area {
  pile: PileView;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Where the piles are, with the width of half a piece around their sites. */
function areasOf(ctx: Context): Area[] {
  const { game, geometry } = ctx;
  if (!game || !geometry || ctx.isPictured) return [];
  return game.piles.flatMap((pile) => {
    const places = pile.sites
      .map((site) => geometry.places[site])
      .filter((it): it is Place => it !== undefined && !it.hidden);
    if (!places.length) return [];
    const margin = geometry.unit * 0.75;
    const xs = places.map((it) => it.x),
      ys = places.map((it) => it.y);
    return {
      pile,
      left: Math.min(...xs) - margin,
      right: Math.max(...xs) + margin,
      top: Math.min(...ys) - margin,
      bottom: Math.max(...ys) + margin,
    };
  });
}

/** The moves that a press on a pile means; null if no pile is there. */
export function pileMoves(ctx: Context, clientX: number, clientY: number): MoveView[] | null {
  if (!ctx.game?.piles.length || !ctx.state) return null;
  const at = toBoard(ctx, clientX, clientY);
  const area = areasOf(ctx).find(
    (it) => at.x >= it.left && at.x <= it.right && at.y >= it.top && at.y <= it.bottom,
  );
  if (!area || area.pile.click === null) return null;
  return ctx.state.moves.filter((it) => it.to === area.pile.click);
}

/** How many pieces lie in each pile, as a mark on it. */
export function drawPiles(ctx: Context): SVGElement[] {
  const size = (ctx.geometry?.unit ?? 0) * 1.5;
  return areasOf(ctx).map(({ pile, left, right, bottom }) => {
    const count = pile.sites.filter((site) => ctx.placement.has(site)).length;
    const text = svg("text", {
      class: "bw-pile-count",
      x: (left + right) / 2,
      y: bottom - size * 0.7,
      "font-size": size,
    });
    text.textContent = String(count);
    return text;
  });
}

/** The counts, to tell whether they have changed. */
export function pileCounts(ctx: Context): number[] {
  return (ctx.game?.piles ?? []).map(
    (pile) => pile.sites.filter((site) => ctx.placement.has(site)).length,
  );
}

/** Where pieces fall, a click on a column means the site of it that can be played. */
export function meantSite(ctx: Context, site: Site | null): Site | null {
  const { game, geometry, state } = ctx;
  if (site === null || !game?.hasColumns || !geometry || !state || ctx.selected) return site;
  const here = geometry.places[site];
  const isIn = (to: Site | null) => {
    const place = to === null ? undefined : geometry.places[to];
    return place !== undefined && here !== undefined && Math.abs(place.x - here.x) < 1;
  };
  const targets = new Set(state.moves.filter((it) => isIn(it.to)).map((it) => it.to as Site));
  const [only, other] = [...targets];
  return only !== undefined && other === undefined ? only : site;
}
