//! What an instruction asks or does, the place aside: one decoding for everybody who runs
//! programs. Only the tests of `vm` decode for themselves, for speed.

use boardwright_game::{Attribute, MoveType, Op, PieceKind, Place, Player, Program, Site, Zone};

/// A question about a site; off the board the answer is no.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SiteTest {
    /// Nothing stands there.
    Empty,
    /// Somebody else's piece stands there.
    Enemy,
    /// A piece of the owner stands there.
    Friend,
    /// A piece of a player without turns stands there.
    Neutral,
    /// The site exists.
    OnBoard,
    /// A link leads from there to somebody else's piece.
    AdjacentToEnemy,
    /// A goal names the site.
    GoalSite,
    /// The last move began there.
    LastFrom,
    /// The last move ended there.
    LastTo,
    /// The site is the marked one.
    Marked,
    /// The site is in a zone of the owner.
    InZone(Zone),
    /// A piece of this kind stands there.
    IsKind(PieceKind),
    /// It is this site.
    IsSite(Site),
    /// A piece stands there that has the attribute.
    HasAttribute(Attribute),
    /// An enemy could take there, perhaps by a type of move only.
    Attacked(Option<MoveType>),
    /// A friend could take there, perhaps by a type of move only.
    Defended(Option<MoveType>),
    /// A flag of the site is set.
    SiteFlag(u16),
}

/// What the next move does to a site; off the board nothing happens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SiteChange {
    /// Gives the piece there the truth register as an attribute.
    Set(Attribute),
    /// Removes the piece.
    Capture,
    /// Gives the piece to the next player.
    Flip,
    /// Gives the piece to a player.
    GiveTo(Player),
    /// Makes the piece one of another kind.
    TurnInto(PieceKind),
    /// Puts a new piece there.
    Create(Player, PieceKind),
}

/// The question that an instruction asks, and where.
#[inline(always)]
pub fn site_test(op: Op) -> Option<(SiteTest, Place)> {
    Some(match op {
        Op::Empty(place) => (SiteTest::Empty, place),
        Op::Enemy(place) => (SiteTest::Enemy, place),
        Op::Friend(place) => (SiteTest::Friend, place),
        Op::Neutral(place) => (SiteTest::Neutral, place),
        Op::OnBoard(place) => (SiteTest::OnBoard, place),
        Op::AdjacentToEnemy(place) => (SiteTest::AdjacentToEnemy, place),
        Op::GoalSite(place) => (SiteTest::GoalSite, place),
        Op::LastFrom(place) => (SiteTest::LastFrom, place),
        Op::LastTo(place) => (SiteTest::LastTo, place),
        Op::Marked(place) => (SiteTest::Marked, place),
        Op::InZone(zone, place) => (SiteTest::InZone(zone), place),
        Op::IsKind(kind, place) => (SiteTest::IsKind(kind), place),
        Op::IsSite(site, place) => (SiteTest::IsSite(site), place),
        Op::HasAttribute(attribute, place) => (SiteTest::HasAttribute(attribute), place),
        Op::Attacked(of_type, place) => (SiteTest::Attacked(of_type.get()), place),
        Op::Defended(of_type, place) => (SiteTest::Defended(of_type.get()), place),
        Op::SiteFlag(flag, place) => (SiteTest::SiteFlag(flag), place),
        _ => return None,
    })
}

/// The change that an instruction of a program makes, and where. `owner` and `kind` are those
/// whose code runs.
#[inline(always)]
pub fn site_change(
    program: &Program,
    owner: Player,
    kind: PieceKind,
    op: Op,
) -> Option<(SiteChange, Place)> {
    Some(match op {
        Op::SetAttribute(attribute, place) => (SiteChange::Set(attribute), place),
        Op::Capture(place) => (SiteChange::Capture, place),
        Op::Flip(place) => (SiteChange::Flip, place),
        // Decision `change-owner-gives-to-owner`.
        Op::ChangeOwner(place) => (SiteChange::GiveTo(owner), place),
        Op::ChangeType(becomes, place) => (SiteChange::TurnInto(becomes), place),
        Op::Create(idx) => {
            let form = program.creates[idx as usize];
            let change =
                SiteChange::Create(form.player.unwrap_or(owner), form.kind.unwrap_or(kind));
            (change, form.place)
        }
        _ => return None,
    })
}
