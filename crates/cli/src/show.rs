//! `boardwright show`: a state as a picture of letters.

use std::{
    io::{self, Write},
    process::ExitCode,
};

use anyhow::Result;
use boardwright_text::render::printable;

use crate::{board, game, start::Start};

/// Show the board, what is in hand, and whose turn it is.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    start: Start,
    /// Print the state as text that `perft --state` reads
    #[arg(long)]
    text: bool,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let (game, state) = args.start.open()?;
    let mut stdout = io::stdout().lock();
    if args.text {
        writeln!(stdout, "{}", state.to_text())?;
        return Ok(ExitCode::SUCCESS);
    }
    writeln!(stdout, "{}\n", printable(game.ruleset.translated(&game.ruleset.title)))?;
    let outcome = state.outcome().map_err(|halt| game::halted(&game, halt))?;
    write!(stdout, "{}", board::picture(&state, outcome.is_some()))?;
    if let Some(outcome) = outcome {
        writeln!(stdout, "{}", game::outcome_text(&game, &outcome))?;
    }
    Ok(ExitCode::SUCCESS)
}
