//! Engines at work: each thinks on a thread of its own, two at a time, people in turn.
//!
//! Invariant: whatever becomes of a search, a panic and a lack of threads included, its end
//! is told, unless the server itself ends.

mod desk;

use std::{
    any::Any,
    collections::HashMap,
    panic::{AssertUnwindSafe, catch_unwind},
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use boardwright_engine::{
    Engine, EngineSettings, Method, SearchInfo, SearchLimits, SearchLine, StopFlag, TuningStore,
};
use boardwright_protocol::LineView;
use boardwright_rules::GameState;
use tokio::runtime::Handle;

use self::desk::{Desk, Task};
use crate::{
    error::LogError,
    isolate::{HostFindings, HostLine, HostProgress, HostSearch, Isolation, Overrun},
    language::Playable,
    thinking,
    tuning_folder::TuningFolder,
};

/// Engines that think at once; the others wait their turn.
const AT_ONCE: usize = 2;
/// Engines that are kept after a search, with their transposition tables.
const KEPT: usize = 4;
/// Memory of an engine, in bytes.
const MEMORY: usize = 48 << 20;
/// The shortest time between two progress messages of a search.
const PAUSE: Duration = Duration::from_millis(250);

/// What to search, and within which limits.
pub(crate) struct Job {
    pub playable: Arc<Playable>,
    pub state: GameState,
    pub limits: SearchLimits,
    pub level: u8,
    pub variety: u8,
    pub lines: usize,
    pub seed: u64,
    pub stop: StopFlag,
    /// The result is held back until this time has passed since the search began.
    pub at_least: Duration,
    /// The match that asks.
    pub match_id: String,
    /// The way to the state, if the rules are foreign: a process thinks then, if there are any.
    pub line: Option<HostLine>,
    /// Who uses the time: people take turns, however many matches each has.
    pub person: Arc<str>,
    pub rank: Rank,
}

/// What a search is for; what comes first goes first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Rank {
    /// A move of an engine that somebody waits for.
    Reply,
    Hint,
    Analysis,
}

/// The progress of a search.
#[derive(Clone, Debug, Default)]
pub(crate) struct Progress {
    pub depth: u32,
    pub nodes: u64,
    pub time: Duration,
    /// The best lines so far, best first.
    pub lines: Vec<LineView>,
}

/// The best move of a search.
#[derive(Clone, Debug)]
pub(crate) struct Best {
    pub text: String,
    pub from: Option<u16>,
    pub to: Option<u16>,
}

/// The result of a search.
#[derive(Clone, Debug, Default)]
pub(crate) struct Findings {
    pub progress: Progress,
    pub best: Option<Best>,
    /// The score in words.
    pub why: String,
}

impl Progress {
    pub fn per_second(&self) -> u64 {
        let micros = self.time.as_micros().max(1);
        (u128::from(self.nodes) * 1_000_000 / micros) as u64
    }
}

impl From<HostProgress> for Progress {
    fn from(it: HostProgress) -> Progress {
        let time = Duration::from_millis(it.time);
        Progress { depth: it.depth, nodes: it.nodes, time, lines: it.lines }
    }
}

impl From<HostFindings> for Findings {
    fn from(it: HostFindings) -> Findings {
        let best = it.best.map(|(text, from, to)| Best { text, from, to });
        Findings { progress: it.progress.into(), best, why: it.why }
    }
}

/// A message of a search.
pub(crate) enum Thought {
    /// Its progress so far.
    News(Progress),
    /// Its result.
    Done(Box<Findings>),
    /// The search failed and found nothing; the message is for people.
    Failed(String),
}

/// An engine between two searches, with its variant.
type Idle = (Arc<Playable>, Box<Engine>);

/// Lets engines think: at most [`AT_ONCE`] at a time, people taking turns.
#[derive(Clone)]
pub(crate) struct Thinker {
    desk: Arc<Desk>,
    idle: Arc<Mutex<Vec<Idle>>>,
    /// What training and trials found out about rules, kept in a folder.
    tunings: Arc<TuningFolder>,
    trials: Arc<Mutex<Trials>>,
    /// Set when the server ends; stops trials.
    ending: StopFlag,
    isolation: Isolation,
    /// Makes every search panic.
    #[cfg(test)]
    panics: bool,
}

/// The search methods that were found to suit rules, by the fingerprint of the rules.
#[derive(Default)]
struct Trials {
    /// Whether a trial is running; several at once would leave no time for matches.
    is_busy: bool,
    /// The results; `None` for rules that need no trial.
    results: HashMap<u64, Option<Method>>,
}

