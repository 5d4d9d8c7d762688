//! A board in a few words.

use boardwright_game::Ruleset;

use super::{Layout, Style, geometry::Geometry, lattice::Lattice, rings};

pub(super) fn of(ruleset: &Ruleset, geometry: &Geometry, layout: &Layout) -> String {
    let n_drawn = layout.cells.iter().filter(|it| !it.hidden).count();
    let counted = |n: usize, one: &str, many: &str| {
        if n == 1 { format!("1 {one}") } else { format!("{n} {many}") }
    };
    let has_dice = ruleset.players.iter().any(|it| it.is_random);
    match layout.style {
        Style::Levels => {
            counted(layout.levels.len(), "level", "levels")
        }
        Style::Rings => rings::words(layout),
        Style::Hex => counted(geometry.body().len(), "hex", "hexes"),
        Style::Checkered | Style::Grid | Style::Points | Style::Tiles => {
            let lattice = Lattice::of(geometry, &geometry.body());
            let size = lattice.as_ref().filter(|it| it.is_full() || it.is_staggered());
            match size {
                Some(it) if it.n_columns > 1 && it.n_rows > 1 => {
                    format!("{} × {}", it.n_columns, it.n_rows)
                }
                _ if has_dice => "race".to_owned(),
                _ if layout.style == Style::Points => "points and lines".to_owned(),
                _ => counted(n_drawn, "place", "places"),
            }
        }
    }
}
