//! Blocks sorted into tiers, and the plan of each turn.

mod plan;

use std::sync::Arc;

use boardwright_game::{
    BlockKind, DropStart, MaximalCaptures, MoveType, Op, PieceKind, Player, Ruleset,
};
use boardwright_play::{
    State,
    semantics::{NOWHERE, reads_unset_flag},
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    Unsupported,
    aims::{Aims, Shots},
    bits::Bits,
    builder::{Builder, Detail},
    game::{BlockCode, Class, FastGame, Plan, Start, Tier},
    graph::{Change, Graph, Loc, Node, Pred, Template},
    index::{MAX_PATHS, Path, follow},
    lanes::{Lanes, anchored},
    safety::Safety,
    script::Script,
    shape::Shape,
    walks::Walks,
};

/// States that blocks may make on symbols, all together; then the rest is walked.
const MAX_EFFORT: usize = 60_000;

/// The same where only attacks matter.
const MAX_ATTACK_EFFORT: usize = 40_000;

/// Pairs of templates that are compared.
const MAX_PAIRS: usize = 1 << 22;

/// A block with its graph.
type Known<const W: usize> = (Player, PieceKind, usize, Graph<W>);

/// The tier of each block, by owner, kind and number.
type Tiers = FxHashMap<(Player, PieceKind, usize), Tier>;

impl<const W: usize> FastGame<W> {
    pub(super) fn compile(&mut self) {
        if !self.sort() {
            // News in flags: everything is walked, in the order of the plain machine.
            self.blocks.carries_flags = true;
            (self.blocks.lanes, self.blocks.templates) = (Vec::new(), Vec::new());
            self.blocks.walks = Walks::new(&self.rules, &self.layout);
            self.sort();
        }
    }

    /// Finds each block its tier; `false` if flags carry news from block to block.
    fn sort(&mut self) -> bool {
        let rules = Arc::clone(&self.rules);
        let ruleset = &rules.ruleset;
        let mut ids: FxHashMap<Template, u32> = FxHashMap::default();
        let mut tiers: Tiers = FxHashMap::default();
        // Graphs are kept for the attack index.
        let mut graphs: Vec<Known<W>> = Vec::new();
        // By lanes: the same block as shots, if it can be.
        let mut shots: Vec<Option<Shots<W>>> = Vec::new();
        let mut owners: Vec<Player> = ruleset.turn_order.turns.iter().map(|it| it.owner).collect();
        owners.sort_unstable();
        owners.dedup();
        let mut blocks: Vec<(Player, PieceKind, usize, usize)> = Vec::new();
        for &owner in &owners {
            for kind in (0..ruleset.pieces.len() as u16).map(PieceKind) {
                for idx in 0..ruleset.pieces[kind.idx()].blocks.len() {
                    let first = self.pieces.first_attribute;
                    let walk = self.blocks.walks.add(&rules, &self.layout, first, owner, kind, idx);
                    blocks.push((owner, kind, idx, walk));
                }
            }
        }
        // What is easy comes first, so that hard blocks do not use up all patience.
        for is_last in [false, true] {
            for (owner, kind, idx, walk) in std::mem::take(&mut blocks) {
                let tier = match self.lower(owner, kind, idx, walk, is_last, &mut ids) {
                    Ok((lanes, graph)) => {
                        shots.push(Shots::of(self, kind, &graph, |template| {
                            ids.get(&anchored(template.clone()).0).copied()
                        }));
                        graphs.push((owner, kind, idx, graph));
                        self.pieces.uses_near_enemy |= lanes.uses_near_enemy;
                        self.blocks.lanes.push(lanes);
                        Tier::Lanes(self.blocks.lanes.len() - 1)
                    }
                    Err(Unsupported::TooManyNodes) if !is_last => {
                        blocks.push((owner, kind, idx, walk));
                        continue;
                    }
                    Err(why) => {
                        if !self.blocks.carries_flags
                            && (why == Unsupported::Flags || reads_unset_flag(ruleset, kind, idx))
                        {
                            return false;
                        }
                        self.blocks.walked.push((kind, idx, why));
                        let ops = &ruleset.pieces[kind.idx()].program.ops;
                        self.pieces.uses_near_enemy |=
                            ops.iter().any(|it| matches!(it, Op::AdjacentToEnemy(_)));
                        Tier::Walk(walk)
                    }
                };
                tiers.insert((owner, kind, idx), tier);
            }
        }
        self.find_alike();
        self.blocks.shapes = self.blocks.templates.iter().map(|it| Shape::of(it, &rules)).collect();
        self.find_doubtful();
        self.find_direct(&tiers);
        self.plan(&tiers, &shots);
        for owner in ruleset.all_players() {
            for kind in (0..ruleset.pieces.len() as u16).map(PieceKind) {
                let defaults = ruleset.pieces[kind.idx()].default_attributes as u32;
                let code = self.pieces.codes.code(owner.0.into(), kind.0.into(), defaults);
                self.pieces.new_codes.push(code);
            }
        }
        if self.goals.never_repeats && !self.drops_on_empty(&tiers, &graphs) {
            self.goals.never_repeats = false;
            self.goals.is_one_way = self.goals.watches_repetition;
        }
        let attacks = self.attack_graphs(&tiers, &graphs);
        self.safety = Safety::new(self, &graphs, &attacks);
        true
    }

