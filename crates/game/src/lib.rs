//! What a game *is*: plain data, in no particular language.
//!
//! A [`Ruleset`] is one playable variant, compiled and checked: a [`Board`] of
//! sites and links, piece kinds with their move programs, the order of turns,
//! the setup and the goals. Languages produce it, `play` runs it, and neither
//! knows the other.
//!
//! Invariant: every id in a [`Ruleset`] is in range for it. Whoever builds one
//! promises that; [`Ruleset::check`] tells whether the promise was kept.

mod board;
mod check;
mod fingerprint;
mod goal;
mod listing;
mod op;
mod options;
mod piece;
mod player;
mod ruleset;
mod save_format;
mod site;
mod turn;

pub use board::{Board, Direction, DirectionInfo, Grid, Rect, SiteInfo, Zone, ZoneInfo};
pub use check::Fault;
pub use goal::{ConfigStep, EndCondition, Goal, GoalKind, Occupant, SiteOrZone, Verdict, Whose};
pub use op::{AddForm, CreateForm, Mark, OfType, Op, Origin, Place, Program, TraceId, Traces};
pub use options::{Flipping, MaximalCaptures, Options, PassTurn};
pub use piece::{
    Attribute, Block, BlockKind, DropStart, MoveType, PieceImage, PieceKind, PieceKindInfo,
};
pub use player::{Player, PlayerInfo};
pub use ruleset::{HandEntry, Presentation, Ruleset, Setup, SetupEntry, Sounds};
pub use save_format::SaveFormat;
pub use site::{Site, SiteSet};
pub use turn::{Turn, TurnOrder};
