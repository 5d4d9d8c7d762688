//! A ruleset in its fast form, and the states it runs.

use std::sync::Arc;

use boardwright_game::{
    BlockKind, DropStart, MaximalCaptures, MoveType, PassTurn, PieceKind, Player, Site,
};
use rustc_hash::FxHashMap;

use super::{
    Refusal,
    bits::Bits,
    goals::Goals,
    graph::{Builder, Graph, Loc, Node, Template},
    lanes::{
        EMPTY, ENEMY, FIRST_KIND, FRIEND, LAST_FROM, LAST_TO, Lanes, MAX_SETS, NEAR_ENEMY, NEUTRAL,
        Offer, REGISTERS, Run,
    },
    layout::{Codes, Layout},
    safety::Safety,
};
use crate::{
    mv::{Effect, Move, Partial},
    outcome::Outcome,
    random::SplitMix64,
    rules::{NOWHERE, Rules},
    state::State,
};

/// Hands kept in a state; more are refused.
pub(crate) const MAX_HANDS: usize = 64;

/// The whole situation, as sets and codes.
#[derive(Clone, Debug)]
pub(crate) struct Situation<const W: usize> {
    pub sets: [Bits<W>; MAX_SETS],
    pub cells: [[u16; 64]; W],
    pub hands: [u16; MAX_HANDS],
    pub hash: u64,
    pub turn: u16,
    pub last_from: u16,
    pub last_to: u16,
    pub going_on: Option<(u16, Option<MoveType>)>,
    /// Where in the history repetition begins: nothing earlier can come back.
    pub since: u32,
    /// Whether no turn was completed yet, so that goals may hold from the start.
    pub is_fresh: bool,
    /// The one piece that the turn brought to a lane, if that is all it brought.
    pub gain: Option<(Player, u16)>,
    /// `owner * n_kinds + kind` of what the turn removed, as bits.
    pub taken: u64,
    pub decided: Option<Outcome>,
}

/// Where a block of a plan is tried.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Start<const W: usize> {
    /// On every piece of the kind.
    Pieces(PieceKind),
    /// On these lanes, if the hand holds the kind.
    Drop(PieceKind, Bits<W>),
}

/// The blocks of a turn, by urgency.
pub(crate) type Plan<const W: usize> = Vec<Vec<(Start<W>, usize)>>;

#[derive(Debug)]
pub(crate) struct Game<const W: usize> {
    pub rules: Arc<Rules>,
    pub layout: Layout<W>,
    pub codes: Codes,
    /// By code: the sets it is in, as bits.
    pub sets_of: Vec<u64>,
    pub first_attribute: usize,
    pub first_owner: usize,
    pub templates: Vec<Template>,
    /// By template: the first that gives the same moves.
    pub canonical: Vec<u32>,
    pub lanes: Vec<Lanes<W>>,
    /// By turn.
    pub plans: Vec<Plan<W>>,
    /// By owner and kind: the move blocks with their types.
    pub going_on: Vec<Vec<(Option<MoveType>, usize)>>,
    pub goals: Goals<W>,
    pub safety: Safety<W>,
    pub uses_near_enemy: bool,
    has_neutrals: bool,
    /// By template: what the hot paths need of it.
    pub shapes: Vec<Shape>,
    /// By owner and kind: the code of a new piece.
    pub new_codes: Vec<u16>,
    /// How many turns it takes until the same one comes round.
    pub cycle: usize,
    /// Random numbers for the hash.
    lane_keys: Vec<u64>,
    code_keys: Vec<u64>,
}

/// The common shapes of moves, without looking at the whole template.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    pub way: Way,
    /// Whether offering it takes a look at hands or guards.
    pub is_guarded: bool,
    pub is_copy: bool,
    pub is_partial: bool,
    /// Whether it brings one piece to one lane and no other.
    pub has_gain: bool,
    pub has_changes: bool,
    pub from: i16,
    pub to: i16,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Way {
    /// One piece walks by distances.
    Walk,
    /// One piece drops, of the template's own kind.
    Drop,
    Other,
}

