//! Boards of hexagons.

use super::{Plan, finish, settle};
use crate::{
    Layout, Style,
    layout::{
        coords,
        hex::{self, Lie, RADIUS, ROW},
        path,
    },
};

pub(super) fn layout(plan: &Plan<'_>) -> Layout {
    let spots = plan.spots();
    let lie = match plan.settings.get("shape") {
        "hex-vertical" => Lie::Flat,
        _ => Lie::Pointy,
    };
    let mut layout = plan.empty(Style::Hex);
    layout.unit = 90.0;
    let mut outline = String::new();
    for spot in &spots {
        let (column, row) = (f64::from(spot.column), f64::from(spot.row));
        // Each rank begins half a cell to the right of the one below, or each file
        // half a cell above the one on its left.
        let (x, y) = match lie {
            Lie::Flat => (column * ROW, row * 100.0 - column * 50.0),
            _ => (column * 100.0 - row * 50.0, row * ROW),
        };
        let d = path::hexagon(x, y, RADIUS, lie.is_pointy());
        outline.push_str(&d);
        layout.cells[spot.site] = plan.cell(spot, (x, y), d);
    }
    let turn = if lie.is_pointy() { 0.0 } else { 0.5 };
    coords::put_at_ends(&mut layout, &plan.named(&spots), turn);
    layout.words = format!("{} hexes", spots.len());
    settle(&mut layout, 0.0);
    let coords: Vec<_> = layout.coords.clone();
    hex::frame(&mut layout, lie, &outline, false, spots.len());
    layout.coords = coords;
    if layout.open {
        let outline: String = layout.cells.iter().filter_map(|it| it.d.as_deref()).collect();
        finish(&mut layout, &outline, "");
    } else {
        layout.pad = 0.0;
    }
    layout
}
