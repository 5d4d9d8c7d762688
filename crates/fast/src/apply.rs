//! Playing moves on sets, and finding the effects of lazy ones.

use boardwright_game::{MoveType, PieceKind, Player, Site};
use boardwright_play::{Effect, Halt, semantics::NOWHERE};

use crate::{
    arena::{Arena, View, is_made},
    game::{FastGame, FastState},
    graph::{Change, Loc, Template},
    lanes::EMPTY,
    safety::Probe,
    shape::Way,
    walks::{self, WalkBuffers, WalkContext, WalkOffer, WalkSink},
};

impl Change {
    /// Where it happens.
    pub fn at(self) -> Loc {
        match self {
            Change::Create { at, .. }
            | Change::TurnInto { at, .. }
            | Change::GiveTo { at, .. }
            | Change::Flip { at }
            | Change::Set { at, .. }
            | Change::Capture { at } => at,
        }
    }

    /// The effect as the plain machine has it.
    pub fn to_effect(self, site: impl Fn(Loc) -> Site) -> Effect {
        match self {
            Change::Create { player, kind, at } => {
                Effect::Create { player: Player(player), kind: PieceKind(kind), site: site(at) }
            }
            Change::TurnInto { kind, at } => {
                Effect::TurnInto { kind: PieceKind(kind), site: site(at) }
            }
            Change::GiveTo { player, at } => {
                Effect::GiveTo { player: Player(player), site: site(at) }
            }
            Change::Flip { at } => Effect::Flip { site: site(at) },
            Change::Set { attribute, at, value } => Effect::Set {
                attribute: boardwright_game::Attribute(attribute),
                site: site(at),
                value,
            },
            Change::Capture { at } => Effect::Capture { site: site(at) },
        }
    }
}

/// EffectSink the move of a walk that has a template's movements.
struct EffectSink<'a> {
    template: &'a Template,
    start: usize,
    found: bool,
}

impl<const W: usize> WalkSink<W> for EffectSink<'_> {
    fn add(
        &mut self,
        game: &FastGame<W>,
        it: &FastState<W>,
        walker: &mut WalkBuffers<W>,
        offer: &WalkOffer<'_>,
    ) -> Result<bool, Halt> {
        let EffectSink { template, start, found } = self;
        let same = |one: &(Loc, Loc), other: &(Loc, Loc)| {
            let is_from = template.is_drop || one.0.at(*start) == other.0.at(*start);
            is_from && one.1.at(*start) == other.1.at(*start)
        };
        offer.moves(game, it, walker, |view| {
            let is_it = view.promote == template.promote
                && view.partial == template.partial
                && view.is_copy == template.is_copy
                && view.movements.len() == template.movements.len()
                && view.movements.iter().zip(&template.movements).all(|(a, b)| same(a, b));
            *found |= is_it;
            Ok(!is_it)
        })
    }
}

impl<const W: usize> FastState<W> {
    #[inline]
    pub fn cell(&self, lane: usize) -> u16 {
        self.cells[lane / 64][lane % 64]
    }
}

impl<const W: usize> FastGame<W> {
    /// Puts a code on a lane and keeps sets and hash in step.
    #[inline]
    pub fn put(&self, it: &mut FastState<W>, lane: usize, code: u16) {
        let old = std::mem::replace(&mut it.cells[lane / 64][lane % 64], code);
        let mut differ = self.pieces.sets_of[old as usize] ^ self.pieces.sets_of[code as usize];
        while differ != 0 {
            it.sets[differ.trailing_zeros() as usize].toggle(lane);
            differ &= differ - 1;
        }
        it.hash =
            it.hash.wrapping_add(self.hash_of(lane, code)).wrapping_sub(self.hash_of(lane, old));
    }

    #[inline]
    fn note_removal(&self, it: &mut FastState<W>, code: u16) {
        if code == 0 {
            return;
        }
        let slot = self.pieces.codes.slot(code);
        if self.rules.ruleset.options.recycle_captures {
            it.hands[slot] = it.hands[slot].saturating_add(1);
        }
        it.taken |= 1 << slot;
    }

