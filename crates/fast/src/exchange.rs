//! Static exchange evaluation: the gain of a capture after all recaptures on its site.
//!
//! The index of attacks on royal pieces tells who could take on a site; each
//! side takes with its least valuable piece as long as that pays. What stands
//! behind a piece that took comes in when that piece is gone.

use boardwright_game::{PieceKind, Player, Site};

use crate::{
    bits::Bits,
    game::{FastGame, FastState},
    index::Index,
    lanes::{EMPTY, FIRST_KIND},
    tree::TreeMove,
};

/// Longer exchanges are cut short.
const MAX_TAKES: usize = 24;

impl<const W: usize> FastGame<W> {
    /// What a move gains once all was taken back on its target that is worth it; `None` if
    /// the index does not tell. `worth` is by kind.
    pub(super) fn exchange(
        &self,
        it: &FastState<W>,
        choice: &TreeMove,
        worth: &[i32],
    ) -> Option<i32> {
        let (to, kind) = (choice.to?, choice.kind?);
        if choice.n_taken > 1 || choice.n_turned > 0 || choice.is_partial {
            return None;
        }
        let sides = self.safety.both_ways(self, it)?;
        let to = self.layout.lane_of[to.idx()] as usize;
        if sides.iter().any(|(_, index)| index.has_walkers() || index.hidden.contains(to)) {
            return None;
        }
        let value = |kind: usize| worth.get(kind).copied().unwrap_or(0);
        let becomes = choice.becomes.unwrap_or(kind);
        let victim = choice.victim.map_or(0, |(_, it)| value(it.idx()));
        let mut occupied = self.layout.all & !it.sets[EMPTY];
        let mut gone = Bits::only(to);
        if let Some(from) = choice.from {
            let from = self.layout.lane_of[from.idx()] as usize;
            occupied &= !Bits::only(from);
            gone.insert(from);
        }
        occupied.insert(to);
        let mut gains = [0; MAX_TAKES];
        gains[0] = victim + value(becomes.idx()) - value(kind.idx());
        let mut stake = value(becomes.idx());
        let mut n = 1;
        while n < MAX_TAKES {
            let (set, index) = sides[(n - 1) % 2];
            let takers = it.sets[set] & !gone;
            let Some((taker, start)) = self.least_taker(it, index, takers, to, occupied, worth)
            else {
                break;
            };
            gains[n] = stake - gains[n - 1];
            stake = taker;
            occupied &= !Bits::only(start);
            gone.insert(start);
            n += 1;
        }
        for at in (1..n).rev() {
            gains[at - 1] = -gains[at].max(-gains[at - 1]);
        }
        Some(gains[0])
    }

    /// The least valuable piece that could take on a lane, and where it stands.
    fn least_taker(
        &self,
        it: &FastState<W>,
        index: &Index<W>,
        takers: Bits<W>,
        to: usize,
        occupied: Bits<W>,
        worth: &[i32],
    ) -> Option<(i32, usize)> {
        let mut least: Option<(i32, usize)> = None;
        index.each(it, takers, to, |entry| {
            if (entry.empty & occupied).is_empty() && (entry.full & !occupied).is_empty() {
                let start = entry.start as usize;
                let (_, kind, _) = self.pieces.codes.parts(it.cell(start));
                let value = worth.get(kind as usize).copied().unwrap_or(0);
                if least.is_none_or(|it| value < it.0) {
                    least = Some((value, start));
                }
            }
            true
        });
        least
    }
}

impl<const W: usize> FastGame<W> {
    /// The sites from which a kind of a player's could take on a site, were nothing in its
    /// way; empty if no index tells.
    pub(super) fn takers(&self, attacker: Player, kind: PieceKind, target: Site) -> Vec<Site> {
        let (Some(index), Some(&lane)) =
            (self.safety.index_of(attacker), self.layout.lane_of.get(target.idx()))
        else {
            return Vec::new();
        };
        let starts = index.starts(lane as usize, FIRST_KIND + kind.idx());
        starts.iter().map(|it| self.layout.site(it)).collect()
    }
}
