//! `boardwright moves`: the legal moves of a state.

use std::{
    io::{self, Write},
    process::ExitCode,
};

use anyhow::Result;
use boardwright_text::render::printable;

use crate::{game, start::Start};

/// List the legal moves, one per line, as save files write them.
///
/// Starts from the beginning of the game, from given moves, or from a saved game. If the
/// game is over, the outcome is printed.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    start: Start,
    /// Print the moves as a move list shows them
    #[arg(long)]
    short: bool,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let (game, mut state) = args.start.open()?;
    let halted = |halt| game::halted(&game, halt);
    let moves = state.legal_moves().map_err(halted)?;
    let mut stdout = io::BufWriter::new(io::stdout().lock());
    for mv in &moves {
        let text = if args.short { state.shown_text(mv) } else { state.move_text(mv) };
        writeln!(stdout, "{}", printable(&text))?;
    }
    if let Some(outcome) = state.outcome_given(&moves).map_err(halted)? {
        writeln!(stdout, "{}", game::outcome_text(&game, &outcome))?;
    }
    stdout.flush()?;
    Ok(ExitCode::SUCCESS)
}
