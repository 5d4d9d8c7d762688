//! Runs one move block and reports the moves it adds.
//!
//! A program walks a *cursor* over the board: a direction steps it, `verify` may
//! end the block, `add` offers a move and walks on.
//!
//! The state is only read here. What a move would change is gathered in a
//! [`Draft`] and done later by `State::play`.
//!
//! Invariant: every walk ends. Each instruction costs one unit of fuel, and
//! running dry is a [`Halt`], never a hang.

use boardwright_game::{
    Attribute, Block, BlockKind, Mark, Op, PieceKind, Place, Player, Program, Site,
};

use crate::{
    attack,
    draft::{Draft, Offer},
    fuel::Fuel,
    halt::Halt,
    instruction::{SiteChange, site_change},
    mv::Effect,
    placement::{EMPTY, Placement, cell_kind, cell_owner, is_owned},
    rules::{Rules, opt_site},
};

/// What programs read, and whose they are.
pub(crate) struct Ctx<'a> {
    pub rules: &'a Rules,
    /// Changed by attack probes only, which put everything back.
    pub placement: &'a mut Placement,
    pub hands: &'a [u32],
    pub last_from: Option<Site>,
    pub last_to: Option<Site>,
    /// Whose pieces move: `friend?`, zones, symmetry and hands are this player's.
    pub owner: Player,
    /// Runs attack probes; gone inside a probe, where `attacked?` is false
    /// (decision `attack-nesting`).
    pub prober: Option<&'a mut Walker>,
    /// Instructions left for the whole generation.
    pub fuel: &'a mut Fuel,
}

impl Ctx<'_> {
    /// How many pieces of a kind a player has off the board.
    pub fn hand(&self, player: Player, kind: PieceKind) -> u32 {
        self.hands.get(player.idx() * self.rules.n_kinds() + kind.idx()).copied().unwrap_or(0)
    }

    /// Spends fuel on work that is no instruction.
    pub fn burn(&mut self, cost: u64) {
        self.fuel.burn(cost);
    }
}

/// Takes what `add` offers.
pub(crate) trait Sink {
    /// Takes one offer; `false` ends the generation, for nothing more is wanted.
    fn add(&mut self, ctx: &mut Ctx<'_>, offer: &Offer<'_>) -> Result<bool, Halt>;
}

/// The buffers of a running program, kept from block to block.
#[derive(Clone, Debug, Default)]
pub(crate) struct Walker {
    draft: Draft,
    flags: Vec<bool>,
    /// `[flag * n_sites + site]`
    site_flags: Vec<bool>,
    /// The entries of `site_flags` that are set.
    raised: Vec<usize>,
}

impl Walker {
    /// Lowers all flags: decision `flag-lifetime`.
    pub fn begin_pass(&mut self, rules: &Rules) {
        self.flags.clear();
        self.flags.resize(rules.ruleset.n_flags, false);
    }

    fn begin_block(&mut self, rules: &Rules) {
        self.draft.clear();
        for idx in self.raised.drain(..) {
            if let Some(it) = self.site_flags.get_mut(idx) {
                *it = false;
            }
        }
        let n_site_flags = rules.ruleset.n_site_flags * rules.ruleset.board.n_sites();
        if self.site_flags.len() != n_site_flags {
            self.site_flags.clear();
            self.site_flags.resize(n_site_flags, false);
        }
    }

    fn site_flag(&self, flag: u16, site: Site, n_sites: usize) -> bool {
        self.site_flags.get(flag as usize * n_sites + site.idx()).copied().unwrap_or(false)
    }

    fn set_site_flag(&mut self, flag: u16, site: Site, n_sites: usize, value: bool) {
        let idx = flag as usize * n_sites + site.idx();
        if let Some(it) = self.site_flags.get_mut(idx) {
            if value && !*it {
                self.raised.push(idx);
            }
            *it = value;
        }
    }
}

/// The links of the board as the owner's code sees them.
pub(crate) struct Compass<'a> {
    links: &'a [u16],
    back: &'a [u16],
    seen: &'a [u16],
}

