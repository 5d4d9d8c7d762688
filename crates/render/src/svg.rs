//! A board with its pieces as one SVG text that needs nothing else.

mod stylesheet;
mod theme;
mod token;

use std::{collections::BTreeMap, fmt::Write};

use boardwright_game::{PieceKind, Player, Ruleset, Site};
use boardwright_rules::PlacedPiece;

use self::theme::{Colours, Hex};
pub use self::{
    stylesheet::{page_ink, stylesheet, tone_palette},
    theme::Theme,
    token::outline,
};
use crate::{
    Layout, Side, Style,
    layout::{self, Num},
    looks::{Look, PieceSet},
    pieces,
    scene::{Finish, Image, Sprite, Stage},
};

const SANS: &str = "Inter,system-ui,sans-serif";

/// On boards with more sites cells of one tone are one path.
const MANY: usize = 400;

/// Pieces off the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Held {
    /// The owner.
    pub player: Player,
    /// The kind of piece.
    pub kind: PieceKind,
    /// The number of such pieces.
    pub count: u32,
}

/// The marked sites of a board.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Marks {
    /// The sites of the last move.
    pub last: Vec<Site>,
    /// The site of the piece that is picked up.
    pub selected: Option<Site>,
    /// The sites to which it can move.
    pub targets: Vec<Site>,
    /// The sites of pieces in check.
    pub check: Vec<Site>,
    /// The sites to reach in order to win; drawn by text boards only.
    pub goals: Vec<Site>,
}

/// How a board is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct DrawOptions {
    /// The colours.
    pub theme: Theme,
    /// Whether the page around it is dark.
    pub dark: bool,
    /// Whether it is shown small: a thin frame, no coordinates, no hands.
    pub thumb: bool,
}

/// The board of a ruleset before the first move.
pub fn setup_svg(
    ruleset: &Ruleset,
    layout: &Layout,
    set: &PieceSet,
    options: DrawOptions,
    finish: &Finish,
) -> String {
    // A later entry replaces an earlier one on its site.
    let by_site: BTreeMap<Site, PlacedPiece> = ruleset
        .setup
        .pieces
        .iter()
        .map(|it| (it.site, PlacedPiece { site: it.site, player: it.player, kind: it.kind }))
        .collect();
    let pieces: Vec<PlacedPiece> = by_site.into_values().collect();
    let hands = ruleset.setup.hands.iter();
    let hands: Vec<Held> =
        hands.map(|it| Held { player: it.player, kind: it.kind, count: it.count }).collect();
    board_svg(layout, set, &pieces, &hands, &Marks::default(), options, finish)
}

/// A board with its pieces.
pub fn board_svg(
    layout: &Layout,
    set: &PieceSet,
    pieces: &[PlacedPiece],
    hands: &[Held],
    marks: &Marks,
    options: DrawOptions,
    finish: &Finish,
) -> String {
    let view = View { layout, set, pieces, hands, marks, options };
    let stage = view.drawn(finish, &BTreeMap::new(), false);
    stage.svg(None)
}

/// The contents of a picture.
pub(crate) struct View<'a> {
    pub(crate) layout: &'a Layout,
    pub(crate) set: &'a PieceSet,
    pub(crate) pieces: &'a [PlacedPiece],
    pub(crate) hands: &'a [Held],
    pub(crate) marks: &'a Marks,
    pub(crate) options: DrawOptions,
}

/// Pictures that take the place of drawings.
pub(crate) type Images = BTreeMap<(Player, PieceKind), Image>;

impl View<'_> {
    /// The picture; its pieces within it, or apart.
    pub(crate) fn drawn(&self, finish: &Finish, images: &Images, apart: bool) -> Stage {
        let thumb = self.options.thumb;
        let mut picture = Picture {
            layout: self.layout,
            colours: self.options.theme.colours(self.options.dark).with(finish),
            thumb,
            looks: self.set.looks.iter().map(|it| ((it.player, it.kind), it)).collect(),
            images,
            finish,
            symbols: BTreeMap::new(),
            sprites: apart.then(Vec::new),
            svg: String::new(),
        };
        let mut frame = picture.tray();
        picture.strokes(&self.layout.under);
        picture.cells();
        picture.strokes(&self.layout.over);
        picture.marks_below(self.marks);
        for piece in self.pieces {
            picture.piece(piece);
        }
        picture.marks_above(self.marks);
        if !thumb || self.layout.is_menu {
            picture.coords();
        }
        if !thumb {
            picture.hands(self.hands, &mut frame);
        }
        Stage {
            body: picture.svg,
            frame,
            symbols: picture.symbols,
            sprites: picture.sprites.unwrap_or_default(),
        }
    }
}

