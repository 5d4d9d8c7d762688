//! The alpha-beta search: principal variation search with a transposition table.
//!
//! [`Searcher::search`] is the list of its steps. Steps that may end a node early are in
//! `pruning`; the quiescence search is in `quiescence`.

use boardwright_fast::TreeMove;

use crate::{
    correction::CorrectionKeys,
    history::{OrderingContext, pick_best},
    params::{IIR_DEPTH, ROW_MOVES_BASE, ROW_MOVES_PER_PLY},
    score::{INFINITE, PROVEN, WIN},
    searcher::{MAX_PLY, Searcher},
    transposition::{Bound, TableEntry, score_to_table, short_key},
};

/// The depth of table entries that no deeper search could change: fully solved.
const DEPTH_SOLVED: i32 = 127;

/// The node being searched: what its parent asks for, and what the first steps find out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub ply: usize,
    /// Remaining depth, in turns.
    pub depth: i32,
    pub alpha: i32,
    pub beta: i32,
    /// Whether the node is on the principal variation: searched with an open window.
    pub is_pv: bool,
    pub hash: u64,
    /// What the transposition table knows of the state.
    pub entry: Option<TableEntry>,
    /// The [`short_key`] of the table's best move; 0 if there is none.
    pub table_move: u32,
    /// The [`short_key`] of the move that a singular search excludes; 0 if there is none.
    pub excluded_move: u32,
    pub in_check: bool,
    /// Whether the mover is within a chain of partial moves.
    pub is_continuation: bool,
    /// Whether moves may be pruned by estimates.
    pub can_prune_moves: bool,
    /// Whether the whole node may be pruned by estimates.
    pub can_prune_node: bool,
    /// The static evaluation before correction.
    pub raw_eval: i32,
    /// The best estimate of the score: static evaluation, corrected, or the table's score.
    pub static_eval: i32,
    pub correction_keys: CorrectionKeys,
    /// Whether the static evaluation is higher than two plies before.
    pub is_improving: bool,
    /// Extension of the table move, in plies.
    pub extension: i32,
}

impl<'a> Searcher<'a> {
    /// The score of a state for its mover, searched `depth` turns deep in the window from
    /// `alpha` to `beta`.
    pub fn search(&mut self, ply: usize, depth: i32, alpha: i32, beta: i32, is_pv: bool) -> i32 {
        // Step 1. Horizon: the quiescence search takes over.
        if depth <= 0 {
            return if self.is_proof {
                self.proof_horizon(ply)
            } else {
                self.quiesce(ply, alpha, beta, 0)
            };
        }
        // Step 2. End of the game, repetition, limits of the search, chance.
        if let Some(score) = self.enter_node(ply) {
            return score;
        }
        if ply + 2 >= MAX_PLY {
            self.used_estimate = true;
            return if self.is_proof { 0 } else { self.evaluate(ply) };
        }
        if self.tree.is_chance() {
            self.used_estimate = true;
            return self.chance_node(ply, depth - 1);
        }
        // Step 3. Mate distance pruning: a shorter win was found elsewhere.
        let alpha = alpha.max(ply as i32 - WIN);
        let beta = beta.min(WIN - ply as i32 - 1);
        if alpha >= beta {
            return alpha;
        }
        // Step 4. Transposition table.
        let mut node = self.probe_node(ply, depth, alpha, beta, is_pv);
        if let Some(score) = self.table_cutoff(&node) {
            return score;
        }
        // Step 5. Check extension and internal iterative reduction.
        self.adjust_depth(&mut node);
        // Step 6. Static evaluation.
        self.evaluate_node(&mut node);
        if node.can_prune_node {
            // Step 7. Reverse futility pruning.
            if let Some(score) = self.reverse_futility(&node) {
                return score;
            }
            // Step 8. Razoring.
            if let Some(score) = self.razoring(&node) {
                return score;
            }
            // Step 9. Null-move pruning.
            if let Some(score) = self.null_move_pruning(&node) {
                return score;
            }
        }
        // Step 10. Singular extension, and multi-cut.
        if let Some(score) = self.singular_extension(&mut node) {
            return score;
        }
        // Steps 11 to 15. The moves.
        self.search_moves(&node)
    }

    /// Step 4: looks the state up in the transposition table.
    #[inline]
    fn probe_node(&mut self, ply: usize, depth: i32, alpha: i32, beta: i32, is_pv: bool) -> Node {
        let hash = self.hash_key();
        let entry = self.table.probe(hash);
        Node {
            ply,
            depth,
            alpha,
            beta,
            is_pv,
            hash,
            entry,
            table_move: entry.map_or(0, |it| it.mv),
            excluded_move: std::mem::take(&mut self.stack[ply].excluded_move),
            in_check: false,
            is_continuation: false,
            can_prune_moves: false,
            can_prune_node: false,
            raw_eval: 0,
            static_eval: 0,
            correction_keys: CorrectionKeys::default(),
            is_improving: false,
            extension: 0,
        }
    }

