//! `(grid (start-rectangle …) (dimensions …) (directions …))`

use std::rc::Rc;

use boardwright_game::{Direction, Grid, Rect, Site, SiteInfo};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Builder, links::LINK_BYTES};
use crate::{
    errors,
    expand::{Item, ItemKind},
    symbol::Symbol,
    words::Kw,
};

/// A dimension as written: its labels, and the pixels of one step.
struct Dimension {
    at: Item,
    labels: Vec<String>,
    step: (i32, i32),
}

/// A direction as written: one offset a dimension.
#[derive(Clone)]
struct Vector {
    entry: Item,
    name: Item,
    direction: Direction,
    offsets: Vec<i32>,
}

impl Builder<'_> {
    pub(super) fn grid(&mut self, section: &Item) {
        let mut rect = Rect::default();
        self.label_twice = false;
        let mut dimensions: Option<(Item, Vec<Dimension>)> = None;
        let mut directions: Vec<Item> = Vec::new();
        let mut tail = self.ctx.tail(section);
        while let Some(part) = tail.next(self.ctx) {
            match self.ctx.head_kw(&part) {
                Some(Kw::StartRectangle) => rect = self.start_rectangle(&part).unwrap_or(rect),
                Some(Kw::Dimensions) => {
                    let found = self.dimensions(&part);
                    dimensions = found.map(|it| (part, it));
                    if dimensions.is_none() {
                        return;
                    }
                }
                Some(Kw::Directions) => {
                    let found = self.ctx.tail(&part).rest(self.ctx);
                    directions.extend(found);
                }
                _ => {
                    let known = ["start-rectangle", "dimensions", "directions"];
                    self.unknown_part(&part, "grid", &known);
                }
            }
        }
        let Some((item, dimensions)) = dimensions else {
            self.ctx
                .report(section, errors::missing_argument(section.span, "grid", "`dimensions`"));
            return;
        };
        let Some(cells) = self.cells(&item, &dimensions, rect) else {
            return;
        };
        let mut vectors = Vec::new();
        for direction in directions {
            vectors.extend(self.grid_direction(&direction, &dimensions));
        }
        for vector in self.last_of_each_name(vectors) {
            self.link_cells(&vector, &dimensions, &cells);
        }
        self.grids.push(Grid {
            steps: dimensions.iter().map(|it| it.step).collect(),
            labels: dimensions.into_iter().map(|it| it.labels).collect(),
            span: section.span,
        });
    }

    fn start_rectangle(&mut self, part: &Item) -> Option<Rect> {
        let numbers = self.ctx.tail(part).rest(self.ctx);
        let [left, top, right, bottom] = numbers.as_slice() else {
            let what = "four numbers: left, top, right, bottom";
            self.ctx.report(part, errors::missing_argument(part.span, "start-rectangle", what));
            return None;
        };
        let mut edge = |it| self.number(it, "an edge of a rectangle");
        Some(Rect {
            left: edge(left)?,
            top: edge(top)?,
            right: edge(right)?,
            bottom: edge(bottom)?,
        })
    }

    fn dimensions(&mut self, part: &Item) -> Option<Vec<Dimension>> {
        let mut found = Vec::new();
        let mut tail = self.ctx.tail(part);
        while let Some(entry) = tail.next(self.ctx) {
            let parts = self.ctx.items(&entry).collect(self.ctx, 3);
            let labels = match parts.first().map(|it| it.kind) {
                Some(ItemKind::Text(text) | ItemKind::Word(text)) => self.labels(text, &entry)?,
                _ => {
                    let what = "`(\"a/b/c\" (dx dy))`";
                    self.ctx.report(&entry, errors::expected(entry.span, what));
                    return None;
                }
            };
            let step = match parts.get(1) {
                None => Some((0, 0)),
                Some(pair) => {
                    let numbers = self.ctx.items(pair).collect(self.ctx, 3);
                    match numbers.as_slice() {
                        [x, y] => {
                            let x = self.number(x, "the width of a step");
                            x.zip(self.number(y, "the height of a step"))
                        }
                        _ => {
                            let what = "the step in pixels, `(dx dy)`,";
                            self.ctx.report(pair, errors::expected(pair.span, what));
                            None
                        }
                    }
                }
            };
            let at = parts.first().copied().unwrap_or(entry);
            found.push(Dimension { at, labels, step: step? });
        }
        if found.is_empty() || found.len() > self.limits.dimensions {
            let why = format!(
                "a grid has 1 to {} dimensions, not {}",
                self.limits.dimensions,
                found.len()
            );
            self.ctx.report(part, errors::bad_grid(part.span, why));
            return None;
        }
        Some(found)
    }

    /// The labels of a dimension: `a/b/c`. Too many are an error.
    fn labels(&mut self, text: Symbol, entry: &Item) -> Option<Vec<String>> {
        let text: Rc<str> = self.ctx.symbols.shared_text(text);
        if !self.ctx.spend(text.len() as u64 / 8, entry) {
            return None;
        }
        let n_labels = text.bytes().filter(|&it| it == b'/').count() + 1;
        let limit = self.limits.sites;
        if n_labels > limit {
            let error = errors::board_too_large(entry.span, n_labels as u64, "labels", limit);
            self.ctx.exhaust(entry, error);
            return None;
        }
        let bytes = n_labels * (size_of::<String>() + 32) + text.len();
        if !self.ctx.take(bytes, entry) {
            return None;
        }
        Some(text.split('/').map(|it| it.trim().to_owned()).collect())
    }

    /// Makes the sites, first dimension outermost. Their number is checked before the
    /// first is made.
    fn cells(&mut self, item: &Item, dimensions: &[Dimension], start: Rect) -> Option<Vec<Site>> {
        let n_cells =
            dimensions.iter().fold(1u64, |n, it| n.saturating_mul(it.labels.len() as u64));
        let limit = self.limits.sites;
        if n_cells > limit as u64 {
            let error = errors::board_too_large(item.span, n_cells, "positions", limit);
            self.ctx.exhaust(item, error);
            return None;
        }
        if !self.ctx.spend(n_cells, item) {
            return None;
        }
        for Dimension { at, labels, .. } in dimensions {
            let mut seen = FxHashSet::default();
            if let Some(label) = labels.iter().find(|it| !seen.insert(it.as_str())) {
                self.label_twice = true;
                self.ctx.report(at, errors::label_twice(at.span, label));
            }
        }
        let grid_idx = self.grids.len() as u16;
        let mut cells = Vec::with_capacity(n_cells as usize);
        let mut at = vec![0u16; dimensions.len()];
        for _ in 0..n_cells {
            let mut name = String::new();
            let mut rect = start;
            for (dimension, &idx) in dimensions.iter().zip(&at) {
                name.push_str(dimension.labels.get(idx as usize).map_or("", |it| it));
                let (dx, dy) = dimension.step;
                let (dx, dy) =
                    (dx.saturating_mul(i32::from(idx)), dy.saturating_mul(i32::from(idx)));
                rect.left = rect.left.saturating_add(dx);
                rect.right = rect.right.saturating_add(dx);
                rect.top = rect.top.saturating_add(dy);
                rect.bottom = rect.bottom.saturating_add(dy);
            }
            let symbol = self.ctx.intern(&name, item)?;
            let info = SiteInfo {
                name,
                rect: Some(rect),
                is_dummy: false,
                cell: Some((grid_idx, at.clone())),
                span: item.span,
            };
            cells.push(self.add_site(symbol, info, item)?);
            // Counts up, the last dimension fastest.
            for (idx, dimension) in at.iter_mut().zip(dimensions).rev() {
                *idx += 1;
                if (*idx as usize) < dimension.labels.len() {
                    break;
                }
                *idx = 0;
            }
        }
        Some(cells)
    }

    /// `(n 0 -1)`: one offset a dimension.
    fn grid_direction(&mut self, entry: &Item, dimensions: &[Dimension]) -> Option<Vector> {
        let parts = self.ctx.items(entry).rest(self.ctx);
        let Some((name, offsets)) = parts.split_first() else {
            self.ctx.report(entry, errors::expected(entry.span, "a direction such as `(n 0 -1)`"));
            return None;
        };
        let Some(symbol) = name.word() else {
            self.ctx.report(name, errors::expected(name.span, "the name of a direction"));
            return None;
        };
        if offsets.len() != dimensions.len() {
            let why = format!(
                "the direction `{}` has {} for {}",
                self.name(symbol),
                errors::count(offsets.len(), "offset"),
                errors::count(dimensions.len(), "dimension")
            );
            self.ctx.report(entry, errors::bad_grid(entry.span, why));
            return None;
        }
        let mut vector = Vec::with_capacity(offsets.len());
        for offset in offsets {
            vector.push(self.number(offset, "an offset")?);
        }
        let direction = self.direction(symbol, name)?;
        Some(Vector { entry: *entry, name: *name, direction, offsets: vector })
    }

    /// Of several directions with one name the last; told, unless they are the same.
    fn last_of_each_name(&mut self, vectors: Vec<Vector>) -> Vec<Vector> {
        let mut by_direction: FxHashMap<Direction, usize> = FxHashMap::default();
        let mut kept: Vec<Vector> = Vec::new();
        for vector in vectors {
            let Some(&idx) = by_direction.get(&vector.direction) else {
                by_direction.insert(vector.direction, kept.len());
                kept.push(vector);
                continue;
            };
            let Some(old) = kept.get_mut(idx) else { continue };
            let old = std::mem::replace(old, vector.clone());
            if old.offsets != vector.offsets {
                let name = vector.name.word().map(|it| self.name(it)).unwrap_or_default();
                let (new, old) = (vector.entry.span, old.entry.span);
                self.ctx.report(&vector.entry, errors::direction_twice(new, &name, old));
            }
        }
        kept
    }

    fn link_cells(&mut self, vector: &Vector, dimensions: &[Dimension], cells: &[Site]) {
        let Vector { entry, direction, offsets, .. } = vector;
        if let Some(it) = self.offsets.get_mut(direction.idx())
            && it.is_none()
        {
            *it = Some(offsets.clone());
        }
        let n_links = self.links.len() + cells.len();
        if n_links > self.limits.links * 2 {
            let limit = self.limits.links;
            let error = errors::board_too_large(entry.span, n_links as u64, "links", limit);
            self.ctx.exhaust(entry, error);
            return;
        }
        if !self.ctx.spend(cells.len() as u64, entry)
            || !self.ctx.take(cells.len() * LINK_BYTES, entry)
        {
            return;
        }
        for (idx, &from) in cells.iter().enumerate() {
            let mut rest = idx;
            let mut target = 0;
            let mut stride = 1;
            let mut on_board = true;
            for (dimension, &offset) in dimensions.iter().zip(offsets).rev() {
                let size = dimension.labels.len();
                let moved = (rest % size) as i64 + i64::from(offset);
                rest /= size;
                on_board &= (0..size as i64).contains(&moved);
                target += moved * stride;
                stride *= size as i64;
            }
            if on_board && let Some(&to) = cells.get(target as usize) {
                self.links.push((from, *direction, to));
            }
        }
    }
}