impl Shape {
    fn of(template: &Template, rules: &Rules) -> Shape {
        use super::graph::Change;
        // What is dropped is in the hand, or the block would not run.
        let is_plain_drop = template.movements.len() == 1
            && template.promote.is_none_or(|it| it == template.kind)
            && !rules.droppers.contains(&(template.kind, true));
        let (from, to) = template.movements[0];
        let is_single =
            template.movements.len() == 1 && template.lazy.is_none() && !template.is_copy;
        let (way, from, to) = match (from, to) {
            (Loc::Rel(from), Loc::Rel(to)) if is_single && !template.is_drop && from != to => {
                (Way::Walk, from, to)
            }
            (_, Loc::Rel(to)) if is_single && template.is_drop && template.promote.is_none() => {
                (Way::Drop, 0, to)
            }
            _ => (Way::Other, 0, 0),
        };
        let harmless = |it: &Change| matches!(it, Change::Set { .. } | Change::Capture { .. });
        Shape {
            way,
            is_guarded: (template.is_drop && !is_plain_drop) || !template.guards.is_empty(),
            is_copy: template.is_copy,
            is_partial: template.partial.is_some(),
            has_gain: way != Way::Other && template.changes.iter().all(harmless),
            has_changes: !template.changes.is_empty() || template.promote.is_some(),
            from,
            to,
        }
    }
}

/// Buffers that generation reuses.
#[derive(Debug)]
pub(crate) struct Buffers<const W: usize> {
    pub registers: Box<[Bits<W>; REGISTERS]>,
    /// By template: the lanes offered so far; empty between generations.
    pub offered: Vec<Bits<W>>,
    pub runs: Vec<Run<W>>,
    /// Whether a chance player's equal moves count once, as in a list for people.
    pub counts_once: bool,
}

impl<const W: usize> Game<W> {
    pub fn new(rules: &Arc<Rules>, lane_of: Vec<u16>) -> Result<Game<W>, Refusal> {
        let ruleset = &rules.ruleset;
        if !rules.is_playable {
            return Err(Refusal::NoGame);
        }
        let options = &ruleset.options;
        if options.recycle_promotions || options.maximal_captures == MaximalCaptures::MostValuable {
            return Err(Refusal::Options);
        }
        let (n_players, n_kinds) = (rules.n_players(), rules.n_kinds());
        let n_attributes = ruleset.attributes.len();
        let first_attribute = FIRST_KIND + n_kinds;
        let first_owner = first_attribute + n_attributes;
        if first_owner + n_players > MAX_SETS || n_players * n_kinds > MAX_HANDS {
            return Err(Refusal::ManyKinds);
        }
        let codes = Codes::new(n_players, n_kinds, n_attributes).ok_or(Refusal::ManyKinds)?;
        let layout = Layout::new(rules, lane_of);
        let mut random = SplitMix64::new(0x5EED);
        let lane_keys = (0..64 * W).map(|_| random.next_u64() | 1).collect();
        let mut code_keys: Vec<u64> = (0..codes.n_codes).map(|_| random.next_u64()).collect();
        code_keys[0] = 0;
        let sets_of = (0..codes.n_codes as u16)
            .map(|code| {
                if code == 0 {
                    return 1 << EMPTY;
                }
                let (owner, kind, attributes) = codes.parts(code);
                1 << (FIRST_KIND + kind as usize)
                    | 1 << (first_owner + owner as usize)
                    | u64::from(attributes) << first_attribute
            })
            .collect();
        let goals = Goals::new(rules, &layout)?;
        let mut game = Game {
            rules: Arc::clone(rules),
            codes,
            sets_of,
            first_attribute,
            first_owner,
            templates: Vec::new(),
            canonical: Vec::new(),
            lanes: Vec::new(),
            plans: Vec::new(),
            going_on: vec![Vec::new(); n_players * n_kinds],
            goals,
            safety: Safety::default(),
            uses_near_enemy: false,
            has_neutrals: ruleset.players.iter().any(|it| it.is_neutral),
            shapes: Vec::new(),
            new_codes: Vec::new(),
            cycle: (ruleset.turn_order.turns.len() - ruleset.turn_order.repeat).max(1),
            lane_keys,
            code_keys,
            layout,
        };
        game.compile()?;
        Ok(game)
    }

