//! What lies behind a move: walks for one turn, doubles, and chains of partial moves.

use boardwright_game::{MaximalCaptures, PieceKind, Player, Site};
use boardwright_play::{Effect, Halt, Move, Partial};

use crate::{
    arena::{Arena, MADE, View, is_made},
    bits::Bits,
    game::{FastGame, FastState, GenBuffers, Start, Tier, TurnInfo},
    graph::{Change, Loc},
    lanes::{NONE, Run},
    walks::{self, WalkBuffers, WalkContext, WalkOffer, WalkSink},
};

impl<const W: usize> GenBuffers<W> {
    /// Forgets what an earlier generation left.
    pub fn begin(&mut self) {
        self.arena.clear();
        self.walker.fuel = Halt::TOTAL_FUEL;
        self.probe.begin();
        self.chain_steps = Halt::CHAIN_STEPS;
        self.halt = None;
        self.is_ready = false;
    }
}

/// Puts moves into the arena, within limits.
struct ChainSink<'a, const W: usize> {
    arena: &'a mut Arena,
    runs: &'a mut Vec<Run<W>>,
}

impl<const W: usize> WalkSink<W> for ChainSink<'_, W> {
    fn add(
        &mut self,
        game: &FastGame<W>,
        it: &FastState<W>,
        walker: &mut WalkBuffers<W>,
        offer: &WalkOffer<'_>,
    ) -> Result<bool, Halt> {
        offer.moves(game, it, walker, |view| {
            let (from, to) = view.movements[0];
            let lane = if view.is_drop { to } else { from };
            let template = self.arena.push(view);
            self.runs.push(Run { template, from: NONE, lanes: Bits::only(lane.at(0)) });
            if self.arena.len() > Halt::MOVES || self.arena.n_changes() > Halt::LIST_EFFECTS {
                return Err(Halt::TooManyMoves);
            }
            Ok(true)
        })
    }
}

impl<const W: usize> FastGame<W> {
    /// Runs a walk from one start and keeps what it makes.
    pub(super) fn walk(
        &self,
        it: &FastState<W>,
        walk: usize,
        start: usize,
        buffers: &mut GenBuffers<W>,
    ) {
        if buffers.halt.is_some() {
            return;
        }
        let GenBuffers { arena, runs, walker, probe, halt, .. } = buffers;
        let mut ctx = WalkContext { game: self, it, probe: Some(probe) };
        let mut sink = ChainSink { arena, runs };
        if let Err(why) = walks::run(&mut ctx, walker, walk, start, &mut sink) {
            *halt = Some(why);
        }
    }

    /// Runs every block in the order of the plain machine, for flags that outlive them.
    pub(super) fn generate_in_order(
        &self,
        it: &FastState<W>,
        turn: &TurnInfo,
        keep_double: bool,
        buffers: &mut GenBuffers<W>,
    ) {
        let first_made = buffers.arena.len();
        buffers.walker.begin_pass();
        for lane in self.lanes_in_order(it.sets[self.owner_set(turn.owner)]) {
            let (_, kind, _) = self.pieces.codes.parts(it.cell(lane));
            let slot = self.hand_slot(turn.owner, PieceKind(kind as u16));
            for &(of_type, tier, _) in &self.blocks.going_on[slot] {
                if let Tier::Walk(walk) = tier
                    && (turn.move_type.is_none() || of_type == turn.move_type)
                {
                    self.walk(it, walk, lane, buffers);
                }
            }
        }
        // Drops, in the order of kinds and blocks, which may differ in urgency.
        let plan = &self.order.plans[it.turn as usize];
        let mut drops: Vec<(usize, Bits<W>)> = Vec::new();
        for &(start, walk) in plan.iter().flat_map(|it| &it.walks) {
            if let Start::Drop(kind, lanes) = start {
                let held = it.hands[self.hand_slot(turn.owner, kind)] > 0;
                if held || self.rules.droppers().contains(&(kind, true)) {
                    drops.push((walk, lanes));
                }
            }
        }
        drops.sort_unstable_by_key(|it| it.0);
        for (walk, lanes) in drops {
            for lane in self.lanes_in_order(lanes) {
                self.walk(it, walk, lane, buffers);
            }
        }
        let GenBuffers { runs, arena, .. } = buffers;
        let rank = |it: &Run<W>| self.rules.rank(arena.view(it.template).move_type);
        if let Some(best) = runs.iter().map(rank).min() {
            runs.retain(|it| rank(it) == best);
        }
        if !keep_double {
            self.drop_doubles(it, first_made, buffers);
        }
    }

