//! The instructions of move programs.
//!
//! A program walks a *cursor* over the board. Tests leave their answer in one
//! truth register; jumps, `verify` and the setters read it from there. So `and`
//! and `or` are jumps, and no instruction needs a stack.

use boardwright_text::{Expansion, Span};

use crate::{Attribute, Direction, MoveType, PieceKind, Player, Site, Zone};

/// The site a test or an effect is about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Place {
    /// The cursor.
    Here,
    /// A site named outright.
    Site(Site),
    /// One step from the cursor.
    Step(Direction),
    /// One step from the cursor against the direction: `(opposite n)`.
    Back(Direction),
}

/// A type of moves, or any: an `Option<MoveType>` in two bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct OfType(u16);

impl OfType {
    /// Moves of any type.
    pub const ANY: OfType = OfType(u16::MAX);

    /// The type, if it is not any.
    #[inline]
    pub fn get(self) -> Option<MoveType> {
        (self != OfType::ANY).then_some(MoveType(self.0))
    }
}

impl From<Option<MoveType>> for OfType {
    fn from(it: Option<MoveType>) -> OfType {
        it.map_or(OfType::ANY, |MoveType(it)| OfType(it))
    }
}

/// A remembered site that `(go …)` returns to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mark {
    /// `(go from)`
    From,
    /// `(go to)`
    To,
    /// `(go mark)` and `back`
    Mark,
    /// `(go last-from)`
    LastFrom,
    /// `(go last-to)`
    LastTo,
}

/// One instruction of a move program; eight bytes, checked by a test.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    /// Ends the block.
    End,

    /// `n`: steps the cursor along a link, or ends the block at the edge.
    Step(Direction),
    /// `(opposite n)`: steps the cursor against a direction, or ends the block.
    StepBack(Direction),
    /// `e4`: puts the cursor on a site.
    Goto(Site),
    /// `(go from)`, `back`: puts the cursor on a remembered site, or ends the block.
    Go(Mark),
    /// `from`: what is picked up is here.
    SetFrom,
    /// `to`: what is picked up is put down here.
    SetTo,
    /// `mark`: remembers a site.
    SetMark(Place),

    /// `true`, `false`
    Constant(bool),
    /// `(flag? f)`
    Flag(u16),
    /// `(position-flag? f)`
    SiteFlag(u16, Place),
    /// `empty?`
    Empty(Place),
    /// `enemy?`: somebody else's piece, neutral ones too.
    Enemy(Place),
    /// `friend?`
    Friend(Place),
    /// `neutral?`: a piece of a player without turns.
    Neutral(Place),
    /// `on-board?`
    OnBoard(Place),
    /// `adjacent-to-enemy?`
    AdjacentToEnemy(Place),
    /// `goal-position?`
    GoalSite(Place),
    /// `last-from?`
    LastFrom(Place),
    /// `last-to?`
    LastTo(Place),
    /// `marked?`
    Marked(Place),
    /// `(in-zone? z)`
    InZone(Zone, Place),
    /// `(piece? p)`
    IsKind(PieceKind, Place),
    /// `(position? e4)`
    IsSite(Site, Place),
    /// An attribute's name: a piece is there and has it true.
    HasAttribute(Attribute, Place),
    /// `attacked?`, perhaps by a type of move only.
    Attacked(OfType, Place),
    /// `defended?`, perhaps by a type of move only.
    Defended(OfType, Place),

    /// Turns the truth register round.
    Not,
    /// Goes on at the target.
    Jump(u32),
    /// Goes on at the target if the truth register is true.
    JumpIf(u32),
    /// Goes on at the target if the truth register is false.
    JumpUnless(u32),
    /// `verify`: ends the block if the truth register is false.
    Verify,

    /// `(set-flag f …)`: keeps the truth register.
    SetFlag(u16),
    /// `(set-position-flag f …)`: keeps the truth register.
    SetSiteFlag(u16, Place),
    /// `(set-attribute a …)`: the next move gives the piece there the truth register.
    SetAttribute(Attribute, Place),
    /// `capture`
    Capture(Place),
    /// `flip`
    Flip(Place),
    /// `change-owner`
    ChangeOwner(Place),
    /// `(change-type p)`
    ChangeType(PieceKind, Place),
    /// `create`: indexes [`Program::creates`].
    Create(u32),
    /// `cascade`
    Cascade,
    /// `add` and its kin: indexes [`Program::adds`].
    Add(u32),
}

