//! The search from the state that was asked about: deeper and deeper, best lines first.

use boardwright_fast::TreeMove;

use crate::{
    engine::{is_certain, moves_of},
    report::{Info, Line},
    score::{INFINITE, Score, WIN},
    search::{MAX_PLY, Searcher},
};

/// A move of the root and what is known of it.
#[derive(Clone, Debug)]
struct RootMove {
    choice: TreeMove,
    score: i32,
    /// Its score when the depth before was done.
    before: i32,
    line: Vec<TreeMove>,
    depth: u32,
}

/// One thread's search from the root.
pub(crate) struct Root<'a> {
    searcher: Searcher<'a>,
    moves: Vec<RootMove>,
    n_lines: usize,
    /// 0 for the thread that reports; others vary their depths.
    helper: usize,
}

impl<'a> Root<'a> {
    pub fn new(mut searcher: Searcher<'a>, n_lines: usize, helper: usize) -> Root<'a> {
        let mut list = Vec::new();
        searcher.tree.moves(&mut list);
        let hash = searcher.key();
        searcher.blindness.apply(hash, &mut list);
        let (mover, mut rates) = (searcher.tree.mover().idx(), Vec::new());
        searcher.memory.rate(
            searcher.eval,
            &searcher.tree,
            &list,
            0,
            mover,
            0,
            Default::default(),
            &mut rates,
        );
        let mut order: Vec<usize> = (0..list.len()).collect();
        order.sort_by_key(|&it| std::cmp::Reverse(rates[it]));
        let moves = order.into_iter().map(|it| RootMove {
            choice: list[it],
            score: -INFINITE,
            before: -INFINITE,
            line: vec![list[it]],
            depth: 0,
        });
        Root { moves: moves.collect(), n_lines: n_lines.max(1), helper, searcher }
    }

    /// Looks deeper and deeper until a limit says stop or all is known.
    pub fn run(&mut self, news: &mut dyn FnMut(&Info)) {
        let control = self.searcher.control;
        let (mut stable, mut last_best) = (0, 0);
        let deepest = control.max_depth.min(MAX_PLY as u32 - 20);
        for depth in 1..=deepest {
            if self.helper > 0 && depth > 3 && (depth as usize + self.helper).is_multiple_of(3) {
                continue;
            }
            for it in &mut self.moves {
                it.before = it.score;
            }
            for rank in 0..self.n_lines.min(self.moves.len()) {
                self.look(depth, rank, news);
                if control.is_over() {
                    break;
                }
            }
            if control.is_over() || self.is_settled(depth) {
                break;
            }
            let best = self.moves.first().map_or(0, |it| it.choice.key);
            stable = if best == last_best { stable + 1 } else { 0 };
            last_best = best;
            let effort = if stable >= 4 {
                0.75
            } else if stable == 0 && depth > 5 {
                1.4
            } else {
                1.0
            };
            if !control.may_deepen(effort) {
                break;
            }
        }
        self.searcher.control.settle(&mut self.searcher.spent);
    }

    /// Whether nothing more can be found out, or it would change nothing.
    fn is_settled(&self, depth: u32) -> bool {
        let Some(best) = self.moves.first() else { return true };
        let is_only = self.moves.len() == 1 && self.searcher.control.is_timed() && depth >= 4;
        let n_lines = self.n_lines.min(self.moves.len());
        let is_known =
            |it: &RootMove| is_certain(it.score) && (WIN - it.score.abs()) as u32 <= depth;
        // All others lose for sure, or the wanted lines are certain.
        is_only || self.moves[..n_lines].iter().all(is_known) && best.score != 0
    }

    /// One depth for the line of one rank, in a window that widens until it holds.
    fn look(&mut self, depth: u32, rank: usize, news: &mut dyn FnMut(&Info)) {
        self.searcher.root_depth = depth as usize;
        let guess = self.moves[rank].before;
        let mut width = 30;
        let is_narrow = depth >= 5 && guess.abs() < 1_000_000;
        let (mut alpha, mut beta) =
            if is_narrow { (guess - width, guess + width) } else { (-INFINITE, INFINITE) };
        loop {
            let best = self.look_within(depth, rank, alpha, beta, news);
            self.moves[rank..].sort_by_key(|it| std::cmp::Reverse(it.score));
            if self.searcher.control.is_over() {
                break;
            }
            width *= 3;
            if best <= alpha && alpha > -INFINITE {
                alpha = if width > 2000 { -INFINITE } else { best - width };
            } else if best >= beta && beta < INFINITE {
                beta = if width > 2000 { INFINITE } else { best + width };
            } else {
                break;
            }
        }
        if self.helper == 0 && self.moves[rank].depth > 0 {
            let line = self.line(rank);
            news(&self.info(depth, rank, Some(line), None));
        }
    }

    fn look_within(
        &mut self,
        depth: u32,
        rank: usize,
        mut alpha: i32,
        beta: i32,
        news: &mut dyn FnMut(&Info),
    ) -> i32 {
        let mut best = -INFINITE;
        let n = self.moves.len();
        // What is not looked at keeps its place behind what is.
        for idx in rank..n {
            let choice = self.moves[idx].choice;
            if self.helper == 0 && self.searcher.control.elapsed().as_millis() > 1000 {
                let mv = self.searcher.tree.move_of(&choice);
                news(&self.info(depth, rank, None, Some((mv, idx + 1))));
            }
            let depth = depth as i32;
            let score = self.searcher.descend(0, &choice, |it, ply, flips| {
                let goes_on = !flips && it.tree.is_going_on();
                let next = if goes_on { depth } else { depth - 1 };
                let look = |it: &mut Searcher<'a>, depth: i32, low: i32, high: i32, is_pv| {
                    if flips {
                        -it.search(ply, depth, -high, -low, is_pv)
                    } else {
                        it.search(ply, depth, low, high, is_pv)
                    }
                };
                if idx == rank {
                    return look(it, next, alpha, beta, true);
                }
                let less = i32::from(depth >= 4 && idx > rank + 4 && !choice.is_loud());
                let mut score = look(it, next - less, alpha, alpha + 1, false);
                if score > alpha {
                    score = look(it, next, alpha, beta, true);
                }
                score
            });
            if self.searcher.control.is_over() {
                // What this depth did not reach must not stand before what it did.
                if best > -INFINITE {
                    self.moves[idx..].iter_mut().for_each(|it| it.score = -INFINITE);
                }
                break;
            }
            let line = self.searcher.line_after(choice);
            let it = &mut self.moves[idx];
            if idx == rank || score > alpha {
                it.score = score;
                it.line = line;
                it.depth = depth as u32;
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

    fn info(
        &self,
        depth: u32,
        rank: usize,
        line: Option<Line>,
        current: Option<(boardwright_play::Move, usize)>,
    ) -> Info {
        let control = self.searcher.control;
        let nodes = control.nodes().max(self.searcher.spent.count);
        Info { depth, nodes, time: control.elapsed(), rank, line, current }
    }

    fn line(&mut self, rank: usize) -> Line {
        let it = self.moves[rank].clone();
        let moves = moves_of(&mut self.searcher.tree, &it.line);
        Line { moves, score: Score(it.score), depth: it.depth }
    }

    /// The best lines, best first.
    pub fn lines(&mut self) -> Vec<Line> {
        let n = self.n_lines.min(self.moves.len());
        (0..n)
            .map(|rank| {
                let before = self.moves[rank].before;
                let mut line = self.line(rank);
                if line.score.0 == -INFINITE {
                    // Cut short before it was looked at: what the depth before said.
                    line.score = Score(if before == -INFINITE { 0 } else { before });
                }
                line
            })
            .collect()
    }
}
