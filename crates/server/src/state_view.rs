//! A state as the page sees it.

use boardwright_game::{Player, Site};
use boardwright_play::{Effect, Halt, Move, MoveList, Outcome, State};
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
        let drop = match mv.effects.first() {
            Some(Effect::Drop { kind, .. }) => Some(kind.0),
            Some(Effect::Copy { from, .. }) => state.placement().get(*from).map(|it| it.kind.0),
            _ => None,
        };
        MoveView {
            i: i as u32,
            short,
            long: state.move_text(mv),
            from: from.map(|it| it.0),
            to: to.map(|it| it.0),
            drop,
            promote: promotion(mv),
            captures: captures(state, mv),
            pass: mv.is_pass(),
            partial: mv.partial.is_some(),
            clicks,
            effects: effects(state, mv),
        }
    };
    list.iter().zip(clicks).zip(texts).enumerate().map(view).collect()
}

/// What the piece of the key movement becomes.
fn promotion(mv: &Move) -> Option<u16> {
    let (_, to) = mv.key_sites();
    let turns_into = mv.effects.iter().find_map(|it| match *it {
        Effect::TurnInto { kind, site } if Some(site) == to => Some(kind),
        _ => None,
    });
    mv.promotion().or(turns_into).map(|it| it.0)
}

/// What is removed: what is taken, and what stands where a piece arrives.
fn captures(state: &State, mv: &Move) -> Vec<u16> {
    let leaves = |site: Site| {
        mv.movements().iter().any(|it| matches!(it, Effect::Walk { from, .. } if *from == site))
    };
    let stands = |site: Site| !state.placement().is_empty(site);
    let displaced = mv.movements().iter().filter_map(|it| match *it {
        Effect::Walk { from, to } if from == to => None,
        it => it.arrives().filter(|&to| stands(to) && !leaves(to)),
    });
    let mut sites: Vec<u16> = displaced.chain(mv.captures()).map(|it| it.0).collect();
    sites.sort_unstable();
    sites.dedup();
    sites
}

/// What a move does, for the eye.
pub(crate) fn effects(state: &State, mv: &Move) -> Vec<EffectView> {
    let owner = state.turn().map_or(Player(0), |it| it.owner);
    let placement = state.placement();
    let arrival = mv.movements().last().and_then(Effect::arrives);
    // What stands on a site after the movements.
    let after = |site: Site| {
        let moved = mv.movements().iter().rev().find_map(|it| match *it {
            Effect::Walk { from, to } if to == site => {
                placement.get(from).map(|it| (it.owner, it.kind))
            }
            Effect::Copy { from, to } if to == site => {
                placement.get(from).map(|it| (owner, it.kind))
            }
            Effect::Drop { kind, to } if to == site => Some((owner, kind)),
            _ => None,
        });
        moved.or_else(|| placement.get(site).map(|it| (it.owner, it.kind)))
    };
    let becomes = |site: Site, kind: Option<u16>, player: Option<u8>| {
        let (was_owner, was_kind) = after(site)?;
        let (kind, player) = (kind.unwrap_or(was_kind.0), player.unwrap_or(was_owner.0));
        Some(EffectView::Become { site: site.0, kind, player })
    };
    let mut views = Vec::new();
    for effect in &mv.effects {
        views.extend(match *effect {
            Effect::Walk { from, to } => Some(EffectView::Walk { from: from.0, to: to.0 }),
            Effect::Copy { from, to } => Some(EffectView::Copy { from: from.0, to: to.0 }),
            Effect::Drop { kind, to } => {
                Some(EffectView::Drop { kind: kind.0, to: to.0, player: owner.0 })
            }
            Effect::Create { player, kind, site } => {
                Some(EffectView::Drop { kind: kind.0, to: site.0, player: player.0 })
            }
            Effect::TurnInto { kind, site } => becomes(site, Some(kind.0), None),
            Effect::GiveTo { player, site } => becomes(site, None, Some(player.0)),
            Effect::Flip { site } => {
                let flipped = after(site).map(|it| flipped(state, it.0));
                becomes(site, None, flipped)
            }
            Effect::Capture { site } => Some(EffectView::Capture { site: site.0 }),
            Effect::Promote { kind } => arrival.and_then(|it| becomes(it, Some(kind.0), None)),
            Effect::Set { .. } => None,
        });
    }
    views
}

/// Whose a piece is after a flip: the next player's who has turns.
fn flipped(state: &State, owner: Player) -> u8 {
    let players = &state.ruleset().players;
    let after = (owner.idx() + 1..players.len()).chain(0..owner.idx());
    let is_active = |idx: &usize| players.get(*idx).is_some_and(|it| !it.is_neutral);
    after.into_iter().find(is_active).map_or(owner.0, |it| it as u8)
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
