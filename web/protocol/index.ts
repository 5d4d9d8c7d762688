// The wire between the Boardwright server and its page.
// Written by a test of crates/protocol from its types: change those, then run
//   BLESS_PROTOCOL=1 cargo test -p boardwright-protocol
// All ids are small numbers that index lists of GameView: sites, players, kinds.

export type Site = number;
export type Player = number;
export type Kind = number;

/** `GET /api/library` */
export type LibraryView = {
  /** The games, the user's own first, then by title. */
  games: Array<GameCard>,
  /** The number of variants of all games. */
  nVariants: number,
};

/** A rule file. */
export type GameCard = {
  /** The id: `chess`, or `my-…` for the user's own games. */
  id: string,
  /** The title of the game that the file opens with. */
  title: string,
  /** Whether it is the user's own. */
  mine: boolean,
  /** Whether it does not compile: opening it shows diagnostics. */
  broken: boolean,
  /** The number of errors in the file. */
  nErrors: number,
  /** Whether it is a Game Courier preset and no rule file. */
  isPreset?: boolean,
  /** `chess`, `draughts`, `race`, `connection`, `alignment`, `territory`, `hunt`, `puzzle`
  * or `other` */
  family: string,
  /** Other names by which players know the game. */
  also: Array<string>,
  /** Its variants, in the order of the file, without separators. */
  variants: Array<VariantCard>,
  /** Why it is not read, if it is not: the rest of a sentence about the game. */
  setAside?: string,
};

/** One playable variant. */
export type VariantCard = {
  /** Its number in the file. */
  n: number,
  /** Its title. */
  title: string,
  /** The number of players that people or engines play. */
  nPlayers: number,
  /** The board in words: `8 × 8`, `91 hexes`, `5 levels`, `points and lines`, `four rings`,
  * `race`. */
  board: string,
  /** The style of its layout. */
  shape: string,
  /** Whether it is a puzzle for one player. */
  isPuzzle: boolean,
  /** Whether dice or other random moves take part. */
  hasDice: boolean,
  /** Whether pieces come onto the board during play. */
  hasDrops: boolean,
  /** Whether it is a selection screen: a board whose pieces open other games. */
  isMenu: boolean,
  /** How long a game usually takes. */
  length: Length,
  /** Names of its pieces, for searching. */
  pieceNames: Array<string>,
  /** Address of an SVG; takes `?theme=walnut|slate|baize|ink&dark=1`. */
  thumb: string,
};

/** How long a game takes. */
export type Length = "short" | "medium" | "long";

/** `GET /api/games/{game}/{n}` */
export type GameView = {
  /** The game's id. */
  game: string,
  /** The variant's number in the file. */
  n: number,
  /** The variant's title. */
  title: string,
  /** The title of the file's first game. */
  gameTitle: string,
  /** All variants of the file. */
  variants: Array<VariantView>,
  /** The author's description; plain text. */
  description: string | null,
  /** The author's notes on its history. */
  history: string | null,
  /** The author's advice on strategy. */
  strategy: string | null,
  /** Whether a saved game with its solution is there. */
  hasSolution: boolean,
  /** Whether it is a puzzle for one player. */
  isPuzzle: boolean,
  /** Whether dice or other random moves take part. */
  hasDice: boolean,
  /** Whether it is a selection screen: a board whose pieces open other games. */
  isMenu: boolean,
  /** Whether a win opens the next variant. */
  progressive: boolean,
  /** The players, neutral and random ones included. */
  players: Array<PlayerView>,
  /** The player to move, by entry of the turn order; `StateSetup.mover` is an index into it. */
  turns?: Array<number>,
  /** The entry of the turn order that follows the last one. */
  turnsRepeat?: number,
  /** The kinds of pieces. */
  kinds: Array<KindView>,
  /** The board. */
  layout: LayoutView,
  /** The pieces on the board at the start. */
  setup: Array<PlacedView>,
  /** Pieces drawn by us; the first set is the default. */
  sets: Array<PieceSetView>,
  /** The author's picture sets of which all or most files are present; the first is the default. */
  images: Array<ImageSet>,
  /** For each site, the neighbours that links lead to, for keyboard movement. */
  links: Array<Array<number>>,
  /** Named sets of sites. */
  zones: Array<ZoneView>,
  /** Options that the rule file sets. */
  options: OptionsView,
  /** By `move`, `capture`, `drop`, `click`, `change`, `release`, `win`, `loss`, `draw`,
  * `opening`: an address, `""` for silence, `null` for our own. */
  sounds: Record<string, string | null>,
  /** Address of a MIDI file. */
  music: string | null,
  /** Each end condition in words and as the rules have it. */
  goals: Array<GoalView>,
  /** Messages about the rules. */
  diagnostics: Array<DiagnosticView>,
  /** Whether pieces off the board are shown in trays beside it. */
  hasTrays: boolean,
  /** The kinds whose pieces on the board are a player's score; `null` if nothing is counted. */
  score: Array<number> | null,
  /** Whether a click anywhere in a column means the one site of it that can be played. */
  hasColumns: boolean,
  /** Sites on which a drop is the pass of the game. */
  passSites: Array<number>,
  /** Sites that are one place to the eye. */
  piles: Array<PileView>,
  /** The facts that only presets have; `null` for rule files. */
  preset?: PresetView | null,
};

