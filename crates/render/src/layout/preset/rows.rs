//! Boards of squares: in one piece, in several side by side, or as points on lines.

use std::collections::BTreeMap;

use boardwright_game::Site;

use super::{Plan, Spot, WIDE, finish};
use crate::{
    Coord, Layout, Level, Paint, Side, Stroke, Style,
    layout::{levels, path},
    looks::Family,
};

/// Space between a board and the sites beside it.
const GAP: f64 = 70.0;
/// Space below a level for its name.
const LABEL: f64 = 60.0;

pub(super) fn layout(plan: &Plan<'_>) -> Layout {
    let (mut body, mut aside): (Vec<Spot>, Vec<Spot>) =
        plan.spots().into_iter().partition(|it| !it.is_hidden);
    if body.is_empty() {
        body = std::mem::take(&mut aside);
    }
    let blocks = blocks(&body);
    if blocks.len() > 1 && aside.is_empty() {
        return as_levels(plan, &blocks);
    }
    let Some(frame) = Frame::of(&body) else { return plan.empty(Style::Grid) };
    let is_full = body.len() as i64 == i64::from(frame.width()) * i64::from(frame.height());
    let mut layout = plan.empty(Style::Checkered);
    layout.width = f64::from(frame.width()) * 100.0;
    layout.height = f64::from(frame.height()) * 100.0;
    let is_xiangqi = plan.family == Some(Family::Xiangqi) && is_full && plan.is_plain();
    let mut outline = String::new();
    if is_xiangqi {
        points(&mut layout, &body, &frame);
        outline = path::rect(0.0, 0.0, layout.width, layout.height);
    } else {
        for spot in &body {
            let (x, y) = frame.corner(spot);
            let d = path::rect(x, y, 100.0, 100.0);
            outline.push_str(&d);
            layout.cells[spot.site] = plan.cell(spot, (x + 50.0, y + 50.0), d);
        }
        if plan.is_plain() {
            layout.style = Style::Grid;
            stars(plan, &mut layout, &frame);
        }
    }
    put_coords(plan, &mut layout, &body, &frame, !is_full || !aside.is_empty());
    layout.words = match is_full {
        true => format!("{} × {}", frame.width(), frame.height()),
        false => format!("{} squares", body.len()),
    };
    if is_full && aside.is_empty() {
        return layout;
    }
    if is_full {
        outline = path::rect(0.0, 0.0, layout.width, layout.height);
    }
    let margin = if layout.coords.is_empty() { super::NARROW } else { WIDE };
    let mut tiles = String::new();
    for spot in &aside {
        let (x, y) = beside(&frame, spot, margin + layout.pad + GAP);
        let d = path::tile(x, y, 96.0, 96.0, 8.0);
        tiles.push_str(&d);
        let mut cell = plan.cell(spot, (x, y), d);
        (cell.tone, cell.fill, cell.aside) = (1, None, true);
        layout.cells[spot.site] = cell;
    }
    finish(&mut layout, &outline, &tiles);
    layout
}

/// The rectangle of rows and columns that some spots fill.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Frame {
    left: i32,
    top: i32,
    right: i32,
    bottom: i32,
}

impl Frame {
    fn of(spots: &[Spot]) -> Option<Frame> {
        let mut spots = spots.iter();
        let it = spots.next()?;
        let first = Frame { left: it.column, top: it.row, right: it.column, bottom: it.row };
        Some(spots.fold(first, |frame, it| Frame {
            left: frame.left.min(it.column),
            top: frame.top.min(it.row),
            right: frame.right.max(it.column),
            bottom: frame.bottom.max(it.row),
        }))
    }

    fn width(&self) -> i32 {
        self.right - self.left + 1
    }

    fn height(&self) -> i32 {
        self.bottom - self.top + 1
    }

    fn corner(&self, spot: &Spot) -> (f64, f64) {
        (f64::from(spot.column - self.left) * 100.0, f64::from(spot.row - self.top) * 100.0)
    }
}

/// The middle of a site beside the board: near it, however many columns lie between.
fn beside(frame: &Frame, spot: &Spot, gap: f64) -> (f64, f64) {
    let along = |at: i32, from: i32, to: i32| match at {
        it if it > to => {
            f64::from(to - from + 1) * 100.0 + gap + f64::from((it - to - 2).max(0)) * 100.0 + 50.0
        }
        it if it < from => -gap - f64::from((from - it - 2).max(0)) * 100.0 - 50.0,
        it => f64::from(it - from) * 100.0 + 50.0,
    };
    (along(spot.column, frame.left, frame.right), along(spot.row, frame.top, frame.bottom))
}

