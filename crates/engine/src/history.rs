//! Move ordering: what earlier searches learned about moves, and the order to search them in.

use boardwright_fast::{GameTree, TreeMove};
use boardwright_game::PieceKind;

use crate::{
    eval::Eval,
    params::{
        CONTINUATION_SIZE, FLIP_GAIN, GOOD_CAPTURE_MARGIN, HISTORY_BONUS, HISTORY_BONUS_LIMIT,
        HISTORY_LIMIT, HISTORY_SIZE, KILLER_PLIES, ROYAL_WORTH,
    },
    transposition::short_key,
};

/// History tables of one searcher: history, continuation history, killers, counter-moves.
pub(crate) struct MoveHistory {
    n_kinds: usize,
    n_sites: usize,
    /// By move: the history score.
    history: Vec<i16>,
    /// By previous move and move: the continuation history score.
    continuation: Vec<i16>,
    /// By ply: the last two quiet moves that failed high.
    killers: Vec<[u32; 2]>,
    /// By previous move: the last quiet move that refuted it.
    counter_moves: Vec<u32>,
}

/// A move as the history tables know it: mover, kind and target site as one number. 0 is "no
/// move".
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct HistoryKey(pub u32);

const TABLE_MOVE: i32 = 1 << 30;
const GOOD_CAPTURE: i32 = 1 << 24;
const KILLER: i32 = 1 << 20;
const BAD_CAPTURE: i32 = -(1 << 20);
/// Captures that score less lose material by static exchange evaluation.
pub(crate) const LOSING_CAPTURE: i32 = BAD_CAPTURE / 4 * 3;

/// The node whose moves are to be ordered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OrderingContext {
    pub ply: usize,
    /// The index of the player to move.
    pub mover: usize,
    /// The [`short_key`] of the move from the transposition table; 0 if there is none.
    pub table_move: u32,
    /// The move that led here.
    pub previous: HistoryKey,
}

impl MoveHistory {
    pub fn new(n_kinds: usize, n_sites: usize) -> MoveHistory {
        MoveHistory {
            n_kinds,
            n_sites,
            history: vec![0; HISTORY_SIZE],
            continuation: vec![0; CONTINUATION_SIZE],
            killers: vec![[u32::MAX; 2]; KILLER_PLIES],
            counter_moves: vec![u32::MAX; HISTORY_SIZE],
        }
    }

    /// The key of a move of the player with index `mover`.
    #[inline]
    pub fn key(&self, mover: usize, choice: &TreeMove) -> HistoryKey {
        let kind = choice.kind.map_or(0, PieceKind::idx);
        let to = choice.to.map_or(0, |it| it.idx() + 1);
        let drop = usize::from(choice.is_drop);
        let number = ((mover * 2 + drop) * self.n_kinds + kind) * (self.n_sites + 1) + to;
        HistoryKey(number as u32)
    }

    fn continuation_idx(previous: HistoryKey, now: HistoryKey) -> usize {
        let mixed = previous.0.wrapping_mul(0x9E37_79B1) ^ now.0.wrapping_mul(0x85EB_CA77);
        (mixed >> 7) as usize % CONTINUATION_SIZE
    }

    /// The sum of history and continuation history of a quiet move.
    #[inline]
    pub fn quiet_score(&self, previous: HistoryKey, now: HistoryKey) -> i32 {
        i32::from(self.history[now.0 as usize % HISTORY_SIZE])
            + i32::from(self.continuation[MoveHistory::continuation_idx(previous, now)])
    }

    /// Fills `out` with a score for each move; the highest is searched first.
    pub fn score_moves(
        &self,
        eval: &Eval,
        tree: &GameTree<'_>,
        moves: &[TreeMove],
        node: OrderingContext,
        out: &mut Vec<i32>,
    ) {
        let OrderingContext { ply, mover, table_move, previous } = node;
        out.clear();
        let killers = self.killers.get(ply).copied().unwrap_or([u32::MAX; 2]);
        let counter_move = self.counter_moves[previous.0 as usize % HISTORY_SIZE];
        out.extend(moves.iter().map(|it| {
            if table_move != 0 && short_key(it.key) == table_move {
                return TABLE_MOVE;
            }
            if it.is_loud() {
                let (gain, risk) = gain_and_risk(eval, mover, it);
                let good = GOOD_CAPTURE + gain * 8 - risk / 8;
                if gain + GOOD_CAPTURE_MARGIN >= risk || it.n_turned > 0 {
                    return good;
                }
                return match tree.exchange(it, &eval.worth) {
                    Some(exchange) if exchange >= 0 => good,
                    Some(_) => BAD_CAPTURE + gain * 8 - risk,
                    None => BAD_CAPTURE / 2 + gain * 8 - risk,
                };
            }
            if it.key == killers[0] {
                return KILLER + 2;
            }
            if it.key == killers[1] {
                return KILLER + 1;
            }
            if it.key == counter_move {
                return KILLER;
            }
            self.quiet_score(previous, self.key(mover, it))
        }));
    }

    /// Updates the tables after `best` failed high at a node searched to `depth`; `tried` are
    /// the quiet moves searched before it.
    pub fn update(
        &mut self,
        node: OrderingContext,
        best: &TreeMove,
        tried: impl Iterator<Item = TreeMove>,
        depth: i32,
    ) {
        let OrderingContext { ply, mover, previous, .. } = node;
        let bonus = (depth * depth * HISTORY_BONUS).min(HISTORY_BONUS_LIMIT);
        if !best.is_loud() {
            if let Some(killers) = self.killers.get_mut(ply)
                && killers[0] != best.key
            {
                *killers = [best.key, killers[0]];
            }
            self.counter_moves[previous.0 as usize % HISTORY_SIZE] = best.key;
            self.add_bonus(previous, self.key(mover, best), bonus);
        }
        for it in tried {
            self.add_bonus(previous, self.key(mover, &it), -bonus);
        }
    }

    /// Moves both history scores towards the bound by `bonus`; the nearer, the less.
    fn add_bonus(&mut self, previous: HistoryKey, now: HistoryKey, bonus: i32) {
        let continuation = MoveHistory::continuation_idx(previous, now);
        for entry in
            [&mut self.history[now.0 as usize % HISTORY_SIZE], &mut self.continuation[continuation]]
        {
            let old = i32::from(*entry);
            let new = old + bonus - old * bonus.abs() / HISTORY_LIMIT;
            *entry = new.clamp(-HISTORY_LIMIT, HISTORY_LIMIT) as i16;
        }
    }
}

/// What a capture or promotion gains at once, and the worth of the piece it puts at risk.
#[inline]
pub(crate) fn gain_and_risk(eval: &Eval, mover: usize, it: &TreeMove) -> (i32, i32) {
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
    gain += FLIP_GAIN * i32::from(it.n_turned);
    (gain, if it.is_drop || own >= ROYAL_WORTH { 0 } else { own })
}

/// Selection sort, one step: swaps the best of the moves from `at` on to `at`.
#[inline]
pub(crate) fn pick_best(moves: &mut [TreeMove], scores: &mut [i32], at: usize) {
    let mut best = at;
    for idx in at + 1..scores.len() {
        if scores[idx] > scores[best] {
            best = idx;
        }
    }
    moves.swap(at, best);
    scores.swap(at, best);
}