impl<'a> Compass<'a> {
    pub fn of(rules: &'a Rules, owner: Player) -> Compass<'a> {
        let board = &*rules.ruleset.board;
        let n = board.n_directions();
        let seen = &rules.seen[owner.idx() * n..][..n];
        Compass { links: &board.links, back: &rules.back, seen }
    }

    #[inline]
    fn step(&self, site: Site, direction: u16) -> Option<Site> {
        let seen = self.seen[direction as usize] as usize;
        opt_site(self.links[site.idx() * self.seen.len() + seen])
    }

    #[inline]
    fn step_back(&self, site: Site, direction: u16) -> Option<Site> {
        let seen = self.seen[direction as usize] as usize;
        opt_site(self.back[site.idx() * self.seen.len() + seen])
    }

    /// The site that a place means, if it is on the board.
    #[inline]
    pub fn at(&self, place: Place, cursor: Site) -> Option<Site> {
        match place {
            Place::Here => Some(cursor),
            Place::Site(site) => Some(site),
            Place::Step(direction) => self.step(cursor, direction.0),
            Place::Back(direction) => self.step_back(cursor, direction.0),
        }
    }
}

/// The bit of an attribute; beyond the sixty-fourth there is none.
#[inline]
pub(crate) fn attribute_bit(attribute: Attribute) -> u64 {
    1_u64.checked_shl(u32::from(attribute.0)).unwrap_or(0)
}

/// Runs a block of `kind` from `start`; `false` if the sink wants no more.
pub(crate) fn run<S: Sink>(
    ctx: &mut Ctx<'_>,
    walker: &mut Walker,
    kind: PieceKind,
    block: &Block,
    start: Site,
    sink: &mut S,
) -> Result<bool, Halt> {
    let mut fuel = Halt::BLOCK_FUEL;
    let result = walk(ctx, walker, kind, block, start, sink, &mut fuel);
    ctx.burn(u64::from(Halt::BLOCK_FUEL - fuel));
    match result {
        Ok(goes_on) => ctx.fuel.check().map(|()| goes_on),
        Err(halt) => Err(halt),
    }
}

/// What stays the same for a whole run of a block.
struct BlockRun<'a> {
    rules: &'a Rules,
    program: &'a Program,
    compass: Compass<'a>,
    kind: PieceKind,
    block: &'a Block,
    owner: Player,
    start: Site,
    n_sites: usize,
}

/// The registers of a running block.
struct Registers {
    cursor: Site,
    from: Site,
    to: Option<Site>,
    mark: Option<Site>,
    truth: bool,
    pc: usize,
}

