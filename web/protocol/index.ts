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
  /** How many variants there are in all. */
  nVariants: number,
};

/** A rule file. */
export type GameCard = {
  /** `chess`; for the user's own games `my-…` */
  id: string,
  /** The title of the game that the file opens with. */
  title: string,
  /** Whether it is the user's own. */
  mine: boolean,
  /** Whether it does not compile: opening it shows diagnostics. */
  broken: boolean,
  /** How many errors there are. */
  nErrors: number,
  /** Whether it is a Game Courier preset and no rule file. */
  isPreset?: boolean,
  /** `chess`, `draughts`, `race`, `connection`, `alignment`, `territory`, `hunt`, `puzzle`
  * or `other` */
  family: string,
  /** Its variants, in the order of the file, without separators. */
  variants: Array<VariantCard>,
};

/** One playable variant. */
export type VariantCard = {
  /** Its number in the file. */
  n: number,
  /** Its title. */
  title: string,
  /** Players whom people or engines play. */
  nPlayers: number,
  /** `8 × 8`, `91 hexes`, `5 levels`, `points and lines`, `four rings`, `race` */
  board: string,
  /** The style of its layout. */
  shape: string,
  /** Whether it is for one. */
  isPuzzle: boolean,
  /** Whether chance takes part. */
  hasDice: boolean,
  /** Whether pieces come onto the board during play. */
  hasDrops: boolean,
  /** Whether it is a menu of pictures. */
  isMenu: boolean,
  /** How long it takes. */
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
  /** What the game is about; plain text. */
  description: string | null,
  /** Where it comes from. */
  history: string | null,
  /** How to play it well. */
  strategy: string | null,
  /** Whether a saved game solves it. */
  hasSolution: boolean,
  /** Whether it is for one. */
  isPuzzle: boolean,
  /** Whether chance takes part. */
  hasDice: boolean,
  /** Whether it is a menu of pictures. */
  isMenu: boolean,
  /** Whether a win leads on to the next variant. */
  progressive: boolean,
  /** The players, neutral and random ones included. */
  players: Array<PlayerView>,
  /** Who moves, by entry of the turn order: what `StateSetup.mover` indexes. */
  turns?: Array<number>,
  /** The entry of the turn order that follows the last one. */
  turnsRepeat?: number,
  /** The sorts of pieces. */
  kinds: Array<KindView>,
  /** The board. */
  layout: LayoutView,
  /** What stands on it at the start. */
  setup: Array<PlacedView>,
  /** Pieces drawn by us; the first set is the default. */
  sets: Array<PieceSetView>,
  /** The author's pictures, if all or most files are there; the first is the default. */
  images: Array<ImageSet>,
  /** By site: where links lead, for the keyboard. */
  links: Array<Array<number>>,
  /** Named sets of sites. */
  zones: Array<ZoneView>,
  /** What the rules ask of the page. */
  options: OptionsView,
  /** By `move`, `capture`, `drop`, `click`, `change`, `release`, `win`, `loss`, `draw`,
  * `opening`: an address, `""` for silence, `null` for our own. */
  sounds: Record<string, string | null>,
  /** Address of a MIDI file. */
  music: string | null,
  /** Each end condition in words and as the rules have it. */
  goals: Array<GoalView>,
  /** What is to be said about the rules. */
  diagnostics: Array<DiagnosticView>,
  /** What only presets have; nothing for rule files. */
  preset?: PresetView | null,
};

/** What a game is that is a Game Courier preset. */
export type PresetView = {
  /** How much of the rules its code takes care of. */
  enforcement: EnforcementView,
  /** The same in words. */
  enforced: string,
  /** Whether its code tells the legal moves, so that an engine can play. */
  hasEngine: boolean,
  /** The problem that is to be solved, in words. */
  problem: string | null,
  /** Who made it. */
  author: string,
  /** Where its rules are told. */
  rulesUrl: string | null,
  /** The set of pieces that it asks for, by id. */
  set: string,
  /** The SHA-256 of its whole text. */
  hash: string,
  /** Whether the preset of this game has been changed since, so that the page is that of
  * an older one. */
  isOld: boolean,
};

/** How much of the rules a preset's code takes care of. */
export type EnforcementView = "enforced" | "partly" | "not";

