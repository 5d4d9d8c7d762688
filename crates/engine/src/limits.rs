//! The limits of a search: time, nodes, depth, and the flag that stops it.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use boardwright_rules::GameState;
use boardwright_text::StopSignal;

/// A tournament clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchClock {
    /// The time left for the player to move.
    pub left: Duration,
    /// The time that each move adds.
    pub increment: Duration,
    /// Moves until more time is added; `None` if the time must last for the whole game.
    pub moves_to_go: Option<u32>,
}

impl SearchClock {
    /// The target time for this move.
    fn target_time(self) -> Duration {
        let n_moves = self.moves_to_go.unwrap_or(30).clamp(2, 60);
        (self.left / n_moves).saturating_add(self.increment / 10 * 7)
    }
}

/// The limits of a search. Without any it goes on until it is stopped or the result is proven.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SearchLimits {
    /// Time for this move.
    pub time: Option<Duration>,
    /// A clock, from which the time for this move is worked out.
    pub clock: Option<SearchClock>,
    /// Depth in turns.
    pub depth: Option<u32>,
    /// Nodes; the only limit under which results are reproducible.
    pub nodes: Option<u64>,
}

impl SearchLimits {
    /// A limit of time alone.
    pub fn time(time: Duration) -> SearchLimits {
        SearchLimits { time: Some(time), ..SearchLimits::default() }
    }

    /// The time that the move will take, about, if it is limited.
    pub(crate) fn move_time(&self) -> Option<Duration> {
        let target = self.clock.map(SearchClock::target_time);
        self.time.map(usable).into_iter().chain(target).min()
    }

    /// A limit of nodes alone.
    pub fn nodes(nodes: u64) -> SearchLimits {
        SearchLimits { nodes: Some(nodes), ..SearchLimits::default() }
    }
}

/// A flag that stops a search at once; clones share it.
#[derive(Clone, Debug, Default)]
pub struct StopFlag {
    flag: Arc<AtomicBool>,
    /// The flag of the whole search that this one is a part of.
    whole: Option<Arc<AtomicBool>>,
}

impl StopFlag {
    /// Stops the search.
    pub fn stop(&self) {
        self.flag.store(true, Ordering::Relaxed);
    }

    /// Whether the search was told to stop.
    pub fn is_stopped(&self) -> bool {
        let is_set = |it: &Arc<AtomicBool>| it.load(Ordering::Relaxed);
        is_set(&self.flag) || self.whole.as_ref().is_some_and(is_set)
    }

    /// The flag as a signal for the crates that run rules.
    pub fn signal(&self) -> StopSignal {
        let flag = self.clone();
        StopSignal::new(move || flag.is_stopped())
    }

    /// A flag for one part of a search that is interrupted and continued: it can be set alone,
    /// and counts as set when this one is.
    pub fn part(&self) -> StopFlag {
        StopFlag { flag: Arc::default(), whole: Some(Arc::clone(&self.flag)) }
    }
}

/// The least time that is used, however little is left: enough to try each move once.
const LEAST_TIME: Duration = Duration::from_millis(2);
/// Largest number of nodes between two readings of the clock.
const MAX_CLOCK_INTERVAL: u64 = 512;

/// The part of the time for a move that is used: all but 8 ms, which ending the search may
/// take, or three quarters if the time is very short.
fn usable(time: Duration) -> Duration {
    time - (time / 4).min(Duration::from_millis(8))
}

/// The limits of one search, shared by its threads.
pub(crate) struct SearchControl<'a> {
    stop: &'a StopFlag,
    now: fn() -> Duration,
    began: Duration,
    /// The time after which no new iteration is begun.
    soft: Option<Duration>,
    /// The time after which the search ends.
    hard: Option<Duration>,
    max_nodes: u64,
    pub max_depth: u32,
    n_nodes: AtomicU64,
    is_over: AtomicBool,
    /// Largest number of nodes between two readings of the clock and the stop flag.
    max_interval: u64,
}

