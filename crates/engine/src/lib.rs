//! An opponent for any game, from its rules alone.
//!
//! An [`Engine`] is made for one ruleset. It derives properties of the game from the rules
//! (`profile`), measures the values of pieces and sites by sampling (`values`), and then
//! searches states: by alpha-beta (`search`), by Monte Carlo tree search (`mcts`), or, for
//! puzzles, by a search for a path to the goal (`puzzle`).
//!
//! ```
//! # use std::sync::Arc;
//! use boardwright_engine::{Engine, EngineSettings, SearchLimits, StopFlag};
//! # use boardwright_play::State;
//! use boardwright_rules::GameState;
//! # let path = boardwright_test_kit::root().join("games/tic-tac-toe/tic-tac-toe.zrf");
//! # let mut file = boardwright_test_kit::rule_file(&path);
//! # let ruleset = boardwright_test_kit::variant("tic-tac-toe", &mut file, None);
//! let state = GameState::from(State::start(ruleset));
//! let mut engine = Engine::new(Arc::clone(state.rules()), EngineSettings::default());
//! let limits = SearchLimits::nodes(20_000);
//! let report = engine.think(&state, &limits, &StopFlag::default(), &mut |_| {});
//! assert!(report.best.is_some());
//! ```
//!
//! Invariants: the same rules, seed, level, variety and node limit with one thread give the
//! same move on every machine; a move that is returned is legal; nothing panics, and memory
//! stays within [`EngineSettings::memory`] apart from a few megabytes.

mod accumulator;
mod correction;
mod distance;
mod engine;
mod eval;
mod history;
mod language;
mod levels;
mod limits;
mod mcts;
mod method_trial;
mod params;
mod profile;
mod pruning;
mod puzzle;
mod quiescence;
mod report;
mod root;
mod score;
mod search;
mod searcher;
mod solve;
mod structure;
mod symmetry;
mod train;
mod transposition;
mod tree_reuse;
mod tuning;
mod tuning_store;
mod values;

pub use engine::{Engine, EngineSettings, Method};
pub use limits::{SearchClock, SearchLimits, StopFlag};
pub use method_trial::MethodTrial;
pub use report::{Proof, SearchInfo, SearchLine, SearchReport};
pub use score::Score;
pub use train::Trainer;
pub use tuning::Tuning;
pub use tuning_store::TuningStore;
