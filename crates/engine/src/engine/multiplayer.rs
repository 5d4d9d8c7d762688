//! Scores with more than two players.
//!
//! The search treats all opponents as one coalition (paranoid search), which makes every player
//! look worse than they are. The functions here correct the score that is reported.

use boardwright_game::Player;
use boardwright_rules::GameState;

use super::Engine;
use crate::score::{PROVEN, Score};

impl Engine {
    /// The static score of the mover against the mean of the others, less its score against
    /// all others together. 0 with two players.
    pub(super) fn coalition_offset(&self, state: &GameState) -> i32 {
        let movers = &self.profile.movers;
        let (Some(me), true) = (state.mover(), movers.len() > 2) else { return 0 };
        let tree = state.tree(self.fast.as_ref(), None);
        let score = |signs: &[i32]| {
            let (accumulator, _) = self.eval.refresh(&tree, signs);
            self.eval.score(&tree, &accumulator, signs)
        };
        let alone = |player: Player| {
            let signs = self.signs(Some(player)).into_iter();
            score(&signs.map(|it| it.max(0)).collect::<Vec<_>>())
        };
        let others: i32 = movers.iter().filter(|&&it| it != me).map(|&it| alone(it)).sum();
        let against_mean = alone(me) - others / (movers.len() as i32 - 1);
        against_mean - score(&self.signs(Some(me)))
    }
}

/// The score to report, given the score against a coalition of all others.
pub(super) fn without_coalition(score: Score, offset: i32) -> Score {
    match score.0 {
        // A win against a coalition is a win against anybody.
        PROVEN.. => score,
        // A loss against a coalition that may never form is not proven.
        it if it <= -PROVEN => Score(-LOST_TO_COALITION),
        it => Score((it + offset).clamp(1 - PROVEN, PROVEN - 1)),
    }
}

/// The score of a loss that only a coalition can force, in points.
const LOST_TO_COALITION: i32 = 5000;
