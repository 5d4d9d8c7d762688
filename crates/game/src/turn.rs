//! Who moves when.

use boardwright_text::Span;

use crate::{MoveType, Player};

/// One entry of the turn order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Turn {
    /// Who chooses the move.
    pub mover: Player,
    /// Whose pieces move; `friend?`, zones, symmetry and hands are this player's.
    pub owner: Player,
    /// The only type of move that may begin the turn, if the entry names one.
    pub move_type: Option<MoveType>,
    /// Where it stands.
    pub span: Span,
}

/// The order of turns: the list once, then from `repeat` to its end for ever.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TurnOrder {
    /// The entries; never empty in a checked ruleset that can be played.
    pub turns: Vec<Turn>,
    /// The entry that follows the last one.
    pub repeat: usize,
}

impl TurnOrder {
    /// The entry that follows entry `idx`.
    pub fn next(&self, idx: usize) -> usize {
        if idx + 1 < self.turns.len() { idx + 1 } else { self.repeat }
    }
}
