//! The record of a match as a tree of nodes, and where play goes on.

use std::sync::Arc;

use boardwright_game::{Player, Site};
use boardwright_gamecode::Question;
use boardwright_play::{Effect, Halt, Move, MoveList, Outcome, Rules, State};

use crate::{edit::EditStep, tree::Tree};

/// A node of a record: indexes [`Match::nodes`].
pub type NodeId = u32;

/// So many moves apart states are kept, to find others from.
const STRIDE: u32 = 12;

/// What led to a node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// Nothing: it is the first.
    Start,
    /// A move of a player, or of chance.
    Move {
        /// The move.
        mv: Move,
        /// Whether chance made it.
        is_chance: bool,
    },
    /// A change of the board.
    Edit(EditStep),
    /// A turn of a preset, which is its text.
    Turn,
}

/// One node of a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    /// The node before it; none for the first.
    pub parent: Option<NodeId>,
    /// How many moves lie on the way to it, itself included.
    pub ply: u32,
    /// Who moved.
    pub player: Option<Player>,
    /// Whose pieces moved: for a throw of dice, who they were thrown for.
    pub owner: Option<Player>,
    /// What was done.
    pub step: Step,
    /// The move for a list.
    pub short: String,
    /// The move as saves have it, or the edits.
    pub long: String,
    /// Whether the same player goes on.
    pub goes_on: bool,
    /// The sender's own id for the command that made it; may be empty.
    pub request: String,
    /// What was said about it.
    pub comment: String,
    /// Hundredths for the first player, if an engine looked.
    pub score: Option<i32>,
    /// Who gave up here.
    pub resigned: Option<Player>,
}

impl Node {
    /// A node without anything around it.
    pub(crate) fn new(step: Step) -> Node {
        Node {
            parent: None,
            ply: 0,
            player: None,
            owner: None,
            step,
            short: String::new(),
            long: String::new(),
            goes_on: false,
            request: String::new(),
            comment: String::new(),
            score: None,
            resigned: None,
        }
    }
}

/// Why a command was not obeyed; nothing has changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// There is no such node.
    NoNode,
    /// Play has gone on elsewhere.
    Stale,
    /// The game is over.
    Over,
    /// The text is no legal move; some that are most like it.
    Illegal(String, Vec<String>),
    /// Nothing can be taken back.
    AtStart,
    /// The record is as long as it may be.
    Full,
    /// The rules ask for more than a machine can do.
    Halt(Halt),
    /// The code of a preset refuses the turn: what it says, and where in the code.
    Turn(String, Option<String>),
    /// The player has to choose to complete the turn.
    Ask(Question),
}

impl From<Halt> for Refusal {
    fn from(halt: Halt) -> Refusal {
        Refusal::Halt(halt)
    }
}

/// A move that was made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Played {
    /// Where it led.
    pub node: NodeId,
    /// Whether the node was there already: sent again, or a known branch.
    pub was_there: bool,
}

/// One sitting of a game.
#[derive(Clone, Debug)]
pub struct Match {
    rules: Arc<Rules>,
    tree: Tree,
    /// By node: its state, where it is kept.
    states: Vec<Option<Box<State>>>,
    state: State,
}

impl Match {
    /// A match at its start; `setup` changes the usual one.
    pub fn new(rules: Arc<Rules>, setup: Option<EditStep>) -> Match {
        let mut state = State::start_of(Arc::clone(&rules));
        let setup = setup.filter(|it| !it.is_nothing()).map(|it| {
            it.apply(&mut state);
            let text = it.to_text(&rules.ruleset);
            (it, text)
        });
        let states = vec![Some(Box::new(state.clone()))];
        Match { rules, tree: Tree::new(setup), states, state }
    }

    /// The rules.
    pub fn rules(&self) -> &Arc<Rules> {
        &self.rules
    }

    /// The record.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The record, to note something in it.
    pub fn tree_mut(&mut self) -> &mut Tree {
        &mut self.tree
    }

    /// All nodes, each behind its parent; number 0 is the start.
    pub fn nodes(&self) -> &[Node] {
        self.tree.nodes()
    }

    /// The node with this number.
    pub fn node(&self, id: NodeId) -> Option<&Node> {
        self.tree.node(id)
    }

    /// The node where play goes on.
    pub fn current(&self) -> NodeId {
        self.tree.current()
    }

    /// The state where play goes on.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The nodes from the start to this one, both included.
    pub fn line(&self, id: NodeId) -> Vec<NodeId> {
        self.tree.line(id)
    }

    /// The number that a list in columns gives the last move on the way to a node.
    pub fn round(&self, id: NodeId, seats: &[Player]) -> u32 {
        self.tree.round(id, seats)
    }

    /// The state of a node, history and all.
    pub fn state_at(&self, id: NodeId) -> Option<State> {
        if id == self.current() {
            return Some(self.state.clone());
        }
        let line = self.line(id);
        let kept = |&id: &NodeId| self.states.get(id as usize).is_some_and(|it| it.is_some());
        let from = line.iter().rposition(kept)?;
        let start = *line.get(from)?;
        let mut state = self.states.get(start as usize)?.as_deref()?.clone();
        for &id in line.get(from + 1..)? {
            self.advance(&mut state, id)?;
        }
        Some(state)
    }

    /// Does a node's step in the state of its parent.
    fn advance(&self, state: &mut State, id: NodeId) -> Option<()> {
        match &self.node(id)?.step {
            Step::Start | Step::Turn => {}
            Step::Move { mv, .. } => {
                state.play_unchecked(mv).ok()?;
            }
            Step::Edit(step) => step.apply(state),
        }
        Some(())
    }

