//! Boards whose files and ranks follow steps given by the preset: triangles, or the
//! nearest-point cells of the steps.

use super::{Plan, Spot, finish};
use crate::{
    Cell, Coord, Layout, Side, Style,
    layout::{hex, path},
};

/// The most numbers in a list of steps.
const MANY: usize = 512;
/// The longest step, in pixels.
const FAR: f64 = 2000.0;

/// Steps along one axis, used in turn; positive values lead up the board.
struct Steps(Vec<(f64, f64)>);

impl Steps {
    fn of(text: &str, default: (f64, f64)) -> Steps {
        let number = |it: &str| it.parse::<f64>().ok().filter(|it| it.abs() <= FAR);
        let numbers: Vec<f64> = text.split_whitespace().take(MANY).filter_map(number).collect();
        let steps: Vec<_> = numbers.chunks_exact(2).map(|it| (it[0], it[1])).collect();
        Steps(if steps.is_empty() { vec![default] } else { steps })
    }

    /// The offset of the site with this number; numbers may be negative.
    fn at(&self, number: i32) -> (f64, f64) {
        let sum = |n: usize| {
            let steps = self.0.iter().take(n);
            steps.fold((0.0, 0.0), |(x, y), it| (x + it.0, y + it.1))
        };
        let n = self.0.len() as i32;
        let (whole, part) = (sum(self.0.len()), sum(number.rem_euclid(n) as usize));
        let times = f64::from(number.div_euclid(n));
        (whole.0 * times + part.0, whole.1 * times + part.1)
    }

    fn mean(&self) -> (f64, f64) {
        let (n, whole) = (self.0.len() as f64, self.at(self.0.len() as i32));
        (whole.0 / n, whole.1 / n)
    }
}

pub(super) fn layout(plan: &Plan<'_>) -> Layout {
    let files = Steps::of(plan.settings.get("next-file"), (50.0, 0.0));
    let ranks = Steps::of(plan.settings.get("next-rank"), (0.0, 50.0));
    let (f, r) = (files.mean(), ranks.mean());
    let area = (f.0 * r.1 - f.1 * r.0).abs();
    // A cell covers as much as a usual square.
    let scale = if area > 1.0 { 100.0 / area.sqrt() } else { 2.0 };
    let spots = plan.spots();
    let n_ranks = plan.board.size().1 as i32;
    let mut layout = plan.empty(Style::Checkered);
    let shape = Shape::of(&files, &ranks, scale);
    let mut outline = String::new();
    let mut least = f64::INFINITY;
    for spot in &spots {
        let rank = n_ranks - 1 - spot.row;
        let (middle, points) = shape.cell(&files, &ranks, (spot.column, rank), scale);
        least = least.min(room(middle, &points));
        let d = path::polygon(&points);
        outline.push_str(&d);
        layout.cells[spot.site] =
            Cell { at: Some((spot.column, spot.row)), ..plan.cell(spot, middle, d) };
    }
    layout.unit = (2.0 * least).clamp(20.0, 100.0);
    if plan.is_plain() {
        layout.style = Style::Grid;
    }
    put_coords(plan, &spots, &mut layout, shape == Shape::Triangles);
    let word = if shape == Shape::Triangles { "triangles" } else { "cells" };
    layout.words = format!("{} {word}", spots.len());
    layout.open = true;
    finish(&mut layout, &outline, "");
    layout
}

/// The shape of cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shape {
    /// Files go up and down in turn: triangles that stand on a side or on a corner.
    Triangles,
    /// Each cell is the region nearer to its middle than to any other.
    Nearest,
}

impl Shape {
    fn of(files: &Steps, ranks: &Steps, scale: f64) -> Shape {
        match (files.0.as_slice(), ranks.0.as_slice()) {
            (&[(ax, ay), (bx, by)], &[(rx, ry)])
                if ax == bx && ax != 0.0 && ay == -by && ay != 0.0 && rx == 0.0 && ry != 0.0 =>
            {
                // Flatter triangles have no room for a piece.
                let is_high = (ry / ax).abs() > 0.5 && (ry / ax).abs() < 6.0;
                if is_high && scale > 0.0 { Shape::Triangles } else { Shape::Nearest }
            }
            _ => Shape::Nearest,
        }
    }

