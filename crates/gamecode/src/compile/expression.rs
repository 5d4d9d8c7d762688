//! Words of expressions and argument lists.

use std::sync::Arc;

use boardwright_text::Span;

use super::{Compiler, Use};
use crate::{
    code::{Code, Item},
    lex::{Token, TokenKind},
    names::Number,
    value::{Atom, AtomKind, Value},
    words::{Keyword, Op},
};

impl Compiler<'_> {
    /// An expression, last word first.
    pub(crate) fn expression(&mut self, tokens: &[Token<'_>]) -> Code {
        self.note_uses(tokens);
        let items = tokens.iter().rev().map(|it| self.item(it, true)).collect();
        Code::new(items, tokens.iter().rev().map(|it| it.span).collect())
    }

    /// Remembers the names that `fn`, `sub` and `system` are followed by.
    fn note_uses(&mut self, tokens: &[Token<'_>]) {
        for pair in tokens.windows(2) {
            let [Token { kind: TokenKind::Bare(operator), .. }, name] = pair else { continue };
            let used_as = match *operator {
                "fn" => Use::Function,
                "sub" => Use::Subroutine,
                "system" => Use::System,
                _ => continue,
            };
            self.note_use(used_as, name);
        }
    }

    /// Remembers a name that is used outright, not through a variable.
    pub(crate) fn note_use(&mut self, used_as: Use, name: &Token<'_>) {
        let (TokenKind::Bare(word) | TokenKind::Quoted(word)) = name.kind else { return };
        let is_bare = matches!(name.kind, TokenKind::Bare(_));
        let is_computed = is_bare
            && (word.starts_with(['#', '?', '='])
                || Op::named(word).is_some()
                || (Keyword::named(word).is_some() && used_as != Use::System));
        if !is_computed {
            let sym = self.names.intern(word);
            self.uses.push((used_as, sym, name.span));
        }
    }

    /// Arguments as they stand, first word first.
    pub(crate) fn arguments(&mut self, tokens: &[Token<'_>]) -> Code {
        let items = tokens.iter().map(|it| self.item(it, false)).collect();
        Code::new(items, tokens.iter().map(|it| it.span).collect())
    }

    /// The name that a setter sets: a word, or what a variable holds.
    pub(crate) fn name(&mut self, token: &Token<'_>) -> Item {
        match token.kind {
            TokenKind::Bare(word) if word.len() > 1 && word.starts_with('#') => {
                self.item(token, false)
            }
            TokenKind::Bare(word) | TokenKind::Quoted(word) => {
                Item::Value(Value::Text(self.names.intern(word.trim_end_matches(','))))
            }
            TokenKind::Array(_) => self.item(token, false),
        }
    }

    pub(crate) fn item(&mut self, token: &Token<'_>, is_expression: bool) -> Item {
        match &token.kind {
            TokenKind::Quoted(text) => Item::Value(Value::Text(self.names.intern(text))),
            TokenKind::Array(members) => Item::List(Arc::new(self.expression(members))),
            TokenKind::Bare(word) => self.word(word, token.span, is_expression),
        }
    }

    fn word(&mut self, word: &str, span: Span, is_expression: bool) -> Item {
        let text = self.names.intern(word);
        let atom = |kind| Item::Atom(Atom { text, kind });
        if let Some(name) = word.strip_prefix('#').filter(|it| !it.is_empty()) {
            return match name.parse::<u16>() {
                Ok(slot) if slot < 1000 => atom(AtomKind::Slot(slot)),
                _ => atom(AtomKind::Var(self.names.intern(name))),
            };
        }
        if let Some(name) = word.strip_prefix('?').filter(|it| !it.is_empty()) {
            return Item::Flag(self.names.intern(name));
        }
        if let Some(keyword) = Keyword::named(word) {
            return Item::Keyword(keyword);
        }
        match word {
            "true" => return Item::Value(Value::Bool(true)),
            "false" => return Item::Value(Value::Bool(false)),
            "null" | "nil" => return Item::Value(Value::Null),
            _ => {}
        }
        if is_expression {
            if let Some(op) = Op::named(word) {
                return atom(AtomKind::Op(op));
            }
            let param = word.strip_prefix('=').filter(|it| !it.is_empty() && !it.starts_with('='));
            if let Some(name) = param {
                return atom(AtomKind::Param(self.names.intern(name)));
            }
            if word.len() > 5 && word.bytes().all(|it| it.is_ascii_lowercase()) {
                self.odd_words.push((text, span));
            }
        }
        Item::Value(self.constant(word))
    }

    /// A number if the word is one and would be printed the same, else text.
    pub(crate) fn constant(&mut self, word: &str) -> Value {
        let number = Number::read(word).map(|it| match it {
            Number::Int(it) => Value::Int(it),
            Number::Float(it) => Value::Float(it),
        });
        match number.filter(|it| it.text(&self.names) == word) {
            Some(number) => number,
            None => Value::Text(self.names.intern(word)),
        }
    }
}
