//! Another program that plays, spoken to in UCI or UGI.

use std::{
    io::{BufRead, BufReader, Read, Write},
    process::{Child, ChildStdin, Command, Stdio},
    sync::mpsc::{Receiver, RecvTimeoutError, channel},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};
use boardwright_engine::Limits;

use crate::codec::Dialect;

/// How long a program may take to start, or to get ready.
const PATIENCE: Duration = Duration::from_secs(20);
/// How much longer than its limit a program may think before it is given up.
const GRACE: Duration = Duration::from_secs(10);
/// How long a search by nodes or depth may take.
const LONG: Duration = Duration::from_secs(600);
/// Longer lines are cut.
const LONGEST: u64 = 1 << 16;

/// A program that is running.
pub(crate) struct External {
    dialect: Dialect,
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    /// The words of `go`, if they were given.
    go: Option<String>,
}

impl External {
    /// Starts a program and tells it its options.
    pub(crate) fn start(
        dialect: Dialect,
        command: &[String],
        lines: &[String],
    ) -> Result<External> {
        let (program, args) = command.split_first().context("no program is named")?;
        let mut child = Command::new(program)
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("cannot start `{program}`"))?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (input, output) = pipes.context("the program has no input or output")?;
        let (said, heard) = channel();
        // Ends when the program does, or when nobody listens.
        thread::spawn(move || {
            let mut output = BufReader::new(output);
            loop {
                let mut bytes = Vec::new();
                let read = (&mut output).take(LONGEST).read_until(b'\n', &mut bytes);
                let line = String::from_utf8_lossy(&bytes).trim().to_owned();
                // What it thinks on the way is nobody's business.
                let is_news = line.starts_with("info ");
                if !read.is_ok_and(|it| it > 0) || !is_news && said.send(line).is_err() {
                    return;
                }
            }
        });
        let mut external = External { dialect, child, input, lines: heard, go: None };
        let (hello, answer) = match dialect {
            Dialect::Uci => ("uci", "uciok"),
            Dialect::Ugi => ("ugi", "ugiok"),
        };
        external.say(hello)?;
        external.wait_for(answer, PATIENCE).with_context(|| format!("`{program}`"))?;
        for line in lines {
            match line.strip_prefix("go ") {
                Some(_) => external.go = Some(line.clone()),
                None => external.say(line)?,
            }
        }
        external.ready().with_context(|| format!("`{program}`"))?;
        Ok(external)
    }

    fn say(&mut self, line: &str) -> Result<()> {
        writeln!(self.input, "{line}").context("the program went away")?;
        self.input.flush().context("the program went away")
    }

    /// The words behind the first line that begins with `wanted`.
    fn wait_for(&mut self, wanted: &str, patience: Duration) -> Result<String> {
        let until = Instant::now() + patience;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok(line) => {
                    let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
                    if word == wanted {
                        return Ok(rest.to_owned());
                    }
                }
                Err(RecvTimeoutError::Timeout) => bail!("no `{wanted}` within {patience:?}"),
                Err(RecvTimeoutError::Disconnected) => bail!("the program went away"),
            }
        }
    }

    fn ready(&mut self) -> Result<()> {
        self.say("isready")?;
        self.wait_for("readyok", PATIENCE).map(drop)
    }

    pub(crate) fn new_game(&mut self) -> Result<()> {
        self.say(match self.dialect {
            Dialect::Uci => "ucinewgame",
            Dialect::Ugi => "uginewgame",
        })?;
        self.ready()
    }

    /// The word of the move it would play after these moves.
    pub(crate) fn choose(&mut self, moves: &[String], limits: &Limits) -> Result<String> {
        let mut line = "position startpos".to_owned();
        if !moves.is_empty() {
            line.push_str(" moves ");
            line.push_str(&moves.join(" "));
        }
        self.say(&line)?;
        let go = self.go.clone().unwrap_or_else(|| go_text(limits));
        self.say(&go)?;
        let patience = if self.go.is_some() { None } else { limits.time };
        let answer = match self.wait_for("bestmove", patience.map_or(LONG, |it| it + GRACE)) {
            Ok(answer) => answer,
            Err(error) => {
                // It may still answer, which would be taken for the next one.
                let _ = self.child.kill();
                return Err(error);
            }
        };
        Ok(answer.split_whitespace().next().unwrap_or("").to_owned())
    }
}

/// `go` with limits.
fn go_text(limits: &Limits) -> String {
    let mut text = "go".to_owned();
    if let Some(time) = limits.time {
        text.push_str(&format!(" movetime {}", time.as_millis().max(1)));
    }
    if let Some(nodes) = limits.nodes {
        text.push_str(&format!(" nodes {nodes}"));
    }
    if let Some(depth) = limits.depth {
        text.push_str(&format!(" depth {depth}"));
    }
    text
}

impl Drop for External {
    fn drop(&mut self) {
        let _ = self.say("quit");
        let until = Instant::now() + Duration::from_millis(500);
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
