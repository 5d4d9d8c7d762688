//! The root of the search: iterative deepening with aspiration windows, best lines first.

use boardwright_fast::TreeMove;

use crate::{
    engine::{is_proven, moves_of},
    params::{
        ASPIRATION_DEPTH, ASPIRATION_FACTOR, ASPIRATION_LIMIT, ASPIRATION_SCORE_LIMIT,
        ASPIRATION_WIDTH, ROOT_LMR_DEPTH, ROOT_LMR_FIRST_MOVE, STABLE_EFFORT, STABLE_ITERATIONS,
        UNSTABLE_DEPTH, UNSTABLE_EFFORT,
    },
    report::{SearchInfo, SearchLine},
    score::{INFINITE, Score, WIN},
    searcher::{MAX_PLY, Searcher},
};

/// A move of the root and the result of its last search.
#[derive(Clone, Debug)]
struct RootMove {
    choice: TreeMove,
    score: i32,
    /// Its score after the iteration before.
    previous_score: i32,
    pv: Vec<TreeMove>,
    depth: u32,
}

/// One thread's search from the root.
pub(crate) struct RootSearch<'a> {
    searcher: Searcher<'a>,
    moves: Vec<RootMove>,
    /// How many principal variations are searched (multi-PV).
    n_lines: usize,
    /// 0 for the thread that reports; helper threads skip some depths by their number.
    helper: usize,
}

