//! The engine itself: settings, what it knows of its rules, and thinking.

mod crowd;
mod weaken;

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
    keep::Kept,
    levels::{self, Blindness, Scene},
    limits::{Control, Limits, Stop},
    playouts::{Manner, Playouts},
    profile::Profile,
    puzzle::Puzzle,
    report::{Info, Line, Proof, Report},
    root::Root,
    score::{PROVEN, Score, WIN},
    search::Searcher,
    table::Table,
    tuned::Tuned,
    values::Values,
};

/// How an engine thinks.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Bytes for what it remembers of a search.
    pub memory: usize,
    /// Threads; with more than one a result cannot be had again.
    pub threads: usize,
    /// Where randomness begins: variety, weak levels, random games.
    pub seed: u64,
    /// From 1, a beginner, to 10, as strong as it can.
    pub level: u8,
    /// From 0, always the best move, to 10, any good one.
    pub variety: u8,
    /// How many best lines to report.
    pub lines: usize,
    /// How to look for a move; usually best left to the engine.
    pub method: Method,
    /// What time it is since some moment; replaced where there is no system clock.
    pub now: fn() -> Duration,
}

/// How an engine looks for moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Method {
    /// As the rules suggest.
    #[default]
    Auto,
    /// Looks ahead, and scores what it sees by the rules.
    Search,
    /// Plays random games, more of them where they go well.
    Playouts,
    /// Looks for a way to the goal of a game for one.
    Puzzle,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
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
    table: Table,
    settings: Settings,
    n_refused: u64,
    /// The solution of a puzzle, by the hash of each state on the way.
    plan: FxHashMap<u64, (Move, u32)>,
    /// The tree of the last search by playouts.
    kept: Option<Kept>,
    /// The method that training found better, if it did.
    suited: Option<Method>,
    /// The method that a trial found better, if there was one.
    tried: Option<Method>,
    /// States or random games a second, by a method with so many threads.
    rate: Option<((Method, usize), u64)>,
}

impl Engine {
    /// Gets to know a ruleset; takes well under a second for most.
    pub fn new(rules: Arc<Rules>, settings: Settings) -> Engine {
        let profile = Profile::new(&rules.ruleset);
        let fast = Fast::new(&rules).ok();
        let values = Values::new(&rules, fast.as_ref(), &profile, 0x00B0_A2D5);
        let eval = Eval::new(&rules.ruleset, fast.as_ref(), &profile, &values);
        let mut engine = Engine {
            fast,
            table: Table::new(0),
            profile,
            values,
            eval,
            rules,
            settings,
            n_refused: 0,
            plan: FxHashMap::default(),
            kept: None,
            suited: None,
            tried: None,
            rate: None,
        };
        engine.fit_table();
        engine
    }

    /// Gives the table the room that the settings allow, where one is used.
    fn fit_table(&mut self) {
        let uses_it = self.method() == Method::Search || self.tried == Some(Method::Search);
        let wanted = if uses_it { self.settings.memory } else { 0 };
        if !self.table.is_of(wanted) {
            self.table = Table::new(wanted);
        }
    }

    /// Gives the table room for a proof, whatever the method.
    pub(crate) fn fit_table_for_proof(&mut self) {
        if !self.table.is_of(self.settings.memory) {
            self.table = Table::new(self.settings.memory);
        }
    }

    /// The same with what a [`Trainer`](crate::Trainer) found out about these rules; of what
    /// was found out about other rules nothing is used.
    pub fn with_tuned(rules: Arc<Rules>, settings: Settings, tuned: &Tuned) -> Engine {
        let mut engine = Engine::new(rules, settings);
        if tuned.fingerprint == engine.rules.ruleset.fingerprint() {
            engine.eval.tune(tuned);
            engine.suited = tuned.method;
            engine.tried = tuned.tried;
            engine.fit_table();
        }
        engine
    }

    /// The rules it plays by.
    pub fn rules(&self) -> &Arc<Rules> {
        &self.rules
    }

    /// The players who choose moves.
    pub(crate) fn movers(&self) -> &[Player] {
        &self.profile.movers
    }

