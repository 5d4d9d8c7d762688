//! The search for the solution of a puzzle, and Monte Carlo tree search.

use boardwright_game::Player;
use boardwright_rules::{GameState, LegalMoves};

use super::{Engine, moves_of};
use crate::{
    levels::{self, Oversights},
    limits::SearchControl,
    mcts::{MonteCarloConfig, MonteCarloSearch},
    puzzle::Puzzle,
    report::{Proof, SearchInfo, SearchLine, SearchReport},
    score::{Score, WIN},
};

impl Engine {
    /// Search for the solution of a puzzle.
    pub(super) fn puzzle_search(
        &mut self,
        state: &GameState,
        legal: &LegalMoves,
        control: &SearchControl<'_>,
    ) -> SearchReport {
        let me = self.profile.movers.first().copied().unwrap_or(Player(0));
        if let Some((mv, left)) = self.plan.get(&state.hash()) {
            let score = Score(WIN - *left as i32);
            let line = SearchLine { moves: vec![mv.clone()], score, depth: *left };
            return self.report(state, vec![line]);
        }
        let tree = state.tree(self.fast.as_ref(), Some(legal));
        let ruleset = self.rules.ruleset();
        let memory = self.settings.memory;
        let mut puzzle = Puzzle::new(tree, control, ruleset, &self.values, me, memory);
        let (found, is_exhaustive) = puzzle.solve();
        let path = found.clone().unwrap_or_else(|| puzzle.nearest().to_vec());
        let moves = moves_of(&mut puzzle.into_tree(), &path);
        let n_moves = moves.len() as u32;
        let score = match &found {
            Some(_) => Score(WIN - n_moves as i32),
            None if is_exhaustive => Score(n_moves as i32 + 1 - WIN),
            None => Score::EVEN,
        };
        if found.is_some() {
            let mut at = state.clone();
            for (idx, mv) in moves.iter().enumerate() {
                self.plan.insert(at.hash(), (mv.clone(), n_moves - idx as u32));
                if at.replay(mv).is_err() {
                    break;
                }
            }
        }
        if moves.is_empty() {
            // No move leads nearer to the goal: the caller takes any legal one.
            return SearchReport { best: None, score, ..SearchReport::default() };
        }
        self.report(state, vec![SearchLine { depth: n_moves, moves, score }])
    }

    /// Monte Carlo tree search; helper threads grow trees of their own.
    pub(super) fn monte_carlo_search(
        &mut self,
        state: &GameState,
        legal: &LegalMoves,
        control: &SearchControl<'_>,
        on_info: &mut dyn FnMut(&SearchInfo),
    ) -> SearchReport {
        let reusable = self.reusable.take();
        let reused = reusable.and_then(|it| it.subtree_at(self.fast.as_ref(), state));
        let n_threads = self.settings.threads.clamp(1, 64);
        let n_sites = self.rules.ruleset().board.n_sites() as u32;
        let config = MonteCarloConfig {
            seed: self.settings.seed ^ state.hash(),
            // The reused tree and the one that grows from it are in memory at the same time.
            memory: self.settings.memory / n_threads / 2,
            max_plies: (n_sites * 3).clamp(60, 1200),
            is_duel: self.profile.movers.len() == 2 && !self.profile.has_chance,
            n_players: self.profile.movers.len() as u32,
            oversights: Oversights::new(&self.settings, self.traits(legal.len())),
        };
        let signs = self.signs(state.mover());
        let make = |helper: usize, reused| {
            let tree = state.tree(self.fast.as_ref(), Some(legal));
            let seed = config.seed.wrapping_add(helper as u64 * 0x9E37_79B9);
            let config = MonteCarloConfig { seed, ..config };
            MonteCarloSearch::new(tree, control, &self.eval, signs.clone(), config, reused)
        };
        let mut search = make(0, reused);
        std::thread::scope(|scope| {
            let start = |helper| {
                let mut search = make(helper, None);
                scope.spawn(move || {
                    search.run(&mut |_| {});
                    search.root_statistics()
                })
            };
            let helpers: Vec<_> = (1..n_threads).map(start).collect();
            search.run(on_info);
            control.end();
            for it in helpers {
                if let Ok(statistics) = it.join() {
                    search.merge(&statistics);
                }
            }
        });
        let n_lines = self.settings.lines.max(levels::lines(&self.settings));
        let lines = search.lines(n_lines);
        let is_drawn = search.is_drawn();
        let reusable = search.into_reusable(state);
        let mut report = self.report(state, lines);
        if is_drawn {
            report.proven = Some(Proof::Draw);
        }
        self.reusable = reusable;
        report
    }
}
