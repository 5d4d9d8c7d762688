// The piece that represents a player beside the board: the most royal one it has.
import type { GameView, Kind, Player } from "$protocol";

const ROYAL = [/^king\b|^general|^jewel|^tsar|^shah|^emperor|^governor/i, /king|general|queen/i];

export function playerPiece(game: GameView, player: Player): Kind | null {
  const kinds = (game.sets[0]?.looks ?? [])
    .filter((look) => look.player === player)
    .map((look) => look.kind);
  for (const pattern of ROYAL) {
    const royal = kinds.find((kind) => pattern.test(game.kinds[kind]?.name ?? ""));
    if (royal !== undefined) return royal;
  }
  return kinds[0] ?? null;
}
