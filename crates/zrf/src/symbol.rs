//! Words, each kept once.

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
}

impl Interner {
    pub(crate) fn intern(&mut self, text: &str) -> Symbol {
        if let Some(&symbol) = self.by_text.get(text) {
            return symbol;
        }
        let symbol = Symbol(self.texts.len() as u32);
        let text: Rc<str> = text.into();
        self.has_argument.push(has_argument(&text));
        self.texts.push(Rc::clone(&text));
        self.by_text.insert(text, symbol);
        symbol
    }

    pub(crate) fn text(&self, symbol: Symbol) -> &str {
        self.texts.get(symbol.idx()).map_or("", |it| it)
    }

    /// The same, owning it: for callers that intern while they read.
    pub(crate) fn shared_text(&self, symbol: Symbol) -> Rc<str> {
        self.texts
            .get(symbol.idx())
            .cloned()
            .unwrap_or_else(|| "".into())
    }

    pub(crate) fn get(&self, text: &str) -> Option<Symbol> {
        self.by_text.get(text).copied()
    }

    #[inline]
    pub(crate) fn has_argument(&self, symbol: Symbol) -> bool {
        self.has_argument
            .get(symbol.idx())
            .copied()
            .unwrap_or(false)
    }
}

fn has_argument(text: &str) -> bool {
    text.as_bytes()
        .windows(2)
        .any(|it| matches!(it, [b'$', digit] if digit.is_ascii_digit()))
}
