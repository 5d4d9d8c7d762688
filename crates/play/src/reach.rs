//! Where a piece could ever put or remove something, so that probes need not run it.
//!
//! A piece that cannot reach a site on any path of its code does not attack it. The
//! sets are found by following every path of the blocks, both ways at every test,
//! and kept by owner, kind and site. They are larger than the truth, never smaller;
//! with debug assertions on, every skipped piece is run all the same and checked.

use std::sync::OnceLock;

use boardwright_game::{BlockKind, Mark, Op, PieceKind, Place, Player, Ruleset, Site, SiteSet};

use rustc_hash::FxHashSet;

use crate::{rules::Rules, vm::Compass};

/// Tables with more entries than this are not kept.
const ENTRIES: usize = 1 << 18;
/// Steps of one block after which a piece is taken to reach everything.
const STEPS: usize = 1 << 15;

/// The sets of one ruleset, each found when it is first asked for.
#[derive(Debug, Default)]
pub(crate) struct Reach {
    /// `[(owner * n_kinds + kind) * n_sites + site]`; empty if no sets are kept.
    sets: Vec<OnceLock<Option<SiteSet>>>,
    n_kinds: usize,
    n_sites: usize,
}

impl Reach {
    /// Empty tables for a ruleset.
    ///
    /// A flag may carry news from one block to the next, so where code reads flags that
    /// it did not set no block may be left out.
    pub fn new(ruleset: &Ruleset) -> Reach {
        let (n_kinds, n_sites) = (ruleset.pieces.len(), ruleset.board.n_sites());
        let blocks = ruleset.pieces.iter().enumerate().flat_map(|(kind, piece)| {
            (0..piece.blocks.len()).map(move |block| (PieceKind(kind as u16), block))
        });
        let mut blocks = blocks;
        let reads_flags = blocks.any(|(kind, block)| reads_unset(ruleset, kind, block));
        let n_entries = ruleset.players.len() * n_kinds * n_sites;
        let is_kept = !reads_flags && n_entries.saturating_mul(n_sites.div_ceil(64)) <= ENTRIES;
        let mut sets = Vec::new();
        sets.resize_with(if is_kept { n_entries } else { 0 }, OnceLock::new);
        Reach { sets, n_kinds, n_sites }
    }

    /// Whether a piece on `from` could put or remove something on one of `targets`.
    pub fn may_touch(
        &self,
        rules: &Rules,
        owner: Player,
        kind: PieceKind,
        from: Site,
        targets: &[Site],
    ) -> bool {
        let idx = (owner.idx() * self.n_kinds + kind.idx()) * self.n_sites + from.idx();
        let Some(slot) = self.sets.get(idx) else { return true };
        let set = slot.get_or_init(|| touched(rules, owner, kind, from));
        set.as_ref().is_none_or(|set| targets.iter().any(|&it| set.contains(it)))
    }
}

/// The sites a piece may touch; `None` if that may be any.
fn touched(rules: &Rules, owner: Player, kind: PieceKind, start: Site) -> Option<SiteSet> {
    let info = &rules.ruleset.pieces[kind.idx()];
    let mut touched = SiteSet::new(rules.ruleset.board.n_sites());
    for block in info.blocks.iter().filter(|it| it.kind == BlockKind::Move) {
        let at_start = || Returns { sites: vec![start], goers: Vec::new() };
        let mut search = Search {
            ops: &info.program.ops,
            compass: Compass::of(rules, owner),
            open: Vec::new(),
            met: FxHashSet::default(),
            touched: &mut touched,
            froms: at_start(),
            tos: Returns::default(),
            marks: at_start(),
        };
        search.meet(block.entry as usize, start);
        let mut left = STEPS;
        while let Some((pc, cursor)) = search.open.pop() {
            left = left.checked_sub(1)?;
            search.step(pc, cursor)?;
        }
    }
    Some(touched)
}

