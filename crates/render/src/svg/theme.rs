//! The colours of boards and tokens.
//!
//! Pictures use these values directly, since a picture needs no page. Pages get the same
//! values from the style sheet that [`super::stylesheet`] writes; a test compares it.

use std::fmt;

use crate::{Paint, looks::Tone, scene::Finish};

/// A colour as SVG writes it: `#rrggbb`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Hex([u8; 7]);

impl Hex {
    pub(super) const fn new(text: &[u8; 7]) -> Hex {
        Hex(*text)
    }

    /// The colour with these amounts of red, green and blue.
    pub(crate) fn of(rgb: [u8; 3]) -> Hex {
        let digit = |it: u8| b"0123456789abcdef".get(usize::from(it)).copied().unwrap_or(b'0');
        let [r, g, b] = rgb;
        Hex([
            b'#',
            digit(r >> 4),
            digit(r & 15),
            digit(g >> 4),
            digit(g & 15),
            digit(b >> 4),
            digit(b & 15),
        ])
    }
}

impl Hex {
    /// The amounts of red, green and blue.
    pub(super) fn rgb(self) -> [u8; 3] {
        let digit = |it: u8| (it as char).to_digit(16).unwrap_or(0) as u8;
        let [_, r, rr, g, gg, b, bb] = self.0;
        [(r, rr), (g, gg), (b, bb)].map(|(high, low)| digit(high) << 4 | digit(low))
    }
}

impl fmt::Display for Hex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(std::str::from_utf8(&self.0).unwrap_or("#000000"))
    }
}

/// A board theme.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Theme {
    /// Maple, walnut, brass.
    #[default]
    Walnut,
    /// Ivory, sage, brass.
    Baize,
    /// Cool and quiet.
    Slate,
    /// Black on white, for print.
    Ink,
}

impl Theme {
    /// All themes.
    pub const ALL: [Theme; 4] = [Theme::Walnut, Theme::Baize, Theme::Slate, Theme::Ink];

    /// The name in addresses, options and style sheets.
    pub fn name(self) -> &'static str {
        match self {
            Theme::Walnut => "walnut",
            Theme::Baize => "baize",
            Theme::Slate => "slate",
            Theme::Ink => "ink",
        }
    }

    /// The theme with this name.
    pub fn named(name: &str) -> Option<Theme> {
        Theme::ALL.into_iter().find(|it| it.name() == name)
    }

    pub(crate) fn colours(self, dark: bool) -> Colours {
        let mut colours = match self {
            Theme::Walnut => WALNUT,
            Theme::Baize => BAIZE,
            Theme::Slate => SLATE,
            Theme::Ink => INK,
        };
        if dark {
            colours.frame = colours.dark_frame;
            colours.ink = PAGE_INK_DARK;
        }
        colours
    }
}

/// The colour of text beside boards, which stands on the page: `--ink-2`.
pub(super) const PAGE_INK: Hex = Hex::new(b"#5a4a3d");
/// The same on a dark page.
pub(super) const PAGE_INK_DARK: Hex = Hex::new(b"#c9baa7");

/// The colours of a theme.
pub(crate) struct Colours {
    pub(super) tone_1: Hex,
    pub(super) tone_2: Hex,
    pub(super) tone_3: Hex,
    pub(crate) plain: Hex,
    pub(crate) line: Hex,
    pub(crate) frame: Hex,
    /// On a dark page the frame is a little lighter than the page, so that the board
    /// keeps its edge.
    pub(super) dark_frame: Hex,
    pub(super) inlay: Hex,
    pub(crate) coord: Hex,
    /// The last move: fill and opacity.
    pub(super) last: (Hex, f64),
    /// The selected site: fill and opacity.
    pub(super) select: (Hex, f64),
    pub(super) mark: Hex,
    /// Around marks, so that they are seen on every tone; on pages only.
    pub(super) halo: (Hex, f64),
    pub(super) check: Hex,
    /// Arrows and suggested moves; on pages only.
    pub(super) hint: Hex,
    /// Text beside boards.
    pub(super) ink: Hex,
}

impl Colours {
    /// The same with the colours that the author of a preset chose.
    pub(super) fn with(mut self, finish: &Finish) -> Colours {
        if let Some(it) = finish.border_colour {
            self.frame = Hex::of(it);
        }
        if let Some(it) = finish.text_colour {
            (self.coord, self.ink) = (Hex::of(it), Hex::of(it));
        }
        if let Some(it) = finish.highlight {
            self.last.0 = Hex::of(it);
        }
        self
    }

    pub(super) fn paint(&self, paint: Paint) -> Hex {
        match paint {
            Paint::Frame => self.frame,
            Paint::Inlay => self.inlay,
            Paint::Line => self.line,
            Paint::Plain => self.plain,
            Paint::Tone1 => self.tone_1,
            Paint::Tone2 => self.tone_2,
            Paint::Tone3 => self.tone_3,
        }
    }

    pub(crate) fn tone(&self, tone: u8) -> Hex {
        match tone {
            2 => self.tone_2,
            3 => self.tone_3,
            _ => self.tone_1,
        }
    }
}

