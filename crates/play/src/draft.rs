//! Effects that a running program has gathered, and the moves they become.
//!
//! [`Draft`] keeps the order in which the original writes effects; the rule is
//! [`semantics::order_after_change`].

use boardwright_game::{AddForm, MoveType, PieceKind, Player, Site};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::{
    mv::{Effect, Move, Partial},
    placement::{EMPTY, cell_kind, cell_owner},
    semantics,
    vm::Ctx,
};

/// What the next `add` will do besides its own movement.
#[derive(Clone, Debug, Default)]
pub(crate) struct Draft {
    /// Movements of earlier `cascade`s: from, to. In a drop only `to` counts.
    pub cascades: Vec<(Site, Site)>,
    /// Changes, in the order in which they are written.
    pub changes: Vec<Effect>,
    /// Sites to be emptied, in the order in which they are written.
    pub captures: Vec<Site>,
}

impl Draft {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.cascades.clear();
        self.clear_effects();
    }

    /// Forgets all but the cascades, as `add` does.
    pub fn clear_effects(&mut self) {
        self.changes.clear();
        self.captures.clear();
    }

    /// Adds a change.
    pub fn change(&mut self, effect: Effect) {
        self.changes.push(effect);
        semantics::order_after_change(&mut self.captures);
    }

    /// Adds a movement.
    pub fn cascade(&mut self, from: Site, to: Site) {
        self.cascades.push((from, to));
        semantics::order_after_cascade(&mut self.changes, &mut self.captures);
    }

    /// How many effects are waiting.
    pub fn n_effects(&self) -> usize {
        self.changes.len() + self.captures.len()
    }
}

/// What an `add` offers: the draft, its own movement, and its form.
pub(crate) struct Offer<'a> {
    pub draft: &'a Draft,
    /// The kind whose code runs.
    pub kind: PieceKind,
    /// The type of the block.
    pub move_type: Option<MoveType>,
    pub is_drop: bool,
    pub from: Site,
    pub to: Site,
    pub form: &'a AddForm,
}

