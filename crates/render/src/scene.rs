//! A board with its pieces and all choices about their appearance: what every method of
//! drawing starts from.

use std::{collections::BTreeMap, fmt};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use boardwright_game::{PieceKind, Player, Ruleset};
use boardwright_gamecode::{
    ForsytheCell,
    forsythe::{self, ForsytheError},
};
use boardwright_play::State;
use boardwright_preset::{Field, Game, Preset, Settings};

use crate::{
    Layout,
    layout::{self, Num},
    looks::{self, Cast, PieceSet},
    svg::{self, DrawOptions, Frame, Held, Images, Marks, Placed, View},
    text_board::ShortNames,
};

/// The pixels of a usual cell where nothing is scaled.
pub const CELL: u32 = 50;

/// The picture of a piece.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Image {
    /// A drawing of ours: the content of an `svg` element of 100 by 100.
    Drawing(String),
    /// An SVG file of a user.
    Svg(Vec<u8>),
    /// A PNG file.
    Png(Vec<u8>),
}

impl Image {
    /// The content of a symbol of 100 by 100.
    ///
    /// Files of users are embedded as images, in which no script runs.
    fn inner(&self) -> String {
        let image = |kind: &str, bytes: &[u8]| {
            let data = base64(bytes);
            format!(r#"<image width="100" height="100" href="data:image/{kind};base64,{data}"/>"#)
        };
        match self {
            Image::Drawing(inner) => inner.clone(),
            Image::Svg(bytes) => image("svg+xml", bytes),
            Image::Png(bytes) => image("png", bytes),
        }
    }
}

/// Choices about the appearance of a board: colours, sizes and encodings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finish {
    /// Whether cells have the colours that the author gave them.
    pub own_colours: bool,
    /// The colour of the border.
    pub border_colour: Option<[u8; 3]>,
    /// The colour of labels.
    pub text_colour: Option<[u8; 3]>,
    /// The colour of the last move.
    pub highlight: Option<[u8; 3]>,
    /// The least width of the border, in pixels.
    pub border: u32,
    /// The size of labels in points; 12 is usual.
    pub point: u32,
    /// Size in per cent of the usual one.
    pub scale: u32,
    /// The quality of JPEG pictures, from 1 to 100.
    pub quality: u32,
    /// The number of colours of GIF pictures, from 2 to 256.
    pub max_colours: u32,
    /// The colours of hexagons in a table, where the author wants others there.
    pub hex_colours: Vec<[u8; 3]>,
    /// The character that fills a cell of a text diagram, by the number of its colour.
    pub patterns: Vec<char>,
    /// The picture behind the pieces: a file beside the page.
    pub background: Option<String>,
    /// The theme.
    pub options: DrawOptions,
}

impl Default for Finish {
    fn default() -> Self {
        Finish {
            own_colours: false,
            border_colour: None,
            text_colour: None,
            highlight: None,
            border: 0,
            point: 12,
            scale: 100,
            quality: 75,
            max_colours: 256,
            hex_colours: Vec::new(),
            patterns: Vec::new(),
            background: None,
            options: DrawOptions::default(),
        }
    }
}

impl Finish {
    /// The appearance that a preset's settings choose; numbers out of range are clamped.
    pub fn of(settings: &Settings) -> Finish {
        let colour = |key: &str| layout::colour(settings.get(key));
        let number =
            |key: &str, least: usize, most: usize| settings.number(key).clamp(least, most) as u32;
        let background = settings.get("background").trim();
        let hexes = settings.get("hex-colors");
        let is_own = Field::named("hex-colors").is_some_and(|it| it.default != hexes);
        let hexes = if is_own { layout::colours(hexes) } else { Vec::new() };
        Finish {
            own_colours: true,
            border_colour: colour("border-color"),
            text_colour: colour("text-color"),
            highlight: colour("highlight-color"),
            border: number("border-size", 0, 500),
            point: number("point", 4, 30),
            scale: number("scale", 1, 1000),
            quality: number("quality", 1, 100),
            max_colours: number("max-colors", 2, 256),
            hex_colours: hexes,
            patterns: settings.get("patterns").chars().filter(|it| !it.is_control()).collect(),
            background: is_plain_name(background).then(|| background.to_owned()),
            options: DrawOptions::default(),
        }
    }
}

