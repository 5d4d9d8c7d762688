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
        _ if customs::is_race(ruleset) && layout.style == Style::Tiles => "race".to_owned(),
        _ if layout.is_menu => "menu".to_owned(),
        Style::Tiles if customs::is_in_pits(ruleset) && geometry.groups.len() > 4 => {
            counted(geometry.groups.iter().filter(|it| it.len() > 1).count(), "pit", "pits")
        }
        Style::Checkered | Style::Grid | Style::Points | Style::Tiles => {
            let lattice = Lattice::of(geometry, &geometry.body());
            let is_whole = |it: &&Lattice| {
                it.is_full() || (it.is_staggered() && layout.style == Style::Checkered)
            };
            let size = lattice.as_ref().filter(is_whole);
            match size {
                Some(it) if it.n_columns > 1 && it.n_rows > 1 => {
                    format!("{} × {}", it.n_columns, it.n_rows)
                }
                _ if layout.style == Style::Points => "points and lines".to_owned(),
                _ if layout.style == Style::Tiles && customs::is_in_pits(ruleset) => {
                    counted(geometry.body().len(), "hole", "holes")
                }
                _ if layout.style == Style::Tiles => counted(n_drawn, "place", "places"),
                _ => counted(geometry.body().len(), "square", "squares"),
            }
        }
    }
}
