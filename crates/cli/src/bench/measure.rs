//! Random games, measured in processor time.

use std::{
    path::Path,
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use anyhow::{Result, anyhow};
use boardwright_fast::{Fast, Refusal};
use boardwright_play::{MoveList, Rules, SplitMix64, State};
use cpu_time::ThreadTime;

use crate::game;

/// How many random games to play, and how.
#[derive(Clone, Copy)]
pub(super) struct Effort {
    /// Processor time of each thread.
    pub budget: Duration,
    /// The number of games of each thread, instead of a time.
    pub playouts: Option<u64>,
    pub seed: u64,
    pub max_plies: u32,
    pub threads: u16,
}

/// The measured rates, per second of processor time.
pub(super) struct Rates {
    pub playouts: f64,
    pub moves: f64,
    pub mean_plies: f64,
}

/// Rules that are ready to be measured.
pub(super) struct Bench {
    pub rules: Arc<Rules>,
    /// The fast form; `None` if only the plain interpreter is to be used.
    pub fast: Option<Result<Fast, Refusal>>,
    /// The time it took to compile the rules.
    pub compiled: Duration,
    /// The time it took to make the fast form.
    pub specialized: Duration,
}

impl Bench {
    pub fn open(file: &Path, variant: Option<&str>, plain: bool) -> Result<Bench> {
        let opened = Instant::now();
        let rules = game::open(file, variant)?.rules;
        let compiled = opened.elapsed();
        let begun = Instant::now();
        let fast = if plain { None } else { Some(Fast::new(&rules)) };
        Ok(Bench { rules, fast, compiled, specialized: begun.elapsed() })
    }

    pub fn play(&self, effort: Effort) -> Result<Rates> {
        let work = |nth: u64| {
            let seed = effort.seed.wrapping_add(nth);
            match &self.fast {
                Some(Ok(fast)) => {
                    let mut playouts = fast.playouts(seed, effort.max_plies);
                    measure(effort, || playouts.play())
                }
                _ => {
                    let mut random = SplitMix64::new(seed);
                    measure(effort, || plain_playout(&self.rules, &mut random, effort.max_plies))
                }
            }
        };
        let tallies: Vec<ThreadGames> = thread::scope(|scope| {
            let others: Vec<_> =
                (1..u64::from(effort.threads)).map(|nth| scope.spawn(move || work(nth))).collect();
            let own = Ok(work(0));
            let others =
                others.into_iter().map(|it| it.join().map_err(|_| anyhow!("a thread failed")));
            std::iter::once(own).chain(others).collect::<Result<_>>()
        })?;
        let sum = |value: fn(&ThreadGames) -> f64| tallies.iter().map(value).sum::<f64>();
        Ok(Rates {
            playouts: sum(|it| it.games as f64 / it.seconds()),
            moves: sum(|it| it.plies as f64 / it.seconds()),
            mean_plies: sum(|it| it.plies as f64) / sum(|it| it.games as f64).max(1.0),
        })
    }
}

/// The games of one thread.
struct ThreadGames {
    games: u64,
    plies: u64,
    spent: Duration,
}

impl ThreadGames {
    fn seconds(&self) -> f64 {
        self.spent.as_secs_f64().max(1e-9)
    }
}

fn measure(effort: Effort, mut play: impl FnMut() -> u32) -> ThreadGames {
    let begun = ThreadTime::now();
    let (mut games, mut plies) = (0, 0);
    // Reading the clock of a thread takes about as long as a short game.
    let mut n_between_readings = 1;
    let mut last_reading = Duration::ZERO;
    loop {
        let n = match effort.playouts {
            Some(wanted) => wanted,
            None => n_between_readings,
        };
        for _ in 0..n {
            plies += u64::from(play());
        }
        games += n;
        let spent = begun.elapsed();
        if spent >= effort.budget || effort.playouts.is_some() {
            return ThreadGames { games, plies, spent };
        }
        if spent - last_reading < Duration::from_millis(2) {
            n_between_readings *= 2;
        }
        last_reading = spent;
    }
}

fn plain_playout(rules: &Arc<Rules>, random: &mut SplitMix64, max_plies: u32) -> u32 {
    let mut state = State::start_of(Arc::clone(rules));
    let mut list = MoveList::new();
    for ply in 0..max_plies {
        if state.generate(&mut list).is_err() || list.is_empty() {
            return ply;
        }
        let idx = random.below(list.len());
        let Some(mv) = list.get(idx).cloned() else { return ply };
        if state.play_unchecked(&mv).is_err() {
            return ply;
        }
    }
    max_plies
}
