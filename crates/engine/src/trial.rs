//! Which way of looking for moves suits a game, found by quick games of one against the other.
//!
//! The rules tell it of most games: whoever has a royal piece looks ahead, a chain shows when
//! it is there, chance wants an average. Of the rest they only make it likely. A trial plays
//! the two ways against each other, and what the rules suggest stays unless the other way is
//! clearly better.
//!
//! Both get as many states as they look at in the same time. That time is measured before and
//! not while they play, so that a busy machine does not decide for one of them; and not at the
//! start alone, since random games are longest there.

use std::{sync::Arc, time::Duration};

use boardwright_play::{Rules, SplitMix64, State};

use crate::{
    engine::{Engine, Method, Settings},
    limits::{Limits, Stop},
    profile::Profile,
};

/// Games of a trial, at most; seats are exchanged after each.
const GAMES: u64 = 12;
/// Half points that the other way needs, of two for each game.
const NEEDED: u64 = 17;
/// What a move may take, about.
const PER_MOVE: Duration = Duration::from_millis(6);
/// A measurement takes so long, and is done so often; the best counts, since others were
/// disturbed.
const PER_LOOK: Duration = Duration::from_millis(2);
const REPEATS: usize = 3;
/// Moves between two measurements, and how many of them there are at most.
const STRIDE: u64 = 8;
const MOST_LOOKS: usize = 12;
/// Longer games count as drawn. Where a turn has two parts each of them counts.
const LONGEST: u64 = 300;
/// Moves by lot at the beginning.
const BY_LOT: u64 = 4;
/// Rules that are so slow that a trial takes longer are played as they suggest.
const PATIENCE: Duration = Duration::from_secs(5);

/// A contest between the two ways of looking for moves.
pub struct Trial {
    rules: Arc<Rules>,
    /// The way that the rules suggest, and the other, with the states for a move: at the
    /// start, after some moves, after twice as many, and so on.
    sides: [(Engine, Vec<u64>); 2],
    patience: Duration,
    ends: Duration,
}

impl Trial {
    /// A trial for these rules; `None` where they leave no doubt.
    pub fn new(rules: &Arc<Rules>) -> Option<Trial> {
        let profile = Profile::new(&rules.ruleset);
        if !profile.is_doubtful() {
            return None;
        }
        let suggested = profile.method();
        let other = match suggested {
            Method::Search => Method::Playouts,
            _ => Method::Search,
        };
        let sides = [suggested, other].map(|method| {
            let settings = Settings { method, memory: 4 << 20, ..Settings::default() };
            (Engine::new(Arc::clone(rules), settings), Vec::new())
        });
        let rules = Arc::clone(rules);
        Some(Trial { rules, sides, patience: PATIENCE, ends: Duration::ZERO })
    }

    /// The same with another time to give up after; it is five seconds otherwise.
    pub fn within(self, patience: Duration) -> Trial {
        Trial { patience, ..self }
    }

    /// Plays it out: the better way, or `None` if it was stopped.
    pub fn run(mut self, stop: &Stop) -> Option<Method> {
        self.ends = (self.sides[0].0.settings().now)() + self.patience;
        self.measure(stop);
        // Half points of the other way, and those that it can still get.
        let (mut gained, mut left) = (0, GAMES * 2);
        for number in 0..GAMES {
            if gained >= NEEDED || gained + left < NEEDED {
                break;
            }
            match self.play(number, stop) {
                Some(it) => gained += it,
                None if stop.is_stopped() => return None,
                None => break,
            }
            left -= 2;
        }
        let [suggested, other] = self.sides.map(|(it, _)| it.method());
        Some(if gained >= NEEDED { other } else { suggested })
    }

    /// Finds out how many states each way looks at in the time for a move, along a game by lot.
    fn measure(&mut self, stop: &Stop) {
        let mut rng = SplitMix64::new(GAMES);
        let mut state = State::start_of(Arc::clone(&self.rules));
        for _ in 0..MOST_LOOKS {
            for (engine, all) in &mut self.sides {
                let fits = (0..REPEATS).map(|_| {
                    engine.forget();
                    let report = engine.think(&state, &Limits::time(PER_LOOK), stop, &mut |_| {});
                    let time = report.time.max(Duration::from_micros(1));
                    // What was over at once tells nothing.
                    let fits = u128::from(report.nodes) * PER_MOVE.as_nanos() / time.as_nanos();
                    if time < PER_LOOK / 2 { 0 } else { fits as u64 }
                });
                let before = all.last().copied().unwrap_or(1);
                all.push(fits.max().filter(|&it| it > 0).unwrap_or(before));
            }
            let is_late = (self.sides[0].0.settings().now)() >= self.ends;
            if is_late || stop.is_stopped() || !by_lot(&mut state, STRIDE, &mut rng) {
                return;
            }
        }
    }

    /// Plays a game: the half points of the other way, or `None` if it took too long.
    fn play(&mut self, number: u64, stop: &Stop) -> Option<u64> {
        let mut rng = SplitMix64::new(number / 2);
        let mut state = State::start_of(Arc::clone(&self.rules));
        for (engine, _) in &mut self.sides {
            engine.forget();
            engine.set(Settings { seed: number, ..engine.settings().clone() });
        }
        let [first, second] = *self.sides[0].0.movers() else { return Some(1) };
        let other = if number.is_multiple_of(2) { second } else { first };
        by_lot(&mut state, BY_LOT, &mut rng);
        for ply in BY_LOT..LONGEST {
            let Ok(list) = state.legal_moves() else { break };
            match state.outcome_given(&list) {
                Ok(None) => {}
                Ok(Some(it)) if it.is_won_by(other) => return Some(2),
                Ok(Some(it)) if it.is_lost_by(other) => return Some(0),
                _ => break,
            }
            let side = usize::from(state.mover() == Some(other));
            let (engine, all) = &mut self.sides[side];
            let nodes = all[(ply / STRIDE).min(all.len() as u64 - 1) as usize];
            let left = self.ends.saturating_sub((engine.settings().now)());
            if left.is_zero() {
                return None;
            }
            let limits = Limits { time: Some(left), ..Limits::nodes(nodes) };
            let mv = engine.think(&state, &limits, stop, &mut |_| {}).best;
            if stop.is_stopped() {
                return None;
            }
            let Some(mv) = mv else { break };
            if state.play_unchecked(&mv).is_err() {
                break;
            }
        }
        Some(1)
    }
}

/// Plays so many moves by lot; says whether the game goes on then.
fn by_lot(state: &mut State, n_moves: u64, rng: &mut SplitMix64) -> bool {
    for left in (0..=n_moves).rev() {
        let Ok(list) = state.legal_moves() else { return false };
        if !matches!(state.outcome_given(&list), Ok(None)) {
            return false;
        }
        if left == 0 {
            break;
        }
        let ticket = rng.below(list.total_weight() as usize) as u64;
        let Some(mv) = list.drawn(ticket).cloned() else { return false };
        if state.play_unchecked(&mv).is_err() {
            return false;
        }
    }
    true
}
