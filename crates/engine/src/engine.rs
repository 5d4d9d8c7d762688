//! The engine: its settings, what it knows of its rules, and the search for a move.

mod level_limits;
mod multiplayer;

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use boardwright_fast::{Fast, GameTree, TreeMove};
use boardwright_game::{PieceKind, Player};
use boardwright_play::{Ending, Move, MoveList, Rules, SplitMix64, State};

use rustc_hash::FxHashMap;

use crate::{
    eval::Eval,
    levels::{self, GameTraits, Oversights},
    limits::{SearchControl, SearchLimits, StopFlag},
    mcts::{MonteCarloConfig, MonteCarloSearch},
    profile::Profile,
    puzzle::Puzzle,
    report::{Proof, SearchInfo, SearchLine, SearchReport},
    root::RootSearch,
    score::{PROVEN, Score, WIN},
    searcher::{SearchContext, Searcher},
    transposition::TranspositionTable,
    tree_reuse::ReusableTree,
    tuning::Tuning,
    values::Values,
};

/// The settings of an engine.
#[derive(Clone, Debug)]
pub struct EngineSettings {
    /// Bytes for the transposition table or the search tree.
    pub memory: usize,
    /// Number of threads; with more than one results are not reproducible.
    pub threads: usize,
    /// The seed of everything random: variety, weak levels, playouts.
    pub seed: u64,
    /// Playing strength, from 1 (a beginner) to 10 (full strength).
    pub level: u8,
    /// From 0 (always the best move) to 10 (any move that is nearly as good).
    pub variety: u8,
    /// Number of best lines to report.
    pub lines: usize,
    /// The search method; usually best left to the engine.
    pub method: Method,
    /// The clock: time since some fixed moment.
    pub now: fn() -> Duration,
}

/// A search method.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Method {
    /// The method that suits the rules.
    #[default]
    Auto,
    /// Alpha-beta search with a static evaluation.
    Search,
    /// Monte Carlo tree search with random playouts.
    Playouts,
    /// A search for a path to the goal, in games for one player.
    Puzzle,
}

impl Default for EngineSettings {
    fn default() -> EngineSettings {
        EngineSettings {
            memory: 64 << 20,
            threads: 1,
            seed: 0,
            level: 10,
            variety: 0,
            lines: 1,
            method: Method::Auto,
            now: system_time,
        }
    }
}

/// The time since the first call.
fn system_time() -> Duration {
    use std::sync::OnceLock;
    static BEGAN: OnceLock<Instant> = OnceLock::new();
    BEGAN.get_or_init(Instant::now).elapsed()
}

/// An opponent for one ruleset.
pub struct Engine {
    rules: Arc<Rules>,
    fast: Option<Fast>,
    profile: Profile,
    values: Values,
    eval: Eval,
    table: TranspositionTable,
    settings: EngineSettings,
    n_refused: u64,
    /// The solution of a puzzle: by the hash of each state on its path, the move and the number
    /// of moves left.
    plan: FxHashMap<u64, (Move, u32)>,
    /// The tree of the last Monte Carlo search.
    reusable: Option<ReusableTree>,
    /// The better method by training, if it made a difference.
    trained_method: Option<Method>,
    /// The better method by a trial, if there was one.
    trial_method: Option<Method>,
    /// Measured nodes per second, keyed by method and number of threads.
    speed: Option<((Method, usize), u64)>,
}

impl Engine {
    /// Measures piece values and prepares a ruleset for search; takes well under a second for
    /// most.
    pub fn new(rules: Arc<Rules>, settings: EngineSettings) -> Engine {
        let profile = Profile::new(&rules.ruleset);
        let fast = Fast::new(&rules).ok();
        let values = Values::new(&rules, fast.as_ref(), &profile, 0x00B0_A2D5);
        let eval = Eval::new(&rules.ruleset, fast.as_ref(), &profile, &values);
        let mut engine = Engine {
            fast,
            table: TranspositionTable::new(0),
            profile,
            values,
            eval,
            rules,
            settings,
            n_refused: 0,
            plan: FxHashMap::default(),
            reusable: None,
            trained_method: None,
            trial_method: None,
            speed: None,
        };
        engine.resize_table();
        engine
    }

