//! Scores among more than two players, who are not together.

use boardwright_fast::GameTree;
use boardwright_game::Player;
use boardwright_play::State;

use super::Engine;
use crate::score::{PROVEN, Score};

impl Engine {
    /// Among more than two: by how much one who fights all others at once looks worse than one
    /// who is compared with their mean.
    pub(super) fn handicap(&self, state: &State) -> i32 {
        let movers = &self.profile.movers;
        let (Some(me), true) = (state.mover(), movers.len() > 2) else { return 0 };
        let tree = GameTree::new(self.fast.as_ref(), state);
        let score = |signs: &[i32]| {
            let (account, _) = self.eval.open(&tree, signs);
            self.eval.score(&tree, &account, signs)
        };
        let alone = |player: Player| {
            let signs = self.signs(Some(player)).into_iter();
            score(&signs.map(|it| it.max(0)).collect::<Vec<_>>())
        };
        let others: i32 = movers.iter().filter(|&&it| it != me).map(|&it| alone(it)).sum();
        let among_all = alone(me) - others / (movers.len() as i32 - 1);
        among_all - score(&self.signs(Some(me)))
    }
}

/// What a score against all others together says among more than two, who are not together.
pub(super) fn among_all(score: Score, handicap: i32) -> Score {
    match score.0 {
        // What all of them together cannot prevent is certain.
        PROVEN.. => score,
        // What they could do together they may never do.
        it if it <= -PROVEN => Score(-HOPELESS),
        it => Score((it + handicap).clamp(1 - PROVEN, PROVEN - 1)),
    }
}

/// Worse is nothing that is not certain.
const HOPELESS: i32 = 5000;