    /// Whether every drop is to an empty lane, so that each leaves the board fuller.
    fn drops_on_empty(&self, tiers: &Tiers, graphs: &[Known<W>]) -> bool {
        let pieces = &self.rules.ruleset.pieces;
        let is_drop =
            |kind: PieceKind, idx: usize| pieces[kind.idx()].blocks[idx].kind == BlockKind::Drop;
        let walks =
            tiers.iter().any(|(key, tier)| is_drop(key.1, key.2) && matches!(tier, Tier::Walk(_)));
        let mut n_paths = 0;
        !walks
            && graphs.iter().filter(|it| is_drop(it.1, it.2)).all(|(_, _, _, graph)| {
                let mut take = |path: &Path, _, template: &Template| {
                    n_paths += 1;
                    let is_asked = |at: Loc| path.contains(&(Pred::Empty, at, true));
                    let is_sound = template.lazy.is_none()
                        && !template.is_escape
                        && template.movements.iter().all(|it| is_asked(it.1));
                    (is_sound && n_paths < MAX_PATHS).then_some(())
                };
                let Some(root) = graph.root else { return true };
                follow(graph, root, &mut Vec::new(), self.layout.all, &mut take).is_some()
            })
    }

    /// Lanes without a way there or away, where royal pieces are not expected.
    pub(super) fn hidden(&self) -> Bits<W> {
        let board = &self.rules.ruleset.board;
        let n = board.n_directions();
        let mut hidden = self.layout.all;
        for (idx, &target) in board.links.iter().enumerate().filter(|(_, it)| **it != NOWHERE) {
            for lane in [self.layout.lane_of[idx / n], self.layout.lane_of[target as usize]] {
                hidden &= !Bits::only(lane as usize);
            }
        }
        hidden
    }

    /// What the blocks of which the graphs do not tell may do to royal pieces.
    fn attack_graphs(&mut self, tiers: &Tiers, graphs: &[Known<W>]) -> Vec<Known<W>> {
        let rules = Arc::clone(&self.rules);
        let ruleset = &rules.ruleset;
        let mut royal: Vec<PieceKind> = rules.royal_kinds().iter().flatten().copied().collect();
        royal.sort_unstable();
        royal.dedup();
        if royal.is_empty() || ruleset.options.recycle_promotions || self.blocks.carries_flags {
            return Vec::new();
        }
        let is_told = |key: (Player, PieceKind, usize)| {
            let graph = graphs.iter().find(|it| (it.0, it.1, it.2) == key);
            graph.is_some_and(|it| !is_vague(&it.3) && !asks_kinds(&it.3))
        };
        let mut keys: Vec<(Player, PieceKind, usize)> = tiers.keys().copied().collect();
        keys.retain(|&(_, kind, idx)| {
            ruleset.pieces[kind.idx()].blocks[idx].kind == BlockKind::Move
        });
        keys.retain(|&it| !is_told(it));
        keys.sort_unstable();
        let mut found = Vec::new();
        let mut effort = 0;
        let hidden = self.hidden();
        for (owner, kind, idx) in keys {
            if effort > MAX_ATTACK_EFFORT {
                break;
            }
            let mut builder =
                Builder::new(&rules, &self.layout, &self.blocks.uniforms, owner, kind, idx, 0);
            (builder.detail, builder.budget, builder.patience) = (Detail::Attacks, 400, 4000);
            builder.hidden = hidden;
            builder.royal = Some(royal[0]).filter(|_| royal.len() == 1);
            let built = builder.build();
            effort += builder.effort;
            if let Ok(graph) = built {
                found.push((owner, kind, idx, graph));
            }
        }
        found
    }

