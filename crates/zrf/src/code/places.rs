//! Places in move code: positions, directions, and where `go` leads.

use boardwright_game::{Direction, Mark, Op, Place};

use super::{Coder, Target};
use crate::{
    errors,
    expand::{Item, ItemKind, Items},
    words::Kw,
};

impl<'a> Coder<'a> {
    /// `(go from)`
    pub(super) fn go(&mut self, item: &Item, mut items: Items) {
        let Some(target) = items.next(self.ctx) else {
            self.ctx.report(item, errors::missing_argument(item.span, "go", "a place"));
            return;
        };
        let mark = match target.word().and_then(Kw::of) {
            Some(Kw::From) => Mark::From,
            Some(Kw::To) => Mark::To,
            Some(Kw::Mark) => Mark::Mark,
            Some(Kw::LastFrom) => Mark::LastFrom,
            Some(Kw::LastTo) => Mark::LastTo,
            _ => {
                self.ctx.report(&target, errors::bad_go(target.span));
                return;
            }
        };
        self.emit(Op::Go(mark), item);
        self.no_more(&mut items, "go");
    }

    pub(super) fn direction(&mut self, item: &Item) -> Option<Direction> {
        let Some(symbol) = item.word() else {
            self.ctx.report(item, errors::expected(item.span, "a direction"));
            return None;
        };
        let found = self.vocab.direction(symbol);
        if found.is_none() {
            let name = self.text(symbol);
            let known = self.board.directions.iter().map(|it| it.name.as_str());
            let known = self.ctx.candidates(known);
            let error = errors::unknown_direction(item.span, &name, known);
            self.ctx.report(item, error);
        }
        found
    }

    /// The place at the end of a form: the cursor if none is written.
    pub(super) fn opt_target(&mut self, items: &mut Items, of: &str) -> Target {
        match items.next(self.ctx) {
            None => Target::Place(Place::Here),
            Some(item) => {
                let target = self.target(&item);
                self.no_more(items, of);
                target
            }
        }
    }

    /// `e4`, `n` or `(opposite n)`
    pub(super) fn target(&mut self, item: &Item) -> Target {
        match item.kind {
            ItemKind::Word(symbol) => {
                if let Some(direction) = self.vocab.direction(symbol) {
                    return Target::Place(Place::Step(direction));
                }
                if let Some(site) = self.vocab.site(symbol) {
                    return Target::Place(Place::Site(site));
                }
                let name = self.text(symbol);
                if self.vocab.is_killed(symbol) {
                    self.ctx.report(item, errors::killed_site(item.span, &name));
                } else {
                    let known = self.ctx.candidates(self.place_names());
                    let error = errors::unknown_place(item.span, &name, known);
                    self.ctx.report(item, error);
                }
            }
            ItemKind::List(..) if self.ctx.head_kw(item) == Some(Kw::Opposite) => {
                let mut tail = self.ctx.tail(item);
                match tail.next(self.ctx) {
                    Some(direction) => {
                        if let Some(direction) = self.direction(&direction) {
                            return Target::Place(Place::Back(direction));
                        }
                    }
                    None => {
                        let error = errors::missing_argument(item.span, "opposite", "a direction");
                        self.ctx.report(item, error);
                    }
                }
            }
            _ => {
                self.ctx.report(item, errors::expected(item.span, "a position or a direction"));
            }
        }
        Target::Nowhere
    }

    pub(super) fn place_names(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let board = self.board;
        let directions = board.directions.iter().map(|it| it.name.as_str());
        directions.chain(board.sites.iter().map(|it| it.name.as_str()))
    }

    pub(super) fn no_more(&mut self, items: &mut Items, of: &str) {
        if let Some(extra) = items.next(self.ctx) {
            self.ctx.report(&extra, errors::extra_argument_in_code(extra.span, of));
        }
    }
}
