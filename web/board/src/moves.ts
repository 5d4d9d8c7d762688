// From clicks to moves. The rules are not known here: only the list of legal moves
// and by which pairs of clicks each may be meant (the key movement first, then `clicks`).
import type { Kind, MoveView, Player, Site, StateView } from "$protocol";

/** What is picked up: a piece on the board, or one of a hand. */
export type Source = { type: "site"; site: Site } | { type: "hand"; player: Player; kind: Kind };

/** How a move may end on a site; every way has a mark of its own shape. */
export type How = "go" | "take" | "drop" | "stay";
export interface Target {
  site: Site;
  how: How;
}

export interface Piece {
  player: Player;
  kind: Kind;
}
export type Placement = ReadonlyMap<Site, Piece>;

export type Decision =
  | { type: "play"; moves: MoveView[] } // more than one: ask
  | { type: "select"; source: Source }
  | { type: "clear" }
  | { type: "none" };

export function placementOf(state: StateView): Map<Site, Piece> {
  return new Map(state.pieces.map((it) => [it.site, { player: it.player, kind: it.kind }]));
}

export function sameSource(a: Source | null, b: Source | null): boolean {
  if (!a || !b) return a === b;
  if (a.type === "site") return b.type === "site" && a.site === b.site;
  return b.type === "hand" && a.player === b.player && a.kind === b.kind;
}

/** The pairs of clicks that mean a move. A copy is entered like a drop too. */
export function pairsOf(move: MoveView): { from: Site | null; to: Site }[] {
  if (move.pass) return [];
  const pairs: { from: Site | null; to: Site }[] =
    move.to === null ? [] : [{ from: move.from, to: move.to }];
  if (isCopy(move) && move.to !== null && move.from !== null)
    pairs.push({ from: null, to: move.to });
  return pairs.concat(move.clicks);
}

/** `add-copy`: the piece stays and another like it comes. */
export function isCopy(move: MoveView): boolean {
  return move.effects[0]?.type === "copy";
}

function isDrop(move: MoveView): boolean {
  return move.from === null && move.to !== null;
}

/** Moves by where they start and where a bare click drops; made once for a list. */
interface Index {
  from: Map<Site, MoveView[]>;
  drops: Map<Kind, MoveView[]>;
  bare: Map<Site, MoveView[]>;
  isOnlyDrops: boolean;
}
const indices = new WeakMap<MoveView[], Index>();

function indexOf(moves: MoveView[]): Index {
  const known = indices.get(moves);
  if (known) return known;
  const index: Index = {
    from: new Map(),
    drops: new Map(),
    bare: new Map(),
    isOnlyDrops: moves.every((it) => it.pass || it.from === null),
  };
  const add = <K>(map: Map<K, MoveView[]>, key: K, move: MoveView) => {
    const list = map.get(key);
    if (!list) map.set(key, [move]);
    else if (list[list.length - 1] !== move) list.push(move);
  };
  for (const move of moves) {
    for (const pair of pairsOf(move)) {
      if (pair.from === null) add(index.bare, pair.to, move);
      else add(index.from, pair.from, move);
    }
    if (isDrop(move) && move.drop !== null) add(index.drops, move.drop, move);
  }
  indices.set(moves, index);
  return index;
}

export function movesFrom(moves: MoveView[], source: Source): MoveView[] {
  const index = indexOf(moves);
  return (
    (source.type === "hand" ? index.drops.get(source.kind) : index.from.get(source.site)) ?? []
  );
}

export function movesBetween(moves: MoveView[], source: Source, to: Site): MoveView[] {
  const started = movesFrom(moves, source);
  if (source.type === "hand") return started.filter((it) => it.to === to);
  // a key pair says what is meant better than an alternative one
  const exact = started.filter((it) => it.from === source.site && it.to === to);
  return exact.length
    ? exact
    : started.filter((it) =>
        pairsOf(it).some((pair) => pair.from === source.site && pair.to === to),
      );
}

/** Moves that one click on a site may mean while nothing is picked up. */
function dropsOn(moves: MoveView[], to: Site): MoveView[] {
  return indexOf(moves).bare.get(to) ?? [];
}

/**
 * Whether a bare click may drop. Where pieces wait in a hand and others could move
 * instead, a stray click must not spend one: it is picked up first.
 */
function mayDropByClick(moves: MoveView[], state: StateView, drop: MoveView): boolean {
  if (isCopy(drop)) return true;
  const inHand = state.hands.some(
    (it) => it.player === state.mover && it.kind === drop.drop && it.count > 0,
  );
  return !inHand || indexOf(moves).isOnlyDrops;
}