    /// The lanes of a set in the order of the sites.
    pub(super) fn lanes_in_order(&self, lanes: Bits<W>) -> impl Iterator<Item = usize> + '_ {
        let all = self.layout.lane_of.iter().map(|&it| it as usize);
        all.filter(move |&it| lanes.contains(it))
    }

    /// Leaves out moves of the arena whose text is that of another move.
    pub(super) fn drop_doubles(
        &self,
        it: &FastState<W>,
        first_made: usize,
        buffers: &mut GenBuffers<W>,
    ) {
        let GenBuffers { runs, arena, .. } = buffers;
        let mut seen: rustc_hash::FxHashSet<u64> = rustc_hash::FxHashSet::default();
        let has_made = first_made < arena.len();
        let first = MADE + first_made as u32;
        let is_made = |run: &Run<W>| run.from == NONE && is_made(run.template);
        for run in runs.iter_mut().filter(|it| !is_made(it)) {
            for lane in run.lanes.iter() {
                let (id, start) = self.one_of(run, lane);
                let is_doubtful = self.blocks.shapes[id as usize].is_doubtful;
                if !has_made && !is_doubtful {
                    continue;
                }
                let resolved = self.resolved(it, id, start);
                let template = resolved.as_ref().unwrap_or(&self.blocks.templates[id as usize]);
                let is_new = seen.insert(self.text_key(it, &template.view(), start));
                if !is_new && is_doubtful {
                    run.lanes.toggle(lane);
                }
            }
        }
        // Those of the arena come last, wherever they are in the list.
        runs.retain(|run| {
            if !is_made(run) {
                return !run.lanes.is_empty();
            }
            let mut is_new = || seen.insert(self.text_key(it, &arena.view(run.template), 0));
            run.template < first || is_new()
        });
    }

    /// A key that is equal for moves with equal texts, and hardly ever otherwise; as
    /// `notation::text_key`.
    pub(super) fn text_key(&self, it: &FastState<W>, view: &View<'_>, lane: usize) -> u64 {
        use std::hash::Hasher;
        let rules = &*self.rules;
        let kind_token = |it: PieceKind| rules.kind_tokens()[it.idx()];
        let word = |tag: u64, name: u32, a: usize, b: u32| {
            tag << 56 ^ u64::from(name) << 24 ^ (a as u64) << 12 ^ u64::from(b)
        };
        let owner = self.owner_of(it);
        let new = |who: Player, what: PieceKind, at: usize| {
            word(3, rules.player_tokens()[who.idx()], at, 0) ^ u64::from(kind_token(what)) << 40
        };
        let mut hasher = rustc_hash::FxHasher::default();
        if let Some(next) = view.partial {
            hasher.write_u64(word(1, rules.ruleset.save.move_type_number(next), 0, 0));
        }
        let last = view.movements.len() - 1;
        for (idx, &(from, to)) in view.movements.iter().enumerate() {
            let (from, to) = (from.at(lane), to.at(lane));
            hasher.write_u64(if view.is_drop {
                new(owner, view.promote.filter(|_| idx == last).unwrap_or(view.kind), to)
            } else if view.is_copy && idx == last {
                let kind = self.pieces.codes.parts(it.cell(from).max(1)).1;
                new(owner, PieceKind(kind as u16), to)
            } else if from == to {
                continue;
            } else {
                word(2, 0, from, to as u32)
            });
        }
        for change in view.changes {
            hasher.write_u64(match *change {
                Change::Create { player, kind, at } => {
                    new(Player(player), PieceKind(kind), at.at(lane))
                }
                Change::TurnInto { kind, at } => {
                    word(4, kind_token(PieceKind(kind)), at.at(lane), 0)
                }
                Change::GiveTo { player, at } => {
                    word(4, rules.player_tokens()[player as usize], at.at(lane), 0)
                }
                Change::Flip { at } => word(5, 0, at.at(lane), 0),
                Change::Set { attribute, at, value } => {
                    word(6, attribute.into(), at.at(lane), value.into())
                }
                Change::Capture { at } => word(7, 0, at.at(lane), 0),
            });
        }
        if let Some(kind) = view.promote.filter(|_| !view.is_drop) {
            hasher.write_u64(word(4, kind_token(kind), view.movements[last].1.at(lane), 0));
        }
        hasher.finish()
    }

    /// A move of a template or of the arena.
    pub(super) fn view<'a>(&'a self, arena: &'a Arena, id: u32) -> View<'a> {
        if is_made(id) { arena.view(id) } else { self.blocks.templates[id as usize].view() }
    }

    pub(super) fn is_partial(&self, arena: &Arena, id: u32) -> bool {
        if is_made(id) {
            arena.view(id).partial.is_some()
        } else {
            self.blocks.shapes[id as usize].is_partial
        }
    }

    /// Fills the buffers with the steps that may follow, before any filter, and gives
    /// them; what they need in the arena stays there.
    pub(super) fn continuations(
        &self,
        it: &mut FastState<W>,
        buffers: &mut GenBuffers<W>,
        depth: usize,
    ) -> Vec<Run<W>> {
        let outer = std::mem::take(&mut buffers.runs);
        self.generate_raw(it, buffers);
        let steps = std::mem::replace(&mut buffers.runs, outer);
        let n: usize = steps.iter().map(|it| it.lanes.count() as usize).sum();
        if n > 0 && (buffers.chain_steps < n || depth >= Halt::CHAIN_LENGTH) {
            buffers.halt = buffers.halt.or(Some(Halt::TooManyChains));
        }
        if buffers.halt.is_some() {
            return Vec::new();
        }
        buffers.chain_steps -= n;
        steps
    }

    /// Keeps the moves that begin a longest chain, or of those the most valuable.
    pub(super) fn keep_longest(&self, it: &mut FastState<W>, buffers: &mut GenBuffers<W>) {
        let runs = std::mem::take(&mut buffers.runs);
        if runs.iter().map(|it| it.lanes.count()).sum::<u32>() < 2 {
            buffers.runs = runs;
            return;
        }
        let worth = match self.rules.ruleset.options.maximal_captures {
            MaximalCaptures::MostValuable => self.rules.capture_values(),
            _ => &[],
        };
        let mut best = (0, 0);
        let mut kept: Vec<Run<W>> = Vec::new();
        for run in &runs {
            for (id, lane) in self.each_of(*run) {
                let length = self.longest(it, id, lane, worth, buffers, 0);
                if length > best {
                    best = length;
                    kept.clear();
                }
                if length == best {
                    match kept.last_mut().filter(|it| it.template == run.template) {
                        Some(last) => last.lanes.insert(lane),
                        None => {
                            kept.push(Run { lanes: Bits::only(lane), ..*run });
                        }
                    }
                }
            }
        }
        buffers.runs = kept;
    }

    /// The most steps a chain can have that begins with a move, and the most worth it
    /// takes so.
    fn longest(
        &self,
        it: &FastState<W>,
        template: u32,
        lane: usize,
        worth: &[u64],
        buffers: &mut GenBuffers<W>,
        depth: usize,
    ) -> (usize, u64) {
        let taken = if worth.is_empty() {
            0
        } else {
            self.worth_taken(it, &buffers.arena, template, lane, worth)
        };
        let mut next = it.clone();
        self.do_effects(&mut next, &buffers.arena, template, lane, &mut buffers.finder);
        let mut best = (0, 0);
        if let Some(going_on) = self.opening_of(&next, &buffers.arena, template, lane) {
            next.going_on = Some(going_on);
            let n_made = buffers.arena.len();
            for run in self.continuations(&mut next, buffers, depth) {
                for (id, lane) in self.each_of(run) {
                    let length = self.longest(&next, id, lane, worth, buffers, depth + 1);
                    best = best.max(length);
                }
            }
            buffers.arena.truncate(n_made);
        }
        (best.0 + 1, best.1.saturating_add(taken))
    }

    fn worth_taken(
        &self,
        it: &FastState<W>,
        arena: &Arena,
        id: u32,
        lane: usize,
        worth: &[u64],
    ) -> u64 {
        let resolved = self.resolved(it, id, lane);
        let view = resolved.as_ref().map_or_else(|| self.view(arena, id), |it| it.view());
        let of = |at: usize| match it.cell(at) {
            0 => None,
            code => worth.get(self.pieces.codes.parts(code).1 as usize).copied(),
        };
        let n_walks = view.movements.len() - usize::from(view.is_copy);
        let walks = || view.movements[..n_walks].iter().filter(|_| !view.is_drop);
        let leaves = |at: usize| walks().any(|(from, _)| from.at(lane) == at);
        let captured = view.changes.iter().filter_map(|it| match *it {
            Change::Capture { at } => of(at.at(lane)),
            _ => None,
        });
        let displaced = walks().filter_map(|(from, to)| {
            let (from, to) = (from.at(lane), to.at(lane));
            if from != to && !leaves(to) { of(to) } else { None }
        });
        captured.chain(displaced).fold(0, u64::saturating_add)
    }

    /// The move as the plain machine has it.
    pub fn to_move(&self, it: &FastState<W>, arena: &Arena, id: u32, lane: usize) -> Move {
        let resolved = self.resolved(it, id, lane);
        let view = resolved.as_ref().map_or_else(|| self.view(arena, id), |it| it.view());
        let site = |at: Loc| -> Site { self.layout.site(at.at(lane)) };
        let mut mv = Move { move_type: view.move_type, ..Move::default() };
        let last = view.movements.len() - 1;
        for (idx, &(from, to)) in view.movements.iter().enumerate() {
            let to = site(to);
            mv.effects.push(if view.is_drop {
                let kind = view.promote.filter(|_| idx == last).unwrap_or(view.kind);
                Effect::Drop { kind, to }
            } else if view.is_copy && idx == last {
                Effect::Copy { from: site(from), to }
            } else {
                Effect::Walk { from: site(from), to }
            });
        }
        for change in view.changes {
            mv.effects.push(change.to_effect(site));
        }
        if let Some(kind) = view.promote.filter(|_| !view.is_drop) {
            mv.effects.push(Effect::Promote { kind });
        }
        mv.partial = view.partial.map(|next| Partial { next });
        mv
    }
}
