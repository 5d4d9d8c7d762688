//! States of nodes that are kept, so that others are found without playing from the start.

use boardwright_rules::GameState;

use crate::{
    move_tree::MoveTree,
    node::{NodeId, NodeStep},
};

/// Where states are cheap, every state at a multiple of this ply is kept.
const STRIDE: u32 = 12;
/// States used lately that are kept beside those.
const N_RECENT: usize = 12;

/// States of nodes that are kept.
#[derive(Clone, Debug)]
pub(crate) struct StateCache {
    start: GameState,
    /// At every [`STRIDE`]th ply, by node number.
    spaced: Vec<(NodeId, GameState)>,
    /// The latest last.
    recent: Vec<(NodeId, GameState)>,
}

impl StateCache {
    pub fn new(start: GameState) -> StateCache {
        StateCache { start, spaced: Vec::new(), recent: Vec::new() }
    }

    /// The state of the first node.
    pub fn start(&self) -> &GameState {
        &self.start
    }

    /// Keeps the state of a new node.
    pub fn add(&mut self, id: NodeId, ply: u32, state: &GameState) {
        if state.rules().has_cheap_states() {
            if ply.is_multiple_of(STRIDE) {
                self.spaced.push((id, state.clone()));
            }
        } else {
            self.keep(id, state);
        }
    }

    /// Keeps the state of a node that was just used.
    pub fn keep(&mut self, id: NodeId, state: &GameState) {
        self.recent.retain(|it| it.0 != id);
        self.recent.push((id, state.clone()));
        if self.recent.len() > N_RECENT {
            self.recent.remove(0);
        }
    }

    fn find(&self, id: NodeId) -> Option<&GameState> {
        if id == 0 {
            return Some(&self.start);
        }
        let spaced = self.spaced.binary_search_by_key(&id, |it| it.0).ok();
        let spaced = spaced.and_then(|at| self.spaced.get(at));
        spaced.or_else(|| self.recent.iter().find(|it| it.0 == id)).map(|it| &it.1)
    }

    /// The state of a node, played from the nearest one on its line that is kept. `current` is
    /// known too.
    pub fn state_at(
        &self,
        tree: &MoveTree,
        current: (NodeId, &GameState),
        id: NodeId,
    ) -> Option<GameState> {
        let known = |it: NodeId| if it == current.0 { Some(current.1) } else { self.find(it) };
        let line = tree.line(id);
        let from = line.iter().rposition(|&it| known(it).is_some())?;
        let mut state = known(*line.get(from)?)?.clone();
        for &id in line.get(from + 1..)? {
            match &tree.node(id)?.step {
                NodeStep::Start => {}
                NodeStep::Move { played, .. } => state.replay(played).ok()?,
                NodeStep::Edit(step) => state.edit(step).ok()?,
            }
        }
        Some(state)
    }
}
