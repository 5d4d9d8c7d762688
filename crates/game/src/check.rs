//! Whether every id of a ruleset is in range for it.
//!
//! Compilers promise it, `play` relies on it. The check is cheap next to
//! compiling, so whoever takes a ruleset from elsewhere can afford to ask.

use crate::{ConfigStep, DropStart, Goal, GoalKind, Occupant, Op, Place, Ruleset, SiteOrZone};

/// A broken promise of whoever built a ruleset.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// Which part is wrong.
    pub part: &'static str,
    /// The piece kind whose code it is in, if it is in code.
    pub piece: Option<usize>,
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.piece {
            Some(piece) => write!(f, "{} out of range in the code of piece {piece}", self.part),
            None => write!(f, "{} out of range", self.part),
        }
    }
}

impl std::error::Error for Fault {}

impl Ruleset {
    /// Whether every id is in range; the first one that is not, otherwise.
    pub fn check(&self) -> Result<(), Fault> {
        self.check_board()?;
        self.check_turns()?;
        for idx in 0..self.pieces.len() {
            self.check_piece(idx)?;
        }
        self.end_conditions.iter().try_for_each(|it| {
            ensure(
                it.players.iter().flatten().all(|it| it.idx() < self.players.len()),
                "player of an end condition",
            )?;
            self.check_goal(&it.goal)
        })
    }

    fn check_board(&self) -> Result<(), Fault> {
        let board = &self.board;
        let (n_sites, n_directions) = (board.n_sites(), board.n_directions());
        ensure(board.links.len() == n_sites * n_directions, "link table")?;
        let in_range = |it: &u16| *it == u16::MAX || (*it as usize) < n_sites;
        ensure(board.links.iter().all(in_range), "link target")?;
        ensure(board.opposite.len() == n_directions, "table of opposites")?;
        let mut opposites = board.opposite.iter().flatten();
        ensure(opposites.all(|it| it.idx() < n_directions), "opposite direction")?;
        ensure(board.symmetry.len() == self.players.len(), "table of symmetries")?;
        let seen = |row: &Vec<crate::Direction>| {
            row.len() == n_directions && row.iter().all(|it| it.idx() < n_directions)
        };
        ensure(board.symmetry.iter().all(seen), "symmetry")?;
        let mut sets = board.zones.iter().flat_map(|it| &it.sites);
        ensure(sets.all(|it| it.iter().all(|site| site.idx() < n_sites)), "site of a zone")
    }

    fn check_turns(&self) -> Result<(), Fault> {
        let n_players = self.players.len();
        let turns = &self.turn_order.turns;
        let sound = |it: &crate::Turn| {
            it.mover.idx() < n_players
                && it.owner.idx() < n_players
                && it.move_type.is_none_or(|it| it.idx() < self.move_types.len())
        };
        ensure(turns.iter().all(sound), "turn")?;
        ensure(turns.is_empty() || self.turn_order.repeat < turns.len(), "repeat point")?;
        let known = |it: &crate::MoveType| it.idx() < self.move_types.len();
        ensure(self.priorities.iter().all(known), "priority")?;
        let placed = |it: &crate::SetupEntry| {
            it.player.idx() < n_players
                && it.kind.idx() < self.pieces.len()
                && it.site.idx() < self.board.n_sites()
        };
        ensure(self.setup.pieces.iter().all(placed), "setup")?;
        let held = |it: &crate::HandEntry| {
            it.player.idx() < n_players && it.kind.idx() < self.pieces.len()
        };
        ensure(self.setup.hands.iter().all(held), "hand")
    }

    fn check_piece(&self, idx: usize) -> Result<(), Fault> {
        let Some(piece) = self.pieces.get(idx) else {
            return Ok(());
        };
        let in_code = |fine: bool, part| {
            if fine { Ok(()) } else { Err(Fault { part, piece: Some(idx) }) }
        };
        let program = &*piece.program;
        let n_ops = program.ops.len();
        in_code(program.origins.len() == n_ops, "table of origins")?;
        in_code(piece.attributes.iter().all(|it| it.idx() < self.attributes.len()), "attribute")?;
        for block in &piece.blocks {
            in_code((block.entry as usize) < n_ops, "entry")?;
            in_code(
                block.move_type.is_none_or(|it| it.idx() < self.move_types.len()),
                "move type",
            )?;
            let start = match block.start {
                DropStart::Anywhere => true,
                DropStart::Site(it) => it.idx() < self.board.n_sites(),
                DropStart::Zone(it) => it.idx() < self.board.zones.len(),
            };
            in_code(start, "start of a drop")?;
        }
        in_code(n_ops == 0 || program.ops.last() == Some(&Op::End), "end of the code")?;
        for op in &program.ops {
            in_code(self.op_in_range(op, n_ops, program), "operand")?;
        }
        let kinds = program.adds.iter().flat_map(|it| &it.promote);
        let created = program.creates.iter().filter_map(|it| it.kind.as_ref());
        in_code(kinds.chain(created).all(|it| it.idx() < self.pieces.len()), "piece kind")?;
        let types = program.adds.iter().filter_map(|it| it.move_type);
        in_code(types.into_iter().all(|it| it.idx() < self.move_types.len()), "move type")?;
        let owners = program.creates.iter().filter_map(|it| it.player);
        in_code(owners.into_iter().all(|it| it.idx() < self.players.len()), "player")?;
        let mut places = program.creates.iter().map(|it| it.place);
        in_code(places.all(|it| self.place_in_range(it)), "place")
    }

