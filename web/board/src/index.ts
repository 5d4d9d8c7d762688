import "./board.css";

// The board of Boardwright: given geometry, placement and legal moves, it draws,
// listens and never decides a rule.
export { createBoard, type Board } from "./board";
export type { Hand, HandOptions } from "./hand";
export type { Piece, Placement, Source } from "./moves";
export type {
  Arrow,
  BoardOptions,
  EditTool,
  Marks,
  Settings,
  ShowOptions,
  SoundName,
  Theme,
} from "./types";
export { insertDrawing, insertSprite, looksOf, pieceIcon, type Looks } from "./pieces";
export { drawToken } from "./token";
export { ENGLISH, type Words } from "./words";
export { isNumbered } from "./scene";
