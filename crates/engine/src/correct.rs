//! How far evaluations were off, learned while searching.
//!
//! Where states with the same structure, or after the same two moves, came out better or
//! worse than they looked, those that look alike are corrected by a part of it.

use crate::{order::Track, structure::Sites};

const CELLS: usize = 1 << 14;
/// Parts of a point.
const GRAIN: i32 = 64;
/// The weight of all that was seen before, at least.
const MEMORY: i32 = 256;

/// What was learned.
pub(crate) struct Corrections {
    /// By side and structure.
    chains: Vec<i32>,
    /// By side and the two moves before.
    follows: Vec<i32>,
    most: i32,
}

/// Where a state is noted.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Spots {
    chain: usize,
    follow: usize,
}

impl Corrections {
    /// `most` is how far a correction goes.
    pub fn new(most: i32) -> Corrections {
        let blank = || vec![0; 2 * CELLS];
        Corrections { chains: blank(), follows: blank(), most: most * GRAIN }
    }

    pub fn spots(side: usize, chain: [Sites; 2], moves: [Track; 2]) -> Spots {
        let fold = |it: Sites| (it as u64) ^ ((it >> 64) as u64).rotate_left(32);
        let chain = fold(chain[0]).wrapping_mul(0x9E37_79B9_7F4A_7C15)
            ^ fold(chain[1]).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        let follow = u64::from(moves[0].0).wrapping_mul(0x9E37_79B9_7F4A_7C15)
            ^ u64::from(moves[1].0).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        let at = |mixed: u64| side * CELLS + (mixed >> 50) as usize;
        Spots { chain: at(chain), follow: at(follow) }
    }

    /// By how much a state is better than it looks.
    pub fn of(&self, spots: Spots) -> i32 {
        (self.chains[spots.chain] + self.follows[spots.follow]) / GRAIN
    }

    /// Notes that a look so deep came out by so much better.
    pub fn learn(&mut self, spots: Spots, better: i32, depth: i32) {
        let weight = (depth + 1).clamp(1, 16);
        for cell in [&mut self.chains[spots.chain], &mut self.follows[spots.follow]] {
            let seen = better.clamp(-2000, 2000) * GRAIN;
            *cell = (*cell * (MEMORY - weight) + seen * weight) / MEMORY;
            *cell = (*cell).clamp(-self.most, self.most);
        }
    }
}
