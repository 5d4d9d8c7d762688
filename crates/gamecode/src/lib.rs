//! GAME Code, the language of Game Courier presets: text to program, program to play.
//!
//! A [`Compiler`] takes the fields of a preset and gives a [`Program`]; nothing
//! fails, what is wrong is in [`Program::diagnostics`]. A [`Machine`] runs it on a
//! [`Board`]: parts of the program, turns as players write them, subroutines. It
//! stops with a [`Stop`] where the rules refuse a move, where the player has to
//! choose, or where the code is wrong.
//!
//! The way of a text: `lex` cuts statements, `compile` makes units of steps,
//! `exec` runs steps, `eval` expressions; `ops` are the operators, `command` the
//! commands, `turn` what players write.
//!
//! Invariant: no text makes it panic, hang, or use more than [`Limits`] allows.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic))]

mod board;
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
mod turn;
mod value;
mod words;

pub use board::{Board, BoardError, Cell, Label, Place, Site};
pub use compile::{Compiler, Files, NoFiles, Part, Program};
pub use constant::Constant;
pub use errors::CODES;
pub use limits::Limits;
pub use machine::{Machine, Question, Status, Stop};
pub use words::{commands, keywords, operators};