/** The facts of a Game Courier preset. */
export type PresetView = {
  /** How much of the rules its code enforces. */
  enforcement: EnforcementView,
  /** The same in words. */
  enforced: string,
  /** Whether its code lists the legal moves, so that an engine can play it. */
  hasEngine: boolean,
  /** The problem to be solved, in words; `null` if it is not a problem. */
  problem: string | null,
  /** The author. */
  author: string,
  /** Address of a page with its rules. */
  rulesUrl: string | null,
  /** The id of the piece set that it names. */
  set: string,
  /** The SHA-256 of its whole text. */
  hash: string,
  /** Whether the preset has been changed since, so that this view is of
  * an older version. */
  isOld: boolean,
};

/** How much of the rules a preset's code enforces. */
export type EnforcementView = "enforced" | "partly" | "not";

/** A variant in the list of its file. */
export type VariantView = {
  /** Its number in the file. */
  n: number,
  /** Its title. */
  title: string,
  /** Whether it is a selection screen: a board whose pieces open other games. */
  isMenu: boolean,
};

/** A player of the rules. */
export type PlayerView = {
  /** Its name, translated. */
  name: string,
  /** The colour it is shown in. */
  color: "white" | "black" | "red" | "blue" | "green" | "yellow" | "orange" | "violet",
  /** Whether a person or an engine plays it. */
  isSeat: boolean,
  /** Whether chance moves for it. */
  isRandom: boolean,
};

/** A kind of piece. */
export type KindView = {
  /** Its name, translated. */
  name: string,
  /** Its abbreviation in move lists. */
  notation: string,
  /** The line for the status bar. */
  help: string | null,
  /** The author's description of how it moves. */
  description: string | null,
  /** Its value, where the cheapest kind is worth 1000; known once an engine has been created. */
  value: number | null,
  /** What a click opens: `chess/0` for a variant of the library, or the address of a web page. */
  opens: string | null,
  /** Whether players cannot handle it; it is not in the editor's palette. */
  isDummy?: boolean,
  /** Whether it is a throw of dice, which only random moves bring onto the board. */
  isThrown?: boolean,
};

/** A set of drawn pieces. */
export type PieceSetView = {
  /** The id of the set: `turned`, `characters`, `latin` or `letters`. */
  id: string,
  /** Its name in the settings. */
  title: string,
  /** The drawing of each player's pieces of each kind. */
  looks: Array<LookView>,
};

/** Sites that are one place to the eye, such as a house of seeds. */
export type PileView = {
  /** The site that a click anywhere on the pile means; `null` if it means none. */
  click: number | null,
  /** The sites whose pieces are counted. */
  sites: Array<number>,
};

/** How a piece is drawn. */
export type LookView = {
  /** The player. */
  player: number,
  /** The kind of piece. */
  kind: number,
  /** The drawing, a symbol of the sprite: `chess-white-king`; `null` for a token with letters. */
  art: string | null,
  /** Whether it is drawn upside down. */
  turn: boolean,
  /** One to three letters. */
  letters: string,
  /** The outline of the token. */
  token: TokenView,
  /** The colour of the token. */
  tone: string,
  /** The number of notches at its edge. */
  notches: number,
};

/** The outline of the token that letters are drawn on. */
export type TokenView = "circle" | "square" | "hexagon" | "shield";

