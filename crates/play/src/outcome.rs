//! How a game ended, and by which rule.

use boardwright_game::{Player, Ruleset};
use boardwright_text::Span;

/// For whom the game ended how. There is no elimination: one player's end is everybody's.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ending {
    /// This player won, all others lost.
    Win(Player),
    /// This player lost, all others won.
    Loss(Player),
    /// Nobody won.
    Draw,
}

/// Which rule ended the game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// One of the ruleset's end conditions.
    Condition {
        /// Its number in `Ruleset::end_conditions`.
        idx: usize,
        /// Where it stands.
        span: Span,
    },
    /// The mover has no legal move, and no condition says what that means.
    Stalemate,
    /// The state came for the third time, and no condition says what that means.
    Repetition,
}

/// The end of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Outcome {
    /// For whom how.
    pub ending: Ending,
    /// The rule that ended the game.
    pub reason: Reason,
}

impl Outcome {
    /// Whether `player` won.
    pub fn is_won_by(&self, player: Player) -> bool {
        match self.ending {
            Ending::Win(it) => it == player,
            Ending::Loss(it) => it != player,
            Ending::Draw => false,
        }
    }

    /// Whether `player` lost.
    pub fn is_lost_by(&self, player: Player) -> bool {
        self.ending != Ending::Draw && !self.is_won_by(player)
    }

    /// The ending in a few words: `White won`, `Goats lost`, `draw`.
    pub fn text(&self, ruleset: &Ruleset) -> String {
        let name = |it: Player| ruleset.translated(ruleset.player_name(it));
        match self.ending {
            Ending::Win(it) => format!("{} won", name(it)),
            Ending::Loss(it) => format!("{} lost", name(it)),
            Ending::Draw => "draw".to_owned(),
        }
    }
}
