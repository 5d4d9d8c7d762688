//! The transposition table: search results by state, shared by all threads.
//!
//! An entry is two words. The first is the hash XOR the second, so a reader that sees halves
//! of two concurrent writes finds a hash that does not match and ignores the entry.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::score::{PROVEN, WIN};

/// How a stored score bounds the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bound {
    /// The true score is at most the stored one: every move failed low.
    Upper,
    /// The true score is at least the stored one: some move failed high.
    Lower,
    /// The stored score is the true one.
    Exact,
}

impl Bound {
    /// The bound that a search with this window gives with its best score.
    #[inline]
    pub fn of(best: i32, alpha: i32, beta: i32) -> Bound {
        if best >= beta {
            Bound::Lower
        } else if best > alpha {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }
}

/// What the table stores about a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TableEntry {
    /// The [`short_key`] of the best move; 0 if there is none.
    pub mv: u32,
    /// The score; proven wins and losses count moves from the state, not from the root.
    pub score: i32,
    /// The depth of the search that gave the score, in turns.
    pub depth: i32,
    pub bound: Bound,
}

const MOVE_BITS: u32 = 24;
const SCORE_BITS: u32 = 24;
const SCORE_OFFSET: i32 = 1 << (SCORE_BITS - 1);

/// The part of a move's key that the table stores; never 0.
#[inline]
pub(crate) fn short_key(key: u32) -> u32 {
    // The pass has key 0 and must differ from "no move".
    let short = (key + 1) & ((1 << MOVE_BITS) - 1);
    short.max(1)
}

/// A score as the table stores it: proven results count from the state instead of the root.
pub(crate) fn score_to_table(score: i32, ply: usize) -> i32 {
    if score >= PROVEN {
        (score + ply as i32).min(WIN)
    } else if score <= -PROVEN {
        (score - ply as i32).max(-WIN)
    } else {
        score
    }
}

/// The inverse of [`score_to_table`].
fn score_from_table(score: i32, ply: usize) -> i32 {
    if score >= PROVEN {
        score - ply as i32
    } else if score <= -PROVEN {
        score + ply as i32
    } else {
        score
    }
}

impl TableEntry {
    /// The stored score as seen from a node at `ply`, if it decides a search with this window.
    #[inline]
    pub fn cutoff(&self, ply: usize, alpha: i32, beta: i32) -> Option<i32> {
        let score = score_from_table(self.score, ply);
        let decides = match self.bound {
            Bound::Exact => true,
            Bound::Lower => score >= beta,
            Bound::Upper => score <= alpha,
        };
        decides.then_some(score)
    }

    fn pack(self, generation: u8) -> u64 {
        let bound = match self.bound {
            Bound::Upper => 1,
            Bound::Lower => 2,
            Bound::Exact => 3,
        };
        u64::from(self.mv)
            | ((self.score + SCORE_OFFSET) as u64) << MOVE_BITS
            | (self.depth.clamp(0, 127) as u64) << (MOVE_BITS + SCORE_BITS)
            | bound << 55
            | u64::from(generation & 0x7F) << 57
    }

    fn unpack(word: u64) -> Option<TableEntry> {
        let bound = match word >> 55 & 3 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            3 => Bound::Exact,
            _ => return None,
        };
        Some(TableEntry {
            mv: (word & ((1 << MOVE_BITS) - 1)) as u32,
            score: (word >> MOVE_BITS & ((1 << SCORE_BITS) - 1)) as i32 - SCORE_OFFSET,
            depth: (word >> (MOVE_BITS + SCORE_BITS) & 0x7F) as i32,
            bound,
        })
    }
}

/// Entries by hash, in buckets of two: the first prefers depth, the second is always replaced.
pub(crate) struct TranspositionTable {
    words: Vec<AtomicU64>,
    n_buckets: u64,
    /// Counts searches, so that entries of earlier ones are replaced first.
    generation: u8,
}

