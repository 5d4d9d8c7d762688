//! Text to statements, statements to tokens.
//!
//! A statement ends with `;`, or with the colon of a block's header. Line breaks
//! are blanks, except behind a lone word such as `endif`. Nothing here fails:
//! what is wrong is said, and the nearest reasonable statement is given.

use boardwright_text::{Diagnostic, Span};

use crate::{errors, words::Flow};

/// One statement.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Statement<'t> {
    pub(crate) tokens: Vec<Token<'t>>,
    /// From the first word to the last.
    pub(crate) span: Span,
    /// What follows the first word, as written, without comments.
    pub(crate) raw: Vec<(&'t str, u32)>,
}

/// One token, with its place.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Token<'t> {
    pub(crate) kind: TokenKind<'t>,
    pub(crate) span: Span,
}

/// What a token is.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum TokenKind<'t> {
    /// A word as it stands.
    Bare(&'t str),
    /// A text in quotes, without them.
    Quoted(&'t str),
    /// Tokens in parentheses.
    Array(Vec<Token<'t>>),
}

impl<'t> Statement<'t> {
    /// The word that the statement begins with, if it begins with one.
    pub(crate) fn head(&self) -> Option<&'t str> {
        self.tokens.first().and_then(Token::bare)
    }
}

impl<'t> Token<'t> {
    pub(crate) fn bare(&self) -> Option<&'t str> {
        match self.kind {
            TokenKind::Bare(it) => Some(it),
            _ => None,
        }
    }
}

/// Cuts `text`, which starts at offset `base`, into statements.
pub(crate) fn statements<'t>(
    text: &'t str,
    base: u32,
    nesting: usize,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Statement<'t>> {
    let mut lexer = Lexer { text, base, at: 0, nesting, diagnostics, from: 0 };
    let mut all = Vec::new();
    while lexer.at < text.len() {
        if let Some(statement) = lexer.statement() {
            all.push(statement);
        }
    }
    all
}

struct Lexer<'t, 'd> {
    text: &'t str,
    base: u32,
    /// The next byte.
    at: usize,
    /// Where the statement started.
    from: usize,
    nesting: usize,
    diagnostics: &'d mut Vec<Diagnostic>,
}

/// Why the tokens of a statement stopped.
enum ListEnd {
    End,
    Close,
}

