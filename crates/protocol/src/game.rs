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
    /// What the game is about; plain text.
    pub description: Option<String>,
    /// Where it comes from.
    pub history: Option<String>,
    /// How to play it well.
    pub strategy: Option<String>,
    /// Whether a saved game solves it.
    pub has_solution: bool,
    /// Whether it is for one.
    pub is_puzzle: bool,
    /// Whether chance takes part.
    pub has_dice: bool,
    /// Whether it is a menu of pictures.
    pub is_menu: bool,
    /// Whether a win leads on to the next variant.
    pub progressive: bool,
    /// The players, neutral and random ones included.
    pub players: Vec<PlayerView>,
    /// Who moves, by entry of the turn order: what `StateSetup.mover` indexes.
    #[cfg_attr(test, ts(as = "Option<Vec<PlayerId>>", optional))]
    pub turns: Vec<PlayerId>,
    /// The entry of the turn order that follows the last one.
    #[cfg_attr(test, ts(as = "Option<u32>", optional))]
    pub turns_repeat: u32,
    /// The sorts of pieces.
    pub kinds: Vec<KindView>,
    /// The board.
    pub layout: LayoutView,
    /// What stands on it at the start.
    pub setup: Vec<PlacedView>,
    /// Pieces drawn by us; the first set is the default.
    pub sets: Vec<PieceSetView>,
    /// The author's pictures, if all or most files are there; the first is the default.
    pub images: Vec<ImageSet>,
    /// By site: where links lead, for the keyboard.
    pub links: Vec<Vec<SiteId>>,
    /// Named sets of sites.
    pub zones: Vec<ZoneView>,
    /// What the rules ask of the page.
    pub options: OptionsView,
    /// By `move`, `capture`, `drop`, `click`, `change`, `release`, `win`, `loss`, `draw`,
    /// `opening`: an address, `""` for silence, `null` for our own.
    #[cfg_attr(test, ts(type = "Record<string, string | null>"))]
    pub sounds: BTreeMap<String, Option<String>>,
    /// Address of a MIDI file.
    pub music: Option<String>,
    /// Each end condition in words and as the rules have it.
    pub goals: Vec<GoalView>,
    /// What is to be said about the rules.
    pub diagnostics: Vec<DiagnosticView>,
    /// What only presets have; nothing for rule files.
    #[serde(default)]
    #[cfg_attr(test, ts(optional = nullable))]
    pub preset: Option<PresetView>,
}

/// What a game is that is a Game Courier preset.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct PresetView {
    /// How much of the rules its code takes care of.
    pub enforcement: EnforcementView,
    /// The same in words.
    pub enforced: String,
    /// Whether its code tells the legal moves, so that an engine can play.
    pub has_engine: bool,
    /// The problem that is to be solved, in words.
    pub problem: Option<String>,
    /// Who made it.
    pub author: String,
    /// Where its rules are told.
    pub rules_url: Option<String>,
    /// The set of pieces that it asks for, by id.
    pub set: String,
    /// The SHA-256 of its whole text.
    pub hash: String,
    /// Whether the preset of this game has been changed since, so that the page is that of
    /// an older one.
    pub is_old: bool,
}

/// How much of the rules a preset's code takes care of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum EnforcementView {
    /// All.
    Enforced,
    /// Some.
    Partly,
    /// Nothing: players move as they agree.
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
    /// Whether it is a menu of pictures.
    pub is_menu: bool,
}

/// A side of the game.
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
    /// Whether somebody sits there: a person or an engine.
    pub is_seat: bool,
    /// Whether chance moves for it.
    pub is_random: bool,
}

/// A sort of piece.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct KindView {
    /// Its name, translated.
    pub name: String,
    /// What the move list shows.
    pub notation: String,
    /// The line for the status bar.
    pub help: Option<String>,
    /// How it moves, in prose.
    pub description: Option<String>,
    /// What it is worth: a thousand for the cheapest. Known only once an engine has been made.
    pub value: Option<i32>,
    /// What a click opens: `chess/0` for a variant here, or the address of a web page.
    pub opens: Option<String>,
    /// Whether players do not handle it: no part of an editor's palette.
    #[cfg_attr(test, ts(as = "Option<bool>", optional))]
    pub is_dummy: bool,
    /// Whether it is a throw of dice, which only chance brings onto the board.
    #[cfg_attr(test, ts(as = "Option<bool>", optional))]
    pub is_thrown: bool,
}

