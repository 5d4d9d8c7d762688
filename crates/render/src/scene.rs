//! A board with its pieces and all choices about their appearance: what every method of
//! drawing starts from.

use std::{collections::BTreeMap, fmt};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use boardwright_game::{PieceKind, Player, Site};
use boardwright_rules::PlacedPiece;

use crate::{
    Layout,
    language::PieceWords,
    layout::Num,
    looks::PieceSet,
    svg::{DrawOptions, Frame, Held, Images, Marks, View},
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
    pub pieces: Vec<PlacedPiece>,
    /// The pieces off it.
    pub hands: Vec<Held>,
    /// The marked sites.
    pub marks: Marks,
    /// Colours, sizes and encodings.
    pub finish: Finish,
    /// By piece: its letters and the name of its kind.
    pub(crate) words: PieceWords,
    /// The names of the players.
    pub(crate) players: Vec<String>,
}

impl Scene {
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
        let pieces = [PlacedPiece { site: Site(0), player: piece.0, kind: piece.1 }];
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
