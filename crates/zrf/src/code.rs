//! Move code: `moves` and `drops` to instructions.

use boardwright_game::{
    AddForm, Block, BlockKind, CreateForm, DropStart, Mark, MoveType, Op, Origin, PieceKind, Place,
    Program,
};
use rustc_hash::FxHashMap;

use crate::{
    errors,
    expand::{Expander, Item, ItemKind, Items},
    limits::CompileLimits,
    lookup,
    symbol::Symbol,
    vocab::{FileNames, FlagKind, Vocab},
    words::Kw,
};

mod condition;
mod effects;
mod loose;
mod places;

/// What a program can do, apart from walking.
const INSTRUCTIONS: [&str; 21] = [
    "add",
    "add-copy",
    "add-partial",
    "add-copy-partial",
    "back",
    "capture",
    "cascade",
    "change-owner",
    "change-type",
    "create",
    "flip",
    "from",
    "go",
    "if",
    "mark",
    "set-attribute",
    "set-flag",
    "set-position-flag",
    "to",
    "verify",
    "while",
];

/// The code of one piece.
pub(crate) struct PieceCode {
    pub(crate) program: Program,
    pub(crate) blocks: Vec<Block>,
    /// Move types in the order in which the original met them, repeats left in.
    pub(crate) type_order: Vec<MoveType>,
}

/// Where an effect happens; a killed site is nowhere.
enum Target {
    Place(Place),
    Nowhere,
}

/// Lowers the code of one piece.
pub(crate) struct Coder<'a> {
    pub(crate) ctx: &'a mut Expander,
    pub(crate) vocab: &'a Vocab,
    pub(crate) names: &'a mut FileNames,
    pub(crate) board: &'a boardwright_game::Board,
    pub(crate) piece_names: &'a [String],
    pub(crate) limits: &'a CompileLimits,
    /// Instructions already kept for other pieces.
    pub(crate) n_ops_before: usize,
    program: Program,
    type_order: Vec<MoveType>,
    depth: usize,
    add_ids: FxHashMap<AddForm, u32>,
    create_ids: FxHashMap<CreateForm, u32>,
}

