//! Dice and shuffles: the same numbers for the same seed, on every machine, for ever.

/// The PCG32 generator (XSH RR 64/32), on its usual stream.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Pcg32(u64);

const MULTIPLIER: u64 = 6_364_136_223_846_793_005;
const INCREMENT: u64 = (54 << 1) | 1;

impl Pcg32 {
    pub(crate) fn new(seed: u64) -> Pcg32 {
        let mut rng = Pcg32(0);
        rng.next_u32();
        rng.0 = rng.0.wrapping_add(seed);
        rng.next_u32();
        rng
    }

    fn next_u32(&mut self) -> u32 {
        let old = self.0;
        self.0 = old.wrapping_mul(MULTIPLIER).wrapping_add(INCREMENT);
        let mixed = (((old >> 18) ^ old) >> 27) as u32;
        mixed.rotate_right((old >> 59) as u32)
    }

    /// A number below `bound`; 0 for 0.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        let wide = u64::from(self.next_u32()) << 32 | u64::from(self.next_u32());
        ((u128::from(wide) * bound as u128) >> 64) as usize
    }

    /// Puts the elements in a random order.
    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for idx in (1..items.len()).rev() {
            items.swap(idx, self.below(idx + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_is_the_published_one() {
        // The first outputs of the reference implementation's demo: seed 42, stream 54.
        let mut rng = Pcg32::new(42);
        let first: Vec<_> = (0..4).map(|_| rng.next_u32()).collect();
        assert_eq!(first, [0xa15c_02b7, 0x7b47_f409, 0xba1d_3330, 0x83d2_f293]);
    }

    #[test]
    fn shuffling_keeps_every_element() {
        let mut items = [1, 2, 3, 4, 5];
        Pcg32::new(7).shuffle(&mut items);
        let mut sorted = items;
        sorted.sort_unstable();
        assert_eq!(sorted, [1, 2, 3, 4, 5]);
    }
}
