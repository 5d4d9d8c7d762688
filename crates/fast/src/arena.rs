//! Moves that no template foresaw, kept for as long as a generation needs them.

use boardwright_game::{MoveType, PieceKind};

use crate::graph::{Change, Loc, Template};

/// Numbers of templates from here on are moves of an [`Arena`].
pub(crate) const MADE: u32 = 1 << 31;

/// Whether a number means a move of the arena.
#[inline]
pub(crate) fn is_made(id: u32) -> bool {
    id >= MADE
}

/// A move, wherever it is kept: what playing, writing and comparing it need.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View<'a> {
    pub kind: PieceKind,
    pub is_drop: bool,
    pub is_copy: bool,
    /// Movements, the key one first; only `to` counts in drops.
    pub movements: &'a [(Loc, Loc)],
    /// Changes, then captures, in the order of writing.
    pub changes: &'a [Change],
    pub promote: Option<PieceKind>,
    pub partial: Option<Option<MoveType>>,
    pub move_type: Option<MoveType>,
}

impl Template {
    pub fn view(&self) -> View<'_> {
        View {
            kind: self.kind,
            is_drop: self.is_drop,
            is_copy: self.is_copy,
            movements: &self.movements,
            changes: &self.changes,
            promote: self.promote,
            partial: self.partial,
            move_type: self.move_type,
        }
    }
}

impl View<'_> {
    /// Whether it brings one piece to one lane and no other.
    pub fn has_gain(&self) -> bool {
        let harmless = |it: &Change| matches!(it, Change::Set { .. } | Change::Capture { .. });
        let is_single = self.movements.len() == 1 && !self.is_copy;
        let (from, to) = self.movements[0];
        let comes = if self.is_drop { self.promote.is_none() } else { from != to };
        is_single && comes && self.changes.iter().all(harmless)
    }
}

/// What is kept of one move; its parts lie in the arena's lists.
#[derive(Clone, Copy, Debug)]
struct Made {
    kind: PieceKind,
    is_drop: bool,
    is_copy: bool,
    promote: Option<PieceKind>,
    partial: Option<Option<MoveType>>,
    move_type: Option<MoveType>,
    /// Where its parts end; they begin where the move before ended.
    movements_end: u32,
    changes_end: u32,
}

/// Ready moves of one generation, all their places lanes outright.
#[derive(Clone, Debug, Default)]
pub(crate) struct Arena {
    moves: Vec<Made>,
    movements: Vec<(Loc, Loc)>,
    changes: Vec<Change>,
}

impl Arena {
    pub fn clear(&mut self) {
        self.moves.clear();
        self.movements.clear();
        self.changes.clear();
    }

    /// How many moves there are; [`Arena::truncate`] goes back to it.
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// How many changes all moves have together.
    pub fn n_changes(&self) -> usize {
        self.changes.len()
    }

    /// Forgets all but the first `len` moves.
    pub fn truncate(&mut self, len: usize) {
        if len < self.moves.len() {
            let (movements, changes) = self.start(len);
            self.moves.truncate(len);
            self.movements.truncate(movements);
            self.changes.truncate(changes);
        }
    }

    /// Where the parts of a move begin.
    fn start(&self, idx: usize) -> (usize, usize) {
        match idx.checked_sub(1).and_then(|it| self.moves.get(it)) {
            Some(it) => (it.movements_end as usize, it.changes_end as usize),
            None => (0, 0),
        }
    }

    /// Keeps a move and gives its number.
    pub fn push(&mut self, view: &View<'_>) -> u32 {
        self.movements.extend_from_slice(view.movements);
        self.changes.extend_from_slice(view.changes);
        self.moves.push(Made {
            kind: view.kind,
            is_drop: view.is_drop,
            is_copy: view.is_copy,
            promote: view.promote,
            partial: view.partial,
            move_type: view.move_type,
            movements_end: self.movements.len() as u32,
            changes_end: self.changes.len() as u32,
        });
        MADE + (self.moves.len() as u32 - 1)
    }

    /// The move with a number that [`Arena::push`] gave.
    pub fn view(&self, id: u32) -> View<'_> {
        let idx = (id - MADE) as usize;
        let (movements, changes) = self.start(idx);
        let made = &self.moves[idx];
        View {
            kind: made.kind,
            is_drop: made.is_drop,
            is_copy: made.is_copy,
            movements: &self.movements[movements..made.movements_end as usize],
            changes: &self.changes[changes..made.changes_end as usize],
            promote: made.promote,
            partial: made.partial,
            move_type: made.move_type,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn going_back_forgets_the_parts_too() {
        let mut arena = Arena::default();
        let go = |from, to| [(Loc::Abs(from), Loc::Abs(to))];
        let plain = View {
            kind: PieceKind(1),
            is_drop: false,
            is_copy: false,
            movements: &go(1, 2),
            changes: &[Change::Capture { at: Loc::Abs(9) }],
            promote: None,
            partial: None,
            move_type: None,
        };
        let first = arena.push(&plain);
        let len = arena.len();
        arena.push(&View { movements: &go(3, 4), changes: &[], ..plain });
        arena.truncate(len);
        let second = arena.push(&View { movements: &go(5, 6), changes: &[], ..plain });
        assert_eq!(arena.view(first).changes.len(), 1);
        assert_eq!(arena.view(second).movements, go(5, 6));
        assert!(arena.view(second).changes.is_empty() && arena.view(second).has_gain());
    }
}
