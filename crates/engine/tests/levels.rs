//! Levels from 1 to 10.

use std::{sync::Arc, time::Duration};

use boardwright_engine::{Engine, Limits, Report, Settings, Stop};
use boardwright_play::{Rules, State};
use boardwright_test_kit::{root, rule_file, variant};
use cpu_time::ThreadTime;

fn rules(name: &str) -> Arc<Rules> {
    let path = root().join(format!("games/{name}/{name}.zrf"));
    Arc::new(Rules::new(variant(name, &mut rule_file(&path), None)))
}

/// What this thread has used of the processor: how busy the machine is decides nothing here.
fn own_time() -> Duration {
    thread_local!(static BEGAN: ThreadTime = ThreadTime::now());
    BEGAN.with(ThreadTime::elapsed)
}

fn settings(level: u8) -> Settings {
    Settings { level, memory: 4 << 20, now: own_time, ..Settings::default() }
}

fn think(engine: &mut Engine, limits: &Limits) -> Report {
    let state = State::start_of(Arc::clone(engine.rules()));
    engine.think(&state, limits, &Stop::default(), &mut |_| {})
}

/// What a level looks at on the average over some seeds.
fn nodes(engine: &mut Engine, level: u8, limits: &Limits) -> u64 {
    let all = (0..4).map(|seed| {
        engine.forget();
        engine.set(Settings { seed, ..settings(level) });
        think(engine, limits).nodes
    });
    all.sum::<u64>() / 4
}

#[test]
fn with_more_time_good_levels_look_at_more_and_beginners_do_not() {
    // One that searches, and one that plays random games.
    for name in ["chess", "hex"] {
        let mut engine = Engine::new(rules(name), settings(10));
        let mut at = |level: u8, millis: u64| {
            nodes(&mut engine, level, &Limits::time(Duration::from_millis(millis)))
        };
        let (short, long) =
            ([at(1, 30), at(9, 30), at(10, 30)], [at(1, 240), at(9, 240), at(10, 240)]);
        let text = format!("{name}: {short:?} {long:?}");
        assert!(long[0] < short[0] * 2, "{text}");
        assert!(long[1] > short[1] * 2, "{text}");
        for [beginner, expert, best] in [short, long] {
            assert!(beginner < expert, "{text}");
            assert!(expert * 10 < best * 9 && expert > best / 12, "{text}");
        }
    }
}

#[test]
fn so_many_states_give_a_level_the_same_move_whatever_the_clock_says() {
    let rules = rules("los-alamos");
    let of = |now: fn() -> Duration| {
        let mut engine = Engine::new(Arc::clone(&rules), Settings { now, ..settings(6) });
        let report = think(&mut engine, &Limits::nodes(20_000));
        (report.best, report.score, report.nodes)
    };
    let (slow, still) = (of(own_time), of(|| Duration::ZERO));
    assert_eq!(slow, still);
    assert!(slow.2 < 10_000, "{} states", slow.2);
}

/// A hint by the best level used to be in the table when a weaker one moved.
#[test]
fn a_hint_makes_no_weak_level_stronger() {
    for name in ["chess", "hex"] {
        let rules = rules(name);
        let limits = Limits::nodes(4000);
        let mut fresh = Engine::new(Arc::clone(&rules), settings(3));
        let mut used = Engine::new(rules, settings(10));
        think(&mut used, &Limits::nodes(50_000));
        used.set(settings(3));
        let (fresh, used) = (think(&mut fresh, &limits), think(&mut used, &limits));
        let gist = |it: Report| (it.best, it.score, it.depth, it.nodes);
        assert_eq!(gist(fresh), gist(used), "{name}");
    }
}

#[test]
fn a_level_without_any_limit_comes_to_an_end() {
    for name in ["chess", "hex", "peg-solitaire"] {
        let mut engine = Engine::new(rules(name), settings(4));
        let report = think(&mut engine, &Limits::default());
        assert!(report.best.is_some() && report.nodes < 200_000, "{name}: {}", report.nodes);
    }
}