    /// Takes a piece from one lane to another that is not the same.
    #[inline]
    fn shift(&self, it: &mut FastState<W>, from: usize, to: usize) {
        let code = it.cell(from);
        let target = it.cell(to);
        if target != 0 {
            self.note_removal(it, target);
            self.put(it, to, 0);
        }
        if code == 0 {
            return;
        }
        self.carry(it, code, from, to);
        it.hash =
            it.hash.wrapping_add(self.hash_of(to, code)).wrapping_sub(self.hash_of(from, code));
    }

    /// Takes a piece to an empty lane; the hash is the caller's business.
    #[inline]
    fn carry(&self, it: &mut FastState<W>, code: u16, from: usize, to: usize) {
        it.cells[from / 64][from % 64] = 0;
        it.cells[to / 64][to % 64] = code;
        // Each set that the piece is in changes on both lanes, and so does the empty one.
        let mut sets = self.pieces.sets_of[code as usize] | 1 << EMPTY;
        while sets != 0 {
            it.sets[sets.trailing_zeros() as usize].toggle_both(from, to);
            sets &= sets - 1;
        }
    }

    /// Does the effects of a move; the turn stays.
    #[inline(always)]
    pub fn do_effects(
        &self,
        it: &mut FastState<W>,
        arena: &Arena,
        id: u32,
        lane: usize,
        finder: &mut WalkBuffers<W>,
    ) {
        if is_made(id) {
            self.do_view(it, &arena.view(id), 0);
            return;
        }
        let shape = self.blocks.shapes[id as usize];
        let to = (lane as i32 + i32::from(shape.to)) as usize;
        match shape.way {
            Way::Walk => {
                let from = (lane as i32 + i32::from(shape.from)) as usize;
                self.shift(it, from, to);
                self.set_last(it, from as u16, to as u16);
                if shape.has_changes {
                    let template = &self.blocks.templates[id as usize];
                    if let Some(kind) = template.promote {
                        self.turn_into(it, to, kind);
                    }
                    for change in &template.changes {
                        self.do_change(it, change, lane);
                    }
                }
                return;
            }
            Way::Drop => {
                let owner = self.owner_of(it);
                let template = &self.blocks.templates[id as usize];
                let slot = self.hand_slot(owner, template.kind);
                it.hands[slot] = it.hands[slot].saturating_sub(1);
                self.note_removal(it, it.cell(to));
                self.put(it, to, self.pieces.new_codes[slot]);
                self.set_last(it, NOWHERE, to as u16);
                if shape.has_changes {
                    for change in &template.changes {
                        self.do_change(it, change, lane);
                    }
                }
                return;
            }
            Way::Other => {}
        }
        self.do_template(it, id, lane, finder);
    }

    /// Does the effects of a template that is more than one piece going somewhere.
    #[inline(never)]
    fn do_template(
        &self,
        it: &mut FastState<W>,
        id: u32,
        lane: usize,
        finder: &mut WalkBuffers<W>,
    ) {
        let mut view = self.blocks.templates[id as usize].view();
        if self.find_effects(it, id, lane, true, finder) {
            view.changes = &finder.effects;
        }
        self.do_view(it, &view, lane);
    }

