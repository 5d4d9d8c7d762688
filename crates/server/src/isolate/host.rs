//! The process that runs foreign rules: reads requests from its input, answers on its output.
//!
//! It ends when its input does, whatever it is doing, so that it never outlives the server.

use std::{
    io::{self, BufRead, Write},
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError, mpsc},
    thread,
    time::Duration,
};

use boardwright_engine::{SearchLimits, StopFlag};
use boardwright_preset::{Bundle, Problem};
use boardwright_rules::{EditStep, GameState, Judging, PlayRefusal};

use super::{
    limits,
    messages::{
        HostFindings, HostLine, HostProgress, HostReply, HostRequest, HostSearch, HostStep,
        RulesSource,
    },
};
use crate::{
    language::{self, Playable, preset},
    library::Library,
    state_view::{self, Shown},
    thinker::{Job, Progress, Rank, Thinker, Thought},
};

/// The id of the rules in the library of the process.
const ID: &str = "foreign";
/// Bytes of stack: those of the threads on which the server would do the same.
const STACK: usize = 2 << 20;
/// Moves that are played to try rules.
const TRIAL: usize = 3;
/// The exit code after a panic.
const PANICKED: i32 = 101;

/// Runs until the input ends.
pub fn run() -> io::Result<()> {
    limits::set();
    let (sender, requests) = mpsc::channel();
    let stop: Arc<Mutex<StopFlag>> = Arc::default();
    let worker = {
        let stop = Arc::clone(&stop);
        let work = move || Host::default().serve(&requests, &stop, &mut io::stdout().lock());
        thread::Builder::new().name("rules".into()).stack_size(STACK).spawn(work)?
    };
    for line in io::stdin().lock().lines() {
        match serde_json::from_str(&line?).map_err(io::Error::other)? {
            HostRequest::Stop => locked(&stop).stop(),
            request => {
                if sender.send(request).is_err() {
                    break;
                }
            }
        }
    }
    // What is still running is not wanted any more.
    std::process::exit(if worker.is_finished() { PANICKED } else { 0 });
}

fn locked(stop: &Mutex<StopFlag>) -> std::sync::MutexGuard<'_, StopFlag> {
    stop.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends the process when the thread ends, by a panic or because nobody listens.
struct EndOfProcess;

impl Drop for EndOfProcess {
    fn drop(&mut self) {
        std::process::exit(if thread::panicking() { PANICKED } else { 0 });
    }
}

/// What the process remembers from one request to the next.
#[derive(Default)]
struct Host {
    opened: Option<(RulesSource, Arc<Playable>)>,
    played: Option<Played>,
    thinker: Option<Thinker>,
}

/// The line that was played last, with the state after each step.
struct Played {
    seed: u64,
    start: GameState,
    steps: Vec<(HostStep, GameState)>,
}

impl Host {
    fn serve(
        mut self,
        requests: &mpsc::Receiver<HostRequest>,
        stop: &Mutex<StopFlag>,
        out: &mut dyn Write,
    ) {
        let _end = EndOfProcess;
        for request in requests {
            let flag = StopFlag::default();
            *locked(stop) = flag.clone();
            let answer = self.answer(request, &flag, out);
            let answer = answer.unwrap_or_else(|message| HostReply::Failed { message });
            if tell(out, &answer).is_err() {
                return;
            }
        }
    }

    fn answer(
        &mut self,
        request: HostRequest,
        stop: &StopFlag,
        out: &mut dyn Write,
    ) -> Result<HostReply, String> {
        match request {
            HostRequest::Open { rules } => {
                limits::allow_time(0);
                self.opened = None;
                let (playable, bytes) = open(&rules)?;
                let line = HostLine { rules: rules.clone(), seed: 1, steps: Vec::new() };
                self.opened = Some((rules, playable));
                self.played = None;
                Ok(HostReply::Done { bytes: bytes + self.trial(line)? })
            }
            HostRequest::Play { line } => {
                limits::allow_time(0);
                Ok(HostReply::Done { bytes: self.shown(&line)? })
            }
            HostRequest::Think { line, search } => {
                // One without a limit ends when the server says so.
                let seconds = search.time.map_or(3600, |it| it / 1000 + 1);
                limits::allow_time(seconds);
                let state = self.state_of(&line)?;
                let playable = self.playable(&line.rules)?;
                let findings = self.think(playable, state, &search, stop, out);
                Ok(HostReply::Found { findings })
            }
            HostRequest::Stop => Ok(HostReply::Done { bytes: 0 }),
        }
    }

    fn playable(&mut self, rules: &RulesSource) -> Result<Arc<Playable>, String> {
        match &self.opened {
            Some((opened, playable)) if opened == rules => Ok(Arc::clone(playable)),
            _ => {
                let (playable, _) = open(rules)?;
                self.opened = Some((rules.clone(), Arc::clone(&playable)));
                self.played = None;
                Ok(playable)
            }
        }
    }

