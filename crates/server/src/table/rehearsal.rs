//! Foreign rules try a step in a process of their own before the match takes it.

use boardwright_referee::{Match, MatchCommand, NodeId, NodeStep, Refusal};
use boardwright_rules::PlayRefusal;

use crate::{
    isolate::{self, HostLine, HostStep, Overrun},
    language::Playable,
};

/// The way to a node, if the rules are foreign.
pub(super) fn line_to(
    game: &Match,
    playable: &Playable,
    seed: u64,
    node: NodeId,
) -> Option<HostLine> {
    let rules = playable.foreign.clone()?;
    let (tree, ruleset) = (game.tree(), game.rules().ruleset());
    let step = |id: NodeId| match &tree.node(id)?.step {
        NodeStep::Start => None,
        NodeStep::Move { .. } => Some(HostStep::Move(tree.node(id)?.long.clone())),
        NodeStep::Edit(edit) => Some(HostStep::Edit(edit.to_text(ruleset))),
    };
    let steps = tree.line(node).into_iter().filter_map(step).collect();
    Some(HostLine { rules, seed, steps })
}

/// Lets a process do first what a command leads to, if it leads to another state.
pub(super) fn before(
    game: &Match,
    playable: &Playable,
    seed: u64,
    command: &MatchCommand,
    chance: u64,
) -> Result<(), Refusal> {
    let isolation = isolate::current();
    if playable.foreign.is_none() || !isolation.is_on() {
        return Ok(());
    }
    let (node, step) = match command {
        MatchCommand::Play { node, text } => (*node, Some(HostStep::Move(text.clone()))),
        MatchCommand::Draw => {
            let (state, legal) = (game.state(), game.legal()?);
            let text = match state.awaits_reply() {
                true => state.reply(),
                false => state.drawn_text(&legal, chance),
            };
            (game.current(), text.map(HostStep::Move))
        }
        MatchCommand::Edit { node, setup } => {
            let state = game.state_at(*node).ok_or(Refusal::NoNode)?;
            let edit = state.edit_to(setup)?;
            (*node, Some(HostStep::Edit(edit.to_text(game.rules().ruleset()))))
        }
        _ => return Ok(()),
    };
    let Some(mut line) = line_to(game, playable, seed, node) else { return Ok(()) };
    line.steps.extend(step);
    let tried = isolation.try_line(line, &playable.title);
    tried.map_err(|Overrun(why)| PlayRefusal::Halted(why).into())
}
