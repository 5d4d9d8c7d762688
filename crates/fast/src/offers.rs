//! What a walk offers, and the moves that become of it.

use boardwright_game::{PieceKind, Player};
use boardwright_play::Halt;

use crate::{
    arena::View,
    bits::Bits,
    game::{FastGame, FastState},
    graph::{Change, Loc, Template},
    walks::{BlockWalk, WalkBuffers, WalkOffer},
};

impl WalkOffer<'_> {
    /// The movements, the offer's own last; in drops only where they end counts.
    fn movements<'a, const W: usize>(
        &self,
        walker: &'a WalkBuffers<W>,
    ) -> impl Iterator<Item = (u16, u16)> + use<'a, W> {
        walker.cascades.iter().copied().chain([(self.from, self.to)])
    }

    /// Whether there is a piece at the beginning of each movement, or in the hand.
    fn can_move<const W: usize>(
        &self,
        game: &FastGame<W>,
        it: &FastState<W>,
        walker: &WalkBuffers<W>,
        promote: Option<PieceKind>,
    ) -> bool {
        if !self.walk.is_drop {
            return self.movements(walker).all(|(from, _)| it.cell(from as usize) != 0);
        }
        // Decisions `drop-cascade-hand` and `drop-promotion-hand`.
        let others = walker.cascades.len();
        let BlockWalk { owner, kind, .. } = *self.walk;
        let held = |kind| it.hands[game.hand_slot(owner, kind)] as usize;
        match promote.filter(|&it| it != kind) {
            None => held(kind) > others,
            Some(it) => held(it) > 0 && held(kind) >= others,
        }
    }

    /// Whether the move puts something on a lane that is empty now.
    fn fills<const W: usize>(&self, walker: &WalkBuffers<W>, lane: u16) -> bool {
        let creates =
            |it: &Change| matches!(it, Change::Create { at: Loc::Abs(at), .. } if *at == lane);
        self.to == lane
            || walker.cascades.iter().any(|&(_, to)| to == lane)
            || walker.changes.iter().any(creates)
    }

    fn has_effect_on<const W: usize>(
        &self,
        it: &FastState<W>,
        walker: &mut WalkBuffers<W>,
        lane: u16,
    ) -> bool {
        if it.cell(lane as usize) != 0 {
            return true;
        }
        walker.burn((walker.changes.len() + walker.cascades.len()) / 8);
        self.fills(walker, lane)
    }

    /// Gathers the changes that happen: decisions `empty-effects` and `capture-once`.
    fn gather<const W: usize>(&self, it: &FastState<W>, walker: &mut WalkBuffers<W>) {
        walker.movements.clear();
        let WalkBuffers { movements, cascades, .. } = walker;
        movements.extend(cascades.iter().map(|&(from, to)| (Loc::Abs(from), Loc::Abs(to))));
        movements.push((Loc::Abs(self.from), Loc::Abs(self.to)));
        walker.effects.clear();
        for idx in 0..walker.changes.len() {
            let change = walker.changes[idx];
            let happens = match change {
                Change::TurnInto { at, .. } | Change::GiveTo { at, .. } | Change::Flip { at } => {
                    self.has_effect_on(it, walker, at.at(0) as u16)
                }
                _ => true,
            };
            if happens {
                walker.effects.push(change);
            }
        }
        let first = walker.effects.len();
        for idx in 0..walker.captures.len() {
            let lane = walker.captures[idx];
            walker.burn((walker.effects.len() - first) / 8);
            let capture = Change::Capture { at: Loc::Abs(lane) };
            if self.has_effect_on(it, walker, lane) && !walker.effects[first..].contains(&capture) {
                walker.effects.push(capture);
            }
        }
    }

    /// Gives every move that the offer makes, one for each promotion; stops at a `false`.
    pub fn moves<const W: usize>(
        &self,
        game: &FastGame<W>,
        it: &FastState<W>,
        walker: &mut WalkBuffers<W>,
        mut take: impl FnMut(&View<'_>) -> Result<bool, Halt>,
    ) -> Result<bool, Halt> {
        let BlockWalk { kind, is_drop, move_type, .. } = *self.walk;
        let mut is_gathered = false;
        let n = self.form.promote.len().max(1);
        for idx in 0..n {
            let promote = self.form.promote.get(idx).copied();
            if !self.can_move(game, it, walker, promote)
                || !self.can_promote(game, it, walker, promote)
            {
                continue;
            }
            if !is_gathered {
                self.gather(it, walker);
                is_gathered = true;
            }
            if !is_drop && walker.effects.is_empty() {
                // Decision `nothing-happens`.
                let moves = self.movements(walker).any(|(from, to)| from != to);
                let was = game.pieces.codes.parts(it.cell(self.from as usize)).1;
                let becomes = promote.is_some_and(|it| u32::from(it.0) != was);
                if !moves && !becomes {
                    continue;
                }
            }
            let view = View {
                kind,
                is_drop,
                is_copy: self.form.is_copy && !is_drop,
                movements: &walker.movements,
                changes: &walker.effects,
                promote,
                partial: self.form.is_partial.then_some(self.form.move_type),
                move_type,
            };
            if !take(&view)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a move of this offer removes what stands on one of `targets`.
    ///
    /// A movement that ends there counts, and a capture: decision `what-removes`.
    pub fn removes<const W: usize>(
        &self,
        game: &FastGame<W>,
        it: &FastState<W>,
        walker: &WalkBuffers<W>,
        targets: Bits<W>,
    ) -> bool {
        let hit =
            self.movements(walker).any(|(from, to)| from != to && targets.contains(to as usize))
                || walker.captures.iter().any(|&it| targets.contains(it as usize));
        if !hit || !self.can_move(game, it, walker, None) {
            return false;
        }
        let promote = &self.form.promote;
        if promote.is_empty() {
            return self.can_promote(game, it, walker, None);
        }
        promote.iter().any(|&kind| self.can_promote(game, it, walker, Some(kind)))
    }

    /// With "recycle promotions", whether the hands hold what pieces turn into:
    /// decision `recycled-promotions`.
    fn can_promote<const W: usize>(
        &self,
        game: &FastGame<W>,
        it: &FastState<W>,
        walker: &WalkBuffers<W>,
        promote: Option<PieceKind>,
    ) -> bool {
        if !game.rules.ruleset.options.recycle_promotions {
            return true;
        }
        let movements = self.movements(walker).map(|(from, to)| (from as usize, to as usize));
        let turns = walker.changes.iter().filter_map(|it| match *it {
            Change::TurnInto { kind, at } => Some((PieceKind(kind), at.at(0))),
            _ => None,
        });
        let dropped = self.walk.is_drop.then_some((self.walk.owner, self.walk.kind));
        game.can_turn(it, &movements.collect::<Vec<_>>(), turns, promote, dropped)
    }
}

impl<const W: usize> FastGame<W> {
    /// Whether a template turns pieces into others that must be in the hand.
    pub fn asks_hand(&self, template: &Template) -> bool {
        self.rules.ruleset.options.recycle_promotions
            && !template.is_drop
            && (template.promote.is_some()
                || template.changes.iter().any(|it| matches!(it, Change::TurnInto { .. })))
    }

    /// With "recycle promotions", whether the hand holds what a template's pieces turn into.
    pub fn hand_allows(&self, it: &FastState<W>, template: &Template, lane: usize) -> bool {
        let movements = template.movements.iter().map(|(from, to)| (from.at(lane), to.at(lane)));
        let turns = template.changes.iter().filter_map(|it| match *it {
            Change::TurnInto { kind, at } => Some((PieceKind(kind), at.at(lane))),
            _ => None,
        });
        self.can_turn(it, &movements.collect::<Vec<_>>(), turns, template.promote, None)
    }

    /// Whether the hands hold what pieces turn into, one after the other. `dropped` says
    /// what a drop brings.
    fn can_turn(
        &self,
        it: &FastState<W>,
        movements: &[(usize, usize)],
        mut turns: impl Iterator<Item = (PieceKind, usize)>,
        promote: Option<PieceKind>,
        dropped: Option<(Player, PieceKind)>,
    ) -> bool {
        let mut used: smallvec::SmallVec<[(usize, i64); 4]> = smallvec::SmallVec::new();
        let mut take = |(owner, old): (Player, PieceKind), new: PieceKind| {
            let (old, new) = (self.hand_slot(owner, old), self.hand_slot(owner, new));
            let sum: i64 = used.iter().filter(|it| it.0 == new).map(|it| it.1).sum();
            let held = i64::from(it.hands[new]) - sum;
            used.extend([(new, 1), (old, -1)]);
            old == new || held > 0
        };
        let piece = |lane: usize| match it.cell(lane) {
            0 => None,
            code => {
                let (owner, kind, _) = self.pieces.codes.parts(code);
                Some((Player(owner as u8), PieceKind(kind as u16)))
            }
        };
        let promoted = promote.filter(|_| dropped.is_none()).zip(movements.last());
        if let Some((new, &(from, _))) = promoted
            && !piece(from).is_none_or(|it| take(it, new))
        {
            return false;
        }
        turns.all(|(new, at)| {
            // What stands there after the movements.
            let arrival = movements.iter().rfind(|it| it.1 == at);
            let turned = match (arrival, dropped) {
                (Some(_), Some(dropped)) => Some(dropped),
                (Some(&(from, _)), None) => piece(from),
                (None, _) => piece(at),
            };
            turned.is_none_or(|it| take(it, new))
        })
    }
}
