//! Who moves when, and which types of moves come first.

use boardwright_game::{MoveType, Turn, TurnOrder};

use super::Compiler;
use crate::{errors, expand::Item, words::Kw};

impl Compiler<'_> {
    pub(super) fn move_type(&mut self, item: &Item) -> Option<MoveType> {
        let Some(symbol) = item.word() else {
            self.ctx.report(item, errors::expected(item.span, "a type of moves"));
            return None;
        };
        if !self.vocab.defined_move_types.contains(&symbol) {
            let name = self.text(symbol);
            let known = self.vocab.defined_move_types.iter().map(|&it| self.ctx.text(it));
            let known = self.ctx.candidates(known);
            let warning = errors::unknown_move_type(item.span, &name, known);
            self.ctx.report(item, warning);
        }
        let found = self.names.move_type(symbol);
        if found.idx() >= self.limits.move_types {
            let error = errors::too_many(item.span, "types of moves", self.limits.move_types);
            self.ctx.exhaust(item, error);
        }
        Some(found)
    }

    pub(super) fn priorities(&mut self) -> Vec<MoveType> {
        let mut priorities = Vec::new();
        if let Some(section) = self.merged.single.get(&Kw::MovePriorities).copied() {
            let mut tail = self.ctx.tail(&section);
            while let Some(item) = tail.next(self.ctx) {
                if let Some(found) = self.move_type(&item) {
                    if priorities.contains(&found) {
                        let name = item.word().map(|it| self.text(it)).unwrap_or_default();
                        let warning = errors::repeated_name(item.span, "type", &name);
                        self.ctx.report(&item, warning);
                    } else {
                        priorities.push(found);
                    }
                }
            }
        }
        priorities
    }

    pub(super) fn turn_order(&mut self) -> Option<TurnOrder> {
        let at = self.at();
        let Some(section) = self.merged.single.get(&Kw::TurnOrder).copied() else {
            self.ctx.report(&at, errors::no_turn_order(at.span.head()));
            return None;
        };
        let mut order = TurnOrder::default();
        let mut repeat: Option<Item> = None;
        let mut n_given = 0;
        let mut tail = self.ctx.tail(&section);
        while let Some(item) = tail.next(self.ctx) {
            n_given += 1;
            if item.is(Kw::Repeat) && self.vocab.player(Kw::Repeat.symbol()).is_none() {
                if repeat.is_some() {
                    self.ctx.report(&item, errors::odd_turn(item.span, "a second `repeat`"));
                }
                repeat = Some(item);
                order.repeat = order.turns.len();
                continue;
            }
            let Some(turn) = self.turn(&item) else {
                continue;
            };
            if let Some(it) = self.players.get_mut(turn.mover.idx()) {
                it.is_neutral = false;
            }
            if !self.ctx.take_for_variant(size_of::<Turn>(), &item) {
                return None;
            }
            order.turns.push(turn);
        }
        if let Some(item) = repeat
            && order.repeat >= order.turns.len()
        {
            let why = "nothing follows this `repeat`, so the whole order repeats";
            self.ctx.report(&item, errors::odd_turn(item.span, why));
            order.repeat = 0;
        }
        if order.turns.is_empty() {
            // Turns that were wrong have been said to be.
            if n_given == 0 {
                self.ctx.report(&section, errors::no_turn_order(section.span));
            }
            return None;
        }
        Some(order)
    }

    /// `White`, `(White type)`, `(White Neutral)`, `(White Neutral type)`
    pub(super) fn turn(&mut self, item: &Item) -> Option<Turn> {
        if !item.is_list() {
            let mover = self.player(item)?;
            return Some(Turn { mover, owner: mover, move_type: None, span: item.span });
        }
        let parts = self.ctx.items(item).collect(self.ctx, 4);
        let Some((first, rest)) = parts.split_first() else {
            self.ctx.report(item, errors::bad_turn(item.span, "an empty turn"));
            return None;
        };
        let mover = self.player(first)?;
        let is_player = |it: &Item| it.word().and_then(|it| self.vocab.player(it));
        let (owner, type_item) = match rest {
            [] => (mover, None),
            [one] => match is_player(one) {
                Some(owner) => (owner, None),
                None => (mover, Some(*one)),
            },
            [owner, move_type] => (self.player(owner)?, Some(*move_type)),
            _ => {
                self.ctx.report(item, errors::bad_turn(item.span, "a turn with too many words"));
                return None;
            }
        };
        let move_type = match type_item {
            Some(item) => Some(self.move_type(&item)?),
            None => None,
        };
        Some(Turn { mover, owner, move_type, span: item.span })
    }

    /// By move type, the number that saved games use, from 1: priorities backwards,
    /// then the turn order, then pieces from the last to the first.
    pub(super) fn move_type_numbers(
        &self,
        priorities: &[MoveType],
        turn_order: &Option<TurnOrder>,
        orders: &[Vec<MoveType>],
    ) -> Vec<Option<u32>> {
        let mut numbers = vec![None; self.names.move_types.list.len()];
        let turns = turn_order.iter().flat_map(|it| &it.turns).filter_map(|it| it.move_type);
        let scan = priorities.iter().rev().copied();
        let scan = scan.chain(turns).chain(orders.iter().rev().flatten().copied());
        let mut next = 1;
        for MoveType(idx) in scan {
            if let Some(it @ None) = numbers.get_mut(idx as usize) {
                *it = Some(next);
                next += 1;
            }
        }
        numbers
    }
}
