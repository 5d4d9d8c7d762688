//! The pictures that a preset brings along: its board and its pieces.
//!
//! A board's picture is that of the whole board, or a tile that is repeated. It decides the
//! size of cells; without one the piece set does.

use boardwright_preset::{Settings, import};
use boardwright_protocol::{ImagePiece, ImageSet};
use boardwright_render::{
    bitmap::{self, Subject},
    pictures::{INDEX_FILE, SetIndex},
};
use boardwright_rules::PresetRules;
use boardwright_text::Encoding;

use super::{Playable, escaped};
use crate::library::Entry;

/// The pixels of a cell unless a picture or a piece set says otherwise.
const CELL: u32 = 50;
/// Pieces that are looked up.
const MAX_PIECES: usize = 400;
/// The largest coordinate of a site, in pixels.
const FAR: f64 = 16_000.0;

/// A picture in the folder of a preset.
struct Found {
    name: String,
    width: u32,
    height: u32,
}

fn find(place: &Entry, file: &str, subject: Subject) -> Option<Found> {
    let file = file.trim();
    if file.is_empty() {
        return None;
    }
    let name = place.folder.find(&place.file, file)?.to_owned();
    let bytes = place.folder.read(&name)?;
    if name.to_lowercase().ends_with(".svg") {
        boardwright_render::pictures::checked_svg(&bytes).ok()?;
        return Some(Found { name, width: CELL, height: CELL });
    }
    let png = bitmap::png(&bytes, subject).ok()?;
    Some(Found { name, width: png.width, height: png.height })
}

/// The picture of the board that a field names.
fn background(settings: &Settings, place: &Entry, key: &str) -> Option<Found> {
    find(place, settings.get(key), Subject::Board).filter(|it| !it.name.ends_with(".svg"))
}

/// The piece set of the preset's own, with the folder of its pictures.
fn index(settings: &Settings, place: &Entry) -> Option<(SetIndex, String)> {
    let custom = settings.get("custom-set");
    if !custom.trim().is_empty() {
        let lines: String = custom.lines().map(|it| format!("  {}\n", it.trim())).collect();
        return Some((SetIndex::read(&format!("pieces:\n{lines}")), String::new()));
    }
    let set = settings.get("set").trim();
    let text = |file: &str| {
        let name = place.folder.find(&place.file, file)?.to_owned();
        Some(Encoding::decode(&place.folder.read(&name)?).0)
    };
    if let Some(text) = text(&format!("{set}/{INDEX_FILE}")) {
        return Some((SetIndex::read(&text), format!("{set}/")));
    }
    let (php, folder) = match text(&format!("{set}/{set}.php")) {
        Some(text) => (text, format!("{set}/")),
        None => (text(&format!("{set}.php"))?, String::new()),
    };
    Some((SetIndex::read(&import::set_index(&php)?), folder))
}

/// The sets of pictures of a preset: one at most. Decodes them, so it is slow.
pub(super) fn sets(playable: &Playable, rules: PresetRules<'_>, place: &Entry) -> Vec<ImageSet> {
    let settings = &rules.preset.bundle.settings;
    let board = background(settings, place, "background");
    let set = index(settings, place);
    if board.is_none() && set.is_none() {
        return Vec::new();
    }
    let cell = set
        .as_ref()
        .map_or((CELL, CELL), |(it, _)| (it.width.unwrap_or(CELL), it.height.unwrap_or(CELL)));
    let url =
        |name: &str, query: &str| format!("/api/games/{}/image/{}{query}", place.id, escaped(name));
    let measure = Measure { playable, rules, cell };
    let (width, height, tile, rects) = measure.place(board.as_ref());
    let mut pieces = Vec::new();
    if let Some((index, folder)) = &set {
        for (label, file) in index.pieces.iter().take(MAX_PIECES) {
            let Some((player, kind)) = rules.labels.piece(label) else { continue };
            let Some(it) = find(place, &format!("{folder}{file}"), Subject::Piece) else {
                continue;
            };
            pieces.push(ImagePiece {
                player: player.0,
                kind: kind.0,
                url: url(&it.name, ""),
                width: it.width,
                height: it.height,
            });
        }
    }
    if board.is_none() && pieces.is_empty() {
        return Vec::new();
    }
    let second = background(settings, place, "background-2");
    vec![ImageSet {
        width,
        height,
        board: board.map(|it| url(&it.name, "?board=1")),
        pieces,
        rects,
        tile,
        flipped: second.map(|it| url(&it.name, "?board=1")),
    }]
}

