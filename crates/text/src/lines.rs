//! Offsets to lines and columns, and back.

/// A line and a column, both counted from one; columns count characters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LineCol {
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
}

/// The start offset of every line of one text.
///
/// A line ends with `\n`, `\r\n` or a lone `\r`: rule files hold all three,
/// sometimes in one file.
#[derive(Clone, Debug)]
pub struct LineIndex {
    starts: Vec<u32>,
}

impl LineIndex {
    /// Finds the lines of `text`.
    pub fn new(text: &str) -> LineIndex {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        for (idx, &byte) in bytes.iter().enumerate() {
            let ends_line =
                byte == b'\n' || (byte == b'\r' && bytes.get(idx + 1).copied() != Some(b'\n'));
            if ends_line {
                starts.push(idx as u32 + 1);
            }
        }
        LineIndex { starts }
    }

    /// How many lines there are; an empty text has one.
    pub fn n_lines(&self) -> u32 {
        self.starts.len() as u32
    }

    /// The zero-based line that holds `offset`.
    pub fn line_of(&self, offset: u32) -> u32 {
        self.starts.partition_point(|&start| start <= offset) as u32 - 1
    }

    /// The offset at which the zero-based `line` starts; the last line's for any beyond.
    pub fn start_of(&self, line: u32) -> u32 {
        let last = self.starts.len() - 1;
        self.starts.get(line as usize).or(self.starts.get(last)).copied().unwrap_or(0)
    }

    /// The line and column of `offset` in `text`, which must be the indexed text.
    pub fn line_col(&self, text: &str, offset: u32) -> LineCol {
        let line = self.line_of(offset);
        let start = self.start_of(line) as usize;
        let column = text.get(start..offset as usize).map_or(0, |it| it.chars().count() as u32);
        LineCol { line: line + 1, column: column + 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_three_line_ends_count() {
        let text = "a\nbb\r\nc\rd";
        let lines = LineIndex::new(text);
        assert_eq!(lines.n_lines(), 4);
        assert_eq!(lines.line_col(text, 0), LineCol { line: 1, column: 1 });
        assert_eq!(lines.line_col(text, 3), LineCol { line: 2, column: 2 });
        assert_eq!(lines.line_col(text, 6), LineCol { line: 3, column: 1 });
        assert_eq!(lines.line_col(text, 8), LineCol { line: 4, column: 1 });
    }

    #[test]
    fn columns_count_characters() {
        let text = "äö)";
        let lines = LineIndex::new(text);
        assert_eq!(lines.line_col(text, 4).column, 3);
    }
}
