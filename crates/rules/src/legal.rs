//! What may be played in a state, worked out once and handed on.

use boardwright_play::MoveList;
use boardwright_preset::Choice;

use crate::{
    game_state::{GameState, Inner},
    outcome::GameOutcome,
    refusal::PlayRefusal,
};

/// The legal moves of a state, and the outcome if the game is over there.
#[derive(Clone, Debug)]
pub struct LegalMoves {
    pub(crate) list: List,
    /// How the game ended, if it did.
    pub outcome: Option<GameOutcome>,
    /// Whether every turn that can be written may be played: the preset enforces nothing.
    pub is_free: bool,
}

#[derive(Clone, Debug)]
pub(crate) enum List {
    Compiled(MoveList),
    Scripted(Vec<Choice>),
}

impl LegalMoves {
    /// The number of moves.
    pub fn len(&self) -> usize {
        match &self.list {
            List::Compiled(list) => list.len(),
            List::Scripted(list) => list.len(),
        }
    }

    /// Whether no move is listed.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The moves of compiled rules, for callers that work on those alone.
    pub fn as_compiled(&self) -> Option<&MoveList> {
        match &self.list {
            List::Compiled(list) => Some(list),
            List::Scripted(_) => None,
        }
    }

    /// Nothing may be played, as after a resignation.
    pub fn none(outcome: Option<GameOutcome>) -> LegalMoves {
        LegalMoves { list: List::Compiled(MoveList::new()), outcome, is_free: false }
    }
}

impl GameState {
    /// Works out the legal moves and whether the game is over. Runs rules or code.
    pub fn legal_moves(&self) -> Result<LegalMoves, PlayRefusal> {
        let rules = self.rules();
        match &self.inner {
            Inner::Compiled(state) => {
                // Generation needs the state to work in.
                let mut state = state.clone();
                let mut list = MoveList::new();
                state.generate(&mut list).map_err(|it| rules.halted(&it))?;
                let outcome = state.outcome_given(&list).map_err(|it| rules.halted(&it))?;
                let outcome = outcome.map(|it| GameOutcome::of_state(rules, &state, &it));
                Ok(LegalMoves { list: List::Compiled(list), outcome, is_free: false })
            }
            Inner::Scripted(state) => {
                let is_problem = self.script().is_some_and(|it| it.problem.is_some());
                let outcome =
                    GameOutcome::of_preset(rules, &state.game, &self.messages(), is_problem);
                let has_seat = self.mover().is_some_and(|it| rules.seat_of(it).is_some());
                let may_move = outcome.is_none() && has_seat;
                let list = if may_move { state.game.choices() } else { None };
                let list = list.unwrap_or_default();
                let is_free = may_move && list.is_empty();
                Ok(LegalMoves { list: List::Scripted(list), outcome, is_free })
            }
        }
    }

    /// The text of one of the legal moves, as records have it.
    pub fn move_text(&self, legal: &LegalMoves, idx: usize) -> Option<String> {
        match (&self.inner, &legal.list) {
            (Inner::Compiled(state), List::Compiled(list)) => {
                list.get(idx).map(|it| state.move_text(it))
            }
            (Inner::Scripted(_), List::Scripted(list)) => list.get(idx).map(|it| it.text.clone()),
            _ => None,
        }
    }

    /// A legal move drawn by chance, as records have it; `chance` is any number. Moves that the
    /// rules offer several times are drawn more often.
    pub fn drawn_text(&self, legal: &LegalMoves, chance: u64) -> Option<String> {
        match (&self.inner, &legal.list) {
            (Inner::Compiled(state), List::Compiled(list)) => {
                let total = list.total_weight().max(1);
                list.drawn(below(chance, total)).map(|it| state.move_text(it))
            }
            (Inner::Scripted(_), List::Scripted(list)) => {
                let idx = below(chance, list.len().max(1) as u64) as usize;
                list.get(idx).map(|it| it.text.clone())
            }
            _ => None,
        }
    }
}

/// A number below `n` from 64 random bits, the same on every machine.
fn below(chance: u64, n: u64) -> u64 {
    boardwright_play::SplitMix64::new(chance).below(n as usize) as u64
}