impl<'a> Coder<'a> {
    pub(crate) fn new(
        ctx: &'a mut Expander,
        vocab: &'a Vocab,
        names: &'a mut FileNames,
        board: &'a boardwright_game::Board,
        piece_names: &'a [String],
        limits: &'a CompileLimits,
        n_ops_before: usize,
    ) -> Coder<'a> {
        Coder {
            ctx,
            vocab,
            names,
            board,
            piece_names,
            limits,
            n_ops_before,
            program: Program::default(),
            type_order: Vec::new(),
            depth: 0,
            add_ids: FxHashMap::default(),
            create_ids: FxHashMap::default(),
        }
    }

    /// Lowers the `moves` and `drops` of a piece.
    pub(crate) fn piece(mut self, parts: &[(BlockKind, Item)]) -> PieceCode {
        let mut blocks = Vec::new();
        for (kind, part) in parts {
            self.part(*kind, part, &mut blocks);
        }
        PieceCode { program: self.program, blocks, type_order: self.type_order }
    }

    fn part(&mut self, kind: BlockKind, part: &Item, blocks: &mut Vec<Block>) {
        let mut move_type = None;
        let items = self.ctx.tail(part).rest(self.ctx);
        for item in self.without_loose(kind, part, items) {
            if self.ctx.head_kw(&item) == Some(Kw::MoveType) {
                match self.ctx.tail(&item).next(self.ctx).and_then(|it| it.word()) {
                    Some(name) => {
                        let found = self.move_type(name, &item);
                        self.type_order.push(found);
                        move_type = Some(found);
                    }
                    None => {
                        let error = errors::missing_argument(item.span, "move-type", "a name");
                        self.ctx.report(&item, error);
                    }
                }
                continue;
            }
            let mark = self.ctx.mark();
            let mut items = self.ctx.items(&item);
            let entry = self.program.ops.len() as u32;
            let mut start = DropStart::Anywhere;
            if kind == BlockKind::Drop {
                let mut ahead = self.ctx.items(&item);
                let first = ahead.next(self.ctx).and_then(|it| it.word());
                if let Some(found) = first.and_then(|it| self.drop_start(it)) {
                    start = found;
                    items = ahead;
                }
            }
            self.sequence(&mut items, false);
            self.emit(Op::End, &item);
            if !self.ctx.take(size_of::<Block>(), &item) {
                return;
            }
            blocks.push(Block { kind, move_type, start, entry, span: item.span });
            self.ctx.forget(mark);
        }
    }

    /// What the first word of a drop block restricts it to.
    fn drop_start(&self, symbol: Symbol) -> Option<DropStart> {
        if Kw::of(symbol).is_some() || self.vocab.direction(symbol).is_some() {
            return None;
        }
        let site = self.vocab.site(symbol).map(DropStart::Site);
        site.or_else(|| self.vocab.zone(symbol).map(DropStart::Zone))
    }

    /// The name that a symbol stands for, as messages show it.
    fn text(&self, symbol: Symbol) -> String {
        self.ctx.shown(symbol)
    }

    fn emit(&mut self, op: Op, item: &Item) -> usize {
        let at = self.program.ops.len();
        if self.n_ops_before + at >= self.limits.ops {
            let error = errors::code_too_large(item.span, self.limits.ops);
            self.ctx.exhaust(item, error);
            return at;
        }
        if !self.ctx.take(size_of::<Op>() + size_of::<Origin>(), item) {
            return at;
        }
        self.program.ops.push(op);
        self.program.origins.push(Origin { span: item.span, trace: item.trace });
        at
    }

    fn here(&self) -> u32 {
        self.program.ops.len() as u32
    }

    /// Makes the jump at `at` lead to the next instruction.
    fn land(&mut self, at: usize) {
        let here = self.here();
        if let Some(Op::Jump(to) | Op::JumpIf(to) | Op::JumpUnless(to)) =
            self.program.ops.get_mut(at)
        {
            *to = here;
        }
    }

    /// Lowers instructions up to the end; or up to `else`, if that may come.
    /// Gives the `else`.
    fn sequence(&mut self, items: &mut Items, else_ends: bool) -> Option<Item> {
        while let Some(item) = items.next(self.ctx) {
            match item.kind {
                ItemKind::Word(symbol) if symbol == Kw::Else.symbol() => {
                    if else_ends {
                        return Some(item);
                    }
                    self.ctx.report(&item, errors::misplaced_else(item.span));
                }
                ItemKind::Word(symbol) => self.word(symbol, &item),
                ItemKind::Text(_) => self.ctx.report(&item, errors::text_in_code(item.span)),
                ItemKind::List(..) => self.list(&item),
                ItemKind::Missing => {}
            }
        }
        None
    }

    /// An instruction without arguments.
    fn word(&mut self, symbol: Symbol, item: &Item) {
        let op = match Kw::of(symbol) {
            Some(Kw::Add) => self.add_op(AddForm::default()),
            Some(Kw::AddCopy) => self.add_op(AddForm { is_copy: true, ..AddForm::default() }),
            Some(Kw::AddPartial) => self.add_op(AddForm { is_partial: true, ..AddForm::default() }),
            Some(Kw::AddCopyPartial) => {
                self.add_op(AddForm { is_copy: true, is_partial: true, ..AddForm::default() })
            }
            Some(Kw::Back) => Op::Go(Mark::Mark),
            Some(Kw::Capture) => Op::Capture(Place::Here),
            Some(Kw::Cascade) => Op::Cascade,
            Some(Kw::ChangeOwner) => Op::ChangeOwner(Place::Here),
            Some(Kw::Create) => {
                self.create_op(CreateForm { player: None, kind: None, place: Place::Here })
            }
            Some(Kw::Flip) => Op::Flip(Place::Here),
            Some(Kw::From) => Op::SetFrom,
            Some(Kw::To) => Op::SetTo,
            Some(Kw::Mark) => Op::SetMark(Place::Here),
            _ => {
                if let Some(direction) = self.vocab.direction(symbol) {
                    Op::Step(direction)
                } else if let Some(site) = self.vocab.site(symbol) {
                    Op::Goto(site)
                } else if self.vocab.is_killed(symbol) {
                    let name = self.text(symbol);
                    self.ctx.report(item, errors::killed_site(item.span, &name));
                    self.emit(Op::Constant(false), item);
                    Op::Verify
                } else {
                    self.unknown_word(symbol, item);
                    return;
                }
            }
        };
        self.emit(op, item);
    }

    /// Whether a word is an instruction, and nothing on the board.
    fn is_instruction(&self, symbol: Symbol) -> bool {
        INSTRUCTIONS.contains(&self.ctx.text(symbol))
            && self.vocab.direction(symbol).is_none()
            && self.vocab.site(symbol).is_none()
    }

    fn unknown_word(&mut self, symbol: Symbol, item: &Item) {
        let name = self.text(symbol);
        if self.is_condition(symbol) {
            self.ctx.report(item, errors::condition_as_instruction(item.span, &name));
            return;
        }
        if INSTRUCTIONS.contains(&&*name) {
            self.ctx.report(item, errors::needs_parentheses(item.span, &name));
            return;
        }
        if self.ctx.is_macro(symbol) {
            self.ctx.report(item, errors::macro_without_parentheses(item.span, &name));
            return;
        }
        let words = INSTRUCTIONS.into_iter().chain(self.place_names());
        let known = self.ctx.candidates(words.chain(self.ctx.macro_names()));
        let error = errors::unknown_word(item.span, &name, known);
        self.ctx.report(item, error);
    }

    /// An instruction with arguments.
    fn list(&mut self, item: &Item) {
        if self.depth >= self.limits.nesting {
            let error = errors::nested_too_deeply(item.span, self.limits.nesting);
            self.ctx.exhaust(item, error);
            return;
        }
        self.depth += 1;
        self.form(item);
        self.depth -= 1;
    }

    fn form(&mut self, item: &Item) {
        let mut items = self.ctx.items(item);
        let Some(head) = items.next(self.ctx) else {
            self.ctx.report(item, errors::group_in_code(item.span));
            return;
        };
        let Some(symbol) = head.word() else {
            self.ctx.report(item, errors::group_in_code(item.span));
            return;
        };
        match Kw::of(symbol) {
            Some(Kw::If) => self.if_form(item, items),
            Some(Kw::While) => self.while_form(item, items),
            Some(Kw::Verify) => {
                self.condition_list(item, items, "verify");
                self.emit(Op::Verify, item);
            }
            Some(Kw::SetFlag) => {
                let Some(flag) = self.flag_name(item, &mut items, "set-flag") else {
                    return;
                };
                self.names.flags_set.insert((FlagKind::Plain, flag));
                let number = self.names.flags.number(flag);
                self.check_flags(item);
                self.setter_condition(item, &mut items, "set-flag");
                self.emit(Op::SetFlag(number), item);
                self.no_more(&mut items, "set-flag");
            }
            Some(Kw::SetPositionFlag) => {
                let Some(flag) = self.flag_name(item, &mut items, "set-position-flag") else {
                    return;
                };
                self.names.flags_set.insert((FlagKind::Site, flag));
                let number = self.names.site_flags.number(flag);
                self.check_flags(item);
                self.setter_condition(item, &mut items, "set-position-flag");
                if let Target::Place(place) = self.opt_target(&mut items, "set-position-flag") {
                    self.emit(Op::SetSiteFlag(number, place), item);
                }
            }
            Some(Kw::SetAttribute) => self.set_attribute(item, items),
            Some(Kw::Go) => self.go(item, items),
            Some(Kw::Opposite) => match items.next(self.ctx) {
                Some(direction) => {
                    if let Some(direction) = self.direction(&direction) {
                        self.emit(Op::StepBack(direction), item);
                    }
                    self.no_more(&mut items, "opposite");
                }
                None => {
                    let error = errors::missing_argument(item.span, "opposite", "a direction");
                    self.ctx.report(item, error);
                }
            },
            Some(Kw::Mark) => self.placed(item, items, "mark", Op::SetMark),
            Some(Kw::Capture) => self.placed(item, items, "capture", Op::Capture),
            Some(Kw::Flip) => self.placed(item, items, "flip", Op::Flip),
            Some(Kw::ChangeOwner) => self.placed(item, items, "change-owner", Op::ChangeOwner),
            Some(Kw::ChangeType) => self.change_type(item, items),
            Some(Kw::Create) => self.create(item, items),
            Some(kw @ (Kw::Add | Kw::AddCopy | Kw::AddPartial | Kw::AddCopyPartial)) => {
                self.add(kw, item, items);
            }
            Some(Kw::Cascade | Kw::From | Kw::To | Kw::Back) => {
                self.word(symbol, item);
                let name = self.text(symbol);
                self.no_more(&mut items, &name);
            }
            Some(Kw::Else) => self.ctx.report(&head, errors::else_in_parentheses(head.span)),
            Some(Kw::Define) => self.ctx.report(item, errors::nested_define(item.span)),
            Some(Kw::MoveType) => {
                let error = errors::expected(item.span, "an instruction, not `move-type`,");
                self.ctx.report(item, error);
            }
            _ if self.vocab.direction(symbol).is_some() || self.vocab.site(symbol).is_some() => {
                let error = errors::step_in_parentheses(item.span, self.ctx.text(symbol));
                self.ctx.report(item, error);
            }
            _ => self.unknown_word(symbol, &head),
        }
    }

    /// `(if condition … else …)`
    fn if_form(&mut self, item: &Item, mut items: Items) {
        let Some(condition) = items.next(self.ctx).filter(|it| !it.is(Kw::Else)) else {
            self.ctx.report(item, errors::missing_argument(item.span, "if", "a condition"));
            return;
        };
        self.condition(&condition);
        let skip = self.emit(Op::JumpUnless(0), &condition);
        let first_type = self.type_order.len();
        if self.sequence(&mut items, true).is_some() {
            let over = self.emit(Op::Jump(0), item);
            self.land(skip);
            let n_then = self.type_order.len() - first_type;
            while let Some(second) = self.sequence(&mut items, true) {
                self.ctx.report(&second, errors::second_else(second.span));
            }
            self.land(over);
            // The original numbers the types of the else part first.
            if let Some(types) = self.type_order.get_mut(first_type..) {
                types.rotate_left(n_then);
            }
        } else {
            self.land(skip);
        }
    }

    /// `(while condition …)`
    fn while_form(&mut self, item: &Item, mut items: Items) {
        let Some(condition) = items.next(self.ctx) else {
            self.ctx.report(item, errors::missing_argument(item.span, "while", "a condition"));
            return;
        };
        let top = self.here();
        self.condition(&condition);
        let leave = self.emit(Op::JumpUnless(0), &condition);
        self.sequence(&mut items, false);
        self.emit(Op::Jump(top), item);
        self.land(leave);
    }

    fn flag_name(&mut self, item: &Item, items: &mut Items, of: &str) -> Option<Symbol> {
        let found = items.next(self.ctx).and_then(|it| it.word());
        if found.is_none() {
            self.ctx.report(item, errors::missing_argument(item.span, of, "the name of a flag"));
        }
        found
    }

    fn check_flags(&mut self, item: &Item) {
        let n = self.names.flags.list.len().max(self.names.site_flags.list.len());
        if n > self.limits.flags {
            let error = errors::too_many(item.span, "flags", self.limits.flags);
            self.ctx.exhaust(item, error);
        }
    }

    fn setter_condition(&mut self, item: &Item, items: &mut Items, of: &str) {
        match items.next(self.ctx) {
            Some(condition) => self.condition(&condition),
            None => self.ctx.report(item, errors::missing_argument(item.span, of, "a condition")),
        }
    }

    fn piece_kind(&mut self, item: &Item) -> Option<PieceKind> {
        lookup::piece_kind(self.ctx, self.vocab, self.piece_names, item)
    }
}
