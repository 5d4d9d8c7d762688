//! Random numbers that follow from a seed.

/// Random numbers that follow from a seed: SplitMix64.
#[derive(Clone, Debug)]
pub struct SeededRandom(u64);

impl SeededRandom {
    /// The numbers of a seed.
    pub fn new(seed: u64) -> SeededRandom {
        SeededRandom(seed)
    }

    /// The next number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut it = self.0;
        it = (it ^ (it >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        it = (it ^ (it >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        it ^ (it >> 31)
    }

    /// A number from 0 to `n - 1`; 0 if `n` is 0.
    pub fn below(&mut self, n: u64) -> u64 {
        self.number() % n.max(1)
    }

    /// Whether something with this probability, in percent, happens.
    pub fn percent(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }
}