    /// Gives the transposition table the size that the settings allow, where one is used.
    fn resize_table(&mut self) {
        let uses_it = self.method() == Method::Search || self.trial_method == Some(Method::Search);
        let wanted = if uses_it { self.settings.memory } else { 0 };
        if !self.table.has_size(wanted) {
            self.table = TranspositionTable::new(wanted);
        }
    }

    /// Gives the transposition table its full size, whatever the method.
    pub(crate) fn resize_table_for_proof(&mut self) {
        if !self.table.has_size(self.settings.memory) {
            self.table = TranspositionTable::new(self.settings.memory);
        }
    }

    /// The same with a tuning, which is ignored if it belongs to other rules.
    pub fn with_tuning(rules: Arc<Rules>, settings: EngineSettings, tuning: &Tuning) -> Engine {
        let mut engine = Engine::new(rules, settings);
        if tuning.fingerprint == engine.rules.ruleset.fingerprint() {
            engine.eval.tune(tuning);
            engine.trained_method = tuning.method;
            engine.trial_method = tuning.trial_method;
            engine.resize_table();
        }
        engine
    }

    /// The rules that it plays.
    pub fn rules(&self) -> &Arc<Rules> {
        &self.rules
    }

    /// The players who choose moves.
    pub(crate) fn movers(&self) -> &[Player] {
        &self.profile.movers
    }

    /// The static evaluation of a state for a player, and its phase.
    pub(crate) fn score_and_phase(&self, tree: &GameTree<'_>, player: Player) -> (f32, f32) {
        let signs = self.signs(Some(player));
        let (accumulator, _) = self.eval.refresh(tree, &signs);
        let sign = signs.get(player.idx()).copied().unwrap_or(0);
        let score = sign * self.eval.score(tree, &accumulator, &signs);
        (score as f32, self.eval.phase(&accumulator))
    }

    /// The settings.
    pub fn settings(&self) -> &EngineSettings {
        &self.settings
    }

    /// Changes the settings; results of earlier searches stay unless memory or level change.
    pub fn set_settings(&mut self, settings: EngineSettings) {
        if (settings.memory, settings.level) != (self.settings.memory, self.settings.level) {
            // The tree of a weaker level lacks the moves that it overlooked.
            self.reusable = None;
        }
        self.settings = settings;
        self.resize_table();
    }

    /// Whether it has the result of a [`MethodTrial`](crate::MethodTrial).
    pub fn has_trial_result(&self) -> bool {
        self.trial_method.is_some()
    }

    /// Sets the result of a [`MethodTrial`](crate::MethodTrial).
    pub fn set_trial_result(&mut self, method: Method) {
        self.trial_method = Some(method);
        self.resize_table();
    }

    /// Discards the results of earlier searches, for a new game.
    pub fn new_game(&mut self) {
        self.table.clear();
        self.plan.clear();
        self.reusable = None;
        self.speed = None;
    }

    /// How often a search found a move that the rules refuse: always 0, unless there is a bug.
    pub fn n_refused(&self) -> u64 {
        self.n_refused
    }

    /// The value of each kind in the original's units, a thousand for the cheapest. `None` for
    /// pieces whose loss ends the game.
    pub fn piece_values(&self) -> Vec<(PieceKind, Option<i32>)> {
        let kinds = (0..self.values.n_kinds as u16).map(PieceKind);
        let is_royal = |it: PieceKind| self.profile.royal.iter().any(|all| all.contains(&it));
        kinds.map(|it| (it, (!is_royal(it)).then(|| self.values.kinds[it.idx()] * 10))).collect()
    }

