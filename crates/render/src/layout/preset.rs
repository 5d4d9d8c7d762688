//! The layout of a preset's board.
//!
//! Nothing needs to be recognised: a preset names its shape, the cells that are cut out
//! and the pattern of colours. The arrangement of parts is decided here: boards side by
//! side become levels, and sites that players cannot name lie beside the board.

mod circle;
mod grid;
mod hexes;
mod pattern;
mod points;
mod rows;

use boardwright_gamecode::SpaceMap;
use boardwright_preset::{Game, Preset, Settings};
use boardwright_rules::LabelMap;

use self::pattern::Pattern;
pub(crate) use self::pattern::{colour, colours};
use super::{Cell, Layout, Style, aside, path};
use crate::looks::{self, Family};

/// Space around trays, so that their edges are not cut.
const ROOM: f64 = 4.0;
/// The distance of the edge of a tray from its cells: with labels in it, and without.
const WIDE: f64 = 50.5;
const NARROW: f64 = 18.0;

/// What the layout of a preset's board is computed from.
struct Plan<'a> {
    settings: &'a Settings,
    board: &'a SpaceMap,
    pattern: Pattern,
    /// By site: the other ends of its links, if the code has run.
    links: Vec<(usize, usize)>,
    family: Option<Family>,
    /// The colour numbers of cells with their tones, the darkest first.
    tones: Vec<(usize, u8)>,
}

/// One site of a board with files and ranks; rows count from the top.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Spot {
    site: usize,
    column: i32,
    row: i32,
    is_hidden: bool,
}

/// The layout of a preset's board. A game tells the links that its code made, which are
/// the lines of boards of points.
pub(crate) fn of(preset: &Preset, game: Option<&Game>) -> Layout {
    let settings = &preset.bundle.settings;
    let board = preset.board();
    let links = game.map_or(Vec::new(), |it| {
        let links = it.machine().links();
        links.map(|(a, b)| (a.index(), b.index())).collect()
    });
    let mut plan = Plan {
        settings,
        board,
        pattern: Pattern::of(settings),
        links,
        family: looks::family(LabelMap::of(preset).ruleset()),
        tones: Vec::new(),
    };
    plan.tones = plan.tones();
    let mut layout = match settings.get("shape") {
        "custom" => points::layout(&plan),
        "circular" => circle::layout(&plan),
        "hex-horizontal" | "hex-vertical" => hexes::layout(&plan),
        "grid" => grid::layout(&plan),
        _ => rows::layout(&plan),
    };
    for (cell, place) in layout.cells.iter_mut().zip(board.spaces()) {
        cell.name = place.name.clone();
    }
    layout
}

impl Plan<'_> {
    /// All sites of a board with files and ranks.
    fn spots(&self) -> Vec<Spot> {
        let (_, n_ranks) = self.board.size();
        let places = self.board.spaces().iter().enumerate();
        let spots = places.filter_map(|(site, it)| {
            let (file, rank) = it.cell?;
            let row = n_ranks as i32 - 1 - i32::from(rank);
            Some(Spot { site, column: i32::from(file), row, is_hidden: it.is_hidden })
        });
        spots.collect()
    }

    fn empty(&self, style: Style) -> Layout {
        Layout::empty(style, self.board.spaces().len())
    }

    /// The colour number of a cell; patterns run as Forsythe code does.
    fn colour_at(&self, spot: &Spot) -> usize {
        self.pattern.at(spot.row, spot.column)
    }

    /// The tone of each colour: 1 for the lightest, 2 for the darkest, 3 for others.
    fn tones(&self) -> Vec<(usize, u8)> {
        let mut used: Vec<usize> = self.spots().iter().map(|it| self.colour_at(it)).collect();
        used.sort_unstable();
        used.dedup();
        let light = |it: &usize| self.pattern.colour(*it).map_or(0, pattern::light);
        used.sort_by_key(|it| (light(it), *it));
        let n = used.len();
        let tone = |place: usize| match place {
            _ if place + 1 == n => 1,
            0 => 2,
            _ => 3,
        };
        used.into_iter().enumerate().map(|(place, it)| (it, tone(place))).collect()
    }

    /// Whether all cells have one colour, so that lines must part them.
    fn is_plain(&self) -> bool {
        self.tones.len() < 2
    }

    /// A cell about a middle, in its colour.
    fn cell(&self, spot: &Spot, (x, y): (f64, f64), d: String) -> Cell {
        let number = self.colour_at(spot);
        let tone = self.tones.iter().find(|it| it.0 == number).map_or(1, |it| it.1);
        Cell {
            x,
            y,
            d: Some(d),
            tone,
            fill: self.pattern.colour(number),
            shade: number as u8,
            ..Cell::default()
        }
    }

    /// The label of a file that is to be shown.
    fn file_label(&self, column: i32) -> Option<&str> {
        let label = self.board.file_labels().get(usize::try_from(column).ok()?)?;
        (!label.is_hidden && !label.text.is_empty()).then_some(label.text.as_str())
    }

    /// The label of a rank that is to be shown.
    fn rank_label(&self, row: i32) -> Option<&str> {
        let rank = self.board.size().1 as i32 - 1 - row;
        let label = self.board.rank_labels().get(usize::try_from(rank).ok()?)?;
        (!label.is_hidden && !label.text.is_empty()).then_some(label.text.as_str())
    }

    /// Sites with the labels of their file and rank, for labels at the ends of slanting
    /// lines.
    fn named(&self, spots: &[Spot]) -> Vec<(usize, String, String)> {
        let named = spots.iter().filter_map(|it| {
            let (file, rank) = (self.file_label(it.column)?, self.rank_label(it.row)?);
            Some((it.site, file.to_owned(), rank.to_owned()))
        });
        named.collect()
    }
}

/// Puts trays around an open board and moves all of it to where pictures begin.
fn finish(layout: &mut Layout, outline: &str, tiles: &str) {
    let margin = if layout.coords.iter().any(|it| !it.big) { WIDE } else { NARROW };
    aside::open(layout, outline, tiles, margin);
    settle(layout, margin);
}

/// Moves everything so that the surface begins at zero, and measures it.
fn settle(layout: &mut Layout, margin: f64) {
    let mut bounds: Option<[f64; 4]> = None;
    let mut widen = |x: f64, y: f64| {
        let it = bounds.get_or_insert([x, y, x, y]);
        *it = [it[0].min(x), it[1].min(y), it[2].max(x), it[3].max(y)];
    };
    let half = layout.unit / 2.0;
    for cell in layout.cells.iter().filter(|it| !it.hidden) {
        match cell.d.as_deref().and_then(path::reach) {
            Some([left, top, right, bottom]) => {
                widen(left, top);
                widen(right, bottom);
            }
            None => {
                widen(cell.x - half, cell.y - half);
                widen(cell.x + half, cell.y + half);
            }
        }
    }
    for level in &layout.levels {
        // The name below it.
        widen(level.x + level.width / 2.0, level.y + level.height + 60.0);
    }
    let [left, top, right, bottom] = bounds.unwrap_or([0.0, 0.0, 100.0, 100.0]);
    aside::shift(layout, -left, -top);
    layout.width = right - left;
    layout.height = bottom - top;
    layout.pad = margin + ROOM;
}
