//! Pruning, extensions and reductions: the steps of the search that rest on estimates.
//!
//! All but late-move reductions need a game in which a turn without a move is nearly always
//! worse than the best move ([`Profile::allows_null_move`](crate::profile::Profile)).

use crate::{
    history::{HistoryKey, OrderingContext},
    params::{
        FUTILITY_BASE, FUTILITY_DEPTH, FUTILITY_PER_PLY, LATE_MOVE_PRUNING_BASE,
        LATE_MOVE_PRUNING_DEPTH, LMR_DEPTH, LMR_FIRST_MOVE, LMR_HISTORY_DIVISOR, LMR_HISTORY_LIMIT,
        NULL_MOVE_DEPTH, NULL_MOVE_DEPTH_DIVISOR, NULL_MOVE_EVAL_DIVISOR, NULL_MOVE_EVAL_LIMIT,
        NULL_MOVE_NON_PAWNS, NULL_MOVE_PIECES, NULL_MOVE_PIECES_WITH_PAWNS, NULL_MOVE_REDUCTION,
        RAZORING_BASE, RAZORING_DEPTH, RAZORING_PER_PLY, REVERSE_FUTILITY_DEPTH,
        REVERSE_FUTILITY_MARGIN, SEE_CAPTURE_PER_PLY_SQUARED, SEE_PRUNING_DEPTH, SEE_QUIET_PER_PLY,
        SINGULAR_DEPTH, SINGULAR_ENTRY_DEPTH, SINGULAR_MARGIN,
    },
    score::PROVEN,
    search::{MoveContext, Node},
    searcher::Searcher,
    transposition::Bound,
};

