//! Which piece stands on which site, and how many there are of each.

use boardwright_game::{PieceKind, Player, Site};

use crate::hash;

/// A piece: whose, what, and its attributes as bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Piece {
    /// The player it belongs to.
    pub owner: Player,
    /// The kind of the piece.
    pub kind: PieceKind,
    /// The attributes that are true, by [`Attribute::bit`](boardwright_game::Attribute::bit).
    pub attributes: u64,
}

impl Piece {
    /// The piece of a cell; `None` if it is empty.
    #[inline]
    pub(crate) fn of(cell: u32, attributes: u64) -> Option<Piece> {
        (cell != EMPTY).then(|| Piece {
            owner: cell_owner(cell),
            kind: cell_kind(cell),
            attributes,
        })
    }
}

/// A cell without a piece.
pub(crate) const EMPTY: u32 = 0;
const OCCUPIED: u32 = 1 << 31;

/// The cell of a piece: what and whose it is, in one word.
#[inline]
pub(crate) fn cell_of(owner: Player, kind: PieceKind) -> u32 {
    OCCUPIED | u32::from(owner.0) << 16 | u32::from(kind.0)
}

/// The owner's part of a cell that is not empty.
#[inline]
pub(crate) fn cell_owner(cell: u32) -> Player {
    Player((cell >> 16) as u8)
}

/// The kind's part of a cell that is not empty.
#[inline]
pub(crate) fn cell_kind(cell: u32) -> PieceKind {
    PieceKind(cell as u16)
}

/// Whether a cell holds a piece of `owner`.
#[inline]
pub(crate) fn is_owned(cell: u32, owner: Player) -> bool {
    cell >> 16 == (OCCUPIED >> 16 | u32::from(owner.0))
}

/// The pieces on the board, with counts, sets by owner and a hash kept in step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Placement {
    cells: Vec<u32>,
    attributes: Vec<u64>,
    /// `[owner * n_words + word]`: the sites of the owner's pieces.
    owned: Vec<u64>,
    /// `[owner * n_kinds + kind]`: how many stand on the board.
    counts: Vec<u32>,
    n_words: usize,
    n_kinds: usize,
    hash: u64,
}

impl Placement {
    pub(crate) fn new(n_sites: usize, n_players: usize, n_kinds: usize) -> Placement {
        let n_words = n_sites.div_ceil(64);
        Placement {
            cells: vec![EMPTY; n_sites],
            attributes: vec![0; n_sites],
            owned: vec![0; n_words * n_players],
            counts: vec![0; n_players * n_kinds],
            n_words,
            n_kinds,
            hash: 0,
        }
    }

    /// The piece on a site.
    pub fn get(&self, site: Site) -> Option<Piece> {
        let cell = *self.cells.get(site.idx())?;
        Piece::of(cell, self.attributes[site.idx()])
    }

    /// Whether no piece stands there.
    pub fn is_empty(&self, site: Site) -> bool {
        self.cells.get(site.idx()).is_none_or(|&it| it == EMPTY)
    }

    /// How many sites there are.
    pub fn n_sites(&self) -> usize {
        self.cells.len()
    }

    /// The pieces with their sites, in the order of the sites.
    pub fn pieces(&self) -> impl Iterator<Item = (Site, Piece)> + '_ {
        (0..self.cells.len() as u16).map(Site).filter_map(|site| Some((site, self.get(site)?)))
    }

    /// How many pieces of a kind a player has on the board.
    pub fn count(&self, owner: Player, kind: PieceKind) -> u32 {
        self.counts.get(owner.idx() * self.n_kinds + kind.idx()).copied().unwrap_or(0)
    }

    /// How many pieces a player has on the board.
    pub fn count_all(&self, owner: Player) -> u32 {
        let start = owner.idx() * self.n_kinds;
        self.counts.get(start..start + self.n_kinds).map_or(0, |it| it.iter().sum())
    }

    #[inline]
    pub(crate) fn cell(&self, site: Site) -> u32 {
        self.cells[site.idx()]
    }

    #[inline]
    pub(crate) fn attributes(&self, site: Site) -> u64 {
        self.attributes[site.idx()]
    }

    /// The words of an owner's set of sites.
    pub(crate) fn n_words(&self) -> usize {
        self.n_words
    }

    /// One word of an owner's set of sites.
    #[inline]
    pub(crate) fn owned_word(&self, owner: Player, word: usize) -> u64 {
        self.owned[owner.idx() * self.n_words + word]
    }

    /// The sites of an owner's pieces, ascending.
    pub(crate) fn owned(&self, owner: Player) -> impl Iterator<Item = Site> + '_ {
        (0..self.n_words).flat_map(move |word| {
            let mut rest = self.owned_word(owner, word);
            std::iter::from_fn(move || next_site(&mut rest, word))
        })
    }

    /// The hash of what stands where.
    pub(crate) fn hash(&self) -> u64 {
        self.hash
    }

    /// Puts a cell on a site, empty or not, and keeps everything else in step.
    pub(crate) fn set(&mut self, site: Site, cell: u32, attributes: u64) {
        let idx = site.idx();
        let (word, bit) = (idx / 64, 1_u64 << (idx % 64));
        let (old, old_attributes) = (self.cells[idx], self.attributes[idx]);
        if old != EMPTY {
            let owner = cell_owner(old).idx();
            self.owned[owner * self.n_words + word] &= !bit;
            self.counts[owner * self.n_kinds + cell_kind(old).idx()] -= 1;
            self.hash ^= hash::piece(site, old, old_attributes);
        }
        if cell != EMPTY {
            let owner = cell_owner(cell).idx();
            self.owned[owner * self.n_words + word] |= bit;
            self.counts[owner * self.n_kinds + cell_kind(cell).idx()] += 1;
            self.hash ^= hash::piece(site, cell, attributes);
        }
        self.cells[idx] = cell;
        self.attributes[idx] = attributes;
    }

    /// The hash, worked out from nothing; equal to what is kept.
    pub(crate) fn recomputed_hash(&self) -> u64 {
        self.pieces().fold(0, |acc, (site, it)| {
            acc ^ hash::piece(site, cell_of(it.owner, it.kind), it.attributes)
        })
    }
}

/// Takes the lowest site out of one word of a set.
#[inline]
pub(crate) fn next_site(rest: &mut u64, word: usize) -> Option<Site> {
    if *rest == 0 {
        return None;
    }
    let bit = rest.trailing_zeros();
    *rest &= *rest - 1;
    Some(Site((word * 64) as u16 + bit as u16))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_sets_and_hash_follow_the_pieces() {
        let mut pond = Placement::new(70, 2, 3);
        let wolf = cell_of(Player(1), PieceKind(2));
        pond.set(Site(65), wolf, 5);
        pond.set(Site(3), cell_of(Player(0), PieceKind(0)), 0);
        assert_eq!(pond.get(Site(65)).map(|it| (it.owner, it.attributes)), Some((Player(1), 5)));
        assert_eq!(pond.count(Player(1), PieceKind(2)), 1);
        assert_eq!(pond.owned(Player(1)).collect::<Vec<_>>(), [Site(65)]);
        assert_eq!(pond.hash(), pond.recomputed_hash());
        let before = pond.hash();
        pond.set(Site(3), wolf, 0);
        assert_ne!(pond.hash(), before);
        pond.set(Site(3), cell_of(Player(0), PieceKind(0)), 0);
        assert_eq!(pond.hash(), before);
        assert_eq!(pond.count_all(Player(1)), 1);
    }
}