    /// Step 4: the table's score, if it is deep enough and decides the window.
    #[inline]
    fn table_cutoff(&mut self, node: &Node) -> Option<i32> {
        let entry = node.entry?;
        if node.is_pv || node.excluded_move != 0 {
            return None;
        }
        let is_proven = entry.score.abs() >= PROVEN;
        if entry.depth < node.depth && !(self.is_proof && is_proven) {
            return None;
        }
        let score = entry.cutoff(node.ply, node.alpha, node.beta)?;
        // Solved and proven entries are certain; others may rest on an estimate.
        self.used_estimate |= entry.depth < DEPTH_SOLVED && !is_proven;
        Some(score)
    }

    /// Step 5: one ply more in check, one less where the table has no move to begin with.
    #[inline]
    fn adjust_depth(&mut self, node: &mut Node) {
        node.in_check = self.profile.has_check && self.tree.is_in_check();
        node.is_continuation = self.tree.is_going_on();
        if self.is_proof {
            // Every turn counts one, so that depth means the same everywhere.
        } else if node.in_check {
            node.depth += 1;
        } else if node.depth >= IIR_DEPTH && node.table_move == 0 && !node.is_continuation {
            node.depth -= 1;
        }
    }

    /// Step 6: the static evaluation, and what may be pruned by it.
    #[inline]
    fn evaluate_node(&mut self, node: &mut Node) {
        node.can_prune_moves = !self.is_proof
            && !node.is_pv
            && !node.in_check
            && !node.is_continuation
            && node.beta.abs() < PROVEN;
        if !node.can_prune_moves {
            self.stack[node.ply].static_eval = None;
            return;
        }
        let allows_null_move = self.profile.allows_null_move;
        node.can_prune_node = allows_null_move && node.excluded_move == 0;
        node.raw_eval = self.evaluate(node.ply);
        node.correction_keys = self.correction_keys(node.ply);
        node.static_eval = self.corrected(node.raw_eval, node.correction_keys);
        self.stack[node.ply].static_eval = Some(node.static_eval);
        let earlier = node.ply.checked_sub(2).and_then(|it| self.stack[it].static_eval);
        node.is_improving = !allows_null_move || earlier.is_none_or(|it| node.static_eval > it);
        if node.can_prune_node
            && let Some(entry) = node.entry.filter(|it| it.score.abs() < PROVEN)
        {
            // A searched score is better than a static evaluation.
            let is_better = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => entry.score > node.static_eval,
                Bound::Upper => entry.score < node.static_eval,
            };
            if is_better {
                node.static_eval = entry.score;
            }
        }
    }

    /// Steps 11 to 15: searches the moves of a node, best first.
    fn search_moves(&mut self, node: &Node) -> i32 {
        let ply = node.ply;
        // Step 11. Move generation and ordering.
        let mut moves = self.take_moves(ply);
        if let Some(ending) = self.tree.moves(&mut moves) {
            self.return_moves(ply, moves);
            return self.ending_score(ending, ply);
        }
        self.count_mobility(ply, &moves, node.in_check);
        self.oversights.apply(node.hash, &mut moves);
        self.keep_row_threats(ply, &mut moves);
        let ordering = self.ordering(ply, node.table_move);
        let mut scores = self.take_scores(ply);
        self.history.score_moves(self.eval, &self.tree, &moves, ordering, &mut scores);
        self.score_row_moves(&moves, &mut scores);
        let n_searched = self.move_limit(node, moves.len());
        let mut best = BestMove { score: -INFINITE, at: 0, alpha: node.alpha };
        let mut n_quiet = 0;
        let estimated_before = std::mem::take(&mut self.used_estimate);
        for at in 0..n_searched {
            pick_best(&mut moves, &mut scores, at);
            let choice = moves[at];
            if node.excluded_move != 0 && short_key(choice.key) == node.excluded_move {
                continue;
            }
            let mv = MoveContext {
                choice,
                at,
                score: scores[at],
                is_quiet: !choice.is_loud() && !choice.is_vague,
                is_only: moves.len() == 1,
                n_quiet,
            };
            // Step 12. Pruning of single moves.
            if best.score > -PROVEN && self.prunes_move(node, &mv, best.alpha) {
                continue;
            }
            n_quiet += i32::from(mv.is_quiet);
            // Step 13. Late-move reduction.
            let reduction = self.late_move_reduction(node, &mv, ordering);
            // Step 14. The search itself.
            let score = self.search_move(node, &mv, best.alpha, reduction);
            if self.control.is_over() {
                break;
            }
            if score > best.score {
                best.score = score;
                best.at = at;
                if score > best.alpha {
                    best.alpha = score;
                    if node.is_pv {
                        self.update_pv(ply, choice);
                    }
                    if score >= node.beta {
                        break;
                    }
                }
            }
        }
        // Step 15. Histories and transposition table.
        if !self.control.is_over() {
            self.store_result(node, ordering, &moves, best);
        }
        self.used_estimate |= estimated_before;
        self.return_moves(ply, moves);
        self.return_scores(ply, scores);
        if self.control.is_over() {
            return 0;
        }
        // If the excluded move is the only one, nothing was searched.
        best.score.max(-WIN)
    }

    /// Step 11: how many of the moves are searched. In games of rows only the moves that do
    /// most in rows are worth it.
    #[inline]
    fn move_limit(&self, node: &Node, n_moves: usize) -> usize {
        if !self.is_row_game() || self.is_proof || node.is_pv {
            return n_moves;
        }
        n_moves.min(ROW_MOVES_BASE + ROW_MOVES_PER_PLY * node.depth as usize)
    }

    /// Step 14: principal variation search. The first move gets the full window; others a null
    /// window, reduced, then unreduced, then the full window as long as they fail high.
    #[inline]
    fn search_move(&mut self, node: &Node, mv: &MoveContext, alpha: i32, reduction: i32) -> i32 {
        let Node { depth, beta, is_pv, .. } = *node;
        let is_first = mv.at == usize::from(node.excluded_move != 0);
        let extension = if node.table_move != 0 && mv.at == 0 { node.extension } else { 0 };
        self.with_move(node.ply, &mv.choice, |it, ply, flips| {
            let continues = !flips && it.tree.is_going_on();
            let depth = if continues { depth } else { depth - 1 + extension };
            if is_first {
                return it.search_next(ply, depth, (alpha, beta), is_pv, flips);
            }
            let null_window = (alpha, alpha + 1);
            let mut score = it.search_next(ply, depth - reduction, null_window, false, flips);
            if score > alpha && reduction > 0 {
                score = it.search_next(ply, depth, null_window, false, flips);
            }
            if score > alpha && score < beta {
                score = it.search_next(ply, depth, (alpha, beta), is_pv, flips);
            }
            score
        })
    }

    /// Searches the node after a move; window and score are those of the mover before it.
    /// `flips` tells whether the side to move changed.
    #[inline]
    pub fn search_next(
        &mut self,
        ply: usize,
        depth: i32,
        (alpha, beta): (i32, i32),
        is_pv: bool,
        flips: bool,
    ) -> i32 {
        if flips {
            -self.search(ply, depth, -beta, -alpha, is_pv)
        } else {
            self.search(ply, depth, alpha, beta, is_pv)
        }
    }

    /// Step 15: updates histories, correction history and transposition table.
    #[inline]
    fn store_result(
        &mut self,
        node: &Node,
        ordering: OrderingContext,
        moves: &[TreeMove],
        best: BestMove,
    ) {
        let BestMove { score, at, .. } = best;
        if score >= node.beta {
            let tried = moves[..at].iter().filter(|it| !it.is_loud()).copied();
            self.history.update(ordering, &moves[at], tried, node.depth);
        }
        if node.excluded_move != 0 {
            return;
        }
        let bound = Bound::of(score, node.alpha, node.beta);
        let is_quiet = score <= node.alpha || !moves[at].is_loud();
        let shows_error = match bound {
            Bound::Lower => score > node.raw_eval,
            Bound::Upper => score < node.raw_eval,
            Bound::Exact => true,
        };
        if node.can_prune_moves && is_quiet && shows_error && score.abs() < PROVEN {
            self.corrections.update(node.correction_keys, score - node.raw_eval, node.depth);
        }
        let mv = if score > node.alpha { short_key(moves[at].key) } else { 0 };
        let is_solved = self.is_proof && !self.used_estimate;
        let depth = if is_solved { DEPTH_SOLVED } else { node.depth };
        let score = score_to_table(score, node.ply);
        self.table.store(node.hash, TableEntry { mv, score, depth, bound });
    }

    /// The horizon of a proof search: the end of the game, or an estimate of 0.
    fn proof_horizon(&mut self, ply: usize) -> i32 {
        if let Some(score) = self.enter_node(ply) {
            return score;
        }
        let mut moves = self.take_moves(ply);
        let ending = self.tree.moves(&mut moves);
        self.return_moves(ply, moves);
        match ending {
            Some(ending) => self.ending_score(ending, ply),
            None => {
                self.used_estimate = true;
                0
            }
        }
    }
}

/// The best move of a node so far.
#[derive(Clone, Copy, Debug)]
struct BestMove {
    score: i32,
    /// Its index among the moves.
    at: usize,
    /// The node's alpha, raised by the moves so far.
    alpha: i32,
}

/// A move in the loop over the moves of a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MoveContext {
    pub choice: TreeMove,
    /// Its number in the order of the search, from 0.
    pub at: usize,
    /// Its ordering score.
    pub score: i32,
    /// Whether it neither captures nor promotes, for certain.
    pub is_quiet: bool,
    /// Whether there is no other move.
    pub is_only: bool,
    /// How many quiet moves were searched before it.
    pub n_quiet: i32,
}