impl Searcher<'_> {
    /// Step 7, reverse futility pruning: the static evaluation is so far above beta that a
    /// shallow search would not bring it below.
    #[inline]
    pub fn reverse_futility(&self, node: &Node) -> Option<i32> {
        let plies = node.depth - i32::from(node.is_improving);
        let margin = self.eval.scaled(REVERSE_FUTILITY_MARGIN * plies);
        let prunes = node.depth <= REVERSE_FUTILITY_DEPTH && node.static_eval - margin >= node.beta;
        prunes.then_some(node.static_eval)
    }

    /// Step 8, razoring: the static evaluation is so far below alpha that only captures could
    /// help, and a quiescence search finds none.
    #[inline]
    pub fn razoring(&mut self, node: &Node) -> Option<i32> {
        let margin = self.eval.scaled(RAZORING_BASE + RAZORING_PER_PLY * node.depth);
        if node.depth > RAZORING_DEPTH || node.static_eval + margin > node.alpha {
            return None;
        }
        let score = self.quiesce(node.ply, node.alpha, node.alpha + 1, 0);
        (score <= node.alpha || self.control.is_over()).then_some(score)
    }

    /// Step 9, null-move pruning: if even a turn without a move fails high in a reduced
    /// search, a real move will too.
    #[inline]
    pub fn null_move_pruning(&mut self, node: &Node) -> Option<i32> {
        let follows_null_move =
            node.ply.checked_sub(1).is_some_and(|it| self.stack[it].is_null_move);
        if node.depth < NULL_MOVE_DEPTH
            || follows_null_move
            || node.static_eval < node.beta
            || !self.has_null_move_material()
        {
            return None;
        }
        let above = (node.static_eval - node.beta) / self.eval.scaled(NULL_MOVE_EVAL_DIVISOR);
        let reduction = NULL_MOVE_REDUCTION
            + node.depth / NULL_MOVE_DEPTH_DIVISOR
            + above.min(NULL_MOVE_EVAL_LIMIT);
        let score = self.search_null_move(node.ply, node.depth - reduction, node.beta);
        if self.control.is_over() {
            return Some(0);
        }
        // A win after a null move is not proven.
        (score >= node.beta).then_some(if score >= PROVEN { node.beta } else { score })
    }

    /// Searches the state after the null move with a null window below beta.
    fn search_null_move(&mut self, ply: usize, depth: i32, beta: i32) -> i32 {
        self.stack[ply].current_move = HistoryKey(0);
        self.stack[ply].current_to = None;
        self.stack[ply].is_null_move = true;
        self.tree.skip();
        self.stack[ply + 1].accumulator = self.stack[ply].accumulator;
        self.stack[ply + 1].n_moves = None;
        let score = -self.search(ply + 1, depth, -beta, 1 - beta, false);
        self.tree.undo();
        self.stack[ply].is_null_move = false;
        score
    }

    /// Whether the mover has enough pieces that zugzwang is unlikely.
    fn has_null_move_material(&self) -> bool {
        let owner = self.tree.owner();
        let n_all = self.tree.count_all(owner);
        match self.eval.pawn_kind() {
            Some(pawn) => {
                let n_pawns = self.tree.count(owner, pawn);
                n_all >= NULL_MOVE_PIECES_WITH_PAWNS && n_all - n_pawns >= NULL_MOVE_NON_PAWNS
            }
            None => n_all >= NULL_MOVE_PIECES,
        }
    }

    /// Step 10, singular extension: if every other move fails low against the table move's
    /// score less a margin, the table move is searched one ply deeper.
    ///
    /// Gives a score if another move reaches beta too (multi-cut), or the search must end.
    #[inline]
    pub fn singular_extension(&mut self, node: &mut Node) -> Option<i32> {
        let entry = node.entry?;
        if self.is_proof
            || !self.profile.allows_null_move
            || node.depth < SINGULAR_DEPTH
            || node.table_move == 0
            || node.excluded_move != 0
            || node.is_continuation
            || node.ply >= 2 * self.root_depth
            || entry.bound == Bound::Upper
            || entry.depth < node.depth - SINGULAR_ENTRY_DEPTH
            || entry.score.abs() >= PROVEN
        {
            return None;
        }
        let singular_beta = entry.score - self.eval.scaled(SINGULAR_MARGIN * node.depth);
        self.stack[node.ply].excluded_move = node.table_move;
        let depth = (node.depth - 1) / 2;
        let score = self.search(node.ply, depth, singular_beta - 1, singular_beta, false);
        self.stack[node.ply].excluded_move = 0;
        if self.control.is_over() {
            return Some(0);
        }
        if score < singular_beta {
            node.extension = 1;
            return None;
        }
        (singular_beta >= node.beta && !node.is_pv).then_some(singular_beta)
    }

    /// Step 12: whether a move is pruned. The caller has found a move that does not lose.
    #[inline]
    pub fn prunes_move(&self, node: &Node, mv: &MoveContext, alpha: i32) -> bool {
        if !node.can_prune_moves || !self.profile.allows_null_move {
            return false;
        }
        let depth = node.depth;
        if mv.is_quiet {
            // Late-move pruning.
            let most = LATE_MOVE_PRUNING_BASE + depth * depth;
            let most = if node.is_improving { most } else { most / 2 + 1 };
            if depth <= LATE_MOVE_PRUNING_DEPTH && mv.n_quiet > most {
                return true;
            }
            // Futility pruning.
            let margin = self.eval.scaled(FUTILITY_BASE + FUTILITY_PER_PLY * depth);
            if depth <= FUTILITY_DEPTH && mv.at > 0 && node.static_eval + margin <= alpha {
                return true;
            }
        }
        // Pruning by static exchange evaluation.
        if mv.at == 0 || depth > SEE_PRUNING_DEPTH || !(mv.is_quiet || mv.score < 0) {
            return false;
        }
        let loss = if mv.is_quiet {
            SEE_QUIET_PER_PLY * depth
        } else {
            SEE_CAPTURE_PER_PLY_SQUARED * depth * depth
        };
        let exchange = self.tree.exchange(&mv.choice, &self.eval.worth);
        exchange.is_some_and(|it| it < self.eval.scaled(-loss))
    }

    /// Step 13, late-move reduction: how many plies less deep a move is searched at first.
    #[inline]
    pub fn late_move_reduction(
        &self,
        node: &Node,
        mv: &MoveContext,
        ordering: OrderingContext,
    ) -> i32 {
        let is_reduced = node.depth >= LMR_DEPTH
            && mv.at >= LMR_FIRST_MOVE
            && !node.in_check
            && !mv.is_only
            && !self.is_proof;
        if !is_reduced {
            return 0;
        }
        let mut reduction = 0;
        if mv.is_quiet {
            reduction = self.base_reduction(node.depth, mv.at);
            reduction += i32::from(node.can_prune_moves && !node.is_improving);
            reduction -= i32::from(node.is_pv);
            let key = self.history.key(ordering.mover, &mv.choice);
            let history = self.history.quiet_score(ordering.previous, key);
            reduction -=
                (history / LMR_HISTORY_DIVISOR).clamp(-LMR_HISTORY_LIMIT, LMR_HISTORY_LIMIT);
        } else if mv.score < 0 {
            reduction = 1;
        }
        reduction.clamp(0, node.depth - 2)
    }
}
