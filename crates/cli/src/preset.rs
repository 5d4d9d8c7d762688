//! `boardwright preset`: checks, shows and plays Game Courier presets.

pub(crate) mod folder;
pub(crate) mod show;

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Arc,
};

use anyhow::{Context, Result, bail};
use boardwright_gamecode::CodeStop;
use boardwright_preset::{Bundle, Field, Game, Preset, PresetOutcome, Record, RecordError, import};
use boardwright_text::render::{printable, render};
use clap::Subcommand;

use crate::{files::read_bounded, out, play};

pub(crate) use folder::include;

/// Bytes of a record or settings file at most.
const MOST_BYTES: usize = 4 << 20;

/// Check, show and play Game Courier presets.
///
/// A preset is a folder with `preset.txt` for its settings and one file for each field of
/// code. Included files are found in that folder, or in the folder `include` next to it.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    action: PresetAction,
}

#[derive(Subcommand)]
enum PresetAction {
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
    Show(PresetStart),
    /// List the moves that the code declares legal
    Moves(PresetStart),
    /// Count the lines of play of each length
    Perft {
        #[command(flatten)]
        start: PresetStart,
        /// The depth in turns
        #[arg(long, default_value_t = 2)]
        depth: usize,
    },
    /// Play in the terminal
    Play(PresetStart),
    /// Check that records are legal
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
        /// Print it as the original program would assemble it after these turns
        #[arg(long, value_name = "TURN, TURN")]
        play: Option<String>,
    },
    /// Begin a preset of your own: a board of chess without rules
    New {
        /// The folder to create
        folder: PathBuf,
        /// The name of the game; else that of the folder
        #[arg(long)]
        name: Option<String>,
    },
    /// Convert settings of the original program to a folder
    Import {
        /// A file with a preset URL, an HTML form or a settings file
        file: PathBuf,
        /// The folder to create; without it, only a report is printed
        #[arg(long)]
        out: Option<PathBuf>,
    },
}

