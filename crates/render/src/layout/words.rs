//! A board in a few words.

use boardwright_game::Ruleset;

use super::{Layout, Style, customs, geometry::Geometry, lattice::Lattice, rings};

pub(super) fn of(ruleset: &Ruleset, geometry: &Geometry, layout: &Layout) -> String {
    let n_drawn = layout.cells.iter().filter(|it| !it.hidden).count();
    let counted = |n: usize, one: &str, many: &str| {
        if n == 1 { format!("1 {one}") } else { format!("{n} {many}") }
    };
    match layout.style {
        Style::Levels => counted(layout.levels.len(), "level", "levels"),
        Style::Rings => rings::words(layout),
        Style::Hex => counted(geometry.body().len(), "hex", "hexes"),
        Style::Tiles if customs::is_in_pits(ruleset) && geometry.groups.len() > 4 => {
            counted(geometry.groups.iter().filter(|it| it.len() > 1).count(), "pit", "pits")
        }
        Style::Checkered | Style::Grid | Style::Points | Style::Tiles => {
            let lattice = Lattice::of(geometry, &geometry.body());
            let size = lattice.as_ref().filter(|it| it.is_full() || it.is_staggered());
            match size {
                Some(it) if it.n_columns > 1 && it.n_rows > 1 => {
                    format!("{} × {}", it.n_columns, it.n_rows)
                }
                _ if customs::is_race(ruleset) => "race".to_owned(),
                _ if layout.style == Style::Points => "points and lines".to_owned(),
                _ => counted(n_drawn, "place", "places"),
            }
        }
    }
}
