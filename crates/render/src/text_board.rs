//! A board drawn with characters.
//!
//! One drawing for rule files and presets, in two forms: a diagram that shows the shape
//! and the colours of the board, and a compact board for playing in a terminal, which
//! also says what the letters mean and what lies beside the board.

mod canvas;
mod labels;

use std::collections::BTreeMap;

use boardwright_game::{PieceKind, Player, Site};
use boardwright_text::render::printable;

use self::canvas::Item;
pub use self::labels::ShortNames;
use crate::{Cell, Coord, Layout, Side, Style, scene::Scene};

/// Boards for playing that would be wider than this many characters are lists of pieces.
const MAX_WIDTH: usize = 120;

/// Lists below the board are wrapped at this many characters.
const LINE: usize = 100;

/// If more sites than this lie beside the board, the empty ones are only counted.
const MANY: usize = 20;

/// The most characters of a piece's letters in a diagram.
const LONGEST: usize = 12;

/// What a text board is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TextForm {
    /// A picture in characters: cells are filled with a pattern that shows their colour.
    Diagram,
    /// For play in a terminal: every site can be named, goals are marked, and a legend
    /// says what the letters mean.
    Play,
}

/// The board of a scene, and below it the pieces in hand.
pub fn text_board(scene: &Scene, form: TextForm) -> String {
    let board = Board::of(scene, form);
    let mut text = canvas::drawn(&board.items());
    let mut below = String::new();
    if form == TextForm::Play {
        if text.lines().any(|it| it.chars().count() > MAX_WIDTH) {
            text = board.list();
        } else {
            text.push_str(&board.notes());
            below = board.legend();
        }
    }
    below.push_str(&hands(scene));
    if form == TextForm::Play && !below.is_empty() {
        text.push('\n');
    }
    text + &below
}

/// The pieces that players hold.
fn hands(scene: &Scene) -> String {
    let one = |(player, name): (Player, &str)| {
        let held = scene.hands.iter().filter(|it| it.player == player);
        hand_text(name, held.map(|it| (scene.kind_name(it.player, it.kind), it.count)))
    };
    scene.players().map(one).collect()
}

/// The pieces that one player holds, by name and number: `Red in hand: Disc 21`. Empty
/// if there are none.
fn hand_text<'a>(player: &str, held: impl Iterator<Item = (&'a str, u32)>) -> String {
    let held: Vec<String> =
        held.map(|(name, count)| format!("{} {count}", printable(name))).collect();
    if held.is_empty() {
        return String::new();
    }
    wrapped(&format!("{} in hand:", printable(player)), &held, ",")
}

/// A scene that is being drawn.
struct Board<'a> {
    scene: &'a Scene,
    form: TextForm,
    /// By site: the letters of the piece that stands there.
    letters: Vec<Option<String>>,
    /// Whether cells show their names, since no labels of rows and columns do.
    is_named: bool,
}

