//! Translates programs into walk steps: sites become lanes, questions become sets.

use boardwright_play::semantics::{SiteTest, site_change, site_test};

use super::*;

impl<const W: usize> Walks<W> {
    pub fn new(rules: &Rules, layout: &LaneMap<W>) -> Walks<W> {
        let board = &rules.ruleset.board;
        let n = board.n_directions();
        let mut links = vec![NOWHERE; 2 * n * 64 * W];
        for (half, table) in [&board.links[..], rules.links_back()].into_iter().enumerate() {
            for site in 0..board.n_sites() {
                let lane = layout.lane_of[site] as usize;
                for direction in 0..n {
                    let target = table[site * n + direction];
                    if target != NOWHERE {
                        links[(half * n + direction) * 64 * W + lane] =
                            layout.lane_of[target as usize];
                    }
                }
            }
        }
        Walks {
            walks: Vec::new(),
            codes: Vec::new(),
            by_program: FxHashMap::default(),
            links,
            masks: vec![layout.all],
        }
    }

    pub fn owner(&self, walk: usize) -> Player {
        self.walks[walk].owner
    }

    /// Adds a block and gives its number.
    pub fn add(
        &mut self,
        rules: &Rules,
        layout: &LaneMap<W>,
        first_attribute: usize,
        owner: Player,
        kind: PieceKind,
        block: usize,
    ) -> usize {
        let code = match self.by_program.get(&(owner, kind)) {
            Some(&code) => code,
            None => {
                let steps = self.decode(rules, layout, first_attribute, owner, kind);
                self.codes.push(WalkCode { steps: fused(steps) });
                self.by_program.insert((owner, kind), self.codes.len() - 1);
                self.codes.len() - 1
            }
        };
        let it = &rules.ruleset.pieces[kind.idx()].blocks[block];
        self.walks.push(BlockWalk {
            owner,
            kind,
            code,
            entry: it.entry,
            is_drop: it.kind == BlockKind::Drop,
            move_type: it.move_type,
            span: it.span,
        });
        self.walks.len() - 1
    }

    fn mask(&mut self, mask: Bits<W>) -> u16 {
        let found = self.masks.iter().position(|it| *it == mask);
        found.unwrap_or_else(|| {
            self.masks.push(mask);
            self.masks.len() - 1
        }) as u16
    }

