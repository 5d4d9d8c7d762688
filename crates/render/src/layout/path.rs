//! SVG paths.

use std::fmt::Write;

use super::{Paint, Stroke};

/// A number with at most two digits behind the point.
pub(crate) struct Num(pub(crate) f64);

impl std::fmt::Display for Num {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let rounded = (self.0 * 100.0).round() / 100.0;
        // Zero has no sign.
        write!(f, "{}", rounded + 0.0)
    }
}

/// A closed outline through points.
pub(super) fn polygon(points: &[(f64, f64)]) -> String {
    let mut d = polyline(points);
    d.push('Z');
    d
}

/// A line through points.
pub(super) fn polyline(points: &[(f64, f64)]) -> String {
    let mut d = String::new();
    for (idx, &(x, y)) in points.iter().enumerate() {
        let mark = if idx == 0 { 'M' } else { 'L' };
        let _ = write!(d, "{mark}{} {}", Num(x), Num(y));
    }
    d
}

/// A rectangle.
pub(super) fn rect(x: f64, y: f64, width: f64, height: f64) -> String {
    format!("M{} {}h{}v{}h{}Z", Num(x), Num(y), Num(width), Num(height), Num(-width))
}

/// A rectangle about a middle, its corners eased.
pub(super) fn tile(x: f64, y: f64, width: f64, height: f64, r: f64) -> String {
    let r = r.min(width / 2.0).min(height / 2.0);
    let (w, h) = (width - 2.0 * r, height - 2.0 * r);
    let (x, y) = (x - width / 2.0 + r, y - height / 2.0);
    format!(
        "M{x} {y}h{w}a{r} {r} 0 0 1 {r} {r}v{h}a{r} {r} 0 0 1 {m} {r}h{v}a{r} {r} 0 0 1 {m} {m}v{u}a{r} {r} 0 0 1 {r} {m}Z",
        x = Num(x),
        y = Num(y),
        w = Num(w),
        h = Num(h),
        r = Num(r),
        m = Num(-r),
        v = Num(-w),
        u = Num(-h),
    )
}

/// A circle.
pub(super) fn circle(x: f64, y: f64, r: f64) -> String {
    format!(
        "M{} {}a{r} {r} 0 1 0 {} 0a{r} {r} 0 1 0 {} 0Z",
        Num(x - r),
        Num(y),
        Num(2.0 * r),
        Num(-2.0 * r),
        r = Num(r)
    )
}

/// A hexagon about a middle; `r` is the way to its corners.
pub(super) fn hexagon(x: f64, y: f64, r: f64, is_pointy: bool) -> String {
    let turn = if is_pointy { 0.5 } else { 0.0 };
    let corner = |n: i32| {
        let angle = (f64::from(n) + turn) * std::f64::consts::FRAC_PI_3;
        (x + r * angle.cos(), y + r * angle.sin())
    };
    polygon(&(0..6).map(corner).collect::<Vec<_>>())
}

/// A path moved; only absolute commands know where they are.
pub(super) fn shifted(d: &str, dx: f64, dy: f64) -> String {
    mapped(d, |value, is_absolute, is_x| match (is_absolute, is_x) {
        (false, _) => value,
        (true, true) => value + dx,
        (true, false) => value + dy,
    })
}

/// A path turned by half a circle; `sx` and `sy` are what a point and its image add up to.
pub(super) fn turned(d: &str, sx: f64, sy: f64) -> String {
    mapped(d, |value, is_absolute, is_x| match (is_absolute, is_x) {
        (false, _) => -value,
        (true, true) => sx - value,
        (true, false) => sy - value,
    })
}

