//! Tokens to lists, with `include` done on the way.
//!
//! Includes are textual: a file may open a list that its includer closes. So
//! the reader keeps a stack of files and one stack of open lists over all of
//! them. Neither is the call stack: a million parentheses are just a long file.

use std::sync::Arc;

use boardwright_text::{Diagnostic, FileId, Sources, Span};

use crate::{
    Files,
    budget::Budget,
    errors,
    lex::{Lexer, Token},
    limits::CompileLimits,
    sink::Sink,
    symbol::{Interner, Symbol},
    tree::{NodeId, NodeKind, Tree},
    words::Kw,
};

/// Bytes that one node takes: itself, its place among children, and the open lists.
const NODE_BYTES: usize = 28;

/// What stands in no list.
const FORMS: &[&str] = &["define", "game", "variant"];

/// Sections of a game that are parts of nothing else.
const SECTIONS: &[&str] = &[
    "board",
    "board-setup",
    "count-condition",
    "draw-condition",
    "loss-condition",
    "move-priorities",
    "option",
    "piece",
    "turn-order",
    "win-condition",
];

/// Parts of a piece that are parts of nothing else.
const PARTS: &[&str] = &["attribute", "drops", "help", "moves", "notation"];

/// What the reader fills besides the tree, and what it may spend.
pub(crate) struct Tables<'a> {
    pub(crate) symbols: &'a mut Interner,
    pub(crate) sink: &'a mut Sink,
    pub(crate) budget: &'a mut Budget,
    pub(crate) limits: &'a CompileLimits,
}

/// Reads the file `main` of `sources`, and what it includes, into a tree.
pub(crate) fn read(
    sources: &mut Sources,
    main: FileId,
    files: &mut dyn Files,
    tables: Tables<'_>,
) -> Tree {
    let Tables { symbols, sink, budget, limits } = tables;
    let mut reader = Reader {
        tree: Tree::default(),
        pending: Vec::new(),
        open: Vec::new(),
        inputs: Vec::new(),
        n_includes: 0,
        stopped: false,
        runaway: None,
        sources,
        files,
        symbols,
        sink,
        budget,
        limits,
    };
    reader.enter(main, Span::default());
    reader.run();
    reader.tree
}

struct Reader<'a> {
    tree: Tree,
    /// Finished nodes whose list is still open, and those of the top level.
    pending: Vec<NodeId>,
    /// Open lists: the parenthesis, and where its nodes begin in `pending`.
    open: Vec<(Span, usize)>,
    /// The files being read, innermost last.
    inputs: Vec<Input>,
    n_includes: usize,
    stopped: bool,
    /// The first string that looks as if it lost its end.
    runaway: Option<Span>,
    sources: &'a mut Sources,
    files: &'a mut dyn Files,
    symbols: &'a mut Interner,
    sink: &'a mut Sink,
    budget: &'a mut Budget,
    limits: &'a CompileLimits,
}

struct Input {
    name: Arc<str>,
    /// The `include` that led here.
    wanted_by: Span,
    text: Arc<str>,
    start: u32,
    lexer: std::iter::Peekable<Lexer>,
}

