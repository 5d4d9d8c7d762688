// What a move sounds like, and what a screen reader says about it.
import type { EffectView, Player, StateView } from "$protocol";
import type { Context } from "./context";
import type { Placement } from "./moves";
import { tellEffects } from "./speech";
import type { SoundName } from "./types";

export interface Report {
  before: Placement;
  effects: EffectView[];
  isOwn: boolean; // the player's own move is not read aloud
  wasOver: boolean;
}

/** Tells the page about the move that led to the state shown now. */
export function reportMove(ctx: Context, state: StateView, report: Report) {
  const { options } = ctx;
  options.onSound?.(moveSound(report));
  const text = tellEffects(ctx, report.before, state, report.effects);
  ctx.lastMove = text;
  if (!report.isOwn && text) options.onAnnounce?.(text, false);
  if (state.outcome && !report.wasOver) {
    const text = [state.outcome.text, state.outcome.why].filter(Boolean).join(": ");
    options.onAnnounce?.(text, true);
    options.onSound?.(outcomeSound(ctx, state.outcome));
  }
}

function moveSound({ before, effects }: Report): SoundName {
  const has = (type: EffectView["type"]) => effects.some((it) => it.type === type);
  const walks = effects.filter((it) => it.type === "walk");
  const isLeft = (site: number) => walks.some((it) => it.from === site);
  const captures = has("capture") || walks.some((it) => before.has(it.to) && !isLeft(it.to));
  if (captures) return "capture";
  if (has("drop") || has("copy")) return "drop";
  return walks.length ? "move" : "change";
}

function outcomeSound(
  ctx: Context,
  { winners, losers }: NonNullable<StateView["outcome"]>,
): SoundName {
  if (!winners.length && !losers.length) return "draw";
  const players = ctx.game?.players ?? [];
  const seated = players.flatMap((it, player): Player[] => (it.isSeat ? [player] : []));
  const mine = ctx.seats.map((seat) => seated[seat]);
  if (winners.length) return winners.some((it) => mine.includes(it)) ? "win" : "loss";
  return losers.every((it) => mine.includes(it)) ? "loss" : "win";
}
