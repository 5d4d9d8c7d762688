//! Which moves a pair of touches means.
//!
//! As in the original, only the key movement counts: where it begins and ends. A
//! copy counts as a drop on its site.

use boardwright_game::Site;
use boardwright_play::{Move, MoveList};

/// What was picked up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Pick {
    /// The piece on a site.
    Piece(Site),
}

impl Pick {
    pub(super) fn site(&self) -> Site {
        let Pick::Piece(site) = self;
        *site
    }

    /// The numbers of the moves that putting it on `to` may mean.
    pub(super) fn moves_to(&self, list: &MoveList, to: Site) -> Vec<usize> {
        numbers(list, |mv| mv.key_sites() == (Some(self.site()), Some(to)))
    }
}

fn numbers(list: &MoveList, mut is_meant: impl FnMut(&Move) -> bool) -> Vec<usize> {
    list.iter().enumerate().filter(|(_, mv)| is_meant(mv)).map(|it| it.0).collect()
}

/// Whether a move begins at a site.
pub(super) fn begins(list: &MoveList, site: Site) -> bool {
    list.iter().any(|it| it.key_sites().0 == Some(site))
}

/// Whether something may be dropped on a site.
pub(super) fn arrives(list: &MoveList, site: Site) -> bool {
    list.iter().any(|it| it.key_sites() == (None, Some(site)))
}

/// The numbers of the moves that one touch of a site means: drops there; or moves in
/// place, where the piece cannot go anywhere else.
pub(super) fn moves_at(list: &MoveList, site: Site) -> Vec<usize> {
    let drops = numbers(list, |mv| mv.key_sites() == (None, Some(site)));
    if !drops.is_empty() {
        return drops;
    }
    let own = numbers(list, |mv| mv.key_sites().0 == Some(site));
    let stays = |idx: &usize| list.get(*idx).is_some_and(|it| it.key_sites().1 == Some(site));
    if own.iter().all(stays) { own } else { Vec::new() }
}
