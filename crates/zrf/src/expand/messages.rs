//! Messages about items, and the end of the budget.

use boardwright_text::Diagnostic;

use super::{Expander, Item};
use crate::{
    budget::{Budget, Shortage},
    errors,
    symbol::Symbol,
};

/// Messages that may search for a similar name: comparing names takes time.
pub(super) const HINTS: u32 = 300;

/// Names that one such search compares.
const CANDIDATES: usize = 4096;

/// Steps that one message costs, for the text that is made.
const MESSAGE_STEPS: u64 = 10;

/// The most characters of a name that a message shows.
const SHOWN_CHARS: usize = 200;

impl Expander {
    /// Adds a message about an item, with the macro calls it came through; and
    /// the variant that inherited it, if it is wrong only there.
    ///
    /// Nothing is said once a limit was hit: what is missing since then was not read.
    pub(crate) fn report(&mut self, item: &Item, diagnostic: Diagnostic) {
        if self.is_broken() || !self.spend(MESSAGE_STEPS, item) || self.sink.repeats(&diagnostic) {
            return;
        }
        self.push_traced(item, diagnostic);
        if self.sink.is_full_of_errors() {
            self.budget.end();
        }
    }

    fn push_traced(&mut self, item: &Item, diagnostic: Diagnostic) {
        let chain = self.traces.chain(item.trace);
        let written = chain.last().map_or(diagnostic.span, |it| it.call);
        let inherited_by =
            self.variant.filter(|it| written.start < it.start || it.end <= written.start);
        let diagnostic = self.with_pastes(item, diagnostic);
        let diagnostic = match inherited_by {
            Some(variant) => diagnostic.label(variant.head(), "in this variant, which inherits it"),
            None => diagnostic,
        };
        self.sink.push(diagnostic.trace(chain));
    }

    /// Labels the arguments that were pasted into an item. Only the last few are
    /// known: an item is judged soon after it was read.
    fn with_pastes(&self, item: &Item, mut diagnostic: Diagnostic) -> Diagnostic {
        let at = diagnostic.span;
        for paste in self.pastes.iter().take(self.n_pastes) {
            if (paste.into, paste.into, paste.trace) == (at, item.span, item.trace)
                && diagnostic.labels.iter().all(|it| it.span != paste.argument)
            {
                diagnostic = diagnostic.label(paste.argument, "with this argument");
            }
        }
        diagnostic
    }

    /// Whether a limit was hit; nothing more will be read.
    pub(crate) fn is_broken(&self) -> bool {
        self.budget.is_over()
    }

    /// Spends steps on work other than walking; `false` when nothing is left.
    pub(crate) fn spend(&mut self, steps: u64, item: &Item) -> bool {
        self.settle(|it| it.spend(steps), item)
    }

    /// Takes bytes for as long as the compilation lasts; `false` when nothing is left.
    pub(crate) fn take(&mut self, bytes: usize, item: &Item) -> bool {
        self.settle(|it| it.take(bytes), item)
    }

    /// Takes bytes until the next variant is compiled; `false` when nothing is left.
    pub(crate) fn take_for_variant(&mut self, bytes: usize, item: &Item) -> bool {
        self.settle(|it| it.take_for_variant(bytes), item)
    }

    fn settle(
        &mut self,
        pay: impl FnOnce(&mut Budget) -> Result<(), Shortage>,
        item: &Item,
    ) -> bool {
        if self.is_broken() {
            return false;
        }
        match pay(&mut self.budget) {
            Ok(()) => true,
            Err(shortage) => {
                self.run_out(shortage, item);
                false
            }
        }
    }

    /// Says what ran out, and stops everything.
    pub(super) fn run_out(&mut self, shortage: Shortage, item: &Item) {
        self.exhaust(item, errors::shortage(item.span, shortage, &self.limits));
    }

    /// Reports and stops everything.
    pub(crate) fn exhaust(&mut self, item: &Item, diagnostic: Diagnostic) {
        if !self.is_broken() {
            self.push_traced(item, diagnostic);
            self.budget.end();
        }
    }

    /// The names to search for a similar one; none once many messages have searched.
    pub(crate) fn candidates<I: IntoIterator>(&self, known: I) -> std::iter::Take<I::IntoIter> {
        let left = self.hints_left.get();
        self.hints_left.set(left.saturating_sub(1));
        known.into_iter().take(if left > 0 { CANDIDATES } else { 0 })
    }

    /// A name as messages show it: the beginning of a very long one.
    pub(crate) fn shown(&self, symbol: Symbol) -> String {
        let text = self.text(symbol);
        match text.char_indices().nth(SHOWN_CHARS) {
            Some((end, _)) => format!("{}…", text.get(..end).unwrap_or("")),
            None => text.to_owned(),
        }
    }

    /// Whether a name is short enough to be one; if not it is an error.
    pub(crate) fn is_short(&mut self, symbol: Symbol, item: &Item, what: &str) -> bool {
        let limit = self.limits.name_chars;
        let is_short = self.text(symbol).chars().nth(limit).is_none();
        if !is_short {
            self.report(item, errors::name_too_long(item.span, what, limit));
        }
        is_short
    }
}
