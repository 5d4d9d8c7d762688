//! The colours of boards, as tokens.css has them: literal, so that a picture needs no page.

use crate::Paint;

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
            colours.ink = "#c9baa7";
        }
        colours
    }
}

pub(super) struct Colours {
    tone_1: &'static str,
    tone_2: &'static str,
    tone_3: &'static str,
    pub(super) plain: &'static str,
    pub(super) line: &'static str,
    pub(super) frame: &'static str,
    frame_in_the_dark: &'static str,
    pub(super) inlay: &'static str,
    pub(super) coord: &'static str,
    /// Fill and opacity.
    pub(super) last: (&'static str, f64),
    pub(super) select: (&'static str, f64),
    pub(super) mark: &'static str,
    pub(super) check: &'static str,
    /// Text beside boards.
    pub(super) ink: &'static str,
}

impl Colours {
    pub(super) fn paint(&self, paint: Paint) -> &'static str {
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

    pub(super) fn tone(&self, tone: u8) -> &'static str {
        match tone {
            2 => self.tone_2,
            3 => self.tone_3,
            _ => self.tone_1,
        }
    }
}

const WALNUT: Colours = Colours {
    tone_1: "#eedcba",
    tone_2: "#bb8e5f",
    tone_3: "#d6b588",
    plain: "#e0bf8d",
    line: "#553720",
    frame: "#472e1f",
    frame_in_the_dark: "#5d3f2b",
    inlay: "#c3954a",
    coord: "#ecd9b5",
    last: ("#e2aa2e", 0.62),
    select: ("#307a54", 0.68),
    mark: "#17402e",
    check: "#b3261a",
    ink: "#5a4a3d",
};

const BAIZE: Colours = Colours {
    tone_1: "#ecead8",
    tone_2: "#7d9f83",
    tone_3: "#b2c6a9",
    plain: "#a9c3a4",
    line: "#24402f",
    frame: "#20382b",
    frame_in_the_dark: "#2f5040",
    inlay: "#c7a457",
    coord: "#e6ecd9",
    last: ("#e6be46", 0.60),
    select: ("#b07420", 0.62),
    mark: "#172f22",
    check: "#b3261a",
    ink: "#5a4a3d",
};

const SLATE: Colours = Colours {
    tone_1: "#e6eaed",
    tone_2: "#8ea3b5",
    tone_3: "#bac8d3",
    plain: "#c5d0d9",
    line: "#2b3946",
    frame: "#29343f",
    frame_in_the_dark: "#3d4c5a",
    inlay: "#8fa4b6",
    coord: "#e3ebf1",
    last: ("#ecbe46", 0.58),
    select: ("#2e745c", 0.62),
    mark: "#16293a",
    check: "#b3261a",
    ink: "#5a4a3d",
};

const INK: Colours = Colours {
    tone_1: "#ffffff",
    tone_2: "#cfcac2",
    tone_3: "#e8e5df",
    plain: "#ffffff",
    line: "#000000",
    frame: "#ffffff",
    frame_in_the_dark: "#ffffff",
    inlay: "#000000",
    coord: "#000000",
    last: ("#ffcd3c", 0.75),
    select: ("#007a5a", 0.55),
    mark: "#000000",
    check: "#b3261a",
    ink: "#5a4a3d",
};
