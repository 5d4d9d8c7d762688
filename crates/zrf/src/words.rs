//! Every keyword of the language.
//!
//! Keywords are interned first, in this order, so that a keyword's symbol *is*
//! its place in the list and telling keywords from names is one comparison.

use crate::symbol::{Interner, Symbol};

macro_rules! keywords {
    ($($name:ident $text:literal)*) => {
        /// A keyword. A name that ends in `Q` ends in `?` in the text.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub(crate) enum Kw { $($name),* }

        const ALL: &[(Kw, &str)] = &[$((Kw::$name, $text)),*];
    };
}

keywords! {
    AbsoluteConfig "absolute-config"
    Add "add"
    AddCopy "add-copy"
    AddCopyPartial "add-copy-partial"
    AddPartial "add-partial"
    AdjacentToEnemyQ "adjacent-to-enemy?"
    AllowFlipping "allow-flipping"
    And "and"
    AnimateCaptures "animate-captures"
    AnimateDrops "animate-drops"
    AnyOwner "any-owner"
    AttackedQ "attacked?"
    Attribute "attribute"
    Back "back"
    Board "board"
    BoardSetup "board-setup"
    Capture "capture"
    CaptureSound "capture-sound"
    Captured "captured"
    Cascade "cascade"
    ChangeOwner "change-owner"
    ChangeSound "change-sound"
    ChangeType "change-type"
    Checkmated "checkmated"
    ClickSound "click-sound"
    Connected "connected"
    CountCondition "count-condition"
    Create "create"
    Default "default"
    DefendedQ "defended?"
    Define "define"
    Description "description"
    Dimensions "dimensions"
    Directions "directions"
    DrawCondition "draw-condition"
    DrawSound "draw-sound"
    DropSound "drop-sound"
    Drops "drops"
    Dummy "dummy"
    Else "else"
    EmptyQ "empty?"
    EnemyQ "enemy?"
    Engine "engine"
    False "false"
    FlagQ "flag?"
    Flip "flip"
    Forced "forced"
    FriendQ "friend?"
    From "from"
    Game "game"
    Go "go"
    GoalPositionQ "goal-position?"
    Grid "grid"
    Help "help"
    History "history"
    If "if"
    Image "image"
    InZoneQ "in-zone?"
    Include "include"
    IncludeOffPieces "include-off-pieces"
    KillPositions "kill-positions"
    LastFrom "last-from"
    LastFromQ "last-from?"
    LastTo "last-to"
    LastToQ "last-to?"
    Links "links"
    LossCondition "loss-condition"
    LossSound "loss-sound"
    Mark "mark"
    MarkedQ "marked?"
    MaximalCaptures "maximal-captures"
    MovePriorities "move-priorities"
    MoveSound "move-sound"
    MoveType "move-type"
    Moves "moves"
    Music "music"
    Name "name"
    NeutralQ "neutral?"
    Not "not"
    Notation "notation"
    Off "off"
    OnBoardQ "on-board?"
    Open "open"
    OpeningSound "opening-sound"
    Opponent "opponent"
    Opposite "opposite"
    Option "option"
    Or "or"
    PassPartial "pass-partial"
    PassTurn "pass-turn"
    Piece "piece"
    PieceQ "piece?"
    PiecesRemaining "pieces-remaining"
    Players "players"
    PositionFlagQ "position-flag?"
    PositionQ "position?"
    Positions "positions"
    RecycleCaptures "recycle-captures"
    RecyclePromotions "recycle-promotions"
    RelativeConfig "relative-config"
    ReleaseSound "release-sound"
    Repeat "repeat"
    Repetition "repetition"
    SetAttribute "set-attribute"
    SetFlag "set-flag"
    SetPositionFlag "set-position-flag"
    Solution "solution"
    Stalemated "stalemated"
    StartRectangle "start-rectangle"
    Strategy "strategy"
    Symmetry "symmetry"
    Title "title"
    To "to"
    TotalPieceCount "total-piece-count"
    Translate "translate"
    True "true"
    TurnOrder "turn-order"
    Unlink "unlink"
    Variant "variant"
    Verify "verify"
    Version "version"
    While "while"
    WinCondition "win-condition"
    WinSound "win-sound"
    Zone "zone"
}

/// The spelling of every keyword, sorted.
pub fn keywords() -> impl Iterator<Item = &'static str> {
    ALL.iter().map(|&(_, text)| text)
}

impl Kw {
    /// Interns all keywords; must be the first use of an interner.
    pub(crate) fn intern_all(symbols: &mut Interner) {
        for (_, text) in ALL {
            symbols.intern(text);
        }
    }

    /// The keyword that a symbol is, if it is one.
    #[inline]
    pub(crate) fn of(symbol: Symbol) -> Option<Kw> {
        ALL.get(symbol.idx()).map(|&(kw, _)| kw)
    }

    pub(crate) fn symbol(self) -> Symbol {
        Symbol(self as u32)
    }

    pub(crate) fn text(self) -> &'static str {
        ALL.get(self as usize).map_or("", |&(_, text)| text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_keyword_is_its_symbol() {
        let mut symbols = Interner::default();
        Kw::intern_all(&mut symbols);
        for &(kw, text) in ALL {
            assert_eq!(symbols.get(text), Some(kw.symbol()), "{text}");
            assert_eq!(Kw::of(kw.symbol()), Some(kw));
            assert_eq!(kw.text(), text);
        }
        assert_eq!(Kw::of(symbols.intern("wolf")), None);
        assert!(ALL.is_sorted_by_key(|&(_, text)| text));
    }
}
