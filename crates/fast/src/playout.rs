//! Random games and counting, the two measures of speed.

use boardwright_play::{Halt, SplitMix64, State};

use crate::{
    Fast, Sized,
    game::{FastGame, FastState, GenBuffers},
};

/// Plays random games, one after the other.
pub struct Playouts<'a>(Width<'a>);

enum Width<'a> {
    One(Box<PlayoutRunner<'a, 1>>),
    Two(Box<PlayoutRunner<'a, 2>>),
    Four(Box<PlayoutRunner<'a, 4>>),
    Six(Box<PlayoutRunner<'a, 6>>),
}

struct PlayoutRunner<'a, const W: usize> {
    game: &'a FastGame<W>,
    start: FastState<W>,
    it: FastState<W>,
    buffers: GenBuffers<W>,
    history: Vec<u64>,
    random: SplitMix64,
    max_plies: u32,
}

impl<'a> Playouts<'a> {
    pub(super) fn new(fast: &'a Fast, seed: u64, max_plies: u32) -> Playouts<'a> {
        Playouts(match &fast.0 {
            Sized::One(game) => Width::One(Box::new(PlayoutRunner::new(game, seed, max_plies))),
            Sized::Two(game) => Width::Two(Box::new(PlayoutRunner::new(game, seed, max_plies))),
            Sized::Four(game) => Width::Four(Box::new(PlayoutRunner::new(game, seed, max_plies))),
            Sized::Six(game) => Width::Six(Box::new(PlayoutRunner::new(game, seed, max_plies))),
        })
    }

    /// Plays one game and says how many moves it had.
    pub fn play(&mut self) -> u32 {
        match &mut self.0 {
            Width::One(it) => it.play(),
            Width::Two(it) => it.play(),
            Width::Four(it) => it.play(),
            Width::Six(it) => it.play(),
        }
    }
}

impl<'a, const W: usize> PlayoutRunner<'a, W> {
    fn new(game: &'a FastGame<W>, seed: u64, max_plies: u32) -> PlayoutRunner<'a, W> {
        let start = game.fast_state_of(&State::start_of(std::sync::Arc::clone(&game.rules)));
        PlayoutRunner {
            it: start.clone(),
            start,
            buffers: game.buffers(),
            history: Vec::with_capacity(512),
            random: SplitMix64::new(seed),
            game,
            max_plies,
        }
    }

    fn play(&mut self) -> u32 {
        let game = self.game;
        game.copy(&mut self.it, &self.start);
        self.buffers.begin();
        self.history.clear();
        self.history.push(game.key(&self.it));
        for ply in 0..self.max_plies {
            let passes = game.generate_next(&mut self.it, &mut self.buffers);
            let n_moves: u32 = self.buffers.runs.iter().map(|it| it.lanes.count()).sum();
            let n = n_moves + u32::from(passes);
            if n == 0 {
                return ply;
            }
            let mut pick = self.random.below(n as usize) as u32;
            if pick == n_moves {
                game.pass(&mut self.it, &mut self.history);
                continue;
            }
            let mut chosen = (0, 0);
            for run in &self.buffers.runs {
                let count = run.lanes.count();
                if pick < count {
                    chosen = game.one_of(run, run.lanes.nth(pick));
                    break;
                }
                pick -= count;
            }
            game.play(&mut self.it, chosen.0, chosen.1, &mut self.history, &mut self.buffers);
            if self.buffers.halt.is_some() {
                return ply;
            }
        }
        self.max_plies
    }
}

impl<const W: usize> FastGame<W> {
    /// The key by which repetition knows a state.
    pub fn key(&self, it: &FastState<W>) -> u64 {
        it.hash.wrapping_add(u64::from(it.turn).wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    pub fn perft(&self, state: &State, depth: u32, bulk: bool) -> Result<u64, Halt> {
        let it = self.fast_state_of(state);
        let mut history = vec![self.key(&it)];
        self.count_from(&it, &mut history, depth, bulk, &mut Vec::new())
    }

    /// Counts the lines of play from a state that this history led to; buffers are
    /// made where there are too few.
    pub fn count_from(
        &self,
        it: &FastState<W>,
        history: &mut Vec<u64>,
        depth: u32,
        bulk: bool,
        buffers: &mut Vec<GenBuffers<W>>,
    ) -> Result<u64, Halt> {
        while buffers.len() <= depth as usize {
            buffers.push(GenBuffers { counts_once: true, ..self.buffers() });
        }
        self.count_lines(&mut it.clone(), depth, bulk, buffers, history)
    }

    /// Counts lines in which a chain of partial moves is one; `chain` is how many partial
    /// moves of the present turn were made, `spare` holds buffers that are not in use.
    pub fn count_turns(
        &self,
        it: &mut FastState<W>,
        history: &mut Vec<u64>,
        spare: &mut Vec<GenBuffers<W>>,
        depth: u32,
        chain: usize,
    ) -> Result<u64, Halt> {
        if depth == 0 {
            return Ok(1);
        }
        if chain > Halt::CHAIN_LENGTH {
            return Err(Halt::TooManyChains);
        }
        let fresh = || GenBuffers { counts_once: true, ..self.buffers() };
        let mut mine = spare.pop().unwrap_or_else(fresh);
        let passes = self.generate(it, &mut mine);
        if let Some(halt) = mine.halt {
            return Err(halt);
        }
        let n_moves: u64 = mine.runs.iter().map(|it| u64::from(it.lanes.count())).sum();
        let mut all = mine.runs.iter().flat_map(|&run| self.each_of(run).take(1));
        if depth == 1 && all.all(|(id, _)| !self.is_partial(&mine.arena, id)) {
            spare.push(mine);
            return Ok(n_moves + u64::from(passes));
        }
        let runs = mine.runs.iter();
        let choices = runs.flat_map(|&run| self.each_of(run));
        let n_history = history.len();
        let mut total = 0;
        for choice in choices.map(Some).chain(passes.then_some(None)) {
            let mut next = it.clone();
            match choice {
                Some((id, lane)) => {
                    let goes_on =
                        self.make(&mut next, &mine.arena, id, lane, history, &mut mine.finder);
                    let mut buffers = spare.pop().unwrap_or_else(fresh);
                    self.finish(&mut next, goes_on, history, &mut buffers);
                    if let Some(halt) = buffers.halt {
                        return Err(halt);
                    }
                    spare.push(buffers);
                }
                None => self.pass(&mut next, history),
            }
            total += match next.going_on {
                Some(_) => self.count_turns(&mut next, history, spare, depth, chain + 1)?,
                None => self.count_turns(&mut next, history, spare, depth - 1, 0)?,
            };
            history.truncate(n_history);
        }
        spare.push(mine);
        Ok(total)
    }

    fn count_lines(
        &self,
        it: &mut FastState<W>,
        depth: u32,
        bulk: bool,
        buffers: &mut [GenBuffers<W>],
        history: &mut Vec<u64>,
    ) -> Result<u64, Halt> {
        if depth == 0 {
            return Ok(1);
        }
        let Some((mine, rest)) = buffers.split_first_mut() else { return Ok(0) };
        let passes = self.generate(it, mine);
        if let Some(halt) = mine.halt {
            return Err(halt);
        }
        let n_moves: u64 = mine.runs.iter().map(|it| u64::from(it.lanes.count())).sum();
        if depth == 1 && bulk {
            return Ok(n_moves + u64::from(passes));
        }
        let mut total = 0;
        let n_history = history.len();
        let mut next = it.clone();
        for run in &mine.runs {
            for (id, lane) in self.each_of(*run) {
                if depth == 1 && self.make_and_undo(it, id, lane) {
                    total += 1;
                    continue;
                }
                self.copy(&mut next, it);
                let goes_on =
                    self.make(&mut next, &mine.arena, id, lane, history, &mut mine.finder);
                self.finish(&mut next, goes_on, history, &mut rest[0]);
                if let Some(halt) = rest[0].halt {
                    return Err(halt);
                }
                total += match depth {
                    1 => 1,
                    _ => self.count_lines(&mut next, depth - 1, bulk, rest, history)?,
                };
                history.truncate(n_history);
            }
        }
        if passes {
            self.copy(&mut next, it);
            self.pass(&mut next, history);
            total += self.count_lines(&mut next, depth - 1, bulk, rest, history)?;
            history.truncate(n_history);
        }
        Ok(total)
    }
}
