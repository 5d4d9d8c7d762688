//! Several boards of one shape that links join: the levels of a board in three dimensions.

use std::collections::BTreeMap;

use boardwright_game::{Board, Grid, Ruleset};

use super::{
    Cell, Coord, Layout, Level, Side, Style, aside::Map, geometry::Geometry, lattice::Lattice, path,
};

/// Space between levels.
const GAP: f64 = 70.0;
/// Space below a level for its name.
const LABEL: f64 = 60.0;

/// The levels, if the board has any: those of a grid, or groups of one shape.
pub(super) fn find(board: &Board, geometry: &Geometry) -> Option<Vec<Lattice>> {
    of_grid(board, geometry).or_else(|| of_groups(geometry))
}

/// The levels of a grid with more than two dimensions.
fn of_grid(board: &Board, geometry: &Geometry) -> Option<Vec<Lattice>> {
    let mut found: BTreeMap<(u16, Vec<u16>), Vec<usize>> = BTreeMap::new();
    let planes: Vec<Option<(usize, usize)>> = board.grids.iter().map(plane).collect();
    for (idx, spot) in geometry.spots.iter().enumerate() {
        let info = board.sites.get(spot.site.idx())?;
        let Some((grid, at)) = &info.cell else { continue };
        let Some((a, b)) = planes.get(usize::from(*grid)).copied().flatten() else { continue };
        let rest = (0..at.len()).filter(|&it| it != a && it != b);
        let level = rest.map(|it| at[it]).collect();
        found.entry((*grid, level)).or_default().push(idx);
    }
    let n_inside: usize = found.values().map(Vec::len).sum();
    if found.len() < 2 || n_inside * 3 < geometry.spots.len() * 2 {
        return None;
    }
    found.values().map(|it| Lattice::of(geometry, it)).collect()
}

/// The two dimensions of a grid that make a level: those with the smallest steps.
fn plane(grid: &Grid) -> Option<(usize, usize)> {
    let is_long = |it: &usize| grid.labels.get(*it).is_some_and(|it| it.len() > 1);
    let mut dimensions: Vec<usize> = (0..grid.steps.len()).filter(is_long).collect();
    if dimensions.len() < 3 {
        return None;
    }
    let step = |it: usize| (i64::from(grid.steps[it].0), i64::from(grid.steps[it].1));
    // Steps are far below the range of numbers: that many pixels no screen has.
    let long = |it: usize| step(it).0.unsigned_abs().max(step(it).1.unsigned_abs());
    dimensions.sort_by_key(|&it| (long(it), usize::MAX - it));
    let a = *dimensions.first()?;
    let is_across = |&it: &usize| {
        let (a, b) = (step(a), step(it));
        i128::from(a.0) * i128::from(b.1) != i128::from(a.1) * i128::from(b.0)
    };
    let b = dimensions.into_iter().find(is_across)?;
    Some((a, b))
}

/// Groups of one shape that links join.
fn of_groups(geometry: &Geometry) -> Option<Vec<Lattice>> {
    let largest = geometry.groups.first()?.len();
    let levels: Vec<_> = geometry.groups.iter().take_while(|it| it.len() == largest).collect();
    let n_inside = levels.len() * largest;
    if levels.len() < 2 || largest < 4 || n_inside * 10 < geometry.spots.len() * 9 {
        return None;
    }
    let lattices: Option<Vec<_>> = levels.iter().map(|it| Lattice::of(geometry, it)).collect();
    let lattices = lattices?;
    let first = lattices.first()?;
    let has_shape = |it: &Lattice| {
        (it.n_columns, it.n_rows) == (first.n_columns, first.n_rows)
            && first.members.iter().all(|&(_, at)| it.at(at).is_some())
    };
    let is_flat = first.n_columns >= 2 && first.n_rows >= 2 && !first.is_staggered();
    (is_flat && lattices.iter().all(has_shape) && are_linked(geometry, &lattices))
        .then_some(lattices)
}

/// Whether links lead from level to level.
fn are_linked(geometry: &Geometry, levels: &[Lattice]) -> bool {
    let mut level_of = vec![usize::MAX; geometry.spots.len()];
    for (idx, level) in levels.iter().enumerate() {
        level.members.iter().for_each(|it| level_of[it.0] = idx);
    }
    levels.iter().enumerate().all(|(idx, level)| {
        let targets = level.members.iter().flat_map(|it| &geometry.links[it.0]);
        targets.into_iter().any(|&it| level_of[it] != idx)
    })
}