/** The frame of a board and its labels, where the author chose them. */
export type TrimView = {
  /** The colour of the frame, `#rrggbb`. */
  border: string | null,
  /** The width of the frame; a usual cell is 100 wide. */
  borderSize: number | null,
  /** The colour of labels. */
  text: string | null,
  /** The colour of the sites of the last move. */
  last: string | null,
  /** The font of labels: a plain name. */
  font: string | null,
};

/** The author's pictures. */
export type ImageSet = {
  /** Width of the board in pixels. */
  width: number,
  /** Height of the board in pixels. */
  height: number,
  /** Address of the board's picture. */
  board: string | null,
  /** The pieces. */
  pieces: Array<ImagePiece>,
  /** By site: left, top, right, bottom in pixels of the board. */
  rects: Array<[number, number, number, number] | null>,
  /** Width and height of the board's picture if it is a tile that is repeated. */
  tile: [number, number] | null,
  /** Address of the board's picture as the second player sees it, if it is another one. */
  flipped: string | null,
};

/** The picture of a piece. */
export type ImagePiece = {
  /** The player. */
  player: number,
  /** The kind of piece. */
  kind: number,
  /** Address of a PNG. */
  url: string,
  /** Width in pixels. */
  width: number,
  /** Height in pixels. */
  height: number,
};

/** The geometry of the board. */
export type LayoutView = {
  /** The style of the board. */
  style: StyleView,
  /** Width of the playing surface; a usual cell is 100 wide. */
  width: number,
  /** Height of the playing surface. */
  height: number,
  /** The largest width of a piece. */
  unit: number,
  /** Space between the surface and the frame. */
  pad: number,
  /** Outline of the tray as an SVG path; `null`: a rectangle around the surface. */
  frame: string | null,
  /** Whether there is no frame. */
  open: boolean,
  /** Whether the surface is filled with the plain tone. */
  plain: boolean,
  /** How each site is drawn, by site. */
  cells: Array<CellView>,
  /** Drawn below the cells. */
  under: Array<StrokeView>,
  /** Drawn above the cells. */
  over: Array<StrokeView>,
  /** Names of rows and columns. */
  coords: Array<CoordView>,
  /** Levels of a three-dimensional board. */
  levels: Array<LevelView>,
  /** What the author chose for the frame and its labels. */
  trim: TrimView | null,
};

/** The style of the board. */
export type StyleView = "checkered" | "grid" | "points" | "hex" | "levels" | "rings" | "tiles";

/** How a site is drawn. */
export type CellView = {
  /** The site's name, translated. */
  name: string,
  /** Horizontal coordinate of its centre. */
  x: number,
  /** Vertical coordinate of its centre. */
  y: number,
  /** Its outline as an SVG path; `null`: a point. */
  d: string | null,
  /** The tone it is filled with; 0 for none. */
  tone: 0 | 1 | 2 | 3,
  /** Whether a point is drawn without a dot. */
  bare: boolean,
  /** Whether players do not see it. */
  hidden: boolean,
  /** The level it lies on. */
  level: number,
  /** The author's colour for it, `#b58863`; without one the theme's is used. */
  fill?: string | null,
};

/** A line or a shape; colours are names of the theme. */
export type StrokeView = {
  /** An SVG path. */
  d: string,
  /** The fill colour: `frame`, `inlay`, `line`, `plain`, `1`, `2` or `3`. */
  fill: string | null,
  /** The colour of the line, by the same names. */
  stroke: string | null,
  /** Width of the line. */
  width: number,
};

/** The name of a row or column. */
export type CoordView = {
  /** The text. */
  text: string,
  /** Horizontal coordinate of its centre. */
  x: number,
  /** Vertical coordinate of its centre. */
  y: number,
  /** The side of the board it is written at. */
  side: SideView,
  /** Whether it is written in large letters. */
  big: boolean,
};

/** The side of the board at which a row or column name is written. */
export type SideView = "bottom" | "left" | "top" | "right" | "free";

/** One level of a three-dimensional board. */
export type LevelView = {
  /** Its name. */
  label: string,
  /** Its left edge. */
  x: number,
  /** Its upper edge. */
  y: number,
  /** Its width. */
  width: number,
  /** Its height. */
  height: number,
  /** Its sites. */
  sites: Array<number>,
};

/** A named set of sites of one player. */
export type ZoneView = {
  /** Its name. */
  name: string,
  /** The player. */
  player: number,
  /** Its sites. */
  sites: Array<number>,
};

