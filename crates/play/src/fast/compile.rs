//! Blocks sorted into tiers, and the plan of each turn.

use std::sync::Arc;

use boardwright_game::{
    BlockKind, DropStart, MaximalCaptures, MoveType, Op, PieceKind, Player, Ruleset,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    Refusal,
    aims::{Aims, Shots},
    bits::Bits,
    game::{Class, Code, Game, Plan, Shape, Start, Tier},
    graph::{Builder, Effort, Graph, Node, Template},
    lanes::{Lanes, anchored},
    safety::Safety,
    script::Script,
    walks::Walks,
};

/// The tier of each block, by owner, kind and number.
type Tiers = FxHashMap<(Player, PieceKind, usize), Tier>;

impl<const W: usize> Game<W> {
    pub(super) fn compile(&mut self) {
        if !self.sort() {
            // News in flags: everything is walked, in the order of the plain machine.
            self.carries_flags = true;
            (self.lanes, self.templates) = (Vec::new(), Vec::new());
            self.walks = Walks::new(&self.rules, &self.layout);
            self.sort();
        }
    }

    /// Finds each block its tier; `false` if flags carry news from block to block.
    fn sort(&mut self) -> bool {
        let rules = Arc::clone(&self.rules);
        let ruleset = &rules.ruleset;
        let mut ids: FxHashMap<Template, u32> = FxHashMap::default();
        let mut tiers: Tiers = FxHashMap::default();
        let mut effort = Effort { left: Effort::GAME, left_in_block: 0 };
        // Graphs are kept for the attack index.
        let mut graphs: Vec<(Player, PieceKind, usize, Graph<W>)> = Vec::new();
        // By lanes: the same block as shots, if it can be.
        let mut shots: Vec<Option<Shots<W>>> = Vec::new();
        let mut owners: Vec<Player> = ruleset.turn_order.turns.iter().map(|it| it.owner).collect();
        owners.sort_unstable();
        owners.dedup();
        for &owner in &owners {
            for kind in (0..ruleset.pieces.len() as u16).map(PieceKind) {
                for idx in 0..ruleset.pieces[kind.idx()].blocks.len() {
                    let tier = match self.lower(owner, kind, idx, &mut ids, &mut effort) {
                        Ok((lanes, graph)) => {
                            shots.push(Shots::of(self, kind, &graph, |template| {
                                ids.get(&anchored(template.clone()).0).copied()
                            }));
                            graphs.push((owner, kind, idx, graph));
                            self.uses_near_enemy |= lanes.uses_near_enemy;
                            self.lanes.push(lanes);
                            Tier::Lanes(self.lanes.len() - 1)
                        }
                        Err(why) => {
                            if !self.carries_flags
                                && (why == Refusal::Flags || reads_unset(ruleset, kind, idx))
                            {
                                return false;
                            }
                            let first = self.first_attribute;
                            let walk =
                                self.walks.add(&rules, &self.layout, first, owner, kind, idx);
                            let ops = &ruleset.pieces[kind.idx()].program.ops;
                            self.uses_near_enemy |=
                                ops.iter().any(|it| matches!(it, Op::AdjacentToEnemy(_)));
                            Tier::Walk(walk)
                        }
                    };
                    tiers.insert((owner, kind, idx), tier);
                }
            }
        }
        self.find_alike();
        self.shapes = self.templates.iter().map(|it| Shape::of(it, &rules)).collect();
        self.find_direct(&tiers);
        self.plan(&tiers, &shots);
        for owner in ruleset.all_players() {
            for kind in (0..ruleset.pieces.len() as u16).map(PieceKind) {
                let defaults = ruleset.pieces[kind.idx()].default_attributes as u32;
                let code = self.codes.code(owner.0.into(), kind.0.into(), defaults);
                self.new_codes.push(code);
            }
        }
        self.safety = Safety::new(self, &graphs);
        true
    }

