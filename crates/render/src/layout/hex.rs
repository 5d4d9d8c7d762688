//! Boards of hexagons.

use boardwright_game::Ruleset;

use super::{
    Cell, Layout, Paint, Stroke, Style,
    aside::Map,
    coords,
    customs::{self, Ground},
    geometry::Geometry,
    lattice::Lattice,
    path,
};

/// From the middle of a hexagon to its corners; 100 from side to side.
pub(super) const RADIUS: f64 = 57.735;
/// From row to row of hexagons that stand on a corner.
pub(super) const ROW: f64 = 86.6025;

/// How hexagons lie on the lattice of their middles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Lie {
    /// Standing on a corner: neighbours two half columns off, rows shifted by one.
    Pointy,
    /// Lying on a side: neighbours two half rows off.
    Flat,
    /// Drawn as squares whose only linked slant is that to the upper right.
    ShearedRight,
    /// The same with the slant to the lower right.
    ShearedDown,
}

/// How hexagons lie, if links say that they are hexagons.
pub(super) fn lie(geometry: &Geometry, lattice: &Lattice) -> Option<Lie> {
    let linked = |x, y| lattice.linked(geometry, (x, y));
    if lattice.members.len() < 7 {
        return None;
    }
    if lattice.is_staggered() {
        let slants = linked(1, 1).min(linked(1, -1));
        let (along, down) = (linked(2, 0), linked(0, 2));
        // Neighbours in a row touch; on the dark squares of a draughts board they do not.
        let share = |side: &dyn Fn(usize) -> f64, step: f64| {
            let n_large = lattice.members.iter().filter(|it| side(it.0) > 1.3 * step).count();
            n_large * 2 > lattice.members.len()
        };
        let is_wide = share(&|it| geometry.spots[it].width, lattice.step.0);
        let is_high = share(&|it| geometry.spots[it].height, lattice.step.1);
        return match slants > 0.6 {
            true if along > 0.6 && down < 0.3 && is_wide => Some(Lie::Pointy),
            true if down > 0.6 && along < 0.3 && is_high => Some(Lie::Flat),
            _ => None,
        };
    }
    let straight = linked(1, 0).min(linked(0, 1));
    let (falling, rising) = (linked(1, 1), linked(1, -1));
    match straight > 0.8 {
        true if rising > 0.8 && falling < 0.05 => Some(Lie::ShearedRight),
        true if falling > 0.8 && rising < 0.05 => Some(Lie::ShearedDown),
        _ => None,
    }
}

impl Lie {
    /// The two steps that make the lattice of hexagons: numbers of a place along them.
    fn axial(self, (x, y): (i32, i32)) -> (i32, i32) {
        match self {
            Lie::Pointy => ((x - y).div_euclid(2), y),
            Lie::Flat => ((y - x).div_euclid(2), x),
            Lie::ShearedRight => (x, y),
            Lie::ShearedDown => (x - y, y),
        }
    }

    pub(super) fn is_pointy(self) -> bool {
        self != Lie::Flat
    }

    fn middle(self, at: (i32, i32)) -> (f64, f64) {
        let (x, y) = (f64::from(at.0), f64::from(at.1));
        match self {
            Lie::Pointy => (x * 50.0, y * ROW),
            Lie::Flat => (x * ROW, y * 50.0),
            Lie::ShearedRight => (x * 100.0 + y * 50.0, y * ROW),
            Lie::ShearedDown => (x * 100.0 - y * 50.0, y * ROW),
        }
    }

    /// Tones such that no neighbours agree.
    fn tone(self, at: (i32, i32)) -> u8 {
        let (q, r) = self.axial(at);
        [3, 1, 2][(q - r).rem_euclid(3) as usize]
    }
}

pub(super) fn layout(
    ruleset: &Ruleset,
    geometry: &Geometry,
    lattice: &Lattice,
    lie: Lie,
) -> (Layout, Map, String) {
    let mut layout = Layout::empty(Style::Hex, ruleset.board.n_sites());
    layout.unit = 90.0;
    let (wide, high) = if lie.is_pointy() { (50.0, RADIUS) } else { (RADIUS, 50.0) };
    let middles: Vec<_> = lattice.members.iter().map(|it| lie.middle(it.1)).collect();
    let least = |values: &mut dyn Iterator<Item = f64>| values.fold(f64::INFINITY, f64::min);
    let left = least(&mut middles.iter().map(|it| it.0)) - wide;
    let top = least(&mut middles.iter().map(|it| it.1)) - high;
    let most = |values: &mut dyn Iterator<Item = f64>| values.fold(f64::NEG_INFINITY, f64::max);
    layout.width = most(&mut middles.iter().map(|it| it.0)) + wide - left;
    layout.height = most(&mut middles.iter().map(|it| it.1)) + high - top;
    let is_pits = customs::ground(ruleset, geometry, lattice) == Ground::Pits;
    let zone_tones = customs::zone_tones(ruleset);
    let mut outline = String::new();
    for (&(spot, at), &(x, y)) in lattice.members.iter().zip(&middles) {
        let (x, y) = (x - left, y - top);
        let site = geometry.spots[spot].site.idx();
        let hexagon = path::hexagon(x, y, RADIUS, lie.is_pointy());
        outline.push_str(&hexagon);
        let cell = match is_pits {
            true => {
                let tone = if zone_tones[site] == 0 { 2 } else { 1 };
                Cell { x, y, d: Some(path::circle(x, y, 41.0)), tone, ..Cell::default() }
            }
            false => Cell { x, y, d: Some(hexagon), tone: lie.tone(at), ..Cell::default() },
        };
        layout.cells[site] = cell;
    }
    if !is_pits {
        put_coords(ruleset, geometry, lattice, lie, &mut layout);
    }
    frame(&mut layout, lie, &outline, is_pits, lattice.members.len());
    let map = map(lattice, lie, (left, top));
    (layout, map, outline)
}

