//! Time, stop and threads.
//!
//! Time is the CPU time of the thread, so that load on the machine does not matter.

use std::{sync::Arc, time::Duration};

use boardwright_engine::{Engine, EngineSettings, Method, Proof, SearchLimits, StopFlag};
use boardwright_play::{Rules, SplitMix64, State};
use boardwright_test_kit::{playable_files, random_walk, root, rule_file, variant};
use cpu_time::ThreadTime;

fn rules(path: &str, title: Option<&str>) -> Arc<Rules> {
    let mut file = rule_file(&root().join(path));
    Arc::new(Rules::new(variant(path, &mut file, title)))
}

/// The CPU time of this thread since some moment.
fn own_time() -> Duration {
    thread_local!(static BEGAN: ThreadTime = ThreadTime::now());
    BEGAN.with(ThreadTime::elapsed)
}

fn engine(rules: &Arc<Rules>, settings: EngineSettings) -> Engine {
    let settings = EngineSettings { memory: 4 << 20, now: own_time, ..settings };
    Engine::new(Arc::new(Arc::clone(rules).into()), settings)
}

/// The latest time at which a search may end.
fn late(limit: Duration) -> Duration {
    limit.mul_f64(1.05) + Duration::from_millis(50)
}

#[test]
fn time_is_kept_in_every_game() {
    let limit = Duration::from_millis(40);
    let mut n_games = 0;
    for path in playable_files() {
        let name = path.display().to_string();
        let rules = Arc::new(Rules::new(variant(&name, &mut rule_file(&path), None)));
        let mut state = State::start_of(Arc::clone(&rules));
        let mut engine = engine(&rules, EngineSettings::default());
        // A level that measures its speed first, and the best level.
        for (ply, level) in [(0, 9), (1, 10)] {
            engine.set_settings(EngineSettings { level, ..engine.settings().clone() });
            let before = own_time();
            let report = engine.think(
                &state.clone().into(),
                &SearchLimits::time(limit),
                &StopFlag::default(),
                &mut |_| {},
            );
            let took = own_time() - before;
            assert!(took <= late(limit), "{name}, ply {ply}: {took:?}");
            assert!(report.time <= took, "{name}: {:?} of {took:?}", report.time);
            random_walk(&mut state, 6, &mut SplitMix64::new(9));
            n_games += u32::from(ply == 0);
        }
    }
    assert!(n_games >= 60, "{n_games} games");
}

#[test]
fn a_search_stops_at_once_when_it_is_told_to() {
    for path in [
        "games/chess/chess.zrf",
        "games/shogi/shogi.zrf",
        "games/hex/hex.zrf",
        "games/go/go.zrf",
        "games/mancala/mancala.zrf",
        "games/chinese-checkers/chinese-checkers.zrf",
    ] {
        let rules = rules(path, None);
        let state = State::start_of(Arc::clone(&rules));
        let mut engine = engine(&rules, EngineSettings::default());
        let stop = StopFlag::default();
        let mut told = None;
        let mut n_news = 0;
        // Without any limit: only the flag can end it.
        let report =
            engine.think(&state.clone().into(), &SearchLimits::default(), &stop, &mut |_| {
                n_news += 1;
                if n_news == 3 {
                    stop.stop();
                    told = Some(own_time());
                }
            });
        let took = own_time() - told.expect("there is news");
        assert!(took < Duration::from_millis(50), "{path}: {took:?}");
        assert!(report.best.is_some(), "{path}");
    }
}

#[test]
fn a_search_that_is_stopped_before_it_begins_still_gives_a_move() {
    for path in ["games/chess/chess.zrf", "games/hex/hex.zrf"] {
        let rules = rules(path, None);
        let state = State::start_of(Arc::clone(&rules));
        let stop = StopFlag::default();
        stop.stop();
        let mut engine = engine(&rules, EngineSettings::default());
        let report =
            engine.think(&state.clone().into(), &SearchLimits::default(), &stop, &mut |_| {});
        assert!(report.best.is_some(), "{path}");
    }
}

