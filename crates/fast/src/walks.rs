//! Blocks that are walked, one start at a time.
//!
//! What `lanes` cannot say (flags on sites, the sites of the last move, boards
//! without order, attacks asked half way) is run here as it is written, on the
//! same sets. Places and questions are looked up when the rules are compiled, so
//! a walk is a row of small steps; ready moves go to the [`Arena`].
//!
//! Invariant: the same limits as in the plain machine, instruction by instruction.

use boardwright_game::{
    AddForm, BlockKind, CreateForm, Mark, MoveType, OfType, Op, PieceKind, Place, Player,
};
use boardwright_play::{Halt, Rules, semantics::NOWHERE};
use boardwright_text::Span;
use rustc_hash::FxHashMap;

use crate::{
    bits::Bits,
    game::{Game, Situation},
    graph::{Change, Loc},
    lanes::{EMPTY, ENEMY, FIRST_KIND, FRIEND, LAST_FROM, LAST_TO, NEAR_ENEMY, NEUTRAL},
    layout::Layout,
    safety::Probe,
};

/// A place that an instruction is about.
#[derive(Clone, Copy, Debug)]
enum Spot {
    Here,
    Lane(u16),
    /// By a table of links.
    Link(u16),
}

/// An instruction with all its questions looked up.
#[derive(Clone, Copy, Debug)]
enum Step {
    End,
    Link(u16),
    Goto(u16),
    Go(Mark),
    SetFrom,
    SetTo,
    SetMark(Spot),
    Constant(bool),
    Flag(u16),
    SiteFlag(u16, Spot),
    /// Whether a lane is in a set of the situation.
    InSet(u8, Spot),
    /// Whether a lane is in a set of the board.
    Among(u16, Spot),
    Marked(Spot),
    Attacked(OfType, Spot),
    Defended(OfType, Spot),
    Not,
    Jump(u32),
    JumpIf(u32),
    JumpUnless(u32),
    Verify,
    /// A question and the `verify` behind it, in one.
    VerifyIn(u8, bool, Spot),
    /// A question and the jump behind it, in one: jumps if the answer is this.
    JumpIn {
        set: u8,
        wanted: bool,
        is_inverted: bool,
        spot: Spot,
        target: u32,
    },
    SetFlag(u16),
    SetSiteFlag(u16, Spot),
    Set(u16, Spot),
    Capture(Spot),
    Flip(Spot),
    GiveTo(Spot),
    TurnInto(u16, Spot),
    Create(u32, Spot),
    Cascade,
    Add(u32),
}

/// The code of one kind for one owner; it has the numbers of the program's instructions.
#[derive(Debug)]
struct Code {
    steps: Vec<Step>,
}

/// One block for one owner.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Walk {
    pub owner: Player,
    pub kind: PieceKind,
    pub is_drop: bool,
    pub move_type: Option<MoveType>,
    code: usize,
    entry: u32,
    span: Span,
}

/// All walks of a game.
#[derive(Debug)]
pub(crate) struct Walks<const W: usize> {
    walks: Vec<Walk>,
    codes: Vec<Code>,
    by_program: FxHashMap<(Player, PieceKind), usize>,
    /// `[table * 64 * W + lane]`: the lane a link leads to, ahead and back by direction.
    links: Vec<u16>,
    masks: Vec<Bits<W>>,
}

/// The buffers of a walk, kept from block to block.
#[derive(Clone, Debug)]
pub(crate) struct Walker<const W: usize> {
    pub cascades: Vec<(u16, u16)>,
    pub changes: Vec<Change>,
    pub captures: Vec<u16>,
    flags: Vec<bool>,
    /// By flag; those in `raised` are not empty.
    site_flags: Vec<Bits<W>>,
    raised: Vec<u16>,
    /// A move as it is put together.
    pub movements: Vec<(Loc, Loc)>,
    pub effects: Vec<Change>,
    /// Instructions left for the whole generation.
    pub fuel: u64,
}

