//! `(board …)`: grids, sites, links, zones, symmetries.
//!
//! Whatever the order of the text, sites come first, then links, symmetry and
//! zones, then `unlink`, and `kill-positions` last.

use std::{num::IntErrorKind, sync::Arc};

use boardwright_game::{
    Board, Direction, DirectionInfo, Grid, Player, Rect, Site, SiteInfo, SiteSet, Zone, ZoneInfo,
};
use boardwright_text::Span;
use rustc_hash::FxHashMap;

use crate::{
    errors,
    expand::{Expander, Item, ItemKind},
    file,
    limits::{CompileLimits, zillions},
    symbol::Symbol,
    words::Kw,
};

mod grid;

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
    known_players: &rustc_hash::FxHashSet<Symbol>,
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
    images: Vec<String>,
    symmetry: Vec<(Player, Direction, Direction)>,
    killed: Vec<Symbol>,
    /// Whether a part that names sites or directions went wrong, so that names
    /// may be unknown through no fault of those who use them.
    lacks_names: bool,
    /// Whether a label of the grid in hand stands twice in a dimension.
    label_twice: bool,
    players: &'a FxHashMap<Symbol, Player>,
    known_players: &'a rustc_hash::FxHashSet<Symbol>,
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

    fn name(&self, symbol: Symbol) -> String {
        self.ctx.text(symbol).to_owned()
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
        // A site takes much more room than the words that name it.
        if !self.ctx.spend(32, item) {
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
                ItemKind::Text(text) => self.images.push(self.name(text)),
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
            let known = self.sites.iter().map(|(_, it)| it.name.as_str());
            let error = errors::unknown_site(item.span, &name, known);
            self.ctx.report(item, error);
        }
        found
    }

    /// `(links n (a1 a2) …)`
    fn links(&mut self, section: &Item) {
        let mut tail = self.ctx.tail(section);
        let Some(head) = tail.next(self.ctx) else {
            self.ctx
                .report(section, errors::missing_argument(section.span, "links", "a direction"));
            return;
        };
        let Some(direction) = head.word().and_then(|it| self.direction(it, &head)) else {
            self.ctx.report(&head, errors::expected(head.span, "a direction"));
            self.lacks_names = true;
            return;
        };
        while let Some(pair) = tail.next(self.ctx) {
            let ends = self.ctx.items(&pair).collect(self.ctx, 3);
            let [from, to] = ends.as_slice() else {
                self.ctx.report(&pair, errors::expected(pair.span, "a pair `(from to)`"));
                continue;
            };
            if let (Some(from), Some(to)) = (self.site(from), self.site(to)) {
                self.links.push((from, direction, to));
            }
        }
    }

    fn known_direction(&mut self, item: &Item) -> Option<Direction> {
        let Some(symbol) = item.word() else {
            self.ctx.report(item, errors::expected(item.span, "a direction"));
            return None;
        };
        let found = self.direction_names.get(&symbol).copied();
        if found.is_none() && !self.lacks_names {
            let name = self.name(symbol);
            let known: Vec<_> = self.directions.iter().map(|&(it, _)| self.name(it)).collect();
            let known = known.iter().map(String::as_str);
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
            let known: Vec<_> = self.players.keys().map(|&it| self.name(it)).collect();
            let known = known.iter().map(String::as_str);
            let error = errors::unknown_player(item.span, &name, known);
            self.ctx.report(item, error);
        }
        found
    }

    /// `(symmetry Black (n s) …)`
    fn symmetry(&mut self, section: &Item) {
        let mut tail = self.ctx.tail(section);
        let Some(head) = tail.next(self.ctx) else {
            self.ctx
                .report(section, errors::missing_argument(section.span, "symmetry", "a player"));
            return;
        };
        let player = self.player(&head);
        while let Some(pair) = tail.next(self.ctx) {
            let ends = self.ctx.items(&pair).collect(self.ctx, 3);
            let [from, to] = ends.as_slice() else {
                self.ctx.report(&pair, errors::expected(pair.span, "a pair of directions"));
                continue;
            };
            let (from, to) = (self.known_direction(from), self.known_direction(to));
            if let (Some(player), Some(from), Some(to)) = (player, from, to) {
                self.symmetry.push((player, from, to));
            }
        }
    }

    /// `(zone (name N) (players P…) (positions S…))`
    fn zone(&mut self, section: &Item) {
        let mut name: Option<Item> = None;
        let mut players: Option<Vec<Item>> = None;
        let mut sites: Option<Vec<Item>> = None;
        let mut tail = self.ctx.tail(section);
        while let Some(part) = tail.next(self.ctx) {
            let head = self.ctx.head_kw(&part);
            let mut args = self.ctx.tail(&part);
            match head {
                Some(Kw::Name) => name = args.next(self.ctx),
                Some(Kw::Players) => {
                    players.get_or_insert_default().extend(args.rest(self.ctx));
                }
                Some(Kw::Positions) => {
                    sites.get_or_insert_default().extend(args.rest(self.ctx));
                }
                _ => {
                    let known = ["name", "players", "positions"];
                    self.unknown_part(&part, "zone", &known);
                }
            }
        }
        let word = |it: Item| match it.kind {
            ItemKind::Word(symbol) | ItemKind::Text(symbol) => Some((symbol, it)),
            _ => None,
        };
        let Some((symbol, name_item)) = name.and_then(word) else {
            self.ctx.report(section, errors::bad_zone(section.span, "a name"));
            return;
        };
        if players.is_none() {
            self.ctx.report(section, errors::bad_zone(section.span, "players"));
        }
        if sites.is_none() {
            self.ctx.report(section, errors::bad_zone(section.span, "positions"));
        }
        let set: SiteSet =
            sites.unwrap_or_default().iter().filter_map(|it| self.site(it)).collect();
        let n_players = self.players.values().map(|it| it.idx() + 1).max().unwrap_or(0);
        let zone = match self.zone_names.get(&symbol) {
            Some(&zone) => zone,
            None if self.zones.len() >= self.limits.zones => {
                let error = errors::too_many(name_item.span, "zones", self.limits.zones);
                self.ctx.exhaust(&name_item, error);
                return;
            }
            None => {
                let zone = Zone(self.zones.len() as u16);
                self.zone_names.insert(symbol, zone);
                self.zones.push((symbol, name_item.span, vec![SiteSet::default(); n_players]));
                zone
            }
        };
        let cost = 2 * (set.words().len() as u64 + 1);
        for item in players.unwrap_or_default() {
            if !self.ctx.spend(cost, &item) {
                return;
            }
            let player = self.player(&item);
            let sets = self.zones.get_mut(zone.idx()).map(|(_, _, it)| it);
            if let (Some(player), Some(sets)) = (player, sets)
                && let Some(it) = sets.get_mut(player.idx())
            {
                it.extend(&set);
            }
        }
    }

    /// `(unlink a1 (a1 b1) (a1 n))`
    fn unlink(&mut self, section: &Item) {
        let mut tail = self.ctx.tail(section);
        while let Some(entry) = tail.next(self.ctx) {
            // Looking through the links is work, too.
            if !self.ctx.spend(self.links.len() as u64 / 64, &entry) {
                return;
            }
            if !entry.is_list() {
                if let Some(site) = self.site(&entry) {
                    self.links.retain(|&(from, _, to)| from != site && to != site);
                }
                continue;
            }
            let ends = self.ctx.items(&entry).collect(self.ctx, 3);
            let [first, second] = ends.as_slice() else {
                let what = "`(position position)` or `(position direction)`";
                self.ctx.report(&entry, errors::expected(entry.span, what));
                continue;
            };
            let Some(site) = self.site(first) else {
                continue;
            };
            let symbol = second.word();
            let direction = symbol.and_then(|it| self.direction_names.get(&it)).copied();
            let is_site = symbol.is_some_and(|it| self.by_name.contains_key(&it));
            match direction {
                Some(direction) if !is_site => {
                    self.links.retain(|&(from, dir, _)| (from, dir) != (site, direction));
                }
                _ => {
                    if let Some(other) = self.site(second) {
                        self.links.retain(|&(from, _, to)| {
                            (from, to) != (site, other) && (from, to) != (other, site)
                        });
                    }
                }
            }
        }
    }

    /// `(kill-positions a1 …)`
    fn kill(&mut self, section: &Item) {
        let mut tail = self.ctx.tail(section);
        while let Some(item) = tail.next(self.ctx) {
            let already = item.word().is_some_and(|it| self.killed.contains(&it));
            if !already && self.site(&item).is_some() {
                self.killed.extend(item.word());
            }
        }
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
        if self.ctx.is_broken() || !self.ctx.spend(n_links as u64 / 4, item) {
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
        assemble(self, item)
    }
}

