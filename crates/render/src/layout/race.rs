//! Drawings on the track of a race game: rosettes, ladders, snakes.

use std::f64::consts::TAU;

use boardwright_game::{Direction, Ruleset};

use super::{Layout, Paint, Stroke, geometry::Geometry, lattice::Lattice, path};

/// The most shortcuts of a game of ladders.
const MANY: usize = 60;

/// Drawings above the tiles.
pub(super) fn marks(
    ruleset: &Ruleset,
    geometry: &Geometry,
    lattice: &Lattice,
    layout: &Layout,
) -> Vec<Stroke> {
    let mut marks = Vec::new();
    let mut is_body = vec![false; ruleset.board.n_sites()];
    for &(spot, _) in &lattice.members {
        is_body[geometry.spots[spot].site.idx()] = true;
    }
    for site in special(ruleset, &is_body) {
        let cell = &layout.cells[site];
        rosette(cell.x, cell.y, &mut marks);
    }
    for (from, to) in shortcuts(ruleset, layout, &is_body) {
        let (a, b) = (&layout.cells[from], &layout.cells[to]);
        match b.y < a.y {
            true => ladder((a.x, a.y), (b.x, b.y), &mut marks),
            false => snake((a.x, a.y), (b.x, b.y), &mut marks),
        }
    }
    marks
}

/// Sites with a link of their own to a site that is not drawn: they have a special effect.
fn special(ruleset: &Ruleset, is_body: &[bool]) -> Vec<usize> {
    let board = &ruleset.board;
    let n_body = is_body.iter().filter(|&&it| it).count();
    let mut found = Vec::new();
    for direction in (0..board.n_directions() as u16).map(Direction) {
        let links: Vec<_> = board
            .all_sites()
            .filter_map(|from| Some((from.idx(), board.step(from, direction)?.idx())))
            .collect();
        let to_hidden = |&(from, to): &(usize, usize)| {
            is_body[from] && board.sites.get(to).is_some_and(|it| it.is_dummy)
        };
        if !links.is_empty() && links.iter().all(to_hidden) && links.len() * 3 < n_body {
            found.extend(links.into_iter().map(|it| it.0));
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Links of directions that only jump: from site to site, none of them neighbours.
fn shortcuts(ruleset: &Ruleset, layout: &Layout, is_body: &[bool]) -> Vec<(usize, usize)> {
    let board = &ruleset.board;
    let n_body = is_body.iter().filter(|&&it| it).count();
    let mut found = Vec::new();
    for direction in (0..board.n_directions() as u16).map(Direction) {
        let links: Vec<_> = board
            .all_sites()
            .filter_map(|from| Some((from.idx(), board.step(from, direction)?.idx())))
            .collect();
        let jumps = |&(from, to): &(usize, usize)| {
            let (a, b) = (&layout.cells[from], &layout.cells[to]);
            is_body[from] && is_body[to] && (a.x - b.x).hypot(a.y - b.y) > 110.0
        };
        if links.iter().all(jumps) {
            found.extend(links);
        }
    }
    // Where every other place has one, they are not what the picture is about.
    if found.len() * 3 > n_body || found.len() > MANY {
        found.clear();
    }
    found
}

fn rosette(x: f64, y: f64, marks: &mut Vec<Stroke>) {
    let petals = |odd: u32| -> String {
        let petal = |n: u32| {
            let angle = f64::from(2 * n + odd) * TAU / 8.0;
            let at =
                |r: f64, turn: f64| (x + r * (angle + turn).cos(), y + r * (angle + turn).sin());
            path::polygon(&[at(5.0, 0.0), at(22.0, 0.36), at(36.0, 0.0), at(22.0, -0.36)])
        };
        (0..4).map(petal).collect()
    };
    let fill = |d, paint| Stroke { d, fill: Some(paint), stroke: None, width: 0.0 };
    marks.push(fill(petals(0), Paint::Line));
    marks.push(fill(petals(1), Paint::Inlay));
    marks.push(fill(path::circle(x, y, 7.0), Paint::Tone1));
}

/// Two rails and rungs between them.
fn ladder(from: (f64, f64), to: (f64, f64), marks: &mut Vec<Stroke>) {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy).max(1.0);
    let side = (-dy / length * 15.0, dx / length * 15.0);
    let at = |t: f64, s: f64| (from.0 + dx * t + side.0 * s, from.1 + dy * t + side.1 * s);
    let mut d = path::polyline(&[at(0.0, 1.0), at(1.0, 1.0)]);
    d.push_str(&path::polyline(&[at(0.0, -1.0), at(1.0, -1.0)]));
    let n_rungs = (length / 32.0) as u32;
    for n in 1..n_rungs {
        let t = f64::from(n) / f64::from(n_rungs);
        d.push_str(&path::polyline(&[at(t, 1.0), at(t, -1.0)]));
    }
    marks.push(Stroke { d, fill: None, stroke: Some(Paint::Line), width: 6.0 });
}

/// A winding line with a head where it begins.
fn snake(from: (f64, f64), to: (f64, f64), marks: &mut Vec<Stroke>) {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy).max(1.0);
    let n_points = 8 * ((length / 100.0).ceil() as u32).clamp(1, 20);
    let point = |n: u32| {
        let t = f64::from(n) / f64::from(n_points);
        let swing = 16.0 * (f64::from(n) * TAU / 8.0).sin();
        (from.0 + dx * t - dy / length * swing, from.1 + dy * t + dx / length * swing)
    };
    let points: Vec<_> = (0..=n_points).map(point).collect();
    let d = path::polyline(&points);
    marks.push(Stroke { d: d.clone(), fill: None, stroke: Some(Paint::Line), width: 15.0 });
    marks.push(Stroke { d, fill: None, stroke: Some(Paint::Inlay), width: 9.0 });
    marks.push(Stroke {
        d: path::circle(from.0, from.1, 13.0),
        fill: Some(Paint::Inlay),
        stroke: Some(Paint::Line),
        width: 3.0,
    });
}
