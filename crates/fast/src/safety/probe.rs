//! Whether some player could remove a piece: attack probes in the fast form.

use super::*;

impl<const W: usize> FastGame<W> {
    /// Whether a move of `attacker` removes what stands on one of `targets`.
    pub fn can_remove(
        &self,
        it: &mut FastState<W>,
        attacker: Player,
        targets: Bits<W>,
        move_type: Option<MoveType>,
        probe: &mut Probe<W>,
    ) -> bool {
        self.look_as(it, attacker);
        let mine = it.sets[self.owner_set(attacker)];
        if self.blocks.carries_flags {
            return self.can_remove_in_order(it, attacker, targets, move_type, probe);
        }
        let n_kinds = self.rules.n_kinds();
        let mut found = false;
        for kind in 0..n_kinds {
            let starts = mine & it.sets[FIRST_KIND + kind];
            if starts.is_empty() {
                continue;
            }
            let slot = attacker.idx() * n_kinds + kind;
            if let Some(code) = self.code_of(slot, move_type) {
                let Probe { registers, runs, asks, .. } = &mut *probe;
                self.run_code(it, code, starts, registers, &mut Out { runs, asks });
                for run in runs.drain(..) {
                    found = found || self.removes(it, run, targets);
                }
                let mut asks = std::mem::take(asks);
                for run in asks.drain(..) {
                    found = found || self.asked_removes(it, &run, targets, probe);
                }
                probe.asks = asks;
                if found {
                    return true;
                }
            }
            for &(of_type, tier, _) in &self.blocks.going_on[slot] {
                if let Tier::Walk(walk) = tier
                    && (move_type.is_none() || of_type == move_type)
                    && starts.iter().any(|start| self.walk_removes(it, walk, start, targets, probe))
                {
                    return true;
                }
            }
        }
        false
    }

    fn asked_removes(
        &self,
        it: &FastState<W>,
        run: &Run<W>,
        targets: Bits<W>,
        probe: &mut Probe<W>,
    ) -> bool {
        let template = &self.blocks.templates[run.template as usize];
        match template.lazy {
            Some(walk) if template.is_escape => run
                .lanes
                .iter()
                .any(|start| self.walk_removes(it, walk as usize, start, targets, probe)),
            _ => self.removes(it, *run, targets),
        }
    }

    /// The same where flags outlive blocks: piece after piece.
    fn can_remove_in_order(
        &self,
        it: &FastState<W>,
        attacker: Player,
        targets: Bits<W>,
        move_type: Option<MoveType>,
        probe: &mut Probe<W>,
    ) -> bool {
        probe.walker.begin_pass();
        self.lanes_in_order(it.sets[self.owner_set(attacker)]).any(|lane| {
            let (_, kind, _) = self.pieces.codes.parts(it.cell(lane));
            let slot = self.hand_slot(attacker, PieceKind(kind as u16));
            self.blocks.going_on[slot].iter().any(|&(of_type, tier, _)| match tier {
                Tier::Walk(walk) if move_type.is_none() || of_type == move_type => {
                    self.walk_removes(it, walk, lane, targets, probe)
                }
                _ => false,
            })
        })
    }

    fn walk_removes(
        &self,
        it: &FastState<W>,
        walk: usize,
        start: usize,
        targets: Bits<W>,
        probe: &mut Probe<W>,
    ) -> bool {
        if probe.halt.is_some() {
            return false;
        }
        let mut sink = RemovalSink { targets, found: false };
        let mut ctx = WalkContext { game: self, it, probe: None };
        if let Err(why) = walks::run(&mut ctx, &mut probe.walker, walk, start, &mut sink) {
            probe.halt = Some(why);
        }
        sink.found
    }

    fn removes(&self, it: &FastState<W>, run: Run<W>, targets: Bits<W>) -> bool {
        self.each_of(run).any(|(id, lane)| {
            let template = &self.blocks.templates[id as usize];
            if template.guards.iter().any(|it| it.wanted) {
                return false;
            }
            let resolved = self.found_again(it, id, lane, false);
            let template = resolved.as_ref().unwrap_or(template);
            if self.asks_hand(template) && !self.hand_allows(it, template, lane) {
                return false;
            }
            let mut walks =
                template.movements.iter().filter(|(from, to)| from.at(lane) != to.at(lane));
            walks.any(|(_, to)| targets.contains(to.at(lane)))
                || template
                    .changes
                    .iter()
                    .any(|it| matches!(it, Change::Capture { at } if targets.contains(at.at(lane))))
        })
    }

    /// `attacked?` or `defended?` for a lane, a stand-in put there if need be.
    #[expect(clippy::too_many_arguments, reason = "all that a question consists of")]
    pub(crate) fn probe(
        &self,
        it: &FastState<W>,
        owner: Player,
        kind: PieceKind,
        lane: usize,
        move_type: Option<MoveType>,
        is_defence: bool,
        probe: &mut Probe<W>,
    ) -> bool {
        let mut copy = it.clone();
        let players = &self.rules.ruleset.players;
        let active = |it: &Player| !players[it.idx()].is_neutral;
        let code = copy.cell(lane);
        let is_mine = code != 0 && self.pieces.codes.parts(code).0 == u32::from(owner.0);
        let target = Bits::only(lane);
        if is_defence {
            if code == 0 || is_mine {
                let enemy = self.rules.ruleset.all_players().filter(active).find(|&it| it != owner);
                self.stand_in(&mut copy, lane, enemy.unwrap_or(owner), kind);
            }
            return self.can_remove(&mut copy, owner, target, move_type, probe);
        }
        if !is_mine {
            self.stand_in(&mut copy, lane, owner, kind);
        }
        let attackers = self.rules.ruleset.all_players().filter(active).filter(|&it| it != owner);
        attackers.into_iter().any(|it| self.can_remove(&mut copy, it, target, move_type, probe))
    }

    fn stand_in(&self, it: &mut FastState<W>, lane: usize, owner: Player, kind: PieceKind) {
        let defaults = self.rules.ruleset.pieces[kind.idx()].default_attributes as u32;
        self.put(it, lane, self.pieces.codes.code(owner.0.into(), kind.0.into(), defaults));
    }
}
