//! Runs rules beside the requests, with fair shares.
//!
//! Rules are programs of other people. Compiling and running them is work on behalf of a
//! match, a game or a person; whoever waits is served in turn, and work that takes long
//! no longer keeps others from starting, so that a heavy file delays only those who use it.
//! Work that takes too long is told to stop, and its rules are named.

use std::{
    cell::RefCell,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use axum::{
    extract::{ConnectInfo, Request},
    http::StatusCode,
    middleware::Next,
    response::Response,
};
use boardwright_text::StopSignal;
use tokio::{
    sync::oneshot,
    time::{Instant, sleep},
};
use tracing::{Instrument, Span};

use crate::{
    error::ApiError,
    fair::FairQueue,
    isolate::{self, Isolation},
};

/// Work that has run for this long is slow: others may start beside it.
const BRISK: Duration = Duration::from_millis(50);
/// Work that has run for this long is told to stop.
const DEADLINE: Duration = Duration::from_millis(if cfg!(test) { 300 } else { 5000 });
/// Work that goes on for this long after it was told to stop is no longer counted.
const DEAF: Duration = Duration::from_secs(1);
/// Slow work at once. If more comes, the one that has run longest is told to stop, so that
/// the processor is left to those who need little of it.
const MAX_SLOW: usize = 8;

/// On whose behalf work is done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Share {
    /// Those with the same key share one turn.
    key: Arc<str>,
    /// The rules, as people know them.
    rules: Arc<str>,
}

impl Share {
    /// The share of a match by rules with this title.
    pub fn of_match(id: &str, rules: &str) -> Share {
        Share { key: format!("match {id}").into(), rules: format!("the rules of {rules}").into() }
    }

    /// The share of a game that nobody plays yet.
    pub fn of_game(id: &str) -> Share {
        let rules = format!("the rules of `{id}`").into();
        Share { key: format!("game {id}").into(), rules }
    }

    /// The share of a request: that of the match or game that it names, else of the sender.
    fn of_request(request: &Request) -> Share {
        let mut parts = request.uri().path().trim_start_matches('/').split('/').skip(1);
        let (resource, name) = (parts.next().unwrap_or(""), parts.next().unwrap_or(""));
        let is_named = !name.is_empty() && !["load", "solution", "draft", "import"].contains(&name);
        match resource {
            "matches" if is_named => {
                Share { key: format!("match {name}").into(), rules: "the rules".into() }
            }
            "games" | "presets" if is_named => Share::of_game(name),
            _ => {
                let peer = request.extensions().get::<ConnectInfo<std::net::SocketAddr>>();
                let peer = peer.map(|it| it.0.ip().to_canonical().to_string());
                let key = format!("person {}", peer.unwrap_or_default()).into();
                Share { key, rules: "the rules".into() }
            }
        }
    }
}

tokio::task_local! {
    /// On whose behalf the request of this task works.
    static REQUEST: Share;
}

/// Answers a request with work on behalf of whom it is about.
pub(crate) async fn share(request: Request, next: Next) -> Response {
    let share = Share::of_request(&request);
    REQUEST.scope(share, next.run(request)).await
}

/// Tells work to stop, and knows whether it heard.
#[derive(Default)]
struct StopFlag {
    is_set: AtomicBool,
    was_heeded: AtomicBool,
}

impl StopFlag {
    fn set(&self) {
        self.is_set.store(true, Ordering::Relaxed);
    }

    #[cfg(test)]
    fn is_set(&self) -> bool {
        self.is_set.load(Ordering::Relaxed)
    }

    /// Whether the work must stop; notes that it knows.
    fn heed(&self) -> bool {
        let is_set = self.is_set.load(Ordering::Relaxed);
        if is_set {
            self.was_heeded.store(true, Ordering::Relaxed);
        }
        is_set
    }

    fn was_heeded(&self) -> bool {
        self.was_heeded.load(Ordering::Relaxed)
    }
}

thread_local! {
    /// The flag of the work that runs on this thread.
    static STOP: RefCell<Arc<StopFlag>> = RefCell::default();
}

