// A click that means no legal move: the page is told, so that it can say why.
import type { Site } from "$protocol";
import type { Context } from "./context";
import { sameSource, type Decision, type Source } from "./moves";

/**
 * `before` is what was picked up when the site was clicked; `isStray` if the click may have meant
 * nothing but to put it back.
 */
export function refuse(
  ctx: Context,
  decision: Decision,
  before: Source | null,
  site: Site,
  isStray: boolean,
) {
  const here: Source = { type: "site", site };
  const tell = ctx.options.onRefused;
  if (decision.type === "clear" && before && !sameSource(before, here))
    tell?.(before, site, isStray);
  if (decision.type !== "none" || before) return;
  const piece = ctx.placement.get(site);
  const drop = ctx.state?.moves.find((it) => it.from === null && it.drop !== null);
  if (piece && piece.player === ctx.state?.mover) tell?.(here, null, false);
  else if (drop && ctx.state && ctx.state.mover !== null)
    tell?.({ type: "hand", player: ctx.state.mover, kind: drop.drop as number }, site, false);
}
