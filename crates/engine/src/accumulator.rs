//! The accumulator: the part of the static evaluation that is updated move by move instead of
//! being computed again for each state.

use boardwright_fast::GameTree;
use boardwright_game::{PieceKind, Player, Site};

use crate::{eval::Eval, structure::SiteBits};

/// Running sums over the pieces on the board, for the first side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Accumulator {
    /// Sum of the middlegame values, in points.
    pub middlegame: i32,
    /// Sum of the endgame values, in points.
    pub endgame: i32,
    /// Material of both sides, royal pieces aside: tells the phase of the game.
    pub material: i32,
    /// Sum of the values of open rows, in points.
    pub rows: i32,
    /// By side: rows that lack one piece.
    pub row_threats: [i16; 2],
    /// By player, for the first four: the site of a royal piece, or [`NO_SITE`].
    pub royal: [u16; 4],
    /// By player: the sites of the pieces of the pawn kind.
    pub pawns: [SiteBits; 2],
}

/// Stands for "no royal piece" in [`Accumulator::royal`].
pub(crate) const NO_SITE: u16 = u16::MAX;

/// A row that a goal asks for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    pub player: Player,
    /// The kind of its pieces; any kind if `None`.
    pub kind: Option<PieceKind>,
    pub len: u8,
    /// 1 if it wins for its player, -1 if it loses.
    pub sign: i32,
    /// The index of its first site among those of all rows.
    pub first: u32,
}

/// By row: how many of its sites hold a fitting piece, and how many another. One for each
/// searcher.
#[derive(Clone, Debug, Default)]
pub(crate) struct RowCounts(Vec<(u8, u8)>);

/// A piece that comes (`delta` 1) or goes (-1).
#[derive(Clone, Copy)]
struct PieceChange {
    site: Site,
    owner: Player,
    kind: PieceKind,
    delta: i32,
}

impl Eval {
    /// Computes the accumulator of a state from scratch.
    pub fn refresh(&self, tree: &GameTree<'_>, signs: &[i32]) -> (Accumulator, RowCounts) {
        let mut counts = RowCounts(vec![(0, 0); self.rows.len()]);
        let mut accumulator = Accumulator { royal: [NO_SITE; 4], ..Accumulator::default() };
        tree.each_piece(|site, owner, kind| {
            let change = PieceChange { site, owner, kind, delta: 1 };
            self.apply(&mut accumulator, change, signs);
            self.apply_rows(&mut accumulator, &mut counts, change, signs);
        });
        (accumulator, counts)
    }

    /// The accumulator after the last move of the tree, given the one before it.
    #[inline]
    pub fn update(
        &self,
        tree: &GameTree<'_>,
        before: Accumulator,
        counts: &mut RowCounts,
        signs: &[i32],
    ) -> Accumulator {
        let mut accumulator = before;
        tree.each_change(|site, old, new| {
            if let Some((owner, kind)) = old {
                let change = PieceChange { site, owner, kind, delta: -1 };
                self.apply(&mut accumulator, change, signs);
                self.apply_rows(&mut accumulator, counts, change, signs);
            }
            if let Some((owner, kind)) = new {
                let change = PieceChange { site, owner, kind, delta: 1 };
                self.apply(&mut accumulator, change, signs);
                self.apply_rows(&mut accumulator, counts, change, signs);
            }
        });
        accumulator
    }

    /// Undoes what the last move of the tree did to the row counts; call before its undo.
    #[inline]
    pub fn undo_rows(&self, tree: &GameTree<'_>, counts: &mut RowCounts, signs: &[i32]) {
        if self.rows.is_empty() {
            return;
        }
        let mut unused = Accumulator::default();
        tree.each_change(|site, old, new| {
            if let Some((owner, kind)) = new {
                let change = PieceChange { site, owner, kind, delta: -1 };
                self.apply_rows(&mut unused, counts, change, signs);
            }
            if let Some((owner, kind)) = old {
                let change = PieceChange { site, owner, kind, delta: 1 };
                self.apply_rows(&mut unused, counts, change, signs);
            }
        });
    }