/** Options that the rule file sets; `null` leaves the choice to the user. */
export type OptionsView = { smartMoves: boolean | null,
  showMovesList: boolean | null,
  animateCaptures: boolean | null,
  animateDrops: boolean | null,
  highlightGoals: boolean | null,
  flipping: Flip,
  silentRandomMoves: boolean,
};

/** How the board may be flipped. */
export type Flip = "allowed" | "prevented" | "sitesOnly" | "sitesOnlyTight";

/** An end condition. */
export type GoalView = {
  /** The condition in words. */
  text: string,
  /** The condition as the rule file has it. */
  line: string,
  /** Its line number, from 1. */
  lineNumber: number,
  /** The sites it names, for each player it is tested for; empty if it names none. */
  sites: Array<PlayerSites>,
};

/** Sites that concern one player. */
export type PlayerSites = {
  /** The player they concern. */
  player: number,
  /** The sites, ascending. */
  sites: Array<number>,
};

/** A message about a rule file. */
export type DiagnosticView = {
  /** The code of the message: `Z0107`. */
  code: string,
  /** The severity of a message. */
  severity: SeverityView,
  /** The message. */
  message: string,
  /** The name of the file. */
  file: string,
  /** The line, from 1. */
  line: number,
  /** The column, from 1. */
  column: number,
  /** The text of the line. */
  source: string,
  /** The part of the line it is about: first and last column, in characters from 0. */
  caret: [number, number],
  /** Suggestions, one sentence each. */
  hints: Array<string>,
  /** The whole message as the terminal shows it, without colours. */
  text: string,
};

/** The severity of a message. */
export type SeverityView = "error" | "warning" | "note";

/** `POST /api/matches` */
export type NewMatch = {
  /** The game's id. */
  game: string,
  /** The variant's number. */
  n: number,
  /** Who plays each seat; seats that are not given are played by persons here. */
  seats: Array<SeatSetup>,
  /** The state to start from, if not the usual setup. */
  setup?: StateSetup | null,
};

/** Who moves for a player. */
export type SeatSetup = { "type": "person",
  /** The person's name; may be empty. */
  name: string,
} | { "type": "guest" } | { "type": "engine",
  /** Level from 1 (beginner) to 10 (full strength). */
  level: number,
  /** Thinking time per move, in seconds. */
  seconds: number,
  /** Maximum search depth, in plies. */
  depth: number | null,
  /** Variety from 0 (always the best move) to 10. */
  variety: number,
} | { "type": "random" };

/** A state as set up in the board editor. */
export type StateSetup = {
  /** All pieces on the board. */
  pieces: Array<PlacedView>,
  /** All pieces in hand. */
  hands: Array<HandCount>,
  /** Whose turn it is, as an entry of the turn order. */
  mover: number,
};

/** A piece on a site. */
export type PlacedView = {
  /** The site of the piece. */
  site: number,
  /** The owner of the piece. */
  player: number,
  /** The kind of the piece. */
  kind: number,
};

/** Pieces off the board. */
export type HandCount = {
  /** The owner of the piece. */
  player: number,
  /** The kind of the piece. */
  kind: number,
  /** The number of such pieces. */
  count: number,
};

/** `POST /api/matches/solution` */
export type Solution = {
  /** The game's id. */
  game: string,
  /** The variant's number. */
  n: number,
};

/** A match that was just made. */
export type Created = {
  /** Its id. */
  id: string,
  /** The owner's key, which gives all rights in this match. */
  key: string,
  /** Links for guests. */
  invitations: Array<Invitation>,
};

/** A link that gives a guest a seat. */
export type Invitation = {
  /** The number of the seat. */
  seat: number,
  /** The path of the page with the key. */
  link: string,
};

/** A match in a list. */
export type MatchCard = {
  /** Its id. */
  id: string,
  /** The owner's key; the list is only sent to the owner. */
  key: string,
  /** The game's id. */
  game: string,
  /** The variant's number. */
  n: number,
  /** The variant's title. */
  title: string,
  /** The number of moves made. */
  ply: number,
  /** The number of the last move in the list, where a move of each player has one number. */
  round: number,
  /** The names of the players, by seat. */
  seats: Array<string>,
  /** Whose turn it is. */
  mover: string | null,
  /** Whether it is the turn of a person at the owner's browser. */
  yourTurn: boolean,
  /** The result in words; `null` while the game goes on. */
  outcome: string | null,
  /** Time of the last change, in milliseconds since 1970. */
  updated: number,
  /** Address of an SVG of the board in its current state. */
  thumb: string,
};

