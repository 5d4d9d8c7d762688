//! The commands that run presets and GAME Code.

#![expect(clippy::unwrap_used, reason = "a test may stop where it stands")]

use std::{
    fs,
    io::Write,
    path::PathBuf,
    process::{Command, Stdio},
};

fn run(args: &[&str], input: &str) -> (String, String, i32) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_boardwright"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    (
        String::from_utf8(output.stdout).unwrap(),
        String::from_utf8(output.stderr).unwrap(),
        output.status.code().unwrap(),
    )
}

fn preset(name: &str) -> String {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../presets");
    root.join(name).display().to_string()
}

#[test]
fn our_presets_are_checked() {
    let (out, _, code) = run(&["preset", "check", &preset("chess"), &preset("include")], "");
    assert_eq!(code, 0, "{out}");
    assert!(out.contains("The rules are enforced. It lists 20 moves."), "{out}");
    assert!(out.ends_with("2 presets: 0 with errors\n"), "{out}");
    let (out, _, code) = run(&["preset", "list", &preset("")], "");
    assert_eq!(code, 0);
    assert!(out.lines().count() >= 13 && out.contains("Xiangqi"), "{out}");
}

#[test]
fn a_game_is_played_asked_about_saved_and_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("game.txt").display().to_string();
    let turns = "a2-a4\nb7-b5\na4-b5\na7-a6\nb5-a6\nc8-b7\na6-b7\nh7-h6\nb7-a8\n2\n";
    let input = format!("e2-e5\n{turns}undo\nb7-a8\n1\nsave {record}\nrules\nquit\n");
    let (out, _, code) = run(&["preset", "play", &preset("chess")], &input);
    assert_eq!(code, 0);
    assert!(out.contains("The P cannot move so. (chess2.gc, line "), "{out}");
    assert!(out.contains("Promote to what?\n  1  Q\n  2  R\n"), "{out}");
    let text = fs::read_to_string(&record).unwrap();
    assert!(text.ends_with("turn: P b7-a8; Q-a8\n"), "{text}");
    let (out, _, code) = run(&["preset", "replay", &preset("chess"), &record], "");
    assert_eq!(code, 0);
    assert!(out.ends_with(": 9 turns, Black to move\n"), "{out}");
    fs::write(&record, text.replace("a2-a4", "a2-a5")).unwrap();
    let (out, _, code) = run(&["preset", "replay", &preset("chess"), &record], "");
    assert_eq!(code, 1);
    assert!(out.contains("turn 1: The P cannot move so."), "{out}");
    let (out, _, _) = run(&["preset", "replay", &preset("shogi"), &record], "");
    assert!(out.contains("the record is of another preset"), "{out}");
}

#[test]
fn moves_and_counts_are_printed() {
    let (out, _, code) = run(&["preset", "perft", &preset("shogi"), "--depth", "1"], "");
    assert_eq!((out.as_str(), code), ("1 30\n", 0));
    let (out, _, _) = run(&["preset", "moves", &preset("chess"), "--play", "e2-e4, e7-e5"], "");
    assert_eq!(out.lines().count(), 29);
    let (out, _, _) = run(&["preset", "show", &preset("chess"), "--play", "e2-e4"], "");
    assert!(out.contains("\n4 . . . . P . . .\n"), "{out}");
    let (_, err, code) = run(&["preset", "moves", &preset("open-board")], "");
    assert_eq!(code, 1);
    assert!(err.contains("does not list its legal moves"), "{err}");
}

#[test]
fn settings_are_imported_into_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("settings.php");
    fs::write(&file, "<?php $default['game'] = 'Pond'; $default['wolf'] = 'x';").unwrap();
    let made = folder.path().join("pond");
    let (file, made) = (file.display().to_string(), made.display().to_string());
    let (out, _, code) = run(&["preset", "import", &file, "--out", &made], "");
    assert_eq!(code, 0, "{out}");
    assert!(
        out.starts_with("1 setting understood\n`wolf` is not a setting that we know\n"),
        "{out}"
    );
    let (out, _, code) = run(&["preset", "check", &made], "");
    assert_eq!(code, 0, "{out}");
    let (_, err, code) = run(&["preset", "import", &file, "--out", &made], "");
    assert_eq!(code, 1);
    assert!(err.contains("already exists"), "{err}");
}

#[test]
fn programs_run_and_show_what_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pond.gc").display().to_string();
    fs::write(folder.path().join("wolves.gc"), "def twice * 2 #0;\n").unwrap();
    fs::write(&file, "include wolves;\nprint fn twice 21;\nsay done;\nprint / 1 0;\n").unwrap();
    let (out, err, code) = run(&["gamecode", "run", &file, "--color", "never"], "");
    assert_eq!((out.as_str(), code), ("42\ndone\n", 1));
    assert!(err.contains("error[G0304]: division by zero") && err.contains("pond.gc:4:7"), "{err}");
    let (out, _, _) = run(&["gamecode", "listing", &file], "");
    assert!(out.contains("    2  print fn twice 21;"), "{out}");
    fs::write(&file, "if false: gone; endif;\n").unwrap();
    let (_, err, code) = run(&["gamecode", "run", &file, "--color", "never"], "");
    assert_eq!(code, 1, "an error that the run did not reach counts: {err}");
    fs::write(&file, "include ../wolves;\n").unwrap();
    let (_, err, code) = run(&["gamecode", "run", &file, "--color", "never"], "");
    assert_eq!(code, 1);
    assert!(err.contains("G0107"), "no path leaves the folder: {err}");
}

#[test]
fn includes_of_the_library_are_found_from_any_folder() {
    let folder = tempfile::tempdir().unwrap();
    let text = "game: Pond\npre-game:\n  include chess;\n";
    fs::write(folder.path().join("preset.txt"), text).unwrap();
    let path = folder.path().display().to_string();
    let (out, err, code) = run(&["preset", "check", &path, "--color", "never"], "");
    assert_eq!(code, 0, "{out}{err}");
    fs::write(folder.path().join("preset.txt"), text.replace("chess", "pondweed")).unwrap();
    let (out, _, code) = run(&["preset", "check", &path, "--color", "never"], "");
    assert_eq!(code, 1);
    assert!(out.contains("G0107") && out.contains("includes of the library"), "{out}");
}

#[test]
fn a_new_preset_is_checked_and_played() {
    let folder = tempfile::tempdir().unwrap();
    let made = folder.path().join("pond").display().to_string();
    let (out, err, code) = run(&["preset", "new", &made, "--name", "Pond Chess"], "");
    assert_eq!(code, 0, "{out}{err}");
    let (out, _, code) = run(&["preset", "check", &made], "");
    assert_eq!(code, 0, "{out}");
    let (out, _, _) = run(&["preset", "show", &made, "--play", "P e2-e4"], "");
    assert!(out.contains("\n4 . . . . P . . .\n"), "{out}");
    let (_, err, code) = run(&["preset", "new", &made], "");
    assert_eq!(code, 1);
    assert!(err.contains("already exists"), "{err}");
}

#[test]
fn a_set_of_the_original_is_imported() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("wolves.php");
    fs::write(&file, "<? $pieces = array(\"K\" => \"King.gif\"); $width = 42; ?>").unwrap();
    let made = folder.path().join("wolves");
    let (file, shown) = (file.display().to_string(), made.display().to_string());
    let (out, _, code) = run(&["preset", "import", &file, "--out", &shown], "");
    assert_eq!(code, 0, "{out}");
    let text = fs::read_to_string(made.join("set.txt")).unwrap();
    assert_eq!(text, "width: 42\npieces:\n  K King.gif\n");
}
