//! An engine in a shared library, called through the host process that has loaded it.

use std::{
    path::{Path, PathBuf},
    process::Command,
    sync::Arc,
    time::{Duration, Instant},
};

use boardwright_engine::{Score, SearchInfo, SearchLimits, SearchLine, SearchReport, StopFlag};
use boardwright_rules::{GameRules, GameState, Judging, LegalMoves};
use boardwright_text::Encoding;

use crate::{
    Measure, PlayedLine, PluginCall, PluginFault,
    process::{Heard, LineProcess},
    wire::{self, HostSays, LiveReport},
};

/// How long after its time an engine is told to stop at once.
const STOP_NOW: Duration = Duration::from_millis(100);
/// How long after its time an engine is given up.
const GIVE_UP: Duration = Duration::from_millis(200);
/// The time between two looks at whether the search is to end.
const PATIENCE: Duration = Duration::from_millis(10);
/// The time that an engine is given for a search that ends only when it is told to.
const ENDLESS: Duration = Duration::from_secs(3600);
/// The depth that means no limit.
const ANY_DEPTH: u32 = 99;
/// The time of a search that is limited by nodes alone, which the interface cannot say.
const FOR_NODES: Duration = Duration::from_secs(1);
/// How long an engine may take to clean up.
const CLEANING: Duration = Duration::from_millis(100);

/// How an engine host is started.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HostCommand {
    /// This program, or what runs the bridge for 32-bit libraries.
    pub program: PathBuf,
    /// Words before the path of the library.
    pub words: Vec<String>,
    /// Variables of the environment that are handed on; all others are not.
    pub environment: Vec<String>,
}

impl HostCommand {
    /// This program as the host.
    pub fn own(program: PathBuf) -> HostCommand {
        let environment = ["SYSTEMROOT".to_owned(), "LD_LIBRARY_PATH".to_owned()].into();
        HostCommand { program, words: vec!["engine-host".to_owned()], environment }
    }

    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.words).env_clear();
        for name in &self.environment {
            command.envs(std::env::var_os(name).map(|it| (name, it)));
        }
        command
    }
}

/// An engine in a shared library.
#[derive(Debug)]
pub struct NativeEngine {
    process: Option<LineProcess>,
    rules: Arc<GameRules>,
    encoding: Encoding,
    measures: Vec<Measure>,
    has_game_over: bool,
    has_moves: bool,
    /// What the engine was told of the game that it follows: set-up, then steps.
    told: Option<(Vec<String>, Vec<String>)>,
}

/// How a game stands by the rules of an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineVerdict {
    /// For the player to move; `None` while the game goes on.
    pub score: Option<Score>,
    /// What the engine says about it.
    pub comment: String,
}

impl NativeEngine {
    /// Starts a host and lets it load a library, until a deadline.
    pub fn start(
        host: &HostCommand,
        library: &Path,
        rules: &Arc<GameRules>,
        until: Instant,
    ) -> Result<NativeEngine, PluginFault> {
        let mut command = host.command();
        command.arg(library);
        if let Some(folder) = library.parent().filter(|it| it.is_dir()) {
            command.current_dir(folder);
        }
        let started = LineProcess::start(command);
        let process = started.map_err(|it| PluginFault::NotStarted(it.to_string()))?;
        let mut engine = NativeEngine {
            process: Some(process),
            rules: Arc::clone(rules),
            encoding: rules.encoding(),
            measures: Vec::new(),
            has_game_over: false,
            has_moves: false,
            told: None,
        };
        loop {
            match engine.hear(until)?.ok_or(PluginFault::Silent)? {
                HostSays::Confined { measure, is_on } => engine.note_measure(&measure, is_on),
                HostSays::Loaded { has_game_over, has_moves } => {
                    engine.has_game_over = has_game_over;
                    engine.has_moves = has_moves;
                    return Ok(engine);
                }
                HostSays::Failed(why) => return Err(PluginFault::NotStarted(why)),
                HostSays::Hello => {}
                other => return Err(PluginFault::Garbled(format!("{other:?}"))),
            }
        }
    }

    /// What confines the process.
    pub fn measures(&self) -> &[Measure] {
        &self.measures
    }

    /// Whether the engine lists legal moves.
    pub fn has_moves(&self) -> bool {
        self.has_moves
    }

    /// Whether the engine says when a game is over.
    pub fn has_game_over(&self) -> bool {
        self.has_game_over
    }

    /// The id of its process, while there is one.
    pub fn process_id(&self) -> Option<u32> {
        self.process.as_ref().map(LineProcess::id)
    }

    /// Ends the process without another word.
    pub fn kill(&mut self) {
        self.process = None;
    }

