//! Boards of rows and columns.

use boardwright_game::{Ruleset, Site};

use super::{
    Cell, Layout, Paint, Stroke, Style,
    aside::Map,
    coords::Labels,
    customs::{self, Ground},
    geometry::Geometry,
    lattice::Lattice,
    lines::{self, Lines},
    path, race,
};
use crate::looks::{Family, family};

/// A board of squares or points, and where the author's pixels lie on it.
pub(super) fn layout(
    ruleset: &Ruleset,
    geometry: &Geometry,
    lattice: &Lattice,
) -> (Layout, Map, String) {
    let ground = customs::ground(ruleset, geometry, lattice);
    let cell = cell_size(ruleset, lattice);
    let mut board = Square {
        ruleset,
        geometry,
        lattice,
        cell,
        layout: Layout::empty(Style::Grid, ruleset.board.n_sites()),
    };
    board.layout.width = f64::from(lattice.n_columns) * cell.0;
    board.layout.height = f64::from(lattice.n_rows) * cell.1;
    match ground {
        _ if ruleset.is_selection_screen() => board.menu(),
        Ground::Checkered => board.checkered(),
        Ground::Grid if customs::is_race(ruleset) => board.race(),
        Ground::Grid => board.grid(),
        Ground::Points => board.points(),
        Ground::Pits => board.pits(),
    }
    let outline = board.outline(ground);
    let map = Map {
        scale: (cell.0 / lattice.step.0, cell.1 / lattice.step.1),
        from: lattice.origin,
        to: (cell.0 / 2.0, cell.1 / 2.0),
    };
    let mut layout = board.layout;
    if let Some(labels) = Labels::of(&ruleset.board, geometry, lattice) {
        labels.put(&mut layout, cell, lattice);
    }
    (layout, map, outline)
}

/// Squares; buttons of menus are as long as the author made them.
fn cell_size(ruleset: &Ruleset, lattice: &Lattice) -> (f64, f64) {
    let ratio = lattice.step.0 / lattice.step.1;
    match ratio {
        it if ruleset.is_selection_screen() && it > 1.0 => (100.0 * it.min(4.0), 100.0),
        _ => (100.0, 100.0),
    }
}

struct Square<'a> {
    ruleset: &'a Ruleset,
    geometry: &'a Geometry,
    lattice: &'a Lattice,
    cell: (f64, f64),
    layout: Layout,
}