impl Board<'_> {
    fn of(scene: &Scene, form: TextForm) -> Board<'_> {
        let mut letters = vec![None; scene.layout.cells.len()];
        for it in &scene.pieces {
            if let Some(place) = letters.get_mut(it.site.idx()) {
                *place = Some(printable(scene.letters(it.player, it.kind)));
            }
        }
        let is_named = form == TextForm::Play && !has_labels(&scene.layout);
        Board { scene, form, letters, is_named }
    }

    /// The cells that are drawn, with their sites.
    fn cells(&self) -> impl Iterator<Item = (Site, &Cell)> {
        let cells = (0_u16..).map(Site).zip(&self.scene.layout.cells);
        cells.filter(|(_, it)| !(it.hidden || it.aside && self.form == TextForm::Play))
    }

    fn letters(&self, site: Site) -> Option<&str> {
        self.letters.get(site.idx())?.as_deref()
    }

    fn is_goal(&self, site: Site) -> bool {
        self.scene.marks.goals.contains(&site)
    }

    /// Everything on the board: cells with what stands on them, and labels.
    fn items(&self) -> Vec<Item> {
        let mut items: Vec<Item> = match self.form {
            TextForm::Diagram => self.diagram_cells(),
            TextForm::Play => self.play_cells(),
        };
        let width = items.iter().map(|it| it.text.chars().count()).max().unwrap_or(1);
        if !self.is_named {
            items.extend(labels(&self.scene.layout, width));
        }
        items
    }

    /// Cells filled with a pattern: `:K:`.
    fn diagram_cells(&self) -> Vec<Item> {
        let widest = self.letters.iter().flatten().map(|it| it.chars().count()).max();
        let widest = widest.unwrap_or(1).clamp(1, LONGEST);
        let patterns = &self.scene.finish.patterns;
        let one = |(site, cell): (Site, &Cell)| {
            let is_point = cell.d.is_none();
            let fill = match cell.tone {
                _ if is_point => ' ',
                _ if cell.fill.is_some() && !patterns.is_empty() => {
                    patterns[usize::from(cell.shade) % patterns.len()]
                }
                2 => ':',
                3 => '-',
                _ => '.',
            };
            let letters: String = match self.letters(site) {
                Some(letters) => letters.chars().take(widest).collect(),
                None if is_point => "+".to_owned(),
                None => String::new(),
            };
            let n_free = widest + 2 - letters.chars().count();
            let mut text: String = std::iter::repeat_n(fill, n_free / 2).collect();
            text.push_str(&letters);
            text.extend(std::iter::repeat_n(fill, n_free - n_free / 2));
            Item { x: cell.x, y: cell.y, shift: 0.0, text, is_label: false }
        };
        self.cells().map(one).collect()
    }

    /// Cells of one width: `K`, `.`, or where no labels tell names, `K:e4` and `e4`.
    fn play_cells(&self) -> Vec<Item> {
        let texts: Vec<String> = self
            .cells()
            .map(|(site, cell)| {
                let name = printable(&cell.name);
                match self.letters(site) {
                    Some(letters) if self.is_named => format!("{letters}:{name}"),
                    Some(letters) => letters.to_owned(),
                    None if self.is_goal(site) && self.is_named => format!("+:{name}"),
                    None if self.is_goal(site) => "+".to_owned(),
                    None if self.is_named => name,
                    None => ".".to_owned(),
                }
            })
            .collect();
        let width = texts.iter().map(|it| it.chars().count()).max().unwrap_or(1);
        let one = |((_, cell), text): ((Site, &Cell), String)| {
            let text = format!("{text:width$}");
            Item { x: cell.x, y: cell.y, shift: 0.0, text, is_label: false }
        };
        self.cells().zip(texts).map(one).collect()
    }

    /// What goal marks mean, and what lies beside the board.
    fn notes(&self) -> String {
        let mut text = String::new();
        if self.cells().any(|(it, _)| self.is_goal(it) && self.letters(it).is_none()) {
            text.push_str("\n+ an empty goal\n");
        }
        let cells = (0_u16..).map(Site).zip(&self.scene.layout.cells);
        let beside: Vec<(Site, &Cell)> = cells.filter(|(_, it)| it.aside).collect();
        if !beside.is_empty() {
            let is_shown = |it: Site| beside.len() <= MANY || self.letters(it).is_some();
            let shown = beside.iter().filter(|it| is_shown(it.0));
            let mut words: Vec<String> = shown
                .map(|(site, cell)| match self.letters(*site) {
                    Some(letters) => format!("{} {letters}", printable(&cell.name)),
                    None => printable(&cell.name),
                })
                .collect();
            match beside.len() - words.len() {
                0 => {}
                1 => words.push("1 empty position".to_owned()),
                n => words.push(format!("{n} empty positions")),
            }
            text.push('\n');
            text.push_str(&wrapped("Beside the board:", &words, ","));
        }
        text
    }

    /// The meaning of the letters on the board: `White: K King, P Pawn`.
    fn legend(&self) -> String {
        let mut found: BTreeMap<Player, Vec<PieceKind>> = BTreeMap::new();
        for it in &self.scene.pieces {
            let kinds = found.entry(it.player).or_default();
            if !kinds.contains(&it.kind) {
                kinds.push(it.kind);
            }
        }
        let mut text = String::new();
        for (player, mut kinds) in found {
            kinds.sort_unstable();
            let entry = |it: PieceKind| {
                let (letters, name) =
                    (self.scene.letters(player, it), self.scene.kind_name(player, it));
                format!("{} {}", printable(letters), printable(name))
            };
            let entries: Vec<String> = kinds.into_iter().map(entry).collect();
            let title = format!("{}:", printable(self.scene.player(player)));
            text.push_str(&wrapped(&title, &entries, ","));
        }
        text
    }

    /// The pieces by player, for boards that are too wide.
    fn list(&self) -> String {
        let name = |site: Site| {
            self.scene.layout.cells.get(site.idx()).map_or("?".to_owned(), |it| printable(&it.name))
        };
        let mut found: BTreeMap<Player, BTreeMap<PieceKind, Vec<String>>> = BTreeMap::new();
        for it in &self.scene.pieces {
            let kinds = found.entry(it.player).or_default();
            kinds.entry(it.kind).or_default().push(name(it.site));
        }
        if found.is_empty() {
            let n_sites = self.scene.layout.cells.iter().filter(|it| !it.hidden).count();
            return format!("(the board is empty; {n_sites} positions)\n");
        }
        let mut text = String::new();
        for (player, kinds) in found {
            text.push_str(&format!("{}\n", printable(self.scene.player(player))));
            for (kind, sites) in kinds {
                let kind = printable(self.scene.kind_name(player, kind));
                text.push_str(&wrapped(&format!("  {kind}:"), &sites, ""));
            }
        }
        text
    }
}

