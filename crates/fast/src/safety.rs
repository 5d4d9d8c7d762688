//! Royal pieces: who could take them, and which moves leave them safe.
//!
//! The entries of the [`Index`] that are at most a move away from being true are
//! the dangers of a turn; a move that touches none of them needs no test, and one
//! that does needs a few words.

mod probe;

use boardwright_game::{MoveType, Op, PieceKind, Player};
use boardwright_play::{Halt, Rules, semantics::NOWHERE};
use rustc_hash::FxHashMap;

use crate::{
    arena::{View, is_made},
    bits::Bits,
    game::{FastGame, FastState, GenBuffers, Tier},
    graph::{Change, Guard, Loc, Template},
    index::{AttackEntry, Blocks, Index, build_index},
    lanes::{EMPTY, FIRST_KIND, NONE, REGISTERS, Run},
    script::Out,
    walks::{self, WalkBuffers, WalkContext, WalkOffer, WalkSink},
};

/// How royal pieces are protected.
#[derive(Debug)]
pub(crate) struct Safety<const W: usize> {
    /// By turn: the attacker that comes next and the index for it, if kings can be lost.
    by_turn: Vec<Option<(Player, Option<MoveType>, usize)>>,
    indexes: Vec<Index<W>>,
    /// By template: what the filter asks of it.
    briefs: Vec<Brief>,
    /// By owner: the royal kinds, as bits.
    royal: Vec<u64>,
    /// Whether each of two players has one enemy only.
    is_duel: bool,
}

/// What matters of a template to royal pieces.
#[derive(Clone, Copy, Debug)]
struct Brief {
    kind: u16,
    /// Whether one piece moves and nothing else matters.
    is_plain: bool,
    is_drop: bool,
    /// Whether even pieces that are not pinned may not just go.
    needs_look: bool,
    from: Loc,
    to: Loc,
}

impl Brief {
    /// A move that no template foresaw, if nothing matters of it but that one piece moves.
    fn of_made<const W: usize>(view: &View<'_>, watched: Bits<W>) -> Option<Brief> {
        let &[(from, to)] = view.movements else { return None };
        let aside = |at: Loc| matches!(at, Loc::Abs(lane) if !watched.contains(lane as usize));
        let is_plain = !view.is_drop
            && !view.is_copy
            && view.partial.is_none()
            && view.promote.is_none()
            && from != to
            && view.changes.iter().all(|it| match *it {
                Change::Set { .. } => true,
                Change::Capture { at } => aside(at),
                _ => false,
            });
        let kind = view.kind.0;
        let brief = Brief { kind, is_plain, is_drop: false, needs_look: true, from, to };
        is_plain.then_some(brief)
    }
}

impl<const W: usize> Default for Safety<W> {
    fn default() -> Safety<W> {
        Safety {
            by_turn: Vec::new(),
            indexes: Vec::new(),
            briefs: Vec::new(),
            royal: Vec::new(),
            is_duel: false,
        }
    }
}

/// GenBuffers of attack probes.
#[derive(Debug)]
pub(crate) struct Probe<const W: usize> {
    registers: Box<[Bits<W>; REGISTERS]>,
    runs: Vec<Run<W>>,
    asks: Vec<Run<W>>,
    walker: WalkBuffers<W>,
    /// Why an answer could not be found.
    pub halt: Option<Halt>,
}

impl<const W: usize> Probe<W> {
    pub fn new(rules: &Rules) -> Probe<W> {
        Probe {
            registers: Box::new([Bits::NONE; REGISTERS]),
            runs: Vec::new(),
            asks: Vec::new(),
            walker: WalkBuffers::new(rules),
            halt: None,
        }
    }

    pub fn begin(&mut self) {
        self.walker.fuel = Halt::TOTAL_FUEL;
        self.halt = None;
    }
}

