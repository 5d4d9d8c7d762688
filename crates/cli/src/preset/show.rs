//! States of presets as text.

use std::io::Write;

use anyhow::Result;
use boardwright_gamecode::ForsytheCell;
use boardwright_preset::{Game, Outcome};
use boardwright_text::render::printable;

/// Writes the board, the messages of the code, and who is to move.
pub(crate) fn game(game: &Game, out: &mut dyn Write) -> Result<()> {
    board(game, out)?;
    for message in game.messages() {
        writeln!(out, "{}", printable(message))?;
    }
    for line in game.output() {
        writeln!(out, "{}", printable(line))?;
    }
    writeln!(out, "{}", outcome(game))?;
    Ok(())
}

/// Who is to move, or how the game ended.
pub(crate) fn outcome(game: &Game) -> String {
    let sides = game.preset().sides();
    let name = |player: usize| printable(sides.get(player).unwrap_or(&""));
    match game.outcome() {
        Outcome::Undecided => format!("{} to move", name(game.mover())),
        Outcome::Win(player) => format!("{} has won", name(player)),
        Outcome::Draw => "drawn".to_owned(),
    }
}

fn board(game: &Game, out: &mut dyn Write) -> Result<()> {
    let board = game.machine().board();
    let (n_files, n_ranks) = board.size();
    if n_files == 0 {
        for site in board.all() {
            let label = game.piece(site).unwrap_or(".");
            writeln!(out, "{:>12}  {}", printable(board.name(site)), printable(label))?;
        }
        return Ok(());
    }
    let cells = game.cells();
    let shown = |cell: &ForsytheCell| match cell {
        ForsytheCell::Hole => " ".to_owned(),
        ForsytheCell::Empty => ".".to_owned(),
        ForsytheCell::Piece(label) => printable(label),
    };
    let labels = |all: &[boardwright_gamecode::AxisLabel], idx: usize| {
        all.get(idx).filter(|it| !it.is_hidden).map_or(String::new(), |it| printable(&it.text))
    };
    let widths = cells.iter().map(|it| shown(it).chars().count());
    let width = widths.max().unwrap_or(1).max(1);
    for (idx, rank) in cells.chunks(n_files).enumerate() {
        let label = labels(board.rank_labels(), n_ranks - 1 - idx);
        // On boards of hexagons each rank is shifted by half a cell.
        let lean = match game.preset().bundle.settings.get("shape") {
            "hex-horizontal" => " ".repeat((n_ranks - 1 - idx) * width.div_ceil(2)),
            _ => String::new(),
        };
        let row: Vec<_> = rank.iter().map(|it| format!("{:>width$}", shown(it))).collect();
        writeln!(out, "{label:>4} {lean}{}", row.join(" ").trim_end())?;
    }
    let files: Vec<_> =
        (0..n_files).map(|it| format!("{:>width$}", labels(board.file_labels(), it))).collect();
    writeln!(out, "     {}", files.join(" ").trim_end())?;
    Ok(())
}
