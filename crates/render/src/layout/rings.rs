//! Circular boards: sites on circles about one centre.

use std::{collections::BTreeMap, f64::consts::TAU, fmt::Write};

use boardwright_game::Ruleset;

use super::{Cell, Layout, Paint, Stroke, Style, aside::Map, geometry::Geometry, path, path::Num};

/// The width of a ring.
pub(super) const THICK: f64 = 100.0;

/// The sites of one ring, each with its angle, in order.
type Ring = Vec<(usize, f64)>;

/// The rings from the innermost, if the spots lie on some, and their centre in pixels.
pub(super) fn find(geometry: &Geometry, spots: &[usize]) -> Option<(Vec<Ring>, (f64, f64))> {
    if spots.len() < 6 {
        return None;
    }
    let n = spots.len() as f64;
    let sum = |of: &dyn Fn(usize) -> f64| spots.iter().map(|&it| of(it)).sum::<f64>() / n;
    let (cx, cy) = (sum(&|it| geometry.spots[it].x), sum(&|it| geometry.spots[it].y));
    let slack = geometry.pitch * 0.2;
    let mut by_radius: Vec<(f64, usize, f64)> = Vec::new();
    for &spot in spots {
        let (dx, dy) = (geometry.spots[spot].x - cx, geometry.spots[spot].y - cy);
        by_radius.push((dx.hypot(dy), spot, dy.atan2(dx).rem_euclid(TAU)));
    }
    by_radius.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut rings: Vec<(f64, Ring)> = Vec::new();
    for (radius, spot, angle) in by_radius {
        match rings.last_mut().filter(|it| radius - it.0 <= slack) {
            Some(ring) => ring.1.push((spot, angle)),
            None => rings.push((radius, vec![(spot, angle)])),
        }
    }
    // A centre is a ring of one.
    let has_centre = rings.first().is_some_and(|it| it.0 <= slack && it.1.len() == 1);
    let all_even = rings.iter_mut().skip(usize::from(has_centre)).all(|it| is_even(&mut it.1));
    let n_rings = rings.len() - usize::from(has_centre);
    let is_ring_board = all_even && n_rings > 0 && n_rings * 6 <= spots.len();
    is_ring_board.then(|| (rings.into_iter().map(|it| it.1).collect(), (cx, cy)))
}

/// Whether the angles of a ring are evenly spread; puts them in order.
fn is_even(ring: &mut Ring) -> bool {
    ring.sort_by(|a, b| a.1.total_cmp(&b.1));
    let step = TAU / ring.len() as f64;
    let next = ring.iter().cycle().skip(1);
    ring.len() >= 6
        && ring.iter().zip(next).all(|(a, b)| {
            let gap = (b.1 - a.1).rem_euclid(TAU);
            (gap - step).abs() < 0.25 * step
        })
}

