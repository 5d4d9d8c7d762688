//! `boardwright think`: shows the lines that the engine finds while it searches.

use std::{
    io::{self, IsTerminal, Write},
    process::ExitCode,
    sync::Arc,
    time::Duration,
};

use anyhow::{Result, bail};
use boardwright_engine::{
    EngineSettings, SearchInfo, SearchLimits, SearchReport, StopFlag, TuningStore,
};
use boardwright_rules::GameState;
use boardwright_text::render::printable;

use crate::{analysis, plugin, source, start::Start, time, tuning};

/// Let the engine analyse a state, and watch it.
///
/// Shows the best lines of play as they are found, with a score for the player to move: 1.00
/// is the value of the cheapest piece.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    start: Start,
    /// Ask an engine of others: its name in `boardwright plugin list`, or its path; may be given
    /// several times, and with `own` for Boardwright's engine, to compare them
    #[arg(long, value_name = "NAME")]
    engine: Vec<String>,
    /// Time to search; 5s if no limit is given
    #[arg(long, value_name = "TIME", value_parser = time::parse)]
    time: Option<Duration>,
    /// Search depth in moves
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=200))]
    depth: Option<u32>,
    /// Number of nodes to search: repeatable on any machine
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Number of best lines to show
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=64))]
    lines: u16,
    /// Number of threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=64))]
    threads: u16,
    /// Megabytes of the transposition table
    #[arg(long, value_name = "MB", default_value_t = 64, value_parser = clap::value_parser!(u16).range(1..=4096))]
    memory: u16,
}

/// From this time on, the methods of the engine are compared first if that was not done yet.
const LONG: Duration = Duration::from_secs(5);

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let state = args.start.open_any()?;
    source::check_engine(state.rules())?;
    let mut out = io::stdout().lock();
    let legal = state.legal_moves()?;
    write!(out, "{}", source::picture(&state, legal.outcome.is_some())?)?;
    if let Some(outcome) = &legal.outcome {
        writeln!(out, "The game is over: {}", source::outcome_text(outcome))?;
        return Ok(ExitCode::SUCCESS);
    }
    if state.is_chance() {
        bail!("chance is to move: there is nothing to analyse");
    }
    out.flush()?;
    let settings = EngineSettings {
        memory: usize::from(args.memory) << 20,
        threads: usize::from(args.threads),
        lines: usize::from(args.lines),
        ..EngineSettings::default()
    };
    let mut limits =
        SearchLimits { time: args.time, depth: args.depth, nodes: args.nodes, clock: None };
    if limits == SearchLimits::default() {
        limits.time = Some(Duration::from_secs(5));
    }
    for name in args.engine.iter().filter(|it| *it != "own") {
        let mut outside = plugin::engine(name, args.start.file(), state.rules())?;
        let line = args.start.line()?;
        let mut live = LiveLines::new(&state);
        let (at, how, stop) = ((&state, &legal), (&limits, 0), StopFlag::default());
        let mut written = Ok(());
        let report = outside.ask(&line, at, how, &stop, &mut |info| {
            written =
                std::mem::replace(&mut written, Ok(())).and_then(|()| live.tell(info, &mut out));
        });
        written?;
        live.clear(&mut out)?;
        match report {
            Ok(report) => {
                write!(out, "{}: ", printable(outside.name()))?;
                conclude(&state, &report, &mut out)?;
            }
            Err(fault) => writeln!(out, "{}: {fault}", printable(outside.name()))?,
        }
    }
    if !args.engine.is_empty() && !args.engine.iter().any(|it| it == "own") {
        return Ok(ExitCode::SUCCESS);
    }
    let tunings = tuning::folder();
    let mut engine = tunings.engine(Arc::clone(state.rules()), settings);
    let stop = StopFlag::default();
    // A short search must not begin with a longer comparison.
    if limits.time.is_some_and(|it| it >= LONG) && engine.needs_trial(&limits) {
        writeln!(out, "{}", tuning::TRYING)?;
        out.flush()?;
        tunings.ensure_trial(&mut engine, &stop);
    }
    let mut live = LiveLines::new(&state);
    let mut written = Ok(());
    let report = engine.think_among(&state, &legal, &limits, &stop, &mut |info| {
        if written.is_ok() {
            written = live.tell(info, &mut out);
            if written.is_err() {
                stop.stop();
            }
        }
    });
    written?;
    live.clear(&mut out)?;
    for line in &report.lines {
        writeln!(out, "{:>3}  {}", line.depth, analysis::line_text(&state, line))?;
    }
    writeln!(out)?;
    conclude(&state, &report, &mut out)?;
    Ok(ExitCode::SUCCESS)
}

/// Says what a search found in the end.
fn conclude(state: &GameState, report: &SearchReport, out: &mut dyn Write) -> Result<()> {
    let rate = time::big(report.nodes_per_second());
    let (nodes, took) = (time::big(report.nodes), time::shown(report.time));
    writeln!(out, "{nodes} nodes in {took}, {rate} per second")?;
    if let Some(best) = &report.best {
        let words = analysis::score_words(state, report.score);
        writeln!(out, "Best: {} ({words})", printable(&state.shown_text_of(best)))?;
    }
    Ok(())
}

/// The lines of the terminal that are redrawn during the search; without a terminal, results
/// are printed one below the other.
struct LiveLines<'a> {
    state: &'a GameState,
    is_live: bool,
    /// The best lines so far, by rank.
    lines: Vec<String>,
    /// What is being searched.
    status: String,
    /// The number of lines on the terminal that are ours.
    n_drawn: usize,
}

impl<'a> LiveLines<'a> {
    fn new(state: &'a GameState) -> LiveLines<'a> {
        let is_live = io::stdout().is_terminal();
        LiveLines { state, is_live, lines: Vec::new(), status: String::new(), n_drawn: 0 }
    }

    fn tell(&mut self, info: &SearchInfo, out: &mut dyn Write) -> io::Result<()> {
        if let Some(line) = &info.line {
            let text = format!("{:>3}  {}", info.depth, analysis::line_text(self.state, line));
            if !self.is_live {
                return writeln!(out, "{text}");
            }
            if self.lines.len() <= info.rank {
                self.lines.resize(info.rank + 1, String::new());
            }
            self.lines[info.rank] = text;
        }
        if !self.is_live {
            return Ok(());
        }
        let current = info.current.as_ref().map_or(String::new(), |(mv, number)| {
            format!(", now {} (move {number})", printable(&self.state.shown_text_of(mv)))
        });
        let (nodes, took) = (time::big(info.nodes), time::shown(info.time));
        self.status = format!("     depth {}, {nodes} nodes, {took}{current}", info.depth);
        self.draw(out)
    }

    fn draw(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let width = terminal_size::terminal_size().map_or(100, |it| usize::from(it.0.0));
        self.clear(out)?;
        for line in self.lines.iter().chain([&self.status]) {
            // A wrapped line would take two lines of the terminal.
            let line: String = line.chars().take(width.saturating_sub(1)).collect();
            writeln!(out, "{line}")?;
        }
        self.n_drawn = self.lines.len() + 1;
        out.flush()
    }

    /// Erases what was drawn.
    fn clear(&mut self, out: &mut dyn Write) -> io::Result<()> {
        if self.n_drawn > 0 {
            write!(out, "\x1b[{}A\x1b[J", self.n_drawn)?;
            self.n_drawn = 0;
        }
        Ok(())
    }
}
