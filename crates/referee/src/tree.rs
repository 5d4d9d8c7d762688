//! The record of a match as a tree of nodes: what all languages of rules share.

use boardwright_game::Player;

use crate::{
    edit::EditStep,
    record::{Node, NodeId, Played, Refusal, Step},
};

/// More nodes than any match has.
const MAX_NODES: usize = 20_000;

/// A record: its nodes, each behind its parent, and the one where play goes on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tree {
    pub(crate) nodes: Vec<Node>,
    pub(crate) current: NodeId,
}

impl Tree {
    /// A record at its start; a change of the usual setup is its first step.
    pub(crate) fn new(setup: Option<(EditStep, String)>) -> Tree {
        let (step, long) = match setup {
            Some((step, long)) => (Step::Edit(step), long),
            None => (Step::Start, String::new()),
        };
        Tree { nodes: vec![Node { long, ..Node::new(step) }], current: 0 }
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

    /// How many moves were made where play goes on.
    pub(crate) fn ply(&self) -> u32 {
        self.node(self.current).map_or(0, |it| it.ply)
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

    /// The row of the move list that shows a node: a list with one column for each seat,
    /// counted from 1; 0 before the first move.
    ///
    /// A new row begins where the turn reaches the same seat again or one before it.
    pub fn round(&self, id: NodeId, seats: &[Player]) -> u32 {
        let line = self.line(id);
        let nodes = line.into_iter().filter_map(|it| self.node(it));
        nodes.fold(Row::default(), |row, node| row.after(node, seats)).number
    }

    /// The rows of all nodes, by node; see [`Tree::round`].
    pub fn rounds(&self, seats: &[Player]) -> Vec<u32> {
        let mut rows: Vec<Row> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            // A parent always comes before its children.
            let before = node.parent.and_then(|it| rows.get(it as usize)).copied();
            rows.push(before.unwrap_or_default().after(node, seats));
        }
        rows.into_iter().map(|it| it.number).collect()
    }

    /// The nodes that follow one.
    pub(crate) fn children(&self, of: NodeId) -> impl Iterator<Item = (NodeId, &Node)> {
        let all = (0..).zip(&self.nodes);
        all.filter(move |(_, it)| it.parent == Some(of))
    }

    /// What to do with a command to move at a node: nothing if it was obeyed already.
    pub(crate) fn admit(&self, at: NodeId, request: &str) -> Result<Option<Played>, Refusal> {
        if self.node(at).is_none() {
            return Err(Refusal::NoNode);
        }
        let is_again = |it: &Node| !request.is_empty() && it.request == request;
        if let Some((node, _)) = self.children(at).find(|it| is_again(it.1)) {
            return Ok(Some(Played { node, was_there: true }));
        }
        if at != self.current {
            return Err(Refusal::Stale);
        }
        if self.resigned(at).is_some() {
            return Err(Refusal::Over);
        }
        Ok(None)
    }

    /// The node that a move leads to which was made here before.
    pub(crate) fn known(&self, long: &str) -> Option<NodeId> {
        let is_move = |it: &Node| matches!(it.step, Step::Move { .. } | Step::Turn);
        let same = |it: &Node| it.long == long && is_move(it);
        self.children(self.current).find(|it| same(it.1)).map(|it| it.0)
    }

    /// Whether another node can be added.
    pub(crate) fn room(&self) -> Result<(), Refusal> {
        if self.nodes.len() < MAX_NODES { Ok(()) } else { Err(Refusal::Full) }
    }

    /// Adds a node, where play goes on.
    pub(crate) fn push(&mut self, node: Node) -> NodeId {
        self.nodes.push(node);
        self.current = self.nodes.len() as NodeId - 1;
        self.current
    }

    /// The parent of the last node, if play goes on at that one.
    pub(crate) fn before_last(&self) -> Option<NodeId> {
        let is_last = self.current as usize + 1 == self.nodes.len();
        self.nodes.last().and_then(|it| it.parent).filter(|_| is_last)
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

    /// Whether a player gave up at a node.
    pub fn resigned(&self, id: NodeId) -> Option<Player> {
        self.node(id).and_then(|it| it.resigned)
    }

    /// Notes who gave up at a node.
    pub fn set_resigned(&mut self, id: NodeId, player: Option<Player>) {
        if let Some(it) = self.nodes.get_mut(id as usize) {
            it.resigned = player;
        }
    }

    /// Says something about a node.
    pub fn comment(&mut self, id: NodeId, text: &str) -> Result<(), Refusal> {
        let node = self.nodes.get_mut(id as usize).ok_or(Refusal::NoNode)?;
        node.comment = text.to_owned();
        Ok(())
    }

    /// Notes what an engine thinks of a node.
    pub fn set_score(&mut self, id: NodeId, score: Option<i32>) {
        if let Some(it) = self.nodes.get_mut(id as usize) {
            it.score = score;
        }
    }

    pub(crate) fn set_request(&mut self, id: NodeId, request: &str) {
        if let Some(it) = self.nodes.get_mut(id as usize) {
            it.request = request.to_owned();
        }
    }
}

/// Where the move list stands after a move.
#[derive(Clone, Copy, Default)]
struct Row {
    number: u32,
    /// The seat that moved last.
    seat: Option<usize>,
    /// Whether that seat's turn continues.
    goes_on: bool,
}

impl Row {
    fn after(self, node: &Node, seats: &[Player]) -> Self {
        if !matches!(node.step, Step::Move { .. } | Step::Turn) {
            return self;
        }
        // Chance that belongs to no seat stands with the move that follows it.
        let seat_of = |it: Option<Player>| seats.iter().position(|&seat| Some(seat) == it);
        let Some(seat) = seat_of(node.player).or_else(|| seat_of(node.owner)) else { return self };
        let is_same_turn = self.seat == Some(seat) && self.goes_on;
        let is_new_row = !is_same_turn && self.seat.is_none_or(|last| seat <= last);
        Self {
            number: self.number + u32::from(is_new_row),
            seat: Some(seat),
            goes_on: node.goes_on || matches!(node.step, Step::Move { is_chance: true, .. }),
        }
    }
}