    /// What the engine knows of the rules, as text for its developers.
    pub fn describe(&self) -> String {
        use std::fmt::Write;
        let ruleset = &self.rules.ruleset;
        let mut text = format!("method {:?}, fast {}\n", self.method(), self.fast.is_some());
        for (kind, value) in self.piece_values() {
            let _ = writeln!(text, "{}: {value:?}", ruleset.piece_name(kind));
        }
        let _ = writeln!(text, "mobility {}, lead {}", self.eval.mobility, self.values.lead);
        for &player in &self.profile.movers {
            for kind in (0..self.values.n_kinds as u16).map(PieceKind) {
                let _ =
                    writeln!(text, "{} {}", ruleset.player_name(player), ruleset.piece_name(kind));
                for site in ruleset.board.all_sites() {
                    let [middle, end] = self.eval.site_value(player, kind, site);
                    let _ = write!(text, "{} {middle}/{end}  ", ruleset.board.site_name(site));
                }
                text.push('\n');
            }
        }
        text
    }

    /// Searches for the best move of a state, whose history counts.
    ///
    /// `on_info` gets messages while the search runs. It ends when a limit is reached, when
    /// `stop` is set, or when the result is proven.
    pub fn think(
        &mut self,
        state: &State,
        limits: &SearchLimits,
        stop: &StopFlag,
        on_info: &mut dyn FnMut(&SearchInfo),
    ) -> SearchReport {
        let mut list = MoveList::new();
        if state.clone().generate(&mut list).is_err() || list.is_empty() {
            return self.report_end(state);
        }
        let method = self.method_within(limits);
        let began = (self.settings.now)();
        let limits = self.level_limits(state, limits, method, list.len(), stop);
        let control = SearchControl::since(began, &limits, stop, self.settings.now);
        let measuring = control.elapsed();
        self.table.new_generation();
        let mut report = match method {
            Method::Puzzle => self.puzzle_search(state, &control),
            Method::Playouts => self.monte_carlo_search(state, list.len(), &control, on_info),
            _ => self.alpha_beta_search(state, list.len(), &control, on_info),
        };
        report.time = control.elapsed();
        report.nodes = control.nodes();
        self.update_speed(method, report.nodes, report.time.saturating_sub(measuring));
        // Two moves with the same notation are the same to the rules.
        let legal = |mv: &Move| {
            let text = || state.move_text(mv);
            let same = list.iter().find(|&it| it == mv);
            same.or_else(|| list.iter().find(|it| state.move_text(it) == text())).cloned()
        };
        report.best = report.best.as_ref().and_then(legal);
        if report.best.is_none() {
            // Happens only in puzzles without a solution; any legal move is better than none.
            self.n_refused += u64::from(method != Method::Puzzle);
            report.best = list.get(0).cloned();
        }
        report
    }

    /// The report of a state without moves.
    fn report_end(&self, state: &State) -> SearchReport {
        let outcome = state.outcome().ok().flatten();
        let mover = state.mover();
        let score = match (outcome, mover) {
            (Some(it), Some(mover)) if it.is_won_by(mover) => Score(WIN),
            (Some(it), Some(mover)) if it.is_lost_by(mover) => Score(-WIN),
            _ => Score::EVEN,
        };
        let proven = outcome.map(|_| proof(score).unwrap_or(Proof::Draw));
        SearchReport { score, proven, ..SearchReport::default() }
    }

    /// The static evaluation of a state for a player, without a search.
    pub fn static_score(&self, state: &State, player: Player) -> Score {
        let tree = GameTree::new(self.fast.as_ref(), state);
        let signs = self.signs(Some(player));
        let (accumulator, _) = self.eval.refresh(&tree, &signs);
        let sign = signs.get(player.idx()).copied().unwrap_or(0);
        let score = sign * self.eval.score(&tree, &accumulator, &signs);
        Score(score.clamp(1 - PROVEN, PROVEN - 1))
    }