    fn decode(
        &mut self,
        rules: &Rules,
        layout: &LaneMap<W>,
        first_attribute: usize,
        owner: Player,
        kind: PieceKind,
    ) -> Vec<WalkStep> {
        let ruleset = &rules.ruleset;
        let board = &ruleset.board;
        let n = board.n_directions();
        let table = |direction: boardwright_game::Direction, back: bool| {
            let seen = board.seen_by(owner, direction).0;
            if back { n as u16 + seen } else { seen }
        };
        let spot = |place: Place| match place {
            Place::Here => Spot::Here,
            Place::Site(site) => Spot::Lane(layout.lane(site) as u16),
            Place::Step(direction) => Spot::Link(table(direction, false)),
            Place::Back(direction) => Spot::Link(table(direction, true)),
        };
        let among = |test: &dyn Fn(boardwright_game::Site) -> bool| {
            let mut lanes = Bits::NONE;
            for site in board.all_sites().filter(|&it| test(it)) {
                lanes.insert(layout.lane(site));
            }
            lanes
        };
        let program = &ruleset.pieces[kind.idx()].program;
        let mut steps = Vec::with_capacity(program.ops.len());
        for &op in &program.ops {
            if let Some((change, place)) = site_change(program, owner, kind, op) {
                steps.push(WalkStep::Change(change, spot(place)));
                continue;
            }
            if let Some((test, place)) = site_test(op) {
                let spot = spot(place);
                steps.push(match test {
                    SiteTest::Marked => WalkStep::Marked(spot),
                    SiteTest::Attacked(of_type) => WalkStep::Attacked(of_type.into(), spot),
                    SiteTest::Defended(of_type) => WalkStep::Defended(of_type.into(), spot),
                    SiteTest::SiteFlag(flag) => WalkStep::SiteFlag(flag, spot),
                    SiteTest::OnBoard => WalkStep::Among(0, spot),
                    SiteTest::GoalSite => {
                        let lanes = among(&|site| rules.goal_sites().contains(site));
                        WalkStep::Among(self.mask(lanes), spot)
                    }
                    SiteTest::InZone(zone) => {
                        let lanes = among(&|site| board.in_zone(zone, owner, site));
                        WalkStep::Among(self.mask(lanes), spot)
                    }
                    SiteTest::IsSite(wanted) => {
                        let lanes = Bits::only(layout.lane(wanted));
                        WalkStep::Among(self.mask(lanes), spot)
                    }
                    SiteTest::Empty => WalkStep::InSet(EMPTY as u8, spot),
                    SiteTest::Enemy => WalkStep::InSet(ENEMY as u8, spot),
                    SiteTest::Friend => WalkStep::InSet(FRIEND as u8, spot),
                    SiteTest::Neutral => WalkStep::InSet(NEUTRAL as u8, spot),
                    SiteTest::AdjacentToEnemy => WalkStep::InSet(NEAR_ENEMY as u8, spot),
                    SiteTest::LastFrom => WalkStep::InSet(LAST_FROM as u8, spot),
                    SiteTest::LastTo => WalkStep::InSet(LAST_TO as u8, spot),
                    SiteTest::IsKind(kind) => {
                        WalkStep::InSet((FIRST_KIND + kind.idx()) as u8, spot)
                    }
                    SiteTest::HasAttribute(it) => {
                        WalkStep::InSet((first_attribute + it.idx()) as u8, spot)
                    }
                });
                continue;
            }
            steps.push(match op {
                Op::Step(direction) => WalkStep::Link(table(direction, false)),
                Op::StepBack(direction) => WalkStep::Link(table(direction, true)),
                Op::Goto(site) => WalkStep::Goto(layout.lane(site) as u16),
                Op::Go(mark) => WalkStep::Go(mark),
                Op::SetFrom => WalkStep::SetFrom,
                Op::SetTo => WalkStep::SetTo,
                Op::SetMark(place) => WalkStep::SetMark(spot(place)),
                Op::Constant(value) => WalkStep::Constant(value),
                Op::Flag(flag) => WalkStep::Flag(flag),
                Op::Not => WalkStep::Not,
                Op::Jump(to) => WalkStep::Jump(to),
                Op::JumpIf(to) => WalkStep::JumpIf(to),
                Op::JumpUnless(to) => WalkStep::JumpUnless(to),
                Op::Verify => WalkStep::Verify,
                Op::SetFlag(flag) => WalkStep::SetFlag(flag),
                Op::SetSiteFlag(flag, place) => WalkStep::SetSiteFlag(flag, spot(place)),
                Op::Cascade => WalkStep::Cascade,
                Op::Add(idx) => WalkStep::Add(idx),
                // Questions and changes were translated above.
                _ => WalkStep::End,
            });
        }
        steps
    }
}

/// Joins questions with the `verify` or jump behind them. Numbers stay, since the
/// second instruction stays where it is, for those who jump to it.
fn fused(steps: Vec<WalkStep>) -> Vec<WalkStep> {
    let mut out = steps.clone();
    for (idx, pair) in steps.windows(2).enumerate() {
        let WalkStep::InSet(set, spot) = pair[0] else { continue };
        let (is_inverted, next) = match pair[1] {
            WalkStep::Not => (true, steps.get(idx + 2)),
            _ => (false, steps.get(idx + 1)),
        };
        let jump = |wanted, target| WalkStep::JumpIn { set, wanted, is_inverted, spot, target };
        match next {
            Some(WalkStep::Verify) => out[idx] = WalkStep::VerifyIn(set, !is_inverted, spot),
            Some(&WalkStep::JumpIf(target)) => out[idx] = jump(!is_inverted, target),
            Some(&WalkStep::JumpUnless(target)) => out[idx] = jump(is_inverted, target),
            _ => {}
        }
    }
    out
}
