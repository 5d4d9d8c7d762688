//! `boardwright engine`: our engine for other programs, over UGI, the universal game interface.
//!
//! One thread reads commands, another searches (`worker`). Every command gets an answer, or an
//! `info string` that says what was not understood. `docs/ugi.md` describes the protocol.

mod go;
mod worker;

use std::{io, path::PathBuf, process::ExitCode, sync::Arc};

use anyhow::{Result, bail};
use boardwright_engine::{EngineSettings, Method, StopFlag};
use boardwright_rules::{GameOutcome, GameRules, GameState};
use boardwright_text::render::printable;

use self::{
    go::Go,
    worker::{Job, Search, SharedOutput, Worker},
};
use crate::{
    codec::{self, Dialect, WordError},
    input, source,
};

/// Run the engine for other programs over UGI, the universal game interface.
///
/// Reads commands from standard input and answers on standard output: `ugi`, `isready`,
/// `setoption`, `position startpos moves ...`, `go movetime 1000`, `stop`, `query result`,
/// `quit`. Chess programs may send `uci` instead. See docs/ugi.md.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A rule file, or the folder of a preset
    file: PathBuf,
    /// The title of a variant; the one the file opens with if not given
    #[arg(long, value_name = "TITLE")]
    variant: Option<String>,
}

/// Bytes of a command at most: enough for a long game with all its moves.
const LONGEST: u64 = 4 << 20;

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let rules = source::open(&args.file, args.variant.as_deref())?;
    source::check_engine(&rules)?;
    let mut session = Session::new(rules)?;
    let mut typed = io::stdin().lock();
    while let Some(line) = input::next_line_within(&mut typed, LONGEST)? {
        if !session.execute(&line) || session.out.is_closed() {
            session.stop();
            break;
        }
    }
    session.end();
    Ok(ExitCode::SUCCESS)
}

/// The options that can be set: name and type, as the answer to `ugi` lists them.
const OPTIONS: &[(&str, &str)] = &[
    ("Threads", "type spin default 1 min 1 max 64"),
    ("Hash", "type spin default 64 min 1 max 4096"),
    ("Clear Hash", "type button"),
    ("Level", "type spin default 10 min 1 max 10"),
    ("Variety", "type spin default 0 min 0 max 10"),
    ("MultiPV", "type spin default 1 min 1 max 64"),
    ("Seed", "type spin default 0 min 0 max 2147483647"),
    ("Method", "type combo default Auto var Auto var Search var Playouts"),
];

/// The conversation with one other program.
struct Session {
    rules: Arc<GameRules>,
    /// The state that `position` named, before its moves.
    base: GameState,
    /// That state as `position` wrote it.
    base_text: String,
    /// The moves that were played from there to `state`.
    moves: Vec<String>,
    state: GameState,
    settings: EngineSettings,
    dialect: Dialect,
    /// Whether the last search runs until it is stopped.
    is_infinite: bool,
    /// The stop flags of searches that may still be running.
    stops: Vec<StopFlag>,
    worker: Worker,
    out: SharedOutput,
}

impl Session {
    fn new(rules: Arc<GameRules>) -> Result<Session> {
        let settings = EngineSettings::default();
        let out = SharedOutput::default();
        let worker = Worker::new(Arc::clone(&rules), settings.clone(), out.clone());
        let base = rules.start(1)?;
        Ok(Session {
            state: base.clone(),
            base,
            base_text: "startpos".to_owned(),
            moves: Vec::new(),
            rules,
            settings,
            dialect: Dialect::Ugi,
            is_infinite: false,
            stops: Vec::new(),
            worker,
            out,
        })
    }

    /// Executes a command; false if it is `quit`.
    fn execute(&mut self, line: &str) -> bool {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some((&command, rest)) = words.split_first() else { return true };
        let done = match command {
            "quit" | "exit" => return false,
            "ugi" | "uci" => {
                self.introduce(command);
                Ok(())
            }
            "isready" => {
                match self.worker.is_thinking() {
                    true => self.out.write_line("readyok"),
                    false => self.worker.send(Job::Ready),
                }
                Ok(())
            }
            "uginewgame" | "ucinewgame" => self.ask(Job::Forget),
            "setoption" => self.set_option(rest),
            "position" => self.set_state(rest),
            "go" => self.go(rest),
            "stop" => {
                self.stop();
                Ok(())
            }
            "query" => self.query(rest),
            "d" | "show" => {
                self.out.write_line(&format!("info string {}", self.state.text()));
                Ok(())
            }
            // Commands of the protocol that need no action here.
            "debug" | "ponderhit" | "register" => Ok(()),
            _ => Err(anyhow::anyhow!("unknown command `{command}`")),
        };
        if let Err(error) = done {
            let text: String = printable(&format!("{error:#}")).chars().take(500).collect();
            self.out.write_line(&format!("info string {text}"));
        }
        true
    }