/** A whole match, as one connection may see it. */
export type MatchView = {
  /** Its id. */
  id: string,
  /** The game's id. */
  game: string,
  /** The variant's number. */
  n: number,
  /** The variant's title. */
  title: string,
  /** The seats, one for each player that a person or engine plays, in player order. */
  seats: Array<SeatView>,
  /** The record as a tree; node 0 is the start. */
  nodes: Array<NodeView>,
  /** The node where play continues. */
  current: number,
  /** Seats that this connection may move for. */
  you: Array<number>,
  /** Whether this connection has the owner's rights. */
  owner: boolean,
  /** Links for guests; only for the owner. */
  invitations: Array<Invitation>,
  /** The state of `current`. */
  state: StateView,
  /** The chat, oldest first. */
  chat: Array<ChatLine>,
  /** The progress of the engine's search; `null` when it is not thinking. */
  thinking: ThinkingView | null,
  /** Whether engines are paused. */
  paused: boolean,
  /** Whether it shows a game's stored solution and has not been played in. */
  isSolution: boolean,
  /** Number of events so far; increases by at least one with each change. */
  version: number,
};

/** A seat. */
export type SeatView = {
  /** The player of the rules that this seat plays. */
  player: number,
  /** The name to show for the seat. */
  name: string,
  /** Who plays the seat. */
  setup: SeatSetup,
  /** Whether someone who may move for it is connected; always true for engines. */
  isHere: boolean,
  /** Whether this seat has resigned. */
  resigned: boolean,
};

/** A node of the record. */
export type NodeView = {
  /** Its number. */
  id: number,
  /** The node before it. */
  parent: number | null,
  /** The number of moves up to and including this one. */
  ply: number,
  /** The player who moved. */
  player: number | null,
  /** The player whose pieces moved; for a throw of dice, the player it was thrown for. */
  owner: number | null,
  /** The move in brief notation: `Ng1–f3`. */
  short: string,
  /** The move, written as in save files. */
  long: string,
  /** Whether the same player continues the move. */
  partial: boolean,
  /** The kind of the node. */
  kind: NodeKind,
  /** The comment on it; empty if there is none. */
  comment: string,
  /** The engine's score for the first player, in hundredths of the cheapest piece, if known. */
  score: number | null,
  /** The row of the move list that shows it, counted from 1; 0 before the first move. */
  round: number,
  /** The id of the `Play` command that made it, chosen by its sender; empty if there was none. */
  request: string,
};

/** The kind of a node of the record. */
export type NodeKind = "start" | "move" | "edit" | "chance";

/** A state, ready to be shown and played in. */
export type StateView = {
  /** The node it belongs to. */
  node: number,
  /** The number of moves that led to it. */
  ply: number,
  /** The pieces on the board. */
  pieces: Array<PlacedView>,
  /** The pieces in hand. */
  hands: Array<HandCount>,
  /** The player to move; `null` when the game is over. */
  mover: number | null,
  /** The seat of the player to move. */
  seat: number | null,
  /** Whether chance is to move. */
  isChance: boolean,
  /** The entry of the turn order, as `StateSetup.mover` has it. */
  turn?: number,
  /** The legal moves. */
  moves: Array<MoveView>,
  /** The sites where the last move, with all its parts, began and ended. */
  lastSites: Array<number>,
  /** The sites that the unfinished move has visited. */
  path: Array<number>,
  /** Royal pieces of the mover that are attacked. */
  inCheck: Array<number>,
  /** How the game ended; `null` while it goes on. */
  outcome: OutcomeView | null,
  /** The text form of the state. */
  text: string,
  /** Whether the rules list no moves: any move may be tried and may be refused. */
  free?: boolean,
  /** Messages of the rules to the players. */
  messages?: Array<string>,
};

