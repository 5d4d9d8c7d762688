//! Labels of rows and columns, read from the names of sites.

use std::collections::BTreeMap;

use boardwright_game::Board;

use super::{Coord, Layout, Side, geometry::Geometry, lattice::Lattice};

/// The most lines that are labelled.
const MANY: usize = 200;

/// The labels of a lattice, by column and by row.
pub(super) struct Labels {
    pub(super) columns: BTreeMap<i32, String>,
    pub(super) rows: BTreeMap<i32, String>,
    /// Numbers along the columns, as in shogi: such labels stand above and on the right.
    pub(super) is_numbered: bool,
}

/// A name as letters and number, or number and letters.
pub(super) fn parts(name: &str) -> Option<(&str, &str)> {
    let first_is_digit = name.chars().next()?.is_ascii_digit();
    let end = name.find(|it: char| it.is_ascii_digit() != first_is_digit)?;
    let (head, tail) = name.split_at(end);
    let is_plain = |it: &str| it.chars().all(char::is_alphanumeric) && it.chars().count() <= 3;
    let is_second_plain = tail.chars().all(|it| it.is_ascii_digit() != first_is_digit);
    (is_plain(head) && is_plain(tail) && is_second_plain).then_some((head, tail))
}

impl Labels {
    /// The labels, if every name is made of the label of its column and of its row.
    pub(super) fn of(board: &Board, geometry: &Geometry, lattice: &Lattice) -> Option<Labels> {
        let mut named = Vec::new();
        for &(spot, at) in &lattice.members {
            let (head, tail) = parts(board.site_name(geometry.spots[spot].site))?;
            named.push((at, head, tail));
        }
        let labels = |columns_first: bool| {
            let (mut columns, mut rows) = (BTreeMap::new(), BTreeMap::new());
            for &((x, y), head, tail) in &named {
                let (column, row) = if columns_first { (head, tail) } else { (tail, head) };
                let is_same = *columns.entry(x).or_insert(column) == column
                    && *rows.entry(y).or_insert(row) == row;
                if !is_same {
                    return None;
                }
            }
            let owned = |it: BTreeMap<i32, &str>| -> BTreeMap<i32, String> {
                it.into_iter().map(|(at, label)| (at, label.to_owned())).collect()
            };
            let is_digit = |it: &&str| it.starts_with(|it: char| it.is_ascii_digit());
            let is_numbered = columns.values().next().is_some_and(is_digit);
            Some(Labels { columns: owned(columns), rows: owned(rows), is_numbered })
        };
        labels(true).or_else(|| labels(false))
    }

    /// Puts the labels around a board of cells 100 high and `width` wide.
    pub(super) fn put(&self, layout: &mut Layout, cell: (f64, f64), lattice: &Lattice) {
        let open = layout.open;
        for (&x, label) in &self.columns {
            let side = if self.is_numbered { Side::Top } else { Side::Bottom };
            let ends = (0..lattice.n_rows).filter(|&y| lattice.at((x, y)).is_some());
            let end = if self.is_numbered { ends.min() } else { ends.max() };
            let edge = match (open, self.is_numbered) {
                (false, true) => 0.0,
                (false, false) => layout.height,
                (true, true) => f64::from(end.unwrap_or(0)) * cell.1 - 24.0,
                (true, false) => (f64::from(end.unwrap_or(0)) + 1.0) * cell.1 + 24.0,
            };
            let x = (f64::from(x) + 0.5) * cell.0;
            let side = if open { Side::Free } else { side };
            layout.coords.push(Coord { text: label.clone(), x, y: edge, side, big: false });
        }
        for (&y, label) in &self.rows {
            let side = if self.is_numbered { Side::Right } else { Side::Left };
            let ends = (0..lattice.n_columns).filter(|&x| lattice.at((x, y)).is_some());
            let end = if self.is_numbered { ends.max() } else { ends.min() };
            let edge = match (open, self.is_numbered) {
                (false, true) => layout.width,
                (false, false) => 0.0,
                (true, true) => (f64::from(end.unwrap_or(0)) + 1.0) * cell.0 + 25.0,
                (true, false) => f64::from(end.unwrap_or(0)) * cell.0 - 25.0,
            };
            let y = (f64::from(y) + 0.5) * cell.1;
            let side = if open { Side::Free } else { side };
            layout.coords.push(Coord { text: label.clone(), x: edge, y, side, big: false });
        }
    }
}

/// Puts the labels of hexagons, given as site, first and second part of its name, beyond
/// the ends of their lines. The six ways to neighbours begin `turn` sixths of a circle
/// from the right.
pub(super) fn put_at_ends(layout: &mut Layout, named: &[(usize, String, String)], turn: f64) {
    let mut taken: Vec<(f64, f64)> = Vec::new();
    for is_first in [true, false] {
        let mut groups: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (site, head, tail) in named {
            groups.entry(if is_first { head } else { tail }).or_default().push(*site);
        }
        if groups.len() > MANY {
            return;
        }
        // Letters go to the near side, numbers to the left.
        let pull = if is_first { (-0.2, 1.0) } else { (-1.0, 0.1) };
        for (label, sites) in groups {
            // Where labels of other lines are in the way at one end, the other is used.
            let ends = [pull, (-pull.0, -pull.1)];
            let Some(at) = ends.iter().find_map(|it| end_of(layout, &sites, &taken, turn, *it))
            else {
                continue;
            };
            taken.push(at);
            layout.coords.push(Coord {
                text: label.to_owned(),
                x: at.0,
                y: at.1,
                side: Side::Free,
                big: false,
            });
        }
    }
}

/// A free place beyond the end of a line of hexagons that lies farthest along `pull`.
fn end_of(
    layout: &Layout,
    sites: &[usize],
    taken: &[(f64, f64)],
    turn: f64,
    pull: (f64, f64),
) -> Option<(f64, f64)> {
    let along = |x: f64, y: f64| x * pull.0 + y * pull.1;
    let cells = sites.iter().map(|it| &layout.cells[*it]);
    let end = cells.max_by(|a, b| along(a.x, a.y).total_cmp(&along(b.x, b.y)))?;
    let is_free = |(px, py): (f64, f64)| {
        let near = |cx: f64, cy: f64, r: f64| (cx - px).hypot(cy - py) < r;
        let mut cells = layout.cells.iter().filter(|it| !it.hidden);
        !cells.any(|it| near(it.x, it.y, 70.0)) && !taken.iter().any(|&(x, y)| near(x, y, 28.0))
    };
    let ways = (0..6).map(|n| {
        let angle = (f64::from(n) + turn) * std::f64::consts::FRAC_PI_3;
        (angle.cos(), angle.sin())
    });
    let free = ways.filter(|way| is_free((end.x + way.0 * 79.0, end.y + way.1 * 79.0)));
    let way = free.max_by(|a, b| along(a.0, a.1).total_cmp(&along(b.0, b.1)))?;
    Some((end.x + way.0 * 79.0, end.y + way.1 * 79.0))
}

#[cfg(test)]
mod tests {
    use super::parts;

    #[test]
    fn names_are_taken_apart() {
        assert_eq!(parts("e4"), Some(("e", "4")));
        assert_eq!(parts("aa12"), Some(("aa", "12")));
        assert_eq!(parts("7g"), Some(("7", "g")));
        assert_eq!(parts("17"), None);
        assert_eq!(parts("first-pass"), None);
        assert_eq!(parts("a1w1"), None);
    }
}