    fn introduce(&mut self, command: &str) {
        self.dialect = if command == "uci" { Dialect::Uci } else { Dialect::Ugi };
        self.out.write_line(&format!("id name Boardwright {}", env!("CARGO_PKG_VERSION")));
        self.out.write_line("id author the Boardwright authors");
        for (name, about) in OPTIONS {
            self.out.write_line(&format!("option name {name} {about}"));
        }
        self.out.write_line(&format!("{command}ok"));
    }

    /// Queues a job behind all earlier ones.
    fn ask(&self, job: Job) -> Result<()> {
        if self.is_infinite && !self.stops.is_empty() && self.worker.is_thinking() {
            bail!("an infinite search is running; `stop` first");
        }
        self.worker.send(job);
        Ok(())
    }

    fn stop(&mut self) {
        self.stops.drain(..).for_each(|it| it.stop());
    }

    fn set_option(&mut self, words: &[&str]) -> Result<()> {
        let Some(("name", rest)) = words.split_first().map(|(it, rest)| (*it, rest)) else {
            bail!("write `setoption name NAME value VALUE`");
        };
        let at = rest.iter().position(|it| *it == "value");
        let name = rest[..at.unwrap_or(rest.len())].join(" ");
        let value = at.map_or(String::new(), |it| rest[it + 1..].join(" "));
        let known = OPTIONS.iter().find(|(it, _)| it.eq_ignore_ascii_case(&name));
        if name.is_empty() {
            bail!("write `setoption name NAME value VALUE`");
        }
        let Some((name, about)) = known else { bail!("there is no option `{name}`") };
        if *name == "Clear Hash" {
            return self.ask(Job::Forget);
        }
        let mut settings = self.settings.clone();
        if *name == "Method" {
            settings.method = match value.to_lowercase().as_str() {
                "auto" => Method::Auto,
                "search" => Method::Search,
                "playouts" => Method::Playouts,
                _ => bail!("Method is Auto, Search or Playouts"),
            };
        } else {
            let number = value.parse::<u64>().ok().filter(|it| range(about).contains(it));
            let Some(number) = number else {
                if value.is_empty() {
                    bail!("write `setoption name {name} value NUMBER`: {about}");
                }
                bail!("`{value}` is not a value of {name}: {about}")
            };
            match *name {
                "Threads" => settings.threads = number as usize,
                "Hash" => settings.memory = (number as usize) << 20,
                "Level" => settings.level = number as u8,
                "Variety" => settings.variety = number as u8,
                "MultiPV" => settings.lines = number as usize,
                _ => settings.seed = number,
            }
        }
        self.ask(Job::Set(settings.clone()))?;
        self.settings = settings;
        Ok(())
    }

    /// `position startpos|fen TEXT|state TEXT [moves …]`
    fn set_state(&mut self, words: &[&str]) -> Result<()> {
        let at = words.iter().rposition(|it| *it == "moves").unwrap_or(words.len());
        let text = words[..at].join(" ");
        let moves = words.get(at + 1..).unwrap_or(&[]);
        if text != self.base_text {
            let base = self.base_of(&text)?;
            self.state = base.clone();
            (self.base, self.base_text) = (base, text);
            self.moves.clear();
        } else if !moves
            .iter()
            .map(|it| it.to_string())
            .take(self.moves.len())
            .eq(self.moves.iter().cloned())
        {
            self.state = self.base.clone();
            self.moves.clear();
        }
        // Only moves that were not played before are played.
        for word in &moves[self.moves.len()..] {
            self.play(word)?;
        }
        Ok(())
    }

