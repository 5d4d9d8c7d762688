//! `boardwright think`: what the engine thinks of a state, live.

use std::{
    io::{self, Write},
    process::ExitCode,
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::Result;
use boardwright_engine::{Engine, Info, Limits, Settings, Stop};
use boardwright_play::State;
use boardwright_text::render::printable;

use crate::{board, game, lines, start::Start, time};

/// Let the engine think about a state and show what it finds, as it finds it.
///
/// At the start of the game, after some moves, or within a saved game. Scores are for
/// who is to move, in units of the least valuable piece.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    start: Start,
    /// How long to think; 5s if no other limit is given
    #[arg(long, value_parser = time::parse)]
    time: Option<Duration>,
    /// Moves to look ahead
    #[arg(long, value_name = "N")]
    depth: Option<u32>,
    /// States to look at
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// How many of the best moves to show, each with its line
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=64))]
    lines: u32,
    /// How many processor cores to use
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=64))]
    threads: u32,
    /// Memory in megabytes
    #[arg(long, value_name = "MB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    memory: u32,
    /// How strong to play, from 1 to 10
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u8).range(1..=10))]
    level: u8,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let (game, state) = args.start.open()?;
    let mut limits = Limits { time: args.time, depth: args.depth, nodes: args.nodes, clock: None };
    if limits == Limits::default() {
        limits.time = Some(Duration::from_secs(5));
    }
    let mut out = io::stdout().lock();
    writeln!(out, "{}\n", printable(&game.ruleset.title))?;
    let outcome = state.outcome().map_err(|halt| game::halted(&game, halt))?;
    write!(out, "{}", board::picture(&state, outcome.is_some()))?;
    if let Some(outcome) = outcome {
        writeln!(out, "The game is over: {}", game::outcome_text(&game, &outcome))?;
        return Ok(ExitCode::SUCCESS);
    }
    writeln!(out)?;
    out.flush()?;
    let settings = Settings {
        threads: args.threads as usize,
        memory: (args.memory as usize) << 20,
        lines: args.lines as usize,
        level: args.level,
        ..Settings::default()
    };
    let mut engine = Engine::new(Arc::clone(state.rules()), settings);
    let stop = Stop::default();
    let mut view = View::new(&state, &mut out, args.lines as usize);
    let mut failed = Ok(());
    let report = engine.think(&state, &limits, &stop, &mut |info| {
        if failed.is_ok() {
            failed = view.tell(info);
        }
        if failed.is_err() {
            stop.stop();
        }
    });
    view.clear_status()?;
    failed?;
    if view.n_rows == 0 {
        for (rank, line) in report.lines.iter().enumerate() {
            let (nodes, time) = (report.nodes, report.time);
            let line = Some(line.clone());
            let info = Info { depth: report.depth, nodes, time, rank, line, current: None };
            view.tell(&info)?;
        }
    }
    writeln!(out)?;
    match &report.best {
        Some(mv) => {
            let text = printable(&state.shown_text(mv));
            writeln!(out, "Best: {text} ({})", lines::score_text(&state, report.score))?;
        }
        None => writeln!(out, "There is no legal move.")?,
    }
    writeln!(
        out,
        "{} states in {}, {} a second",
        time::big(report.nodes),
        time::shown(report.time),
        time::big(report.nodes_per_second())
    )?;
    Ok(ExitCode::SUCCESS)
}

/// Rows that stay, and below them on a terminal a line that changes.
struct View<'a> {
    state: &'a State,
    out: &'a mut dyn Write,
    width: Option<usize>,
    n_lines: usize,
    n_rows: usize,
    has_status: bool,
    shown_at: Option<Instant>,
    /// The row that was written last, of one that came again.
    last: String,
}

impl<'a> View<'a> {
    fn new(state: &'a State, out: &'a mut dyn Write, n_lines: usize) -> View<'a> {
        View {
            state,
            out,
            width: lines::terminal_width(),
            n_lines,
            n_rows: 0,
            has_status: false,
            shown_at: None,
            last: String::new(),
        }
    }

    fn tell(&mut self, info: &Info) -> Result<()> {
        if let Some(line) = &info.line {
            let score = lines::score_text(self.state, line.score);
            let moves = lines::text(self.state, &line.moves);
            let key = format!("{} {} {score} {moves}", info.depth, info.rank);
            if key == self.last {
                return Ok(());
            }
            self.last = key;
            self.head()?;
            self.clear_status()?;
            let rank = match self.n_lines {
                1 => String::new(),
                _ => format!("{:>2}. ", info.rank + 1),
            };
            let row = format!(
                "{:>5}  {:>9}  {:>8}  {rank}{score:<32}  {moves}",
                info.depth,
                time::shown(info.time),
                time::big(info.nodes)
            );
            let row = self.width.map_or(row.clone(), |it| lines::cut(&row, it));
            writeln!(self.out, "{}", row.trim_end())?;
            self.n_rows += 1;
        } else if let Some((mv, number)) = &info.current {
            self.status(info, &format!("move {number}: {}", self.state.shown_text(mv)))?;
        } else {
            self.status(info, "")?;
        }
        Ok(self.out.flush()?)
    }

    fn head(&mut self) -> Result<()> {
        if self.n_rows == 0 {
            writeln!(self.out, "depth       time    states  score and line")?;
        }
        Ok(())
    }

    /// On a terminal: what is looked at now, at most ten times a second.
    fn status(&mut self, info: &Info, what: &str) -> Result<()> {
        const PAUSE: Duration = Duration::from_millis(100);
        let Some(width) = self.width else { return Ok(()) };
        if self.shown_at.is_some_and(|it| it.elapsed() < PAUSE) {
            return Ok(());
        }
        self.shown_at = Some(Instant::now());
        let rate = info.nodes as f64 / info.time.as_secs_f64().max(1e-6);
        let text = format!(
            "{:>5}  {:>9}  {:>8}  {} a second  {}",
            info.depth,
            time::shown(info.time),
            time::big(info.nodes),
            time::big(rate as u64),
            printable(what)
        );
        write!(self.out, "\r{}\x1b[K", lines::cut(&text, width - 1))?;
        self.has_status = true;
        Ok(())
    }

    fn clear_status(&mut self) -> Result<()> {
        if self.has_status {
            write!(self.out, "\r\x1b[K")?;
            self.has_status = false;
        }
        Ok(())
    }
}
