//! A variant's sections, its own and inherited, to one ruleset.

use std::{rc::Rc, sync::Arc};

use boardwright_game::{
    Attribute, BlockKind, MoveType, Options, PieceImage, PieceKind, PieceKindInfo, Player,
    PlayerInfo, Presentation, Program, Ruleset, Sounds, Turn, TurnOrder,
};
use rustc_hash::FxHashMap;

use crate::{
    board::{self, BuiltBoard},
    code::{Coder, PieceCode},
    errors,
    expand::{Expander, Item, ItemKind},
    file::{self, Contents, Definition, PieceDefinition},
    goal::GoalReader,
    limits::{CompileLimits, zillions},
    options::{self, Value},
    strings,
    symbol::Symbol,
    vocab::{FileNames, Vocab},
    words::Kw,
};

mod setup;

/// What is compiled once and used by several variants of a file.
#[derive(Default)]
pub(crate) struct Cache {
    boards: FxHashMap<(SectionId, Vec<Symbol>), Rc<BuiltBoard>>,
    codes: FxHashMap<(SectionId, u64), Rc<CachedCode>>,
    /// Instructions kept in `codes`.
    n_ops: usize,
}

struct CachedCode {
    program: Arc<Program>,
    code: PieceCode,
    failed: bool,
}

/// A section of the text: the same list seen under the same arguments.
type SectionId = ItemKindKey;
type ItemKindKey = (u32, u32);

fn section_id(item: &Item) -> SectionId {
    match item.kind {
        ItemKind::List(node, env) => (node.0, env.key()),
        _ => (u32::MAX, item.span.start),
    }
}

/// Compiles the definition with number `idx`; `None` if it has an error.
pub(crate) fn variant(
    ctx: &mut Expander,
    contents: &Contents,
    idx: usize,
    names: &mut FileNames,
    cache: &mut Cache,
    limits: &CompileLimits,
) -> Option<Ruleset> {
    let definition = contents.definitions.get(idx)?;
    let game = contents.definitions.get(definition.game)?;
    let before = ctx.sink.n_tried();
    let mut compiler = Compiler {
        ctx,
        definition,
        merged: merge(game, definition),
        names,
        cache,
        limits,
        vocab: Vocab::default(),
        fingerprint: 0,
        players: Vec::new(),
        piece_names: Vec::new(),
        failed: false,
    };
    compiler.ctx.variant = (!definition.is_game).then_some(definition.item.span);
    let ruleset = compiler.run();
    compiler.ctx.variant = None;
    let failed = compiler.failed;
    let broken = ctx.is_broken();
    (ctx.sink.n_tried() == before && !failed && !broken).then_some(ruleset).flatten()
}

/// The sections that hold for a variant.
struct Merged {
    single: FxHashMap<Kw, Item>,
    pieces: Vec<Rc<PieceDefinition>>,
    options: Vec<(Kw, Item)>,
    ends: Vec<(Kw, Item)>,
}

/// A variant's section replaces the game's of the same name; pieces go by name,
/// options add up, and end conditions come as a set.
fn merge(game: &Definition, variant: &Definition) -> Merged {
    let own = (!variant.is_game).then_some(variant);
    let layers = || std::iter::once(game).chain(own);
    let mut single = FxHashMap::default();
    let mut all_options = Vec::new();
    for &(kw, item) in layers().flat_map(|it| &it.sections) {
        if file::is_option(kw) {
            all_options.push((kw, item));
        } else if !file::is_end_condition(kw) {
            single.insert(kw, item);
        }
    }
    let mut pieces: Vec<Rc<PieceDefinition>> = Vec::new();
    let mut slots: FxHashMap<Symbol, usize> = FxHashMap::default();
    for piece in layers().flat_map(|it| &it.pieces) {
        match slots.get(&piece.name).and_then(|&it| pieces.get_mut(it)) {
            Some(slot) => *slot = Rc::clone(piece),
            None => {
                slots.insert(piece.name, pieces.len());
                pieces.push(Rc::clone(piece));
            }
        }
    }
    let ends_of = |it: &Definition| -> Vec<(Kw, Item)> {
        it.sections.iter().filter(|(kw, _)| file::is_end_condition(*kw)).copied().collect()
    };
    let own_ends = own.map(ends_of).unwrap_or_default();
    let ends = if own_ends.is_empty() { ends_of(game) } else { own_ends };
    Merged { single, pieces, options: all_options, ends }
}