/// A preset, and the turns to play first.
#[derive(clap::Args)]
struct PresetStart {
    /// The folder of the preset
    folder: PathBuf,
    /// Turns to play first, separated by commas
    #[arg(long, value_name = "TURN, TURN", default_value = "")]
    play: String,
    /// Seed of dice and shuffles
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl PresetStart {
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
    let mut stdout = io::BufWriter::new(io::stdout());
    let code = act(&args.action, &mut stdout)?;
    stdout.flush()?;
    Ok(code)
}

fn act(action: &PresetAction, out: &mut dyn Write) -> Result<ExitCode> {
    match action {
        PresetAction::Check { folders, color } => check(folders, color.is_on(), out),
        PresetAction::List { folder } => list(folder, out),
        PresetAction::Show(start) => {
            let game = start.open()?;
            show::game(&game, out)?;
            Ok(ExitCode::SUCCESS)
        }
        PresetAction::Moves(start) => {
            let game = start.open()?;
            if game.outcome() != PresetOutcome::Undecided {
                writeln!(out, "{}", show::outcome(&game))?;
            } else if let Some(turns) = game.complete() {
                for (text, _) in turns {
                    writeln!(out, "{}", printable(&text))?;
                }
            } else {
                bail!("this preset does not list its legal moves");
            }
            Ok(ExitCode::SUCCESS)
        }
        PresetAction::Perft { start, depth } => {
            let game = start.open()?;
            for depth in 1..=*depth {
                match game.perft(depth) {
                    Some(count) => writeln!(out, "{depth} {count}")?,
                    None => bail!("this preset does not list its legal moves"),
                }
                out.flush()?;
            }
            Ok(ExitCode::SUCCESS)
        }
        PresetAction::Play(start) => {
            play::run_preset(start.folder.clone(), &start.play, start.seed)?;
            Ok(ExitCode::SUCCESS)
        }
        PresetAction::Replay { folder, records } => replay(&folder::open(folder)?, records, out),
        PresetAction::Listing { folder, play: Some(play) } => {
            let start = PresetStart { folder: folder.clone(), play: play.clone(), seed: 1 };
            for line in start.open()?.assembled().lines() {
                writeln!(out, "{}", printable(line))?;
            }
            Ok(ExitCode::SUCCESS)
        }
        PresetAction::Listing { folder, play: None } => {
            let preset = folder::open(folder)?;
            let errors = preset.diagnostics().iter().find(|it| it.is_error());
            let listing = preset.program().listing(errors.map(|it| it.span));
            for line in listing.lines() {
                writeln!(out, "{}", printable(line))?;
            }
            Ok(ExitCode::SUCCESS)
        }
        PresetAction::New { folder, name } => begin(folder, name.as_deref(), out),
        PresetAction::Import { file, out: folder } => import_settings(file, folder.as_ref(), out),
    }
}

/// Why code stopped, with the place in the code if there is one.
pub(crate) fn explain(preset: &Preset, stop: &CodeStop) -> String {
    let Some(diagnostic) = stop.diagnostic() else {
        return "a choice has to be made".to_owned();
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
            // A pattern such as `presets/*` also matches files and the folder of includes.
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
                        let told = told.map_or("lists no moves".to_owned(), |it| {
                            format!("lists {}", out::count(it, "move", "moves"))
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
            // A record that contains its preset is replayed with that.
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

/// Makes the folder of a new preset.
fn begin(folder: &Path, name: Option<&str>, out: &mut dyn Write) -> Result<ExitCode> {
    let own = folder.file_name().map(|it| it.to_string_lossy().into_owned());
    let name = name.map(str::to_owned).or(own).unwrap_or_else(|| "My game".to_owned());
    let mut bundle = Bundle::default();
    for (key, value) in [
        ("game", name.as_str()),
        ("code", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"),
        (
            "pieces",
            "K King\nQ Queen\nR Rook\nB Bishop\nN Knight\nP Pawn\nk King\nq Queen\nr Rook\nb Bishop\nn Knight\np Pawn",
        ),
        ("rules", "# Rules\n\nWrite the rules in short here."),
    ] {
        if let Some(field) = Field::named(key)
            && let Err(message) = bundle.settings.set(field, value)
        {
            bail!("{}", printable(&message));
        }
    }
    write_new(folder, &bundle)?;
    writeln!(out, "written to {}; docs/presets.md tells what goes into it", folder.display())?;
    Ok(ExitCode::SUCCESS)
}

/// Writes a preset to a folder that is not there yet.
fn write_new(folder: &Path, bundle: &Bundle) -> Result<()> {
    if folder.exists() {
        bail!("{} already exists", folder.display());
    }
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    for (name, text) in bundle.files() {
        let path = folder.join(name);
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

/// Writes the index of a piece set of the original.
fn import_set(index: &str, folder: Option<&PathBuf>, out: &mut dyn Write) -> Result<ExitCode> {
    let n_pieces = index.lines().filter(|it| it.starts_with(' ')).count();
    writeln!(out, "a piece set: {}", out::count(n_pieces, "picture", "pictures"))?;
    if let Some(folder) = folder {
        let path = folder.join("set.txt");
        if path.exists() {
            bail!("{} already exists", path.display());
        }
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        fs::write(&path, index).with_context(|| format!("cannot write {}", path.display()))?;
        writeln!(out, "written to {}; put the pictures beside it", path.display())?;
    }
    Ok(ExitCode::SUCCESS)
}

fn import_settings(file: &Path, folder: Option<&PathBuf>, out: &mut dyn Write) -> Result<ExitCode> {
    let text = String::from_utf8_lossy(&read_bounded(file, MOST_BYTES)?).into_owned();
    if let Some(index) = import::set_index(&text) {
        return import_set(&index, folder, out);
    }
    let imported = import::read(&text);
    writeln!(out, "{} understood", out::count(imported.n_fields, "setting", "settings"))?;
    for line in &imported.report {
        writeln!(out, "{}", printable(line))?;
    }
    if let Some(folder) = folder {
        write_new(folder, &imported.bundle)?;
        writeln!(out, "written to {}", folder.display())?;
    }
    Ok(ExitCode::from(u8::from(imported.n_fields == 0)))
}