fn walk<S: Sink>(
    ctx: &mut Ctx<'_>,
    walker: &mut Walker,
    kind: PieceKind,
    block: &Block,
    start: Site,
    sink: &mut S,
    fuel: &mut u32,
) -> Result<bool, Halt> {
    let (rules, owner) = (ctx.rules, ctx.owner);
    let program = &*rules.ruleset.pieces[kind.idx()].program;
    let n_sites = rules.ruleset.board.n_sites();
    let compass = Compass::of(rules, owner);
    let run = BlockRun { rules, program, compass, kind, block, owner, start, n_sites };
    walker.begin_block(rules);
    let entry = block.entry as usize;
    let mut at =
        Registers { cursor: start, from: start, to: None, mark: None, truth: false, pc: entry };
    loop {
        // Decision `endless-loop`.
        if *fuel == 0 {
            return Err(Halt::EndlessBlock { kind, span: block.span });
        }
        *fuel -= 1;
        let op = program.ops[at.pc];
        at.pc += 1;
        match op {
            Op::End => return Ok(true),

            // 1. Movements of the cursor; off the board the block ends.
            Op::Step(direction) => match run.compass.step(at.cursor, direction.0) {
                Some(site) => at.cursor = site,
                None => return Ok(true),
            },
            Op::StepBack(direction) => match run.compass.step_back(at.cursor, direction.0) {
                Some(site) => at.cursor = site,
                None => return Ok(true),
            },
            Op::Goto(site) => at.cursor = site,
            Op::Go(target) => match run.target(ctx, &at, target) {
                Some(site) => at.cursor = site,
                None => return Ok(true),
            },
            Op::SetFrom => at.from = at.cursor,
            Op::SetTo => at.to = Some(at.cursor),
            Op::SetMark(place) => at.mark = run.compass.at(place, at.cursor).or(at.mark),

            // 2. Control by the truth register.
            Op::Constant(value) => at.truth = value,
            Op::Not => at.truth = !at.truth,
            Op::Jump(target) => at.pc = target as usize,
            Op::JumpIf(target) => {
                if at.truth {
                    at.pc = target as usize;
                }
            }
            Op::JumpUnless(target) => {
                if !at.truth {
                    at.pc = target as usize;
                }
            }
            Op::Verify => {
                if !at.truth {
                    return Ok(true);
                }
            }

            // 3. Flags, effects and moves.
            Op::Flag(flag) => at.truth = walker.flags[flag as usize],
            Op::SetFlag(flag) => walker.flags[flag as usize] = at.truth,
            Op::SetSiteFlag(flag, place) => {
                if let Some(site) = run.compass.at(place, at.cursor) {
                    walker.set_site_flag(flag, site, n_sites, at.truth);
                }
            }
            Op::SetAttribute(..)
            | Op::Capture(_)
            | Op::Flip(_)
            | Op::ChangeOwner(_)
            | Op::ChangeType(..)
            | Op::Create(_)
            | Op::Cascade => run.effect(walker, &mut at, op)?,
            Op::Add(idx) => {
                if !run.add(ctx, walker, &mut at, idx, sink)? {
                    return Ok(false);
                }
            }

            // 4. Everything else is a test of a place; off the board it is false.
            _ => at.truth = run.test(ctx, walker, &at, op)?,
        }
    }
}