impl Offer<'_> {
    /// The movements on the board, the offer's own last; meaningless for drops.
    pub fn walks(&self) -> impl Iterator<Item = (Site, Site)> + '_ {
        self.draft.cascades.iter().copied().chain([(self.from, self.to)])
    }

    /// Whether there is a piece at the beginning of each movement, or in the hand.
    ///
    /// Decisions `cascade-from-empty` and `drop-stays-drop`.
    pub fn can_move(&self, ctx: &Ctx<'_>, promote: Option<PieceKind>) -> bool {
        if !self.is_drop {
            return self.walks().all(|(from, _)| ctx.placement.cell(from) != EMPTY);
        }
        // Decisions `drop-cascade-hand` and `drop-promotion-hand`.
        let others = self.draft.cascades.len() as u32;
        match promote.filter(|&it| it != self.kind) {
            None => ctx.hand(ctx.owner, self.kind) > others,
            Some(it) => ctx.hand(ctx.owner, it) > 0 && ctx.hand(ctx.owner, self.kind) >= others,
        }
    }

    /// The move, if it is one: possible, and changing something.
    pub fn build(&self, ctx: &mut Ctx<'_>, promote: Option<PieceKind>) -> Option<Move> {
        if !self.can_move(ctx, promote) || !self.can_promote(ctx, promote) {
            return None;
        }
        let mut effects: SmallVec<[Effect; 4]> = SmallVec::new();
        if self.is_drop {
            let kind = self.kind;
            effects.extend(self.draft.cascades.iter().map(|&(_, to)| Effect::Drop { kind, to }));
            effects.push(Effect::Drop { kind: promote.unwrap_or(kind), to: self.to });
        } else {
            let cascades = self.draft.cascades.iter();
            effects.extend(cascades.map(|&(from, to)| Effect::Walk { from, to }));
            let (from, to) = (self.from, self.to);
            let is_copy = self.form.is_copy;
            effects.push(if is_copy {
                Effect::Copy { from, to }
            } else {
                Effect::Walk { from, to }
            });
        }
        let n_movements = effects.len();
        self.push_changes(ctx, &mut effects);
        self.push_captures(ctx, &mut effects);
        let turns = promote.filter(|_| !self.is_drop);
        if !self.is_drop && effects.len() == n_movements {
            // Decision `nothing-happens`.
            let moves = self.walks().any(|(from, to)| from != to);
            let becomes = turns.is_some_and(|it| it != cell_kind(ctx.placement.cell(self.from)));
            if !moves && !becomes {
                return None;
            }
        }
        effects.extend(turns.map(|kind| Effect::Promote { kind }));
        let partial = self.form.is_partial.then_some(Partial { next: self.form.move_type });
        Some(Move { effects, move_type: self.move_type, partial })
    }

    /// Whether the move puts something on a site that is empty now.
    fn fills(&self, site: Site) -> bool {
        let creates = |it: &Effect| matches!(it, Effect::Create { site: at, .. } if *at == site);
        self.to == site
            || self.draft.cascades.iter().any(|&(_, to)| to == site)
            || self.draft.changes.iter().any(creates)
    }

    /// Changes of a site that is and stays empty are left out: decision `empty-effects`.
    fn push_changes(&self, ctx: &mut Ctx<'_>, effects: &mut SmallVec<[Effect; 4]>) {
        for &change in &self.draft.changes {
            let target = match change {
                Effect::TurnInto { site, .. }
                | Effect::GiveTo { site, .. }
                | Effect::Flip { site } => Some(site),
                _ => None,
            };
            if target.is_none_or(|it| self.has_effect_on(ctx, it)) {
                effects.push(change);
            }
        }
    }

    /// Each site is captured once: decision `capture-once`.
    fn push_captures(&self, ctx: &mut Ctx<'_>, effects: &mut SmallVec<[Effect; 4]>) {
        let first = effects.len();
        for &site in &self.draft.captures {
            ctx.burn((effects.len() - first) as u64 / 8);
            let capture = Effect::Capture { site };
            if self.has_effect_on(ctx, site) && !effects[first..].contains(&capture) {
                effects.push(capture);
            }
        }
    }

    fn has_effect_on(&self, ctx: &mut Ctx<'_>, site: Site) -> bool {
        if ctx.placement.cell(site) != EMPTY {
            return true;
        }
        ctx.burn((self.draft.changes.len() + self.draft.cascades.len()) as u64 / 8);
        self.fills(site)
    }

    /// With "recycle promotions", whether the hands hold what pieces turn into.
    ///
    /// What a piece was goes back to the hand, and may serve the next one:
    /// decision `recycled-promotions`.
    pub fn can_promote(&self, ctx: &mut Ctx<'_>, promote: Option<PieceKind>) -> bool {
        if !ctx.rules.ruleset.options.recycle_promotions {
            return true;
        }
        let (n_changes, n_cascades) = (self.draft.changes.len(), self.draft.cascades.len());
        ctx.burn((n_changes * (n_cascades + 8)) as u64 / 8);
        let ctx = &*ctx;
        let mut used: FxHashMap<(Player, PieceKind), i64> = FxHashMap::default();
        let mut take = |owner: Player, old: PieceKind, new: PieceKind| {
            let held = i64::from(ctx.hand(owner, new)) - used.get(&(owner, new)).unwrap_or(&0);
            *used.entry((owner, new)).or_default() += 1;
            *used.entry((owner, old)).or_default() -= 1;
            old == new || held > 0
        };
        let promoted = match promote {
            Some(new) if !self.is_drop => {
                let cell = ctx.placement.cell(self.from);
                cell == EMPTY || take(cell_owner(cell), cell_kind(cell), new)
            }
            _ => true,
        };
        promoted
            && self.draft.changes.iter().all(|change| match *change {
                Effect::TurnInto { kind, site } => match self.moved_to(ctx, site) {
                    Some((owner, old)) => take(owner, old, kind),
                    None => true,
                },
                _ => true,
            })
    }

    /// Whose piece of what kind stands on a site after the movements.
    fn moved_to(&self, ctx: &Ctx<'_>, site: Site) -> Option<(Player, PieceKind)> {
        let arrival = self.walks().filter(|&(_, to)| to == site).last();
        if self.is_drop && arrival.is_some() {
            return Some((ctx.owner, self.kind));
        }
        let cell = ctx.placement.cell(arrival.map_or(site, |(from, _)| from));
        (cell != EMPTY).then(|| (cell_owner(cell), cell_kind(cell)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_sends_the_first_capture_to_the_end() {
        let mut draft = Draft::default();
        draft.captures.extend([Site(1), Site(2), Site(3)]);
        draft.change(Effect::Flip { site: Site(9) });
        assert_eq!(draft.captures, [Site(2), Site(3), Site(1)]);
    }

    #[test]
    fn a_cascade_turns_the_changes_only_while_a_capture_waits() {
        let (x, y) = (Effect::Flip { site: Site(1) }, Effect::Flip { site: Site(2) });
        let mut draft = Draft { changes: vec![x, y], ..Draft::default() };
        draft.cascade(Site(5), Site(6));
        assert_eq!(draft.changes, [x, y]);
        draft.captures.push(Site(7));
        draft.cascade(Site(6), Site(5));
        assert_eq!(draft.changes, [y, x]);
    }
}
