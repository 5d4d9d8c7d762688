//! What stops a generation that went too far.

use boardwright_game::PieceKind;
use boardwright_text::Span;

/// A rule file asked for more than one generation of moves may take.
///
/// The state is unharmed: whoever gets a `Halt` may undo, show or save it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Halt {
    /// One run of a move block took too many instructions: an endless loop.
    EndlessBlock {
        /// The kind whose code it is.
        kind: PieceKind,
        /// Where the block stands.
        span: Span,
    },
    /// A block moves more pieces at once than is allowed.
    TooManyCascades {
        /// The kind whose code it is.
        kind: PieceKind,
        /// Where the block stands.
        span: Span,
    },
    /// A block gathers more effects for one move than is allowed.
    TooManyEffects {
        /// The kind whose code it is.
        kind: PieceKind,
        /// Where the block stands.
        span: Span,
    },
    /// All blocks together took too many instructions.
    OutOfFuel,
    /// The signal that the caller gave asked for an end.
    Stopped,
    /// More moves than a list may hold.
    TooManyMoves,
    /// Chains of partial moves that are too long or too many to follow.
    TooManyChains,
}

impl Halt {
    /// Instructions that one run of a block may take, as in the original.
    pub const BLOCK_FUEL: u32 = 200_000;
    /// Instructions that one generation may take, attack probes and chains included.
    pub const TOTAL_FUEL: u64 = 50_000_000;
    /// Pieces that one move may move, as in the original.
    pub const CASCADES: usize = 1024;
    /// Effects that one move may gather.
    ///
    /// DIFFERENCE: the original has no limit; case `too-many-effects`.
    pub const EFFECTS: usize = 32_768;
    /// Moves of one list, duplicates included.
    pub const MOVES: usize = 65_536;
    /// Effects of all moves of one list.
    pub const LIST_EFFECTS: usize = 1_048_576;
    /// Partial moves of one chain.
    pub const CHAIN_LENGTH: usize = 512;
    /// Partial moves looked at to judge chains, in one generation.
    pub const CHAIN_STEPS: usize = 1_000_000;

    /// The same with names, for people: `piece_name` tells the name of a kind.
    pub fn message(&self, piece_name: impl Fn(PieceKind) -> String) -> String {
        match *self {
            Halt::EndlessBlock { kind, .. } => format!(
                "infinite loop: a move block of `{}` ran for more than {} instructions",
                piece_name(kind),
                Halt::BLOCK_FUEL
            ),
            Halt::TooManyCascades { kind, .. } => format!(
                "a move block of `{}` moves more than {} pieces at once",
                piece_name(kind),
                Halt::CASCADES
            ),
            Halt::TooManyEffects { kind, .. } => format!(
                "a move block of `{}` gathers more than {} effects for one move",
                piece_name(kind),
                Halt::EFFECTS
            ),
            Halt::OutOfFuel => {
                format!("finding the moves took more than {} instructions", Halt::TOTAL_FUEL)
            }
            Halt::Stopped => "finding the moves was stopped because it took too long".to_owned(),
            Halt::TooManyMoves => format!("there are more than {} moves", Halt::MOVES),
            Halt::TooManyChains => "chains of partial moves grow without end".to_owned(),
        }
    }

    /// Where the block stands that went too far, if it was one block.
    pub fn span(&self) -> Option<Span> {
        match *self {
            Halt::EndlessBlock { span, .. }
            | Halt::TooManyCascades { span, .. }
            | Halt::TooManyEffects { span, .. } => Some(span),
            Halt::OutOfFuel | Halt::Stopped | Halt::TooManyMoves | Halt::TooManyChains => None,
        }
    }
}

impl std::fmt::Display for Halt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message(|kind| format!("piece {}", kind.0)))
    }
}

impl std::error::Error for Halt {}