    fn op_in_range(&self, op: &Op, n_ops: usize, program: &crate::Program) -> bool {
        let board = &self.board;
        let place = |it: Place| self.place_in_range(it);
        match *op {
            Op::End | Op::Go(_) | Op::SetFrom | Op::SetTo | Op::Constant(_) => true,
            Op::Not | Op::Verify | Op::Cascade => true,
            Op::Step(it) | Op::StepBack(it) => it.idx() < board.n_directions(),
            Op::Goto(it) => it.idx() < board.n_sites(),
            Op::Flag(it) | Op::SetFlag(it) => (it as usize) < self.n_flags,
            Op::SiteFlag(it, at) | Op::SetSiteFlag(it, at) => {
                (it as usize) < self.n_site_flags && place(at)
            }
            Op::SetMark(at) | Op::Empty(at) | Op::Enemy(at) | Op::Friend(at) | Op::Neutral(at) => {
                place(at)
            }
            Op::OnBoard(at) | Op::AdjacentToEnemy(at) | Op::GoalSite(at) => place(at),
            Op::LastFrom(at) | Op::LastTo(at) | Op::Marked(at) => place(at),
            Op::Capture(at) | Op::Flip(at) | Op::ChangeOwner(at) => place(at),
            Op::InZone(it, at) => it.idx() < board.zones.len() && place(at),
            Op::IsKind(it, at) | Op::ChangeType(it, at) => {
                it.idx() < self.pieces.len() && place(at)
            }
            Op::IsSite(it, at) => it.idx() < board.n_sites() && place(at),
            Op::HasAttribute(it, at) | Op::SetAttribute(it, at) => {
                it.idx() < self.attributes.len() && place(at)
            }
            Op::Attacked(it, at) | Op::Defended(it, at) => {
                it.get().is_none_or(|it| it.idx() < self.move_types.len()) && place(at)
            }
            Op::Jump(to) | Op::JumpIf(to) | Op::JumpUnless(to) => (to as usize) < n_ops,
            Op::Create(it) => (it as usize) < program.creates.len(),
            Op::Add(it) => (it as usize) < program.adds.len(),
        }
    }

    fn place_in_range(&self, place: Place) -> bool {
        match place {
            Place::Here => true,
            Place::Site(it) => it.idx() < self.board.n_sites(),
            Place::Step(it) | Place::Back(it) => it.idx() < self.board.n_directions(),
        }
    }

    fn check_goal(&self, goal: &Goal) -> Result<(), Fault> {
        let kind_known = |it: &crate::PieceKind| it.idx() < self.pieces.len();
        let occupant = |it: &Occupant| it.kind.as_ref().is_none_or(kind_known);
        let place = |it: &SiteOrZone| match it {
            SiteOrZone::Site(it) => it.idx() < self.board.n_sites(),
            SiteOrZone::Zone(it) => it.idx() < self.board.zones.len(),
        };
        match &goal.kind {
            GoalKind::Stalemated | GoalKind::Repetition => Ok(()),
            GoalKind::Captured(kinds) | GoalKind::Checkmated(kinds) => {
                ensure(kinds.iter().all(kind_known), "piece kind of a goal")
            }
            GoalKind::PiecesRemaining(_, kind) | GoalKind::TotalPieceCount(_, kind) => {
                ensure(kind.as_ref().is_none_or(kind_known), "piece kind of a goal")
            }
            GoalKind::AbsoluteConfig(occupants, args) => {
                let known = args.iter().all(place);
                ensure(occupants.iter().all(occupant) && known, "absolute-config")
            }
            GoalKind::Connected(kinds, ends) => {
                ensure(kinds.iter().all(kind_known) && ends.iter().all(place), "connected")
            }
            GoalKind::RelativeConfig(steps) => {
                let known = |it: &ConfigStep| match it {
                    ConfigStep::Step(it) | ConfigStep::Back(it) => {
                        it.idx() < self.board.n_directions()
                    }
                    ConfigStep::Occupant(it) => occupant(it),
                };
                ensure(steps.iter().all(known), "relative-config")
            }
            GoalKind::And(goals) | GoalKind::Or(goals) => {
                goals.iter().try_for_each(|it| self.check_goal(it))
            }
            GoalKind::Not(goal) => self.check_goal(goal),
        }
    }
}

fn ensure(fine: bool, part: &'static str) -> Result<(), Fault> {
    if fine { Ok(()) } else { Err(Fault { part, piece: None }) }
}