const HALO: (Hex, f64) = (Hex::new(b"#fffaee"), 0.75);
const CHECK: Hex = Hex::new(b"#b3261a");
const HINT: Hex = Hex::new(b"#17507c");

const WALNUT: Colours = Colours {
    tone_1: Hex::new(b"#eedcba"),
    tone_2: Hex::new(b"#bb8e5f"),
    tone_3: Hex::new(b"#d6b588"),
    plain: Hex::new(b"#e0bf8d"),
    line: Hex::new(b"#553720"),
    frame: Hex::new(b"#472e1f"),
    dark_frame: Hex::new(b"#5d3f2b"),
    inlay: Hex::new(b"#c3954a"),
    coord: Hex::new(b"#ecd9b5"),
    last: (Hex::new(b"#e2aa2e"), 0.62),
    select: (Hex::new(b"#307a54"), 0.68),
    mark: Hex::new(b"#17402e"),
    halo: HALO,
    check: CHECK,
    hint: HINT,
    ink: PAGE_INK,
};

const BAIZE: Colours = Colours {
    tone_1: Hex::new(b"#ecead8"),
    tone_2: Hex::new(b"#7d9f83"),
    tone_3: Hex::new(b"#b2c6a9"),
    plain: Hex::new(b"#a9c3a4"),
    line: Hex::new(b"#24402f"),
    frame: Hex::new(b"#20382b"),
    dark_frame: Hex::new(b"#2f5040"),
    inlay: Hex::new(b"#c7a457"),
    coord: Hex::new(b"#e6ecd9"),
    last: (Hex::new(b"#e6be46"), 0.60),
    select: (Hex::new(b"#b07420"), 0.62),
    mark: Hex::new(b"#172f22"),
    halo: HALO,
    check: CHECK,
    hint: HINT,
    ink: PAGE_INK,
};

const SLATE: Colours = Colours {
    tone_1: Hex::new(b"#e6eaed"),
    tone_2: Hex::new(b"#8ea3b5"),
    tone_3: Hex::new(b"#bac8d3"),
    plain: Hex::new(b"#c5d0d9"),
    line: Hex::new(b"#2b3946"),
    frame: Hex::new(b"#29343f"),
    dark_frame: Hex::new(b"#3d4c5a"),
    inlay: Hex::new(b"#8fa4b6"),
    coord: Hex::new(b"#e3ebf1"),
    last: (Hex::new(b"#ecbe46"), 0.58),
    select: (Hex::new(b"#2e745c"), 0.62),
    mark: Hex::new(b"#16293a"),
    halo: HALO,
    check: CHECK,
    hint: HINT,
    ink: PAGE_INK,
};

const INK: Colours = Colours {
    tone_1: Hex::new(b"#ffffff"),
    tone_2: Hex::new(b"#cfcac2"),
    tone_3: Hex::new(b"#e8e5df"),
    plain: Hex::new(b"#ffffff"),
    line: Hex::new(b"#000000"),
    frame: Hex::new(b"#ffffff"),
    dark_frame: Hex::new(b"#ffffff"),
    inlay: Hex::new(b"#000000"),
    coord: Hex::new(b"#000000"),
    last: (Hex::new(b"#ffcd3c"), 0.75),
    select: (Hex::new(b"#007a5a"), 0.55),
    mark: Hex::new(b"#000000"),
    halo: (Hex::new(b"#ffffff"), 1.0),
    check: CHECK,
    hint: HINT,
    ink: PAGE_INK,
};

/// The colours of tokens and pieces of one tone.
pub(super) struct ToneColours {
    /// The upper face.
    pub(super) body: Hex,
    /// The side, turned away from the light.
    pub(super) side: Hex,
    pub(super) edge: Hex,
    /// Engraved lines.
    pub(super) cut: Hex,
    /// Letters.
    pub(super) ink: Hex,
}

/// The colours of a tone.
pub(super) fn tone_colours(tone: Tone) -> ToneColours {
    let [body, side, edge, cut] = match tone {
        Tone::White => [b"#fbf3e4", b"#e2cfb0", b"#3b2a1d", b"#7a5c40"],
        Tone::Black => [b"#463a35", b"#2e2521", b"#15100d", b"#d3bb98"],
        Tone::Red => [b"#c4594a", b"#9c3f33", b"#4c1711", b"#ffe3d6"],
        Tone::Blue => [b"#4f7fa8", b"#386187", b"#152a3d", b"#e3f0fa"],
        Tone::Green => [b"#5f9163", b"#456f49", b"#1a2f1c", b"#eaf5e2"],
        Tone::Yellow => [b"#ecc75a", b"#c99f35", b"#4a3508", b"#7a5a12"],
        Tone::Orange => [b"#d98442", b"#b2632a", b"#4a230a", b"#ffe9d2"],
        Tone::Violet => [b"#8a6aa6", b"#694e84", b"#2a1b38", b"#f1e6fa"],
    }
    .map(Hex::new);
    // Dark letters on the light tones.
    let ink = match tone {
        Tone::White | Tone::Yellow => edge,
        _ => Hex::new(b"#fff6e8"),
    };
    ToneColours { body, side, edge, cut, ink }
}
