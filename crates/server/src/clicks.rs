//! Further clicks by which a move may be meant, beside its key movement.
//!
//! The original matches the key movement alone. That leaves some moves hard to enter:
//! a copy has no beginning, a piece that takes without moving goes nowhere, and people
//! castle by putting the king on the rook. A pair is offered only where it means no
//! other key movement.

use std::collections::HashSet;

use boardwright_play::{Effect, Move, MoveList};
use boardwright_protocol::Clicks;

/// By move of a list: the further pairs.
pub(crate) fn all(list: &MoveList) -> Vec<Vec<Clicks>> {
    let mut keys: HashSet<(u16, u16)> = HashSet::new();
    for mv in list {
        if let (Some(from), Some(to)) = mv.key_sites() {
            keys.insert((from.0, to.0));
        }
    }
    let further = |mv: &Move| {
        let mut pairs: Vec<Clicks> = Vec::new();
        for (from, to) in candidates(mv) {
            let pair = Clicks { from, to };
            if from != to && !keys.contains(&(from, to)) && !pairs.contains(&pair) {
                pairs.push(pair);
            }
        }
        pairs
    };
    list.iter().map(further).collect()
}

fn candidates(mv: &Move) -> Vec<(u16, u16)> {
    let Some(first) = mv.effects.first() else { return Vec::new() };
    let rest = mv.effects.iter().skip(1);
    match *first {
        Effect::Copy { from, to } => vec![(from.0, to.0)],
        // In place: what it does elsewhere can be clicked.
        Effect::Walk { from, to } if from == to => rest
            .filter_map(|it| match *it {
                Effect::Walk { to, .. } | Effect::Copy { to, .. } => Some((from.0, to.0)),
                Effect::Capture { site } | Effect::Create { site, .. } => Some((from.0, site.0)),
                Effect::TurnInto { site, .. } | Effect::GiveTo { site, .. } => {
                    Some((from.0, site.0))
                }
                Effect::Flip { site } => Some((from.0, site.0)),
                _ => None,
            })
            .collect(),
        // Castling: the king is put on the rook.
        Effect::Walk { from, to } => rest
            .filter_map(|it| match *it {
                Effect::Walk { from: other, to: there } if other != there && other != to => {
                    Some((from.0, other.0))
                }
                _ => None,
            })
            .collect(),
        _ => Vec::new(),
    }
}
