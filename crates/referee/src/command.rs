//! What can be asked of a match, and by whom.

use boardwright_rules::BoardSetup;

use crate::{
    node::NodeId,
    seat::{Seat, Sitter},
};

/// Who gives a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Actor<'a> {
    /// A person with the seats they may move for.
    Person {
        /// Whether the match is theirs.
        is_owner: bool,
        /// The numbers of their seats.
        seats: &'a [usize],
    },
    /// The engine that sits where the move is to be made, or that evaluates a node.
    Engine,
    /// The drawing of moves for chance, for random players, and replies in problems.
    Chance,
}

/// What can be asked of a match.
#[derive(Clone, PartialEq, Debug)]
pub enum MatchCommand {
    /// Play the move with this text at a node, which must be the current one.
    Play {
        /// The node at which the sender moves.
        node: NodeId,
        /// The move.
        text: String,
    },
    /// Draw a move for chance or a random player, or make the reply that a problem owes.
    Draw,
    /// Go on from a board that somebody set up at a node.
    Edit {
        /// The node whose state was edited.
        node: NodeId,
        /// The board.
        setup: BoardSetup,
    },
    /// Go back to where a person last had a choice.
    TakeBack,
    /// Go on from a node.
    GoTo {
        /// The node.
        node: NodeId,
    },
    /// Resign for a seat.
    Resign {
        /// The number of the seat.
        seat: usize,
    },
    /// Say something about a node.
    Comment {
        /// The node.
        node: NodeId,
        /// The text.
        text: String,
    },
    /// Note an engine's evaluation of a node.
    Score {
        /// The node.
        node: NodeId,
        /// Hundredths for the first player.
        score: Option<i32>,
    },
    /// Give a seat to somebody else.
    GiveSeat {
        /// The number of the seat.
        seat: usize,
        /// Who shall sit there.
        sitter: Sitter,
        /// Their name; may be empty.
        name: String,
        /// The secret for a guest who has none yet.
        key: String,
    },
    /// Change the name at a seat.
    Rename {
        /// The number of the seat.
        seat: usize,
        /// The name.
        name: String,
    },
    /// Say something to all.
    Say {
        /// The name under which it is said where the sender has no seat.
        name: String,
        /// The text.
        text: String,
    },
}

/// All seats of a match at its start; seats that nobody claims are for persons.
pub(crate) fn seated(n_seats: usize, given: Vec<Seat>, fits: impl Fn(&Seat) -> bool) -> Vec<Seat> {
    let mut given = given.into_iter().map(|it| if fits(&it) { it } else { Seat::person() });
    (0..n_seats).map(|_| given.next().unwrap_or_else(Seat::person)).collect()
}
