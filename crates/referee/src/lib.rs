//! A match: who may do what in it, and what follows from it.
//!
//! A [`Match`] is the fold of its [`MatchEvent`]s, which are numbered and only ever added.
//! [`Match::apply`] takes a command and gives the events that obeying it would add, or a
//! [`Refusal`]; it changes nothing. The caller stores the events and then hands them to
//! [`Match::commit`]: that is the only way a match changes, so there is nothing to roll back.
//! [`Match::restore`] folds a stored log.
//!
//! The record is a tree of nodes: taking back or going on from an earlier node loses nothing.
//! Everything is a function of its arguments: time and chance are arguments, storing is the
//! caller's part.
//!
//! Invariants: every move in the record is legal where it stands; a command with a request id
//! that was obeyed before adds no events; a refused command changes nothing; folding the log
//! again gives the same match.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic))]

mod apply;
mod command;
mod event;
mod fold;
mod game_match;
mod move_tree;
mod node;
mod refusal;
mod saved;
mod seat;
mod states;

pub use apply::Applied;
pub use command::{Actor, MatchCommand};
pub use event::{Change, MatchEvent};
pub use fold::RestoreError;
pub use game_match::{ChatEntry, Match, MatchSetup, Standing};
pub use move_tree::MoveTree;
pub use node::{Node, NodeId, NodeStep};
pub use refusal::Refusal;
pub use saved::{from_record, from_save};
pub use seat::{EngineSetup, Seat, Sitter};
