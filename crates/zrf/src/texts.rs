//! Texts that variants show, each made and kept once.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::{
    errors,
    expand::{Expander, Item},
    strings,
    symbol::Symbol,
};

/// What is done to a string before it is shown.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum TextForm {
    /// Nothing.
    Raw,
    /// Lines joined, `\` broken: see [`strings::display`].
    Display,
    /// One line, its `\` kept: see [`strings::help`].
    Help,
}

/// The texts made so far.
#[derive(Default)]
pub(crate) struct TextCache {
    made: FxHashMap<(Symbol, TextForm), Arc<str>>,
    /// Bytes of the texts of the variant in hand, each as often as it occurs.
    n_shown: usize,
}

impl Expander {
    /// Begins another variant, which may show texts of its own.
    pub(crate) fn begin_variant(&mut self) {
        self.budget.begin_variant();
        self.texts.n_shown = 0;
    }

    /// The text that a string shows in the variant in hand. A text that occurs in a
    /// thousand pieces is kept once; how often it occurs counts, for a page that lists
    /// the pieces holds it that often.
    pub(crate) fn shown_text(&mut self, symbol: Symbol, form: TextForm, item: &Item) -> Arc<str> {
        let text = match self.texts.made.get(&(symbol, form)) {
            Some(text) => Arc::clone(text),
            None => self.make_text(symbol, form, item),
        };
        self.texts.n_shown += text.len() + 16;
        let limit = self.limits().shown_bytes;
        if self.texts.n_shown > limit {
            self.exhaust(item, errors::too_much_text(item.span, limit));
        }
        if !self.take_for_variant(size_of::<Arc<str>>(), item) {
            return Arc::default();
        }
        text
    }

    fn make_text(&mut self, symbol: Symbol, form: TextForm, item: &Item) -> Arc<str> {
        let n_bytes = self.text(symbol).len();
        if !self.spend(n_bytes as u64 / 16, item) || !self.take(n_bytes + 64, item) {
            return Arc::default();
        }
        let raw = self.text(symbol);
        let text: Arc<str> = match form {
            TextForm::Raw => raw.into(),
            TextForm::Display => strings::display(raw).into(),
            TextForm::Help => strings::help(raw).into(),
        };
        self.texts.made.insert((symbol, form), Arc::clone(&text));
        text
    }
}
