//! Where everything of a board is drawn.
//!
//! A rule file gives each site a rectangle in the pixels of a picture that is often
//! missing. Rectangles, links, zones and pieces together tell which kind of board is
//! meant: squares in two tones, points on lines, hexagons, levels of a cube, rings. Any
//! other board is drawn as tiles.

mod aside;
mod coords;
mod customs;
mod flip;
mod geometry;
mod hex;
mod lattice;
mod levels;
mod lines;
mod menu;
mod path;
pub(crate) mod preset;
mod race;
mod rings;
mod square;
mod tiles;
mod words;

use boardwright_game::{Ruleset, Site};

pub(crate) use self::path::{Num, bounds};
use self::{aside::Map, geometry::Geometry, lattice::Lattice};

/// The kind of drawing a board gets.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Style {
    /// Squares in two tones.
    Checkered,
    /// Squares in one tone, parted by lines.
    Grid,
    /// Points on lines.
    Points,
    /// Hexagons in three tones.
    Hex,
    /// Several boards that make one in three dimensions.
    Levels,
    /// Sectors of circles about one centre.
    Rings,
    /// Each site its own tile.
    Tiles,
}

impl Style {
    /// The stable name, used in files and on pages.
    pub fn name(self) -> &'static str {
        match self {
            Style::Checkered => "checkered",
            Style::Grid => "grid",
            Style::Points => "points",
            Style::Hex => "hex",
            Style::Levels => "levels",
            Style::Rings => "rings",
            Style::Tiles => "tiles",
        }
    }
}

/// A colour of the board's theme.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Paint {
    /// The dark wood around the board.
    Frame,
    /// The thin line of brass in it.
    Inlay,
    /// Lines and points.
    Line,
    /// The ground of boards of lines.
    Plain,
    /// The light tone.
    Tone1,
    /// The dark tone.
    Tone2,
    /// The tone between.
    Tone3,
}

impl Paint {
    /// The stable name, used in files and on pages.
    pub fn name(self) -> &'static str {
        match self {
            Paint::Frame => "frame",
            Paint::Inlay => "inlay",
            Paint::Line => "line",
            Paint::Plain => "plain",
            Paint::Tone1 => "1",
            Paint::Tone2 => "2",
            Paint::Tone3 => "3",
        }
    }
}

/// The side of the frame a coordinate stands in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Side {
    /// Below the surface.
    Bottom,
    /// Left of it.
    Left,
    /// Above it.
    Top,
    /// Right of it.
    Right,
    /// Exactly where the coordinate says.
    Free,
}

impl Side {
    /// The stable name, used in files and on pages.
    pub fn name(self) -> &'static str {
        match self {
            Side::Bottom => "bottom",
            Side::Left => "left",
            Side::Top => "top",
            Side::Right => "right",
            Side::Free => "free",
        }
    }
}

/// One site on the picture.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Cell {
    /// The name to show.
    pub name: String,
    /// The horizontal coordinate of the middle; a usual cell is 100 wide.
    pub x: f64,
    /// The vertical coordinate of the middle, downwards.
    pub y: f64,
    /// The outline as an SVG path; without one the site is a point.
    pub d: Option<String>,
    /// 1 light, 2 dark, 3 between; 0 for points.
    pub tone: u8,
    /// The author's own colour, if the game has one; a theme may do without.
    pub fill: Option<[u8; 3]>,
    /// The number of that colour in the author's list.
    pub shade: u8,
    /// The column and row in a table, where a picture in rows would lie.
    pub at: Option<(i32, i32)>,
    /// Whether no dot is drawn for the point.
    pub bare: bool,
    /// Whether the site has no place on the picture.
    pub hidden: bool,
    /// Whether the site lies beside the board: a die, a tray, a place for passed moves.
    pub aside: bool,
    /// The level it is on, from 0.
    pub level: u32,
}

/// A shape drawn below or above the cells.
#[derive(Clone, PartialEq, Debug)]
pub struct Stroke {
    /// An SVG path.
    pub d: String,
    /// The colour it is filled with.
    pub fill: Option<Paint>,
    /// The colour of its line.
    pub stroke: Option<Paint>,
    /// The width of the line.
    pub width: f64,
}

/// A label of a row, a column or a level.
#[derive(Clone, PartialEq, Debug)]
pub struct Coord {
    /// The label.
    pub text: String,
    /// The horizontal coordinate: on a side of the frame, of the point on the edge of the
    /// surface that it belongs to.
    pub x: f64,
    /// The vertical coordinate, likewise.
    pub y: f64,
    /// The side of the frame.
    pub side: Side,
    /// Whether it stands beside the boards, larger and in the page's ink.
    pub big: bool,
}

/// One board of several.
#[derive(Clone, PartialEq, Debug)]
pub struct Level {
    /// The name to show.
    pub label: String,
    /// Left edge.
    pub x: f64,
    /// Upper edge.
    pub y: f64,
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
    /// Its sites.
    pub sites: Vec<Site>,
}

