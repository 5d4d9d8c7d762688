//! Game Courier presets: settings, boards, play, records, problems.
//!
//! A [`Bundle`] is a preset as text: settings, code fields, included files. A
//! [`Preset`] is the same ready to play, a [`Game`] one being played. [`import`]
//! reads the settings of the original in the forms it has them; nothing in them is
//! ever executed but GAME Code, within its limits.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic))]

mod assembly;
mod bundle;
mod choices;
mod game;
pub mod import;
mod preset;
mod problem;
mod record;
mod settings;
mod sha256;

pub use bundle::{Bundle, Folder, SETTINGS_FILE};
pub use choices::{Choice, ToldMove};
pub use game::{Game, PresetOutcome, TurnText};
pub use preset::{Enforcement, Preset};
pub use problem::{Judgement, Problem};
pub use record::{Record, RecordError};
pub use settings::{FIELDS, Field, Kind, METHODS, Note, SHAPES, Settings};
