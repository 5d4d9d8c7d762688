// Rules for the demo games: turns, sliding pieces and steps.
import type { GameView, Kind, MoveView, Player, Site, StateView } from "$protocol";
import { after, boardOf, piecesOf, state, walk, type Board, type Fixture } from "./build";

export type Rules = (board: Board, mover: Player, now: StateView) => MoveView[];

/** A game in which players take turns; a partial move keeps the turn. */
export function fixture(
  of: GameView,
  start: StateView,
  rules: Rules,
  more: (now: StateView, board: Board) => Partial<StateView> = () => ({}),
): Fixture {
  const complete = (now: StateView): StateView => {
    const board = boardOf(now);
    const moves = rules(board, now.mover ?? 0, now);
    return { ...now, moves, ...more({ ...now, moves }, board) };
  };
  return {
    game: of,
    start: complete(start),
    play(now, move) {
      const board = after(boardOf(now), move.effects);
      const mover = move.partial ? now.mover : ((now.mover ?? 0) + 1) % of.players.length;
      const hands = now.hands.map((it) =>
        move.drop === it.kind && it.player === now.mover ? { ...it, count: it.count - 1 } : it,
      );
      const steps = move.from === null ? [move.to as Site] : [move.from, move.to as Site];
      const path = move.partial
        ? [...(now.path.length ? now.path : [move.from as Site]), move.to as Site]
        : [];
      return complete(
        state({
          node: now.node + 1,
          ply: now.ply + 1,
          pieces: piecesOf(board),
          hands,
          mover,
          seat: mover,
          lastSites: now.path.length ? [...now.path, move.to as Site] : steps,
          path,
        }),
      );
    },
  };
}

export const CHESS = ["King", "Queen", "Rook", "Bishop", "Knight", "Pawn", "Unicorn"];
export const chessArt = (p: Player, k: Kind) => ({
  art: `chess-${p ? "black" : "white"}-${CHESS[k]?.toLowerCase()}`,
});

/** Moves by geometry: sliders and leapers over centres of cells, enough to try a board. */
export function slide(
  g: GameView,
  board: Board,
  mover: Player,
  steps: (
    kind: Kind,
    player: Player,
  ) => { reach: number; jumps: [number, number, number][] } | null,
): MoveView[] {
  const cells = g.layout.cells,
    index = new Map(cells.map((it, i) => [`${Math.round(it.x)},${Math.round(it.y)}`, i]));
  const moves: MoveView[] = [];
  for (const [from, piece] of board) {
    if (piece.player !== mover) continue;
    const how = steps(piece.kind, piece.player);
    for (const [dx, dy] of how?.jumps ?? [])
      for (let n = 1; n <= (how?.reach ?? 1); n++) {
        const here = cells[from];
        const to =
          here && index.get(`${Math.round(here.x + dx * n)},${Math.round(here.y + dy * n)}`);
        if (to === undefined) break;
        const there = board.get(to);
        if (there?.player === mover) break;
        moves.push(
          walk(
            moves.length,
            from,
            to,
            cells,
            there
              ? {
                  captures: [to],
                  effects: [
                    { type: "walk", from, to },
                    { type: "capture", site: to },
                  ],
                }
              : {},
          ),
        );
        if (there) break;
      }
  }
  return moves;
}

export const around = (...steps: [number, number][]): [number, number, number][] =>
  steps
    .flatMap(
      ([a, b]) =>
        [
          [a, b],
          [-a, b],
          [a, -b],
          [-a, -b],
          [b, a],
          [-b, a],
          [b, -a],
          [-b, -a],
        ] as [number, number][],
    )
    .filter(([a, b], i, all) => all.findIndex((it) => it[0] === a && it[1] === b) === i)
    .map(([a, b]) => [a * 100, b * 100, 0]);