/// Where and how everything of a board is drawn, in units of which a usual cell has 100.
#[derive(Clone, PartialEq, Debug)]
pub struct Layout {
    /// The kind of drawing.
    pub style: Style,
    /// Width of the playing surface; a usual cell is 100 wide.
    pub width: f64,
    /// Height of the playing surface.
    pub height: f64,
    /// The largest width of a piece.
    pub unit: f64,
    /// Free room between the surface and the frame.
    pub pad: f64,
    /// The outline of the tray; without one it is a rectangle around the surface.
    pub frame: Option<String>,
    /// Whether there is no frame at all but what `under` draws.
    pub open: bool,
    /// Whether the surface is filled with the ground of boards of lines.
    pub plain: bool,
    /// The cells, by site.
    pub cells: Vec<Cell>,
    /// Drawn below the cells.
    pub under: Vec<Stroke>,
    /// Drawn above the cells.
    pub over: Vec<Stroke>,
    /// Labels.
    pub coords: Vec<Coord>,
    /// The boards of a board with several.
    pub levels: Vec<Level>,
    /// Whether it is a menu: its labels are the names of buttons.
    pub is_menu: bool,
    /// The board in a few words: `8 × 8`.
    pub words: String,
}

impl Layout {
    /// Left, top, right and bottom of a site that is shown.
    pub fn bounds_of(&self, site: usize) -> Option<[f64; 4]> {
        let cell = self.cells.get(site).filter(|it| !it.hidden)?;
        let half = self.unit / 2.0;
        let about = [cell.x - half, cell.y - half, cell.x + half, cell.y + half];
        Some(cell.d.as_deref().and_then(path::reach).unwrap_or(about))
    }

    /// Left, top, right and bottom of all sites together.
    pub fn bounds(&self) -> [f64; 4] {
        let all = (0..self.cells.len()).filter_map(|it| self.bounds_of(it));
        let both = |a: [f64; 4], b: [f64; 4]| {
            [a[0].min(b[0]), a[1].min(b[1]), a[2].max(b[2]), a[3].max(b[3])]
        };
        all.reduce(both).unwrap_or([0.0, 0.0, 100.0, 100.0])
    }

    /// The layout of a board; always finite, and the same for the same rules.
    pub fn of(ruleset: &Ruleset) -> Layout {
        let geometry = Geometry::of(&ruleset.board);
        let mut layout = layout(ruleset, &geometry);
        for (cell, info) in layout.cells.iter_mut().zip(&ruleset.board.sites) {
            cell.name = ruleset.translated(&info.name).to_owned();
        }
        if ruleset.is_selection_screen() {
            menu::label(ruleset, &mut layout);
        }
        layout.words = words::of(ruleset, &geometry, &layout);
        layout
    }

    /// A board of one site, to show a piece on.
    pub(crate) fn single() -> Layout {
        let mut layout = Layout::empty(Style::Tiles, 1);
        layout.cells = vec![Cell { x: 50.0, y: 50.0, ..Cell::default() }];
        layout.open = true;
        layout
    }

    /// A layout with nothing on it.
    fn empty(style: Style, n_sites: usize) -> Layout {
        Layout {
            style,
            width: 100.0,
            height: 100.0,
            unit: 100.0,
            pad: 0.0,
            frame: None,
            open: false,
            plain: false,
            cells: vec![Cell { hidden: true, ..Cell::default() }; n_sites],
            under: Vec::new(),
            over: Vec::new(),
            coords: Vec::new(),
            levels: Vec::new(),
            is_menu: false,
            words: String::new(),
        }
    }
}

/// A board with the sites beside it still missing: where pixels lie on it, and the
/// outline that its tray follows.
type Drawn = (Layout, Map, String);

fn layout(ruleset: &Ruleset, geometry: &Geometry) -> Layout {
    let found = levels::find(&ruleset.board, geometry);
    let (body, (layout, map, outline)) = match found {
        Some(_) if customs::is_in_pits(ruleset) => {
            let all: Vec<usize> = (0..geometry.spots.len()).collect();
            (all, tiles::slots(ruleset, geometry))
        }
        Some(found) => {
            let body = found.iter().flat_map(|it| it.members.iter().map(|it| it.0)).collect();
            (body, levels::layout(ruleset, geometry, found))
        }
        None => {
            let body = geometry.body();
            match regular(ruleset, geometry, &body) {
                Some(drawn) => (body, drawn),
                None => {
                    let all: Vec<usize> = (0..geometry.spots.len()).collect();
                    let drawn = tiles::layout(ruleset, geometry, &all);
                    (all, drawn)
                }
            }
        }
    };
    aside::finish(ruleset, geometry, &body, layout, &map, &outline)
}

/// Boards of rows and columns, hexagons, and rings.
fn regular(ruleset: &Ruleset, geometry: &Geometry, body: &[usize]) -> Option<Drawn> {
    if let Some(lattice) = Lattice::of(geometry, body) {
        return Some(match hex::lie(geometry, &lattice) {
            Some(lie) => hex::layout(ruleset, geometry, &lattice, lie),
            None => square::layout(ruleset, geometry, &lattice),
        });
    }
    // A star of lines may have its points on a circle.
    if tiles::is_of_points(geometry, body) {
        return None;
    }
    let (rings, centre) = rings::find(geometry, body)?;
    Some(rings::layout(ruleset, geometry, &rings, centre))
}
