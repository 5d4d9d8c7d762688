//! Sites beside the board: dice, trays, sites for passed moves. Also the last step of
//! every layout, which adds the trays.

use boardwright_game::Ruleset;

use super::{Cell, Layout, Paint, Side, Stroke, Style, customs, geometry::Geometry, path};

/// The least and the most space between a board and the sites beside it.
const GAP: (f64, f64) = (36.0, 130.0);

/// The most groups between the arms of a board that are moved aside.
const MANY: usize = 16;

/// Space around a tray of an open board, so that its edge is not cut.
const ROOM: f64 = 4.0;

/// The mapping from the author's pixels to a layout.
pub(super) struct Map {
    pub(super) scale: (f64, f64),
    /// A point in pixels, and the same point in units.
    pub(super) from: (f64, f64),
    pub(super) to: (f64, f64),
}

impl Map {
    pub(super) fn point(&self, x: f64, y: f64) -> (f64, f64) {
        (self.to.0 + (x - self.from.0) * self.scale.0, self.to.1 + (y - self.from.1) * self.scale.1)
    }
}

#[derive(Clone, Copy)]
struct Box {
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
}

impl Box {
    fn around(mut self, other: Box) -> Box {
        self.left = self.left.min(other.left);
        self.top = self.top.min(other.top);
        self.right = self.right.max(other.right);
        self.bottom = self.bottom.max(other.bottom);
        self
    }
}

/// Adds the spots that are not of `body`, and trays where the frame is not a plain rectangle.
pub(super) fn finish(
    ruleset: &Ruleset,
    geometry: &Geometry,
    body: &[usize],
    mut layout: Layout,
    map: &Map,
    outline: &str,
) -> Layout {
    let beside = geometry.beside(body);
    if beside.is_empty() && !layout.open {
        return layout;
    }
    let margin = match layout.coords.iter().any(|it| !it.big) {
        // Half a square and more, so that holes of one square are closed.
        true => 50.5,
        false => 18.0,
    };
    let whole = Box { left: 0.0, top: 0.0, right: layout.width, bottom: layout.height };
    let mut all = whole;
    let mut tiles = String::new();
    let tones = customs::zone_tones(ruleset);
    for (idx, group) in beside.iter().enumerate() {
        let rects = group.iter().map(|&it| tile_box(geometry, map, it));
        let Some(around) = rects.reduce(Box::around) else { continue };
        let (mut dx, dy) = away(whole, around, margin + layout.pad);
        if (dx, dy) == (0.0, 0.0) && idx < MANY {
            dx = off(&layout, around, margin + GAP.0);
        }
        for &spot in group {
            let it = tile_box(geometry, map, spot);
            let (width, height) = (it.right - it.left, it.bottom - it.top);
            let (x, y) =
                (f64::midpoint(it.left, it.right) + dx, f64::midpoint(it.top, it.bottom) + dy);
            let d = path::tile(x, y, width * 0.96, height * 0.96, 8.0);
            tiles.push_str(&d);
            let site = geometry.spots[spot].site.idx();
            layout.cells[site] =
                Cell { x, y, d: Some(d), tone: tones[site].max(1), aside: true, ..Cell::default() };
        }
        let moved = Box {
            left: around.left + dx,
            top: around.top + dy,
            right: around.right + dx,
            bottom: around.bottom + dy,
        };
        all = all.around(moved);
    }
    // A tray with slanting sides reaches farther than the cells.
    if let Some([left, top, right, bottom]) = layout.frame.as_deref().and_then(path::bounds) {
        let room = margin - 14.0;
        all = all.around(Box {
            left: left + room,
            top: top + room,
            right: right - room,
            bottom: bottom - room,
        });
    }
    open(&mut layout, outline, &tiles, margin);
    shift(&mut layout, -all.left, -all.top);
    layout.width = all.right - all.left;
    layout.height = all.bottom - all.top;
    layout.pad = margin + ROOM;
    layout
}

