//! `boardwright list`: lists the games and variants of a rule file.

use std::{
    io::{self, Write},
    path::PathBuf,
    process::ExitCode,
};

use anyhow::Result;
use boardwright_text::render::printable;

use crate::{files, out};

/// List the games and variants of a rule file.
///
/// Prints one line per variant: number, title, players, positions, pieces. The variant that
/// the file opens with is marked `*`. Variants with errors are marked as such.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A rule file
    file: PathBuf,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let mut file = files::load(&args.file)?;
    let mut lines: Vec<(String, String, String)> = Vec::new();
    let mut any_failed = file.variants().is_empty();
    let mut number = 0;
    for idx in 0..file.variants().len() {
        let Some(entry) = file.variants().get(idx).cloned() else {
            continue;
        };
        if entry.is_separator {
            lines.push((String::new(), "-".to_owned(), String::new()));
            continue;
        }
        number += 1;
        let facts = match file.compile(idx) {
            Some(rules) => format!(
                "{}, {}, {}",
                out::count(rules.players.len(), "player", "players"),
                out::count(rules.board.n_sites(), "position", "positions"),
                out::count(rules.pieces.len(), "piece", "pieces")
            ),
            None => {
                any_failed = true;
                "has errors".to_owned()
            }
        };
        let mark = if entry.is_default { "*" } else { " " };
        lines.push((format!("{mark}{number:>3}"), printable(&file.shown_title(idx)), facts));
    }
    let width = lines.iter().map(|it| it.1.chars().count()).max().unwrap_or(0).min(60);
    let mut stdout = io::stdout().lock();
    for (number, title, facts) in lines {
        if number.is_empty() {
            writeln!(stdout, "      {}", "-".repeat(width))?;
        } else {
            writeln!(stdout, "{number}  {title:width$}  {facts}")?;
        }
    }
    if any_failed {
        out::complain(&format!(
            "{} has errors; `boardwright check` shows them",
            args.file.display()
        ));
    }
    Ok(ExitCode::from(u8::from(any_failed)))
}
