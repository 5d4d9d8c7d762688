// What the board says: names of sites, last moves, choices. Words come from words.ts.
import type { EffectView, Site, StateView } from "$protocol";
import { mayMove, pieceOf, type Context } from "./context";
import { distinct, movesFrom, type How, type Placement, type Piece } from "./moves";

export function siteName(ctx: Context, site: Site): string {
  return ctx.geometry?.places[site]?.name ?? "";
}

export function kindName(ctx: Context, piece: Piece): string {
  return ctx.game?.kinds[piece.kind]?.name ?? "";
}

export function pieceName(ctx: Context, piece: Piece): string {
  return ctx.words.piece(ctx.game?.players[piece.player]?.name ?? "", kindName(ctx, piece));
}

/** "e4, white knight, 5 moves" · "d5, empty, knight can move here". */
export function siteLabel(ctx: Context, site: Site, targets: ReadonlyMap<Site, How>): string {
  const { words } = ctx;
  const piece = ctx.placement.get(site);
  return words.site(
    siteName(ctx, site),
    piece ? pieceName(ctx, piece) : words.empty,
    whatCanBeDone(ctx, site, targets),
  );
}

function whatCanBeDone(ctx: Context, site: Site, targets: ReadonlyMap<Site, How>): string | null {
  const { words, selected } = ctx;
  if (!mayMove(ctx) || !ctx.state) return null;
  const how = targets.get(site);
  if (selected && how) {
    const kind = pieceOf(ctx, selected);
    const name = kind ? kindName(ctx, kind) : "";
    return { go: words.canGo, take: words.canTake, drop: words.canDrop, stay: words.canStay }[how](
      name,
    );
  }
  if (selected && !(selected.type === "site" && selected.site === site)) return null;
  const n = distinct(movesFrom(ctx.state.moves, { type: "site", site }), ctx.placement).length;
  if (n) return words.moves(n);
  return how && !selected ? words.mayPlace : null;
}

export function boardLabel(ctx: Context): string {
  const { game, state, words } = ctx;
  if (!game) return "";
  const mover =
    state?.mover === null || state?.mover === undefined
      ? null
      : words.toMove(game.players[state.mover]?.name ?? "");
  return words.board(game.title, mover, state?.outcome?.text ?? null);
}

/** The opponent's move in words: "Black: queen d8 to c7, captures white pawn." */
export function tellEffects(
  ctx: Context,
  before: Placement,
  state: StateView,
  effects: readonly EffectView[],
): string {
  const { words, game } = ctx;
  const player = (n: number | undefined) => (n === undefined ? "" : (game?.players[n]?.name ?? ""));
  const kind = (n: number) => game?.kinds[n]?.name ?? "";
  const parts: string[] = [];
  const taken: string[] = [];
  effects.forEach((effect, i) => {
    if (effect.type === "walk" || effect.type === "copy") {
      const piece = before.get(effect.from),
        victim = effect.to === effect.from ? undefined : before.get(effect.to);
      if (piece && i === 0)
        parts.push(
          words.walked(
            player(piece.player),
            kind(piece.kind),
            siteName(ctx, effect.from),
            siteName(ctx, effect.to),
          ),
        );
      if (
        victim &&
        !effects.some((it) => it.type === "walk" && it.from === effect.to) &&
        !effects.some((it) => it.type === "capture" && it.site === effect.to)
      )
        taken.push(pieceName(ctx, victim));
    } else if (effect.type === "drop") {
      if (i === 0)
        parts.push(
          words.dropped(player(effect.player), kind(effect.kind), siteName(ctx, effect.to)),
        );
    } else if (effect.type === "capture") {
      const victim = before.get(effect.site);
      if (victim) taken.push(pieceName(ctx, victim));
    } else if (effect.type === "become" && before.get(effect.site)?.kind !== effect.kind) {
      parts.push(words.became(kind(effect.kind)));
    }
  });
  if (taken.length)
    parts.push(words.taken(taken.length > 4 ? String(taken.length) : taken.join(` ${words.and} `)));
  if (!parts.length) return "";
  const isYours = state.outcome === null && state.seat !== null && ctx.seats.includes(state.seat);
  return `${parts.join(", ")}.${isYours ? ` ${words.your}` : ""}`;
}

/** M: the moves from here, or of what is picked up. */
export function tellMoves(ctx: Context, site: Site): string {
  const { state, words } = ctx;
  const source = ctx.selected ?? { type: "site" as const, site };
  const moves =
    state && mayMove(ctx) ? distinct(movesFrom(state.moves, source), ctx.placement) : [];
  if (!moves.length) return words.noMoves;
  return moves.map((it) => (it.to === null ? it.short : siteName(ctx, it.to))).join(", ");
}

/** P: all pieces, by player. */
export function tellPieces(ctx: Context): string {
  const { game } = ctx;
  const byPlayer = new Map<number, string[]>();
  for (const [site, piece] of ctx.placement) {
    if (!siteName(ctx, site)) continue;
    const list = byPlayer.get(piece.player) ?? [];
    list.push(`${ctx.words.kind(kindName(ctx, piece))} ${siteName(ctx, site)}`);
    byPlayer.set(piece.player, list);
  }
  return [...byPlayer]
    .map(([player, list]) => `${game?.players[player]?.name ?? ""}: ${list.join(", ")}`)
    .join(". ");
}