/// Escapes a text for element content and attributes.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for it in text.chars() {
        match it {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // XML has no way to write these.
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            it if it.is_control() => out.push(' '),
            it => out.push(it),
        }
    }
    out
}

/// Left, top, right and bottom of what is seen.
pub(crate) type Frame = [f64; 4];

struct Picture<'a> {
    layout: &'a Layout,
    colours: Colours,
    thumb: bool,
    looks: BTreeMap<(Player, PieceKind), &'a Look>,
    images: &'a Images,
    finish: &'a Finish,
    /// Drawings that are used, by name: for `defs`.
    symbols: BTreeMap<String, Image>,
    /// Pieces, if they are to be apart.
    sprites: Option<Vec<Sprite>>,
    svg: String,
}

impl Picture<'_> {
    fn put(&mut self, text: std::fmt::Arguments<'_>) {
        let _ = self.svg.write_fmt(text);
    }

    /// The tray; returns what is seen.
    fn tray(&mut self) -> Frame {
        let layout: &Layout = self.layout;
        let (width, height) = (layout.width, layout.height);
        let grown = |by: f64| [-by, -by, width + by, height + by];
        let (frame, inlay) = (self.colours.frame, self.colours.inlay);
        let line = if self.thumb { 4.0 } else { 2.6 };
        if layout.open {
            return grown(layout.pad);
        }
        if let Some(d) = &layout.frame {
            self.put(format_args!(
                r#"<path d="{d}" fill="{frame}" stroke="{frame}" stroke-width="24" stroke-linejoin="round"/><path d="{d}" fill="none" stroke="{inlay}" stroke-width="{line}" stroke-linejoin="round"/>"#
            ));
            let [left, top, right, bottom] = layout::bounds(d).unwrap_or(grown(60.0));
            return [left - 14.0, top - 14.0, right + 14.0, bottom + 14.0];
        }
        let margin = layout.pad + if self.thumb { 26.0 } else { 44.0 };
        let margin = margin.max(f64::from(self.finish.border.min(500)) * 2.0);
        self.rect(margin, format_args!(r#"rx="16" fill="{frame}""#));
        self.rect(
            layout.pad + 7.0,
            format_args!(r#"rx="4" fill="none" stroke="{inlay}" stroke-width="{line}""#),
        );
        if layout.plain {
            let plain = self.colours.plain;
            self.rect(layout.pad, format_args!(r#"fill="{plain}""#));
        }
        grown(margin)
    }

    /// A rectangle around the surface.
    fn rect(&mut self, by: f64, looks: std::fmt::Arguments<'_>) {
        let (width, height) = (self.layout.width + 2.0 * by, self.layout.height + 2.0 * by);
        self.put(format_args!(
            r#"<rect x="{at}" y="{at}" width="{}" height="{}" {looks}/>"#,
            Num(width),
            Num(height),
            at = Num(-by),
        ));
    }

    fn strokes(&mut self, strokes: &[crate::Stroke]) {
        for it in strokes {
            let paint = |it: Option<crate::Paint>| {
                it.map_or("none".to_owned(), |it| self.colours.paint(it).to_string())
            };
            let (fill, stroke) = (paint(it.fill), paint(it.stroke));
            let (d, width) = (&it.d, Num(it.width));
            self.put(format_args!(
                r#"<path d="{d}" fill="{fill}" stroke="{stroke}" stroke-width="{width}" stroke-linejoin="round" stroke-linecap="round"/>"#
            ));
        }
    }

    fn cells(&mut self) {
        // Where the frame is as light as the cells, only a line tells them apart.
        let is_pale = self.colours.frame == self.colours.tone(1);
        let line = match self.layout.style {
            Style::Grid => format!(r#" stroke="{}" stroke-width="2.6""#, self.colours.line),
            Style::Hex | Style::Tiles | Style::Levels | Style::Rings if is_pale => {
                format!(r#" stroke="{}" stroke-width="1.6""#, self.colours.line)
            }
            Style::Hex => format!(
                r#" stroke="{}" stroke-opacity=".55" stroke-width="1.6""#,
                self.colours.frame
            ),
            _ => String::new(),
        };
        let mut tones: BTreeMap<Hex, String> = BTreeMap::new();
        let is_many = self.layout.cells.len() > MANY;
        let mut points = String::new();
        for cell in self.layout.cells.iter().filter(|it| !it.hidden) {
            let own = cell.fill.filter(|_| self.finish.own_colours).map(Hex::of);
            let fill = own.unwrap_or(self.colours.tone(cell.tone));
            match &cell.d {
                Some(d) if is_many => tones.entry(fill).or_default().push_str(d),
                Some(d) => {
                    let _ = write!(self.svg, r#"<path d="{d}" fill="{fill}"{line}/>"#);
                }
                None if cell.bare => {}
                None => {
                    let r = 0.15 * self.layout.unit;
                    let (x, y) = (cell.x, cell.y);
                    let _ = write!(
                        points,
                        "M{} {}a{r} {r} 0 1 0 {} 0a{r} {r} 0 1 0 {} 0Z",
                        Num(x - r),
                        Num(y),
                        Num(2.0 * r),
                        Num(-2.0 * r),
                        r = Num(r),
                    );
                }
            }
        }
        for (fill, d) in tones {
            self.put(format_args!(r#"<path d="{d}" fill="{fill}"{line}/>"#));
        }
        if !points.is_empty() {
            let fill = self.colours.line;
            self.put(format_args!(r#"<path d="{points}" fill="{fill}"/>"#));
        }
    }

    /// A site filled with a colour.
    fn filled(&mut self, site: Site, (fill, opacity): (Hex, f64)) {
        let Some(cell) = self.layout.cells.get(site.idx()).filter(|it| !it.hidden) else { return };
        match &cell.d {
            Some(d) => {
                self.put(format_args!(r#"<path d="{d}" fill="{fill}" fill-opacity="{opacity}"/>"#));
            }
            None => {
                let (x, y, r) = (Num(cell.x), Num(cell.y), Num(self.layout.unit * 0.49));
                self.put(format_args!(
                    r#"<circle cx="{x}" cy="{y}" r="{r}" fill="{fill}" fill-opacity="{opacity}"/>"#
                ));
            }
        }
    }

    fn marks_below(&mut self, marks: &Marks) {
        for &site in &marks.last {
            self.filled(site, self.colours.last);
        }
        if let Some(site) = marks.selected {
            self.filled(site, self.colours.select);
        }
        for &site in &marks.check {
            self.filled(site, (self.colours.check, 0.55));
        }
    }

    fn marks_above(&mut self, marks: &Marks) {
        let (mark, r) = (self.colours.mark, Num(self.layout.unit * 0.155));
        for site in &marks.targets {
            let cell = self.layout.cells.get(site.idx()).filter(|it| !it.hidden);
            if let Some(cell) = cell {
                let (x, y) = (Num(cell.x), Num(cell.y));
                self.put(format_args!(
                    r#"<circle cx="{x}" cy="{y}" r="{r}" fill="{mark}" fill-opacity=".82"/>"#
                ));
            }
        }
    }

    /// The symbol of a piece and how much of its place it fills.
    fn symbol(&mut self, player: Player, kind: PieceKind) -> Option<(String, f64, bool)> {
        let image = self.images.get(&(player, kind));
        let look = self.looks.get(&(player, kind)).copied();
        if let Some(image) = image {
            let name = format!("i-{}-{}", player.0, kind.0);
            self.symbols.entry(name.clone()).or_insert_with(|| image.clone());
            return Some((name, 1.0, look.is_some_and(|it| it.turn)));
        }
        let look = look?;
        let drawn = look.art.and_then(|art| Some((art, pieces::inner(art)?)));
        let (name, share, inner) = match drawn {
            Some((art, inner)) => {
                let share = match art.split('-').next() {
                    Some("stone") => 0.88,
                    Some("shogi" | "xiangqi") => 0.96,
                    _ => 0.92,
                };
                (format!("p-{art}"), share, inner.to_owned())
            }
            None => {
                let inner = token::token(look);
                (format!("t-{}-{}", player.0, kind.0), 0.92, inner)
            }
        };
        self.symbols.entry(name.clone()).or_insert_with(|| Image::Drawing(inner));
        Some((name, share, look.turn))
    }

    fn piece_at(&mut self, player: Player, kind: PieceKind, (x, y): (f64, f64), unit: f64) {
        let Some((name, share, turn)) = self.symbol(player, kind) else { return };
        let side = unit * share;
        let sprite = Sprite { symbol: name, x, y, side, turn, player, kind };
        match &mut self.sprites {
            Some(sprites) => sprites.push(sprite),
            None => {
                let _ = write!(self.svg, "{sprite}");
            }
        }
    }

    fn piece(&mut self, piece: &PlacedPiece) {
        let cell = self.layout.cells.get(piece.site.idx()).filter(|it| !it.hidden);
        if let Some(at) = cell.map(|it| (it.x, it.y)) {
            self.piece_at(piece.player, piece.kind, at, self.layout.unit);
        }
    }

    fn text(&mut self, text: &str, (x, y): (f64, f64), size: f64, fill: Hex) {
        let (x, y, size, text) = (Num(x), Num(y), Num(size), escaped(text));
        self.put(format_args!(
            r#"<text x="{x}" y="{y}" font-size="{size}" font-weight="600" font-family="{SANS}" text-anchor="middle" dominant-baseline="central" fill="{fill}">{text}</text>"#
        ));
    }

    fn coords(&mut self) {
        let layout: &Layout = self.layout;
        let out = layout.pad + 24.5;
        let grown = f64::from(self.finish.point.clamp(4, 30)) / 12.0;
        for it in &layout.coords {
            let at = match it.side {
                Side::Bottom => (it.x, it.y + out),
                Side::Top => (it.x, it.y - out),
                Side::Left => (it.x - out, it.y),
                Side::Right => (it.x + out, it.y),
                Side::Free => (it.x, it.y),
            };
            let (size, fill) = match it.side {
                _ if it.big => (26.0, self.colours.ink),
                Side::Free => (21.0, self.colours.coord),
                _ => (19.0, self.colours.coord),
            };
            self.text(&it.text, at, size * grown, fill);
        }
    }

    /// Hands below the board, one row a player, on wooden tiles.
    fn hands(&mut self, hands: &[Held], frame: &mut Frame) {
        let mut players: Vec<Player> = hands.iter().map(|it| it.player).collect();
        players.sort_unstable();
        players.dedup();
        let (unit, fill) = (self.layout.unit.min(100.0), self.colours.plain);
        let step = unit * 1.25;
        let per_row = (((frame[2] - frame[0]) / step) as usize).max(1);
        for player in players {
            let of_player: Vec<&Held> = hands.iter().filter(|it| it.player == player).collect();
            for row in of_player.chunks(per_row) {
                let top = frame[3] + 16.0;
                let (left, width) = (frame[0], row.len() as f64 * step);
                let (x, y, w, h) = (Num(left), Num(top), Num(width), Num(step));
                self.put(format_args!(
                    r#"<rect x="{x}" y="{y}" width="{w}" height="{h}" rx="12" fill="{fill}"/>"#
                ));
                for (idx, it) in row.iter().enumerate() {
                    let at = (left + (idx as f64 + 0.5) * step, top + step / 2.0);
                    self.piece_at(it.player, it.kind, at, unit);
                    if it.count > 1 {
                        let at = (at.0 + 0.42 * step, at.1 + 0.36 * step);
                        self.text(&it.count.to_string(), at, 0.24 * unit, self.colours.line);
                    }
                }
                frame[3] = top + step;
            }
        }
    }
}