impl<const W: usize> Safety<W> {
    /// `attacks`: blocks of which the graphs do not tell what they may do to royal pieces.
    pub fn new(game: &FastGame<W>, graphs: &Blocks<W>, attacks: &Blocks<W>) -> Safety<W> {
        let mut safety = Safety::default();
        let mut known: FxHashMap<(Player, Player, Option<MoveType>), usize> = FxHashMap::default();
        let order = &game.rules.ruleset.turn_order;
        for (idx, turn) in order.turns.iter().enumerate() {
            let next = &order.turns[order.next(idx)];
            let royal = &game.rules.royal_kinds()[turn.owner.idx()];
            if royal.is_empty() || next.owner == turn.owner || next.mover == turn.owner {
                safety.by_turn.push(None);
                continue;
            }
            let key = (next.owner, turn.owner, next.move_type);
            let index = match known.get(&key) {
                Some(&index) => index,
                None => {
                    let index =
                        build_index(game, graphs, attacks, next.owner, turn.owner, next.move_type);
                    safety.indexes.push(index);
                    known.insert(key, safety.indexes.len() - 1);
                    safety.indexes.len() - 1
                }
            };
            safety.by_turn.push(Some((next.owner, next.move_type, index)));
        }
        let mut watched = Bits::NONE;
        for index in &safety.indexes {
            watched |= index.watched;
        }
        let is_royal =
            |kind: PieceKind| game.rules.royal_kinds().iter().any(|it| it.contains(&kind));
        let brief = |it: &Template| Brief {
            kind: it.kind.0,
            is_plain: is_plain(game, it, watched),
            is_drop: it.is_drop,
            needs_look: it.is_drop || is_royal(it.kind) || !is_plain(game, it, watched),
            from: it.movements[0].0,
            to: it.movements[0].1,
        };
        safety.briefs = game.blocks.templates.iter().map(brief).collect();
        let bits = |it: &Vec<PieceKind>| it.iter().fold(0, |acc, it| acc | 1 << it.0);
        safety.royal = game.rules.royal_kinds().iter().map(bits).collect();
        let players = game.rules.ruleset.players.iter();
        safety.is_duel = players.filter(|it| !it.is_neutral).count() == 2;
        safety
    }

    /// The index of what a player attacks.
    pub(super) fn index_of(&self, attacker: Player) -> Option<&Index<W>> {
        let found = self.by_turn.iter().flatten().find(|it| it.0 == attacker);
        found.and_then(|it| self.indexes.get(it.2))
    }

