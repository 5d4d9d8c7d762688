//! Rules as sets: every start of a block at once.
//!
//! [`Fast`] holds a ruleset whose move blocks were run on symbols (`graph`) and
//! became a few operations on sets of sites (`lanes`). It knows the same moves,
//! outcomes and states as [`State`], only sooner; what it cannot do it refuses
//! when it is made, with the reason, and then [`State`] does the work.
//!
//! Invariant: nothing differs from the plain machine but the time. A test runs
//! both over every game and compares.

mod aims;
mod apply;
mod arena;
mod bits;
mod builder;
mod chains;
mod checks;
mod compile;
mod connect;
mod emits;
mod exchange;
mod fast_tree;
mod game;
mod goals;
mod graph;
mod index;
mod lanes;
mod layout;
mod offers;
mod playout;
mod replay;
mod safety;
mod script;
mod shadow;
mod shape;
mod simplify;
mod spread;
mod tree;
mod uniform;
mod walks;

use std::sync::Arc;

use boardwright_game::{PieceKind, Player, Site};
use boardwright_play::{Halt, Rules, State};

use game::FastGame;

pub use playout::Playouts;
pub use replay::replay_both;
pub use shadow::Shadow;
pub use tree::{GameMove, GameTree, MoveCounts, ScriptedTree, TreeMove};

/// Why a ruleset stays with the plain machine.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Unsupported {
    /// More sites than fit in the words.
    LargeBoard,
    /// A direction leads a different way from nearly every site.
    IrregularBoard,
    /// More kinds, players and attributes than there are bits for.
    ManyKinds,
    /// A block has too many different courses.
    TooManyNodes,
    /// A block that may never end.
    EndlessBlock,
    /// A flag is read before the block sets it.
    Flags,
    /// Flags on sites.
    SiteFlags,
    /// `(go last-to)`
    LastSites,
    /// `attacked?` is asked in a way that is not a plain condition of a move.
    Attacks,
    /// Effects on named sites mixed with movements.
    MixedSites,
    /// An option that has no fast form.
    Options,
    /// A goal that has no fast form.
    Goals,
    /// Many pieces that are walked could take royal ones, so that nearly every move would
    /// have to be tried out: the plain machine is faster then.
    WalkedAttacks,
    /// Nothing to play.
    NoGame,
}

impl std::fmt::Display for Unsupported {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Unsupported::LargeBoard => "the board has too many sites",
            Unsupported::IrregularBoard => "the board is too irregular",
            Unsupported::ManyKinds => "there are too many kinds of pieces",
            Unsupported::TooManyNodes => "a block has too many courses",
            Unsupported::EndlessBlock => "a block may never end",
            Unsupported::Flags => "a flag is read before it is set",
            Unsupported::SiteFlags => "the rules use flags on sites",
            Unsupported::LastSites => "the rules go to the sites of the last move",
            Unsupported::Attacks => "the rules ask for attacks in an involved way",
            Unsupported::MixedSites => "effects on named sites are mixed with movements",
            Unsupported::Options => "an option has no fast form",
            Unsupported::Goals => "a goal has no fast form",
            Unsupported::WalkedAttacks => "pieces that have to be walked attack royal ones",
            Unsupported::NoGame => "there is nothing to play",
        })
    }
}

/// A ruleset in its fast form.
#[derive(Debug)]
pub struct Fast(pub(crate) Sized);

#[derive(Debug)]
pub(crate) enum Sized {
    One(FastGame<1>),
    Two(FastGame<2>),
    Four(FastGame<4>),
    Six(FastGame<6>),
}

macro_rules! each {
    ($fast:expr, $game:ident => $work:expr) => {
        match &$fast.0 {
            Sized::One($game) => $work,
            Sized::Two($game) => $work,
            Sized::Four($game) => $work,
            Sized::Six($game) => $work,
        }
    };
}

impl Fast {
    /// Makes the fast form, or says why there is none.
    pub fn new(rules: &Arc<Rules>) -> Result<Fast, Unsupported> {
        let (lane_of, n_lanes) = layout::lanes(&rules.ruleset.board);
        Ok(Fast(match n_lanes {
            0..=64 => Sized::One(FastGame::new(rules, lane_of)?),
            65..=128 => Sized::Two(FastGame::new(rules, lane_of)?),
            129..=256 => Sized::Four(FastGame::new(rules, lane_of)?),
            257..=384 => Sized::Six(FastGame::new(rules, lane_of)?),
            _ => return Err(Unsupported::LargeBoard),
        }))
    }

    /// A game that follows a plain one move by move, for comparison.
    pub fn shadow(&self, state: &State) -> Shadow<'_> {
        Shadow::new(self, state)
    }

    /// Whether some blocks are walked step by step, which takes longer.
    pub fn has_walks(&self) -> bool {
        each!(self, game => game.has_walks())
    }

    /// The sites from which a kind of a player's could take on a site, were nothing in its
    /// way; empty where no royal piece makes attacks known.
    pub fn takers(&self, attacker: Player, kind: PieceKind, target: Site) -> Vec<Site> {
        each!(self, game => game.takers(attacker, kind, target))
    }

    /// How many operations the blocks became.
    pub fn n_ops(&self) -> usize {
        each!(self, game => game.n_ops())
    }

    /// The blocks that are run start by start, each with the reason.
    pub fn walked(&self) -> &[(PieceKind, usize, Unsupported)] {
        each!(self, game => &game.walked)
    }

    /// Plays random games from the start.
    pub fn playouts(&self, seed: u64, max_plies: u32) -> Playouts<'_> {
        Playouts::new(self, seed, max_plies)
    }

    /// Counts the lines of play of a length; `bulk` counts the last ply without making it.
    pub fn perft(&self, state: &State, depth: u32, bulk: bool) -> Result<u64, Halt> {
        each!(self, game => game.perft(state, depth, bulk))
    }
}
