//! The games for which RBG, the fastest general game system, has published figures.
//!
//! Those figures were measured on one core of another machine; `--scale` is the factor by
//! which that machine is faster than this one.

use std::{io::Write, path::Path, process::ExitCode};

use anyhow::{Context, Result};

use super::{
    measure::{Bench, Effort},
    millis,
};
use crate::home;

/// A game of the table.
struct Row {
    label: &'static str,
    /// Its folder in the library.
    game: &'static str,
    max_plies: u32,
    /// Million moves per second of RBG 1.3, which compiles games to C++.
    reference: f64,
    /// Million moves per second that we aim for.
    target: f64,
}

/// Plies that are enough for a random game to end by the rules.
const TO_THE_END: u32 = 20_000;

const ROWS: &[Row] = &[
    row("Tic-Tac-Toe", "tic-tac-toe", TO_THE_END, 7.0, 7.0),
    row("Connect Four", "connect-four", TO_THE_END, 10.2, 15.0),
    row("Breakthrough 8x8", "breakthrough", TO_THE_END, 2.9, 9.0),
    row("English draughts", "english-draughts", TO_THE_END, 3.6, 5.5),
    row("Nine Men's Morris", "nine-mens-morris", TO_THE_END, 2.3, 2.3),
    row("Hex 11x11", "hex", TO_THE_END, 1.9, 1.9),
    row("Reversi", "reversi", TO_THE_END, 1.0, 1.4),
    row("Gomoku 15x15", "gomoku", TO_THE_END, 1.4, 10.0),
    row("Amazons, two steps", "amazons", TO_THE_END, 2.8, 2.8),
    row("International draughts", "international-draughts", TO_THE_END, 0.41, 0.41),
    row("Chess, to the end", "chess", TO_THE_END, 0.32, 2.2),
    row("Chess, 200 plies", "chess", 200, 0.25, 1.75),
];

const fn row(
    label: &'static str,
    game: &'static str,
    max_plies: u32,
    reference: f64,
    target: f64,
) -> Row {
    Row { label, game, max_plies, reference, target }
}

pub(super) fn run(
    out: &mut dyn Write,
    effort: Effort,
    plain: bool,
    scale: f64,
) -> Result<ExitCode> {
    let folder = home::folder().context("there is no folder `games` with games here")?;
    writeln!(out, "Million moves per second in random games; scaled by {scale}.\n")?;
    writeln!(
        out,
        "{:<24}{:>8}{:>8}{:>8}{:>8}{:>8}{:>11}{:>11}{:>9}{:>9}",
        "game",
        "here",
        "scaled",
        "RBG",
        "ratio",
        "target",
        "playouts/s",
        "mean plies",
        "rules ms",
        "fast ms"
    )?;
    let mut n_reached = 0;
    for row in ROWS {
        let rates = measure(row, &folder, effort, plain, scale, out)?;
        n_reached += usize::from(rates);
        out.flush()?;
    }
    writeln!(out, "\n{n_reached} of {} reach their target", ROWS.len())?;
    Ok(ExitCode::SUCCESS)
}

/// Measures one game and writes its line; gives whether it reaches its target.
fn measure(
    row: &Row,
    folder: &Path,
    effort: Effort,
    plain: bool,
    scale: f64,
    out: &mut dyn Write,
) -> Result<bool> {
    let file = folder.join(row.game).join(format!("{}.zrf", row.game));
    let bench = Bench::open(&file, None, plain)?;
    let rates = bench.play(Effort { max_plies: row.max_plies, ..effort })?;
    let here = rates.moves / 1e6;
    let scaled = here * scale;
    let specialized = match &bench.fast {
        Some(Ok(_)) => format!("{:.1}", millis(bench.specialized)),
        _ => "plain".to_owned(),
    };
    writeln!(
        out,
        "{:<24}{here:>8.2}{scaled:>8.2}{:>8.2}{:>8.1}{:>8.2}{:>11.0}{:>11.1}{:>9.1}{specialized:>9}",
        row.label,
        row.reference,
        scaled / row.reference,
        row.target,
        rates.playouts,
        rates.mean_plies,
        millis(bench.compiled),
    )?;
    Ok(scaled >= row.target)
}
