//! Pages and pictures have the same colours and the same tokens.
//!
//! The colours are written once, in `src/svg/theme.rs`; `BLESS_THEMES=1` rewrites the style
//! sheet of the pages from them.

#![allow(clippy::disallowed_methods, reason = "style sheets are files")]
#![expect(clippy::unwrap_used, reason = "a test may stop where it stands")]

use std::fs;

use boardwright_golden::THEMES;
use boardwright_render::{
    looks::{Token, Tone},
    svg::{outline, page_ink, stylesheet, tone_palette},
};
use boardwright_test_kit::root;

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap()
}

#[test]
fn pages_have_the_colours_of_pictures() {
    THEMES.compare(&root().join(THEMES.files), &stylesheet()).unwrap();
}

#[test]
fn text_beside_boards_has_the_colour_of_the_page() {
    let [light, dark] = page_ink();
    let tokens = read("web/app/src/styles/tokens.css");
    let inks: Vec<&str> =
        tokens.split("--ink-2:").skip(1).map(|it| it.split(';').next().unwrap().trim()).collect();
    // Light, dark, and dark once more for pages that follow the system.
    assert_eq!(inks, [light.as_str(), dark.as_str(), dark.as_str()]);
    assert!(!tokens.contains("--b-1:"), "board colours belong to colours.css");
}

#[test]
fn tokens_have_one_outline_on_pages_and_pictures() {
    let script = read("web/board/src/token.ts");
    for token in [Token::Circle, Token::Square, Token::Hexagon, Token::Shield] {
        assert!(script.contains(outline(token)), "{}", token.name());
    }
    // A page falls back to white, so a tone that it does not know would not be noticed.
    for tone in Tone::ALL {
        let name = tone.name();
        let is_known = ['"', '\''].iter().any(|it| script.contains(&format!("{it}{name}{it}")));
        assert!(is_known, "{name}");
    }
}

#[test]
fn pieces_have_the_colours_of_tokens() {
    let script = read("crates/render/pieces/make.mjs");
    for tone in Tone::ALL {
        let line = script.lines().find(|it| it.trim().starts_with(&format!("{}:", tone.name())));
        let line = line.unwrap();
        for (name, colour) in tone_palette(tone) {
            assert!(line.contains(&format!("{name}: '{colour}'")), "{} {name}", tone.name());
        }
    }
}
