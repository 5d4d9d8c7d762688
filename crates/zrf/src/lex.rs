//! Text to tokens.
//!
//! There are four: `(`, `)`, strings, and everything else up to white space, a
//! parenthesis, a quotation mark or a comment, which is a word. Numbers are
//! words until something expects a number: `1a`, `5` and `1-2` are names of
//! sites in published files.

use std::sync::Arc;

use boardwright_text::Span;

/// One token; its text is the span's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Token {
    Open(Span),
    Close(Span),
    Word(Span),
    /// The span includes the quotation marks.
    Text(Span),
    /// A string that the file ends in.
    Unclosed(Span),
}

/// Reads tokens off one text.
pub(crate) struct Lexer {
    text: Arc<str>,
    at: usize,
    /// Offset of the text in its collection.
    base: u32,
}

impl Lexer {
    pub(crate) fn new(text: Arc<str>, base: u32) -> Lexer {
        Lexer { text, at: 0, base }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn span_from(&self, start: usize) -> Span {
        Span::new(self.base + start as u32, self.base + self.at as u32)
    }

    /// Moves behind the next byte that `stop` accepts, or to that byte.
    fn skip_to(&mut self, stop: impl Fn(u8) -> bool) {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        self.at += rest.iter().position(|&it| stop(it)).unwrap_or(rest.len());
    }
}

impl Iterator for Lexer {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        loop {
            self.skip_to(|it| !is_space(it));
            if self.peek()? != b';' {
                break;
            }
            self.skip_to(|it| it == b'\n' || it == b'\r');
        }
        let start = self.at;
        match self.peek()? {
            b'(' => {
                self.at += 1;
                Some(Token::Open(self.span_from(start)))
            }
            b')' => {
                self.at += 1;
                Some(Token::Close(self.span_from(start)))
            }
            b'"' => {
                self.at += 1;
                self.skip_to(|it| it == b'"');
                if self.peek().is_none() {
                    return Some(Token::Unclosed(self.span_from(start)));
                }
                self.at += 1;
                Some(Token::Text(self.span_from(start)))
            }
            _ => {
                self.skip_to(|it| is_space(it) || matches!(it, b'(' | b')' | b'"' | b';'));
                Some(Token::Word(self.span_from(start)))
            }
        }
    }
}

/// White space; old editors also left `^Z` at the end of a file, and some NUL.
fn is_space(byte: u8) -> bool {
    byte <= b' ' || byte == 0x7F
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expect: &[&str]) {
        let found: Vec<_> = Lexer::new(text.into(), 0)
            .map(|token| {
                let (Token::Open(it) | Token::Close(it) | Token::Word(it)) = token else {
                    let (Token::Text(it) | Token::Unclosed(it)) = token else { unreachable!() };
                    return &text[it.start as usize..it.end as usize];
                };
                &text[it.start as usize..it.end as usize]
            })
            .collect();
        assert_eq!(found, expect);
    }

    #[test]
    fn tokens() {
        check("(a b-1)", &["(", "a", "b-1", ")"]);
        check("a;b (\"\nc", &["a", "c"]);
        check("a;b\rc", &["a", "c"]);
        check("x\"s ; (\n\"y", &["x", "\"s ; (\n\"", "y"]);
        check("19S $1-8 ?Dice\u{1a}", &["19S", "$1-8", "?Dice"]);
        check("(a \"b)", &["(", "a", "\"b)"]);
        check("größe)", &["größe", ")"]);
    }
}
