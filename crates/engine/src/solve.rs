//! Proof search: the result with best play.
//!
//! The search is the usual one without pruning by estimates. States beyond the depth count as
//! draws, which can hide a win or a loss but never pretend one; if no state lay beyond the
//! depth, a draw is proven too.

use boardwright_rules::{GameState, LegalMoves};

use crate::{
    engine::{Engine, Method, moves_of, proof},
    levels::Oversights,
    limits::{SearchControl, SearchLimits, StopFlag},
    report::{Proof, SearchInfo, SearchLine, SearchReport},
    score::Score,
    searcher::MAX_PLY,
};

impl Engine {
    /// Tries to prove the result of a state with best play.
    ///
    /// [`SearchReport::proven`] is `None` if the limits did not suffice. In games in which
    /// states can recur a draw is never proven, since it may rest on a repetition that only one
    /// order of moves allows.
    pub fn solve(
        &mut self,
        state: &GameState,
        limits: &SearchLimits,
        stop: &StopFlag,
        on_info: &mut dyn FnMut(&SearchInfo),
    ) -> SearchReport {
        let legal = self.legal_moves(state, stop);
        let Some(legal) = legal.filter(|it| !it.is_empty() && self.method() != Method::Puzzle)
        else {
            return self.think(state, limits, stop, on_info);
        };
        let control = self.control(self.now(), limits, stop);
        self.resize_table_for_proof();
        self.new_game();
        let mut report = self.prove(&control.bounded(state), &legal, &control, on_info);
        report.nodes = control.nodes();
        report.time = control.elapsed();
        report
    }

    fn prove(
        &self,
        state: &GameState,
        legal: &LegalMoves,
        control: &SearchControl<'_>,
        on_info: &mut dyn FnMut(&SearchInfo),
    ) -> SearchReport {
        let mut searcher = self.searcher(state, legal, control);
        searcher.is_proof = true;
        // The result must not depend on the level.
        searcher.noise = 0;
        searcher.oversights = Oversights::default();
        let mut report = SearchReport::default();
        for depth in 1..control.max_depth.min(MAX_PLY as u32 - 10) {
            searcher.used_estimate = false;
            let score = searcher.search(0, depth as i32, -1, 1, true);
            if control.is_over() {
                break;
            }
            let choices = searcher.root_pv();
            let moves = moves_of(&mut searcher.tree, &choices);
            let line = SearchLine { moves, score: Score(score), depth };
            report.depth = depth;
            report.score = Score(score);
            report.best = line.moves.first().cloned();
            report.lines = vec![line.clone()];
            on_info(&SearchInfo {
                depth,
                nodes: searcher.counter.count,
                time: control.elapsed(),
                rank: 0,
                line: Some(line),
                current: None,
            });
            report.proven = proof(Score(score));
            if report.proven.is_none() && !searcher.used_estimate {
                report.proven = Some(Proof::Draw);
            }
            if report.proven.is_some() {
                break;
            }
        }
        control.publish(&mut searcher.counter);
        report
    }
}
