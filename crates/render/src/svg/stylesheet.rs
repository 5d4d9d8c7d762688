//! The colours of themes and tokens as a style sheet, so that pages and pictures agree.

use std::fmt::Write;

use super::theme::{Colours, Hex, PAGE_INK, PAGE_INK_DARK, Theme, tone_colours};
use crate::looks::Tone;

const HEAD: &str = "\
/* The colours of board themes and of tokens with letters.
   Written from crates/render/src/svg/theme.rs by a test of crates/render: change them there. */
";

/// The style sheet: custom properties `--b-*` for themes, by the attribute `data-board`,
/// and `--t-*` for tokens, by the classes `bw-tone-*`.
pub fn stylesheet() -> String {
    let mut css = HEAD.to_owned();
    for theme in Theme::ALL {
        let root = if theme == Theme::default() { ":root,\n" } else { "" };
        let _ = writeln!(css, "{root}[data-board=\"{}\"] {{", theme.name());
        for (name, value) in properties(&theme.colours(false)) {
            let _ = writeln!(css, "  --b-{name}: {value};");
        }
        css.push_str("}\n");
    }
    css.push_str(
        "/* On a dark page the frame is a little lighter, so that the board keeps its edge. */\n",
    );
    for theme in Theme::ALL {
        let (name, frame) = (theme.name(), theme.colours(true).frame);
        let root = if theme == Theme::default() { "[data-theme=\"dark\"],\n" } else { "" };
        let _ = writeln!(
            css,
            "{root}[data-theme=\"dark\"][data-board=\"{name}\"],\n[data-theme=\"dark\"] [data-board=\"{name}\"] {{\n  --b-frame: {frame};\n}}"
        );
    }
    for tone in Tone::ALL {
        let _ = writeln!(css, ".bw-tone-{} {{", tone.name());
        for (name, value) in tone_palette(tone) {
            let _ = writeln!(css, "  --t-{name}: {value};");
        }
        let _ = writeln!(css, "  --t-ink: {};\n}}", tone_colours(tone).ink);
    }
    css
}

/// The colours that tokens and drawn pieces of one tone share: upper face, side, edge and
/// engraved lines.
pub fn tone_palette(tone: Tone) -> [(&'static str, String); 4] {
    let it = tone_colours(tone);
    [("body", it.body), ("shade", it.side), ("edge", it.edge), ("cut", it.cut)]
        .map(|(name, colour)| (name, colour.to_string()))
}

/// The colours of text beside boards, which pages define as `--ink-2`: on a light and on
/// a dark page.
pub fn page_ink() -> [String; 2] {
    [PAGE_INK, PAGE_INK_DARK].map(|it| it.to_string())
}

fn properties(it: &Colours) -> Vec<(&'static str, String)> {
    let opaque = |it: Hex| it.to_string();
    vec![
        ("1", opaque(it.tone_1)),
        ("2", opaque(it.tone_2)),
        ("3", opaque(it.tone_3)),
        ("plain", opaque(it.plain)),
        ("line", opaque(it.line)),
        ("frame", opaque(it.frame)),
        ("inlay", opaque(it.inlay)),
        ("coord", opaque(it.coord)),
        ("last", translucent(it.last)),
        ("select", translucent(it.select)),
        ("mark", opaque(it.mark)),
        ("mark-halo", translucent(it.halo)),
        ("check", opaque(it.check)),
        ("hint", opaque(it.hint)),
    ]
}

/// A colour with its opacity: `rgb(226 170 46 / 0.62)`.
fn translucent((colour, opacity): (Hex, f64)) -> String {
    if opacity >= 1.0 {
        return colour.to_string();
    }
    let [r, g, b] = colour.rgb();
    format!("rgb({r} {g} {b} / {opacity})")
}