/** A variant in the list of its file. */
export type VariantView = {
  /** Its number in the file. */
  n: number,
  /** Its title. */
  title: string,
  /** Whether it is a menu of pictures. */
  isMenu: boolean,
};

/** A side of the game. */
export type PlayerView = {
  /** Its name, translated. */
  name: string,
  /** The colour it is shown in. */
  color: "white" | "black" | "red" | "blue" | "green" | "yellow" | "orange" | "violet",
  /** Whether somebody sits there: a person or an engine. */
  isSeat: boolean,
  /** Whether chance moves for it. */
  isRandom: boolean,
};

/** A sort of piece. */
export type KindView = {
  /** Its name, translated. */
  name: string,
  /** What the move list shows. */
  notation: string,
  /** The line for the status bar. */
  help: string | null,
  /** How it moves, in prose. */
  description: string | null,
  /** What it is worth: a thousand for the cheapest. Known only once an engine has been made. */
  value: number | null,
  /** What a click opens: `chess/0` for a variant here, or the address of a web page. */
  opens: string | null,
  /** Whether players do not handle it: no part of an editor's palette. */
  isDummy?: boolean,
  /** Whether it is a throw of dice, which only chance brings onto the board. */
  isThrown?: boolean,
};

/** A set of drawn pieces. */
export type PieceSetView = {
  /** `turned`, `characters`, `latin`, `letters` */
  id: string,
  /** What the settings call it. */
  title: string,
  /** A look for each player and kind. */
  looks: Array<LookView>,
};

/** How a piece is drawn. */
export type LookView = {
  /** Whose. */
  player: number,
  /** What. */
  kind: number,
  /** `chess-white-king`: the symbol `p-…` of the sprite; otherwise a token with letters. */
  art: string | null,
  /** Whether it is drawn upside down. */
  turn: boolean,
  /** One to three letters. */
  letters: string,
  /** The outline of the token. */
  token: TokenView,
  /** The colour of the token. */
  tone: string,
  /** Notches at its edge. */
  notches: number,
};

/** The outline of a token. */
export type TokenView = "circle" | "square" | "hexagon" | "shield";

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
};

/** The picture of a piece. */
export type ImagePiece = {
  /** Whose. */
  player: number,
  /** What. */
  kind: number,
  /** Address of a PNG. */
  url: string,
  /** Width in pixels. */
  width: number,
  /** Height in pixels. */
  height: number,
};

/** Where everything is drawn. */
export type LayoutView = {
  /** What sort of board it is. */
  style: StyleView,
  /** Width of the playing surface; a usual cell is 100 wide. */
  width: number,
  /** Height of the playing surface. */
  height: number,
  /** How wide a piece may be. */
  unit: number,
  /** Free room between surface and frame. */
  pad: number,
  /** Outline of the tray as an SVG path; `null`: a rectangle around the surface. */
  frame: string | null,
  /** No frame at all. */
  open: boolean,
  /** The surface is filled with the plain tone. */
  plain: boolean,
  /** By site. */
  cells: Array<CellView>,
  /** Drawn below the cells. */
  under: Array<StrokeView>,
  /** Drawn above the cells. */
  over: Array<StrokeView>,
  /** Names of rows and columns. */
  coords: Array<CoordView>,
  /** Levels of a board in space. */
  levels: Array<LevelView>,
};

/** What sort of board it is. */
export type StyleView = "checkered" | "grid" | "points" | "hex" | "levels" | "rings" | "tiles";

/** Where a site is drawn, and how. */
export type CellView = {
  /** The site's name, translated. */
  name: string,
  /** Its middle. */
  x: number,
  /** Its middle. */
  y: number,
  /** Its outline as an SVG path; `null`: a point. */
  d: string | null,
  /** Which tone it is filled with; 0 for none. */
  tone: 0 | 1 | 2 | 3,
  /** No dot is drawn for a point. */
  bare: boolean,
  /** It is no place that players see. */
  hidden: boolean,
  /** The level it lies on. */
  level: number,
  /** The author's own colour for it, `#b58863`; else it is the theme's. */
  fill?: string | null,
};

