//! Conditions: their answer goes to the truth register.

use boardwright_game::{OfType, Op, Place};

use super::{Coder, Target};
use crate::{
    errors,
    expand::{Item, ItemKind, Items},
    symbol::Symbol,
    vocab::FlagKind,
    words::Kw,
};

/// The conditions of the language, without their `not-` forms.
const CONDITIONS: [&str; 19] = [
    "adjacent-to-enemy?",
    "and",
    "attacked?",
    "defended?",
    "empty?",
    "enemy?",
    "flag?",
    "friend?",
    "goal-position?",
    "in-zone?",
    "last-from?",
    "last-to?",
    "marked?",
    "neutral?",
    "not",
    "on-board?",
    "or",
    "piece?",
    "position?",
];

impl Coder<'_> {
    /// Whether a word is the name of a condition.
    pub(super) fn is_condition(&self, symbol: Symbol) -> bool {
        let name = self.ctx.text(symbol);
        let base = name.strip_prefix("not-").unwrap_or(name);
        CONDITIONS.contains(&base)
            || matches!(base, "position-flag?" | "true" | "false")
            || self.vocab.attribute(symbol).is_some()
    }

    /// Lowers one condition.
    pub(super) fn condition(&mut self, item: &Item) {
        match item.kind {
            ItemKind::Word(symbol) => self.test(symbol, item, &mut None),
            ItemKind::List(..) => {
                if self.depth >= self.limits.nesting {
                    let error = errors::nested_too_deeply(item.span, self.limits.nesting);
                    self.ctx.exhaust(item, error);
                    return;
                }
                self.depth += 1;
                self.condition_form(item);
                self.depth -= 1;
            }
            ItemKind::Text(_) => self.ctx.report(item, errors::expected_condition(item.span)),
            ItemKind::Missing => {}
        }
    }

    /// The rest of `(verify …)` or `(not …)`: one condition, or one whose arguments
    /// lack their parentheses, as in the manual's own `(verify not-attacked? e2)`.
    pub(super) fn condition_list(&mut self, item: &Item, mut items: Items, of: &str) {
        let Some(first) = items.next(self.ctx) else {
            self.ctx.report(item, errors::missing_argument(item.span, of, "a condition"));
            return;
        };
        let Some(second) = items.next(self.ctx) else {
            self.condition(&first);
            return;
        };
        let starts = second.word().or_else(|| self.ctx.head(&second).filter(|_| second.is_list()));
        if starts.is_some_and(|it| self.is_instruction(it)) {
            self.condition(&first);
            self.ctx.report(&second, errors::instruction_in_condition(second.span, of));
            return;
        }
        match first.word() {
            Some(symbol) if !first.is(Kw::And) && !first.is(Kw::Or) && !first.is(Kw::Not) => {
                let name = self.text(symbol);
                let span = first.span.to(second.span);
                self.ctx.report(&first, errors::bare_argument(span, of, &name));
                self.test(symbol, &first, &mut Some((Some(second), items)));
            }
            _ => {
                self.condition(&first);
                self.ctx.report(&second, errors::extra_condition(second.span));
            }
        }
    }

    fn condition_form(&mut self, item: &Item) {
        let mut items = self.ctx.items(item);
        let Some(head) = items.next(self.ctx) else {
            self.ctx.report(item, errors::expected_condition(item.span));
            return;
        };
        let Some(symbol) = head.word() else {
            // `((empty?))`: parentheses too many around one condition do no harm.
            self.condition(&head);
            if let Some(extra) = items.next(self.ctx) {
                self.ctx.report(&extra, errors::extra_condition(extra.span));
            }
            return;
        };
        match Kw::of(symbol) {
            Some(Kw::Not) => {
                self.condition_list(item, items, "not");
                self.emit(Op::Not, item);
            }
            Some(Kw::And) => self.junction(item, items, true),
            Some(Kw::Or) => self.junction(item, items, false),
            _ => self.test(symbol, &head, &mut Some((None, items))),
        }
    }

    /// `(and …)` and `(or …)`: stops at the first answer that settles it.
    fn junction(&mut self, item: &Item, mut items: Items, is_and: bool) {
        let mut exits = Vec::new();
        let mut n_parts = 0;
        while let Some(part) = items.next(self.ctx) {
            if n_parts > 0 {
                let exit = if is_and { Op::JumpUnless(0) } else { Op::JumpIf(0) };
                exits.push(self.emit(exit, &part));
            }
            self.condition(&part);
            n_parts += 1;
        }
        if n_parts == 0 && !self.ctx.is_broken() {
            let name = if is_and { "and" } else { "or" };
            self.ctx.report(item, errors::empty_condition(item.span, name));
            self.emit(Op::Constant(is_and), item);
        }
        for exit in exits {
            self.land(exit);
        }
    }

    /// One test: `empty?`, `(piece? King n)`, an attribute, or a `not-` form.
    fn test(&mut self, symbol: Symbol, item: &Item, args: &mut Args) {
        if let Some(attribute) = self.vocab.attribute(symbol) {
            self.placed_test(item, args, |place| Op::HasAttribute(attribute, place));
        } else if Kw::of(symbol).is_some() {
            self.keyword_test(symbol, item, args);
        } else {
            // Keywords are interned first, so their negations are always found.
            let base = self.ctx.symbols.negated(symbol);
            match base {
                Some(base) if Kw::of(base).is_some_and(|it| it.text().ends_with('?')) => {
                    self.keyword_test(base, item, args);
                    self.emit(Op::Not, item);
                }
                _ => {
                    self.unknown_condition(symbol, item);
                    return;
                }
            }
        }
        if let Some(extra) = self.next_argument(args) {
            let name = self.text(symbol);
            self.ctx.report(&extra, errors::extra_argument_in_code(extra.span, &name));
        }
    }

    fn unknown_condition(&mut self, symbol: Symbol, item: &Item) {
        let name = self.text(symbol);
        let attributes = self.attribute_names();
        if let Some(attribute) =
            name.strip_prefix("not-").filter(|it| attributes.iter().any(|at| at == it))
        {
            self.ctx.report(item, errors::negated_attribute(item.span, &name, attribute));
            return;
        }
        let negated: Vec<_> = CONDITIONS.iter().map(|it| format!("not-{it}")).collect();
        let known = CONDITIONS
            .into_iter()
            .chain(["position-flag?", "not-position-flag?", "true", "false"])
            .chain(negated.iter().map(|it| &**it))
            .chain(attributes.iter().map(|it| &**it));
        let known = self.ctx.candidates(known);
        let error = errors::unknown_condition(item.span, &name, known);
        self.ctx.report(item, error);
    }

    fn keyword_test(&mut self, symbol: Symbol, item: &Item, args: &mut Args) {
        match Kw::of(symbol) {
            Some(Kw::True) => {
                self.emit(Op::Constant(true), item);
            }
            Some(Kw::False) => {
                self.emit(Op::Constant(false), item);
            }
            Some(Kw::FlagQ) => {
                if let Some((flag, at)) = self.flag_argument(item, args, "flag?") {
                    self.names.flags_read.entry((FlagKind::Plain, flag)).or_insert(at);
                    let number = self.names.flags.number(flag);
                    self.check_flags(item);
                    self.emit(Op::Flag(number), item);
                }
            }
            Some(Kw::PositionFlagQ) => {
                if let Some((flag, at)) = self.flag_argument(item, args, "position-flag?") {
                    self.names.flags_read.entry((FlagKind::Site, flag)).or_insert(at);
                    let number = self.names.site_flags.number(flag);
                    self.check_flags(item);
                    self.placed_test(item, args, |place| Op::SiteFlag(number, place));
                }
            }
            Some(Kw::EmptyQ) => self.placed_test(item, args, Op::Empty),
            Some(Kw::EnemyQ) => self.placed_test(item, args, Op::Enemy),
            Some(Kw::FriendQ) => self.placed_test(item, args, Op::Friend),
            Some(Kw::NeutralQ) => self.placed_test(item, args, Op::Neutral),
            Some(Kw::OnBoardQ) => self.placed_test(item, args, Op::OnBoard),
            Some(Kw::AdjacentToEnemyQ) => self.placed_test(item, args, Op::AdjacentToEnemy),
            Some(Kw::GoalPositionQ) => self.placed_test(item, args, Op::GoalSite),
            Some(Kw::LastFromQ) => self.placed_test(item, args, Op::LastFrom),
            Some(Kw::LastToQ) => self.placed_test(item, args, Op::LastTo),
            Some(Kw::MarkedQ) => self.placed_test(item, args, Op::Marked),
            Some(Kw::InZoneQ) => self.in_zone(item, args),
            Some(Kw::PieceQ) => {
                let Some(name) = self.argument(item, args, "piece?", "a piece") else {
                    return;
                };
                if let Some(kind) = self.piece_kind(&name) {
                    self.placed_test(item, args, |place| Op::IsKind(kind, place));
                }
            }
            Some(Kw::PositionQ) => self.is_site(item, args),
            Some(Kw::AttackedQ) => self.attack_test(item, args, Op::Attacked),
            Some(Kw::DefendedQ) => self.attack_test(item, args, Op::Defended),
            _ => self.unknown_condition(symbol, item),
        }
    }

    fn next_argument(&mut self, args: &mut Args) -> Option<Item> {
        let (first, rest) = args.as_mut()?;
        first.take().or_else(|| rest.next(self.ctx))
    }

    fn argument(&mut self, item: &Item, args: &mut Args, of: &str, what: &str) -> Option<Item> {
        let found = self.next_argument(args);
        if found.is_none() && !self.ctx.is_broken() {
            self.ctx.report(item, errors::missing_argument(item.span, of, what));
        }
        found
    }

    fn flag_argument(&mut self, item: &Item, args: &mut Args, of: &str) -> Option<(Symbol, Item)> {
        let found = self.argument(item, args, of, "the name of a flag")?;
        match found.word() {
            Some(symbol) => Some((symbol, found)),
            None => {
                self.ctx.report(&found, errors::expected(found.span, "the name of a flag"));
                None
            }
        }
    }

    /// A test about the cursor or the place that may follow. A killed site is
    /// off the board, where every test fails.
    fn placed_test(&mut self, item: &Item, args: &mut Args, op: impl FnOnce(Place) -> Op) {
        let target = match self.next_argument(args) {
            None => Target::Place(Place::Here),
            Some(place) => self.target(&place),
        };
        match target {
            Target::Place(place) => self.emit(op(place), item),
            Target::Nowhere => self.emit(Op::Constant(false), item),
        };
    }

    /// `(in-zone? palace [place])`
    fn in_zone(&mut self, item: &Item, args: &mut Args) {
        let Some(name) = self.argument(item, args, "in-zone?", "a zone") else {
            return;
        };
        let Some(symbol) = name.word() else {
            self.ctx.report(&name, errors::expected(name.span, "the name of a zone"));
            return;
        };
        let Some(zone) = self.vocab.zone(symbol) else {
            let text = self.text(symbol);
            let known = self.ctx.candidates(self.board.zones.iter().map(|it| it.name.as_str()));
            let error = errors::unknown_zone(name.span, &text, known);
            self.ctx.report(&name, error);
            return;
        };
        self.placed_test(item, args, |place| Op::InZone(zone, place));
    }

    /// `(position? e4 [place])`
    fn is_site(&mut self, item: &Item, args: &mut Args) {
        let Some(name) = self.argument(item, args, "position?", "a position") else {
            return;
        };
        let Some(symbol) = name.word() else {
            self.ctx.report(&name, errors::expected(name.span, "the name of a position"));
            return;
        };
        if let Some(site) = self.vocab.site(symbol) {
            self.placed_test(item, args, |place| Op::IsSite(site, place));
            return;
        }
        let text = self.text(symbol);
        if self.vocab.is_killed(symbol) {
            self.ctx.report(&name, errors::killed_site(name.span, &text));
            self.emit(Op::Constant(false), item);
            return;
        }
        let known = self.ctx.candidates(self.board.sites.iter().map(|it| it.name.as_str()));
        let error = errors::unknown_site(name.span, &text, known);
        self.ctx.report(&name, error);
    }

    /// `(attacked? [type] [place])`
    fn attack_test(&mut self, item: &Item, args: &mut Args, op: fn(OfType, Place) -> Op) {
        let first = self.next_argument(args);
        let symbol = first.and_then(|it| it.word());
        let is_place = |it: Symbol| {
            self.vocab.direction(it).is_some()
                || self.vocab.site(it).is_some()
                || self.vocab.is_killed(it)
        };
        match (first, symbol) {
            (Some(name), Some(symbol)) if !is_place(symbol) => {
                if !self.vocab.defined_move_types.contains(&symbol) {
                    self.unknown_type(symbol, &name);
                }
                let move_type = self.move_type(symbol, &name);
                self.placed_test(item, args, |place| op(Some(move_type).into(), place));
            }
            (Some(place), _) => {
                match self.target(&place) {
                    Target::Place(place) => self.emit(op(OfType::ANY, place), item),
                    Target::Nowhere => self.emit(Op::Constant(false), item),
                };
            }
            (None, _) => {
                self.emit(op(OfType::ANY, Place::Here), item);
            }
        }
    }
}

/// The arguments of a test: one already read, and the rest.
type Args = Option<(Option<Item>, Items)>;