    fn do_view(&self, it: &mut FastState<W>, template: &View<'_>, lane: usize) {
        let owner = self.owner_of(it);
        let last = template.movements.len() - 1;
        let mut lifted: smallvec::SmallVec<[(usize, u16); 4]> = smallvec::SmallVec::new();
        for (idx, &(from, to)) in template.movements.iter().enumerate() {
            let to = to.at(lane);
            let code = if template.is_drop {
                let kind = template.promote.filter(|_| idx == last).unwrap_or(template.kind);
                let slot = self.hand_slot(owner, kind);
                it.hands[slot] = it.hands[slot].saturating_sub(1);
                self.new_code(owner, kind)
            } else {
                let from = from.at(lane);
                let code = it.cell(from);
                if template.is_copy && idx == last {
                    if code == 0 || from == to {
                        0
                    } else {
                        let (_, kind, attributes) = self.pieces.codes.parts(code);
                        self.pieces.codes.code(owner.0.into(), kind, attributes)
                    }
                } else {
                    if code != 0 {
                        self.put(it, from, 0);
                    }
                    code
                }
            };
            lifted.push((to, code));
        }
        for (to, code) in lifted {
            if code != 0 {
                self.note_removal(it, it.cell(to));
                self.put(it, to, code);
            }
        }
        if let Some(kind) = template.promote.filter(|_| !template.is_drop) {
            self.turn_into(it, template.movements[last].1.at(lane), kind);
        }
        for change in template.changes {
            self.do_change(it, change, lane);
        }
        let (from, to) = template.movements[0];
        let to = to.at(lane) as u16;
        if template.is_drop || (template.is_copy && last == 0) {
            self.set_last(it, NOWHERE, to);
        } else {
            let from = from.at(lane) as u16;
            if from == to {
                self.set_last(it, NOWHERE, NOWHERE);
            } else {
                self.set_last(it, from, to);
            }
        }
    }

    fn new_code(&self, owner: Player, kind: PieceKind) -> u16 {
        self.pieces.new_codes[self.hand_slot(owner, kind)]
    }

    fn do_change(&self, it: &mut FastState<W>, change: &Change, start: usize) {
        match *change {
            Change::Create { player, kind, at } => {
                let lane = at.at(start);
                self.note_removal(it, it.cell(lane));
                self.put(it, lane, self.new_code(Player(player), PieceKind(kind)));
            }
            Change::TurnInto { kind, at } => self.turn_into(it, at.at(start), PieceKind(kind)),
            Change::GiveTo { player, at } => self.give_to(it, at.at(start), |_| Player(player)),
            Change::Flip { at } => {
                self.give_to(it, at.at(start), |owner| self.rules.flipped(owner));
            }
            Change::Set { attribute, at, value } => {
                let lane = at.at(start);
                let code = it.cell(lane);
                if code != 0 {
                    let (owner, kind, old) = self.pieces.codes.parts(code);
                    let bit = 1 << attribute;
                    let new = if value { old | bit } else { old & !bit };
                    if new != old {
                        self.put(it, lane, self.pieces.codes.code(owner, kind, new));
                    }
                }
            }
            Change::Capture { at } => {
                let lane = at.at(start);
                let code = it.cell(lane);
                if code != 0 {
                    self.note_removal(it, code);
                    self.put(it, lane, 0);
                }
            }
        }
    }

    fn give_to(&self, it: &mut FastState<W>, lane: usize, to: impl Fn(Player) -> Player) {
        let code = it.cell(lane);
        if code != 0 {
            let (owner, kind, attributes) = self.pieces.codes.parts(code);
            let owner = to(Player(owner as u8));
            self.put(it, lane, self.pieces.codes.code(owner.0.into(), kind, attributes));
        }
    }

    fn turn_into(&self, it: &mut FastState<W>, lane: usize, kind: PieceKind) {
        let code = it.cell(lane);
        if code == 0 {
            return;
        }
        let (owner, old, attributes) = self.pieces.codes.parts(code);
        let pieces = &self.rules.ruleset.pieces;
        let (was, becomes) = (&pieces[old as usize], &pieces[kind.idx()]);
        let shared = !(was.attribute_mask ^ becomes.attribute_mask) as u32;
        let attributes = attributes & shared | becomes.default_attributes as u32 & !shared;
        if self.rules.ruleset.options.recycle_promotions && old != u32::from(kind.0) {
            let owner = Player(owner as u8);
            let (new, old) =
                (self.hand_slot(owner, kind), self.hand_slot(owner, PieceKind(old as u16)));
            it.hands[new] = it.hands[new].saturating_sub(1);
            it.hands[old] = it.hands[old].saturating_add(1);
        }
        self.put(it, lane, self.pieces.codes.code(owner, kind.0.into(), attributes));
    }