/// Whether the work on this thread was told to stop; false on threads of other work.
///
/// Asked of the thread and not handed down as an argument: a preset outlives the work that
/// compiled it, and must heed the deadline of whoever runs it.
pub(crate) fn is_told_to_stop() -> bool {
    STOP.with_borrow(|it| it.heed())
}

/// A signal for the limits of rules, raised when whoever runs them must stop.
pub(crate) fn stop_signal() -> StopSignal {
    StopSignal::new(is_told_to_stop)
}

/// Runs work with its flag.
fn with_flag<T>(flag: &Arc<StopFlag>, work: impl FnOnce() -> T) -> T {
    /// Puts the flag of the outer work back, after a panic too.
    struct Outer(Arc<StopFlag>);
    impl Drop for Outer {
        fn drop(&mut self) {
            STOP.set(std::mem::take(&mut self.0));
        }
    }
    let _outer = Outer(STOP.replace(Arc::clone(flag)));
    work()
}

/// Runs work on behalf of somebody.
#[derive(Clone)]
pub(crate) struct Work {
    pool: Arc<Pool>,
    isolation: Isolation,
    /// On whose behalf; if nothing is said, that of the request.
    share: Option<Share>,
}

impl Work {
    pub fn new() -> Work {
        let n = std::thread::available_parallelism().map_or(2, |it| it.get());
        let pool = Pool { max_brisk: n.clamp(2, 8) + 1, inner: Mutex::default() };
        Work { pool: Arc::new(pool), isolation: Isolation::default(), share: None }
    }

    /// The same, on behalf of somebody.
    pub fn on_behalf_of(&self, share: Share) -> Work {
        let (pool, isolation) = (Arc::clone(&self.pool), self.isolation.clone());
        Work { pool, isolation, share: Some(share) }
    }

    /// What runs foreign rules first.
    pub fn isolation(&self) -> &Isolation {
        &self.isolation
    }

    /// Tells all work to stop, and lets none start any more.
    pub fn close(&self) {
        self.pool.close();
        self.isolation.close();
    }

    fn share(&self) -> Share {
        let of_request = || REQUEST.try_with(Share::clone).ok();
        let server = || Share { key: "server".into(), rules: "the rules".into() };
        self.share.clone().or_else(of_request).unwrap_or_else(server)
    }

    /// Runs something that takes a while on a thread of its own.
    ///
    /// Work that was told to stop and did so is an error that names the rules, since part of
    /// its result may be missing. What never asked is whole, if late.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        let share = self.share();
        let ticket = self.pool.enter(&share).await?;
        let flag = Arc::clone(&ticket.stop);
        // If whoever asked goes away, this future is dropped, and nobody wants the result.
        let asker = Asker(Some(Arc::clone(&flag)));
        let (span, isolation) = (Span::current(), self.isolation.clone());
        let done = tokio::task::spawn_blocking(move || {
            let _ticket = ticket;
            let work = || isolate::within(&isolation, work);
            span.in_scope(|| with_flag(&_ticket.stop, work))
        });
        // A panic inside is ours, but ends nothing else.
        let done = done.await;
        asker.serve();
        let done = done.map_err(ApiError::internal)?;
        match flag.was_heeded() {
            true => Err(overdue(&share)),
            false => Ok(done),
        }
    }

    /// The same for work on what the caller keeps. Rules that are told to stop refuse.
    pub async fn run_here<T>(&self, work: impl FnOnce() -> T) -> T {
        let ticket = self.pool.enter(&self.share()).await.ok();
        let flag = ticket.as_ref().map(|it| Arc::clone(&it.stop)).unwrap_or_default();
        let work = || isolate::within(&self.isolation, work);
        tokio::task::block_in_place(|| with_flag(&flag, work))
    }
}

/// Tells work to stop when it is dropped before the result has come.
struct Asker(Option<Arc<StopFlag>>);

impl Asker {
    /// The result has come.
    fn serve(mut self) {
        self.0 = None;
    }
}

impl Drop for Asker {
    fn drop(&mut self) {
        if let Some(flag) = &self.0 {
            flag.set();
        }
    }
}

fn overdue(share: &Share) -> ApiError {
    let (rules, seconds) = (&share.rules, DEADLINE.as_secs().max(1));
    let error = format!("{rules} took longer than {seconds} s and were stopped");
    ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, error)
}

