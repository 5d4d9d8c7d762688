//! A ruleset in its fast form, and the states it runs.

use std::sync::Arc;

use boardwright_game::{MaximalCaptures, MoveType, PassTurn, PieceKind, Player, Site};
use boardwright_play::{Halt, Outcome, Rules, SplitMix64, State, semantics::NOWHERE};

use crate::{
    Refusal,
    aims::Aims,
    arena::{Arena, is_made},
    bits::Bits,
    goals::Goals,
    graph::Template,
    lanes::{
        EMPTY, ENEMY, FIRST_KIND, FRIEND, LAST_FROM, LAST_TO, Lanes, MAX_SETS, NEAR_ENEMY, NEUTRAL,
        NONE, REGISTERS, Run, UNIFORM,
    },
    layout::{Codes, Layout},
    safety::{Probe, Safety},
    script::{Out, Script},
    shape::Shape,
    uniform::Uniforms,
    walks::{Walker, Walks},
};

/// Walked blocks beside royal pieces; with more the plain machine is faster (Ultima has 15,
/// and ran at half its speed).
const MAX_WALKED_ATTACKERS: usize = 3;

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

/// How a block is run.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Tier {
    /// For all starts at once.
    Lanes(usize),
    /// Step by step, one start after the other.
    Walk(usize),
}

/// Blocks of a turn that are equally urgent.
#[derive(Clone, Debug, Default)]
pub(crate) struct Class<const W: usize> {
    pub code: Code<W>,
    /// Blocks that are walked, by number.
    pub walks: Vec<(Start<W>, usize)>,
}

/// Blocks that need not be walked: all at once, or piece by piece.
#[derive(Clone, Debug, Default)]
pub(crate) struct Code<const W: usize> {
    pub scripts: Vec<Script<W>>,
    /// By number.
    pub aims: Vec<u32>,
}

impl<const W: usize> Code<W> {
    pub fn is_empty(&self) -> bool {
        self.scripts.is_empty() && self.aims.is_empty()
    }
}

/// The blocks of a turn, by urgency.
pub(crate) type Plan<const W: usize> = Vec<Class<W>>;

/// A turn of the turn order, with what every move asks about it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TurnInfo {
    pub mover: Player,
    pub owner: Player,
    pub move_type: Option<MoveType>,
    pub is_random: bool,
    pub next: u16,
}

