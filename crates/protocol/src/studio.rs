//! Presets as they are changed: fields, drafts that are tried, imports.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{ChoiceView, DiagnosticView, GameView, StateView};

/// `GET /api/presets/{game}`
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct PresetFields {
    /// The game's id.
    pub game: String,
    /// Whether it is the user's own, so that saving changes it and makes no new one.
    pub mine: bool,
    /// Every field, in the order of the original's page.
    pub fields: Vec<FieldView>,
}

/// The kind of value of a field.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum FieldKind {
    /// One line.
    Text,
    /// A whole number.
    Number,
    /// `yes` or `no`.
    Truth,
    /// One word of a list.
    Choice,
    /// Several lines.
    Lines,
    /// GAME Code.
    Code,
}

/// One field of a preset.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct FieldView {
    /// Its key.
    pub key: String,
    /// The title of the field.
    pub title: String,
    /// The kind of value.
    pub kind: FieldKind,
    /// The words of a choice.
    pub choices: Vec<String>,
    /// The value when the field is left out.
    pub default: String,
    /// Whether it changes only how the game looks.
    pub is_look: bool,
    /// `game`, `board`, `looks` or `code`
    pub group: String,
    /// The current value.
    pub value: String,
}

/// `POST /api/presets/draft` and, without turns, `POST /api/presets`
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", default)]
pub struct Draft {
    /// The preset that it was made from, for its files.
    pub base: String,
    /// Every field by key.
    #[cfg_attr(test, ts(type = "Record<string, string>"))]
    pub values: BTreeMap<String, String>,
    /// The whole preset as one text; if given, it replaces `values`.
    pub text: Option<String>,
    /// Turns to try, one after the other.
    pub turns: Vec<String>,
    /// Whether the listing of the whole program is wanted.
    pub listing: bool,
    /// Whether only the fields of the appearance are taken; the rest stays as in the base.
    pub looks_only: bool,
}

/// The result of trying a draft.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct DraftView {
    /// The game, if it can be played.
    pub game: Option<GameView>,
    /// The board after the turns that were accepted.
    pub state: Option<StateView>,
    /// The turns that were accepted, as played.
    pub turns: Vec<String>,
    /// Why the next turn was refused.
    pub refused: Option<String>,
    /// The choices that it needs.
    pub choices: Vec<ChoiceView>,
    /// Messages about settings and code; `file` is the title of a code field, or
    /// that of an included file.
    pub diagnostics: Vec<DiagnosticView>,
    /// Values that fields do not take, by key.
    #[cfg_attr(test, ts(type = "Record<string, string>"))]
    pub wrong: BTreeMap<String, String>,
    /// The listing of the whole program, the failing line marked.
    pub listing: Option<String>,
    /// The fields as they were understood, by key.
    #[cfg_attr(test, ts(type = "Record<string, string>"))]
    pub values: BTreeMap<String, String>,
    /// The preset as one text.
    pub text: String,
    /// Time taken, in milliseconds.
    pub ms: u32,
}

/// `POST /api/presets/import`
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ImportText {
    /// An address with its query, a form, or a settings file.
    pub text: String,
}

/// The result of an import.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ImportView {
    /// The fields by key.
    #[cfg_attr(test, ts(type = "Record<string, string>"))]
    pub values: BTreeMap<String, String>,
    /// The number of fields that were understood.
    pub n_fields: u32,
    /// The parts that were not understood.
    pub report: Vec<String>,
}

/// A preset that was saved.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct SavedPreset {
    /// The game's id.
    pub game: String,
}

/// A picture that was added to a preset.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct PictureAdded {
    /// Its file name.
    pub name: String,
    /// Width in pixels; 0 for drawings without one.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
}
