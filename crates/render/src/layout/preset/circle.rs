//! Circular boards: each rank a ring, the first innermost, each file a slice.

use std::f64::consts::TAU;

use super::{Plan, ROOM};
use crate::{
    Cell, Coord, Layout, Paint, Side, Stroke, Style,
    layout::{
        path,
        rings::{self, THICK},
    },
};

pub(super) fn layout(plan: &Plan<'_>) -> Layout {
    let spots = plan.spots();
    let (n_files, n_ranks) = plan.board.size();
    let (slices, n_rings) = (n_files.max(1) as f64, n_ranks.max(1) as f64);
    let step = TAU / slices;
    let roomy = slices * 66.0 / TAU - THICK / 2.0;
    let inner = roomy.clamp(60.0, 40.0 * THICK);
    let outer = inner + n_rings * THICK;
    let mut layout = plan.empty(Style::Rings);
    for spot in &spots {
        // From the left over the near side, so that the first quarter reads as on a
        // board of rows from the first player's seat.
        let angle = TAU / 2.0 - (f64::from(spot.column) + 0.5) * step;
        let near = inner + (n_rings - 1.0 - f64::from(spot.row)) * THICK;
        let at = rings::at(outer, near + THICK / 2.0, angle);
        let d = rings::sector(outer, near, angle - step / 2.0, angle + step / 2.0);
        layout.cells[spot.site] =
            Cell { at: Some((spot.column, spot.row)), ..plan.cell(spot, at, d) };
    }
    layout.unit = (step * (inner + THICK / 2.0)).clamp(40.0, THICK) * 0.95;
    let line = |r: f64| path::circle(outer, outer, r);
    let ring = |r: f64, paint, width| Stroke { d: line(r), fill: None, stroke: Some(paint), width };
    let rim = 44.0;
    layout.under = vec![
        ring(f64::midpoint(inner - 16.0, outer + rim), Paint::Frame, outer - inner + 16.0 + rim),
        ring(outer + 7.0, Paint::Inlay, 2.6),
        ring(inner - 8.0, Paint::Inlay, 2.6),
    ];
    for column in 0..n_files as i32 {
        let angle = TAU / 2.0 - (f64::from(column) + 0.5) * step;
        let Some(label) = plan.file_label(column) else { continue };
        let (x, y) = rings::at(outer, outer + 26.0, angle);
        layout.coords.push(Coord { text: label.to_owned(), x, y, side: Side::Free, big: false });
    }
    layout.open = true;
    (layout.width, layout.height) = (2.0 * outer, 2.0 * outer);
    layout.pad = rim + ROOM;
    layout.words = rings::words(&layout);
    layout
}
