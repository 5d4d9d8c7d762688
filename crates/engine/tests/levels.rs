//! Levels from 1 to 10.

use std::{sync::Arc, time::Duration};

use boardwright_engine::{Engine, EngineSettings, SearchLimits, SearchReport, StopFlag};
use boardwright_play::Rules;
use boardwright_rules::GameRules;
use boardwright_test_kit::{root, rule_file, variant};
use cpu_time::ThreadTime;

fn rules(name: &str) -> Arc<GameRules> {
    let path = root().join(format!("games/{name}/{name}.zrf"));
    let rules = Arc::new(Rules::new(variant(name, &mut rule_file(&path), None)));
    Arc::new(GameRules::from(rules))
}

/// The CPU time of this thread, so that load on the machine does not matter.
fn own_time() -> Duration {
    thread_local!(static BEGAN: ThreadTime = ThreadTime::now());
    BEGAN.with(ThreadTime::elapsed)
}

fn settings(level: u8) -> EngineSettings {
    EngineSettings { level, memory: 4 << 20, now: own_time, ..EngineSettings::default() }
}

fn think(engine: &mut Engine, limits: &SearchLimits) -> SearchReport {
    let state = engine.rules().start(0).expect("it begins");
    engine.think(&state, limits, &StopFlag::default(), &mut |_| {})
}

/// The mean number of nodes of a level over some seeds.
fn nodes(engine: &mut Engine, level: u8, limits: &SearchLimits) -> u64 {
    let all = (0..4).map(|seed| {
        engine.new_game();
        engine.set_settings(EngineSettings { seed, ..settings(level) });
        think(engine, limits).nodes
    });
    all.sum::<u64>() / 4
}

#[test]
fn with_more_time_good_levels_search_more_and_beginners_do_not() {
    // One game for each method.
    for name in ["chess", "hex"] {
        let mut engine = Engine::new(rules(name), settings(10));
        let mut at = |level: u8, millis: u64| {
            nodes(&mut engine, level, &SearchLimits::time(Duration::from_millis(millis)))
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
fn a_node_limit_gives_a_level_the_same_move_whatever_the_clock_says() {
    let rules = rules("los-alamos");
    let of = |now: fn() -> Duration| {
        let mut engine = Engine::new(Arc::clone(&rules), EngineSettings { now, ..settings(6) });
        let report = think(&mut engine, &SearchLimits::nodes(20_000));
        (report.best, report.score, report.nodes)
    };
    let (slow, still) = (of(own_time), of(|| Duration::ZERO));
    assert_eq!(slow, still);
    assert!(slow.2 < 10_000, "{} states", slow.2);
}

/// Table entries of the best level must not be used by a weaker one.
#[test]
fn a_hint_makes_no_weak_level_stronger() {
    for name in ["chess", "hex"] {
        let rules = rules(name);
        let limits = SearchLimits::nodes(4000);
        let mut fresh = Engine::new(Arc::clone(&rules), settings(3));
        let mut used = Engine::new(rules, settings(10));
        think(&mut used, &SearchLimits::nodes(50_000));
        used.set_settings(settings(3));
        let (fresh, used) = (think(&mut fresh, &limits), think(&mut used, &limits));
        let gist = |it: SearchReport| (it.best, it.score, it.depth, it.nodes);
        assert_eq!(gist(fresh), gist(used), "{name}");
    }
}

#[test]
fn a_level_without_any_limit_ends() {
    for name in ["chess", "hex", "peg-solitaire"] {
        let mut engine = Engine::new(rules(name), settings(4));
        let report = think(&mut engine, &SearchLimits::default());
        assert!(report.best.is_some() && report.nodes < 200_000, "{name}: {}", report.nodes);
    }
}
