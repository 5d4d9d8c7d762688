//! Correction history: how far static evaluations were off, learned while searching.
//!
//! Two tables hold the mean difference between search score and static evaluation: one by
//! pawn structure, one by the two moves before. The sum corrects later static evaluations.

use crate::{
    history::HistoryKey,
    params::{
        CORRECTION_ERROR_LIMIT, CORRECTION_GRAIN, CORRECTION_SIZE, CORRECTION_UPDATE_LIMIT,
        CORRECTION_WEIGHT,
    },
    structure::SiteBits,
};

/// Mean errors of the static evaluation, in 64ths of a point.
pub(crate) struct CorrectionHistory {
    /// By side to move and pawn structure.
    by_pawns: Vec<i32>,
    /// By side to move and the two moves before.
    by_moves: Vec<i32>,
    /// Largest correction by one table.
    limit: i32,
}

/// The entries of one state in the two tables.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CorrectionKeys {
    pawns: usize,
    moves: usize,
}

impl CorrectionHistory {
    /// Empty tables that correct by at most `limit` points each.
    pub fn new(limit: i32) -> CorrectionHistory {
        let blank = || vec![0; 2 * CORRECTION_SIZE];
        CorrectionHistory { by_pawns: blank(), by_moves: blank(), limit: limit * CORRECTION_GRAIN }
    }

    /// The entries of a state: side to move (0 or 1), pawns of both players, last two moves.
    pub fn keys(side: usize, pawns: [SiteBits; 2], moves: [HistoryKey; 2]) -> CorrectionKeys {
        let fold = |it: SiteBits| (it as u64) ^ ((it >> 64) as u64).rotate_left(32);
        let pawns = fold(pawns[0]).wrapping_mul(0x9E37_79B9_7F4A_7C15)
            ^ fold(pawns[1]).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        let moves = u64::from(moves[0].0).wrapping_mul(0x9E37_79B9_7F4A_7C15)
            ^ u64::from(moves[1].0).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        let idx = |mixed: u64| side * CORRECTION_SIZE + (mixed >> 50) as usize;
        CorrectionKeys { pawns: idx(pawns), moves: idx(moves) }
    }

    /// The correction to add to a static evaluation, in points.
    pub fn correction(&self, keys: CorrectionKeys) -> i32 {
        (self.by_pawns[keys.pawns] + self.by_moves[keys.moves]) / CORRECTION_GRAIN
    }

    /// Updates both tables with `search score − static evaluation` of a search of this depth.
    pub fn update(&mut self, keys: CorrectionKeys, error: i32, depth: i32) {
        let weight = (depth + 1).clamp(1, CORRECTION_UPDATE_LIMIT);
        for entry in [&mut self.by_pawns[keys.pawns], &mut self.by_moves[keys.moves]] {
            let error = error.clamp(-CORRECTION_ERROR_LIMIT, CORRECTION_ERROR_LIMIT);
            let error = error * CORRECTION_GRAIN;
            *entry = (*entry * (CORRECTION_WEIGHT - weight) + error * weight) / CORRECTION_WEIGHT;
            *entry = (*entry).clamp(-self.limit, self.limit);
        }
    }
}
