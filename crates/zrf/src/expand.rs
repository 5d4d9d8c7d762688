//! Macros, expanded as they are read.
//!
//! The expanded text is never built. An [`Item`] is a word, a string, or a list
//! *seen under an environment*: the arguments of the macro call it stands in.
//! [`Items`] walks a list, steps into macro calls where it meets them, and
//! substitutes arguments. A file that expands to three million nodes is thus walked
//! in the memory of its text, and every token knows the calls it came through.
//!
//! Invariant: every walk ends. Calls nest to a limit, and each item costs one step
//! of the [`Budget`]; when that is spent there is one message, and walks give nothing.

use std::{cell::Cell, num::IntErrorKind};

use boardwright_game::{TraceId, Traces};
use boardwright_text::{Diagnostic, Span};
use rustc_hash::FxHashMap;

mod calls;
mod items;
mod messages;

pub(crate) use items::Items;

use crate::{
    budget::Budget,
    errors,
    limits::CompileLimits,
    sink::Sink,
    symbol::{Interner, Symbol},
    texts::TextCache,
    tree::{NodeId, NodeKind, Tree},
    words::Kw,
};

/// The arguments in force: indexes [`Expander::envs`]. Number 0 has none.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct EnvId(u32);

impl EnvId {
    /// Outside any macro.
    pub(crate) const TOP: EnvId = EnvId(0);

    /// Its number, for use in a key.
    pub(crate) fn key(self) -> u32 {
        self.0
    }
}

#[derive(Clone, Copy)]
struct Env {
    /// A range of `Expander::arguments`.
    start: u32,
    end: u32,
    trace: TraceId,
    depth: u16,
}

/// A word, a string or a list of the expanded text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ItemKind {
    Word(Symbol),
    Text(Symbol),
    List(NodeId, EnvId),
    /// An argument that nobody supplied.
    Missing,
}

/// One element of the expanded text, and where it came from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item {
    pub(crate) kind: ItemKind,
    pub(crate) span: Span,
    pub(crate) trace: TraceId,
}

impl Item {
    pub(crate) fn word(&self) -> Option<Symbol> {
        match self.kind {
            ItemKind::Word(it) => Some(it),
            _ => None,
        }
    }

    /// The text of a word or string.
    pub(crate) fn symbol(&self) -> Option<Symbol> {
        match self.kind {
            ItemKind::Word(it) | ItemKind::Text(it) => Some(it),
            _ => None,
        }
    }

    pub(crate) fn is_list(&self) -> bool {
        matches!(self.kind, ItemKind::List(..))
    }

    /// Whether it is this keyword.
    pub(crate) fn is(&self, kw: Kw) -> bool {
        self.kind == ItemKind::Word(kw.symbol())
    }
}

struct Macro {
    /// A range of the tree's children.
    body: (u32, u32),
    /// Index in `Traces::macros`.
    idx: u32,
}

/// The tree of a file, its macros and all that walking them needs.
pub(crate) struct Expander {
    pub(crate) tree: Tree,
    pub(crate) symbols: Interner,
    pub(crate) traces: Traces,
    pub(crate) sink: Sink,
    /// The variant being compiled, if it is not a game.
    pub(crate) variant: Option<Span>,
    macros: Vec<Macro>,
    by_name: FxHashMap<Symbol, u32>,
    envs: Vec<Env>,
    arguments: Vec<Item>,
    pub(crate) budget: Budget,
    /// Bytes that pasting has produced.
    pasted: usize,
    /// Messages that may still search for a similar name.
    hints_left: Cell<u32>,
    /// Texts that variants show, each kept once.
    pub(crate) texts: TextCache,
    /// The last few pastes, so that a message can show the argument.
    pastes: [Paste; 8],
    n_pastes: usize,
    limits: CompileLimits,
}

/// A word or string of a body, and an argument that became part of it.
#[derive(Clone, Copy, Default)]
struct Paste {
    into: Span,
    trace: TraceId,
    argument: Span,
}

impl Expander {
    pub(crate) fn new(
        tree: Tree,
        symbols: Interner,
        sink: Sink,
        budget: Budget,
        limits: &CompileLimits,
    ) -> Expander {
        let top = Env { start: 0, end: 0, trace: TraceId::default(), depth: 0 };
        let mut expander = Expander {
            tree,
            symbols,
            traces: Traces::default(),
            sink,
            variant: None,
            macros: Vec::new(),
            by_name: FxHashMap::default(),
            envs: vec![top],
            arguments: Vec::new(),
            budget,
            pasted: 0,
            hints_left: Cell::new(messages::HINTS),
            texts: TextCache::default(),
            pastes: Default::default(),
            n_pastes: 0,
            limits: limits.clone(),
        };
        expander.collect_macros();
        expander
    }

