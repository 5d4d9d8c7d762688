//! A game played in the fast form: beside a plain one, or by itself to count.

use boardwright_play::{Halt, Move, Outcome, State};

use crate::{
    Fast, Sized,
    game::{FastGame, FastState, GenBuffers},
};

/// A state in the fast form, with the history that led to it.
pub struct Shadow<'a>(Width<'a>);

enum Width<'a> {
    One(Box<Follower<'a, 1>>),
    Two(Box<Follower<'a, 2>>),
    Four(Box<Follower<'a, 4>>),
    Six(Box<Follower<'a, 6>>),
}

struct Follower<'a, const W: usize> {
    game: &'a FastGame<W>,
    it: FastState<W>,
    history: Vec<u64>,
    buffers: GenBuffers<W>,
    /// GenBuffers for counting, by how many moves are left.
    counting: Vec<GenBuffers<W>>,
}

impl Clone for Shadow<'_> {
    fn clone(&self) -> Self {
        Shadow(match &self.0 {
            Width::One(it) => Width::One(it.clone()),
            Width::Two(it) => Width::Two(it.clone()),
            Width::Four(it) => Width::Four(it.clone()),
            Width::Six(it) => Width::Six(it.clone()),
        })
    }

    /// Keeps the buffers, which are most of the work.
    fn clone_from(&mut self, other: &Self) {
        match (&mut self.0, &other.0) {
            (Width::One(it), Width::One(other)) => it.clone_from(other),
            (Width::Two(it), Width::Two(other)) => it.clone_from(other),
            (Width::Four(it), Width::Four(other)) => it.clone_from(other),
            (Width::Six(it), Width::Six(other)) => it.clone_from(other),
            _ => *self = other.clone(),
        }
    }
}

impl<const W: usize> Clone for Follower<'_, W> {
    fn clone(&self) -> Self {
        // GenBuffers hold nothing that outlives a call.
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
type LaneChoice = Option<(u32, usize)>;

macro_rules! each {
    ($shadow:expr, $it:ident => $work:expr) => {
        match &mut $shadow.0 {
            Width::One($it) => $work,
            Width::Two($it) => $work,
            Width::Four($it) => $work,
            Width::Six($it) => $work,
        }
    };
}

impl<'a> Shadow<'a> {
    pub(super) fn new(fast: &'a Fast, state: &State) -> Shadow<'a> {
        Shadow(match &fast.0 {
            Sized::One(game) => Width::One(Box::new(Follower::new(game, state))),
            Sized::Two(game) => Width::Two(Box::new(Follower::new(game, state))),
            Sized::Four(game) => Width::Four(Box::new(Follower::new(game, state))),
            Sized::Six(game) => Width::Six(Box::new(Follower::new(game, state))),
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

    /// The different moves as `state`, the same state, writes them; in the order of
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

    /// Whether the state is the plain state's, outcome included.
    pub fn agrees_with(&mut self, state: &State) -> bool {
        each!(self, it => it.agrees_with(state))
    }
}

impl<'a, const W: usize> Follower<'a, W> {
    fn new(game: &'a FastGame<W>, state: &State) -> Follower<'a, W> {
        let it = game.fast_state_of(state);
        let history = vec![game.key(&it)];
        Follower { history, buffers: game.buffers(), counting: Vec::new(), game, it }
    }

    /// The moves as templates and lanes, `None` a pass; `once` leaves out the equal ones
    /// of a chance player.
    fn choices(&mut self, once: bool) -> Result<Vec<LaneChoice>, Halt> {
        self.buffers.counts_once = once;
        let passes = self.game.generate(&mut self.it, &mut self.buffers);
        if let Some(halt) = self.buffers.halt {
            return Err(halt);
        }
        let runs = self.buffers.runs.iter();
        let walks = runs.flat_map(|&run| self.game.each_of(run).map(Some));
        Ok(walks.chain(passes.then_some(None)).collect())
    }

    fn to_move(&self, choice: LaneChoice) -> Move {
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
    fn make(&mut self, choice: LaneChoice) -> Result<(), Halt> {
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
        let wanted = self.game.fast_state_of(state);
        let first_owner = self.game.pieces.first_owner;
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
