//! GAME Code, the language of Game Courier presets: text to program, program to play.
//!
//! A [`Compiler`] takes the fields of a preset and gives a [`CodeProgram`]; nothing
//! fails, what is wrong is in [`CodeProgram::diagnostics`]. A [`Machine`] runs it on a
//! [`SpaceMap`]: parts of the program, turns as players write them, subroutines. It
//! stops with a [`CodeStop`] where the rules refuse a move, where the player has to
//! choose, or where the code is wrong.
//!
//! The way of a text: `lex` cuts statements, `compile` makes units of steps,
//! `exec` runs steps, `eval` expressions; `ops` are the operators, `command` the
//! commands, `turn` what players write.
//!
//! Invariant: no text makes it panic, hang, or use more than [`CodeLimits`] allows.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic))]

mod budget;
mod code;
mod command;
mod compile;
mod constant;
mod errors;
mod eval;
mod exec;
mod filter;
pub mod forsythe;
mod lex;
mod limits;
mod listing;
mod machine;
mod names;
mod ops;
mod random;
mod scope;
mod space_map;
mod turn;
mod value;
mod words;

pub use compile::{CodeFiles, CodeProgram, Compiler, NoCodeFiles, Part};
pub use constant::Constant;
pub use errors::CODES;
pub use limits::CodeLimits;
pub use machine::{CodeStop, Machine, Question, Status};
pub use space_map::{AxisLabel, BoardError, ForsytheCell, Space, SpaceInfo, SpaceMap};
pub use words::{commands, keywords, operators};