    fn compile(&mut self) -> Result<(), Refusal> {
        let rules = Arc::clone(&self.rules);
        let ruleset = &rules.ruleset;
        let mut ids: FxHashMap<Template, u32> = FxHashMap::default();
        // `(owner, kind, block)` to lanes; graphs are kept for the attack index.
        let mut compiled: FxHashMap<(u8, u16, usize), usize> = FxHashMap::default();
        let mut graphs: Vec<(Player, PieceKind, usize, Graph<W>)> = Vec::new();
        let mut owners: Vec<Player> = ruleset.turn_order.turns.iter().map(|it| it.owner).collect();
        owners.sort_unstable();
        owners.dedup();
        for &owner in &owners {
            for kind in (0..ruleset.pieces.len() as u16).map(PieceKind) {
                for idx in 0..ruleset.pieces[kind.idx()].blocks.len() {
                    let builder = Builder::new(&rules, &self.layout, owner, kind, idx);
                    let graph = match builder.build() {
                        Err(Refusal::TooManyNodes) => {
                            let mut builder = Builder::new(&rules, &self.layout, owner, kind, idx);
                            builder.lazy = true;
                            builder.budget = 8000;
                            let graph = builder.build()?;
                            if !emits_once(&graph) {
                                return Err(Refusal::TooManyNodes);
                            }
                            graph
                        }
                        other => other?,
                    };
                    let templates = &mut self.templates;
                    let lanes =
                        Lanes::new(&graph, self.layout.all, self.first_attribute, |template| {
                            *ids.entry(template.clone()).or_insert_with(|| {
                                templates.push(template);
                                templates.len() as u32 - 1
                            })
                        });
                    let lanes = lanes.ok_or(Refusal::TooManyNodes)?;
                    self.uses_near_enemy |= lanes.uses_near_enemy;
                    compiled.insert((owner.0, kind.0, idx), self.lanes.len());
                    self.lanes.push(lanes);
                    graphs.push((owner, kind, idx, graph));
                }
            }
        }
        self.find_alike();
        self.plan(&compiled);
        self.shapes = self.templates.iter().map(|it| Shape::of(it, &rules)).collect();
        self.find_direct(&compiled);
        for owner in ruleset.all_players() {
            for kind in (0..ruleset.pieces.len() as u16).map(PieceKind) {
                let defaults = ruleset.pieces[kind.idx()].default_attributes as u32;
                let code = self.codes.code(owner.0.into(), kind.0.into(), defaults);
                self.new_codes.push(code);
            }
        }
        self.safety = Safety::new(self, &graphs)?;
        Ok(())
    }

    /// Templates that look alike but for their type and guards give equal moves.
    fn find_alike(&mut self) {
        let mut alike: FxHashMap<Template, u32> = FxHashMap::default();
        for (idx, template) in self.templates.iter().enumerate() {
            let mut key = template.clone();
            key.guards.clear();
            key.move_type = None;
            if let Some(last) = key.movements.last_mut().filter(|_| template.is_copy) {
                // What is copied is not written down.
                last.0 = last.1;
            }
            self.canonical.push(*alike.entry(key).or_insert(idx as u32));
        }
    }

    /// An offer goes straight to the list if no other of its owner's can give an equal move.
    fn find_direct(&mut self, compiled: &FxHashMap<(u8, u16, usize), usize>) {
        for owner in 0..self.rules.n_players() as u8 {
            let blocks = || compiled.iter().filter(|(key, _)| key.0 == owner).map(|(_, &it)| it);
            let mut times: FxHashMap<u32, u32> = FxHashMap::default();
            for offer in blocks().flat_map(|it| self.lanes[it].offers()) {
                *times.entry(self.canonical[offer.template as usize]).or_default() += 1;
            }
            for block in blocks() {
                self.lanes[block].set_direct(|template| {
                    let shape = &self.shapes[template as usize];
                    let alone = times[&self.canonical[template as usize]] == 1;
                    alone && !shape.is_guarded && !shape.is_copy
                });
            }
        }
    }