struct Compiler<'a> {
    ctx: &'a mut Expander,
    definition: &'a Definition,
    merged: Merged,
    names: &'a mut FileNames,
    cache: &'a mut Cache,
    limits: &'a CompileLimits,
    vocab: Vocab,
    /// The vocabulary's, once it is complete.
    fingerprint: u64,
    players: Vec<PlayerInfo>,
    piece_names: Vec<String>,
    /// Whether a part that was compiled before had an error.
    failed: bool,
}

impl Compiler<'_> {
    fn run(&mut self) -> Option<Ruleset> {
        self.players()?;
        // Without names everything that uses them would be called wrong, too.
        let board = self.board().filter(|it| !it.lacks_names)?;
        self.pieces_and_attributes();
        self.check_attributes();
        self.fingerprint = self.vocab.fingerprint();
        let (priorities, turn_order) = (self.priorities(), self.turn_order());
        let setup = self.setup(&board);
        let mut pieces = Vec::new();
        let mut orders = Vec::new();
        for definition in self.merged.pieces.clone() {
            if self.ctx.is_broken() {
                return None;
            }
            let (info, order) = self.piece(&definition, &board)?;
            pieces.push(info);
            orders.push(order);
        }
        let end_conditions = self.end_conditions(&board);
        let options = self.options();
        let presentation = self.presentation();
        let move_type_numbers = self.move_type_numbers(&priorities, &turn_order, &orders);
        Some(Ruleset {
            title: self.definition.title.clone(),
            players: std::mem::take(&mut self.players),
            board: Arc::clone(&board.board),
            attribute_numbers: self.attribute_numbers(&pieces),
            pieces,
            move_type_numbers,
            turn_order: turn_order?,
            setup,
            priorities,
            end_conditions,
            options,
            presentation,
            span: self.definition.item.span,
            // What the file knows and one variant does not is filled in by the caller.
            ..Ruleset::default()
        })
    }

    fn text(&self, symbol: Symbol) -> String {
        self.ctx.text(symbol).to_owned()
    }

    fn at(&self) -> Item {
        self.definition.item
    }

    fn players(&mut self) -> Option<()> {
        let at = self.at();
        let Some(section) = self.merged.single.get(&Kw::Players).copied() else {
            self.ctx.report(&at, errors::no_players(at.span.head()));
            return None;
        };
        let mut tail = self.ctx.tail(&section);
        while let Some(item) = tail.next(self.ctx) {
            let (ItemKind::Word(symbol) | ItemKind::Text(symbol)) = item.kind else {
                self.ctx.report(&item, errors::expected(item.span, "the name of a player"));
                continue;
            };
            let name = self.text(symbol);
            if self.vocab.player(symbol).is_some() {
                self.ctx.report(&item, errors::repeated_name(item.span, "player", &name));
                continue;
            }
            if self.players.len() >= self.limits.players {
                let error = errors::too_many(item.span, "players", self.limits.players);
                self.ctx.report(&item, error);
                return None;
            }
            self.vocab.set_player(symbol, Player(self.players.len() as u8));
            self.players.push(PlayerInfo {
                is_random: name.starts_with('?'),
                is_neutral: true,
                name,
                span: item.span,
            });
        }
        let n = self.players.len();
        if n > zillions::PLAYERS {
            let warning = errors::beyond_zillions(section.span, "players", n, zillions::PLAYERS);
            self.ctx.report(&section, warning);
        }
        if n == 0 && !self.ctx.is_broken() {
            self.ctx.report(&section, errors::no_players(section.span));
        }
        (n > 0).then_some(())
    }

    fn board(&mut self) -> Option<Rc<BuiltBoard>> {
        let at = self.at();
        let Some(section) = self.merged.single.get(&Kw::Board).copied() else {
            self.ctx.report(&at, errors::no_board(at.span.head()));
            return None;
        };
        let symbols: Vec<_> =
            self.players.iter().filter_map(|it| self.ctx.symbols.get(&it.name)).collect();
        let key = (section_id(&section), symbols.clone());
        let built = match self.cache.boards.get(&key) {
            Some(built) => Rc::clone(built),
            None => {
                let players =
                    symbols.iter().enumerate().map(|(idx, &it)| (it, Player(idx as u8))).collect();
                let known = &self.names.players;
                let built = board::board(self.ctx, &section, &players, known, self.limits);
                let built = Rc::new(built);
                self.cache.boards.insert(key, Rc::clone(&built));
                built
            }
        };
        self.failed |= built.failed;
        for (idx, &symbol) in built.sites.iter().enumerate() {
            self.vocab.set_site(symbol, boardwright_game::Site(idx as u16));
        }
        for (idx, &symbol) in built.directions.iter().enumerate() {
            self.vocab.set_direction(symbol, boardwright_game::Direction(idx as u16));
        }
        for (idx, &symbol) in built.zones.iter().enumerate() {
            self.vocab.set_zone(symbol, boardwright_game::Zone(idx as u16));
        }
        for &symbol in &built.killed {
            self.vocab.kill(symbol);
        }
        let n_sites = built.sites.len() as u64;
        self.ctx.spend(n_sites / 4, &at).then_some(built)
    }

    /// Numbers the pieces and their attributes, so that code can name them.
    fn pieces_and_attributes(&mut self) {
        let at = self.at();
        if self.merged.pieces.is_empty() {
            self.ctx.report(&at, errors::no_pieces(at.span.head()));
        }
        let own = &self.definition.pieces;
        let mut seen: FxHashMap<Symbol, Item> = FxHashMap::default();
        for piece in own {
            if let Some(old) = seen.insert(piece.name, piece.name_item) {
                let name = self.ctx.text(piece.name).to_owned();
                let item = piece.name_item;
                self.ctx.report(&item, errors::piece_twice(item.span, &name, old.span));
            }
        }
        for (idx, piece) in self.merged.pieces.clone().iter().enumerate() {
            if idx >= self.limits.pieces {
                let error = errors::too_many(piece.item.span, "pieces", self.limits.pieces);
                self.ctx.exhaust(&piece.item, error);
                return;
            }
            self.vocab.set_piece(piece.name, PieceKind(idx as u16));
            self.piece_names.push(self.ctx.text(piece.name).to_owned());
            self.vocab.defined_move_types.extend(&piece.move_types);
            for (_, part) in piece.parts.iter().filter(|(kw, _)| *kw == Kw::Attribute) {
                let Some(name) = self.ctx.tail(part).next(self.ctx).and_then(|it| it.word()) else {
                    continue;
                };
                if self.vocab.attribute(name).is_none() {
                    let attribute = self.names.attribute(name);
                    if attribute.idx() >= self.limits.attributes {
                        let n = self.limits.attributes;
                        self.ctx.exhaust(part, errors::too_many(part.span, "attributes", n));
                        return;
                    }
                    self.vocab.set_attribute(name, attribute);
                }
            }
        }
    }

    /// How many attributes the variant has, once all pieces are numbered.
    fn check_attributes(&mut self) {
        let known = self.names.attributes.list.iter();
        let n = known.filter(|it| self.vocab.attribute(**it).is_some()).count();
        if n > zillions::ATTRIBUTES {
            let at = self.at();
            let limit = zillions::ATTRIBUTES;
            self.ctx.report(&at, errors::beyond_zillions(at.span.head(), "attributes", n, limit));
        }
    }

    fn move_type(&mut self, item: &Item) -> Option<MoveType> {
        let Some(symbol) = item.word() else {
            self.ctx.report(item, errors::expected(item.span, "a type of moves"));
            return None;
        };
        if !self.vocab.defined_move_types.contains(&symbol) {
            let name = self.text(symbol);
            let known: Vec<_> =
                self.vocab.defined_move_types.iter().map(|&it| self.text(it)).collect();
            let known = known.iter().map(String::as_str);
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

    fn priorities(&mut self) -> Vec<MoveType> {
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

    fn player(&mut self, item: &Item) -> Option<Player> {
        let (ItemKind::Word(symbol) | ItemKind::Text(symbol)) = item.kind else {
            self.ctx.report(item, errors::expected(item.span, "a player"));
            return None;
        };
        let found = self.vocab.player(symbol);
        if found.is_none() {
            let name = self.text(symbol);
            let known = self.players.iter().map(|it| it.name.as_str());
            let error = errors::unknown_player(item.span, &name, known);
            self.ctx.report(item, error);
        }
        found
    }

    fn turn_order(&mut self) -> Option<TurnOrder> {
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
    fn turn(&mut self, item: &Item) -> Option<Turn> {
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

    fn piece_kind(&mut self, item: &Item) -> Option<PieceKind> {
        let (ItemKind::Word(symbol) | ItemKind::Text(symbol)) = item.kind else {
            self.ctx.report(item, errors::expected(item.span, "the name of a piece"));
            return None;
        };
        let found = self.vocab.piece(symbol);
        if found.is_none() {
            let name = self.text(symbol);
            let known = self.piece_names.iter().map(String::as_str);
            let error = errors::unknown_piece(item.span, &name, known);
            self.ctx.report(item, error);
        }
        found
    }

    /// A piece, and the order in which its code names move types.
    fn piece(
        &mut self,
        definition: &PieceDefinition,
        board: &BuiltBoard,
    ) -> Option<(PieceKindInfo, Vec<MoveType>)> {
        let cached = self.code(definition, board);
        self.failed |= cached.failed;
        let mut info = PieceKindInfo {
            name: self.text(definition.name),
            notation: None,
            help: None,
            description: None,
            images: Vec::new(),
            attributes: Vec::new(),
            attribute_mask: 0,
            default_attributes: 0,
            is_dummy: false,
            open: None,
            blocks: cached.code.blocks.clone(),
            program: Arc::clone(&cached.program),
            span: definition.item.span,
        };
        for (kw, part) in &definition.parts {
            match kw {
                Kw::Notation => info.notation = self.string(part).map(|it| strings::display(&it)),
                Kw::Help => info.help = self.string(part).map(|it| strings::help(&it)),
                Kw::Description => {
                    info.description = self.string(part).map(|it| strings::display(&it));
                }
                Kw::Open => info.open = self.string(part),
                Kw::Dummy => info.is_dummy = true,
                Kw::Image => self.images(part, &mut info.images),
                Kw::Attribute => self.attribute(part, &mut info),
                _ => {}
            }
        }
        Some((info, cached.code.type_order.clone()))
    }

    fn string(&mut self, part: &Item) -> Option<String> {
        file::string(self.ctx, part)
    }

    /// The code of a piece; lowered once for all variants in which its words mean the same.
    fn code(&mut self, definition: &PieceDefinition, board: &BuiltBoard) -> Rc<CachedCode> {
        let key = (section_id(&definition.item), self.fingerprint);
        if let Some(found) = self.cache.codes.get(&key) {
            return Rc::clone(found);
        }
        let parts: Vec<(BlockKind, Item)> = definition
            .parts
            .iter()
            .filter_map(|(kw, part)| file::block_kind(*kw).map(|kind| (kind, *part)))
            .collect();
        let before = self.ctx.sink.n_tried();
        let coder = Coder::new(
            self.ctx,
            &self.vocab,
            self.names,
            &board.board,
            &self.piece_names,
            self.limits,
            self.cache.n_ops,
        );
        let mut code = coder.piece(&parts);
        let mut seen = rustc_hash::FxHashSet::default();
        code.type_order.retain(|it| seen.insert(*it));
        self.cache.n_ops += code.program.ops.len();
        let program = Arc::new(std::mem::take(&mut code.program));
        let failed = self.ctx.sink.n_tried() > before;
        let cached = Rc::new(CachedCode { program, code, failed });
        self.cache.codes.insert(key, Rc::clone(&cached));
        cached
    }

    /// `(image White "a.bmp" "b.bmp" Black "c.bmp")`
    fn images(&mut self, part: &Item, images: &mut Vec<PieceImage>) {
        let mut player: Option<Player> = None;
        let mut named = false;
        let mut tail = self.ctx.tail(part);
        while let Some(item) = tail.next(self.ctx) {
            match item.kind {
                ItemKind::Word(symbol) => {
                    named = true;
                    player = self.vocab.player(symbol);
                    if player.is_none() && !self.names.players.contains(&symbol) {
                        let name = self.text(symbol);
                        let warning = errors::image_for_unknown_player(item.span, &name);
                        self.ctx.report(&item, warning);
                    }
                }
                ItemKind::Text(text) => {
                    let Some(player) = player else {
                        if !named {
                            let warning = errors::image_without_player(item.span);
                            self.ctx.report(&item, warning);
                        }
                        continue;
                    };
                    let file = self.text(text);
                    match images.iter_mut().find(|it| it.player == player) {
                        Some(it) => it.files.push(file),
                        None => images.push(PieceImage { player, files: vec![file] }),
                    }
                }
                _ => {
                    let what = "a player or the name of a picture";
                    self.ctx.report(&item, errors::ignored(item.span, what));
                }
            }
        }
    }

    /// `(attribute never-moved? true)`
    fn attribute(&mut self, part: &Item, info: &mut PieceKindInfo) {
        let args = self.ctx.tail(part).collect(self.ctx, 3);
        let name = args.first().and_then(|it| it.word());
        let value = args.get(1).and_then(|it| it.word()).and_then(Kw::of);
        let attribute = name.and_then(|it| self.vocab.attribute(it));
        match (attribute, value) {
            (Some(attribute), Some(value @ (Kw::True | Kw::False))) => {
                if !info.attributes.contains(&attribute) {
                    info.attributes.push(attribute);
                }
                info.attribute_mask |= attribute.bit();
                if value == Kw::True {
                    info.default_attributes |= attribute.bit();
                } else {
                    info.default_attributes &= !attribute.bit();
                }
            }
            _ => {
                let what = "a name and `true` or `false`";
                self.ctx.report(part, errors::missing_argument(part.span, "attribute", what));
            }
        }
        if let Some(extra) = args.get(2) {
            self.ctx.report(extra, errors::extra_argument(extra.span, "attribute"));
        }
    }

    fn end_conditions(&mut self, board: &BuiltBoard) -> Vec<boardwright_game::EndCondition> {
        let player_names: Vec<_> = self.players.iter().map(|it| it.name.clone()).collect();
        let mut reader = GoalReader {
            ctx: self.ctx,
            vocab: &self.vocab,
            board: &board.board,
            piece_names: &self.piece_names,
            player_names: &player_names,
            limits: self.limits,
        };
        let ends = self.merged.ends.iter();
        ends.filter_map(|(kw, section)| reader.end_condition(*kw, section)).collect()
    }

    fn options(&mut self) -> Options {
        let mut found = Options::default();
        for (kw, section) in self.merged.options.clone() {
            let args = self.ctx.tail(&section).collect(self.ctx, 3);
            let mut words = args.iter().filter_map(|it| match it.kind {
                ItemKind::Word(it) | ItemKind::Text(it) => Some(self.ctx.text(it).to_owned()),
                _ => None,
            });
            let name = match options::deprecated(kw) {
                Some(name) => name.to_owned(),
                None => words.next().unwrap_or_default(),
            };
            let given = words.next();
            let mut value = given.as_deref().and_then(Value::parse);
            if kw == Kw::AllowFlipping {
                value = match value {
                    Some(Value::True) => Some(Value::False),
                    Some(Value::False) => Some(Value::True),
                    other => other,
                };
            }
            match options::set(&mut found, &name, value) {
                options::Set::BadValue(values) => {
                    let at = args.last().copied().unwrap_or(section);
                    let given = given.as_deref();
                    let warning = errors::bad_option_value(at.span, &name, given, values);
                    self.ctx.report(&at, warning);
                }
                options::Set::Unknown(Some(known)) => {
                    let at = args.first().copied().unwrap_or(section);
                    self.ctx.report(&at, errors::unknown_option(at.span, &name, known));
                }
                options::Set::Unknown(None) | options::Set::Done => {}
            }
        }
        found
    }

    fn presentation(&mut self) -> Presentation {
        let shown = |this: &mut Self, kw| this.single_string(kw).map(|it| strings::display(&it));
        Presentation {
            description: shown(self, Kw::Description),
            history: shown(self, Kw::History),
            strategy: shown(self, Kw::Strategy),
            solution: self.single_string(Kw::Solution),
            music: self.single_string(Kw::Music),
            engine: self.single_string(Kw::Engine).filter(|it| !it.is_empty()),
            sounds: Sounds {
                capture: self.single_string(Kw::CaptureSound),
                change: self.single_string(Kw::ChangeSound),
                click: self.single_string(Kw::ClickSound),
                draw: self.single_string(Kw::DrawSound),
                drop: self.single_string(Kw::DropSound),
                loss: self.single_string(Kw::LossSound),
                mv: self.single_string(Kw::MoveSound),
                opening: self.single_string(Kw::OpeningSound),
                release: self.single_string(Kw::ReleaseSound),
                win: self.single_string(Kw::WinSound),
            },
            translations: Arc::default(),
        }
    }

    fn single_string(&mut self, kw: Kw) -> Option<String> {
        let section = self.merged.single.get(&kw).copied()?;
        file::string(self.ctx, &section)
    }

    /// By attribute, the number that saved games use: pieces are scanned from
    /// the last to the first, and so are the attributes within a piece.
    fn attribute_numbers(&self, pieces: &[PieceKindInfo]) -> Vec<Option<u32>> {
        let mut numbers = vec![None; self.names.attributes.list.len()];
        let mut next = 0;
        let scan = pieces.iter().rev().flat_map(|it| it.attributes.iter().rev());
        for &Attribute(idx) in scan {
            if let Some(it @ None) = numbers.get_mut(idx as usize) {
                *it = Some(next);
                next += 1;
            }
        }
        numbers
    }

    /// By move type, the number that saved games use, from 1: priorities backwards,
    /// then the turn order, then pieces from the last to the first.
    fn move_type_numbers(
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
