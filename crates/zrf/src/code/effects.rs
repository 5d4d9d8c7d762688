//! Instructions that change the board: `create`, `add`, `change-type` and their kind.

use boardwright_game::{AddForm, CreateForm, MoveType, Op, PieceKind, Place};

use super::{Coder, Target};
use crate::{
    errors,
    expand::{Item, Items},
    symbol::Symbol,
    words::Kw,
};

impl<'a> Coder<'a> {
    /// An effect with an optional place.
    pub(super) fn placed(&mut self, item: &Item, mut items: Items, of: &str, op: fn(Place) -> Op) {
        if let Target::Place(place) = self.opt_target(&mut items, of) {
            self.emit(op(place), item);
        }
    }

    /// `(change-type Knight n)`
    pub(super) fn change_type(&mut self, item: &Item, mut items: Items) {
        let Some(name) = items.next(self.ctx) else {
            self.ctx.report(item, errors::missing_argument(item.span, "change-type", "a piece"));
            return;
        };
        let Some(kind) = self.piece_kind(&name) else {
            return;
        };
        if let Target::Place(place) = self.opt_target(&mut items, "change-type") {
            self.emit(Op::ChangeType(kind, place), item);
        }
    }

    /// `(create [player] [piece] [place])`. One word may be a player, a piece and
    /// a site; the readings are tried in an order that suits published files.
    pub(super) fn create(&mut self, item: &Item, items: Items) {
        let args = items.collect(self.ctx, 4);
        let word = |it: &Item| it.word();
        let player = |it: &Item| word(it).and_then(|it| self.vocab.player(it));
        let piece = |it: &Item| word(it).and_then(|it| self.vocab.piece(it));
        let read = match args.as_slice() {
            [] => Some((None, None, None)),
            [a] if piece(a).is_some() => Some((None, piece(a), None)),
            [a] if player(a).is_some() => Some((player(a), None, None)),
            [a] => Some((None, None, Some(*a))),
            [a, b] if player(a).is_some() && piece(b).is_some() => {
                Some((player(a), piece(b), None))
            }
            [a, b] if piece(a).is_some() && !self.is_only_a_player(b) => {
                Some((None, piece(a), Some(*b)))
            }
            [a, b] if player(a).is_some() => Some((player(a), None, Some(*b))),
            [a, b, c] if player(a).is_some() && piece(b).is_some() => {
                Some((player(a), piece(b), Some(*c)))
            }
            _ => None,
        };
        let Some((player, kind, place)) = read else {
            self.bad_create(item, &args);
            return;
        };
        let target = match &place {
            Some(place) => self.target(place),
            None => Target::Place(Place::Here),
        };
        if let Target::Place(place) = target {
            let op = self.create_op(CreateForm { player, kind, place });
            self.emit(op, item);
        }
    }

    pub(super) fn is_only_a_player(&self, item: &Item) -> bool {
        item.word().is_some_and(|it| {
            let is_place = self.vocab.direction(it).is_some() || self.vocab.site(it).is_some();
            self.vocab.player(it).is_some() && !is_place
        })
    }

    pub(super) fn bad_create(&mut self, item: &Item, args: &[Item]) {
        // With a list of the wrong length there is no telling which word is meant.
        let unknown = args.iter().take(args.len().saturating_sub(1)).find_map(|it| {
            let symbol = it.word()?;
            let known = self.vocab.player(symbol).is_some() || self.vocab.piece(symbol).is_some();
            (!known).then_some((*it, symbol))
        });
        match unknown {
            Some((at, symbol)) => {
                let name = self.text(symbol);
                let known = self.ctx.candidates(self.piece_names.iter().map(String::as_str));
                let error = errors::unknown_piece(at.span, &name, known);
                self.ctx.report(&at, error);
            }
            None => {
                let what = "`(create player piece place)`, each of which may be left out,";
                self.ctx.report(item, errors::expected(item.span, what));
            }
        }
    }

