//! What would come of a board that somebody is setting up.

use boardwright_game::{EndCondition, Goal, GoalKind, PieceKind, Player};
use boardwright_play::{MoveList, State};
use boardwright_protocol::Event;

use crate::{state_view, variant::Variant};

/// The answer to whoever asks what playing from a state would be like.
pub(crate) fn tried(variant: &Variant, state: &State, id: u32) -> Event {
    let mut state = state.clone();
    let mut list = MoveList::new();
    let mut oddities = oddities(variant, &state);
    let outcome = match state.generate(&mut list).and_then(|()| state.outcome_given(&list)) {
        Ok(outcome) => outcome.map(|it| state_view::outcome_view(variant, &state, &it)),
        Err(halt) => {
            oddities
                .push(format!("The rules cannot play this board: {}.", variant.halt_text(&halt)));
            None
        }
    };
    Event::Tried { id, n_moves: list.len() as u32, outcome, oddities, text: state.to_text() }
}

/// What a player would miss who knows the game: pieces that everything turns on.
fn oddities(variant: &Variant, state: &State) -> Vec<String> {
    let ruleset = variant.ruleset();
    let mut sentences = Vec::new();
    for &player in &variant.seats {
        let has = |kind: Option<PieceKind>| {
            let is_it = |of: PieceKind| kind.is_none_or(|it| it == of);
            let placed =
                state.placement().pieces().any(|(_, it)| it.owner == player && is_it(it.kind));
            let mut held = boardwright_render::svg::held(state).into_iter();
            placed || held.any(|it| it.player == player && it.count > 0 && is_it(it.kind))
        };
        let had = |kind: Option<PieceKind>| {
            let is_it = |of: PieceKind| kind.is_none_or(|it| it == of);
            let mut placed = ruleset.setup.pieces.iter();
            let mut held = ruleset.setup.hands.iter();
            placed.any(|it| it.player == player && is_it(it.kind))
                || held.any(|it| it.player == player && is_it(it.kind))
        };
        let name = variant.player_name(player);
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
