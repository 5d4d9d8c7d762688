//! When a game ends, and for whom how.

use boardwright_text::Span;

use crate::{Direction, PieceKind, Player, Site, Zone};

/// What a condition means for the player it holds for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Verdict {
    /// `win-condition`
    Win,
    /// `loss-condition`
    Loss,
    /// `draw-condition`
    Draw,
    /// `count-condition`: most pieces win.
    Count,
}

/// One rule about the end of the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EndCondition {
    /// What it means.
    pub verdict: Verdict,
    /// For whom it is tested; `None`: for whoever has just moved (for `Count`: all are counted).
    pub players: Option<Vec<Player>>,
    /// What must hold.
    pub goal: Goal,
    /// Where it stands.
    pub span: Span,
}

/// A condition on the state, and where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Goal {
    /// The condition.
    pub kind: GoalKind,
    /// Where it stands.
    pub span: Span,
}

/// The conditions there are, each read for one player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GoalKind {
    /// `stalemated`: no legal move.
    Stalemated,
    /// `repetition`: the state came for the third time.
    Repetition,
    /// `(captured …)`: a piece of one of these kinds was just removed.
    Captured(Vec<PieceKind>),
    /// `(checkmated …)`: a piece of one of these kinds cannot be saved.
    Checkmated(Vec<PieceKind>),
    /// `(pieces-remaining n [kind])`: the player has exactly `n` pieces, of the kind if one is named.
    PiecesRemaining(u32, Option<PieceKind>),
    /// `(total-piece-count n [kind])`: all players together have exactly `n` pieces, of the kind if one is named.
    TotalPieceCount(u32, Option<PieceKind>),
    /// `(absolute-config …)`: each place holds one of the occupants.
    AbsoluteConfig(Vec<Occupant>, Vec<SiteOrZone>),
    /// `(relative-config …)`: the walk succeeds from some site.
    RelativeConfig(Vec<ConfigStep>),
    /// `(connected … (a b))`, a goal of our own: a chain of the player's linked pieces of
    /// these kinds, of any kind if there are none, holds a site of both places.
    Connected(Vec<PieceKind>, [SiteOrZone; 2]),
    /// `(and …)`
    And(Vec<Goal>),
    /// `(or …)`
    Or(Vec<Goal>),
    /// `(not …)`
    Not(Box<Goal>),
}

/// Whose piece an [`Occupant`] asks for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Whose {
    /// The player's own.
    Mine,
    /// `(opponent …)`: somebody else's, neutral ones too.
    Opponent,
    /// `(any-owner …)`
    Anyone,
}

/// A test of what stands on a site.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Occupant {
    /// The players whose pieces count.
    pub whose: Whose,
    /// What kind; `None`: any piece.
    pub kind: Option<PieceKind>,
    /// Whether the test is turned round, so that an empty site passes.
    pub negated: bool,
}

/// A place that `absolute-config` or `connected` names.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SiteOrZone {
    /// This site.
    Site(Site),
    /// At least one site of the player's zone.
    Zone(Zone),
}

/// A step of `relative-config`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ConfigStep {
    /// Walk on.
    Step(Direction),
    /// `(opposite n)`: walk against a direction.
    Back(Direction),
    /// What stands here must pass.
    Occupant(Occupant),
}