    fn plan(&mut self, compiled: &FxHashMap<(u8, u16, usize), usize>) {
        let rules = Arc::clone(&self.rules);
        let ruleset = &rules.ruleset;
        let n_kinds = rules.n_kinds();
        for turn in &ruleset.turn_order.turns {
            let mut plan: Plan<W> = vec![Vec::new(); ruleset.priorities.len() + 1];
            for kind in (0..n_kinds as u16).map(PieceKind) {
                for (idx, block) in ruleset.pieces[kind.idx()].blocks.iter().enumerate() {
                    let fits = turn.move_type.is_none() || block.move_type == turn.move_type;
                    let Some(&lanes) = compiled.get(&(turn.owner.0, kind.0, idx)) else { continue };
                    if !fits {
                        continue;
                    }
                    let start = match (block.kind, block.start) {
                        (BlockKind::Move, _) => Start::Pieces(kind),
                        (BlockKind::Drop, DropStart::Anywhere) => {
                            Start::Drop(kind, self.layout.all)
                        }
                        (BlockKind::Drop, DropStart::Site(site)) => {
                            Start::Drop(kind, Bits::only(self.layout.lane(site)))
                        }
                        (BlockKind::Drop, DropStart::Zone(zone)) => {
                            let sites = ruleset.board.zone_sites(zone, turn.owner);
                            let mut lanes = Bits::NONE;
                            for site in sites.into_iter().flat_map(|it| it.iter()) {
                                lanes.insert(self.layout.lane(site));
                            }
                            Start::Drop(kind, lanes)
                        }
                    };
                    plan[rules.rank(block.move_type)].push((start, lanes));
                }
            }
            plan.retain(|it| !it.is_empty());
            self.plans.push(plan);
        }
        for (&(owner, kind, idx), &lanes) in compiled {
            let block = &ruleset.pieces[kind as usize].blocks[idx];
            if block.kind == BlockKind::Move {
                self.going_on[owner as usize * n_kinds + kind as usize]
                    .push((block.move_type, lanes));
            }
        }
        for list in &mut self.going_on {
            list.sort_unstable_by_key(|it| it.1);
        }
    }

    pub fn n_ops(&self) -> usize {
        self.lanes.iter().map(Lanes::n_ops).sum()
    }

    pub fn buffers(&self) -> Buffers<W> {
        Buffers {
            registers: Box::new([Bits::NONE; REGISTERS]),
            offered: vec![Bits::NONE; self.templates.len()],
            runs: Vec::with_capacity(256),
            counts_once: false,
        }
    }

    #[inline]
    pub fn owner_set(&self, owner: Player) -> usize {
        self.first_owner + owner.idx()
    }

    #[inline]
    pub fn hand_slot(&self, owner: Player, kind: PieceKind) -> usize {
        owner.idx() * self.rules.n_kinds() + kind.idx()
    }

    #[inline]
    pub fn hash_of(&self, lane: usize, code: u16) -> u64 {
        self.code_keys[code as usize].wrapping_mul(self.lane_keys[lane])
    }

    /// The same situation as a plain state's.
    pub fn situation_of(&self, state: &State) -> Situation<W> {
        let mut it = Situation {
            sets: [Bits::NONE; MAX_SETS],
            cells: [[0; 64]; W],
            hands: [0; MAX_HANDS],
            hash: 0,
            turn: state.turn_idx() as u16,
            last_from: NOWHERE,
            last_to: NOWHERE,
            going_on: state.going_on().map(|it| (self.layout.lane(it.site) as u16, it.move_type)),
            since: 0,
            is_fresh: true,
            gain: None,
            taken: 0,
            decided: state.decided(),
        };
        it.sets[EMPTY] = self.layout.all;
        for (site, piece) in state.placement().pieces() {
            let attributes =
                piece.attributes as u32 & ((1 << self.rules.ruleset.attributes.len()) - 1);
            let code = self.codes.code(piece.owner.0.into(), piece.kind.0.into(), attributes);
            self.put(&mut it, self.layout.lane(site), code);
        }
        for (slot, &count) in state.hands.iter().enumerate() {
            it.hands[slot] = count.min(u32::from(u16::MAX)) as u16;
        }
        for &(owner, kind) in state.taken() {
            it.taken |= 1 << self.hand_slot(owner, kind);
        }
        let lane = |site: Option<Site>| site.map_or(NOWHERE, |it| self.layout.lane(it) as u16);
        self.set_last(&mut it, lane(state.last_from()), lane(state.last_to()));
        it
    }