    #[inline]
    fn apply(&self, it: &mut Accumulator, change: PieceChange, signs: &[i32]) {
        let PieceChange { site, owner, kind, delta } = change;
        let sign = signs[owner.idx()] * delta;
        let [middlegame, endgame] = self.site_values[self.site_idx(owner, kind, site.idx())];
        it.middlegame += sign * middlegame;
        it.endgame += sign * endgame;
        it.material += delta * self.material[owner.idx() * self.n_kinds + kind.idx()];
        if let Some(structure) = &self.structure
            && structure.kind == kind
        {
            for (player, pawns) in structure.players.iter().zip(&mut it.pawns) {
                if *player == owner {
                    *pawns ^= 1 << site.idx();
                }
            }
        }
        if self.has_royal
            && self.is_royal(owner, kind)
            && let Some(royal) = it.royal.get_mut(owner.idx())
        {
            if delta > 0 {
                *royal = site.0;
            } else if *royal == site.0 {
                *royal = NO_SITE;
            }
        }
    }

    #[inline]
    fn apply_rows(
        &self,
        it: &mut Accumulator,
        counts: &mut RowCounts,
        change: PieceChange,
        signs: &[i32],
    ) {
        for &number in &self.rows_at[change.site.idx()] {
            let row = &self.rows[number as usize];
            let (mine, theirs) = &mut counts.0[number as usize];
            let sign = signs[row.player.idx()] * row.sign;
            let side = usize::from(sign < 0);
            it.rows -= sign * row_value(row.len, *mine, *theirs);
            it.row_threats[side] -= i16::from(*mine + 1 == row.len && *theirs == 0);
            let fits = change.owner == row.player && row.kind.is_none_or(|it| it == change.kind);
            let count = if fits { mine } else { theirs };
            *count = count.wrapping_add(change.delta as u8);
            let (mine, theirs) = counts.0[number as usize];
            it.rows += sign * row_value(row.len, mine, theirs);
            it.row_threats[side] += i16::from(mine + 1 == row.len && theirs == 0);
        }
    }

    /// The empty sites where a side (1 or -1) would complete a row.
    pub fn completing_sites(
        &self,
        accumulator: &Accumulator,
        counts: &RowCounts,
        signs: &[i32],
        side: i32,
        tree: &GameTree<'_>,
    ) -> Vec<Site> {
        let mut sites = Vec::new();
        if accumulator.row_threats[usize::from(side < 0)] <= 0 {
            return sites;
        }
        for (row, &(mine, theirs)) in self.rows.iter().zip(&counts.0) {
            let wins = row.sign > 0 && signs[row.player.idx()] == side;
            if mine + 1 == row.len && theirs == 0 && wins {
                let first = row.first as usize;
                let of_row = &self.row_sites[first..first + row.len as usize];
                sites.extend(of_row.iter().filter(|&&it| tree.piece(it).is_none()));
            }
        }
        sites
    }

    /// The value of the open rows of either side that a piece on a site would extend or block,
    /// in points.
    #[inline]
    pub fn row_potential(&self, counts: &RowCounts, site: Site) -> i32 {
        let mut total = 0;
        for &number in &self.rows_at[site.idx()] {
            let (mine, theirs) = counts.0[number as usize];
            if theirs == 0 {
                total += row_value(self.rows[number as usize].len, mine + 1, 0);
            }
        }
        total
    }
}

/// The value of a row to its player, in points: nothing once another piece blocks it.
#[inline]
fn row_value(len: u8, mine: u8, theirs: u8) -> i32 {
    if theirs > 0 || mine == 0 {
        return 0;
    }
    match len - mine.min(len) {
        0 | 1 => 240,
        2 => 60,
        3 => 14,
        4 => 3,
        _ => 1,
    }
}