impl<const W: usize> Walker<W> {
    pub fn new(rules: &Rules) -> Walker<W> {
        Walker {
            cascades: Vec::new(),
            changes: Vec::new(),
            captures: Vec::new(),
            flags: vec![false; rules.ruleset.n_flags],
            site_flags: vec![Bits::NONE; rules.ruleset.n_site_flags],
            raised: Vec::new(),
            movements: Vec::new(),
            effects: Vec::new(),
            fuel: Halt::TOTAL_FUEL,
        }
    }

    /// Lowers all flags: decision `flag-lifetime`.
    pub fn begin_pass(&mut self) {
        self.flags.fill(false);
    }

    fn begin_block(&mut self) {
        self.cascades.clear();
        self.changes.clear();
        self.captures.clear();
        for flag in self.raised.drain(..) {
            self.site_flags[flag as usize] = Bits::NONE;
        }
    }

    fn n_effects(&self) -> usize {
        self.changes.len() + self.captures.len()
    }

    pub fn burn(&mut self, cost: usize) {
        self.fuel = self.fuel.saturating_sub(cost as u64);
    }

    /// Notes a change; it takes the place of the first capture, which goes to the end.
    fn change(&mut self, change: Change) {
        self.changes.push(change);
        if self.captures.len() > 1 {
            self.captures.rotate_left(1);
        }
    }

    /// Notes a movement; while captures are waiting it displaces changes and captures.
    fn cascade(&mut self, from: u16, to: u16) {
        self.cascades.push((from, to));
        if !self.captures.is_empty() {
            if self.changes.len() > 1 {
                self.changes.rotate_left(1);
            }
            self.captures.rotate_left(1);
        }
    }
}

/// What an `add` offers.
pub(crate) struct Offer<'a> {
    pub walk: &'a Walk,
    pub form: &'a AddForm,
    pub from: u16,
    pub to: u16,
}

/// Takes what walks offer.
pub(crate) trait Sink<const W: usize> {
    /// Takes one offer; `false` ends the walk, for nothing more is wanted.
    fn add(
        &mut self,
        game: &Game<W>,
        it: &Situation<W>,
        walker: &mut Walker<W>,
        offer: &Offer<'_>,
    ) -> Result<bool, Halt>;
}

