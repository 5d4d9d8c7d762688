//! Questions about named sites, asked once for all starts.
//!
//! A condition on sites named outright, such as "do the generals face each
//! other", has one answer for every piece and every step of it. Such a stretch of
//! code is answered once, when a turn begins, and is a single question in graphs.

use boardwright_game::{Op, PieceKind, Place, Ruleset};
use boardwright_play::semantics::{SiteTest, site_test};
use rustc_hash::FxHashMap;

use crate::{
    bits::Bits,
    lanes::{EMPTY, ENEMY, FIRST_KIND, FRIEND, LAST_FROM, LAST_TO, MAX_SETS, NEUTRAL},
    layout::LaneMap,
};

/// A stretch with fewer questions is left as it is.
const FEWEST: usize = 4;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum UniformQuestion {
    InSet(u8, u16),
    Constant(bool),
    Not,
    /// Jumps, counted from the beginning of the stretch.
    Jump(u32),
    JumpIf(u32),
    JumpUnless(u32),
}

/// The stretches of a game's code, each once.
#[derive(Clone, Debug, Default)]
pub(crate) struct Uniforms {
    codes: Vec<Vec<UniformQuestion>>,
    /// By kind and first instruction: the number of the stretch, and where it ends.
    at: FxHashMap<(PieceKind, u32), (u16, u32)>,
}

impl Uniforms {
    pub fn new<const W: usize>(
        ruleset: &Ruleset,
        layout: &LaneMap<W>,
        first_attribute: usize,
    ) -> Uniforms {
        let mut it = Uniforms::default();
        let mut ids: FxHashMap<Vec<UniformQuestion>, u16> = FxHashMap::default();
        for (kind, piece) in ruleset.pieces.iter().enumerate() {
            let ops = &piece.program.ops;
            let mut pc = 0;
            while pc < ops.len() {
                let Some(end) = stretch(ops, pc) else {
                    pc += 1;
                    continue;
                };
                let code: Vec<UniformQuestion> = ops[pc..end]
                    .iter()
                    .filter_map(|&op| ask(op, pc as u32, layout, first_attribute))
                    .collect();
                let n = ids.len();
                if n < 64 * W {
                    let id = *ids.entry(code.clone()).or_insert(n as u16);
                    if id as usize == it.codes.len() {
                        it.codes.push(code);
                    }
                    it.at.insert((PieceKind(kind as u16), pc as u32), (id, end as u32));
                }
                pc = end;
            }
        }
        it
    }

    /// The stretch that begins with an instruction: its number, and where it ends.
    pub fn find(&self, kind: PieceKind, pc: u32) -> Option<(u16, u32)> {
        self.at.get(&(kind, pc)).copied()
    }

    /// The numbers of the stretches in a range of a kind's code.
    pub fn within(&self, kind: PieceKind, range: std::ops::Range<u32>) -> Vec<u16> {
        let inside =
            |it: &(&(PieceKind, u32), &(u16, u32))| it.0.0 == kind && range.contains(&it.0.1);
        let mut ids: Vec<u16> = self.at.iter().filter(inside).map(|it| it.1.0).collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    }

    /// The numbers of the stretches that hold.
    #[inline]
    pub fn answers<const W: usize>(&self, sets: &[Bits<W>; MAX_SETS]) -> Bits<W> {
        let mut out = Bits::NONE;
        for (id, code) in self.codes.iter().enumerate() {
            if holds(code, sets) {
                out.insert(id);
            }
        }
        out
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        self.codes.is_empty()
    }
}

fn holds<const W: usize>(code: &[UniformQuestion], sets: &[Bits<W>; MAX_SETS]) -> bool {
    let (mut truth, mut pc) = (false, 0);
    // Jumps lead forward, so this ends.
    while let Some(&ask) = code.get(pc) {
        pc += 1;
        match ask {
            UniformQuestion::InSet(set, lane) => truth = sets[set as usize].contains(lane as usize),
            UniformQuestion::Constant(value) => truth = value,
            UniformQuestion::Not => truth = !truth,
            UniformQuestion::Jump(to) => pc = to as usize,
            UniformQuestion::JumpIf(to) => pc = if truth { to as usize } else { pc },
            UniformQuestion::JumpUnless(to) => pc = if truth { pc } else { to as usize },
        }
    }
    truth
}

/// The end of the longest stretch that begins at `pc`, if it is worth it.
fn stretch(ops: &[Op], pc: usize) -> Option<usize> {
    named_test(ops[pc])?;
    let (mut reach, mut n_tests, mut end) = (pc, 0, None);
    for (idx, &op) in ops.iter().enumerate().skip(pc) {
        match op {
            Op::Constant(_) | Op::Not => {}
            Op::Jump(to) | Op::JumpIf(to) | Op::JumpUnless(to) if to as usize > idx => {
                reach = reach.max(to as usize);
            }
            _ if named_test(op).is_some() => n_tests += 1,
            _ => break,
        }
        if reach <= idx + 1 && n_tests >= FEWEST {
            end = Some(idx + 1);
        }
    }
    end
}

/// The set and the site that a question is about, if it names one.
fn named_test(op: Op) -> Option<(usize, boardwright_game::Site)> {
    let (test, place) = site_test(op)?;
    // Attributes are told by numbers beyond all sets, to be put right by the caller.
    let set = match test {
        SiteTest::Empty => EMPTY,
        SiteTest::Enemy => ENEMY,
        SiteTest::Friend => FRIEND,
        SiteTest::Neutral => NEUTRAL,
        SiteTest::LastFrom => LAST_FROM,
        SiteTest::LastTo => LAST_TO,
        SiteTest::IsKind(kind) => FIRST_KIND + kind.idx(),
        SiteTest::HasAttribute(it) => MAX_SETS + it.idx(),
        _ => return None,
    };
    match place {
        Place::Site(site) => Some((set, site)),
        _ => None,
    }
}

fn ask<const W: usize>(
    op: Op,
    start: u32,
    layout: &LaneMap<W>,
    first_attribute: usize,
) -> Option<UniformQuestion> {
    Some(match op {
        Op::Constant(value) => UniformQuestion::Constant(value),
        Op::Not => UniformQuestion::Not,
        Op::Jump(to) => UniformQuestion::Jump(to - start),
        Op::JumpIf(to) => UniformQuestion::JumpIf(to - start),
        Op::JumpUnless(to) => UniformQuestion::JumpUnless(to - start),
        _ => {
            let (set, site) = named_test(op)?;
            let set = if set < MAX_SETS { set } else { set - MAX_SETS + first_attribute };
            UniformQuestion::InSet(set as u8, layout.lane(site) as u16)
        }
    })
}