    /// A block as lanes, or why it must be walked.
    fn lower(
        &mut self,
        owner: Player,
        kind: PieceKind,
        idx: usize,
        ids: &mut FxHashMap<Template, u32>,
        effort: &mut Effort,
    ) -> Result<(Lanes<W>, Graph<W>), Refusal> {
        let rules = Arc::clone(&self.rules);
        if self.carries_flags {
            return Err(Refusal::Flags);
        }
        let program = &rules.ruleset.pieces[kind.idx()].program;
        let turns = program.ops.iter().any(|it| matches!(it, Op::ChangeType(..)))
            || program.adds.iter().any(|it| !it.promote.is_empty());
        if turns && rules.ruleset.options.recycle_promotions {
            // Whether the hand holds what a piece turns into is asked by walks alone.
            return Err(Refusal::Options);
        }
        let graph = match Builder::new(&rules, &self.layout, owner, kind, idx, effort).build() {
            Err(Refusal::TooManyNodes) => {
                let mut builder = Builder::new(&rules, &self.layout, owner, kind, idx, effort);
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
        let n_templates = templates.len();
        let lanes = Lanes::new(&graph, self.layout.all, self.first_attribute, |template| {
            *ids.entry(template.clone()).or_insert_with(|| {
                templates.push(template);
                templates.len() as u32 - 1
            })
        });
        let Some(lanes) = lanes else {
            templates.truncate(n_templates);
            ids.retain(|_, id| (*id as usize) < n_templates);
            return Err(Refusal::TooManyNodes);
        };
        Ok((lanes, graph))
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
    fn find_direct(&mut self, tiers: &Tiers) {
        for owner in self.rules.ruleset.all_players() {
            let blocks = || {
                tiers.iter().filter(|(key, _)| key.0 == owner).filter_map(|(_, tier)| match *tier {
                    Tier::Lanes(lanes) => Some(lanes),
                    Tier::Walk(_) => None,
                })
            };
            let mut times: FxHashMap<u32, u32> = FxHashMap::default();
            for offer in blocks().flat_map(|it| &self.lanes[it].offers) {
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

    fn plan(&mut self, tiers: &Tiers, shots: &[Option<Shots<W>>]) {
        let rules = Arc::clone(&self.rules);
        let ruleset = &rules.ruleset;
        let n_kinds = rules.n_kinds();
        for turn in &ruleset.turn_order.turns {
            let mut plan: Plan<W> = vec![Class::default(); ruleset.priorities.len() + 1];
            let mut lanes: Vec<Vec<(Start<W>, usize)>> = vec![Vec::new(); plan.len()];
            for kind in (0..n_kinds as u16).map(PieceKind) {
                for (idx, block) in ruleset.pieces[kind.idx()].blocks.iter().enumerate() {
                    let fits = turn.move_type.is_none() || block.move_type == turn.move_type;
                    let Some(&tier) = tiers.get(&(turn.owner, kind, idx)) else { continue };
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
                    let rank = rules.rank(block.move_type);
                    match tier {
                        Tier::Lanes(block) => lanes[rank].push((start, block)),
                        Tier::Walk(walk) => plan[rank].walks.push((start, walk)),
                    }
                }
            }
            for (class, blocks) in plan.iter_mut().zip(lanes) {
                class.code = self.code_for(turn.owner, blocks, shots, false);
            }
            plan.retain(|it| !it.code.is_empty() || !it.walks.is_empty());
            self.plans.push(plan);
        }
        for (&(owner, kind, idx), &tier) in tiers {
            let block = &ruleset.pieces[kind.idx()].blocks[idx];
            if block.kind == BlockKind::Move {
                let slot = self.hand_slot(owner, kind);
                self.going_on[slot].push((block.move_type, tier, idx));
            }
        }
        for list in &mut self.going_on {
            list.sort_unstable_by_key(|it| it.2);
        }
        for owner in ruleset.all_players() {
            for kind in (0..n_kinds as u16).map(PieceKind) {
                let slot = self.hand_slot(owner, kind);
                self.code[slot] = self.code_by_type(owner, kind, shots);
            }
        }
    }

    /// The code of a kind's move blocks, of all types and of each.
    fn code_by_type(
        &mut self,
        owner: Player,
        kind: PieceKind,
        shots: &[Option<Shots<W>>],
    ) -> Vec<(Option<MoveType>, Code<W>)> {
        let blocks = self.going_on[self.hand_slot(owner, kind)].clone();
        let mut types = vec![None];
        for &(of_type, ..) in blocks.iter().filter(|it| it.0.is_some()) {
            if !types.contains(&of_type) {
                types.push(of_type);
            }
        }
        let mut code = Vec::new();
        for wanted in types {
            let fitting = blocks.iter().filter(|it| wanted.is_none() || it.0 == wanted);
            let lanes = fitting.filter_map(|it| match it.1 {
                Tier::Lanes(lanes) => Some((Start::Pieces(kind), lanes)),
                Tier::Walk(_) => None,
            });
            code.push((wanted, self.code_for(owner, lanes.collect(), shots, true)));
        }
        code
    }

    /// Blocks as scripts and aims, whichever is cheaper; `one` if they run for one piece.
    fn code_for(
        &mut self,
        owner: Player,
        mut blocks: Vec<(Start<W>, usize)>,
        shots: &[Option<Shots<W>>],
        one: bool,
    ) -> Code<W> {
        let ruleset = Arc::clone(&self.rules.ruleset);
        let mut aims = Vec::new();
        // Doubles count where chance moves, and chains are followed in runs of one template.
        let is_usual = !ruleset.players.iter().any(|it| it.is_random)
            && ruleset.options.maximal_captures == MaximalCaptures::No;
        for kind in (0..ruleset.pieces.len() as u16).map(PieceKind).filter(|_| is_usual) {
            let of_kind = |it: &(Start<W>, usize)| matches!(it.0, Start::Pieces(it) if it == kind);
            let fits = |it: &(Start<W>, usize)| of_kind(it) && shots[it.1].is_some();
            let mine: Vec<usize> = blocks.iter().filter(|it| fits(it)).map(|it| it.1).collect();
            let Some(found) =
                Aims::of(self, kind, mine.iter().filter_map(|&it| shots[it].as_ref()))
            else {
                continue;
            };
            let canonical = |id: u32| self.canonical[id as usize];
            let aimed: FxHashSet<u32> = mine
                .iter()
                .filter_map(|&it| shots[it].as_ref())
                .flat_map(|it| it.templates().map(canonical))
                .collect();
            let others = blocks.iter().filter(|it| of_kind(it) && !fits(it));
            let doubles = others
                .flat_map(|it| &self.lanes[it.1].offers)
                .any(|it| aimed.contains(&canonical(it.template)));
            let n_ops: usize = mine.iter().map(|&it| self.lanes[it].n_ops()).sum();
            let n_pieces = if one { 1 } else { self.n_at_start(owner, kind).max(1) };
            // Copies by several pieces may be equal; those of one are not.
            let is_fit = !doubles && (one || !found.are_nameless);
            if is_fit && n_pieces * found.cost() < n_ops * COST_OF_OP {
                blocks.retain(|it| !fits(it));
                aims.push(self.aims.len() as u32);
                self.aims.push(found);
            }
        }
        let blocks = blocks.into_iter().map(|(start, it)| (start, &self.lanes[it]));
        Code { scripts: Script::of(self, owner, blocks), aims }
    }
}

/// About how many instructions an operation of a script takes, with those that are skipped.
const COST_OF_OP: usize = 15;

/// Whether a block may read a flag that it did not set, so that blocks must run in the
/// order of the plain machine: decision `flag-lifetime`.
fn reads_unset(ruleset: &Ruleset, kind: PieceKind, block: usize) -> bool {
    let piece = &ruleset.pieces[kind.idx()];
    let ops = &piece.program.ops;
    if !ops.iter().any(|it| matches!(it, Op::Flag(_))) {
        return false;
    }
    let entry = piece.blocks[block].entry as usize;
    // Follows all paths with the flags that are surely set.
    const UNSEEN: u64 = u64::MAX;
    let bit = |flag: u16| 1u64.checked_shl(flag.into()).filter(|it| it >> 63 == 0);
    let mut surely = vec![UNSEEN; ops.len()];
    let mut open = vec![(entry, 0u64)];
    while let Some((pc, set)) = open.pop() {
        // The last bit tells a place that was seen from one that was not.
        let now = surely[pc] & set;
        if now == surely[pc] {
            continue;
        }
        surely[pc] = now;
        match ops[pc] {
            Op::End => {}
            Op::Flag(flag) => match bit(flag) {
                Some(bit) if now & bit != 0 => open.push((pc + 1, now)),
                _ => return true,
            },
            Op::SetFlag(flag) => open.push((pc + 1, now | bit(flag).unwrap_or(0))),
            Op::Jump(to) => open.push((to as usize, now)),
            Op::JumpIf(to) | Op::JumpUnless(to) => {
                open.push((to as usize, now));
                open.push((pc + 1, now));
            }
            _ => open.push((pc + 1, now)),
        }
    }
    false
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