/// Follows all paths of one block.
struct Search<'a> {
    ops: &'a [Op],
    compass: Compass<'a>,
    /// Instructions to look at, each with the cursor it is met with.
    open: Vec<(usize, Site)>,
    /// Those that were ever open.
    met: FxHashSet<(usize, Site)>,
    touched: &'a mut SiteSet,
    froms: Returns,
    tos: Returns,
    marks: Returns,
}

/// A remembered site, as the set of all it may be, and the code that returns to it.
#[derive(Default)]
struct Returns {
    sites: Vec<Site>,
    goers: Vec<usize>,
}

impl Search<'_> {
    fn meet(&mut self, pc: usize, cursor: Site) {
        if self.met.insert((pc, cursor)) {
            self.open.push((pc, cursor));
        }
    }

    /// Follows one instruction; `None` if it may lead anywhere.
    fn step(&mut self, pc: usize, cursor: Site) -> Option<()> {
        let next = pc + 1;
        match *self.ops.get(pc)? {
            Op::End => {}
            Op::Step(it) => {
                if let Some(site) = self.compass.at(Place::Step(it), cursor) {
                    self.meet(next, site);
                }
            }
            Op::StepBack(it) => {
                if let Some(site) = self.compass.at(Place::Back(it), cursor) {
                    self.meet(next, site);
                }
            }
            Op::Goto(site) => self.meet(next, site),
            Op::Go(Mark::LastFrom | Mark::LastTo) => return None,
            Op::Go(mark) => {
                // Before `to`, `(go to)` stays.
                if mark == Mark::To {
                    self.meet(next, cursor);
                }
                let returns = self.returns(mark);
                if !returns.goers.contains(&next) {
                    returns.goers.push(next);
                }
                let sites = returns.sites.clone();
                sites.into_iter().for_each(|it| self.meet(next, it));
            }
            Op::SetFrom => {
                self.remember(Mark::From, cursor);
                self.meet(next, cursor);
            }
            Op::SetTo => {
                self.touched.insert(cursor);
                self.remember(Mark::To, cursor);
                self.meet(next, cursor);
            }
            Op::SetMark(place) => {
                if let Some(site) = self.compass.at(place, cursor) {
                    self.remember(Mark::Mark, site);
                }
                self.meet(next, cursor);
            }
            Op::Jump(target) => self.meet(target as usize, cursor),
            Op::JumpIf(target) | Op::JumpUnless(target) => {
                self.meet(target as usize, cursor);
                self.meet(next, cursor);
            }
            Op::Capture(place) => {
                if let Some(site) = self.compass.at(place, cursor) {
                    self.touched.insert(site);
                }
                self.meet(next, cursor);
            }
            Op::Cascade => {
                self.touched.insert(cursor);
                self.remember(Mark::From, cursor);
                self.meet(next, cursor);
            }
            Op::Add(_) => {
                self.touched.insert(cursor);
                self.meet(next, cursor);
            }
            // Tests are followed both ways; nothing else moves the cursor.
            _ => self.meet(next, cursor),
        }
        Some(())
    }

    fn returns(&mut self, mark: Mark) -> &mut Returns {
        match mark {
            Mark::From => &mut self.froms,
            Mark::To => &mut self.tos,
            _ => &mut self.marks,
        }
    }

    /// Notes one more site that a mark may be, for all code that returns to it.
    fn remember(&mut self, mark: Mark, site: Site) {
        let returns = self.returns(mark);
        if !returns.sites.contains(&site) {
            returns.sites.push(site);
            let goers = returns.goers.clone();
            goers.into_iter().for_each(|it| self.meet(it, site));
        }
    }
}

/// Whether a block may read a flag that it did not set, so that blocks must run in the
/// order of the plain machine: decision `flag-lifetime`.
pub(crate) fn reads_unset(ruleset: &Ruleset, kind: PieceKind, block: usize) -> bool {
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
