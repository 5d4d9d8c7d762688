//! `boardwright perft`: how many lines of play there are.

use std::{
    io::{self, Write},
    path::PathBuf,
    process::ExitCode,
    time::Instant,
};

use anyhow::{Context, Result};
use boardwright_play::{State, divide, fast::Fast, perft, perft_turns};
use boardwright_text::render::printable;

use crate::{
    game::{self, Game},
    start,
};

/// Count the lines of play of each length, to compare with other programs.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A rule file
    file: PathBuf,
    /// How many moves deep, at most 1000
    #[arg(long, short, value_parser = clap::value_parser!(u32).range(..=1000))]
    depth: u32,
    /// The title of a variant; the one the file opens with if not given
    #[arg(long)]
    variant: Option<String>,
    /// Moves to play first, parted by semicolons
    #[arg(long, value_name = "MOVES")]
    play: Option<String>,
    /// A state to start from, as `boardwright show --text` prints it
    #[arg(long, value_name = "TEXT", conflicts_with = "play")]
    state: Option<String>,
    /// Count a chain of partial moves as one move
    #[arg(long)]
    turns: bool,
    /// Show the count behind each first move
    #[arg(long)]
    divide: bool,
    /// Count the moves of the last ply without making them
    #[arg(long)]
    bulk: bool,
    /// Use the plain machine even where there is a faster way
    #[arg(long)]
    plain: bool,
    /// Show how long it took
    #[arg(long)]
    time: bool,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let game = game::open(&args.file, args.variant.as_deref())?;
    let mut state = start(&game, args)?;
    let halted = |halt| game::halted(&game, halt);
    let mut stdout = io::stdout().lock();
    if args.divide && args.depth > 0 {
        let counts = divide(&mut state, args.depth, args.turns).map_err(halted)?;
        for (text, count) in &counts {
            writeln!(stdout, "{}: {count}", printable(text))?;
        }
        let total: u64 = counts.iter().map(|it| it.1).sum();
        writeln!(stdout, "perft {}: {total}", args.depth)?;
        return Ok(ExitCode::SUCCESS);
    }
    // The fast form does not know what was played before, which repetition may ask for.
    let is_plain = args.plain || args.turns || args.play.is_some();
    let fast = if is_plain { None } else { Fast::new(state.rules()).ok() };
    for depth in 1.min(args.depth)..=args.depth {
        let began = Instant::now();
        let count = match &fast {
            Some(fast) => fast.perft(&state, depth, args.bulk),
            None if args.turns => perft_turns(&mut state, depth),
            None => perft(&mut state, depth),
        };
        let count = count.map_err(halted)?;
        write!(stdout, "perft {depth}: {count}")?;
        if args.time {
            let seconds = began.elapsed().as_secs_f64();
            let rate = count as f64 / seconds.max(1e-9);
            write!(stdout, "  {seconds:.2} s, {rate:.0} a second")?;
        }
        writeln!(stdout)?;
        stdout.flush()?;
    }
    Ok(ExitCode::SUCCESS)
}

fn start(game: &Game, args: &Args) -> Result<State> {
    let mut state = State::start(game.ruleset.clone());
    if let Some(text) = &args.state {
        state = State::from_text(state.rules().clone(), text).context("--state")?;
    }
    start::play_all(game, &mut state, args.play.as_deref().unwrap_or(""))?;
    Ok(state)
}
