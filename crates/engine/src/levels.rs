//! Weaker play that feels human, and variety.
//!
//! A weak player looks at little, misjudges what it sees, and above all overlooks moves:
//! its own good ones and the other side's answers. What is overlooked depends on the state
//! and the seed alone, so a search stays consistent with itself.

use boardwright_play::{SplitMix64, tree::Choice};

use crate::{
    engine::{Method, Settings},
    limits::Limits,
    report::Line,
};

/// What a level may do.
#[derive(Clone, Copy, Debug)]
struct Level {
    /// How many states a search looks at, with up to forty moves to choose from.
    states: u64,
    /// How many random games are played, in tenths of the number of moves there are.
    games: u64,
    /// How far an evaluation may be off, in hundredths.
    noise: i32,
    /// How many of a thousand moves are overlooked, wherever it looks.
    overlooked: u32,
}

const fn level(states: u64, games: u64, noise: i32, overlooked: u32) -> Level {
    Level { states, games, noise, overlooked }
}

/// The levels from 1 to 9; the tenth does what it can.
const LEVELS: [Level; 9] = [
    level(220, 6, 150, 115),
    level(380, 9, 105, 78),
    level(580, 11, 75, 54),
    level(850, 13, 55, 38),
    level(1_400, 18, 42, 24),
    level(2_600, 27, 30, 11),
    level(5_000, 70, 22, 5),
    level(10_500, 200, 14, 2),
    level(32_000, 600, 6, 1),
];

fn of(settings: &Settings) -> Option<&'static Level> {
    LEVELS.get((settings.level.max(1) - 1) as usize)
}

/// The limits that a level leaves of those that were given.
///
/// `n_moves` is how many moves there are to choose from.
pub(crate) fn limits(
    given: &Limits,
    settings: &Settings,
    method: Method,
    n_moves: usize,
) -> Limits {
    let mut limits = given.clone();
    if let Some(level) = of(settings) {
        // Until every move was tried neither random games nor a search tell much: it takes
        // more where there are more moves.
        let games = (level.games * n_moves as u64 / 10).max(20);
        // Good players of small boards need a wider step to be told apart.
        let few = if settings.level > 6 { 20 } else { 10 };
        let states = level.states * n_moves.clamp(few, 320) as u64 / 40;
        let nodes = if method == Method::Playouts { games } else { states };
        limits.nodes = Some(limits.nodes.map_or(nodes, |it| it.min(nodes)));
    }
    limits
}

/// How far evaluations may be off, in hundredths.
pub(crate) fn noise(settings: &Settings) -> i32 {
    of(settings).map_or(0, |it| it.noise)
}

/// Whether anything is overlooked.
pub(crate) fn is_blind(settings: &Settings) -> bool {
    of(settings).is_some_and(|it| it.overlooked > 0)
}

/// Of a thousand moves no more are overlooked.
const MOST_OVERLOOKED: u32 = 500;

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
    /// How many moves there are to choose from.
    pub n_moves: usize,
}

impl Blindness {
    pub fn new(settings: &Settings, scene: Scene) -> Blindness {
        let share = of(settings).map_or(0, |it| it.overlooked);
        // Of few moves as many are overlooked as of many: it is a mistake now and then that
        // makes a player weak.
        let few = 40 * 16 / scene.n_moves.clamp(8, 40) as u32;
        let times = match () {
            () if scene.has_moves => few,
            // Where one row decides, who overlooks a little more is not yet much weaker.
            () if scene.has_rows && scene.n_moves > 40 => (share + 20) / 3,
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
    pub fn apply(self, state: u64, moves: &mut Vec<Choice>) {
        if self.overlooked == 0 || moves.len() < 2 {
            return;
        }
        let luck = |it: &Choice| {
            let mut rng = SplitMix64::new(state ^ self.seed ^ (u64::from(it.key) << 20));
            rng.below(1000) as u32
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
