//! What a search may spend, and who may stop it.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

/// A clock as tournaments use it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// What is left for the player to move.
    pub left: Duration,
    /// What each move adds.
    pub increment: Duration,
    /// How many moves the time must last for, if more comes then.
    pub moves_to_go: Option<u32>,
}

impl Clock {
    /// What a move may take, about.
    fn share(self) -> Duration {
        let n_moves = self.moves_to_go.unwrap_or(30).clamp(2, 60);
        (self.left / n_moves).saturating_add(self.increment / 10 * 7)
    }
}

/// What a search may spend; without any limit it goes on until it is stopped or certain.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Time for this move.
    pub time: Option<Duration>,
    /// A clock, from which time for this move is taken.
    pub clock: Option<Clock>,
    /// Moves to look ahead.
    pub depth: Option<u32>,
    /// States to look at; the only limit under which a result can be had again.
    pub nodes: Option<u64>,
}

impl Limits {
    /// So much time for the move.
    pub fn time(time: Duration) -> Limits {
        Limits { time: Some(time), ..Limits::default() }
    }

    /// The time that a move takes, about, if it is limited.
    pub(crate) fn for_move(&self) -> Option<Duration> {
        let share = self.clock.map(|it| it.share());
        self.time.map(usable).into_iter().chain(share).min()
    }

    /// So many states to look at.
    pub fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }
}

/// Tells a search to end at once; clones tell the same search.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    flag: Arc<AtomicBool>,
    /// The flag of the stop that this one is a part of.
    whole: Option<Arc<AtomicBool>>,
}

impl Stop {
    /// Ends the search.
    pub fn stop(&self) {
        self.flag.store(true, Ordering::Relaxed);
    }

    /// Whether the search was told to end.
    pub fn is_stopped(&self) -> bool {
        let is_set = |it: &Arc<AtomicBool>| it.load(Ordering::Relaxed);
        is_set(&self.flag) || self.whole.as_ref().is_some_and(is_set)
    }

    /// A stop for one part of the search: it can be stopped alone, and is stopped with
    /// this one. For a search that is interrupted and goes on later.
    pub fn part(&self) -> Stop {
        Stop { flag: Arc::default(), whole: Some(Arc::clone(&self.flag)) }
    }
}

/// However little time there is, this is used: enough for a look at each move.
const LEAST: Duration = Duration::from_millis(2);
/// Nodes after which the clock is looked at, at the latest.
const MOST: u64 = 512;

/// What is used of the time for a move: most of it if it is very short, or nothing would be
/// thought at all.
fn usable(time: Duration) -> Duration {
    time - (time / 4).min(Duration::from_millis(8))
}

/// The limits of one search, shared by its threads.
pub(crate) struct Control<'a> {
    stop: &'a Stop,
    now: fn() -> Duration,
    began: Duration,
    /// After this no new depth is begun.
    soft: Option<Duration>,
    /// After this the search ends.
    hard: Option<Duration>,
    max_nodes: u64,
    pub max_depth: u32,
    n_nodes: AtomicU64,
    is_over: AtomicBool,
}

impl<'a> Control<'a> {
    pub fn new(limits: &Limits, stop: &'a Stop, now: fn() -> Duration) -> Control<'a> {
        Control::since(now(), limits, stop, now)
    }

    /// The same for a search that began a while ago.
    pub fn since(
        began: Duration,
        limits: &Limits,
        stop: &'a Stop,
        now: fn() -> Duration,
    ) -> Control<'a> {
        let mut soft = None;
        let mut hard = limits.time.map(usable);
        if let Some(clock) = limits.clock {
            let share = clock.share();
            let most = clock.left.saturating_sub(Duration::from_millis(30));
            soft = Some(share.min(most.mul_f64(0.5)));
            let limit = share.saturating_mul(3).min(most.mul_f64(0.7));
            hard = Some(hard.map_or(limit, |it| it.min(limit)));
        }
        let hard = hard.map(|it| it.max(LEAST));
        Control {
            stop,
            now,
            began,
            soft,
            hard,
            max_nodes: limits.nodes.unwrap_or(u64::MAX),
            max_depth: limits.depth.unwrap_or(u32::MAX),
            n_nodes: AtomicU64::new(0),
            is_over: AtomicBool::new(false),
        }
    }

    pub fn elapsed(&self) -> Duration {
        (self.now)().saturating_sub(self.began)
    }

    pub fn nodes(&self) -> u64 {
        self.n_nodes.load(Ordering::Relaxed)
    }

    /// Whether a limit is the number of nodes, so that time must not change the result.
    pub fn is_timed(&self) -> bool {
        self.hard.is_some()
    }