impl Square<'_> {
    /// The middle of a place.
    fn middle(&self, (x, y): (i32, i32)) -> (f64, f64) {
        ((f64::from(x) + 0.5) * self.cell.0, (f64::from(y) + 0.5) * self.cell.1)
    }

    fn put(&mut self, make: impl Fn(&Self, usize, (i32, i32)) -> Cell) {
        for &(spot, at) in &self.lattice.members {
            let site = self.geometry.spots[spot].site.idx();
            let cell = make(self, site, at);
            self.layout.cells[site] = cell;
        }
    }

    fn square(&self, at: (i32, i32), tone: u8) -> Cell {
        let (x, y) = self.middle(at);
        let (width, height) = self.cell;
        let d = path::rect(x - width / 2.0, y - height / 2.0, width, height);
        Cell { x, y, d: Some(d), tone, ..Cell::default() }
    }

    fn checkered(&mut self) {
        self.layout.style = Style::Checkered;
        let members = &self.lattice.members;
        let first = members.first().map_or(0, |it| (it.1.0 + it.1.1) & 1);
        let used = customs::setup_parity(self.ruleset, self.geometry, self.lattice);
        let dark = match used {
            _ if self.lattice.is_staggered() => first,
            Some(parity) => parity,
            // The corner on the left of the near side is dark.
            None => (self.lattice.n_rows - 1) & 1,
        };
        self.put(|it, _, at| it.square(at, if (at.0 + at.1) & 1 == dark { 2 } else { 1 }));
        let marked = customs::marked_sites(self.ruleset);
        let cells = marked.iter().filter_map(|it| self.layout.cells.get(it.idx()));
        let d: String = cells.filter_map(|it| it.d.as_deref()).collect();
        if !d.is_empty() {
            self.layout.over.push(Stroke { d, fill: None, stroke: Some(Paint::Inlay), width: 6.0 });
        }
        if self.lattice.is_staggered() {
            let d = path::rect(0.0, 0.0, self.layout.width, self.layout.height);
            self.layout.under.push(fill(d, Paint::Tone1));
        }
    }

    fn grid(&mut self) {
        self.layout.style = Style::Grid;
        let is_shogi = family(self.ruleset) == Some(Family::Shogi);
        let tones = match is_shogi {
            true => vec![1; self.ruleset.board.n_sites()],
            false => customs::zone_tones(self.ruleset),
        };
        self.put(|it, site, at| it.square(at, tones[site].max(1)));
        if is_shogi && (self.lattice.n_columns, self.lattice.n_rows) == (9, 9) {
            let at = [(3, 3), (6, 3), (3, 6), (6, 6)];
            let dot = |(x, y)| path::circle(f64::from(x) * 100.0, f64::from(y) * 100.0, 8.0);
            self.layout.over.push(fill(at.map(dot).concat(), Paint::Line));
        }
    }

    /// Each site its own tile, and what the way of a race has on it.
    fn race(&mut self) {
        self.layout.style = Style::Tiles;
        let tones = customs::race_tones(self.ruleset);
        self.put(|it, site, at| {
            let (x, y) = it.middle(at);
            let d = path::tile(x, y, it.cell.0 - 8.0, it.cell.1 - 8.0, 6.0);
            let tone = match tones[site] {
                0 => [1, 3][((at.0 + at.1) & 1) as usize],
                _ => 2,
            };
            Cell { x, y, d: Some(d), tone, ..Cell::default() }
        });
        let over = race::marks(self.ruleset, self.geometry, self.lattice, &self.layout);
        self.layout.over = over;
        self.layout.open = true;
    }

    /// Places for buttons.
    fn menu(&mut self) {
        self.layout.style = Style::Tiles;
        self.layout.plain = true;
        self.layout.pad = 10.0;
        self.put(|it, _, at| {
            let (x, y) = it.middle(at);
            let d = path::tile(x, y, it.cell.0 - 12.0, it.cell.1 - 12.0, 14.0);
            Cell { x, y, d: Some(d), tone: 3, ..Cell::default() }
        });
        // Rows below the last button are nothing to look at.
        let row_of = |site: Site| {
            let is_it = |spot: &usize| self.geometry.spots[*spot].site == site;
            self.lattice.members.iter().find(|it| is_it(&it.0)).map(|it| it.1.1)
        };
        let buttons = self.ruleset.setup.pieces.iter();
        let Some(last) = buttons.filter_map(|it| row_of(it.site)).max() else { return };
        for &(spot, (_, row)) in &self.lattice.members {
            self.layout.cells[self.geometry.spots[spot].site.idx()].hidden |= row > last;
        }
        self.layout.height = f64::from(last + 1) * self.cell.1;
    }

    fn points(&mut self) {
        self.layout.style = Style::Points;
        self.layout.plain = true;
        self.layout.pad = 8.0;
        let (geometry, lattice) = (self.geometry, self.lattice);
        let slanting =
            f64::midpoint(lattice.linked(geometry, (1, 1)), lattice.linked(geometry, (1, -1)));
        let is_small = lattice.n_columns.max(lattice.n_rows) <= 3;
        let mut lines = Lines::along_links(geometry, lattice, slanting < 0.95 || is_small);
        if lines.is_empty() {
            lines = Lines::between_neighbours(lattice);
        }
        let is_xiangqi = family(self.ruleset) == Some(Family::Xiangqi);
        let middle = lattice.n_rows / 2 - 1;
        let has_river = is_xiangqi
            && lattice.n_rows % 2 == 0
            && self
                .ruleset
                .board
                .zones
                .iter()
                .any(|it| it.name.contains("bank") || it.name.contains("river"));
        if has_river {
            let last = lattice.n_columns - 1;
            lines.retain(|(x, y), way| y != middle || way.1 == 0 || x == 0 || x == last);
        }
        let mut d = lines.path(|at| self.middle(at));
        if is_xiangqi {
            d.push_str(&self.palaces());
        }
        let (loops, reach) = lines::loops(self.ruleset, geometry, lattice, |at| self.middle(at));
        d.push_str(&loops);
        self.layout.pad += (reach - 50.0).max(0.0);
        let width = if lattice.members.len() > 100 { 3.4 } else { 5.0 };
        let is_dense = lattice.is_full() && lattice.members.len() > 49;
        self.layout.under.push(Stroke { d, fill: None, stroke: Some(Paint::Line), width });
        if is_dense && !is_xiangqi && lattice.n_columns == lattice.n_rows {
            let stars = customs::stars(lattice.n_columns);
            let dot = |&at: &(i32, i32)| {
                let (x, y) = self.middle(at);
                path::circle(x, y, 10.0)
            };
            let d: String = stars.iter().map(dot).collect();
            if !d.is_empty() {
                self.layout.under.push(fill(d, Paint::Line));
            }
        }
        self.put(|it, _, at| {
            let (x, y) = it.middle(at);
            Cell { x, y, bare: is_dense || is_xiangqi, ..Cell::default() }
        });
    }

    /// The slanting lines in zones called palaces.
    fn palaces(&self) -> String {
        let mut d = String::new();
        for zone in self.ruleset.board.zones.iter().filter(|it| it.name.contains("palace")) {
            for sites in &zone.sites {
                let is_in =
                    |it: &&(usize, (i32, i32))| sites.contains(self.geometry.spots[it.0].site);
                let at: Vec<_> = self.lattice.members.iter().filter(is_in).map(|it| it.1).collect();
                let (Some(left), Some(right)) =
                    (at.iter().map(|it| it.0).min(), at.iter().map(|it| it.0).max())
                else {
                    continue;
                };
                let (Some(top), Some(bottom)) =
                    (at.iter().map(|it| it.1).min(), at.iter().map(|it| it.1).max())
                else {
                    continue;
                };
                if right - left == 2 && bottom - top == 2 {
                    let line = |a, b| path::polyline(&[self.middle(a), self.middle(b)]);
                    d.push_str(&line((left, top), (right, bottom)));
                    d.push_str(&line((right, top), (left, bottom)));
                }
            }
        }
        d
    }

    fn pits(&mut self) {
        self.layout.style = Style::Tiles;
        self.layout.plain = true;
        self.layout.pad = 6.0;
        self.put(|it, _, at| {
            let (x, y) = it.middle(at);
            let r = it.cell.0.min(it.cell.1) * 0.42;
            Cell { x, y, d: Some(path::circle(x, y, r)), tone: 2, ..Cell::default() }
        });
    }

    /// The outline of the tray; a rectangle, or the union of all cells where some are missing.
    fn outline(&mut self, ground: Ground) -> String {
        let is_whole = self.lattice.is_full()
            || (ground == Ground::Checkered && self.lattice.is_staggered())
            || matches!(ground, Ground::Points | Ground::Pits);
        if self.layout.open {
            let d = path::rect(0.0, 0.0, self.layout.width, self.layout.height);
            return if is_whole { d } else { self.squares() };
        }
        if is_whole {
            return path::rect(0.0, 0.0, self.layout.width, self.layout.height);
        }
        self.layout.open = true;
        self.squares()
    }

    /// All places as squares.
    fn squares(&self) -> String {
        let members = self.lattice.members.iter();
        members.filter_map(|&(_, at)| self.square(at, 1).d).collect()
    }
}

fn fill(d: String, paint: Paint) -> Stroke {
    Stroke { d, fill: Some(paint), stroke: None, width: 0.0 }
}
