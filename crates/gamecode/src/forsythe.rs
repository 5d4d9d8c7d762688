//! Forsythe code, as Game Courier extended it.
//!
//! Read from the top left, rank by rank: a letter or `{label}` is a piece, a
//! number that many empty spaces, `-` a hole; `*` fills the rank with empty spaces
//! (a whole rank if none is begun), `/` fills a rank that is begun with holes.

use std::fmt;

use crate::space_map::{ForsytheCell, Space};

/// What is wrong with a Forsythe code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ForsytheError {
    /// The byte at which it is.
    pub offset: usize,
    /// What it is.
    pub message: String,
}

impl fmt::Display for ForsytheError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (at character {})", self.message, self.offset + 1)
    }
}

impl std::error::Error for ForsytheError {}

const MOST: usize = 4 * Space::LIMIT;

/// Reads a code for ranks of `columns` cells; the last rank is filled with holes.
pub fn read(code: &str, columns: usize) -> Result<Vec<ForsytheCell>, ForsytheError> {
    let columns = columns.clamp(1, MOST);
    let mut cells: Vec<ForsytheCell> = Vec::new();
    let mut chars = code.char_indices().peekable();
    while let Some((offset, ch)) = chars.next() {
        let fail = |message: String| Err(ForsytheError { offset, message });
        match ch {
            '0'..='9' => {
                let mut count = ch as usize - '0' as usize;
                while let Some((_, digit)) = chars.next_if(|it| it.1.is_ascii_digit()) {
                    count = (count * 10 + digit as usize - '0' as usize).min(MOST + 1);
                }
                if cells.len() + count > MOST {
                    return fail(format!("a board has at most {MOST} cells"));
                }
                cells.extend(std::iter::repeat_n(ForsytheCell::Empty, count));
            }
            '{' => {
                let mut label = String::new();
                loop {
                    match chars.next() {
                        Some((_, '}')) => break,
                        Some((_, ch)) => label.push(ch),
                        None => return fail("`{` is not closed".to_owned()),
                    }
                }
                if !is_label(&label) {
                    return fail(format!("`{{{label}}}` holds no label"));
                }
                cells.push(ForsytheCell::Piece(label));
            }
            '-' => cells.push(ForsytheCell::Hole),
            '*' => {
                cells.push(ForsytheCell::Empty);
                let missing = cells.len().next_multiple_of(columns) - cells.len();
                cells.extend(std::iter::repeat_n(ForsytheCell::Empty, missing));
            }
            '/' => {
                let missing = cells.len().next_multiple_of(columns) - cells.len();
                cells.extend(std::iter::repeat_n(ForsytheCell::Hole, missing));
            }
            it if it.is_alphabetic() => cells.push(ForsytheCell::Piece(it.to_string())),
            it if it.is_whitespace() => {}
            it => return fail(format!("`{it}` means nothing here")),
        }
        if cells.len() > MOST {
            return fail(format!("a board has at most {MOST} cells"));
        }
    }
    let missing = cells.len().next_multiple_of(columns) - cells.len();
    cells.extend(std::iter::repeat_n(ForsytheCell::Hole, missing));
    Ok(cells)
}

/// Whether a text can be the label of a piece.
pub(crate) fn is_label(text: &str) -> bool {
    !text.is_empty()
        && text != "@"
        && text.len() <= 40
        && !text
            .contains(|it: char| it.is_whitespace() || it.is_control() || "{}();\"".contains(it))
}

/// Writes cells as a code that reads back to them.
pub fn write(cells: &[ForsytheCell], columns: usize) -> String {
    let mut out = String::new();
    for (idx, rank) in cells.chunks(columns.max(1)).enumerate() {
        if idx > 0 {
            out.push('/');
        }
        let mut n_empty = 0;
        for cell in rank {
            if *cell == ForsytheCell::Empty {
                n_empty += 1;
                continue;
            }
            flush(&mut out, &mut n_empty);
            match cell {
                ForsytheCell::Piece(label) => {
                    let is_letter =
                        label.chars().count() == 1 && label.chars().all(char::is_alphabetic);
                    if is_letter {
                        out.push_str(label);
                    } else {
                        out.push_str(&format!("{{{label}}}"));
                    }
                }
                _ => out.push('-'),
            }
        }
        flush(&mut out, &mut n_empty);
    }
    out
}

fn flush(out: &mut String, n_empty: &mut usize) {
    if *n_empty > 0 {
        out.push_str(&n_empty.to_string());
        *n_empty = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ways_to_write_chess_are_one() {
        let plain = read("rnbqkbnrpppppppp32PPPPPPPPRNBQKBNR", 8);
        assert_eq!(plain.as_ref().map(Vec::len), Ok(64));
        for other in [
            "rnbqkbnr/pppppppp/****/PPPPPPPP/RNBQKBNR",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
            "rnbqkbnr/pppppppp/*/*/*/*/PPPPPPPP/RNBQKBNR",
        ] {
            assert_eq!(read(other, 8), plain, "{other}");
        }
    }

    #[test]
    fn a_star_begins_a_rank_and_a_slash_does_not() {
        assert_eq!(read("****", 4), read("*/*/*/*/", 4));
        assert_eq!(read("////", 4), Ok(Vec::new()));
        assert_eq!(read("/*/*/*/*", 4).map(|it| it.len()), Ok(16));
        assert_eq!(
            read("1/", 3),
            Ok(vec![ForsytheCell::Empty, ForsytheCell::Hole, ForsytheCell::Hole])
        );
    }

    #[test]
    fn writing_reads_back() {
        let cells = read("2/{NB}1-/*", 3).expect("reads");
        assert_eq!(write(&cells, 3), "2-/{NB}1-/3");
        assert_eq!(read(&write(&cells, 3), 3), Ok(cells));
    }

    #[test]
    fn nonsense_is_refused() {
        for code in ["{", "{}", "{a b}", "!", "99999999999999999999", "&"] {
            assert!(read(code, 8).is_err(), "{code}");
        }
    }
}