/// Lets work start.
struct Pool {
    /// Work that may be running and not yet slow.
    max_brisk: usize,
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    waiting: FairQueue<Arc<str>, oneshot::Sender<Ticket>>,
    running: Vec<Running>,
    /// Numbers the work, so that it can be found again.
    next: u64,
    is_closed: bool,
}

struct Running {
    number: u64,
    key: Arc<str>,
    pace: Pace,
    began: Instant,
    stop: Arc<StopFlag>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Pace {
    Brisk,
    Slow,
    /// It goes on though it was told to stop.
    Deaf,
}

/// The right to work until it is dropped.
struct Ticket {
    pool: Arc<Pool>,
    number: u64,
    stop: Arc<StopFlag>,
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.pool.lock().running.retain(|it| it.number != self.number);
        self.pool.admit();
    }
}

impl Pool {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells all work to stop, those who wait included.
    fn close(&self) {
        let mut inner = self.lock();
        inner.is_closed = true;
        inner.running.iter().for_each(|it| it.stop.set());
        let waiting = inner.waiting.drain();
        drop(inner);
        // Whoever waits hears that the sender is gone.
        drop(waiting);
    }

    /// Waits for the turn of a share.
    async fn enter(self: &Arc<Pool>, share: &Share) -> Result<Ticket, ApiError> {
        let (sender, receiver) = oneshot::channel();
        if !self.lock().queue(Arc::clone(&share.key), sender) {
            return Err(ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "the server is stopping"));
        }
        self.admit();
        let ticket = receiver.await.map_err(ApiError::internal)?;
        let watch = Arc::clone(self).watch(ticket.number, share.clone());
        tokio::spawn(watch.instrument(Span::current()));
        Ok(ticket)
    }

    /// Lets those start whose turn it is.
    fn admit(self: &Arc<Pool>) {
        // Tickets of those who no longer wait; they lock the pool when they are dropped.
        let mut unwanted = Vec::new();
        let mut inner = self.lock();
        while inner.count(Pace::Brisk) < self.max_brisk && inner.has_room() {
            let Inner { waiting, running, next, .. } = &mut *inner;
            let is_slow =
                |key: &Arc<str>| running.iter().any(|it| it.pace != Pace::Brisk && it.key == *key);
            let Some((key, sender)) = waiting.pop_if(|it| !is_slow(it)) else { break };
            *next += 1;
            let (number, stop) = (*next, Arc::<StopFlag>::default());
            let ticket = Ticket { pool: Arc::clone(self), number, stop: Arc::clone(&stop) };
            running.push(Running { number, key, pace: Pace::Brisk, began: Instant::now(), stop });
            unwanted.extend(sender.send(ticket).err());
        }
        drop(inner);
    }

    /// Notes how long work takes, and tells it to stop when it takes too long.
    async fn watch(self: Arc<Pool>, number: u64, share: Share) {
        sleep(BRISK).await;
        if !self.set_pace(number, Pace::Slow) {
            return;
        }
        sleep(DEADLINE.saturating_sub(BRISK)).await;
        let stop = self.lock().find(number).map(|it| Arc::clone(&it.stop));
        let Some(stop) = stop else { return };
        stop.set();
        tracing::warn!(share = %share.key, "{} took too long and are stopped", share.rules);
        sleep(DEAF).await;
        if self.set_pace(number, Pace::Deaf) {
            tracing::error!(share = %share.key, "{} do not stop", share.rules);
        }
    }

    /// Notes a pace; false if the work is done.
    fn set_pace(self: &Arc<Pool>, number: u64, pace: Pace) -> bool {
        let mut inner = self.lock();
        let found = inner.find(number).map(|it| it.pace = pace);
        drop(inner);
        self.admit();
        found.is_some()
    }
}

impl Inner {
    /// Lets somebody wait; false if there is nothing to wait for any more.
    fn queue(&mut self, key: Arc<str>, sender: oneshot::Sender<Ticket>) -> bool {
        if !self.is_closed {
            self.waiting.push(key, sender);
        }
        !self.is_closed
    }

    fn find(&mut self, number: u64) -> Option<&mut Running> {
        self.running.iter_mut().find(|it| it.number == number)
    }

