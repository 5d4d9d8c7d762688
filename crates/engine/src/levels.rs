//! Weaker play that feels human, and variety.
//!
//! A weak player looks at little, misjudges what it sees, and above all overlooks moves:
//! its own good ones and the other side's answers. What is overlooked depends on the state,
//! the level and the seed alone, so a search stays consistent with itself.

use boardwright_fast::TreeMove;
use boardwright_play::SplitMix64;

use crate::{
    engine::{Method, Settings},
    limits::Limits,
    report::Line,
};

/// The best level: it does what it can.
pub(crate) const BEST: u8 = 10;
/// What the best level is taken to look at where nothing limits it.
pub(crate) const NOMINAL: f64 = 200_000.0;

/// Where a player stands between one who sees next to nothing, 0, and the best, [`WHOLE`].
#[derive(Clone, Copy, Debug)]
struct Skill(u32);

const WHOLE: u32 = 1 << 10;
/// How far skill goes up and down from move to move.
const MOOD: u32 = WHOLE / 12;
/// The skills of the levels below the best, such that each beats the one before about as
/// clearly: where little is looked at a little more is worth much.
const SKILLS: [u32; 9] = [0, 90, 175, 260, 352, 457, 585, 728, 874];

/// The skill of a beginner on a board of 64 sites and more: between a beginner who sees next to
/// nothing and the best there are more than nine steps then.
const HEAD_START: u32 = WHOLE / 6;

impl Skill {
    fn of(settings: &Settings, scene: Scene) -> Option<Skill> {
        let skill = SKILLS.get(usize::from(settings.level.max(1)) - 1)?;
        let room = if scene.has_rows { 0 } else { scene.n_sites.saturating_sub(36).min(28) as u32 };
        let start = HEAD_START * room / 28;
        Some(Skill(start + skill * (WHOLE - start) / WHOLE))
    }

    /// The same in one state or another: nobody thinks about each move for as long.
    ///
    /// Without this some levels would always just see what those below always just miss.
    fn in_a_mood(self, state: u64) -> Skill {
        let better = SplitMix64::new(state).below(2 * MOOD as usize + 1) as u32;
        Skill((self.0 + better).saturating_sub(MOOD).min(WHOLE - 1))
    }

    /// What lies between `low` and `high`: with half of the skill as many times the one as the
    /// other is of it.
    ///
    /// Roots are the same on every machine, which powers are not.
    fn between(self, low: f64, high: f64) -> f64 {
        let (mut value, mut root, mut bit) = (low, high / low, WHOLE);
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

/// The limits that a level leaves of those that were given.
///
/// `whole` is how many states or random games the best level comes to, and `state` tells states
/// apart. Levels are shares of it and no fixed numbers, or the best would be the farther away
/// the more time there is, and as weak as the others in games whose rules are slow.
pub(crate) fn limits(
    given: &Limits,
    settings: &Settings,
    method: Method,
    scene: Scene,
    whole: f64,
    state: u64,
) -> Limits {
    let mut limits = given.clone();
    if let Some(skill) = Skill::of(settings, scene) {
        let skill = skill.in_a_mood(settings.seed ^ state);
        // Until every move was tried neither random games nor a search tell much: it takes
        // more where there are more moves.
        let n_moves = scene.n_moves as f64;
        let least = match method {
            Method::Playouts => (n_moves * 0.7).max(20.0),
            _ if scene.is_of_stones() => n_moves * 1.5,
            _ => n_moves.min(100.0) * 7.0 * (n_moves / 30.0).min(1.0),
        };
        let whole = whole.max(1.0);
        let nodes = skill.between(least.max(8.0).min(whole), whole) as u64;
        limits.nodes = Some(limits.nodes.map_or(nodes, |it| it.min(nodes)).max(1));
    }
    limits
}

/// How far the evaluations of a beginner and of nearly the best are off, in hundredths.
const MOST_NOISE: f64 = 100.0;
const LEAST_NOISE: f64 = 3.0;

/// How far evaluations may be off, in hundredths.
pub(crate) fn noise(settings: &Settings, scene: Scene) -> i32 {
    // What rows promise changes by more than what pieces are worth.
    let times = if scene.is_of_stones() { 2.5 } else { 1.0 };
    let noise = |it: Skill| it.between(MOST_NOISE, LEAST_NOISE) * times;
    Skill::of(settings, scene).map_or(0, |it| noise(it) as i32)
}

/// Whether anything is overlooked.
pub(crate) fn is_blind(settings: &Settings) -> bool {
    settings.level < BEST
}

/// What a beginner and nearly the best overlook of ten thousand moves, wherever they look, with
/// forty to choose from.
const BEGINNER_OVERLOOKS: f64 = 700.0;
const EXPERT_OVERLOOKS: f64 = 5.0;
/// Of ten thousand moves no more are overlooked.
const MOST_OVERLOOKED: u32 = 5000;

/// What is overlooked.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Blindness {
    overlooked: u32,
    seed: u64,
}

/// What there is to overlook.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scene {
    /// Whether pieces move once they stand on the board.
    pub has_moves: bool,
    /// Whether stones are to complete rows.
    pub has_rows: bool,
    /// How large the board is.
    pub n_sites: usize,
    /// How many moves there are to choose from.
    pub n_moves: usize,
}

