//! Sorts of pieces.

use std::sync::Arc;

use boardwright_text::Span;

use crate::{Player, Program, Site, Zone};

/// A sort of piece: indexes [`Ruleset::pieces`](crate::Ruleset::pieces).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PieceKind(pub u16);

impl PieceKind {
    /// The place in a list that is kept by piece kind.
    pub fn idx(self) -> usize {
        self.0 as usize
    }
}

/// A truth value that a piece carries: indexes [`Ruleset::attributes`](crate::Ruleset::attributes).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Attribute(pub u16);

impl Attribute {
    /// The place in a list that is kept by attribute.
    pub fn idx(self) -> usize {
        self.0 as usize
    }

    /// The bit that stands for it in a set of attributes.
    #[inline]
    pub fn bit(self) -> u64 {
        1 << self.0
    }
}

/// A class of moves: indexes [`Ruleset::move_types`](crate::Ruleset::move_types).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MoveType(pub u16);

impl MoveType {
    /// The place in a list that is kept by move type.
    pub fn idx(self) -> usize {
        self.0 as usize
    }
}

/// Whether a block moves pieces on the board or drops new ones.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BlockKind {
    /// From `moves`: runs for each piece on the board.
    Move,
    /// From `drops`: runs for each site.
    Drop,
}

/// The sites a drop block is tried on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DropStart {
    /// Every site.
    Anywhere,
    /// Only this one.
    Site(Site),
    /// The sites of the owner's zone.
    Zone(Zone),
}

/// One move block: where its code begins in the piece's program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Block {
    /// Moves or drops.
    pub kind: BlockKind,
    /// The `move-type` in force.
    pub move_type: Option<MoveType>,
    /// Where a drop block is tried; `Anywhere` for moves.
    pub start: DropStart,
    /// The first instruction; the code runs to [`Op::End`](crate::Op::End).
    pub entry: u32,
    /// Where it stands.
    pub span: Span,
}

/// The pictures of a piece for one player, one a piece set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PieceImage {
    /// Whose piece.
    pub player: Player,
    /// File names, as the author wrote them.
    pub files: Vec<Arc<str>>,
}

/// What the rules say of a sort of piece.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PieceKindInfo {
    /// The name in the rule file.
    pub name: String,
    /// What the move list shows instead of the name.
    pub notation: Option<Arc<str>>,
    /// The line for the status bar, its `\` kept: they part left, centre and right.
    pub help: Option<Arc<str>>,
    /// How it moves, in prose.
    pub description: Option<Arc<str>>,
    /// Pictures, by player.
    pub images: Vec<PieceImage>,
    /// The attributes it has.
    pub attributes: Vec<Attribute>,
    /// The same as bits.
    pub attribute_mask: u64,
    /// Those that are true on a new piece, as bits.
    pub default_attributes: u64,
    /// Whether it is a place-holder that players do not handle.
    pub is_dummy: bool,
    /// What a click on it opens: a rule file, one of its variants, or a web page.
    pub open: Option<Arc<str>>,
    /// Its move blocks, in text order.
    pub blocks: Vec<Block>,
    /// The code of all its blocks.
    pub program: Arc<Program>,
    /// Where it is defined.
    pub span: Span,
}
