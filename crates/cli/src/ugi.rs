//! `boardwright engine`: our engine for other programs, in the universal game interface.
//!
//! One thread listens, another thinks (`worker`). Whatever comes in, something sensible
//! comes out: an answer, or an `info string` that says what was not understood.
//! `docs/ugi.md` describes what is spoken.

mod fen;
mod go;
mod worker;

use std::{io, path::PathBuf, process::ExitCode, sync::Arc};

use anyhow::{Result, bail};
use boardwright_engine::{Method, Settings, Stop};
use boardwright_play::{Ending, Rules, State};
use boardwright_text::render::printable;

use self::{
    go::Go,
    worker::{Job, Out, Search, Worker},
};
use crate::{
    codec::{self, Dialect, Unclear},
    game, input,
};

/// Speak UGI, the universal game interface, for other programs.
///
/// Reads commands from standard input and answers on standard output: `ugi`, `isready`,
/// `setoption`, `position startpos moves ...`, `go movetime 1000`, `stop`, `query result`,
/// `quit`. Chess programs may say `uci` instead. docs/ugi.md tells all.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A rule file
    file: PathBuf,
    /// The title of a variant; the one the file opens with if not given
    #[arg(long, value_name = "TITLE")]
    variant: Option<String>,
}

/// A long game, its moves in full, fits in.
const LONGEST: u64 = 4 << 20;

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let game = game::open(&args.file, args.variant.as_deref())?;
    let rules = Arc::new(Rules::new(game.ruleset));
    let mut session = Session::new(rules);
    let mut typed = io::stdin().lock();
    while let Some(line) = input::next_line_within(&mut typed, LONGEST)? {
        if !session.obey(&line) || session.out.is_closed() {
            session.stop();
            break;
        }
    }
    session.end();
    Ok(ExitCode::SUCCESS)
}

/// The options that can be set: name, what `ugi` tells about it.
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

struct Session {
    rules: Arc<Rules>,
    /// Where the game begins, and the words that led from there to `state`.
    base: State,
    base_text: String,
    moves: Vec<String>,
    state: State,
    settings: Settings,
    dialect: Dialect,
    /// Whether the last search has no end of its own.
    is_infinite: bool,
    /// Of searches that may still be under way.
    stops: Vec<Stop>,
    worker: Worker,
    out: Out,
}

impl Session {
    fn new(rules: Arc<Rules>) -> Session {
        let settings = Settings::default();
        let out = Out::default();
        let worker = Worker::new(Arc::clone(&rules), settings.clone(), out.clone());
        let base = State::start_of(Arc::clone(&rules));
        Session {
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
        }
    }

