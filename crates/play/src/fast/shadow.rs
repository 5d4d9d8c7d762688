//! A game played in the fast form beside the plain one, for tests.

use super::{
    Fast, Sized,
    game::{Buffers, Game, Situation},
};
use crate::{halt::Halt, mv::Move, outcome::Outcome, state::State};

/// A situation in the fast form that follows a plain game move by move.
pub struct Shadow<'a>(Kind<'a>);

enum Kind<'a> {
    One(Box<Follower<'a, 1>>),
    Two(Box<Follower<'a, 2>>),
    Four(Box<Follower<'a, 4>>),
    Six(Box<Follower<'a, 6>>),
}

struct Follower<'a, const W: usize> {
    game: &'a Game<W>,
    it: Situation<W>,
    history: Vec<u64>,
    buffers: Buffers<W>,
}

macro_rules! each {
    ($shadow:expr, $it:ident => $work:expr) => {
        match &mut $shadow.0 {
            Kind::One($it) => $work,
            Kind::Two($it) => $work,
            Kind::Four($it) => $work,
            Kind::Six($it) => $work,
        }
    };
}

impl<'a> Shadow<'a> {
    pub(super) fn new(fast: &'a Fast, state: &State) -> Shadow<'a> {
        Shadow(match &fast.0 {
            Sized::One(game) => Kind::One(Box::new(Follower::new(game, state))),
            Sized::Two(game) => Kind::Two(Box::new(Follower::new(game, state))),
            Sized::Four(game) => Kind::Four(Box::new(Follower::new(game, state))),
            Sized::Six(game) => Kind::Six(Box::new(Follower::new(game, state))),
        })
    }

    /// The legal moves, in no particular order; a chance player's with their multiplicity.
    pub fn moves(&mut self) -> Result<Vec<Move>, Halt> {
        each!(self, it => it.moves())
    }

    /// Plays the move that `state` writes as `text`; `false` if there is none.
    pub fn play(&mut self, state: &State, text: &str) -> bool {
        each!(self, it => it.play(state, text))
    }

    /// How the game ended, a mover without a move included; `None` while it goes on.
    pub fn outcome(&mut self) -> Option<Outcome> {
        each!(self, it => it.outcome())
    }

    /// Whether the situation is the plain state's, outcome included.
    pub fn agrees_with(&mut self, state: &State) -> bool {
        each!(self, it => it.agrees_with(state))
    }
}

impl<'a, const W: usize> Follower<'a, W> {
    fn new(game: &'a Game<W>, state: &State) -> Follower<'a, W> {
        let it = game.situation_of(state);
        Follower { history: vec![game.key(&it)], buffers: game.buffers(), game, it }
    }

    fn moves(&mut self) -> Result<Vec<Move>, Halt> {
        let passes = self.game.generate(&mut self.it, &mut self.buffers);
        if let Some(halt) = self.buffers.halt {
            return Err(halt);
        }
        let mut moves = Vec::new();
        for run in &self.buffers.runs {
            for lane in run.lanes.iter() {
                moves.push(self.game.to_move(&self.it, &self.buffers.arena, run.template, lane));
            }
        }
        moves.extend(passes.then(Move::pass));
        Ok(moves)
    }

    fn outcome(&mut self) -> Option<Outcome> {
        let Follower { game, it, buffers, .. } = self;
        if it.decided.is_some() || game.generate(it, buffers) || !buffers.runs.is_empty() {
            return it.decided;
        }
        let attacked = game.safety.attacked_royals(game, it, &mut buffers.probe);
        Some(game.when_stuck(it, &attacked))
    }

    fn play(&mut self, state: &State, text: &str) -> bool {
        let passes = self.game.generate(&mut self.it, &mut self.buffers);
        if passes && state.move_text(&Move::pass()) == text {
            self.game.pass(&mut self.it, &mut self.history);
            return true;
        }
        let runs = self.buffers.runs.clone();
        for run in runs {
            for lane in run.lanes.iter() {
                let mv = self.game.to_move(&self.it, &self.buffers.arena, run.template, lane);
                if state.move_text(&mv) == text {
                    let Follower { game, it, history, buffers } = self;
                    game.play(it, run.template, lane, history, buffers);
                    return true;
                }
            }
        }
        false
    }

    fn agrees_with(&mut self, state: &State) -> bool {
        let wanted = self.game.situation_of(state);
        let first_owner = self.game.first_owner;
        let it = &self.it;
        it.decided == wanted.decided
            && it.cells == wanted.cells
            && it.sets[0] == wanted.sets[0]
            && it.sets[first_owner..] == wanted.sets[first_owner..]
            && it.hands == wanted.hands
            && it.hash == wanted.hash
            && it.turn == wanted.turn
            && it.going_on == wanted.going_on
            && (it.last_from, it.last_to) == (wanted.last_from, wanted.last_to)
    }
}
