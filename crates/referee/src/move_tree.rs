//! The record of a match as a tree of nodes, and the node where play goes on.

use boardwright_game::{Player, Site};

use crate::{
    node::{Node, NodeId},
    refusal::Refusal,
};

/// Nodes of one record.
const MAX_NODES: usize = 20_000;

/// A record: its nodes, each after its parent, and the one where play goes on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveTree {
    nodes: Vec<Node>,
    current: NodeId,
}

impl MoveTree {
    pub(crate) fn new(start: Node) -> MoveTree {
        MoveTree { nodes: vec![start], current: 0 }
    }

    /// All nodes; number 0 is the start.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The node with this number.
    pub fn node(&self, id: NodeId) -> Option<&Node> {
        self.nodes.get(id as usize)
    }

    /// The node where play goes on.
    pub fn current(&self) -> NodeId {
        self.current
    }

    /// The number that the next node gets.
    pub(crate) fn next_id(&self) -> NodeId {
        self.nodes.len() as NodeId
    }

    /// The nodes from the start to this one, both included.
    pub fn line(&self, id: NodeId) -> Vec<NodeId> {
        let mut line = Vec::new();
        let mut at = self.node(id).map(|_| id);
        while let Some(id) = at {
            line.push(id);
            at = self.node(id).and_then(|it| it.parent);
        }
        line.reverse();
        line
    }

    /// The row of a move list in columns for a move by `player` with pieces of `owner` that
    /// follows `parent`; see [`Node::round`].
    pub(crate) fn round_after(
        &self,
        parent: NodeId,
        player: Option<Player>,
        owner: Option<Player>,
        seats: &[Player],
    ) -> u32 {
        let column = |player: Option<Player>, owner: Option<Player>| {
            let seat = |it: Option<Player>| seats.iter().position(|&seat| Some(seat) == it);
            seat(player).or_else(|| seat(owner))
        };
        let round = self.node(parent).map_or(0, |it| it.round);
        // A move of nobody here stands in the row of the move before it.
        let Some(at) = column(player, owner) else { return round };
        // The last move on the way that has a column.
        let mut before = self.node(parent);
        while let Some(node) = before {
            let last = column(node.player, node.owner).filter(|_| node.is_move());
            if let Some(last) = last {
                let goes_on = node.goes_on || node.is_chance();
                let is_same_move = last == at && goes_on;
                return if is_same_move || at > last { round } else { round + 1 };
            }
            before = node.parent.and_then(|it| self.node(it));
        }
        round + 1
    }

    /// The nodes that follow one.
    fn children(&self, of: NodeId) -> impl Iterator<Item = (NodeId, &Node)> {
        let all = (0..).zip(&self.nodes);
        all.skip(of as usize + 1).filter(move |(_, it)| it.parent == Some(of))
    }

    /// The node that a command with this request id made at a node.
    pub(crate) fn made_by(&self, at: NodeId, request: &str) -> Option<NodeId> {
        if request.is_empty() {
            return None;
        }
        self.children(at).find(|(_, it)| it.request == request).map(|it| it.0)
    }

    /// The node that a move leads to which was made at the current node before.
    pub(crate) fn known_move(&self, long: &str) -> Option<NodeId> {
        let is_it = |it: &Node| it.is_move() && it.long == long;
        self.children(self.current).find(|it| is_it(it.1)).map(|it| it.0)
    }

    /// Whether another node can be added.
    pub(crate) fn room(&self) -> Result<(), Refusal> {
        if self.nodes.len() < MAX_NODES { Ok(()) } else { Err(Refusal::Full) }
    }

    /// Adds a node, where play goes on.
    pub(crate) fn push(&mut self, node: Node) -> NodeId {
        self.current = self.next_id();
        self.nodes.push(node);
        self.current
    }

    pub(crate) fn go_to(&mut self, id: NodeId) {
        self.current = id;
    }

    pub(crate) fn node_mut(&mut self, id: NodeId) -> Option<&mut Node> {
        self.nodes.get_mut(id as usize)
    }

    /// The node to which taking back leads: where a player last had the choice for whom
    /// `chooses` holds, or one step back if there is none.
    pub fn before(&self, chooses: impl Fn(Player) -> bool) -> Result<NodeId, Refusal> {
        let line = self.line(self.current);
        let n = line.len().checked_sub(2).ok_or(Refusal::AtStart)?;
        // Who moves at a node is who made the next one.
        let mover = |idx: usize| line.get(idx + 1).and_then(|&it| self.node(it)?.player);
        let choice = (0..=n).rev().find(|&idx| mover(idx).is_some_and(&chooses));
        line.get(choice.unwrap_or(n)).copied().ok_or(Refusal::AtStart)
    }

    /// The player who resigned at a node.
    pub fn resigned(&self, id: NodeId) -> Option<Player> {
        self.node(id).and_then(|it| it.resigned)
    }

    /// Where the last move at a node began and ended; all parts of it.
    pub fn last_sites(&self, id: NodeId) -> Vec<Site> {
        let mut parts: Vec<&[Site]> = Vec::new();
        let last = self.node(id).and_then(|it| it.player);
        let mut at = self.node(id);
        while let Some(node) = at.filter(|it| it.is_move() && it.player == last) {
            parts.push(&node.ends);
            at = node.parent.and_then(|it| self.node(it)).filter(|it| it.goes_on);
        }
        let mut sites: Vec<Site> = parts.into_iter().rev().flatten().copied().collect();
        sites.dedup();
        sites
    }

    /// The sites of the unfinished move at a node.
    pub fn path(&self, id: NodeId) -> Vec<Site> {
        match self.node(id) {
            Some(it) if it.goes_on => self.last_sites(id),
            _ => Vec::new(),
        }
    }
}