/** A legal move. */
export type MoveView = {
  /** Its number in the list. */
  i: number,
  /** The move in brief notation. */
  short: string,
  /** The move, written as in save files; `play` commands name it so. */
  long: string,
  /** The site where the key movement begins; `null` for drops. */
  from: number | null,
  /** The site where it ends. */
  to: number | null,
  /** The kind that is dropped. */
  drop: number | null,
  /** The kind that the piece becomes. */
  promote: number | null,
  /** The sites of captured pieces. */
  captures: Array<number>,
  /** Whether it is the pass. */
  pass: boolean,
  /** Whether the same player may continue the move. */
  partial: boolean,
  /** Other pairs of clicks that mean this move, such as king and rook for castling. */
  clicks: Array<Clicks>,
  /** The changes it makes on the board, in order. */
  effects: Array<EffectView>,
};

/** Two sites, clicked one after the other. */
export type Clicks = {
  /** The site clicked first. */
  from: number,
  /** The site clicked second. */
  to: number,
};

/** One change that a move makes. */
export type EffectView = { "type": "walk",
  from: number,
  to: number,
} | { "type": "copy",
  from: number,
  to: number,
} | { "type": "drop",
  kind: number,
  to: number,
  player: number,
} | { "type": "become",
  site: number,
  kind: number,
  player: number,
} | { "type": "capture",
  site: number,
};

/** The result of a game. */
export type OutcomeView = {
  /** The winners. */
  winners: Array<number>,
  /** The losers. */
  losers: Array<number>,
  /** The result as a sentence: `White wins`. */
  text: string,
  /** The reason in words. */
  why: string,
  /** The end condition as the rules have it. */
  rule: string | null,
  /** Its line number in the rule file, from 1. */
  ruleLine: number | null,
  /** The sites that the reason is about. */
  sites: Array<number>,
};

/** A command that the page sends. */
export type Command = { "type": "play",
  /** The node of the record that it applies to. */
  node: number,
  /** The move as `MoveView.long` has it, or as typed. */
  move: string,
  /** Request id, chosen by the client; the new node carries it. */
  id: string,
} | { "type": "takeBack" } | { "type": "goOnFrom",
  /** The number of the node. */
  node: number,
} | { "type": "look",
  /** The number of the node. */
  node: number,
} | { "type": "moveNow" } | { "type": "hint" } | { "type": "stopThinking" } | { "type": "pause",
  /** Whether engines are paused. */
  paused: boolean,
} | { "type": "analyse",
  /** Whether to start (true) or stop (false). */
  on: boolean,
  /** The number of the node. */
  node: number,
  /** The number of lines to report. */
  lines: number,
} | { "type": "comment",
  /** The number of the node. */
  node: number,
  /** The text; replaces an earlier comment. */
  text: string,
} | { "type": "seat",
  /** The number of the seat. */
  seat: number,
  /** Who plays it from now on. */
  setup: SeatSetup,
} | { "type": "resign",
  /** The seat that sends it. */
  seat: number,
} | { "type": "edit",
  /** The node of the record that it applies to. */
  node: number,
  /** The new placement and hands. */
  setup: StateSetup,
} | { "type": "tryEdit",
  /** The node of the record that it applies to. */
  node: number,
  /** The new placement and hands. */
  setup: StateSetup,
  /** Request id, chosen by the client; the answer carries it. */
  id: number,
} | { "type": "probe",
  /** The site. */
  site: number,
  /** The node whose state is meant. */
  node: number,
} | { "type": "whyNot",
  /** The node whose state is meant. */
  node: number,
  /** Where the piece stands; `null` if it comes from a hand. */
  from: number | null,
  /** Where it was to go; `null` asks why the piece cannot move at all. */
  to: number | null,
} | { "type": "name",
  /** The number of the seat. */
  seat: number,
  /** The name. */
  name: string,
} | { "type": "chat",
  /** The text. */
  text: string,
} | { "type": "ping" };