/// Whether a text is the name of a file beside the page, and no path.
fn is_plain_name(name: &str) -> bool {
    let is_good = |it: char| it.is_ascii_alphanumeric() || matches!(it, '-' | '_' | '.');
    !name.is_empty() && name.len() < 100 && !name.starts_with('.') && name.chars().all(is_good)
}

/// Why Forsythe code gives no state of a preset.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StateCodeError {
    /// The code cannot be read.
    Code(ForsytheError),
    /// The code is of a board of another shape.
    OtherShape,
}

impl fmt::Display for StateCodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StateCodeError::Code(error) => error.fmt(f),
            StateCodeError::OtherShape => {
                f.write_str("the code describes a board of another shape")
            }
        }
    }
}

impl std::error::Error for StateCodeError {}

/// A board with its pieces.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The title of the game.
    pub title: String,
    /// The board.
    pub layout: Layout,
    /// The drawings of pieces.
    pub set: PieceSet,
    /// Pictures that take the place of drawings.
    pub images: BTreeMap<(Player, PieceKind), Image>,
    /// The pieces on the board.
    pub pieces: Vec<Placed>,
    /// The pieces off it.
    pub hands: Vec<Held>,
    /// The marked sites.
    pub marks: Marks,
    /// Colours, sizes and encodings.
    pub finish: Finish,
    /// By piece: its letters and the name of its kind.
    words: BTreeMap<(Player, PieceKind), (String, String)>,
    players: Vec<String>,
}

impl Scene {
    /// A preset's game, as its settings have it; `set` chooses other pieces.
    pub fn of_game(game: &Game, set: Option<&str>) -> Scene {
        let sites = game.preset().board().all();
        let labels = sites.filter_map(|it| Some((it.index(), game.piece(it)?)));
        Scene::of_labels(game.preset(), Some(game), &labels.collect::<Vec<_>>(), set)
    }

    /// A preset's board before its code has run.
    pub fn of_preset(preset: &Preset, set: Option<&str>) -> Scene {
        Scene::of_labels(preset, None, &labels(preset.cells()), set)
    }

    /// A preset's board with other pieces on it, as Forsythe code has them.
    pub fn of_code(
        preset: &Preset,
        game: Option<&Game>,
        code: &str,
        set: Option<&str>,
    ) -> Result<Scene, StateCodeError> {
        let (n_files, _) = preset.board().size();
        let n_columns = if n_files == 0 { preset.cells().len() } else { n_files };
        let cells = forsythe::read(code, n_columns).map_err(StateCodeError::Code)?;
        let is_hole = |it: &ForsytheCell| *it == ForsytheCell::Hole;
        let is_alike = cells.iter().map(is_hole).eq(preset.cells().iter().map(is_hole));
        if !is_alike {
            return Err(StateCodeError::OtherShape);
        }
        Ok(Scene::of_labels(preset, game, &labels(&cells), set))
    }

    fn of_labels(
        preset: &Preset,
        game: Option<&Game>,
        labels: &[(usize, &str)],
        set: Option<&str>,
    ) -> Scene {
        let settings = &preset.bundle.settings;
        let cast = Cast::with(preset, labels.iter().map(|it| it.1));
        let mut words = BTreeMap::new();
        let players: Vec<String> = cast.players().map(str::to_owned).collect();
        for player in (0_u8..).map(Player).take(players.len()) {
            for (kind, (name, _)) in (0_u16..).map(PieceKind).zip(cast.kinds()) {
                if let Some(label) = cast.label(player, kind) {
                    words.insert((player, kind), (label.to_owned(), name.to_owned()));
                }
            }
        }
        Scene {
            title: settings.get("game").to_owned(),
            layout: Layout::of_preset(preset, game),
            set: cast.set(set.unwrap_or(settings.get("set"))),
            images: BTreeMap::new(),
            pieces: svg::placed_labels(labels.iter().copied(), &cast),
            hands: Vec::new(),
            marks: Marks::default(),
            finish: Finish::of(settings),
            words,
            players,
        }
    }

