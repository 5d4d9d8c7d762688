//! What the page must know of one variant: names, board, pieces, texts.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{KindId, PlacedView, PlayerId, SiteId};

/// `GET /api/games/{game}/{n}`
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct GameView {
    /// The game's id.
    pub game: String,
    /// The variant's number in the file.
    pub n: u32,
    /// The variant's title.
    pub title: String,
    /// The title of the file's first game.
    pub game_title: String,
    /// All variants of the file.
    pub variants: Vec<VariantView>,
    /// The author's description; plain text.
    pub description: Option<String>,
    /// The author's notes on its history.
    pub history: Option<String>,
    /// The author's advice on strategy.
    pub strategy: Option<String>,
    /// Whether a saved game with its solution is there.
    pub has_solution: bool,
    /// Whether it is a puzzle for one player.
    pub is_puzzle: bool,
    /// Whether dice or other random moves take part.
    pub has_dice: bool,
    /// Whether it is a selection screen: a board whose pieces open other games.
    pub is_menu: bool,
    /// Whether a win opens the next variant.
    pub progressive: bool,
    /// The players, neutral and random ones included.
    pub players: Vec<PlayerView>,
    /// The player to move, by entry of the turn order; `StateSetup.mover` is an index into it.
    #[cfg_attr(test, ts(as = "Option<Vec<PlayerId>>", optional))]
    pub turns: Vec<PlayerId>,
    /// The entry of the turn order that follows the last one.
    #[cfg_attr(test, ts(as = "Option<u32>", optional))]
    pub turns_repeat: u32,
    /// The kinds of pieces.
    pub kinds: Vec<KindView>,
    /// The board.
    pub layout: LayoutView,
    /// The pieces on the board at the start.
    pub setup: Vec<PlacedView>,
    /// Pieces drawn by us; the first set is the default.
    pub sets: Vec<PieceSetView>,
    /// The author's picture sets of which all or most files are present; the first is the default.
    pub images: Vec<ImageSet>,
    /// For each site, the neighbours that links lead to, for keyboard movement.
    pub links: Vec<Vec<SiteId>>,
    /// Named sets of sites.
    pub zones: Vec<ZoneView>,
    /// Options that the rule file sets.
    pub options: OptionsView,
    /// By `move`, `capture`, `drop`, `click`, `change`, `release`, `win`, `loss`, `draw`,
    /// `opening`: an address, `""` for silence, `null` for our own.
    #[cfg_attr(test, ts(type = "Record<string, string | null>"))]
    pub sounds: BTreeMap<String, Option<String>>,
    /// Address of a MIDI file.
    pub music: Option<String>,
    /// Each end condition in words and as the rules have it.
    pub goals: Vec<GoalView>,
    /// Messages about the rules.
    pub diagnostics: Vec<DiagnosticView>,
    /// Whether pieces off the board are shown in trays beside it.
    pub has_trays: bool,
    /// The kinds whose pieces on the board are a player's score; `null` if nothing is counted.
    pub score: Option<Vec<KindId>>,
    /// Whether a click anywhere in a column means the one site of it that can be played.
    pub has_columns: bool,
    /// Sites on which a drop is the pass of the game.
    pub pass_sites: Vec<SiteId>,
    /// Sites that are one place to the eye.
    pub piles: Vec<PileView>,
    /// The facts that only presets have; `null` for rule files.
    #[serde(default)]
    #[cfg_attr(test, ts(optional = nullable))]
    pub preset: Option<PresetView>,
}

/// Sites that are one place to the eye, such as a house of seeds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct PileView {
    /// The site that a click anywhere on the pile means; `null` if it means none.
    pub click: Option<SiteId>,
    /// The sites whose pieces are counted.
    pub sites: Vec<SiteId>,
}

/// The facts of a Game Courier preset.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct PresetView {
    /// How much of the rules its code enforces.
    pub enforcement: EnforcementView,
    /// The same in words.
    pub enforced: String,
    /// Whether its code lists the legal moves, so that an engine can play it.
    pub has_engine: bool,
    /// The problem to be solved, in words; `null` if it is not a problem.
    pub problem: Option<String>,
    /// The author.
    pub author: String,
    /// Address of a page with its rules.
    pub rules_url: Option<String>,
    /// The id of the piece set that it names.
    pub set: String,
    /// The SHA-256 of its whole text.
    pub hash: String,
    /// Whether the preset has been changed since, so that this view is of
    /// an older version.
    pub is_old: bool,
}

