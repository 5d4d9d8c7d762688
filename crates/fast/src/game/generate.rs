//! Legal moves in the fast form: blocks, priorities, filters and the pass.

use boardwright_play::semantics::PassOffer;

use super::*;

impl<const W: usize> FastGame<W> {
    /// Fills the buffers with what the blocks generate, before any filter but priorities.
    pub fn generate_raw(&self, it: &mut FastState<W>, buffers: &mut GenBuffers<W>) {
        buffers.runs.clear();
        let turn = &self.order.turns[it.turn as usize];
        self.look_as(it, turn.owner);
        let keep_double = turn.is_random && !buffers.counts_once;
        if let Some((lane, move_type)) = it.going_on {
            self.generate_going_on(it, lane, move_type, keep_double, buffers);
            return;
        }
        if self.blocks.carries_flags {
            self.generate_in_order(it, turn, keep_double, buffers);
            return;
        }
        let first_made = buffers.arena.len();
        for class in &self.order.plans[it.turn as usize] {
            let GenBuffers { registers, runs, asks, .. } = &mut *buffers;
            self.run_code(it, &class.code, self.layout.all, registers, &mut Out { runs, asks });
            for &(start, walk) in &class.walks {
                self.walk_from(it, turn.owner, start, walk, buffers);
            }
            if !buffers.asks.is_empty() {
                self.consider(it, turn.owner, keep_double, buffers);
            }
            if !buffers.runs.is_empty() {
                break;
            }
        }
        self.collect(it, first_made, keep_double, buffers);
    }

    fn walk_from(
        &self,
        it: &FastState<W>,
        owner: Player,
        start: Start<W>,
        walk: usize,
        buffers: &mut GenBuffers<W>,
    ) {
        let starts = match start {
            Start::Pieces(kind) => it.sets[FRIEND] & it.sets[FIRST_KIND + kind.idx()],
            Start::Drop(kind, lanes) => {
                let held = it.hands[self.hand_slot(owner, kind)] > 0;
                if !held && !self.rules.droppers().contains(&(kind, true)) {
                    return;
                }
                lanes
            }
        };
        for start in starts.iter() {
            self.walk(it, walk, start, buffers);
        }
    }

    /// The code of a kind's move blocks, of one type or of any.
    #[inline]
    pub fn code_of(&self, slot: usize, move_type: Option<MoveType>) -> Option<&BlockCode<W>> {
        self.blocks.code[slot].iter().find(|it| it.0 == move_type).map(|it| &it.1)
    }

    #[inline]
    pub fn run_code(
        &self,
        it: &FastState<W>,
        code: &BlockCode<W>,
        within: Bits<W>,
        registers: &mut [Bits<W>; REGISTERS],
        out: &mut Out<'_, W>,
    ) {
        for script in &code.scripts {
            script.run(it, within, registers, out);
        }
        for &number in &code.aims {
            self.blocks.aims[number as usize].run(it, within, number, out.runs);
        }
    }

    fn generate_going_on(
        &self,
        it: &FastState<W>,
        lane: u16,
        move_type: Option<MoveType>,
        keep_double: bool,
        buffers: &mut GenBuffers<W>,
    ) {
        let first_made = buffers.arena.len();
        buffers.walker.begin_pass();
        let owner = self.owner_of(it);
        let code = it.cells[lane as usize / 64][lane as usize % 64];
        if code == 0 {
            return;
        }
        let (whose, kind, _) = self.pieces.codes.parts(code);
        if whose != u32::from(owner.0) {
            return;
        }
        let slot = self.hand_slot(owner, PieceKind(kind as u16));
        let starts = Bits::only(lane as usize);
        if let Some(code) = self.code_of(slot, move_type) {
            let GenBuffers { registers, runs, asks, .. } = &mut *buffers;
            self.run_code(it, code, starts, registers, &mut Out { runs, asks });
        }
        if !buffers.asks.is_empty() {
            self.consider(it, owner, keep_double, buffers);
        }
        for &(of_type, tier, _) in &self.blocks.going_on[slot] {
            if let Tier::Walk(walk) = tier
                && (move_type.is_none() || of_type == move_type)
            {
                self.walk(it, walk, lane as usize, buffers);
            }
        }
        self.collect(it, first_made, keep_double, buffers);
    }

    /// Takes what the scripts offered, if the hand and the guards allow it.
    fn consider(
        &self,
        it: &FastState<W>,
        owner: Player,
        keep_double: bool,
        buffers: &mut GenBuffers<W>,
    ) {
        let GenBuffers { offered, has_offered, runs, asks, probe, escaped, .. } = buffers;
        for Run { template: id, mut lanes, .. } in asks.drain(..) {
            let shape = &self.blocks.shapes[id as usize];
            if shape.is_escape {
                escaped.extend(self.blocks.templates[id as usize].lazy.map(|it| (it, lanes)));
                continue;
            }
            if shape.is_guarded {
                let template = &self.blocks.templates[id as usize];
                if template.is_drop && !self.has_in_hand(it, owner, template) {
                    continue;
                }
                if self.asks_hand(template) {
                    for lane in lanes.iter() {
                        if !self.hand_allows(it, template, lane) {
                            lanes.toggle(lane);
                        }
                    }
                    if lanes.is_empty() {
                        continue;
                    }
                }
                if !template.guards.is_empty() {
                    lanes = self.safety.guarded(self, it, owner, template, lanes, probe);
                    if lanes.is_empty() {
                        continue;
                    }
                }
            }
            if keep_double {
                runs.push(Run { template: id, from: NONE, lanes });
                continue;
            }
            // Equal moves fall together.
            *has_offered = true;
            let slot = &mut offered[self.blocks.canonical[id as usize] as usize];
            if shape.is_copy {
                // Copies of different pieces can be equal; they keep their own lanes.
                lanes &= !*slot;
                if !lanes.is_empty() {
                    runs.push(Run { template: id, from: NONE, lanes });
                }
            } else if slot.is_empty() {
                runs.push(Run { template: id, from: NONE, lanes: Bits::NONE });
            }
            *slot |= lanes;
        }
        while let Some((walk, lanes)) = buffers.escaped.pop() {
            for start in lanes.iter() {
                self.walk(it, walk as usize, start, buffers);
            }
        }
    }

