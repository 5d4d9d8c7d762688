//! What an `add` becomes: the tests it depends on, and templates.

use boardwright_game::{AddForm, BlockKind, PieceKind};

use crate::{
    Unsupported,
    bits::Bits,
    builder::{Builder, Detail, SymbolicWalk, Trail, ZERO},
    graph::{Change, Loc, Node, NodeId, Pred, Template},
};

/// An `add` with what is known of it.
struct Offering<'a, const W: usize> {
    walk: &'a SymbolicWalk,
    form: &'a AddForm,
    movements: Vec<(Loc, Loc)>,
    /// Where pieces must stand.
    needed: Vec<Loc>,
    /// The starts for which nothing moves.
    still: Bits<W>,
    is_drop: bool,
    next: Option<NodeId>,
    trail: Trail<W>,
}

impl<const W: usize> Builder<'_, W> {
    /// An `add`: tests what it depends on, emits, and goes on.
    pub(super) fn add(
        &mut self,
        walk: SymbolicWalk,
        form: &AddForm,
        trail: Trail<W>,
    ) -> Result<Option<NodeId>, Unsupported> {
        let is_drop = self.block.kind == BlockKind::Drop;
        let to = walk.to.unwrap_or(walk.cursor);
        let mut after = walk.clone();
        after.changes.clear();
        after.captures.clear();
        if self.rules.ruleset.options.discard_cascades {
            after.cascades.clear();
        }
        after.touched.clear();
        after.has_emitted = self.escapes;
        after.from = ZERO;
        after.to = None;
        let next = self.go(after, trail.on())?;
        let is_harmless = walk.cascades.is_empty() && walk.captures.is_empty();
        if self.detail == Detail::Attacks && is_harmless && walk.harmless == Some(to) {
            return Ok(next);
        }

        let mut movements = walk.cascades.to_vec();
        movements.push((walk.from, to));
        let fills = |at: Loc| {
            movements.iter().any(|&(_, to)| to == at)
                || walk
                    .changes
                    .iter()
                    .any(|it| matches!(it, Change::Create { at: it, .. } if *it == at))
        };
        // 1. Effects on sites that may be empty and stay so: ask, and leave them out.
        let mut doubtful: Vec<Loc> = Vec::new();
        for change in &walk.changes {
            match *change {
                Change::TurnInto { at, .. } | Change::GiveTo { at, .. } | Change::Flip { at } => {
                    doubtful.push(at);
                }
                _ => {}
            }
        }
        doubtful.extend(&walk.captures);
        doubtful.retain(|&it| !fills(it) && (is_drop || it != ZERO));
        if self.detail != Detail::Full {
            doubtful.clear();
        }
        doubtful.sort_unstable();
        doubtful.dedup();
        if doubtful.len() > 4 {
            return Err(Unsupported::TooManyNodes);
        }
        // 2. Every movement needs a piece; the start has one.
        let mut needed: Vec<Loc> = Vec::new();
        if !is_drop {
            needed.extend(movements.iter().map(|&(from, _)| from).filter(|&it| it != ZERO));
            needed.sort_unstable();
            needed.dedup();
        }
        // 3. From a site to itself is no move, unless something else happens.
        let mut still = if is_drop { Bits::NONE } else { self.layout.all };
        for &(from, to) in movements.iter().filter(|(from, to)| from != to) {
            still &= self.same_lane(from, to);
        }
        if !(still & trail.alive).is_empty() && self.detail != Detail::Full && self.is_lazy(&walk) {
            // Whether anything happens at all is not known.
            return Err(Unsupported::TooManyNodes);
        }
        let mixed =
            |one: &Loc, other: &Loc| !(self.same_lane(*one, *other) & trail.alive).is_empty();
        let mut captures = walk.captures.iter();
        if captures.any(|one| walk.captures.iter().any(|other| mixed(one, other))) {
            return Err(Unsupported::MixedSites);
        }
        let offer = Offering { walk: &walk, form, movements, needed, still, is_drop, next, trail };
        self.doubts(&offer, doubtful, 0)
    }

    /// Emits, with a site named outright parted from the start for which it is the one
    /// where a piece arrives: there it is not in doubt.
    fn doubts(
        &mut self,
        offer: &Offering<'_, W>,
        doubtful: Vec<Loc>,
        idx: usize,
    ) -> Result<Option<NodeId>, Unsupported> {
        let Some(&at) = doubtful.get(idx) else { return self.emit(offer, &doubtful) };
        let mut same = Bits::NONE;
        let creates = offer.walk.changes.iter().filter_map(|it| match it {
            Change::Create { at, .. } => Some(*at),
            _ => None,
        });
        for to in offer.movements.iter().map(|it| it.1).chain(creates) {
            same |= self.same_lane(at, to);
        }
        let rest = self.doubts(offer, doubtful.clone(), idx + 1)?;
        if (same & offer.trail.alive).is_empty() {
            return Ok(rest);
        }
        let mut sure = doubtful;
        sure.remove(idx);
        let sure = self.doubts(offer, sure, idx)?;
        self.filter(same, sure, rest, offer.trail)
    }

    /// The starts for which two locations, one of them outright, are the same lane.
    fn same_lane(&self, one: Loc, other: Loc) -> Bits<W> {
        match (one, other) {
            (Loc::Abs(lane), Loc::Rel(delta)) | (Loc::Rel(delta), Loc::Abs(lane)) => {
                self.layout.starts_of(Bits::only(lane as usize), i32::from(delta))
            }
            _ => Bits::NONE,
        }
    }

    fn emit(
        &mut self,
        offer: &Offering<'_, W>,
        doubtful: &[Loc],
    ) -> Result<Option<NodeId>, Unsupported> {
        let Offering { walk, form, movements, needed, still, is_drop, next, trail } = offer;
        let next = *next;
        // All subsets of the doubtful sites being empty.
        let mut node = next;
        for empty in 0..1usize << doubtful.len() {
            let is_gone = |at: Loc| {
                doubtful.iter().position(|&it| it == at).is_some_and(|idx| empty >> idx & 1 != 0)
            };
            let templates = self.templates(walk, form, movements, *is_drop, &is_gone);
            let is_idle = templates.iter().any(|it| it.changes.is_empty() && it.promote.is_none());
            let mut inner = if templates.is_empty() {
                next
            } else {
                self.push(Node::Emit { templates, next })?
            };
            if is_idle {
                inner = self.filter(*still, next, inner, *trail)?;
            }
            for &at in needed {
                let on_board = self.on_board(at);
                inner = self.push(Node::Test {
                    pred: Pred::Empty,
                    at,
                    on_board,
                    yes: next,
                    no: inner,
                })?;
            }
            // A chain of tests that leads here exactly for this subset.
            if doubtful.is_empty() {
                return Ok(inner);
            }
            node = self.subset(doubtful, empty, inner, node)?;
        }
        Ok(node)
    }

    /// `inner` for states in which exactly this subset is empty, else `other`.
    fn subset(
        &mut self,
        doubtful: &[Loc],
        empty: usize,
        inner: Option<NodeId>,
        other: Option<NodeId>,
    ) -> Result<Option<NodeId>, Unsupported> {
        let mut node = inner;
        for (idx, &at) in doubtful.iter().enumerate() {
            let on_board = self.on_board(at);
            let (yes, no) = if empty >> idx & 1 != 0 { (node, other) } else { (other, node) };
            node = self.push(Node::Test { pred: Pred::Empty, at, on_board, yes, no })?;
        }
        Ok(node)
    }

    /// Whether a move has effects that its template does not show.
    fn is_lazy(&self, walk: &SymbolicWalk) -> bool {
        match self.detail {
            Detail::Full | Detail::Attacks => false,
            Detail::Captures => !walk.touched.is_empty() || !walk.captures.is_empty(),
            Detail::Movements => true,
        }
    }

    fn templates(
        &self,
        walk: &SymbolicWalk,
        form: &AddForm,
        movements: &[(Loc, Loc)],
        is_drop: bool,
        is_gone: &dyn Fn(Loc) -> bool,
    ) -> Vec<Template> {
        let mut changes: Vec<Change> = walk
            .changes
            .iter()
            .copied()
            .filter(|it| match *it {
                Change::TurnInto { at, .. } | Change::GiveTo { at, .. } | Change::Flip { at } => {
                    !is_gone(at)
                }
                _ => true,
            })
            .collect();
        let first_capture = changes.len();
        for &at in &walk.captures {
            let capture = Change::Capture { at };
            if !is_gone(at) && !changes[first_capture..].contains(&capture) {
                changes.push(capture);
            }
        }
        let moves = movements.iter().any(|(from, to)| from != to);
        let promotions: Vec<Option<PieceKind>> = if form.promote.is_empty() {
            vec![None]
        } else {
            form.promote.iter().copied().map(Some).collect()
        };
        promotions
            .into_iter()
            .filter(|promote| {
                let becomes = promote.is_some_and(|it| it != self.kind || walk.from != ZERO);
                is_drop || moves || !changes.is_empty() || becomes
            })
            .map(|promote| Template {
                kind: self.kind,
                is_drop,
                is_copy: form.is_copy && !is_drop,
                movements: movements.to_vec(),
                changes: changes.clone(),
                promote,
                partial: form.is_partial.then_some(form.move_type),
                move_type: self.block.move_type,
                guards: walk.guards.to_vec(),
                lazy: self.is_lazy(walk).then_some(self.walk),
                touched: (self.detail == Detail::Captures).then(|| walk.touched.to_vec()),
                is_escape: false,
            })
            .collect()
    }
}
