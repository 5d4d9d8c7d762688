//! `boardwright play`: a game in the terminal, on the whole screen or line by line.

mod lines;
mod opponent;
mod screen;
mod terminal_game;

use std::{
    io::{self, IsTerminal, Write},
    path::PathBuf,
    process::ExitCode,
    time::Duration,
};

use anyhow::Result;

use self::{
    lines::Reaction,
    terminal_game::{Seating, TerminalGame},
};
use crate::{input, plugin, source, time};

/// Play a game in the terminal, against another person, the engine or a random mover.
///
/// Type a move, or its number. `help` lists the other commands.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A rule file, or the folder of a preset
    file: PathBuf,
    /// The title of a variant; the one the file opens with if not given
    #[arg(long)]
    variant: Option<String>,
    /// A player whose moves are made at random; may be given several times
    #[arg(long, value_name = "PLAYER")]
    random: Vec<String>,
    /// Play against the engine, from 1 (beginner) to 10 (full strength)
    #[arg(long, value_name = "LEVEL", value_parser = clap::value_parser!(u8).range(1..=10))]
    opponent: Option<u8>,
    /// Play against an engine of others instead: its name in `boardwright plugin list`, or its
    /// path; without this, the one that the rule file names, if it is there and allowed
    #[arg(long, value_name = "NAME")]
    engine: Option<String>,
    /// The player you play against the engine; the one who begins if not given
    #[arg(long, value_name = "PLAYER")]
    seat: Option<String>,
    /// Time per move of the engine
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = time::parse)]
    time: Duration,
    /// Seed of dice and random moves, to repeat a game; taken from the clock if not given
    #[arg(long)]
    seed: Option<u64>,
    /// Play line by line, as with pipes, instead of on the whole screen
    #[arg(long)]
    lines: bool,
}

impl Args {
    /// The arguments for a file and perhaps a variant, with defaults for the rest.
    pub(crate) fn for_file(file: PathBuf, variant: Option<String>) -> Args {
        let time = Duration::from_secs(1);
        let (random, opponent, engine, seat, seed) = (Vec::new(), None, None, None, None);
        Args { file, variant, random, opponent, engine, seat, time, seed, lines: false }
    }

    fn game(&self) -> Result<TerminalGame> {
        let rules = source::open(&self.file, self.variant.as_deref())?;
        let level = self.opponent.or(self.engine.as_ref().map(|_| opponent::FULL_STRENGTH));
        let seating = Seating { random: &self.random, level, person: self.seat.as_deref() };
        let outside = match &self.engine {
            Some(name) => Some(plugin::engine(name, &self.file, &rules)?),
            None if level.is_none() => None,
            None => plugin::of_rules(&self.file, &rules)
                .and_then(|found| found.inspect_err(|why| crate::out::complain(why)).ok()),
        };
        let mut game = TerminalGame::new(rules, &seating, self.time, self.seed)?;
        game.opponent.set_outside(outside);
        Ok(game)
    }
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let game = args.game()?;
    let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    if !args.lines && !game.opponent.has_outside() && is_terminal && screen::can_show(&game) {
        return screen::run(game);
    }
    play_lines(game)?;
    Ok(ExitCode::SUCCESS)
}

/// Plays a preset line by line after some turns, for `boardwright preset play`.
pub(crate) fn run_preset(folder: PathBuf, turns: &str, seed: u64) -> Result<()> {
    let args = Args { seed: Some(seed), ..Args::for_file(folder, None) };
    let mut game = args.game()?;
    for turn in turns.split(',').map(str::trim).filter(|it| !it.is_empty()) {
        game.play(turn)?;
    }
    play_lines(game)
}

fn play_lines(mut game: TerminalGame) -> Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{}\n", source::title(game.rules()))?;
    writeln!(out, "Type a move, `moves` to see them all, `help`, or `quit`.\n")?;
    let mut typed = io::stdin().lock();
    let mut shows = true;
    loop {
        if game.advance(&mut out)? || shows {
            write!(out, "{}", game.picture()?)?;
        }
        write!(out, "> ")?;
        out.flush()?;
        let Some(line) = input::next_line(&mut typed)? else {
            writeln!(out)?;
            return Ok(());
        };
        match game.execute(&line, &mut out) {
            Ok(Reaction::Quit) => return Ok(()),
            Ok(Reaction::Show) => shows = true,
            Ok(Reaction::Said) => shows = false,
            // A typing error must not end the game.
            Err(error) if !crate::out::is_closed_pipe(&error) => {
                writeln!(out, "{error:#}")?;
                shows = false;
            }
            Err(error) => return Err(error),
        }
    }
}
