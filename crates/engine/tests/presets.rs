//! The engine plays presets, whose rules run code of their own, as it plays rule files.

use std::{cell::Cell, sync::Arc, time::Duration};

use boardwright_engine::{Engine, EngineSettings, SearchLimits, SearchReport, StopFlag};
use boardwright_play::SplitMix64;
use boardwright_rules::{GameRules, GameState};
use boardwright_test_kit::{preset_rules, preset_rules_at};

/// Every preset of the library that lists its moves.
const PRESETS: [&str; 11] = [
    "alice-chess",
    "capablanca-chess",
    "chess",
    "circular-chess",
    "dice-chess",
    "fischer-random-chess",
    "glinski-hexagonal-chess",
    "raumschach",
    "shogi",
    "ultima",
    "xiangqi",
];

fn settings() -> EngineSettings {
    EngineSettings { memory: 1 << 20, now: || Duration::ZERO, ..EngineSettings::default() }
}

fn engine(rules: &Arc<GameRules>) -> Engine {
    Engine::new(Arc::clone(rules), settings())
}

fn start(rules: &Arc<GameRules>) -> GameState {
    rules.start(1).expect("it begins")
}

fn think(engine: &mut Engine, state: &GameState, limits: &SearchLimits) -> SearchReport {
    engine.think(state, limits, &StopFlag::default(), &mut |_| {})
}

/// A board of chess on which nobody may castle.
fn chess(code: &str) -> Arc<GameRules> {
    preset_rules_at("chess", code, "clearflags; gosub begin 1;")
}

#[test]
fn it_finds_legal_moves_in_every_preset() {
    for name in PRESETS {
        let rules = preset_rules(name);
        assert!(rules.lists_moves(), "{name}");
        let mut engine = engine(&rules);
        let mut state = start(&rules);
        let mut rng = SplitMix64::new(4);
        for ply in 0..3 {
            let report = think(&mut engine, &state, &SearchLimits::nodes(25));
            assert_eq!(engine.n_refused(), 0, "{name}, ply {ply}");
            assert!(report.nodes <= 26, "{name}: {} nodes", report.nodes);
            let best = report.best.expect("the game goes on");
            state.replay(&best).expect("the engine's move is legal");
            let reply = state.legal_moves().ok().and_then(|it| it.drawn(&mut rng));
            let Some(reply) = reply else { break };
            state.replay(&reply).expect("it is legal");
        }
    }
}

#[test]
fn mates_are_found_and_pieces_taken() {
    let rules = chess("7k/8/8/8/8/8/R7/1R5K");
    let mate = think(&mut engine(&rules), &start(&rules), &SearchLimits::nodes(4000));
    assert_eq!(mate.score.wins_in(), Some(3), "{mate:?}");
    let rules = chess("7k/8/8/3q4/8/8/3R4/K7");
    let state = start(&rules);
    let take = think(&mut engine(&rules), &state, &SearchLimits::nodes(300));
    assert_eq!(take.best.map(|it| state.text_of(&it)).as_deref(), Some("R d2-d5"));
}

/// The code asks what a pawn becomes; the engine must see every answer.
#[test]
fn a_pawn_becomes_what_wins() {
    let rules = chess("8/P6k/8/8/8/8/8/K7");
    let state = start(&rules);
    let report = think(&mut engine(&rules), &state, &SearchLimits::nodes(150));
    let text = report.best.map(|it| state.text_of(&it)).unwrap_or_default();
    assert!(text.contains("Q-a8"), "{text}");
}

#[test]
fn pieces_that_move_farther_are_worth_more() {
    let rules = preset_rules("chess");
    let values = engine(&rules).piece_values();
    let of = |name: &str| {
        let kind = rules.ruleset().piece_named(name).expect("a piece of chess");
        values.iter().find(|it| it.0 == kind).and_then(|it| it.1).expect("it was measured")
    };
    assert!(of("Queen") > of("Rook") && of("Rook") > of("Knight"), "{values:?}");
    assert!(of("Knight") > of("Pawn"), "{values:?}");
}

#[test]
fn several_lines_are_told_with_the_best_first() {
    let rules = preset_rules("chess");
    let state = start(&rules);
    let mut engine = engine(&rules);
    engine.set_settings(EngineSettings { lines: 3, ..settings() });
    let report = think(&mut engine, &state, &SearchLimits::nodes(300));
    assert_eq!(report.lines.len(), 3);
    assert!(report.lines.is_sorted_by(|a, b| a.score >= b.score), "{:?}", report.lines);
    for line in &report.lines {
        // Every move of a line can be played after those before it.
        let mut at = state.clone();
        for mv in &line.moves {
            at.replay(mv).expect("it is legal");
        }
        assert_eq!(state.brief_line(&line.moves, 9).len(), line.moves.len());
    }
}

#[test]
fn weak_levels_search_less() {
    let rules = preset_rules("chess");
    let state = start(&rules);
    let mut engine = engine(&rules);
    let mut nodes = |level: u8| {
        engine.new_game();
        engine.set_settings(EngineSettings { level, ..settings() });
        let report = think(&mut engine, &state, &SearchLimits::nodes(500));
        assert!(report.best.is_some());
        report.nodes
    };
    let (weak, strong, best) = (nodes(1), nodes(9), nodes(10));
    assert!(weak < strong && strong <= best, "{weak} {strong} {best}");
}

#[test]
fn a_search_stops_at_the_next_turn_when_it_is_told_to() {
    for name in ["chess", "shogi"] {
        let rules = preset_rules(name);
        let (state, stop) = (start(&rules), StopFlag::default());
        let mut told = None;
        // Without any limit: only the flag can end it.
        let limits = SearchLimits::default();
        let report = engine(&rules).think(&state, &limits, &stop, &mut |info| {
            if info.depth >= 2 && told.is_none() {
                told = Some(info.nodes);
                stop.stop();
            }
        });
        let told = told.expect("there is news");
        assert!(report.nodes <= told + 1, "{name}: told at {told}, ended at {}", report.nodes);
        assert!(report.best.is_some(), "{name}");
    }
}

/// The time of a turn counts: the clock is read at every node.
#[test]
fn a_limit_of_time_is_kept_to_a_turn() {
    thread_local!(static CLOCK: Cell<Duration> = const { Cell::new(Duration::ZERO) });
    let rules = preset_rules("chess");
    // A clock that goes on by a millisecond whenever it is read.
    let now = || {
        CLOCK.set(CLOCK.get() + Duration::from_millis(1));
        CLOCK.get()
    };
    let mut engine = Engine::new(Arc::clone(&rules), EngineSettings { now, ..settings() });
    let limits = SearchLimits::time(Duration::from_millis(100));
    let report = think(&mut engine, &start(&rules), &limits);
    assert!(report.best.is_some());
    assert!(report.nodes < 100, "{} nodes, each at least a millisecond", report.nodes);
}

#[test]
fn the_same_limits_give_the_same_turn() {
    let rules = preset_rules("chess");
    let state = start(&rules);
    let run = || {
        let report = think(&mut engine(&rules), &state, &SearchLimits::nodes(120));
        (report.best, report.score, report.depth, report.nodes, report.lines)
    };
    assert_eq!(run(), run());
}