    /// How the game stands at a node, given its state: over by the rules, or given up.
    pub fn outcome(&self, id: NodeId, state: &State) -> Result<Option<Outcome>, Halt> {
        match self.node(id).and_then(|it| it.resigned) {
            Some(_) => Ok(None),
            None => state.outcome(),
        }
    }

    /// Whether a player gave up at a node.
    pub fn resigned(&self, id: NodeId) -> Option<Player> {
        self.tree.resigned(id)
    }

    /// Makes the move with this text at the current node.
    ///
    /// `request` is the sender's own name for the command: at the same node it is
    /// obeyed once. A move that is in the record already is gone along.
    pub fn play(
        &mut self,
        at: NodeId,
        text: &str,
        request: &str,
        is_chance: bool,
    ) -> Result<Played, Refusal> {
        if let Some(played) = self.tree.admit(at, request)? {
            return Ok(played);
        }
        let list = self.state.legal_moves()?;
        let Some(mv) = self.state.find_in(&list, text).cloned() else {
            if list.is_empty() {
                return Err(Refusal::Over);
            }
            let nearest = self.state.nearest_in(&list, text, 3);
            return Err(Refusal::Illegal(text.to_owned(), nearest));
        };
        let long = self.state.move_text(&mv);
        if let Some(node) = self.tree.known(&long) {
            self.go_on_from(node)?;
            self.tree.set_request(node, request);
            return Ok(Played { node, was_there: true });
        }
        let texts = (self.state.brief_text(&list, &mv), long);
        let node = self.push_move(mv, texts, request, is_chance)?;
        Ok(Played { node, was_there: false })
    }

    fn push_move(
        &mut self,
        mv: Move,
        (short, long): (String, String),
        request: &str,
        is_chance: bool,
    ) -> Result<NodeId, Refusal> {
        self.tree.room()?;
        let player = self.state.mover();
        let owner = self.state.turn().map(|it| it.owner);
        self.state.play_unchecked(&mv)?;
        let node = Node {
            parent: Some(self.current()),
            ply: self.tree.ply() + 1,
            player,
            owner,
            short,
            long,
            goes_on: self.state.going_on().is_some(),
            request: request.to_owned(),
            ..Node::new(Step::Move { mv, is_chance })
        };
        Ok(self.push(node))
    }

    /// Adds a node whose state is the current one.
    fn push(&mut self, node: Node) -> NodeId {
        let is_kept = node.ply.is_multiple_of(STRIDE);
        self.states.push(is_kept.then(|| Box::new(self.state.clone())));
        self.tree.push(node)
    }

    /// Changes the board at a node; play goes on from there.
    pub fn edit(&mut self, at: NodeId, step: EditStep) -> Result<NodeId, Refusal> {
        self.tree.room()?;
        let mut state = self.state_at(at).ok_or(Refusal::NoNode)?;
        step.apply(&mut state);
        self.state = state;
        self.tree.current = at;
        let node = Node {
            parent: Some(at),
            ply: self.tree.ply(),
            long: step.to_text(&self.rules.ruleset),
            goes_on: self.state.going_on().is_some(),
            ..Node::new(Step::Edit(step))
        };
        Ok(self.push(node))
    }

    /// Forgets the last node, which nobody heard of yet.
    pub fn forget_last(&mut self) {
        let Some(parent) = self.tree.before_last() else { return };
        let Some(state) = self.state_at(parent) else { return };
        self.tree.nodes.pop();
        self.states.pop();
        self.tree.current = parent;
        self.state = state;
    }

    /// Makes a node the one where play goes on.
    pub fn go_on_from(&mut self, id: NodeId) -> Result<(), Refusal> {
        self.state = self.state_at(id).ok_or(Refusal::NoNode)?;
        self.tree.current = id;
        Ok(())
    }

    /// The legal moves where play goes on.
    pub fn legal(&self) -> Result<MoveList, Halt> {
        match self.resigned(self.current()) {
            Some(_) => Ok(MoveList::new()),
            None => self.state.legal_moves(),
        }
    }

    /// A player gives up.
    pub fn resign(&mut self, player: Player) -> Result<(), Refusal> {
        let current = self.current();
        if self.resigned(current).is_some() || self.state.outcome()?.is_some() {
            return Err(Refusal::Over);
        }
        self.tree.set_resigned(current, Some(player));
        Ok(())
    }

    /// From and to of the last move at a node; of all parts of it.
    pub fn last_sites(&self, id: NodeId) -> Vec<Site> {
        let mut sites = Vec::new();
        let mut at = Some(id);
        let last = self.node(id).and_then(|it| it.player);
        while let Some(node) = at.and_then(|it| self.node(it)) {
            let Step::Move { mv, .. } = &node.step else { break };
            if node.player != last {
                break;
            }
            let (from, to) = ends(mv);
            sites.extend(to.into_iter().chain(from));
            let before = node.parent.and_then(|it| self.node(it));
            at = node.parent.filter(|_| before.is_some_and(|it| it.goes_on));
        }
        sites.reverse();
        sites.dedup();
        sites
    }

    /// The way of the unfinished move at a node.
    pub fn path(&self, id: NodeId) -> Vec<Site> {
        match self.node(id) {
            Some(it) if it.goes_on => self.last_sites(id),
            _ => Vec::new(),
        }
    }
}

/// Where a move begins and ends for the eye: its key movement, or the first piece that appears.
fn ends(mv: &Move) -> (Option<Site>, Option<Site>) {
    let (from, to) = mv.key_sites();
    let made = mv.effects.iter().find_map(|it| match *it {
        Effect::Create { site, .. } | Effect::GiveTo { site, .. } => Some(site),
        Effect::TurnInto { site, .. } | Effect::Flip { site } => Some(site),
        Effect::Capture { site } => Some(site),
        _ => None,
    });
    (from, to.or(made))
}
