//! Trials of the two ways of looking for moves, and what is kept of them.

use std::{fs, sync::Arc, time::Duration};

use boardwright_engine::{Engine, Limits, Method, Settings, Shelf, Stop, Trial, Tuned};
use boardwright_play::{Rules, State};
use boardwright_test_kit::{root, rule_file, variant};
use boardwright_zrf::NoFiles;

fn library(name: &str) -> Arc<Rules> {
    let path = root().join(format!("games/{name}/{name}.zrf"));
    Arc::new(Rules::new(variant(name, &mut rule_file(&path), None)))
}

/// Who has no move loses, which sounds like a game of blocking; but it comes to taking all.
fn kings() -> Arc<Rules> {
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
    Arc::new(Rules::new(file.compile(0).expect("the rules are sound")))
}

fn engine(rules: &Arc<Rules>) -> Engine {
    Engine::new(Arc::clone(rules), Settings { memory: 1 << 20, ..Settings::default() })
}

#[test]
fn rules_that_leave_no_doubt_are_not_tried() {
    for name in ["chess", "hex", "royal-ur", "peg-solitaire", "four-handed-chess", "dobutsu"] {
        assert!(Trial::new(&library(name)).is_none(), "{name}");
    }
    for name in ["reversi", "english-draughts", "konane", "amazons"] {
        assert!(Trial::new(&library(name)).is_some(), "{name}");
    }
}

/// Its arrows are made by moves, not dropped, and were not noticed.
#[test]
fn amazons_is_played_by_random_games() {
    assert_eq!(engine(&library("amazons")).method(), Method::Playouts);
    // Here one piece a side moves, and what it can reach shows who is ahead.
    assert_eq!(engine(&library("isolation")).method(), Method::Search);
}

#[test]
fn a_trial_overrules_what_the_rules_suggest() {
    let rules = kings();
    assert_eq!(engine(&rules).method(), Method::Playouts);
    // However busy the machine is.
    let trial = Trial::new(&rules).map(|it| it.within(Duration::from_secs(300)));
    let found = trial.and_then(|it| it.run(&Stop::default()));
    assert_eq!(found, Some(Method::Search));
}

#[test]
fn what_a_trial_finds_is_remembered() {
    let folder = tempfile::tempdir().expect("a folder");
    let shelf = Shelf::new(Some(folder.path().join("tuned")));
    let rules = library("dodgem");
    let mut engine = engine(&rules);
    shelf.try_out(&mut engine, &Stop::default());
    assert!(engine.is_tried());
    let found = shelf.load(&rules.ruleset).and_then(|it| it.tried);
    assert!(found.is_some());
    // The next one knows it, also if something else was found out before.
    assert!(shelf.engine(Arc::clone(&rules), Settings::default()).is_tried());
    let mut trained = Tuned::of(&rules.ruleset);
    trained.method = Some(Method::Playouts);
    shelf.save(&rules.ruleset, &trained).expect("it is kept");
    let found = shelf.trial(&rules, &Stop::default());
    let both = shelf.load(&rules.ruleset).map(|it| (it.method, it.tried));
    assert_eq!(both, Some((Some(Method::Playouts), found)));
}

#[test]
fn a_trial_leaves_what_so_many_states_give_as_it_was() {
    let rules = library("reversi");
    let state = State::start_of(Arc::clone(&rules));
    let counted = Limits::nodes(3000);
    let timed = Limits::time(Duration::from_millis(30));
    let think = |engine: &mut Engine, limits: &Limits| {
        let report = engine.think(&state, limits, &Stop::default(), &mut |_| {});
        (report.best, report.score, report.depth)
    };
    let (mut plain, mut tried) = (engine(&rules), engine(&rules));
    tried.suit(Method::Playouts);
    assert_eq!(think(&mut plain, &counted), think(&mut tried, &counted));
    assert!(tried.heeds_trials(&timed) && !tried.heeds_trials(&counted));
    // Weaker levels think as the rules suggest.
    tried.set(Settings { level: 5, ..tried.settings().clone() });
    assert!(!tried.heeds_trials(&timed));
    // Who asks for a method gets it.
    tried.set(Settings { level: 10, method: Method::Search, ..tried.settings().clone() });
    assert!(!tried.heeds_trials(&timed));
}

#[test]
fn a_shelf_that_cannot_be_written_to_stops_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let blocked = folder.path().join("file");
    fs::write(&blocked, "not a folder").expect("it is written");
    let rules = library("dodgem");
    for shelf in [Shelf::new(Some(blocked.join("tuned"))), Shelf::new(None)] {
        let mut engine = shelf.engine(Arc::clone(&rules), Settings::default());
        shelf.try_out(&mut engine, &Stop::default());
        assert!(engine.is_tried());
        assert_eq!(shelf.load(&rules.ruleset), None);
    }
    // Who is stopped at once found nothing out.
    let (stop, mut engine) = (Stop::default(), engine(&rules));
    stop.stop();
    Shelf::new(None).try_out(&mut engine, &stop);
    assert!(!engine.is_tried());
}