    /// The set of pieces and the index of attacks for whoever moves next, then the same for
    /// the mover; `None` unless two players attack each other's royal pieces.
    pub(super) fn both_ways<'a>(
        &'a self,
        game: &FastGame<W>,
        it: &FastState<W>,
    ) -> Option<[(usize, &'a Index<W>); 2]> {
        let (other, _, theirs) = self.by_turn[it.turn as usize]?;
        let next = game.rules.ruleset.turn_order.next(it.turn as usize);
        let (back, _, ours) = self.by_turn[next]?;
        let is_duel = self.is_duel && back == game.owner_of(it);
        is_duel.then(|| {
            [
                (game.owner_set(other), &self.indexes[theirs]),
                (game.owner_set(back), &self.indexes[ours]),
            ]
        })
    }

    /// Whether pieces that are walked could take royal ones.
    pub fn asks_walkers(&self) -> bool {
        self.indexes.iter().any(Index::has_walkers)
    }

    pub fn applies(&self, game: &FastGame<W>, it: &FastState<W>) -> bool {
        self.by_turn[it.turn as usize].is_some() && !self.royals(game, it).is_empty()
    }

    fn royals(&self, game: &FastGame<W>, it: &FastState<W>) -> Bits<W> {
        let owner = game.owner_of(it);
        let mut kinds = Bits::NONE;
        let mut royal = self.royal[owner.idx()];
        while royal != 0 {
            kinds |= it.sets[FIRST_KIND + royal.trailing_zeros() as usize];
            royal &= royal - 1;
        }
        kinds & it.sets[game.owner_set(owner)]
    }

    pub fn is_pass_safe(
        &self,
        game: &FastGame<W>,
        it: &mut FastState<W>,
        probe: &mut Probe<W>,
    ) -> bool {
        if !self.applies(game, it) {
            return true;
        }
        let mut after = it.clone();
        game.set_last(&mut after, NOWHERE, NOWHERE);
        !self.is_exposed(game, &mut after, probe)
    }

    /// Whether the next player could take a royal piece as things stand.
    fn is_exposed(&self, game: &FastGame<W>, it: &mut FastState<W>, probe: &mut Probe<W>) -> bool {
        let Some((attacker, move_type, _)) = self.by_turn[it.turn as usize] else { return false };
        let royals = self.royals(game, it);
        !royals.is_empty() && game.can_remove(it, attacker, royals, move_type, probe)
    }

    /// Whether the next player could take a royal piece of the mover's.
    pub fn is_in_check(
        &self,
        game: &FastGame<W>,
        it: &mut FastState<W>,
        probe: &mut Probe<W>,
    ) -> bool {
        let Some((attacker, _, index)) = self.by_turn[it.turn as usize] else { return false };
        let occupied = game.layout.all & !it.sets[EMPTY];
        let enemies = it.sets[game.owner_set(attacker)];
        let mut is_vague = false;
        for royal in self.royals(game, it).iter() {
            match self.indexes[index].attacks(it, enemies, royal, occupied) {
                Some(true) => return true,
                Some(false) => {}
                None => is_vague = true,
            }
        }
        is_vague && self.is_exposed(game, it, probe)
    }

    /// The royal kinds of the mover that are attacked.
    pub fn attacked_royals(
        &self,
        game: &FastGame<W>,
        it: &mut FastState<W>,
        probe: &mut Probe<W>,
    ) -> Vec<PieceKind> {
        let Some((attacker, move_type, _)) = self.by_turn[it.turn as usize] else {
            return Vec::new();
        };
        let owner = game.owner_of(it);
        let royal = game.rules.royal_kinds()[owner.idx()].clone();
        royal
            .into_iter()
            .filter(|kind| {
                let mine = it.sets[game.owner_set(owner)] & it.sets[FIRST_KIND + kind.idx()];
                !mine.is_empty() && game.can_remove(it, attacker, mine, move_type, probe)
            })
            .collect()
    }

    /// Leaves out moves after which a royal piece could be taken.
    pub fn filter(&self, game: &FastGame<W>, it: &mut FastState<W>, buffers: &mut GenBuffers<W>) {
        let Some((attacker, _, index)) = self.by_turn[it.turn as usize] else { return };
        let index = &self.indexes[index];
        let owner = game.owner_of(it);
        let royals = self.royals(game, it);
        let occupied = game.layout.all & !it.sets[EMPTY];
        let enemies = it.sets[game.owner_set(attacker)];
        let one_royal = royals.count() == 1;
        // 1. Entries that one move could make true, or that are true now.
        let mut dangers: smallvec::SmallVec<[&AttackEntry<W>; 16]> = smallvec::SmallVec::new();
        let mut pinned = Bits::NONE;
        let mut in_check = false;
        let mut is_vague =
            !(royals & index.hidden).is_empty() || index.is_asked(game, it, attacker, royals);
        for royal in royals.iter() {
            index.each(it, enemies, royal, |entry| {
                let blockers = entry.empty & occupied;
                let missing = entry.full & !occupied;
                let bars = entry.bars(it);
                let n = blockers.count() + missing.count() + bars.count();
                let reachable = if entry.full.is_empty() { n <= 1 } else { n <= 2 };
                if reachable {
                    pinned |= blockers | entry.full | entry.barred;
                    // Whatever lands on a missing screen matters, whoever it is, and
                    // whatever takes a wrong one.
                    in_check |= n == 0 || !missing.is_empty() || !bars.is_empty();
                    is_vague |= entry.is_vague;
                    dangers.push(entry);
                }
                true
            });
        }
        // 2. The moves.
        let mut runs = std::mem::take(&mut buffers.runs);
        let royal_kinds = self.royal[owner.idx()];
        let is_quiet = !is_vague && !in_check;
        runs.retain_mut(|run| {
            // Most moves are of pieces that stand in no danger's way.
            if is_quiet && !self.needs_look(game, run, pinned) {
                return true;
            }
            let all = run.lanes;
            let made = if is_made(run.template) && run.from == NONE {
                let brief = Brief::of_made(&buffers.arena.view(run.template), index.watched);
                if brief.is_none() {
                    return self.is_safe_made(game, it, run.template, 0, buffers, 0);
                }
                brief
            } else {
                None
            };
            let (kind, is_simple, is_drop) = if run.from == NONE {
                let brief = made.as_ref().unwrap_or_else(|| &self.briefs[run.template as usize]);
                (brief.kind, brief.is_plain, brief.is_drop)
            } else {
                let aims = &game.blocks.aims[run.template as usize];
                (aims.kind.0, aims.is_plain, false)
            };
            let is_royal = royal_kinds >> kind & 1 != 0 && !is_drop;
            let plain = is_simple && !is_vague && (!is_royal || one_royal);
            if !plain {
                for lane in all.iter() {
                    let (id, start) = game.one_of(run, lane);
                    if !self.is_safe_made(game, it, id, start, buffers, 0) {
                        run.lanes.toggle(lane);
                    }
                }
                return !run.lanes.is_empty();
            }
            if !is_royal && dangers.is_empty() {
                return true;
            }
            let suspects = match run.from {
                _ if is_royal || in_check || is_drop => all,
                NONE => all & pinned,
                from if pinned.contains(from as usize) => all,
                _ => return true,
            };
            let movement = |lane: usize| match run.from {
                NONE => {
                    let brief = made.unwrap_or_else(|| self.briefs[run.template as usize]);
                    (brief.from.at(lane), brief.to.at(lane))
                }
                from => (from as usize, lane),
            };
            let mut left = all;
            let mut suspects = suspects;
            while let Some(lane) = suspects.pop() {
                let (from, to) = movement(lane);
                let mut after = occupied;
                if !is_drop {
                    after &= !Bits::only(from);
                }
                after.insert(to);
                let exposed = if is_royal {
                    if index.is_asked(game, it, attacker, Bits::only(to)) {
                        None
                    } else {
                        index.attacks(it, enemies, to, after)
                    }
                } else {
                    exposes(it, &dangers, if is_drop { to } else { from }, to, after)
                };
                let exposed = exposed.unwrap_or_else(|| {
                    let (id, start) = game.one_of(run, lane);
                    !self.is_safe_made(game, it, id, start, buffers, 0)
                });
                if exposed {
                    left.toggle(lane);
                }
            }
            run.lanes = left;
            !left.is_empty()
        });
        buffers.runs = runs;
        game.look_as(it, owner);
    }

    /// Whether some move of a run may matter to royal pieces, if there is no check.
    #[inline]
    fn needs_look(&self, game: &FastGame<W>, run: &Run<W>, pinned: Bits<W>) -> bool {
        if run.from != NONE {
            return game.blocks.aims[run.template as usize].needs_look
                || pinned.contains(run.from as usize);
        }
        is_made(run.template)
            || self.briefs[run.template as usize].needs_look
            || !(run.lanes & pinned).is_empty()
    }

    /// Whether the turn can end with all royal pieces safe if it begins with this move.
    fn is_safe_made(
        &self,
        game: &FastGame<W>,
        it: &FastState<W>,
        template: u32,
        lane: usize,
        buffers: &mut GenBuffers<W>,
        depth: usize,
    ) -> bool {
        let mut after = it.clone();
        game.do_effects(&mut after, &buffers.arena, template, lane, &mut buffers.finder);
        if let Some(going_on) = game.opening_of(&after, &buffers.arena, template, lane) {
            after.going_on = Some(going_on);
            let n_made = buffers.arena.len();
            let steps = game.continuations(&mut after, buffers, depth);
            if !steps.is_empty() {
                let may_stop = game.rules.ruleset.options.pass_partial;
                let found = may_stop && self.is_pass_safe(game, &mut after, &mut buffers.probe)
                    || steps.iter().any(|run| {
                        game.each_of(*run).any(|(id, lane)| {
                            self.is_safe_made(game, &after, id, lane, buffers, depth + 1)
                        })
                    });
                buffers.arena.truncate(n_made);
                return found;
            }
        }
        !self.is_exposed(game, &mut after, &mut buffers.probe)
    }

    /// The index that knows whether a piece of a kind would be attacked, if there is one:
    /// the kind must be the royal one of which it tells.
    fn index_for(
        &self,
        game: &FastGame<W>,
        it: &FastState<W>,
        owner: Player,
        kind: PieceKind,
        guard: &Guard,
    ) -> Option<(Player, &Index<W>)> {
        let (attacker, move_type, index) = self.by_turn[it.turn as usize]?;
        let index = &self.indexes[index];
        let fits = self.is_duel
            && !guard.is_defence
            && guard.move_type == move_type
            && game.rules.royal_kinds()[owner.idx()] == [kind]
            && !index.has_walkers();
        fits.then_some((attacker, index))
    }

    /// The lanes for which the guards of a template hold.
    pub fn guarded(
        &self,
        game: &FastGame<W>,
        it: &FastState<W>,
        owner: Player,
        template: &Template,
        lanes: Bits<W>,
        probe: &mut Probe<W>,
    ) -> Bits<W> {
        let mut kept = lanes;
        for lane in lanes.iter() {
            let holds = template.guards.iter().all(|guard| {
                let at = guard.at.at(lane);
                let Guard { move_type, is_defence, .. } = *guard;
                let known = self.index_for(game, it, owner, template.kind, guard);
                let known = known.and_then(|(attacker, index)| {
                    let mut occupied = game.layout.all & !it.sets[EMPTY];
                    occupied.insert(at);
                    index.attacks(it, it.sets[game.owner_set(attacker)], at, occupied)
                });
                let found = known.unwrap_or_else(|| {
                    game.probe(it, owner, template.kind, at, move_type, is_defence, probe)
                });
                found == guard.wanted
            });
            if !holds {
                kept.toggle(lane);
            }
        }
        kept
    }
}