    /// Does what a line says; false if that is to quit.
    fn obey(&mut self, line: &str) -> bool {
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
                    true => self.out.say("readyok"),
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
                self.out.say(&format!("info string {}", self.state.to_text()));
                Ok(())
            }
            // What engines may hear and need not heed.
            "debug" | "ponderhit" | "register" => Ok(()),
            _ => Err(anyhow::anyhow!("unknown command `{command}`")),
        };
        if let Err(error) = done {
            let text: String = printable(&format!("{error:#}")).chars().take(500).collect();
            self.out.say(&format!("info string {text}"));
        }
        true
    }

    fn introduce(&mut self, command: &str) {
        self.dialect = if command == "uci" { Dialect::Uci } else { Dialect::Ugi };
        self.out.say(&format!("id name Boardwright {}", env!("CARGO_PKG_VERSION")));
        self.out.say("id author the Boardwright authors");
        for (name, about) in OPTIONS {
            self.out.say(&format!("option name {name} {about}"));
        }
        self.out.say(&format!("{command}ok"));
    }

    /// Has something done when all that was asked for before is answered.
    fn ask(&self, job: Job) -> Result<()> {
        if self.is_infinite && !self.stops.is_empty() && self.worker.is_thinking() {
            bail!("thinking without an end; `stop` first");
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
                bail!("{name} takes no `{value}`: {about}")
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
        // Only what is new must be played.
        for word in &moves[self.moves.len()..] {
            self.play(word)?;
        }
        Ok(())
    }

    fn base_of(&self, text: &str) -> Result<State> {
        let (kind, text) = text.split_once(' ').unwrap_or((text, ""));
        let rules = || Arc::clone(&self.rules);
        match kind {
            "startpos" if text.is_empty() => Ok(State::start_of(rules())),
            "state" if !text.is_empty() => Ok(State::from_text(rules(), text)?),
            // Our own text has blanks and semicolons, which FEN never has.
            "fen" if text.contains(';') => Ok(State::from_text(rules(), text)?),
            "fen" => fen::read(&self.rules, text),
            _ => bail!("write `position startpos`, `position fen FEN` or `position state TEXT`"),
        }
    }

    fn play(&mut self, word: &str) -> Result<()> {
        let number = self.moves.len() + 1;
        let Ok(list) = self.state.legal_moves() else {
            bail!("move {number}, `{word}`: the rules do not come to an end");
        };
        let idx = match codec::decode(&self.state, &list, word) {
            Ok(idx) => idx,
            Err(Unclear::Unknown) => {
                bail!("move {number}, `{word}`, is not legal; it and what follows are left out")
            }
            Err(Unclear::Several(all)) => {
                let mut words = all.iter().filter_map(|&it| list.get(it));
                let words: Vec<_> = words
                    .by_ref()
                    .take(4)
                    .map(|it| codec::encode(&self.state, &list, it, self.dialect))
                    .collect();
                bail!("move {number}, `{word}`, may mean {}", words.join(" or "));
            }
        };
        if let Some(mv) = list.get(idx)
            && self.state.play_unchecked(mv).is_ok()
        {
            self.moves.push(word.to_owned());
        }
        Ok(())
    }

    /// The number of a player among those who choose moves, from 1.
    fn number_of(&self, player: Option<boardwright_game::Player>) -> usize {
        let movers = codec::movers(&self.rules.ruleset);
        movers.iter().position(|it| Some(*it) == player).map_or(0, |it| it + 1)
    }

    fn go(&mut self, words: &[&str]) -> Result<()> {
        let go = Go::read(words, self.number_of(self.state.mover()));
        if !self.worker.is_thinking() {
            self.stops.clear();
        }
        let stop = Stop::default();
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
        let outcome = self.state.outcome().ok().flatten();
        let answer = match words {
            ["gameover"] => outcome.is_some().to_string(),
            ["result"] => match outcome.map(|it| it.ending) {
                None => "none".to_owned(),
                Some(Ending::Draw) => "draw".to_owned(),
                Some(Ending::Win(it)) => format!("p{}win", self.number_of(Some(it))),
                Some(Ending::Loss(it)) => {
                    let n_movers = codec::movers(&self.rules.ruleset).len();
                    match (self.number_of(Some(it)), n_movers) {
                        (1, 2) => "p2win".to_owned(),
                        (2, 2) => "p1win".to_owned(),
                        (number, _) => format!("p{number}loss"),
                    }
                }
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
        self.out.say(&format!("response {answer}"));
        Ok(())
    }

    /// Nobody will say anything more: what has an end may still be finished.
    fn end(mut self) {
        if self.is_infinite {
            // Only the last one can be without an end.
            self.stops.drain(..).next_back().inspect(Stop::stop);
        }
        self.worker.finish();
    }
}

/// The numbers that an option takes, from what is told about it.
fn range(about: &str) -> std::ops::RangeInclusive<u64> {
    let words: Vec<&str> = about.split_whitespace().collect();
    let behind = |name: &str| {
        let at = words.iter().position(|it| *it == name)?;
        words.get(at + 1)?.parse().ok()
    };
    behind("min").unwrap_or(0)..=behind("max").unwrap_or(u64::MAX)
}