    /// By player: 1 for the first side, -1 for the second, 0 for players of neither. With more
    /// than two movers the first side is the mover, the second all others.
    fn signs(&self, mover: Option<Player>) -> Vec<i32> {
        let ruleset = &self.rules.ruleset;
        let me = match mover {
            Some(it) if self.profile.movers.contains(&it) => it,
            _ => self.profile.movers.first().copied().unwrap_or(Player(0)),
        };
        let first = if self.profile.movers.len() == 2 { self.profile.movers[0] } else { me };
        let turns = &ruleset.turn_order.turns;
        ruleset
            .all_players()
            .map(|player| {
                let mover = match self.profile.movers.contains(&player) {
                    true => Some(player),
                    false => turns.iter().find(|it| it.owner == player).map(|it| it.mover),
                };
                match mover.filter(|it| self.profile.movers.contains(it)) {
                    Some(it) if it == first => 1,
                    Some(_) => -1,
                    None => 0,
                }
            })
            .collect()
    }

    /// The traits of the game and a state with this number of moves.
    fn traits(&self, n_moves: usize) -> GameTraits {
        GameTraits {
            has_moves: self.profile.has_moves,
            has_rows: self.eval.has_rows(),
            n_sites: self.rules.ruleset.board.n_sites(),
            n_moves,
        }
    }

