//! `(board …)`: grids, sites, links, zones, symmetries.
//!
//! Whatever the order of the text, sites come first, then links, symmetry and
//! zones, then `unlink`, and `kill-positions` last.

use std::{num::IntErrorKind, sync::Arc};

use boardwright_game::{Board, Direction, Grid, Player, Rect, Site, SiteInfo, SiteSet, Zone};
use boardwright_text::Span;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    errors,
    expand::{Expander, Item, ItemKind},
    file,
    limits::{CompileLimits, zillions},
    symbol::Symbol,
    texts::TextForm,
    words::Kw,
};

mod assemble;
mod grid;
mod links;
mod zones;

/// Bytes that a site takes besides its name, in tables and in the finished board.
const SITE_BYTES: usize = size_of::<SiteInfo>() + 120;

const SECTIONS: &[&str] = &[
    "dummy",
    "grid",
    "image",
    "kill-positions",
    "links",
    "positions",
    "symmetry",
    "unlink",
    "zone",
];

/// A board with the names of its parts as symbols.
pub(crate) struct BuiltBoard {
    pub(crate) board: Arc<Board>,
    pub(crate) sites: Vec<Symbol>,
    pub(crate) directions: Vec<Symbol>,
    pub(crate) zones: Vec<Symbol>,
    pub(crate) killed: Vec<Symbol>,
    pub(crate) failed: bool,
    /// Whether names are missing because a part went wrong.
    pub(crate) lacks_names: bool,
}

/// Builds the board that `item` describes, for these players.
pub(crate) fn board(
    ctx: &mut Expander,
    item: &Item,
    players: &FxHashMap<Symbol, Player>,
    known_players: &FxHashSet<Symbol>,
    limits: &CompileLimits,
) -> BuiltBoard {
    let before = ctx.sink.n_tried();
    let mut builder = Builder {
        sites: Vec::new(),
        by_name: FxHashMap::default(),
        directions: Vec::new(),
        direction_names: FxHashMap::default(),
        offsets: Vec::new(),
        links: Vec::new(),
        zones: Vec::new(),
        zone_names: FxHashMap::default(),
        grids: Vec::new(),
        images: Vec::new(),
        symmetry: Vec::new(),
        killed: Vec::new(),
        killed_names: FxHashSet::default(),
        lacks_names: false,
        label_twice: false,
        players,
        known_players,
        limits,
        ctx,
    };
    builder.run(item);
    let mut built = builder.finish(item);
    built.failed = ctx.sink.n_tried() > before;
    built
}

struct Builder<'a> {
    sites: Vec<(Symbol, SiteInfo)>,
    by_name: FxHashMap<Symbol, Site>,
    directions: Vec<(Symbol, Span)>,
    direction_names: FxHashMap<Symbol, Direction>,
    /// By direction: its offset in grids, for finding opposites.
    offsets: Vec<Option<Vec<i32>>>,
    /// `(from, direction, to)`; of two with the same start the later holds.
    links: Vec<(Site, Direction, Site)>,
    zones: Vec<(Symbol, Span, Vec<SiteSet>)>,
    zone_names: FxHashMap<Symbol, Zone>,
    grids: Vec<Grid>,
    images: Vec<Arc<str>>,
    symmetry: Vec<(Player, Direction, Direction)>,
    killed: Vec<Symbol>,
    killed_names: FxHashSet<Symbol>,
    /// Whether a part that names sites or directions went wrong, so that names
    /// may be unknown through no fault of those who use them.
    lacks_names: bool,
    /// Whether a label of the grid in hand stands twice in a dimension.
    label_twice: bool,
    players: &'a FxHashMap<Symbol, Player>,
    known_players: &'a FxHashSet<Symbol>,
    limits: &'a CompileLimits,
    ctx: &'a mut Expander,
}