/// Renumbers the sites without the killed ones and fills the tables.
fn assemble(builder: Builder<'_>, item: &Item) -> BuiltBoard {
    let killed: rustc_hash::FxHashSet<Symbol> = builder.killed.iter().copied().collect();
    let mut renumbered: Vec<Option<Site>> = Vec::with_capacity(builder.sites.len());
    let mut sites = Vec::new();
    let mut infos = Vec::new();
    for (symbol, info) in builder.sites {
        let kept = !killed.contains(&symbol);
        renumbered.push(kept.then_some(Site(sites.len() as u16)));
        if kept {
            sites.push(symbol);
            infos.push(info);
        }
    }
    let new = |it: Site| renumbered.get(it.idx()).copied().flatten();
    let n_directions = builder.directions.len();
    let mut links = vec![u16::MAX; sites.len() * n_directions];
    for (from, direction, to) in &builder.links {
        if let (Some(from), Some(to)) = (new(*from), new(*to))
            && let Some(it) = links.get_mut(from.idx() * n_directions + direction.idx())
        {
            *it = to.0;
        }
    }
    let n_players = builder.players.values().map(|it| it.idx() + 1).max().unwrap_or(0);
    let plain: Vec<_> = (0..n_directions as u16).map(Direction).collect();
    let mut symmetry = vec![plain; n_players];
    for (player, from, to) in &builder.symmetry {
        if let Some(it) = symmetry.get_mut(player.idx()).and_then(|it| it.get_mut(from.idx())) {
            *it = *to;
        }
    }
    let zones = builder.zones.iter().map(|(symbol, span, sets)| ZoneInfo {
        name: builder.ctx.text(*symbol).to_owned(),
        sites: sets.iter().map(|set| set.iter().filter_map(new).collect()).collect(),
        span: *span,
    });
    let directions = builder
        .directions
        .iter()
        .map(|&(symbol, span)| DirectionInfo { name: builder.ctx.text(symbol).to_owned(), span });
    let mut board = Board {
        zones: zones.collect(),
        directions: directions.collect(),
        sites: infos,
        grids: builder.grids,
        images: builder.images,
        links,
        opposite: Vec::new(),
        symmetry,
        span: item.span,
    };
    board.opposite = opposites(&board, &builder.offsets);
    BuiltBoard {
        board: Arc::new(board),
        sites,
        directions: builder.directions.iter().map(|&(it, _)| it).collect(),
        zones: builder.zones.iter().map(|&(it, _, _)| it).collect(),
        killed: builder.killed,
        failed: false,
        lacks_names: builder.lacks_names,
    }
}

/// For each direction the one that undoes it: by the offsets of the grid, or
/// else the one that undoes most of its links.
fn opposites(board: &Board, offsets: &[Option<Vec<i32>>]) -> Vec<Option<Direction>> {
    let n_directions = board.n_directions();
    let all = || (0..n_directions as u16).map(Direction);
    let by_offset = |direction: Direction| {
        let wanted: Vec<i32> =
            offsets.get(direction.idx())?.as_ref()?.iter().map(|it| -it).collect();
        all().find(|it| offsets.get(it.idx()).and_then(|it| it.as_ref()) == Some(&wanted))
    };
    let mut undone = vec![0u32; n_directions];
    all()
        .map(|direction| {
            if let Some(found) = by_offset(direction) {
                return Some(found);
            }
            undone.fill(0);
            for from in board.all_sites() {
                let Some(to) = board.step(from, direction) else {
                    continue;
                };
                for back in all() {
                    if board.step(to, back) == Some(from)
                        && let Some(it) = undone.get_mut(back.idx())
                    {
                        *it += 1;
                    }
                }
            }
            let most = undone.iter().copied().max().filter(|&it| it > 0)?;
            undone.iter().position(|&it| it == most).map(|it| Direction(it as u16))
        })
        .collect()
}
