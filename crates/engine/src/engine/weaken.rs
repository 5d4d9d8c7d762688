//! What a level leaves of the limits, and how many states time is worth.

use std::time::Duration;

use boardwright_play::State;

use super::{Engine, Method, Settings};
use crate::{
    levels,
    limits::{Control, Limits, Stop},
};

/// How long a look takes that finds out how fast thinking is.
const LOOK: Duration = Duration::from_millis(25);
/// More states than anybody looks at in that time.
const MOST_STATES: u64 = 500_000;

impl Engine {
    /// The limits that the level leaves of those that were given.
    pub(super) fn weakened(
        &mut self,
        state: &State,
        limits: &Limits,
        method: Method,
        n_moves: usize,
        stop: &Stop,
    ) -> Limits {
        if self.settings.level >= levels::BEST {
            return limits.clone();
        }
        let states = limits.nodes.map(|it| it as f64);
        let by_time = limits.for_move().map(|time| {
            let most = limits.clock.map_or(LOOK, |it| it.left / 64);
            let rate = self.rate(state, method, n_moves, (time / 8).min(LOOK).min(most), stop);
            time.as_secs_f64() * rate as f64
        });
        let whole = states.into_iter().chain(by_time).reduce(f64::min).unwrap_or(levels::NOMINAL);
        let scene = self.scene(n_moves);
        levels::limits(limits, &self.settings, method, scene, whole, state.hash())
    }

    /// How many states, or random games, a second it comes to: found out by a look at the state
    /// where that is first asked.
    ///
    /// A round number, so that it is the same from one time to the next, as a rule.
    fn rate(
        &mut self,
        state: &State,
        method: Method,
        n_moves: usize,
        look: Duration,
        stop: &Stop,
    ) -> u64 {
        let threads = self.settings.threads;
        if let Some((_, rate)) = self.rate.filter(|&(of, _)| of == (method, threads)) {
            return rate;
        }
        self.rate = None;
        let best = Settings { level: levels::BEST, variety: 0, lines: 1, ..self.settings.clone() };
        let settings = std::mem::replace(&mut self.settings, best);
        let kept = self.kept.take();
        // The better of two, since a look may be disturbed.
        let limits = Limits { nodes: Some(MOST_STATES), ..Limits::time(look / 2) };
        for _ in 0..2 {
            let control = Control::new(&limits, stop, settings.now);
            match method {
                Method::Puzzle => {}
                Method::Playouts => drop(self.play_out(state, n_moves, &control, &mut |_| {})),
                _ => drop(self.search(state, n_moves, &control, &mut |_| {})),
            }
            self.kept = None;
            // What was over at once tells nothing.
            if control.nodes() > 0 && control.elapsed() >= look / 4 {
                let before = self.rate.take().map_or(0, |(_, rate)| rate);
                let rate = before.max(rate(control.nodes(), control.elapsed()));
                self.rate = Some(((method, threads), rate));
            }
        }
        self.settings = settings;
        self.kept = kept;
        self.rate.map_or(levels::NOMINAL as u64, |(_, rate)| rate)
    }

    /// Learns how fast thinking was, if it took long enough to tell.
    pub(super) fn learn_rate(&mut self, method: Method, nodes: u64, time: Duration) {
        if time > LOOK {
            self.rate = Some(((method, self.settings.threads), rate(nodes, time)));
        }
    }
}

/// States a second, rounded to a quarter of a power of two.
fn rate(nodes: u64, time: Duration) -> u64 {
    let rate = nodes as f64 / time.as_secs_f64().max(1e-6);
    let rate = (rate as u64).max(1);
    rate & (!0 << rate.ilog2().saturating_sub(2))
}
