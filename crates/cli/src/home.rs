//! `boardwright games`: the library, and a game to play in the terminal.

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::{Context, Result};
use boardwright_text::render::printable;
use tempfile::TempDir;

use crate::{files, input, play};

/// List the games of the library, and play one in the terminal.
#[derive(clap::Args)]
pub(crate) struct Args {}

/// A game of the library, with the titles of its variants and the index of the default one.
struct Entry {
    titles: Vec<String>,
    default: usize,
    path: PathBuf,
}

impl Entry {
    fn title(&self) -> String {
        self.titles.get(self.default).map_or(String::new(), |it| printable(it))
    }
}

pub(crate) fn run(_: &Args) -> Result<ExitCode> {
    let library = Library::open()?;
    let entries = &library.entries;
    let mut stdout = io::stdout().lock();
    writeln!(stdout, "Boardwright: board games from their rules.\n")?;
    list(&mut stdout, entries)?;
    writeln!(stdout, "\nWhich game? Its number or name, or `quit`.")?;
    while let Some(line) = ask(&mut stdout)? {
        match line.to_lowercase().as_str() {
            "" => continue,
            "quit" | "q" | "exit" => return Ok(ExitCode::SUCCESS),
            "list" | "help" => {
                list(&mut stdout, entries)?;
                continue;
            }
            _ => {}
        }
        let Some((entry, variant)) = find(entries, &line) else {
            writeln!(stdout, "No game has that number or name. Type `list` to see them again.")?;
            continue;
        };
        let variant = match variant {
            Some(idx) => Some(idx),
            None if entry.titles.len() == 1 => Some(entry.default),
            None => choose_variant(&mut stdout, entry)?,
        };
        let Some(title) = variant.and_then(|it| entry.titles.get(it)) else {
            return Ok(ExitCode::SUCCESS);
        };
        let args = play::Args::for_file(entry.path.clone(), Some(title.clone()));
        drop(stdout);
        return play::run(&args);
    }
    Ok(ExitCode::SUCCESS)
}

/// The next line of input; `None` at its end.
fn ask(out: &mut dyn Write) -> Result<Option<String>> {
    write!(out, "> ")?;
    out.flush()?;
    let line = input::next_line(&mut io::stdin().lock())?;
    if line.is_none() {
        writeln!(out)?;
    }
    Ok(line)
}

/// Asks which variant of a game to play; `None` to quit.
fn choose_variant(out: &mut dyn Write, entry: &Entry) -> Result<Option<usize>> {
    writeln!(out)?;
    for (idx, title) in entry.titles.iter().enumerate() {
        writeln!(out, "{:>3} {}", idx + 1, printable(title))?;
    }
    writeln!(out, "\nWhich one? Its number or name; Enter for {}.", entry.title())?;
    while let Some(line) = ask(out)? {
        match line.to_lowercase().as_str() {
            "" => return Ok(Some(entry.default)),
            "quit" | "q" | "exit" => return Ok(None),
            _ => {}
        }
        let titles: Vec<&str> = entry.titles.iter().map(|it| it.as_str()).collect();
        if let Some(idx) = by_number_or_name(&titles, &line) {
            return Ok(Some(idx));
        }
        writeln!(out, "No variant has that number or name.")?;
    }
    Ok(None)
}

/// The games of the library: those of a folder `games` nearby, or those inside the program.
struct Library {
    entries: Vec<Entry>,
    /// Where the games of the program were written; goes when the command ends.
    _unpacked: Option<TempDir>,
}

impl Library {
    fn open() -> Result<Library> {
        if let Some(entries) = folders().map(|it| entries(&it)).find(|it| !it.is_empty()) {
            return Ok(Library { entries, _unpacked: None });
        }
        let folder = tempfile::tempdir().context("a folder for the games of the library")?;
        boardwright_server::unpack_games(folder.path())
            .context("the games of the library cannot be written")?;
        Ok(Library { entries: entries(folder.path()), _unpacked: Some(folder) })
    }
}

