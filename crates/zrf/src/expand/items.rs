//! The walk over the items of a list, macros expanded.

use boardwright_game::TraceId;
use smallvec::SmallVec;

use super::{EnvId, Expander, Item, ItemKind};
use crate::tree::{NodeId, NodeKind};

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
    pub(super) fn new((start, end): (u32, u32), env: EnvId, trace: TraceId) -> Items {
        let current = Frame { start, end, env, trace };
        Items { frames: SmallVec::new(), current, first: None }
    }

    /// Walks one list as if it stood in a list by itself.
    pub(super) fn single(node: NodeId, env: EnvId) -> Items {
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
            if !ctx.budget.step() {
                if ctx.is_broken() {
                    return None;
                }
                if let Err(shortage) = ctx.budget.spend(1) {
                    let span = ctx.tree.node(node_id).span;
                    let item = Item { kind: ItemKind::Missing, span, trace };
                    ctx.run_out(shortage, &item);
                    return None;
                }
            }
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
    pub(crate) fn rest(mut self, ctx: &mut Expander) -> Vec<Item> {
        let mut out = Vec::new();
        while let Some(item) = self.next(ctx) {
            if !ctx.take_for_variant(size_of::<Item>(), &item) {
                break;
            }
            out.push(item);
        }
        out
    }
}
