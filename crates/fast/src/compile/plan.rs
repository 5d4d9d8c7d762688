//! Orders the compiled blocks by turn and urgency.

use super::*;

impl<const W: usize> FastGame<W> {
    pub(super) fn plan(&mut self, tiers: &Tiers, shots: &[Option<Shots<W>>]) {
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
            self.order.plans.push(plan);
        }
        for (&(owner, kind, idx), &tier) in tiers {
            let block = &ruleset.pieces[kind.idx()].blocks[idx];
            if block.kind == BlockKind::Move {
                let slot = self.hand_slot(owner, kind);
                self.blocks.going_on[slot].push((block.move_type, tier, idx));
            }
        }
        for list in &mut self.blocks.going_on {
            list.sort_unstable_by_key(|it| it.2);
        }
        for owner in ruleset.all_players() {
            for kind in (0..n_kinds as u16).map(PieceKind) {
                let slot = self.hand_slot(owner, kind);
                self.blocks.code[slot] = self.code_by_type(owner, kind, shots);
            }
        }
    }

    /// The code of a kind's move blocks, of all types and of each.
    fn code_by_type(
        &mut self,
        owner: Player,
        kind: PieceKind,
        shots: &[Option<Shots<W>>],
    ) -> Vec<(Option<MoveType>, BlockCode<W>)> {
        let blocks = self.blocks.going_on[self.hand_slot(owner, kind)].clone();
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
    ) -> BlockCode<W> {
        let ruleset = Arc::clone(&self.rules.ruleset);
        let mut aims = Vec::new();
        // Doubles count where chance moves, and chains are followed in runs of one template.
        let is_usual = !ruleset.players.iter().any(|it| it.is_random)
            && ruleset.options.maximal_captures == MaximalCaptures::No;
        for kind in (0..ruleset.pieces.len() as u16).map(PieceKind).filter(|_| is_usual) {
            let of_kind = |it: &(Start<W>, usize)| matches!(it.0, Start::Pieces(it) if it == kind);
            let fits = |it: &(Start<W>, usize)| of_kind(it) && shots[it.1].is_some();
            let mine: Vec<usize> = blocks.iter().filter(|it| fits(it)).map(|it| it.1).collect();
            if mine.is_empty() {
                continue;
            }
            let Some(found) =
                Aims::of(self, kind, mine.iter().filter_map(|&it| shots[it].as_ref()))
            else {
                continue;
            };
            let canonical = |id: u32| self.blocks.canonical[id as usize];
            let aimed: FxHashSet<u32> = mine
                .iter()
                .filter_map(|&it| shots[it].as_ref())
                .flat_map(|it| it.templates().map(canonical))
                .collect();
            let others = blocks.iter().filter(|it| of_kind(it) && !fits(it));
            let doubles = others
                .flat_map(|it| &self.blocks.lanes[it.1].offers)
                .any(|it| aimed.contains(&canonical(it.template)));
            let n_ops: usize = mine.iter().map(|&it| self.blocks.lanes[it].n_ops()).sum();
            let n_pieces = if one { 1 } else { self.n_at_start(owner, kind).max(1) };
            // Copies by several pieces may be equal; those of one are not.
            let is_fit = !doubles && (one || !found.are_nameless);
            if is_fit && n_pieces * found.cost() < n_ops * COST_OF_OP {
                blocks.retain(|it| !fits(it));
                aims.push(self.blocks.aims.len() as u32);
                self.blocks.aims.push(found);
            }
        }
        let blocks = blocks.into_iter().map(|(start, it)| (start, &self.blocks.lanes[it]));
        BlockCode { scripts: Script::of(self, owner, blocks), aims }
    }
}
