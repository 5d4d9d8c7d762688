//! Checkering patterns and their colours.

use boardwright_preset::Settings;

/// A colour as red, green and blue.
pub(super) type Rgb = [u8; 3];

/// The most colours of a pattern.
const MOST: usize = 10;

/// The colour number of each cell: digits, row by row, repeated where they end.
pub(super) struct Pattern {
    rows: Vec<Vec<usize>>,
    colours: Vec<Rgb>,
}

impl Pattern {
    pub(super) fn of(settings: &Settings) -> Pattern {
        let digits = |row: &str| -> Vec<usize> {
            let digits = row.chars().take(4096).filter_map(|it| it.to_digit(10));
            digits.map(|it| it as usize).collect()
        };
        let text = settings.get("pattern");
        let rows = text.split('.').take(4096).map(digits).filter(|it| !it.is_empty()).collect();
        Pattern { rows, colours: colours(settings.get("colors")) }
    }

    /// The number of a cell's colour.
    pub(super) fn at(&self, row: i32, column: i32) -> usize {
        let wrapped = |at: i32, n: usize| at.rem_euclid((n.max(1)) as i32) as usize;
        let row = self.rows.get(wrapped(row, self.rows.len()));
        let digits = row.map_or(&[] as &[usize], Vec::as_slice);
        digits.get(wrapped(column, digits.len())).copied().unwrap_or(0)
    }

    /// The colour with this number, modulo the number of colours.
    pub(super) fn colour(&self, number: usize) -> Option<Rgb> {
        self.colours.get(number % self.colours.len().max(1)).copied()
    }
}

/// A list of colours by name or hexadecimal number; other words are left out.
pub(crate) fn colours(text: &str) -> Vec<Rgb> {
    let words = text.split(|it: char| it.is_whitespace() || it == ',');
    words.filter_map(colour).take(MOST).collect()
}

/// A colour by name or hexadecimal number.
pub(crate) fn colour(word: &str) -> Option<Rgb> {
    let word = word.trim().to_ascii_lowercase();
    if let Ok(idx) = NAMES.binary_search_by(|it| it.0.cmp(word.as_str())) {
        let [_, r, g, b] = NAMES[idx].1.to_be_bytes();
        return Some([r, g, b]);
    }
    let digits = word.strip_prefix('#').unwrap_or(&word);
    let number = u32::from_str_radix(digits, 16).ok().filter(|_| digits.is_ascii())?;
    let [_, r, g, b] = number.to_be_bytes();
    match digits.len() {
        6 if !digits.starts_with('+') => Some([r, g, b]),
        3 if !digits.starts_with('+') => {
            Some([8, 4, 0].map(|shift| (number >> shift & 15) as u8 * 17))
        }
        _ => None,
    }
}

/// The perceived lightness of a colour, from 0 to 255000.
pub(super) fn light([r, g, b]: Rgb) -> u32 {
    u32::from(r) * 299 + u32::from(g) * 587 + u32::from(b) * 114
}

/// The names that presets use, those of web pages among them; sorted.
const NAMES: &[(&str, u32)] = &[
    ("aqua", 0x00ffff),
    ("aquamarine", 0x7fffd4),
    ("beige", 0xf5f5dc),
    ("black", 0x000000),
    ("blue", 0x0000ff),
    ("brown", 0xa52a2a),
    ("burlywood", 0xdeb887),
    ("chocolate", 0xd2691e),
    ("coral", 0xff7f50),
    ("cornflowerblue", 0x6495ed),
    ("cornsilk", 0xfff8dc),
    ("crimson", 0xdc143c),
    ("cyan", 0x00ffff),
    ("darkblue", 0x00008b),
    ("darkgray", 0xa9a9a9),
    ("darkgreen", 0x006400),
    ("darkred", 0x8b0000),
    ("firebrick", 0xb22222),
    ("forestgreen", 0x228b22),
    ("fuchsia", 0xff00ff),
    ("gold", 0xffd700),
    ("goldenrod", 0xdaa520),
    ("gray", 0x808080),
    ("green", 0x008000),
    ("grey", 0x808080),
    ("indigo", 0x4b0082),
    ("ivory", 0xfffff0),
    ("khaki", 0xf0e68c),
    ("lavender", 0xe6e6fa),
    ("lightblue", 0xadd8e6),
    ("lightgray", 0xd3d3d3),
    ("lightgreen", 0x90ee90),
    ("lightyellow", 0xffffe0),
    ("lime", 0x00ff00),
    ("magenta", 0xff00ff),
    ("maroon", 0x800000),
    ("navajowhite", 0xffdead),
    ("navy", 0x000080),
    ("olive", 0x808000),
    ("olivedrab", 0x6b8e23),
    ("orange", 0xffa500),
    ("orchid", 0xda70d6),
    ("peru", 0xcd853f),
    ("pink", 0xffc0cb),
    ("plum", 0xdda0dd),
    ("purple", 0x800080),
    ("red", 0xff0000),
    ("royalblue", 0x4169e1),
    ("saddlebrown", 0x8b4513),
    ("salmon", 0xfa8072),
    ("sandybrown", 0xf4a460),
    ("seagreen", 0x2e8b57),
    ("sienna", 0xa0522d),
    ("silver", 0xc0c0c0),
    ("skyblue", 0x87ceeb),
    ("steelblue", 0x4682b4),
    ("tan", 0xd2b48c),
    ("teal", 0x008080),
    ("thistle", 0xd8bfd8),
    ("tomato", 0xff6347),
    ("turquoise", 0x40e0d0),
    ("violet", 0xee82ee),
    ("wheat", 0xf5deb3),
    ("white", 0xffffff),
    ("yellow", 0xffff00),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(text: &str) -> Pattern {
        Pattern::of(&Settings::read(&format!("pattern: {text}\ncolors: red #0f0 0000FF\n")).0)
    }

    #[test]
    fn patterns_repeat_along_and_down() {
        let it = pattern("10.01.");
        assert_eq!([it.at(0, 0), it.at(0, 7), it.at(1, 0), it.at(7, 7)], [1, 0, 0, 1]);
        let it = pattern("012.120.201.");
        assert_eq!([it.at(0, 2), it.at(1, 2), it.at(2, 2), it.at(3, 5)], [2, 0, 1, 2]);
        let it = pattern("");
        assert_eq!(it.at(5, 5), 0);
    }

    #[test]
    fn colours_have_names_and_numbers() {
        let it = pattern("1.");
        assert_eq!(it.colour(0), Some([255, 0, 0]));
        assert_eq!(it.colour(1), Some([0, 255, 0]));
        assert_eq!(it.colour(5), Some([0, 0, 255]));
        assert!(NAMES.is_sorted_by(|a, b| a.0 < b.0));
        for word in ["", "#", "+12345", "ÄÄÄ", "12345", "zzz", "#12345678"] {
            assert_eq!(colour(word), None, "{word}");
        }
    }
}
