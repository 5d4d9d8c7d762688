//! The transposition table: what was found out about states, shared by all threads.
//!
//! An entry is two words. The first is the hash mixed with the second, so a
//! reader that sees halves of two writes notices and takes nothing.

use std::sync::atomic::{AtomicU64, Ordering};

/// How a stored score binds the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bound {
    /// At most the score.
    Upper,
    /// At least the score.
    Lower,
    Exact,
}

/// What the table knows of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    /// The low bits of the best move's key; 0 if there is none.
    pub mv: u32,
    pub score: i32,
    pub depth: i32,
    pub bound: Bound,
}

const MOVE_BITS: u32 = 24;
const SCORE_BITS: u32 = 24;
const SCORE_OFFSET: i32 = 1 << (SCORE_BITS - 1);

/// The part of a move's key that the table keeps; never 0.
#[inline]
pub(crate) fn short_key(key: u32) -> u32 {
    // The pass has key 0 and must be told from "no move".
    let short = (key + 1) & ((1 << MOVE_BITS) - 1);
    short.max(1)
}

impl Entry {
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

    fn unpack(word: u64) -> Option<Entry> {
        let bound = match word >> 55 & 3 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            3 => Bound::Exact,
            _ => return None,
        };
        Some(Entry {
            mv: (word & ((1 << MOVE_BITS) - 1)) as u32,
            score: (word >> MOVE_BITS & ((1 << SCORE_BITS) - 1)) as i32 - SCORE_OFFSET,
            depth: (word >> (MOVE_BITS + SCORE_BITS) & 0x7F) as i32,
            bound,
        })
    }
}

/// Entries by hash, in pairs: one for depth, one for what is new.
pub(crate) struct Table {
    words: Vec<AtomicU64>,
    n_pairs: u64,
    generation: u8,
}

impl Table {
    /// A table of at most so many bytes.
    pub fn new(bytes: usize) -> Table {
        let n_pairs = Table::pairs(bytes);
        let words = (0..n_pairs * 4).map(|_| AtomicU64::new(0)).collect();
        Table { words, n_pairs: n_pairs as u64, generation: 0 }
    }

    fn pairs(bytes: usize) -> usize {
        (bytes / 32).max(1024)
    }

    /// Whether it has the size that so many bytes give.
    pub fn is_of(&self, bytes: usize) -> bool {
        self.n_pairs == Table::pairs(bytes) as u64
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.words.iter_mut().for_each(|it| *it.get_mut() = 0);
    }

    /// Marks what is there as older than what comes.
    pub fn age(&mut self) {
        self.generation = self.generation.wrapping_add(1) & 0x7F;
    }

    fn first(&self, hash: u64) -> usize {
        ((u128::from(hash) * u128::from(self.n_pairs)) >> 64) as usize * 4
    }

    pub fn get(&self, hash: u64) -> Option<Entry> {
        let first = self.first(hash);
        (0..2).find_map(|slot| {
            let [check, word] = [0, 1].map(|it| {
                self.words.get(first + slot * 2 + it).map_or(0, |it| it.load(Ordering::Relaxed))
            });
            if check ^ word == hash { Entry::unpack(word) } else { None }
        })
    }

    pub fn put(&self, hash: u64, mut entry: Entry) {
        let first = self.first(hash);
        let Some(pair) = self.words.get(first..first + 4) else { return };
        let load = |idx: usize| pair[idx].load(Ordering::Relaxed);
        let (word, other) = (load(1), load(3));
        let is_same = load(0) ^ word == hash;
        let old = Entry::unpack(word);
        let is_old = (word >> 57) as u8 != self.generation;
        let goes_first = is_same
            || is_old
            || old.is_none_or(|it| {
                entry.depth + 2 * i32::from(entry.bound == Bound::Exact) >= it.depth
            });
        if entry.mv == 0 {
            let known = if is_same {
                old
            } else {
                Entry::unpack(other).filter(|_| load(2) ^ other == hash)
            };
            entry.mv = known.map_or(0, |it| it.mv);
        }
        let slot = if goes_first { 0 } else { 2 };
        let word = entry.pack(self.generation);
        pair[slot].store(hash ^ word, Ordering::Relaxed);
        pair[slot + 1].store(word, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_in_comes_out() {
        let table = Table::new(1 << 16);
        for (idx, score) in [-1_999_990, -1, 0, 77, 1_999_999].into_iter().enumerate() {
            let hash = 0x9E37_79B9_7F4A_7C15_u64.wrapping_mul(idx as u64 + 1);
            let entry = Entry { mv: 5 + idx as u32, score, depth: 9, bound: Bound::Lower };
            table.put(hash, entry);
            assert_eq!(table.get(hash), Some(entry));
            assert_eq!(table.get(hash ^ 1), None);
        }
    }
}
