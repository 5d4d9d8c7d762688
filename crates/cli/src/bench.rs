//! `boardwright bench`: how fast rules run.

use std::{
    io::{self, Write},
    path::PathBuf,
    process::ExitCode,
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::Result;
use boardwright_play::{MoveList, Rules, SplitMix64, State, fast::Fast};
use boardwright_text::render::printable;
use cpu_time::ThreadTime;

use crate::game;

/// Measure how fast the rules of a game run.
///
/// Plays random games from the start, all legal moves found at each ply, and
/// counts them against the time of the processor.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A rule file
    file: PathBuf,
    /// The variant to play, by its title
    #[arg(long, value_name = "TITLE")]
    variant: Option<String>,
    /// How long to play
    #[arg(long, default_value_t = 2.0)]
    seconds: f64,
    /// Where chance begins
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games that are not over by then are broken off
    #[arg(long, default_value_t = 1000)]
    max_plies: u32,
    /// Use the plain machine even where there is a faster way
    #[arg(long)]
    plain: bool,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let mut stdout = io::stdout().lock();
    let opened = Instant::now();
    let ruleset = game::open(&args.file, args.variant.as_deref())?.ruleset;
    let compiled = opened.elapsed();
    let rules = Arc::new(Rules::new(ruleset));
    let begun = Instant::now();
    let fast = if args.plain { None } else { Some(Fast::new(&rules)) };
    let specialized = begun.elapsed();
    writeln!(stdout, "rules read and checked in {:.1} ms", compiled.as_secs_f64() * 1000.0)?;
    let budget = Duration::from_secs_f64(args.seconds.clamp(0.01, 3600.0));
    let (games, plies, spent) = match fast {
        Some(Ok(fast)) => {
            writeln!(
                stdout,
                "fast form made in {:.1} ms: {} operations",
                specialized.as_secs_f64() * 1000.0,
                fast.n_ops()
            )?;
            say_walked(&mut stdout, &rules, &fast)?;
            let mut playouts = fast.playouts(args.seed, args.max_plies);
            measure(budget, || playouts.play())
        }
        other => {
            if let Some(Err(why)) = other {
                writeln!(stdout, "plain machine: {why}")?;
            }
            let mut random = SplitMix64::new(args.seed);
            measure(budget, || plain_playout(&rules, &mut random, args.max_plies))
        }
    };
    let rate = |n: u64| n as f64 / spent.as_secs_f64();
    writeln!(
        stdout,
        "playouts/s {:.0}, moves/s {:.0}, mean plies {:.1}",
        rate(games),
        rate(plies),
        plies as f64 / games as f64
    )?;
    Ok(ExitCode::SUCCESS)
}

/// Tells which pieces have blocks that are run start by start, and why.
fn say_walked(out: &mut impl Write, rules: &Rules, fast: &Fast) -> Result<()> {
    let mut told: Vec<String> = Vec::new();
    for (kind, _, why) in fast.walked() {
        let line = format!("{}: {why}", rules.ruleset.piece_name(*kind));
        if !told.contains(&line) {
            told.push(line);
        }
    }
    for line in told {
        writeln!(out, "walked: {}", printable(&line))?;
    }
    Ok(())
}

/// Games, moves and processor time.
fn measure(budget: Duration, mut play: impl FnMut() -> u32) -> (u64, u64, Duration) {
    let begun = ThreadTime::now();
    let (mut games, mut plies) = (0, 0);
    loop {
        plies += u64::from(play());
        games += 1;
        let spent = begun.elapsed();
        if spent >= budget {
            return (games, plies, spent);
        }
    }
}

fn plain_playout(rules: &Arc<Rules>, random: &mut SplitMix64, max_plies: u32) -> u32 {
    let mut state = State::start_of(Arc::clone(rules));
    let mut list = MoveList::new();
    for ply in 0..max_plies {
        if state.generate(&mut list).is_err() || list.is_empty() {
            return ply;
        }
        let idx = random.below(list.len());
        let Some(mv) = list.get(idx).cloned() else { return ply };
        if state.play_unchecked(&mv).is_err() {
            return ply;
        }
    }
    max_plies
}