impl Builder<'_> {
    fn run(&mut self, item: &Item) {
        let mut sections = Vec::new();
        let mut tail = self.ctx.tail(item);
        while let Some(section) = tail.next(self.ctx) {
            let Some(head) = self.ctx.head(&section) else {
                self.ctx.report(&section, errors::headless_section(section.span));
                continue;
            };
            match Kw::of(head).filter(|it| SECTIONS.contains(&it.text())) {
                Some(kw) => sections.push((kw, section)),
                None => self.unknown_part(&section, "board", SECTIONS),
            }
        }
        let phases: [&[Kw]; 5] = [
            &[Kw::Grid, Kw::Positions, Kw::Dummy, Kw::Image],
            &[Kw::Links],
            &[Kw::Symmetry, Kw::Zone],
            &[Kw::Unlink],
            &[Kw::KillPositions],
        ];
        for phase in phases {
            for (kw, section) in sections.iter().filter(|(kw, _)| phase.contains(kw)) {
                if self.ctx.is_broken() {
                    return;
                }
                let before = self.ctx.sink.n_tried();
                match kw {
                    Kw::Grid => self.grid(section),
                    Kw::Positions => self.positions(section),
                    Kw::Dummy => self.dummy(section),
                    Kw::Image => self.image(section),
                    Kw::Links => self.links(section),
                    Kw::Symmetry => self.symmetry(section),
                    Kw::Zone => self.zone(section),
                    Kw::Unlink => self.unlink(section),
                    _ => self.kill(section),
                }
                let names = matches!(kw, Kw::Grid | Kw::Positions | Kw::Dummy);
                self.lacks_names |= names && self.ctx.sink.n_tried() > before;
            }
        }
    }

    /// Says that a part of a board, grid or zone is none.
    fn unknown_part(&mut self, part: &Item, of: &str, known: &[&str]) {
        let Some(head) = self.ctx.head(part) else {
            self.ctx.report(part, errors::headless_section(part.span));
            return;
        };
        let warning = file::unknown_section(self.ctx, part, head, of, known);
        self.ctx.report(part, warning);
    }

    /// The name that a symbol stands for, as messages show it.
    fn name(&self, symbol: Symbol) -> String {
        self.ctx.shown(symbol)
    }

    fn add_site(&mut self, symbol: Symbol, info: SiteInfo, item: &Item) -> Option<Site> {
        if let Some(&site) = self.by_name.get(&symbol) {
            let Some((_, old)) = self.sites.get_mut(site.idx()) else { return Some(site) };
            // Grids that overlap on shared sites are a way to build odd boards.
            let told = self.label_twice && old.span == info.span;
            let warning = (old.rect != info.rect && !told)
                .then(|| errors::site_twice(info.span, &info.name, old.span));
            old.rect = info.rect;
            old.cell = info.cell;
            if let Some(warning) = warning {
                self.ctx.report(item, warning);
            }
            return Some(site);
        }
        if self.sites.len() >= self.limits.sites {
            let limit = self.limits.sites;
            let error = errors::board_too_large(item.span, limit as u64 + 1, "positions", limit);
            self.ctx.exhaust(item, error);
            return None;
        }
        if !self.ctx.is_short(symbol, item, "position") {
            self.lacks_names = true;
            return None;
        }
        let bytes = SITE_BYTES + 2 * info.name.len();
        if !self.ctx.spend(32, item) || !self.ctx.take(bytes, item) {
            return None;
        }
        let site = Site(self.sites.len() as u16);
        self.by_name.insert(symbol, site);
        self.sites.push((symbol, info));
        Some(site)
    }

    fn direction(&mut self, symbol: Symbol, item: &Item) -> Option<Direction> {
        if let Some(&direction) = self.direction_names.get(&symbol) {
            return Some(direction);
        }
        if self.directions.len() >= self.limits.directions {
            let limit = self.limits.directions;
            self.ctx.exhaust(item, errors::too_many(item.span, "directions", limit));
            return None;
        }
        if !self.ctx.is_short(symbol, item, "direction") {
            return None;
        }
        let direction = Direction(self.directions.len() as u16);
        self.direction_names.insert(symbol, direction);
        self.directions.push((symbol, item.span));
        self.offsets.push(None);
        Some(direction)
    }

    fn number(&mut self, item: &Item, what: &str) -> Option<i32> {
        let number = item.word().map(|it| self.ctx.text(it).parse::<i64>());
        let error = match number {
            // Pixels and offsets far beyond any screen are cut, not refused.
            Some(Ok(number)) => return Some(number.clamp(-1_000_000, 1_000_000) as i32),
            Some(Err(error))
                if matches!(
                    error.kind(),
                    IntErrorKind::PosOverflow | IntErrorKind::NegOverflow
                ) =>
            {
                errors::too_many_digits(item.span, what)
            }
            _ => errors::not_a_number(item.span, what),
        };
        self.ctx.report(item, error);
        None
    }

    /// `(positions (a1 0 0 50 50) …)`
    fn positions(&mut self, section: &Item) {
        let mut tail = self.ctx.tail(section);
        while let Some(entry) = tail.next(self.ctx) {
            let parts = self.ctx.items(&entry).collect(self.ctx, 7);
            let Some((name, numbers)) = parts.split_first() else {
                self.ctx
                    .report(&entry, errors::expected(entry.span, "`(name left top right bottom)`"));
                continue;
            };
            let (Some(symbol), [left, top, right, bottom]) = (name.word(), numbers) else {
                self.ctx
                    .report(&entry, errors::expected(entry.span, "`(name left top right bottom)`"));
                continue;
            };
            let mut edge = |it| self.number(it, "an edge of a rectangle");
            let rect = (|| {
                Some(Rect {
                    left: edge(left)?,
                    top: edge(top)?,
                    right: edge(right)?,
                    bottom: edge(bottom)?,
                })
            })();
            let info = SiteInfo {
                name: self.name(symbol),
                rect: Some(rect.unwrap_or_default()),
                is_dummy: false,
                cell: None,
                span: name.span,
            };
            self.add_site(symbol, info, name);
        }
    }

    /// `(dummy a1 …)`: marks sites, or makes ones that are nowhere.
    fn dummy(&mut self, section: &Item) {
        let mut tail = self.ctx.tail(section);
        while let Some(item) = tail.next(self.ctx) {
            let Some(symbol) = item.word() else {
                self.ctx.report(&item, errors::expected(item.span, "the name of a position"));
                continue;
            };
            if !self.by_name.contains_key(&symbol) {
                let name = self.name(symbol);
                let info =
                    SiteInfo { name, rect: None, is_dummy: true, cell: None, span: item.span };
                self.add_site(symbol, info, &item);
            }
            let site = self.by_name.get(&symbol).copied();
            if let Some((_, info)) = site.and_then(|it| self.sites.get_mut(it.idx())) {
                info.is_dummy = true;
            }
        }
    }

    /// `(image "board.bmp" …)`
    fn image(&mut self, section: &Item) {
        let mut tail = self.ctx.tail(section);
        while let Some(item) = tail.next(self.ctx) {
            match item.kind {
                ItemKind::Text(text) => {
                    let file = self.ctx.shown_text(text, TextForm::Raw, &item);
                    if self.ctx.take(size_of::<Arc<str>>(), &item) {
                        self.images.push(file);
                    }
                }
                _ => self.ctx.report(&item, errors::ignored(item.span, "the name of a picture")),
            }
        }
    }

    fn site(&mut self, item: &Item) -> Option<Site> {
        let Some(symbol) = item.word() else {
            self.ctx.report(item, errors::expected(item.span, "the name of a position"));
            return None;
        };
        let found = self.by_name.get(&symbol).copied();
        if found.is_none() && !self.lacks_names {
            let name = self.name(symbol);
            let known = self.ctx.candidates(self.sites.iter().map(|(_, it)| it.name.as_str()));
            let error = errors::unknown_site(item.span, &name, known);
            self.ctx.report(item, error);
        }
        found
    }

    fn known_direction(&mut self, item: &Item) -> Option<Direction> {
        let Some(symbol) = item.word() else {
            self.ctx.report(item, errors::expected(item.span, "a direction"));
            return None;
        };
        let found = self.direction_names.get(&symbol).copied();
        if found.is_none() && !self.lacks_names {
            let name = self.name(symbol);
            let known = self.directions.iter().map(|&(it, _)| self.ctx.text(it));
            let known = self.ctx.candidates(known);
            let error = errors::unknown_direction(item.span, &name, known);
            self.ctx.report(item, error);
        }
        found
    }

    fn player(&mut self, item: &Item) -> Option<Player> {
        let Some(symbol) = item.word() else {
            self.ctx.report(item, errors::expected(item.span, "a player"));
            return None;
        };
        let found = self.players.get(&symbol).copied();
        // A board that variants with other players share mentions them too.
        if found.is_none() && !self.known_players.contains(&symbol) {
            let name = self.name(symbol);
            let known = self.ctx.candidates(self.players.keys().map(|&it| self.ctx.text(it)));
            let error = errors::unknown_player(item.span, &name, known);
            self.ctx.report(item, error);
        }
        found
    }

    fn finish(mut self, item: &Item) -> BuiltBoard {
        if self.sites.len() == self.killed.len() {
            if !self.lacks_names {
                self.ctx.report(item, errors::empty_board(item.span));
            }
            self.lacks_names = true;
        }
        let n_links = self.sites.len() * self.directions.len();
        if n_links > self.limits.links {
            let error =
                errors::board_too_large(item.span, n_links as u64, "links", self.limits.links);
            self.ctx.exhaust(item, error);
        }
        // Each direction without an opposite in its grid is compared with all others.
        let n_compared = self.offsets.iter().filter(|it| it.is_none()).count() * n_links;
        let steps = (n_links / 4 + n_compared / 16) as u64;
        if !self.ctx.spend(steps, item) || !self.ctx.take(2 * n_links, item) {
            self.sites.clear();
        }
        for (n, what, limit) in [
            (self.directions.len(), "directions", zillions::DIRECTIONS),
            (self.zones.len(), "zones", zillions::ZONES),
        ] {
            if n > limit {
                self.ctx.report(item, errors::beyond_zillions(item.span.head(), what, n, limit));
            }
        }
        assemble::assemble(self, item)
    }
}
