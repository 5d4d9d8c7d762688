//! The words of a state's text.

use std::borrow::Cow;

/// A word or a sign.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Word<'a> {
    /// A name, quoted or not.
    Name(Cow<'a, str>),
    /// `(`
    Open,
    /// `)`
    Close,
    /// `;`
    Stop,
}

fn is_plain(ch: char) -> bool {
    !ch.is_whitespace() && !matches!(ch, '(' | ')' | ';' | '"')
}

/// A name as it can be read back: in quotes where it must be.
pub(super) fn quoted(name: &str) -> Cow<'_, str> {
    if !name.is_empty() && name.chars().all(is_plain) {
        return Cow::Borrowed(name);
    }
    Cow::Owned(format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\"")))
}

/// The words of a text with their offsets; the offset of a quote that is not closed.
pub(super) fn words(text: &str) -> Result<Vec<(Word<'_>, usize)>, usize> {
    let mut words = Vec::new();
    let mut chars = text.char_indices().peekable();
    while let Some((start, ch)) = chars.next() {
        let word = match ch {
            _ if ch.is_whitespace() => continue,
            '(' => Word::Open,
            ')' => Word::Close,
            ';' => Word::Stop,
            '"' => {
                let mut name = String::new();
                loop {
                    match chars.next() {
                        Some((_, '"')) => break,
                        Some((_, '\\')) => name.extend(chars.next().map(|(_, ch)| ch)),
                        Some((_, ch)) => name.push(ch),
                        None => return Err(start),
                    }
                }
                Word::Name(Cow::Owned(name))
            }
            _ => {
                let mut end = start + ch.len_utf8();
                while let Some((at, ch)) = chars.next_if(|&(_, ch)| is_plain(ch)) {
                    end = at + ch.len_utf8();
                }
                Word::Name(Cow::Borrowed(&text[start..end]))
            }
        };
        words.push((word, start));
    }
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_survive_quoting() {
        for name in ["e4", "a b", "", "say \"hi\"", "back\\slash x", "1;2", "ü("] {
            let text = quoted(name);
            assert_eq!(words(&text), Ok(vec![(Word::Name(Cow::Borrowed(name)), 0)]), "{text}");
        }
        assert_eq!(words("a \"b"), Err(2));
    }
}
