//! GameTree reuse: the tree of a Monte Carlo search serves the next move of the same game.

use boardwright_fast::{Fast, GameTree};
use boardwright_rules::GameState;

use crate::mcts::{Node, WIN_REWARD};

/// A tree and the state at its root.
pub(crate) struct ReusableTree {
    nodes: Vec<Node>,
    state: GameState,
}

/// Most moves played to find the new state below the old root.
const MOST_TRIES: u32 = 20_000;
/// Most plies from the old root to the new state: a turn of each side, with dice or partial
/// moves.
const MOST_PLIES: u32 = 4;

impl ReusableTree {
    pub fn new(nodes: Vec<Node>, state: &GameState) -> ReusableTree {
        ReusableTree { nodes, state: state.clone() }
    }

    /// The subtree of a later state of the same game, if it is in the tree.
    pub fn subtree_at(self, fast: Option<&Fast>, state: &GameState) -> Option<Vec<Node>> {
        let wanted = state.tree(fast, None).hash();
        let mover = state.mover()?;
        let mut tree = self.state.tree(fast, None);
        let mut tries = MOST_TRIES;
        // Iterative deepening, so that the old root itself is found at depth 0.
        let root =
            (0..=MOST_PLIES).find_map(|it| self.find(&mut tree, 0, it, wanted, &mut tries))?;
        let mut nodes = self.subtree(root);
        let root = nodes.first_mut()?;
        if !root.is_expanded || tree_mover(&nodes) != Some(mover) {
            return None;
        }
        let root = nodes.first_mut()?;
        if root.by != mover {
            root.reward = (u64::from(root.visits) * WIN_REWARD).saturating_sub(root.reward);
            root.by = mover;
            root.proven = root.proven.for_the_other();
        }
        Some(nodes)
    }

    /// The node with a hash exactly `left` plies below another node.
    fn find(
        &self,
        tree: &mut GameTree<'_>,
        at: usize,
        left: u32,
        wanted: u64,
        tries: &mut u32,
    ) -> Option<usize> {
        if left == 0 {
            return (tree.hash() == wanted).then_some(at);
        }
        let (first, n) = self.nodes[at].children;
        for child in first as usize..(first + n) as usize {
            // A node with few visits is not worth reusing.
            if self.nodes[child].visits < 8 {
                continue;
            }
            *tries = tries.checked_sub(1)?;
            tree.play(&self.nodes[child].choice);
            let found = self.find(tree, child, left - 1, wanted, tries);
            tree.undo();
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// A copy of a node and everything below it.
    fn subtree(&self, root: usize) -> Vec<Node> {
        let mut nodes = vec![self.nodes[root].clone()];
        let mut at = 0;
        while at < nodes.len() {
            let (first, n) = nodes[at].children;
            nodes[at].children.0 = nodes.len() as u32;
            nodes.extend_from_slice(&self.nodes[first as usize..(first + n) as usize]);
            at += 1;
        }
        nodes
    }
}

/// The player to move at the root of a tree.
fn tree_mover(nodes: &[Node]) -> Option<boardwright_game::Player> {
    nodes.get(nodes.first()?.children.0 as usize).map(|it| it.by)
}
