//! One node of a record: a move or an edit, and what was said about it.

use boardwright_game::{Player, Site};
use boardwright_rules::{EditStep, GameMove};

/// The number of a node: its index in [`MoveTree::nodes`](crate::MoveTree::nodes).
pub type NodeId = u32;

/// What led to a node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NodeStep {
    /// Nothing: it is the start of the game.
    Start,
    /// A move of a player, or of chance.
    Move {
        /// The move.
        played: GameMove,
        /// Whether the rules gave it to chance.
        is_chance: bool,
    },
    /// A change of the board.
    Edit(EditStep),
}

/// One node of a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    /// The node before it; none for the first.
    pub parent: Option<NodeId>,
    /// The number of moves on the way to it, itself included.
    pub ply: u32,
    /// The row of a move list in columns, one column a seat, that holds its move. A new row
    /// begins where the turn returns to the same seat or to one before it.
    pub round: u32,
    /// Who moved.
    pub player: Option<Player>,
    /// Whose pieces moved: for a throw of dice, the player they were thrown for.
    pub owner: Option<Player>,
    /// What was done.
    pub step: NodeStep,
    /// The move for a list beside the board.
    pub brief: String,
    /// The move as records and saves have it, or the edits.
    pub long: String,
    /// Whether the same player goes on with a further part of the move.
    pub goes_on: bool,
    /// Where the move began and ended.
    pub ends: Vec<Site>,
    /// The sender's id of the command that made it; may be empty.
    pub request: String,
    /// What was said about it.
    pub comment: String,
    /// An engine's evaluation of the state, in hundredths for the first player.
    pub score: Option<i32>,
    /// The player who resigned here.
    pub resigned: Option<Player>,
}

impl Node {
    pub(crate) fn new(step: NodeStep) -> Node {
        Node {
            parent: None,
            ply: 0,
            round: 0,
            player: None,
            owner: None,
            step,
            brief: String::new(),
            long: String::new(),
            goes_on: false,
            ends: Vec::new(),
            request: String::new(),
            comment: String::new(),
            score: None,
            resigned: None,
        }
    }

    /// Whether a move led to it.
    pub fn is_move(&self) -> bool {
        matches!(self.step, NodeStep::Move { .. })
    }

    /// Whether a move of chance led to it.
    pub fn is_chance(&self) -> bool {
        matches!(self.step, NodeStep::Move { is_chance: true, .. })
    }
}
