//! Moves, the effects they consist of, and lists of them.

use boardwright_game::{Attribute, MoveType, PieceKind, Player, Site};
use smallvec::SmallVec;

/// One elementary change that a move makes; eight bytes at most, checked by a test.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Effect {
    /// A piece moves; perhaps to where it is, which is printed as nothing.
    Walk {
        /// Where it stood.
        from: Site,
        /// Where it goes.
        to: Site,
    },
    /// A copy of a piece appears elsewhere: `add-copy`.
    Copy {
        /// What is copied.
        from: Site,
        /// Where the copy goes.
        to: Site,
    },
    /// A piece comes from the owner's hand.
    Drop {
        /// The kind of the piece.
        kind: PieceKind,
        /// The site it arrives on.
        to: Site,
    },
    /// A piece comes from nowhere: `create`.
    Create {
        /// The owner of the piece.
        player: Player,
        /// The kind of the piece.
        kind: PieceKind,
        /// The site of the piece.
        site: Site,
    },
    /// A piece becomes another: `change-type`.
    TurnInto {
        /// What it becomes.
        kind: PieceKind,
        /// Where it stands after the movements.
        site: Site,
    },
    /// A piece gets an owner: `change-owner`.
    GiveTo {
        /// The new owner.
        player: Player,
        /// Where it stands after the movements.
        site: Site,
    },
    /// A piece changes sides: `flip`.
    Flip {
        /// Where it stands after the movements.
        site: Site,
    },
    /// A piece's attribute gets a value: `set-attribute`.
    Set {
        /// The attribute that is set.
        attribute: Attribute,
        /// Where the piece stands after the movements.
        site: Site,
        /// The value.
        value: bool,
    },
    /// Whatever stands there in the end is removed: `capture`.
    Capture {
        /// The site of the piece.
        site: Site,
    },
    /// What the last movement moved becomes another piece: `(add Queen)`.
    Promote {
        /// What it becomes.
        kind: PieceKind,
    },
}

impl Effect {
    /// Where a piece arrives by a movement (a walk, a copy or a drop).
    #[inline]
    pub fn arrives(&self) -> Option<Site> {
        match *self {
            Effect::Walk { to, .. } | Effect::Copy { to, .. } | Effect::Drop { to, .. } => Some(to),
            _ => None,
        }
    }

    /// The site that a piece leaves by a movement.
    pub(crate) fn leaves(&self) -> Option<Site> {
        match *self {
            Effect::Walk { from, .. } => Some(from),
            _ => None,
        }
    }
}

/// That the mover may go on after a move: `add-partial`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Partial {
    /// The type of move to go on with; any if the rules do not say.
    pub next: Option<MoveType>,
}

/// One choice of a player: effects in the order in which they are written and done.
///
/// First the movements (the *key* movement first), then the changes, then the
/// captures, then the promotion. No effects at all: a pass.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Move {
    /// What it changes.
    pub effects: SmallVec<[Effect; 4]>,
    /// The type of the block it came from.
    pub move_type: Option<MoveType>,
    /// Whether and how the mover may go on.
    pub partial: Option<Partial>,
}

impl Move {
    /// The move that changes nothing but the turn.
    pub fn pass() -> Move {
        Move::default()
    }

    /// Whether it is the pass.
    pub fn is_pass(&self) -> bool {
        self.effects.is_empty()
    }

    /// The movements.
    pub fn movements(&self) -> &[Effect] {
        let n = self.effects.iter().take_while(|it| it.arrives().is_some()).count();
        &self.effects[..n]
    }

    /// Where the key movement begins (on the board) and ends.
    pub fn key_sites(&self) -> (Option<Site>, Option<Site>) {
        match self.effects.first() {
            Some(Effect::Walk { from, to }) => (Some(*from), Some(*to)),
            Some(it) => (None, it.arrives()),
            None => (None, None),
        }
    }

    /// What the piece of the last movement becomes.
    pub fn promotion(&self) -> Option<PieceKind> {
        match self.effects.last() {
            Some(Effect::Promote { kind }) => Some(*kind),
            _ => None,
        }
    }

    /// The sites of the captures.
    pub fn captures(&self) -> impl Iterator<Item = Site> + '_ {
        self.effects.iter().filter_map(|it| match it {
            Effect::Capture { site } => Some(*site),
            _ => None,
        })
    }
}

/// Legal moves in the order in which the rules generate them, each text once.
///
/// A move that several blocks or pieces generate has a weight above one: chance
/// players choose by weight, since the original chose among all it generated
/// (decision `random-weights`).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MoveList {
    moves: Vec<Move>,
    weights: Vec<u32>,
}

impl MoveList {
    /// An empty list.
    pub fn new() -> MoveList {
        MoveList::default()
    }

    /// The moves.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The moves, one by one.
    pub fn iter(&self) -> std::slice::Iter<'_, Move> {
        self.moves.iter()
    }

    /// How many moves there are.
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// The move with this number.
    pub fn get(&self, idx: usize) -> Option<&Move> {
        self.moves.get(idx)
    }

    /// How often the rules generated the move with this number.
    pub fn weight(&self, idx: usize) -> u32 {
        self.weights.get(idx).copied().unwrap_or(0)
    }

    /// How many moves the rules generated, duplicates included.
    pub fn total_weight(&self) -> u64 {
        self.weights.iter().map(|&it| u64::from(it)).sum()
    }

    /// The move that number `ticket` of all generated moves is.
    ///
    /// A chance player draws a ticket below [`total_weight`](MoveList::total_weight).
    pub fn drawn(&self, mut ticket: u64) -> Option<&Move> {
        for (mv, &weight) in self.moves.iter().zip(&self.weights) {
            if ticket < u64::from(weight) {
                return Some(mv);
            }
            ticket -= u64::from(weight);
        }
        None
    }

    pub(crate) fn clear(&mut self) {
        self.moves.clear();
        self.weights.clear();
    }

    pub(crate) fn push(&mut self, mv: Move) {
        self.moves.push(mv);
        self.weights.push(1);
    }

    /// Counts one more way to make the move with this number.
    pub(crate) fn again(&mut self, idx: usize) {
        if let Some(it) = self.weights.get_mut(idx) {
            *it += 1;
        }
    }

    /// Keeps the moves whose entry in `keep` is true.
    pub(crate) fn retain(&mut self, keep: &[bool]) {
        let chosen = |idx: &mut usize| {
            let kept = keep.get(*idx).copied().unwrap_or(false);
            *idx += 1;
            kept
        };
        let (mut at, mut weight_at) = (0, 0);
        self.moves.retain(|_| chosen(&mut at));
        self.weights.retain(|_| chosen(&mut weight_at));
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = &'a Move;
    type IntoIter = std::slice::Iter<'a, Move>;

    fn into_iter(self) -> Self::IntoIter {
        self.moves.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_effect_is_small() {
        assert!(size_of::<Effect>() <= 8, "{}", size_of::<Effect>());
    }

    #[test]
    fn tickets_follow_the_weights() {
        let mut list = MoveList::new();
        list.push(Move::pass());
        let mut drop = Move::pass();
        drop.effects.push(Effect::Drop { kind: PieceKind(0), to: Site(0) });
        list.push(drop);
        list.again(0);
        assert_eq!(list.total_weight(), 3);
        assert!(list.drawn(1).is_some_and(Move::is_pass));
        assert!(list.drawn(2).is_some_and(|it| !it.is_pass()));
        assert_eq!(list.drawn(3), None);
    }
}
