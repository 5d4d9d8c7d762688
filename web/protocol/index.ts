// The wire between the Boardwright server and its page. All ids are small numbers
// that index lists of GameView: sites, players, kinds. Field names are camelCase.
// crates/protocol holds the same types in Rust (serde) and generates web/protocol/index.ts from them;
// until that exists, this file is the contract. Additions are fine, renames are not.

export type Site = number; export type Player = number; export type Kind = number;

// ---------- GET /api/library
export interface LibraryView { games: GameCard[]; nVariants: number }
export interface GameCard {
  id: string;                 // "chess"; for the user's own games "my-<id>"
  title: string;              // of the file's first game
  mine: boolean;
  broken: boolean;            // does not compile: opening shows diagnostics
  nErrors: number;
  family: string;             // "chess" | "draughts" | "race" | "connection" | "alignment" | "territory" | "hunt" | "puzzle" | "other"
  variants: VariantCard[];
}
export interface VariantCard {
  n: number;                  // number in the file
  title: string;
  nPlayers: number;           // that people or engines play; not random or neutral ones
  board: string;              // "8 × 8", "91 hexes", "5 levels", "points and lines", "four rings", "race"
  shape: string;              // Layout style
  isPuzzle: boolean; hasDice: boolean; hasDrops: boolean; isMenu: boolean;
  length: "short" | "medium" | "long";
  pieceNames: string[];
  thumb: string;              // URL of an SVG; add ?theme=walnut|slate|baize|ink&dark=1
}

// ---------- GET /api/games/{game}/{n}
export interface GameView {
  game: string; n: number; title: string; gameTitle: string;
  variants: { n: number; title: string; isMenu: boolean }[];
  description: string | null; history: string | null; strategy: string | null; // plain text, \n for \ of the rules
  hasSolution: boolean; isPuzzle: boolean; hasDice: boolean; isMenu: boolean; progressive: boolean;
  players: PlayerView[];
  turns?: Player[];           // who moves, by entry of the turn order: what StateSetup.mover indexes
  kinds: KindView[];
  layout: Layout;
  sets: PieceSet[];           // drawn by us; the first is the default
  images: ImageSet[];         // the author's, if all or most files are there; the first is the default
  links: Site[][];            // by site: where links lead (for the keyboard)
  zones: { name: string; player: Player; sites: Site[] }[];
  options: { smartMoves: boolean | null; showMovesList: boolean | null; animateCaptures: boolean | null;
             animateDrops: boolean | null; highlightGoals: boolean | null; flipping: "allowed" | "prevented" | "sitesOnly" | "sitesOnlyTight";
             silentRandomMoves: boolean };
  sounds: Record<string, string | null>; // "move","capture","drop","click","change","release","win","loss","draw","opening" → URL, "" = silence, null = our default
  music: string | null;
  goals: { text: string; line: string; lineNumber: number }[]; // each end condition in words and as the rule's line
  diagnostics: DiagnosticView[];
}
export interface PlayerView { name: string; color: "white" | "black" | "red" | "blue" | "green" | "yellow" | "orange" | "violet"; isSeat: boolean; isRandom: boolean }
export interface KindView { name: string; notation: string; help: string | null; description: string | null; value: number | null; opens: string | null; isDummy?: boolean }
export interface PieceSet { id: string; title: string; looks: Look[] }      // "turned","characters","latin","letters"
export interface Look { player: Player; kind: Kind;
  art: string | null;         // "chess-white-king": a symbol p-<art> of the sprite
  turn: boolean;              // drawn upside down (shogi's far player)
  letters: string;            // for tokens, 1..3 letters
  token: "circle" | "square" | "hexagon" | "shield"; tone: string /* PlayerView.color */; notches: number }
export interface ImageSet { width: number; height: number; board: string | null /* URL of a PNG */;
  pieces: { player: Player; kind: Kind; url: string; width: number; height: number }[];
  rects: ([number, number, number, number] | null)[] }  // by site: left, top, right, bottom in board pixels

