// The one object that all parts of the widget share, and questions about it.
import type { GameView, LayoutView, MoveView, Site, StateView } from "$protocol";
import type { Geometry } from "./geometry";
import type { Layers } from "./layers";
import type { Piece, Source, Target } from "./moves";
import { openTargets, targetsOf } from "./moves";
import type { Looks } from "./pieces";
import type { Arrow, BoardOptions, Settings } from "./types";
import type { View } from "./view";
import type { Words } from "./words";

export interface HandEntry {
  refresh(): void;
  /** Where a piece of the hand is on the screen. */
  spotOf(piece: Piece): { x: number; y: number } | null;
}

export interface Context {
  layers: Layers;
  options: BoardOptions;
  words: Words;
  settings: Settings;
  game: GameView | null;
  state: StateView | null;
  placement: Map<Site, Piece>;
  seats: number[];
  layout: LayoutView | null; // of the game, as it is set for this width
  geometry: Geometry | null;
  looks: Looks | null;
  isPictured: boolean; // the author's board is shown
  isSlim: boolean;
  selected: Source | null;
  hover: Site | null; // a piece under the mouse that can be picked up
  pointed: Site | null; // whatever is under the mouse
  over: Site | null; // the site below the dragged piece
  carried: Source | null; // what is being dragged
  cursor: Site | null;
  isCursorShown: boolean;
  isPointing: boolean; // the player uses a pointer, which needs no ring
  lastMove: string; // the last move in words
  drawn: Arrow[];
  gone: Map<Site, Piece>; // captured by the unfinished move, crossed out until it ends
  view: View;
  hands: HandEntry[];
  refreshMarks(): void;
  focus(site: Site): void; // moves the keyboard cursor
  select(source: Source | null, quiet?: boolean): void;
  play(moves: MoveView[], site: Site | null): void;
}

/** Whether the player at this screen may move now. */
export function mayMove(ctx: Context): boolean {
  const state = ctx.state;
  return (
    !!state &&
    !ctx.settings.disabled &&
    !ctx.settings.editing &&
    state.outcome === null &&
    state.seat !== null &&
    ctx.seats.includes(state.seat)
  );
}

/** Whether pieces that can move are marked, as in dice games after a throw. */
export function marksMovable(ctx: Context): boolean {
  return !!ctx.game?.hasDice && ctx.settings.showTargets && ctx.selected === null && mayMove(ctx);
}

export function isSmart(ctx: Context): boolean {
  return ctx.settings.smartMoves ?? ctx.game?.options.smartMoves ?? false;
}

/** What may be clicked now, as the marks show it. */
export function targetsNow(ctx: Context): Target[] {
  if (!ctx.state || !ctx.geometry || !mayMove(ctx)) return [];
  if (ctx.selected) return targetsOf(ctx.state.moves, ctx.selected, ctx.placement);
  return openTargets(
    ctx.state,
    ctx.placement,
    ctx.geometry.places.filter((it) => !it.hidden).length,
  );
}

export function pieceOf(ctx: Context, source: Source): Piece | null {
  return source.type === "hand"
    ? { player: source.player, kind: source.kind }
    : (ctx.placement.get(source.site) ?? null);
}
