//! Proofs of forced wins by trying everything, with the plain rules and nothing else.
//!
//! Slow, but it shares no code with the engine: what it says about a state can be held
//! against what the engine says.

use boardwright_game::Player;
use boardwright_play::{Move, State};

/// A proof under way: how much may still be tried.
pub struct Prover {
    /// Moves that may still be played.
    pub budget: u64,
    /// If not 0, the attacker tries only moves that leave the other side at most this many
    /// answers. What is found is as certain; less is found, and much sooner.
    pub answers: usize,
}

impl Prover {
    /// The first moves by which who is to move wins within `plies` moves, whatever the other
    /// side does; `None` if the budget did not suffice.
    pub fn wins(&mut self, state: &State, plies: u32) -> Option<Vec<Move>> {
        let me = state.mover()?;
        let mut at = state.clone();
        let list = state.legal_moves().ok()?;
        let mut found = Vec::new();
        for mv in list.iter() {
            if self.try_out(&mut at, mv, me, plies)? {
                found.push(mv.clone());
            }
        }
        Some(found)
    }

    /// Whether `me` wins within `plies` moves, this one counted, if it is played.
    pub fn try_out(&mut self, at: &mut State, mv: &Move, me: Player, plies: u32) -> Option<bool> {
        self.budget = self.budget.checked_sub(1)?;
        let is_mine = at.mover() == Some(me);
        let undo = at.play_unchecked(mv).ok()?;
        let forced = self.forces(at, me, plies - 1, is_mine);
        at.undo(undo);
        forced
    }

    fn forces(&mut self, at: &mut State, me: Player, plies: u32, was_mine: bool) -> Option<bool> {
        let list = at.legal_moves().ok()?;
        if let Some(outcome) = at.outcome_given(&list).ok()? {
            return Some(outcome.is_won_by(me));
        }
        if plies == 0 || at.is_chance() {
            return Some(false);
        }
        let is_mine = at.mover() == Some(me);
        if was_mine && !is_mine && self.answers != 0 && list.len() > self.answers {
            return Some(false);
        }
        for mv in list.iter() {
            let wins = self.try_out(at, mv, me, plies)?;
            if wins == is_mine {
                return Some(is_mine);
            }
        }
        Some(!is_mine)
    }
}
