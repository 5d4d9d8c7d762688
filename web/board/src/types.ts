// What the page gives to the board and what it hears from it.
import type { EffectView, MoveView, Site } from "$protocol";
import type { Piece, Source } from "./moves";
import type { Words } from "./words";

export type Theme = "walnut" | "baize" | "slate" | "ink";
export type SoundName =
  "move" | "capture" | "drop" | "change" | "click" | "release" | "tick" | "win" | "loss" | "draw";

export interface Arrow {
  from: Site;
  to: Site;
  kind?: "hint" | "line" | "drawn";
}

/** What the pointer does in edit mode. */
export type EditTool =
  { tool: "place"; piece: Piece } | { tool: "move" } | { tool: "remove" } | { tool: "next" };

/** Marks that the page asks for, beyond those that the state itself carries. */
export interface Marks {
  arrows: Arrow[]; // hints and lines of analysis
  attackers: Site[]; // pieces that attack the asked site
  probe: Site[]; // where a piece could go on an empty board
  goals: Site[];
  asked: Site | null; // the site that a card speaks about
}

export interface Settings {
  theme: Theme | null; // null: the theme of the page
  pieceSet: string | null; // id of a PieceSet; null: the first
  useImages: boolean; // the author's own pictures where they are there
  imageSet: number; // which of them; counts on from 0 and wraps
  flipped: boolean;
  coordinates: boolean;
  showTargets: boolean;
  showAllMoves: boolean; // an arrow for every legal move
  smartMoves: boolean | null; // null: the game's own setting
  autoContinue: boolean; // the only continuation of an unfinished move is played by itself
  animationMs: number; // 0 to 600
  animateCaptures: boolean | null;
  animateDrops: boolean | null;
  mayDraw: boolean; // right-drag draws arrows
  disabled: boolean; // the board can be viewed but not played
  editing: EditTool | null;
  marks: Marks;
}

export interface BoardOptions extends Partial<Settings> {
  words?: Words;
  /** A move was entered; the page sends it on and answers with `show`. */
  onMove?(move: MoveView): void;
  onSelect?(site: Site | null): void;
  /** The pointer or the cursor is over another piece. */
  onHoverPiece?(site: Site | null): void;
  /** A click, tap or Enter on a site while no move can be made: selection screens open games by it. */
  onClickSite?(site: Site): void;
  /**
   * A move was tried that is not legal; without `to`, a piece that cannot move was picked.
   * `isStray` if a click beside the targets may have meant nothing but to put the piece back.
   */
  onRefused?(source: Source, to: Site | null, isStray: boolean): void;
  /** Right click or long press: what is this? */
  onAskPiece?(site: Site, at: { x: number; y: number }): void;
  /** Edit mode: put this piece on the site, or empty it. */
  onEdit?(site: Site, piece: Piece | null): void;
  onAnnounce?(text: string, assertive: boolean): void;
  onSound?(name: SoundName): void;
  /** The arrows that the player has drawn. */
  onDraw?(arrows: Arrow[]): void;
  /** Undo one step of an unfinished move (Backspace), or all of it (Escape). */
  onUndoStep?(all: boolean): void;
  /** Keys that belong to the page: f h u / ? t k and their like. */
  onKey?(event: KeyboardEvent): void;
  onFlip?(flipped: boolean): void;
}

export interface ShowOptions {
  effects?: EffectView[];
  animate?: boolean;
  /** The move was one's own: nothing is read aloud. */
  own?: boolean;
}

export const DEFAULTS: Settings = {
  theme: null,
  pieceSet: null,
  useImages: true,
  imageSet: 0,
  flipped: false,
  coordinates: true,
  showTargets: true,
  showAllMoves: false,
  smartMoves: null,
  autoContinue: true,
  animationMs: 200,
  animateCaptures: null,
  animateDrops: null,
  mayDraw: true,
  disabled: false,
  editing: null,
  marks: { arrows: [], attackers: [], probe: [], goals: [], asked: null },
};
