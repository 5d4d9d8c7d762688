//! A game played in the fast form: beside a plain one, or by itself to count.

use boardwright_play::{Halt, Move, Outcome, State};

use crate::{
    Fast, Sized,
    game::{Buffers, Game, Situation},
};

/// A situation in the fast form, with the history that led to it.
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
    /// Buffers for counting, by how many moves are left.
    counting: Vec<Buffers<W>>,
}

impl Clone for Shadow<'_> {
    fn clone(&self) -> Self {
        Shadow(match &self.0 {
            Kind::One(it) => Kind::One(it.clone()),
            Kind::Two(it) => Kind::Two(it.clone()),
            Kind::Four(it) => Kind::Four(it.clone()),
            Kind::Six(it) => Kind::Six(it.clone()),
        })
    }

    /// Keeps the buffers, which are most of the work.
    fn clone_from(&mut self, other: &Self) {
        match (&mut self.0, &other.0) {
            (Kind::One(it), Kind::One(other)) => it.clone_from(other),
            (Kind::Two(it), Kind::Two(other)) => it.clone_from(other),
            (Kind::Four(it), Kind::Four(other)) => it.clone_from(other),
            (Kind::Six(it), Kind::Six(other)) => it.clone_from(other),
            _ => *self = other.clone(),
        }
    }
}

impl<const W: usize> Clone for Follower<'_, W> {
    fn clone(&self) -> Self {
        // Buffers hold nothing that outlives a call.
        Follower {
            game: self.game,
            it: self.it.clone(),
            history: self.history.clone(),
            buffers: self.game.buffers(),
            counting: Vec::new(),
        }
    }

    fn clone_from(&mut self, other: &Self) {
        if !std::ptr::eq(self.game, other.game) {
            *self = other.clone();
            return;
        }
        self.it.clone_from(&other.it);
        self.history.clone_from(&other.history);
    }
}

/// A template and a lane; `None` is a pass.
type Choice = Option<(u32, usize)>;

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

    /// How many different moves there are.
    pub fn n_moves(&mut self) -> Result<usize, Halt> {
        each!(self, it => it.choices(true).map(|it| it.len()))
    }

    /// The different moves as `state`, the same situation, writes them; in the order of
    /// [`Shadow::play_nth`].
    pub fn texts(&mut self, state: &State) -> Result<Vec<String>, Halt> {
        each!(self, it => it.texts(state))
    }

    /// Plays the move with this number among the different ones; `false` if there is none.
    pub fn play_nth(&mut self, n: usize) -> Result<bool, Halt> {
        each!(self, it => it.play_nth(n))
    }

    /// Whether the mover has begun a chain of partial moves.
    pub fn is_going_on(&mut self) -> bool {
        each!(self, it => it.it.going_on.is_some())
    }

    /// Counts the lines of play of a length from here; `bulk` counts the last ply
    /// without making it.
    pub fn perft(&mut self, depth: u32, bulk: bool) -> Result<u64, Halt> {
        each!(self, it => {
            let Follower { game, it, history, counting, .. } = &mut **it;
            let n_history = history.len();
            let count = game.count_from(it, history, depth, bulk, counting);
            history.truncate(n_history);
            count
        })
    }

    /// The same with a chain of partial moves counted as one.
    pub fn perft_turns(&mut self, depth: u32) -> Result<u64, Halt> {
        each!(self, it => {
            let Follower { game, it, history, counting, .. } = &mut **it;
            let n_history = history.len();
            let count = game.count_turns(it, history, counting, depth, 0);
            history.truncate(n_history);
            count
        })
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
        let history = vec![game.key(&it)];
        Follower { history, buffers: game.buffers(), counting: Vec::new(), game, it }
    }

    /// The moves as templates and lanes, `None` a pass; `once` leaves out the equal ones
    /// of a chance player.
    fn choices(&mut self, once: bool) -> Result<Vec<Choice>, Halt> {
        self.buffers.counts_once = once;
        let passes = self.game.generate(&mut self.it, &mut self.buffers);
        if let Some(halt) = self.buffers.halt {
            return Err(halt);
        }
        let runs = self.buffers.runs.iter();
        let walks = runs.flat_map(|&run| self.game.each_of(run).map(Some));
        Ok(walks.chain(passes.then_some(None)).collect())
    }

    fn to_move(&self, choice: Choice) -> Move {
        let Follower { game, it, buffers, .. } = self;
        choice.map_or_else(Move::pass, |(id, lane)| game.to_move(it, &buffers.arena, id, lane))
    }

    fn moves(&mut self) -> Result<Vec<Move>, Halt> {
        Ok(self.choices(false)?.into_iter().map(|it| self.to_move(it)).collect())
    }

    fn texts(&mut self, state: &State) -> Result<Vec<String>, Halt> {
        let choices = self.choices(true)?.into_iter();
        Ok(choices.map(|it| state.move_text(&self.to_move(it))).collect())
    }

    fn play_nth(&mut self, n: usize) -> Result<bool, Halt> {
        match self.choices(true)?.get(n) {
            Some(&choice) => self.make(choice).map(|()| true),
            None => Ok(false),
        }
    }

    /// Plays one of the choices that were found last.
    fn make(&mut self, choice: Choice) -> Result<(), Halt> {
        let Follower { game, it, history, buffers, .. } = self;
        match choice {
            Some((id, lane)) => game.play(it, id, lane, history, buffers),
            None => game.pass(it, history),
        }
        buffers.halt.map_or(Ok(()), Err)
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
        let Ok(choices) = self.choices(true) else { return false };
        let found = choices.into_iter().find(|&it| state.move_text(&self.to_move(it)) == text);
        found.is_some_and(|it| self.make(it).is_ok())
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
