//! Menus: variants whose pieces are buttons that open other games.

use boardwright_game::Ruleset;

use super::{Coord, Layout, Paint, Side, Stroke, path};

/// Writes the names of the pieces on their sites, which become buttons.
pub(super) fn label(ruleset: &Ruleset, layout: &mut Layout) {
    layout.is_menu = true;
    layout.coords.clear();
    let mut buttons = String::new();
    for entry in &ruleset.setup.pieces {
        let cell = layout.cells.get(entry.site.idx()).filter(|it| !it.hidden);
        let (Some(cell), Some(kind)) = (cell, ruleset.pieces.get(entry.kind.idx())) else {
            continue;
        };
        let name = kind.notation.as_deref().unwrap_or(ruleset.translated(&kind.name));
        match &cell.d {
            Some(d) => buttons.push_str(d),
            None => buttons.push_str(&path::tile(cell.x, cell.y, 100.0, 60.0, 14.0)),
        }
        layout.coords.push(Coord {
            text: name.replace(['-', '_'], " "),
            x: cell.x,
            y: cell.y,
            side: Side::Free,
            big: false,
        });
    }
    if !buttons.is_empty() {
        layout.over.push(Stroke {
            d: buttons,
            fill: Some(Paint::Frame),
            stroke: Some(Paint::Inlay),
            width: 2.6,
        });
    }
}
