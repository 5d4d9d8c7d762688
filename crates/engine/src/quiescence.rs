//! Quiescence search: at the horizon only moves that change material are searched, until the
//! state is quiet enough for a static evaluation.

use boardwright_fast::TreeMove;

use crate::{
    history::{LOSING_CAPTURE, gain_and_risk, pick_best},
    params::{
        DELTA_MARGIN, EVEN_EXCHANGE, LAZY_STAND_PAT_MARGIN, QUIESCENCE_FORCED_PLIES,
        QUIESCENCE_PLIES, QUIESCENCE_RECAPTURE_PLIES, QUIESCENCE_ROW_PLIES,
    },
    score::{INFINITE, PROVEN},
    searcher::{MAX_PLY, Searcher},
    transposition::{Bound, TableEntry, score_to_table, short_key},
};

/// A node of the quiescence search.
#[derive(Clone, Copy, Debug)]
struct QuietNode {
    ply: usize,
    /// Plies since the horizon, negated.
    depth: i32,
    in_check: bool,
    /// Whether all moves are searched: in check, within a chain, or forced by the rules.
    is_forced: bool,
    /// The static evaluation: the score if the mover does nothing.
    stand_pat: i32,
}

impl Searcher<'_> {
    /// The score of a state for its mover once no capture is pending. `depth` is 0 at the
    /// horizon and falls by one each ply.
    pub fn quiesce(&mut self, ply: usize, alpha: i32, beta: i32, depth: i32) -> i32 {
        // Step 1. End of the game, repetition, limits of the search, chance.
        if let Some(score) = self.enter_node(ply) {
            return score;
        }
        if self.tree.is_chance() {
            return self.chance_node(ply, 0);
        }
        // Step 2. Transposition table.
        let hash = self.hash_key();
        let entry = self.table.probe(hash);
        if let Some(score) = entry.and_then(|it| it.cutoff(ply, alpha, beta)) {
            return score;
        }
        // Step 3. Lazy stand pat: so far above beta that mobility would not change it.
        let in_check = self.profile.has_check && self.tree.is_in_check();
        let keys = self.correction_keys(ply);
        if self.profile.allows_null_move && !in_check && !self.tree.is_going_on() {
            let raw_eval = self.evaluate(ply);
            let stand_pat = self.corrected(raw_eval, keys);
            let margin = self.eval.scaled(LAZY_STAND_PAT_MARGIN);
            if stand_pat - margin >= beta && stand_pat < PROVEN {
                return stand_pat;
            }
        }
        // Step 4. Move generation.
        let mut moves = self.take_moves(ply);
        let mut node = QuietNode { ply, depth, in_check, is_forced: false, stand_pat: 0 };
        if let Some(score) = self.quiescence_moves(&mut node, hash, &mut moves) {
            self.return_moves(ply, moves);
            return score;
        }
        // Step 5. Stand pat.
        let raw_eval = self.evaluate(ply);
        node.stand_pat = self.corrected(raw_eval, keys);
        let mut best = -INFINITE;
        let is_last_ply = ply + 2 >= MAX_PLY;
        if !node.is_forced {
            best = node.stand_pat;
            if best >= beta || depth <= -QUIESCENCE_PLIES || is_last_ply {
                self.return_moves(ply, moves);
                return best;
            }
            moves.retain(|it| it.is_loud());
        } else if is_last_ply {
            self.return_moves(ply, moves);
            return node.stand_pat;
        }
        let alpha = alpha.max(best);
        // Step 6. The moves.
        let table_move = entry.map_or(0, |it| it.mv);
        let (best, best_move) =
            self.search_captures(&node, &mut moves, (best, alpha, beta), table_move);
        self.return_moves(ply, moves);
        if self.control.is_over() {
            return 0;
        }
        // Step 7. Transposition table.
        let bound = Bound::of(best, alpha, beta);
        let score = score_to_table(best, ply);
        self.table.store(hash, TableEntry { mv: best_move, score, depth: 0, bound });
        best
    }

    /// Step 4: lists the moves and finds out whether all of them must be searched. Gives a
    /// score if the game is over.
    #[inline]
    fn quiescence_moves(
        &mut self,
        node: &mut QuietNode,
        hash: u64,
        moves: &mut Vec<TreeMove>,
    ) -> Option<i32> {
        let QuietNode { ply, depth, in_check, .. } = *node;
        let is_continuation = self.tree.is_going_on();
        // Without check, chains and rows only captures and promotions need to be listed.
        let captures_only = self.profile.allows_null_move
            && !in_check
            && !is_continuation
            && !self.eval.has_rows()
            && self.oversights.is_none();
        let ending =
            if captures_only { self.list_captures(ply, moves) } else { self.tree.moves(moves) };
        if let Some(ending) = ending {
            return Some(self.ending_score(ending, ply));
        }
        if !captures_only {
            self.count_mobility(ply, moves, in_check);
        }
        self.oversights.apply(hash, moves);
        // A row about to be completed is not quiet.
        let n_all = moves.len();
        self.keep_row_threats(ply, moves);
        let has_row_threat = moves.len() < n_all && depth > -QUIESCENCE_ROW_PLIES;
        let must_capture =
            !captures_only && self.profile.has_priorities && moves.iter().all(|it| it.n_taken > 0);
        let must_move = is_continuation || has_row_threat || must_capture;
        node.is_forced = (in_check || must_move) && depth > -QUIESCENCE_FORCED_PLIES;
        None
    }

    /// Step 6: searches the moves, best first. Gives the best score and the [`short_key`] of
    /// the move that raised alpha.
    #[inline]
    fn search_captures(
        &mut self,
        node: &QuietNode,
        moves: &mut [TreeMove],
        (mut best, mut alpha, beta): (i32, i32, i32),
        table_move: u32,
    ) -> (i32, u32) {
        let ply = node.ply;
        let ordering = self.ordering(ply, table_move);
        let mut scores = self.take_scores(ply);
        self.history.score_moves(self.eval, &self.tree, moves, ordering, &mut scores);
        let mut best_move = 0;
        for at in 0..moves.len() {
            pick_best(moves, &mut scores, at);
            let choice = moves[at];
            if !node.is_forced
                && self.prunes_capture(node, &choice, scores[at], ordering.mover, alpha)
            {
                continue;
            }
            let score = self.with_move(ply, &choice, |it, ply, flips| {
                if flips {
                    -it.quiesce(ply, -beta, -alpha, node.depth - 1)
                } else {
                    it.quiesce(ply, alpha, beta, node.depth - 1)
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
        self.return_scores(ply, scores);
        (best, best_move)
    }

    /// Step 6: whether a capture is not worth a search.
    #[inline]
    fn prunes_capture(
        &self,
        node: &QuietNode,
        choice: &TreeMove,
        score: i32,
        mover: usize,
        alpha: i32,
    ) -> bool {
        let (gain, risk) = gain_and_risk(self.eval, mover, choice);
        // Delta pruning: even what it gains does not reach alpha.
        let delta = gain + self.eval.scaled(DELTA_MARGIN);
        if node.stand_pat + delta <= alpha && choice.n_turned == 0 {
            return true;
        }
        // It loses material, at once or by static exchange evaluation.
        if gain < 0 || score < LOSING_CAPTURE {
            return true;
        }
        // Far below the horizon only recaptures, and captures that risk nothing.
        node.depth < -QUIESCENCE_RECAPTURE_PLIES
            && gain + EVEN_EXCHANGE < risk
            && choice.to != self.previous_to(node.ply)
    }
}
