//! Rules and code of strangers, run in processes of their own first.
//!
//! Rules are deterministic: what a process with limits on time and memory has done within its
//! limits, the server can do as well. So a server that others reach lets such a process compile
//! foreign rules, begin a game, play each move and show the state after it, and does the same
//! itself only when the process has answered. Engines think about foreign rules in the process
//! alone, and the referee checks the move that comes back. A process that exceeds its limits is
//! killed, the rules are named, and nobody else notices.
//!
//! A private server does not use processes: there the budgets of the rules themselves and the
//! deadline of `work` are enough, since only its user's own games are at stake.

mod host;
mod limits;
mod messages;
mod process;

use std::{
    cell::RefCell,
    path::PathBuf,
    sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError, Weak},
    time::{Duration, Instant},
};

use axum::http::StatusCode;
use boardwright_engine::StopFlag;
use boardwright_plugin::KilledOnDrop;

pub use self::host::run as run_rules_host;
pub(crate) use self::messages::{
    HostFindings, HostLine, HostProgress, HostReply, HostRequest, HostSearch, HostStep, RulesSource,
};
use self::process::{HostProcess, Lost};
use crate::{error::ApiError, work};

/// Processes at once, working or kept for the next request about the same rules.
const MAX_PROCESSES: usize = 8;
/// How long a process may take to answer, by the clock; its processor time is limited as well.
const DEADLINE: Duration = Duration::from_secs(10);
/// What a search may take beyond its own time limit.
const SEARCH_OVERHEAD: Duration = Duration::from_secs(5);

/// Runs foreign rules in processes of their own once that is switched on; clones share it.
#[derive(Clone, Default)]
pub(crate) struct Isolation(Arc<OnceLock<Pool>>);

struct Pool {
    /// The program that is this one.
    program: PathBuf,
    inner: Mutex<Inner>,
    /// A process was given back or has ended.
    freed: Condvar,
}

#[derive(Default)]
struct Inner {
    /// The one that was used last is the last.
    idle: Vec<HostProcess>,
    n_busy: usize,
    /// All processes, to be killed when the server ends.
    children: Vec<Weak<KilledOnDrop>>,
    is_closed: bool,
}

/// Foreign rules that exceeded their limits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Overrun(pub String);

impl From<Overrun> for ApiError {
    fn from(it: Overrun) -> ApiError {
        ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, it.0)
            .hint("Rules of others may use a few seconds and 256 MB on this server.")
    }
}

impl Isolation {
    /// Uses processes of this program from now on.
    pub fn switch_on(&self, program: PathBuf) {
        self.0.get_or_init(|| Pool { program, inner: Mutex::default(), freed: Condvar::new() });
    }

    /// Whether processes are used.
    pub fn is_on(&self) -> bool {
        self.0.get().is_some()
    }

    /// Tries rules before the server compiles them; `title` is what people call them.
    pub fn vet(&self, rules: &RulesSource, title: &str) -> Result<(), Overrun> {
        self.rehearse(&HostRequest::Open { rules: rules.clone() }, title)
    }

    /// Tries a line of play before the server plays its last step.
    pub fn try_line(&self, line: HostLine, title: &str) -> Result<(), Overrun> {
        self.rehearse(&HostRequest::Play { line }, title)
    }

    fn rehearse(&self, request: &HostRequest, title: &str) -> Result<(), Overrun> {
        let Some(pool) = self.0.get() else { return Ok(()) };
        let never = || false;
        let answer = pool.ask(request, DEADLINE, &mut |_| {}, &never, &work::is_told_to_stop);
        answer.map(|_| ()).map_err(|lost| overrun(lost, title))
    }

    /// Lets an engine think in a process; `None` if processes are not used.
    pub fn think(
        &self,
        line: HostLine,
        search: HostSearch,
        title: &str,
        stop: &StopFlag,
        on_news: &mut dyn FnMut(HostProgress),
    ) -> Option<Result<HostFindings, Overrun>> {
        let pool = self.0.get()?;
        let time = search.time.map_or(Duration::MAX / 4, Duration::from_millis);
        let mut news = |it| {
            if let HostReply::News { progress } = it {
                on_news(progress);
            }
        };
        let request = HostRequest::Think { line, search };
        let (is_stopped, never) = (|| stop.is_stopped(), || false);
        let answer = pool.ask(&request, time + SEARCH_OVERHEAD, &mut news, &is_stopped, &never);
        Some(match answer {
            Ok(HostReply::Found { findings }) => Ok(findings),
            Ok(_) | Err(Lost::Unwanted) => Ok(HostFindings::default()),
            Err(lost) => Err(overrun(lost, title)),
        })
    }

