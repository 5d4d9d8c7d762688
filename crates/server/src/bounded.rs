//! What a page is sent is bounded, whatever the rules of a game hold.

use std::io::{self, Write};

use axum::http::StatusCode;
use serde::Serialize;

use crate::error::ApiError;

/// Bytes of one answer about a game.
const MAX_ANSWER: usize = 32 << 20;

/// A value as JSON; one that would be too long is refused, and never written to its end.
pub(crate) fn json(value: &impl Serialize) -> Result<Vec<u8>, ApiError> {
    let mut out = Bounded { bytes: Vec::new(), most: MAX_ANSWER };
    match serde_json::to_writer(&mut out, value) {
        Ok(()) => Ok(out.bytes),
        Err(cause) if cause.is_io() => Err(ApiError::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            format!("the description of this game has more than {} MB", MAX_ANSWER >> 20),
        )),
        Err(cause) => Err(ApiError::internal(cause)),
    }
}

/// A text cut at a number of characters, with a sign that it was.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

struct Bounded {
    bytes: Vec<u8>,
    most: usize,
}

impl Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.bytes.len() + bytes.len() > self.most {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_of_a_gigabyte_is_refused_and_not_written() {
        assert_eq!(json(&"pond").expect("short"), b"\"pond\"");
        let name = "x".repeat(1 << 20);
        let all = vec![name.as_str(); 1000];
        let refused = json(&all).expect_err("it is too long");
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    }

    #[test]
    fn a_text_is_cut_between_characters() {
        assert_eq!(shortened("märz", 2), "mä…");
        assert_eq!(shortened("märz", 4), "märz");
    }
}