    pub(super) fn create_op(&mut self, form: CreateForm) -> Op {
        let creates = &mut self.program.creates;
        Op::Create(*self.create_ids.entry(form).or_insert_with(|| {
            creates.push(form);
            creates.len() as u32 - 1
        }))
    }

    /// `(add Queen Rook)`, `(add-partial Queen jump)`
    pub(super) fn add(&mut self, kw: Kw, item: &Item, mut items: Items) {
        let mut form = AddForm {
            is_copy: matches!(kw, Kw::AddCopy | Kw::AddCopyPartial),
            is_partial: matches!(kw, Kw::AddPartial | Kw::AddCopyPartial),
            ..AddForm::default()
        };
        let mut next = items.next(self.ctx);
        while let Some(arg) = next {
            next = items.next(self.ctx);
            let symbol = arg.word();
            let kind = symbol.and_then(|it| self.vocab.piece(it));
            let is_type = |it| self.vocab.defined_move_types.contains(&it);
            match (kind, symbol) {
                // A word that is both is a piece, unless it stands where a type would.
                (Some(kind), Some(symbol))
                    if !(form.is_partial && next.is_none() && is_type(symbol)) =>
                {
                    // The form is kept in the program and as a key.
                    if !self.ctx.take(2 * size_of::<PieceKind>(), &arg) {
                        return;
                    }
                    form.promote.push(kind);
                }
                (_, Some(symbol)) if form.is_partial => {
                    if !is_type(symbol) {
                        self.unknown_type(symbol, &arg);
                    }
                    let move_type = self.move_type(symbol, &arg);
                    self.type_order.push(move_type);
                    form.move_type = Some(move_type);
                }
                _ => {
                    self.piece_kind(&arg);
                }
            }
        }
        let op = self.add_op(form);
        self.emit(op, item);
    }

    /// The number of a type of moves.
    pub(super) fn move_type(&mut self, symbol: Symbol, item: &Item) -> MoveType {
        let found = self.names.move_type(symbol);
        if found.idx() >= self.limits.move_types {
            let error = errors::too_many(item.span, "types of moves", self.limits.move_types);
            self.ctx.exhaust(item, error);
        }
        found
    }

    pub(super) fn unknown_type(&mut self, symbol: Symbol, item: &Item) {
        let name = self.text(symbol);
        let types = self.vocab.defined_move_types.iter().map(|&it| self.ctx.text(it));
        let known = self.ctx.candidates(types.chain(self.piece_names.iter().map(|it| &**it)));
        let warning = errors::unknown_move_type(item.span, &name, known);
        self.ctx.report(item, warning);
    }

    pub(super) fn add_op(&mut self, form: AddForm) -> Op {
        if let Some(&idx) = self.add_ids.get(&form) {
            return Op::Add(idx);
        }
        let idx = self.program.adds.len() as u32;
        self.program.adds.push(form.clone());
        self.add_ids.insert(form, idx);
        Op::Add(idx)
    }

    /// `(set-attribute never-moved? false)`
    pub(super) fn set_attribute(&mut self, item: &Item, mut items: Items) {
        let Some(name) = items.next(self.ctx) else {
            let error = errors::missing_argument(item.span, "set-attribute", "an attribute");
            self.ctx.report(item, error);
            return;
        };
        let Some(symbol) = name.word() else {
            self.ctx.report(&name, errors::expected(name.span, "the name of an attribute"));
            return;
        };
        let Some(attribute) = self.vocab.attribute(symbol) else {
            let text = self.text(symbol);
            let known = self.attribute_names();
            let known = self.ctx.candidates(known.iter().map(String::as_str));
            let error = errors::unknown_attribute(name.span, &text, known);
            self.ctx.report(&name, error);
            return;
        };
        self.setter_condition(item, &mut items, "set-attribute");
        if let Target::Place(place) = self.opt_target(&mut items, "set-attribute") {
            self.emit(Op::SetAttribute(attribute, place), item);
        }
    }

    pub(super) fn attribute_names(&self) -> Vec<String> {
        let known = self.names.attributes.list.iter();
        known.filter(|it| self.vocab.attribute(**it).is_some()).map(|&it| self.text(it)).collect()
    }
}