export interface Layout {
  style: "checkered" | "grid" | "points" | "hex" | "levels" | "rings" | "tiles";
  width: number; height: number;      // of the playing surface, in units; a usual cell is 100 wide
  unit: number;                       // what a piece may be wide
  pad: number;                        // free room between surface and frame
  frame: string | null;               // outline of the tray as an SVG path; null: rectangle around the surface
  open: boolean;                      // no rectangle frame at all (levels, rings, tiles have their own in `under`)
  plain: boolean;                     // fill the surface with --b-plain
  cells: Cell[];                      // by site; sites without a place (dummies) have hidden = true
  under: Stroke[];                    // drawn below the cells: trays, lines
  over: Stroke[];                     // drawn above the cells: stars, rosettes, palace lines
  coords: { text: string; x: number; y: number; side: "bottom" | "left" | "top" | "right" | "free"; big: boolean }[];
  levels: { label: string; x: number; y: number; width: number; height: number; sites: Site[] }[];
}
export interface Cell { name: string; x: number; y: number; d: string | null /* outline; null: a point */; tone: 0 | 1 | 2 | 3; bare: boolean /* no dot drawn for a point */; hidden: boolean; level: number }
export interface Stroke { d: string; fill: string | null; stroke: string | null; width: number } // colours are theme names: "frame","inlay","line","plain","1","2","3"

export interface DiagnosticView { code: string; severity: "error" | "warning" | "note"; message: string; file: string; line: number; column: number;
  source: string; caret: [number, number]; hints: string[]; text: string /* as the terminal shows it, plain */ }

// ---------- matches
// POST /api/matches NewMatch → Created;  GET /api/matches → MatchCard[];  GET /api/matches/{id} → MatchView
// DELETE /api/matches/{id};  POST /api/matches/{id}/restore (undo a delete);  GET /api/matches/{id}/save.zsg
// POST /api/matches/load (body: bytes of a .zsg, header X-File-Name) → Created | Problem
// GET /api/matches/{id}/socket?key=K  (WebSocket, JSON text frames; Command up, Event down)
export interface NewMatch { game: string; n: number; seats: SeatSetup[]; setup: StateSetup | null; levels?: null }
export type SeatSetup = { type: "person"; name: string } | { type: "guest" } // guest: somebody comes by a link
  | { type: "engine"; level: number; seconds: number; depth: number | null; variety: number } | { type: "random" };
export interface StateSetup { pieces: { site: Site; player: Player; kind: Kind }[]; hands: { player: Player; kind: Kind; count: number }[]; mover: number /* turn index */ }
export interface Created { id: string; key: string /* owner's: may do everything */; invitations: { seat: number; link: string }[] }
export interface MatchCard { id: string; key?: string; game: string; n: number; title: string; ply: number; seats: string[]; mover: string | null; yourTurn: boolean; outcome: string | null; updated: number /* unix ms */; thumb: string }
export interface MatchView {
  id: string; game: string; n: number; title: string;
  seats: SeatView[];          // by player that isSeat, in player order
  nodes: NodeView[];          // the record as a tree; node 0 is the start
  current: number;            // the node where play goes on
  you: number[];              // seats that this connection may move for
  owner: boolean;
  invitations?: { seat: number; link: string }[]; // only for the owner
  paused?: boolean;           // engines wait
  state: StateView;           // of `current`
  chat: { name: string; text: string }[];
  thinking: ThinkingView | null;
  version: number;            // grows with every event
}
export interface SeatView { player: Player; name: string; setup: SeatSetup; isHere: boolean; resigned: boolean }
export interface NodeView { id: number; parent: number | null; ply: number; player: Player | null;
  short: string; long: string;  // notation for the list, and as save files have it
  partial: boolean;             // the same player goes on
  kind: "start" | "move" | "edit" | "chance";
  comment: string; score: number | null /* hundredths for the first player, engine's, if known */ }
