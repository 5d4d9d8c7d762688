//! Searches that wait and searches that run.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use boardwright_engine::StopFlag;
use tokio::runtime::Handle;

use super::{AT_ONCE, Job, Thought};
use crate::fair::FairQueue;

/// A search with a time limit above this gives way to others that wait.
const LONG: Duration = Duration::from_secs(60);
/// How long a search runs, at least, before it gives way.
const SLICE: Duration = Duration::from_millis(if cfg!(test) { 100 } else { 4000 });

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

#[derive(Default)]
struct Inner {
    queue: FairQueue<String, Task>,
    running: Vec<Running>,
    n_workers: usize,
    /// Numbers the searches, so that each can be found again.
    next: u64,
    /// Whether a task sees to it that long searches give way.
    is_watched: bool,
    is_closed: bool,
}

struct Running {
    number: u64,
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
        desk.queue.push(task.job.match_id.clone(), task);
        let wants_worker = desk.n_workers < AT_ONCE;
        desk.n_workers += usize::from(wants_worker);
        if !wants_worker && !desk.is_watched {
            desk.is_watched = true;
            let desk = Arc::clone(self);
            runtime.spawn(async move {
                while desk.make_room() {
                    tokio::time::sleep(SLICE / 4).await;
                }
            });
        }
        wants_worker
    }

    /// The next task for a thread; with none the thread must end.
    pub fn next(&self) -> Option<(Task, Part)> {
        let mut desk = self.lock();
        let next = desk.queue.pop();
        let Some((_, task)) = next else {
            desk.n_workers -= 1;
            return None;
        };
        desk.next += 1;
        let part = Part { number: desk.next, stop: task.job.stop.part() };
        desk.running.push(Running {
            number: part.number,
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

    /// Interrupts a long search that had its share, if others wait; false if nobody waits.
    fn make_room(&self) -> bool {
        let mut desk = self.lock();
        desk.is_watched = !desk.queue.is_empty();
        if desk.is_watched && desk.running.len() >= AT_ONCE {
            let had_share = |it: &&mut Running| it.is_long && it.began.elapsed() >= SLICE;
            let first = desk.running.iter_mut().filter(had_share).min_by_key(|it| it.began);
            if let Some(it) = first {
                it.is_interrupted = true;
                it.stop.stop();
            }
        }
        desk.is_watched
    }

    /// A thread could not be started. Gives the tasks that nobody will take any more.
    pub fn lose_worker(&self) -> Vec<Task> {
        let mut desk = self.lock();
        desk.n_workers -= 1;
        if desk.n_workers == 0 { desk.queue.drain() } else { Vec::new() }
    }

    /// Stops all searches and forgets those that wait.
    pub fn close(&self) {
        let mut desk = self.lock();
        desk.is_closed = true;
        desk.queue.drain();
        desk.running.iter().for_each(|it| it.stop.stop());
    }
}
