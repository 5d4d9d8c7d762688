//! `(zone …)` and `(symmetry …)`: what differs by player.

use boardwright_game::{SiteSet, Zone};

use super::{Builder, links::LINK_BYTES};
use crate::{
    errors,
    expand::{Item, ItemKind},
    words::Kw,
};

impl Builder<'_> {
    /// `(zone (name N) (players P…) (positions S…))`
    pub(super) fn zone(&mut self, section: &Item) {
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
                let bytes = n_players * size_of::<SiteSet>() + 100;
                if !self.ctx.is_short(symbol, &name_item, "zone")
                    || !self.ctx.take(bytes, &name_item)
                {
                    return;
                }
                let zone = Zone(self.zones.len() as u16);
                self.zone_names.insert(symbol, zone);
                self.zones.push((symbol, name_item.span, vec![SiteSet::default(); n_players]));
                zone
            }
        };
        let cost = 2 * (set.words().len() as u64 + 1);
        for item in players.unwrap_or_default() {
            if !self.ctx.spend(cost, &item) || !self.ctx.take(8 * cost as usize, &item) {
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

    /// `(symmetry Black (n s) …)`
    pub(super) fn symmetry(&mut self, section: &Item) {
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
            if let (Some(player), Some(from), Some(to)) = (player, from, to)
                && self.ctx.take(LINK_BYTES, &pair)
            {
                self.symmetry.push((player, from, to));
            }
        }
    }
}
