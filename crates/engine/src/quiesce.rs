//! The end of the search: only moves that change who has what, until it is quiet.

use crate::{
    order::{LOSES, pick, stakes},
    score::{INFINITE, PROVEN, WIN},
    search::{MAX_PLY, Searcher},
    table::{Bound, Entry, short_key},
};

/// More than the moves of both sides are worth in nearly every state.
const LAZY: i32 = 120;

impl Searcher<'_> {
    /// Scores a state for its mover once nothing is hanging; `left` bounds the depth.
    pub fn quiesce(&mut self, ply: usize, mut alpha: i32, beta: i32, left: i32) -> i32 {
        if let Some(score) = self.arrive(ply) {
            return score;
        }
        if self.tree.is_chance() {
            return self.chance(ply, 0, alpha, beta);
        }
        let hash = self.key();
        let known = self.table.get(hash);
        if let Some(entry) = known {
            let score = from_table(entry.score, ply);
            let holds = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => score >= beta,
                Bound::Upper => score <= alpha,
            };
            if holds {
                return score;
            }
        }
        let in_check = self.profile.has_check && self.tree.is_in_check();
        let spots = self.spots(ply);
        // So far ahead that no count of moves changes it.
        if self.profile.may_skip && !in_check && !self.tree.is_going_on() {
            let stand = self.evaluate(ply);
            let stand = self.corrected(stand, spots);
            if stand - self.eval.scaled(LAZY) >= beta && stand < PROVEN {
                return stand;
            }
        }
        let mut moves = self.take_moves(ply);
        // Where nothing presses only what takes or promotes is worth a look.
        let is_calm = self.profile.may_skip
            && !in_check
            && !self.tree.is_going_on()
            && !self.eval.has_rows()
            && self.blindness.is_none();
        let ending =
            if is_calm { self.take_loud(ply, &mut moves) } else { self.tree.moves(&mut moves) };
        if let Some(ending) = ending {
            self.give_moves(ply, moves);
            return self.ending(ending, ply);
        }
        if !is_calm {
            self.note_mobility(ply, &moves, in_check);
        }
        self.blindness.apply(hash, &mut moves);
        // A row about to be completed is not quiet.
        let n_all = moves.len();
        self.heed_rows(ply, &mut moves);
        let is_pressed = moves.len() < n_all && left > -10;
        let must_move = self.tree.is_going_on()
            || is_pressed
            || (!is_calm && self.profile.has_priorities && moves.iter().all(|it| it.n_taken > 0));
        let mut best = -INFINITE;
        let is_forced = (in_check || must_move) && left > -24;
        let stand = self.evaluate(ply);
        let stand = self.corrected(stand, spots);
        if !is_forced {
            best = stand;
            if best >= beta || left <= -32 || ply + 2 >= MAX_PLY {
                self.give_moves(ply, moves);
                return best;
            }
            alpha = alpha.max(best);
            moves.retain(|it| it.is_loud());
        } else if ply + 2 >= MAX_PLY {
            self.give_moves(ply, moves);
            return stand;
        }
        let mover = self.tree.mover().idx();
        let table_move = known.map_or(0, |it| it.mv);
        let mut rates = self.take_rates(ply);
        let before = self.track_before(ply);
        self.memory.rate(self.eval, &self.tree, &moves, ply, mover, table_move, before, &mut rates);
        let (mut best_move, old_alpha) = (0, alpha);
        for at in 0..moves.len() {
            pick(&mut moves, &mut rates, at);
            let choice = moves[at];
            if !is_forced {
                let (gain, risk) = stakes(self.eval, mover, &choice);
                if stand + gain + self.eval.scaled(120) <= alpha && choice.n_turned == 0 {
                    continue;
                }
                if gain < 0 {
                    continue;
                }
                // What is taken back at a loss is no way out of trouble.
                if rates[at] < LOSES {
                    continue;
                }
                // Deep down only what retakes, or what cannot lose by it.
                if left < -4 && gain + 20 < risk && choice.to != self.last_to(ply) {
                    continue;
                }
            }
            let score = self.descend(ply, &choice, |it, ply, flips| {
                if flips {
                    -it.quiesce(ply, -beta, -alpha, left - 1)
                } else {
                    it.quiesce(ply, alpha, beta, left - 1)
                }
            });
            if self.control.is_over() {
                break;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_move = short_key(choice.key);
                    if alpha >= beta {
                        break;
                    }
                }
            }
        }
        self.give_moves(ply, moves);
        self.give_rates(ply, rates);
        if self.control.is_over() {
            return 0;
        }
        let bound = match () {
            () if best >= beta => Bound::Lower,
            () if best > old_alpha => Bound::Exact,
            () => Bound::Upper,
        };
        let entry = Entry { mv: best_move, score: to_table(best, ply), depth: 0, bound };
        self.table.put(hash, entry);
        best
    }
}

/// Proven scores count from the state, not from the root, in the table.
pub(crate) fn to_table(score: i32, ply: usize) -> i32 {
    match () {
        () if score >= PROVEN => (score + ply as i32).min(WIN),
        () if score <= -PROVEN => (score - ply as i32).max(-WIN),
        () => score,
    }
}

/// The way back.
pub(crate) fn from_table(score: i32, ply: usize) -> i32 {
    match () {
        () if score >= PROVEN => score - ply as i32,
        () if score <= -PROVEN => score + ply as i32,
        () => score,
    }
}