/// Results of trials that are remembered; those of real rules are in the folder of tunings as well.
const REMEMBERED: usize = 1000;

impl Thinker {
    pub fn new(tuned: PathBuf) -> Thinker {
        Thinker {
            desk: Arc::default(),
            idle: Arc::default(),
            tunings: Arc::new(TuningFolder::new(Some(tuned))),
            trials: Arc::default(),
            ending: StopFlag::default(),
            isolation: Isolation::default(),
            #[cfg(test)]
            panics: false,
        }
    }

    /// The same with a way to think about foreign rules.
    pub fn isolated(self, isolation: Isolation) -> Thinker {
        Thinker { isolation, ..self }
    }

    /// One that never compares methods and knows no tunings.
    pub fn without_trials() -> Thinker {
        let thinker = Thinker::new(PathBuf::new());
        thinker.trials().is_busy = true;
        thinker
    }

    /// Thinks when it is the person's turn; `tell` is called on a thread that may block.
    pub fn start(&self, job: Job, tell: impl FnMut(Thought) + Send + 'static) {
        let task = Task { job, tell: Box::new(tell), runtime: Handle::current() };
        if !self.desk.push(task) {
            return;
        }
        let thinker = self.clone();
        let work = move || thinker.work();
        if let Err(cause) = std::thread::Builder::new().name("engine".into()).spawn(work) {
            tracing::error!(%cause, "no thread for an engine");
            for task in self.desk.lose_worker() {
                let message = "the engine could not start: the server has no thread for it";
                task.finish(Thought::Failed(message.to_owned()), Duration::ZERO);
            }
        }
    }

    /// Stops all searches, and begins no more.
    pub fn close(&self) {
        self.ending.stop();
        self.desk.close();
    }

    /// Thinks about one task after another until none waits.
    fn work(&self) {
        while let Some((mut task, part)) = self.desk.next() {
            let began = Instant::now();
            let found = catch_unwind(AssertUnwindSafe(|| {
                self.think_anywhere(&task.job, &part.stop, &mut *task.tell)
            }));
            let is_interrupted = self.desk.leave(&part);
            let rest = task.job.at_least.saturating_sub(began.elapsed());
            match found {
                // This thread goes on, so that no other need be started for it.
                Ok(_) if is_interrupted && !task.job.stop.is_stopped() => {
                    task.job.limits.time =
                        task.job.limits.time.map(|it| it.saturating_sub(began.elapsed()));
                    self.desk.push(task);
                }
                Ok(Ok(findings)) => task.finish(Thought::Done(Box::new(findings)), rest),
                Ok(Err(Overrun(message))) => task.finish(Thought::Failed(message), Duration::ZERO),
                Err(panic) => {
                    let cause = panic_text(&*panic);
                    tracing::error!(match_id = %task.job.match_id, cause, "an engine panicked");
                    let message = "the engine failed because of an error in Boardwright";
                    task.finish(Thought::Failed(message.to_owned()), Duration::ZERO);
                }
            }
        }
    }

    /// Thinks in a process of its own about foreign rules, else here.
    fn think_anywhere(
        &self,
        job: &Job,
        stop: &StopFlag,
        tell: &mut dyn FnMut(Thought),
    ) -> Result<Findings, Overrun> {
        let Some(line) = job.line.clone() else { return Ok(self.think_here(job, stop, tell)) };
        let search = HostSearch {
            time: job.limits.time.map(|it| it.as_millis() as u64),
            depth: job.limits.depth,
            nodes: job.limits.nodes,
            level: job.level,
            variety: job.variety,
            lines: job.lines,
            seed: job.seed,
        };
        let mut news = |it| tell(Thought::News(Progress::from(it)));
        match self.isolation.think(line, search, &job.playable.title, stop, &mut news) {
            Some(found) => found.map(Findings::from),
            None => Ok(self.think_here(job, stop, tell)),
        }
    }

    /// Thinks in this process.
    pub fn think_here(
        &self,
        job: &Job,
        stop: &StopFlag,
        tell: &mut dyn FnMut(Thought),
    ) -> Findings {
        if stop.is_stopped() {
            return Findings::default();
        }
        #[cfg(test)]
        assert!(!self.panics, "forced by a test");
        let mut told: Option<Instant> = None;
        let mut news = |progress: &mut dyn FnMut() -> Progress| {
            if told.is_none_or(|it| it.elapsed() >= PAUSE) {
                let progress = progress();
                if !progress.lines.is_empty() {
                    told = Some(Instant::now());
                    tell(Thought::News(progress));
                }
            }
        };
        self.search(job, stop, &mut news)
    }

