//! Macro calls: their environments, and arguments put into words and strings.

use boardwright_game::TraceId;
use boardwright_text::Span;

use super::{Env, EnvId, Expander, Item, ItemKind, Items, Paste};
use crate::{
    errors,
    symbol::{Interner, Symbol},
    tree::{NodeId, NodeKind},
};

/// Bytes that one argument of a call takes.
const ARGUMENT_BYTES: usize = size_of::<Item>();

/// Bytes that a call takes besides its arguments, and those of its trace.
const CALL_BYTES: usize = size_of::<Env>();
const TRACE_BYTES: usize = 24;

impl Expander {
    pub(super) fn env(&self, env: EnvId) -> Env {
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
    pub(super) fn called(&mut self, (start, end): (u32, u32), env: EnvId) -> Option<u32> {
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
    pub(super) fn call(
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
        let n_arguments = (end - start) as usize;
        let item = Item { kind: ItemKind::Missing, span, trace: outer.trace };
        let bytes = n_arguments * ARGUMENT_BYTES + CALL_BYTES + TRACE_BYTES;
        if !self.spend(n_arguments as u64 + 4, &item) || !self.take(bytes, &item) {
            return None;
        }
        self.envs.push(Env { start, end, trace, depth: outer.depth + 1 });
        Some(EnvId(self.envs.len() as u32 - 1))
    }

    /// Forgets the environments made since `mark`, once nothing refers to them.
    pub(crate) fn forget(&mut self, mark: EnvMark) {
        let n_calls = self.envs.len().saturating_sub(mark.0);
        let n_arguments = self.arguments.len().saturating_sub(mark.1);
        self.budget.give_back(n_calls * CALL_BYTES + n_arguments * ARGUMENT_BYTES);
        self.envs.truncate(mark.0);
        self.arguments.truncate(mark.1);
    }

    /// A point to which [`Expander::forget`] can return.
    pub(crate) fn mark(&self) -> EnvMark {
        EnvMark(self.envs.len(), self.arguments.len())
    }

    /// A word or string with its arguments put in; `None` if nothing is left of it.
    pub(super) fn substitute(
        &mut self,
        symbol: Symbol,
        span: Span,
        env: Env,
        is_text: bool,
    ) -> Option<Item> {
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
        if !self.spend(out.len() as u64 / 64, &Item { kind: ItemKind::Missing, span, trace }) {
            return None;
        }
        if out.is_empty() && !is_text {
            return None;
        }
        let item = Item { kind: ItemKind::Missing, span, trace };
        if !is_text && out.len() > self.limits.word_bytes {
            self.exhaust(&item, errors::word_too_long(span, self.limits.word_bytes));
            return None;
        }
        let symbol = self.intern(&out, &item)?;
        let kind = if is_text { ItemKind::Text(symbol) } else { ItemKind::Word(symbol) };
        Some(Item { kind, span, trace })
    }

    /// The symbol of a text that the compilation made; `None` if there is no room for it.
    pub(crate) fn intern(&mut self, text: &str, item: &Item) -> Option<Symbol> {
        if let Some(symbol) = self.symbols.get(text) {
            return Some(symbol);
        }
        self.take(Interner::bytes_of(text), item).then(|| self.symbols.intern(text))
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
