//! `boardwright show`: a state as a picture of letters.

use std::{
    io::{self, Write},
    path::PathBuf,
    process::ExitCode,
};

use anyhow::Result;
use boardwright_text::render::printable;

use crate::{board, game, moves};

/// Show the board, what is in hand, and whose turn it is.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A rule file
    file: PathBuf,
    /// The title of a variant; the one the file opens with if not given
    #[arg(long)]
    variant: Option<String>,
    /// Moves to play first, parted by semicolons
    #[arg(long, value_name = "MOVES")]
    play: Option<String>,
    /// A saved game to go through first
    #[arg(long, value_name = "GAME.zsg")]
    save: Option<PathBuf>,
    /// How many lines of the saved game to play
    #[arg(long, requires = "save", value_name = "N")]
    ply: Option<usize>,
    /// Print the state as text that `perft --state` reads
    #[arg(long)]
    text: bool,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let game = game::open(&args.file, args.variant.as_deref())?;
    let mut state = game::state_of(&game, args.save.as_deref(), args.ply)?;
    moves::play_all(&game, &mut state, args.play.as_deref().unwrap_or(""))?;
    let mut stdout = io::stdout().lock();
    if args.text {
        writeln!(stdout, "{}", state.to_text())?;
        return Ok(ExitCode::SUCCESS);
    }
    writeln!(stdout, "{}\n", printable(&game.ruleset.title))?;
    write!(stdout, "{}", board::picture(&state))?;
    if let Some(outcome) = state.outcome().map_err(|halt| game::halted(&game, halt))? {
        writeln!(stdout, "{}", game::outcome_text(&game, &outcome))?;
    }
    Ok(ExitCode::SUCCESS)
}
