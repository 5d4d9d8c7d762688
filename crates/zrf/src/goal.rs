//! Goals and end conditions.

use boardwright_game::{
    Board, ConfigStep, Direction, EndCondition, Goal, GoalKind, Occupant, PieceKind, Player,
    SiteOrZone, Verdict, Whose,
};

mod cost;

pub(crate) use cost::GoalCosts;

use crate::{
    errors,
    expand::{Expander, Item, ItemKind, Items},
    limits::CompileLimits,
    lookup,
    vocab::Vocab,
    words::Kw,
};

/// Bytes that one goal takes besides its parts.
const GOAL_BYTES: usize = size_of::<Goal>() + 16;

const GOALS: [&str; 12] = [
    "absolute-config",
    "and",
    "captured",
    "checkmated",
    "connected",
    "not",
    "or",
    "pieces-remaining",
    "relative-config",
    "repetition",
    "stalemated",
    "total-piece-count",
];

/// Reads goals for one variant.
pub(crate) struct GoalReader<'a> {
    pub(crate) ctx: &'a mut Expander,
    pub(crate) vocab: &'a Vocab,
    pub(crate) board: &'a Board,
    pub(crate) piece_names: &'a [String],
    pub(crate) player_names: &'a [String],
    pub(crate) limits: &'a CompileLimits,
}

