// Places that the end conditions of a game speak of, as far as their text names them.
import type { GameView, Player, Site } from "$protocol";

export function goalSites(game: GameView, player: Player | null): Site[] {
  const sites = new Set<Site>();
  const cells = new Map(game.layout.cells.map((cell, site) => [cell.name.toLowerCase(), site]));
  const names = game.players.map((one) => one.name.toLowerCase());
  for (const goal of game.goals) {
    const words = goal.line
      .toLowerCase()
      .split(/[\s()"]+/)
      .filter(Boolean);
    // a condition that names other players only is not this one's
    const named = words.filter((word) => names.includes(word));
    if (player !== null && named.length > 0 && !named.includes(names[player] ?? "")) continue;
    for (const word of words) {
      const site = cells.get(word);
      if (site !== undefined) sites.add(site);
      for (const zone of game.zones) {
        if (zone.name.toLowerCase() === word && (player === null || zone.player === player))
          for (const one of zone.sites) sites.add(one);
      }
    }
  }
  return [...sites].sort((a, b) => a - b);
}
