//! Sets of sites as machine words.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not};

/// A set of up to `64 * W` sites, by lane.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Bits<const W: usize>(pub [u64; W]);

impl<const W: usize> Bits<W> {
    pub const NONE: Bits<W> = Bits([0; W]);

    #[inline]
    pub fn only(lane: usize) -> Bits<W> {
        let mut bits = Bits::NONE;
        bits.0[lane / 64] |= 1 << (lane % 64);
        bits
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |acc, it| acc | it) == 0
    }

    #[inline]
    pub fn count(&self) -> u32 {
        self.0.iter().map(|it| it.count_ones()).sum()
    }

    /// How many lanes are lower than one.
    #[inline]
    pub fn count_below(&self, lane: usize) -> usize {
        let (words, rest) = self.0.split_at(lane / 64);
        let below = rest[0] & ((1 << (lane % 64)) - 1);
        (below.count_ones() + words.iter().map(|it| it.count_ones()).sum::<u32>()) as usize
    }

    #[inline]
    pub fn contains(&self, lane: usize) -> bool {
        self.0[lane / 64] >> (lane % 64) & 1 != 0
    }

    #[inline]
    pub fn toggle(&mut self, lane: usize) {
        self.0[lane / 64] ^= 1 << (lane % 64);
    }

    /// The same for two lanes that differ.
    #[inline]
    pub fn toggle_both(&mut self, one: usize, other: usize) {
        if W == 1 {
            self.0[0] ^= 1 << (one % 64) | 1 << (other % 64);
        } else {
            self.toggle(one);
            self.toggle(other);
        }
    }

    #[inline]
    pub fn insert(&mut self, lane: usize) {
        self.0[lane / 64] |= 1 << (lane % 64);
    }

    /// For each lane whether the lane `by` further on is in; wraps round, so the
    /// caller must know which lanes have such a neighbour.
    #[inline]
    pub fn ahead(&self, by: u16) -> Bits<W> {
        if W == 1 {
            let mut out = Bits::NONE;
            out.0[0] = self.0[0].rotate_right(u32::from(by));
            return out;
        }
        if by == 0 {
            return *self;
        }
        let (words, bits) = (by as usize / 64, u32::from(by) % 64);
        let mut out = Bits::NONE;
        for idx in 0..W {
            let (low, high) = (self.0[(idx + words) % W], self.0[(idx + words + 1) % W]);
            // In two steps, since one by 64 would be none.
            out.0[idx] = low >> bits | high << 1 << (63 - bits);
        }
        out
    }

    /// The lanes up to the lowest of `stops`, which are among them; all if there is none.
    #[inline]
    pub fn up_to_first(&self, stops: Bits<W>) -> Bits<W> {
        let mut out = *self;
        let mut borrow = true;
        for idx in 0..W {
            let (less, more) = stops.0[idx].overflowing_sub(u64::from(borrow));
            out.0[idx] &= if borrow { stops.0[idx] ^ less } else { 0 };
            borrow = borrow && more;
        }
        out
    }

    /// The lanes down to the highest of `stops`, which are among them; all if there is none.
    #[inline]
    pub fn down_to_last(&self, stops: Bits<W>) -> Bits<W> {
        let mut out = *self;
        let mut open = true;
        for idx in (0..W).rev() {
            let word = stops.0[idx];
            let above = u64::MAX << (63 - (word | 1).leading_zeros());
            let above = if word == 0 { u64::MAX } else { above };
            out.0[idx] &= if open { above } else { 0 };
            open = open && word == 0;
        }
        out
    }

    /// The lowest lane, taken out.
    #[inline]
    pub fn pop(&mut self) -> Option<usize> {
        for (idx, word) in self.0.iter_mut().enumerate() {
            if *word != 0 {
                let bit = word.trailing_zeros() as usize;
                *word &= *word - 1;
                return Some(idx * 64 + bit);
            }
        }
        None
    }

    /// The lane with number `n`, counted from the lowest.
    #[inline]
    pub fn nth(&self, mut n: u32) -> usize {
        for (idx, &word) in self.0.iter().enumerate() {
            let count = word.count_ones();
            if n < count {
                return idx * 64 + select(word, n) as usize;
            }
            n -= count;
        }
        0
    }

    /// All lanes, ascending.
    pub fn iter(mut self) -> impl Iterator<Item = usize> {
        std::iter::from_fn(move || self.pop())
    }
}