impl Reader<'_> {
    fn enter(&mut self, file: FileId, wanted_by: Span) {
        let Some(source) = self.sources.get(file) else {
            return;
        };
        if looks_binary(&source.text) {
            let at = if wanted_by.is_empty() { source.span().head() } else { wanted_by };
            self.sink.push(errors::not_text(at, &source.name));
            self.stopped = true;
            return;
        }
        self.inputs.push(Input {
            name: Arc::clone(&source.name),
            wanted_by,
            text: Arc::clone(&source.text),
            start: source.start,
            lexer: Lexer::new(Arc::clone(&source.text), source.start).peekable(),
        });
    }

    fn run(&mut self) {
        let mut n_extra = 0;
        while let Some(input) = self.inputs.last_mut()
            && !self.stopped
        {
            match input.lexer.next() {
                None => {
                    self.inputs.pop();
                }
                Some(Token::Open(span)) => self.open_list(span),
                Some(Token::Close(span)) => {
                    if self.open.is_empty() {
                        n_extra += 1;
                        if n_extra == 1 {
                            self.sink.push(errors::extra_closer(span));
                        }
                    } else {
                        self.close_list(span);
                    }
                }
                Some(Token::Word(span)) => {
                    if (span.end - span.start) as usize > self.limits.word_bytes {
                        self.stop(errors::word_too_long(span, self.limits.word_bytes));
                        continue;
                    }
                    let Some(symbol) = self.intern(span, span) else { continue };
                    if self.open.is_empty() {
                        self.sink.push(errors::stray_text(span));
                    } else {
                        self.push(NodeKind::Word(symbol), span);
                    }
                }
                Some(Token::Text(span)) => {
                    self.note_runaway(span);
                    let inside = Span::new(span.start + 1, span.end - 1);
                    let Some(symbol) = self.intern(inside, span) else { continue };
                    if self.open.is_empty() {
                        self.sink.push(errors::stray_text(span));
                    } else {
                        self.push(NodeKind::Text(symbol), span);
                    }
                }
                Some(Token::Unclosed(span)) => {
                    self.sink.push(errors::unclosed_string(span, self.runaway));
                    self.stopped = true;
                }
            }
        }
        if !self.stopped {
            self.close_down_to(0, None);
        }
        let top = std::mem::take(&mut self.pending);
        // What is still open is dropped; an error has been given.
        let n_top = self.open.first().map_or(top.len(), |&(_, start)| start);
        self.tree.top = self.tree.push_children(top.into_iter().take(n_top));
    }

    /// Remembers a string in which a line begins with a parenthesis.
    fn note_runaway(&mut self, span: Span) {
        let Some(input) = self.inputs.last().filter(|_| self.runaway.is_none()) else {
            return;
        };
        let range = (span.start - input.start) as usize..(span.end - input.start) as usize;
        let mut lines = input.text.get(range).unwrap_or("").lines().skip(1);
        if lines.any(|it| it.trim_start().starts_with('(')) {
            self.runaway = Some(span.head());
        }
    }

    /// Says why reading ends here, and ends it.
    fn stop(&mut self, diagnostic: Diagnostic) {
        if !self.stopped {
            self.sink.push(diagnostic);
        }
        self.stopped = true;
    }

    /// The symbol of a word or of the inside of a string; `at` is all of it.
    fn intern(&mut self, inside: Span, at: Span) -> Option<Symbol> {
        let input = self.inputs.last()?;
        let range = (inside.start - input.start) as usize..(inside.end - input.start) as usize;
        let text = input.text.get(range).unwrap_or("");
        if let Some(symbol) = self.symbols.get(text) {
            return Some(symbol);
        }
        if let Err(shortage) = self.budget.take(Interner::bytes_of(text)) {
            self.stop(errors::shortage(at.head(), shortage, self.limits));
            return None;
        }
        Some(self.symbols.intern(text))
    }

    fn push(&mut self, kind: NodeKind, span: Span) {
        if self.tree.n_nodes() >= self.limits.nodes {
            self.stop(errors::too_many_nodes(span, self.limits.nodes));
            return;
        }
        if let Err(shortage) = self.budget.take(NODE_BYTES) {
            self.stop(errors::shortage(span.head(), shortage, self.limits));
            return;
        }
        let id = self.tree.push(kind, span);
        self.pending.push(id);
    }

    fn open_list(&mut self, span: Span) {
        // Whether a parenthesis was lost is judged by all lists that are open.
        if let Err(shortage) = self.budget.spend(1 + self.open.len() as u64 / 16) {
            self.stop(errors::shortage(span, shortage, self.limits));
            return;
        }
        if let Some(keep) = self.lost_its_closer(span) {
            self.close_down_to(keep, Some(span));
        }
        if self.open.len() >= self.limits.nesting {
            self.stop(errors::nested_too_deeply(span, self.limits.nesting));
            return;
        }
        self.open.push((span, self.pending.len()));
    }

    /// Whether the list that opens here cannot stand in those that are open, so
    /// that some of them lost a parenthesis; and how many are to stay open.
    ///
    /// `(define`, `(game` and `(variant` at the very start of a line stand in
    /// nothing, `(piece` and its like in no other section of a game, `(moves`
    /// and its like in no other part of a piece.
    fn lost_its_closer(&mut self, span: Span) -> Option<usize> {
        if self.open.is_empty() {
            return None;
        }
        let input = self.inputs.last_mut()?;
        let Some(Token::Word(word)) = input.lexer.peek() else {
            return None;
        };
        let range = (word.start - input.start) as usize..(word.end - input.start) as usize;
        let head = input.text.get(range)?;
        if FORMS.contains(&head) {
            let at = (span.start - input.start) as usize;
            let before = at.checked_sub(1).and_then(|it| input.text.as_bytes().get(it));
            return matches!(before, None | Some(b'\n' | b'\r')).then_some(0);
        }
        let level = [SECTIONS, PARTS].into_iter().find(|it| it.contains(&head))?;
        let n_nodes = |idx: usize| self.open.get(idx).map(|&(_, start)| start);
        (0..self.open.len()).find(|&idx| {
            let first = n_nodes(idx).and_then(|it| self.pending.get(it));
            // A list whose first node is the next list's is headed by that list.
            let is_own = n_nodes(idx) < n_nodes(idx + 1).or(Some(self.pending.len()));
            match first.filter(|_| is_own).map(|it| self.tree.node(*it).kind) {
                Some(NodeKind::Word(it)) => level.contains(&self.symbols.text(it)),
                _ => false,
            }
        })
    }

    fn close_list(&mut self, span: Span) {
        let Some((open, start)) = self.open.pop() else {
            return;
        };
        let start = start.min(self.pending.len());
        let whole = open.to(span);
        if let Some(path) = self.included(start, whole) {
            self.pending.truncate(start);
            if let Some(path) = path {
                self.include(&path, whole);
            }
            return;
        }
        let (first, end) = self.tree.push_children(self.pending.drain(start..));
        self.push(NodeKind::List(first, end), whole);
    }

    /// Whether the list just closed is an `include`; and the path, if it is well formed.
    fn included(&mut self, start: usize, span: Span) -> Option<Option<String>> {
        let items = self.pending.get(start..)?;
        let head = self.tree.node(*items.first()?);
        if head.kind != NodeKind::Word(Kw::Include.symbol()) {
            return None;
        }
        match items {
            [_, path] if let NodeKind::Text(path) = self.tree.node(*path).kind => {
                Some(Some(self.symbols.text(path).to_owned()))
            }
            _ => {
                self.sink.push(errors::malformed_include(span));
                Some(None)
            }
        }
    }

    fn include(&mut self, path: &str, span: Span) {
        let too_deep = self.inputs.len() > self.limits.include_depth;
        if too_deep || self.n_includes >= self.limits.includes {
            self.sink.push(if too_deep {
                errors::include_too_deep(span, self.limits)
            } else {
                errors::too_many_includes(span, self.limits)
            });
            self.stopped = true;
            return;
        }
        self.n_includes += 1;
        let from = self.inputs.last().map(|it| Arc::clone(&it.name));
        let included = match self.files.include(from.as_deref().unwrap_or(""), path) {
            Ok(included) => included,
            Err(error) => {
                self.sink.push(errors::include_failed(span, path, &error));
                return;
            }
        };
        if let Some(at) = self.inputs.iter().position(|it| *it.name == *included.name) {
            let way = self.inputs.iter().skip(at + 1).map(|it| (&*it.name, it.wanted_by));
            self.sink.push(errors::include_circle(span, &included.name, way));
            self.stopped = true;
            return;
        }
        let total: usize = self.sources.files().iter().map(|it| it.text.len()).sum();
        let too_large = included.bytes.len() > self.limits.file_bytes;
        if too_large || total + included.bytes.len() > self.limits.total_bytes {
            self.sink.push(if too_large {
                errors::file_too_large(span, &included.name, self.limits)
            } else {
                errors::files_too_large(span, &included.name, self.limits)
            });
            self.stopped = true;
            return;
        }
        if let Some(file) = self.sources.add(&included.name, &included.bytes) {
            self.enter(file, span);
        }
    }

    /// Closes all open lists but the outer `keep`, at the end of the text or
    /// before a list that cannot stand in them.
    fn close_down_to(&mut self, keep: usize, before: Option<Span>) {
        let (Some(&(outer, _)), Some(&(inner, _))) = (self.open.get(keep), self.open.last()) else {
            return;
        };
        let n_missing = self.open.len() - keep;
        self.sink.push(errors::missing_closers(n_missing, outer, inner, before));
        let end = before.unwrap_or_else(|| {
            let last = self.sources.files().first().map(|it| it.span().after());
            last.unwrap_or_default()
        });
        while self.open.len() > keep && !self.stopped {
            self.close_list(Span::new(end.start, end.start));
        }
    }
}

/// Whether a text holds too many control characters to be one.
fn looks_binary(text: &str) -> bool {
    let odd = |it: &u8| (*it < 9) || (14..26).contains(it) || (27..32).contains(it);
    let n_odd = text.as_bytes().iter().filter(|it| odd(it)).count();
    let n_lost = text.matches('\u{FFFD}').take(1000).count();
    n_odd + n_lost > 8 && (n_odd + n_lost) * 50 >= text.len().min(50_000)
}
