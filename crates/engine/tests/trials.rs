//! Trials of the two search methods, and what is kept of them.

use std::{cell::RefCell, collections::HashMap, sync::Arc, time::Duration};

use boardwright_engine::{
    Engine, EngineSettings, Method, MethodTrial, SearchLimits, StopFlag, Tuning, TuningStore,
};
use boardwright_play::Rules;
use boardwright_rules::GameRules;
use boardwright_test_kit::{root, rule_file, variant};
use boardwright_zrf::NoFiles;

fn library(name: &str) -> Arc<GameRules> {
    let path = root().join(format!("games/{name}/{name}.zrf"));
    let rules = Arc::new(Rules::new(variant(name, &mut rule_file(&path), None)));
    Arc::new(GameRules::from(rules))
}

/// A player without a move loses, as in a game of blocking; but here the way to win is to
/// capture everything.
fn kings() -> Arc<GameRules> {
    let step = |it: &str| format!("({it} (verify not-friend?) add)");
    let moves: String = ["n", "s", "e", "w", "ne", "nw", "se", "sw"].map(step).concat();
    let text = format!(
        "(game (title \"Kings\") (players White Black) (turn-order White Black)
            (board (grid (start-rectangle 0 0 9 9)
                (dimensions (\"a/b/c/d/e/f\" (10 0)) (\"6/5/4/3/2/1\" (0 10)))
                (directions (n 0 -1) (s 0 1) (e 1 0) (w -1 0)
                    (ne 1 -1) (nw -1 -1) (se 1 1) (sw -1 1))))
            (board-setup (White (King a1 b1 c1 d1 e1 f1)) (Black (King a6 b6 c6 d6 e6 f6)))
            (piece (name King) (moves {moves}))
            (loss-condition (White Black) stalemated))"
    );
    let limits = boardwright_zrf::CompileLimits::default();
    let mut file = boardwright_zrf::load("kings.zrf", text.as_bytes(), &mut NoFiles, &limits);
    let rules = Arc::new(Rules::new(file.compile(0).expect("the rules are sound")));
    Arc::new(GameRules::from(rules))
}

/// Tunings in memory; `is_full` refuses to keep any.
#[derive(Default)]
struct MemoryStore {
    texts: RefCell<HashMap<u64, String>>,
    is_full: bool,
}

impl TuningStore for MemoryStore {
    type Error = &'static str;

    fn load_text(&self, fingerprint: u64) -> Option<String> {
        self.texts.borrow().get(&fingerprint).cloned()
    }

    fn save_text(&self, fingerprint: u64, text: &str) -> Result<(), &'static str> {
        if self.is_full {
            return Err("the store is full");
        }
        self.texts.borrow_mut().insert(fingerprint, text.to_owned());
        Ok(())
    }
}

fn engine(rules: &Arc<GameRules>) -> Engine {
    Engine::new(Arc::clone(rules), EngineSettings { memory: 1 << 20, ..EngineSettings::default() })
}

#[test]
fn there_is_no_trial_where_the_rules_settle_the_method() {
    for name in ["chess", "hex", "royal-ur", "peg-solitaire", "four-handed-chess", "dobutsu"] {
        assert!(MethodTrial::new(&library(name)).is_none(), "{name}");
    }
    for name in ["reversi", "english-draughts", "konane", "amazons"] {
        assert!(MethodTrial::new(&library(name)).is_some(), "{name}");
    }
}

/// Its arrows are created by moves, not dropped: the board fills all the same.
#[test]
fn amazons_is_played_by_playouts() {
    assert_eq!(engine(&library("amazons")).method(), Method::Playouts);
    // One piece a side: mobility shows who is ahead.
    assert_eq!(engine(&library("isolation")).method(), Method::Search);
}

#[test]
fn a_trial_overrules_what_the_rules_suggest() {
    let rules = kings();
    assert_eq!(engine(&rules).method(), Method::Playouts);
    // A long limit, for busy machines.
    let trial = MethodTrial::new(&rules).map(|it| it.within(Duration::from_secs(300)));
    let found = trial.and_then(|it| it.run(&StopFlag::default()));
    assert_eq!(found, Some(Method::Search));
}

#[test]
fn what_a_trial_finds_is_remembered() {
    let store = MemoryStore::default();
    let rules = library("dodgem");
    let mut engine = engine(&rules);
    store.ensure_trial(&mut engine, &StopFlag::default());
    assert!(engine.has_trial_result());
    let found = store.load(&rules).and_then(|it| it.trial_method);
    assert!(found.is_some());
    // The next engine has it, and training results stay beside it.
    assert!(store.engine(Arc::clone(&rules), EngineSettings::default()).has_trial_result());
    let mut trained = Tuning::of(&rules);
    trained.method = Some(Method::Playouts);
    store.save(&rules, &trained).expect("it is kept");
    let found = store.run_trial(&rules, &StopFlag::default());
    let both = store.load(&rules).map(|it| (it.method, it.trial_method));
    assert_eq!(both, Some((Some(Method::Playouts), found)));
}

#[test]
fn a_trial_does_not_change_searches_with_a_node_limit() {
    let rules = library("reversi");
    let state = rules.start(0).expect("it begins");
    let counted = SearchLimits::nodes(3000);
    let timed = SearchLimits::time(Duration::from_millis(30));
    let think = |engine: &mut Engine, limits: &SearchLimits| {
        let report = engine.think(&state, limits, &StopFlag::default(), &mut |_| {});
        (report.best, report.score, report.depth)
    };
    let (mut plain, mut tried) = (engine(&rules), engine(&rules));
    tried.set_trial_result(Method::Playouts);
    assert_eq!(think(&mut plain, &counted), think(&mut tried, &counted));
    assert!(tried.trial_applies(&timed) && !tried.trial_applies(&counted));
    // Weaker levels use the method that the rules suggest.
    tried.set_settings(EngineSettings { level: 5, ..tried.settings().clone() });
    assert!(!tried.trial_applies(&timed));
    // A method in the settings takes precedence.
    tried.set_settings(EngineSettings {
        level: 10,
        method: Method::Search,
        ..tried.settings().clone()
    });
    assert!(!tried.trial_applies(&timed));
}

#[test]
fn a_store_that_keeps_nothing_stops_nothing() {
    let rules = library("dodgem");
    let store = MemoryStore { is_full: true, ..MemoryStore::default() };
    let mut tried = store.engine(Arc::clone(&rules), EngineSettings::default());
    store.ensure_trial(&mut tried, &StopFlag::default());
    assert!(tried.has_trial_result());
    assert_eq!(store.load(&rules), None);
    // A trial that is stopped at once has no result.
    let (stop, mut engine) = (StopFlag::default(), engine(&rules));
    stop.stop();
    store.ensure_trial(&mut engine, &stop);
    assert!(!engine.has_trial_result());
}