    /// What goes on after a partial move whose effects are done, if it can.
    pub fn opening_of(
        &self,
        it: &FastState<W>,
        arena: &Arena,
        id: u32,
        lane: usize,
    ) -> Option<(u16, Option<MoveType>)> {
        let view = self.view(arena, id);
        let next = view.partial?;
        let to = view.movements[0].1.at(lane);
        let code = it.cell(to);
        let owner = self.owner_of(it);
        let mine = code != 0 && self.pieces.codes.parts(code).0 == u32::from(owner.0);
        mine.then_some((to as u16, next))
    }

    /// The template of a lazy move with its changes, found by walking its block.
    pub fn resolved(&self, it: &FastState<W>, id: u32, start: usize) -> Option<Template> {
        self.found_again(it, id, start, true)
    }

    /// The same; in a probe `attacked?` is never true.
    pub fn found_again(
        &self,
        it: &FastState<W>,
        id: u32,
        start: usize,
        asks: bool,
    ) -> Option<Template> {
        let is_lazy = !is_made(id) && self.blocks.templates[id as usize].lazy.is_some();
        let mut finder = is_lazy.then(|| WalkBuffers::new(&self.rules))?;
        self.find_effects(it, id, start, asks, &mut finder).then(|| {
            let changes = std::mem::take(&mut finder.effects);
            let template = self.blocks.templates[id as usize].clone();
            Template { changes, lazy: None, guards: Vec::new(), ..template }
        })
    }

    /// Leaves the effects of a lazy move in `finder`; `false` if it is none.
    fn find_effects(
        &self,
        it: &FastState<W>,
        id: u32,
        start: usize,
        asks: bool,
        finder: &mut WalkBuffers<W>,
    ) -> bool {
        let template = &self.blocks.templates[id as usize];
        let Some(walk) = template.lazy else { return false };
        let mut sink = EffectSink { template, start, found: false };
        finder.fuel = Halt::TOTAL_FUEL;
        finder.begin_pass();
        let asks = asks && !template.guards.is_empty();
        let mut probe = asks.then(|| Box::new(Probe::new(&self.rules)));
        let mut ctx = WalkContext { game: self, it, probe: probe.as_deref_mut() };
        // What lanes found to be a move is one, so the walk ends with it.
        let _ = walks::run(&mut ctx, finder, walk as usize, start, &mut sink);
        sink.found
    }

    /// Plays a legal move: effects, continuation or end of the turn, outcome.
    ///
    /// The move is one of the last generation of these buffers.
    #[inline]
    pub fn play(
        &self,
        it: &mut FastState<W>,
        id: u32,
        lane: usize,
        history: &mut Vec<u64>,
        buffers: &mut super::game::GenBuffers<W>,
    ) {
        let super::game::GenBuffers { arena, finder, .. } = &mut *buffers;
        let goes_on = self.make(it, arena, id, lane, history, finder);
        self.finish(it, goes_on, history, buffers);
    }

    /// The first half of playing: the effects. Says whether the move may go on.
    #[inline]
    pub fn make(
        &self,
        it: &mut FastState<W>,
        arena: &Arena,
        id: u32,
        lane: usize,
        history: &[u64],
        finder: &mut WalkBuffers<W>,
    ) -> bool {
        it.gain = None;
        let (is_partial, gain) = if is_made(id) {
            let view = arena.view(id);
            (view.partial.is_some(), view.has_gain().then(|| view.movements[0].1.at(0) as u16))
        } else {
            let shape = &self.blocks.shapes[id as usize];
            let to = (lane as i32 + i32::from(shape.to)) as u16;
            (shape.is_partial, shape.has_gain.then_some(to))
        };
        let is_first = it.going_on.is_none();
        if is_first {
            it.taken = 0;
        }
        let is_one_way = self.goals.is_one_way;
        let before = if is_one_way { it.sets[EMPTY].count() } else { 0 };
        let drop = self.has_joins().then(|| self.lone_drop(it, arena, id, lane));
        self.do_effects(it, arena, id, lane, finder);
        if let Some(drop) = drop {
            self.keep_joined(it, drop);
        }
        if let Some(to) = gain.filter(|_| is_first && !it.is_fresh) {
            // A player may move pieces of another.
            let code = it.cell(to as usize);
            it.gain = (code != 0).then(|| (Player(self.pieces.codes.parts(code).0 as u8), to));
        }
        if is_one_way
            && it.sets[EMPTY].count() != before
            && (!self.goals.needs_empty_hands || it.hands.iter().all(|&it| it == 0))
        {
            // Nothing before this can come back.
            it.since = history.len() as u32;
        }
        if is_partial && let Some(going_on) = self.opening_of(it, arena, id, lane) {
            it.going_on = Some(going_on);
            return true;
        }
        false
    }

