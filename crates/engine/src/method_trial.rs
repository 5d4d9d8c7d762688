//! A trial: quick games of one search method against the other, to see which suits a game.
//!
//! For most games the rules settle the method: alpha-beta where there is a royal piece,
//! playouts where a chain or chance decides. For the rest they only suggest one. A trial plays
//! the two methods against each other; the suggested one stays unless the other is clearly
//! better.
//!
//! Both get the number of nodes that they search in the same time. Speed is measured before
//! the games, so that load on the machine favours neither, and along a whole game, since
//! playouts are longest at the start.

use std::{sync::Arc, time::Duration};

use boardwright_play::SplitMix64;
use boardwright_rules::{GameRules, GameState};

use crate::{
    engine::{Engine, EngineSettings, Method},
    language,
    limits::{SearchLimits, StopFlag},
};

/// Most games of a trial; the players swap sides after each.
const GAMES: u64 = 12;
/// Half points that the other method needs, of two per game.
const NEEDED: u64 = 17;
/// Time whose nodes a move may search.
const PER_MOVE: Duration = Duration::from_millis(6);
/// Time of one measurement of speed.
const MEASUREMENT: Duration = Duration::from_millis(2);
/// Measurements per state; the fastest counts, since others may have been disturbed.
const REPEATS: usize = 3;
/// Plies between two measured states.
const STRIDE: u64 = 8;
/// Most measured states.
const MOST_MEASURED: usize = 12;
/// Plies (partial moves counted) after which a game counts as drawn.
const LONGEST: u64 = 300;
/// Random plies at the start of each game.
const RANDOM_PLIES: u64 = 4;
/// Time after which a trial is given up and the suggested method stays.
const TIME_LIMIT: Duration = Duration::from_secs(5);

/// A match between the two search methods.
pub struct MethodTrial {
    rules: Arc<GameRules>,
    /// The suggested method and the other, each with the nodes per move: at the start and after
    /// each [`STRIDE`] plies.
    sides: [(Engine, Vec<u64>); 2],
    time_limit: Duration,
    deadline: Duration,
}

impl MethodTrial {
    /// A trial for these rules; `None` where they settle the method.
    pub fn new(rules: &Arc<GameRules>) -> Option<MethodTrial> {
        let profile = language::profile(rules);
        if !profile.has_doubtful_method() {
            return None;
        }
        let suggested = profile.method();
        let other = match suggested {
            Method::Search => Method::Playouts,
            _ => Method::Search,
        };
        let sides = [suggested, other].map(|method| {
            let settings = EngineSettings { method, memory: 4 << 20, ..EngineSettings::default() };
            (Engine::new(Arc::clone(rules), settings), Vec::new())
        });
        let rules = Arc::clone(rules);
        Some(MethodTrial { rules, sides, time_limit: TIME_LIMIT, deadline: Duration::ZERO })
    }

    /// The same with another time limit than five seconds.
    pub fn within(self, time_limit: Duration) -> MethodTrial {
        MethodTrial { time_limit, ..self }
    }

    /// Runs the trial; gives the better method, or `None` if it was stopped.
    pub fn run(mut self, stop: &StopFlag) -> Option<Method> {
        self.deadline = (self.sides[0].0.settings().now)() + self.time_limit;
        self.measure(stop);
        // Half points of the other method, and those it can still get.
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

    /// Measures how many nodes each method searches in the time for a move, along a random
    /// game.
    fn measure(&mut self, stop: &StopFlag) {
        let mut rng = SplitMix64::new(GAMES);
        let Ok(mut state) = self.rules.start(0) else { return };
        for _ in 0..MOST_MEASURED {
            for (engine, all) in &mut self.sides {
                let fits = (0..REPEATS).map(|_| {
                    engine.new_game();
                    let report =
                        engine.think(&state, &SearchLimits::time(MEASUREMENT), stop, &mut |_| {});
                    let time = report.time.max(Duration::from_micros(1));
                    // A search that ended early gives no usable speed.
                    let fits = u128::from(report.nodes) * PER_MOVE.as_nanos() / time.as_nanos();
                    if time < MEASUREMENT / 2 { 0 } else { fits as u64 }
                });
                let before = all.last().copied().unwrap_or(1);
                all.push(fits.max().filter(|&it| it > 0).unwrap_or(before));
            }
            let is_late = (self.sides[0].0.settings().now)() >= self.deadline;
            if is_late || stop.is_stopped() || !play_random(&mut state, STRIDE, &mut rng) {
                return;
            }
        }
    }

    /// Plays a game; gives the half points of the other method, or `None` if time ran out.
    fn play(&mut self, number: u64, stop: &StopFlag) -> Option<u64> {
        let mut rng = SplitMix64::new(number / 2);
        let mut state = self.rules.start(0).ok()?;
        for (engine, _) in &mut self.sides {
            engine.new_game();
            engine.set_settings(EngineSettings { seed: number, ..engine.settings().clone() });
        }
        let [first, second] = *self.sides[0].0.movers() else { return Some(1) };
        let other = if number.is_multiple_of(2) { second } else { first };
        play_random(&mut state, RANDOM_PLIES, &mut rng);
        for ply in RANDOM_PLIES..LONGEST {
            let Ok(legal) = state.legal_moves() else { break };
            match &legal.outcome {
                None => {}
                Some(it) if it.winners.contains(&other) => return Some(2),
                Some(it) if it.losers.contains(&other) => return Some(0),
                Some(_) => break,
            }
            let side = usize::from(state.mover() == Some(other));
            let (engine, all) = &mut self.sides[side];
            let nodes = all[(ply / STRIDE).min(all.len() as u64 - 1) as usize];
            let left = self.deadline.saturating_sub((engine.settings().now)());
            if left.is_zero() {
                return None;
            }
            let limits = SearchLimits { time: Some(left), ..SearchLimits::nodes(nodes) };
            let mv = engine.think_among(&state, &legal, &limits, stop, &mut |_| {}).best;
            if stop.is_stopped() {
                return None;
            }
            let Some(mv) = mv else { break };
            if state.replay(&mv).is_err() {
                break;
            }
        }
        Some(1)
    }
}

/// Plays random moves; false if the game ended.
fn play_random(state: &mut GameState, n_moves: u64, rng: &mut SplitMix64) -> bool {
    for left in (0..=n_moves).rev() {
        let Ok(legal) = state.legal_moves() else { return false };
        if legal.outcome.is_some() {
            return false;
        }
        if left == 0 {
            break;
        }
        let Some(mv) = legal.drawn(rng) else { return false };
        if state.replay(&mv).is_err() {
            return false;
        }
    }
    true
}