/// How much of the rules a preset's code enforces.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum EnforcementView {
    /// All of the rules.
    Enforced,
    /// Some of the rules.
    Partly,
    /// None: players move as they agree.
    Not,
}

/// A variant in the list of its file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct VariantView {
    /// Its number in the file.
    pub n: u32,
    /// Its title.
    pub title: String,
    /// Whether it is a selection screen: a board whose pieces open other games.
    pub is_menu: bool,
}

/// A player of the rules.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct PlayerView {
    /// Its name, translated.
    pub name: String,
    /// The colour it is shown in.
    #[cfg_attr(
        test,
        ts(
            type = "\"white\" | \"black\" | \"red\" | \"blue\" | \"green\" | \"yellow\" | \"orange\" | \"violet\""
        )
    )]
    pub color: String,
    /// Whether a person or an engine plays it.
    pub is_seat: bool,
    /// Whether chance moves for it.
    pub is_random: bool,
}

/// A kind of piece.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct KindView {
    /// Its name, translated.
    pub name: String,
    /// Its abbreviation in move lists.
    pub notation: String,
    /// The line for the status bar.
    pub help: Option<String>,
    /// The author's description of how it moves.
    pub description: Option<String>,
    /// Its value, where the cheapest kind is worth 1000; known once an engine has been created.
    pub value: Option<i32>,
    /// What a click opens: `chess/0` for a variant of the library, or the address of a web page.
    pub opens: Option<String>,
    /// Whether players cannot handle it; it is not in the editor's palette.
    #[cfg_attr(test, ts(as = "Option<bool>", optional))]
    pub is_dummy: bool,
    /// Whether it is a throw of dice, which only random moves bring onto the board.
    #[cfg_attr(test, ts(as = "Option<bool>", optional))]
    pub is_thrown: bool,
}

/// A set of drawn pieces.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct PieceSetView {
    /// The id of the set: `turned`, `characters`, `latin` or `letters`.
    pub id: String,
    /// Its name in the settings.
    pub title: String,
    /// The drawing of each player's pieces of each kind.
    pub looks: Vec<LookView>,
}

/// The outline of the token that letters are drawn on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub enum TokenView {
    Circle,
    Square,
    Hexagon,
    Shield,
}

/// How a piece is drawn.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct LookView {
    /// The player.
    pub player: PlayerId,
    /// The kind of piece.
    pub kind: KindId,
    /// The drawing, a symbol of the sprite: `chess-white-king`; `null` for a token with letters.
    pub art: Option<String>,
    /// Whether it is drawn upside down.
    pub turn: bool,
    /// One to three letters.
    pub letters: String,
    /// The outline of the token.
    pub token: TokenView,
    /// The colour of the token.
    pub tone: String,
    /// The number of notches at its edge.
    pub notches: u8,
}

/// The author's pictures.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ImageSet {
    /// Width of the board in pixels.
    pub width: u32,
    /// Height of the board in pixels.
    pub height: u32,
    /// Address of the board's picture.
    pub board: Option<String>,
    /// The pieces.
    pub pieces: Vec<ImagePiece>,
    /// By site: left, top, right, bottom in pixels of the board.
    pub rects: Vec<Option<[i32; 4]>>,
    /// Width and height of the board's picture if it is a tile that is repeated.
    pub tile: Option<[u32; 2]>,
    /// Address of the board's picture as the second player sees it, if it is another one.
    pub flipped: Option<String>,
}

/// The picture of a piece.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ImagePiece {
    /// The player.
    pub player: PlayerId,
    /// The kind of piece.
    pub kind: KindId,
    /// Address of a PNG.
    pub url: String,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
}

/// The style of the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub enum StyleView {
    Checkered,
    Grid,
    Points,
    Hex,
    Levels,
    Rings,
    Tiles,
}

/// The geometry of the board.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct LayoutView {
    /// The style of the board.
    pub style: StyleView,
    /// Width of the playing surface; a usual cell is 100 wide.
    pub width: f32,
    /// Height of the playing surface.
    pub height: f32,
    /// The largest width of a piece.
    pub unit: f32,
    /// Space between the surface and the frame.
    pub pad: f32,
    /// Outline of the tray as an SVG path; `null`: a rectangle around the surface.
    pub frame: Option<String>,
    /// Whether there is no frame.
    pub open: bool,
    /// Whether the surface is filled with the plain tone.
    pub plain: bool,
    /// How each site is drawn, by site.
    pub cells: Vec<CellView>,
    /// Drawn below the cells.
    pub under: Vec<StrokeView>,
    /// Drawn above the cells.
    pub over: Vec<StrokeView>,
    /// Names of rows and columns.
    pub coords: Vec<CoordView>,
    /// Levels of a three-dimensional board.
    pub levels: Vec<LevelView>,
    /// What the author chose for the frame and its labels.
    pub trim: Option<TrimView>,
}

