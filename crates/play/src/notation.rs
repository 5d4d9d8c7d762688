//! Moves as text: exactly as save files have them, and as a move list shows them.
//!
//! A text is a row of parts: `partial k`, the movements, the changes, the captures,
//! the promotion. `Checker b2 - a1 @ b2 0 0 = King on a1` has three.

use std::hash::Hasher;

use boardwright_game::{Attribute, PieceKind, Player, Ruleset, Site};
use smallvec::SmallVec;

use crate::{
    mv::{Effect, Move},
    state::State,
};

/// The text of the pass.
pub(crate) const PASS: &str = "Pass";

/// One part of a move's text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    /// `partial 2`
    Partial(u32),
    /// `Pawn e2 - e4`, or with `x` if the site is not empty.
    Walk { kind: PieceKind, from: Site, to: Site, takes: bool },
    /// `White Pawn e4`, of a drop or a copy.
    Drop { player: Player, kind: PieceKind, site: Site },
    /// `White Pawn e4`, of a create.
    Create { player: Player, kind: PieceKind, site: Site },
    /// `= Queen on e8`
    TurnInto { kind: PieceKind, site: Site },
    /// `= White on e8`
    GiveTo { player: Player, site: Site },
    /// `flip e8`
    Flip(Site),
    /// `@ e8 0 1`
    Set { attribute: Attribute, site: Site, value: bool },
    /// `x e8`
    Capture(Site),
    /// `= Queen`, or `= Queen on e8` where it does not stand right behind its movement.
    Promote { kind: PieceKind, site: Site },
}

impl Part {
    /// Where a movement ends.
    fn arrives(&self) -> Option<Site> {
        match *self {
            Part::Walk { to, .. } => Some(to),
            Part::Drop { site, .. } => Some(site),
            _ => None,
        }
    }
}

/// The parts of a move's text. A movement to where the piece stands is none.
pub(crate) fn parts(state: &State, mv: &Move) -> SmallVec<[Part; 8]> {
    let placement = state.placement();
    let owner = state.turn().map_or(Player(0), |it| it.owner);
    let kind_at = |site| placement.get(site).map_or(PieceKind(0), |it| it.kind);
    let arrival = mv.movements().last().and_then(Effect::arrives);
    let mut parts = SmallVec::new();
    if let Some(partial) = mv.partial {
        // Decision `partial-without-type`: no type is number 0.
        parts.push(Part::Partial(state.ruleset().save.move_type_number(partial.next)));
    }
    for effect in &mv.effects {
        parts.push(match *effect {
            Effect::Walk { from, to } if from == to => continue,
            Effect::Walk { from, to } => {
                Part::Walk { kind: kind_at(from), from, to, takes: !placement.is_empty(to) }
            }
            Effect::Copy { from, to } => {
                Part::Drop { player: owner, kind: kind_at(from), site: to }
            }
            Effect::Drop { kind, to } => Part::Drop { player: owner, kind, site: to },
            Effect::Create { player, kind, site } => Part::Create { player, kind, site },
            Effect::TurnInto { kind, site } => Part::TurnInto { kind, site },
            Effect::GiveTo { player, site } => Part::GiveTo { player, site },
            Effect::Flip { site } => Part::Flip(site),
            Effect::Set { attribute, site, value } => Part::Set { attribute, site, value },
            Effect::Capture { site } => Part::Capture(site),
            Effect::Promote { kind } => match arrival {
                Some(site) => Part::Promote { kind, site },
                None => continue,
            },
        });
    }
    parts
}

/// The names that a text uses.
trait Names {
    fn piece(&self, kind: PieceKind) -> &str;
    fn player(&self, player: Player) -> &str;
    fn site(&self, site: Site) -> &str;
}

/// Names as the rule file has them.
struct Raw<'a>(&'a Ruleset);

impl Names for Raw<'_> {
    fn piece(&self, kind: PieceKind) -> &str {
        self.0.piece_name(kind)
    }

    fn player(&self, player: Player) -> &str {
        self.0.player_name(player)
    }

    fn site(&self, site: Site) -> &str {
        self.0.board.site_name(site)
    }
}

