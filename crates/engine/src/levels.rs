//! Levels 1 to 9: weaker play that resembles a human's, and variety.
//!
//! A weak level searches fewer nodes, adds noise to evaluations, and above all overlooks moves:
//! its own good ones and the opponent's replies. Which moves are overlooked depends only on the
//! state, the level and the seed, so a search stays consistent with itself.

use boardwright_fast::TreeMove;
use boardwright_play::SplitMix64;

use crate::{
    engine::{EngineSettings, Method},
    limits::SearchLimits,
    report::SearchLine,
};

/// The best level: full strength.
pub(crate) const BEST_LEVEL: u8 = 10;
/// Nodes that the best level is assumed to search where nothing limits it.
pub(crate) const NOMINAL_NODES: f64 = 200_000.0;

/// Playing strength, from 0 to [`FULL_SKILL`].
#[derive(Clone, Copy, Debug)]
struct Skill(u32);

const FULL_SKILL: u32 = 1 << 10;
/// Largest random change of the skill from move to move, either way.
const SKILL_JITTER: u32 = FULL_SKILL / 12;
/// The skills of levels 1 to 9, measured such that each level beats the one below about as
/// clearly: at low skill a small step is worth much.
const SKILLS: [u32; 9] = [0, 90, 175, 260, 352, 457, 585, 728, 874];
/// The skill of level 1 on boards of 64 sites and more: from 0 to full skill there would be
/// more than nine steps of the wanted size.
const LARGE_BOARD_SKILL: u32 = FULL_SKILL / 6;

impl Skill {
    /// The skill of a level; `None` for the best one.
    fn of(settings: &EngineSettings, traits: GameTraits) -> Option<Skill> {
        let skill = SKILLS.get(usize::from(settings.level.max(1)) - 1)?;
        let extra_sites =
            if traits.has_rows { 0 } else { traits.n_sites.saturating_sub(36).min(28) as u32 };
        let start = LARGE_BOARD_SKILL * extra_sites / 28;
        Some(Skill(start + skill * (FULL_SKILL - start) / FULL_SKILL))
    }

    /// The skill with the random change that belongs to a state.
    ///
    /// Without it a level would always just see what the level below always just misses.
    fn jittered(self, state: u64) -> Skill {
        let change = SplitMix64::new(state).below(2 * SKILL_JITTER as usize + 1) as u32;
        Skill((self.0 + change).saturating_sub(SKILL_JITTER).min(FULL_SKILL - 1))
    }

    /// Geometric interpolation from `low` to `high`: half the skill gives the geometric mean.
    ///
    /// Uses repeated square roots because `powf` differs between platforms.
    fn interpolate(self, low: f64, high: f64) -> f64 {
        let (mut value, mut root, mut bit) = (low, high / low, FULL_SKILL);
        while bit > 1 {
            bit /= 2;
            root = root.sqrt();
            if self.0 & bit != 0 {
                value *= root;
            }
        }
        value
    }
}

/// What a level searches: the method, the game, and the full budget.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LevelBudget {
    pub method: Method,
    pub traits: GameTraits,
    /// Nodes or playouts that the best level would search within the given limits.
    pub full_nodes: f64,
    /// The hash of the state.
    pub state: u64,
}

/// The limits of a level, given those of the best level.
///
/// A level is a fraction of the full budget, so the gap to level 10 does not grow with
/// thinking time, nor vanish in games whose rules run slowly.
pub(crate) fn limits(
    given: &SearchLimits,
    settings: &EngineSettings,
    budget: LevelBudget,
) -> SearchLimits {
    let LevelBudget { method, traits, full_nodes, state } = budget;
    let mut limits = given.clone();
    if let Some(skill) = Skill::of(settings, traits) {
        let skill = skill.jittered(settings.seed ^ state);
        // The smallest budget grows with the number of moves: until each was tried, neither
        // playouts nor a search tell much.
        let n_moves = traits.n_moves as f64;
        let least = match method {
            Method::Playouts => (n_moves * 0.7).max(20.0),
            _ if traits.is_large_row_game() => n_moves * 1.5,
            _ => n_moves.min(100.0) * 7.0 * (n_moves / 30.0).min(1.0),
        };
        let full = full_nodes.max(1.0);
        let nodes = skill.interpolate(least.max(8.0).min(full), full) as u64;
        limits.nodes = Some(limits.nodes.map_or(nodes, |it| it.min(nodes)).max(1));
    }
    limits
}

/// Evaluation noise at skill 0, in points.
const MOST_NOISE: f64 = 100.0;
/// Evaluation noise at full skill, in points.
const LEAST_NOISE: f64 = 3.0;

/// Largest random error of evaluations at a level, in points.
pub(crate) fn noise(settings: &EngineSettings, traits: GameTraits) -> i32 {
    // Values of rows differ by more than values of pieces.
    let factor = if traits.is_large_row_game() { 2.5 } else { 1.0 };
    let noise = |it: Skill| it.interpolate(MOST_NOISE, LEAST_NOISE) * factor;
    Skill::of(settings, traits).map_or(0, |it| noise(it) as i32)
}

/// Whether a level overlooks moves.
pub(crate) fn has_oversights(settings: &EngineSettings) -> bool {
    settings.level < BEST_LEVEL
}

