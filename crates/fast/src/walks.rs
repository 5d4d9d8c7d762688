//! Blocks that are walked, one start at a time.
//!
//! What `lanes` cannot say (flags on sites, the sites of the last move, boards
//! without order, attacks asked half way) is run here as it is written, on the
//! same sets. Places and questions are looked up when the rules are compiled, so
//! a walk is a row of small steps; ready moves go to the [`Arena`].
//!
//! Invariant: the same limits as in the plain machine, instruction by instruction.

mod decode;

use boardwright_game::{AddForm, BlockKind, Mark, MoveType, OfType, Op, PieceKind, Place, Player};
use boardwright_play::{
    Halt, Rules,
    semantics::{self, NOWHERE, SiteChange},
};
use boardwright_text::Span;
use rustc_hash::FxHashMap;

use crate::{
    bits::Bits,
    game::{FastGame, FastState},
    graph::{Change, Loc},
    lanes::{EMPTY, ENEMY, FIRST_KIND, FRIEND, LAST_FROM, LAST_TO, NEAR_ENEMY, NEUTRAL},
    layout::LaneMap,
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
enum WalkStep {
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
    /// Whether a lane is in a set of the state.
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
    Change(SiteChange, Spot),
    Cascade,
    Add(u32),
}

/// The code of one kind for one owner; it has the numbers of the program's instructions.
#[derive(Debug)]
struct WalkCode {
    steps: Vec<WalkStep>,
}

/// One block for one owner.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BlockWalk {
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
    walks: Vec<BlockWalk>,
    codes: Vec<WalkCode>,
    by_program: FxHashMap<(Player, PieceKind), usize>,
    /// `[table * 64 * W + lane]`: the lane a link leads to, ahead and back by direction.
    links: Vec<u16>,
    masks: Vec<Bits<W>>,
}