impl Scene {
    /// Whether stones complete rows on a large board.
    fn is_of_stones(self) -> bool {
        self.has_rows && !self.has_moves && self.n_moves > 40
    }
}

impl Blindness {
    pub fn new(settings: &Settings, scene: Scene) -> Blindness {
        let share = |it: Skill| it.between(BEGINNER_OVERLOOKS, EXPERT_OVERLOOKS) as u32;
        let share = Skill::of(settings, scene).map_or(0, share);
        // Of few moves as many are overlooked as of many: it is a mistake now and then that
        // makes a player weak.
        let few = 40 * 16 / scene.n_moves.clamp(8, 40) as u32;
        let times = match () {
            () if scene.has_moves => few,
            // Where one row decides, who overlooks a little more is not yet much weaker.
            () if scene.is_of_stones() => 64,
            // Where stones only come, one that was overlooked costs less than a piece does.
            () => few.max(40),
        };
        Blindness { overlooked: (share * times / 16).min(MOST_OVERLOOKED), seed: settings.seed }
    }

    /// Whether everything is seen.
    pub fn is_none(self) -> bool {
        self.overlooked == 0
    }

    /// Takes out of the moves of a state what is overlooked there; never all of them.
    pub fn apply(self, state: u64, moves: &mut Vec<TreeMove>) {
        if self.overlooked == 0 || moves.len() < 2 {
            return;
        }
        let luck = |it: &TreeMove| {
            let mut rng = SplitMix64::new(state ^ self.seed ^ (u64::from(it.key) << 20));
            rng.below(10_000) as u32
        };
        let Some(most) = moves.iter().max_by_key(|it| luck(it)).copied() else { return };
        moves.retain(|it| luck(it) >= self.overlooked || it.key == most.key);
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn nodes(level: u8, method: Method, n_moves: usize, whole: f64) -> Option<u64> {
        let settings = Settings { level, ..Settings::default() };
        let scene = Scene { has_moves: true, has_rows: false, n_sites: n_moves * 2, n_moves };
        // The mean over many states: each is thought about for more or less long.
        let all = (0..500).filter_map(|state| {
            limits(&Limits::default(), &settings, method, scene, whole, state).nodes
        });
        let sum: f64 = all.map(|it| it as f64).sum();
        (level < BEST).then_some((sum / 500.0) as u64)
    }

    #[test]
    fn each_level_looks_at_more_than_the_one_below() {
        for method in [Method::Search, Method::Playouts] {
            for (n_moves, whole) in [(3, 2e3), (30, 1e4), (30, 3e6), (300, 2e4), (2000, 1e6)] {
                let all: Vec<_> =
                    (1..10).filter_map(|it| nodes(it, method, n_moves, whole)).collect();
                assert_eq!(all.len(), 9);
                assert!(all.is_sorted_by(|a, b| a < b), "{method:?} {n_moves} {whole}: {all:?}");
                assert!((all[8] as f64) < whole && all[8] as f64 > whole / 5.0, "{all:?}");
            }
        }
        assert_eq!(nodes(10, Method::Search, 30, 1e5), None);
    }

    #[test]
    fn next_to_no_states_are_still_some() {
        for level in 1..10 {
            for (n_moves, whole) in [(0, 0.0), (1, 1.0), (400, 0.5), (1, f64::MAX)] {
                let found = nodes(level, Method::Search, n_moves, whole);
                let fits = |it: u64| it >= 1 && it as f64 <= whole.max(1.0);
                assert!(found.is_some_and(fits), "{level} {n_moves} {whole}: {found:?}");
            }
        }
    }

    #[test]
    fn half_of_the_skill_is_the_middle() {
        let between = Skill(WHOLE / 2).between(10.0, 1000.0);
        assert!((between - 100.0).abs() < 1e-9, "{between}");
        assert!((Skill(0).between(10.0, 1000.0) - 10.0).abs() < 1e-9);
    }
}