/// Names as players see them: translated, and short where the rules say how.
struct Shown<'a>(&'a Ruleset);

impl Names for Shown<'_> {
    fn piece(&self, kind: PieceKind) -> &str {
        let info = self.0.pieces.get(kind.idx());
        let notation = info.and_then(|it| it.notation.as_deref());
        notation.unwrap_or_else(|| self.0.translated(self.0.piece_name(kind)))
    }

    fn player(&self, player: Player) -> &str {
        self.0.translated(self.0.player_name(player))
    }

    fn site(&self, site: Site) -> &str {
        self.0.translated(self.0.board.site_name(site))
    }
}

impl State {
    /// The text of a legal move, as save files and plug-in engines have it.
    pub fn move_text(&self, mv: &Move) -> String {
        if mv.is_pass() {
            return PASS.to_owned();
        }
        let ruleset = self.ruleset();
        written(&parts(self, mv), &Raw(ruleset), |it| ruleset.save.attribute_number(it))
    }

    /// The text of a legal move, as a move list shows it.
    ///
    /// Without attributes and numbers of partial moves, and without what involves
    /// nothing but dummies; if that leaves nothing, the whole text.
    pub fn shown_text(&self, mv: &Move) -> String {
        if mv.is_pass() {
            return PASS.to_owned();
        }
        let ruleset = self.ruleset();
        let shown = shown_parts(self, mv);
        if shown.is_empty() {
            return self.move_text(mv);
        }
        written(&shown, &Shown(ruleset), |it| ruleset.save.attribute_number(it))
    }
}

/// Writes parts one behind the other.
///
/// DIFFERENCE: the original's texts end at 1024 characters; case `long-text`.
fn written(parts: &[Part], names: &impl Names, number: impl Fn(Attribute) -> u32) -> String {
    let mut text = String::new();
    // Where the part before ended a movement, and what change it was part of.
    let mut arrived: Option<Site> = None;
    let mut shares: Option<Part> = None;
    for part in parts {
        let (was_arrived, was_shared) = (arrived.take(), shares.take());
        let mut say = |words: &[&str]| {
            for word in words {
                if !text.is_empty() {
                    text.push(' ');
                }
                text.push_str(word);
            }
        };
        match *part {
            Part::Partial(k) => say(&["partial", &k.to_string()]),
            Part::Walk { kind, from, to, takes } => {
                let mark = if takes { "x" } else { "-" };
                say(&[names.piece(kind), names.site(from), mark, names.site(to)]);
            }
            Part::Drop { player, kind, site } | Part::Create { player, kind, site } => {
                say(&[names.player(player), names.piece(kind), names.site(site)]);
            }
            Part::TurnInto { site, .. } | Part::GiveTo { site, .. } => {
                let to = match *part {
                    Part::GiveTo { player, .. } => names.player(player),
                    Part::TurnInto { kind, .. } => names.piece(kind),
                    _ => "",
                };
                if was_shared.is_some_and(|it| is_same_change(&it, part)) {
                    say(&[names.site(site)]);
                    shares = Some(*part);
                } else if was_arrived == Some(site) {
                    say(&["=", to]);
                } else {
                    say(&["=", to, "on", names.site(site)]);
                    shares = Some(*part);
                }
            }
            Part::Flip(site) => say(&["flip", names.site(site)]),
            Part::Set { attribute, site, value } => {
                let value = if value { "1" } else { "0" };
                say(&["@", names.site(site), &number(attribute).to_string(), value]);
            }
            Part::Capture(site) => say(&["x", names.site(site)]),
            Part::Promote { kind, site } => {
                say(&["=", names.piece(kind)]);
                if was_arrived != Some(site) {
                    say(&["on", names.site(site)]);
                }
            }
        }
        arrived = part.arrives();
    }
    text
}

