//! The files of one compilation.

use std::sync::Arc;

use crate::{Encoding, LineCol, LineIndex, Span};

/// Which file of a [`Sources`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FileId(pub u32);

/// One file, decoded.
#[derive(Clone, Debug)]
pub struct Source {
    /// The name to show: as the user gave it, or as an `include` reached it.
    pub name: Arc<str>,
    /// The decoded text.
    pub text: Arc<str>,
    /// The code page it was written in.
    pub encoding: Encoding,
    /// The offset of its first byte in the collection.
    pub start: u32,
    lines: LineIndex,
}

impl Source {
    /// The lines of the text.
    pub fn lines(&self) -> &LineIndex {
        &self.lines
    }

    /// The span of the whole file.
    pub fn span(&self) -> Span {
        Span::new(self.start, self.start + self.text.len() as u32)
    }
}

/// All files of one compilation: the rule file and what it includes.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<Source>,
}

impl Sources {
    /// The most text that a collection may hold, in bytes after decoding.
    pub const LIMIT: usize = u32::MAX as usize / 2;

    /// An empty collection.
    pub fn new() -> Sources {
        Sources::default()
    }

    /// Decodes `bytes` and adds them as a file; `None` if the collection is full.
    pub fn add(&mut self, name: &str, bytes: &[u8]) -> Option<FileId> {
        let (text, encoding) = Encoding::decode(bytes);
        // One offset lies between files, so that an end never equals a start.
        let start = self.files.last().map_or(0, |it| it.span().end as usize + 1);
        if start + text.len() > Sources::LIMIT {
            return None;
        }
        let lines = LineIndex::new(&text);
        self.files.push(Source {
            name: name.into(),
            text: text.into(),
            encoding,
            start: start as u32,
            lines,
        });
        Some(FileId(self.files.len() as u32 - 1))
    }

    /// The file with this number, if there is one.
    pub fn get(&self, file: FileId) -> Option<&Source> {
        self.files.get(file.0 as usize)
    }

    /// All files, the rule file first.
    pub fn files(&self) -> &[Source] {
        &self.files
    }

    /// The file in which `span` starts, and the byte range within its text.
    pub fn locate(&self, span: Span) -> Option<(&Source, std::ops::Range<usize>)> {
        let idx = self.files.partition_point(|it| it.start <= span.start).checked_sub(1)?;
        let source = self.files.get(idx)?;
        let len = source.text.len();
        let start = (span.start - source.start) as usize;
        let end = (span.end.saturating_sub(source.start)) as usize;
        (start <= len).then(|| (source, start..end.clamp(start, len)))
    }

    /// The text that `span` covers; empty where it is nowhere.
    pub fn snippet(&self, span: Span) -> &str {
        self.locate(span).and_then(|(source, range)| source.text.get(range)).unwrap_or("")
    }

    /// The file name, line and column at which `span` starts.
    pub fn line_col(&self, span: Span) -> Option<(&str, LineCol)> {
        let (source, range) = self.locate(span)?;
        Some((&source.name, source.lines.line_col(&source.text, range.start as u32)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_finds_its_file() {
        let mut sources = Sources::new();
        sources.add("wolf.zrf", b"one\ntwo");
        sources.add("sheep.inc", b"three");
        let second = sources.get(FileId(1)).map(|it| it.start).unwrap_or_default();
        assert_eq!(sources.snippet(Span::new(4, 7)), "two");
        assert_eq!(sources.snippet(Span::new(second, second + 5)), "three");
        let (name, at) = sources.line_col(Span::new(5, 6)).expect("is in the first file");
        assert_eq!((name, at.line, at.column), ("wolf.zrf", 2, 2));
        assert_eq!(sources.snippet(Span::new(900, 901)), "");
    }
}