/// A set of drawn pieces.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct PieceSetView {
    /// `turned`, `characters`, `latin`, `letters`
    pub id: String,
    /// What the settings call it.
    pub title: String,
    /// A look for each player and kind.
    pub looks: Vec<LookView>,
}

/// The outline of a token.
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
    /// Whose.
    pub player: PlayerId,
    /// What.
    pub kind: KindId,
    /// `chess-white-king`: the symbol `p-…` of the sprite; otherwise a token with letters.
    pub art: Option<String>,
    /// Whether it is drawn upside down.
    pub turn: bool,
    /// One to three letters.
    pub letters: String,
    /// The outline of the token.
    pub token: TokenView,
    /// The colour of the token.
    pub tone: String,
    /// Notches at its edge.
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
}

/// The picture of a piece.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ImagePiece {
    /// Whose.
    pub player: PlayerId,
    /// What.
    pub kind: KindId,
    /// Address of a PNG.
    pub url: String,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
}

/// What sort of board it is.
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

/// Where everything is drawn.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct LayoutView {
    /// What sort of board it is.
    pub style: StyleView,
    /// Width of the playing surface; a usual cell is 100 wide.
    pub width: f32,
    /// Height of the playing surface.
    pub height: f32,
    /// How wide a piece may be.
    pub unit: f32,
    /// Free room between surface and frame.
    pub pad: f32,
    /// Outline of the tray as an SVG path; `null`: a rectangle around the surface.
    pub frame: Option<String>,
    /// No frame at all.
    pub open: bool,
    /// The surface is filled with the plain tone.
    pub plain: bool,
    /// By site.
    pub cells: Vec<CellView>,
    /// Drawn below the cells.
    pub under: Vec<StrokeView>,
    /// Drawn above the cells.
    pub over: Vec<StrokeView>,
    /// Names of rows and columns.
    pub coords: Vec<CoordView>,
    /// Levels of a board in space.
    pub levels: Vec<LevelView>,
}

/// Where a site is drawn, and how.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct CellView {
    /// The site's name, translated.
    pub name: String,
    /// Its middle.
    pub x: f32,
    /// Its middle.
    pub y: f32,
    /// Its outline as an SVG path; `null`: a point.
    pub d: Option<String>,
    /// Which tone it is filled with; 0 for none.
    #[cfg_attr(test, ts(type = "0 | 1 | 2 | 3"))]
    pub tone: u8,
    /// No dot is drawn for a point.
    pub bare: bool,
    /// It is no place that players see.
    pub hidden: bool,
    /// The level it lies on.
    pub level: u16,
    /// The author's own colour for it, `#b58863`; else it is the theme's.
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
    /// `frame`, `inlay`, `line`, `plain`, `1`, `2`, `3`
    pub fill: Option<String>,
    /// The same for the line.
    pub stroke: Option<String>,
    /// Width of the line.
    pub width: f32,
}

/// Where a name of a row or column stands.
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
    /// What it says.
    pub text: String,
    /// Where.
    pub x: f32,
    /// Where.
    pub y: f32,
    /// On which side.
    pub side: SideView,
    /// In large letters.
    pub big: bool,
}

/// One level of a board in space.
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

/// A named set of sites as a player has it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ZoneView {
    /// Its name.
    pub name: String,
    /// Whose.
    pub player: PlayerId,
    /// Its sites.
    pub sites: Vec<SiteId>,
}

/// How the board may be turned.
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

/// What the rules ask of the page; `null` leaves the choice to the user.
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
    /// In words.
    pub text: String,
    /// As the rules have it.
    pub line: String,
    /// Where, from 1.
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

/// How bad it is.
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
    /// Its kind: `Z0107`.
    pub code: String,
    /// How bad it is.
    pub severity: SeverityView,
    /// What is wrong.
    pub message: String,
    /// In which file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// The line itself.
    pub source: String,
    /// Which part of it is meant: first and last column, counted in characters from 0.
    pub caret: [u32; 2],
    /// What to do.
    pub hints: Vec<String>,
    /// The whole message as the terminal shows it, without colours.
    pub text: String,
}
