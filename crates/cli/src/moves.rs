//! `boardwright moves`: the legal moves of a state.

use std::{
    io::{self, Write},
    path::PathBuf,
    process::ExitCode,
};

use anyhow::{Result, bail};
use boardwright_play::State;
use boardwright_text::render::printable;

use crate::game::{self, Game};

/// List the legal moves, one a line, as save files write them.
///
/// At the start of the game, after some moves, or within a saved game. If the
/// game is over, the outcome is printed instead.
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
    /// Print the moves as a move list shows them
    #[arg(long)]
    short: bool,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let game = game::open(&args.file, args.variant.as_deref())?;
    let mut state = game::state_of(&game, args.save.as_deref(), args.ply)?;
    play_all(&game, &mut state, args.play.as_deref().unwrap_or(""))?;
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

/// Plays moves that are parted by semicolons.
pub(crate) fn play_all(game: &Game, state: &mut State, moves: &str) -> Result<()> {
    for text in moves.split(';').map(str::trim).filter(|it| !it.is_empty()) {
        let list = state.legal_moves().map_err(|halt| game::halted(game, halt))?;
        let Some(mv) = state.find_in(&list, text).cloned() else {
            if let Some(outcome) =
                state.outcome_given(&list).map_err(|halt| game::halted(game, halt))?
            {
                bail!(
                    "`{}` comes too late, the game is over: {}",
                    printable(text),
                    game::outcome_text(game, &outcome)
                );
            }
            let nearest: Vec<_> = state.nearest_in(&list, text, 3);
            let nearest: Vec<_> = nearest.iter().map(|it| printable(it)).collect();
            bail!(
                "`{}` is not legal; legal moves most like it: {}",
                printable(text),
                nearest.join(" | ")
            );
        };
        state.play_unchecked(&mv).map_err(|halt| game::halted(game, halt))?;
    }
    Ok(())
}