/// The particulars of an [`Op::Add`].
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct AddForm {
    /// Whether the piece also stays: `add-copy`.
    pub is_copy: bool,
    /// Whether the piece may go on: `add-partial`.
    pub is_partial: bool,
    /// The type of move it must go on with.
    pub move_type: Option<MoveType>,
    /// What it may turn into, one move each; empty: it stays what it is.
    pub promote: Vec<PieceKind>,
}

/// The particulars of an [`Op::Create`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CreateForm {
    /// Whose piece; the owner's of the turn if not said.
    pub player: Option<Player>,
    /// What; the kind whose code runs if not said.
    pub kind: Option<PieceKind>,
    /// The place on the board.
    pub place: Place,
}

/// The chain of macro calls that an instruction came through: indexes [`Traces`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct TraceId(pub u32);

/// Where an instruction came from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Origin {
    /// The text it was written as.
    pub span: Span,
    /// The macro calls around it.
    pub trace: TraceId,
}

/// Every chain of macro calls of one compilation, as a tree of parents.
///
/// A large file makes hundreds of thousands of calls, so a call is sixteen bytes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Traces {
    /// The macros: name, and where it stands in its `define`.
    pub macros: Vec<(String, Span)>,
    /// The last call of each chain and the chain before it; number 0 is "no macro".
    calls: Vec<Call>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Call {
    macro_idx: u32,
    span: Span,
    parent: TraceId,
}

impl Traces {
    /// The chain `parent` with one more call, of the macro with number `macro_idx`.
    pub fn push(&mut self, macro_idx: u32, span: Span, parent: TraceId) -> TraceId {
        self.calls.push(Call { macro_idx, span, parent });
        TraceId(self.calls.len() as u32)
    }

    /// The calls of a chain, innermost first.
    pub fn chain(&self, mut trace: TraceId) -> Vec<Expansion> {
        let mut chain = Vec::new();
        while let Some(call) = trace.0.checked_sub(1).and_then(|it| self.calls.get(it as usize)) {
            if let Some((name, definition)) = self.macros.get(call.macro_idx as usize) {
                let (name, definition) = (name.clone(), *definition);
                chain.push(Expansion { name, call: call.span, definition });
            }
            trace = call.parent;
        }
        chain
    }

    /// How many calls are kept.
    pub fn n_calls(&self) -> usize {
        self.calls.len()
    }
}

/// The code of one piece kind.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Program {
    /// The instructions of all blocks, each block ending with [`Op::End`].
    pub ops: Vec<Op>,
    /// Where each instruction came from.
    pub origins: Vec<Origin>,
    /// The `add` forms it uses.
    pub adds: Vec<AddForm>,
    /// The `create` forms it uses.
    pub creates: Vec<CreateForm>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_op_is_eight_bytes() {
        assert_eq!(size_of::<Op>(), 8);
    }

    #[test]
    fn a_chain_is_read_from_the_inside() {
        let mut traces = Traces::default();
        traces.macros.push(("outer".to_owned(), Span::default()));
        traces.macros.push(("inner".to_owned(), Span::default()));
        let outer = traces.push(0, Span::new(1, 2), TraceId::default());
        let inner = traces.push(1, Span::new(3, 4), outer);
        let names: Vec<_> = traces.chain(inner).into_iter().map(|it| it.name).collect();
        assert_eq!(names, ["inner", "outer"]);
        assert!(traces.chain(TraceId::default()).is_empty());
    }
}
