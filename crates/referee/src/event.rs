//! What happened in a match: the log of which the match is the fold.

use boardwright_game::Player;

use crate::{node::NodeId, seat::Seat};

/// One entry of the log of a match.
#[derive(Clone, PartialEq, Debug)]
pub struct MatchEvent {
    /// Its number in the log, from 0 without gaps.
    pub seq: u64,
    /// When it happened: milliseconds since 1970.
    pub at: u64,
    /// The sender's id of the command that caused it; may be empty.
    pub request: String,
    /// What changed.
    pub change: Change,
}

/// What an event changes.
#[derive(Clone, PartialEq, Debug)]
pub enum Change {
    /// The game begins with another setup: the edits as text. Only the first event.
    Setup {
        /// The edits.
        text: String,
    },
    /// A move was played at a node, and play goes on after it.
    Moved {
        /// The node at which it was played.
        parent: NodeId,
        /// The move as records have it.
        text: String,
        /// Whether the rules gave it to chance.
        is_chance: bool,
    },
    /// The board was edited at a node, and play goes on after that.
    Edited {
        /// The node whose state was edited.
        parent: NodeId,
        /// The edits as text.
        text: String,
    },
    /// Play goes on from another node.
    WentTo {
        /// That node.
        node: NodeId,
    },
    /// A player resigned.
    Resigned {
        /// At which node.
        node: NodeId,
        /// The player.
        player: Player,
    },
    /// Something was said about a node.
    Commented {
        /// The node.
        node: NodeId,
        /// What was said; it replaces what was said before.
        text: String,
    },
    /// An engine evaluated a node.
    Scored {
        /// The node.
        node: NodeId,
        /// Hundredths for the first player.
        score: Option<i32>,
    },
    /// Who sits where has changed.
    Seated {
        /// All seats, in the order of the rules.
        seats: Vec<Seat>,
    },
    /// Somebody said something to all.
    Said {
        /// The name of the sender.
        name: String,
        /// The text.
        text: String,
    },
}
