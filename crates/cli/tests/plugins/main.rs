//! Plug-in engines, built from source and played through real processes.

#![expect(clippy::unwrap_used, reason = "a test may stop where it stands")]
#![expect(clippy::print_stderr, reason = "what is left out must be said")]

mod kit;

#[cfg(target_os = "linux")]
mod hostile;

use std::time::{Duration, Instant};

use boardwright_plugin::{LineStep, NativeEngine, PlayedLine, PluginFault};

const TIME: Duration = Duration::from_millis(300);

#[test]
fn the_engine_in_c_plays_whole_games_and_never_loses() {
    let folder = tempfile::tempdir().unwrap();
    let source = kit::root().join("examples/engines/noughts.c");
    let Some(library) = kit::build_c(&source, folder.path(), "noughts", &[]) else { return };
    let rules = kit::rules_of("tic-tac-toe");
    for seat in [0, 1] {
        let mut engine = kit::guarded(&library, &rules);
        let game = kit::play(&mut engine, &rules, seat, TIME);
        assert_eq!(engine.dropped(), None, "{:?}", game.texts);
        assert!(!game.outcome.losers.contains(&rules.seats()[seat]), "{:?}", game.texts);
        assert!(game.reports.iter().all(|it| it.nodes > 0), "{:?}", game.reports);
    }
}

#[test]
fn the_engine_in_rust_plays_whole_games_by_the_same_rules() {
    let folder = tempfile::tempdir().unwrap();
    let source = kit::root().join("examples/engines/breaker.rs");
    let library = kit::build_rust(&source, folder.path(), "breaker");
    let rules = kit::rules_of("breakthrough");
    let mut engine = kit::guarded(&library, &rules);
    let game = kit::play(&mut engine, &rules, 0, TIME);
    assert_eq!(engine.dropped(), None, "{:?}", game.texts);
    assert_eq!(game.outcome.winners, [rules.seats()[0]], "{:?}", game.texts);
    // Its optional routines agree with the rule file along the game, taken back move by move.
    let until = || Instant::now() + Duration::from_secs(60);
    let mut native = NativeEngine::start(&kit::host(), &library, &rules, until()).unwrap();
    assert!(native.has_moves() && native.has_game_over());
    let steps: Vec<LineStep> = game.texts.iter().cloned().map(LineStep::Move).collect();
    for n in (0..=steps.len()).rev() {
        let mut line = PlayedLine::beginning_at(rules.start(1).unwrap());
        line.steps = steps[..n].to_vec();
        let mut state = line.start.clone();
        for text in &game.texts[..n] {
            state = state.play_trusted(text).unwrap().state;
        }
        let legal = state.legal_moves().unwrap();
        let mut ours: Vec<String> =
            (0..legal.len()).map(|it| state.move_text(&legal, it).unwrap()).collect();
        let mut theirs = native.legal_texts(&line, until()).unwrap();
        ours.sort();
        theirs.sort();
        assert_eq!(ours, theirs, "after {n} moves");
        let verdict = native.verdict(&line, until()).unwrap();
        assert_eq!(verdict.score.is_some(), legal.outcome.is_some(), "after {n} moves");
        assert_eq!(verdict.comment.is_empty(), legal.outcome.is_none());
    }
}

#[test]
fn an_edit_in_the_middle_of_a_game_reaches_the_engine() {
    let folder = tempfile::tempdir().unwrap();
    let library =
        kit::build_rust(&kit::root().join("examples/engines/breaker.rs"), folder.path(), "breaker");
    let rules = kit::rules_of("breakthrough");
    let until = Instant::now() + Duration::from_secs(60);
    let mut native = NativeEngine::start(&kit::host(), &library, &rules, until).unwrap();
    let mut line = PlayedLine::beginning_at(rules.start(1).unwrap());
    line.steps.push(LineStep::Move("Pawn a2 - a3".to_owned()));
    line.steps.push(LineStep::Edit("(x h7)(White Pawn g6)(off White Pawn 3)(turn 1)".to_owned()));
    let theirs = native.legal_texts(&line, until).unwrap();
    assert!(theirs.contains(&"Pawn f7 x g6".to_owned()), "{theirs:?}");
    assert!(!theirs.iter().any(|it| it.starts_with("Pawn h7")), "{theirs:?}");
}

#[test]
fn a_file_that_is_no_engine_is_refused_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let rules = kit::rules_of("tic-tac-toe");
    let start = |path: &std::path::Path| {
        let until = Instant::now() + Duration::from_secs(60);
        NativeEngine::start(&kit::host(), path, &rules, until).map(|_| ()).unwrap_err()
    };
    let text = folder.path().join("text.so");
    std::fs::write(&text, "not a library").unwrap();
    assert!(matches!(start(&text), PluginFault::NotStarted(_)));
    assert!(matches!(start(&folder.path().join("none.so")), PluginFault::NotStarted(_)));
    let empty = folder.path().join("empty.c");
    std::fs::write(&empty, "int x;").unwrap();
    if let Some(library) = kit::build_c(&empty, folder.path(), "empty", &[]) {
        let why = start(&library).to_string();
        assert!(why.contains("it has no routine DLL_Search"), "{why}");
    }
}