/** A message that the server sends. */
export type Event = { "type": "match",
  /** The match. */
  match: MatchView,
} | { "type": "moved",
  /** The new node. */
  node: NodeView,
  /** The state it led to. */
  state: StateView,
  /** The changes on the board, in order. */
  effects: Array<EffectView>,
  /** Number of events so far; increases by at least one with each change. */
  version: number,
} | { "type": "state",
  /** The state. */
  state: StateView,
} | { "type": "thinking",
  /** The progress; `null` when no engine is thinking. */
  thinking: ThinkingView | null,
} | { "type": "analysis",
  /** The number of the node. */
  node: number,
  /** The best lines. */
  lines: Array<LineView>,
  /** The depth reached, in plies. */
  depth: number,
  /** The number of nodes searched. */
  nodes: number,
  /** The number of nodes searched per second. */
  perSecond: number,
} | { "type": "hint",
  /** The number of the node. */
  node: number,
  /** The suggested move, written as in save files. */
  move: string,
  /** The site where it begins; `null` for drops and passes. */
  from: number | null,
  /** The site where it ends; `null` for passes. */
  to: number | null,
  /** The engine's score of it, in words. */
  why: string,
} | { "type": "tried",
  /** The id of the `tryEdit` command. */
  id: number,
  /** The number of legal moves in the edited state. */
  nMoves: number,
  /** How the game would have ended in the edited state; `null` if it goes on. */
  outcome: OutcomeView | null,
  /** Warnings about the edited board, one sentence each. */
  oddities: Array<string>,
  /** The state as text, to copy. */
  text: string,
} | { "type": "probed",
  /** The site. */
  site: number,
  /** The piece or the site in words. */
  title: string,
  /** The piece. */
  piece: PieceView | null,
  /** The sites it could reach on an otherwise empty board. */
  moves: Array<number>,
  /** The sites of pieces that could capture it. */
  attackers: Array<number>,
  /** The value of the piece; the cheapest kind is worth 1000. */
  value: number | null,
} | { "type": "whyNot",
  /** The node whose state is meant. */
  node: number,
  /** Where the piece stands. */
  from: number | null,
  /** Where it was to go. */
  to: number | null,
  /** The reason, in one sentence; `null` if the rules tell none. */
  text: string | null,
  /** Whether the piece never moves that way, so that a stray click needs no answer. */
  isEvident: boolean,
} | { "type": "comment",
  /** The number of the node. */
  node: number,
  /** The text. */
  text: string,
} | { "type": "score",
  /** The number of the node. */
  node: number,
  /** Score for the first player, in hundredths of the cheapest piece. */
  score: number,
} | { "type": "chat",
  /** The name of the sender. */
  name: string,
  /** The text. */
  text: string,
} | { "type": "refused",
  /** The refusal in one sentence. */
  message: string,
  /** The rule or reason behind it. */
  why: string | null,
  /** The request id of the refused `play` command. */
  id: string | null,
} | { "type": "asked",
  /** The number of the node. */
  node: number,
  /** The question; empty for a promotion. */
  text: string,
  /** The choices. */
  choices: Array<ChoiceView>,
} | { "type": "pong" };

/** One way to complete a turn. */
export type ChoiceView = {
  /** The label shown for this choice. */
  label: string,
  /** The complete turn, to be sent as the move. */
  move: string,
};

/** A piece. */
export type PieceView = {
  /** The owner of the piece. */
  player: number,
  /** The kind of the piece. */
  kind: number,
};

/** A chat message with its sender. */
export type ChatLine = {
  /** The name of the sender. */
  name: string,
  /** The text. */
  text: string,
};

/** The progress of a search. */
export type ThinkingView = {
  /** The seat that the engine plays; `null` for hints and analysis. */
  seat: number | null,
  /** The purpose of the search. */
  purpose: Purpose,
  /** The depth reached, in plies. */
  depth: number,
  /** The number of nodes searched. */
  nodes: number,
  /** The number of nodes searched per second. */
  perSecond: number,
  /** The score in words. */
  score: string,
  /** Score for the first player, in hundredths of the cheapest piece. */
  hundredths: number | null,
  /** The fraction of its time that is used, from 0 to 1. */
  fraction: number,
  /** The principal variation, in brief notation. */
  line: string,
};

/** The purpose of a search. */
export type Purpose = "move" | "hint" | "analysis";

/** A line of an analysis. */
export type LineView = {
  /** Score for the first player, in hundredths of the cheapest piece; a proven win is
  * 100000 minus the number of moves to it. */
  score: number,
  /** The score in words. */
  words: string,
  /** The moves, in brief notation. */
  moves: Array<string>,
  /** The sites of the first move, for an arrow. */
  first: LineEnds,
};

/** The sites where the first move of a line begins and ends. */
export type LineEnds = {
  /** The site where it begins; `null` for drops. */
  from: number | null,
  /** The site where it ends. */
  to: number | null,
};

