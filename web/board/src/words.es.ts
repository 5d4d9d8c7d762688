// The words of the board in Spanish.
import type { Words } from "./words";

const count = (n: number, one: string, other: string) => `${n} ${n === 1 ? one : other}`;
const low = (name: string) => name.toLowerCase();

export const SPANISH: Words = {
  keys: "Las flechas recorren el tablero, Intro coge y deja la pieza, Escape cancela, N va a la siguiente casilla posible, M lee las jugadas desde aquí, L la última jugada, P todas las piezas.",
  board: (title, mover, outcome) => [title, outcome ?? mover].filter(Boolean).join(". "),
  toMove: (player) => `Mueven: ${player}`,
  site: (name, piece, can) => [name, piece ?? "vacía", can].filter(Boolean).join(", "),
  piece: (player, kind) =>
    low(player).startsWith(low(kind)) || player === "Tú" ? low(kind) : low(`${kind} ${player}`),
  kind: low,
  empty: "vacía",
  moves: (n) => count(n, "jugada", "jugadas"),
  canGo: (kind) => `${low(kind)} puede mover aquí`,
  canTake: (kind) => `${low(kind)} puede capturar`,
  canDrop: (kind) => `${low(kind)} se puede colocar aquí`,
  canStay: (kind) => `${low(kind)} puede jugar sin moverse`,
  mayPlace: "se puede jugar",
  picked: (piece, n) => `${piece} en la mano, ${count(n, "destino", "destinos")}`,
  putBack: "devuelta a su sitio",
  noWay: "no puede mover ahí",
  walked: (player, kind, from, to) => `${player}: ${low(kind)} de ${from} a ${to}`,
  dropped: (player, kind, to) => `${player}: ${low(kind)} colocada en ${to}`,
  taken: (pieces) => `captura ${pieces}`,
  became: (kind) => `se convierte en ${low(kind)}`,
  your: "Te toca.",
  noMoves: "no hay jugadas legales desde aquí",
  noLast: "todavía no hay jugadas",
  level: (label) => label,
  choose: "Elige una jugada",
  hand: (player) => `Reserva: ${player}`,
  handPiece: (kind, n) => `${low(kind)} en la reserva: ${n}`,
  emptyHand: "reserva vacía",
  zoomIn: "Acercar",
  zoomOut: "Alejar",
  fit: "Ver todo el tablero",
  map: "Mapa del tablero",
  loupe: {
    place: "Colocar aquí",
    move: "Mover aquí",
    take: "Capturar",
    pick: "Coger",
    choose: "Elegir…",
  },
  and: "y",
};