    /// A state of a rule file's game.
    pub fn of_state(state: &State, set: Option<&str>) -> Scene {
        let ruleset: &Ruleset = state.ruleset();
        let mut sets = looks::sets(ruleset);
        let chosen = set.and_then(|id| sets.iter().position(|it| it.id == id)).unwrap_or(0);
        let set = sets.swap_remove(chosen);
        let mut words = BTreeMap::new();
        let short = ShortNames::new(ruleset);
        for look in &set.looks {
            let letters = short.of(look.player, look.kind);
            let name = ruleset.translated(ruleset.piece_name(look.kind));
            words.insert((look.player, look.kind), (letters, name.to_owned()));
        }
        Scene {
            title: ruleset.title.clone(),
            layout: Layout::of(ruleset),
            set,
            images: BTreeMap::new(),
            pieces: svg::placed(state),
            hands: svg::held(state),
            marks: Marks::default(),
            finish: Finish::default(),
            words,
            players: ruleset
                .players
                .iter()
                .map(|it| ruleset.translated(&it.name).to_owned())
                .collect(),
        }
    }

    /// The board as the second player sees it, pieces that face players turned.
    pub fn flip(&mut self) {
        self.layout = self.layout.flipped();
        if self.set.faces {
            self.set.looks.iter_mut().for_each(|it| it.turn = !it.turn);
        }
    }

    /// The letters of a piece.
    pub fn letters(&self, player: Player, kind: PieceKind) -> &str {
        self.words.get(&(player, kind)).map_or("?", |it| &it.0)
    }

    /// The name of a kind of piece: `King`.
    pub fn kind_name(&self, player: Player, kind: PieceKind) -> &str {
        self.words.get(&(player, kind)).map_or("?", |it| &it.1)
    }

    /// The name of a piece with that of its player: `White King`.
    pub fn name(&self, player: Player, kind: PieceKind) -> String {
        format!("{} {}", self.player(player), self.kind_name(player, kind))
    }

    /// Every piece that the game has: its letters and the name of its kind.
    pub fn words(&self) -> impl Iterator<Item = ((Player, PieceKind), &str, &str)> {
        self.words.iter().map(|(&it, (letters, name))| (it, letters.as_str(), name.as_str()))
    }

    /// The players with their names.
    pub fn players(&self) -> impl Iterator<Item = (Player, &str)> {
        (0_u8..).map(Player).zip(self.players.iter().map(String::as_str))
    }

    /// The name of a player.
    pub fn player(&self, player: Player) -> &str {
        self.players.get(player.idx()).map_or("?", String::as_str)
    }

    /// The number of pixels of a unit of the layout; a usual cell has 100 units.
    pub fn pixels(&self) -> f64 {
        f64::from(self.finish.scale.clamp(1, 1000)) / 100.0 * f64::from(CELL) / 100.0
    }

    /// The picture as SVG, in its natural size.
    pub fn svg(&self) -> String {
        self.view().drawn(&self.finish, &self.images, false).svg(Some(self.pixels()))
    }

    /// The board without its pieces, and the pieces.
    pub fn stage(&self) -> Stage {
        self.view().drawn(&self.finish, &self.images, true)
    }