impl<const W: usize> Walks<W> {
    pub fn new(rules: &Rules, layout: &Layout<W>) -> Walks<W> {
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
        layout: &Layout<W>,
        first_attribute: usize,
        owner: Player,
        kind: PieceKind,
        block: usize,
    ) -> usize {
        let code = match self.by_program.get(&(owner, kind)) {
            Some(&code) => code,
            None => {
                let steps = self.decode(rules, layout, first_attribute, owner, kind);
                self.codes.push(Code { steps: fused(steps) });
                self.by_program.insert((owner, kind), self.codes.len() - 1);
                self.codes.len() - 1
            }
        };
        let it = &rules.ruleset.pieces[kind.idx()].blocks[block];
        self.walks.push(Walk {
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
        layout: &Layout<W>,
        first_attribute: usize,
        owner: Player,
        kind: PieceKind,
    ) -> Vec<Step> {
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
            let set = |set: usize, place: Place| Step::InSet(set as u8, spot(place));
            steps.push(match op {
                Op::End => Step::End,
                Op::Step(direction) => Step::Link(table(direction, false)),
                Op::StepBack(direction) => Step::Link(table(direction, true)),
                Op::Goto(site) => Step::Goto(layout.lane(site) as u16),
                Op::Go(mark) => Step::Go(mark),
                Op::SetFrom => Step::SetFrom,
                Op::SetTo => Step::SetTo,
                Op::SetMark(place) => Step::SetMark(spot(place)),
                Op::Constant(value) => Step::Constant(value),
                Op::Flag(flag) => Step::Flag(flag),
                Op::SiteFlag(flag, place) => Step::SiteFlag(flag, spot(place)),
                Op::Empty(place) => set(EMPTY, place),
                Op::Enemy(place) => set(ENEMY, place),
                Op::Friend(place) => set(FRIEND, place),
                Op::Neutral(place) => set(NEUTRAL, place),
                Op::AdjacentToEnemy(place) => set(NEAR_ENEMY, place),
                Op::LastFrom(place) => set(LAST_FROM, place),
                Op::LastTo(place) => set(LAST_TO, place),
                Op::IsKind(kind, place) => set(FIRST_KIND + kind.idx(), place),
                Op::HasAttribute(it, place) => set(first_attribute + it.idx(), place),
                Op::OnBoard(place) => Step::Among(0, spot(place)),
                Op::GoalSite(place) => {
                    let lanes = among(&|site| rules.goal_sites().contains(site));
                    Step::Among(self.mask(lanes), spot(place))
                }
                Op::InZone(zone, place) => {
                    let lanes = among(&|site| board.in_zone(zone, owner, site));
                    Step::Among(self.mask(lanes), spot(place))
                }
                Op::IsSite(wanted, place) => {
                    let lanes = Bits::only(layout.lane(wanted));
                    Step::Among(self.mask(lanes), spot(place))
                }
                Op::Marked(place) => Step::Marked(spot(place)),
                Op::Attacked(of_type, place) => Step::Attacked(of_type, spot(place)),
                Op::Defended(of_type, place) => Step::Defended(of_type, spot(place)),
                Op::Not => Step::Not,
                Op::Jump(to) => Step::Jump(to),
                Op::JumpIf(to) => Step::JumpIf(to),
                Op::JumpUnless(to) => Step::JumpUnless(to),
                Op::Verify => Step::Verify,
                Op::SetFlag(flag) => Step::SetFlag(flag),
                Op::SetSiteFlag(flag, place) => Step::SetSiteFlag(flag, spot(place)),
                Op::SetAttribute(it, place) => Step::Set(it.0, spot(place)),
                Op::Capture(place) => Step::Capture(spot(place)),
                Op::Flip(place) => Step::Flip(spot(place)),
                Op::ChangeOwner(place) => Step::GiveTo(spot(place)),
                Op::ChangeType(kind, place) => Step::TurnInto(kind.0, spot(place)),
                Op::Create(idx) => Step::Create(idx, spot(program.creates[idx as usize].place)),
                Op::Cascade => Step::Cascade,
                Op::Add(idx) => Step::Add(idx),
            });
        }
        steps
    }

    #[inline]
    fn link(&self, table: u16, lane: u16) -> u16 {
        self.links[table as usize * 64 * W + lane as usize]
    }

    #[inline]
    fn at(&self, spot: Spot, cursor: u16) -> u16 {
        match spot {
            Spot::Here => cursor,
            Spot::Lane(lane) => lane,
            Spot::Link(table) => self.link(table, cursor),
        }
    }
}

/// Joins questions with the `verify` or jump behind them. Numbers stay, since the
/// second instruction stays where it is, for those who jump to it.
fn fused(steps: Vec<Step>) -> Vec<Step> {
    let mut out = steps.clone();
    for (idx, pair) in steps.windows(2).enumerate() {
        let Step::InSet(set, spot) = pair[0] else { continue };
        let (is_inverted, next) = match pair[1] {
            Step::Not => (true, steps.get(idx + 2)),
            _ => (false, steps.get(idx + 1)),
        };
        let jump = |wanted, target| Step::JumpIn { set, wanted, is_inverted, spot, target };
        match next {
            Some(Step::Verify) => out[idx] = Step::VerifyIn(set, !is_inverted, spot),
            Some(&Step::JumpIf(target)) => out[idx] = jump(!is_inverted, target),
            Some(&Step::JumpUnless(target)) => out[idx] = jump(is_inverted, target),
            _ => {}
        }
    }
    out
}

/// What a walk knows of the game around it.
pub(crate) struct Ctx<'a, const W: usize> {
    pub game: &'a Game<W>,
    pub it: &'a Situation<W>,
    /// Answers `attacked?`; gone inside a probe, where the answer is no
    /// (decision `attack-nesting`).
    pub probe: Option<&'a mut Probe<W>>,
}

