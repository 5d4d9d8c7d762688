//! The colours of boards, as tokens.css has them: literal, so that a picture needs no page.

use std::fmt;

use crate::{Paint, scene::Finish};

/// A colour as SVG writes it: `#rrggbb`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Ink([u8; 7]);

impl Ink {
    const fn new(text: &[u8; 7]) -> Ink {
        Ink(*text)
    }

    /// The colour of these parts of red, green and blue.
    pub(crate) fn of(rgb: [u8; 3]) -> Ink {
        let digit = |it: u8| b"0123456789abcdef".get(usize::from(it)).copied().unwrap_or(b'0');
        let [r, g, b] = rgb;
        Ink([
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

impl fmt::Display for Ink {
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
    /// All of them.
    pub const ALL: [Theme; 4] = [Theme::Walnut, Theme::Baize, Theme::Slate, Theme::Ink];

    /// The name in addresses.
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

    pub(super) fn colours(self, dark: bool) -> Colours {
        let mut colours = match self {
            Theme::Walnut => WALNUT,
            Theme::Baize => BAIZE,
            Theme::Slate => SLATE,
            Theme::Ink => INK,
        };
        if dark {
            // A little lighter than the page, so that the board keeps its edge.
            colours.frame = colours.frame_in_the_dark;
            colours.ink = Ink::new(b"#c9baa7");
        }
        colours
    }
}

pub(super) struct Colours {
    tone_1: Ink,
    tone_2: Ink,
    tone_3: Ink,
    pub(super) plain: Ink,
    pub(super) line: Ink,
    pub(super) frame: Ink,
    frame_in_the_dark: Ink,
    pub(super) inlay: Ink,
    pub(super) coord: Ink,
    /// Fill and opacity.
    pub(super) last: (Ink, f64),
    pub(super) select: (Ink, f64),
    pub(super) mark: Ink,
    pub(super) check: Ink,
    /// Text beside boards.
    pub(super) ink: Ink,
}

impl Colours {
    /// The same with what the author or the user wants.
    pub(super) fn with(mut self, finish: &Finish) -> Colours {
        if let Some(it) = finish.border_colour {
            self.frame = Ink::of(it);
        }
        if let Some(it) = finish.text_colour {
            (self.coord, self.ink) = (Ink::of(it), Ink::of(it));
        }
        if let Some(it) = finish.highlight {
            self.last.0 = Ink::of(it);
        }
        self
    }

    pub(super) fn paint(&self, paint: Paint) -> Ink {
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

    pub(super) fn tone(&self, tone: u8) -> Ink {
        match tone {
            2 => self.tone_2,
            3 => self.tone_3,
            _ => self.tone_1,
        }
    }
}

const WALNUT: Colours = Colours {
    tone_1: Ink::new(b"#eedcba"),
    tone_2: Ink::new(b"#bb8e5f"),
    tone_3: Ink::new(b"#d6b588"),
    plain: Ink::new(b"#e0bf8d"),
    line: Ink::new(b"#553720"),
    frame: Ink::new(b"#472e1f"),
    frame_in_the_dark: Ink::new(b"#5d3f2b"),
    inlay: Ink::new(b"#c3954a"),
    coord: Ink::new(b"#ecd9b5"),
    last: (Ink::new(b"#e2aa2e"), 0.62),
    select: (Ink::new(b"#307a54"), 0.68),
    mark: Ink::new(b"#17402e"),
    check: Ink::new(b"#b3261a"),
    ink: Ink::new(b"#5a4a3d"),
};

const BAIZE: Colours = Colours {
    tone_1: Ink::new(b"#ecead8"),
    tone_2: Ink::new(b"#7d9f83"),
    tone_3: Ink::new(b"#b2c6a9"),
    plain: Ink::new(b"#a9c3a4"),
    line: Ink::new(b"#24402f"),
    frame: Ink::new(b"#20382b"),
    frame_in_the_dark: Ink::new(b"#2f5040"),
    inlay: Ink::new(b"#c7a457"),
    coord: Ink::new(b"#e6ecd9"),
    last: (Ink::new(b"#e6be46"), 0.60),
    select: (Ink::new(b"#b07420"), 0.62),
    mark: Ink::new(b"#172f22"),
    check: Ink::new(b"#b3261a"),
    ink: Ink::new(b"#5a4a3d"),
};

const SLATE: Colours = Colours {
    tone_1: Ink::new(b"#e6eaed"),
    tone_2: Ink::new(b"#8ea3b5"),
    tone_3: Ink::new(b"#bac8d3"),
    plain: Ink::new(b"#c5d0d9"),
    line: Ink::new(b"#2b3946"),
    frame: Ink::new(b"#29343f"),
    frame_in_the_dark: Ink::new(b"#3d4c5a"),
    inlay: Ink::new(b"#8fa4b6"),
    coord: Ink::new(b"#e3ebf1"),
    last: (Ink::new(b"#ecbe46"), 0.58),
    select: (Ink::new(b"#2e745c"), 0.62),
    mark: Ink::new(b"#16293a"),
    check: Ink::new(b"#b3261a"),
    ink: Ink::new(b"#5a4a3d"),
};

const INK: Colours = Colours {
    tone_1: Ink::new(b"#ffffff"),
    tone_2: Ink::new(b"#cfcac2"),
    tone_3: Ink::new(b"#e8e5df"),
    plain: Ink::new(b"#ffffff"),
    line: Ink::new(b"#000000"),
    frame: Ink::new(b"#ffffff"),
    frame_in_the_dark: Ink::new(b"#ffffff"),
    inlay: Ink::new(b"#000000"),
    coord: Ink::new(b"#000000"),
    last: (Ink::new(b"#ffcd3c"), 0.75),
    select: (Ink::new(b"#007a5a"), 0.55),
    mark: Ink::new(b"#000000"),
    check: Ink::new(b"#b3261a"),
    ink: Ink::new(b"#5a4a3d"),
};
