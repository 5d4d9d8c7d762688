//! Plug-in engines, built from source and played through real processes.

#![expect(clippy::unwrap_used, reason = "a test may stop where it stands")]
#![expect(clippy::print_stderr, reason = "what is left out must be said")]

mod kit;

#[cfg(target_os = "linux")]
mod hostile;

use std::{
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

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
    let start = |path: &Path| {
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

#[test]
fn the_engine_of_the_manual_is_the_one_in_the_examples() {
    let manual = std::fs::read_to_string(kit::root().join("docs/plugins.md")).unwrap();
    let (_, text) = manual.split_once("```c\n").unwrap();
    let (text, _) = text.split_once("```\n").unwrap();
    let example = std::fs::read_to_string(kit::root().join("examples/engines/noughts.c")).unwrap();
    assert_eq!(text, example);
    // Built as the manual says, from its text alone.
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("from-the-manual.c");
    std::fs::write(&source, text).unwrap();
    let Some(library) = kit::build_c(&source, folder.path(), "manual", &[]) else { return };
    let said = boardwright(folder.path(), &["plugin", "check"], &[&library, &tic_tac_toe()]);
    assert_eq!(said.0, 0, "{}", said.1);
    assert!(said.1.contains("Nothing is wrong."), "{}", said.1);
}

/// Runs the program with a data folder; gives its exit code and what it said.
fn boardwright(data: &Path, words: &[&str], files: &[&Path]) -> (i32, String) {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_boardwright"));
    command.env("BOARDWRIGHT_DATA", data).args(words).args(files);
    command.stdin(std::process::Stdio::null());
    let output = command.output().unwrap();
    let said = [output.stdout, output.stderr].map(|it| String::from_utf8_lossy(&it).into_owned());
    (output.status.code().unwrap(), said.concat())
}

fn tic_tac_toe() -> PathBuf {
    kit::root().join("games/tic-tac-toe/tic-tac-toe.zrf")
}

#[test]
fn an_engine_runs_only_after_it_was_allowed_and_everywhere_by_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let source = kit::root().join("examples/engines/noughts.c");
    let Some(library) = kit::build_c(&source, folder.path(), "noughts", &[]) else { return };
    let data = folder.path().join("data");
    let game = tic_tac_toe();
    let path = library.display().to_string();
    let (code, said) = boardwright(&data, &["think", "--engine", &path], &[&game]);
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("was not allowed to run yet") && said.contains("sha256 "), "{said}");
    let (code, said) = boardwright(&data, &["plugin", "add"], &[&library]);
    assert_eq!(code, 0, "{said}");
    for name in ["noughts", "NOUGHTS", "Engines\\Noughts.dll"] {
        let (code, said) = boardwright(&data, &["think", "--engine", name], &[&game]);
        assert_eq!(code, 0, "{said}");
        assert!(said.contains("noughts: ") && said.contains("Best: "), "{said}");
    }
    let engines = ["match", "--games", "2", "--engines", "plugin:noughts", "random"];
    let mut words = engines.to_vec();
    words.push("--");
    let (code, said) = boardwright(&data, &words, &[&game]);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("plugin:noughts: 0 illegal, 0 late"), "{said}");
    let (_, said) = boardwright(&data, &["plugin", "list"], &[]);
    assert!(said.contains("noughts") && said.contains("allowed"), "{said}");
    let (code, said) = boardwright(&data, &["plugin", "remove", "noughts"], &[]);
    assert_eq!(code, 0, "{said}");
    let (_, said) = boardwright(&data, &["plugin", "list"], &[]);
    assert!(said.contains("There are no engines"), "{said}");
}

#[test]
fn the_engine_that_a_rule_file_names_plays_and_a_missing_one_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let source = kit::root().join("examples/engines/noughts.c");
    let rules = std::fs::read_to_string(tic_tac_toe()).unwrap();
    let rules =
        rules.replacen("(players X O)", "(engine \"Engines\\Noughts.dll\")\n(players X O)", 1);
    let game = folder.path().join("named.zrf");
    std::fs::write(&game, rules).unwrap();
    let data = folder.path().join("data");
    let play = ["play", "--opponent", "10", "--lines", "--seat", "O", "--time", "0.1s"];
    let (code, said) = boardwright(&data, &play, &[&game]);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("The rules name the engine") && said.contains("X: X Token"), "{said}");
    // One for Windows with 32 bits is found, and what is missing is said.
    std::fs::create_dir(folder.path().join("engines")).unwrap();
    let mut old = vec![0_u8; 0x80];
    old[..2].copy_from_slice(b"MZ");
    old[0x3c] = 0x40;
    old[0x40..0x46].copy_from_slice(&[b'P', b'E', 0, 0, 0x4c, 1]);
    std::fs::write(folder.path().join("engines/NOUGHTS.DLL"), old).unwrap();
    let (_, said) = boardwright(&data, &play, &[&game]);
    assert!(said.contains("is an engine for Windows with 32 bits"), "{said}");
    let engines = folder.path().join("engines");
    let Some(library) = kit::build_c(&source, &engines, "noughts", &[]) else { return };
    let (_, said) = boardwright(&data, &play, &[&game]);
    assert!(said.contains("was not allowed to run yet"), "{said}");
    assert_eq!(boardwright(&data, &["plugin", "add"], &[&library]).0, 0);
    let (_, said) = boardwright(&data, &play, &[&game]);
    assert!(!said.contains("The rules name the engine"), "{said}");
    assert!(said.contains("X: X Token a1"), "its first move differs from ours: {said}");
}

#[test]
fn costs_of_a_start_and_of_a_call() {
    let folder = tempfile::tempdir().unwrap();
    let source = kit::root().join("examples/engines/breaker.rs");
    let library = kit::build_rust(&source, folder.path(), "breaker");
    let rules = kit::rules_of("breakthrough");
    let until = Instant::now() + Duration::from_secs(60);
    let began = Instant::now();
    let mut native = NativeEngine::start(&kit::host(), &library, &rules, until).unwrap();
    let start = began.elapsed();
    let line = PlayedLine::beginning_at(rules.start(1).unwrap());
    native.verdict(&line, until).unwrap();
    const CALLS: u32 = 2000;
    let began = Instant::now();
    for _ in 0..CALLS {
        native.verdict(&line, until).unwrap();
    }
    let call = began.elapsed() / CALLS;
    eprintln!("start {start:?}, call {call:?}");
    if std::env::var_os("PLUGIN_TIMES").is_some() {
        assert!(start < Duration::from_millis(100) && call < Duration::from_micros(200));
    }
}
