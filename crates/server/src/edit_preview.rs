//! What playing on from a board would be like that somebody is setting up.

use boardwright_game::{EndCondition, Goal, GoalKind, PieceKind, Player};
use boardwright_protocol::Event;
use boardwright_rules::{GameState, PlayRefusal};

use crate::state_view;

/// The answer to somebody who asks what playing on from a state would be like.
pub(crate) fn tried(state: &GameState, id: u32) -> Event {
    let mut oddities = oddities(state);
    let (n_moves, outcome) = match state.legal_moves() {
        Ok(legal) => (legal.len(), legal.outcome.as_ref().map(state_view::outcome_view)),
        Err(refusal) => {
            let why = match refusal {
                PlayRefusal::Halted(why) => why,
                other => other.to_string(),
            };
            oddities.push(format!("The rules cannot play this board: {why}."));
            (0, None)
        }
    };
    Event::Tried { id, n_moves: n_moves as u32, outcome, oddities, text: state.text() }
}

/// What a player would miss who knows the game: pieces on which everything depends.
fn oddities(state: &GameState) -> Vec<String> {
    let rules = state.rules();
    let ruleset = rules.ruleset();
    let (pieces, hands) = (state.pieces(), state.hands());
    let mut sentences = Vec::new();
    for &player in rules.seats() {
        let has = |kind: Option<PieceKind>| {
            let is_it = |of: PieceKind| kind.is_none_or(|it| it == of);
            pieces.iter().any(|it| it.player == player && is_it(it.kind))
                || hands.iter().any(|it| it.0 == player && is_it(it.1))
        };
        let had = |kind: Option<PieceKind>| {
            let is_it = |of: PieceKind| kind.is_none_or(|it| it == of);
            let mut placed = ruleset.setup.pieces.iter();
            let mut held = ruleset.setup.hands.iter();
            placed.any(|it| it.player == player && is_it(it.kind))
                || held.any(|it| it.player == player && is_it(it.kind))
        };
        let name = rules.player_name(player);
        if had(None) && !has(None) {
            sentences.push(format!("{name} has no pieces."));
            continue;
        }
        for kind in hunted(&ruleset.end_conditions, player) {
            if had(Some(kind)) && !has(Some(kind)) {
                let kind = ruleset.translated(ruleset.piece_name(kind));
                sentences.push(format!("{name} has no {kind}."));
            }
        }
    }
    sentences
}

/// The kinds whose loss ends the game for a player.
fn hunted(conditions: &[EndCondition], player: Player) -> Vec<PieceKind> {
    fn add(goal: &Goal, kinds: &mut Vec<PieceKind>) {
        match &goal.kind {
            GoalKind::Captured(all) | GoalKind::Checkmated(all) => kinds.extend(all),
            GoalKind::And(all) | GoalKind::Or(all) => all.iter().for_each(|it| add(it, kinds)),
            _ => {}
        }
    }
    let mut kinds = Vec::new();
    let concerns = |it: &&EndCondition| it.players.as_ref().is_none_or(|it| it.contains(&player));
    conditions.iter().filter(concerns).for_each(|it| add(&it.goal, &mut kinds));
    kinds.sort_unstable();
    kinds.dedup();
    kinds
}
