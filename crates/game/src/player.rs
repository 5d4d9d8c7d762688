//! The sides of a game.

use boardwright_text::Span;

/// A side of the game: indexes [`Ruleset::players`](crate::Ruleset::players).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Player(pub u8);

impl Player {
    /// The place in a list that is kept by player.
    pub fn idx(self) -> usize {
        self.0 as usize
    }
}

/// What the rules say of a player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayerInfo {
    /// The name in the rule file.
    pub name: String,
    /// Whether chance moves for it: its name begins with `?`.
    pub is_random: bool,
    /// Whether it never chooses a move: it has pieces, but no turn.
    pub is_neutral: bool,
    /// Where it is named.
    pub span: Span,
}
