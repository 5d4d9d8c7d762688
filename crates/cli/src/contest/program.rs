//! Other programs as contenders: UGI or UCI over pipes.

use std::{
    io::{BufReader, Write},
    process::{Child, ChildStdin, Command, Stdio},
    sync::mpsc::{Receiver, RecvTimeoutError, channel},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};
use boardwright_engine::SearchLimits;

use super::spec::ProgramSpec;
use crate::{codec::Dialect, input};

/// The time a program may take to start, or to get ready for a game.
const PATIENCE: Duration = Duration::from_secs(30);
/// Bytes of a line at most; longer lines are split.
const LONGEST: u64 = 1 << 16;
/// The time a program may take to quit before it is killed.
const GRACE: Duration = Duration::from_millis(300);

/// A program that is running.
pub(crate) struct Program {
    child: Child,
    to: ChildStdin,
    from: Receiver<String>,
    dialect: Dialect,
}

impl Program {
    /// Starts a program and waits until it is ready.
    pub(crate) fn start(spec: &ProgramSpec) -> Result<Program> {
        let (name, args) = spec.words.split_first().context("there is no command")?;
        let mut child = Command::new(name)
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("cannot start `{name}`"))?;
        let to = child.stdin.take().context("the program has no standard input")?;
        let out = child.stdout.take().context("the program has no standard output")?;
        let (tell, from) = channel();
        // The thread ends when the program closes its output.
        thread::spawn(move || {
            let mut out = BufReader::new(out);
            while let Ok(Some(line)) = input::next_line_within(&mut out, LONGEST) {
                if is_needed(&line) && tell.send(line).is_err() {
                    break;
                }
            }
        });
        let mut program = Program { child, to, from, dialect: spec.dialect };
        let (hello, answer) = match spec.dialect {
            Dialect::Uci => ("uci", "uciok"),
            Dialect::Ugi => ("ugi", "ugiok"),
        };
        program.say(hello)?;
        program.await_line(answer, PATIENCE).with_context(|| format!("`{name}`"))?;
        for line in &spec.greetings {
            program.say(line)?;
        }
        program.ready()?;
        Ok(program)
    }

    pub(crate) fn new_game(&mut self) -> Result<()> {
        self.say(match self.dialect {
            Dialect::Uci => "ucinewgame",
            Dialect::Ugi => "uginewgame",
        })?;
        self.ready()
    }

    fn ready(&mut self) -> Result<()> {
        self.say("isready")?;
        self.await_line("readyok", PATIENCE).map(|_| ())
    }

    /// The word of the move that the program chooses after these moves.
    pub(crate) fn choose(&mut self, moves: &[String], limits: &SearchLimits) -> Result<String> {
        let mut line = "position startpos".to_owned();
        if !moves.is_empty() {
            line.push_str(" moves ");
            line.push_str(&moves.join(" "));
        }
        self.say(&line)?;
        let mut go = "go".to_owned();
        if let Some(time) = limits.time {
            go.push_str(&format!(" movetime {}", time.as_millis().max(1)));
        }
        if let Some(nodes) = limits.nodes {
            go.push_str(&format!(" nodes {nodes}"));
        }
        if let Some(depth) = limits.depth {
            go.push_str(&format!(" depth {depth}"));
        }
        self.say(&go)?;
        // A late answer is only counted; no answer at all ends the game.
        let patience = limits.time.map_or(PATIENCE * 20, |it| it * 3 + PATIENCE);
        let answer = self.await_line("bestmove", patience)?;
        let word = answer.split_whitespace().nth(1);
        Ok(word.context("`bestmove` without a move")?.to_owned())
    }

    fn say(&mut self, line: &str) -> Result<()> {
        let said = writeln!(self.to, "{line}").and_then(|()| self.to.flush());
        said.context("the program has ended")
    }

    /// Waits for a line that begins with a word.
    fn await_line(&mut self, word: &str, patience: Duration) -> Result<String> {
        let until = Instant::now() + patience;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            match self.from.recv_timeout(left) {
                Ok(line) if line.split_whitespace().next() == Some(word) => return Ok(line),
                Ok(_) => {}
                Err(RecvTimeoutError::Timeout) => bail!("no `{word}` came in time"),
                Err(RecvTimeoutError::Disconnected) => bail!("the program ended before `{word}`"),
            }
        }
    }
}

/// Whether a match needs the line: search information is not used.
fn is_needed(line: &str) -> bool {
    let first = line.split_whitespace().next().unwrap_or("");
    ["uciok", "ugiok", "readyok", "bestmove"].contains(&first)
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.say("quit");
        let until = Instant::now() + GRACE;
        while Instant::now() < until {
            if !matches!(self.child.try_wait(), Ok(None)) {
                return;
            }
            thread::sleep(Duration::from_millis(5));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