#[test]
fn a_clock_is_never_used_up() {
    let rules = rules("games/chess/chess.zrf", None);
    let state = State::start_of(Arc::clone(&rules));
    for level in [10, 9] {
        let mut engine = engine(&rules, EngineSettings { level, ..EngineSettings::default() });
        // An increment that comes after the move must not be spent before it.
        for (left, moves_to_go, increment) in
            [(400, None, 0), (400, Some(1), 0), (60, None, 0), (1, Some(40), 0), (5, None, 9000)]
        {
            engine.new_game();
            let left = Duration::from_millis(left);
            let increment = Duration::from_millis(increment);
            let clock = boardwright_engine::SearchClock { left, increment, moves_to_go };
            let limits = SearchLimits { clock: Some(clock), ..SearchLimits::default() };
            let before = own_time();
            engine.think(&state.clone().into(), &limits, &StopFlag::default(), &mut |_| {});
            let took = own_time() - before;
            assert!(took <= left + Duration::from_millis(10), "{level}, {left:?}: {took:?}");
        }
    }
}

/// Threads share the transposition table: what they prove must be true.
#[test]
fn threads_find_what_one_finds() {
    let four = rules("games/connect-four/connect-four.zrf", Some("Connect Four 5x4"));
    let state = State::start_of(Arc::clone(&four));
    let settings = EngineSettings { threads: 3, ..EngineSettings::default() };
    let mut by_three = Engine::new(Arc::new(Arc::clone(&four).into()), settings.clone());
    let (mut n_searches, mut n_proven) = (0, 0);
    for seed in 0..6 {
        let mut state = state.clone();
        random_walk(&mut state, 8, &mut SplitMix64::new(seed));
        if state.outcome().expect("the rules never halt").is_some() {
            continue;
        }
        let mut alone = Engine::new(Arc::new(Arc::clone(&four).into()), EngineSettings::default());
        let limits = SearchLimits::nodes(3_000_000);
        let truth = alone.solve(&state.clone().into(), &limits, &StopFlag::default(), &mut |_| {});
        let truth = truth.proven.expect("it is small");
        for method in [Method::Search, Method::Playouts] {
            by_three.set_settings(EngineSettings { method, ..settings.clone() });
            by_three.new_game();
            let limits = SearchLimits::nodes(200_000);
            let found =
                by_three.think(&state.clone().into(), &limits, &StopFlag::default(), &mut |_| {});
            assert_eq!(by_three.n_refused(), 0);
            n_searches += 1;
            let Some(proven) = found.proven else { continue };
            n_proven += 1;
            let is_same = matches!(
                (proven, truth),
                (Proof::Win(_), Proof::Win(_))
                    | (Proof::Loss(_), Proof::Loss(_))
                    | (Proof::Draw, Proof::Draw)
            );
            assert!(is_same, "seed {seed}, {method:?}: {proven:?}, in truth {truth:?}");
        }
    }
    // Draws are not proven by the alpha-beta search, but wins, losses and most playouts are.
    assert!(n_proven * 2 >= n_searches, "{n_proven} of {n_searches} searches proved something");
}

#[test]
fn threads_play_legal_moves_and_count_their_nodes() {
    for path in [
        "games/chess/chess.zrf",
        "games/hex/hex.zrf",
        "games/royal-ur/royal-ur.zrf",
        "games/mancala/mancala.zrf",
        "games/four-handed-chess/four-handed-chess.zrf",
    ] {
        let rules = rules(path, None);
        let settings = EngineSettings { threads: 4, memory: 4 << 20, ..EngineSettings::default() };
        let mut engine = Engine::new(Arc::new(Arc::clone(&rules).into()), settings);
        let mut state = State::start_of(Arc::clone(&rules));
        let mut rng = SplitMix64::new(3);
        for _ in 0..6 {
            while state.is_chance() {
                random_walk(&mut state, 1, &mut rng);
            }
            let limits = SearchLimits::nodes(4_000);
            let report =
                engine.think(&state.clone().into(), &limits, &StopFlag::default(), &mut |_| {});
            let Some(best) = report.best else { break };
            // Each thread may exceed the limit by one clock interval.
            assert!(report.nodes >= 200 && report.nodes <= 8_000, "{path}: {}", report.nodes);
            state.play(best.as_compiled().expect("compiled rules")).expect("it is legal");
        }
        assert_eq!(engine.n_refused(), 0, "{path}");
    }
}