/** The answer to an upload. */
export type Uploaded = {
  /** The games that were made of it. */
  games: Array<UploadedGame>,
  /** Messages about their rules. */
  diagnostics: Array<DiagnosticView>,
  /** Files that were left out. */
  skipped: Array<Skipped>,
};

/** A game made of an upload. */
export type UploadedGame = {
  /** The id: `my-…`. */
  id: string,
  /** Its title. */
  title: string,
  /** Whether it does not compile. */
  broken: boolean,
};

/** A file of an upload that was left out. */
export type Skipped = {
  /** Its name. */
  file: string,
  /** The reason, as a sentence. */
  why: string,
};

/** `GET` and `PUT /api/user` */
export type UserView = {
  /** Ids of games, perhaps with a variant: `chess`, `chess/3`. */
  favourites: Array<string>,
  /** Ids of games opened lately, the latest first. */
  recent: Array<string>,
  /** Settings by name. */
  preferences: Record<string, string | number | boolean>,
};

/** `GET /api/visitor` */
export type VisitorView = {
  /** Whether the request carried the key of the person who runs the server. */
  isOwner: boolean,
};

/** A setting of the user's. */
export type Preference = boolean | number | string;

/** The body of every refusal. */
export type ProblemView = {
  /** The problem in one sentence. */
  error: string,
  /** What the user can do about it. */
  hint: string | null,
  /** Messages about the rules, if the problem is in the rules. */
  diagnostics?: Array<DiagnosticView>,
};

/** `GET /api/presets/{game}` */
export type PresetFields = {
  /** The game's id. */
  game: string,
  /** Whether it is the user's own, so that saving changes it and makes no new one. */
  mine: boolean,
  /** Every field, in the order of the original's page. */
  fields: Array<FieldView>,
};

/** One field of a preset. */
export type FieldView = {
  /** Its key. */
  key: string,
  /** The title of the field. */
  title: string,
  /** The kind of value. */
  kind: FieldKind,
  /** The words of a choice. */
  choices: Array<string>,
  /** The value when the field is left out. */
  default: string,
  /** Whether it changes only how the game looks. */
  isLook: boolean,
  /** `game`, `board`, `looks` or `code` */
  group: string,
  /** The current value. */
  value: string,
};

/** The kind of value of a field. */
export type FieldKind = "text" | "number" | "truth" | "choice" | "lines" | "code";

/** `POST /api/presets/draft` and, without turns, `POST /api/presets` */
export type Draft = {
  /** The preset that it was made from, for its files. */
  base: string,
  /** Every field by key. */
  values: Record<string, string>,
  /** The whole preset as one text; if given, it replaces `values`. */
  text: string | null,
  /** Turns to try, one after the other. */
  turns: Array<string>,
  /** Whether the listing of the whole program is wanted. */
  listing: boolean,
  /** Whether only the fields of the appearance are taken; the rest stays as in the base. */
  looksOnly: boolean,
};

/** The result of trying a draft. */
export type DraftView = {
  /** The game, if it can be played. */
  game: GameView | null,
  /** The board after the turns that were accepted. */
  state: StateView | null,
  /** The turns that were accepted, as played. */
  turns: Array<string>,
  /** Why the next turn was refused. */
  refused: string | null,
  /** The choices that it needs. */
  choices: Array<ChoiceView>,
  /** Messages about settings and code; `file` is the title of a code field, or
  * that of an included file. */
  diagnostics: Array<DiagnosticView>,
  /** Values that fields do not take, by key. */
  wrong: Record<string, string>,
  /** The listing of the whole program, the failing line marked. */
  listing: string | null,
  /** The fields as they were understood, by key. */
  values: Record<string, string>,
  /** The preset as one text. */
  text: string,
  /** Time taken, in milliseconds. */
  ms: number,
};

/** `POST /api/presets/import` */
export type ImportText = {
  /** An address with its query, a form, or a settings file. */
  text: string,
};

/** The result of an import. */
export type ImportView = {
  /** The fields by key. */
  values: Record<string, string>,
  /** The number of fields that were understood. */
  nFields: number,
  /** The parts that were not understood. */
  report: Array<string>,
};

/** A picture that was added to a preset. */
export type PictureAdded = {
  /** Its file name. */
  name: string,
  /** Width in pixels; 0 for drawings without one. */
  width: number,
  /** Height in pixels. */
  height: number,
};

/** A preset that was saved. */
export type SavedPreset = {
  /** The game's id. */
  game: string,
};
