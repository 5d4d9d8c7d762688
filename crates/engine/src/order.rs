//! Which moves to look at first.

use boardwright_fast::{GameTree, TreeMove};
use boardwright_game::PieceKind;

use crate::{eval::Eval, table::short_key};

/// What a searcher learned about moves in general.
pub(crate) struct Memory {
    n_kinds: usize,
    n_sites: usize,
    /// By mover, kind and target: how often it was good.
    history: Vec<i16>,
    /// The same by what was moved before and where to.
    follow: Vec<i16>,
    /// By ply: the last quiet moves that refuted something.
    killers: Vec<[u32; 2]>,
    /// By what was moved before: the answer that refuted it.
    counters: Vec<u32>,
}

const HISTORY: usize = 1 << 15;
const FOLLOW: usize = 1 << 19;
/// Beyond this no history value goes.
const MOST: i32 = 8192;

/// Where a kind of move is noted: mover, kind and target as one number.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Track(pub u32);

const TABLE_MOVE: i32 = 1 << 30;
const GOOD_LOUD: i32 = 1 << 24;
const KILLER: i32 = 1 << 20;
const BAD_LOUD: i32 = -(1 << 20);
/// What is rated below loses by what is taken back, and that is known.
pub(crate) const LOSES: i32 = BAD_LOUD / 4 * 3;

impl Memory {
    pub fn new(n_kinds: usize, n_sites: usize) -> Memory {
        Memory {
            n_kinds,
            n_sites,
            history: vec![0; HISTORY],
            follow: vec![0; FOLLOW],
            killers: vec![[u32::MAX; 2]; 256],
            counters: vec![u32::MAX; HISTORY],
        }
    }

    #[inline]
    pub fn track(&self, mover: usize, choice: &TreeMove) -> Track {
        let kind = choice.kind.map_or(0, PieceKind::idx);
        let to = choice.to.map_or(0, |it| it.idx() + 1);
        let drop = usize::from(choice.is_drop);
        let place = ((mover * 2 + drop) * self.n_kinds + kind) * (self.n_sites + 1) + to;
        Track(place as u32)
    }

    fn follow_idx(before: Track, now: Track) -> usize {
        let mixed = before.0.wrapping_mul(0x9E37_79B1) ^ now.0.wrapping_mul(0x85EB_CA77);
        (mixed >> 7) as usize % FOLLOW
    }

    #[inline]
    pub fn quiet(&self, before: Track, now: Track) -> i32 {
        i32::from(self.history[now.0 as usize % HISTORY])
            + i32::from(self.follow[Memory::follow_idx(before, now)])
    }

    /// Gives every move a number, the best the highest.
    #[expect(clippy::too_many_arguments, reason = "what the order depends on")]
    pub fn rate(
        &self,
        eval: &Eval,
        tree: &GameTree<'_>,
        moves: &[TreeMove],
        ply: usize,
        mover: usize,
        table_move: u32,
        before: Track,
        out: &mut Vec<i32>,
    ) {
        out.clear();
        let killers = self.killers.get(ply).copied().unwrap_or([u32::MAX; 2]);
        let counter = self.counters[before.0 as usize % HISTORY];
        out.extend(moves.iter().map(|it| {
            if table_move != 0 && short_key(it.key) == table_move {
                return TABLE_MOVE;
            }
            if it.is_loud() {
                let (gain, risk) = stakes(eval, mover, it);
                let good = GOOD_LOUD + gain * 8 - risk / 8;
                if gain + 40 >= risk || it.n_turned > 0 {
                    return good;
                }
                return match tree.exchange(it, &eval.worth) {
                    Some(comes_to) if comes_to >= 0 => good,
                    Some(_) => BAD_LOUD + gain * 8 - risk,
                    None => BAD_LOUD / 2 + gain * 8 - risk,
                };
            }
            if it.key == killers[0] {
                return KILLER + 2;
            }
            if it.key == killers[1] {
                return KILLER + 1;
            }
            if it.key == counter {
                return KILLER;
            }
            self.quiet(before, self.track(mover, it))
        }));
    }

    /// Notes that a move refuted what came before; `tried` are the quiet ones before it.
    pub fn reward(
        &mut self,
        ply: usize,
        mover: usize,
        best: &TreeMove,
        tried: &[TreeMove],
        before: Track,
        depth: i32,
    ) {
        let bonus = (depth * depth * 8).min(900);
        if !best.is_loud() {
            if let Some(killers) = self.killers.get_mut(ply)
                && killers[0] != best.key
            {
                *killers = [best.key, killers[0]];
            }
            self.counters[before.0 as usize % HISTORY] = best.key;
            self.learn(before, self.track(mover, best), bonus);
        }
        for it in tried {
            self.learn(before, self.track(mover, it), -bonus);
        }
    }

    fn learn(&mut self, before: Track, now: Track, bonus: i32) {
        let follow = Memory::follow_idx(before, now);
        for cell in [&mut self.history[now.0 as usize % HISTORY], &mut self.follow[follow]] {
            let old = i32::from(*cell);
            *cell = (old + bonus - old * bonus.abs() / MOST).clamp(-MOST, MOST) as i16;
        }
    }
}

/// What a loud move gains at once, and what it puts at risk.
#[inline]
pub(crate) fn stakes(eval: &Eval, mover: usize, it: &TreeMove) -> (i32, i32) {
    let worth = |kind: PieceKind| eval.worth.get(kind.idx()).copied().unwrap_or(0);
    let mut gain = 0;
    if let Some((owner, kind)) = it.victim {
        let value = worth(kind) * i32::from(it.n_taken.max(1));
        gain += if owner.idx() == mover { -value } else { value };
    }
    let own = it.kind.map_or(0, worth);
    if let Some(kind) = it.becomes {
        gain += worth(kind) - own;
    }
    gain += 50 * i32::from(it.n_turned);
    (gain, if it.is_drop || own >= 5000 { 0 } else { own })
}

/// Brings the best of the moves from `at` on to `at`.
#[inline]
pub(crate) fn pick(moves: &mut [TreeMove], rates: &mut [i32], at: usize) {
    let mut best = at;
    for idx in at + 1..rates.len() {
        if rates[idx] > rates[best] {
            best = idx;
        }
    }
    moves.swap(at, best);
    rates.swap(at, best);
}
