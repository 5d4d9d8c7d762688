//! A state as the page sees it.

use boardwright_game::{Player, Site};
use boardwright_play::{Halt, Move, MoveList, Outcome, State, VisibleEffect};
use boardwright_protocol::{
    EffectView, HandCount, MoveView, NodeKind, NodeView, OutcomeView, Placed, StateView,
};
use boardwright_referee::{Match, Node, NodeId, Step};

use crate::{clicks, variant::Variant};

/// The state of a node.
pub(crate) fn state_view(
    variant: &Variant,
    game: &Match,
    node: NodeId,
    state: &State,
) -> Result<StateView, Halt> {
    let mut state = state.clone();
    let mut list = MoveList::new();
    let resigned = game.resigned(node);
    let outcome = match resigned {
        Some(player) => Some(resignation(variant, player)),
        None => {
            state.generate(&mut list)?;
            let outcome = state.outcome_given(&list)?;
            outcome.map(|it| outcome_view(variant, &state, &it))
        }
    };
    let is_over = outcome.is_some();
    let mover = state.mover().filter(|_| !is_over);
    let in_check = state.royals_in_check()?;
    let sites = |sites: Vec<Site>| sites.into_iter().map(|it| it.0).collect();
    Ok(StateView {
        node,
        ply: game.node(node).map_or(0, |it| it.ply),
        pieces: pieces(&state),
        hands: hands(&state),
        mover: mover.map(|it| it.0),
        seat: mover.and_then(|it| variant.seat_of(it)).map(|it| it as u32),
        is_chance: !is_over && state.is_chance(),
        turn: state.turn_idx() as u32,
        moves: moves(&state, &list),
        last_sites: sites(game.last_sites(node)),
        path: sites(game.path(node)),
        in_check: sites(in_check),
        outcome,
        text: state.to_text(),
        free: false,
        messages: Vec::new(),
    })
}

/// The pieces on the board.
pub(crate) fn pieces(state: &State) -> Vec<Placed> {
    let placed = state.placement().pieces();
    placed.map(|(site, it)| Placed { site: site.0, player: it.owner.0, kind: it.kind.0 }).collect()
}

/// The pieces off it.
pub(crate) fn hands(state: &State) -> Vec<HandCount> {
    let held = boardwright_render::svg::held(state).into_iter();
    held.map(|it| HandCount { player: it.player.0, kind: it.kind.0, count: it.count }).collect()
}

fn moves(state: &State, list: &MoveList) -> Vec<MoveView> {
    let clicks = clicks::all(list);
    let texts = state.brief_texts(list);
    let view = |(i, ((mv, clicks), short)): (usize, ((&Move, _), String))| {
        let (from, to) = mv.key_sites();
        MoveView {
            i: i as u32,
            short,
            long: state.move_text(mv),
            from: from.map(|it| it.0),
            to: to.map(|it| it.0),
            drop: state.dropped_kind(mv).map(|it| it.0),
            promote: mv.becomes().map(|it| it.0),
            captures: state.captured_sites(mv).into_iter().map(|it| it.0).collect(),
            pass: mv.is_pass(),
            partial: mv.partial.is_some(),
            clicks,
            effects: effects(state, mv),
        }
    };
    list.iter().zip(clicks).zip(texts).enumerate().map(view).collect()
}

/// What a move changes on the board.
pub(crate) fn effects(state: &State, mv: &Move) -> Vec<EffectView> {
    state.visible_effects(mv).into_iter().map(effect_view).collect()
}

fn effect_view(effect: VisibleEffect) -> EffectView {
    match effect {
        VisibleEffect::Walk { from, to } => EffectView::Walk { from: from.0, to: to.0 },
        VisibleEffect::Copy { from, to } => EffectView::Copy { from: from.0, to: to.0 },
        VisibleEffect::Appear { player, kind, site } => {
            EffectView::Drop { kind: kind.0, to: site.0, player: player.0 }
        }
        VisibleEffect::Become { player, kind, site } => {
            EffectView::Become { site: site.0, kind: kind.0, player: player.0 }
        }
        VisibleEffect::Capture { site } => EffectView::Capture { site: site.0 },
    }
}

/// How a game ended.
pub(crate) fn outcome_view(variant: &Variant, state: &State, outcome: &Outcome) -> OutcomeView {
    let why = state.why(outcome);
    let rule = variant.rule_of(outcome);
    let of = |test: &dyn Fn(Player) -> bool| {
        variant.seats.iter().filter(|&&it| test(it)).map(|it| it.0).collect()
    };
    OutcomeView {
        winners: of(&|it| outcome.is_won_by(it)),
        losers: of(&|it| outcome.is_lost_by(it)),
        text: outcome.words(variant.ruleset()),
        why: why.text,
        rule_line: rule.as_ref().map(|it| it.1),
        rule: rule.map(|it| it.0),
        sites: why.sites.iter().map(|it| it.0).collect(),
    }
}

/// How a game ended that somebody gave up.
fn resignation(variant: &Variant, player: Player) -> OutcomeView {
    let name = variant.player_name(player);
    let others: Vec<Player> = variant.seats.iter().copied().filter(|&it| it != player).collect();
    let text = match others[..] {
        [one] => format!("{} wins", variant.player_name(one)),
        _ => format!("{name} gave up"),
    };
    OutcomeView {
        winners: others.iter().map(|it| it.0).collect(),
        losers: vec![player.0],
        text,
        why: format!("{name} gave up"),
        rule: None,
        rule_line: None,
        sites: Vec::new(),
    }
}

/// A node of the record.
pub(crate) fn node_view(id: NodeId, node: &Node, round: u32) -> NodeView {
    NodeView {
        id,
        parent: node.parent,
        ply: node.ply,
        player: node.player.map(|it| it.0),
        owner: node.owner.map(|it| it.0),
        short: node.short.clone(),
        long: node.long.clone(),
        partial: node.goes_on,
        kind: match node.step {
            _ if node.parent.is_none() => NodeKind::Start,
            Step::Start => NodeKind::Start,
            Step::Move { is_chance: true, .. } => NodeKind::Chance,
            Step::Move { .. } | Step::Turn => NodeKind::Move,
            Step::Edit(_) => NodeKind::Edit,
        },
        comment: node.comment.clone(),
        score: node.score,
        round,
        request: node.request.clone(),
    }
}