    fn view(&self) -> View<'_> {
        View {
            layout: &self.layout,
            set: &self.set,
            pieces: &self.pieces,
            hands: &self.hands,
            marks: &self.marks,
            options: self.finish.options,
        }
    }

    /// One piece alone.
    pub fn piece_image(&self, piece: (Player, PieceKind)) -> Option<Image> {
        let pieces = [Placed { site: boardwright_game::Site(0), player: piece.0, kind: piece.1 }];
        let layout = Layout::single();
        let images: &Images = &self.images;
        let view = View { layout: &layout, pieces: &pieces, hands: &[], ..self.view() };
        let stage = view.drawn(&self.finish, images, true);
        let turn = stage.sprites.first()?.turn;
        let image = stage.symbols.into_values().next()?;
        Some(match image {
            Image::Drawing(inner) if turn => {
                Image::Drawing(format!(r#"<g transform="rotate(180 50 50)">{inner}</g>"#))
            }
            it => it,
        })
    }
}

/// The labels of cells, by the number of their site.
fn labels(cells: &[ForsytheCell]) -> Vec<(usize, &str)> {
    let sites = cells.iter().filter(|it| **it != ForsytheCell::Hole);
    let labels = sites.enumerate().filter_map(|(site, it)| match it {
        ForsytheCell::Piece(label) => Some((site, label.as_str())),
        _ => None,
    });
    labels.collect()
}

/// A piece that is drawn apart from its board.
#[derive(Clone, PartialEq, Debug)]
pub struct Sprite {
    /// The name of the drawing.
    pub symbol: String,
    /// The horizontal coordinate of the middle.
    pub x: f64,
    /// The vertical coordinate of the middle.
    pub y: f64,
    /// Its width and height.
    pub side: f64,
    /// Whether it is upside down.
    pub turn: bool,
    /// The owner.
    pub player: Player,
    /// The kind of piece.
    pub kind: PieceKind,
}

impl fmt::Display for Sprite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (left, top) = (Num(self.x - self.side / 2.0), Num(self.y - self.side / 2.0));
        let (name, side) = (&self.symbol, Num(self.side));
        write!(f, r##"<use href="#{name}" x="{left}" y="{top}" width="{side}" height="{side}""##)?;
        if self.turn {
            write!(f, r#" transform="rotate(180 {} {})""#, Num(self.x), Num(self.y))?;
        }
        f.write_str("/>")
    }
}

/// A picture in its parts: the board, and the pieces to put on it.
#[derive(Clone, PartialEq, Debug)]
pub struct Stage {
    /// The content of the `svg` element.
    pub body: String,
    /// Left, top, right and bottom of the visible part.
    pub frame: Frame,
    /// Drawings of pieces, by name.
    pub symbols: BTreeMap<String, Image>,
    /// Pieces that are not within the body.
    pub sprites: Vec<Sprite>,
}

impl Stage {
    /// Width and height.
    pub fn size(&self) -> (f64, f64) {
        let [left, top, right, bottom] = self.frame;
        ((right - left).max(1.0), (bottom - top).max(1.0))
    }

    /// The drawings as symbols.
    pub(crate) fn defs(&self) -> String {
        if self.symbols.is_empty() {
            return String::new();
        }
        let mut out = "<defs>".to_owned();
        for (name, image) in &self.symbols {
            let inner = image.inner();
            out.push_str(&format!(r#"<symbol id="{name}" viewBox="0 0 100 100">{inner}</symbol>"#));
        }
        out.push_str("</defs>");
        out
    }

    /// The element that holds it all, with its size in pixels if a unit has some.
    pub(crate) fn svg(&self, pixels: Option<f64>) -> String {
        let [left, top, ..] = self.frame;
        let (width, height) = self.size();
        let size = pixels.map_or(String::new(), |it| {
            format!(r#" width="{}" height="{}""#, Num(width * it), Num(height * it))
        });
        let defs = self.defs();
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{} {} {} {}\"{size}>{defs}{}</svg>\n",
            Num(left),
            Num(top),
            Num(width),
            Num(height),
            self.body
        )
    }

    /// The picture behind the pieces, as SVG that needs nothing else.
    pub fn backdrop(&self) -> String {
        let bare = Stage { symbols: BTreeMap::new(), sprites: Vec::new(), ..self.clone() };
        bare.svg(None)
    }
}

/// Bytes in base64, for pictures embedded in a page.
pub(crate) fn base64(bytes: &[u8]) -> String {
    BASE64_STANDARD.encode(bytes)
}
