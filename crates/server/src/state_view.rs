//! States, moves and nodes as the page sees them, derived from the match.

use boardwright_game::Site;
use boardwright_protocol::{
    Clicks, EffectView, HandCount, MoveView, NodeKind, NodeView, OutcomeView, PlacedView, StateView,
};
use boardwright_referee::{Match, Node, NodeId, NodeStep};
use boardwright_rules::{
    GameOutcome, GameRules, GameState, LegalMoves, MoveDetails, PlayRefusal, VisibleEffect,
};

use crate::bounded::shortened;

/// Moves of one state that a page is sent.
const MAX_MOVES: usize = 20_000;
/// Bytes of their texts and effects, about.
const MAX_MOVE_BYTES: usize = 8 << 20;
/// Characters of a text of a node.
const MAX_TEXT: usize = 4000;

/// The first moves, as far as they are short enough together.
fn bounded_moves(moves: impl Iterator<Item = MoveView>) -> Vec<MoveView> {
    let mut n_bytes = 0;
    let fits = |it: &MoveView| {
        let numbers = it.captures.len() + 2 * it.clicks.len() + 4 * it.effects.len();
        n_bytes += 100 + it.short.len() + it.long.len() + 8 * numbers;
        n_bytes <= MAX_MOVE_BYTES
    };
    moves.take(MAX_MOVES).take_while(fits).collect()
}

/// A state with what is known of it.
pub(crate) struct Shown<'s> {
    pub state: &'s GameState,
    pub legal: &'s LegalMoves,
    /// The number of moves that led to it.
    pub ply: u32,
}

/// The state of a node of a match.
pub(crate) fn of_node(
    game: &Match,
    node: NodeId,
    state: &GameState,
    legal: &LegalMoves,
) -> Result<StateView, PlayRefusal> {
    let tree = game.tree();
    let ply = tree.node(node).map_or(0, |it| it.ply);
    let in_check = state.royals_in_check()?;
    Ok(StateView {
        node,
        last_sites: numbers(&tree.last_sites(node)),
        path: numbers(&tree.path(node)),
        in_check: numbers(&in_check),
        ..of_state(game.rules(), Shown { state, legal, ply })
    })
}

/// A state without the record around it.
pub(crate) fn of_state(rules: &GameRules, shown: Shown<'_>) -> StateView {
    let Shown { state, legal, ply } = shown;
    let is_over = legal.outcome.is_some();
    let mover = state.mover().filter(|_| !is_over);
    let details = state.move_details(legal);
    let n_moves = details.len();
    let moves = bounded_moves((0..).zip(details).map(move_view));
    let mut messages = state.messages();
    if moves.len() < n_moves {
        messages.push(format!(
            "Only {} of {n_moves} moves are shown; the others can be typed.",
            moves.len()
        ));
    }
    StateView {
        node: 0,
        ply,
        pieces: pieces(state),
        hands: hands(state),
        mover: mover.map(|it| it.0),
        seat: mover.and_then(|it| rules.seat_of(it)).map(|it| it as u32),
        is_chance: !is_over && state.is_chance(),
        turn: state.turn_idx() as u32,
        moves,
        last_sites: Vec::new(),
        path: Vec::new(),
        in_check: Vec::new(),
        outcome: legal.outcome.as_ref().map(outcome_view),
        text: state.text(),
        free: legal.is_free,
        messages,
    }
}

fn numbers(sites: &[Site]) -> Vec<u16> {
    sites.iter().map(|it| it.0).collect()
}

/// The pieces on the board.
fn pieces(state: &GameState) -> Vec<PlacedView> {
    let view = |it: boardwright_rules::PlacedPiece| PlacedView {
        site: it.site.0,
        player: it.player.0,
        kind: it.kind.0,
    };
    state.pieces().into_iter().map(view).collect()
}

/// The pieces off the board.
fn hands(state: &GameState) -> Vec<HandCount> {
    let held = state.hands().into_iter();
    held.map(|(player, kind, count)| HandCount { player: player.0, kind: kind.0, count }).collect()
}