    /// Finds the `define`s; they may stand before or after their use.
    fn collect_macros(&mut self) {
        let top = self.tree.range(self.tree.top).to_vec();
        for id in top {
            let node = self.tree.node(id);
            let NodeKind::List(start, end) = node.kind else {
                continue;
            };
            let is_define =
                |it: &NodeId| self.tree.node(*it).kind == NodeKind::Word(Kw::Define.symbol());
            if !self.tree.child(start).filter(|_| start < end).is_some_and(|it| is_define(&it)) {
                continue;
            }
            let name = self.tree.child(start + 1).filter(|_| start + 1 < end);
            let name = name.map(|it| self.tree.node(it));
            let Some(NodeKind::Word(symbol)) = name.map(|it| it.kind) else {
                self.sink.push(errors::define_without_name(node.span));
                continue;
            };
            let span = name.map_or(node.span, |it| it.span);
            let text = self.symbols.text(symbol).to_owned();
            if let Some(&old) = self.by_name.get(&symbol) {
                let old = self
                    .macros
                    .get(old as usize)
                    .and_then(|it| self.traces.macros.get(it.idx as usize).map(|&(_, span)| span));
                self.sink.push(errors::macro_defined_twice(span, &text, old.unwrap_or(span)));
            } else if Kw::of(symbol).is_some() {
                self.sink.push(errors::macro_shadows_keyword(span, &text));
            }
            // Which of two definitions the original takes is not known; we take the last.
            self.by_name.insert(symbol, self.macros.len() as u32);
            let idx = self.traces.macros.len() as u32;
            self.traces.macros.push((text, span));
            self.macros.push(Macro { body: (start + 2, end), idx });
        }
    }

    /// Whether a word is the name of a macro.
    pub(crate) fn is_macro(&self, symbol: Symbol) -> bool {
        self.by_name.contains_key(&symbol)
    }

    /// The names of all macros, for hints.
    pub(crate) fn macro_names(&self) -> impl Iterator<Item = &str> {
        self.traces.macros.iter().map(|(name, _)| name.as_str())
    }

    /// The top level of the file, `define`s included.
    pub(crate) fn top_level(&self) -> Items {
        Items::new(self.tree.top, EnvId::TOP, TraceId(0))
    }

    /// The items of a list, its head included; none if it is no list.
    pub(crate) fn items(&self, item: &Item) -> Items {
        match item.kind {
            ItemKind::List(node, env) => match self.tree.node(node).kind {
                NodeKind::List(start, end) => Items::new((start, end), env, self.env(env).trace),
                _ => Items::new((0, 0), env, TraceId(0)),
            },
            _ => Items::new((0, 0), EnvId::TOP, TraceId(0)),
        }
    }

    /// The items of a list behind its head.
    pub(crate) fn tail(&mut self, item: &Item) -> Items {
        let mut items = self.items(item);
        items.next(self);
        items
    }

    /// The word a list begins with.
    pub(crate) fn head(&mut self, item: &Item) -> Option<Symbol> {
        // The usual case: a plain word that is no macro call, since calls are not items.
        if let ItemKind::List(node, _) = item.kind
            && let NodeKind::List(start, end) = self.tree.node(node).kind
            && start < end
            && let Some(NodeKind::Word(symbol)) =
                self.tree.child(start).map(|it| self.tree.node(it).kind)
            && !self.symbols.has_argument(symbol)
        {
            return Some(symbol);
        }
        self.items(item).next(self)?.word()
    }

    /// The keyword a list begins with.
    pub(crate) fn head_kw(&mut self, item: &Item) -> Option<Kw> {
        self.head(item).and_then(Kw::of)
    }

    /// The whole number that an item is, if it is one; too large a one is an error.
    pub(crate) fn count(&self, item: &Item) -> Option<Result<u32, Diagnostic>> {
        let text = self.text(item.word()?);
        match text.parse() {
            Ok(n) => Some(Ok(n)),
            Err(error) if *error.kind() == IntErrorKind::PosOverflow => {
                Some(Err(errors::number_too_large(item.span, u32::MAX)))
            }
            Err(_) => None,
        }
    }

    /// The text of a word or string.
    pub(crate) fn text(&self, symbol: Symbol) -> &str {
        self.symbols.text(symbol)
    }

    pub(crate) fn limits(&self) -> &CompileLimits {
        &self.limits
    }
}