/// Moves of ten thousand that are overlooked at skill 0, with forty to choose from.
const MOST_OVERSIGHTS: f64 = 700.0;
/// Moves of ten thousand that are overlooked at full skill, with forty to choose from.
const LEAST_OVERSIGHTS: f64 = 5.0;
/// Moves of ten thousand that are overlooked at most.
const OVERSIGHT_LIMIT: u32 = 5000;

/// The moves that a level overlooks.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Oversights {
    /// Moves of ten thousand.
    rate: u32,
    seed: u64,
}

/// The properties of a game and state that levels depend on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GameTraits {
    /// Whether pieces on the board move.
    pub has_moves: bool,
    /// Whether goals ask for rows.
    pub has_rows: bool,
    pub n_sites: usize,
    /// The number of legal moves.
    pub n_moves: usize,
}

impl GameTraits {
    /// Whether dropped pieces complete rows on a large board.
    fn is_large_row_game(self) -> bool {
        self.has_rows && !self.has_moves && self.n_moves > 40
    }
}

impl Oversights {
    /// The oversights of a level.
    pub fn new(settings: &EngineSettings, traits: GameTraits) -> Oversights {
        let rate = |it: Skill| it.interpolate(MOST_OVERSIGHTS, LEAST_OVERSIGHTS) as u32;
        let rate = Skill::of(settings, traits).map_or(0, rate);
        // In 16ths. With fewer moves the rate is higher, so that mistakes are as frequent.
        let few_moves = 40 * 16 / traits.n_moves.clamp(8, 40) as u32;
        let factor = if traits.has_moves {
            few_moves
        } else if traits.is_large_row_game() {
            // One row decides: a slightly higher rate makes hardly a difference.
            64
        } else {
            // An overlooked drop costs less than a lost piece.
            few_moves.max(40)
        };
        Oversights { rate: (rate * factor / 16).min(OVERSIGHT_LIMIT), seed: settings.seed }
    }

    /// Whether nothing is overlooked.
    pub fn is_none(self) -> bool {
        self.rate == 0
    }

    /// Removes the overlooked moves of a state; never all of them.
    pub fn apply(self, state: u64, moves: &mut Vec<TreeMove>) {
        if self.rate == 0 || moves.len() < 2 {
            return;
        }
        let luck = |it: &TreeMove| {
            let mut rng = SplitMix64::new(state ^ self.seed ^ (u64::from(it.key) << 20));
            rng.below(10_000) as u32
        };
        let Some(luckiest) = moves.iter().max_by_key(|it| luck(it)).copied() else { return };
        moves.retain(|it| luck(it) >= self.rate || it.key == luckiest.key);
    }
}

/// Number of lines that a search must find for variety to choose from.
pub(crate) fn lines(settings: &EngineSettings) -> usize {
    if settings.variety == 0 { 1 } else { 2 + settings.variety.min(10) as usize / 2 }
}

/// The index of the line to play: the best one, or with variety one that is nearly as good.
pub(crate) fn choose(
    lines: &[SearchLine],
    settings: &EngineSettings,
    rng: &mut SplitMix64,
) -> usize {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn nodes(level: u8, method: Method, n_moves: usize, full: f64) -> Option<u64> {
        let settings = EngineSettings { level, ..EngineSettings::default() };
        let traits = GameTraits { has_moves: true, has_rows: false, n_sites: n_moves * 2, n_moves };
        // The mean over many states, which differ by the jitter.
        let all = (0..500).filter_map(|state| {
            let budget = LevelBudget { method, traits, full_nodes: full, state };
            limits(&SearchLimits::default(), &settings, budget).nodes
        });
        let sum: f64 = all.map(|it| it as f64).sum();
        (level < BEST_LEVEL).then_some((sum / 500.0) as u64)
    }

    #[test]
    fn each_level_searches_more_than_the_one_below() {
        for method in [Method::Search, Method::Playouts] {
            for (n_moves, full) in [(3, 2e3), (30, 1e4), (30, 3e6), (300, 2e4), (2000, 1e6)] {
                let all: Vec<_> =
                    (1..10).filter_map(|it| nodes(it, method, n_moves, full)).collect();
                assert_eq!(all.len(), 9);
                assert!(all.is_sorted_by(|a, b| a < b), "{method:?} {n_moves} {full}: {all:?}");
                assert!((all[8] as f64) < full && all[8] as f64 > full / 5.0, "{all:?}");
            }
        }
        assert_eq!(nodes(10, Method::Search, 30, 1e5), None);
    }

    #[test]
    fn tiny_budgets_leave_at_least_one_node() {
        for level in 1..10 {
            for (n_moves, full) in [(0, 0.0), (1, 1.0), (400, 0.5), (1, f64::MAX)] {
                let found = nodes(level, Method::Search, n_moves, full);
                let fits = |it: u64| it >= 1 && it as f64 <= full.max(1.0);
                assert!(found.is_some_and(fits), "{level} {n_moves} {full}: {found:?}");
            }
        }
    }

    #[test]
    fn half_the_skill_gives_the_geometric_mean() {
        let mean = Skill(FULL_SKILL / 2).interpolate(10.0, 1000.0);
        assert!((mean - 100.0).abs() < 1e-9, "{mean}");
        assert!((Skill(0).interpolate(10.0, 1000.0) - 10.0).abs() < 1e-9);
    }
}
