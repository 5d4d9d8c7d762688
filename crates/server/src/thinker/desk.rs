//! Searches that wait and searches that run.
//!
//! People take turns, not matches: whoever has fewer searches running goes first, then moves
//! that somebody waits for before hints and analyses. A search gives way when somebody waits
//! who has none running, and continues later with the time it has left.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use boardwright_engine::StopFlag;
use tokio::runtime::Handle;

use super::{AT_ONCE, Job, Rank, Thought};
use crate::fair::FairQueue;

/// A search with a time limit above this gives way to others that wait.
const LONG: Duration = Duration::from_secs(60);
/// How long a search runs, at least, before it gives way to another of its rank.
pub(super) const SLICE: Duration = Duration::from_millis(if cfg!(test) { 100 } else { 2000 });

/// A search that was asked for.
pub(super) struct Task {
    pub job: Job,
    pub tell: Box<dyn FnMut(Thought) + Send>,
    pub runtime: Handle,
}

impl Task {
    /// Tells the end of the search after a pause, without holding up the engine's thread.
    pub fn finish(mut self, thought: Thought, pause: Duration) {
        let pause = if self.job.stop.is_stopped() { Duration::ZERO } else { pause };
        self.runtime.spawn_blocking(move || {
            std::thread::sleep(pause);
            (self.tell)(thought);
        });
    }
}

/// Where engine threads take their tasks from.
#[derive(Default)]
pub(super) struct Desk(Mutex<Inner>);

/// People, by what stands for them.
type Person = Arc<str>;

#[derive(Default)]
struct Inner {
    /// What waits, by rank.
    queues: [FairQueue<Person, Task>; 3],
    running: Vec<Running>,
    n_workers: usize,
    /// Numbers the searches, so that each can be found again.
    next: u64,
    /// Whether a task sees to it that searches give way.
    is_watched: bool,
    is_closed: bool,
}

struct Running {
    number: u64,
    person: Person,
    rank: Rank,
    stop: StopFlag,
    began: Instant,
    is_long: bool,
    is_interrupted: bool,
}

/// The part of a search that runs without interruption.
pub(super) struct Part {
    number: u64,
    pub stop: StopFlag,
}

impl Inner {
    fn n_running(&self, person: &Person) -> usize {
        self.running.iter().filter(|it| it.person == *person).count()
    }

    fn is_idle(&self) -> bool {
        self.queues.iter().all(FairQueue::is_empty)
    }

    /// The next task: of whoever has the fewest running, by rank, in turn.
    fn pop(&mut self) -> Option<Task> {
        let least = |(rank, queue): (usize, &FairQueue<Person, Task>)| {
            let (n, at) = queue.least(|it| self.n_running(it))?;
            Some((n, rank, at))
        };
        let (_, rank, at) = self.queues.iter().enumerate().filter_map(least).min()?;
        self.queues.get_mut(rank)?.pop_at(at).map(|it| it.1)
    }

    /// The running search that gives way now, if one must: somebody waits who has none running.
    fn to_interrupt(&self, now: Instant) -> Option<usize> {
        let waits = |(rank, queue): (usize, &FairQueue<Person, Task>)| {
            queue.keys().any(|it| self.n_running(it) == 0).then_some(rank)
        };
        let first = self.queues.iter().enumerate().find_map(waits)?;
        let had_slice = |it: &Running| now.duration_since(it.began) >= SLICE;
        let gives_way = |it: &Running| {
            // A move that somebody waits for does not wait for an analysis.
            let is_outranked = it.rank == Rank::Analysis && first < Rank::Analysis as usize;
            let is_greedy = self.n_running(&it.person) > 1;
            is_outranked || (had_slice(it) && (it.is_long || is_greedy))
        };
        let running = self.running.iter().enumerate().filter(|(_, it)| gives_way(it));
        // Analyses first, then whoever has several, then whoever has run longest.
        let order = |it: &(usize, &Running)| {
            let n = self.n_running(&it.1.person);
            (std::cmp::Reverse(it.1.rank), std::cmp::Reverse(n), it.1.began)
        };
        running.min_by_key(order).map(|it| it.0)
    }
}

impl Desk {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a task in; true if another thread is to be started for it.
    pub fn push(self: &Arc<Desk>, task: Task) -> bool {
        let runtime = task.runtime.clone();
        let mut desk = self.lock();
        if desk.is_closed {
            return false;
        }
        let (person, rank) = (Arc::clone(&task.job.person), task.job.rank);
        if let Some(queue) = desk.queues.get_mut(rank as usize) {
            queue.push(person, task);
        }
        let wants_worker = desk.n_workers < AT_ONCE;
        desk.n_workers += usize::from(wants_worker);
        drop(desk);
        if !wants_worker {
            self.make_room();
            self.watch(&runtime);
        }
        wants_worker
    }

    /// Sees to it that searches give way as long as others wait.
    fn watch(self: &Arc<Desk>, runtime: &Handle) {
        if std::mem::replace(&mut self.lock().is_watched, true) {
            return;
        }
        let desk = Arc::clone(self);
        runtime.spawn(async move {
            while desk.make_room() {
                tokio::time::sleep(SLICE / 4).await;
            }
        });
    }

    /// The next task for a thread; with none the thread must end.
    pub fn next(&self) -> Option<(Task, Part)> {
        let mut desk = self.lock();
        let Some(task) = desk.pop() else {
            desk.n_workers -= 1;
            return None;
        };
        desk.next += 1;
        let part = Part { number: desk.next, stop: task.job.stop.part() };
        desk.running.push(Running {
            number: part.number,
            person: Arc::clone(&task.job.person),
            rank: task.job.rank,
            stop: part.stop.clone(),
            began: Instant::now(),
            is_long: task.job.limits.time.is_none_or(|it| it > LONG),
            is_interrupted: false,
        });
        Some((task, part))
    }

    /// A search has ended; true if it was interrupted for another.
    pub fn leave(&self, part: &Part) -> bool {
        let mut desk = self.lock();
        let Some(at) = desk.running.iter().position(|it| it.number == part.number) else {
            return false;
        };
        let was = desk.running.swap_remove(at);
        was.is_interrupted && !desk.is_closed
    }

    /// Interrupts a search for somebody who waits, if one must give way; false if nobody waits.
    pub fn make_room(&self) -> bool {
        let mut desk = self.lock();
        let is_waited_for = !desk.is_idle();
        let is_full = desk.running.len() >= AT_ONCE;
        // One at a time: it may take a moment until the thread is free.
        let is_coming = desk.running.iter().any(|it| it.is_interrupted);
        if is_waited_for && is_full && !is_coming {
            let at = desk.to_interrupt(Instant::now());
            if let Some(it) = at.and_then(|it| desk.running.get_mut(it)) {
                it.is_interrupted = true;
                it.stop.stop();
            }
        }
        desk.is_watched &= is_waited_for;
        is_waited_for
    }

    /// A thread could not be started. Gives the tasks that nobody will take any more.
    pub fn lose_worker(&self) -> Vec<Task> {
        let mut desk = self.lock();
        desk.n_workers -= 1;
        if desk.n_workers > 0 {
            return Vec::new();
        }
        desk.queues.iter_mut().flat_map(FairQueue::drain).collect()
    }

    /// Stops all searches and forgets those that wait.
    pub fn close(&self) {
        let mut desk = self.lock();
        desk.is_closed = true;
        desk.queues.iter_mut().for_each(|it| drop(it.drain()));
        desk.running.iter().for_each(|it| it.stop.stop());
    }
}
