//! Move blocks run on symbols: one graph for all sites at once.
//!
//! A block is walked with the cursor as a *distance* from wherever it starts.
//! What the board decides (edges, zones, symmetry) becomes a mask of starts,
//! what the pieces decide becomes a test node, and `add` becomes an emit node
//! with a ready-made [`Template`]. The result is a directed graph without
//! cycles, its nodes in an order in which every node follows its parents.

use boardwright_game::{MoveType, PieceKind};
use boardwright_play::semantics::SiteChange;

use crate::bits::Bits;

/// A lane, as a distance from the start or outright.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Loc {
    Rel(i16),
    Abs(u16),
}

impl Loc {
    #[inline]
    pub fn at(self, start: usize) -> usize {
        match self {
            Loc::Rel(delta) => (start as i32 + i32::from(delta)) as usize,
            Loc::Abs(lane) => lane as usize,
        }
    }
}

/// What a test asks of a lane.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Pred {
    Empty,
    Friend,
    Enemy,
    Neutral,
    NearEnemy,
    LastFrom,
    LastTo,
    /// One answer for all starts; the location is its number.
    Uniform,
    Kind(u16),
    Attribute(u16),
}

/// A change that a move makes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Change {
    Create { player: u8, kind: u16, at: Loc },
    TurnInto { kind: u16, at: Loc },
    GiveTo { player: u8, at: Loc },
    Flip { at: Loc },
    Set { attribute: u16, at: Loc, value: bool },
    Capture { at: Loc },
}

impl Change {
    /// A change that an instruction makes at a place; `truth` is the truth register.
    #[inline(always)]
    pub fn of(change: SiteChange, at: Loc, truth: bool) -> Change {
        match change {
            SiteChange::Set(attribute) => Change::Set { attribute: attribute.0, at, value: truth },
            SiteChange::Capture => Change::Capture { at },
            SiteChange::Flip => Change::Flip { at },
            SiteChange::GiveTo(player) => Change::GiveTo { player: player.0, at },
            SiteChange::TurnInto(kind) => Change::TurnInto { kind: kind.0, at },
            SiteChange::Create(player, kind) => {
                Change::Create { player: player.0, kind: kind.0, at }
            }
        }
    }
}

/// `attacked?` or `defended?`, asked when all else about a move is known.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Guard {
    pub is_defence: bool,
    pub move_type: Option<MoveType>,
    pub at: Loc,
    pub wanted: bool,
}

/// How a move that a block can make looks, from any start.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Template {
    pub kind: PieceKind,
    pub is_drop: bool,
    pub is_copy: bool,
    /// Movements, the key one first; only `to` counts in drops.
    pub movements: Vec<(Loc, Loc)>,
    /// Changes, then captures, in the order of writing.
    pub changes: Vec<Change>,
    pub promote: Option<PieceKind>,
    pub partial: Option<Option<MoveType>>,
    pub move_type: Option<MoveType>,
    pub guards: Vec<Guard>,
    /// The walk that finds the changes when the move is played. Until then `changes` holds
    /// no more than captures that may happen.
    pub lazy: Option<u32>,
    /// Where a lazy move changes pieces, and whether their owner; `None` if that is not known.
    pub touched: Option<Vec<(Loc, bool)>>,
    /// No move at all: from here the walk finds the moves of the block.
    pub is_escape: bool,
}

pub(crate) type NodeId = usize;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Node<const W: usize> {
    /// Splits by what stands `at`; where that is off the board the answer is no.
    Test { pred: Pred, at: Loc, on_board: Bits<W>, yes: Option<NodeId>, no: Option<NodeId> },
    /// Splits by the start.
    Filter { starts: Bits<W>, yes: Option<NodeId>, no: Option<NodeId> },
    /// Offers moves, then goes on.
    Emit { templates: Vec<Template>, next: Option<NodeId> },
}

/// The graph of a block; children come before parents, the root is last.
#[derive(Clone, Debug)]
pub(crate) struct Graph<const W: usize> {
    pub nodes: Vec<Node<W>>,
    pub root: Option<NodeId>,
}
