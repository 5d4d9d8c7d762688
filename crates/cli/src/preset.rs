//! `boardwright preset`: Game Courier presets, from their folders.

pub(crate) mod folder;
mod play;
mod show;

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Arc,
};

use anyhow::{Context, Result, bail};
use boardwright_gamecode::CodeStop;
use boardwright_preset::{Game, Outcome, Preset, Record, RecordError, import};
use boardwright_text::render::{printable, render};
use clap::Subcommand;

use crate::{files::read_bounded, out};

pub(crate) use folder::include;

/// Larger records and settings are not read.
const MOST_BYTES: usize = 4 << 20;

/// Check, show and play Game Courier presets.
///
/// A preset is a folder: `preset.txt` with its settings, and a file for each field of
/// code. Included files are looked for beside it, then in the folder `include` next to it.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Say what is wrong with presets
    Check {
        /// Folders of presets
        #[arg(required = true)]
        folders: Vec<PathBuf>,
        /// Use colours
        #[arg(long, value_enum, default_value = "auto")]
        color: out::Color,
    },
    /// List the presets in a folder
    List {
        /// A folder that holds folders of presets
        folder: PathBuf,
    },
    /// Show the board, after some play
    Show(Start),
    /// List the moves that the code tells to be legal
    Moves(Start),
    /// Count lines of play
    Perft {
        #[command(flatten)]
        start: Start,
        /// How long the lines are
        #[arg(long, default_value_t = 2)]
        depth: usize,
    },
    /// Play in the terminal
    Play(Start),
    /// Say whether records are legal with their preset
    Replay {
        /// The folder of the preset
        folder: PathBuf,
        /// Records
        #[arg(required = true)]
        records: Vec<PathBuf>,
    },
    /// Print the whole program, numbered and indented
    Listing {
        /// The folder of the preset
        folder: PathBuf,
        /// Print it as the original would build it, with these turns in it
        #[arg(long, value_name = "TURN, TURN")]
        play: Option<String>,
    },
    /// Read settings of the original, and write a folder
    Import {
        /// An address, a form or a settings file, as a file
        file: PathBuf,
        /// The folder to make; without it, only a report is printed
        #[arg(long)]
        out: Option<PathBuf>,
    },
}

