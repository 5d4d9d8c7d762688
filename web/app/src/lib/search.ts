// Finding games by name, variant or piece, forgiving one wrong letter in a word.
import type { GameCard, VariantCard } from "$protocol";

export function fold(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase()
    .replace(/[’']/g, "");
}

export function words(text: string): string[] {
  return fold(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
}

/** At most one letter inserted, left out, changed, or two neighbours swapped. */
export function isNear(a: string, b: string): boolean {
  if (a === b) return true;
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  const restA = a.slice(start);
  const restB = b.slice(start);
  if (restA.length === restB.length) {
    if (restA.slice(1) === restB.slice(1)) return true;
    return restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2);
  }
  return restA.length > restB.length ? restA.slice(1) === restB : restB.slice(1) === restA;
}

/** 0: not at all; higher is better. `word` is what somebody typed, `target` one word of a name. */
export function wordScore(word: string, target: string): number {
  if (target === word) return 5;
  if (target.startsWith(word)) return 4;
  if (word.length >= 3 && target.includes(word)) return 3;
  if (word.length >= 4) {
    if (isNear(word, target)) return 2;
    // the beginning of a longer name, still being typed
    if (
      target.length > word.length &&
      [-1, 0, 1].some((d) => isNear(word, target.slice(0, word.length + d)))
    )
      return 1;
  }
  return 0;
}

/** Every typed word must be found somewhere; a place that counts for more multiplies. */
export function score(query: string[], fields: [weight: number, text: string[]][]): number {
  let sum = 0;
  for (const word of query) {
    let best = 0;
    for (const [weight, targets] of fields) {
      for (const target of targets) best = Math.max(best, weight * wordScore(word, target));
    }
    if (best === 0) return 0;
    sum += best;
  }
  return sum;
}

export interface Filter {
  text: string;
  family: string | null;
  players: number | null;
  shape: string | null;
  length: string | null;
  isPuzzle: boolean;
  hasDice: boolean;
  isPreset: boolean;
  only: Set<string> | null; // ids: favourites, recent, mine
}

/** `isNear`: only a misspelling would have it. */
export interface Hit {
  card: GameCard;
  variant: VariantCard | null;
  score: number;
  isNear: boolean;
}

export const NO_FILTER: Filter = {
  text: "",
  family: null,
  players: null,
  shape: null,
  length: null,
  isPuzzle: false,
  hasDice: false,
  isPreset: false,
  only: null,
};

function fits(variant: VariantCard, filter: Filter): boolean {
  return (
    (filter.players === null ||
      (filter.players >= 3 ? variant.nPlayers >= 3 : variant.nPlayers === filter.players)) &&
    (filter.shape === null || variant.shape === filter.shape) &&
    (filter.length === null || variant.length === filter.length) &&
    (!filter.isPuzzle || variant.isPuzzle) &&
    (!filter.hasDice || variant.hasDice)
  );
}

/** The games that fit, best first; `variant` is the one that was meant, if not the first. */
export function find(games: GameCard[], filter: Filter): Hit[] {
  const query = words(filter.text);
  const hits: Hit[] = [];
  const isAny = query.length === 0 && filter.only === null;
  const titles = new Set(games.filter((it) => !it.isPreset && !it.mine).map((it) => it.title));
  for (const card of games) {
    if (filter.only && !filter.only.has(card.id)) continue;
    // a menu is no game, and a preset of a game that is there anyway is the same game again
    if (isAny && card.variants.length > 0 && card.variants.every((it) => it.isMenu)) continue;
    const isTwin = card.isPreset && !card.mine && titles.has(card.title);
    if (isTwin && !filter.isPreset && filter.only === null) continue;
    if (filter.family !== null && card.family !== filter.family) continue;
    if (filter.isPreset && !card.isPreset) continue;
    const variants = card.variants.filter((variant) => fits(variant, filter));
    if (variants.length === 0 && !(card.broken && isOpen(filter))) continue;
    const firstFits = variants[0] === card.variants[0] ? null : (variants[0] ?? null);
    if (query.length === 0) {
      hits.push({ card, variant: firstFits, score: 0, isNear: false });
      continue;
    }
    const own = score(query, [
      [4, words(card.title)],
      [3, words(card.id)],
      [3, card.also.flatMap(words)],
    ]);
    let best: Hit | null = own > 0 ? { card, variant: firstFits, score: own, isNear: false } : null;
    const all = [card.title, card.id, card.family, ...card.also];
    for (const variant of variants) {
      const value = score(query, [
        [3, words(variant.title)],
        [2.9, words(card.title)],
        [1, variant.pieceNames.flatMap(words)],
        [1, words(card.family)],
      ]);
      if (value > (best?.score ?? 0))
        best = {
          card,
          variant: variant === card.variants[0] ? null : variant,
          score: value,
          isNear: false,
        };
      all.push(variant.title, ...variant.pieceNames);
    }
    if (best) hits.push({ ...best, isNear: !isSpelled(query, all) });
  }
  // who wrote a word that is there means it: then nothing is taken for a misspelling
  const meant = hits.some((hit) => !hit.isNear) ? hits.filter((hit) => !hit.isNear) : hits;
  return query.length > 0 ? meant.sort((a, b) => b.score - a.score) : meant;
}

/** Whether every typed word is in one of the texts letter for letter. */
function isSpelled(query: string[], texts: string[]): boolean {
  const all = texts.flatMap(words);
  return query.every((word) => all.some((target) => wordScore(word, target) > 2));
}

function isOpen(filter: Filter): boolean {
  return (
    filter.players === null &&
    filter.shape === null &&
    filter.length === null &&
    !filter.isPuzzle &&
    !filter.hasDice &&
    !filter.isPreset
  );
}

/** The title nearest to what was typed, for "did you mean". */
export function suggestion(games: GameCard[], text: string): string | null {
  const typed = fold(text).trim();
  if (typed.length < 3 || /\d/.test(typed)) return null;
  let best: [number, string] | null = null;
  for (const title of games.flatMap((card) => [
    card.title,
    ...card.also,
    ...card.variants.map((variant) => variant.title),
  ])) {
    for (const word of [fold(title), ...words(title)]) {
      const d = distance(typed, word);
      if (d <= Math.max(2, Math.floor(typed.length / 3)) && (!best || d < best[0]))
        best = [d, word === fold(title) ? title : word];
    }
  }
  return best ? best[1] : null;
}

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