/// Runs a walk from one lane; `false` if the sink wants no more.
pub(crate) fn run<const W: usize>(
    ctx: &mut Ctx<'_, W>,
    walker: &mut Walker<W>,
    walk: usize,
    start: usize,
    sink: &mut impl Sink<W>,
) -> Result<bool, Halt> {
    let mut fuel = Halt::BLOCK_FUEL;
    let result = go(ctx, walker, walk, start as u16, sink, &mut fuel);
    walker.burn((Halt::BLOCK_FUEL - fuel) as usize);
    if walker.fuel == 0 && result.is_ok() {
        return Err(Halt::OutOfFuel);
    }
    result
}

fn go<const W: usize>(
    ctx: &mut Ctx<'_, W>,
    walker: &mut Walker<W>,
    walk: usize,
    start: u16,
    sink: &mut impl Sink<W>,
    fuel: &mut u32,
) -> Result<bool, Halt> {
    // 1. Everything that stays the same for the whole walk.
    let game = ctx.game;
    let it = ctx.it;
    let walks = &game.walks;
    let walk = &walks.walks[walk];
    let steps = &*walks.codes[walk.code].steps;
    let ruleset = &*game.rules.ruleset;
    let program = &*ruleset.pieces[walk.kind.idx()].program;
    let (kind, owner, span) = (walk.kind, walk.owner, walk.span);
    walker.begin_block();

    // 2. The registers.
    let (mut cursor, mut from, mut to, mut mark) = (start, start, NOWHERE, NOWHERE);
    let mut truth = false;
    let mut pc = walk.entry as usize;

    // 3. The walk. A test of a place off the board is false.
    let in_set =
        |set: u8, lane: u16| lane != NOWHERE && it.sets[set as usize].contains(lane as usize);
    macro_rules! effect {
        ($spot:expr, $at:ident => $change:expr) => {{
            let lane = walks.at($spot, cursor);
            if lane != NOWHERE {
                let $at = Loc::Abs(lane);
                walker.change($change);
                if walker.n_effects() > Halt::EFFECTS {
                    return Err(Halt::TooManyEffects { kind, span });
                }
            }
        }};
    }
    loop {
        // Decision `endless-loop`.
        if *fuel == 0 {
            return Err(Halt::EndlessBlock { kind, span });
        }
        *fuel -= 1;
        let step = steps[pc];
        pc += 1;
        match step {
            Step::End => return Ok(true),
            Step::Link(table) => {
                cursor = walks.link(table, cursor);
                if cursor == NOWHERE {
                    return Ok(true);
                }
            }
            Step::VerifyIn(set, wanted, spot) => {
                if in_set(set, walks.at(spot, cursor)) != wanted {
                    return Ok(true);
                }
                truth = true;
                let passed = if wanted { 1 } else { 2 };
                pc += passed;
                *fuel = fuel.saturating_sub(passed as u32);
            }
            Step::JumpIn { set, wanted, is_inverted, spot, target } => {
                let answer = in_set(set, walks.at(spot, cursor));
                truth = answer != is_inverted;
                let passed = if is_inverted { 2 } else { 1 };
                pc = if answer == wanted { target as usize } else { pc + passed };
                *fuel = fuel.saturating_sub(passed as u32);
            }
            Step::Goto(lane) => cursor = lane,
            Step::Go(target) => {
                let found = match target {
                    Mark::From => from,
                    // Decision `go-to-unset`.
                    Mark::To => or(to, cursor),
                    Mark::Mark => or(mark, start),
                    Mark::LastFrom => it.last_from,
                    Mark::LastTo => it.last_to,
                };
                if found == NOWHERE {
                    return Ok(true);
                }
                cursor = found;
            }
            Step::SetFrom => from = cursor,
            Step::SetTo => to = cursor,
            Step::SetMark(spot) => mark = or(walks.at(spot, cursor), mark),
            Step::Constant(value) => truth = value,
            Step::Flag(flag) => truth = walker.flags[flag as usize],
            Step::SiteFlag(flag, spot) => {
                let lane = walks.at(spot, cursor);
                truth = lane != NOWHERE && walker.site_flags[flag as usize].contains(lane as usize);
            }
            Step::InSet(set, spot) => truth = in_set(set, walks.at(spot, cursor)),
            Step::Among(mask, spot) => {
                let lane = walks.at(spot, cursor);
                truth = lane != NOWHERE && walks.masks[mask as usize].contains(lane as usize);
            }
            // Decision `marked-unset`.
            Step::Marked(spot) => {
                let lane = walks.at(spot, cursor);
                truth = lane != NOWHERE && lane == mark;
            }
            Step::Attacked(of_type, spot) | Step::Defended(of_type, spot) => {
                let is_defence = matches!(step, Step::Defended(..));
                let lane = walks.at(spot, cursor);
                truth = match &mut ctx.probe {
                    Some(probe) if lane != NOWHERE => {
                        let move_type = of_type.get();
                        let found = game.probe(
                            it,
                            owner,
                            kind,
                            lane as usize,
                            move_type,
                            is_defence,
                            probe,
                        );
                        if let Some(halt) = probe.halt {
                            return Err(halt);
                        }
                        found
                    }
                    _ => false,
                };
            }
            Step::Not => truth = !truth,
            Step::Jump(target) => pc = target as usize,
            Step::JumpIf(target) => {
                if truth {
                    pc = target as usize;
                }
            }
            Step::JumpUnless(target) => {
                if !truth {
                    pc = target as usize;
                }
            }
            Step::Verify => {
                if !truth {
                    return Ok(true);
                }
            }
            Step::SetFlag(flag) => walker.flags[flag as usize] = truth,
            Step::SetSiteFlag(flag, spot) => {
                let lane = walks.at(spot, cursor);
                if lane != NOWHERE {
                    let set = &mut walker.site_flags[flag as usize];
                    if truth {
                        if set.is_empty() {
                            walker.raised.push(flag);
                        }
                        set.insert(lane as usize);
                    } else if set.contains(lane as usize) {
                        set.toggle(lane as usize);
                    }
                }
            }
            Step::Set(attribute, spot) => {
                effect!(spot, at => Change::Set { attribute, at, value: truth });
            }
            Step::Capture(spot) => {
                let lane = walks.at(spot, cursor);
                if lane != NOWHERE {
                    walker.captures.push(lane);
                    if walker.n_effects() > Halt::EFFECTS {
                        return Err(Halt::TooManyEffects { kind, span });
                    }
                }
            }
            Step::Flip(spot) => effect!(spot, at => Change::Flip { at }),
            // Decision `change-owner-gives-to-owner`.
            Step::GiveTo(spot) => effect!(spot, at => Change::GiveTo { player: owner.0, at }),
            Step::TurnInto(becomes, spot) => {
                effect!(spot, at => Change::TurnInto { kind: becomes, at });
            }
            Step::Create(idx, spot) => {
                let CreateForm { player, kind: created, .. } = program.creates[idx as usize];
                let player = player.unwrap_or(owner).0;
                let created = created.unwrap_or(kind).0;
                effect!(spot, at => Change::Create { player, kind: created, at });
            }
            Step::Cascade => {
                if walker.cascades.len() + 1 >= Halt::CASCADES {
                    return Err(Halt::TooManyCascades { kind, span });
                }
                walker.cascade(from, or(to, cursor));
                from = cursor;
                to = NOWHERE;
            }
            Step::Add(idx) => {
                let form = &program.adds[idx as usize];
                let offer = Offer { walk, form, from, to: or(to, cursor) };
                if !sink.add(game, it, walker, &offer)? {
                    return Ok(false);
                }
                if ruleset.options.discard_cascades {
                    walker.cascades.clear();
                }
                walker.changes.clear();
                walker.captures.clear();
                from = start;
                to = NOWHERE;
            }
        }
    }
}

/// A lane, or another if it is none.
#[inline]
fn or(lane: u16, other: u16) -> u16 {
    if lane == NOWHERE { other } else { lane }
}
