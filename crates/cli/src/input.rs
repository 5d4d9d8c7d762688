//! Lines typed on standard input.

use std::io::{BufRead, Read};

use anyhow::{Context, Result};

/// Bytes of a line at most; longer lines are split.
const LONGEST: u64 = 1 << 16;

/// The next line without its line break; `None` at the end of input.
///
/// Bytes that are not UTF-8 become `�`, so that a typing error does not end the game.
pub(crate) fn next_line(from: &mut dyn BufRead) -> Result<Option<String>> {
    next_line_within(from, LONGEST)
}

/// The next line, of at most `longest` bytes.
pub(crate) fn next_line_within(from: &mut dyn BufRead, longest: u64) -> Result<Option<String>> {
    let mut bytes = Vec::new();
    let read = from.take(longest).read_until(b'\n', &mut bytes);
    match read.context("cannot read your input")? {
        0 => Ok(None),
        _ => Ok(Some(String::from_utf8_lossy(&bytes).trim().to_owned())),
    }
}
