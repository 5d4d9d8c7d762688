// Every text of the widget in one place, so that a translation can replace it whole.
export interface Words {
  keys: string;
  board(title: string, mover: string | null, outcome: string | null): string;
  toMove(player: string): string;
  site(name: string, piece: string | null, can: string | null): string;
  piece(player: string, kind: string): string;
  /** The name of a kind within a sentence. */
  kind(name: string): string;
  empty: string;
  moves(n: number): string;
  canGo(kind: string): string;
  canTake(kind: string): string;
  canDrop(kind: string): string;
  canStay(kind: string): string;
  mayPlace: string;
  picked(piece: string, n: number): string;
  putBack: string;
  noWay: string;
  walked(player: string, kind: string, from: string, to: string): string;
  dropped(player: string, kind: string, to: string): string;
  taken(pieces: string): string;
  became(kind: string): string;
  your: string;
  noMoves: string;
  noLast: string;
  level(label: string): string;
  choose: string;
  hand(player: string): string;
  handPiece(kind: string, count: number): string;
  emptyHand: string;
  zoomIn: string;
  zoomOut: string;
  fit: string;
  map: string;
  loupe: { place: string; move: string; take: string; pick: string; choose: string };
  and: string;
}

export const ENGLISH: Words = {
  keys: "Arrow keys move along the board, Enter picks up and puts down, Escape cancels, N goes to the next possible square, M reads the moves from here, L the last move, P all pieces.",
  board: (title, mover, outcome) => [title, outcome ?? mover].filter(Boolean).join(". "),
  toMove: (player) => `${player} to move`,
  site: (name, piece, can) => [name, piece ?? "empty", can].filter(Boolean).join(", "),
  // the fox of the player Fox, or an attacker of the Attackers, needs no second name
  piece: (player, kind) =>
    (player.toLowerCase().startsWith(kind.toLowerCase()) || player === "You"
      ? kind
      : `${player} ${kind}`
    ).toLowerCase(),
  kind: (name) => name.toLowerCase(),
  empty: "empty",
  moves: (n) => (n === 1 ? "1 move" : `${n} moves`),
  canGo: (kind) => `${kind.toLowerCase()} can move here`,
  canTake: (kind) => `${kind.toLowerCase()} can capture`,
  canDrop: (kind) => `${kind.toLowerCase()} can be dropped here`,
  canStay: (kind) => `${kind.toLowerCase()} can move in place`,
  mayPlace: "can be played",
  picked: (piece, n) => `${piece} picked up, ${n === 1 ? "1 destination" : `${n} destinations`}`,
  putBack: "put back",
  noWay: "cannot move there",
  walked: (player, kind, from, to) => `${player}: ${kind.toLowerCase()} ${from} to ${to}`,
  dropped: (player, kind, to) => `${player}: ${kind.toLowerCase()} dropped on ${to}`,
  taken: (pieces) => `captures ${pieces}`,
  became: (kind) => `becomes ${kind.toLowerCase()}`,
  your: "Your move.",
  noMoves: "no legal moves from here",
  noLast: "no moves yet",
  level: (label) => label,
  choose: "Choose a move",
  hand: (player) => `${player}’s pieces in hand`,
  handPiece: (kind, count) => `${kind.toLowerCase()} in hand: ${count}`,
  emptyHand: "nothing in hand",
  zoomIn: "Zoom in",
  zoomOut: "Zoom out",
  fit: "Fit the board",
  map: "Map of the board",
  loupe: {
    place: "Place here",
    move: "Move here",
    take: "Capture",
    pick: "Pick up",
    choose: "Choose…",
  },
  and: "and",
};
