// Presets whose code tells no moves: anything may be tried. The list of all that would be
// long, so it is made here and not sent.
import type { GameView, MoveView, StateView } from "$protocol";

const MAX_MOVES = 60_000;
const known = new WeakMap<StateView, StateView>();

/** The state with a move from every piece to every other site, if it is free. */
export function withFreeMoves(game: GameView, state: StateView): StateView {
  if (!state.free) return state;
  const made = known.get(state);
  if (made) return made;
  const cells = game.layout.cells;
  const taken = new Set(state.pieces.map((piece) => piece.site));
  // on a very large board only the mover's own pieces are offered
  const isVast = state.pieces.length * cells.length > MAX_MOVES;
  const moves: MoveView[] = [];
  for (const { site: from, player } of state.pieces) {
    if (isVast && player !== state.mover) continue;
    for (let to = 0; to < cells.length && moves.length < MAX_MOVES; to += 1) {
      if (to === from || cells[to]?.hidden) continue;
      const long = `${cells[from]?.name}-${cells[to]?.name}`;
      moves.push({
        i: moves.length,
        short: long,
        long,
        from,
        to,
        drop: null,
        promote: null,
        captures: taken.has(to) ? [to] : [],
        pass: false,
        partial: false,
        clicks: [],
        effects: [{ type: "walk", from, to }],
      });
    }
  }
  const whole = { ...state, moves };
  known.set(state, whole);
  return whole;
}
