//! A variant's sections, its own and inherited, to one ruleset.

use std::{rc::Rc, sync::Arc};

use boardwright_game::{PieceKind, Player, PlayerInfo, Program, Ruleset, SaveFormat};
use rustc_hash::FxHashMap;

use crate::{
    board::{self, BuiltBoard},
    code::PieceCode,
    errors,
    expand::{Expander, Item, ItemKind},
    file::{Contents, Definition},
    goal::{GoalCosts, GoalReader},
    limits::{CompileLimits, zillions},
    lookup,
    symbol::Symbol,
    vocab::{FileNames, Vocab},
    words::Kw,
};

mod merge;
mod pieces;
mod setup;
mod shown;
mod turns;

use merge::{Merged, merge};

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
    ctx.begin_variant();
    let n_parts = game.sections.len() + definition.sections.len() + ctx.symbols.len() / 16;
    if !ctx.spend(n_parts as u64 / 4 + 100, &definition.item) {
        return None;
    }
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
        self.check_piece_places(&board)?;
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
            save: SaveFormat {
                attribute_numbers: self.attribute_numbers(&pieces),
                move_type_numbers,
                ..SaveFormat::default()
            },
            pieces,
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

    /// Refuses games whose tables by site, kind and player would take too much memory.
    fn check_piece_places(&mut self, board: &BuiltBoard) -> Option<()> {
        let n_kinds = self.piece_names.len() * self.players.len();
        let (n, limit) = (board.board.n_sites() * n_kinds, self.limits.piece_places);
        if n <= limit {
            return Some(());
        }
        let (at, what) = (self.at(), "combinations of position, piece and player");
        self.ctx.report(&at, errors::board_too_large(at.span.head(), n as u64, what, limit));
        None
    }

    /// The name that a symbol stands for, as messages show it.
    fn text(&self, symbol: Symbol) -> String {
        self.ctx.shown(symbol)
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
            if !self.ctx.is_short(symbol, &item, "player") {
                continue;
            }
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
                    if !self.ctx.is_short(name, part, "attribute") {
                        return;
                    }
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

    fn player(&mut self, item: &Item) -> Option<Player> {
        let (ItemKind::Word(symbol) | ItemKind::Text(symbol)) = item.kind else {
            self.ctx.report(item, errors::expected(item.span, "a player"));
            return None;
        };
        let found = self.vocab.player(symbol);
        if found.is_none() {
            let name = self.text(symbol);
            let known = self.ctx.candidates(self.players.iter().map(|it| it.name.as_str()));
            let error = errors::unknown_player(item.span, &name, known);
            self.ctx.report(item, error);
        }
        found
    }

    fn piece_kind(&mut self, item: &Item) -> Option<PieceKind> {
        lookup::piece_kind(self.ctx, &self.vocab, &self.piece_names, item)
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
        let costs = GoalCosts::new(&board.board, player_names.len(), self.piece_names.len());
        let limit = self.limits.goal_tests;
        let (mut conditions, mut cost) = (Vec::new(), 0u64);
        for (kw, section) in &self.merged.ends {
            let Some(condition) = reader.end_condition(*kw, section) else { continue };
            let is_within = cost <= limit;
            cost = cost.saturating_add(costs.of_condition(&condition));
            if is_within && cost > limit {
                let error = errors::goals_too_costly(section.span, limit);
                reader.ctx.report(section, error);
            }
            conditions.push(condition);
        }
        conditions
    }
}