/// The common beginning, or else the common end, of the names of a level's sites.
fn label(board: &Board, geometry: &Geometry, level: &Lattice) -> String {
    let mut names = level.members.iter().map(|it| board.site_name(geometry.spots[it.0].site));
    let Some(first) = names.next() else { return String::new() };
    let mut common = first.len();
    let mut common_end = first.len();
    for name in names {
        let same = first.bytes().zip(name.bytes()).take_while(|(a, b)| a == b).count();
        common = common.min(same);
        let pairs = first.bytes().rev().zip(name.bytes().rev());
        common_end = common_end.min(pairs.take_while(|(a, b)| a == b).count());
    }
    let start = first.get(..common).unwrap_or_default();
    let end = first.get(first.len() - common_end..).unwrap_or_default();
    let text = if start.is_empty() { end } else { start };
    text.trim_matches(|it: char| !it.is_alphanumeric()).to_owned()
}

pub(super) fn layout(
    ruleset: &Ruleset,
    geometry: &Geometry,
    mut levels: Vec<Lattice>,
) -> (Layout, Map, String) {
    let mut layout = Layout::empty(Style::Levels, ruleset.board.n_sites());
    let named = |it: &Lattice| label(&ruleset.board, geometry, it);
    // Rows from the top, as the author has them; where all have names, in their order.
    levels
        .sort_by(|a, b| a.origin.1.total_cmp(&b.origin.1).then(a.origin.0.total_cmp(&b.origin.0)));
    let mut labels: Vec<String> = levels.iter().map(named).collect();
    let is_short = |it: &String| (1..=2).contains(&it.chars().count());
    if labels.iter().all(is_short) {
        levels.sort_by_key(|it| (named(it).len(), named(it)));
        labels = levels.iter().map(named).collect();
    }
    let n_columns = levels.iter().map(|it| it.n_columns).max().unwrap_or(1);
    let n_rows = levels.iter().map(|it| it.n_rows).max().unwrap_or(1);
    let (columns, rows) = (f64::from(n_columns), f64::from(n_rows));
    let per_row = per_row(levels.len(), columns / rows);
    let (width, height) = (columns * 100.0, rows * 100.0);
    let mut outline = String::new();
    for (idx, level) in levels.iter().enumerate() {
        let left = (idx % per_row) as f64 * (width + GAP);
        let top = (idx / per_row) as f64 * (height + GAP + LABEL);
        outline.push_str(&path::rect(left, top, width, height));
        let mut sites = Vec::new();
        for &(spot, (x, y)) in &level.members {
            let site = geometry.spots[spot].site;
            sites.push(site);
            // The near corner on the left of the lowest level is dark.
            let is_dark = (x + n_rows - 1 - y + idx as i32) & 1 == 0;
            let (x, y) = (left + f64::from(x) * 100.0, top + f64::from(y) * 100.0);
            layout.cells[site.idx()] = Cell {
                x: x + 50.0,
                y: y + 50.0,
                d: Some(path::rect(x, y, 100.0, 100.0)),
                tone: if is_dark { 2 } else { 1 },
                level: idx as u32,
                ..Cell::default()
            };
        }
        sites.sort_unstable();
        let label = match labels[idx].as_str() {
            "" => format!("Level {}", idx + 1),
            it => format!("Level {it}"),
        };
        layout.coords.push(Coord {
            text: label.clone(),
            x: left + width / 2.0,
            y: top + height + 50.0,
            side: Side::Free,
            big: true,
        });
        layout.levels.push(Level { label, x: left, y: top, width, height, sites });
    }
    let n_shelves = levels.len().div_ceil(per_row);
    layout.width = per_row as f64 * (width + GAP) - GAP;
    layout.height = n_shelves as f64 * (height + GAP + LABEL) - GAP;
    layout.open = true;
    let first = &levels[0];
    let map = Map {
        scale: (100.0 / first.step.0, 100.0 / first.step.1),
        from: first.origin,
        to: (50.0, 50.0),
    };
    (layout, map, outline)
}

/// The number of levels side by side with which the whole has about the shape of a page.
pub(super) fn per_row(n: usize, ratio: f64) -> usize {
    let shape = |per_row: usize| {
        let wide = per_row as f64 * (ratio + 0.15);
        let high = n.div_ceil(per_row) as f64 * 1.25;
        let n_free = n.div_ceil(per_row) * per_row - n;
        (wide / high / 1.5).ln().abs() + 0.35 * n_free as f64
    };
    (1..=n.clamp(1, 64)).min_by(|&a, &b| shape(a).total_cmp(&shape(b))).unwrap_or(1)
}
