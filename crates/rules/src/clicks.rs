//! Further clicks by which a move of compiled rules may be meant, beside its key movement.
//!
//! The original matches the key movement alone. That leaves some moves hard to enter: a copy
//! has no beginning, a piece that takes without moving goes nowhere, and people castle by
//! putting the king on the rook. A pair is offered only where it means no other key movement.

use boardwright_game::Site;
use boardwright_play::{Effect, Move, MoveList};
use rustc_hash::FxHashSet;

/// The further pairs of sites, by move of a list.
pub(crate) fn of_list(list: &MoveList) -> Vec<Vec<(Site, Site)>> {
    let mut keys: FxHashSet<(Site, Site)> = FxHashSet::default();
    for mv in list {
        if let (Some(from), Some(to)) = mv.key_sites() {
            keys.insert((from, to));
        }
    }
    let further = |mv: &Move| {
        let mut pairs: Vec<(Site, Site)> = Vec::new();
        for pair in candidates(mv) {
            if pair.0 != pair.1 && !keys.contains(&pair) && !pairs.contains(&pair) {
                pairs.push(pair);
            }
        }
        pairs
    };
    list.iter().map(further).collect()
}

fn candidates(mv: &Move) -> Vec<(Site, Site)> {
    let Some(first) = mv.effects.first() else { return Vec::new() };
    let rest = mv.effects.iter().skip(1);
    match *first {
        Effect::Copy { from, to } => vec![(from, to)],
        // A move in place: what it changes elsewhere can be clicked.
        Effect::Walk { from, to } if from == to => rest
            .filter_map(|it| match *it {
                Effect::Walk { to, .. } | Effect::Copy { to, .. } => Some((from, to)),
                Effect::Capture { site }
                | Effect::Create { site, .. }
                | Effect::TurnInto { site, .. }
                | Effect::GiveTo { site, .. }
                | Effect::Flip { site } => Some((from, site)),
                _ => None,
            })
            .collect(),
        // Castling: the king is put on the rook.
        Effect::Walk { from, to } => rest
            .filter_map(|it| match *it {
                Effect::Walk { from: other, to: there } if other != there && other != to => {
                    Some((from, other))
                }
                _ => None,
            })
            .collect(),
        _ => Vec::new(),
    }
}
