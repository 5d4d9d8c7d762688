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
        let whole = match (limits.nodes, limits.for_move()) {
            (Some(it), _) => it as f64,
            (None, Some(time)) => {
                let rate = self.rate(state, method, n_moves, (time / 8).min(LOOK), stop);
                time.as_secs_f64() * rate as f64
            }
            (None, None) => levels::NOMINAL,
        };
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
        let best = Settings { level: levels::BEST, variety: 0, lines: 1, ..self.settings.clone() };
        let settings = std::mem::replace(&mut self.settings, best);
        let control = Control::new(&Limits::time(look), stop, settings.now);
        match method {
            Method::Puzzle => {}
            Method::Playouts => drop(self.play_out(state, n_moves, &control, &mut |_| {})),
            _ => drop(self.search(state, n_moves, &control, &mut |_| {})),
        }
        self.settings = settings;
        self.kept = None;
        // What was over at once tells nothing.
        match control.nodes() {
            0 => levels::NOMINAL as u64,
            _ if control.elapsed() < look / 2 => levels::NOMINAL as u64,
            _ => self.note_rate(method, &control),
        }
    }

    /// Learns how fast thinking was, if it took long enough to tell.
    pub(super) fn learn_rate(&mut self, method: Method, control: &Control<'_>) {
        if control.elapsed() > LOOK {
            self.note_rate(method, control);
        }
    }

    fn note_rate(&mut self, method: Method, control: &Control<'_>) -> u64 {
        let rate = control.nodes() as f64 / control.elapsed().as_secs_f64();
        let rate = (rate as u64).max(1);
        let rate = rate & (!0 << rate.ilog2().saturating_sub(2));
        self.rate = Some(((method, self.settings.threads), rate));
        rate
    }
}
