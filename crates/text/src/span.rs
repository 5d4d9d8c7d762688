//! Byte ranges in a collection of source files.

/// A range of bytes in the decoded text of a [`Sources`](crate::Sources).
///
/// Offsets count through all files of the collection, so a span needs no file
/// number and stays eight bytes; [`Sources::locate`](crate::Sources::locate)
/// finds the file. `Span::default()` is nowhere in particular.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset behind the last byte.
    pub end: u32,
}

impl Span {
    /// The range from `start` up to, but not including, `end`.
    pub fn new(start: u32, end: u32) -> Span {
        Span { start, end: end.max(start) }
    }

    /// The smallest span that covers both.
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// How many bytes it covers.
    pub fn len(self) -> u32 {
        self.end - self.start
    }

    /// Whether it covers no byte at all.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// The empty span just behind this one.
    pub fn after(self) -> Span {
        Span { start: self.end, end: self.end }
    }

    /// The first byte of this span only.
    pub fn head(self) -> Span {
        Span { start: self.start, end: self.end.min(self.start + 1) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_join() {
        assert_eq!(Span::new(3, 5).to(Span::new(8, 9)), Span::new(3, 9));
        assert_eq!(Span::new(3, 5).after(), Span::new(5, 5));
        assert!(Span::new(7, 2).is_empty(), "a reversed range is empty, not negative");
    }
}
