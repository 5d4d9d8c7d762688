//! Piece sets made by users: a folder of pictures with an index.
//!
//! The index, `set.txt`, has `key: value` lines: `title`, `flip` (`yes` if pieces face
//! their players, so that on the turned board each player's pictures are used for the
//! other), `pieces` with one `label file` on each line below it, and `flipped` with the
//! exceptions for the turned board. Files are plain names, so no path leaves the folder.

mod problem;

use std::collections::BTreeMap;

pub use self::problem::{IndexNote, IndexProblem};
use crate::{
    bitmap,
    scene::{Image, Scene},
};

/// The file that makes a folder a piece set.
pub const INDEX_FILE: &str = "set.txt";

/// The most pictures of a set.
const MANY: usize = 1000;
/// The most bytes that a picture may have.
pub const MOST_BYTES: usize = 512 << 10;
/// The most bytes that the pictures of a set may have together.
const MOST_IN_ALL: usize = 16 << 20;
/// The most pixels that the side of a picture may have.
const LONGEST: u32 = 1024;

/// What SVG pieces may be made of: shapes and colours, nothing that grows or fetches.
const ELEMENTS: &[&str] = &[
    "circle",
    "clipPath",
    "defs",
    "desc",
    "ellipse",
    "g",
    "line",
    "linearGradient",
    "metadata",
    "path",
    "polygon",
    "polyline",
    "radialGradient",
    "rect",
    "stop",
    "svg",
    "title",
];

/// A piece set as its index has it, with its pictures.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Pictures {
    /// The name to show.
    pub title: String,
    /// Whether pieces face their players.
    pub flip: bool,
    /// Width of a cell for these pictures, in pixels.
    pub width: Option<u32>,
    /// Height of a cell for these pictures, in pixels.
    pub height: Option<u32>,
    by_label: BTreeMap<String, Image>,
    flipped: BTreeMap<String, Image>,
}

impl Pictures {
    /// Reads an index and the pictures it names. Lines that cannot be used are skipped
    /// and reported; `file` gives the bytes of a file in the folder.
    pub fn read(
        index: &str,
        file: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
    ) -> (Pictures, Vec<IndexNote>) {
        let mut set = Pictures::default();
        let mut notes = Vec::new();
        let mut known: BTreeMap<String, Image> = BTreeMap::new();
        let mut n_bytes = 0;
        let mut section = "";
        for (idx, line) in index.lines().enumerate() {
            let mut note = |problem: IndexProblem| notes.push(IndexNote { line: idx + 1, problem });
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            if !line.starts_with([' ', '\t']) {
                let Some((key, value)) = line.split_once(':') else {
                    note(IndexProblem::NoKey(shorten(line)));
                    continue;
                };
                let value = value.trim();
                section = match key.trim() {
                    "title" => {
                        set.title = value.chars().take(200).collect();
                        ""
                    }
                    "flip" => {
                        set.flip = value == "yes";
                        ""
                    }
                    "width" => {
                        set.width = side(value);
                        ""
                    }
                    "height" => {
                        set.height = side(value);
                        ""
                    }
                    "pieces" => "pieces",
                    "flipped" => "flipped",
                    other => {
                        note(IndexProblem::UnknownKey(shorten(other)));
                        ""
                    }
                };
                continue;
            }
            let mut words = line.split_whitespace();
            let (Some(label), Some(name), None) = (words.next(), words.next(), words.next()) else {
                note(IndexProblem::NoLabel(shorten(line.trim())));
                continue;
            };
            if section.is_empty() {
                note(IndexProblem::NoSection);
                continue;
            }
            if set.by_label.len() + set.flipped.len() >= MANY {
                note(IndexProblem::TooMany);
                break;
            }
            let image = match known.get(name) {
                Some(it) => Ok(it.clone()),
                None => picture(name, file, &mut n_bytes),
            };
            match image {
                Ok(image) => {
                    known.insert(name.to_owned(), image.clone());
                    let map =
                        if section == "pieces" { &mut set.by_label } else { &mut set.flipped };
                    map.insert(label.to_owned(), image);
                }
                Err(problem) => note(problem),
            }
        }
        (set, notes)
    }

    /// Whether it has no picture at all.
    pub fn is_empty(&self) -> bool {
        self.by_label.is_empty()
    }