/// Parts of one size with empty rows or columns between them, if there are several.
fn blocks(body: &[Spot]) -> Vec<Vec<Spot>> {
    let bands = |of: &dyn Fn(&Spot) -> i32| -> BTreeMap<i32, usize> {
        let mut used: Vec<i32> = body.iter().map(of).collect();
        used.sort_unstable();
        used.dedup();
        let mut bands = BTreeMap::new();
        let (mut band, mut last) = (0, None);
        for at in used {
            band += usize::from(last.is_some_and(|it| it + 1 < at));
            bands.insert(at, band);
            last = Some(at);
        }
        bands
    };
    let (columns, rows) = (bands(&|it| it.column), bands(&|it| it.row));
    let mut blocks: BTreeMap<(usize, usize), Vec<Spot>> = BTreeMap::new();
    for spot in body {
        let at = (rows[&spot.row], columns[&spot.column]);
        blocks.entry(at).or_default().push(*spot);
    }
    let blocks: Vec<Vec<Spot>> = blocks.into_values().collect();
    let shape = |it: &[Spot]| Frame::of(it).map(|frame| (it.len(), frame.width(), frame.height()));
    let first = blocks.first().and_then(|it| shape(it));
    let is_flat = first.is_some_and(|it| it.1 > 1 && it.2 > 1);
    match is_flat && blocks.iter().all(|it| shape(it) == first) {
        true => blocks,
        false => Vec::new(),
    }
}

/// Boards side by side, as many in a row as a page is wide.
fn as_levels(plan: &Plan<'_>, blocks: &[Vec<Spot>]) -> Layout {
    let mut layout = plan.empty(Style::Levels);
    let frames: Vec<Frame> = blocks.iter().filter_map(|it| Frame::of(it)).collect();
    let Some(first) = frames.first() else { return layout };
    let (width, height) = (f64::from(first.width()) * 100.0, f64::from(first.height()) * 100.0);
    let per_row = levels::per_row(blocks.len(), width / height);
    // The lowest level first: what stands at the bottom or on the left.
    let mut order: Vec<usize> = (0..blocks.len()).collect();
    order.sort_by_key(|&it| (-frames[it].top, frames[it].left));
    let (step_x, step_y) = (width + 2.0 * WIDE + 24.0, height + 2.0 * WIDE + 24.0 + LABEL);
    let mut outline = String::new();
    for (place, &idx) in order.iter().enumerate() {
        let left = (place % per_row) as f64 * step_x;
        let top = (place / per_row) as f64 * step_y;
        outline.push_str(&path::rect(left, top, width, height));
        let mut sites = Vec::new();
        for spot in &blocks[idx] {
            let (x, y) = frames[idx].corner(spot);
            let (x, y) = (left + x, top + y);
            let mut cell = plan.cell(spot, (x + 50.0, y + 50.0), path::rect(x, y, 100.0, 100.0));
            cell.level = place as u32;
            layout.cells[spot.site] = cell;
            sites.push(Site(spot.site as u16));
        }
        sites.sort_unstable();
        let label = level_label(plan, &blocks[idx]);
        let label = label.map_or(format!("Board {}", place + 1), |it| format!("Level {it}"));
        let (x, y) = (left + width / 2.0, top + height + WIDE + 30.0);
        layout.coords.push(Coord { text: label.clone(), x, y, side: Side::Free, big: true });
        layout.levels.push(Level { label, x: left, y: top, width, height, sites });
        let mut part = Layout::empty(Style::Grid, 0);
        put_coords(plan, &mut part, &blocks[idx], &frames[idx], true);
        layout.coords.extend(part.coords.into_iter().map(|it| Coord {
            x: it.x + left,
            y: it.y + top,
            ..it
        }));
    }
    layout.words = match layout.levels.iter().all(|it| it.label.starts_with("Level")) {
        true => format!("{} levels", blocks.len()),
        false => format!("{} boards", blocks.len()),
    };
    finish(&mut layout, &outline, "");
    layout
}

/// What the labels of a level's ranks, or of its files, begin with.
fn level_label(plan: &Plan<'_>, block: &[Spot]) -> Option<String> {
    let common = |labels: Vec<&str>| -> Option<String> {
        let first = labels.first()?;
        let n = labels
            .iter()
            .map(|it| first.chars().zip(it.chars()).take_while(|(a, b)| a == b).count());
        let n = n.min()?;
        let shortest = labels.iter().map(|it| it.chars().count()).min()?;
        (n > 0 && n < shortest).then(|| first.chars().take(n).collect())
    };
    let ranks = block.iter().filter_map(|it| plan.rank_label(it.row)).collect();
    let files = block.iter().filter_map(|it| plan.file_label(it.column)).collect();
    common(ranks).or_else(|| common(files))
}