impl<'t> Lexer<'t, '_> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.base + start as u32, self.base + end as u32)
    }

    /// Whether a comment starts here. `http://` starts none.
    ///
    /// DIFFERENCE: the original misreads one on the first line; see
    /// `a_comment_may_come_first`.
    fn at_comment(&self) -> bool {
        let before = self.text.get(..self.at).and_then(|it| it.chars().next_back());
        self.rest().starts_with("//") && before != Some(':')
    }

    fn skip_comment(&mut self) {
        let rest = self.rest();
        self.at += rest.find(['\n', '\r']).unwrap_or(rest.len());
    }

    /// Skips blanks and comments; tells whether a line ended among them.
    fn skip_blanks(&mut self) -> bool {
        let mut broke = false;
        while let Some(ch) = self.peek() {
            if ch.is_whitespace() {
                broke |= ch == '\n' || ch == '\r';
                self.at += ch.len_utf8();
            } else if self.at_comment() {
                self.skip_comment();
            } else {
                break;
            }
        }
        broke
    }

    fn statement(&mut self) -> Option<Statement<'t>> {
        self.skip_blanks();
        self.from = self.at;
        let mut tokens = Vec::new();
        let mut raw = Vec::new();
        loop {
            match self.tokens(&mut tokens, 0) {
                ListEnd::End => break,
                ListEnd::Close => {
                    let span = self.span(self.at, self.at + 1);
                    let head = tokens.first().and_then(Token::bare).and_then(Flow::named);
                    if !head.is_some_and(Flow::is_raw) {
                        self.diagnostics.push(errors::stray_close(span));
                    }
                    self.at += 1;
                }
            }
        }
        let head = tokens.first()?;
        if head.bare().and_then(Flow::named).is_some_and(Flow::is_raw) {
            raw = self.raw(head.span);
            tokens.truncate(1);
        }
        let last = tokens.last().map_or(Span::default(), |it| it.span);
        let mut span = tokens.first().map_or(last, |it| it.span.to(last));
        if let Some((text, start)) = raw.last() {
            span = span.to(Span::new(*start, start + text.len() as u32));
        }
        Some(Statement { tokens, span, raw })
    }

    /// Reads tokens up to the end of the statement or the closing parenthesis.
    fn tokens(&mut self, tokens: &mut Vec<Token<'t>>, depth: usize) -> ListEnd {
        loop {
            let broke = self.skip_blanks();
            let is_lone = depth == 0 && tokens.len() == 1;
            let head = tokens.first().and_then(Token::bare).and_then(Flow::named);
            if broke && is_lone && head.is_some_and(Flow::ends_with_line) {
                return ListEnd::End;
            }
            let start = self.at;
            match self.peek() {
                None => return ListEnd::End,
                Some(';') => {
                    if depth == 0 {
                        self.at += 1;
                    }
                    return ListEnd::End;
                }
                Some(')') => return ListEnd::Close,
                Some('(') => {
                    let array = self.array(depth, head.is_some_and(Flow::is_raw));
                    let span = self.span(start, self.at);
                    tokens.push(Token { kind: TokenKind::Array(array), span });
                }
                Some('"') => {
                    let kind = TokenKind::Quoted(self.quoted());
                    tokens.push(Token { kind, span: self.span(start, self.at) });
                }
                Some(_) => {
                    let word = self.word();
                    let opens = match tokens.first() {
                        Some(_) => head.is_some_and(Flow::opens),
                        None => {
                            word.strip_suffix(':').and_then(Flow::named).is_some_and(Flow::opens)
                        }
                    };
                    let ends = depth == 0 && opens && word.ends_with(':');
                    let word = if ends { word.strip_suffix(':').unwrap_or(word) } else { word };
                    if !word.is_empty() {
                        let span = self.span(start, start + word.len());
                        tokens.push(Token { kind: TokenKind::Bare(word), span });
                    }
                    if ends {
                        // A `;` behind the colon ends nothing more.
                        let at = self.at;
                        self.skip_blanks();
                        if self.peek() == Some(';') {
                            self.at += 1;
                        } else {
                            self.at = at;
                        }
                        return ListEnd::End;
                    }
                }
            }
        }
    }

    fn array(&mut self, depth: usize, is_raw: bool) -> Vec<Token<'t>> {
        let open = self.span(self.at, self.at + 1);
        self.at += 1;
        let mut members = Vec::new();
        if depth >= self.nesting {
            self.diagnostics.push(errors::too_deep(open));
            // What is inside is not read; the statement ends here.
            self.at += self.rest().find(';').unwrap_or(self.rest().len());
            return members;
        }
        match self.tokens(&mut members, depth + 1) {
            ListEnd::Close => self.at += 1,
            ListEnd::End if !is_raw => self.diagnostics.push(errors::unclosed_array(open)),
            ListEnd::End => {}
        }
        members
    }

    fn quoted(&mut self) -> &'t str {
        let open = self.span(self.at, self.at + 1);
        self.at += 1;
        let rest = self.rest();
        if let Some(len) = rest.find('"') {
            self.at += len + 1;
            return rest.get(..len).unwrap_or("");
        }
        self.diagnostics.push(errors::unclosed_quote(open));
        let len = rest.find(['\n', '\r']).unwrap_or(rest.len());
        self.at += len;
        rest.get(..len).unwrap_or("")
    }

    /// Everything up to a blank, a parenthesis or the end of the statement.
    fn word(&mut self) -> &'t str {
        let start = self.at;
        while let Some(ch) = self.peek() {
            let is_first = self.at == start;
            if ch.is_whitespace() || "();".contains(ch) || (!is_first && self.at_comment()) {
                break;
            }
            self.at += ch.len_utf8();
        }
        self.text.get(start..self.at).unwrap_or("")
    }

    /// What follows the head of the statement that was just read, in parts
    /// between comments.
    fn raw(&self, head: Span) -> Vec<(&'t str, u32)> {
        let start = (head.end - self.base) as usize;
        let mut end = self.at;
        if self.text.get(..end).is_some_and(|it| it.ends_with(';')) {
            end -= 1;
        }
        let mut scan = Lexer { at: start, diagnostics: &mut Vec::new(), ..*self };
        let mut parts = Vec::new();
        let mut from = start;
        while scan.at < end {
            let after_blank =
                self.text.get(..scan.at).is_some_and(|it| it.ends_with(char::is_whitespace));
            if scan.at_comment() {
                parts.push((from, scan.at));
                scan.skip_comment();
                from = scan.at.min(end);
            } else if after_blank && scan.peek() == Some('"') {
                scan.quoted();
            } else {
                scan.at += scan.peek().map_or(1, char::len_utf8);
            }
        }
        parts.push((from, end));
        let parts = parts.into_iter().filter_map(|(from, to)| {
            Some((self.text.get(from..to)?, self.base + from as u32)).filter(|it| !it.0.is_empty())
        });
        parts.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(token: &Token<'_>) -> String {
        match &token.kind {
            TokenKind::Bare(it) => (*it).to_owned(),
            TokenKind::Quoted(it) => format!("'{it}'"),
            TokenKind::Array(it) => {
                format!("[{}]", it.iter().map(show).collect::<Vec<_>>().join(" "))
            }
        }
    }

    /// Statements, one a line, and how many complaints.
    fn cut(text: &str) -> (Vec<String>, usize) {
        let mut diagnostics = Vec::new();
        let all = statements(text, 0, 20, &mut diagnostics);
        let lines = all.iter().map(|it| {
            let words: Vec<_> = it.tokens.iter().map(show).collect();
            let raw: String = it.raw.iter().map(|it| it.0).collect();
            if raw.is_empty() { words.join(" ") } else { format!("{}|{raw}", words.join(" ")) }
        });
        (lines.collect(), diagnostics.len())
    }

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let (lines, n_complaints) = cut(text);
        assert_eq!(lines, expected);
        assert_eq!(n_complaints, 0);
    }

    #[test]
    fn statements_end_with_a_semicolon_or_a_colon() {
        check(
            "set a 5; if == #a 5: echo yes; endif;",
            &["set a 5", "if == #a 5", "echo yes", "endif"],
        );
        check("for v (a b): echo #v; next", &["for v [a b]", "echo #v", "next"]);
        check("else: if x: y; endif; else:;z", &["else", "if x", "y", "endif", "else", "z"]);
        check("echo a: b;", &["echo a: b"]);
    }

    #[test]
    fn lines_join_but_lone_words_stand() {
        check("set a\n 5;\nendif\nendsub\nset b 6", &["set a 5", "endif", "endsub", "set b 6"]);
        check("loop\nloop while x;", &["loop", "loop while x"]);
    }

    #[test]
    fn quotes_and_comments() {
        check("// first\nset a \"x; // y\"; // end;\nset b 2", &["set a 'x; // y'", "set b 2"]);
        check("set u http://pond;", &["set u http://pond"]);
        check("set q a\"b c\";", &["set q a\"b c\""]);
    }

    #[test]
    fn messages_keep_their_text() {
        check("say Mate (in two) :) // hm\n now;", &["say| Mate (in two) :) \n now"]);
        check("say \"Mate; in two\";", &["say| \"Mate; in two\""]);
    }

    #[test]
    fn what_is_wrong_is_said() {
        assert_eq!(cut("set a (b; c").1, 1);
        assert_eq!(cut("set a b); c").1, 1);
        assert_eq!(cut("set a \"b\n c;").1, 1);
        assert_eq!(cut(&"(".repeat(50)).1, 1 + 20);
    }
}
