//! The limits of a level, and the measurement of speed that they need.

use std::time::Duration;

use boardwright_rules::{GameState, LegalMoves};

use super::{Engine, EngineSettings, Method};
use crate::{
    levels::{self, LevelBudget},
    limits::{SearchLimits, StopFlag},
};

/// Longest measurement of speed.
const MEASUREMENT: Duration = Duration::from_millis(25);
/// Most nodes of a measurement; more than any machine searches in that time.
const MOST_NODES: u64 = 500_000;

impl Engine {
    /// The limits of the level within those given.
    pub(super) fn level_limits(
        &mut self,
        state: &GameState,
        limits: &SearchLimits,
        method: Method,
        legal: &LegalMoves,
        stop: &StopFlag,
    ) -> SearchLimits {
        if self.settings.level >= levels::BEST_LEVEL {
            return limits.clone();
        }
        let by_nodes = limits.nodes.map(|it| it as f64);
        let by_time = limits.move_time().map(|time| {
            let most = limits.clock.map_or(MEASUREMENT, |it| it.left / 64);
            let measurement = (time / 8).min(MEASUREMENT).min(most);
            let speed = self.speed(state, method, legal, measurement, stop);
            time.as_secs_f64() * speed as f64
        });
        let full_nodes = by_nodes.into_iter().chain(by_time).reduce(f64::min);
        let budget = LevelBudget {
            method,
            traits: self.traits(legal.len()),
            full_nodes: full_nodes.unwrap_or(levels::NOMINAL_NODES),
            state: state.hash(),
        };
        levels::limits(limits, &self.settings, budget)
    }

    /// Nodes or playouts per second of a method, measured by a short search of the state when
    /// first asked. Rounded, so that it hardly varies between measurements.
    fn speed(
        &mut self,
        state: &GameState,
        method: Method,
        legal: &LegalMoves,
        measurement: Duration,
        stop: &StopFlag,
    ) -> u64 {
        let threads = self.settings.threads;
        if let Some((_, speed)) = self.speed.filter(|&(of, _)| of == (method, threads)) {
            return speed;
        }
        self.speed = None;
        let best = EngineSettings {
            level: levels::BEST_LEVEL,
            variety: 0,
            lines: 1,
            ..self.settings.clone()
        };
        let settings = std::mem::replace(&mut self.settings, best);
        let reusable = self.reusable.take();
        // The faster of two, since one may be disturbed.
        let limits =
            SearchLimits { nodes: Some(MOST_NODES), ..SearchLimits::time(measurement / 2) };
        for _ in 0..2 {
            let control = self.control((settings.now)(), &limits, stop);
            let bounded = control.bounded(state);
            match method {
                Method::Puzzle => {}
                Method::Playouts => {
                    drop(self.monte_carlo_search(&bounded, legal, &control, &mut |_| {}));
                }
                _ => drop(self.alpha_beta_search(&bounded, legal, &control, &mut |_| {})),
            }
            self.reusable = None;
            // A search that ended early gives no usable speed.
            if control.nodes() > 0 && control.elapsed() >= measurement / 4 {
                let before = self.speed.take().map_or(0, |(_, speed)| speed);
                let speed = before.max(rounded_speed(control.nodes(), control.elapsed()));
                self.speed = Some(((method, threads), speed));
            }
        }
        self.settings = settings;
        self.reusable = reusable;
        self.speed.map_or(levels::NOMINAL_NODES as u64, |(_, speed)| speed)
    }

    /// Updates the speed after a search, if it took long enough to tell.
    pub(super) fn update_speed(&mut self, method: Method, nodes: u64, time: Duration) {
        if time > MEASUREMENT {
            let key = (method, self.settings.threads);
            self.speed = Some((key, rounded_speed(nodes, time)));
        }
    }
}

/// Nodes per second, rounded down to a quarter of a power of two.
fn rounded_speed(nodes: u64, time: Duration) -> u64 {
    let speed = nodes as f64 / time.as_secs_f64().max(1e-6);
    let speed = (speed as u64).max(1);
    speed & (!0 << speed.ilog2().saturating_sub(2))
}
