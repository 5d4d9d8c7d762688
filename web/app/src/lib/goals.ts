// The sites to highlight as goals: those that the end conditions name.
import type { GameView, Player, Site } from "$protocol";

/** The goal sites of a player, or of all players for `null`, ascending. */
export function goalSites(game: GameView, player: Player | null): Site[] {
  const ofGoals = game.goals.flatMap((goal) => goal.sites);
  const wanted = ofGoals.filter((one) => player === null || one.player === player);
  return [...new Set(wanted.flatMap((one) => one.sites))].sort((a, b) => a - b);
}

/** Whether goals are marked from the start: the rules ask for it, and do not name most sites. */
export function showsGoals(game: GameView): boolean {
  const nSites = game.layout.cells.filter((cell) => !cell.hidden).length;
  const n = goalSites(game, null).length;
  return game.options.highlightGoals === true && n > 0 && 2 * n <= nSites;
}
