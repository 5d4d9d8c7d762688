//! An opponent for any game, from its rules alone.
//!
//! An [`Engine`] is made for one ruleset. It reads from the rules what sort of
//! game it is (`profile`), finds by sampling what pieces and places are worth
//! (`values`), and then thinks about states: by alpha-beta search, by random
//! games, or, for puzzles, by a search for a way to the goal.
//!
//! ```
//! # use std::sync::Arc;
//! use boardwright_engine::{Engine, Limits, Settings, Stop};
//! # use boardwright_play::State;
//! # let path = boardwright_test_kit::root().join("games/tic-tac-toe/tic-tac-toe.zrf");
//! # let mut file = boardwright_test_kit::rule_file(&path);
//! # let ruleset = boardwright_test_kit::variant("tic-tac-toe", &mut file, None);
//! let state = State::start(ruleset);
//! let mut engine = Engine::new(Arc::clone(state.rules()), Settings::default());
//! let limits = Limits { nodes: Some(20_000), ..Limits::default() };
//! let report = engine.think(&state, &limits, &Stop::default(), &mut |_| {});
//! assert!(report.best.is_some());
//! ```
//!
//! Invariants: the same rules, seed, level, variety and node limit with one
//! thread give the same move on every machine; a move that is given is legal;
//! nothing panics, and memory stays within [`Settings::memory`] but for small change.

mod correct;
mod engine;
mod eval;
mod keep;
mod levels;
mod likeness;
mod limits;
mod order;
mod playouts;
mod profile;
mod puzzle;
mod quiesce;
mod report;
mod root;
mod score;
mod search;
mod shelf;
mod solve;
mod structure;
mod table;
mod train;
mod trial;
mod tuned;
mod values;

pub use engine::{Engine, Method, Settings};
pub use limits::{Clock, Limits, Stop};
pub use report::{Info, Line, Proof, Report};
pub use score::Score;
pub use shelf::Shelf;
pub use train::Trainer;
pub use trial::Trial;
pub use tuned::Tuned;