/// Whether one of the dangers is true after a piece went from one lane to another; `None`
/// if that depends on what it is by then.
#[inline]
fn exposes<const W: usize>(
    it: &FastState<W>,
    dangers: &[&AttackEntry<W>],
    from: usize,
    to: usize,
    after: Bits<W>,
) -> Option<bool> {
    let mut found = Some(false);
    for danger in dangers {
        let holds = danger.start as usize != to
            && (danger.empty & after).is_empty()
            && (danger.full & !after).is_empty()
            && (danger.bars(it) & !Bits::only(from) & !Bits::only(to)).is_empty();
        if holds && !danger.barred.contains(to) {
            return Some(true);
        }
        if holds {
            found = None;
        }
    }
    found
}

/// Watches for a move that removes what stands on a target.
struct RemovalSink<const W: usize> {
    targets: Bits<W>,
    found: bool,
}

impl<const W: usize> WalkSink<W> for RemovalSink<W> {
    fn add(
        &mut self,
        game: &FastGame<W>,
        it: &FastState<W>,
        walker: &mut WalkBuffers<W>,
        offer: &WalkOffer<'_>,
    ) -> Result<bool, Halt> {
        self.found = offer.removes(game, it, walker, self.targets);
        Ok(!self.found)
    }
}

/// One piece moves, or comes from the hand, and nothing else changes that an attack
/// could depend on.
fn is_plain<const W: usize>(game: &FastGame<W>, template: &Template, watched: Bits<W>) -> bool {
    let (from, to) = template.movements[0];
    let aside = |at: Loc| matches!(at, Loc::Abs(lane) if !watched.contains(lane as usize));
    let is_royal = |kind: PieceKind| game.rules.royal_kinds().iter().any(|it| it.contains(&kind));
    let program = &game.rules.ruleset.pieces[template.kind.idx()].program;
    let crowns = |op: &Op| matches!(op, Op::ChangeType(kind, _) if is_royal(*kind));
    let may_turn = || !is_royal(template.kind) && !program.ops.iter().any(crowns);
    // What a drop promotes to is known; what a piece becomes must be no royal one.
    let promotes = template.promote.is_some_and(|it| is_royal(it) || is_royal(template.kind));
    let changes = template.changes.iter().all(|it| match *it {
        Change::Set { .. } => true,
        Change::Capture { at } | Change::GiveTo { at, .. } | Change::Flip { at } => aside(at),
        Change::TurnInto { at, .. } => aside(at) || at == to && may_turn(),
        Change::Create { at, .. } => aside(at),
    });
    let touched = match (&template.touched, template.lazy) {
        (Some(touched), _) => {
            touched.iter().all(|&(at, gives)| aside(at) || at == to && !gives && may_turn())
        }
        (None, lazy) => lazy.is_none(),
    };
    // A captured piece may be put aside.
    let others = template.movements[1..].iter().all(|it| it.0 == to && aside(it.1));
    let is_single = template.movements.len() == 1;
    !template.is_copy
        && template.partial.is_none()
        && (is_single || !template.is_drop && from != to && others)
        && !(template.is_drop && template.lazy.is_some())
        && !promotes
        && changes
        && touched
}