/// Whether labels of rows and columns name every cell. Slanting lines of hexagons and
/// rings have labels too, but nobody can follow them in a text.
fn has_labels(layout: &Layout) -> bool {
    let is_upright = !matches!(layout.style, Style::Hex | Style::Rings) && !layout.is_menu;
    is_upright && layout.coords.iter().any(|it| !it.big)
}

/// The labels of a layout, for cells that are `width` characters wide.
fn labels(layout: &Layout, width: usize) -> Vec<Item> {
    let places: Vec<(&Coord, Place)> =
        layout.coords.iter().map(|it| (it, place(layout, it))).collect();
    let is_row = |it: &Place| matches!(it, Place::Before(..) | Place::Behind(..));
    let rows = places.iter().filter(|it| is_row(&it.1));
    let row_width = rows.map(|it| shown(it.0).chars().count()).max().unwrap_or(1);
    // From the middle of a cell to the middle of a label with one blank between them.
    let away = (width + row_width + 2) as f64 / 2.0;
    let one = |(coord, place): &(&Coord, Place)| {
        let text = shown(coord);
        let (x, y, shift, text) = match *place {
            Place::Before(x, y) => (x, y, -away, format!("{text:>row_width$}")),
            Place::Behind(x, y) => (x, y, away, format!("{text:row_width$}")),
            Place::Column(x, y) => (x, y, 0.0, format!("{text:^width$}")),
            Place::Free(x, y) => (x, y, 0.0, text),
        };
        Item { x, y, shift, text, is_label: true }
    };
    places.iter().map(one).collect()
}

fn shown(coord: &Coord) -> String {
    printable(&coord.text).chars().take(40).collect()
}

/// Where a label stands.
enum Place {
    /// Before a row whose first cell has its middle here.
    Before(f64, f64),
    /// Behind a row whose last cell has its middle here.
    Behind(f64, f64),
    /// Above or below a column, with its middle here.
    Column(f64, f64),
    /// At this point.
    Free(f64, f64),
}

fn place(layout: &Layout, coord: &Coord) -> Place {
    let free = Place::Free(coord.x, coord.y);
    if coord.big || layout.is_menu {
        return free;
    }
    let cells = || layout.cells.iter().filter(|it| !it.hidden && !it.aside);
    let distance = |it: &&Cell| (it.x - coord.x).hypot(it.y - coord.y);
    let Some(nearest) = cells().min_by(|a, b| distance(a).total_cmp(&distance(b))) else {
        return free;
    };
    let (dx, dy) = (coord.x - nearest.x, coord.y - nearest.y);
    let side = match coord.side {
        Side::Free if dy.abs() < 12.0 && dx < 0.0 => Side::Left,
        Side::Free if dy.abs() < 12.0 => Side::Right,
        Side::Free if dx.abs() < 12.0 && dy < 0.0 => Side::Top,
        Side::Free if dx.abs() < 12.0 => Side::Bottom,
        side => side,
    };
    // Labels of upright rows and columns stand in one line beside their board, those of
    // slanting lines at the end of each.
    let is_slanting = matches!(layout.style, Style::Hex | Style::Rings);
    let ends = || cells().filter(|it| it.level == nearest.level && !is_slanting);
    let least = |of: fn(&Cell) -> f64| ends().map(of).fold(of(nearest), f64::min);
    let most = |of: fn(&Cell) -> f64| ends().map(of).fold(of(nearest), f64::max);
    match side {
        Side::Left => Place::Before(least(|it| it.x), coord.y),
        Side::Right => Place::Behind(most(|it| it.x), coord.y),
        Side::Top => Place::Column(coord.x, least(|it| it.y) - 100.0),
        Side::Bottom => Place::Column(coord.x, most(|it| it.y) + 100.0),
        Side::Free => free,
    }
}

/// Words behind a title, each but the last followed by `mark`, on lines of [`LINE`]
/// characters.
fn wrapped(title: &str, words: &[String], mark: &str) -> String {
    let mut text = title.to_owned();
    let mut width = title.chars().count();
    for (idx, word) in words.iter().enumerate() {
        let mark = if idx + 1 < words.len() { mark } else { "" };
        let more = word.chars().count() + mark.len() + 1;
        if width + more > LINE {
            text.push_str("\n   ");
            width = 3;
        }
        text.push_str(&format!(" {word}{mark}"));
        width += more;
    }
    text.push('\n');
    text
}
