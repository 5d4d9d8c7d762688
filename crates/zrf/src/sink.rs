//! Where messages are gathered.

use boardwright_text::{Code, Diagnostic, Span};
use rustc_hash::FxHashSet;

/// Messages, each once, up to a limit.
#[derive(Default)]
pub(crate) struct Sink {
    list: Vec<Diagnostic>,
    seen: FxHashSet<(Code, Span, String)>,
    limit: usize,
    n_errors: usize,
    n_tried: usize,
    n_left_out: usize,
}

impl Sink {
    pub(crate) fn new(limit: usize) -> Sink {
        Sink { limit, ..Sink::default() }
    }

    /// Whether a message was given before; if so it is counted, and not added again.
    pub(crate) fn repeats(&mut self, diagnostic: &Diagnostic) -> bool {
        let key = (diagnostic.code, diagnostic.span, diagnostic.message.clone());
        let is_repeated = self.seen.contains(&key);
        self.n_tried += usize::from(is_repeated && diagnostic.is_error());
        is_repeated
    }

    /// Adds a message, unless it was given before: a macro used fifty times is
    /// wrong once, and so is a piece that fifty variants inherit.
    pub(crate) fn push(&mut self, diagnostic: Diagnostic) {
        self.n_tried += usize::from(diagnostic.is_error());
        let key = (diagnostic.code, diagnostic.span, diagnostic.message.clone());
        // Among too many to remember each, one may be counted twice.
        let remembers = self.seen.len() < self.limit * 4;
        if remembers && !self.seen.insert(key) {
            return;
        }
        self.n_errors += usize::from(diagnostic.is_error());
        if self.list.len() < self.limit || (diagnostic.is_error() && self.n_errors == 1) {
            self.list.push(diagnostic);
        } else {
            self.n_left_out += 1;
        }
    }

    pub(crate) fn has_errors(&self) -> bool {
        self.n_errors > 0
    }

    /// Whether no further error would be kept, so that looking for more is idle.
    pub(crate) fn is_full_of_errors(&self) -> bool {
        self.n_errors > self.limit
    }

    /// Errors found, those given before included: whether something that is
    /// looked at a second time is wrong.
    pub(crate) fn n_tried(&self) -> usize {
        self.n_tried
    }

    /// The messages in the order of the text.
    pub(crate) fn sorted(&self) -> Vec<Diagnostic> {
        let mut list = self.list.clone();
        list.sort_by_key(|it| (it.span.start, it.code));
        list
    }

    pub(crate) fn n_left_out(&self) -> usize {
        self.n_left_out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_behind_a_thousand_warnings_is_kept() {
        let mut sink = Sink::new(5);
        for at in 0..1000 {
            sink.push(Diagnostic::warning(Code("Z0008"), Span::new(at, at + 1), "stray"));
        }
        assert!(!sink.has_errors());
        sink.push(Diagnostic::error(Code("Z0030"), Span::new(0, 1), "no game"));
        assert!(sink.has_errors());
        assert_eq!(sink.sorted().len(), 6);
        assert_eq!(sink.n_left_out(), 995);
    }
}
