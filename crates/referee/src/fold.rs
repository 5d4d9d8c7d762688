//! From events to a match: the one way in which a match changes.

use std::sync::Arc;

use boardwright_rules::{EditStep, GameRules, LegalMoves, PlayRefusal, Step};

use crate::{
    event::{Change, MatchEvent},
    game_match::{ChatEntry, Here, Match},
    move_tree::MoveTree,
    node::{Node, NodeId, NodeStep},
    states::StateCache,
};

/// Why a log cannot be folded.
#[derive(Clone, PartialEq, Debug)]
pub struct RestoreError {
    /// The number of the event that does not fit.
    pub seq: u64,
    /// Why it does not fit.
    pub why: PlayRefusal,
}

impl std::fmt::Display for RestoreError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "event {} of the match does not fit its rules: {}", self.seq, self.why)
    }
}

impl std::error::Error for RestoreError {}

/// What follows from a move, an edit, a resignation or going elsewhere: where play goes on.
#[derive(Clone, Debug)]
pub(crate) struct Next {
    /// The node to add, if it is a new one.
    pub node: Option<Node>,
    /// Where play goes on.
    pub current: NodeId,
    pub here: Here,
}

impl Match {
    /// The match that a log tells of. `seed` is the one it was begun with.
    pub fn restore(
        rules: Arc<GameRules>,
        seed: u64,
        events: &[MatchEvent],
    ) -> Result<Match, RestoreError> {
        let mut game = Match::empty(rules, seed).map_err(|why| RestoreError { seq: 0, why })?;
        for event in events {
            game.fold(event).map_err(|why| RestoreError { seq: event.seq, why })?;
        }
        Ok(game)
    }

    /// Folds one event of a stored log into the match.
    pub(crate) fn fold(&mut self, event: &MatchEvent) -> Result<(), PlayRefusal> {
        let next = self.next_of(event)?;
        self.install(event, next);
        Ok(())
    }

    /// What follows from an event of a stored log, worked out by the rules.
    fn next_of(&self, event: &MatchEvent) -> Result<Option<Next>, PlayRefusal> {
        let lost = || missing(event);
        Ok(match &event.change {
            Change::Setup { text } => {
                let step = self.edit_of(text)?;
                let mut state = self.states.start().clone();
                state.edit(&step)?;
                let node = Node { long: text.clone(), ..Node::new(NodeStep::Edit(step)) };
                Some(Next { node: Some(node), current: 0, here: Here::new(state) })
            }
            Change::Moved { parent, text, is_chance } => {
                let state = self.state_at(*parent).ok_or_else(lost)?;
                let step = state.play_trusted(text)?;
                Some(self.next_of_step(*parent, step, *is_chance, &event.request))
            }
            Change::Edited { parent, text } => {
                let step = self.edit_of(text)?;
                Some(self.next_of_edit(*parent, step, &event.request)?)
            }
            Change::WentTo { node } => {
                let state = self.state_at(*node).ok_or_else(lost)?;
                Some(Next { node: None, current: *node, here: Here::new(state) })
            }
            Change::Resigned { node, .. }
            | Change::Commented { node, .. }
            | Change::Scored { node, .. } => {
                self.tree.node(*node).ok_or_else(lost)?;
                None
            }
            Change::Seated { .. } | Change::Said { .. } => None,
        })
    }

    fn edit_of(&self, text: &str) -> Result<EditStep, PlayRefusal> {
        EditStep::from_text(self.rules.ruleset(), text)
            .map_err(|it| PlayRefusal::Unsupported { message: it.to_string(), why: None })
    }

