//! The moves that a touched site, or a pair of touched sites, can mean.
//!
//! As in the original program, only the origin and the destination of the key movement count.
//! A copy counts as a drop on its site.

use boardwright_game::Site;
use boardwright_rules::MoveDetails;

/// The indices of the moves from one site to another.
pub(super) fn between(moves: &[MoveDetails], from: Site, to: Site) -> Vec<usize> {
    indices(moves, |it| (it.from, it.to) == (Some(from), Some(to)))
}

fn indices(moves: &[MoveDetails], is_meant: impl Fn(&MoveDetails) -> bool) -> Vec<usize> {
    moves.iter().enumerate().filter(|(_, it)| is_meant(it)).map(|it| it.0).collect()
}

/// Whether a move begins at a site.
pub(super) fn begins(moves: &[MoveDetails], site: Site) -> bool {
    moves.iter().any(|it| it.from == Some(site))
}

/// Whether something may be dropped on a site.
pub(super) fn drops(moves: &[MoveDetails], site: Site) -> bool {
    moves.iter().any(|it| it.from.is_none() && it.to == Some(site))
}

/// The indices of the moves that one touch of a site means: drops there, or moves in place if
/// the piece cannot go anywhere else.
pub(super) fn at(moves: &[MoveDetails], site: Site) -> Vec<usize> {
    let drops = indices(moves, |it| it.from.is_none() && it.to == Some(site));
    if !drops.is_empty() {
        return drops;
    }
    let own = indices(moves, |it| it.from == Some(site));
    let stays = |idx: &usize| moves.get(*idx).is_some_and(|it| it.to == Some(site));
    if own.iter().all(stays) { own } else { Vec::new() }
}
