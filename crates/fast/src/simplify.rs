//! Graphs without the questions that the board has already answered.
//!
//! A walk asks for an enemy ahead and then steps there: that the step stays on
//! the board follows from the answer, but the builder, which shares walks that
//! come by different ways, cannot know it. Here the starts that can come to a
//! node are known, so splits that part nothing go, and so do tests whose two
//! answers have come to lead to the same place.

use rustc_hash::FxHashMap;

use crate::{
    bits::Bits,
    graph::{Graph, Node, NodeId},
};

/// Rounds after which what is left stays: each only helps the next a little.
const ROUNDS: usize = 4;

impl<const W: usize> Graph<W> {
    /// The same graph with fewer nodes, for starts among `all`.
    pub fn simplified(mut self, all: Bits<W>) -> Graph<W> {
        for _ in 0..ROUNDS {
            let before = self.nodes.len();
            self = self.simplified_once(all);
            if self.nodes.len() == before {
                break;
            }
        }
        self
    }

    /// By node: the starts that can come there.
    pub fn reach(&self, all: Bits<W>) -> Vec<Bits<W>> {
        let mut reach = vec![Bits::NONE; self.nodes.len()];
        let Some(root) = self.root else { return reach };
        reach[root] = all;
        for idx in (0..=root).rev() {
            let here = reach[idx];
            if here.is_empty() {
                continue;
            }
            let parts = match self.nodes[idx] {
                Node::Test { yes, no, on_board, .. } => [(yes, here & on_board), (no, here)],
                Node::Filter { yes, no, starts } => [(yes, here & starts), (no, here & !starts)],
                Node::Emit { next, .. } => [(next, here), (None, here)],
            };
            for (child, lanes) in parts {
                if let Some(child) = child {
                    reach[child] |= lanes;
                }
            }
        }
        reach
    }

    fn simplified_once(self, all: Bits<W>) -> Graph<W> {
        let reach = self.reach(all);
        let mut nodes: Vec<Node<W>> = Vec::with_capacity(self.nodes.len());
        let mut same: FxHashMap<Node<W>, NodeId> = FxHashMap::default();
        // By old node: what stands for it now.
        let mut now: Vec<Option<NodeId>> = Vec::with_capacity(self.nodes.len());
        for (idx, node) in self.nodes.into_iter().enumerate() {
            let here = reach[idx];
            if here.is_empty() {
                now.push(None);
                continue;
            }
            let moved = |it: Option<NodeId>| it.and_then(|it| now[it]);
            let node = match node {
                Node::Test { pred, at, on_board, yes, no } => {
                    let (yes, no) = (moved(yes), moved(no));
                    if yes == no || (here & on_board).is_empty() {
                        now.push(no);
                        continue;
                    }
                    Node::Test { pred, at, on_board, yes, no }
                }
                Node::Filter { starts, yes, no } => {
                    let (yes, no) = (moved(yes), moved(no));
                    if yes == no || (here & starts).is_empty() {
                        now.push(no);
                        continue;
                    }
                    if (here & !starts).is_empty() {
                        now.push(yes);
                        continue;
                    }
                    Node::Filter { starts, yes, no }
                }
                Node::Emit { templates, next } => Node::Emit { templates, next: moved(next) },
            };
            let id = *same.entry(node).or_insert_with_key(|node| {
                nodes.push(node.clone());
                nodes.len() - 1
            });
            now.push(Some(id));
        }
        let root = self.root.and_then(|it| now[it]);
        // What nothing leads to any more has gone to nobody's reach; the root stays last.
        Graph { nodes, root }.without_orphans()
    }

    /// Keeps what the root leads to, in order.
    fn without_orphans(self) -> Graph<W> {
        let Some(root) = self.root else { return Graph { nodes: Vec::new(), root: None } };
        let mut used = vec![false; self.nodes.len()];
        used[root] = true;
        for idx in (0..=root).rev() {
            if !used[idx] {
                continue;
            }
            let children = match self.nodes[idx] {
                Node::Test { yes, no, .. } | Node::Filter { yes, no, .. } => [yes, no],
                Node::Emit { next, .. } => [next, None],
            };
            for child in children.into_iter().flatten() {
                used[child] = true;
            }
        }
        let mut place = vec![None; self.nodes.len()];
        let mut nodes = Vec::new();
        for (idx, mut node) in self.nodes.into_iter().enumerate().filter(|(idx, _)| used[*idx]) {
            let moved = |it: &mut Option<NodeId>| *it = it.and_then(|it| place[it]);
            match &mut node {
                Node::Test { yes, no, .. } | Node::Filter { yes, no, .. } => {
                    moved(yes);
                    moved(no);
                }
                Node::Emit { next, .. } => moved(next),
            }
            place[idx] = Some(nodes.len());
            nodes.push(node);
        }
        Graph { nodes, root: place[root] }
    }
}
