//! What each word means in a variant, slot by slot.
//!
//! One word may be a piece, a site and an attribute at once, so there is no
//! single table of names: whoever reads a word knows which slot it fills and
//! asks for that meaning.

use boardwright_game::{Attribute, Direction, MoveType, PieceKind, Player, Site, Zone};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{expand::Item, symbol::Symbol};

const NONE: u16 = u16::MAX;

#[derive(Clone, Copy)]
struct Slots {
    site: u16,
    direction: u16,
    zone: u16,
    piece: u16,
    attribute: u16,
    player: u16,
}

const EMPTY: Slots =
    Slots { site: NONE, direction: NONE, zone: NONE, piece: NONE, attribute: NONE, player: NONE };

/// The names of one variant.
#[derive(Default)]
pub(crate) struct Vocab {
    slots: Vec<Slots>,
    killed: FxHashSet<Symbol>,
    /// Names that some piece of the variant has moves of.
    pub(crate) defined_move_types: FxHashSet<Symbol>,
    /// All names in order of definition: equal lists mean equal ids.
    order: Vec<(u8, Symbol)>,
}

macro_rules! slot {
    ($get:ident $set:ident $field:ident $tag:literal $id:ident $int:ty) => {
        #[inline]
        pub(crate) fn $get(&self, symbol: Symbol) -> Option<$id> {
            let id = self.slots.get(symbol.idx())?.$field;
            (id != NONE).then_some($id(id as $int))
        }

        pub(crate) fn $set(&mut self, symbol: Symbol, id: $id) {
            self.order.push(($tag, symbol));
            self.slots_mut(symbol).$field = id.0 as u16;
        }
    };
}

impl Vocab {
    slot!(site set_site site 0 Site u16);
    slot!(direction set_direction direction 1 Direction u16);
    slot!(zone set_zone zone 2 Zone u16);
    slot!(piece set_piece piece 3 PieceKind u16);
    slot!(attribute set_attribute attribute 4 Attribute u16);
    slot!(player set_player player 5 Player u8);

    fn slots_mut(&mut self, symbol: Symbol) -> &mut Slots {
        if self.slots.len() <= symbol.idx() {
            self.slots.resize(symbol.idx() + 1, EMPTY);
        }
        // The line above made room for it.
        #[expect(clippy::indexing_slicing)]
        &mut self.slots[symbol.idx()]
    }

    pub(crate) fn kill(&mut self, symbol: Symbol) {
        self.order.push((6, symbol));
        self.killed.insert(symbol);
    }

    /// Whether it is the name of a site that `kill-positions` took away.
    pub(crate) fn is_killed(&self, symbol: Symbol) -> bool {
        self.killed.contains(&symbol)
    }

    /// What distinguishes this vocabulary from others of the same file.
    pub(crate) fn fingerprint(&self) -> u64 {
        use std::hash::{Hash, Hasher};
        let mut hasher = rustc_hash::FxHasher::default();
        self.order.hash(&mut hasher);
        let mut types: Vec<_> = self.defined_move_types.iter().collect();
        types.sort_unstable();
        types.hash(&mut hasher);
        hasher.finish()
    }
}

/// Names whose numbers hold for the whole file, so that code can be shared
/// between its variants.
#[derive(Default)]
pub(crate) struct FileNames {
    pub(crate) attributes: Names,
    pub(crate) move_types: Names,
    pub(crate) flags: Names,
    pub(crate) site_flags: Names,
    /// Every player of any variant.
    pub(crate) players: FxHashSet<Symbol>,
    /// Flags that some code sets, and where one is first read.
    pub(crate) flags_set: FxHashSet<(FlagKind, Symbol)>,
    pub(crate) flags_read: FxHashMap<(FlagKind, Symbol), Item>,
}

/// The two sorts of flags have names of their own.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum FlagKind {
    Plain,
    Site,
}

/// Names numbered as they come.
#[derive(Default)]
pub(crate) struct Names {
    by_symbol: FxHashMap<Symbol, u16>,
    pub(crate) list: Vec<Symbol>,
}

impl Names {
    /// The number of a name, given if it is new.
    pub(crate) fn number(&mut self, symbol: Symbol) -> u16 {
        *self.by_symbol.entry(symbol).or_insert_with(|| {
            self.list.push(symbol);
            (self.list.len() - 1) as u16
        })
    }
}

impl FileNames {
    pub(crate) fn move_type(&mut self, symbol: Symbol) -> MoveType {
        MoveType(self.move_types.number(symbol))
    }

    pub(crate) fn attribute(&mut self, symbol: Symbol) -> Attribute {
        Attribute(self.attributes.number(symbol))
    }
}