fn move_view((i, it): (u32, MoveDetails)) -> MoveView {
    MoveView {
        i,
        short: it.brief,
        long: it.long,
        from: it.from.map(|it| it.0),
        to: it.to.map(|it| it.0),
        drop: it.dropped.map(|it| it.0),
        promote: it.promotes_to.map(|it| it.0),
        captures: numbers(&it.captures),
        pass: it.is_pass,
        partial: it.is_partial,
        clicks: it.clicks.iter().map(|it| Clicks { from: it.0.0, to: it.1.0 }).collect(),
        effects: effects(&it.effects),
    }
}

/// What a move changes on the board.
pub(crate) fn effects(all: &[VisibleEffect]) -> Vec<EffectView> {
    let view = |it: &VisibleEffect| match *it {
        VisibleEffect::Walk { from, to } => EffectView::Walk { from: from.0, to: to.0 },
        VisibleEffect::Copy { from, to } => EffectView::Copy { from: from.0, to: to.0 },
        VisibleEffect::Appear { kind, site, player } => {
            EffectView::Drop { kind: kind.0, to: site.0, player: player.0 }
        }
        VisibleEffect::Become { site, kind, player } => {
            EffectView::Become { site: site.0, kind: kind.0, player: player.0 }
        }
        VisibleEffect::Capture { site } => EffectView::Capture { site: site.0 },
    };
    all.iter().map(view).collect()
}

/// How a game ended.
pub(crate) fn outcome_view(outcome: &GameOutcome) -> OutcomeView {
    OutcomeView {
        winners: outcome.winners.iter().map(|it| it.0).collect(),
        losers: outcome.losers.iter().map(|it| it.0).collect(),
        text: outcome.text.clone(),
        why: outcome.why.clone(),
        rule: outcome.rule.as_ref().map(|it| it.0.clone()),
        rule_line: outcome.rule.as_ref().map(|it| it.1),
        sites: numbers(&outcome.sites),
    }
}

/// A node of the record.
pub(crate) fn node_view(id: NodeId, node: &Node) -> NodeView {
    NodeView {
        id,
        parent: node.parent,
        ply: node.ply,
        player: node.player.map(|it| it.0),
        owner: node.owner.map(|it| it.0),
        short: shortened(&node.brief, MAX_TEXT),
        long: shortened(&node.long, MAX_TEXT),
        partial: node.goes_on,
        kind: match node.step {
            _ if node.parent.is_none() => NodeKind::Start,
            NodeStep::Start => NodeKind::Start,
            NodeStep::Move { is_chance: true, .. } => NodeKind::Chance,
            NodeStep::Move { .. } => NodeKind::Move,
            NodeStep::Edit(_) => NodeKind::Edit,
        },
        comment: node.comment.clone(),
        score: node.score,
        round: node.round,
        request: node.request.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mv(i: u32, long: &str) -> MoveView {
        let details = MoveDetails {
            brief: String::new(),
            long: long.to_owned(),
            from: None,
            to: None,
            dropped: None,
            promotes_to: None,
            captures: Vec::new(),
            is_pass: false,
            is_partial: false,
            clicks: Vec::new(),
            effects: Vec::new(),
        };
        move_view((i, details))
    }

    #[test]
    fn long_names_and_many_moves_make_no_answer_of_a_gigabyte() {
        let name = "x".repeat(100_000);
        let shown = bounded_moves((0..16_000).map(|it| mv(it, &name)));
        assert!(!shown.is_empty() && shown.len() <= MAX_MOVE_BYTES / name.len());
        let shown = bounded_moves((0..u32::MAX).map(|it| mv(it, "")));
        assert_eq!(shown.len(), MAX_MOVES);
        let few = bounded_moves((0..400).map(|it| mv(it, "Pawn e2 - e4")));
        assert_eq!(few.len(), 400);
    }
}
