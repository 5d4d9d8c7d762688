//! Proofs: who wins with best play, if that can be found out.
//!
//! The search is the usual one without anything that guesses. What lies beyond the
//! depth counts as a draw, which can hide a win or a loss but never feign one; when
//! nothing lay beyond, a draw is proven too.

use boardwright_play::State;

use crate::{
    engine::{Engine, Method, moves_of},
    levels::Blindness,
    limits::{Control, Limits, Stop},
    report::{Info, Line, Proof, Report},
    score::{PROVEN, Score},
    search::MAX_PLY,
};

impl Engine {
    /// Tries to prove what a state is worth with best play.
    ///
    /// [`Report::proven`] is `None` if the limits did not suffice. In games in which
    /// states can come back a draw is never proven, since it may rest on a repetition
    /// that only one way of play allows.
    pub fn solve(
        &mut self,
        state: &State,
        limits: &Limits,
        stop: &Stop,
        news: &mut dyn FnMut(&Info),
    ) -> Report {
        let method = self.method();
        if method == Method::Puzzle || state.legal_moves().map_or(true, |it| it.is_empty()) {
            return self.think(state, limits, stop, news);
        }
        let control = Control::new(limits, stop, self.settings().now);
        self.fit_table_for_proof();
        self.forget();
        let mut report = self.prove(state, &control, news);
        report.nodes = control.nodes();
        report.time = control.elapsed();
        report
    }

    fn prove(&self, state: &State, control: &Control<'_>, news: &mut dyn FnMut(&Info)) -> Report {
        let mut searcher = self.searcher(state, 0, control);
        searcher.is_exact = true;
        // Who overlooks moves, or misjudges them, proves nothing.
        searcher.noise = 0;
        searcher.blindness = Blindness::default();
        let mut report = Report::default();
        for depth in 1..control.max_depth.min(MAX_PLY as u32 - 10) {
            searcher.has_guessed = false;
            let score = searcher.search(0, depth as i32, -1, 1, true);
            if control.is_over() {
                break;
            }
            let choices = searcher.line_here();
            let moves = moves_of(&mut searcher.tree, &choices);
            let line = Line { moves, score: Score(score), depth };
            report.depth = depth;
            report.score = Score(score);
            report.best = line.moves.first().cloned();
            report.lines = vec![line.clone()];
            news(&Info {
                depth,
                nodes: searcher.spent.count,
                time: control.elapsed(),
                rank: 0,
                line: Some(line),
                current: None,
            });
            report.proven = match () {
                () if score >= PROVEN => Score(score).wins_in().map(Proof::Win),
                () if score <= -PROVEN => Score(score).loses_in().map(Proof::Loss),
                () if !searcher.has_guessed => Some(Proof::Draw),
                () => None,
            };
            if report.proven.is_some() {
                break;
            }
        }
        control.settle(&mut searcher.spent);
        report
    }
}
