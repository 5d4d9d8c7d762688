//! The text as lists of lists, before any macro is expanded.

use boardwright_text::Span;

use crate::symbol::Symbol;

/// Which node of a [`Tree`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct NodeId(pub u32);

/// What a node is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NodeKind {
    Word(Symbol),
    /// A string, without its quotation marks.
    Text(Symbol),
    /// A list: a range of [`Tree::children`].
    List(u32, u32),
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) kind: NodeKind,
    pub(crate) span: Span,
}

/// Every node of the rule file and its includes.
#[derive(Default)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
    children: Vec<NodeId>,
    /// The top level: another range of `children`.
    pub(crate) top: (u32, u32),
}

impl Tree {
    pub(crate) fn push(&mut self, kind: NodeKind, span: Span) -> NodeId {
        self.nodes.push(Node { kind, span });
        NodeId(self.nodes.len() as u32 - 1)
    }

    /// Keeps `children` as one range.
    pub(crate) fn push_children(&mut self, children: impl Iterator<Item = NodeId>) -> (u32, u32) {
        let start = self.children.len() as u32;
        self.children.extend(children);
        (start, self.children.len() as u32)
    }

    pub(crate) fn n_nodes(&self) -> usize {
        self.nodes.len()
    }

    #[inline]
    pub(crate) fn node(&self, id: NodeId) -> Node {
        const NOTHING: Node = Node { kind: NodeKind::List(0, 0), span: Span { start: 0, end: 0 } };
        self.nodes.get(id.0 as usize).copied().unwrap_or(NOTHING)
    }

    #[inline]
    pub(crate) fn child(&self, idx: u32) -> Option<NodeId> {
        self.children.get(idx as usize).copied()
    }

    pub(crate) fn range(&self, (start, end): (u32, u32)) -> &[NodeId] {
        self.children.get(start as usize..end as usize).unwrap_or_default()
    }
}