    /// A block as lanes, or why it must be walked.
    fn lower(
        &mut self,
        owner: Player,
        kind: PieceKind,
        idx: usize,
        walk: usize,
        is_last: bool,
        ids: &mut FxHashMap<Template, u32>,
    ) -> Result<(Lanes<W>, Graph<W>), Unsupported> {
        if self.blocks.carries_flags {
            return Err(Unsupported::Flags);
        }
        let graph = self.graph(owner, kind, idx, walk, is_last)?;
        let templates = &mut self.blocks.templates;
        let n_templates = templates.len();
        let lanes = Lanes::new(&graph, self.layout.all, self.pieces.first_attribute, |template| {
            *ids.entry(template.clone()).or_insert_with(|| {
                templates.push(template);
                templates.len() as u32 - 1
            })
        });
        let Some(lanes) = lanes else {
            templates.truncate(n_templates);
            ids.retain(|_, id| (*id as usize) < n_templates);
            return Err(Unsupported::TooManyNodes);
        };
        Ok((lanes, graph))
    }

    /// The graph of a block, with as much detail as fits.
    fn graph(
        &mut self,
        owner: Player,
        kind: PieceKind,
        idx: usize,
        walk: usize,
        is_last: bool,
    ) -> Result<Graph<W>, Unsupported> {
        let rules = Arc::clone(&self.rules);
        let mut escapes = false;
        let mut why = Unsupported::TooManyNodes;
        // Many changes make many courses, which the first try would follow in vain.
        let few = if n_changes(&rules.ruleset, kind, idx) > 6 { 0 } else { 160 };
        // Captures matter to the index of attacks alone.
        let some = if rules.royal_kinds().iter().all(Vec::is_empty) { 0 } else { 300 };
        let tries = if is_last {
            [(Detail::Captures, 5 * some), (Detail::Full, 1500), (Detail::Movements, 8000)]
        } else {
            [(Detail::Full, few), (Detail::Captures, some), (Detail::Movements, 200)]
        };
        // Whether the hand holds what a piece turns into is asked of whole templates alone.
        let recycles = rules.ruleset.options.recycle_promotions;
        for (detail, budget) in tries.into_iter().filter(|it| it.1 > 0) {
            if recycles && detail != Detail::Full {
                continue;
            }
            if detail == Detail::Captures
                && !is_last
                && let Some(graph) = self.graph_as_at_start(owner, kind, idx, walk)
            {
                return Ok(graph);
            }
            // A local refusal is tried again with escapes.
            for _ in 0..2 {
                if self.blocks.effort > MAX_EFFORT {
                    return Err(why);
                }
                let mut builder = Builder::new(
                    &rules,
                    &self.layout,
                    &self.blocks.uniforms,
                    owner,
                    kind,
                    idx,
                    walk,
                );
                (builder.detail, builder.budget, builder.escapes) = (detail, budget, escapes);
                builder.patience = if is_last { 8000 } else { 1000 };
                let built = builder.build();
                self.blocks.effort += builder.effort;
                match built {
                    Ok(graph) if starts_with_escape(&graph) => return Err(why),
                    Ok(graph) if detail == Detail::Full || emits_differ(&graph) => {
                        return Ok(graph);
                    }
                    Err(Unsupported::Flags) => return Err(Unsupported::Flags),
                    Err(local) if local != Unsupported::TooManyNodes && !escapes => {
                        (escapes, why) = (true, local);
                    }
                    _ => break,
                }
            }
        }
        Err(if is_last { why } else { Unsupported::TooManyNodes })
    }