export interface StateView {
  node: number; ply: number;
  pieces: { site: Site; player: Player; kind: Kind }[];
  hands: { player: Player; kind: Kind; count: number }[];
  mover: Player | null; seat: number | null; isChance: boolean; turn?: number /* entry of the turn order */;
  moves: MoveView[];
  lastSites: Site[];            // from, to of the last move (all of a partial chain)
  path: Site[];                 // of the unfinished move
  inCheck: Site[];              // royal pieces of the mover that are attacked
  outcome: OutcomeView | null;
  text: string;                 // the text form of the state
}
export interface MoveView { i: number; short: string; long: string;
  from: Site | null; to: Site | null;  // key movement; drops have from = null
  drop: Kind | null; promote: Kind | null; captures: Site[]; pass: boolean; partial: boolean;
  clicks: { from: Site; to: Site }[];  // further pairs by which the move may be meant (spec section 9)
  effects: EffectView[] }
export type EffectView = { type: "walk"; from: Site; to: Site } | { type: "copy"; from: Site; to: Site } | { type: "drop"; kind: Kind; to: Site; player: Player }
  | { type: "become"; site: Site; kind: Kind; player: Player } | { type: "capture"; site: Site };
export interface OutcomeView { winners: Player[]; losers: Player[]; text: string /* "White wins" */; why: string /* "three in a row" in words */; rule: string | null /* source line */; ruleLine: number | null; sites: Site[] /* that the reason speaks of, may be empty */ }

export type Command =
  | { type: "play"; node: number; move: string /* MoveView.long */; id: string /* client's, for resending: same id + node = same move once */ }
  | { type: "takeBack" } | { type: "goOnFrom"; node: number }        // play goes on there; branches are kept
  | { type: "look"; node: number }                                    // → Event state, for this connection only
  | { type: "moveNow" } | { type: "hint" } | { type: "stopThinking" } | { type: "pause"; paused: boolean } // engines wait
  | { type: "analyse"; on: boolean; node: number; lines: number }
  | { type: "comment"; node: number; text: string } | { type: "seat"; seat: number; setup: SeatSetup } | { type: "resign"; seat: number }
  | { type: "edit"; node: number; setup: StateSetup }
  | { type: "probe"; site: Site; node: number }                       // → Event probed
  | { type: "name"; seat: number; name: string } | { type: "chat"; text: string } | { type: "ping" };
export type Event =
  | { type: "match"; match: MatchView }                               // on connect, and whenever much changed
  | { type: "moved"; node: NodeView; state: StateView; effects: EffectView[]; version: number }  // also chance and engine moves
  | { type: "state"; state: StateView }                               // answer to look
  | { type: "thinking"; thinking: ThinkingView | null }               // at most 4 a second
  | { type: "analysis"; node: number; lines: LineView[]; depth: number; nodes: number; perSecond: number }
  | { type: "hint"; node: number; move: string; from: Site | null; to: Site | null; why: string }
  | { type: "probed"; site: Site; title: string; piece: { player: Player; kind: Kind } | null; moves: Site[] /* on an empty board */; attackers: Site[]; value: number | null }
  | { type: "comment"; node: number; text: string } | { type: "score"; node: number; score: number }
  | { type: "chat"; name: string; text: string } | { type: "refused"; message: string; why: string | null; id: string | null }
  | { type: "pong" };
export interface ThinkingView { seat: number | null; purpose: "move" | "hint" | "analysis"; depth: number; nodes: number; perSecond: number; score: string /* in words */; hundredths: number | null; fraction: number /* 0..1 of the time */; line: string }
export interface LineView { score: number; words: string; moves: string[] /* short */; first: { from: Site | null; to: Site | null } }

// ---------- the user's own
// POST /api/games  multipart/form-data: files with relative paths (one .zrf, a folder, or one .zip) → Uploaded
// DELETE /api/games/{id}, POST /api/games/{id}/restore
// GET /api/games/{game}/{n}/solution → the .zsg as Created-able: POST /api/matches/solution {game,n} → Created
// GET /api/games/{game}/source → text/plain of the rule file
export interface Uploaded { games: { id: string; title: string; broken: boolean }[]; diagnostics: DiagnosticView[]; skipped: { file: string; why: string }[] }
// GET/PUT /api/user
export interface UserView { favourites: string[]; recent: string[]; preferences: Record<string, string | number | boolean> }
// every refusal of the HTTP API has this body
export interface Problem { error: string; hint: string | null; diagnostics?: DiagnosticView[] }