type Rect = Option<[i32; 4]>;

/// Where sites lie on a picture.
struct Measure<'m> {
    playable: &'m Playable,
    rules: PresetRules<'m>,
    /// Width and height of a cell where no picture decides.
    cell: (u32, u32),
}

impl Measure<'_> {
    /// The width and height of the board, the size of a tile if its picture is one, and
    /// the rectangle of each site.
    fn place(&self, picture: Option<&Found>) -> (u32, u32, Option<[u32; 2]>, Vec<Rect>) {
        let settings = &self.rules.preset.bundle.settings;
        let board = self.rules.preset.board();
        let (n_files, n_ranks) = board.size();
        if settings.get("shape") == "custom" {
            let (width, height) = picture.map_or((400, 400), |it| (it.width, it.height));
            return (width, height, None, self.points());
        }
        let is_square = settings.get("shape") == "square";
        let [left, top, right, bottom] = self.playable.layout.bounds();
        // The size of the board in usual cells.
        let cells = match is_square {
            true => (n_files as f64, n_ranks as f64),
            false => ((right - left) / 100.0, (bottom - top) / 100.0),
        };
        let usual = (cells.0 * f64::from(self.cell.0), cells.1 * f64::from(self.cell.1));
        let may_tile = matches!(settings.get("shape"), "square" | "grid");
        let tile = picture.filter(|it| {
            let is_small = |size: u32, whole: f64| f64::from(size) * 2.0 <= whole;
            may_tile && is_small(it.width, usual.0) && is_small(it.height, usual.1)
        });
        let size = match (picture, tile) {
            (Some(it), None) => (f64::from(it.width), f64::from(it.height)),
            _ => usual,
        };
        let cell = (size.0 / cells.0.max(0.01), size.1 / cells.1.max(0.01));
        let spaces = board.spaces().iter().enumerate();
        let rect = |(site, space): (usize, &boardwright_gamecode::SpaceInfo)| {
            let [x0, y0, x1, y1] = match (is_square, space.cell) {
                (true, Some((file, rank))) => {
                    let (x, y) = (f64::from(file), n_ranks as f64 - 1.0 - f64::from(rank));
                    [x, y, x + 1.0, y + 1.0]
                }
                _ => {
                    let [a, b, c, d] = self.playable.layout.bounds_of(site)?;
                    [a - left, b - top, c - left, d - top].map(|it| it / 100.0)
                }
            };
            let px = |it: f64, by: f64| (it * by).clamp(-FAR, FAR).round() as i32;
            Some([px(x0, cell.0), px(y0, cell.1), px(x1, cell.0), px(y1, cell.1)])
        };
        let rects = spaces.map(rect).collect();
        let whole = |it: f64| it.round().clamp(1.0, FAR) as u32;
        (whole(size.0), whole(size.1), tile.map(|it| [it.width, it.height]), rects)
    }

    /// The sites of a board whose coordinates are pixels of its picture.
    fn points(&self) -> Vec<Rect> {
        let board = self.rules.preset.board();
        let mut rects: Vec<Rect> = vec![None; board.spaces().len()];
        for line in self.rules.preset.bundle.settings.get("coordinates").lines() {
            let mut words = line.split_whitespace();
            let Some(name) = words.next() else { continue };
            let name = if name.len() > 1 { name.trim_start_matches('!') } else { name };
            let mut number = || words.next()?.parse::<f64>().ok().filter(|it| it.abs() <= FAR);
            let (Some(x), Some(y)) = (number(), number()) else { continue };
            let (half, tall) = (f64::from(self.cell.0) / 2.0, f64::from(self.cell.1) / 2.0);
            let rect = [x - half, y - tall, x + half, y + tall].map(|it| it.round() as i32);
            if let Some(at) = board.space(name).and_then(|it| rects.get_mut(it.index())) {
                *at = Some(rect);
            }
        }
        rects
    }
}