pub(super) fn layout(
    ruleset: &Ruleset,
    geometry: &Geometry,
    rings: &[Ring],
    centre: (f64, f64),
) -> (Layout, Map, String) {
    let mut layout = Layout::empty(Style::Rings, ruleset.board.n_sites());
    let has_centre = rings.first().is_some_and(|it| it.len() == 1);
    let n_around = rings.iter().map(Vec::len).max().unwrap_or(6);
    let n_rings = (rings.len() - usize::from(has_centre)) as f64;
    let (first, last) = (
        radius(geometry, rings.get(usize::from(has_centre)), centre),
        radius(geometry, rings.last(), centre),
    );
    // The hole as the author has it, but with room for pieces on the innermost ring.
    let spacing = (last - first) / (n_rings - 1.0).max(1.0);
    let drawn = if spacing > 1.0 { (first / spacing - 0.5) * THICK } else { 0.0 };
    let roomy = n_around as f64 * 66.0 / TAU - THICK / 2.0;
    let inner = match has_centre {
        true => THICK / 2.0,
        false => drawn.max(roomy).clamp(60.0, 40.0 * THICK),
    };
    let outer = inner + n_rings * THICK;
    let middle = outer;
    for (idx, ring) in rings.iter().enumerate() {
        let number = idx as f64 - f64::from(u8::from(has_centre));
        for (place, &(spot, angle)) in ring.iter().enumerate() {
            let site = geometry.spots[spot].site.idx();
            layout.cells[site] = if ring.len() == 1 && has_centre {
                let d = path::circle(middle, middle, inner);
                Cell { x: middle, y: middle, d: Some(d), tone: 3, ..Cell::default() }
            } else {
                let step = TAU / ring.len() as f64;
                let near = inner + number * THICK;
                let (x, y) = at(middle, near + THICK / 2.0, angle);
                let is_dark = (idx + place) % 2 == 1;
                Cell {
                    x,
                    y,
                    d: Some(sector(middle, near, angle - step / 2.0, angle + step / 2.0)),
                    tone: if is_dark { 2 } else { 1 },
                    ..Cell::default()
                }
            };
        }
    }
    let narrow = TAU / n_around as f64 * (inner + THICK / 2.0);
    layout.unit = narrow.clamp(40.0, THICK) * 0.95;
    layout.width = 2.0 * outer;
    layout.height = 2.0 * outer;
    layout.open = true;
    layout.pad = 22.0;
    let line = |r: f64| path::circle(middle, middle, r);
    let mut tray = vec![
        Stroke {
            d: line((inner + outer) / 2.0),
            fill: None,
            stroke: Some(Paint::Frame),
            width: outer - inner + 32.0,
        },
        Stroke { d: line(outer + 8.0), fill: None, stroke: Some(Paint::Inlay), width: 2.6 },
    ];
    if !has_centre {
        tray.push(Stroke {
            d: line(inner - 8.0),
            fill: None,
            stroke: Some(Paint::Inlay),
            width: 2.6,
        });
    }
    layout.under = tray;
    let scale = (outer - THICK / 2.0) / last.max(1.0);
    let map = Map { scale: (scale, scale), from: centre, to: (middle, middle) };
    (layout, map, String::new())
}

/// The radius of a ring, in pixels.
fn radius(geometry: &Geometry, ring: Option<&Ring>, (cx, cy): (f64, f64)) -> f64 {
    let Some(ring) = ring else { return 1.0 };
    let way = |&(spot, _): &(usize, f64)| {
        (geometry.spots[spot].x - cx).hypot(geometry.spots[spot].y - cy)
    };
    ring.iter().map(way).sum::<f64>() / ring.len().max(1) as f64
}

pub(super) fn at(middle: f64, radius: f64, angle: f64) -> (f64, f64) {
    (middle + radius * angle.cos(), middle + radius * angle.sin())
}

pub(super) fn sector(middle: f64, near: f64, from: f64, to: f64) -> String {
    let far = near + THICK;
    let mut d = path::polyline(&[at(middle, near, from), at(middle, far, from)]);
    for (radius, angle, sweep) in [(far, to, 1), (near, from, 0)] {
        if sweep == 0 {
            let (x, y) = at(middle, near, to);
            let _ = write!(d, "L{} {}", Num(x), Num(y));
        }
        let (x, y) = at(middle, radius, angle);
        let _ = write!(d, "A{r} {r} 0 0 {sweep} {} {}", Num(x), Num(y), r = Num(radius));
    }
    d.push('Z');
    d
}

/// The number of rings, in words.
pub(super) fn words(layout: &Layout) -> String {
    let visible = || layout.cells.iter().filter(|it| !it.hidden);
    let middle = layout.width / 2.0;
    let mut radii: BTreeMap<i64, usize> = BTreeMap::new();
    for cell in visible() {
        let radius = (cell.x - middle).hypot(cell.y - middle);
        *radii.entry((radius / 10.0).round() as i64).or_default() += 1;
    }
    let n_rings = radii.values().filter(|&&it| it > 1).count();
    match n_rings {
        1 => "one ring".to_owned(),
        2 => "two rings".to_owned(),
        3 => "three rings".to_owned(),
        4 => "four rings".to_owned(),
        5 => "five rings".to_owned(),
        6 => "six rings".to_owned(),
        it => format!("{it} rings"),
    }
}