    /// The graph of a block for when what is asked once for all has the answer it has at the
    /// start, as it mostly does; then the rest may be small. Else the block is walked.
    fn graph_as_at_start(
        &mut self,
        owner: Player,
        kind: PieceKind,
        idx: usize,
        walk: usize,
    ) -> Option<Graph<W>> {
        let rules = Arc::clone(&self.rules);
        let piece = &rules.ruleset.pieces[kind.idx()];
        let entry = piece.blocks[idx].entry;
        let ops = &piece.program.ops[entry as usize..];
        let end = entry + ops.iter().take_while(|it| **it != Op::End).count() as u32;
        let ids = self.blocks.uniforms.within(kind, entry..end);
        let recycles = rules.ruleset.options.recycle_promotions;
        if ids.is_empty() || recycles || reads_unset_flag(&rules.ruleset, kind, idx) {
            return None;
        }
        let mut start = self.fast_state_of(&State::start_of(Arc::clone(&rules)));
        self.look_as(&mut start, owner);
        let answers = self.blocks.uniforms.answers(&start.sets);
        let mut builder =
            Builder::new(&rules, &self.layout, &self.blocks.uniforms, owner, kind, idx, walk);
        (builder.budget, builder.patience) = (400, 1000);
        builder.assumed = ids.into_iter().map(|id| (id, answers.contains(id as usize))).collect();
        let built = builder.build();
        self.blocks.effort += builder.effort;
        built.ok()
    }

    /// Templates that look alike but for their type and guards give equal moves.
    fn find_alike(&mut self) {
        let mut alike: FxHashMap<Template, u32> = FxHashMap::default();
        for (idx, template) in self.blocks.templates.iter().enumerate() {
            let mut key = template.clone();
            key.guards.clear();
            key.move_type = None;
            if let Some(last) = key.movements.last_mut().filter(|_| template.is_copy) {
                // What is copied is not written down.
                last.0 = last.1;
            }
            self.blocks.canonical.push(*alike.entry(key).or_insert(idx as u32));
        }
    }

    /// An offer goes straight to the list if no other of its owner's can give an equal move.
    fn find_direct(&mut self, tiers: &Tiers) {
        for owner in self.rules.ruleset.all_players() {
            let blocks = || {
                tiers.iter().filter(|(key, _)| key.0 == owner).filter_map(|(_, tier)| match *tier {
                    Tier::Lanes(lanes) => Some(lanes),
                    Tier::Walk(_) => None,
                })
            };
            let mut times: FxHashMap<u32, u32> = FxHashMap::default();
            for offer in blocks().flat_map(|it| &self.blocks.lanes[it].offers) {
                *times.entry(self.blocks.canonical[offer.template as usize]).or_default() += 1;
            }
            for block in blocks() {
                self.blocks.lanes[block].set_direct(|template| {
                    let shape = &self.blocks.shapes[template as usize];
                    let alone = times[&self.blocks.canonical[template as usize]] == 1;
                    alone && !shape.is_guarded && !shape.is_copy && !shape.is_escape
                });
            }
        }
    }

    /// Whether two templates can be offered in one turn, as far as lazy ones tell.
    fn share_owner(&self, one: usize, other: usize) -> bool {
        let owner = |it: usize| {
            self.blocks.templates[it].lazy.map(|walk| self.blocks.walks.owner(walk as usize))
        };
        // A lazy move lies at its start, where one piece of one kind stands.
        let starts_there = |it: usize| {
            let template = &self.blocks.templates[it];
            !template.is_copy
                && if template.is_drop {
                    template.promote.is_none()
                } else {
                    template.movements[0].0 == Loc::Rel(0)
                }
        };
        match (owner(one), owner(other)) {
            (Some(a), Some(b)) => {
                let other_kind =
                    self.blocks.templates[one].kind != self.blocks.templates[other].kind;
                a == b && !(other_kind && starts_there(one) && starts_there(other))
            }
            _ => true,
        }
    }