/** A line or a shape; colours are names of the theme. */
export type StrokeView = {
  /** An SVG path. */
  d: string,
  /** `frame`, `inlay`, `line`, `plain`, `1`, `2`, `3` */
  fill: string | null,
  /** The same for the line. */
  stroke: string | null,
  /** Width of the line. */
  width: number,
};

/** The name of a row or column. */
export type CoordView = {
  /** What it says. */
  text: string,
  /** Where. */
  x: number,
  /** Where. */
  y: number,
  /** On which side. */
  side: SideView,
  /** In large letters. */
  big: boolean,
};

/** Where a name of a row or column stands. */
export type SideView = "bottom" | "left" | "top" | "right" | "free";

/** One level of a board in space. */
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

/** A named set of sites as a player has it. */
export type ZoneView = {
  /** Its name. */
  name: string,
  /** Whose. */
  player: number,
  /** Its sites. */
  sites: Array<number>,
};

/** What the rules ask of the page; `null` leaves the choice to the user. */
export type OptionsView = { smartMoves: boolean | null,
  showMovesList: boolean | null,
  animateCaptures: boolean | null,
  animateDrops: boolean | null,
  highlightGoals: boolean | null,
  flipping: Flip,
  silentRandomMoves: boolean,
};

/** How the board may be turned. */
export type Flip = "allowed" | "prevented" | "sitesOnly" | "sitesOnlyTight";

/** An end condition. */
export type GoalView = {
  /** In words. */
  text: string,
  /** As the rules have it. */
  line: string,
  /** Where, from 1. */
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
  /** Its kind: `Z0107`. */
  code: string,
  /** How bad it is. */
  severity: SeverityView,
  /** What is wrong. */
  message: string,
  /** In which file. */
  file: string,
  /** The line, from 1. */
  line: number,
  /** The column, from 1. */
  column: number,
  /** The line itself. */
  source: string,
  /** Which part of it is meant: first and last column, counted in characters from 0. */
  caret: [number, number],
  /** What to do. */
  hints: Array<string>,
  /** The whole message as the terminal shows it, without colours. */
  text: string,
};

/** How bad it is. */
export type SeverityView = "error" | "warning" | "note";

/** `POST /api/matches` */
export type NewMatch = {
  /** The game's id. */
  game: string,
  /** The variant's number. */
  n: number,
  /** Who sits where, by seat; seats that are not named are for persons. */
  seats: Array<SeatSetup>,
  /** What to start from, if not from the usual setup. */
  setup?: StateSetup | null,
};

/** Who moves for a player. */
export type SeatSetup = { "type": "person",
  /** What they call themselves; may be empty. */
  name: string,
} | { "type": "guest" } | { "type": "engine",
  /** From 1, a beginner, to 10. */
  level: number,
  /** Time for a move. */
  seconds: number,
  /** Moves to look ahead at most. */
  depth: number | null,
  /** From 0, always the best move, to 10. */
  variety: number,
} | { "type": "random" };

/** A state as an editor makes it. */
export type StateSetup = {
  /** All pieces on the board. */
  pieces: Array<PlacedView>,
  /** All pieces off it. */
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
  /** The owner's key: may do everything. */
  key: string,
  /** Links for guests. */
  invitations: Array<Invitation>,
};

/** A link that gives a guest a seat. */
export type Invitation = {
  /** Which seat. */
  seat: number,
  /** The path of the page with the key. */
  link: string,
};

/** A match in a list. */
export type MatchCard = {
  /** Its id. */
  id: string,
  /** The owner's key: the list is for whoever sits at the machine. */
  key: string,
  /** The game's id. */
  game: string,
  /** The variant's number. */
  n: number,
  /** The variant's title. */
  title: string,
  /** How many moves were made. */
  ply: number,
  /** The number of the last move in the list, where a move of each player has one number. */
  round: number,
  /** Names of those who play. */
  seats: Array<string>,
  /** Whose turn it is. */
  mover: string | null,
  /** Whether it is the turn of somebody here. */
  yourTurn: boolean,
  /** How it ended. */
  outcome: string | null,
  /** When something last happened, in milliseconds since 1970. */
  updated: number,
  /** Address of an SVG of the board as it stands. */
  thumb: string,
};

