//! Macros, expanded as they are read.
//!
//! An expansion is never built. An [`Item`] is a word, a string, or a list
//! *seen under an environment*: the arguments of the macro call it stands in.
//! [`Items`] walks a list, steps into macro calls where it meets them, and
//! looks arguments up. A file that expands to three million nodes is so walked
//! in the memory of its text, and every token knows the calls it came through.
//!
//! Invariant: every walk ends. Calls nest to a limit, and each item costs one
//! unit of fuel; running dry is one message, after which walks give nothing.

use std::num::IntErrorKind;

use boardwright_game::{TraceId, Traces};
use boardwright_text::{Diagnostic, Span};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::{
    errors,
    limits::CompileLimits,
    sink::Sink,
    symbol::{Interner, Symbol},
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

/// What an item is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ItemKind {
    Word(Symbol),
    Text(Symbol),
    List(NodeId, EnvId),
    /// An argument that nobody supplied.
    Missing,
}

/// A piece of expanded text.
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
    fuel: u64,
    pasted: usize,
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
            fuel: limits.expanded_nodes,
            pasted: 0,
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
            // DIFFERENCE: none known; which of two definitions wins is our choice: the last.
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

    pub(crate) fn text(&self, symbol: Symbol) -> &str {
        self.symbols.text(symbol)
    }

    /// Adds a message about an item, with the macro calls it came through; and
    /// the variant that inherited it, if it is wrong only there.
    ///
    /// Nothing is said once a limit was hit: what is missing since then was not read.
    pub(crate) fn report(&mut self, item: &Item, diagnostic: Diagnostic) {
        if self.is_broken() {
            return;
        }
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
        if self.sink.is_full_of_errors() {
            self.fuel = 0;
        }
    }

    pub(crate) fn limits(&self) -> &CompileLimits {
        &self.limits
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
        self.fuel == 0
    }

    /// Pays for work other than walking; `false` when nothing is left.
    pub(crate) fn spend(&mut self, units: u64, item: &Item) -> bool {
        if self.fuel == 0 {
            return false;
        }
        if self.fuel <= units {
            self.exhaust(item, errors::expansion_too_large(item.span, self.limits.expanded_nodes));
            return false;
        }
        self.fuel -= units;
        true
    }

    /// Reports and stops everything.
    pub(crate) fn exhaust(&mut self, item: &Item, diagnostic: Diagnostic) {
        self.report(item, diagnostic);
        self.fuel = 0;
    }

    fn env(&self, env: EnvId) -> Env {
        const TOP: Env = Env { start: 0, end: 0, trace: TraceId(0), depth: 0 };
        self.envs.get(env.0 as usize).copied().unwrap_or(TOP)
    }

    fn argument(&self, env: Env, number: usize) -> Option<Item> {
        let idx = (env.start as usize).checked_add(number.checked_sub(1)?)?;
        let found = self.arguments.get(idx).filter(|_| idx < env.end as usize)?;
        (found.kind != ItemKind::Missing).then_some(*found)
    }

    /// The macro that a list calls, if it is a call.
    #[inline]
    fn called(&mut self, (start, end): (u32, u32), env: EnvId) -> Option<u32> {
        let first = self.tree.child(start).filter(|_| start < end)?;
        let NodeKind::Word(mut symbol) = self.tree.node(first).kind else {
            return None;
        };
        if self.symbols.has_argument(symbol) {
            let env = self.env(env);
            let item = self.substitute(symbol, self.tree.node(first).span, env, false)?;
            symbol = item.word()?;
        }
        self.by_name.get(&symbol).copied()
    }

    /// The environment for the body of a call: its arguments, then the enclosing
    /// call's for those it does not supply.
    fn call(
        &mut self,
        node: NodeId,
        range: (u32, u32),
        env: EnvId,
        macro_idx: u32,
    ) -> Option<EnvId> {
        let outer = self.env(env);
        let span = self.tree.node(node).span;
        let target = self.macros.get(macro_idx as usize).map_or(0, |it| it.idx);
        if usize::from(outer.depth) >= self.limits.macro_depth {
            let name = self.traces.macros.get(target as usize).map_or("", |it| &it.0).to_owned();
            let item = Item { kind: ItemKind::Missing, span, trace: outer.trace };
            let chain = self.traces.chain(outer.trace);
            let between = chain.iter().position(|it| it.name == name);
            let error = match between {
                Some(n) => {
                    let way: Vec<_> =
                        chain.iter().take(n).map(|it| it.name.as_str()).rev().collect();
                    errors::macro_calls_itself(span, &name, &way)
                }
                None => errors::macro_too_deep(span, self.limits.macro_depth),
            };
            self.exhaust(&item, error);
            return None;
        }
        let start = self.arguments.len() as u32;
        for idx in range.0 + 1..range.1 {
            let Some(id) = self.tree.child(idx) else {
                break;
            };
            let node = self.tree.node(id);
            let kind = match node.kind {
                NodeKind::List(..) => ItemKind::List(id, env),
                NodeKind::Word(it) | NodeKind::Text(it) if self.symbols.has_argument(it) => {
                    let is_text = matches!(node.kind, NodeKind::Text(_));
                    let found = self.substitute(it, node.span, outer, is_text);
                    self.arguments.push(found.unwrap_or(Item {
                        kind: ItemKind::Missing,
                        span: node.span,
                        trace: outer.trace,
                    }));
                    continue;
                }
                NodeKind::Word(it) => ItemKind::Word(it),
                NodeKind::Text(it) => ItemKind::Text(it),
            };
            self.arguments.push(Item { kind, span: node.span, trace: outer.trace });
        }
        let n_given = self.arguments.len() as u32 - start;
        for idx in outer.start.saturating_add(n_given)..outer.end {
            if let Some(&inherited) = self.arguments.get(idx as usize) {
                self.arguments.push(inherited);
            }
        }
        let trace = self.traces.push(target, span, outer.trace);
        let end = self.arguments.len() as u32;
        // Arguments and calls take memory, so they cost more than a node.
        if self.fuel > 0 {
            self.fuel = self.fuel.saturating_sub(u64::from(end - start) * 2 + 4).max(1);
        }
        self.envs.push(Env { start, end, trace, depth: outer.depth + 1 });
        Some(EnvId(self.envs.len() as u32 - 1))
    }

    /// Forgets the environments made since `mark`, once nothing refers to them.
    pub(crate) fn forget(&mut self, mark: EnvMark) {
        self.envs.truncate(mark.0);
        self.arguments.truncate(mark.1);
    }

    /// A point to which [`Expander::forget`] can return.
    pub(crate) fn mark(&self) -> EnvMark {
        EnvMark(self.envs.len(), self.arguments.len())
    }

    /// A word or string with its arguments put in; `None` if nothing is left of it.
    fn substitute(&mut self, symbol: Symbol, span: Span, env: Env, is_text: bool) -> Option<Item> {
        let text = self.symbols.shared_text(symbol);
        let trace = env.trace;
        if env.depth == 0 && !is_text && !self.is_broken() {
            self.sink.push(errors::argument_outside_macro(span, &text));
        }
        if !is_text && let Some(number) = sole_argument(&text) {
            // The argument stands where the caller wrote it, and was used in here.
            return self.argument(env, number).map(|it| Item { trace, ..it });
        }
        if env.depth == 0 && is_text {
            // DIFFERENCE: outside any macro, "$5" in a string stays what it is; see
            // the suite's `dollar_outside_macro`.
            return Some(Item { kind: ItemKind::Text(symbol), span, trace });
        }
        let mut out = String::with_capacity(text.len() + 16);
        let mut rest = &*text;
        while let Some(at) = rest.find('$') {
            let (before, from) = rest.split_at(at);
            out.push_str(before);
            let digits =
                from.as_bytes().iter().skip(1).take_while(|it| it.is_ascii_digit()).count();
            if digits == 0 {
                out.push('$');
                rest = from.get(1..).unwrap_or("");
                continue;
            }
            let number = from.get(1..=digits).and_then(|it| it.parse().ok()).unwrap_or(usize::MAX);
            if let Some(argument) = self.argument(env, number) {
                self.paste(&argument, &mut out, span, trace);
                if let Some(it) = self.pastes.get_mut(self.n_pastes % 8) {
                    *it = Paste { into: span, trace, argument: argument.span };
                }
                self.n_pastes = self.n_pastes.wrapping_add(1);
            }
            rest = from.get(digits + 1..).unwrap_or("");
            if out.len() + self.pasted > self.limits.pasted_bytes {
                break;
            }
        }
        out.push_str(rest);
        self.pasted += out.len();
        if self.pasted > self.limits.pasted_bytes {
            let item = Item { kind: ItemKind::Missing, span, trace };
            self.exhaust(&item, errors::pasted_too_long(span, self.limits.pasted_bytes));
            return None;
        }
        if out.is_empty() && !is_text {
            return None;
        }
        let symbol = self.symbols.intern(&out);
        let kind = if is_text { ItemKind::Text(symbol) } else { ItemKind::Word(symbol) };
        Some(Item { kind, span, trace })
    }

    /// Appends an argument's text. A list has none, unless it is a call that
    /// expands to one word.
    fn paste(&mut self, argument: &Item, out: &mut String, span: Span, trace: TraceId) {
        match argument.kind {
            ItemKind::Word(it) | ItemKind::Text(it) => out.push_str(self.symbols.text(it)),
            ItemKind::Missing => {}
            ItemKind::List(node, env) => {
                let one = Items::single(node, env).collect(self, 2);
                match one.as_slice() {
                    [] => {}
                    [Item { kind: ItemKind::Word(it) | ItemKind::Text(it), .. }] => {
                        out.push_str(self.symbols.text(*it));
                    }
                    _ => {
                        let item = Item { kind: ItemKind::Missing, span, trace };
                        self.report(&item, errors::list_pasted(span, argument.span));
                    }
                }
            }
        }
    }
}

