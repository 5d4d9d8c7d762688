// The library and the matches, asked for once and kept while pages change.
import type { Created, GameCard, LibraryView, MatchCard, SeatSetup, VariantCard } from "$protocol";
import * as api from "./api";
import { prefs } from "./prefs.svelte";
import { read, write } from "./storage";

export const catalog = $state<{
  library: LibraryView | null;
  matches: MatchCard[] | null;
  problem: unknown;
}>({
  library: null,
  matches: null,
  problem: null,
});

export async function loadLibrary(): Promise<void> {
  try {
    const library = await api.library();
    catalog.library = { ...library, games: ordered(library.games) };
    catalog.problem = null;
  } catch (problem) {
    if (!catalog.library) catalog.problem = problem;
  }
}

// The games at the top of the library: one of each kind, the best known first.
const FEATURED = [
  "chess",
  "glinski",
  "shogi",
  "nine-mens-morris",
  "royal-ur",
  "xiangqi",
  "raumschach",
  "english-draughts",
  "reversi",
  "hex",
  "gomoku",
  "go",
  "grand-chess",
  "tablut",
  "peg-solitaire",
  "chinese-checkers",
  "four-handed-chess",
  "connect-four",
  "senet",
  "sokoban",
];

/** The user's own games first, then the featured ones, then the rest by title. */
export function ordered(games: GameCard[]): GameCard[] {
  const rank = (card: GameCard) => {
    const at = FEATURED.indexOf(card.id);
    return card.mine ? -1 : at < 0 ? FEATURED.length : at;
  };
  return [...games].sort((a, b) => rank(a) - rank(b));
}

export async function loadMatches(): Promise<void> {
  try {
    catalog.matches = (await api.matches()).sort((a, b) => b.updated - a.updated);
  } catch {
    catalog.matches ??= [];
  }
}

export const cardOf = (id: string): GameCard | undefined =>
  catalog.library?.games.find((card) => card.id === id);

/** The variant that a card shows: the first that is played, not a menu. */
export function front(card: GameCard): VariantCard | undefined {
  return card.variants.find((variant) => !variant.isMenu) ?? card.variants[0];
}

// ---- the choices of last time, by number of seats
export function lastSeats(game: string, n: number, nSeats: number): SeatSetup[] {
  const kept =
    read<SeatSetup[] | null>(`bw.seats.${game}.${n}`, null) ??
    read<SeatSetup[] | null>(`bw.seats.${nSeats}`, null);
  if (Array.isArray(kept) && kept.length === nSeats) return kept;
  return Array.from({ length: nSeats }, (_, i): SeatSetup => (i === 0 ? person() : engine()));
}

export function keepSeats(game: string, n: number, seats: SeatSetup[]): void {
  write(`bw.seats.${game}.${n}`, seats);
  write(`bw.seats.${seats.length}`, seats);
}

export const person = (): SeatSetup => ({ type: "person", name: prefs.name });
export const engine = (level = prefs.level): SeatSetup => ({
  type: "engine",
  level,
  seconds: prefs.seconds,
  depth: null,
  variety: prefs.variety,
});

/** Starts a match at once, with the choices made last time. */
export async function quickMatch(game: string, variant: VariantCard): Promise<Created> {
  return api.newMatch({
    game,
    n: variant.n,
    seats: lastSeats(game, variant.n, variant.nPlayers),
    setup: null,
  });
}