/// The buffers of a walk, kept from block to block.
#[derive(Clone, Debug)]
pub(crate) struct WalkBuffers<const W: usize> {
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

impl<const W: usize> WalkBuffers<W> {
    pub fn new(rules: &Rules) -> WalkBuffers<W> {
        WalkBuffers {
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

    /// Gives a flag of a lane its value; off the board nothing happens.
    fn set_site_flag(&mut self, flag: u16, lane: u16, value: bool) {
        if lane == NOWHERE {
            return;
        }
        let set = &mut self.site_flags[flag as usize];
        if value {
            if set.is_empty() {
                self.raised.push(flag);
            }
            set.insert(lane as usize);
        } else if set.contains(lane as usize) {
            set.toggle(lane as usize);
        }
    }

    /// Forgets the effects of a move that was offered.
    fn end_move(&mut self, discards_cascades: bool) {
        if discards_cascades {
            self.cascades.clear();
        }
        self.changes.clear();
        self.captures.clear();
    }

    fn n_effects(&self) -> usize {
        self.changes.len() + self.captures.len()
    }

    pub fn burn(&mut self, cost: usize) {
        self.fuel = self.fuel.saturating_sub(cost as u64);
    }

    /// Adds a change.
    fn change(&mut self, change: Change) {
        self.changes.push(change);
        semantics::order_after_change(&mut self.captures);
    }

    /// Adds a movement.
    fn cascade(&mut self, from: u16, to: u16) {
        self.cascades.push((from, to));
        semantics::order_after_cascade(&mut self.changes, &mut self.captures);
    }
}

/// What an `add` offers.
pub(crate) struct WalkOffer<'a> {
    pub walk: &'a BlockWalk,
    pub form: &'a AddForm,
    pub from: u16,
    pub to: u16,
}

/// Takes what walks offer.
pub(crate) trait WalkSink<const W: usize> {
    /// Takes one offer; `false` ends the walk, for nothing more is wanted.
    fn add(
        &mut self,
        game: &FastGame<W>,
        it: &FastState<W>,
        walker: &mut WalkBuffers<W>,
        offer: &WalkOffer<'_>,
    ) -> Result<bool, Halt>;
}

impl<const W: usize> Walks<W> {
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

/// What a walk knows of the game around it.
pub(crate) struct WalkContext<'a, const W: usize> {
    pub game: &'a FastGame<W>,
    pub it: &'a FastState<W>,
    /// Answers `attacked?`; gone inside a probe, where the answer is no
    /// (decision `attack-nesting`).
    pub probe: Option<&'a mut Probe<W>>,
}

/// Runs a walk from one lane; `false` if the sink wants no more.
pub(crate) fn run<const W: usize>(
    ctx: &mut WalkContext<'_, W>,
    walker: &mut WalkBuffers<W>,
    walk: usize,
    start: usize,
    sink: &mut impl WalkSink<W>,
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
    ctx: &mut WalkContext<'_, W>,
    walker: &mut WalkBuffers<W>,
    walk: usize,
    start: u16,
    sink: &mut impl WalkSink<W>,
    fuel: &mut u32,
) -> Result<bool, Halt> {
    // 1. Everything that stays the same for the whole walk.
    let (game, it, walks) = (ctx.game, ctx.it, &ctx.game.blocks.walks);
    let walk = &walks.walks[walk];
    let steps = &*walks.codes[walk.code].steps;
    let ruleset = &*game.rules.ruleset;
    let program = &*ruleset.pieces[walk.kind.idx()].program;
    let (kind, span) = (walk.kind, walk.span);
    walker.begin_block();

    // 2. The registers.
    let (mut cursor, mut from, mut to, mut mark) = (start, start, NOWHERE, NOWHERE);
    let (mut truth, mut pc) = (false, walk.entry as usize);

    // 3. The walk. A test of a place off the board is false.
    let in_set =
        |set: u8, lane: u16| lane != NOWHERE && it.sets[set as usize].contains(lane as usize);
    loop {
        // Decision `endless-loop`.
        if *fuel == 0 {
            return Err(Halt::EndlessBlock { kind, span });
        }
        *fuel -= 1;
        let step = steps[pc];
        pc += 1;
        match step {
            WalkStep::End => return Ok(true),
            WalkStep::Link(table) => {
                cursor = walks.link(table, cursor);
                if cursor == NOWHERE {
                    return Ok(true);
                }
            }
            WalkStep::VerifyIn(set, wanted, spot) => {
                if in_set(set, walks.at(spot, cursor)) != wanted {
                    return Ok(true);
                }
                truth = true;
                let passed = if wanted { 1 } else { 2 };
                pc += passed;
                *fuel = fuel.saturating_sub(passed as u32);
            }
            WalkStep::JumpIn { set, wanted, is_inverted, spot, target } => {
                let answer = in_set(set, walks.at(spot, cursor));
                truth = answer != is_inverted;
                let passed = if is_inverted { 2 } else { 1 };
                pc = if answer == wanted { target as usize } else { pc + passed };
                *fuel = fuel.saturating_sub(passed as u32);
            }
            WalkStep::Goto(lane) => cursor = lane,
            WalkStep::Go(target) => {
                cursor = match target {
                    Mark::From => from,
                    // Decision `go-to-unset`.
                    Mark::To => or(to, cursor),
                    Mark::Mark => or(mark, start),
                    Mark::LastFrom => it.last_from,
                    Mark::LastTo => it.last_to,
                };
                if cursor == NOWHERE {
                    return Ok(true);
                }
            }
            WalkStep::SetFrom => from = cursor,
            WalkStep::SetTo => to = cursor,
            WalkStep::SetMark(spot) => mark = or(walks.at(spot, cursor), mark),
            WalkStep::Constant(value) => truth = value,
            WalkStep::Flag(flag) => truth = walker.flags[flag as usize],
            WalkStep::InSet(set, spot) => truth = in_set(set, walks.at(spot, cursor)),
            WalkStep::SiteFlag(_, spot)
            | WalkStep::Among(_, spot)
            | WalkStep::Marked(spot)
            | WalkStep::Attacked(_, spot)
            | WalkStep::Defended(_, spot) => {
                let lane = walks.at(spot, cursor);
                truth = lane != NOWHERE && test(ctx, walker, walk, lane, mark, step)?;
            }
            WalkStep::Not => truth = !truth,
            WalkStep::Jump(target) => pc = target as usize,
            WalkStep::JumpIf(target) => pc = if truth { target as usize } else { pc },
            WalkStep::JumpUnless(target) => pc = if truth { pc } else { target as usize },
            WalkStep::Verify if !truth => return Ok(true),
            WalkStep::Verify => {}
            WalkStep::SetFlag(flag) => walker.flags[flag as usize] = truth,
            WalkStep::SetSiteFlag(flag, spot) => {
                walker.set_site_flag(flag, walks.at(spot, cursor), truth);
            }
            WalkStep::Change(change, spot) => {
                let lane = walks.at(spot, cursor);
                if lane != NOWHERE {
                    effect(walker, walk, lane, truth, change)?;
                }
            }
            WalkStep::Cascade => {
                if walker.cascades.len() + 1 >= Halt::CASCADES {
                    return Err(Halt::TooManyCascades { kind, span });
                }
                walker.cascade(from, or(to, cursor));
                (from, to) = (cursor, NOWHERE);
            }
            WalkStep::Add(idx) => {
                let form = &program.adds[idx as usize];
                let offer = WalkOffer { walk, form, from, to: or(to, cursor) };
                if !sink.add(game, it, walker, &offer)? {
                    return Ok(false);
                }
                walker.end_move(ruleset.options.discard_cascades);
                (from, to) = (start, NOWHERE);
            }
        }
    }
}

/// The answer to a test of a lane on the board that is no set of the state.
#[inline]
fn test<const W: usize>(
    ctx: &mut WalkContext<'_, W>,
    walker: &WalkBuffers<W>,
    walk: &BlockWalk,
    lane: u16,
    mark: u16,
    step: WalkStep,
) -> Result<bool, Halt> {
    Ok(match step {
        WalkStep::SiteFlag(flag, _) => walker.site_flags[flag as usize].contains(lane as usize),
        WalkStep::Among(mask, _) => {
            ctx.game.blocks.walks.masks[mask as usize].contains(lane as usize)
        }
        // Decision `marked-unset`.
        WalkStep::Marked(_) => lane == mark,
        WalkStep::Attacked(of_type, _) => attacked(ctx, walk, lane, of_type, false)?,
        WalkStep::Defended(of_type, _) => attacked(ctx, walk, lane, of_type, true)?,
        _ => false,
    })
}

/// Adds a change of a lane to the draft.
#[inline(always)]
fn effect<const W: usize>(
    walker: &mut WalkBuffers<W>,
    walk: &BlockWalk,
    lane: u16,
    truth: bool,
    change: SiteChange,
) -> Result<(), Halt> {
    match Change::of(change, Loc::Abs(lane), truth) {
        Change::Capture { .. } => walker.captures.push(lane),
        change => walker.change(change),
    }
    if walker.n_effects() > Halt::EFFECTS {
        return Err(Halt::TooManyEffects { kind: walk.kind, span: walk.span });
    }
    Ok(())
}

/// Answers `attacked?` or `defended?` for a lane; inside a probe the answer is no.
fn attacked<const W: usize>(
    ctx: &mut WalkContext<'_, W>,
    walk: &BlockWalk,
    lane: u16,
    of_type: OfType,
    is_defence: bool,
) -> Result<bool, Halt> {
    let (game, it) = (ctx.game, ctx.it);
    let Some(probe) = ctx.probe.as_mut() else { return Ok(false) };
    let (lane, move_type) = (lane as usize, of_type.get());
    let found = game.probe(it, walk.owner, walk.kind, lane, move_type, is_defence, probe);
    probe.halt.map_or(Ok(found), Err)
}

/// A lane, or another if it is none.
#[inline]
fn or(lane: u16, other: u16) -> u16 {
    if lane == NOWHERE { other } else { lane }
}