/// See [`Expander::mark`].
#[derive(Clone, Copy)]
pub(crate) struct EnvMark(usize, usize);

/// The number in a word that is nothing but `$12`.
fn sole_argument(text: &str) -> Option<usize> {
    let digits = text.strip_prefix('$')?;
    let all = !digits.is_empty() && digits.bytes().all(|it| it.is_ascii_digit());
    all.then(|| digits.parse().unwrap_or(usize::MAX))
}

/// The rest of a list, or of a macro's body.
#[derive(Clone, Copy)]
struct Frame {
    start: u32,
    end: u32,
    env: EnvId,
    /// The environment's, kept here since every item needs it.
    trace: TraceId,
}

/// A walk over the items of a list; not an iterator, since it needs the expander.
pub(crate) struct Items {
    /// What remains of the lists that the current one was reached through.
    frames: SmallVec<[Frame; 4]>,
    current: Frame,
    /// A node to give before anything else.
    first: Option<(NodeId, EnvId)>,
}

impl Items {
    fn new((start, end): (u32, u32), env: EnvId, trace: TraceId) -> Items {
        let current = Frame { start, end, env, trace };
        Items { frames: SmallVec::new(), current, first: None }
    }

    /// Walks one list as if it stood in a list by itself.
    fn single(node: NodeId, env: EnvId) -> Items {
        Items { first: Some((node, env)), ..Items::new((0, 0), env, TraceId(0)) }
    }