/** One of each kind: moves that leave the same board are one choice, not several. */
export function distinct(moves: MoveView[], placement: Placement): MoveView[] {
  const seen = new Set<string>();
  return moves.filter((move) => {
    const key = isCopy(move) ? copyKey(move, placement) : move.long;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

function copyKey(move: MoveView, placement: Placement): string {
  const effects = move.effects.map((it) => {
    if (it.type !== "copy") return JSON.stringify(it);
    const piece = placement.get(it.from);
    return `copy ${piece?.player} ${piece?.kind} ${it.to}`;
  });
  return `${move.partial} ${effects.join()}`;
}

export interface Click {
  state: StateView;
  placement: Placement;
  selected: Source | null;
  site: Site;
  smart: boolean;
}

/** What a finished click on a site means. */
export function decide(click: Click): Decision {
  const { state, placement, selected, site } = click;
  if (!selected) return decideFresh(click);
  const here: Source = { type: "site", site };
  const meant = distinct(movesBetween(state.moves, selected, site), placement);
  if (meant.length) return { type: "play", moves: meant };
  if (sameSource(selected, here)) return { type: "clear" };
  return canPick(state.moves, here) ? { type: "select", source: here } : { type: "clear" };
}

/** The same while nothing is picked up. */
function decideFresh({ state, placement, site, smart }: Click): Decision {
  const here: Source = { type: "site", site };
  const { moves } = state;
  const drops = distinct(
    dropsOn(moves, site).filter((it) => mayDropByClick(moves, state, it)),
    placement,
  );
  const starts = distinct(movesFrom(moves, here), placement);
  if (drops.length && (!starts.length || drops.some(isCopy))) return { type: "play", moves: drops };
  // somebody else's piece cannot be carried about: a click on it is the whole move
  const isOwn = placement.get(site)?.player === state.mover;
  if (starts.length && !isOwn && starts.every((it) => it.from === site && it.to === site))
    return { type: "play", moves: starts };
  if (smart && starts.length === 1) return { type: "play", moves: starts };
  if (starts.length) return { type: "select", source: here };
  const arrivals = smart
    ? distinct(
        moves.filter((it) => pairsOf(it).some((pair) => pair.to === site)),
        placement,
      )
    : [];
  return arrivals.length === 1 ? { type: "play", moves: arrivals } : { type: "none" };
}

/** What pressing the button does before it is released: a piece is picked up at once. */
export function canPick(moves: MoveView[], source: Source): boolean {
  return movesFrom(moves, source).length > 0;
}

/** Where the picked piece can go, each site once; taking outranks going. */
export function targetsOf(moves: MoveView[], source: Source, placement: Placement): Target[] {
  const out = new Map<Site, How>();
  for (const move of movesFrom(moves, source)) {
    for (const pair of source.type === "hand"
      ? [{ from: null, to: move.to as Site }]
      : pairsOf(move)) {
      if (source.type === "site" && pair.from !== source.site) continue;
      const stays = source.type === "site" && pair.to === source.site;
      // a piece that acts elsewhere without moving is pointed at where it acts
      if (stays && move.clicks.some((it) => it.from === pair.from)) continue;
      const how: How =
        source.type === "hand"
          ? "drop"
          : stays
            ? "stay"
            : placement.has(pair.to)
              ? "take"
              : isCopy(move)
                ? "drop"
                : "go";
      if (how === "take" || !out.has(pair.to)) out.set(pair.to, how);
    }
  }
  return [...out].map(([site, how]) => ({ site, how }));
}

/**
 * Marks for single clicks while nothing is picked up, such as the free squares of
 * reversi. If nearly every site would carry one, they say nothing and are left out.
 */
export function openTargets(state: StateView, placement: Placement, nSites: number): Target[] {
  const out = new Map<Site, How>();
  for (const move of state.moves) {
    for (const pair of pairsOf(move)) {
      if (pair.from === null && mayDropByClick(state.moves, state, move))
        out.set(pair.to, placement.has(pair.to) ? "take" : "drop");
      else if (pair.from === pair.to && placement.get(pair.to)?.player !== state.mover)
        out.set(pair.to, placement.has(pair.to) ? "take" : "drop");
    }
  }
  if (out.size > nSites / 2) return [];
  return [...out].map(([site, how]) => ({ site, how }));
}

/** The piece that stands on the arrival site after a move, for pictures of choices. */
export function arrivalOf(
  move: MoveView,
  placement: Placement,
  mover: Player | null,
): Piece | null {
  const origin = move.from === null ? null : (placement.get(move.from) ?? null);
  let piece: Piece | null = origin;
  for (const effect of move.effects) {
    if (effect.type === "drop" && effect.to === move.to)
      piece = { player: effect.player, kind: effect.kind };
    if (effect.type === "become" && effect.site === move.to)
      piece = { player: effect.player, kind: effect.kind };
  }
  const player = piece?.player ?? mover;
  const kind = move.promote ?? move.drop ?? piece?.kind;
  return player === null || kind === undefined ? null : { player, kind };
}