impl<'a> SearchControl<'a> {
    /// The limits of a search that began at a time.
    pub fn since(
        began: Duration,
        limits: &SearchLimits,
        stop: &'a StopFlag,
        now: fn() -> Duration,
    ) -> SearchControl<'a> {
        let mut soft = None;
        let mut hard = limits.time.map(usable);
        if let Some(clock) = limits.clock {
            let target = clock.target_time();
            let most = clock.left.saturating_sub(Duration::from_millis(30));
            soft = Some(target.min(most.mul_f64(0.5)));
            let limit = target.saturating_mul(3).min(most.mul_f64(0.7));
            hard = Some(hard.map_or(limit, |it| it.min(limit)));
        }
        let hard = hard.map(|it| it.max(LEAST_TIME));
        SearchControl {
            stop,
            now,
            began,
            soft,
            hard,
            max_nodes: limits.nodes.unwrap_or(u64::MAX),
            max_depth: limits.depth.unwrap_or(u32::MAX),
            n_nodes: AtomicU64::new(0),
            is_over: AtomicBool::new(false),
            max_interval: MAX_CLOCK_INTERVAL,
        }
    }

    /// The same for rules whose moves may take long: clock and stop flag are read at each node.
    pub fn for_slow_moves(self, is_slow: bool) -> SearchControl<'a> {
        SearchControl { max_interval: if is_slow { 1 } else { self.max_interval }, ..self }
    }

    /// A state whose code, if it runs any, ends with the search.
    pub fn bounded(&self, state: &GameState) -> GameState {
        let mut state = state.clone();
        state.stop_by(self.signal());
        state
    }

    /// Ends a single move that runs past the limit of time or is stopped.
    fn signal(&self) -> StopSignal {
        let (stop, now, began, hard) = (self.stop.clone(), self.now, self.began, self.hard);
        let is_late = move || hard.is_some_and(|it| now().saturating_sub(began) >= it);
        StopSignal::new(move || stop.is_stopped() || is_late())
    }

    pub fn elapsed(&self) -> Duration {
        (self.now)().saturating_sub(self.began)
    }

    pub fn nodes(&self) -> u64 {
        self.n_nodes.load(Ordering::Relaxed)
    }

    /// Whether time is limited; otherwise it must not change the result.
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

    /// Whether another iteration should be begun. `effort` scales the soft limit.
    pub fn may_deepen(&self, effort: f64) -> bool {
        !self.is_over() && self.soft.is_none_or(|it| self.elapsed() < it.mul_f64(effort))
    }

    /// Counts a node and reads the clock from time to time; false if the search must end.
    pub fn count_node(&self, own: &mut NodeCounter) -> bool {
        own.count += 1;
        if own.count >= own.next_reading {
            self.publish(own);
        }
        !self.is_over()
    }

    /// Adds the nodes of a thread to the total and checks the limits.
    pub fn publish(&self, own: &mut NodeCounter) {
        let new = own.count - own.published;
        let total = self.n_nodes.fetch_add(new, Ordering::Relaxed) + new;
        own.published = own.count;
        let now = self.elapsed();
        let is_late = self.hard.is_some_and(|it| now >= it);
        if total >= self.max_nodes || self.stop.is_stopped() || is_late {
            self.end();
        }
        own.interval = clock_interval(own.interval, now.saturating_sub(own.last_reading));
        own.last_reading = now;
        let interval = own.interval.min(self.max_interval);
        own.next_reading = own.count + interval.min(self.max_nodes.saturating_sub(total)).max(1);
    }

    /// Counts a move of a playout and reads the clock from time to time; false if the search
    /// must end. In some games a single playout takes longer than the limit.
    pub fn count_playout_move(&self, pacer: &mut ClockPacer) -> bool {
        pacer.left = pacer.left.saturating_sub(1);
        if pacer.left > 0 {
            return true;
        }
        let now = self.elapsed();
        if self.stop.is_stopped() || self.hard.is_some_and(|it| now >= it) {
            self.end();
        }
        pacer.interval = clock_interval(pacer.interval, now.saturating_sub(pacer.last_reading));
        pacer.last_reading = now;
        pacer.left = pacer.interval.min(self.max_interval);
        !self.is_over()
    }
}

/// Nodes or moves until the next reading of the clock, such that about two milliseconds pass,
/// given the interval before and the time it took.
fn clock_interval(interval: u64, took: Duration) -> u64 {
    match took.as_micros() {
        0..1000 => (interval * 2).clamp(1, MAX_CLOCK_INTERVAL),
        1000..4000 => interval,
        _ => (interval / 4).max(1),
    }
}

/// When a playout reads the clock again.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct ClockPacer {
    /// Moves until the next reading.
    left: u64,
    /// Moves between the last two readings.
    interval: u64,
    last_reading: Duration,
}

/// The nodes of one thread.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct NodeCounter {
    pub count: u64,
    /// The part of the count that was added to the total.
    published: u64,
    /// The count at which the clock is read again.
    next_reading: u64,
    /// Nodes between the last two readings.
    interval: u64,
    last_reading: Duration,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_stops_alone_and_with_the_whole() {
        let whole = StopFlag::default();
        let (one, other) = (whole.part(), whole.part());
        one.stop();
        assert!(one.is_stopped() && !other.is_stopped() && !whole.is_stopped());
        whole.stop();
        assert!(other.is_stopped());
    }

    #[test]
    fn a_few_milliseconds_are_used_too() {
        let stop = StopFlag::default();
        let millis = Duration::from_millis;
        let hard = |limits: &SearchLimits| {
            SearchControl::since(Duration::ZERO, limits, &stop, || Duration::ZERO).hard
        };
        assert_eq!(hard(&SearchLimits::time(millis(1000))), Some(millis(992)));
        assert_eq!(hard(&SearchLimits::time(millis(8))), Some(millis(6)));
        assert_eq!(hard(&SearchLimits::time(millis(0))), Some(LEAST_TIME));
        let clock = SearchClock { left: millis(20), increment: millis(0), moves_to_go: None };
        let nearly_over = SearchLimits { clock: Some(clock), ..SearchLimits::default() };
        assert_eq!(hard(&nearly_over), Some(LEAST_TIME));
    }

    #[test]
    fn a_playout_of_slow_moves_ends_in_time() {
        use std::cell::Cell;
        thread_local!(static CLOCK: Cell<Duration> = const { Cell::new(Duration::ZERO) });
        let stop = StopFlag::default();
        let limits = SearchLimits::time(Duration::from_millis(100));
        for (cost, most) in [(20, 6), (1, 101), (0, u32::MAX)] {
            CLOCK.set(Duration::ZERO);
            let control = SearchControl::since(Duration::ZERO, &limits, &stop, || CLOCK.get());
            let mut pacer = ClockPacer::default();
            let mut n_moves = 0;
            while n_moves < 5000 && control.count_playout_move(&mut pacer) {
                n_moves += 1;
                CLOCK.set(CLOCK.get() + Duration::from_millis(cost));
            }
            assert!(n_moves <= most, "{n_moves} moves of {cost} ms each");
            assert_eq!(control.is_over(), cost > 0);
        }
        let control = SearchControl::since(Duration::ZERO, &limits, &stop, || Duration::ZERO);
        stop.stop();
        let mut pacer = ClockPacer::default();
        assert!((0..2 * MAX_CLOCK_INTERVAL).any(|_| !control.count_playout_move(&mut pacer)));
    }
}
