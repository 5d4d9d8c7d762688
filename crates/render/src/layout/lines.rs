//! The lines of boards of points.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
};

use boardwright_game::{Direction, Ruleset};
use rustc_hash::FxHashMap;

use super::{
    geometry::Geometry,
    lattice::Lattice,
    path::{self, Num},
};

/// Lines from the left or straight down.
const WAYS: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// A line: its start, its way as an index of [`WAYS`], and its length in steps.
type Line = ((i32, i32), usize, i32);

/// The lines between points of a lattice, as links join them.
pub(super) struct Lines {
    lines: BTreeMap<((i32, i32), usize), i32>,
}

impl Lines {
    /// Along the links; along slanting ones only if `slanting`.
    pub(super) fn along_links(geometry: &Geometry, lattice: &Lattice, slanting: bool) -> Lines {
        let at_of: FxHashMap<usize, (i32, i32)> = lattice.members.iter().copied().collect();
        let mut lines = Lines { lines: BTreeMap::new() };
        for &(spot, from) in &lattice.members {
            for target in &geometry.links[spot] {
                let Some(&to) = at_of.get(target) else { continue };
                if let Some((start, way, length)) = line(lattice, from, to)
                    && (slanting || way < 2)
                {
                    lines.lines.insert((start, way), length);
                }
            }
        }
        lines
    }

    /// Between all neighbours of the same row or column.
    pub(super) fn between_neighbours(lattice: &Lattice) -> Lines {
        let mut lines = Lines { lines: BTreeMap::new() };
        for &(_, (x, y)) in &lattice.members {
            for (way, (dx, dy)) in WAYS.into_iter().enumerate().take(2) {
                if lattice.at((x + dx, y + dy)).is_some() {
                    lines.lines.insert(((x, y), way), 1);
                }
            }
        }
        lines
    }

    pub(super) fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Takes out lines that `keep` does not want, by start and way.
    pub(super) fn retain(&mut self, keep: impl Fn((i32, i32), (i32, i32)) -> bool) {
        self.lines.retain(|&(start, way), _| keep(start, WAYS[way]));
    }

    /// As one path; lines that go on in each other become one.
    pub(super) fn path(&self, place: impl Fn((i32, i32)) -> (f64, f64)) -> String {
        let end = |&(&((x, y), way), &length): &(&((i32, i32), usize), &i32)| {
            ((x + WAYS[way].0 * length, y + WAYS[way].1 * length), way)
        };
        let ends: BTreeSet<_> = self.lines.iter().map(|it| end(&it)).collect();
        let mut d = String::new();
        for &(start, way) in self.lines.keys().filter(|it| !ends.contains(it)) {
            let mut at = start;
            while let Some(length) = self.lines.get(&(at, way)) {
                at = (at.0 + WAYS[way].0 * length, at.1 + WAYS[way].1 * length);
            }
            d.push_str(&path::polyline(&[place(start), place(at)]));
        }
        d
    }
}

/// The straight line between two points with nothing between them.
fn line(lattice: &Lattice, from: (i32, i32), to: (i32, i32)) -> Option<Line> {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.abs().max(dy.abs());
    let is_straight = dx == 0 || dy == 0 || dx.abs() == dy.abs();
    if length == 0 || !is_straight {
        return None;
    }
    let step = (dx / length, dy / length);
    let way = WAYS.iter().position(|&it| it == step);
    let back = WAYS.iter().position(|&it| it == (-step.0, -step.1));
    let (start, way) = match (way, back) {
        (Some(way), _) => (from, way),
        (None, Some(way)) => (to, way),
        (None, None) => return None,
    };
    let is_free = |n: i32| lattice.at((from.0 + step.0 * n, from.1 + step.1 * n)).is_none();
    (1..length).all(is_free).then_some((start, way, length))
}

/// Loops about the corners: lines that leave the board at one edge and come back at the
/// next one, as in surakarta. Also how far they reach beyond the outermost lines.
pub(super) fn loops(
    ruleset: &Ruleset,
    geometry: &Geometry,
    lattice: &Lattice,
    place: impl Fn((i32, i32)) -> (f64, f64),
) -> (String, f64) {
    let board = &ruleset.board;
    let mut at_of = vec![None; board.n_sites()];
    for &(spot, at) in &lattice.members {
        at_of[geometry.spots[spot].site.idx()] = Some(at);
    }
    let mut found = BTreeSet::new();
    for direction in (0..board.n_directions() as u16).map(Direction) {
        let mut of_direction = BTreeSet::new();
        let is_of_loops = board.all_sites().all(|from| {
            let Some(to) = board.step(from, direction) else { return true };
            let ends = (at_of[from.idx()], at_of.get(to.idx()).copied().flatten());
            let (Some(a), Some(b)) = ends else { return false };
            let corner = around_corner(lattice, a, b);
            of_direction.extend(corner.map(|it| (it, a.min(b), a.max(b))));
            corner.is_some()
        });
        if is_of_loops {
            found.extend(of_direction);
        }
    }
    let mut d = String::new();
    let mut reach = 0.0_f64;
    for (corner, a, b) in found {
        let ((cx, cy), (ax, ay), (bx, by)) = (place(corner), place(a), place(b));
        let r = (ax - cx).hypot(ay - cy);
        reach = reach.max(r);
        // The long way round, on the side away from the board.
        let sweep = u8::from((ax - cx) * (by - cy) - (ay - cy) * (bx - cx) < 0.0);
        let _ = write!(
            d,
            "M{} {}A{r} {r} 0 1 {sweep} {} {}",
            Num(ax),
            Num(ay),
            Num(bx),
            Num(by),
            r = Num(r)
        );
    }
    (d, reach)
}

/// The corner that both points are the same way from, each on another edge.
fn around_corner(lattice: &Lattice, a: (i32, i32), b: (i32, i32)) -> Option<(i32, i32)> {
    let (right, bottom) = (lattice.n_columns - 1, lattice.n_rows - 1);
    let corners = [(0, 0), (right, 0), (0, bottom), (right, bottom)];
    corners.into_iter().find(|&(x, y)| {
        let on_edges = (a.0 == x && b.1 == y) || (a.1 == y && b.0 == x);
        let way = |it: (i32, i32)| (it.0 - x).abs() + (it.1 - y).abs();
        on_edges && way(a) == way(b) && way(a) > 0 && way(a) * 2 < right.min(bottom) + 1
    })
}