    /// Where play goes on after a move.
    pub(crate) fn next_of_step(
        &self,
        parent: NodeId,
        step: Step,
        is_chance: bool,
        request: &str,
    ) -> Next {
        let ply = self.tree.node(parent).map_or(0, |it| it.ply) + 1;
        let node = Node {
            parent: Some(parent),
            ply,
            round: self.tree.round_after(parent, step.player, step.owner, self.rules.seats()),
            player: step.player,
            owner: step.owner,
            brief: step.brief,
            long: step.long,
            goes_on: step.goes_on,
            ends: step.ends,
            request: request.to_owned(),
            ..Node::new(NodeStep::Move { played: step.played, is_chance })
        };
        Next { node: Some(node), current: self.tree.next_id(), here: Here::new(step.state) }
    }

    /// Where play goes on after an edit.
    pub(crate) fn next_of_edit(
        &self,
        parent: NodeId,
        step: EditStep,
        request: &str,
    ) -> Result<Next, PlayRefusal> {
        let refused = || PlayRefusal::Unsupported {
            message: "there is no such move in the record".to_owned(),
            why: None,
        };
        let before = self.tree.node(parent).ok_or_else(refused)?;
        let mut state = self.state_at(parent).ok_or_else(refused)?;
        state.edit(&step)?;
        let node = Node {
            parent: Some(parent),
            ply: before.ply,
            round: before.round,
            long: step.to_text(self.rules.ruleset()),
            goes_on: state.is_going_on(),
            request: request.to_owned(),
            ..Node::new(NodeStep::Edit(step))
        };
        Ok(Next { node: Some(node), current: self.tree.next_id(), here: Here::new(state) })
    }

    /// Makes an event part of the match.
    pub(crate) fn install(&mut self, event: &MatchEvent, next: Option<Next>) {
        self.n_events = event.seq + 1;
        match &event.change {
            Change::Setup { .. } => {
                if let Some(Next { node: Some(node), here, .. }) = next {
                    self.tree = MoveTree::new(node);
                    self.states = StateCache::new(here.state.clone());
                    self.here = here;
                }
                return;
            }
            Change::WentTo { node } => {
                // So that the same request is known when it comes again.
                if let Some(it) = self.tree.node_mut(*node).filter(|_| !event.request.is_empty()) {
                    it.request = event.request.clone();
                }
            }
            Change::Resigned { node, player } => {
                if let Some(it) = self.tree.node_mut(*node) {
                    it.resigned = Some(*player);
                }
                // What may be played has changed.
                if *node == self.current() {
                    self.here.legal = std::sync::OnceLock::new();
                }
            }
            Change::Commented { node, text } => {
                if let Some(it) = self.tree.node_mut(*node) {
                    it.comment = text.clone();
                }
            }
            Change::Scored { node, score } => {
                if let Some(it) = self.tree.node_mut(*node) {
                    it.score = *score;
                }
            }
            Change::Seated { seats } => self.seats = seats.clone(),
            Change::Said { name, text } => {
                self.chat.push(ChatEntry { name: name.clone(), text: text.clone() });
            }
            Change::Moved { .. } | Change::Edited { .. } => {}
        }
        if let Some(next) = next {
            self.go_on(next);
        }
    }

    fn go_on(&mut self, next: Next) {
        let (left, before) = (self.current(), std::mem::replace(&mut self.here, next.here));
        if !self.rules.has_cheap_states() {
            self.states.keep(left, &before.state);
        }
        match next.node {
            Some(node) => {
                let ply = node.ply;
                let id = self.tree.push(node);
                self.states.add(id, ply, &self.here.state);
            }
            None => self.tree.go_to(next.current),
        }
    }
}

impl Next {
    /// The legal moves there, worked out now.
    pub fn legal(&self, game: &Match) -> Result<Arc<LegalMoves>, PlayRefusal> {
        let legal = self.here.legal.get_or_init(|| {
            let is_new = self.node.is_some();
            let found = match is_new {
                true => self.here.state.legal_moves(),
                false => game.legal_in(self.current, &self.here.state),
            };
            found.map(Arc::new)
        });
        legal.clone()
    }
}

fn missing(event: &MatchEvent) -> PlayRefusal {
    PlayRefusal::Unsupported {
        message: format!("event {} names a node that is not there", event.seq),
        why: None,
    }
}
