//! One sitting of a game: what was played, by whom, and where play goes on.
//!
//! A [`Match`] keeps its record as a [`Tree`]; a [`PresetMatch`] is the same for presets. Taking back or going on from an earlier
//! node loses nothing: the other branches stay. Everything is a function of its
//! arguments: chance comes as a ticket, time does not come at all, and storing what
//! happened is the caller's business.
//!
//! Invariants: every move in the record is legal where it stands; a command that is
//! sent twice is obeyed once; a refused command changes nothing.

mod edit;
mod preset;
mod record;
mod save;
mod seat;
mod tree;

pub use edit::{EditError, EditStep, Hands};
pub use preset::{PresetMatch, short};
pub use record::{Match, Node, NodeId, Played, Refusal, Step};
pub use save::{NotWritable, from_save, save};
pub use seat::{EngineSetup, Seat, Sitter, letters, seats};
pub use tree::Tree;