    fn search(
        &self,
        job: &Job,
        stop: &StopFlag,
        news: &mut dyn FnMut(&mut dyn FnMut() -> Progress),
    ) -> Findings {
        let (variant, state) = (&job.playable, &job.state);
        let mut engine = self.engine(variant);
        engine.set_settings(EngineSettings {
            memory: MEMORY,
            seed: job.seed,
            level: job.level,
            variety: job.variety,
            lines: job.lines,
            ..EngineSettings::default()
        });
        if engine.needs_trial(&job.limits) {
            self.try_out(variant, &mut engine);
        }
        let mut seen = Seen::default();
        let report = engine.think(state, &job.limits, stop, &mut |info| {
            note(&mut seen, info);
            news(&mut || seen.progress(variant, state));
        });
        self.put_back(variant, engine);
        let seen = Seen {
            depth: report.depth,
            nodes: report.nodes,
            time: report.time,
            lines: report.lines.clone(),
        };
        let best = report.best.map(|mv| {
            let (from, to) = state.key_sites_of(&mv);
            let (from, to) = (from.map(|it| it.0), to.map(|it| it.0));
            Best { text: state.text_of(&mv), from, to }
        });
        let why = thinking::words(state, report.score);
        Findings { progress: seen.progress(variant, state), best, why }
    }

    fn engine(&self, variant: &Arc<Playable>) -> Box<Engine> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = idle.iter().position(|it| Arc::ptr_eq(&it.0, variant)) {
            return idle.remove(at).1;
        }
        drop(idle);
        let settings = EngineSettings { memory: MEMORY, ..EngineSettings::default() };
        let engine = Box::new(self.tunings.engine(Arc::clone(&variant.rules), settings));
        variant.note_values(&engine);
        engine
    }

    /// Gives the engine the result of the trial of its rules, or starts the trial in the
    /// background, for the next moves.
    fn try_out(&self, variant: &Arc<Playable>, engine: &mut Engine) {
        let fingerprint = variant.rules.fingerprint();
        let mut trials = self.trials();
        match trials.results.get(&fingerprint) {
            Some(Some(method)) => engine.set_trial_result(*method),
            Some(None) => {}
            None if trials.is_busy => {}
            None => {
                trials.is_busy = true;
                let (thinker, variant) = (self.clone(), Arc::clone(variant));
                let work = move || thinker.run_trial(&variant, fingerprint);
                let thread = std::thread::Builder::new().name("trial".into()).spawn(work);
                trials.is_busy = thread.or_warn("no thread for a trial").is_some();
            }
        }
    }

    fn run_trial(&self, variant: &Playable, fingerprint: u64) {
        let trial = || self.tunings.run_trial(&variant.rules, &self.ending);
        // A trial that panics must not keep others from starting.
        let found = catch_unwind(AssertUnwindSafe(trial));
        if found.is_err() {
            tracing::error!(fingerprint, "a trial of the engine's methods panicked");
        }
        let found = found.unwrap_or_default();
        let mut trials = self.trials();
        trials.is_busy = false;
        if trials.results.len() >= REMEMBERED {
            trials.results.clear();
        }
        trials.results.insert(fingerprint, found);
    }

    fn trials(&self) -> MutexGuard<'_, Trials> {
        self.trials.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn put_back(&self, variant: &Arc<Playable>, engine: Box<Engine>) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.push((Arc::clone(variant), engine));
        if idle.len() > KEPT {
            idle.remove(0);
        }
    }
}

/// What an engine has reported so far.
#[derive(Default)]
struct Seen {
    depth: u32,
    nodes: u64,
    time: Duration,
    lines: Vec<SearchLine>,
}

impl Seen {
    fn progress(&self, variant: &Playable, state: &GameState) -> Progress {
        let line = |it| thinking::line_view(variant, state, it);
        let lines = self.lines.iter().map(line).collect();
        Progress { depth: self.depth, nodes: self.nodes, time: self.time, lines }
    }
}

fn note(progress: &mut Seen, info: &SearchInfo) {
    progress.depth = progress.depth.max(info.depth);
    progress.nodes = info.nodes;
    progress.time = info.time;
    if let Some(line) = &info.line {
        if info.rank < progress.lines.len() {
            progress.lines[info.rank] = line.clone();
        } else if info.rank == progress.lines.len() {
            progress.lines.push(line.clone());
        }
        // A move whose rank has risen must not be listed twice.
        let first = line.moves.first();
        let mut at = 0;
        progress.lines.retain(|it| {
            at += 1;
            at - 1 == info.rank || it.moves.first() != first
        });
    }
}

/// The message of a panic.
fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|it| (*it).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default()
}

#[cfg(test)]
mod tests;