    /// The middle and the outline of a cell.
    fn cell(
        self,
        files: &Steps,
        ranks: &Steps,
        (file, rank): (i32, i32),
        scale: f64,
    ) -> ((f64, f64), Vec<(f64, f64)>) {
        let place = |file: i32, rank: i32| {
            let (f, r) = (files.at(file), ranks.at(rank));
            ((f.0 + r.0) * scale, -(f.1 + r.1) * scale)
        };
        let (x, y) = place(file, rank);
        if self == Shape::Triangles {
            let (dx, rise) = files.0.first().copied().unwrap_or((1.0, 1.0));
            let half = (dx * scale).abs();
            let high = (ranks.mean().1 * scale).abs();
            // The first cell stands on a side if the next one lies higher; from rank to
            // rank they turn, so that sides meet sides.
            let is_up = ((file + rank) % 2 == 0) == (rise > 0.0);
            let middle = -(ranks.at(rank).1) * scale;
            let (base, tip) = match is_up {
                true => (middle + high / 2.0, middle - high / 2.0),
                false => (middle - high / 2.0, middle + high / 2.0),
            };
            let points = vec![(x - half, base), (x + half, base), (x, tip)];
            let inside = 2.0 * half * high / (2.0 * half + 2.0 * half.hypot(high));
            let y = if is_up { base - inside } else { base + inside };
            return ((x, y), points);
        }
        let mut points = hex::square_about((x, y), 150.0);
        for df in -3..=3 {
            for dr in -3..=3 {
                let (ox, oy) = place(file + df, rank + dr);
                let (dx, dy) = (ox - x, oy - y);
                let far = dx.hypot(dy);
                if far > 1.0 {
                    let way = (dx / far, dy / far);
                    let reach = x * way.0 + y * way.1 + far / 2.0;
                    points = hex::clip(&points, way, reach);
                }
            }
        }
        ((x, y), points)
    }
}

/// The distance of the nearest side.
fn room((x, y): (f64, f64), points: &[(f64, f64)]) -> f64 {
    let pairs = points.iter().zip(points.iter().cycle().skip(1));
    // Clipping at a corner leaves sides without a length, which have no direction.
    let pairs = pairs.filter(|(a, b)| (b.0 - a.0).hypot(b.1 - a.1) > 1.0);
    let ways = pairs.map(|(a, b)| {
        let (dx, dy) = (b.0 - a.0, b.1 - a.1);
        ((x - a.0) * dy - (y - a.1) * dx).abs() / dx.hypot(dy)
    });
    ways.fold(50.0, f64::min)
}

/// Files below their lowest cell, ranks left of their first.
fn put_coords(plan: &Plan<'_>, spots: &[Spot], layout: &mut Layout, is_slanting: bool) {
    let (n_files, n_ranks) = plan.board.size();
    let end = |layout: &Layout, of: &dyn Fn(&Spot) -> bool, pull: (f64, f64)| {
        let cells = spots.iter().filter(|it| of(it)).map(|it| &layout.cells[it.site]);
        let boxes = cells.filter_map(|it| Some((it.x, it.y, path::reach(it.d.as_deref()?)?)));
        let pulled = |x: f64, y: f64| x * pull.0 + y * pull.1;
        boxes.max_by(|a, b| pulled(a.0, a.1).total_cmp(&pulled(b.0, b.1)))
    };
    if n_files.max(n_ranks) > 200 {
        return;
    }
    let mut coords = Vec::new();
    for column in 0..n_files as i32 {
        let Some(label) = plan.file_label(column) else { continue };
        if let Some((x, _, [.., bottom])) = end(layout, &|it| it.column == column, (0.0, 1.0)) {
            coords.push((label, x, bottom + 24.5));
        }
    }
    for row in 0..n_ranks as i32 {
        let Some(label) = plan.rank_label(row) else { continue };
        if let Some((x, y, [left, ..])) = end(layout, &|it| it.row == row, (-1.0, 0.0)) {
            // At the height of its middle a triangle is two thirds as wide.
            let left = if is_slanting { left + (x - left) / 3.0 } else { left };
            coords.push((label, left - 27.0, y));
        }
    }
    for (text, x, y) in coords {
        let text = text.to_owned();
        layout.coords.push(Coord { text, x, y, side: Side::Free, big: false });
    }
}