    #[inline]
    pub fn set_last(&self, it: &mut Situation<W>, from: u16, to: u16) {
        it.last_from = from;
        it.last_to = to;
        if self.rules.uses_last {
            let one = |lane: u16| {
                if lane == NOWHERE { Bits::NONE } else { Bits::only(lane as usize) }
            };
            it.sets[LAST_FROM] = one(from);
            it.sets[LAST_TO] = one(to);
        }
    }

    /// Fills the sets that depend on whose pieces move.
    #[inline]
    pub fn look_as(&self, it: &mut Situation<W>, owner: Player) {
        let friends = it.sets[self.owner_set(owner)];
        it.sets[FRIEND] = friends;
        let others = self.layout.all & !it.sets[EMPTY] & !friends;
        it.sets[ENEMY] = others;
        if self.uses_near_enemy {
            it.sets[NEAR_ENEMY] = self.near(others);
        }
        if !self.has_neutrals {
            return;
        }
        it.sets[NEUTRAL] = Bits::NONE;
        for (idx, player) in self.rules.ruleset.players.iter().enumerate() {
            if player.is_neutral {
                let theirs = it.sets[self.first_owner + idx];
                it.sets[NEUTRAL] |= theirs;
            }
        }
    }

    /// The lanes with a link to one of a set.
    fn near(&self, set: Bits<W>) -> Bits<W> {
        let mut out = Bits::NONE;
        for stride in self.layout.all_strides() {
            let by = stride.delta.rem_euclid(64 * W as i32) as u16;
            out |= set.ahead(by) & stride.lanes;
        }
        out
    }

    /// Fills the buffers with what the blocks generate, before any filter but priorities.
    pub fn generate_raw(&self, it: &mut Situation<W>, buffers: &mut Buffers<W>) {
        buffers.runs.clear();
        let turn = &self.rules.ruleset.turn_order.turns[it.turn as usize];
        self.look_as(it, turn.owner);
        let is_random = self.rules.ruleset.players[turn.mover.idx()].is_random;
        let keep_double = is_random && !buffers.counts_once;
        if let Some((lane, move_type)) = it.going_on {
            self.generate_going_on(it, lane, move_type, keep_double, buffers);
            return;
        }
        let Buffers { registers, offered, runs, .. } = buffers;
        let mine = it.sets[FRIEND];
        for class in &self.plans[it.turn as usize] {
            for &(start, lanes) in class {
                let (starts, held) = match start {
                    Start::Pieces(kind) => (mine & it.sets[FIRST_KIND + kind.idx()], true),
                    Start::Drop(kind, lanes) => {
                        (lanes, it.hands[self.hand_slot(turn.owner, kind)] > 0)
                    }
                };
                if !held && !self.drops_others(start) {
                    continue;
                }
                let owner = turn.owner;
                self.lanes[lanes].run(starts, &it.sets, registers, |offer, lanes| {
                    self.offer(it, owner, offer, lanes, keep_double, offered, runs);
                });
            }
            if !runs.is_empty() {
                break;
            }
        }
        self.collect(keep_double, offered, runs);
    }

    fn drops_others(&self, start: Start<W>) -> bool {
        match start {
            Start::Pieces(_) => true,
            Start::Drop(kind, _) => self.rules.droppers.contains(&(kind, true)),
        }
    }

