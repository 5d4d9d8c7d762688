//! Time, stop and threads.
//!
//! Time is measured by the clock of the thread, which stands while others have the
//! processor: how busy the machine is decides nothing here.

use std::{sync::Arc, time::Duration};

use boardwright_engine::{Engine, Limits, Method, Proof, Settings, Stop};
use boardwright_play::{Rules, SplitMix64, State};
use boardwright_test_kit::{playable_files, random_walk, root, rule_file, variant};
use cpu_time::ThreadTime;

fn rules(path: &str, title: Option<&str>) -> Arc<Rules> {
    let mut file = rule_file(&root().join(path));
    Arc::new(Rules::new(variant(path, &mut file, title)))
}

/// What this thread has used of the processor, since some moment.
fn own_time() -> Duration {
    thread_local!(static BEGAN: ThreadTime = ThreadTime::now());
    BEGAN.with(ThreadTime::elapsed)
}

fn engine(rules: &Arc<Rules>, settings: Settings) -> Engine {
    let settings = Settings { memory: 4 << 20, now: own_time, ..settings };
    Engine::new(Arc::clone(rules), settings)
}

/// The most that a search may be late by.
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
        let mut engine = engine(&rules, Settings::default());
        // One that first finds out how fast it is, and the best.
        for (ply, level) in [(0, 9), (1, 10)] {
            engine.set(Settings { level, ..engine.settings().clone() });
            let before = own_time();
            let report = engine.think(&state, &Limits::time(limit), &Stop::default(), &mut |_| {});
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
        let mut engine = engine(&rules, Settings::default());
        let stop = Stop::default();
        let mut told = None;
        let mut n_news = 0;
        // Without any limit: only the stop can end it.
        let report = engine.think(&state, &Limits::default(), &stop, &mut |_| {
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
        let stop = Stop::default();
        stop.stop();
        let mut engine = engine(&rules, Settings::default());
        let report = engine.think(&state, &Limits::default(), &stop, &mut |_| {});
        assert!(report.best.is_some(), "{path}");
    }
}

#[test]
fn a_clock_is_never_used_up() {
    let rules = rules("games/chess/chess.zrf", None);
    let state = State::start_of(Arc::clone(&rules));
    for level in [10, 9] {
        let mut engine = engine(&rules, Settings { level, ..Settings::default() });
        // With much to come after a move there is no more time before it.
        for (left, moves_to_go, increment) in
            [(400, None, 0), (400, Some(1), 0), (60, None, 0), (1, Some(40), 0), (5, None, 9000)]
        {
            engine.forget();
            let left = Duration::from_millis(left);
            let increment = Duration::from_millis(increment);
            let clock = boardwright_engine::Clock { left, increment, moves_to_go };
            let limits = Limits { clock: Some(clock), ..Limits::default() };
            let before = own_time();
            engine.think(&state, &limits, &Stop::default(), &mut |_| {});
            let took = own_time() - before;
            assert!(took <= left + Duration::from_millis(10), "{level}, {left:?}: {took:?}");
        }
    }
}

/// Several threads share what they find: what is certain must be true, and moves legal.
#[test]
fn threads_find_what_one_finds() {
    let four = rules("games/connect-four/connect-four.zrf", Some("Connect Four 5x4"));
    let state = State::start_of(Arc::clone(&four));
    let settings = Settings { threads: 3, ..Settings::default() };
    let mut by_three = Engine::new(Arc::clone(&four), settings.clone());
    for seed in 0..4 {
        let mut state = state.clone();
        random_walk(&mut state, 8, &mut SplitMix64::new(seed));
        if state.outcome().expect("the rules never halt").is_some() {
            continue;
        }
        let mut alone = Engine::new(Arc::clone(&four), Settings::default());
        let truth = alone.solve(&state, &Limits::nodes(3_000_000), &Stop::default(), &mut |_| {});
        let truth = truth.proven.expect("it is small");
        for method in [Method::Search, Method::Playouts] {
            by_three.set(Settings { method, ..settings.clone() });
            by_three.forget();
            let limits = Limits::nodes(200_000);
            let found = by_three.think(&state, &limits, &Stop::default(), &mut |_| {});
            let is_same = matches!(
                (found.proven, truth),
                (None, _)
                    | (Some(Proof::Win(_)), Proof::Win(_))
                    | (Some(Proof::Loss(_)), Proof::Loss(_))
                    | (Some(Proof::Draw), Proof::Draw)
            );
            assert!(is_same, "seed {seed}, {method:?}: {:?}, in truth {truth:?}", found.proven);
            assert_eq!(by_three.n_refused(), 0);
        }
    }
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
        let settings = Settings { threads: 4, memory: 4 << 20, ..Settings::default() };
        let mut engine = Engine::new(Arc::clone(&rules), settings);
        let mut state = State::start_of(Arc::clone(&rules));
        let mut rng = SplitMix64::new(3);
        for _ in 0..6 {
            while state.is_chance() {
                random_walk(&mut state, 1, &mut rng);
            }
            let limits = Limits::nodes(4_000);
            let report = engine.think(&state, &limits, &Stop::default(), &mut |_| {});
            let Some(best) = report.best else { break };
            // Each thread may be in the middle of its last few hundred.
            assert!(report.nodes >= 200 && report.nodes <= 8_000, "{path}: {}", report.nodes);
            state.play(&best).expect("it is legal");
        }
        assert_eq!(engine.n_refused(), 0, "{path}");
    }
}
