//! What can be wrong with the index of a piece set, and with the files it names.

use std::fmt;

use super::{LONGEST, MANY};
use crate::bitmap::BitmapError;

/// A line of an index that was skipped.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IndexNote {
    /// The number of the line, from 1.
    pub line: usize,
    /// Why it was skipped.
    pub problem: IndexProblem,
}

/// Why a line of an index was skipped. Texts of the index are shortened and free of
/// control characters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum IndexProblem {
    /// The line is not `key: value`.
    NoKey(String),
    /// The key has no meaning.
    UnknownKey(String),
    /// The line is not a label and a file name.
    NoLabel(String),
    /// A label stands outside the sections that have labels.
    NoSection,
    /// The set has the most pictures that it may have.
    TooMany,
    /// The name is not that of a file in the same folder.
    NotPlain(String),
    /// The file does not exist or cannot be read.
    NoFile(String),
    /// The file, or all files together, have too many bytes.
    TooLarge(String),
    /// An SVG file is not UTF-8.
    NotUtf8(String),
    /// An SVG file is no SVG.
    NoSvg(String),
    /// An SVG file has an element that is more than shapes and colours.
    Element {
        /// The file.
        file: String,
        /// The name of the element.
        element: String,
    },
    /// A side of a bitmap is too long.
    TooLong(String),
    /// A bitmap cannot be read.
    Unreadable {
        /// The file.
        file: String,
        /// What the decoder found.
        error: BitmapError,
    },
}

impl fmt::Display for IndexNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.problem)
    }
}

impl fmt::Display for IndexProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IndexProblem::NoKey(line) => write!(f, "`{line}` is not `key: value`"),
            IndexProblem::UnknownKey(key) => write!(f, "there is no key `{key}`"),
            IndexProblem::NoLabel(line) => write!(f, "`{line}` is not a label and a file name"),
            IndexProblem::NoSection => {
                write!(f, "labels belong below `pieces:` or `flipped:`")
            }
            IndexProblem::TooMany => write!(f, "a set has at most {MANY} pictures"),
            IndexProblem::NotPlain(name) => write!(f, "`{name}` is not a plain file name"),
            IndexProblem::NoFile(name) => write!(f, "there is no file `{name}`"),
            IndexProblem::TooLarge(name) => write!(f, "`{name}` is too large"),
            IndexProblem::NotUtf8(name) => write!(f, "`{name}` is not UTF-8"),
            IndexProblem::NoSvg(name) => write!(f, "`{name}` has no `svg` element"),
            IndexProblem::Element { file, element } => {
                write!(f, "`{file}` has the element `{element}`, which pieces may not use")
            }
            IndexProblem::TooLong(name) => {
                write!(f, "`{name}` is more than {LONGEST} pixels wide or high")
            }
            IndexProblem::Unreadable { file, error } => {
                write!(f, "`{file}` cannot be read: {error}")
            }
        }
    }
}