    /// Moves what was offered into the runs, and leaves the slots empty.
    #[inline(always)]
    fn collect(
        &self,
        it: &FastState<W>,
        first_made: usize,
        keep_double: bool,
        buffers: &mut GenBuffers<W>,
    ) {
        let has_offered = std::mem::take(&mut buffers.has_offered);
        let is_usual =
            !has_offered && !self.blocks.has_doubtful && first_made == buffers.arena.len();
        if !keep_double && !is_usual {
            self.collect_all(it, first_made, buffers);
        }
    }

    #[inline(never)]
    fn collect_all(&self, it: &FastState<W>, first_made: usize, buffers: &mut GenBuffers<W>) {
        let GenBuffers { offered, runs, arena, .. } = buffers;
        for run in runs.iter_mut().filter(|it| it.from == NONE && !is_made(it.template)) {
            let slot = &mut offered[self.blocks.canonical[run.template as usize] as usize];
            let lanes = std::mem::replace(slot, Bits::NONE);
            if !lanes.is_empty() && !self.blocks.shapes[run.template as usize].is_copy {
                run.lanes = lanes;
            }
        }
        let doubtful = |it: &Run<W>| match it.from {
            NONE => !is_made(it.template) && self.blocks.shapes[it.template as usize].is_doubtful,
            _ => self.blocks.aims[it.template as usize].is_doubtful,
        };
        if first_made < arena.len() || self.blocks.has_doubtful && runs.iter().any(doubtful) {
            self.drop_doubles(it, first_made, buffers);
        }
    }

    fn has_in_hand(&self, it: &FastState<W>, owner: Player, template: &Template) -> bool {
        let others = template.movements.len() as u16 - 1;
        let held = |kind| it.hands[self.hand_slot(owner, kind)];
        match template.promote.filter(|&it| it != template.kind) {
            None => held(template.kind) > others,
            Some(kind) => held(kind) > 0 && held(template.kind) >= others,
        }
    }

    /// Whether some moves are of no template.
    pub fn has_walks(&self) -> bool {
        self.blocks.carries_flags
            || self.blocks.templates.iter().any(|it| it.is_escape)
            || self.order.plans.iter().flatten().any(|it| !it.walks.is_empty())
            || self.blocks.going_on.iter().flatten().any(|it| matches!(it.1, Tier::Walk(_)))
    }

    /// Fills the buffers with the legal moves; says whether a pass is legal too.
    pub fn generate(&self, it: &mut FastState<W>, buffers: &mut GenBuffers<W>) -> bool {
        buffers.begin();
        self.generate_next(it, buffers)
    }

    /// The same right after [`FastGame::play`] with these buffers, which may have found them.
    pub fn generate_next(&self, it: &mut FastState<W>, buffers: &mut GenBuffers<W>) -> bool {
        if it.decided.is_some() {
            buffers.runs.clear();
            return false;
        }
        if std::mem::take(&mut buffers.is_ready) {
            self.filter(it, buffers);
        } else {
            buffers.begin();
            self.generate_real(it, buffers);
        }
        let offered = match self.rules.pass_offer(it.going_on.is_some()) {
            PassOffer::Never => false,
            PassOffer::Always => true,
            PassOffer::IfStuck => buffers.runs.is_empty() && self.somebody_can_move(it, buffers),
        };
        let passes = offered && self.safety.is_pass_safe(self, it, &mut buffers.probe);
        buffers.halt = buffers.halt.or(buffers.probe.halt);
        if buffers.halt.is_some() {
            buffers.runs.clear();
            return false;
        }
        passes
    }

    /// Whether anybody has a move in the next round of turns, if all pass till then.
    fn somebody_can_move(&self, it: &FastState<W>, buffers: &mut GenBuffers<W>) -> bool {
        let order = &self.rules.ruleset.turn_order;
        let mut later = it.clone();
        self.set_last(&mut later, NOWHERE, NOWHERE);
        let mut found = false;
        for _ in 0..self.rules.n_turns_of_passes(it.turn as usize) {
            later.turn = order.next(later.turn as usize) as u16;
            self.generate_real(&mut later, buffers);
            found = !buffers.runs.is_empty();
            if found {
                break;
            }
        }
        buffers.runs.clear();
        found
    }

    /// Fills the buffers with the legal moves other than a pass.
    fn generate_real(&self, it: &mut FastState<W>, buffers: &mut GenBuffers<W>) {
        self.generate_raw(it, buffers);
        self.filter(it, buffers);
    }

    /// Leaves out moves that are not legal.
    #[inline]
    fn filter(&self, it: &mut FastState<W>, buffers: &mut GenBuffers<W>) {
        if self.has_filters {
            self.filter_all(it, buffers);
        }
    }

    #[inline(never)]
    fn filter_all(&self, it: &mut FastState<W>, buffers: &mut GenBuffers<W>) {
        let maximal = self.rules.ruleset.options.maximal_captures != MaximalCaptures::No
            && buffers.runs.iter().all(|it| self.is_partial(&buffers.arena, it.template));
        if self.safety.applies(self, it) {
            self.safety.filter(self, it, buffers);
        }
        if maximal {
            self.keep_longest(it, buffers);
        }
    }
}