    /// The picture of a label, on the board as it is or turned.
    fn image(&self, label: &str, is_turned: bool) -> Option<&Image> {
        if !is_turned || !self.flip {
            return self.by_label.get(label);
        }
        let other = boardwright_rules::other_side(label);
        self.flipped
            .get(label)
            .or_else(|| self.by_label.get(&other))
            .or_else(|| self.by_label.get(label))
    }
}

/// Reads a picture by its file name.
fn picture(
    name: &str,
    file: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
    n_bytes: &mut usize,
) -> Result<Image, IndexProblem> {
    if !is_plain_path(name) {
        return Err(IndexProblem::NotPlain(shorten(name)));
    }
    let name = name.to_owned();
    let Some(bytes) = file(&name) else { return Err(IndexProblem::NoFile(name)) };
    *n_bytes += bytes.len();
    if bytes.len() > MOST_BYTES || *n_bytes > MOST_IN_ALL {
        return Err(IndexProblem::TooLarge(name));
    }
    if name.to_ascii_lowercase().ends_with(".svg") {
        return match checked_svg(&bytes) {
            Ok(()) => Ok(Image::Svg(bytes)),
            Err(SvgFault::NotUtf8) => Err(IndexProblem::NotUtf8(name)),
            Err(SvgFault::NoSvg) => Err(IndexProblem::NoSvg(name)),
            Err(SvgFault::Element(element)) => Err(IndexProblem::Element { file: name, element }),
        };
    }
    match bitmap::png(&bytes, bitmap::Subject::Piece) {
        Ok(png) if png.width.max(png.height) <= LONGEST => Ok(Image::Png(png.bytes)),
        Ok(_) => Err(IndexProblem::TooLong(name)),
        Err(error) => Err(IndexProblem::Unreadable { file: name, error }),
    }
}

/// Why an SVG file is no picture of a piece.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SvgFault {
    /// It is not UTF-8.
    NotUtf8,
    /// It has no `svg` element.
    NoSvg,
    /// It has an element that is more than shapes and colours.
    Element(String),
}

/// Checks that an SVG file has nothing but shapes and colours.
pub fn checked_svg(bytes: &[u8]) -> Result<(), SvgFault> {
    let text = std::str::from_utf8(bytes).map_err(|_| SvgFault::NotUtf8)?;
    if !text.contains("<svg") {
        return Err(SvgFault::NoSvg);
    }
    match forbidden_element(text) {
        Some(it) => Err(SvgFault::Element(shorten(it))),
        None => Ok(()),
    }
}

/// Whether a name is that of a file in the folder or in one folder within it.
fn is_plain_path(name: &str) -> bool {
    let is_good = |it: char| it.is_ascii_alphanumeric() || matches!(it, '-' | '_' | '.' | '+');
    let is_part = |it: &str| !it.is_empty() && !it.starts_with('.') && it.chars().all(is_good);
    name.len() <= 100 && name.split('/').count() <= 2 && name.split('/').all(is_part)
}

/// A side of a cell in pixels.
fn side(value: &str) -> Option<u32> {
    value.trim().parse().ok().filter(|it| (4..=500).contains(it))
}

/// The index of a piece set alone: which file shows which label.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SetIndex {
    /// Width of a cell, in pixels.
    pub width: Option<u32>,
    /// Height of a cell, in pixels.
    pub height: Option<u32>,
    /// Label and file.
    pub pieces: Vec<(String, String)>,
}

impl SetIndex {
    /// Reads an index; lines that cannot be used are skipped.
    pub fn read(text: &str) -> SetIndex {
        let mut index = SetIndex::default();
        let mut is_pieces = false;
        for line in text.lines() {
            let mut words = line.split_whitespace();
            match (line.starts_with([' ', '\t']), line.split_once(':')) {
                (true, _) if is_pieces && index.pieces.len() < MANY => {
                    if let (Some(label), Some(file)) = (words.next(), words.next())
                        && is_plain_path(file)
                    {
                        index.pieces.push((label.to_owned(), file.to_owned()));
                    }
                }
                (false, Some((key, value))) => {
                    is_pieces = key.trim() == "pieces";
                    match key.trim() {
                        "width" => index.width = side(value),
                        "height" => index.height = side(value),
                        _ => {}
                    }
                }
                _ => {}
            }
        }
        index
    }
}

