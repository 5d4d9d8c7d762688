// Where a player's pieces begin: everybody sees the board from their own side.
import type { GameView, Player } from "$protocol";

/** Differences of height below this say nothing; a usual cell is 100 high. */
const HALF_A_CELL = 50;

/** Whether the pieces of `mine` begin above those of `theirs`; `otherwise` if neither does. */
export function beginsFar(
  game: GameView,
  mine: Player,
  theirs: Player,
  otherwise: boolean,
): boolean {
  const [own, other] = [meanHeight(game, mine), meanHeight(game, theirs)];
  if (own === null || other === null || Math.abs(own - other) < HALF_A_CELL) return otherwise;
  return own < other;
}

/** The mean height of a player's pieces on the board, or on the level that each stands on. */
function meanHeight(game: GameView, player: Player): number | null {
  const { cells, levels } = game.layout;
  const heights = game.setup.flatMap(({ site, player: owner }) => {
    const cell = cells[site];
    if (owner !== player || !cell || cell.hidden) return [];
    return [cell.y - (levels[cell.level]?.y ?? 0)];
  });
  return heights.length > 0 ? heights.reduce((sum, y) => sum + y, 0) / heights.length : null;
}
