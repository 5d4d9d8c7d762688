//! Lines that people type.

use std::io::{BufRead, Read};

use anyhow::{Context, Result};

/// Longer lines are cut; no move is so long.
const LONGEST: u64 = 1 << 16;

/// The next line without its end, in whatever code page it was typed; `None` at the end.
///
/// Bytes that are no UTF-8 become `�`: a typing error must not end the game.
pub(crate) fn next_line(from: &mut dyn BufRead) -> Result<Option<String>> {
    next_line_within(from, LONGEST)
}

/// The same with lines of up to `longest` bytes.
pub(crate) fn next_line_within(from: &mut dyn BufRead, longest: u64) -> Result<Option<String>> {
    let mut bytes = Vec::new();
    let read = from.take(longest).read_until(b'\n', &mut bytes);
    match read.context("cannot read your input")? {
        0 => Ok(None),
        _ => Ok(Some(String::from_utf8_lossy(&bytes).trim().to_owned())),
    }
}