    /// What a state seems worth to a player, and how early it is.
    pub(crate) fn appraise(&self, tree: &GameTree<'_>, player: Player) -> (f32, f32) {
        let signs = self.signs(Some(player));
        let (account, _) = self.eval.open(tree, &signs);
        let sign = signs.get(player.idx()).copied().unwrap_or(0);
        let score = sign * self.eval.score(tree, &account, &signs);
        (score as f32, self.eval.earliness(&account))
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Changes the settings; what is remembered stays unless the memory changes.
    pub fn set(&mut self, settings: Settings) {
        if (settings.memory, settings.level) != (self.settings.memory, self.settings.level) {
            // What a weaker player overlooked is not in the tree.
            self.kept = None;
        }
        self.settings = settings;
        self.fit_table();
    }

    /// Whether it knows what came of a [`Trial`](crate::Trial).
    pub fn is_tried(&self) -> bool {
        self.tried.is_some()
    }

    /// Tells it what came of a [`Trial`](crate::Trial).
    pub fn suit(&mut self, method: Method) {
        self.tried = Some(method);
        self.fit_table();
    }

    /// Forgets what earlier searches found, for a new game.
    pub fn forget(&mut self) {
        self.table.clear();
        self.plan.clear();
        self.kept = None;
        self.rate = None;
    }

    /// How many moves were found at the end that the rules refuse: always 0, or there is a bug.
    pub fn n_refused(&self) -> u64 {
        self.n_refused
    }

    /// What each kind of piece is worth, in the original's units: a thousand for the
    /// cheapest. `None` for pieces whose loss ends the game.
    pub fn piece_values(&self) -> Vec<(PieceKind, Option<i32>)> {
        let kinds = (0..self.values.n_kinds as u16).map(PieceKind);
        let is_royal = |it: PieceKind| self.profile.royal.iter().any(|all| all.contains(&it));
        kinds.map(|it| (it, (!is_royal(it)).then(|| self.values.kinds[it.idx()] * 10))).collect()
    }

    /// What is known of the rules, in a few lines, for those who work on the engine.
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
                    let [middle, end] = self.eval.square(player, kind, site);
                    let _ = write!(text, "{} {middle}/{end}  ", ruleset.board.site_name(site));
                }
                text.push('\n');
            }
        }
        text
    }

    /// Thinks about a state, its history included, and says what it would play.
    ///
    /// `news` is told what is found on the way. Ends when a limit is reached, when
    /// `stop` says so, or when nothing more can be found out.
    pub fn think(
        &mut self,
        state: &State,
        limits: &Limits,
        stop: &Stop,
        news: &mut dyn FnMut(&Info),
    ) -> Report {
        let mut list = MoveList::new();
        if state.clone().generate(&mut list).is_err() || list.is_empty() {
            return self.report_end(state);
        }
        let method = self.method_within(limits);
        let began = (self.settings.now)();
        let limits = self.weakened(state, limits, method, list.len(), stop);
        let control = Control::since(began, &limits, stop, self.settings.now);
        let looked = control.elapsed();
        self.table.age();
        let mut report = match method {
            Method::Puzzle => self.puzzle_out(state, &control),
            Method::Playouts => self.play_out(state, list.len(), &control, news),
            _ => self.search(state, list.len(), &control, news),
        };
        report.time = control.elapsed();
        report.nodes = control.nodes();
        self.learn_rate(method, report.nodes, report.time.saturating_sub(looked));
        // The same move may come about in two ways; what counts is how it is written.
        let legal = |mv: &Move| {
            let text = || state.move_text(mv);
            let same = list.iter().find(|&it| it == mv);
            same.or_else(|| list.iter().find(|it| state.move_text(it) == text())).cloned()
        };
        report.best = report.best.as_ref().and_then(legal);
        if report.best.is_none() {
            // Should never be but in a hopeless puzzle; a legal move is better than none.
            self.n_refused += u64::from(method != Method::Puzzle);
            report.best = list.get(0).cloned();
        }
        report
    }

    fn report_end(&self, state: &State) -> Report {
        let outcome = state.outcome().ok().flatten();
        let mover = state.mover();
        let score = match (outcome, mover) {
            (Some(it), Some(mover)) if it.is_won_by(mover) => Score(WIN),
            (Some(it), Some(mover)) if it.is_lost_by(mover) => Score(-WIN),
            _ => Score::EVEN,
        };
        let proven = outcome.map(|_| proof(score).unwrap_or(Proof::Draw));
        Report { score, proven, ..Report::default() }
    }

    /// What a state seems worth to a player at a glance: nothing is looked ahead.
    pub fn glance(&self, state: &State, player: Player) -> Score {
        let tree = GameTree::new(self.fast.as_ref(), state);
        let signs = self.signs(Some(player));
        let (account, _) = self.eval.open(&tree, &signs);
        let sign = signs.get(player.idx()).copied().unwrap_or(0);
        let score = sign * self.eval.score(&tree, &account, &signs);
        Score(score.clamp(1 - PROVEN, PROVEN - 1))
    }

    /// By player: 1 for who thinks, -1 for the others, 0 for nobody's pieces.
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

    fn scene(&self, n_moves: usize) -> Scene {
        Scene {
            has_moves: self.profile.has_moves,
            has_rows: self.eval.has_rows(),
            n_sites: self.rules.ruleset.board.n_sites(),
            n_moves,
        }
    }

    /// A searcher at a state with so many moves.
    pub(crate) fn searcher<'a>(
        &'a self,
        state: &State,
        n_moves: usize,
        control: &'a Control<'a>,
    ) -> Searcher<'a> {
        let tree = GameTree::new(self.fast.as_ref(), state);
        let Engine { eval, profile, table, settings, .. } = self;
        let signs = self.signs(state.mover());
        let mut it = Searcher::new(tree, eval, profile, table, control, signs, settings.seed);
        let scene = self.scene(n_moves);
        it.weaken(levels::noise(settings, scene), settings.level);
        it.blindness = Blindness::new(settings, scene);
        it
    }

    fn search(
        &self,
        state: &State,
        n_moves: usize,
        control: &Control<'_>,
        news: &mut dyn FnMut(&Info),
    ) -> Report {
        let n_lines = self.settings.lines.max(levels::lines(&self.settings));
        let handicap = self.handicap(state);
        let among_all = |line: &mut Line| {
            if self.profile.movers.len() > 2 {
                line.score = crowd::among_all(line.score, handicap);
            }
        };
        std::thread::scope(|scope| {
            for helper in 1..self.settings.threads.clamp(1, 64) {
                let searcher = self.searcher(state, n_moves, control);
                scope.spawn(move || Root::new(searcher, 1, helper).run(&mut |_| {}));
            }
            let mut root = Root::new(self.searcher(state, n_moves, control), n_lines, 0);
            root.run(&mut |it| {
                let mut info = it.clone();
                info.line.iter_mut().for_each(among_all);
                news(&info);
            });
            control.end();
            let mut lines = root.lines();
            lines.iter_mut().for_each(among_all);
            self.report(state, lines)
        })
    }

    /// The method for a search with these limits.
    ///
    /// What a trial found holds where time alone is the limit: what was found on one machine
    /// must not change what so many states give on another, nor how strong a level is.
    fn method_within(&self, limits: &Limits) -> Method {
        match self.tried {
            Some(it) if self.heeds_trials(limits) => it,
            _ => self.method(),
        }
    }

    /// Whether what a [`Trial`](crate::Trial) finds matters to a search with these limits.
    pub fn heeds_trials(&self, limits: &Limits) -> bool {
        let is_counted = limits.nodes.is_some() || limits.depth.is_some();
        let is_free = self.settings.method == Method::Auto && self.suited.is_none();
        is_free && !is_counted && self.settings.level >= 10
    }

    /// Whether a [`Trial`](crate::Trial) would tell it something for a search with these limits.
    pub fn wants_trial(&self, limits: &Limits) -> bool {
        self.tried.is_none() && self.profile.is_doubtful() && self.heeds_trials(limits)
    }

    /// The method that is used, trials aside.
    pub fn method(&self) -> Method {
        match self.settings.method {
            Method::Auto => self.suited.unwrap_or_else(|| self.profile.method()),
            given => given,
        }
    }

    fn puzzle_out(&mut self, state: &State, control: &Control<'_>) -> Report {
        let me = self.profile.movers.first().copied().unwrap_or(Player(0));
        if let Some((mv, left)) = self.plan.get(&state.hash()) {
            let score = Score(WIN - *left as i32);
            let line = Line { moves: vec![mv.clone()], score, depth: *left };
            return self.report(state, vec![line]);
        }
        let tree = GameTree::new(self.fast.as_ref(), state);
        let ruleset = &self.rules.ruleset;
        let memory = self.settings.memory;
        let mut puzzle = Puzzle::new(tree, control, ruleset, &self.values, me, memory);
        let (found, is_whole) = puzzle.solve();
        let way = found.clone().unwrap_or_else(|| puzzle.nearest().to_vec());
        let moves = moves_of(&mut puzzle.into_tree(), &way);
        let n_moves = moves.len() as u32;
        let score = match &found {
            Some(_) => Score(WIN - n_moves as i32),
            None if is_whole => Score(n_moves as i32 + 1 - WIN),
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
            // Nothing leads anywhere: any legal move will do.
            return Report { best: None, score, ..Report::default() };
        }
        self.report(state, vec![Line { depth: n_moves, moves, score }])
    }

    fn play_out(
        &mut self,
        state: &State,
        n_moves: usize,
        control: &Control<'_>,
        news: &mut dyn FnMut(&Info),
    ) -> Report {
        let kept = self.kept.take().and_then(|it| it.towards(self.fast.as_ref(), state));
        let n_threads = self.settings.threads.clamp(1, 64);
        let n_sites = self.rules.ruleset.board.n_sites() as u32;
        let manner = Manner {
            seed: self.settings.seed ^ state.hash(),
            // A kept tree and the one that grows from it are there at the same time.
            memory: self.settings.memory / n_threads / 2,
            max_plies: (n_sites * 3).clamp(60, 1200),
            is_duel: self.profile.movers.len() == 2 && !self.profile.has_chance,
            n_players: self.profile.movers.len() as u32,
            blindness: Blindness::new(&self.settings, self.scene(n_moves)),
        };
        let signs = self.signs(state.mover());
        let make = |helper: usize, kept| {
            let tree = GameTree::new(self.fast.as_ref(), state);
            let seed = manner.seed.wrapping_add(helper as u64 * 0x9E37_79B9);
            let manner = Manner { seed, ..manner };
            Playouts::new(tree, control, &self.eval, signs.clone(), manner, kept)
        };
        let mut search = make(0, kept);
        std::thread::scope(|scope| {
            let start = |helper| {
                let mut search = make(helper, None);
                scope.spawn(move || {
                    search.run(&mut |_| {});
                    search.gist()
                })
            };
            let helpers: Vec<_> = (1..n_threads).map(start).collect();
            search.run(news);
            control.end();
            for it in helpers {
                if let Ok(gist) = it.join() {
                    search.join(&gist);
                }
            }
        });
        let n_lines = self.settings.lines.max(levels::lines(&self.settings));
        let lines = search.lines(n_lines);
        let is_drawn = search.is_drawn();
        let kept = search.keep(state);
        let mut report = self.report(state, lines);
        if is_drawn {
            report.proven = Some(Proof::Draw);
        }
        self.kept = kept;
        report
    }

    fn report(&self, state: &State, lines: Vec<Line>) -> Report {
        let mut rng = SplitMix64::new(self.settings.seed ^ state.hash());
        let chosen = levels::choose(&lines, &self.settings, &mut rng);
        let score = lines.first().map_or(Score::EVEN, |it| it.score);
        Report {
            best: lines.get(chosen).and_then(|it| it.moves.first()).cloned(),
            score,
            depth: lines.first().map_or(0, |it| it.depth),
            // Who overlooks moves proves nothing.
            proven: proof(score).filter(|_| !levels::is_blind(&self.settings)),
            lines: lines.into_iter().take(self.settings.lines.max(1)).collect(),
            ..Report::default()
        }
    }
}

/// What a score proves.
pub(crate) fn proof(score: Score) -> Option<Proof> {
    score.wins_in().map(Proof::Win).or(score.loses_in().map(Proof::Loss))
}

/// The moves of a line, as the rules write them; stops where the line does not fit.
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

/// Whether a score is certain.
pub(crate) fn is_certain(score: i32) -> bool {
    score.abs() >= PROVEN
}
