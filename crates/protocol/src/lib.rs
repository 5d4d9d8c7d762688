//! What goes over the wire between the server and its page, as plain data.
//!
//! These are the only types of the project that are made for JSON. The page gets
//! the same types as TypeScript: `web/protocol/index.ts` is written by a test of
//! this crate (`BLESS_PROTOCOL=1 cargo test -p boardwright-protocol`), which fails when it is
//! not up to date.
//!
//! All ids are small numbers that index lists of [`GameView`]: sites, players and
//! kinds. Field names are in camel case on the wire.

mod game;
mod library;
mod live;
mod matches;
mod studio;
#[cfg(test)]
mod typescript;

pub use game::{
    CellView, CoordView, DiagnosticView, EnforcementView, Flip, GameView, GoalView, ImagePiece,
    ImageSet, KindView, LayoutView, LevelView, LookView, OptionsView, PieceSetView, PileView,
    PlayerSites, PlayerView, PresetView, SeverityView, SideView, StrokeView, StyleView, TokenView,
    TrimView, VariantView, ZoneView,
};
pub use library::{
    GameCard, Length, LibraryView, Preference, ProblemView, Skipped, Uploaded, UploadedGame,
    UserView, VariantCard, VisitorView,
};
pub use live::{
    ChatLine, ChoiceView, Command, Event, LineEnds, LineView, PieceView, Purpose, ThinkingView,
};
pub use matches::{
    Clicks, Created, EffectView, HandCount, Invitation, MatchCard, MatchView, MoveView, NewMatch,
    NodeKind, NodeView, OutcomeView, PlacedView, SeatSetup, SeatView, Solution, StateSetup,
    StateView,
};
pub use studio::{
    Draft, DraftView, FieldKind, FieldView, ImportText, ImportView, PictureAdded, PresetFields,
    SavedPreset,
};

/// A place on the board: indexes `GameView.layout.cells`.
pub type SiteId = u16;
/// A side of the game: indexes `GameView.players`.
pub type PlayerId = u8;
/// A sort of piece: indexes `GameView.kinds`.
pub type KindId = u16;