    /// A move to a site named outright and one by a distance are equal for some start.
    fn find_meeting(&mut self) {
        let names = |it: &Template| {
            it.movements.iter().any(|(from, to)| {
                matches!(from, Loc::Abs(_)) && !it.is_drop || matches!(to, Loc::Abs(_))
            })
        };
        let meets = |one: Loc, other: Loc| {
            one == other || matches!(one, Loc::Abs(_)) != matches!(other, Loc::Abs(_))
        };
        let n_names = self.blocks.templates.iter().filter(|it| names(it)).count();
        if n_names.saturating_mul(self.blocks.templates.len()) > MAX_PAIRS {
            // Too many to compare, so all are looked at in play.
            self.blocks.shapes.iter_mut().for_each(|it| it.is_doubtful = true);
            self.blocks.has_doubtful = true;
            return;
        }
        for one in 0..self.blocks.templates.len() {
            if self.blocks.templates[one].is_escape || !names(&self.blocks.templates[one]) {
                continue;
            }
            for other in 0..self.blocks.templates.len() {
                let (a, b) = (&self.blocks.templates[one], &self.blocks.templates[other]);
                let meet = self.blocks.canonical[one] != self.blocks.canonical[other]
                    && !b.is_escape
                    && (a.promote, a.partial, a.is_drop) == (b.promote, b.partial, b.is_drop)
                    && a.movements.len() == b.movements.len()
                    && a.movements
                        .iter()
                        .zip(&b.movements)
                        .all(|(a, b)| meets(a.1, b.1) && meets(a.0, b.0));
                if meet {
                    self.blocks.shapes[one].is_doubtful = true;
                    self.blocks.shapes[other].is_doubtful = true;
                    self.blocks.has_doubtful = true;
                }
            }
        }
    }

    /// Lazy moves of different blocks can be equal, which shows only in their effects.
    fn find_doubtful(&mut self) {
        type Key = (Vec<(Loc, Loc)>, Option<PieceKind>, Option<Option<MoveType>>, bool);
        let mut groups: FxHashMap<Key, Vec<usize>> = FxHashMap::default();
        for (idx, template) in self.blocks.templates.iter().enumerate().filter(|it| !it.1.is_escape)
        {
            let mut movements = template.movements.clone();
            match movements.as_mut_slice() {
                // What is copied is not written down, and lazy ones lie where it stands.
                [only] if template.is_copy => *only = (Loc::Rel(0), Loc::Rel(0)),
                [.., last] if template.is_copy => last.0 = last.1,
                _ => {}
            }
            let key = (movements, template.promote, template.partial, template.is_drop);
            groups.entry(key).or_default().push(idx);
        }
        self.find_meeting();
        for group in groups.into_values() {
            let is_open = |it: &usize| {
                self.blocks.templates[*it].lazy.is_some()
                    && self.blocks.templates[*it].touched.is_none()
            };
            let any_open = group.iter().any(is_open);
            if !group.iter().any(|&it| self.blocks.templates[it].lazy.is_some()) {
                continue;
            }
            if group.len().saturating_mul(group.len()) > MAX_PAIRS / 16 {
                group.iter().for_each(|&it| self.blocks.shapes[it].is_doubtful = true);
                self.blocks.has_doubtful = true;
                continue;
            }
            for &idx in &group {
                let other = |it: &&usize| {
                    self.blocks.canonical[**it] != self.blocks.canonical[idx]
                        && self.share_owner(**it, idx)
                        && (any_open || surely_changed(self, **it) == surely_changed(self, idx))
                };
                let rival = group.iter().find(other);
                let lazy = |it: usize| self.blocks.templates[it].lazy.is_some();
                if rival.is_some_and(|&it| lazy(it) || lazy(idx)) {
                    self.blocks.shapes[idx].is_doubtful = true;
                    self.blocks.has_doubtful = true;
                }
            }
        }
    }
}

/// About how many instructions an operation of a script takes, with those that are skipped.
const COST_OF_OP: usize = 15;