/// The frame of a board and its labels, where the author chose them.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct TrimView {
    /// The colour of the frame, `#rrggbb`.
    pub border: Option<String>,
    /// The width of the frame; a usual cell is 100 wide.
    pub border_size: Option<f32>,
    /// The colour of labels.
    pub text: Option<String>,
    /// The colour of the sites of the last move.
    pub last: Option<String>,
    /// The font of labels: a plain name.
    pub font: Option<String>,
}

/// How a site is drawn.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct CellView {
    /// The site's name, translated.
    pub name: String,
    /// Horizontal coordinate of its centre.
    pub x: f32,
    /// Vertical coordinate of its centre.
    pub y: f32,
    /// Its outline as an SVG path; `null`: a point.
    pub d: Option<String>,
    /// The tone it is filled with; 0 for none.
    #[cfg_attr(test, ts(type = "0 | 1 | 2 | 3"))]
    pub tone: u8,
    /// Whether a point is drawn without a dot.
    pub bare: bool,
    /// Whether players do not see it.
    pub hidden: bool,
    /// The level it lies on.
    pub level: u16,
    /// The author's colour for it, `#b58863`; without one the theme's is used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional = nullable))]
    pub fill: Option<String>,
}

/// A line or a shape; colours are names of the theme.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct StrokeView {
    /// An SVG path.
    pub d: String,
    /// The fill colour: `frame`, `inlay`, `line`, `plain`, `1`, `2` or `3`.
    pub fill: Option<String>,
    /// The colour of the line, by the same names.
    pub stroke: Option<String>,
    /// Width of the line.
    pub width: f32,
}

/// The side of the board at which a row or column name is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub enum SideView {
    Bottom,
    Left,
    Top,
    Right,
    Free,
}

/// The name of a row or column.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct CoordView {
    /// The text.
    pub text: String,
    /// Horizontal coordinate of its centre.
    pub x: f32,
    /// Vertical coordinate of its centre.
    pub y: f32,
    /// The side of the board it is written at.
    pub side: SideView,
    /// Whether it is written in large letters.
    pub big: bool,
}

/// One level of a three-dimensional board.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct LevelView {
    /// Its name.
    pub label: String,
    /// Its left edge.
    pub x: f32,
    /// Its upper edge.
    pub y: f32,
    /// Its width.
    pub width: f32,
    /// Its height.
    pub height: f32,
    /// Its sites.
    pub sites: Vec<SiteId>,
}

/// A named set of sites of one player.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ZoneView {
    /// Its name.
    pub name: String,
    /// The player.
    pub player: PlayerId,
    /// Its sites.
    pub sites: Vec<SiteId>,
}

/// How the board may be flipped.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Flip {
    Allowed,
    Prevented,
    SitesOnly,
    SitesOnlyTight,
}

/// Options that the rule file sets; `null` leaves the choice to the user.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "named as in the rules")]
pub struct OptionsView {
    pub smart_moves: Option<bool>,
    pub show_moves_list: Option<bool>,
    pub animate_captures: Option<bool>,
    pub animate_drops: Option<bool>,
    pub highlight_goals: Option<bool>,
    pub flipping: Flip,
    pub silent_random_moves: bool,
}

/// An end condition.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct GoalView {
    /// The condition in words.
    pub text: String,
    /// The condition as the rule file has it.
    pub line: String,
    /// Its line number, from 1.
    pub line_number: u32,
    /// The sites it names, for each player it is tested for; empty if it names none.
    pub sites: Vec<PlayerSites>,
}

/// Sites that concern one player.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct PlayerSites {
    /// The player they concern.
    pub player: PlayerId,
    /// The sites, ascending.
    pub sites: Vec<SiteId>,
}

/// The severity of a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub enum SeverityView {
    Error,
    Warning,
    Note,
}

/// A message about a rule file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct DiagnosticView {
    /// The code of the message: `Z0107`.
    pub code: String,
    /// The severity of a message.
    pub severity: SeverityView,
    /// The message.
    pub message: String,
    /// The name of the file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// The text of the line.
    pub source: String,
    /// The part of the line it is about: first and last column, in characters from 0.
    pub caret: [u32; 2],
    /// Suggestions, one sentence each.
    pub hints: Vec<String>,
    /// The whole message as the terminal shows it, without colours.
    pub text: String,
}
