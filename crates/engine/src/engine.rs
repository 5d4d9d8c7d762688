//! The engine: its settings, what it knows of its rules, and the search for a move.

mod level_limits;
mod methods;
mod multiplayer;

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use boardwright_fast::{Fast, GameTree, TreeMove};
use boardwright_game::{PieceKind, Player};
use boardwright_play::{Ending, SplitMix64};
use boardwright_rules::{GameMove, GameOutcome, GameRules, GameState, LegalMoves};

use rustc_hash::FxHashMap;

use crate::{
    eval::Eval,
    language,
    levels::{self, GameTraits, Oversights},
    limits::{SearchControl, SearchLimits, StopFlag},
    profile::Profile,
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
    rules: Arc<GameRules>,
    fast: Option<Fast>,
    profile: Profile,
    values: Values,
    eval: Eval,
    table: TranspositionTable,
    settings: EngineSettings,
    n_refused: u64,
    /// The solution of a puzzle: by the hash of each state on its path, the move and the number
    /// of moves left.
    plan: FxHashMap<u64, (GameMove, u32)>,
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
    pub fn new(rules: Arc<GameRules>, settings: EngineSettings) -> Engine {
        let profile = language::profile(&rules);
        let fast = language::fast(&rules);
        let values = language::values(&rules, fast.as_ref(), &profile);
        let eval = Eval::new(rules.ruleset(), fast.as_ref(), &profile, &values);
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
    pub fn with_tuning(rules: Arc<GameRules>, settings: EngineSettings, tuning: &Tuning) -> Engine {
        let mut engine = Engine::new(rules, settings);
        if tuning.fingerprint == engine.rules.fingerprint() {
            engine.eval.tune(tuning);
            engine.trained_method = tuning.method;
            engine.trial_method = tuning.trial_method;
            engine.resize_table();
        }
        engine
    }

    /// The rules that it plays.
    pub fn rules(&self) -> &Arc<GameRules> {
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
        let ruleset = self.rules.ruleset();
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
        state: &GameState,
        limits: &SearchLimits,
        stop: &StopFlag,
        on_info: &mut dyn FnMut(&SearchInfo),
    ) -> SearchReport {
        match self.legal_moves(state, stop) {
            Some(legal) => self.think_among(state, &legal, limits, stop, on_info),
            None => self.report_end(state, None),
        }
    }

    /// The same, given the legal moves of the state.
    pub fn think_among(
        &mut self,
        state: &GameState,
        legal: &LegalMoves,
        limits: &SearchLimits,
        stop: &StopFlag,
        on_info: &mut dyn FnMut(&SearchInfo),
    ) -> SearchReport {
        if legal.is_empty() {
            return self.report_end(state, legal.outcome.as_ref());
        }
        let method = self.method_within(limits);
        let began = self.now();
        let limits = self.level_limits(state, limits, method, legal, stop);
        let control = self.control(began, &limits, stop);
        let measuring = control.elapsed();
        self.table.new_generation();
        let bounded = control.bounded(state);
        let mut report = match method {
            Method::Puzzle => self.puzzle_search(&bounded, legal, &control),
            Method::Playouts => self.monte_carlo_search(&bounded, legal, &control, on_info),
            _ => self.alpha_beta_search(&bounded, legal, &control, on_info),
        };
        report.time = control.elapsed();
        report.nodes = control.nodes();
        self.update_speed(method, report.nodes, report.time.saturating_sub(measuring));
        // Two moves with the same notation are the same to the rules.
        let listed = |mv: &GameMove| {
            let same = || {
                let text = state.text_of(mv);
                (0..legal.len()).find(|&it| state.move_text(legal, it).as_ref() == Some(&text))
            };
            legal.get(legal.number_of(mv).or_else(same)?)
        };
        report.best = report.best.as_ref().and_then(listed);
        if report.best.is_none() {
            // Happens only in puzzles without a solution, and where a single turn of code takes
            // longer than the limits; any legal move is better than none.
            self.n_refused += u64::from(method != Method::Puzzle && !control.is_over());
            report.best = legal.get(0);
        }
        report
    }

    /// The legal moves of a state; `None` where the rules exceed their limits.
    pub(crate) fn legal_moves(&self, state: &GameState, stop: &StopFlag) -> Option<LegalMoves> {
        let mut state = state.clone();
        state.stop_by(stop.signal());
        state.legal_moves().ok()
    }

    /// The time by the clock of the settings.
    pub(crate) fn now(&self) -> Duration {
        (self.settings.now)()
    }

    /// The limits of a search that began at a time.
    pub(crate) fn control<'a>(
        &self,
        began: Duration,
        limits: &SearchLimits,
        stop: &'a StopFlag,
    ) -> SearchControl<'a> {
        let control = SearchControl::since(began, limits, stop, self.settings.now);
        control.for_slow_moves(self.profile.runs_code)
    }

    /// The report of a state without moves.
    fn report_end(&self, state: &GameState, outcome: Option<&GameOutcome>) -> SearchReport {
        let mover = state.mover();
        let score = match (outcome, mover) {
            (Some(it), Some(mover)) if it.winners.contains(&mover) => Score(WIN),
            (Some(it), Some(mover)) if it.losers.contains(&mover) => Score(-WIN),
            _ => Score::EVEN,
        };
        let proven = outcome.map(|_| proof(score).unwrap_or(Proof::Draw));
        SearchReport { score, proven, ..SearchReport::default() }
    }

    /// The static evaluation of a state for a player, without a search.
    pub fn static_score(&self, state: &GameState, player: Player) -> Score {
        let tree = state.tree(self.fast.as_ref(), None);
        let signs = self.signs(Some(player));
        let (accumulator, _) = self.eval.refresh(&tree, &signs);
        let sign = signs.get(player.idx()).copied().unwrap_or(0);
        let score = sign * self.eval.score(&tree, &accumulator, &signs);
        Score(score.clamp(1 - PROVEN, PROVEN - 1))
    }

    /// By player: 1 for the first side, -1 for the second, 0 for players of neither. With more
    /// than two movers the first side is the mover, the second all others.
    fn signs(&self, mover: Option<Player>) -> Vec<i32> {
        let ruleset = self.rules.ruleset();
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
            n_sites: self.rules.ruleset().board.n_sites(),
            n_moves,
        }
    }

    /// A searcher at a state with these moves.
    pub(crate) fn searcher<'a>(
        &'a self,
        state: &GameState,
        legal: &LegalMoves,
        control: &'a SearchControl<'a>,
    ) -> Searcher<'a> {
        let tree = state.tree(self.fast.as_ref(), Some(legal));
        let Engine { eval, profile, table, settings, .. } = self;
        let signs = self.signs(state.mover());
        let context = SearchContext { eval, profile, table, control };
        let mut it = Searcher::new(tree, context, signs, settings.seed);
        let traits = self.traits(legal.len());
        it.set_level(levels::noise(settings, traits), settings.level);
        it.oversights = Oversights::new(settings, traits);
        it
    }

    /// Alpha-beta search, with helper threads that share the transposition table.
    fn alpha_beta_search(
        &self,
        state: &GameState,
        legal: &LegalMoves,
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
                let searcher = self.searcher(state, legal, control);
                scope.spawn(move || RootSearch::new(searcher, 1, helper).run(&mut |_| {}));
            }
            let mut root = RootSearch::new(self.searcher(state, legal, control), n_lines, 0);
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

    /// The report of a search that found these lines.
    fn report(&self, state: &GameState, lines: Vec<SearchLine>) -> SearchReport {
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
pub(crate) fn moves_of(tree: &mut GameTree<'_>, line: &[TreeMove]) -> Vec<GameMove> {
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
