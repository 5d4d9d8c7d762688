//! Tokens with letters: the outline names the player, the letters the piece.

use super::{
    escaped,
    theme::{ToneColours, tone_colours},
};
use crate::looks::{Look, Token};

const SERIF: &str = "Vollkorn,&quot;Iowan Old Style&quot;,Palatino,Georgia,serif";

/// The outline of a token as an SVG path; `web/board/src/token.ts` has the same.
pub fn outline(token: Token) -> &'static str {
    match token {
        Token::Circle => "M50 9a39 39 0 1 1 0 78a39 39 0 1 1 0 -78Z",
        Token::Square => {
            "M22 11H78C83 11 87 15 87 20V76C87 81 83 85 78 85H22C17 85 13 81 13 76V20C13 15 17 11 22 11Z"
        }
        Token::Hexagon => "M92 48L71 84.4L29 84.4L8 48L29 11.6L71 11.6Z",
        Token::Shield => {
            "M50 6C60 12 72 16 86 17C88 50 76 76 50 91C24 76 12 50 14 17C28 16 40 12 50 6Z"
        }
    }
}

/// A token in a box of 100 by 100.
pub(super) fn token(look: &Look) -> String {
    let ToneColours { body, side, edge, cut, ink } = tone_colours(look.tone);
    let d = outline(look.token);
    let letters: String = look.letters.chars().take(3).collect();
    let size = match letters.chars().count() {
        0 | 1 => 46.0,
        2 => 36.0,
        _ => 27.0,
    };
    let line = format!(r#"stroke="{edge}" stroke-width="3" stroke-linejoin="round""#);
    let mut svg = format!(
        r#"<path d="{d}" transform="translate(0 5)" fill="{side}" {line}/><path d="{d}" fill="{body}" {line}/><path d="{d}" transform="translate(50 48) scale(.84) translate(-50 -48)" fill="none" stroke="{cut}" stroke-width="1.8" opacity=".55"/>"#
    );
    let notches = look.notches.min(4);
    for n in 0..notches {
        let x = 50.0 + (f64::from(n) - (f64::from(notches) - 1.0) / 2.0) * 15.0;
        let (left, right) = (x - 5.0, x + 5.0);
        svg.push_str(&format!(r#"<path d="M{left} 5H{right}L{x} 17Z" fill="{edge}"/>"#));
    }
    let y = 48.0 + size * 0.34;
    svg.push_str(&format!(
        r#"<text x="50" y="{y}" font-family="{SERIF}" font-size="{size}" font-weight="700" text-anchor="middle" fill="{ink}">{}</text>"#,
        escaped(&letters)
    ));
    svg
}