/// The place of the set bit with number `n` of a word that has more: halves, then bits.
#[inline]
fn select(mut word: u64, mut n: u32) -> u32 {
    let mut at = 0;
    for half in [32, 16, 8] {
        let low = (word & ((1 << half) - 1)).count_ones();
        let beyond = n >= low;
        n -= if beyond { low } else { 0 };
        at += if beyond { half } else { 0 };
        word >>= if beyond { half } else { 0 };
    }
    for _ in 0..n {
        word &= word - 1;
    }
    at + word.trailing_zeros()
}

impl<const W: usize> BitAnd for Bits<W> {
    type Output = Bits<W>;
    #[inline]
    fn bitand(mut self, other: Bits<W>) -> Bits<W> {
        self &= other;
        self
    }
}

impl<const W: usize> BitAndAssign for Bits<W> {
    #[inline]
    fn bitand_assign(&mut self, other: Bits<W>) {
        for idx in 0..W {
            self.0[idx] &= other.0[idx];
        }
    }
}

impl<const W: usize> BitOr for Bits<W> {
    type Output = Bits<W>;
    #[inline]
    fn bitor(mut self, other: Bits<W>) -> Bits<W> {
        self |= other;
        self
    }
}

impl<const W: usize> BitOrAssign for Bits<W> {
    #[inline]
    fn bitor_assign(&mut self, other: Bits<W>) {
        for idx in 0..W {
            self.0[idx] |= other.0[idx];
        }
    }
}

impl<const W: usize> BitXor for Bits<W> {
    type Output = Bits<W>;
    #[inline]
    fn bitxor(mut self, other: Bits<W>) -> Bits<W> {
        for idx in 0..W {
            self.0[idx] ^= other.0[idx];
        }
        self
    }
}

impl<const W: usize> Not for Bits<W> {
    type Output = Bits<W>;
    #[inline]
    fn not(mut self) -> Bits<W> {
        for word in &mut self.0 {
            *word = !*word;
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looking_ahead_crosses_words() {
        let mut set: Bits<2> = Bits::NONE;
        set.insert(70);
        set.insert(3);
        assert_eq!(set.ahead(10).iter().collect::<Vec<_>>(), [60, 121]);
        assert_eq!(set.ahead(64).iter().collect::<Vec<_>>(), [6, 67]);
        assert_eq!(set.nth(1), 70);
        let many: Bits<1> = Bits([0xF0F0_1248_8000_0001]);
        let all: Vec<usize> = many.iter().collect();
        assert!((0..many.count()).map(|n| many.nth(n)).eq(all));
        let ray: Bits<2> = Bits([1 << 3 | 1 << 40, 1 << 1 | 1 << 9]);
        let lanes = |it: Bits<2>| it.iter().collect::<Vec<_>>();
        assert_eq!(lanes(ray.up_to_first(Bits([1 << 40, 1 << 9]))), [3, 40]);
        assert_eq!(lanes(ray.up_to_first(Bits([0, 1 << 1]))), [3, 40, 65]);
        assert_eq!(lanes(ray.up_to_first(Bits::NONE)), [3, 40, 65, 73]);
        assert_eq!(lanes(ray.down_to_last(Bits([1 << 40, 1 << 9]))), [73]);
        assert_eq!(lanes(ray.down_to_last(Bits([1 << 40, 0]))), [40, 65, 73]);
        assert_eq!(lanes(ray.down_to_last(Bits::NONE)), [3, 40, 65, 73]);
        let one: Bits<1> = Bits::only(5);
        assert_eq!(one.ahead(5).iter().collect::<Vec<_>>(), [0]);
    }
}
