//! A game up to some state, as an engine has to follow it.

use boardwright_referee::{Match, NodeId, NodeStep};
use boardwright_rules::GameState;

/// One step of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LineStep {
    /// A move as records have it.
    Move(String),
    /// A change of the board as records have it: `(White Rook e4)(x e5)`.
    Edit(String),
}

/// The way from where a record begins to a state.
#[derive(Clone, Debug)]
pub struct PlayedLine {
    /// Where the record begins.
    pub start: GameState,
    /// What was played and changed from there.
    pub steps: Vec<LineStep>,
}

impl PlayedLine {
    /// A line without steps.
    pub fn beginning_at(start: GameState) -> PlayedLine {
        PlayedLine { start, steps: Vec::new() }
    }

    /// The way to a node of a match; `None` if there is no such node.
    pub fn of(game: &Match, node: NodeId) -> Option<PlayedLine> {
        let (tree, ruleset) = (game.tree(), game.rules().ruleset());
        let line = tree.line(node);
        let start = game.state_at(*line.first()?)?;
        let step = |id: &NodeId| match &tree.node(*id)?.step {
            NodeStep::Start => None,
            NodeStep::Move { .. } => Some(LineStep::Move(tree.node(*id)?.long.clone())),
            NodeStep::Edit(edit) => Some(LineStep::Edit(edit.to_text(ruleset))),
        };
        Some(PlayedLine { start, steps: line.iter().filter_map(step).collect() })
    }

    /// The pieces of the start as edits: `(White Rook e4)`, in the order of the sites.
    pub(crate) fn setup(&self) -> Vec<String> {
        let ruleset = self.start.rules().ruleset();
        let text = |it: &boardwright_rules::PlacedPiece| {
            let (player, kind) = (ruleset.player_name(it.player), ruleset.piece_name(it.kind));
            format!("({player} {kind} {})", ruleset.board.site_name(it.site))
        };
        self.start.pieces().iter().map(text).collect()
    }

    /// The steps as an engine is told them: each edit by itself. What changes hands and turn
    /// has no words in the interface and is left out.
    pub(crate) fn told(&self) -> Vec<String> {
        let mut told = Vec::new();
        for step in &self.steps {
            match step {
                LineStep::Move(text) => told.push(text.clone()),
                LineStep::Edit(text) => {
                    let parts = text.split_inclusive(')').map(str::trim);
                    let is_told = |it: &&str| !it.starts_with("(off ") && !it.starts_with("(turn ");
                    told.extend(
                        parts.filter(|it| !it.is_empty()).filter(is_told).map(str::to_owned),
                    );
                }
            }
        }
        told
    }
}