    /// Ends all processes, and begins no more.
    pub fn close(&self) {
        let Some(pool) = self.0.get() else { return };
        let mut inner = pool.lock();
        inner.is_closed = true;
        let children = std::mem::take(&mut inner.children);
        inner.idle.clear();
        drop(inner);
        pool.freed.notify_all();
        children.iter().filter_map(Weak::upgrade).for_each(|it| it.kill());
    }
}

thread_local! {
    /// The isolation of the server for which this thread works.
    static CURRENT: RefCell<Isolation> = RefCell::default();
}

/// Runs work for a server; see [`current`].
pub(crate) fn within<T>(isolation: &Isolation, work: impl FnOnce() -> T) -> T {
    /// Puts the isolation of the outer work back, after a panic too.
    struct Outer(Isolation);
    impl Drop for Outer {
        fn drop(&mut self) {
            CURRENT.set(std::mem::take(&mut self.0));
        }
    }
    let _outer = Outer(CURRENT.replace(isolation.clone()));
    work()
}

/// The isolation of the server for which this thread works; switched off on other threads.
///
/// Asked of the thread, as the stop signal of `work` is: rules are compiled in many places.
pub(crate) fn current() -> Isolation {
    CURRENT.with_borrow(Isolation::clone)
}

fn overrun(lost: Lost, title: &str) -> Overrun {
    Overrun(match lost {
        Lost::Died => format!("the rules of {title} took too much time or memory and were stopped"),
        Lost::Late => format!("the rules of {title} took too long and were stopped"),
        Lost::Unwanted => format!("the rules of {title} were stopped"),
    })
}

impl Pool {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn ask(
        &self,
        request: &HostRequest,
        within: Duration,
        on_news: &mut dyn FnMut(HostReply),
        is_stopped: &dyn Fn() -> bool,
        is_unwanted: &dyn Fn() -> bool,
    ) -> Result<HostReply, Lost> {
        let rules = match request {
            HostRequest::Open { rules } => Some(rules),
            HostRequest::Play { line } | HostRequest::Think { line, .. } => Some(&line.rules),
            HostRequest::Stop => None,
        };
        let mut host = self.take(rules, &|| is_stopped() || is_unwanted())?;
        let answer = host.ask(request, within, on_news, is_stopped, is_unwanted);
        host.rules = rules.cloned();
        self.give_back(host, answer.is_ok());
        if let Err(lost) = &answer {
            tracing::warn!(?lost, "a process that runs foreign rules was ended");
        }
        answer
    }

    /// A process, best one that knows the rules; waits if there are too many.
    fn take(
        &self,
        rules: Option<&RulesSource>,
        is_unwanted: &dyn Fn() -> bool,
    ) -> Result<HostProcess, Lost> {
        let began = Instant::now();
        let mut inner = self.lock();
        loop {
            if inner.is_closed {
                return Err(Lost::Unwanted);
            }
            if let Some(at) = inner.idle.iter().position(|it| it.rules.as_ref() == rules) {
                inner.n_busy += 1;
                return Ok(inner.idle.remove(at));
            }
            if inner.n_busy < MAX_PROCESSES {
                break;
            }
            if is_unwanted() || began.elapsed() > DEADLINE {
                return Err(Lost::Unwanted);
            }
            let waited = self.freed.wait_timeout(inner, Duration::from_millis(50));
            inner = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        inner.n_busy += 1;
        // The one that waited longest gives way.
        let too_many = inner.n_busy + inner.idle.len() > MAX_PROCESSES;
        let old = too_many.then(|| inner.idle.remove(0));
        drop(inner);
        drop(old);
        let started = HostProcess::start(&self.program);
        let mut inner = self.lock();
        match started {
            Ok(host) if !inner.is_closed => {
                inner.children.retain(|it| it.strong_count() > 0);
                inner.children.push(Arc::downgrade(&host.child));
                Ok(host)
            }
            started => {
                inner.n_busy -= 1;
                drop(inner);
                self.freed.notify_one();
                if let Err(cause) = started {
                    tracing::error!(%cause, "a process for foreign rules cannot be started");
                }
                Err(Lost::Unwanted)
            }
        }
    }

    fn give_back(&self, host: HostProcess, is_well: bool) {
        let mut inner = self.lock();
        inner.n_busy -= 1;
        if is_well && !inner.is_closed {
            inner.idle.push(host);
            drop(inner);
        } else {
            drop(inner);
            // Killing takes a moment, and others need the lock.
            drop(host);
        }
        self.freed.notify_one();
    }
}

#[cfg(all(test, unix))]
mod tests;