impl GoalReader<'_> {
    /// `(win-condition (White Black) goal)`
    pub(crate) fn end_condition(&mut self, kw: Kw, section: &Item) -> Option<EndCondition> {
        let verdict = match kw {
            Kw::WinCondition => Verdict::Win,
            Kw::LossCondition => Verdict::Loss,
            Kw::DrawCondition => Verdict::Draw,
            _ => Verdict::Count,
        };
        let mut tail = self.ctx.tail(section);
        let Some(first) = tail.next(self.ctx) else {
            let error = errors::missing_argument(section.span, kw.text(), "players and a goal");
            self.ctx.report(section, error);
            return None;
        };
        let second = tail.next(self.ctx);
        let (players, goal) = match second {
            // A lone goal is tested for whoever has just moved.
            None => {
                if verdict != Verdict::Count && !self.mentions_total(&first, 0) {
                    let warning = errors::goal_without_players(section.span, kw.text());
                    self.ctx.report(section, warning);
                }
                (None, first)
            }
            Some(goal) => (Some(self.players(&first)?), goal),
        };
        if let Some(extra) = tail.next(self.ctx) {
            self.ctx.report(&extra, errors::extra_argument(extra.span, kw.text()));
        }
        let goal = self.goal(&goal, 0)?;
        Some(EndCondition { verdict, players, goal, span: section.span })
    }

    /// Whether a goal counts everybody's pieces, and so may do without players.
    fn mentions_total(&mut self, item: &Item, depth: usize) -> bool {
        match self.ctx.head_kw(item) {
            Some(Kw::TotalPieceCount) => true,
            Some(Kw::And | Kw::Or | Kw::Not) if depth < 100 => {
                let mut tail = self.ctx.tail(item);
                while let Some(part) = tail.next(self.ctx) {
                    if self.mentions_total(&part, depth + 1) {
                        return true;
                    }
                }
                false
            }
            _ => false,
        }
    }

    fn players(&mut self, item: &Item) -> Option<Vec<Player>> {
        // `(win-condition White goal)` is clear enough.
        let items = match item.kind {
            ItemKind::Word(_) => vec![*item],
            _ => self.ctx.items(item).rest(self.ctx),
        };
        let mut players = Vec::new();
        for item in items {
            let Some(symbol) = item.word() else {
                self.ctx.report(&item, errors::expected(item.span, "a list of players"));
                return None;
            };
            match self.vocab.player(symbol) {
                Some(player) if players.contains(&player) => {
                    let name = self.ctx.shown(symbol);
                    self.ctx.report(&item, errors::repeated_name(item.span, "player", &name));
                }
                Some(player) => players.push(player),
                None => {
                    let name = self.ctx.shown(symbol);
                    let known = self.ctx.candidates(self.player_names.iter().map(String::as_str));
                    let error = errors::unknown_player(item.span, &name, known);
                    self.ctx.report(&item, error);
                }
            }
        }
        Some(players)
    }

    fn goal(&mut self, item: &Item, depth: usize) -> Option<Goal> {
        if depth >= self.limits.nesting.min(100) {
            let error = errors::nested_too_deeply(item.span, self.limits.nesting.min(100));
            self.ctx.exhaust(item, error);
            return None;
        }
        let head = match item.kind {
            ItemKind::Word(symbol) => symbol,
            ItemKind::List(..) => match self.ctx.head(item) {
                Some(head) => head,
                None => {
                    self.ctx.report(item, errors::expected(item.span, "a goal"));
                    return None;
                }
            },
            _ => {
                self.ctx.report(item, errors::expected(item.span, "a goal"));
                return None;
            }
        };
        let kw = Kw::of(head);
        let top_only =
            matches!(kw, Some(Kw::Stalemated | Kw::Repetition | Kw::Captured | Kw::Checkmated));
        if let Some(kw) = kw.filter(|_| depth > 0 && top_only) {
            self.ctx.report(item, errors::nested_goal(item.span, kw.text()));
        }
        let mut tail = self.ctx.tail(item);
        if !self.ctx.take_for_variant(GOAL_BYTES, item) {
            return None;
        }
        let kind = match kw {
            Some(Kw::Stalemated) => GoalKind::Stalemated,
            Some(Kw::Repetition) => GoalKind::Repetition,
            Some(Kw::Captured) => GoalKind::Captured(self.kinds(item, tail, "captured")),
            Some(Kw::Checkmated) => GoalKind::Checkmated(self.kinds(item, tail, "checkmated")),
            Some(Kw::PiecesRemaining) => {
                let (n, kind) = self.count(item, &mut tail, "pieces-remaining")?;
                GoalKind::PiecesRemaining(n, kind)
            }
            Some(Kw::TotalPieceCount) => {
                let (n, kind) = self.count(item, &mut tail, "total-piece-count")?;
                GoalKind::TotalPieceCount(n, kind)
            }
            Some(Kw::AbsoluteConfig) => self.absolute(item, tail)?,
            Some(Kw::RelativeConfig) => self.relative(item, tail),
            Some(Kw::Connected) => self.connected(item, tail)?,
            Some(Kw::And) => GoalKind::And(self.goals(item, tail, depth)?),
            Some(Kw::Or) => GoalKind::Or(self.goals(item, tail, depth)?),
            Some(Kw::Not) => {
                let goals = self.goals(item, tail, depth)?;
                if let Some(extra) = goals.get(1) {
                    self.ctx.report(item, errors::extra_argument(extra.span, "not"));
                }
                GoalKind::Not(Box::new(goals.into_iter().next()?))
            }
            _ => {
                let name = self.ctx.shown(head);
                self.ctx.report(item, errors::unknown_goal(item.span, &name, GOALS));
                return None;
            }
        };
        Some(Goal { kind, span: item.span })
    }

    fn goals(&mut self, item: &Item, mut tail: Items, depth: usize) -> Option<Vec<Goal>> {
        let mut goals = Vec::new();
        let mut n_given = 0;
        while let Some(part) = tail.next(self.ctx) {
            n_given += 1;
            goals.extend(self.goal(&part, depth + 1));
        }
        if n_given == 0 && !self.ctx.is_broken() {
            let name = self.ctx.head(item).map(|it| self.ctx.text(it).to_owned());
            let name = name.unwrap_or_default();
            self.ctx.report(item, errors::missing_argument(item.span, &name, "a goal"));
        }
        (goals.len() == n_given && n_given > 0).then_some(goals)
    }

    fn kinds(&mut self, item: &Item, mut tail: Items, of: &str) -> Vec<PieceKind> {
        let mut kinds = Vec::new();
        let mut n_given = 0;
        while let Some(name) = tail.next(self.ctx) {
            n_given += 1;
            kinds.extend(self.kind(&name));
        }
        if n_given == 0 && !self.ctx.is_broken() {
            self.ctx.report(item, errors::missing_argument(item.span, of, "a piece"));
        }
        kinds
    }

    fn kind(&mut self, item: &Item) -> Option<PieceKind> {
        lookup::piece_kind(self.ctx, self.vocab, self.piece_names, item)
    }

    fn count(
        &mut self,
        item: &Item,
        tail: &mut Items,
        of: &str,
    ) -> Option<(u32, Option<PieceKind>)> {
        let Some(number) = tail.next(self.ctx) else {
            self.ctx.report(item, errors::missing_argument(item.span, of, "a number"));
            return None;
        };
        let n = match self.ctx.count(&number) {
            Some(Ok(n)) => n,
            other => {
                let error = other.and_then(Result::err);
                let error = error.unwrap_or_else(|| errors::not_a_count(number.span, of));
                self.ctx.report(&number, error);
                return None;
            }
        };
        let kind = match tail.next(self.ctx) {
            Some(name) => Some(self.kind(&name)?),
            None => None,
        };
        if let Some(extra) = tail.next(self.ctx) {
            self.ctx.report(&extra, errors::extra_argument(extra.span, of));
        }
        Some((n, kind))
    }

    /// `(absolute-config occupant… (place…))`. Published files also write a place
    /// without its parentheses.
    fn absolute(&mut self, item: &Item, tail: Items) -> Option<GoalKind> {
        let mut parts = tail.rest(self.ctx);
        let last = parts.pop();
        let is_place_list = |this: &mut Self, it: &Item| {
            let head = this.ctx.head_kw(it);
            let is_test = matches!(head, Some(Kw::Not | Kw::Opponent | Kw::AnyOwner));
            let word = it.word();
            let is_place = word.is_some_and(|it| {
                this.vocab.site(it).is_some()
                    || this.vocab.zone(it).is_some()
                    || this.vocab.is_killed(it)
            });
            (it.is_list() && !is_test) || is_place
        };
        let Some(last) = last.filter(|it| is_place_list(self, it)) else {
            let what = "a list of positions and zones";
            self.ctx.report(item, errors::missing_argument(item.span, "absolute-config", what));
            return None;
        };
        // A place among the pieces: the parentheses around the places are missing.
        let is_place = |it: &&Item| {
            it.word().is_some_and(|it| {
                let known = self.vocab.site(it).is_some() || self.vocab.zone(it).is_some();
                known && self.vocab.piece(it).is_none()
            })
        };
        if let Some(first) = parts.iter().find(is_place).copied() {
            let same_list = !last.is_list() && first.trace == last.trace;
            let span = if same_list { first.span.to(last.span) } else { first.span };
            let error = errors::places_without_parentheses(span, "absolute-config");
            self.ctx.report(&first, error);
            return None;
        }
        let occupants: Vec<_> = parts.iter().filter_map(|it| self.occupant(it)).collect();
        if parts.is_empty() {
            let error = errors::missing_argument(item.span, "absolute-config", "a piece");
            self.ctx.report(item, error);
        }
        Some(GoalKind::AbsoluteConfig(occupants, self.places(&last)))
    }

    /// `(connected Stone … (place place))`, which no Zillions knows.
    fn connected(&mut self, item: &Item, tail: Items) -> Option<GoalKind> {
        self.ctx.report(item, errors::goal_of_our_own(item.span, "connected"));
        let mut parts = tail.rest(self.ctx);
        let Some(last) = parts.pop().filter(Item::is_list) else {
            let what = "two positions or zones in parentheses";
            self.ctx.report(item, errors::missing_argument(item.span, "connected", what));
            return None;
        };
        let kinds: Vec<_> = parts.iter().filter_map(|it| self.kind(it)).collect();
        let n_given = self.ctx.items(&last).rest(self.ctx).len();
        let places = self.places(&last);
        if n_given != 2 {
            self.ctx.report(&last, errors::not_two_places(last.span, "connected", n_given));
            return None;
        }
        let ends = places.try_into().ok()?;
        // Without the kinds that are unknown it would mean something else.
        (kinds.len() == parts.len()).then_some(GoalKind::Connected(kinds, ends))
    }

    /// The positions and zones of a list, or the one that stands alone.
    fn places(&mut self, list: &Item) -> Vec<SiteOrZone> {
        let names = if list.is_list() { self.ctx.items(list).rest(self.ctx) } else { vec![*list] };
        let mut places = Vec::new();
        for name in names {
            let Some(symbol) = name.word() else {
                self.ctx.report(&name, errors::expected(name.span, "a position or a zone"));
                continue;
            };
            if let Some(site) = self.vocab.site(symbol) {
                places.push(SiteOrZone::Site(site));
            } else if let Some(zone) = self.vocab.zone(symbol) {
                places.push(SiteOrZone::Zone(zone));
            } else {
                let text = self.ctx.shown(symbol);
                if self.vocab.is_killed(symbol) {
                    self.ctx.report(&name, errors::killed_site(name.span, &text));
                    continue;
                }
                let sites = self.board.sites.iter().map(|it| it.name.as_str());
                let zones = self.board.zones.iter().map(|it| it.name.as_str());
                let known = self.ctx.candidates(zones.chain(sites));
                let error = errors::unknown_site_or_zone(name.span, &text, known);
                self.ctx.report(&name, error);
            }
        }
        places
    }

    /// `King`, `(opponent King)`, `(any-owner King)`, `(not …)`
    fn occupant(&mut self, item: &Item) -> Option<Occupant> {
        let simple = |whose, kind| Occupant { whose, kind: Some(kind), negated: false };
        if !item.is_list() {
            return Some(simple(Whose::Mine, self.kind(item)?));
        }
        let head = self.ctx.head_kw(item);
        let mut tail = self.ctx.tail(item);
        let Some(inner) = tail.next(self.ctx) else {
            self.ctx.report(item, errors::expected(item.span, "a piece"));
            return None;
        };
        match head {
            Some(Kw::Opponent) => Some(simple(Whose::Opponent, self.kind(&inner)?)),
            Some(Kw::AnyOwner) => Some(simple(Whose::Anyone, self.kind(&inner)?)),
            Some(Kw::Not) => {
                // One `not` is the grammar; a second would only undo the first.
                let is_not = self.ctx.head_kw(&inner) == Some(Kw::Not);
                if is_not {
                    self.ctx.report(
                        &inner,
                        errors::expected(inner.span, "a piece, not a second `not`,"),
                    );
                    return None;
                }
                let found = self.occupant(&inner)?;
                Some(Occupant { negated: true, ..found })
            }
            _ => {
                let what = "a piece, `(opponent …)`, `(any-owner …)` or `(not …)`";
                self.ctx.report(item, errors::expected(item.span, what));
                None
            }
        }
    }

    /// `(opposite n)`
    fn opposite(&mut self, item: &Item) -> Option<Direction> {
        let found = self.ctx.tail(item).next(self.ctx);
        let Some((at, symbol)) = found.and_then(|it| it.word().map(|symbol| (it, symbol))) else {
            let error = errors::missing_argument(item.span, "opposite", "a direction");
            self.ctx.report(item, error);
            return None;
        };
        let direction = self.vocab.direction(symbol);
        if direction.is_none() {
            let name = self.ctx.shown(symbol);
            let known = self.board.directions.iter().map(|it| it.name.as_str());
            let known = self.ctx.candidates(known);
            self.ctx.report(&at, errors::unknown_direction(at.span, &name, known));
        }
        direction
    }

    /// `(relative-config Man n Man n Man)`
    fn relative(&mut self, item: &Item, mut tail: Items) -> GoalKind {
        let mut steps = Vec::new();
        let mut n_given = 0;
        while let Some(step) = tail.next(self.ctx) {
            n_given += 1;
            if !self.ctx.take_for_variant(size_of::<ConfigStep>(), &step) {
                break;
            }
            if let Some(symbol) = step.word() {
                // A word that is both is a piece where a piece can stand: first, and after a step.
                let walks = !matches!(steps.last(), None | Some(ConfigStep::Step(_)));
                let piece = self.vocab.piece(symbol);
                let direction = self.vocab.direction(symbol);
                match (piece, direction) {
                    (Some(_), Some(direction)) if walks => steps.push(ConfigStep::Step(direction)),
                    (None, Some(direction)) => steps.push(ConfigStep::Step(direction)),
                    (Some(_), _) => steps.extend(self.occupant(&step).map(ConfigStep::Occupant)),
                    (None, None) => {
                        let name = self.ctx.shown(symbol);
                        let directions = self.board.directions.iter().map(|it| it.name.as_str());
                        let pieces = self.piece_names.iter().map(String::as_str);
                        let known = self.ctx.candidates(pieces.chain(directions));
                        let error = errors::unknown_config_step(step.span, &name, known);
                        self.ctx.report(&step, error);
                    }
                }
                continue;
            }
            if self.ctx.head_kw(&step) == Some(Kw::Opposite) {
                steps.extend(self.opposite(&step).map(ConfigStep::Back));
                continue;
            }
            steps.extend(self.occupant(&step).map(ConfigStep::Occupant));
        }
        if n_given == 0 && !self.ctx.is_broken() {
            let what = "pieces and directions";
            self.ctx.report(item, errors::missing_argument(item.span, "relative-config", what));
        }
        GoalKind::RelativeConfig(steps)
    }
}
