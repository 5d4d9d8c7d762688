//! Engines that do everything wrong: the game goes on, the player reads why, nothing is left.

use std::{path::Path, time::Duration};

use boardwright_plugin::code_words;

use crate::kit::{self, PlayedGame};

const TIME: Duration = Duration::from_millis(300);

/// Plays a game with an engine that has one fault, and checks that it ends and leaves nothing.
fn game_with(fault: u32, folder: &Path, more: &[String]) -> Option<PlayedGame> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/plugins/hostile.c");
    let define = format!("-DFAULT={fault}");
    let mut options = vec![define.as_str()];
    options.extend(more.iter().map(String::as_str));
    let library = kit::build_c(&source, folder, &format!("fault{fault}"), &options)?;
    let rules = kit::rules_of("tic-tac-toe");
    let mut engine = kit::guarded(&library, &rules);
    let game = kit::play(&mut engine, &rules, 0, TIME);
    drop(engine);
    assert!(game.texts.len() >= 5, "{:?}", game.texts);
    assert_eq!(kit::processes_naming(&library), [""; 0], "a process of fault {fault} is left");
    eprintln!("fault {fault}: {:?} over the time, {:?}", game.overshoot, game.notices);
    if std::env::var_os("PLUGIN_TIMES").is_some() {
        assert!(game.overshoot < Duration::from_millis(500), "{:?}", game.overshoot);
    }
    Some(game)
}

/// The same for a fault after which the engine is dropped, and the words that the player reads.
fn dropped_by(fault: u32, words: &str) {
    let folder = tempfile::tempdir().unwrap();
    let Some(game) = game_with(fault, folder.path(), &[]) else { return };
    let [notice] = &game.notices[..] else { panic!("fault {fault}: {:?}", game.notices) };
    assert!(notice.starts_with("The engine Tester was dropped: "), "{notice}");
    assert!(notice.contains(words), "fault {fault}: {notice}");
    assert!(notice.ends_with("Boardwright's own engine plays on."), "{notice}");
}

#[test]
fn an_engine_without_a_fault_is_not_dropped() {
    let folder = tempfile::tempdir().unwrap();
    for fault in [0, 13, 17] {
        let Some(game) = game_with(fault, folder.path(), &[]) else { return };
        assert_eq!(game.notices, [""; 0]);
    }
}

#[test]
fn a_crash_in_the_search_costs_only_the_engine() {
    dropped_by(1, "it ended by itself (a crash)");
}

#[test]
fn an_engine_that_never_returns_is_given_up() {
    dropped_by(2, "it did not stop when its time was over");
    dropped_by(3, "it did not answer in time");
    dropped_by(4, "it did not answer in time");
}

#[test]
fn garbage_in_the_protocol_is_not_understood() {
    dropped_by(5, "could not be understood");
}

#[test]
fn a_flood_of_output_ends_the_engine() {
    let folder = tempfile::tempdir().unwrap();
    let Some(game) = game_with(6, folder.path(), &[]) else { return };
    // The flood may run into a report of the host; then a line makes no sense.
    let reasons = ["it wrote too much", "did not stop", "could not be understood"];
    let is_told = |it: &String| reasons.iter().any(|reason| it.contains(reason));
    assert!(game.notices.iter().any(is_told), "{:?}", game.notices);
}

#[test]
fn an_engine_that_eats_memory_ends() {
    dropped_by(7, "it ended by itself");
}

#[test]
fn an_engine_cannot_start_processes() {
    dropped_by(8, "DLL_Search answered -1");
}

#[test]
fn an_engine_cannot_read_or_write_files_of_others() {
    let folder = tempfile::tempdir().unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    let (secret, written) = (elsewhere.path().join("secret"), elsewhere.path().join("written"));
    std::fs::write(&secret, "secret").unwrap();
    let paths = [("SECRET", &secret), ("WRITTEN", &written)];
    let options = paths.map(|(name, path)| format!("-D{name}=\"{}\"", path.display()));
    let Some(game) = game_with(9, folder.path(), &options) else { return };
    assert!(game.notices.iter().any(|it| it.contains("answered -1")), "{:?}", game.notices);
    assert!(!written.exists());
}

#[test]
fn an_engine_has_no_network_and_cannot_signal_us() {
    dropped_by(10, "DLL_Search answered -1");
}

#[test]
fn an_engine_that_fails_while_it_is_loaded_is_dropped() {
    dropped_by(11, "it ended by itself (a crash)");
    dropped_by(12, "it did not answer in time");
}

#[test]
fn moves_that_are_not_legal_are_refused() {
    dropped_by(14, "its move `X Token z9` is not legal");
    dropped_by(15, "is not legal");
}

#[test]
fn an_engine_that_stops_when_it_is_told_plays_on() {
    let folder = tempfile::tempdir().unwrap();
    let Some(game) = game_with(16, folder.path(), &[]) else { return };
    assert_eq!(game.notices, [""; 0]);
    assert!(game.reports.iter().all(|it| it.nodes > 0));
}

#[test]
fn every_negative_code_is_told_in_words() {
    for call in [0, 2] {
        for code in 0..8 {
            let fault = 20 + call * 10 + code;
            let code = -1 - code as i32;
            dropped_by(fault, &format!("answered {code}: {}", code_words(code)));
        }
    }
}