/// Trays instead of the frame.
pub(super) fn open(layout: &mut Layout, outline: &str, tiles: &str, margin: f64) {
    let mut under = Vec::new();
    if let Some(frame) = layout.frame.take() {
        let line = |stroke, width| Stroke {
            d: frame.clone(),
            fill: Some(Paint::Frame),
            stroke: Some(stroke),
            width,
        };
        under.extend([line(Paint::Frame, 28.0), line(Paint::Inlay, 2.6)]);
    } else if !outline.is_empty() {
        under.extend(path::tray(outline, margin + layout.pad));
    }
    if layout.plain && !outline.is_empty() {
        under.push(Stroke {
            d: outline.to_owned(),
            fill: Some(Paint::Plain),
            stroke: Some(Paint::Plain),
            width: 2.0 * layout.pad,
        });
    }
    if !tiles.is_empty() {
        under.extend(path::tray(tiles, 16.0));
    }
    under.append(&mut layout.under);
    layout.under = under;
    let out = layout.pad + 24.5;
    for coord in &mut layout.coords {
        match coord.side {
            Side::Bottom => coord.y += out,
            Side::Top => coord.y -= out,
            Side::Left => coord.x -= out,
            Side::Right => coord.x += out,
            Side::Free => {}
        }
        coord.side = Side::Free;
    }
    layout.open = true;
    layout.plain = false;
    if layout.style == Style::Tiles {
        layout.pad = 0.0;
    }
}

fn tile_box(geometry: &Geometry, map: &Map, spot: usize) -> Box {
    let it = &geometry.spots[spot];
    let (x, y) = map.point(it.x, it.y);
    // Neither specks nor places as large as a board.
    let side = |pixels: f64, scale: f64| (pixels * scale).clamp(50.0, 300.0) / 2.0;
    let (w, h) = (side(it.width, map.scale.0), side(it.height, map.scale.1));
    Box { left: x - w, top: y - h, right: x + w, bottom: y + h }
}

/// The offset by which a group beside the board is moved, to be near it but not on its
/// frame.
fn away(board: Box, it: Box, margin: f64) -> (f64, f64) {
    let gap = |free: f64| free.clamp(margin + GAP.0, margin + GAP.1) - free;
    let right = it.left - board.right;
    let left = board.left - it.right;
    let below = it.top - board.bottom;
    let above = board.top - it.bottom;
    let outside = -10.0;
    let dx = if right > outside {
        gap(right)
    } else if left > outside {
        -gap(left)
    } else {
        0.0
    };
    let is_near = dx != 0.0 && below.max(above) < 200.0;
    let dy = if is_near {
        0.0
    } else if below > outside {
        gap(below)
    } else if above > outside {
        -gap(above)
    } else {
        0.0
    };
    (dx, dy)
}

/// The horizontal offset that moves a group between the arms of a board off its tray.
fn off(layout: &Layout, it: Box, room: f64) -> f64 {
    let cells: Vec<(f64, f64)> =
        layout.cells.iter().filter(|it| !it.hidden).map(|it| (it.x, it.y)).collect();
    let is_free = |dx: f64| {
        let outside = |at: f64, from: f64, to: f64| (from - at).max(at - to).max(0.0);
        let way = |&(x, y): &(f64, f64)| {
            outside(x - dx, it.left, it.right).hypot(outside(y, it.top, it.bottom))
        };
        cells.iter().all(|cell| way(cell) >= 50.0 + room)
    };
    let is_left = f64::midpoint(it.left, it.right) < layout.width / 2.0;
    let step = if is_left { -20.0 } else { 20.0 };
    let steps = (0..40).map(|n| f64::from(n) * step);
    steps.into_iter().find(|&dx| is_free(dx)).unwrap_or(0.0)
}

/// Moves everything.
pub(super) fn shift(layout: &mut Layout, dx: f64, dy: f64) {
    if dx == 0.0 && dy == 0.0 {
        return;
    }
    let move_path = |d: &mut String| *d = path::shifted(d, dx, dy);
    for cell in layout.cells.iter_mut().filter(|it| !it.hidden) {
        cell.x += dx;
        cell.y += dy;
        cell.d.iter_mut().for_each(move_path);
    }
    let strokes = layout.under.iter_mut().chain(&mut layout.over);
    strokes.for_each(|it| move_path(&mut it.d));
    layout.frame.iter_mut().for_each(move_path);
    for coord in &mut layout.coords {
        coord.x += dx;
        coord.y += dy;
    }
    for level in &mut layout.levels {
        level.x += dx;
        level.y += dy;
    }
}
