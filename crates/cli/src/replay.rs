//! `boardwright replay`: checks that saved games are legal to the last move.

use std::{
    collections::{HashMap, hash_map::Entry},
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Arc,
};

use anyhow::{Context, Result, bail};
use boardwright_fast::{Fast, replay_both};
use boardwright_play::zsg::SaveFile;
use boardwright_text::render::printable;
use boardwright_zrf::RuleFile;

use crate::{
    files,
    game::{self, CompiledGame},
};

/// Replay saved games and say how far each is legal.
///
/// The rule file is found by the name in the save, with any letter case, in the folder of the
/// save or in the folder given by --rules.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Saved games
    #[arg(required = true, value_name = "GAME.zsg")]
    saves: Vec<PathBuf>,
    /// A rule file, or a folder with rule files
    #[arg(long, value_name = "FILE-OR-DIR")]
    rules: Option<PathBuf>,
    /// Use the plain interpreter only, without comparing the fast form of the rules
    #[arg(long)]
    plain: bool,
}

/// Rule files that were read and compiled, for further saves of the same game.
#[derive(Default)]
struct RuleCache {
    /// The rule files, by path.
    files: HashMap<PathBuf, RuleFile>,
    /// The compiled variants by path and title, with the fast form if there is one.
    games: HashMap<(PathBuf, String), (CompiledGame, Option<Fast>)>,
}

/// The number of complete saves, of lines played, and of all lines.
#[derive(Default)]
struct SaveCounts {
    n_complete: usize,
    n_played: usize,
    n_lines: usize,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let mut tally = SaveCounts::default();
    let mut known = RuleCache::default();
    let mut stdout = io::stdout().lock();
    for path in &args.saves {
        let report = match replay_one(path, args, &mut known, &mut tally) {
            Ok(report) => report,
            Err(error) => format!("{error:#}"),
        };
        writeln!(stdout, "{}: {report}", path.display())?;
    }
    writeln!(
        stdout,
        // The same form for any number, because scripts read this line.
        "{} saves: {} complete, {} of {} lines",
        args.saves.len(),
        tally.n_complete,
        tally.n_played,
        tally.n_lines
    )?;
    let all_complete = tally.n_complete == args.saves.len();
    Ok(ExitCode::from(u8::from(!all_complete)))
}

fn replay_one(
    path: &Path,
    args: &Args,
    known: &mut RuleCache,
    tally: &mut SaveCounts,
) -> Result<String> {
    let bytes = game::read_save(path)?;
    let mut save = SaveFile::read(&bytes);
    let n_lines = save.entries.len() + usize::from(save.damage.is_some());
    tally.n_lines += n_lines;
    if save.rules_file.is_empty() {
        let damage = save.damage.map(|it| format!("line {}: {}", it.line, it.reason));
        bail!(damage.unwrap_or_else(|| "the save names no rule file".to_owned()));
    }
    let rules_path = find_rules(path, args.rules.as_deref(), save.rules_name())?;
    let (game, fast) = known.game(&rules_path, &save, !args.plain)?;
    if save.encoding != game.ruleset.save.encoding {
        drop(save);
        save = SaveFile::read_as(&bytes, game.ruleset.save.encoding);
    }
    let replay = replay_both(&save, Arc::clone(&game.rules), fast.as_ref(), None);
    let n_played = replay.steps.len();
    tally.n_played += n_played;
    let report = match &replay.stop {
        Some(stop) => format!(
            "{n_played}/{n_lines}, stopped at line {}: {}",
            stop.line,
            game::stop_text(game, &stop.reason)
        ),
        None => {
            tally.n_complete += 1;
            let written = replay.written.to_bytes();
            if written == bytes {
                format!("{n_played}/{n_lines} ok")
            } else {
                let line = first_difference(&bytes, &written);
                format!("{n_played}/{n_lines} ok, but we write line {line} differently")
            }
        }
    };
    Ok(report)
}

/// The number of the first line in which two files differ.
fn first_difference(one: &[u8], other: &[u8]) -> usize {
    let same = one.split(|&it| it == b'\n').zip(other.split(|&it| it == b'\n'));
    same.take_while(|(a, b)| a == b).count() + 1
}

impl RuleCache {
    /// The variant that a save names, compiled once.
    fn game(
        &mut self,
        path: &Path,
        save: &SaveFile,
        wants_fast: bool,
    ) -> Result<&(CompiledGame, Option<Fast>)> {
        let file = match self.files.entry(path.to_owned()) {
            Entry::Occupied(it) => it.into_mut(),
            Entry::Vacant(it) => it.insert(files::load(path)?),
        };
        let shown = path.display();
        let title = game::variant_of(save)?;
        match self.games.entry((path.to_owned(), title.to_owned())) {
            Entry::Occupied(it) => Ok(it.into_mut()),
            Entry::Vacant(it) => {
                let idx = file.variant_named(title).with_context(|| {
                    format!("{shown} has no variant called `{}`", printable(title))
                })?;
                let Some(ruleset) = file.compile(idx) else {
                    bail!("{shown} has errors; `boardwright check` shows them");
                };
                let game = CompiledGame::new(ruleset, file);
                let fast = if wants_fast { Fast::new(&game.rules).ok() } else { None };
                Ok(it.insert((game, fast)))
            }
        }
    }
}

/// Finds the rule file of a save: the given file, or by name in the given folder or in the
/// folder of the save.
pub(crate) fn find_rules(save: &Path, given: Option<&Path>, name: &str) -> Result<PathBuf> {
    let beside = save.parent().filter(|it| !it.as_os_str().is_empty());
    let folder = match given {
        Some(it) if it.is_file() => return Ok(it.to_owned()),
        Some(it) => it,
        None => beside.unwrap_or(Path::new(".")),
    };
    let entry = entry_named(folder, name, 4)?;
    entry.with_context(|| format!("no rule file `{}` in {}", printable(name), folder.display()))
}

/// The file called `name`, with any letter case, in a folder or up to `depth` levels below it.
fn entry_named(folder: &Path, name: &str, depth: usize) -> Result<Option<PathBuf>> {
    let exact = folder.join(name);
    if exact.is_file() {
        return Ok(Some(exact));
    }
    let shown = folder.display();
    let entries = fs::read_dir(folder).with_context(|| format!("cannot open {shown}"))?;
    let mut paths: Vec<_> = entries.filter_map(|it| it.ok()).map(|it| it.path()).collect();
    paths.sort();
    let wanted = name.to_lowercase();
    let is_it = |it: &&PathBuf| {
        let found = it.file_name().map(|it| it.to_string_lossy().to_lowercase());
        found.is_some_and(|it| it == wanted)
    };
    if let Some(path) = paths.iter().filter(|it| it.is_file()).find(is_it) {
        return Ok(Some(path.clone()));
    }
    if depth > 0 {
        for path in paths.iter().filter(|it| it.is_dir() && !it.is_symlink()) {
            // Folders that cannot be read are skipped.
            if let Ok(Some(found)) = entry_named(path, name, depth - 1) {
                return Ok(Some(found));
            }
        }
    }
    Ok(None)
}