/** A match, whole. */
export type MatchView = {
  /** Its id. */
  id: string,
  /** The game's id. */
  game: string,
  /** The variant's number. */
  n: number,
  /** The variant's title. */
  title: string,
  /** The seats: players that somebody plays, in the order of the players. */
  seats: Array<SeatView>,
  /** The record as a tree; node 0 is the start. */
  nodes: Array<NodeView>,
  /** The node where play goes on. */
  current: number,
  /** Seats that this connection may move for. */
  you: Array<number>,
  /** Whether this connection may do everything. */
  owner: boolean,
  /** Links for guests; only for the owner. */
  invitations: Array<Invitation>,
  /** The state of `current`. */
  state: StateView,
  /** What was said. */
  chat: Array<ChatLine>,
  /** What the engine is at. */
  thinking: ThinkingView | null,
  /** Whether engines wait. */
  paused: boolean,
  /** Whether it shows a solution, and nobody has played in it. */
  isSolution: boolean,
  /** Grows with every event. */
  version: number,
};

/** A seat. */
export type SeatView = {
  /** Which player of the rules. */
  player: number,
  /** Who sits there, for people. */
  name: string,
  /** Who moves. */
  setup: SeatSetup,
  /** Whether somebody is connected who may move for it; always for engines. */
  isHere: boolean,
  /** Whether they gave up. */
  resigned: boolean,
};

/** A node of the record. */
export type NodeView = {
  /** Its number. */
  id: number,
  /** The node before it. */
  parent: number | null,
  /** How many moves lie before it, itself included. */
  ply: number,
  /** Who moved. */
  player: number | null,
  /** Whose pieces moved: for a throw of dice, who they were thrown for. */
  owner: number | null,
  /** The move for a list, in few signs: `Ng1–f3`. */
  short: string,
  /** The move as save files have it. */
  long: string,
  /** Whether the same player goes on. */
  partial: boolean,
  /** What it is. */
  kind: NodeKind,
  /** What was said about it. */
  comment: string,
  /** Hundredths for the first player, the engine's, if known. */
  score: number | null,
  /** The row of the move list that shows it, counted from 1; 0 before the first move. */
  round: number,
  /** The id of the `Play` command that made it, chosen by its sender; empty if there was none. */
  request: string,
};

/** What a node of the record is. */
export type NodeKind = "start" | "move" | "edit" | "chance";

/** A state, ready to be shown and played in. */
export type StateView = {
  /** The node it belongs to. */
  node: number,
  /** How many moves lie before it. */
  ply: number,
  /** The pieces on the board. */
  pieces: Array<PlacedView>,
  /** Those off it. */
  hands: Array<HandCount>,
  /** Who is to move; nobody when the game is over. */
  mover: number | null,
  /** The seat of who is to move. */
  seat: number | null,
  /** Whether chance is to move. */
  isChance: boolean,
  /** The entry of the turn order, as `StateSetup.mover` has it. */
  turn?: number,
  /** The legal moves. */
  moves: Array<MoveView>,
  /** From and to of the last move, of all parts of it. */
  lastSites: Array<number>,
  /** The way of the unfinished move. */
  path: Array<number>,
  /** Royal pieces of the mover that are attacked. */
  inCheck: Array<number>,
  /** How the game ended. */
  outcome: OutcomeView | null,
  /** The text form of the state. */
  text: string,
  /** Whether the rules tell no moves: anything may be tried, and is refused or not. */
  free?: boolean,
  /** What the rules say to the players. */
  messages?: Array<string>,
};

/** A legal move. */
export type MoveView = {
  /** Its number in the list. */
  i: number,
  /** For a list. */
  short: string,
  /** As save files have it; what a command names. */
  long: string,
  /** Where the key movement begins; nothing for drops. */
  from: number | null,
  /** Where it ends. */
  to: number | null,
  /** What is dropped. */
  drop: number | null,
  /** What the piece becomes. */
  promote: number | null,
  /** What is taken. */
  captures: Array<number>,
  /** Whether it is the pass. */
  pass: boolean,
  /** Whether the mover may have to go on. */
  partial: boolean,
  /** Further pairs by which the move may be meant. */
  clicks: Array<Clicks>,
  /** What it does, in order. */
  effects: Array<EffectView>,
};