/// The first element of an SVG text that is more than shapes and colours.
fn forbidden_element(svg: &str) -> Option<&str> {
    let mut rest = svg;
    while let Some((_, from)) = rest.split_once('<') {
        rest = from;
        let is_end = |it: char| it.is_whitespace() || it == '>' || it == '/';
        let name = from.strip_prefix('/').unwrap_or(from);
        let name = &name[..name.find(is_end).unwrap_or(name.len())];
        let name = name.strip_prefix("svg:").unwrap_or(name);
        if name.starts_with("!--") {
            rest = from.split_once("-->")?.1;
        } else if !name.starts_with('?') && !ELEMENTS.contains(&name) {
            return Some(name);
        }
    }
    None
}

fn shorten(text: &str) -> String {
    text.chars().take(40).map(|it| if it.is_control() { '?' } else { it }).collect()
}

impl Scene {
    /// Replaces drawings by pictures; `is_turned` if the board is. Pieces are named by
    /// their letters, or by player and kind with `-` for spaces. Returns the number of
    /// pieces that got a picture.
    pub fn take_pictures(&mut self, set: &Pictures, is_turned: bool) -> usize {
        let mut images = BTreeMap::new();
        for (piece, letters, name) in self.words() {
            let name = format!("{} {name}", self.player(piece.0)).replace(' ', "-");
            let image = set.image(letters, is_turned).or_else(|| set.image(&name, is_turned));
            if let Some(image) = image {
                images.insert(piece, image.clone());
            }
        }
        // Pictures face as they are drawn.
        let pictured = |it: &mut crate::looks::Look| {
            if images.contains_key(&(it.player, it.kind)) {
                it.turn = false;
            }
        };
        self.set.looks.iter_mut().for_each(pictured);
        let n_images = images.len();
        self.images.extend(images);
        n_images
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KING: &str =
        "<svg xmlns=\"http://www.w3.org/2000/svg\"><!-- <use> --><g><path d=\"M0 0\"/></g></svg>";

    fn read(index: &str) -> (Pictures, Vec<String>) {
        let (set, notes) = Pictures::read(index, &mut |name| match name {
            "king.svg" => Some(KING.as_bytes().to_vec()),
            "bad.svg" => Some(b"<svg><use href=\"x\"/></svg>".to_vec()),
            "text.svg" => Some(b"hello".to_vec()),
            "noise.png" => Some(vec![1, 2, 3]),
            "large.svg" => Some(vec![b' '; MOST_BYTES + 1]),
            _ => None,
        });
        (set, notes.iter().map(IndexNote::to_string).collect())
    }

    #[test]
    fn an_index_names_pictures() {
        let (set, notes) =
            read("# mine\ntitle: Mine\nflip: yes\npieces:\n  K king.svg\n  k king.svg\n");
        assert_eq!(notes, [""; 0]);
        assert_eq!((set.title.as_str(), set.flip, set.by_label.len()), ("Mine", true, 2));
        assert_eq!(set.image("K", true), Some(&Image::Svg(KING.as_bytes().to_vec())));
    }

    #[test]
    fn what_is_wrong_is_said() {
        let (set, notes) = read(
            "pieces:\n  A ../king.svg\n  B .hidden\n  C bad.svg\n  D text.svg\n  E noise.png\n  F large.svg\n  G no.svg\n  H\nwolf: 3\nfox\n  K king.svg\n",
        );
        assert!(set.is_empty());
        assert_eq!(
            notes,
            [
                "line 2: `../king.svg` is not a plain file name",
                "line 3: `.hidden` is not a plain file name",
                "line 4: `bad.svg` has the element `use`, which pieces may not use",
                "line 5: `text.svg` has no `svg` element",
                "line 6: `noise.png` cannot be read: not a BMP, PNG, GIF or JPEG picture",
                "line 7: `large.svg` is too large",
                "line 8: there is no file `no.svg`",
                "line 9: `H` is not a label and a file name",
                "line 10: there is no key `wolf`",
                "line 11: `fox` is not `key: value`",
                "line 12: labels belong below `pieces:` or `flipped:`",
            ]
        );
    }
}