/// How many changes the code of a block notes, as far as its end.
fn n_changes(ruleset: &Ruleset, kind: PieceKind, block: usize) -> usize {
    let piece = &ruleset.pieces[kind.idx()];
    let ops = &piece.program.ops[piece.blocks[block].entry as usize..];
    let is_change = |it: &&Op| {
        matches!(it, Op::SetAttribute(..) | Op::Flip(_) | Op::ChangeOwner(_) | Op::ChangeType(..))
    };
    ops.iter().take_while(|it| **it != Op::End).filter(is_change).count()
}

/// Where a move surely changes a piece: where one arrives.
fn surely_changed<const W: usize>(game: &FastGame<W>, template: usize) -> Vec<Loc> {
    let template = &game.blocks.templates[template];
    let changed = template.changes.iter().filter_map(|it| match *it {
        Change::TurnInto { at, .. }
        | Change::GiveTo { at, .. }
        | Change::Flip { at }
        | Change::Set { at, .. } => Some(at),
        Change::Create { .. } | Change::Capture { .. } => None,
    });
    let touched = template.touched.iter().flatten().map(|it| it.0);
    let arrives = |it: &Loc| template.movements.iter().any(|(_, to)| to == it);
    let mut lanes: Vec<Loc> = changed.chain(touched).filter(arrives).collect();
    lanes.sort_unstable();
    lanes.dedup();
    lanes
}

/// Whether some move of a graph may do what the graph does not show.
pub(super) fn is_vague<const W: usize>(graph: &Graph<W>) -> bool {
    graph.nodes.iter().any(|node| match node {
        Node::Emit { templates, .. } => {
            templates.iter().any(|it| it.lazy.is_some() && it.touched.is_none())
        }
        _ => false,
    })
}

/// Whether a graph asks for more than masks of occupied lanes can say.
fn asks_kinds<const W: usize>(graph: &Graph<W>) -> bool {
    graph.nodes.iter().any(|node| match node {
        Node::Test { pred, .. } => matches!(pred, Pred::Kind(_) | Pred::Uniform),
        _ => false,
    })
}

/// Whether a graph is nothing but a walk.
fn starts_with_escape<const W: usize>(graph: &Graph<W>) -> bool {
    graph.root.is_some_and(|root| match &graph.nodes[root] {
        Node::Emit { templates, .. } => templates.iter().any(|it| it.is_escape),
        _ => false,
    })
}

/// Whether the moves on any path through a graph differ in their movements, so that a
/// lazy one can be found again by them.
fn emits_differ<const W: usize>(graph: &Graph<W>) -> bool {
    type Key<'a> = (&'a [(Loc, Loc)], Option<PieceKind>, bool);
    let mut keys: FxHashMap<Key<'_>, usize> = FxHashMap::default();
    // By length and place: whether the locations are outright.
    let mut forms: FxHashMap<(usize, usize), [bool; 2]> = FxHashMap::default();
    let mut reached: Vec<Vec<u64>> = Vec::with_capacity(graph.nodes.len());
    let is_abs = |it: Loc| matches!(it, Loc::Abs(_));
    for node in &graph.nodes {
        let of = |it: &Option<usize>| it.map(|it| reached[it].clone()).unwrap_or_default();
        reached.push(match node {
            Node::Test { yes, no, .. } | Node::Filter { yes, no, .. } => {
                let (mut one, other) = (of(yes), of(no));
                one.resize(one.len().max(other.len()), 0);
                one.iter_mut().zip(&other).for_each(|(one, other)| *one |= other);
                one
            }
            Node::Emit { templates, next } => {
                let mut seen = of(next);
                for template in templates {
                    let movements = &*template.movements;
                    for (place, &(from, to)) in movements.iter().enumerate() {
                        let form = [is_abs(from), is_abs(to)];
                        if *forms.entry((movements.len(), place)).or_insert(form) != form {
                            return false;
                        }
                    }
                    let key = (movements, template.promote, template.partial.is_some());
                    let n_keys = keys.len();
                    let key = *keys.entry(key).or_insert(n_keys);
                    seen.resize(seen.len().max(key / 64 + 1), 0);
                    if seen[key / 64] >> (key % 64) & 1 != 0 {
                        return false;
                    }
                    seen[key / 64] |= 1 << (key % 64);
                }
                seen
            }
        });
    }
    true
}