/** Two sites, clicked one after the other. */
export type Clicks = {
  /** First. */
  from: number,
  /** Then. */
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

/** How a game ended. */
export type OutcomeView = {
  /** Who won. */
  winners: Array<number>,
  /** Who lost. */
  losers: Array<number>,
  /** `White wins` */
  text: string,
  /** Why, in words. */
  why: string,
  /** The line of the rules. */
  rule: string | null,
  /** Where it stands, from 1. */
  ruleLine: number | null,
  /** The sites that the reason speaks of. */
  sites: Array<number>,
};

/** What the page asks for. */
export type Command = { "type": "play",
  /** The node of the record that it applies to. */
  node: number,
  /** `MoveView.long` */
  move: string,
  /** The client's own. */
  id: string,
} | { "type": "takeBack" } | { "type": "goOnFrom",
  /** The number of the node. */
  node: number,
} | { "type": "look",
  /** The number of the node. */
  node: number,
} | { "type": "moveNow" } | { "type": "hint" } | { "type": "stopThinking" } | { "type": "pause",
  /** Whether they wait. */
  paused: boolean,
} | { "type": "analyse",
  /** Whether to begin or to stop. */
  on: boolean,
  /** Which node. */
  node: number,
  /** How many lines. */
  lines: number,
} | { "type": "comment",
  /** The number of the node. */
  node: number,
  /** What; replaces what was said before. */
  text: string,
} | { "type": "seat",
  /** The number of the seat. */
  seat: number,
  /** To whom. */
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
  /** The client's own; the answer has it again. */
  id: number,
} | { "type": "probe",
  /** The site. */
  site: number,
  /** In the state of which node. */
  node: number,
} | { "type": "whyNot",
  /** In the state of which node. */
  node: number,
  /** Where the piece stands; `null` if it comes from a hand. */
  from: number | null,
  /** Where it was to go; `null` asks why the piece cannot move at all. */
  to: number | null,
} | { "type": "name",
  /** At which seat. */
  seat: number,
  /** The name. */
  name: string,
} | { "type": "chat",
  /** The text. */
  text: string,
} | { "type": "ping" };

/** What the server tells. */
export type Event = { "type": "match",
  /** All of it. */
  match: MatchView,
} | { "type": "moved",
  /** The new node. */
  node: NodeView,
  /** The state it led to. */
  state: StateView,
  /** What it did. */
  effects: Array<EffectView>,
  /** Grows with every event. */
  version: number,
} | { "type": "state",
  /** The state. */
  state: StateView,
} | { "type": "thinking",
  /** `null`: at nothing. */
  thinking: ThinkingView | null,
} | { "type": "analysis",
  /** At which node. */
  node: number,
  /** The best lines. */
  lines: Array<LineView>,
  /** How far it looked ahead. */
  depth: number,
  /** States it looked at. */
  nodes: number,
  /** In a second. */
  perSecond: number,
} | { "type": "hint",
  /** At which node. */
  node: number,
  /** The move, as save files have it. */
  move: string,
  /** Where it begins. */
  from: number | null,
  /** Where it ends. */
  to: number | null,
  /** What the engine thinks of it. */
  why: string,
} | { "type": "tried",
  /** Of which question. */
  id: number,
  /** How many moves whoever is to move would have. */
  nMoves: number,
  /** How the game would be over at once. */
  outcome: OutcomeView | null,
  /** What is odd about the board, a sentence each. */
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
  /** Where it could go on an otherwise empty board. */
  moves: Array<number>,
  /** What could take what stands there. */
  attackers: Array<number>,
  /** What the piece is worth. */
  value: number | null,
} | { "type": "whyNot",
  /** In the state of which node. */
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
  /** Hundredths for the first player. */
  score: number,
} | { "type": "chat",
  /** The name of the sender. */
  name: string,
  /** The text. */
  text: string,
} | { "type": "refused",
  /** In one sentence. */
  message: string,
  /** The rule or the reason behind it. */
  why: string | null,
  /** The id of the move it is about. */
  id: string | null,
} | { "type": "asked",
  /** At which node. */
  node: number,
  /** What is asked; empty for a promotion. */
  text: string,
  /** The choices. */
  choices: Array<ChoiceView>,
} | { "type": "pong" };

/** One way to complete a turn. */
export type ChoiceView = {
  /** What to show. */
  label: string,
  /** The whole turn, to be played. */
  move: string,
};

/** A piece. */
export type PieceView = {
  /** The owner of the piece. */
  player: number,
  /** The kind of the piece. */
  kind: number,
};

/** Something that was said. */
export type ChatLine = {
  /** The name of the sender. */
  name: string,
  /** The text. */
  text: string,
};

/** What the engine is at. */
export type ThinkingView = {
  /** For which seat. */
  seat: number | null,
  /** What for. */
  purpose: Purpose,
  /** How far it looks ahead. */
  depth: number,
  /** States it looked at. */
  nodes: number,
  /** In a second. */
  perSecond: number,
  /** The score in words. */
  score: string,
  /** Hundredths for the first player. */
  hundredths: number | null,
  /** How much of its time is used, from 0 to 1. */
  fraction: number,
  /** What it expects, short. */
  line: string,
};

/** What the engine thinks for. */
export type Purpose = "move" | "hint" | "analysis";

/** A line of an analysis. */
export type LineView = {
  /** Hundredths for the first player; a proven win is 100000 less the moves it takes. */
  score: number,
  /** In words. */
  words: string,
  /** The moves, short. */
  moves: Array<string>,
  /** The first move, for an arrow. */
  first: LineEnds,
};

/** Where the first move of a line begins and ends. */
export type LineEnds = {
  /** Where from. */
  from: number | null,
  /** Where to. */
  to: number | null,
};

/** The answer to an upload. */
export type Uploaded = {
  /** The games that were made of it. */
  games: Array<UploadedGame>,
  /** What is to be said about their rules. */
  diagnostics: Array<DiagnosticView>,
  /** Files that were left out. */
  skipped: Array<Skipped>,
};

/** A game made of an upload. */
export type UploadedGame = {
  /** `my-…` */
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
  /** The same, the latest first. */
  recent: Array<string>,
  /** Settings by name. */
  preferences: Record<string, string | number | boolean>,
};

/** A setting of the user's. */
export type Preference = boolean | number | string;

/** The body of every refusal. */
export type ProblemView = {
  /** What is wrong, in one sentence. */
  error: string,
  /** What to do about it. */
  hint: string | null,
  /** What is to be said about the rules, if it is about rules. */
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
  /** What it is called. */
  title: string,
  /** What it takes. */
  kind: FieldKind,
  /** The words of a choice. */
  choices: Array<string>,
  /** What it is when left out. */
  default: string,
  /** Whether it changes only how the game looks. */
  isLook: boolean,
  /** `game`, `board`, `looks` or `code` */
  group: string,
  /** What it is. */
  value: string,
};

/** What a field takes. */
export type FieldKind = "text" | "number" | "truth" | "choice" | "lines" | "code";

/** `POST /api/presets/draft` and, without turns, `POST /api/presets` */
export type Draft = {
  /** The preset that it was made from, for its files. */
  base: string,
  /** Every field by key. */
  values: Record<string, string>,
  /** Or the whole preset as one text, which is taken instead. */
  text: string | null,
  /** Turns to try, one after the other. */
  turns: Array<string>,
  /** Whether the listing of the whole program is wanted. */
  listing: boolean,
  /** Whether only looks are taken over: the rest stays as in the base. */
  looksOnly: boolean,
};

/** What a draft is like. */
export type DraftView = {
  /** The game, if it can be played. */
  game: GameView | null,
  /** The board after the turns that were accepted. */
  state: StateView | null,
  /** The turns that were accepted, as played. */
  turns: Array<string>,
  /** Why the next turn was not. */
  refused: string | null,
  /** The choices that it needs. */
  choices: Array<ChoiceView>,
  /** What is to be said about settings and code; `file` is the title of a code field, or
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
  /** How long it took, in milliseconds. */
  ms: number,
};

/** `POST /api/presets/import` */
export type ImportText = {
  /** An address with its query, a form, or a settings file. */
  text: string,
};

/** What an import gave. */
export type ImportView = {
  /** The fields by key. */
  values: Record<string, string>,
  /** How many were understood. */
  nFields: number,
  /** What was not understood. */
  report: Array<string>,
};

/** A preset that was saved. */
export type SavedPreset = {
  /** The game's id. */
  game: string,
};
