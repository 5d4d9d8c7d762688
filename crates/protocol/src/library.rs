//! The library, the user's own games, and refusals.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::DiagnosticView;

/// `GET /api/library`
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct LibraryView {
    /// The games, the user's own first, then by title.
    pub games: Vec<GameCard>,
    /// The number of variants of all games.
    pub n_variants: u32,
}

/// A rule file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct GameCard {
    /// The id: `chess`, or `my-…` for the user's own games.
    pub id: String,
    /// The title of the game that the file opens with.
    pub title: String,
    /// Whether it is the user's own.
    pub mine: bool,
    /// Whether it does not compile: opening it shows diagnostics.
    pub broken: bool,
    /// The number of errors in the file.
    pub n_errors: u32,
    /// Whether it is a Game Courier preset and no rule file.
    #[serde(default)]
    #[cfg_attr(test, ts(as = "Option<bool>", optional))]
    pub is_preset: bool,
    /// `chess`, `draughts`, `race`, `connection`, `alignment`, `territory`, `hunt`, `puzzle`
    /// or `other`
    pub family: String,
    /// Other names by which players know the game.
    pub also: Vec<String>,
    /// Its variants, in the order of the file, without separators.
    pub variants: Vec<VariantCard>,
    /// Why it is not read, if it is not: the rest of a sentence about the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub set_aside: Option<String>,
}

/// How long a game takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum Length {
    /// A few minutes.
    Short,
    /// About half an hour.
    Medium,
    /// An hour or more.
    Long,
}

/// One playable variant.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct VariantCard {
    /// Its number in the file.
    pub n: u32,
    /// Its title.
    pub title: String,
    /// The number of players that people or engines play.
    pub n_players: u32,
    /// The board in words: `8 × 8`, `91 hexes`, `5 levels`, `points and lines`, `four rings`,
    /// `race`.
    pub board: String,
    /// The style of its layout.
    pub shape: String,
    /// Whether it is a puzzle for one player.
    pub is_puzzle: bool,
    /// Whether dice or other random moves take part.
    pub has_dice: bool,
    /// Whether pieces come onto the board during play.
    pub has_drops: bool,
    /// Whether it is a selection screen: a board whose pieces open other games.
    pub is_menu: bool,
    /// How long a game usually takes.
    pub length: Length,
    /// Names of its pieces, for searching.
    pub piece_names: Vec<String>,
    /// Address of an SVG; takes `?theme=walnut|slate|baize|ink&dark=1`.
    pub thumb: String,
}

/// The answer to an upload.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Uploaded {
    /// The games that were made of it.
    pub games: Vec<UploadedGame>,
    /// Messages about their rules.
    pub diagnostics: Vec<DiagnosticView>,
    /// Files that were left out.
    pub skipped: Vec<Skipped>,
}

/// A game made of an upload.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct UploadedGame {
    /// The id: `my-…`.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Whether it does not compile.
    pub broken: bool,
}

/// A file of an upload that was left out.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Skipped {
    /// Its name.
    pub file: String,
    /// The reason, as a sentence.
    pub why: String,
}

/// A setting of the user's.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(untagged)]
pub enum Preference {
    /// On or off.
    Switch(bool),
    /// A number.
    Number(f64),
    /// A word.
    Text(String),
}

/// `GET` and `PUT /api/user`
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", default)]
pub struct UserView {
    /// Ids of games, perhaps with a variant: `chess`, `chess/3`.
    pub favourites: Vec<String>,
    /// Ids of games opened lately, the latest first.
    pub recent: Vec<String>,
    /// Settings by name.
    #[cfg_attr(test, ts(type = "Record<string, string | number | boolean>"))]
    pub preferences: BTreeMap<String, Preference>,
}

/// `GET /api/visitor`
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct VisitorView {
    /// Whether the request carried the key of the person who runs the server.
    pub is_owner: bool,
}

/// The body of every refusal.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ProblemView {
    /// The problem in one sentence.
    pub error: String,
    /// What the user can do about it.
    pub hint: Option<String>,
    /// Messages about the rules, if the problem is in the rules.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(as = "Option<Vec<DiagnosticView>>", optional))]
    pub diagnostics: Vec<DiagnosticView>,
}
