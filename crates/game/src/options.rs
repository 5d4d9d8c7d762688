//! The options of a variant, with what they default to.

/// `pass turn`
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum PassTurn {
    /// Nobody may pass.
    #[default]
    Never,
    /// Everybody may.
    Always,
    /// Only who has no other move.
    Forced,
}

/// `maximal captures`
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum MaximalCaptures {
    /// Any chain of partial moves will do.
    #[default]
    No,
    /// Only the longest chains.
    Longest,
    /// Of the longest, only those that take the most valuable pieces.
    MostValuable,
}

/// `prevent flipping`
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Flipping {
    /// The board may be turned, picture and all.
    #[default]
    Allowed,
    /// It may not be turned.
    Prevented,
    /// The sites are turned, the picture is not.
    SitesOnly,
    /// As `SitesOnly`, about the middle of the real sites only.
    SitesOnlyTight,
}

/// Every option of a variant. `None` leaves the choice to the user.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// `animate captures`
    pub animate_captures: Option<bool>,
    /// `animate drops`
    pub animate_drops: Option<bool>,
    /// `show moves list`
    pub show_moves_list: Option<bool>,
    /// `smart moves`
    pub smart_moves: Option<bool>,
    /// `highlight goals`
    pub highlight_goals: Option<bool>,
    /// `selection screen`
    pub selection_screen: Option<bool>,
    /// `discard cascades`
    pub discard_cascades: bool,
    /// `include off-pieces`
    pub include_off_pieces: bool,
    /// `pass partial`
    pub pass_partial: bool,
    /// `progressive levels`
    pub progressive_levels: bool,
    /// `recycle captures`
    pub recycle_captures: bool,
    /// `recycle promotions`
    pub recycle_promotions: bool,
    /// `silent ? moves`
    pub silent_random_moves: bool,
    /// `maximal captures`
    pub maximal_captures: MaximalCaptures,
    /// `pass turn`
    pub pass_turn: PassTurn,
    /// `prevent flipping`
    pub flipping: Flipping,
}