impl TranspositionTable {
    /// A table of at most `bytes` bytes (and at least 1024 buckets).
    pub fn new(bytes: usize) -> TranspositionTable {
        let n_buckets = TranspositionTable::buckets(bytes);
        let words = (0..n_buckets * 4).map(|_| AtomicU64::new(0)).collect();
        TranspositionTable { words, n_buckets: n_buckets as u64, generation: 0 }
    }

    fn buckets(bytes: usize) -> usize {
        (bytes / 32).max(1024)
    }

    /// Whether a new table of `bytes` bytes would have the same size as this one.
    pub fn has_size(&self, bytes: usize) -> bool {
        self.n_buckets == TranspositionTable::buckets(bytes) as u64
    }

    /// Empties the table.
    pub fn clear(&mut self) {
        self.words.iter_mut().for_each(|it| *it.get_mut() = 0);
    }

    /// Starts a new generation: what is stored now is replaced before what comes.
    pub fn new_generation(&mut self) {
        self.generation = self.generation.wrapping_add(1) & 0x7F;
    }

    fn first_word(&self, hash: u64) -> usize {
        ((u128::from(hash) * u128::from(self.n_buckets)) >> 64) as usize * 4
    }

    /// The entry stored for a hash.
    pub fn probe(&self, hash: u64) -> Option<TableEntry> {
        let first = self.first_word(hash);
        (0..2).find_map(|slot| {
            let [check, word] = [0, 1].map(|it| {
                self.words.get(first + slot * 2 + it).map_or(0, |it| it.load(Ordering::Relaxed))
            });
            if check ^ word == hash { TableEntry::unpack(word) } else { None }
        })
    }

    /// Stores an entry; one without a move keeps the move that was stored for the same hash.
    pub fn store(&self, hash: u64, mut entry: TableEntry) {
        let first = self.first_word(hash);
        let Some(bucket) = self.words.get(first..first + 4) else { return };
        let load = |idx: usize| bucket[idx].load(Ordering::Relaxed);
        let (word, other) = (load(1), load(3));
        let is_same = load(0) ^ word == hash;
        let old = TableEntry::unpack(word);
        let is_old = (word >> 57) as u8 != self.generation;
        let replaces_deeper = is_same
            || is_old
            || old.is_none_or(|it| {
                entry.depth + 2 * i32::from(entry.bound == Bound::Exact) >= it.depth
            });
        if entry.mv == 0 {
            let known = if is_same {
                old
            } else {
                TableEntry::unpack(other).filter(|_| load(2) ^ other == hash)
            };
            entry.mv = known.map_or(0, |it| it.mv);
        }
        let slot = if replaces_deeper { 0 } else { 2 };
        let word = entry.pack(self.generation);
        bucket[slot].store(hash ^ word, Ordering::Relaxed);
        bucket[slot + 1].store(word, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_found_by_its_hash_only() {
        let table = TranspositionTable::new(1 << 16);
        for (idx, score) in [-1_999_990, -1, 0, 77, 1_999_999].into_iter().enumerate() {
            let hash = 0x9E37_79B9_7F4A_7C15_u64.wrapping_mul(idx as u64 + 1);
            let entry = TableEntry { mv: 5 + idx as u32, score, depth: 9, bound: Bound::Lower };
            table.store(hash, entry);
            assert_eq!(table.probe(hash), Some(entry));
            assert_eq!(table.probe(hash ^ 1), None);
        }
    }

    #[test]
    fn proven_scores_count_from_the_node() {
        let entry =
            TableEntry { mv: 0, score: score_to_table(WIN - 9, 4), depth: 3, bound: Bound::Exact };
        // A win nine plies from the root, found at ply 4, is five plies from that state.
        assert_eq!(entry.cutoff(0, -1, 1), Some(WIN - 5));
        assert_eq!(entry.cutoff(6, -1, 1), Some(WIN - 11));
    }
}
