//! What the hot paths need of a template.

use boardwright_play::Rules;

use crate::graph::{Change, Loc, Template};

/// The common shapes of moves, without looking at the whole template.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    pub way: Way,
    /// Whether offering it takes a look at hands or guards.
    pub is_guarded: bool,
    pub is_copy: bool,
    pub is_partial: bool,
    pub is_escape: bool,
    /// Whether it is lazy and another template may give the same moves.
    pub is_doubtful: bool,
    /// Whether it brings one piece to one lane and no other.
    pub has_gain: bool,
    pub has_changes: bool,
    pub from: i16,
    pub to: i16,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Way {
    /// One piece walks by distances.
    Walk,
    /// One piece drops, of the template's own kind.
    Drop,
    Other,
}

impl Shape {
    pub fn of(template: &Template, rules: &Rules) -> Shape {
        // What is dropped is in the hand, or the block would not run.
        let is_plain_drop = template.movements.len() == 1
            && template.promote.is_none_or(|it| it == template.kind)
            && !rules.droppers().contains(&(template.kind, true));
        let (from, to) = template.movements[0];
        let is_single =
            template.movements.len() == 1 && template.lazy.is_none() && !template.is_copy;
        let (way, from, to) = match (from, to) {
            (Loc::Rel(from), Loc::Rel(to)) if is_single && !template.is_drop && from != to => {
                (Way::Walk, from, to)
            }
            (_, Loc::Rel(to)) if is_single && template.is_drop && template.promote.is_none() => {
                (Way::Drop, 0, to)
            }
            _ => (Way::Other, 0, 0),
        };
        let harmless = |it: &Change| matches!(it, Change::Set { .. } | Change::Capture { .. });
        let turns = |it: &Change| matches!(it, Change::TurnInto { .. });
        let recycles = rules.ruleset.options.recycle_promotions
            && (template.promote.is_some() || template.changes.iter().any(turns));
        Shape {
            way,
            is_guarded: (template.is_drop && !is_plain_drop)
                || !template.guards.is_empty()
                || recycles,
            is_copy: template.is_copy,
            is_partial: template.partial.is_some(),
            is_escape: template.is_escape,
            is_doubtful: false,
            has_gain: way != Way::Other && template.changes.iter().all(harmless),
            has_changes: !template.changes.is_empty() || template.promote.is_some(),
            from,
            to,
        }
    }
}
