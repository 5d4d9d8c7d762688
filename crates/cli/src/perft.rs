//! `boardwright perft`: counts the lines of play of each length.

mod count;

use std::{
    collections::HashMap,
    io::{self, Write},
    path::PathBuf,
    process::ExitCode,
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result};
use boardwright_fast::Fast;
use boardwright_play::State;
use boardwright_text::{StopSignal, render::printable};

use crate::{game, start, time};
use count::{CountOptions, by_first_move};

/// Count the lines of play of each length, to compare with other programs.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A rule file
    file: PathBuf,
    /// The depth in moves, at most 1000
    #[arg(long, short, value_parser = clap::value_parser!(u32).range(..=1000))]
    depth: u32,
    /// The title of a variant; the one the file opens with if not given
    #[arg(long)]
    variant: Option<String>,
    /// Moves to play first, separated by semicolons
    #[arg(long, value_name = "MOVES")]
    play: Option<String>,
    /// A state to start from, as `boardwright show --text` prints it
    #[arg(long, value_name = "TEXT", conflicts_with = "play")]
    state: Option<String>,
    /// Count a chain of partial moves as one move
    #[arg(long)]
    turns: bool,
    /// Show the count after each first move
    #[arg(long)]
    divide: bool,
    /// Count the moves of the last ply without playing them
    #[arg(long)]
    bulk: bool,
    /// Number of threads; by default one, and all cores from depth 3
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64))]
    threads: Option<u16>,
    /// Use the plain interpreter even if the rules have a fast form
    #[arg(long)]
    plain: bool,
    /// End with an error if it takes longer than this, for rules that nobody has tried
    #[arg(long, value_name = "TIME", value_parser = time::parse)]
    within: Option<Duration>,
    /// Show the time taken
    #[arg(long)]
    time: bool,
}

/// The depth from which several threads are worth starting.
const DEEP: u32 = 3;

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let game = game::open(&args.file, args.variant.as_deref())?;
    let rules = Arc::clone(&game.rules);
    let mut state = match &args.state {
        Some(text) => State::from_text(Arc::clone(&rules), text).context("--state")?,
        None => State::start_of(Arc::clone(&rules)),
    };
    let began = Instant::now();
    let stop = match args.within {
        Some(time) => StopSignal::new(move || began.elapsed() >= time),
        None => StopSignal::default(),
    };
    state.set_stop(stop.clone());
    let fast = if args.plain { None } else { Fast::new(&rules).ok() };
    let mut shadow = fast.as_ref().map(|it| it.shadow(&state));
    start::play_all(&game, &mut state, args.play.as_deref().unwrap_or(""), |state, text| {
        if shadow.as_mut().is_some_and(|it| !it.play(state, text)) {
            shadow = None;
        }
    })?;
    let mut stdout = io::stdout().lock();
    let cores = || thread::available_parallelism().map_or(1, usize::from).min(64);
    let what = CountOptions { turns: args.turns, bulk: args.bulk, stop: &stop };
    let count = |depth: u32| -> Result<(Vec<u64>, usize)> {
        let threads = args.threads.map(usize::from);
        let threads = threads.unwrap_or_else(|| if depth < DEEP { 1 } else { cores() });
        let counts = match &shadow {
            Some(shadow) => by_first_move(shadow, depth, what, threads),
            None => by_first_move(&state, depth, what, threads),
        };
        Ok((counts?.map_err(|halt| game::halted(&game, halt))?, threads))
    };
    if args.divide && args.depth > 0 {
        let (counts, _) = count(args.depth)?;
        let moves = state.legal_moves().map_err(|halt| game::halted(&game, halt))?;
        let texts: Vec<String> = moves.iter().map(|it| state.move_text(it)).collect();
        // The fast form lists moves in its own order.
        let order = match &shadow {
            Some(shadow) => {
                shadow.clone().texts(&state).map_err(|halt| game::halted(&game, halt))?
            }
            None => texts.clone(),
        };
        let by_text: HashMap<String, u64> = order.into_iter().zip(counts.iter().copied()).collect();
        for text in &texts {
            let count = by_text.get(text).copied().unwrap_or(0);
            writeln!(stdout, "{}: {count}", printable(text))?;
        }
        writeln!(stdout, "perft {}: {}", args.depth, counts.iter().sum::<u64>())?;
        return Ok(ExitCode::SUCCESS);
    }
    if args.depth == 0 {
        writeln!(stdout, "perft 0: 1")?;
    }
    for depth in 1..=args.depth {
        let began = Instant::now();
        let (counts, threads) = count(depth)?;
        let total: u64 = counts.iter().sum();
        write!(stdout, "perft {depth}: {total}")?;
        if args.time {
            let seconds = began.elapsed().as_secs_f64();
            let rate = total as f64 / seconds.max(1e-9);
            write!(stdout, "  {seconds:.2} s, {rate:.0} a second, threads: {threads}")?;
        }
        writeln!(stdout)?;
        stdout.flush()?;
    }
    Ok(ExitCode::SUCCESS)
}
