//! Runs a ruleset: legal moves, play, undo, outcome, notation and saved games.
//!
//! A [`State`] is one state of a game of a [`Ruleset`](boardwright_game::Ruleset).
//! It lists its legal moves, plays one, takes it back exactly, and says how the
//! game ended and by which rule. Everything here is a function of its arguments:
//! no files, no clock, no randomness that was not seeded by the caller.
//!
//! ```
//! use boardwright_play::State;
//! use boardwright_zrf::{CompileLimits, NoFiles, load};
//!
//! let rules = r#"(game (title "Pond") (players Wolf Sheep) (turn-order Wolf Sheep)
//!     (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (10 0))) (directions (e 1))))
//!     (piece (name Stone) (moves (e (verify empty?) add)))
//!     (board-setup (Wolf (Stone a))))"#;
//! let mut file = load("pond.zrf", rules.as_bytes(), &mut NoFiles, &CompileLimits::default());
//! let mut state = State::start(file.compile(0).expect("the rules are sound"));
//!
//! let step = state.find_move("Stone a - b")?.expect("it is legal");
//! let undo = state.play(&step).expect("it is legal");
//! let outcome = state.outcome()?.expect("the sheep have no stones to move");
//! assert_eq!(outcome.text(state.ruleset()), "draw");
//! state.undo(undo);
//! assert_eq!(state.legal_moves()?.len(), 1);
//! # Ok::<(), boardwright_play::Halt>(())
//! ```
//!
//! Invariant: a ruleset that passes `Ruleset::check` never makes this crate
//! panic, hang or eat memory; what goes too far is a [`Halt`].
//!
//! Where the original program is silent we chose; every choice is in [`DECISIONS`].

mod apply;
mod arrange;
mod attack;
mod brief;
mod decisions;
mod draft;
mod facts;
mod find;
mod fuel;
mod goals;
mod halt;
mod hash;
mod instruction;
mod movegen;
mod mv;
mod notation;
mod outcome;
mod perft;
mod placement;
mod random;
mod reach;
mod reason;
mod repetition;
mod rules;
pub mod semantics;
mod setup;
mod state;
mod threats;
mod vm;
pub mod zsg;

pub use apply::{Edit, PlayError, Undo};
pub use decisions::{DECISIONS, Decision};
pub use facts::{VisibleEffect, goal_sites, highlighted_goals};
pub use halt::Halt;
pub use movegen::{Attempt, Obstacle};
pub use mv::{Effect, Move, MoveList, Partial};
pub use outcome::{Ending, Outcome, Reason};
pub use perft::{perft, perft_turns};
pub use placement::{Piece, Placement};
pub use random::SplitMix64;
pub use reason::{Why, condition_words};
pub use rules::Rules;
pub use setup::StateTextError;
pub use state::{GoingOn, State};
