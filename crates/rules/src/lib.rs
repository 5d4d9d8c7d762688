//! One interface to a game being played, whichever language its rules are written in.
//!
//! Rule files (`.zrf`) are compiled to a [`Ruleset`](boardwright_game::Ruleset) and run by
//! `play`; Game Courier presets run GAME Code. [`GameRules`] holds the rules of one game in
//! either language, [`GameState`] a state of it, [`LegalMoves`] what may be played there.
//! Referee, engine, pictures, server and terminal build on these types and do not ask which
//! language it is.
//!
//! A preset has no compiled rules, but its board, players and kinds of pieces are described
//! by a `Ruleset` without programs and goals, the *outline*: [`GameRules::ruleset`] gives
//! one for every game.
//!
//! Invariants: a state is a value, and a refused move leaves it unchanged; a move that
//! [`GameState::legal_moves`] lists can be played; the same rules, seed and moves give the
//! same state.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic))]

mod clicks;
mod details;
mod edit;
mod effects;
mod game_rules;
mod game_state;
mod labels;
mod legal;
mod line;
mod lookup;
mod outcome;
mod outline;
mod piece_info;
mod refusal;
mod save;
mod scripted;
mod scripted_tree;
mod step;
mod why_not;

pub use boardwright_fast::GameMove;
pub use boardwright_play::VisibleEffect;
pub use details::MoveDetails;
pub use edit::{BoardSetup, EditError, EditStep, Hands};
pub use game_rules::{GameRules, PresetRules, StartError, seats};
pub use game_state::{GameState, PlacedPiece};
pub use labels::{LabelMap, other_side};
pub use legal::LegalMoves;
pub use outcome::GameOutcome;
pub use piece_info::PieceInfo;
pub use refusal::PlayRefusal;
pub use save::{NotWritable, SavedFile, SavedStep, save};
pub use step::{Judging, Step, short_turn};
pub use why_not::MoveObstacle;