    /// A searcher at a state with `n_moves` moves.
    pub(crate) fn searcher<'a>(
        &'a self,
        state: &State,
        n_moves: usize,
        control: &'a SearchControl<'a>,
    ) -> Searcher<'a> {
        let tree = GameTree::new(self.fast.as_ref(), state);
        let Engine { eval, profile, table, settings, .. } = self;
        let signs = self.signs(state.mover());
        let context = SearchContext { eval, profile, table, control };
        let mut it = Searcher::new(tree, context, signs, settings.seed);
        let traits = self.traits(n_moves);
        it.set_level(levels::noise(settings, traits), settings.level);
        it.oversights = Oversights::new(settings, traits);
        it
    }

    /// Alpha-beta search, with helper threads that share the transposition table.
    fn alpha_beta_search(
        &self,
        state: &State,
        n_moves: usize,
        control: &SearchControl<'_>,
        on_info: &mut dyn FnMut(&SearchInfo),
    ) -> SearchReport {
        let n_lines = self.settings.lines.max(levels::lines(&self.settings));
        let offset = self.coalition_offset(state);
        let adjust = |line: &mut SearchLine| {
            if self.profile.movers.len() > 2 {
                line.score = multiplayer::without_coalition(line.score, offset);
            }
        };
        std::thread::scope(|scope| {
            for helper in 1..self.settings.threads.clamp(1, 64) {
                let searcher = self.searcher(state, n_moves, control);
                scope.spawn(move || RootSearch::new(searcher, 1, helper).run(&mut |_| {}));
            }
            let mut root = RootSearch::new(self.searcher(state, n_moves, control), n_lines, 0);
            root.run(&mut |it| {
                let mut info = it.clone();
                info.line.iter_mut().for_each(adjust);
                on_info(&info);
            });
            control.end();
            let mut lines = root.lines();
            lines.iter_mut().for_each(adjust);
            self.report(state, lines)
        })
    }

    /// The method for a search with these limits.
    ///
    /// The result of a trial counts where time alone is the limit: measured on one machine, it
    /// must not change the result for a number of nodes on another, nor the strength of a level.
    fn method_within(&self, limits: &SearchLimits) -> Method {
        match self.trial_method {
            Some(it) if self.trial_applies(limits) => it,
            _ => self.method(),
        }
    }

    /// Whether a search with these limits uses the result of a
    /// [`MethodTrial`](crate::MethodTrial).
    pub fn trial_applies(&self, limits: &SearchLimits) -> bool {
        let is_counted = limits.nodes.is_some() || limits.depth.is_some();
        let is_free = self.settings.method == Method::Auto && self.trained_method.is_none();
        is_free && !is_counted && self.settings.level >= 10
    }

    /// Whether a [`MethodTrial`](crate::MethodTrial) should be run before a search with these
    /// limits.
    pub fn needs_trial(&self, limits: &SearchLimits) -> bool {
        self.trial_method.is_none()
            && self.profile.has_doubtful_method()
            && self.trial_applies(limits)
    }

    /// The method that is used where no trial applies.
    pub fn method(&self) -> Method {
        match self.settings.method {
            Method::Auto => self.trained_method.unwrap_or_else(|| self.profile.method()),
            given => given,
        }
    }

    /// Search for the solution of a puzzle.
    fn puzzle_search(&mut self, state: &State, control: &SearchControl<'_>) -> SearchReport {
        let me = self.profile.movers.first().copied().unwrap_or(Player(0));
        if let Some((mv, left)) = self.plan.get(&state.hash()) {
            let score = Score(WIN - *left as i32);
            let line = SearchLine { moves: vec![mv.clone()], score, depth: *left };
            return self.report(state, vec![line]);
        }
        let tree = GameTree::new(self.fast.as_ref(), state);
        let ruleset = &self.rules.ruleset;
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
                if at.play(mv).is_err() {
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
    fn monte_carlo_search(
        &mut self,
        state: &State,
        n_moves: usize,
        control: &SearchControl<'_>,
        on_info: &mut dyn FnMut(&SearchInfo),
    ) -> SearchReport {
        let reusable = self.reusable.take();
        let reused = reusable.and_then(|it| it.subtree_at(self.fast.as_ref(), state));
        let n_threads = self.settings.threads.clamp(1, 64);
        let n_sites = self.rules.ruleset.board.n_sites() as u32;
        let config = MonteCarloConfig {
            seed: self.settings.seed ^ state.hash(),
            // The reused tree and the one that grows from it are in memory at the same time.
            memory: self.settings.memory / n_threads / 2,
            max_plies: (n_sites * 3).clamp(60, 1200),
            is_duel: self.profile.movers.len() == 2 && !self.profile.has_chance,
            n_players: self.profile.movers.len() as u32,
            oversights: Oversights::new(&self.settings, self.traits(n_moves)),
        };
        let signs = self.signs(state.mover());
        let make = |helper: usize, reused| {
            let tree = GameTree::new(self.fast.as_ref(), state);
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

    /// The report of a search that found these lines.
    fn report(&self, state: &State, lines: Vec<SearchLine>) -> SearchReport {
        let mut rng = SplitMix64::new(self.settings.seed ^ state.hash());
        let chosen = levels::choose(&lines, &self.settings, &mut rng);
        let score = lines.first().map_or(Score::EVEN, |it| it.score);
        SearchReport {
            best: lines.get(chosen).and_then(|it| it.moves.first()).cloned(),
            score,
            depth: lines.first().map_or(0, |it| it.depth),
            // A search that overlooks moves proves nothing.
            proven: proof(score).filter(|_| !levels::has_oversights(&self.settings)),
            lines: lines.into_iter().take(self.settings.lines.max(1)).collect(),
            ..SearchReport::default()
        }
    }
}

/// The proven result that a score stands for.
pub(crate) fn proof(score: Score) -> Option<Proof> {
    score.wins_in().map(Proof::Win).or(score.loses_in().map(Proof::Loss))
}

/// The moves of a line; stops at a move that is not legal where it stands.
pub(crate) fn moves_of(tree: &mut GameTree<'_>, line: &[TreeMove]) -> Vec<Move> {
    let mut moves = Vec::new();
    let mut legal = Vec::new();
    let mut n_played = 0;
    for choice in line {
        let ending: Option<Ending> = tree.moves(&mut legal);
        let found = legal.iter().find(|it| it.key == choice.key);
        let Some(choice) = found.filter(|_| ending.is_none()) else { break };
        moves.push(tree.move_of(choice));
        tree.play(choice);
        n_played += 1;
    }
    for _ in 0..n_played {
        tree.undo();
    }
    moves
}

/// Whether a score is proven.
pub(crate) fn is_proven(score: i32) -> bool {
    score.abs() >= PROVEN
}
