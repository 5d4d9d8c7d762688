//! Words and strings, each kept once and known by a number.

use std::rc::Rc;

use rustc_hash::FxHashMap;

/// A word or the text of a string: equal texts have equal symbols.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Symbol(pub u32);

impl Symbol {
    pub(crate) fn idx(self) -> usize {
        self.0 as usize
    }
}

/// All words of one compilation.
#[derive(Default)]
pub(crate) struct Interner {
    by_text: FxHashMap<Rc<str>, Symbol>,
    texts: Vec<Rc<str>>,
    /// Whether the text holds a macro argument such as `$1`.
    has_argument: Vec<bool>,
    /// For a text such as `not-empty?` the symbol of `empty?`, if that came earlier.
    negated: Vec<Option<Symbol>>,
}

impl Interner {
    /// The bytes that a new text takes: its own, and those of the tables.
    pub(crate) fn bytes_of(text: &str) -> usize {
        text.len() + 96
    }

    pub(crate) fn intern(&mut self, text: &str) -> Symbol {
        if let Some(&symbol) = self.by_text.get(text) {
            return symbol;
        }
        let symbol = Symbol(self.texts.len() as u32);
        let text: Rc<str> = text.into();
        self.has_argument.push(has_argument(&text));
        self.negated.push(text.strip_prefix("not-").and_then(|it| self.get(it)));
        self.texts.push(Rc::clone(&text));
        self.by_text.insert(text, symbol);
        symbol
    }

    /// How many different texts there are.
    pub(crate) fn len(&self) -> usize {
        self.texts.len()
    }

    pub(crate) fn text(&self, symbol: Symbol) -> &str {
        self.texts.get(symbol.idx()).map_or("", |it| it)
    }

    /// The same, owning it: for callers that intern while they read.
    pub(crate) fn shared_text(&self, symbol: Symbol) -> Rc<str> {
        self.texts.get(symbol.idx()).cloned().unwrap_or_else(|| "".into())
    }

    pub(crate) fn get(&self, text: &str) -> Option<Symbol> {
        self.by_text.get(text).copied()
    }

    /// What a word that begins with `not-` turns round, if that is a keyword.
    pub(crate) fn negated(&self, symbol: Symbol) -> Option<Symbol> {
        self.negated.get(symbol.idx()).copied().flatten()
    }

    #[inline]
    pub(crate) fn has_argument(&self, symbol: Symbol) -> bool {
        self.has_argument.get(symbol.idx()).copied().unwrap_or(false)
    }
}

fn has_argument(text: &str) -> bool {
    text.as_bytes().windows(2).any(|it| matches!(it, [b'$', digit] if digit.is_ascii_digit()))
}