    /// Whether the search must end.
    pub fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }

    /// Ends the search, for all its threads.
    pub fn end(&self) {
        self.is_over.store(true, Ordering::Relaxed);
    }

    /// Whether another depth should be begun. `effort` above one asks for more time.
    pub fn may_deepen(&self, effort: f64) -> bool {
        !self.is_over() && self.soft.is_none_or(|it| self.elapsed() < it.mul_f64(effort))
    }

    /// Counts a node, looks at the clock now and then, and says whether to go on.
    pub fn spend(&self, own: &mut Spent) -> bool {
        own.count += 1;
        if own.count >= own.next {
            self.settle(own);
        }
        !self.is_over()
    }

    /// Adds what a thread counted to the whole.
    pub fn settle(&self, own: &mut Spent) {
        let news = own.count - own.told;
        let total = self.n_nodes.fetch_add(news, Ordering::Relaxed) + news;
        own.told = own.count;
        let now = self.elapsed();
        let is_late = self.hard.is_some_and(|it| now >= it);
        if total >= self.max_nodes || self.stop.is_stopped() || is_late {
            self.end();
        }
        // Nodes are dear in some games.
        own.step = fitting(own.step, now.saturating_sub(own.looked));
        own.looked = now;
        own.next = own.count + own.step.min(self.max_nodes.saturating_sub(total)).max(1);
    }

    /// Counts a move of a random game, looks at the clock now and then, and says whether to
    /// go on: in some games each move is dear.
    pub fn go_on(&self, pace: &mut Pace) -> bool {
        pace.left = pace.left.saturating_sub(1);
        if pace.left > 0 {
            return true;
        }
        let now = self.elapsed();
        if self.stop.is_stopped() || self.hard.is_some_and(|it| now >= it) {
            self.end();
        }
        pace.step = fitting(pace.step, now.saturating_sub(pace.looked));
        pace.looked = now;
        pace.left = pace.step;
        !self.is_over()
    }
}

/// How many steps to take until the clock is looked at again, if so many took so long: what
/// comes to about two milliseconds.
fn fitting(step: u64, took: Duration) -> u64 {
    match took.as_micros() {
        0..1000 => (step * 2).clamp(1, MOST),
        1000..4000 => step,
        _ => (step / 4).max(1),
    }
}

/// When a random game looks at the clock again.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Pace {
    left: u64,
    step: u64,
    looked: Duration,
}

/// The nodes of one thread: counted, and told to the others.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Spent {
    pub count: u64,
    told: u64,
    /// When to look at the clock again.
    next: u64,
    step: u64,
    looked: Duration,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_milliseconds_are_not_taken_for_none() {
        let stop = Stop::default();
        let millis = Duration::from_millis;
        let hard = |limits: &Limits| Control::new(limits, &stop, || Duration::ZERO).hard;
        assert_eq!(hard(&Limits::time(millis(1000))), Some(millis(992)));
        assert_eq!(hard(&Limits::time(millis(8))), Some(millis(6)));
        assert_eq!(hard(&Limits::time(millis(0))), Some(LEAST));
        let clock = Clock { left: millis(20), increment: millis(0), moves_to_go: None };
        let nearly_over = Limits { clock: Some(clock), ..Limits::default() };
        assert_eq!(hard(&nearly_over), Some(LEAST));
    }

    #[test]
    fn a_part_stops_alone_and_with_the_whole() {
        let whole = Stop::default();
        let (one, other) = (whole.part(), whole.part());
        one.stop();
        assert!(one.is_stopped() && !other.is_stopped() && !whole.is_stopped());
        whole.stop();
        assert!(other.is_stopped());
    }

    #[test]
    fn a_random_game_of_dear_moves_does_not_outlast_the_time() {
        use std::cell::Cell;
        thread_local!(static CLOCK: Cell<Duration> = const { Cell::new(Duration::ZERO) });
        let stop = Stop::default();
        let limits = Limits::time(Duration::from_millis(100));
        for (cost, most) in [(20, 6), (1, 101), (0, u32::MAX)] {
            CLOCK.set(Duration::ZERO);
            let control = Control::new(&limits, &stop, || CLOCK.get());
            let mut pace = Pace::default();
            let mut n_moves = 0;
            while n_moves < 5000 && control.go_on(&mut pace) {
                n_moves += 1;
                CLOCK.set(CLOCK.get() + Duration::from_millis(cost));
            }
            assert!(n_moves <= most, "{n_moves} moves of {cost} ms each");
            assert_eq!(control.is_over(), cost > 0);
        }
        let control = Control::new(&limits, &stop, || Duration::ZERO);
        stop.stop();
        let mut pace = Pace::default();
        assert!((0..2 * MOST).any(|_| !control.go_on(&mut pace)));
    }
}