impl<'a> RootSearch<'a> {
    pub fn new(mut searcher: Searcher<'a>, n_lines: usize, helper: usize) -> RootSearch<'a> {
        let mut list = Vec::new();
        searcher.tree.moves(&mut list);
        let hash = searcher.hash_key();
        searcher.oversights.apply(hash, &mut list);
        let mut scores = Vec::new();
        let ordering = searcher.ordering(0, 0);
        searcher.history.score_moves(searcher.eval, &searcher.tree, &list, ordering, &mut scores);
        let mut order: Vec<usize> = (0..list.len()).collect();
        order.sort_by_key(|&it| std::cmp::Reverse(scores[it]));
        let moves = order.into_iter().map(|it| RootMove {
            choice: list[it],
            score: -INFINITE,
            previous_score: -INFINITE,
            pv: vec![list[it]],
            depth: 0,
        });
        RootSearch { moves: moves.collect(), n_lines: n_lines.max(1), helper, searcher }
    }

    /// Iterative deepening until a limit is reached or the result cannot change.
    pub fn run(&mut self, on_info: &mut dyn FnMut(&SearchInfo)) {
        let control = self.searcher.control;
        let (mut n_stable, mut last_best) = (0, 0);
        let deepest = control.max_depth.min(MAX_PLY as u32 - 20);
        for depth in 1..=deepest {
            if self.helper > 0 && depth > 3 && (depth as usize + self.helper).is_multiple_of(3) {
                continue;
            }
            for it in &mut self.moves {
                it.previous_score = it.score;
            }
            for rank in 0..self.n_lines.min(self.moves.len()) {
                self.aspiration_search(depth, rank, on_info);
                if control.is_over() {
                    break;
                }
            }
            if control.is_over() || self.is_decided(depth) {
                break;
            }
            let best = self.moves.first().map_or(0, |it| it.choice.key);
            n_stable = if best == last_best { n_stable + 1 } else { 0 };
            last_best = best;
            let effort = if n_stable >= STABLE_ITERATIONS {
                STABLE_EFFORT
            } else if n_stable == 0 && depth > UNSTABLE_DEPTH {
                UNSTABLE_EFFORT
            } else {
                1.0
            };
            if !control.may_deepen(effort) {
                break;
            }
        }
        self.searcher.control.publish(&mut self.searcher.counter);
    }

    /// Whether deeper iterations would not change the choice.
    fn is_decided(&self, depth: u32) -> bool {
        let Some(best) = self.moves.first() else { return true };
        let is_only = self.moves.len() == 1 && self.searcher.control.is_timed() && depth >= 4;
        let n_lines = self.n_lines.min(self.moves.len());
        let is_certain =
            |it: &RootMove| is_proven(it.score) && (WIN - it.score.abs()) as u32 <= depth;
        is_only || self.moves[..n_lines].iter().all(is_certain) && best.score != 0
    }

    /// One iteration for the line of one rank, in an aspiration window that widens until the
    /// score lies within.
    fn aspiration_search(&mut self, depth: u32, rank: usize, on_info: &mut dyn FnMut(&SearchInfo)) {
        self.searcher.root_depth = depth as usize;
        let guess = self.moves[rank].previous_score;
        let mut width = ASPIRATION_WIDTH;
        let is_narrow = depth >= ASPIRATION_DEPTH && guess.abs() < ASPIRATION_SCORE_LIMIT;
        let (mut alpha, mut beta) =
            if is_narrow { (guess - width, guess + width) } else { (-INFINITE, INFINITE) };
        loop {
            let best = self.search_window(depth, rank, (alpha, beta), on_info);
            self.moves[rank..].sort_by_key(|it| std::cmp::Reverse(it.score));
            if self.searcher.control.is_over() {
                break;
            }
            width *= ASPIRATION_FACTOR;
            if best <= alpha && alpha > -INFINITE {
                alpha = if width > ASPIRATION_LIMIT { -INFINITE } else { best - width };
            } else if best >= beta && beta < INFINITE {
                beta = if width > ASPIRATION_LIMIT { INFINITE } else { best + width };
            } else {
                break;
            }
        }
        if self.helper == 0 && self.moves[rank].depth > 0 {
            let line = self.line(rank);
            on_info(&self.info(depth, rank, Some(line), None));
        }
    }

    /// Searches the root moves from `rank` on within a window; gives the best score.
    fn search_window(
        &mut self,
        depth: u32,
        rank: usize,
        (mut alpha, beta): (i32, i32),
        on_info: &mut dyn FnMut(&SearchInfo),
    ) -> i32 {
        let mut best = -INFINITE;
        for idx in rank..self.moves.len() {
            let choice = self.moves[idx].choice;
            if self.helper == 0 && self.searcher.control.elapsed().as_millis() > 1000 {
                let mv = self.searcher.tree.move_of(&choice);
                on_info(&self.info(depth, rank, None, Some((mv, idx + 1))));
            }
            let score = self.search_root_move(depth as i32, rank, idx, (alpha, beta));
            if self.searcher.control.is_over() {
                // Moves that this iteration did not finish must not rank before those it did.
                if best > -INFINITE {
                    self.moves[idx..].iter_mut().for_each(|it| it.score = -INFINITE);
                }
                break;
            }
            let pv = self.searcher.pv_after(choice);
            let it = &mut self.moves[idx];
            if idx == rank || score > alpha {
                it.score = score;
                it.pv = pv;
                it.depth = depth;
            } else {
                it.score = -INFINITE;
            }
            best = best.max(score);
            alpha = alpha.max(score);
            if alpha >= beta {
                self.moves[idx + 1..].iter_mut().for_each(|it| it.score = -INFINITE);
                break;
            }
        }
        best
    }

    /// Principal variation search of one root move.
    fn search_root_move(
        &mut self,
        depth: i32,
        rank: usize,
        idx: usize,
        (alpha, beta): (i32, i32),
    ) -> i32 {
        let choice = self.moves[idx].choice;
        self.searcher.with_move(0, &choice, |it, ply, flips| {
            let continues = !flips && it.tree.is_going_on();
            let next = if continues { depth } else { depth - 1 };
            if idx == rank {
                return it.search_next(ply, next, (alpha, beta), true, flips);
            }
            let is_reduced =
                depth >= ROOT_LMR_DEPTH && idx > rank + ROOT_LMR_FIRST_MOVE && !choice.is_loud();
            let reduced = next - i32::from(is_reduced);
            let mut score = it.search_next(ply, reduced, (alpha, alpha + 1), false, flips);
            if score > alpha {
                score = it.search_next(ply, next, (alpha, beta), true, flips);
            }
            score
        })
    }

    fn info(
        &self,
        depth: u32,
        rank: usize,
        line: Option<SearchLine>,
        current: Option<(boardwright_rules::GameMove, usize)>,
    ) -> SearchInfo {
        let control = self.searcher.control;
        let nodes = control.nodes().max(self.searcher.counter.count);
        SearchInfo { depth, nodes, time: control.elapsed(), rank, line, current }
    }

    fn line(&mut self, rank: usize) -> SearchLine {
        let it = self.moves[rank].clone();
        let moves = moves_of(&mut self.searcher.tree, &it.pv);
        SearchLine { moves, score: Score(it.score), depth: it.depth }
    }

    /// The best lines, best first.
    pub fn lines(&mut self) -> Vec<SearchLine> {
        let n = self.n_lines.min(self.moves.len());
        (0..n)
            .map(|rank| {
                let previous = self.moves[rank].previous_score;
                let mut line = self.line(rank);
                if line.score.0 == -INFINITE {
                    // The last iteration did not reach it: report the score of the one before.
                    line.score = Score(if previous == -INFINITE { 0 } else { previous });
                }
                line
            })
            .collect()
    }
}
