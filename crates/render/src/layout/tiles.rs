//! Boards of no regular shape: points on the lines of their links, or tiles.

use boardwright_game::Ruleset;

use super::{Cell, Layout, Paint, Stroke, Style, aside::Map, customs, geometry::Geometry, path};

/// More links than this a site, and lines would only be a tangle.
const TANGLE: usize = 5;

/// How wide a slot of a pit is.
const SLOT: f64 = 40.0;

/// The widest a board gets, in units: authors may put sites a million pixels apart.
const WIDEST: f64 = 10_000.0;

pub(super) fn layout(
    ruleset: &Ruleset,
    geometry: &Geometry,
    spots: &[usize],
) -> (Layout, Map, String) {
    let mut layout = Layout::empty(Style::Tiles, ruleset.board.n_sites());
    let fold = |of: &dyn Fn(usize) -> f64, pick: fn(f64, f64) -> f64, start: f64| {
        spots.iter().map(|&it| of(it)).fold(start, pick)
    };
    let left = fold(&|it| geometry.spots[it].x, f64::min, f64::INFINITY);
    let top = fold(&|it| geometry.spots[it].y, f64::min, f64::INFINITY);
    let right = fold(&|it| geometry.spots[it].x, f64::max, f64::NEG_INFINITY);
    let bottom = fold(&|it| geometry.spots[it].y, f64::max, f64::NEG_INFINITY);
    if spots.is_empty() {
        let map = Map { scale: (1.0, 1.0), from: (0.0, 0.0), to: (0.0, 0.0) };
        return (layout, map, String::new());
    }
    let longest = (right - left).max(bottom - top).max(1.0);
    let scale = (100.0 / geometry.pitch.max(1.0)).min(WIDEST / longest);
    let map = Map { scale: (scale, scale), from: (left, top), to: (60.0, 60.0) };
    layout.width = (right - left) * scale + 120.0;
    layout.height = (bottom - top) * scale + 120.0;
    let lines = lines(geometry, spots, &map).filter(|_| !ruleset.is_selection_screen());
    let tones = customs::zone_tones(ruleset);
    if let Some(d) = lines {
        layout.style = Style::Points;
        layout.plain = true;
        layout.pad = 8.0;
        layout.under.push(Stroke { d, fill: None, stroke: Some(Paint::Line), width: 5.0 });
        for &spot in spots {
            let (x, y) = map.point(geometry.spots[spot].x, geometry.spots[spot].y);
            layout.cells[geometry.spots[spot].site.idx()] = Cell { x, y, ..Cell::default() };
        }
        let outline = path::rect(0.0, 0.0, layout.width, layout.height);
        return (layout, map, outline);
    }
    let mut outline = String::new();
    let mut reach = (0.0_f64, 0.0_f64);
    let mut start = (f64::INFINITY, f64::INFINITY);
    for (idx, &spot) in spots.iter().enumerate() {
        let it = &geometry.spots[spot];
        let (x, y) = map.point(it.x, it.y);
        let (width, height) =
            ((it.width * scale).clamp(12.0, 600.0), (it.height * scale).clamp(12.0, 600.0));
        let d = path::tile(x, y, width * 0.95, height * 0.95, 6.0);
        outline.push_str(&d);
        reach = (reach.0.max(x + width / 2.0), reach.1.max(y + height / 2.0));
        start = (start.0.min(x - width / 2.0), start.1.min(y - height / 2.0));
        let site = it.site.idx();
        let tone = match tones[site] {
            0 => [1, 3][idx % 2],
            it => it,
        };
        layout.cells[site] = Cell { x, y, d: Some(d), tone, ..Cell::default() };
    }
    layout.open = true;
    layout.width = reach.0 - start.0;
    layout.height = reach.1 - start.1;
    super::aside::shift(&mut layout, -start.0, -start.1);
    let outline = path::shifted(&outline, -start.0, -start.1);
    let map = Map { to: (map.to.0 - start.0, map.to.1 - start.1), ..map };
    (layout, map, outline)
}

