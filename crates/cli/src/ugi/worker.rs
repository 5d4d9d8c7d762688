//! The thread that searches, while another one reads commands.

use std::{
    io::{self, Write},
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
        mpsc::{Receiver, Sender, channel},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

use boardwright_engine::{
    Engine, EngineSettings, Score, SearchInfo, SearchLimits, SearchLine, StopFlag, TuningStore,
};
use boardwright_play::SplitMix64;
use boardwright_rules::{GameMove, GameRules, GameState};

use crate::{
    codec::{self, Dialect},
    source, tuning,
};

/// The number of moves of a line that are written.
const LONGEST_LINE: usize = 40;

/// A job for the worker; jobs are done in the order of the commands.
pub(crate) enum Job {
    Set(EngineSettings),
    Forget,
    /// Answer `readyok` when all earlier jobs are done.
    Ready,
    Think(Box<Search>),
}

/// A search that a `go` command asked for.
pub(crate) struct Search {
    pub state: GameState,
    pub limits: SearchLimits,
    /// Whether the answer must wait for `stop`.
    pub is_infinite: bool,
    pub stop: StopFlag,
    pub dialect: Dialect,
}

/// Standard output, shared by threads and written line by line.
#[derive(Clone, Default)]
pub(crate) struct SharedOutput {
    lock: Arc<Mutex<()>>,
    is_closed: Arc<AtomicBool>,
}

impl SharedOutput {
    /// Writes a line. After an error, [`SharedOutput::is_closed`] is true.
    pub(crate) fn write_line(&self, line: &str) {
        let _guard = self.lock.lock();
        let mut stdout = io::stdout().lock();
        let said = writeln!(stdout, "{line}").and_then(|()| stdout.flush());
        if said.is_err() {
            self.is_closed.store(true, Ordering::Relaxed);
        }
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.is_closed.load(Ordering::Relaxed)
    }
}

/// The searching thread and the queue of its jobs.
pub(crate) struct Worker {
    jobs: Sender<Job>,
    thread: JoinHandle<()>,
    /// The number of searches without an answer yet.
    n_open: Arc<AtomicUsize>,
}

/// The number of open searches from which no further command is read until one is answered.
const MOST_OPEN: usize = 64;

impl Worker {
    pub(crate) fn new(
        rules: Arc<GameRules>,
        settings: EngineSettings,
        out: SharedOutput,
    ) -> Worker {
        let (jobs, queue) = channel();
        let n_open = Arc::new(AtomicUsize::new(0));
        let open = Arc::clone(&n_open);
        let thread = thread::spawn(move || {
            work(&rules, settings, &queue, &open, &out);
        });
        Worker { jobs, thread, n_open }
    }

    pub(crate) fn is_thinking(&self) -> bool {
        self.n_open.load(Ordering::Acquire) > 0
    }

    pub(crate) fn send(&self, job: Job) {
        if matches!(job, Job::Think(_)) {
            while self.n_open.load(Ordering::Acquire) >= MOST_OPEN {
                thread::sleep(Duration::from_millis(2));
            }
            self.n_open.fetch_add(1, Ordering::AcqRel);
        }
        // The thread ends only when this sender is dropped.
        let _ = self.jobs.send(job);
    }

    /// Waits until all jobs are done.
    pub(crate) fn finish(self) {
        drop(self.jobs);
        let _ = self.thread.join();
    }
}

/// An engine for rules; `None` if making it panics, which is a bug.
fn make(rules: &Arc<GameRules>, settings: EngineSettings) -> Option<Engine> {
    let making = || tuning::folder().engine(Arc::clone(rules), settings);
    catch_unwind(AssertUnwindSafe(making)).ok()
}

fn work(
    rules: &Arc<GameRules>,
    mut settings: EngineSettings,
    queue: &Receiver<Job>,
    n_open: &AtomicUsize,
    out: &SharedOutput,
) {
    let mut engine = make(rules, settings.clone());
    while let Ok(job) = queue.recv() {
        match (job, &mut engine) {
            (Job::Set(wanted), it) => {
                settings = wanted;
                if let Some(engine) = it {
                    engine.set_settings(settings.clone());
                }
            }
            (Job::Forget, Some(engine)) => engine.new_game(),
            (Job::Forget, None) => {}
            (Job::Ready, it) => {
                // The command is answered even if the comparison of methods panics.
                if let Some(engine) = it {
                    let trial = || tuning::folder().ensure_trial(engine, &StopFlag::default());
                    let _ = catch_unwind(AssertUnwindSafe(trial));
                }
                out.write_line("readyok");
            }
            (Job::Think(search), it) => {
                let thought = it.as_mut().and_then(|engine| {
                    catch_unwind(AssertUnwindSafe(|| think(engine, &search, out))).ok()
                });
                let words = thought.unwrap_or_else(|| {
                    // The other program must not wait for ever because of a bug of ours.
                    out.write_line("info string the engine failed; this is any legal move");
                    engine = make(rules, settings.clone());
                    let legal = search.state.legal_moves().ok();
                    let word = legal.and_then(|legal| {
                        let mv = legal.get(0)?;
                        Some(source::words::encode(&search.state, &legal, &mv, search.dialect))
                    });
                    word.unwrap_or_else(|| "(none)".to_owned())
                });
                // The count is reduced first: the answer may be followed by the next command.
                n_open.fetch_sub(1, Ordering::AcqRel);
                out.write_line(&format!("bestmove {words}"));
            }
        }
    }
}

/// Searches, writes what is found, and gives the moves of the answer.
fn think(engine: &mut Engine, search: &Search, out: &SharedOutput) -> String {
    let Search { state, limits, stop, dialect, .. } = search;
    if state.is_chance() {
        out.write_line("info string chance is to move; it is drawn from Seed");
        return drawn(state, engine.settings().seed, *dialect);
    }
    match state.legal_moves() {
        Err(halt) => out.write_line(&format!("info string {halt}")),
        Ok(legal) if legal.is_empty() => out.write_line("info string there is no move"),
        Ok(_) => {}
    }
    let mut news = |info: &SearchInfo| {
        let line = info_text(state, info, *dialect);
        out.write_line(&line);
        if out.is_closed() {
            stop.stop();
        }
    };
    let report = engine.think(state, limits, stop, &mut news);
    while search.is_infinite && !stop.is_stopped() && !out.is_closed() {
        thread::sleep(Duration::from_millis(2));
    }
    for (rank, line) in report.lines.iter().enumerate() {
        let info = SearchInfo {
            depth: report.depth,
            nodes: report.nodes,
            time: report.time,
            rank,
            line: Some(line.clone()),
            current: None,
        };
        out.write_line(&info_text(state, &info, *dialect));
    }
    let Some(best) = report.best else { return "(none)".to_owned() };
    let lines = report.lines.iter().map(|it| &it.moves);
    let line = lines.into_iter().find(|it| it.first() == Some(&best));
    let moves = line.map_or(std::slice::from_ref(&best), |it| it.get(..2).unwrap_or(it));
    match &words(state, moves, *dialect)[..] {
        [best, reply] => format!("{best} ponder {reply}"),
        [best] => best.clone(),
        _ => "(none)".to_owned(),
    }
}

/// A move drawn for chance.
fn drawn(state: &GameState, seed: u64, dialect: Dialect) -> String {
    let number = source::move_number(state);
    let mut rng = SplitMix64::new(seed ^ state.hash() ^ u64::from(number));
    let word = state.legal_moves().ok().and_then(|legal| {
        let mv = legal.drawn(&mut rng)?;
        Some(source::words::encode(state, &legal, &mv, dialect))
    });
    word.unwrap_or_else(|| "(none)".to_owned())
}

/// The words of successive moves.
fn words(state: &GameState, moves: &[GameMove], dialect: Dialect) -> Vec<String> {
    let mut at = state.clone();
    let mut words = Vec::new();
    for mv in moves.iter().take(LONGEST_LINE) {
        let Ok(legal) = at.legal_moves() else { break };
        words.push(source::words::encode(&at, &legal, mv, dialect));
        if at.replay(mv).is_err() {
            break;
        }
    }
    words
}

/// An `info` line with what a search found.
fn info_text(state: &GameState, info: &SearchInfo, dialect: Dialect) -> String {
    let mut text = format!("info depth {}", info.depth);
    let millis = info.time.as_millis();
    let rate = u128::from(info.nodes) * 1_000_000 / info.time.as_micros().max(1);
    let spent = format!(" nodes {} nps {rate} time {millis}", info.nodes);
    if let Some(SearchLine { moves, score, .. }) = &info.line {
        let line = words(state, moves, dialect).join(" ");
        let score = score_text(state, *score);
        text.push_str(&format!(" multipv {} score {score}{spent} pv {line}", info.rank + 1));
    } else if let Some((mv, number)) = &info.current {
        let word = words(state, std::slice::from_ref(mv), dialect).concat();
        text.push_str(&format!("{spent} currmove {word} currmovenumber {number}"));
    } else {
        text.push_str(&spent);
    }
    text
}

/// The score as the protocol has it: `cp 30`, or `mate 3`, negative if the mover loses. With
/// two players, a move is two plies.
fn score_text(state: &GameState, score: Score) -> String {
    let n_movers = codec::movers(state.rules().ruleset()).len();
    let moves = |plies: u32| if n_movers == 2 { plies.div_ceil(2) } else { plies };
    match (score.wins_in(), score.loses_in()) {
        (Some(n), _) => format!("mate {}", moves(n)),
        (_, Some(n)) => format!("mate -{}", moves(n)),
        _ => format!("cp {}", score.hundredths().unwrap_or(0)),
    }
}
