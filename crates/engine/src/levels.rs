//! Weaker play that feels human, and variety.

use boardwright_play::SplitMix64;

use crate::{engine::Settings, limits::Limits, report::Line};

/// By level from 1: how many states to look at, and how wrong an evaluation may be.
const LEVELS: [(u64, i32); 9] = [
    (100, 200),
    (160, 160),
    (250, 125),
    (400, 95),
    (650, 70),
    (1_200, 50),
    (3_000, 30),
    (10_000, 15),
    (60_000, 5),
];

fn level(settings: &Settings) -> Option<&'static (u64, i32)> {
    LEVELS.get((settings.level.max(1) - 1) as usize)
}

/// The limits that a level leaves of those that were given.
pub(crate) fn limits(given: &Limits, settings: &Settings) -> Limits {
    let mut limits = given.clone();
    if let Some(&(nodes, _)) = level(settings) {
        limits.nodes = Some(limits.nodes.map_or(nodes, |it| it.min(nodes)));
    }
    limits
}

/// How far evaluations may be off, in hundredths.
pub(crate) fn noise(settings: &Settings) -> i32 {
    level(settings).map_or(0, |it| it.1)
}

/// How many lines variety must choose from.
pub(crate) fn lines(settings: &Settings) -> usize {
    if settings.variety == 0 { 1 } else { 2 + settings.variety.min(10) as usize / 2 }
}

/// The number of the line to play: the best one, or with variety one that is nearly as good.
pub(crate) fn choose(lines: &[Line], settings: &Settings, rng: &mut SplitMix64) -> usize {
    let variety = i32::from(settings.variety.min(10));
    let Some(best) = lines.first().map(|it| it.score) else { return 0 };
    if variety == 0 || best.hundredths().is_none() {
        return 0;
    }
    let margin = variety * 8;
    let weights: Vec<u32> = lines
        .iter()
        .map(|it| match it.score.hundredths() {
            Some(score) if best.0 - score <= margin => (margin - (best.0 - score) + 1) as u32,
            _ => 0,
        })
        .collect();
    let total: u32 = weights.iter().sum();
    let mut ticket = rng.below(total as usize) as u32;
    for (idx, &weight) in weights.iter().enumerate() {
        if ticket < weight {
            return idx;
        }
        ticket -= weight;
    }
    0
}