/// Whether two changes that follow one another share one `=`: decision `shared-equals`.
fn is_same_change(one: &Part, other: &Part) -> bool {
    match (one, other) {
        (Part::TurnInto { kind: a, .. }, Part::TurnInto { kind: b, .. }) => a == b,
        (Part::GiveTo { player: a, .. }, Part::GiveTo { player: b, .. }) => a == b,
        _ => false,
    }
}

/// The parts of a move that players see.
pub(crate) fn shown_parts(state: &State, mv: &Move) -> SmallVec<[Part; 8]> {
    let mut shown = parts(state, mv);
    shown.retain(|it| is_shown(state, it));
    shown
}

/// Whether players see a part: decision `shown-parts`.
fn is_shown(state: &State, part: &Part) -> bool {
    let ruleset = state.ruleset();
    let dummy_kind = |it: PieceKind| ruleset.pieces.get(it.idx()).is_some_and(|it| it.is_dummy);
    let dummy_site = |it: Site| ruleset.board.sites.get(it.idx()).is_some_and(|it| it.is_dummy);
    let dummy_at = |it: Site| state.placement().get(it).is_some_and(|it| dummy_kind(it.kind));
    match *part {
        Part::Partial(_) | Part::Set { .. } => false,
        Part::Walk { kind, from, to, .. } => {
            !(dummy_kind(kind) || dummy_site(from) && dummy_site(to))
        }
        Part::Drop { kind, site, .. }
        | Part::Create { kind, site, .. }
        | Part::TurnInto { kind, site }
        | Part::Promote { kind, site } => !dummy_kind(kind) && !dummy_site(site),
        Part::GiveTo { site, .. } | Part::Flip(site) | Part::Capture(site) => {
            !dummy_site(site) && !dummy_at(site)
        }
    }
}

/// A key that is equal for moves with equal texts, and hardly ever otherwise.
pub(crate) fn text_key(state: &State, mv: &Move) -> u64 {
    let rules = state.rules();
    let kind = |it: PieceKind| rules.kind_tokens.get(it.idx()).copied().unwrap_or(0);
    let player = |it: Player| rules.player_tokens.get(it.idx()).copied().unwrap_or(0);
    let word = |tag: u64, name: u32, a: u16, b: u16| {
        tag << 56 ^ u64::from(name) << 32 ^ u64::from(a) << 16 ^ u64::from(b)
    };
    let owner = state.turn().map_or(Player(0), |it| it.owner);
    let mut hasher = rustc_hash::FxHasher::default();
    if let Some(partial) = mv.partial {
        hasher.write_u64(word(1, state.ruleset().save.move_type_number(partial.next), 0, 0));
    }
    for effect in &mv.effects {
        let new = |who: Player, what: PieceKind, site: Site| {
            word(3, player(who), site.0, kind(what) as u16)
        };
        hasher.write_u64(match *effect {
            Effect::Walk { from, to } if from == to => continue,
            Effect::Walk { from, to } => word(2, 0, from.0, to.0),
            Effect::Copy { from, to } => match state.placement().get(from) {
                Some(it) => new(owner, it.kind, to),
                None => continue,
            },
            Effect::Drop { kind, to } => new(owner, kind, to),
            Effect::Create { player, kind, site } => new(player, kind, site),
            Effect::TurnInto { kind: it, site } => word(4, kind(it), site.0, 0),
            Effect::GiveTo { player: it, site } => word(4, player(it), site.0, 0),
            Effect::Flip { site } => word(5, 0, site.0, 0),
            Effect::Set { attribute, site, value } => {
                let number = state.ruleset().save.attribute_number(attribute);
                word(6, number, site.0, value.into())
            }
            Effect::Capture { site } => word(7, 0, site.0, 0),
            Effect::Promote { kind: it } => {
                let site = mv.movements().last().and_then(Effect::arrives);
                word(4, kind(it), site.map_or(0, |it| it.0), 0)
            }
        });
    }
    hasher.finish()
}

/// Whether two moves of a state have the same text.
pub(crate) fn same_text(state: &State, one: &Move, other: &Move) -> bool {
    let same = one.partial == other.partial && one.effects == other.effects;
    same || state.move_text(one) == state.move_text(other)
}