/// A path with other numbers: `new` is given each with whether it is a place, not a way,
/// and whether it is across.
fn mapped(d: &str, new: impl Fn(f64, bool, bool) -> f64) -> String {
    let mut out = String::with_capacity(d.len() + 16);
    let mut rest = d;
    while let Some(command) = rest.chars().next() {
        rest = &rest[command.len_utf8()..];
        let end = rest.find(|it: char| it.is_ascii_alphabetic()).unwrap_or(rest.len());
        let (numbers, after) = rest.split_at(end);
        rest = after;
        out.push(command);
        // The last two numbers of an arc are a point, those of a line all are.
        let n_before = if matches!(command, 'A' | 'a') { 5 } else { 0 };
        for (idx, number) in numbers.split_whitespace().enumerate() {
            let space = if idx == 0 { "" } else { " " };
            let value = number.parse::<f64>().ok().filter(|_| idx >= n_before);
            let is_x = (idx - n_before.min(idx)) % 2 == 0;
            let _ = match value {
                Some(it) => {
                    write!(out, "{space}{}", Num(new(it, command.is_ascii_uppercase(), is_x)))
                }
                None => write!(out, "{space}{number}"),
            };
        }
    }
    out
}

/// Left, top, right and bottom of a path of straight lines.
pub(crate) fn bounds(d: &str) -> Option<[f64; 4]> {
    let numbers: Vec<f64> = d
        .split(|it: char| it.is_ascii_alphabetic() || it.is_whitespace())
        .filter_map(|it| it.parse().ok())
        .collect();
    let mut frame: Option<[f64; 4]> = None;
    for pair in numbers.chunks_exact(2) {
        let (x, y) = (pair[0], pair[1]);
        let it = frame.get_or_insert([x, y, x, y]);
        *it = [it[0].min(x), it[1].min(y), it[2].max(x), it[3].max(y)];
    }
    frame
}

/// Left, top, right and bottom of the corners of any path that is made here; arcs count
/// by their ends.
pub(crate) fn reach(d: &str) -> Option<[f64; 4]> {
    let mut frame: Option<[f64; 4]> = None;
    let (mut x, mut y) = (0.0, 0.0);
    let mut rest = d;
    while let Some(command) = rest.chars().next() {
        rest = &rest[command.len_utf8()..];
        let end = rest.find(|it: char| it.is_ascii_alphabetic()).unwrap_or(rest.len());
        let (numbers, after) = rest.split_at(end);
        rest = after;
        let numbers: Vec<f64> =
            numbers.split_whitespace().filter_map(|it| it.parse().ok()).collect();
        match (command, numbers.as_slice()) {
            ('M' | 'L', &[px, py]) | ('A', &[.., px, py]) => (x, y) = (px, py),
            ('h', &[dx]) => x += dx,
            ('v', &[dy]) => y += dy,
            ('a', &[.., dx, dy]) => (x, y) = (x + dx, y + dy),
            _ => {}
        }
        let it = frame.get_or_insert([x, y, x, y]);
        *it = [it[0].min(x), it[1].min(y), it[2].max(x), it[3].max(y)];
    }
    frame
}

/// A wooden tray that reaches `margin` beyond the outlines in `d`, with its line of brass.
///
/// Wide lines do what growing an outline would: however the outlines lie, their
/// union gets an even border.
pub(super) fn tray(d: &str, margin: f64) -> Vec<Stroke> {
    let line = |stroke, width| Stroke {
        d: d.to_owned(),
        fill: Some(Paint::Frame),
        stroke: Some(stroke),
        width,
    };
    vec![
        line(Paint::Frame, 2.0 * margin),
        line(Paint::Inlay, 2.0 * 8.3),
        line(Paint::Frame, 2.0 * 5.7),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!(format!("{} {} {}", Num(12.0), Num(1.0 / 3.0), Num(-0.001)), "12 0.33 0");
    }

    #[test]
    fn a_shifted_path_is_the_same_elsewhere() {
        assert_eq!(shifted(&rect(0.0, 0.0, 10.0, 5.0), 3.0, 4.0), rect(3.0, 4.0, 10.0, 5.0));
        assert_eq!(shifted(&circle(1.0, 1.0, 7.0), 3.0, 4.0), circle(4.0, 5.0, 7.0));
        assert_eq!(turned("M1 2h3v4a5 5 0 0 1 1 2Z", 10.0, 20.0), "M9 18h-3v-4a5 5 0 0 1 -1 -2Z");
        assert_eq!(shifted("M0 0A5 5 0 1 0 3 4Z", 1.0, 2.0), "M1 2A5 5 0 1 0 4 6Z");
    }
}