impl BlockRun<'_> {
    /// The site that `(go …)` leads to.
    #[inline]
    fn target(&self, ctx: &Ctx<'_>, at: &Registers, target: Mark) -> Option<Site> {
        match target {
            Mark::From => Some(at.from),
            // Decision `go-to-unset`.
            Mark::To => Some(at.to.unwrap_or(at.cursor)),
            Mark::Mark => Some(at.mark.unwrap_or(self.start)),
            Mark::LastFrom => ctx.last_from,
            Mark::LastTo => ctx.last_to,
        }
    }

    /// The answer to a test; off the board it is no. Decodes the instruction itself, because
    /// `site_test` between it and the answer costs up to a tenth of the time of generation.
    #[inline(always)]
    fn test(
        &self,
        ctx: &mut Ctx<'_>,
        walker: &Walker,
        at: &Registers,
        op: Op,
    ) -> Result<bool, Halt> {
        let owner = self.owner;
        let board = &*self.rules.ruleset.board;
        macro_rules! test {
            ($place:expr, $site:ident => $answer:expr) => {
                match self.compass.at($place, at.cursor) {
                    Some($site) => $answer,
                    None => false,
                }
            };
        }
        Ok(match op {
            Op::SiteFlag(flag, place) => {
                test!(place, site => walker.site_flag(flag, site, self.n_sites))
            }
            Op::Empty(place) => test!(place, site => ctx.placement.cell(site) == EMPTY),
            Op::Enemy(place) => test!(place, site => is_enemy(ctx.placement.cell(site), owner)),
            Op::Friend(place) => test!(place, site => is_owned(ctx.placement.cell(site), owner)),
            Op::Neutral(place) => test!(place, site => is_neutral(ctx, site)),
            Op::OnBoard(place) => self.compass.at(place, at.cursor).is_some(),
            Op::AdjacentToEnemy(place) => test!(place, site => {
                let n_directions = board.n_directions();
                let links = &board.links[site.idx() * n_directions..][..n_directions];
                let mut targets = links.iter().filter_map(|&it| opt_site(it));
                targets.any(|it| is_enemy(ctx.placement.cell(it), owner))
            }),
            Op::GoalSite(place) => test!(place, site => self.rules.goal_sites.contains(site)),
            Op::LastFrom(place) => test!(place, site => ctx.last_from == Some(site)),
            Op::LastTo(place) => test!(place, site => ctx.last_to == Some(site)),
            // Decision `marked-unset`.
            Op::Marked(place) => test!(place, site => at.mark == Some(site)),
            Op::InZone(zone, place) => test!(place, site => board.in_zone(zone, owner, site)),
            Op::IsKind(wanted, place) => test!(place, site => {
                let cell = ctx.placement.cell(site);
                cell != EMPTY && cell_kind(cell) == wanted
            }),
            Op::IsSite(wanted, place) => test!(place, site => site == wanted),
            Op::HasAttribute(attribute, place) => test!(place, site => {
                ctx.placement.cell(site) != EMPTY
                    && ctx.placement.attributes(site) & attribute_bit(attribute) != 0
            }),
            Op::Attacked(move_type, place) => test!(place, site => {
                attack::is_attacked(ctx, self.kind, site, move_type.get())?
            }),
            Op::Defended(move_type, place) => test!(place, site => {
                attack::is_defended(ctx, self.kind, site, move_type.get())?
            }),
            // What is no test leaves the answer as it was.
            _ => at.truth,
        })
    }

    /// Adds an effect or a cascade to the draft; off the board nothing happens.
    #[inline(always)]
    fn effect(&self, walker: &mut Walker, at: &mut Registers, op: Op) -> Result<(), Halt> {
        let (kind, span, owner) = (self.kind, self.block.span, self.owner);
        let Some((change, place)) = site_change(self.program, owner, kind, op) else {
            if walker.draft.cascades.len() + 1 >= Halt::CASCADES {
                return Err(Halt::TooManyCascades { kind, span });
            }
            walker.draft.cascade(at.from, at.to.unwrap_or(at.cursor));
            at.from = at.cursor;
            at.to = None;
            return Ok(());
        };
        let Some(site) = self.compass.at(place, at.cursor) else { return Ok(()) };
        walker.draft.change(match change {
            SiteChange::Capture => {
                walker.draft.captures.push(site);
                return self.within_limits(walker);
            }
            SiteChange::Set(attribute) => Effect::Set { attribute, site, value: at.truth },
            SiteChange::Flip => Effect::Flip { site },
            SiteChange::GiveTo(player) => Effect::GiveTo { player, site },
            SiteChange::TurnInto(kind) => Effect::TurnInto { kind, site },
            SiteChange::Create(player, kind) => Effect::Create { player, kind, site },
        });
        self.within_limits(walker)
    }

    /// Fails if a draft has more effects than a move may have.
    #[inline(always)]
    fn within_limits(&self, walker: &Walker) -> Result<(), Halt> {
        let (kind, span) = (self.kind, self.block.span);
        if walker.draft.n_effects() > Halt::EFFECTS {
            return Err(Halt::TooManyEffects { kind, span });
        }
        Ok(())
    }

    /// Offers a move; `false` if the sink wants no more.
    #[inline(always)]
    fn add<S: Sink>(
        &self,
        ctx: &mut Ctx<'_>,
        walker: &mut Walker,
        at: &mut Registers,
        idx: u32,
        sink: &mut S,
    ) -> Result<bool, Halt> {
        let offer = Offer {
            draft: &walker.draft,
            kind: self.kind,
            move_type: self.block.move_type,
            is_drop: self.block.kind == BlockKind::Drop,
            from: at.from,
            to: at.to.unwrap_or(at.cursor),
            form: &self.program.adds[idx as usize],
        };
        if !sink.add(ctx, &offer)? {
            return Ok(false);
        }
        if self.rules.ruleset.options.discard_cascades {
            walker.draft.cascades.clear();
        }
        walker.draft.clear_effects();
        at.from = self.start;
        at.to = None;
        Ok(true)
    }
}

#[inline]
fn is_enemy(cell: u32, owner: Player) -> bool {
    cell != EMPTY && !is_owned(cell, owner)
}

fn is_neutral(ctx: &Ctx<'_>, site: Site) -> bool {
    let cell = ctx.placement.cell(site);
    let players = &ctx.rules.ruleset.players;
    cell != EMPTY && players.get(cell_owner(cell).idx()).is_some_and(|it| it.is_neutral)
}