/// Labels around the board; on an open one each beyond the end of its line.
fn put_coords(plan: &Plan<'_>, layout: &mut Layout, body: &[Spot], frame: &Frame, open: bool) {
    let is_digit = |it: &str| it.starts_with(|it: char| it.is_ascii_digit());
    // Numbers along the files, as in shogi: such labels stand above and on the right.
    let is_numbered = body.iter().all(|it| plan.file_label(it.column).is_none_or(is_digit))
        && body.iter().any(|it| plan.rank_label(it.row).is_some_and(|it| !is_digit(it)));
    let (mut columns, mut rows) = (BTreeMap::new(), BTreeMap::new());
    for it in body {
        let end: &mut (i32, i32) = columns.entry(it.column).or_insert((it.row, it.row));
        *end = (end.0.min(it.row), end.1.max(it.row));
        let end: &mut (i32, i32) = rows.entry(it.row).or_insert((it.column, it.column));
        *end = (end.0.min(it.column), end.1.max(it.column));
    }
    let middle = |at: i32, from: i32| f64::from(at - from) * 100.0 + 50.0;
    for (column, (first, last)) in columns {
        let Some(label) = plan.file_label(column) else { continue };
        let (y, side) = match is_numbered {
            true => (middle(first, frame.top) - 50.0, Side::Top),
            false => (middle(last, frame.top) + 50.0, Side::Bottom),
        };
        put(layout, label, (middle(column, frame.left), y), side, open);
    }
    for (row, (first, last)) in rows {
        let Some(label) = plan.rank_label(row) else { continue };
        let (x, side) = match is_numbered {
            true => (middle(last, frame.left) + 50.0, Side::Right),
            false => (middle(first, frame.left) - 50.0, Side::Left),
        };
        put(layout, label, (x, middle(row, frame.top)), side, open);
    }
}

fn put(layout: &mut Layout, label: &str, (x, y): (f64, f64), side: Side, open: bool) {
    let (dx, dy) = match side {
        _ if !open => (0.0, 0.0),
        Side::Top => (0.0, -24.5),
        Side::Bottom => (0.0, 24.5),
        Side::Left => (-24.5, 0.0),
        Side::Right => (24.5, 0.0),
        Side::Free => (0.0, 0.0),
    };
    let side = if open { Side::Free } else { side };
    let text = label.to_owned();
    layout.coords.push(Coord { text, x: x + dx, y: y + dy, side, big: false });
}

/// The four dots on a board of shogi.
fn stars(plan: &Plan<'_>, layout: &mut Layout, frame: &Frame) {
    if plan.family == Some(Family::Shogi) && (frame.width(), frame.height()) == (9, 9) {
        let at = [(3, 3), (6, 3), (3, 6), (6, 6)];
        let dot = |(x, y)| path::circle(f64::from(x) * 100.0, f64::from(y) * 100.0, 8.0);
        let d = at.map(dot).concat();
        layout.over.push(Stroke { d, fill: Some(Paint::Line), stroke: None, width: 0.0 });
    }
}

/// Points on lines, with palaces and a river where a board of xiangqi has them.
fn points(layout: &mut Layout, body: &[Spot], frame: &Frame) {
    layout.style = Style::Points;
    layout.plain = true;
    layout.pad = 8.0;
    let (columns, rows) = (frame.width(), frame.height());
    let middle = |x: i32, y: i32| (f64::from(x) * 100.0 + 50.0, f64::from(y) * 100.0 + 50.0);
    let line = |a: (i32, i32), b: (i32, i32)| path::polyline(&[middle(a.0, a.1), middle(b.0, b.1)]);
    let mut d = String::new();
    for y in 0..rows {
        d.push_str(&line((0, y), (columns - 1, y)));
    }
    let has_river = (columns, rows) == (9, 10);
    for x in 0..columns {
        if has_river && x > 0 && x + 1 < columns {
            d.push_str(&line((x, 0), (x, 4)));
            d.push_str(&line((x, 5), (x, 9)));
        } else {
            d.push_str(&line((x, 0), (x, rows - 1)));
        }
    }
    if has_river {
        for top in [0, 7] {
            d.push_str(&line((3, top), (5, top + 2)));
            d.push_str(&line((5, top), (3, top + 2)));
        }
    }
    layout.under.push(Stroke { d, fill: None, stroke: Some(Paint::Line), width: 5.0 });
    for spot in body {
        let (x, y) = middle(spot.column - frame.left, spot.row - frame.top);
        layout.cells[spot.site] = crate::Cell { x, y, bare: true, ..crate::Cell::default() };
    }
}
