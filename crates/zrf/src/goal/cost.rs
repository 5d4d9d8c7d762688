//! How long it takes at most to judge a goal.
//!
//! Goals are judged after every turn, and the program that plays has no way to stop
//! in the middle of one. So what they cost at worst is summed up before anybody
//! plays, and a variant whose goals cost too much is refused.

use boardwright_game::{Board, EndCondition, Goal, GoalKind, SiteOrZone};

/// What the cost of goals depends on.
pub(crate) struct GoalCosts {
    n_sites: u64,
    n_links: u64,
    n_players: u64,
    n_kinds: u64,
}

impl GoalCosts {
    /// For the goals of a variant.
    pub(crate) fn new(board: &Board, n_players: usize, n_kinds: usize) -> Self {
        let n_links = board.links.iter().filter(|&&it| it != u16::MAX).count();
        GoalCosts {
            n_sites: board.n_sites() as u64,
            n_links: n_links as u64,
            n_players: n_players as u64,
            n_kinds: n_kinds as u64,
        }
    }

    /// Tests of single sites and pieces that one condition takes at most, after one turn.
    pub(crate) fn of_condition(&self, condition: &EndCondition) -> u64 {
        let n_players = condition.players.as_ref().map_or(1, |it| it.len() as u64);
        self.of_goal(&condition.goal).saturating_mul(n_players)
    }

    fn of_goal(&self, goal: &Goal) -> u64 {
        // Counting all kinds of pieces is a sum over a list, eight at a time.
        let n_counted = 1 + self.n_kinds / 8;
        match &goal.kind {
            GoalKind::Stalemated | GoalKind::Repetition => 1,
            GoalKind::Captured(kinds) | GoalKind::Checkmated(kinds) => {
                1 + (kinds.len() as u64).saturating_mul(self.n_players)
            }
            GoalKind::PiecesRemaining(_, kind) => kind.map_or(2 * n_counted, |_| 2),
            GoalKind::TotalPieceCount(_, kind) => self.n_players * kind.map_or(n_counted, |_| 1),
            GoalKind::AbsoluteConfig(occupants, places) => {
                let n_sites = places.iter().fold(0u64, |n, it| match it {
                    SiteOrZone::Site(_) => n.saturating_add(1),
                    SiteOrZone::Zone(_) => n.saturating_add(self.n_sites),
                });
                n_sites.saturating_mul(occupants.len() as u64)
            }
            GoalKind::RelativeConfig(steps) => self.n_sites.saturating_mul(steps.len() as u64),
            GoalKind::Connected(kinds, _) => {
                let n_tests = self.n_sites + 2 * self.n_links;
                n_tests.saturating_mul(1 + kinds.len() as u64)
            }
            GoalKind::And(goals) | GoalKind::Or(goals) => {
                goals.iter().fold(1, |n, it| n.saturating_add(self.of_goal(it)))
            }
            GoalKind::Not(goal) => self.of_goal(goal),
        }
    }
}