#[derive(Debug)]
pub(crate) struct Game<const W: usize> {
    pub rules: Arc<Rules>,
    pub turns: Vec<TurnInfo>,
    pub layout: Layout<W>,
    pub codes: Codes,
    /// By code: the sets it is in, as bits.
    pub sets_of: Vec<u64>,
    pub first_attribute: usize,
    pub first_owner: usize,
    /// How many sets of a situation are in use.
    n_sets: usize,
    pub uses_hands: bool,
    /// Whether moves that blocks generate may not be legal.
    has_filters: bool,
    pub templates: Vec<Template>,
    /// By template: the first that gives the same moves.
    pub canonical: Vec<u32>,
    pub has_doubtful: bool,
    pub lanes: Vec<Lanes<W>>,
    pub walks: Walks<W>,
    pub uniforms: Uniforms,
    /// Whether a block may read a flag that an earlier one set. Then all are walked, in
    /// the order of the plain machine.
    pub carries_flags: bool,
    /// The blocks that are walked, and why.
    pub walked: Vec<(PieceKind, usize, Refusal)>,
    /// How much work it was to run blocks on symbols.
    pub effort: usize,
    /// By turn.
    pub plans: Vec<Plan<W>>,
    /// By owner and kind: the move blocks with their types, tiers and numbers.
    pub going_on: Vec<Vec<(Option<MoveType>, Tier, usize)>>,
    /// The same, as code for moves of one type or of any.
    pub code: Vec<Vec<(Option<MoveType>, Code<W>)>>,
    pub aims: Vec<Aims<W>>,
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

/// Buffers that generation reuses.
#[derive(Debug)]
pub(crate) struct Buffers<const W: usize> {
    pub registers: Box<[Bits<W>; REGISTERS]>,
    /// By template: the lanes offered so far; empty between generations.
    pub offered: Vec<Bits<W>>,
    /// Whether a slot of them is filled.
    pub has_offered: bool,
    pub runs: Vec<Run<W>>,
    /// Starts at which a walk takes over, with the walk.
    pub escaped: Vec<(u32, Bits<W>)>,
    /// What scripts offered but has to be looked at first.
    pub asks: Vec<Run<W>>,
    /// The moves among the runs that walks made.
    pub arena: Arena,
    pub walker: Walker<W>,
    /// Finds the effects of lazy moves.
    pub finder: Walker<W>,
    pub probe: Box<Probe<W>>,
    /// Steps of chains left.
    pub chain_steps: usize,
    /// Why the moves could not be found; there are none then.
    pub halt: Option<Halt>,
    /// Whether the runs are what the blocks generate after the move that was just played.
    pub is_ready: bool,
    /// Whether a chance player's equal moves count once, as in a list for people.
    pub counts_once: bool,
}

impl<const W: usize> Game<W> {
    pub fn new(rules: &Arc<Rules>, lane_of: Vec<u16>) -> Result<Game<W>, Refusal> {
        let ruleset = &rules.ruleset;
        if !rules.is_playable() {
            return Err(Refusal::NoGame);
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
        let goals = Goals::new(rules, &layout, first_owner + n_players)?;
        let turns = ruleset.turn_order.turns.iter().enumerate().map(|(idx, turn)| TurnInfo {
            mover: turn.mover,
            owner: turn.owner,
            move_type: turn.move_type,
            is_random: ruleset.players[turn.mover.idx()].is_random,
            next: ruleset.turn_order.next(idx) as u16,
        });
        let mut game = Game {
            rules: Arc::clone(rules),
            turns: turns.collect(),
            codes,
            sets_of,
            first_attribute,
            first_owner,
            n_sets: first_owner + n_players + goals.joins.n_chains(),
            uses_hands: !rules.droppers().is_empty()
                || ruleset.options.recycle_captures
                || ruleset.options.recycle_promotions,
            has_filters: ruleset.options.maximal_captures != MaximalCaptures::No
                || rules.royal_kinds().iter().any(|it| !it.is_empty()),
            templates: Vec::new(),
            canonical: Vec::new(),
            has_doubtful: false,
            lanes: Vec::new(),
            walks: Walks::new(rules, &layout),
            uniforms: Uniforms::new(ruleset, &layout, first_attribute),
            carries_flags: false,
            walked: Vec::new(),
            effort: 0,
            plans: Vec::new(),
            going_on: vec![Vec::new(); n_players * n_kinds],
            code: vec![Vec::new(); n_players * n_kinds],
            aims: Vec::new(),
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
        game.compile();
        if game.walked.len() > MAX_WALKED_ATTACKERS && game.safety.asks_walkers() {
            return Err(Refusal::WalkedAttacks);
        }
        Ok(game)
    }

    pub fn n_ops(&self) -> usize {
        self.lanes.iter().map(Lanes::n_ops).sum()
    }

    pub fn buffers(&self) -> Buffers<W> {
        Buffers {
            registers: Box::new([Bits::NONE; REGISTERS]),
            offered: vec![Bits::NONE; self.templates.len()],
            has_offered: false,
            runs: Vec::with_capacity(256),
            escaped: Vec::new(),
            asks: Vec::with_capacity(64),
            arena: Arena::default(),
            walker: Walker::new(&self.rules),
            finder: Walker::new(&self.rules),
            probe: Box::new(Probe::new(&self.rules)),
            chain_steps: Halt::CHAIN_STEPS,
            halt: None,
            is_ready: false,
            counts_once: false,
        }
    }

    /// Whose pieces move.
    #[inline]
    pub fn owner_of(&self, it: &Situation<W>) -> Player {
        self.turns[it.turn as usize].owner
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
        for owner in self.rules.ruleset.all_players() {
            for kind in (0..self.rules.n_kinds() as u16).map(PieceKind) {
                let count = state.hand(owner, kind).min(u32::from(u16::MAX));
                it.hands[self.hand_slot(owner, kind)] = count as u16;
            }
        }
        for &(owner, kind) in state.taken() {
            it.taken |= 1 << self.hand_slot(owner, kind);
        }
        let lane = |site: Option<Site>| site.map_or(NOWHERE, |it| self.layout.lane(it) as u16);
        self.set_last(&mut it, lane(state.last_from()), lane(state.last_to()));
        self.find_joined(&mut it);
        it
    }

    #[inline]
    pub fn set_last(&self, it: &mut Situation<W>, from: u16, to: u16) {
        it.last_from = from;
        it.last_to = to;
        if self.rules.uses_last() {
            let one = |lane: u16| {
                if lane == NOWHERE { Bits::NONE } else { Bits::only(lane as usize) }
            };
            it.sets[LAST_FROM] = one(from);
            it.sets[LAST_TO] = one(to);
        }
    }

    /// Makes a situation of this game equal to another, without what never changes.
    #[inline]
    pub fn copy(&self, to: &mut Situation<W>, from: &Situation<W>) {
        // By eight, which needs no call.
        let n = self.n_sets.div_ceil(8);
        let (to_sets, from_sets) = (to.sets.as_chunks_mut::<8>().0, from.sets.as_chunks::<8>().0);
        for (to, from) in to_sets.iter_mut().zip(from_sets).take(n) {
            *to = *from;
        }
        to.cells = from.cells;
        if self.uses_hands {
            to.hands = from.hands;
        }
        let &Situation { hash, turn, last_from, last_to, going_on, .. } = from;
        let &Situation { since, is_fresh, gain, taken, decided, .. } = from;
        (to.hash, to.turn, to.last_from, to.last_to) = (hash, turn, last_from, last_to);
        (to.going_on, to.since, to.is_fresh) = (going_on, since, is_fresh);
        (to.gain, to.taken, to.decided) = (gain, taken, decided);
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
        if self.has_neutrals {
            it.sets[NEUTRAL] = Bits::NONE;
            for (idx, player) in self.rules.ruleset.players.iter().enumerate() {
                if player.is_neutral {
                    let theirs = it.sets[self.first_owner + idx];
                    it.sets[NEUTRAL] |= theirs;
                }
            }
        }
        if !self.uniforms.is_empty() {
            it.sets[UNIFORM] = self.uniforms.answers(&it.sets);
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
        let turn = &self.turns[it.turn as usize];
        self.look_as(it, turn.owner);
        let keep_double = turn.is_random && !buffers.counts_once;
        if let Some((lane, move_type)) = it.going_on {
            self.generate_going_on(it, lane, move_type, keep_double, buffers);
            return;
        }
        if self.carries_flags {
            self.generate_in_order(it, turn, keep_double, buffers);
            return;
        }
        let first_made = buffers.arena.len();
        for class in &self.plans[it.turn as usize] {
            let Buffers { registers, runs, asks, .. } = &mut *buffers;
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
        it: &Situation<W>,
        owner: Player,
        start: Start<W>,
        walk: usize,
        buffers: &mut Buffers<W>,
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
    pub fn code_of(&self, slot: usize, move_type: Option<MoveType>) -> Option<&Code<W>> {
        self.code[slot].iter().find(|it| it.0 == move_type).map(|it| &it.1)
    }

    #[inline]
    pub fn run_code(
        &self,
        it: &Situation<W>,
        code: &Code<W>,
        within: Bits<W>,
        registers: &mut [Bits<W>; REGISTERS],
        out: &mut Out<'_, W>,
    ) {
        for script in &code.scripts {
            script.run(it, within, registers, out);
        }
        for &number in &code.aims {
            self.aims[number as usize].run(it, within, number, out.runs);
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
        let first_made = buffers.arena.len();
        buffers.walker.begin_pass();
        let owner = self.owner_of(it);
        let code = it.cells[lane as usize / 64][lane as usize % 64];
        if code == 0 {
            return;
        }
        let (whose, kind, _) = self.codes.parts(code);
        if whose != u32::from(owner.0) {
            return;
        }
        let slot = self.hand_slot(owner, PieceKind(kind as u16));
        let starts = Bits::only(lane as usize);
        if let Some(code) = self.code_of(slot, move_type) {
            let Buffers { registers, runs, asks, .. } = &mut *buffers;
            self.run_code(it, code, starts, registers, &mut Out { runs, asks });
        }
        if !buffers.asks.is_empty() {
            self.consider(it, owner, keep_double, buffers);
        }
        for &(of_type, tier, _) in &self.going_on[slot] {
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
        it: &Situation<W>,
        owner: Player,
        keep_double: bool,
        buffers: &mut Buffers<W>,
    ) {
        let Buffers { offered, has_offered, runs, asks, probe, escaped, .. } = buffers;
        for Run { template: id, mut lanes, .. } in asks.drain(..) {
            let shape = &self.shapes[id as usize];
            if shape.is_escape {
                escaped.extend(self.templates[id as usize].lazy.map(|it| (it, lanes)));
                continue;
            }
            if shape.is_guarded {
                let template = &self.templates[id as usize];
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
            let slot = &mut offered[self.canonical[id as usize] as usize];
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
        it: &Situation<W>,
        first_made: usize,
        keep_double: bool,
        buffers: &mut Buffers<W>,
    ) {
        let has_offered = std::mem::take(&mut buffers.has_offered);
        let is_usual = !has_offered && !self.has_doubtful && first_made == buffers.arena.len();
        if !keep_double && !is_usual {
            self.collect_all(it, first_made, buffers);
        }
    }

    #[inline(never)]
    fn collect_all(&self, it: &Situation<W>, first_made: usize, buffers: &mut Buffers<W>) {
        let Buffers { offered, runs, arena, .. } = buffers;
        for run in runs.iter_mut().filter(|it| it.from == NONE && !is_made(it.template)) {
            let slot = &mut offered[self.canonical[run.template as usize] as usize];
            let lanes = std::mem::replace(slot, Bits::NONE);
            if !lanes.is_empty() && !self.shapes[run.template as usize].is_copy {
                run.lanes = lanes;
            }
        }
        let doubtful = |it: &Run<W>| match it.from {
            NONE => !is_made(it.template) && self.shapes[it.template as usize].is_doubtful,
            _ => self.aims[it.template as usize].is_doubtful,
        };
        if first_made < arena.len() || self.has_doubtful && runs.iter().any(doubtful) {
            self.drop_doubles(it, first_made, buffers);
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

    /// Whether some moves are of no template.
    pub fn has_walks(&self) -> bool {
        self.carries_flags
            || self.templates.iter().any(|it| it.is_escape)
            || self.plans.iter().flatten().any(|it| !it.walks.is_empty())
            || self.going_on.iter().flatten().any(|it| matches!(it.1, Tier::Walk(_)))
    }

    /// Fills the buffers with the legal moves; says whether a pass is legal too.
    pub fn generate(&self, it: &mut Situation<W>, buffers: &mut Buffers<W>) -> bool {
        buffers.begin();
        self.generate_next(it, buffers)
    }

    /// The same right after [`Game::play`] with these buffers, which may have found them.
    pub fn generate_next(&self, it: &mut Situation<W>, buffers: &mut Buffers<W>) -> bool {
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
        let passes = offered && self.safety.is_pass_safe(self, it, &mut buffers.probe);
        buffers.halt = buffers.halt.or(buffers.probe.halt);
        if buffers.halt.is_some() {
            buffers.runs.clear();
            return false;
        }
        passes
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
        self.filter(it, buffers);
    }

    /// Leaves out moves that are not legal.
    #[inline]
    fn filter(&self, it: &mut Situation<W>, buffers: &mut Buffers<W>) {
        if self.has_filters {
            self.filter_all(it, buffers);
        }
    }

    #[inline(never)]
    fn filter_all(&self, it: &mut Situation<W>, buffers: &mut Buffers<W>) {
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