    fn generate_going_on(
        &self,
        it: &Situation<W>,
        lane: u16,
        move_type: Option<MoveType>,
        keep_double: bool,
        buffers: &mut Buffers<W>,
    ) {
        let Buffers { registers, offered, runs, .. } = buffers;
        let owner = self.rules.ruleset.turn_order.turns[it.turn as usize].owner;
        let code = it.cells[lane as usize / 64][lane as usize % 64];
        if code == 0 {
            return;
        }
        let (whose, kind, _) = self.codes.parts(code);
        if whose != u32::from(owner.0) {
            return;
        }
        let starts = Bits::only(lane as usize);
        for &(of_type, lanes) in &self.going_on[self.hand_slot(owner, PieceKind(kind as u16))] {
            if move_type.is_none() || of_type == move_type {
                self.lanes[lanes].run(starts, &it.sets, registers, |offer, lanes| {
                    self.offer(it, owner, offer, lanes, keep_double, offered, runs);
                });
            }
        }
        self.collect(keep_double, offered, runs);
    }

    /// Takes what a block emits, if the hand and the guards allow it.
    #[inline]
    #[expect(clippy::too_many_arguments, reason = "the innermost step of generation")]
    fn offer(
        &self,
        it: &Situation<W>,
        owner: Player,
        offer: &Offer,
        mut lanes: Bits<W>,
        keep_double: bool,
        offered: &mut [Bits<W>],
        runs: &mut Vec<Run<W>>,
    ) {
        let id = offer.template;
        if offer.is_direct {
            runs.push(Run { template: id, lanes });
            return;
        }
        let shape = &self.shapes[id as usize];
        if shape.is_guarded {
            let template = &self.templates[id as usize];
            if template.is_drop && !self.has_in_hand(it, owner, template) {
                return;
            }
            if !template.guards.is_empty() {
                lanes = self.safety.guarded(self, it, owner, template, lanes);
                if lanes.is_empty() {
                    return;
                }
            }
        }
        if keep_double {
            runs.push(Run { template: id, lanes });
            return;
        }
        // Equal moves fall together.
        let slot = &mut offered[self.canonical[id as usize] as usize];
        if shape.is_copy {
            // Copies of different pieces can be equal; they keep their own lanes.
            lanes &= !*slot;
            if !lanes.is_empty() {
                runs.push(Run { template: id, lanes });
            }
        } else if slot.is_empty() {
            runs.push(Run { template: id, lanes: Bits::NONE });
        }
        *slot |= lanes;
    }

    /// Moves what was offered into the runs, and leaves the slots empty.
    #[inline]
    fn collect(&self, keep_double: bool, offered: &mut [Bits<W>], runs: &mut [Run<W>]) {
        if !keep_double {
            for run in runs {
                let slot = &mut offered[self.canonical[run.template as usize] as usize];
                let lanes = std::mem::replace(slot, Bits::NONE);
                if !lanes.is_empty() && !self.shapes[run.template as usize].is_copy {
                    run.lanes = lanes;
                }
            }
        }
    }

    fn has_in_hand(&self, it: &Situation<W>, owner: Player, template: &Template) -> bool {
        let others = template.movements.len() as u16 - 1;
        let held = |kind| it.hands[self.hand_slot(owner, kind)];
        match template.promote.filter(|&it| it != template.kind) {
            None => held(template.kind) > others,
            Some(kind) => held(kind) > 0 && held(template.kind) >= others,
        }
    }

    /// Fills the buffers with the legal moves; says whether a pass is legal too.
    pub fn generate(&self, it: &mut Situation<W>, buffers: &mut Buffers<W>) -> bool {
        if it.decided.is_some() {
            buffers.runs.clear();
            return false;
        }
        self.generate_real(it, buffers);
        let options = &self.rules.ruleset.options;
        let offered = if it.going_on.is_some() {
            options.pass_partial
        } else {
            match options.pass_turn {
                PassTurn::Never => false,
                PassTurn::Always => true,
                PassTurn::Forced => buffers.runs.is_empty() && self.somebody_can_move(it, buffers),
            }
        };
        offered && self.safety.is_pass_safe(self, it)
    }

