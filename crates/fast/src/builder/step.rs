//! The meaning of each instruction when a block is run on symbols.

use boardwright_game::{Mark, MoveType, Op, Place};
use boardwright_play::semantics::{self, SiteTest, site_change, site_test};

use super::{Builder, Detail, SymbolicWalk, Trail, ZERO};
use crate::{
    Unsupported,
    bits::Bits,
    graph::{Change, Guard, Loc, Node, NodeId, Pred},
};

/// Instructions without a question between two nodes; more are an endless loop.
const STRAIGHT: usize = 4000;

impl<const W: usize> Builder<'_, W> {
    /// Runs instructions up to the next one that depends on the board.
    pub(super) fn step(
        &mut self,
        mut walk: SymbolicWalk,
        trail: Trail<W>,
    ) -> Result<Option<NodeId>, Unsupported> {
        let rules = self.rules;
        let program = &rules.ruleset.pieces[self.kind.idx()].program;
        for _ in 0..STRAIGHT {
            if let Some((id, end)) = self.uniforms.find(self.kind, walk.pc) {
                walk.pc = end;
                if let Some(&(_, answer)) = self.assumed.iter().find(|it| it.0 == id) {
                    walk.truth = answer;
                    continue;
                }
                return self.uniform(walk, id, trail);
            }
            let op = program.ops[walk.pc as usize];
            walk.pc += 1;
            if matches!(op, Op::End) || matches!(op, Op::Verify) && !walk.truth {
                return Ok(None);
            }
            if !self.run_straight(&mut walk, op)? {
                return self.fork(walk, op, trail);
            }
        }
        Err(Unsupported::EndlessBlock)
    }

    /// Splits by a question whose answer is the same for all starts.
    fn uniform(
        &mut self,
        walk: SymbolicWalk,
        id: u16,
        trail: Trail<W>,
    ) -> Result<Option<NodeId>, Unsupported> {
        let no = self.go(SymbolicWalk { truth: false, ..walk.clone() }, trail.on())?;
        let yes = self.go(SymbolicWalk { truth: true, ..walk }, trail.on())?;
        if yes == no {
            return Ok(yes);
        }
        let (at, on_board) = (Loc::Abs(id), self.layout.all);
        self.push(Node::Test { pred: Pred::Uniform, at, on_board, yes, no })
    }

    /// Runs an instruction that does not depend on the board; `false` if it does.
    fn run_straight(&self, walk: &mut SymbolicWalk, op: Op) -> Result<bool, Unsupported> {
        let bit = |flag: u16| 1u64.checked_shl(u32::from(flag)).ok_or(Unsupported::Flags);
        match op {
            Op::Goto(site) => walk.cursor = Loc::Abs(self.layout.lane(site) as u16),
            Op::Go(mark) => {
                walk.cursor = match mark {
                    Mark::From => walk.from,
                    Mark::To => walk.to.unwrap_or(walk.cursor),
                    Mark::Mark => walk.mark.unwrap_or(ZERO),
                    Mark::LastFrom | Mark::LastTo => return Err(Unsupported::LastSites),
                };
            }
            Op::SetFrom => walk.from = walk.cursor,
            Op::SetTo => walk.to = Some(walk.cursor),
            Op::Constant(value) => walk.truth = value,
            Op::Flag(flag) => {
                let bit = bit(flag)?;
                if walk.known_flags & bit == 0 {
                    return Err(Unsupported::Flags);
                }
                walk.truth = walk.flags & bit != 0;
            }
            Op::SetFlag(flag) => {
                let bit = bit(flag)?;
                walk.known_flags |= bit;
                walk.flags = if walk.truth { walk.flags | bit } else { walk.flags & !bit };
            }
            Op::Not => walk.truth = !walk.truth,
            Op::Jump(to) => walk.pc = to,
            Op::JumpIf(to) => walk.pc = if walk.truth { to } else { walk.pc },
            Op::JumpUnless(to) => walk.pc = if walk.truth { walk.pc } else { to },
            // One that fails ends the walk before it is run.
            Op::Verify => {}
            Op::Cascade => {
                let to = walk.to.unwrap_or(walk.cursor);
                walk.cascades.push((walk.from, to));
                semantics::order_after_cascade(&mut walk.changes, &mut walk.captures);
                walk.from = walk.cursor;
                walk.to = None;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Runs an instruction that depends on the board: a step, a test or an effect.
    fn fork(
        &mut self,
        walk: SymbolicWalk,
        op: Op,
        trail: Trail<W>,
    ) -> Result<Option<NodeId>, Unsupported> {
        let rules = self.rules;
        let program = &rules.ruleset.pieces[self.kind.idx()].program;
        if let Some((change, place)) = site_change(program, self.owner, self.kind, op) {
            let truth = walk.truth;
            return self.change(walk, place, trail, |at| Change::of(change, at, truth));
        }
        if let Some((test, place)) = site_test(op) {
            return self.ask(walk, place, test, trail);
        }
        match op {
            Op::Step(direction) => self.stride(walk, Place::Step(direction), trail),
            Op::StepBack(direction) => self.stride(walk, Place::Back(direction), trail),
            Op::SetMark(place) => self.set_mark(walk, place, trail),
            Op::SetSiteFlag(..) => Err(Unsupported::SiteFlags),
            Op::Add(idx) => self.add(walk, &program.adds[idx as usize], trail),
            // The others were run already.
            _ => Err(Unsupported::EndlessBlock),
        }
    }

    /// Splits by the answer to a question about a site.
    fn ask(
        &mut self,
        walk: SymbolicWalk,
        place: Place,
        test: SiteTest,
        trail: Trail<W>,
    ) -> Result<Option<NodeId>, Unsupported> {
        let (rules, layout, owner) = (self.rules, self.layout, self.owner);
        let pred = match test {
            SiteTest::Empty => Pred::Empty,
            SiteTest::Enemy => Pred::Enemy,
            SiteTest::Friend => Pred::Friend,
            SiteTest::Neutral => Pred::Neutral,
            SiteTest::AdjacentToEnemy => Pred::NearEnemy,
            SiteTest::LastFrom => Pred::LastFrom,
            SiteTest::LastTo => Pred::LastTo,
            SiteTest::IsKind(kind) => Pred::Kind(kind.0),
            SiteTest::HasAttribute(it) => Pred::Attribute(it.0),
            SiteTest::OnBoard => return self.static_test(walk, place, trail, |_| true),
            SiteTest::GoalSite => {
                let is_goal = |lane| rules.goal_sites().contains(layout.site(lane));
                return self.static_test(walk, place, trail, is_goal);
            }
            SiteTest::InZone(zone) => {
                let board = &rules.ruleset.board;
                let is_inside = |lane| board.in_zone(zone, owner, layout.site(lane));
                return self.static_test(walk, place, trail, is_inside);
            }
            SiteTest::IsSite(site) => {
                let wanted = layout.lane(site);
                return self.static_test(walk, place, trail, |lane| lane == wanted);
            }
            SiteTest::Marked => return self.marked(walk, place, trail),
            SiteTest::Attacked(of_type) => return self.guard(walk, place, of_type, false, trail),
            SiteTest::Defended(of_type) => return self.guard(walk, place, of_type, true, trail),
            SiteTest::SiteFlag(_) => return Err(Unsupported::SiteFlags),
        };
        self.test(walk, place, pred, trail)
    }

    fn set_mark(
        &mut self,
        walk: SymbolicWalk,
        place: Place,
        trail: Trail<W>,
    ) -> Result<Option<NodeId>, Unsupported> {
        let places = self.places(place, walk.cursor)?;
        let mut node = self.go(walk.clone(), trail.except(&places))?;
        for (at, starts) in places {
            let with = SymbolicWalk { mark: Some(at), ..walk.clone() };
            let next = self.go(with, trail.only(starts))?;
            node = self.filter(starts, next, node, trail)?;
        }
        Ok(node)
    }

    fn marked(
        &mut self,
        walk: SymbolicWalk,
        place: Place,
        trail: Trail<W>,
    ) -> Result<Option<NodeId>, Unsupported> {
        let Some(mark) = walk.mark else {
            return self.decided(walk, Bits::NONE, trail);
        };
        let mut starts = Bits::NONE;
        for (at, of) in self.places(place, walk.cursor)? {
            for start in (of & self.on_board(at)).iter() {
                if at.at(start) == mark.at(start) {
                    starts.insert(start);
                }
            }
        }
        self.decided(walk, starts, trail)
    }

    fn guard(
        &mut self,
        walk: SymbolicWalk,
        place: Place,
        move_type: Option<MoveType>,
        is_defence: bool,
        trail: Trail<W>,
    ) -> Result<Option<NodeId>, Unsupported> {
        let places = self.places(place, walk.cursor)?;
        let off_board = trail.except(&places);
        let mut rest = self.go(SymbolicWalk { truth: false, ..walk.clone() }, off_board)?;
        for (at, starts) in places {
            // Both answers are followed; each move asks again, and one of them is right.
            let mut fork = |wanted: bool| {
                let mut guards = walk.guards.clone();
                guards.push(Guard { is_defence, move_type, at, wanted });
                self.go(SymbolicWalk { truth: wanted, guards, ..walk.clone() }, trail.only(starts))
            };
            let (yes, no) = (fork(true)?, fork(false)?);
            let both = match (yes, no) {
                (None, other) | (other, None) => other,
                (Some(_), Some(_)) => return Err(Unsupported::Attacks),
            };
            rest = self.filter(starts & self.on_board(at), both, rest, trail)?;
        }
        Ok(rest)
    }

    /// Notes a change at each place it may be; off the board it does not happen.
    /// Whether one on an empty site happens is asked at the `add`.
    fn change(
        &mut self,
        walk: SymbolicWalk,
        place: Place,
        trail: Trail<W>,
        change: impl Fn(Loc) -> Change,
    ) -> Result<Option<NodeId>, Unsupported> {
        let removes = matches!(change(ZERO), Change::Capture { .. });
        if self.detail == Detail::Movements || self.detail == Detail::Attacks && !removes {
            return self.go(walk, trail.on());
        }
        let places = self.places(place, walk.cursor)?;
        let is_hidden = |at: Loc| matches!(at, Loc::Abs(it) if self.hidden.contains(it as usize));
        if self.detail == Detail::Attacks && places.iter().all(|it| is_hidden(it.0)) {
            return self.go(walk, trail.on());
        }
        let mut rest = self.go(walk.clone(), trail.except(&places))?;
        for (at, starts) in places {
            let mut with = walk.clone();
            match change(at) {
                Change::Create { .. } if self.detail != Detail::Full => {
                    return Err(Unsupported::TooManyNodes);
                }
                Change::Capture { at } => with.captures.push(at),
                other if self.detail != Detail::Full => {
                    let gives = matches!(other, Change::GiveTo { .. } | Change::Flip { .. });
                    with.touched.push((at, gives));
                    with.touched.sort_unstable();
                    with.touched.dedup();
                }
                other => {
                    with.changes.push(other);
                    semantics::order_after_change(&mut with.captures);
                }
            }
            let done = self.go(with, trail.only(starts))?;
            rest = self.filter(starts, done, rest, trail)?;
        }
        Ok(rest)
    }
}
