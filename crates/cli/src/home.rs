//! `boardwright` by itself: the library, and a game to play.

use std::{
    fs,
    io::{self, BufRead, Write},
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::{Context, Result};
use boardwright_text::render::printable;

use crate::{files, out, play};

/// A game of the library: the file's own title, and how many variants it has.
struct Entry {
    title: String,
    n_variants: usize,
    path: PathBuf,
}

pub(crate) fn run() -> Result<ExitCode> {
    let Some(folder) = library() else {
        out::complain(
            "there is no folder `games` here; `boardwright --help` tells what else there is",
        );
        return Ok(ExitCode::from(1));
    };
    let entries = entries(&folder)?;
    let mut stdout = io::stdout().lock();
    writeln!(stdout, "Boardwright: board games from their rules.\n")?;
    list(&mut stdout, &entries)?;
    writeln!(stdout, "\nWhich game? Its number or name, or `quit`.")?;
    let mut lines = io::stdin().lock().lines();
    loop {
        write!(stdout, "> ")?;
        stdout.flush()?;
        let Some(line) = lines.next().transpose().context("cannot read your input")? else {
            writeln!(stdout)?;
            return Ok(ExitCode::SUCCESS);
        };
        let wanted = line.trim();
        match wanted {
            "" => continue,
            "quit" | "q" | "exit" => return Ok(ExitCode::SUCCESS),
            "list" | "help" => {
                list(&mut stdout, &entries)?;
                continue;
            }
            _ => {}
        }
        let Some(entry) = find(&entries, wanted) else {
            writeln!(stdout, "No game has that number or name. `list` shows them again.")?;
            continue;
        };
        let path = entry.path.clone();
        drop((stdout, lines));
        return play::run(&play::Args::for_file(path));
    }
}

/// The folder `games`: here, or beside the place the program was built in.
fn library() -> Option<PathBuf> {
    let here = Path::new("games");
    if here.is_dir() {
        return Some(here.to_owned());
    }
    let program = std::env::current_exe().ok()?;
    let beside = program.ancestors().skip(1).take(4).map(|it| it.join("games"));
    beside.into_iter().find(|it| it.is_dir())
}

/// The rule files of a library: one folder a game, the file named like its folder.
fn entries(folder: &Path) -> Result<Vec<Entry>> {
    let mut found = Vec::new();
    for folder in
        fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?
    {
        let folder = folder?.path();
        let Some(name) = folder.file_name().and_then(|it| it.to_str()) else { continue };
        let path = folder.join(format!("{name}.zrf"));
        // The menu is a game of pictures: for the page, not for the terminal.
        if name == "menu" || !path.is_file() {
            continue;
        }
        let Ok(file) = files::load(&path) else { continue };
        let games = || file.variants().iter().filter(|it| !it.is_separator);
        if let Some(default) = games().find(|it| it.is_default) {
            let title = printable(&default.title);
            found.push(Entry { title, n_variants: games().count() - 1, path });
        }
    }
    found.sort_by_key(|it| it.title.to_lowercase());
    Ok(found)
}

/// Three columns of titles, read downwards.
fn list(out: &mut dyn Write, entries: &[Entry]) -> Result<()> {
    const COLUMNS: usize = 3;
    let rows = entries.len().div_ceil(COLUMNS);
    for row in 0..rows {
        let mut line = String::new();
        for idx in (0..COLUMNS).map(|it| it * rows + row) {
            let Some(entry) = entries.get(idx) else { continue };
            let more = match entry.n_variants {
                0 => String::new(),
                n => format!(" +{n}"),
            };
            let cell = format!("{:>3} {}{more}", idx + 1, entry.title);
            line.push_str(&format!("{cell:<34}"));
        }
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

fn find<'a>(entries: &'a [Entry], wanted: &str) -> Option<&'a Entry> {
    if let Ok(number) = wanted.parse::<usize>() {
        return number.checked_sub(1).and_then(|it| entries.get(it));
    }
    let wanted = wanted.to_lowercase();
    let title = |it: &Entry| it.title.to_lowercase();
    entries
        .iter()
        .find(|it| title(it) == wanted)
        .or_else(|| entries.iter().find(|it| title(it).starts_with(&wanted)))
        .or_else(|| entries.iter().find(|it| title(it).contains(&wanted)))
}