    /// Whether anybody has a move in the next round of turns, if all pass till then.
    fn somebody_can_move(&self, it: &Situation<W>, buffers: &mut Buffers<W>) -> bool {
        let order = &self.rules.ruleset.turn_order;
        let before_cycle = order.repeat.saturating_sub(it.turn as usize);
        let mut later = it.clone();
        self.set_last(&mut later, NOWHERE, NOWHERE);
        let mut found = false;
        for _ in 0..before_cycle + order.turns.len() - order.repeat {
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
    fn generate_real(&self, it: &mut Situation<W>, buffers: &mut Buffers<W>) {
        self.generate_raw(it, buffers);
        let maximal = self.rules.ruleset.options.maximal_captures == MaximalCaptures::Longest
            && buffers.runs.iter().all(|it| self.shapes[it.template as usize].is_partial);
        if self.safety.applies(self, it) {
            self.safety.filter(self, it, buffers);
        }
        if maximal {
            self.keep_longest(it, buffers);
        }
    }

    /// Keeps the moves that begin a longest chain.
    fn keep_longest(&self, it: &mut Situation<W>, buffers: &mut Buffers<W>) {
        let runs = std::mem::take(&mut buffers.runs);
        if runs.iter().map(|it| it.lanes.count()).sum::<u32>() < 2 {
            buffers.runs = runs;
            return;
        }
        let mut best = 0;
        let mut kept: Vec<Run<W>> = Vec::new();
        for run in &runs {
            for lane in run.lanes.iter() {
                let length = self.longest(it, run.template, lane, buffers, 0);
                if length > best {
                    best = length;
                    kept.clear();
                }
                if length == best {
                    match kept.last_mut().filter(|it| it.template == run.template) {
                        Some(last) => last.lanes.insert(lane),
                        None => {
                            kept.push(Run { template: run.template, lanes: Bits::only(lane) });
                        }
                    }
                }
            }
        }
        buffers.runs = kept;
    }

    fn longest(
        &self,
        it: &Situation<W>,
        template: u32,
        lane: usize,
        buffers: &mut Buffers<W>,
        depth: usize,
    ) -> usize {
        let mut next = it.clone();
        self.do_effects(&mut next, template, lane);
        let mut best = 0;
        if let Some(going_on) = self.opening_of(&next, template, lane)
            && depth < 200
        {
            next.going_on = Some(going_on);
            self.generate_raw(&mut next, buffers);
            for run in std::mem::take(&mut buffers.runs) {
                for lane in run.lanes.iter() {
                    best = best.max(self.longest(&next, run.template, lane, buffers, depth + 1));
                }
            }
        }
        best + 1
    }

    /// The move as the plain machine has it.
    pub fn to_move(&self, it: &Situation<W>, id: u32, lane: usize) -> Move {
        let resolved = self.resolved(it, id, lane);
        let template = resolved.as_ref().unwrap_or(&self.templates[id as usize]);
        let site = |at: Loc| self.layout.site(at.at(lane));
        let mut mv = Move { move_type: template.move_type, ..Move::default() };
        let last = template.movements.len() - 1;
        for (idx, &(from, to)) in template.movements.iter().enumerate() {
            let to = site(to);
            mv.effects.push(if template.is_drop {
                let kind = template.promote.filter(|_| idx == last).unwrap_or(template.kind);
                Effect::Drop { kind, to }
            } else if template.is_copy && idx == last {
                Effect::Copy { from: site(from), to }
            } else {
                Effect::Walk { from: site(from), to }
            });
        }
        for change in &template.changes {
            mv.effects.push(change.to_effect(site));
        }
        if let Some(kind) = template.promote.filter(|_| !template.is_drop) {
            mv.effects.push(Effect::Promote { kind });
        }
        mv.partial = template.partial.map(|next| Partial { next });
        mv
    }
}

/// Whether no path through a graph passes two emits.
fn emits_once<const W: usize>(graph: &Graph<W>) -> bool {
    let mut emits = vec![false; graph.nodes.len()];
    for (idx, node) in graph.nodes.iter().enumerate() {
        let has = |it: &Option<usize>| it.is_some_and(|it| emits[it]);
        emits[idx] = match node {
            Node::Test { yes, no, .. } | Node::Filter { yes, no, .. } => has(yes) || has(no),
            Node::Emit { next, templates } => {
                if has(next) || templates.len() > 1 {
                    return false;
                }
                true
            }
        };
    }
    true
}
