//! Text as outlines, in the font that comes with the program.

use std::{fmt::Write, sync::LazyLock};

use ttf_parser::{Face, GlyphId, OutlineBuilder};

/// A subset of DejaVu Sans Bold; its licence is in `font/LICENSE`.
static FONT: &[u8] = include_bytes!("../font/DejaVuSans-Bold-subset.ttf");

static FACE: LazyLock<Option<Face<'static>>> = LazyLock::new(|| Face::parse(FONT, 0).ok());

/// Replaces every `text` of an SVG made by this project, which are all centred, by
/// outlines.
pub(crate) fn outlined(svg: &str) -> String {
    let mut out = String::with_capacity(svg.len());
    let mut rest = svg;
    while let Some(start) = rest.find("<text ") {
        let (before, from) = rest.split_at(start);
        let Some((head, after)) = from.split_once('>') else { break };
        let Some((text, after)) = after.split_once("</text>") else { break };
        out.push_str(before);
        if let Some(path) = path(head, &unescaped(text)) {
            out.push_str(&path);
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

/// The value of an attribute, which is in quotes.
fn attribute<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    let from = head.split_once(&format!(" {name}=\""))?.1;
    Some(from.split_once('"')?.0)
}

fn path(head: &str, text: &str) -> Option<String> {
    let face = FACE.as_ref()?;
    let number = |name: &str| attribute(head, name)?.parse::<f64>().ok();
    let (x, y, size) = (number("x")?, number("y")?, number("font-size")?);
    let fill = attribute(head, "fill").unwrap_or("#000000");
    let scale = size / f64::from(face.units_per_em());
    let glyphs: Vec<GlyphId> = text.chars().take(200).map(|it| glyph(face, it)).collect();
    let advance = |it: GlyphId| face.glyph_hor_advance(it).map_or(0.0, f64::from) * scale;
    let width: f64 = glyphs.iter().map(|&it| advance(it)).sum();
    let capital = face.capital_height().map_or(0.73, |it| f64::from(it) * scale / size);
    // Central text has the middle of its capitals on the line.
    let base = match attribute(head, "dominant-baseline") {
        Some("central") => y + size * capital / 2.0,
        _ => y,
    };
    let mut outline = Outline { d: String::new(), x: x - width / 2.0, y: base, scale };
    for id in glyphs {
        face.outline_glyph(id, &mut outline);
        outline.x += advance(id);
    }
    Some(format!(r#"<path d="{}" fill="{fill}"/>"#, outline.d))
}

/// The glyph of a character, or the one for missing characters.
fn glyph(face: &Face<'_>, it: char) -> GlyphId {
    face.glyph_index(it).or_else(|| face.glyph_index('\u{fffd}')).unwrap_or(GlyphId(0))
}

fn unescaped(text: &str) -> String {
    let pairs = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")];
    pairs.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
}

struct Outline {
    d: String,
    x: f64,
    y: f64,
    scale: f64,
}

impl Outline {
    fn put(&mut self, command: char, points: &[(f32, f32)]) {
        self.d.push(command);
        for &(x, y) in points {
            let x = self.x + f64::from(x) * self.scale;
            let y = self.y - f64::from(y) * self.scale;
            let _ = write!(self.d, "{x:.2} {y:.2} ");
        }
    }
}

impl OutlineBuilder for Outline {
    fn move_to(&mut self, x: f32, y: f32) {
        self.put('M', &[(x, y)]);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.put('L', &[(x, y)]);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.put('Q', &[(x1, y1), (x, y)]);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.put('C', &[(x1, y1), (x2, y2), (x, y)]);
    }

    fn close(&mut self) {
        self.d.push('Z');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_becomes_outlines() {
        let svg = r##"<g><text x="50" y="10" font-size="20" fill="#ff0000">a&amp;b</text></g>"##;
        let out = outlined(svg);
        assert!(out.starts_with("<g><path d=\"M") && out.ends_with("fill=\"#ff0000\"/></g>"));
        assert!(!out.contains("text"));
    }

    #[test]
    fn every_letter_of_labels_has_a_glyph() {
        let face = FACE.as_ref().expect("the font is sound");
        for it in ('!'..='~').chain("äöüßéçñøåčşПиκλ×—…".chars()) {
            assert!(face.glyph_index(it).is_some(), "{it}");
        }
    }

    #[test]
    fn what_has_no_end_is_left_out() {
        assert_eq!(outlined("<g/><text x=\"1\""), "<g/><text x=\"1\"");
        assert_eq!(outlined("<text x=\"a\">b</text>"), "");
    }
}