/// A preset, and what was played.
#[derive(clap::Args)]
struct Start {
    /// The folder of the preset
    folder: PathBuf,
    /// Turns to play first, each after a comma
    #[arg(long, value_name = "TURN, TURN", default_value = "")]
    play: String,
    /// What dice and shuffles grow from
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl Start {
    fn open(&self) -> Result<Game> {
        let preset = folder::open(&self.folder)?;
        let mut game = match Game::start(preset.clone(), self.seed) {
            Ok(game) => game,
            Err(stop) => bail!("the game cannot begin: {}", explain(&preset, &stop)),
        };
        for turn in self.play.split(',').map(str::trim).filter(|it| !it.is_empty()) {
            if let Err(stop) = game.play(turn) {
                bail!("{}: {}", printable(turn), explain(&preset, &stop));
            }
        }
        Ok(game)
    }
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let mut stdout = io::BufWriter::new(io::stdout().lock());
    let code = act(&args.action, &mut stdout)?;
    stdout.flush()?;
    Ok(code)
}

fn act(action: &Action, out: &mut dyn Write) -> Result<ExitCode> {
    match action {
        Action::Check { folders, color } => check(folders, color.is_on(), out),
        Action::List { folder } => list(folder, out),
        Action::Show(start) => {
            let game = start.open()?;
            show::game(&game, out)?;
            Ok(ExitCode::SUCCESS)
        }
        Action::Moves(start) => {
            let game = start.open()?;
            if game.outcome() != Outcome::Undecided {
                writeln!(out, "{}", show::outcome(&game))?;
            } else if let Some(turns) = game.complete() {
                for (text, _) in turns {
                    writeln!(out, "{}", printable(&text))?;
                }
            } else {
                bail!("this preset does not tell its legal moves");
            }
            Ok(ExitCode::SUCCESS)
        }
        Action::Perft { start, depth } => {
            let game = start.open()?;
            for depth in 1..=*depth {
                match game.perft(depth) {
                    Some(count) => writeln!(out, "{depth} {count}")?,
                    None => bail!("this preset does not tell its legal moves"),
                }
                out.flush()?;
            }
            Ok(ExitCode::SUCCESS)
        }
        Action::Play(start) => {
            let game = start.open()?;
            play::run(game, out)?;
            Ok(ExitCode::SUCCESS)
        }
        Action::Replay { folder, records } => replay(&folder::open(folder)?, records, out),
        Action::Listing { folder, play: Some(play) } => {
            let start = Start { folder: folder.clone(), play: play.clone(), seed: 1 };
            for line in start.open()?.assembled().lines() {
                writeln!(out, "{}", printable(line))?;
            }
            Ok(ExitCode::SUCCESS)
        }
        Action::Listing { folder, play: None } => {
            let preset = folder::open(folder)?;
            let errors = preset.diagnostics().iter().find(|it| it.is_error());
            let listing = preset.program().listing(errors.map(|it| it.span));
            for line in listing.lines() {
                writeln!(out, "{}", printable(line))?;
            }
            Ok(ExitCode::SUCCESS)
        }
        Action::Import { file, out: folder } => bring_in(file, folder.as_ref(), out),
    }
}

/// A stop in words, with its place if it has one.
pub(crate) fn explain(preset: &Preset, stop: &CodeStop) -> String {
    let Some(diagnostic) = stop.diagnostic() else {
        return "a choice is to be made".to_owned();
    };
    let place = preset.program().sources().line_col(diagnostic.span);
    let message = printable(&diagnostic.message);
    let hints = diagnostic.hints.iter().map(|it| format!("; {}", printable(it)));
    let hints: String = hints.collect();
    match place {
        Some((name, at)) if diagnostic.span != Default::default() => {
            format!(
                "{message}{hints} ({}, line {}, column {})",
                printable(name),
                at.line,
                at.column
            )
        }
        _ => format!("{message}{hints}"),
    }
}

fn check(folders: &[PathBuf], color: bool, out: &mut dyn Write) -> Result<ExitCode> {
    let mut n_failed = 0;
    for path in folders {
        let shown = path.display();
        let (bundle, notes) = match folder::read(path) {
            Ok(it) => it,
            // Among many, a folder of includes or a file may well stand.
            Err(error) if folders.len() > 1 => {
                writeln!(out, "{error:#}")?;
                continue;
            }
            Err(error) => return Err(error),
        };
        for note in &notes {
            writeln!(out, "{shown}: line {}: {}", note.line, printable(&note.message))?;
        }
        let mut fails = !notes.is_empty();
        match Preset::new(bundle, &Default::default()) {
            Ok(preset) => {
                for diagnostic in preset.diagnostics() {
                    let picture = render(diagnostic, preset.program().sources(), color);
                    writeln!(out, "{picture}\n")?;
                }
                fails |= !preset.program().is_clean();
                let preset = Arc::new(preset);
                match Game::start(preset.clone(), 1) {
                    Ok(game) => {
                        let label = game.enforcement().text();
                        let told = game.told_moves().map(|it| it.len());
                        let told = told.map_or("tells no moves".to_owned(), |it| {
                            format!("tells {}", out::count(it, "move", "moves"))
                        });
                        writeln!(out, "{shown}: {label} It {told}.")?;
                    }
                    Err(stop) => {
                        fails = true;
                        writeln!(out, "{shown}: cannot begin: {}", explain(&preset, &stop))?;
                    }
                }
            }
            Err(error) => {
                fails = true;
                writeln!(out, "{shown}: {}", printable(&error))?;
            }
        }
        n_failed += usize::from(fails);
    }
    let presets = out::count(folders.len(), "preset", "presets");
    writeln!(out, "{presets}: {n_failed} with errors")?;
    Ok(ExitCode::from(u8::from(n_failed > 0)))
}

fn list(path: &Path, out: &mut dyn Write) -> Result<ExitCode> {
    let entries = fs::read_dir(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut folders: Vec<_> = entries.filter_map(|it| Some(it.ok()?.path())).collect();
    folders.retain(|it| it.join(boardwright_preset::SETTINGS_FILE).is_file());
    folders.sort();
    for folder in folders {
        let (bundle, _) = folder::read(&folder)?;
        let name = folder.file_name().map(|it| it.to_string_lossy().into_owned());
        let game = printable(bundle.settings.get("game"));
        writeln!(out, "{:28} {game}", printable(&name.unwrap_or_default()))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn replay(preset: &Arc<Preset>, records: &[PathBuf], out: &mut dyn Write) -> Result<ExitCode> {
    let mut n_failed = 0;
    for path in records {
        let shown = path.display();
        let text = String::from_utf8_lossy(&read_bounded(path, MOST_BYTES)?).into_owned();
        let result = Record::read(&text).and_then(|record| {
            // A record that brings its preset along is played with that.
            let own = record.bundle.clone().map(|it| Preset::new(it, &Default::default()));
            match own {
                Some(Ok(own)) => record.replay(&Arc::new(own)),
                _ => record.replay(preset),
            }
        });
        match result {
            Ok(game) => {
                let n_turns = game.turns().len();
                let turns = out::count(n_turns, "turn", "turns");
                writeln!(out, "{shown}: {turns}, {}", show::outcome(&game))?;
            }
            Err(RecordError::Turn(idx, stop)) => {
                n_failed += 1;
                writeln!(out, "{shown}: turn {}: {}", idx + 1, explain(preset, &stop))?;
            }
            Err(error) => {
                n_failed += 1;
                writeln!(out, "{shown}: {}", printable(&error.to_string()))?;
            }
        }
    }
    Ok(ExitCode::from(u8::from(n_failed > 0)))
}

fn bring_in(file: &Path, folder: Option<&PathBuf>, out: &mut dyn Write) -> Result<ExitCode> {
    let text = String::from_utf8_lossy(&read_bounded(file, MOST_BYTES)?).into_owned();
    let imported = import::read(&text);
    writeln!(out, "{} understood", out::count(imported.n_fields, "setting", "settings"))?;
    for line in &imported.report {
        writeln!(out, "{}", printable(line))?;
    }
    if let Some(folder) = folder {
        if folder.exists() {
            bail!("{} is there already", folder.display());
        }
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        for (name, text) in imported.bundle.files() {
            let path = folder.join(name);
            fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
        }
        writeln!(out, "written to {}", folder.display())?;
    }
    Ok(ExitCode::from(u8::from(imported.n_fields == 0)))
}