    fn note_measure(&mut self, name: &str, is_on: bool) {
        if let Some(name) = crate::confine::known(name) {
            self.measures.push(Measure { name, is_on });
        }
    }

    fn say(&self, word: &str, texts: &[&str]) {
        if let Some(process) = &self.process {
            process.say(&wire::message(word, texts, self.encoding));
        }
    }

    /// The next message; `None` at the deadline.
    fn hear(&self, until: Instant) -> Result<Option<HostSays>, PluginFault> {
        let Some(process) = &self.process else {
            return Err(PluginFault::Ended("earlier".to_owned()));
        };
        match process.hear(until) {
            Heard::Line(line) => {
                let says = wire::read(&line, self.encoding);
                let text = || String::from_utf8_lossy(&line).into_owned();
                says.map(Some).ok_or_else(|| PluginFault::Garbled(text()))
            }
            Heard::TooMuch => Err(PluginFault::TooMuchOutput),
            Heard::Ended(how) => Err(PluginFault::Ended(how)),
            Heard::Nothing => Ok(None),
        }
    }

    /// A call that returns at once; gives its code, which is no error, and its texts.
    fn call(
        &mut self,
        call: PluginCall,
        request: &[&str],
        until: Instant,
    ) -> Result<(i32, Vec<String>), PluginFault> {
        let (word, texts) = request.split_first().unwrap_or((&"", &[]));
        self.say(word, texts);
        let mut listed = Vec::new();
        loop {
            match self.hear(until)?.ok_or(PluginFault::Silent)? {
                HostSays::Legal(text) => listed.push(text),
                HostSays::Result { code, .. } if code < 0 => {
                    return Err(PluginFault::Code(call, code));
                }
                HostSays::Result { code, texts } => {
                    return Ok((code, if listed.is_empty() { texts } else { listed }));
                }
                HostSays::Failed(why) => return Err(PluginFault::Garbled(why)),
                other => return Err(PluginFault::Garbled(format!("{other:?}"))),
            }
        }
    }

    /// Brings the engine to the end of a line: by the new steps alone where it was at their
    /// beginning, otherwise by a new game and everything from its start.
    fn follow(&mut self, line: &PlayedLine, until: Instant) -> Result<(), PluginFault> {
        let (setup, steps) = (line.setup(), line.told());
        let known = self.told.take();
        let n_known = match &known {
            Some((known_setup, known)) if *known_setup == setup && steps.starts_with(known) => {
                known.len()
            }
            _ => {
                self.begin(&setup, until)?;
                0
            }
        };
        for text in steps.get(n_known..).unwrap_or_default() {
            self.call(PluginCall::MakeAMove, &["move", text], until)?;
        }
        self.told = Some((setup, steps));
        Ok(())
    }

    fn begin(&mut self, setup: &[String], until: Instant) -> Result<(), PluginFault> {
        let title = self.rules.ruleset().title.to_string();
        let (code, _) = self.call(PluginCall::StartNewGame, &["new", &title], until)?;
        let mut edits = setup.to_vec();
        if code == 1 {
            // It assumes the usual set-up: only what differs from that is an edit.
            let usual = self.rules.start(1).map(PlayedLine::beginning_at);
            let usual = usual.map_or_else(|_| Vec::new(), |it| it.setup());
            edits = differences(&usual, setup);
        }
        for edit in &edits {
            self.call(PluginCall::MakeAMove, &["move", edit], until)?;
        }
        Ok(())
    }

    /// The legal moves by the engine, as texts.
    ///
    /// DIFFERENCE: in the original they replace those of the rule file; here the rule file
    /// decides, and a check compares the two. Test `the_engine_in_rust_plays_whole_games`.
    pub fn legal_texts(
        &mut self,
        line: &PlayedLine,
        until: Instant,
    ) -> Result<Vec<String>, PluginFault> {
        self.follow(line, until)?;
        self.call(PluginCall::GenerateMoves, &["moves"], until).map(|it| it.1)
    }

    /// Whether the game is over by the engine.
    pub fn verdict(
        &mut self,
        line: &PlayedLine,
        until: Instant,
    ) -> Result<EngineVerdict, PluginFault> {
        self.follow(line, until)?;
        let (_, texts) = self.call(PluginCall::IsGameOver, &["over"], until)?;
        let number = texts.first().and_then(|it| it.parse().ok());
        let number: i64 =
            number.ok_or_else(|| PluginFault::Garbled("no result of the game".to_owned()))?;
        let comment = texts.get(1).cloned().unwrap_or_default();
        Ok(EngineVerdict { score: Score::from_original(number), comment })
    }