    /// The state after a line; begins where the line differs from the last one.
    fn state_of(&mut self, line: &HostLine) -> Result<GameState, String> {
        let playable = self.playable(&line.rules)?;
        let known = self.played.take().filter(|it| it.seed == line.seed);
        let mut played = match known {
            Some(it) => it,
            None => {
                let start = playable.rules.start(line.seed).map_err(refused)?;
                Played { seed: line.seed, start, steps: Vec::new() }
            }
        };
        let same = played.steps.iter().zip(&line.steps).take_while(|(a, b)| a.0 == **b).count();
        played.steps.truncate(same);
        for step in line.steps.iter().skip(same) {
            let mut state = played.steps.last().map_or(&played.start, |it| &it.1).clone();
            play(&mut state, step)?;
            played.steps.push((step.clone(), state));
        }
        let state = played.steps.last().map_or(&played.start, |it| &it.1).clone();
        self.played = Some(played);
        Ok(state)
    }

    /// Plays a few moves, and shows each state; bytes of all that was shown. Rules may begin
    /// well and go on badly.
    fn trial(&mut self, mut line: HostLine) -> Result<usize, String> {
        let mut bytes = self.shown(&line)?;
        for _ in 0..TRIAL {
            let state = self.state_of(&line)?;
            let legal = state.legal_moves().map_err(refused)?;
            let Some(text) = state.move_text(&legal, legal.len() / 2) else { break };
            line.steps.push(HostStep::Move(text));
            bytes += self.shown(&line)?;
        }
        Ok(bytes)
    }

    /// Bytes of everything that a page is shown of the state after a line.
    fn shown(&mut self, line: &HostLine) -> Result<usize, String> {
        let state = self.state_of(line)?;
        let legal = state.legal_moves().map_err(refused)?;
        state.royals_in_check().map_err(refused)?;
        let shown = Shown { state: &state, legal: &legal, ply: line.steps.len() as u32 };
        let view = state_view::of_state(state.rules(), shown);
        let bytes = serde_json::to_vec(&view).map_err(|it| it.to_string())?;
        Ok(bytes.len())
    }

    fn think(
        &mut self,
        playable: Arc<Playable>,
        state: GameState,
        search: &HostSearch,
        stop: &StopFlag,
        out: &mut dyn Write,
    ) -> HostFindings {
        let limits = SearchLimits {
            time: search.time.map(Duration::from_millis),
            depth: search.depth,
            nodes: search.nodes,
            clock: None,
        };
        let job = Job {
            playable,
            state,
            limits,
            level: search.level,
            variety: search.variety,
            lines: search.lines,
            seed: search.seed,
            stop: stop.clone(),
            at_least: Duration::ZERO,
            match_id: String::new(),
            person: "".into(),
            rank: Rank::Reply,
            line: None,
        };
        let thinker = self.thinker.get_or_insert_with(Thinker::without_trials);
        let found = thinker.think_here(&job, stop, &mut |thought| {
            if let Thought::News(progress) = thought {
                let news = HostReply::News { progress: to_host(progress) };
                // Nobody listens: the next answer ends the process.
                let _ = tell(out, &news);
            }
        });
        HostFindings {
            progress: to_host(found.progress),
            best: found.best.map(|it| (it.text, it.from, it.to)),
            why: found.why,
        }
    }
}

fn to_host(it: Progress) -> HostProgress {
    let time = it.time.as_millis() as u64;
    HostProgress { depth: it.depth, nodes: it.nodes, time, lines: it.lines }
}

fn tell(out: &mut dyn Write, answer: &HostReply) -> io::Result<()> {
    let mut line = serde_json::to_vec(answer)?;
    line.push(b'\n');
    out.write_all(&line)?;
    out.flush()
}

fn refused(it: PlayRefusal) -> String {
    it.text().0
}

fn play(state: &mut GameState, step: &HostStep) -> Result<(), String> {
    match step {
        HostStep::Move(text) => {
            let legal = state.legal_moves().map_err(refused)?;
            let step = state.play_text(&legal, text, Judging::Trust).map_err(refused)?;
            *state = step.state;
            Ok(())
        }
        HostStep::Edit(text) => {
            let edit = EditStep::from_text(state.rules().ruleset(), text);
            state.edit(&edit.map_err(|it| it.to_string())?).map_err(refused)
        }
    }
}

/// Compiled rules, and the bytes of what a page is shown of them.
fn open(rules: &RulesSource) -> Result<(Arc<Playable>, usize), String> {
    match rules {
        RulesSource::Folder { path, file, n } => {
            let data = path.parent().map_or_else(PathBuf::new, PathBuf::from);
            let root = path.file_name().map(|it| it.to_string_lossy().into_owned());
            let library = Library::new(data, &[]);
            library.add_own(ID, ID, &format!("{}/{file}", root.unwrap_or_default()));
            let card = library.card(ID);
            let playable = library.playable(ID, *n).map_err(|it| it.problem.error)?;
            let view = language::game_view(&library, &playable).map_err(|it| it.problem.error)?;
            let bytes =
                serde_json::to_vec(&(card.as_deref(), view)).map_err(|it| it.to_string())?;
            Ok((playable, bytes.len()))
        }
        RulesSource::Bundle { text, moves } => {
            let (bundle, _) = Bundle::read(text);
            let problem = moves.map(|moves| Problem { moves, ..Problem::default() });
            let (titles, notes) = (Vec::new(), &[]);
            let wanted = preset::Wanted { game: ID, n: 0, bundle, problem, titles, notes };
            let playable = preset::made(wanted).map_err(|it| it.message)?;
            let view = language::draft_view(&playable, None);
            let bytes = serde_json::to_vec(&view).map_err(|it| it.to_string())?;
            Ok((Arc::new(playable), bytes.len()))
        }
    }
}