    /// Makes a move, ends the turn and takes both back, which for the usual move is
    /// cheaper than a copy; `false` if the move is not of that sort. Nobody asks whether
    /// the game is over in between.
    #[inline]
    pub fn make_and_undo(&self, it: &mut FastState<W>, id: u32, lane: usize) -> bool {
        if is_made(id) || self.uses_hands || self.has_joins() {
            return false;
        }
        let shape = self.blocks.shapes[id as usize];
        if shape.way != Way::Walk || shape.is_partial {
            return false;
        }
        let (hash, turn, taken) = (it.hash, it.turn, it.taken);
        let (last_from, last_to) = (it.last_from, it.last_to);
        let from = (lane as i32 + i32::from(shape.from)) as usize;
        let to = (lane as i32 + i32::from(shape.to)) as usize;
        let (mover, target) = (it.cell(from), it.cell(to));
        if mover == 0 {
            return false;
        }
        #[cfg(debug_assertions)]
        let all_before = it.clone();
        self.shift(it, from, to);
        self.set_last(it, from as u16, to as u16);
        it.turn = self.order.turns[turn as usize].next;
        if shape.has_changes {
            self.change_and_undo(it, id, lane, to);
        }
        // Made in earnest, even if nobody looks.
        std::hint::black_box(&*it);
        self.carry(it, mover, to, from);
        if target != 0 {
            self.put(it, to, target);
        }
        (it.hash, it.turn, it.taken) = (hash, turn, taken);
        self.set_last(it, last_from, last_to);
        #[cfg(debug_assertions)]
        assert!(it.sets == all_before.sets && it.cells == all_before.cells);
        true
    }

    /// Makes what a move changes besides, and undoes it.
    fn change_and_undo(&self, it: &mut FastState<W>, id: u32, lane: usize, to: usize) {
        let template = &self.blocks.templates[id as usize];
        let lanes = template.changes.iter().map(|it| it.at().at(lane));
        let before: smallvec::SmallVec<[(usize, u16); 4]> =
            lanes.chain([to]).map(|at| (at, it.cell(at))).collect();
        if let Some(kind) = template.promote {
            self.turn_into(it, to, kind);
        }
        for change in &template.changes {
            self.do_change(it, change, lane);
        }
        std::hint::black_box(&*it);
        for (at, code) in before {
            self.put(it, at, code);
        }
    }

    /// The second half of playing: the continuation or the end of the turn.
    #[inline]
    pub fn finish(
        &self,
        it: &mut FastState<W>,
        goes_on: bool,
        history: &mut Vec<u64>,
        buffers: &mut super::game::GenBuffers<W>,
    ) {
        if goes_on {
            buffers.begin();
            self.generate_raw(it, buffers);
            if !buffers.runs.is_empty() {
                buffers.is_ready = true;
                return;
            }
        }
        self.end_turn(it, history);
    }

    pub fn pass(&self, it: &mut FastState<W>, history: &mut Vec<u64>) {
        if it.going_on.is_none() {
            it.taken = 0;
        }
        it.gain = None;
        self.set_last(it, NOWHERE, NOWHERE);
        self.end_turn(it, history);
    }

    #[inline]
    fn end_turn(&self, it: &mut FastState<W>, history: &mut Vec<u64>) {
        let just_moved = it.turn as usize;
        it.going_on = None;
        it.turn = self.order.turns[just_moved].next;
        history.push(it.hash.wrapping_add(u64::from(it.turn).wrapping_mul(0x9E37_79B9_7F4A_7C15)));
        it.decided = self.after_turn(it, just_moved, history);
        it.is_fresh = false;
    }
}