    /// Searches at the end of a line; `state` is the state there, and `legal` its moves.
    ///
    /// Whatever the engine does, this returns within the time of the limits and 0.2 seconds.
    pub fn think(
        &mut self,
        line: &PlayedLine,
        (state, legal): (&GameState, &LegalMoves),
        (limits, variety): (&SearchLimits, u8),
        stop: &StopFlag,
        on_info: &mut dyn FnMut(&SearchInfo),
    ) -> Result<SearchReport, PluginFault> {
        let began = Instant::now();
        let for_nodes = limits.nodes.filter(|_| limits.depth.is_none()).map(|_| FOR_NODES);
        let time = limits.time.or(for_nodes);
        let given = time.unwrap_or(ENDLESS);
        self.follow(line, began + given.min(ENDLESS) + GIVE_UP)?;
        let left = given.saturating_sub(began.elapsed()).max(Duration::from_millis(1));
        let (millis, depth) = (left.as_millis(), limits.depth.unwrap_or(ANY_DEPTH));
        let request = [millis.to_string(), depth.to_string(), variety.min(10).to_string()];
        self.say("search", &request.each_ref().map(String::as_str));
        let mut end = began + given;
        let (mut n_stops, mut live) = (0, LiveReport::default());
        let chosen = loop {
            let now = Instant::now();
            if stop.is_stopped() && now < end {
                end = now;
            }
            if now >= end + GIVE_UP {
                return Err(PluginFault::NotStopping);
            }
            let n_due = u8::from(now >= end) + u8::from(now >= end + STOP_NOW);
            if n_due > n_stops {
                n_stops = n_due;
                self.say("stop", &[&n_due.to_string()]);
            }
            match self.hear(now + PATIENCE)? {
                None => {}
                Some(HostSays::Info(report)) => {
                    live = report;
                    on_info(&live_info(state, legal, &live, began.elapsed()));
                }
                Some(HostSays::Result { code, .. }) if code < 0 => {
                    return Err(PluginFault::Code(PluginCall::Search, code));
                }
                Some(HostSays::Result { texts, .. }) => {
                    break texts.into_iter().next().unwrap_or_default();
                }
                Some(other) => return Err(PluginFault::Garbled(format!("{other:?}"))),
            }
        };
        let best = state.play_text(legal, chosen.trim(), Judging::Trust);
        let best = best.map_err(|_| PluginFault::Illegal(chosen))?.played;
        live.best = state.text_of(&best);
        let info = live_info(state, legal, &live, began.elapsed());
        let lines: Vec<SearchLine> = info.line.into_iter().collect();
        let score = lines.first().map(|it| it.score).unwrap_or_default();
        let (depth, nodes, time) = (info.depth, info.nodes, info.time);
        let best = Some(best);
        Ok(SearchReport { best, score, depth, nodes, time, lines, ..SearchReport::default() })
    }
}

impl Drop for NativeEngine {
    /// Lets the engine clean up, for a moment.
    fn drop(&mut self) {
        if let Some(process) = self.process.take() {
            process.say(b"cleanup");
            let until = Instant::now() + CLEANING;
            while matches!(process.hear(until), Heard::Line(line) if !line.starts_with(b"result")) {
            }
        }
    }
}

/// The edits from one set-up to another: what is gone, then what is new.
fn differences(usual: &[String], wanted: &[String]) -> Vec<String> {
    let gone = usual.iter().filter(|it| !wanted.contains(it));
    let site = |it: &String| it.trim_end_matches(')').rsplit(' ').next().map(str::to_owned);
    let removals = gone.filter_map(|it| Some(format!("(x {})", site(it)?)));
    removals.chain(wanted.iter().filter(|it| !usual.contains(it)).cloned()).collect()
}

/// What an engine reports, as our engine would.
fn live_info(
    state: &GameState,
    legal: &LegalMoves,
    live: &LiveReport,
    time: Duration,
) -> SearchInfo {
    let find = |text: &str| {
        let same = |it: &usize| state.move_text(legal, *it).as_deref() == Some(text);
        (!text.is_empty()).then(|| (0..legal.len()).find(same)).flatten()
    };
    let depth = u32::try_from(live.depth).unwrap_or(0).min(1000);
    let nodes = u64::try_from(live.nodes).unwrap_or(0);
    let score = Score::from_original(live.score).unwrap_or_default();
    let best = find(live.best.trim()).and_then(|it| legal.get(it));
    let line = best.map(|it| SearchLine { moves: vec![it], score, depth });
    let current = find(live.current.trim());
    let current = current.and_then(|it| legal.get(it).map(|mv| (mv, it + 1)));
    SearchInfo { depth, nodes, time, rank: 0, line, current }
}
