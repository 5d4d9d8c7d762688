//! The tree of a search by playouts, kept for the next move of the same game.

use boardwright_fast::{Fast, GameTree};
use boardwright_play::State;

use crate::playouts::{FULL, Node};

/// A tree and the state at its root.
pub(crate) struct Kept {
    nodes: Vec<Node>,
    state: State,
}

/// How many moves are tried to find the new state below the old one.
const TRIES: u32 = 20_000;
/// How many moves the new state may be away: a turn of each side, dice and partial moves.
const AWAY: u32 = 4;

impl Kept {
    pub fn new(nodes: Vec<Node>, state: &State) -> Kept {
        Kept { nodes, state: state.clone() }
    }

    /// The part of the tree below a later state, if the game came there.
    pub fn towards(self, fast: Option<&Fast>, state: &State) -> Option<Vec<Node>> {
        let wanted = GameTree::new(fast, state).hash();
        let mover = state.mover()?;
        let mut tree = GameTree::new(fast, &self.state);
        let mut tries = TRIES;
        // Short ways first: a search for the old state itself must find it.
        let root = (0..=AWAY).find_map(|it| self.find(&mut tree, 0, it, wanted, &mut tries))?;
        let mut nodes = self.below(root);
        let root = nodes.first_mut()?;
        if !root.is_grown || tree_mover(&nodes) != Some(mover) {
            return None;
        }
        let root = nodes.first_mut()?;
        if root.by != mover {
            root.gained = (u64::from(root.visits) * FULL).saturating_sub(root.gained);
            root.by = mover;
            root.known = root.known.for_the_other();
        }
        Some(nodes)
    }

    /// The node of a state, `left` moves below another node.
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
            // What was hardly looked at is not worth keeping.
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

    /// A node and all below it, as a tree of its own.
    fn below(&self, root: usize) -> Vec<Node> {
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

/// Who moves at the root of a tree.
fn tree_mover(nodes: &[Node]) -> Option<boardwright_game::Player> {
    nodes.get(nodes.first()?.children.0 as usize).map(|it| it.by)
}