    /// The macro calls around the list.
    pub(crate) fn trace(&self) -> TraceId {
        self.current.trace
    }

    /// The next item. Macro calls are stepped into, so none is ever returned.
    pub(crate) fn next(&mut self, ctx: &mut Expander) -> Option<Item> {
        loop {
            let (node_id, env_id, trace) = if let Some((node, env)) = self.first.take() {
                (node, env, ctx.env(env).trace)
            } else {
                let Frame { start, end, env, trace } = self.current;
                if start >= end {
                    self.current = self.frames.pop()?;
                    continue;
                }
                self.current.start += 1;
                (ctx.tree.child(start)?, env, trace)
            };
            if ctx.fuel <= 1 {
                let node = ctx.tree.node(node_id);
                let trace = ctx.env(env_id).trace;
                let item = Item { kind: ItemKind::Missing, span: node.span, trace };
                let limit = ctx.limits.expanded_nodes;
                ctx.exhaust(&item, errors::expansion_too_large(node.span, limit));
                return None;
            }
            ctx.fuel -= 1;
            let node = ctx.tree.node(node_id);
            let kind = match node.kind {
                NodeKind::Word(it) | NodeKind::Text(it) if ctx.symbols.has_argument(it) => {
                    let is_text = matches!(node.kind, NodeKind::Text(_));
                    match ctx.substitute(it, node.span, ctx.env(env_id), is_text) {
                        None => continue,
                        Some(Item { kind: ItemKind::List(id, list_env), span, trace }) => {
                            match self.list(ctx, id, list_env) {
                                Some(kind) => return Some(Item { kind, span, trace }),
                                None => continue,
                            }
                        }
                        Some(item) => return Some(item),
                    }
                }
                NodeKind::Word(it) => ItemKind::Word(it),
                NodeKind::Text(it) => ItemKind::Text(it),
                NodeKind::List(..) => match self.list(ctx, node_id, env_id) {
                    Some(kind) => kind,
                    None => continue,
                },
            };
            return Some(Item { kind, span: node.span, trace });
        }
    }

    /// A list as an item; or, if it is a call, `None`, having stepped into the body.
    fn list(&mut self, ctx: &mut Expander, node: NodeId, env: EnvId) -> Option<ItemKind> {
        let NodeKind::List(start, end) = ctx.tree.node(node).kind else {
            return None;
        };
        let Some(macro_idx) = ctx.called((start, end), env) else {
            return Some(ItemKind::List(node, env));
        };
        let inner = ctx.call(node, (start, end), env, macro_idx)?;
        let body = ctx.macros.get(macro_idx as usize).map_or((0, 0), |it| it.body);
        if self.current.start < self.current.end {
            self.frames.push(self.current);
        }
        let trace = ctx.env(inner).trace;
        self.current = Frame { start: body.0, end: body.1, env: inner, trace };
        None
    }

    /// The rest as a list, at most `max` items.
    pub(crate) fn collect(mut self, ctx: &mut Expander, max: usize) -> Vec<Item> {
        let mut out = Vec::new();
        while out.len() < max
            && let Some(item) = self.next(ctx)
        {
            out.push(item);
        }
        out
    }

    /// All the rest as a list.
    pub(crate) fn rest(self, ctx: &mut Expander) -> Vec<Item> {
        self.collect(ctx, usize::MAX)
    }
}
