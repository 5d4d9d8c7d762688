// The words of the board in German. Nouns keep their capital letter.
import type { Words } from "./words";

const count = (n: number, one: string, other: string) => `${n} ${n === 1 ? one : other}`;

export const GERMAN: Words = {
  keys: "Pfeiltasten bewegen sich auf dem Brett, Enter nimmt auf und setzt ab, Escape bricht ab, N springt zum nächsten möglichen Feld, M liest die Züge von hier, L den letzten Zug, P alle Figuren.",
  board: (title, mover, outcome) => [title, outcome ?? mover].filter(Boolean).join(". "),
  toMove: (player) => `${player} am Zug`,
  site: (name, piece, can) => [name, piece ?? "leer", can].filter(Boolean).join(", "),
  piece: (player, kind) =>
    player.toLowerCase().startsWith(kind.toLowerCase()) || player === "Du"
      ? kind
      : `${kind} ${player}`,
  kind: (name) => name,
  empty: "leer",
  moves: (n) => count(n, "Zug", "Züge"),
  canGo: (kind) => `${kind} kann hierher ziehen`,
  canTake: (kind) => `${kind} kann schlagen`,
  canDrop: (kind) => `${kind} kann hier eingesetzt werden`,
  canStay: (kind) => `${kind} kann auf der Stelle ziehen`,
  mayPlace: "kann gespielt werden",
  picked: (piece, n) => `${piece} aufgenommen, ${count(n, "Zielfeld", "Zielfelder")}`,
  putBack: "zurückgestellt",
  noWay: "kann dort nicht hinziehen",
  walked: (player, kind, from, to) => `${player}: ${kind} ${from} nach ${to}`,
  dropped: (player, kind, to) => `${player}: ${kind} eingesetzt auf ${to}`,
  taken: (pieces) => `schlägt ${pieces}`,
  became: (kind) => `wird zu ${kind}`,
  your: "Du bist am Zug.",
  noMoves: "keine legalen Züge von hier",
  noLast: "noch keine Züge",
  level: (label) => label,
  choose: "Wähle einen Zug",
  hand: (player) => `Vorrat: ${player}`,
  handPiece: (kind, n) => `${kind} im Vorrat: ${n}`,
  emptyHand: "Vorrat leer",
  zoomIn: "Vergrößern",
  zoomOut: "Verkleinern",
  fit: "Ganzes Brett",
  map: "Brettübersicht",
  loupe: {
    place: "Hier setzen",
    move: "Hierher ziehen",
    take: "Schlagen",
    pick: "Aufnehmen",
    choose: "Auswählen…",
  },
  and: "und",
};