fn map(lattice: &Lattice, lie: Lie, (left, top): (f64, f64)) -> Map {
    let (dx, dy) = match lie {
        Lie::Pointy => (50.0, ROW),
        Lie::Flat => (ROW, 50.0),
        Lie::ShearedRight | Lie::ShearedDown => (100.0, ROW),
    };
    let to = lie.middle((0, 0));
    Map {
        scale: (dx / lattice.step.0, dy / lattice.step.1),
        from: lattice.origin,
        to: (to.0 - left, to.1 - top),
    }
}

/// A tray with straight sides, if it would not be much larger than the board; else one
/// that follows the hexagons.
pub(super) fn frame(layout: &mut Layout, lie: Lie, outline: &str, is_pits: bool, n_cells: usize) {
    let has_coords = !layout.coords.is_empty();
    let area = area(&hull(layout, lie, 0.0));
    // A hexagon 100 wide covers 8660.
    if n_cells as f64 * 8660.0 < 0.8 * area {
        layout.open = true;
        if is_pits {
            layout.style = Style::Tiles;
            layout.under.push(Stroke {
                d: outline.to_owned(),
                fill: Some(Paint::Plain),
                stroke: Some(Paint::Plain),
                width: 3.0,
            });
        }
        return;
    }
    let margin = if has_coords { 46.0 } else { 22.0 };
    if is_pits {
        layout.style = Style::Tiles;
        let d = path::polygon(&hull(layout, lie, 6.0));
        layout.under.push(Stroke { d, fill: Some(Paint::Plain), stroke: None, width: 0.0 });
    }
    layout.frame = Some(path::polygon(&hull(layout, lie, margin)));
}

/// The polygon with sides along the six ways of the board that holds every cell.
fn hull(layout: &Layout, lie: Lie, margin: f64) -> Vec<(f64, f64)> {
    let far = 4.0 * (layout.width + layout.height) + 1000.0;
    let mut points = vec![(-far, -far), (far, -far), (far, far), (-far, far)];
    // Rows of hexagons on corners run along the rows, so a side lies level.
    let turn = if lie.is_pointy() { 0.5 } else { 0.0 };
    for n in 0..6 {
        let angle = (f64::from(n) + turn) * std::f64::consts::FRAC_PI_3;
        let (nx, ny) = (angle.cos(), angle.sin());
        let cells = layout.cells.iter().filter(|it| !it.hidden);
        let reach = cells.map(|it| it.x * nx + it.y * ny).fold(f64::NEG_INFINITY, f64::max);
        points = clip(&points, (nx, ny), reach + RADIUS + margin);
    }
    points
}

/// A square about a middle; `half` is the distance of its sides.
pub(super) fn square_about((x, y): (f64, f64), half: f64) -> Vec<(f64, f64)> {
    let (left, top, right, bottom) = (x - half, y - half, x + half, y + half);
    vec![(left, top), (right, top), (right, bottom), (left, bottom)]
}

/// The part of a polygon on the near side of a line.
pub(super) fn clip(points: &[(f64, f64)], (nx, ny): (f64, f64), reach: f64) -> Vec<(f64, f64)> {
    let beyond = |&(x, y): &(f64, f64)| x * nx + y * ny - reach;
    let mut kept = Vec::with_capacity(points.len() + 1);
    for (idx, a) in points.iter().enumerate() {
        let b = &points[(idx + 1) % points.len()];
        let (da, db) = (beyond(a), beyond(b));
        if da <= 0.0 {
            kept.push(*a);
        }
        if (da < 0.0 && db > 0.0) || (da > 0.0 && db < 0.0) {
            let t = da / (da - db);
            kept.push((a.0 + (b.0 - a.0) * t, a.1 + (b.1 - a.1) * t));
        }
    }
    kept
}

fn area(points: &[(f64, f64)]) -> f64 {
    let pairs = points.iter().zip(points.iter().cycle().skip(1));
    pairs.map(|(a, b)| a.0 * b.1 - b.0 * a.1).sum::<f64>().abs() / 2.0
}

/// Letters below the ends of their lines, numbers left of theirs.
fn put_coords(
    ruleset: &Ruleset,
    geometry: &Geometry,
    lattice: &Lattice,
    lie: Lie,
    layout: &mut Layout,
) {
    let mut named = Vec::new();
    for &(spot, _) in &lattice.members {
        let site = geometry.spots[spot].site;
        let Some((head, tail)) = coords::parts(ruleset.board.site_name(site)) else { return };
        named.push((site.idx(), head.to_owned(), tail.to_owned()));
    }
    let turn = if lie.is_pointy() { 0.0 } else { 0.5 };
    coords::put_at_ends(layout, &named, turn);
}