    fn count(&self, pace: Pace) -> usize {
        self.running.iter().filter(|it| it.pace == pace).count()
    }

    /// Whether there may be more slow work. If not, the oldest is told to stop.
    fn has_room(&self) -> bool {
        if self.count(Pace::Slow) < MAX_SLOW {
            return true;
        }
        let slow = self.running.iter().filter(|it| it.pace == Pace::Slow);
        if let Some(it) = slow.min_by_key(|it| it.began).filter(|_| !self.waiting.is_empty()) {
            it.stop.set();
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share(key: &str) -> Share {
        Share { key: key.into(), rules: "the rules of Pond".into() }
    }

    /// A ticket if it can be had without waiting.
    async fn now(pool: &Arc<Pool>, key: &str) -> Option<Ticket> {
        tokio::time::timeout(Duration::from_millis(1), pool.enter(&share(key))).await.ok()?.ok()
    }

    #[tokio::test(start_paused = true)]
    async fn slow_work_delays_only_its_own_share() {
        let pool = Work::new().pool;
        let mut wolves = Vec::new();
        for _ in 0..pool.max_brisk {
            wolves.push(now(&pool, "wolf").await.expect("there is room"));
        }
        assert!(now(&pool, "sheep").await.is_none());
        sleep(BRISK).await;
        let sheep = now(&pool, "sheep").await.expect("the wolves are slow by now");
        assert!(now(&pool, "wolf").await.is_none(), "whoever is slow waits");
        drop(wolves);
        assert!(now(&pool, "wolf").await.is_some());
        drop(sheep);
        assert!(pool.lock().running.is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn work_is_told_to_stop_at_the_deadline() {
        let pool = Work::new().pool;
        let ticket = now(&pool, "wolf").await.expect("there is room");
        sleep(DEADLINE - BRISK).await;
        assert!(!ticket.stop.is_set());
        sleep(2 * BRISK).await;
        assert!(ticket.stop.is_set());
    }

    #[tokio::test(start_paused = true)]
    async fn the_oldest_gives_way_when_there_is_too_much_slow_work() {
        let pool = Work::new().pool;
        let mut slow = Vec::new();
        while slow.len() < MAX_SLOW {
            slow.extend(now(&pool, &format!("wolf {}", slow.len())).await);
            sleep(BRISK / 4).await;
        }
        sleep(BRISK).await;
        assert!(now(&pool, "sheep").await.is_none());
        let stopped: Vec<bool> = slow.iter().map(|it| it.stop.is_set()).collect();
        assert_eq!(stopped.iter().position(|it| *it), Some(0));
        assert_eq!(stopped.iter().filter(|it| **it).count(), 1);
        slow.remove(0);
        assert!(now(&pool, "sheep").await.is_some());
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn rules_that_take_too_long_are_named() {
        let work = Work::new().on_behalf_of(Share::of_match("pond", "Pond"));
        let endless = || while !is_told_to_stop() {};
        let error = work.run(endless).await.expect_err("it takes too long");
        assert!(error.problem.error.contains("the rules of Pond took longer than"));
        assert_eq!(work.run(|| 1).await.ok(), Some(1));
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_panic_gives_the_ticket_back() {
        let work = Work::new();
        for _ in 0..20 {
            let failed = work.run(|| panic!("on purpose")).await;
            assert!(failed.is_err());
        }
        assert!(work.pool.lock().running.is_empty());
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn work_whose_asker_is_gone_is_told_to_stop() {
        let work = Work::new();
        let (begun, ended) = (Arc::<AtomicBool>::default(), Arc::<AtomicBool>::default());
        let flags = (Arc::clone(&begun), Arc::clone(&ended));
        let asking = tokio::spawn({
            let work = work.clone();
            async move {
                let endless = move || {
                    flags.0.store(true, Ordering::Relaxed);
                    while !is_told_to_stop() {}
                    flags.1.store(true, Ordering::Relaxed);
                };
                work.run(endless).await
            }
        });
        while !begun.load(Ordering::Relaxed) {
            tokio::task::yield_now().await;
        }
        asking.abort();
        while !ended.load(Ordering::Relaxed) {
            tokio::task::yield_now().await;
        }
    }
}
