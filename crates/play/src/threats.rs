//! What attacks what: for people who look at a board, not for the rules.

use boardwright_game::{BlockKind, PieceKind, Player, Site};

use crate::{
    attack::Removes,
    fuel::Fuel,
    halt::Halt,
    placement::{EMPTY, cell_kind, cell_of, cell_owner},
    state::State,
    vm::{self, Ctx, Walker},
};

impl State {
    /// The pieces that could take what stands on a site, ascending. On an empty site,
    /// those that could take an enemy there. Turns, priorities and safety aside.
    pub fn attackers(&self, site: Site) -> Result<Vec<Site>, Halt> {
        if site.idx() >= self.placement.n_sites() {
            return Ok(Vec::new());
        }
        let players = &self.rules.ruleset.players;
        let is_active = |it: &Player| players.get(it.idx()).is_some_and(|it| !it.is_neutral);
        let active: Vec<Player> = self.rules.ruleset.all_players().filter(is_active).collect();
        let cell = self.placement.cell(site);
        let mut found = Vec::new();
        let mut fuel = Fuel::full(&self.stop);
        for &attacker in &active {
            if cell != EMPTY {
                if attacker != cell_owner(cell) {
                    found.extend(self.attackers_of(site, attacker, None, &mut fuel)?);
                }
                continue;
            }
            let enemy = active.iter().copied().find(|&it| it != attacker);
            let Some(enemy) = enemy else { continue };
            let stand_in = self.stand_in(enemy);
            found.extend(self.attackers_of(site, attacker, stand_in, &mut fuel)?);
        }
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }

    /// The royal pieces of who is to move that the next player could take, ascending.
    pub fn royals_in_check(&self) -> Result<Vec<Site>, Halt> {
        let rules = &self.rules;
        let Some(turn) = self.turn() else { return Ok(Vec::new()) };
        let next = rules.turn(rules.ruleset.turn_order.next(self.turn));
        let Some(next) = next.filter(|it| it.owner != turn.owner && it.mover != turn.owner) else {
            return Ok(Vec::new());
        };
        let royal = rules.royal.get(turn.owner.idx()).map_or(&[][..], |it| it);
        let mut found = Vec::new();
        let mut fuel = Fuel::full(&self.stop);
        for site in self.placement.owned(turn.owner) {
            let is_royal = royal.contains(&cell_kind(self.placement.cell(site)));
            let attackers = |fuel| self.attackers_of(site, next.owner, None, fuel);
            if is_royal && !attackers(&mut fuel)?.is_empty() {
                found.push(site);
            }
        }
        Ok(found)
    }

    /// A piece to try attacks on: of a kind that the player has, if it has any.
    fn stand_in(&self, player: Player) -> Option<u32> {
        let own = self.placement.owned(player).next();
        let kind = own.map(|it| cell_kind(self.placement.cell(it)));
        let kind = kind.or((self.rules.n_kinds() > 0).then_some(PieceKind(0)))?;
        Some(cell_of(player, kind))
    }

    fn attackers_of(
        &self,
        site: Site,
        attacker: Player,
        stand_in: Option<u32>,
        fuel: &mut Fuel,
    ) -> Result<Vec<Site>, Halt> {
        let mut placement = self.placement.clone();
        // The copy costs time too.
        fuel.burn(placement.n_sites() as u64 / 4);
        fuel.check()?;
        if let Some(cell) = stand_in {
            placement.set(site, cell, self.default_attributes(cell_kind(cell)));
        }
        let own: Vec<Site> = placement.owned(attacker).collect();
        let mut walker = Walker::default();
        let rules = &*self.rules;
        let mut ctx = Ctx {
            rules,
            placement: &mut placement,
            hands: &self.hands,
            last_from: self.last_from,
            last_to: self.last_to,
            owner: attacker,
            prober: None,
            fuel,
        };
        walker.begin_pass(rules);
        let mut found = Vec::new();
        for from in own {
            let kind = cell_kind(ctx.placement.cell(from));
            let targets = [site];
            let mut sink = Removes::new(&targets);
            for block in &rules.ruleset.pieces[kind.idx()].blocks {
                if block.kind == BlockKind::Move && !sink.found {
                    vm::run(&mut ctx, &mut walker, kind, block, from, &mut sink)?;
                }
            }
            if sink.found {
                found.push(from);
            }
        }
        Ok(found)
    }
}