/// The first library folder that holds a game.
pub(crate) fn folder() -> Option<PathBuf> {
    folders().find(|it| !entries(it).is_empty())
}

/// The folders named `games` to look in: the current one, and those above the program.
fn folders() -> impl Iterator<Item = PathBuf> {
    let program = std::env::current_exe().ok().unwrap_or_default();
    let beside: Vec<PathBuf> = program.ancestors().skip(1).take(4).map(Path::to_owned).collect();
    std::iter::once(PathBuf::new()).chain(beside).map(|it| it.join("games"))
}

/// The rule files of a library: each game is a folder with a rule file of the same name.
fn entries(folder: &Path) -> Vec<Entry> {
    let mut found = Vec::new();
    let Ok(folders) = fs::read_dir(folder) else { return found };
    for folder in folders.filter_map(|it| it.ok()) {
        let folder = folder.path();
        let Some(name) = folder.file_name().and_then(|it| it.to_str()) else { continue };
        let path = folder.join(format!("{name}.zrf"));
        // The menu consists of pictures, which a terminal cannot show.
        if name == "menu" || !path.is_file() {
            continue;
        }
        let Ok(file) = files::load(&path) else { continue };
        let games = || file.variants().iter().filter(|it| !it.is_separator);
        if let Some(default) = games().position(|it| it.is_default) {
            let shown = (0..).zip(file.variants()).filter(|it| !it.1.is_separator);
            let titles = shown.map(|(idx, _)| file.shown_title(idx)).collect();
            found.push(Entry { titles, default, path });
        }
    }
    found.sort_by_key(|it| it.title().to_lowercase());
    found
}

/// Prints the titles in three columns, read downwards.
fn list(out: &mut dyn Write, entries: &[Entry]) -> Result<()> {
    const COLUMNS: usize = 3;
    let rows = entries.len().div_ceil(COLUMNS);
    for row in 0..rows {
        let mut line = String::new();
        for idx in (0..COLUMNS).map(|it| it * rows + row) {
            let Some(entry) = entries.get(idx) else { continue };
            let more = match entry.titles.len() {
                0 | 1 => String::new(),
                n => format!(" +{}", n - 1),
            };
            let cell = format!("{:>3} {}{more}", idx + 1, entry.title());
            line.push_str(&format!("{cell:<34}"));
        }
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

/// The game with this number or name, and the variant if the name is that of one.
fn find<'a>(entries: &'a [Entry], wanted: &str) -> Option<(&'a Entry, Option<usize>)> {
    let titles: Vec<String> = entries.iter().map(Entry::title).collect();
    let titles: Vec<&str> = titles.iter().map(|it| it.as_str()).collect();
    if let Some(idx) = by_number_or_name(&titles, wanted) {
        return entries.get(idx).map(|it| (it, None));
    }
    let is_number = wanted.parse::<usize>().is_ok();
    entries.iter().filter(|_| !is_number).find_map(|entry| {
        let titles: Vec<&str> = entry.titles.iter().map(|it| it.as_str()).collect();
        by_number_or_name(&titles, wanted).map(|idx| (entry, Some(idx)))
    })
}

/// The index of a title: by its number from 1, its name, or a part of its name.
fn by_number_or_name(titles: &[&str], wanted: &str) -> Option<usize> {
    if let Ok(number) = wanted.parse::<usize>() {
        return number.checked_sub(1).filter(|&it| it < titles.len());
    }
    let wanted = wanted.to_lowercase();
    let titles: Vec<String> = titles.iter().map(|it| it.to_lowercase()).collect();
    let place = |is_it: &dyn Fn(&String) -> bool| titles.iter().position(is_it);
    place(&|it| *it == wanted)
        .or_else(|| place(&|it| it.starts_with(&wanted)))
        .or_else(|| place(&|it| it.contains(&wanted)))
}