/// Pits with room for many pieces each: groups of slots, as boards of sowing games have.
pub(super) fn slots(ruleset: &Ruleset, geometry: &Geometry) -> (Layout, Map, String) {
    let mut layout = Layout::empty(Style::Tiles, ruleset.board.n_sites());
    let scale = SLOT / geometry.pitch.max(1.0);
    let edges = geometry.spots.iter().map(|it| {
        let (w, h) = (it.width / 2.0, it.height / 2.0);
        [it.x - w, it.y - h, it.x + w, it.y + h]
    });
    let around =
        |a: [f64; 4], b: [f64; 4]| [a[0].min(b[0]), a[1].min(b[1]), a[2].max(b[2]), a[3].max(b[3])];
    let Some([left, top, right, bottom]) = edges.reduce(around) else {
        return self::layout(ruleset, geometry, &[]);
    };
    let scale = scale.min(WIDEST / (right - left).max(bottom - top).max(1.0));
    let map = Map { scale: (scale, scale), from: (left, top), to: (0.0, 0.0) };
    layout.width = (right - left) * scale;
    layout.height = (bottom - top) * scale;
    layout.unit = geometry.pitch * scale;
    layout.plain = true;
    layout.pad = 16.0;
    for group in &geometry.groups {
        let mut pit: Option<[f64; 4]> = None;
        for &spot in group {
            let it = &geometry.spots[spot];
            let (x, y) = map.point(it.x, it.y);
            let (w, h) = (it.width * scale / 2.0, it.height * scale / 2.0);
            let edges = [x - w, y - h, x + w, y + h];
            pit = Some(pit.map_or(edges, |it| around(it, edges)));
            let d = (group.len() == 1).then(|| path::tile(x, y, 2.0 * w, 2.0 * h, 12.0));
            let tone = if d.is_some() { 3 } else { 0 };
            layout.cells[it.site.idx()] = Cell { x, y, d, tone, bare: true, ..Cell::default() };
        }
        if let Some([left, top, right, bottom]) = pit.filter(|_| group.len() > 1) {
            let (x, y) = (f64::midpoint(left, right), f64::midpoint(top, bottom));
            // Wide enough that a seed in a corner lies within the rim.
            let margin = 0.5 * layout.unit;
            let (w, h) = (right - left + margin, bottom - top + margin);
            layout.under.push(Stroke {
                d: path::tile(x, y, w, h, 0.25 * w.min(h)),
                fill: Some(Paint::Tone2),
                stroke: Some(Paint::Line),
                width: 3.0,
            });
        }
    }
    let outline = path::rect(0.0, 0.0, layout.width, layout.height);
    (layout, map, outline)
}

/// Whether the spots are drawn apart, as points are.
pub(super) fn is_of_points(geometry: &Geometry, spots: &[usize]) -> bool {
    let is_small = |&&it: &&usize| {
        let it = &geometry.spots[it];
        it.width.max(it.height) < 0.84 * geometry.pitch
    };
    spots.iter().filter(is_small).count() * 2 >= spots.len()
}

/// The lines of the links, if the sites are points: smaller than their distance, and
/// joined without a tangle.
fn lines(geometry: &Geometry, spots: &[usize], map: &Map) -> Option<String> {
    if !is_of_points(geometry, spots) {
        return None;
    }
    let mut is_of_body = vec![false; geometry.spots.len()];
    spots.iter().for_each(|&it| is_of_body[it] = true);
    let mut d = String::new();
    let mut n_lines = 0;
    for &spot in spots {
        for &target in geometry.links[spot].iter().filter(|&&it| is_of_body[it]) {
            // Each line once.
            if target > spot || !geometry.links[target].contains(&spot) {
                let (a, b) = (&geometry.spots[spot], &geometry.spots[target]);
                d.push_str(&path::polyline(&[map.point(a.x, a.y), map.point(b.x, b.y)]));
                n_lines += 1;
            }
        }
    }
    (n_lines > 0 && n_lines <= TANGLE * spots.len()).then_some(d)
}
