//! `boardwright bench`: measures how fast rules run.

mod measure;
mod suite;

use std::{
    io::{self, Write},
    path::PathBuf,
    process::ExitCode,
    time::Duration,
};

use anyhow::{Result, bail};
use boardwright_fast::Fast;
use boardwright_play::Rules;
use boardwright_text::render::printable;

use measure::{Bench, Effort, Rates};

/// Measure how fast the rules of a game run.
///
/// Plays random games from the start, generating all legal moves at each ply, and
/// divides the number of moves by the processor time. The rates of several threads
/// are added.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A rule file
    #[arg(required_unless_present = "suite")]
    file: Option<PathBuf>,
    /// The variant to play, by its title
    #[arg(long, value_name = "TITLE", conflicts_with = "suite")]
    variant: Option<String>,
    /// Seconds of processor time to play
    #[arg(long, value_name = "S", default_value_t = 2.0)]
    seconds: f64,
    /// Number of games to play, whatever time that takes
    #[arg(long, value_name = "N", conflicts_with = "seconds")]
    playouts: Option<u64>,
    /// Seed of the random moves
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Plies after which a game is cut off
    #[arg(long, value_name = "N", default_value_t = 1000)]
    max_plies: u32,
    /// Number of threads
    #[arg(long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..=64))]
    threads: u16,
    /// Use the plain interpreter even if the rules have a fast form
    #[arg(long)]
    plain: bool,
    /// Measure the games that other systems were measured with, from the library
    #[arg(long, conflicts_with_all = ["file", "max_plies"])]
    suite: bool,
    /// How many times faster the machine of the reference figures is than this one
    #[arg(long, value_name = "F", default_value_t = 1.0, requires = "suite")]
    scale: f64,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let effort = Effort {
        budget: Duration::from_secs_f64(args.seconds.clamp(0.01, 3600.0)),
        playouts: args.playouts,
        seed: args.seed,
        max_plies: args.max_plies,
        threads: args.threads,
    };
    let mut stdout = io::stdout().lock();
    if args.suite {
        if !(args.scale.is_finite() && args.scale > 0.0) {
            bail!("--scale is a factor above 0");
        }
        return suite::run(&mut stdout, effort, args.plain, args.scale);
    }
    let Some(file) = &args.file else { bail!("a rule file is needed") };
    let bench = Bench::open(file, args.variant.as_deref(), args.plain)?;
    writeln!(stdout, "rules read and checked in {:.1} ms", millis(bench.compiled))?;
    match &bench.fast {
        Some(Ok(fast)) => {
            writeln!(
                stdout,
                "fast form made in {:.1} ms: {} operations",
                millis(bench.specialized),
                fast.n_ops()
            )?;
            say_walked(&mut stdout, &bench.rules, fast)?;
        }
        Some(Err(why)) => writeln!(stdout, "plain interpreter: {why}")?,
        None => {}
    }
    let Rates { playouts, moves, mean_plies } = bench.play(effort)?;
    writeln!(stdout, "playouts/s {playouts:.0}, moves/s {moves:.0}, mean plies {mean_plies:.1}")?;
    Ok(ExitCode::SUCCESS)
}

/// Lists the pieces that have move blocks without a set-wise form, and why.
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

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}