    fn base_of(&self, text: &str) -> Result<GameState> {
        let (kind, text) = text.split_once(' ').unwrap_or((text, ""));
        match kind {
            "startpos" if text.is_empty() => Ok(self.rules.start(1)?),
            "state" if !text.is_empty() => source::state_of_text(&self.rules, text),
            // Our own text has semicolons, which FEN never has.
            "fen" if text.contains(';') => source::state_of_text(&self.rules, text),
            "fen" => source::state_of_fen(&self.rules, text),
            _ => bail!("write `position startpos`, `position fen FEN` or `position state TEXT`"),
        }
    }

    fn play(&mut self, word: &str) -> Result<()> {
        let number = self.moves.len() + 1;
        let Ok(legal) = self.state.legal_moves() else {
            bail!("move {number}, `{word}`: the rules exceed their limits");
        };
        let idx = match source::words::decode(&self.state, &legal, word) {
            Ok(idx) => idx,
            Err(WordError::Unknown) => {
                bail!(
                    "move {number}, `{word}`, is not legal; it and the moves after it are ignored"
                )
            }
            Err(WordError::Several(all)) => {
                let mut words = all.iter().filter_map(|&it| legal.get(it));
                let words: Vec<_> = words
                    .by_ref()
                    .take(4)
                    .map(|it| source::words::encode(&self.state, &legal, &it, self.dialect))
                    .collect();
                bail!("move {number}, `{word}`, may mean {}", words.join(" or "));
            }
        };
        if let Some(mv) = legal.get(idx)
            && self.state.replay(&mv).is_ok()
        {
            self.moves.push(word.to_owned());
        }
        Ok(())
    }

    /// The number of a player among those who choose moves, counted from 1.
    fn number_of(&self, player: Option<boardwright_game::Player>) -> usize {
        let movers = codec::movers(self.rules.ruleset());
        movers.iter().position(|it| Some(*it) == player).map_or(0, |it| it + 1)
    }

    fn go(&mut self, words: &[&str]) -> Result<()> {
        let go = Go::read(words, self.number_of(self.state.mover()));
        if !self.worker.is_thinking() {
            self.stops.clear();
        }
        let stop = StopFlag::default();
        let search = Search {
            state: self.state.clone(),
            limits: go.limits,
            is_infinite: go.is_infinite,
            stop: stop.clone(),
            dialect: self.dialect,
        };
        self.ask(Job::Think(Box::new(search)))?;
        self.stops.push(stop);
        self.is_infinite = go.is_infinite;
        match &go.unknown[..] {
            [] => Ok(()),
            words => bail!("not understood: {}", words.join(" ")),
        }
    }

    fn query(&self, words: &[&str]) -> Result<()> {
        let outcome = self.state.legal_moves().ok().and_then(|it| it.outcome);
        let answer = match words {
            ["gameover"] => outcome.is_some().to_string(),
            ["result"] => match &outcome {
                None => "none".to_owned(),
                Some(GameOutcome { winners, losers, .. }) => match (&winners[..], &losers[..]) {
                    ([one], _) => format!("p{}win", self.number_of(Some(*one))),
                    (_, [one]) => format!("p{}loss", self.number_of(Some(*one))),
                    _ => "draw".to_owned(),
                },
            },
            [turn] if turn.ends_with("turn") => {
                let number = turn.trim_end_matches("turn").strip_prefix('p');
                let Some(number) = number.and_then(|it| it.parse::<usize>().ok()) else {
                    bail!("unknown query `{turn}`");
                };
                (number > 0 && self.number_of(self.state.mover()) == number).to_string()
            }
            _ => bail!("query gameover, result or p1turn"),
        };
        self.out.write_line(&format!("response {answer}"));
        Ok(())
    }

    /// Ends the session after the last command: searches with a limit are completed.
    fn end(mut self) {
        if self.is_infinite {
            // Only the last search can be infinite.
            self.stops.drain(..).next_back().inspect(StopFlag::stop);
        }
        self.worker.finish();
    }
}

/// The range of values of an option, from its type.
fn range(about: &str) -> std::ops::RangeInclusive<u64> {
    let words: Vec<&str> = about.split_whitespace().collect();
    let behind = |name: &str| {
        let at = words.iter().position(|it| *it == name)?;
        words.get(at + 1)?.parse().ok()
    };
    behind("min").unwrap_or(0)..=behind("max").unwrap_or(u64::MAX)
}
