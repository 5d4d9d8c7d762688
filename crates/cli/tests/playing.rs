//! The commands that run rules: `moves`, `perft`, `replay`, `show`, `play`.

#![expect(clippy::unwrap_used, reason = "a test may stop where it stands")]

use std::{
    fs,
    io::Write,
    path::PathBuf,
    process::{Command, Stdio},
};

/// What a run of the program said, and how it ended.
struct Said {
    out: String,
    err: String,
    code: i32,
}

fn run(args: &[&str], input: &str) -> Said {
    run_bytes(args, input.as_bytes())
}

fn run_bytes(args: &[&str], input: &[u8]) -> Said {
    let mut child = Command::new(env!("CARGO_BIN_EXE_boardwright"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    let output = child.wait_with_output().unwrap();
    Said {
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
        code: output.status.code().unwrap(),
    }
}

fn case(name: &str) -> String {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let path = here.join("../../tests/conformance").join(name);
    path.display().to_string()
}

#[test]
fn moves_lists_what_is_legal() {
    let file = case("rules/T27.zrf");
    let said = run(&["moves", &file], "");
    assert_eq!((said.out.as_str(), said.code), ("K a1 - b1 R c1 x a1\n", 0));
    let said = run(&["moves", &file, "--play", "K a1 - c3"], "");
    assert_eq!(said.code, 1);
    assert!(said.err.contains("`K a1 - c3` is not legal; similar legal moves: K a1"));
}

#[test]
fn moves_tells_the_outcome() {
    let play = "White P a3; Black P a1; White P b3; Black P b1; White P c3";
    let said = run(&["moves", &case("results/G01.zrf"), "--play", play], "");
    assert!(said.out.starts_with("White won by (win-condition (White Black)"), "{}", said.out);
    let more = format!("{play}; Black P c1");
    let said = run(&["moves", &case("results/G01.zrf"), "--play", &more], "");
    assert!(said.err.contains("cannot be played, the game is over: White won"), "{}", said.err);
}

#[test]
fn a_variant_is_found_or_missed_politely() {
    let said = run(&["moves", &case("rules/T06.zrf"), "--variant", "V"], "");
    assert_eq!(said.out, "P a1 - a2\n");
    let said = run(&["moves", &case("rules/T06.zrf"), "--variant", "W"], "");
    assert_eq!(said.code, 1);
    assert!(said.err.contains("has no variant called `W`"), "{}", said.err);
}

#[test]
fn perft_counts_and_divides() {
    let file = case("results/G01.zrf");
    let said = run(&["perft", &file, "--depth", "3"], "");
    assert_eq!(said.out, "perft 1: 9\nperft 2: 72\nperft 3: 504\n");
    let said = run(&["perft", &file, "--depth", "2", "--divide"], "");
    assert_eq!(said.out.lines().next(), Some("White P a3: 8"));
    assert_eq!(said.out.lines().last(), Some("perft 2: 72"));
    let said = run(&["perft", &file], "");
    assert_eq!(said.code, 2, "a depth is needed");
}

#[test]
fn a_state_can_be_printed_and_counted_from() {
    let file = case("results/G01.zrf");
    let said = run(&["show", &file, "--text", "--play", "White P a3"], "");
    let text = said.out.trim();
    assert_eq!(
        text,
        "on White (P a3); hand White (P 4); hand Black (P 5); turn 1 Black; move 1; last-to a3"
    );
    let said = run(&["perft", &file, "--depth", "1", "--state", text], "");
    assert_eq!(said.out, "perft 1: 8\n");
    let said = run(&["perft", &file, "--depth", "1", "--state", "on Green (P a3)"], "");
    assert!(said.err.contains("no player is called `Green` (at byte 3)"), "{}", said.err);
}

#[test]
fn show_draws_the_board() {
    let said = run(&["show", &case("rules/T29.zrf")], "");
    let wanted = "T\n\n3 . . .\n2 q P q\n1 . . .\n  a b c\n\n\
        White: P P\nBlack: q Q\n\nWhite to move, move 1\n";
    assert_eq!(said.out, wanted);
}

#[test]
fn replay_finds_rules_in_any_case_and_says_where_a_save_goes_wrong() {
    let dir = tempfile::tempdir().unwrap();
    let rules = fs::read(case("rules/T08.zrf")).unwrap();
    fs::write(dir.path().join("Wolves.ZRF"), rules).unwrap();
    let head = "Zillions Save Game File Version 0.02 HC\r\nRulesFile=C:\\Rules\\wolves.zrf\r\n\
        VariantName=T\r\n";
    let save = |name: &str, moves: &str| {
        let path = dir.path().join(name);
        fs::write(&path, format!("{head}{moves}")).unwrap();
        path.display().to_string()
    };
    let good = save("good.zsg", "1. P a1 - a2\r\n1. P c3 - c2\r\n");
    let bad = save("bad.zsg", "1. P a1 - a2\r\n1. P c3 - c1\r\n");
    let torn = save("torn.zsg", "1. P a1 - a2\r\n1. P c3 -");
    let said = run(&["replay", &good], "");
    assert_eq!(said.out, run(&["replay", &good, "--plain"], "").out);
    assert_eq!(said.out, format!("{good}: 2/2 ok\n1 saves: 1 complete, 2 of 2 lines\n"));
    assert_eq!(said.code, 0);
    let said = run(&["replay", &good, &bad, &torn], "");
    assert_eq!(said.code, 1);
    assert!(said.out.contains("1/2, stopped at line 5: `P c3 - c1` is not legal"), "{}", said.out);
    assert!(said.out.contains("similar legal moves: P c3 - c2"), "{}", said.out);
    assert!(said.out.ends_with("3 saves: 1 complete, 4 of 6 lines\n"), "{}", said.out);
    let said = run(&["moves", &case("rules/T08.zrf"), "--save", &good, "--ply", "1"], "");
    assert_eq!(said.out, "P c3 - c2\n");
}

#[test]
fn a_game_can_be_played_saved_loaded_and_taken_back() {
    let dir = tempfile::tempdir().unwrap();
    let save = dir.path().join("game.zsg").display().to_string();
    let input = format!(
        "moves\n1\nnonsense\nP c3 - c2\nsave {save}\nundo\nundo\nundo\nload {save}\nboard\n"
    );
    let said = run(&["play", &case("rules/T08.zrf")], &input);
    assert_eq!(said.code, 0, "the end of input is no error: {}", said.err);
    assert!(said.out.contains("   1  P a1 - a2\n"), "{}", said.out);
    assert!(said.out.contains("`nonsense` is neither a command nor a legal move"), "{}", said.out);
    assert!(said.out.contains("There is nothing to take back."), "{}", said.out);
    assert!(said.out.trim_end().trim_end_matches('>').trim_end().ends_with("move 2"));
    let written = fs::read_to_string(save).unwrap();
    assert!(
        written.starts_with("Zillions Save Game File Version 0.02 HH\r\nRulesFile=T08.zrf\r\n")
    );
    assert!(written.ends_with("1. P a1 - a2\r\n1. P c3 - c2\r\n"), "{written}");
}

#[test]
fn a_random_mover_is_the_same_for_the_same_seed() {
    let file = case("results/G01.zrf");
    let play =
        |seed: &str| run(&["play", &file, "--random", "black", "--seed", seed], "1\n2\n").out;
    assert_eq!(play("5"), play("5"));
    assert!(play("5").contains("Black: Black P"));
    let said = run(&["play", &file, "--random", "Green"], "");
    assert!(
        said.err.contains("no player is called `Green`; there are White, Black"),
        "{}",
        said.err
    );
}

#[test]
fn an_endless_loop_is_told_with_its_place() {
    let said = run(&["moves", &case("decisions/endless-loop.zrf")], "");
    assert_eq!(said.code, 1);
    assert!(said.err.contains("infinite loop: a move block of `P`"), "{}", said.err);
    assert!(said.err.contains("endless-loop.zrf, line "), "{}", said.err);
}

/// A save beside its rules in a folder of its own.
fn with_save(moves: &str) -> (tempfile::TempDir, String) {
    let dir = tempfile::tempdir().unwrap();
    fs::copy(case("rules/T08.zrf"), dir.path().join("t.zrf")).unwrap();
    let save = dir.path().join("game.zsg");
    let head = "Zillions Save Game File Version 0.02 HC\r\nRulesFile=t.zrf\r\nVariantName=T\r\n";
    fs::write(&save, format!("{head}{moves}")).unwrap();
    let save = save.display().to_string();
    (dir, save)
}

#[test]
fn a_huge_save_is_refused_before_it_eats_memory() {
    let (_dir, save) = with_save(&"(White P a1)\r\n".repeat(400_000));
    let said = run(&["replay", &save], "");
    assert_eq!(said.code, 1);
    assert!(said.out.contains("too large for a saved game: more than 4 MB"), "{}", said.out);
}

#[cfg(unix)]
#[test]
fn a_save_that_is_no_regular_file_does_not_hang() {
    let dir = tempfile::tempdir().unwrap();
    let link = dir.path().join("endless.zsg");
    std::os::unix::fs::symlink("/dev/zero", &link).unwrap();
    let link = link.display().to_string();
    let rules = case("rules/T08.zrf");
    let said = run(&["replay", &link], "");
    assert!(said.out.contains("endless.zsg is not a file"), "{}", said.out);
    let said = run(&["show", &rules, "--save", &link], "");
    assert!(said.err.contains("endless.zsg is not a file"), "{}", said.err);
    let said = run(&["play", &rules], &format!("load {link}\n"));
    assert!(said.out.contains("endless.zsg is not a file"), "{}", said.out);
}

#[test]
fn a_save_is_shown_by_the_rules_of_its_own_variant() {
    let dir = tempfile::tempdir().unwrap();
    let save = dir.path().join("game.zsg").display().to_string();
    let rules = case("rules/T06.zrf");
    run(&["play", &rules, "--variant", "V"], &format!("save {save}\n"));
    let said = run(&["show", &rules, "--save", &save], "");
    assert!(said.out.starts_with("V\n"), "{}{}", said.out, said.err);
    let said = run(&["moves", &rules, "--save", &save, "--variant", "T"], "");
    assert_eq!(said.code, 1);
    assert!(said.err.contains("it is a game of `V`, but --variant says `T`"), "{}", said.err);
    let said = run(&["show", &rules, "--save", &rules], "");
    assert!(said.err.contains("line 1: the first line is not"), "{}", said.err);
    let said = run(&["play", &rules], &format!("load {rules}\nload {save}\n"));
    assert!(said.out.contains("line 1: the first line is not"), "{}", said.out);
    assert!(said.out.contains("is a game of `V`, not of `T`"), "{}", said.out);
}

#[test]
fn a_save_without_a_variant_says_so() {
    let (_dir, save) = with_save("");
    let text = fs::read_to_string(&save).unwrap().replace("VariantName=T\r\n", "");
    fs::write(&save, text).unwrap();
    let said = run(&["replay", &save], "");
    assert!(said.out.contains("the save names no variant"), "{}", said.out);
}

#[test]
fn a_byte_that_is_no_text_does_not_end_the_game() {
    let said = run_bytes(&["play", &case("rules/T08.zrf")], b"\xff\xfcber\nmoves\n");
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(said.out.contains("   1  P a1 - a2\n"), "{}", said.out);
}

fn library_game(name: &str) -> String {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    here.join(format!("../../games/{name}/{name}.zrf")).display().to_string()
}

#[test]
fn short_moves_are_understood() {
    let chess = library_game("chess");
    let play = "e2e4; E7 e5; ng1-f3; knight c6; f1-b5; a7a6; b5xc6";
    let said = run(&["moves", &chess, "--play", play], "");
    assert!(said.out.contains("Pawn d7 x c6"), "{}{}", said.out, said.err);
    let said = run(&["moves", &chess, "--play", "e2e5"], "");
    assert!(said.err.contains("similar legal moves: Pawn e2 - e3 | Pawn e2 - e4"), "{}", said.err);
    let said = run(&["play", &chess], "e2e4\nd7d5\ne4d5\nc7c6\nd5c6\nd5\n");
    assert!(said.out.contains("Black to move, move 3"), "{}", said.out);
}

#[test]
fn a_short_move_that_fits_several_asks_which() {
    let said = run(&["play", &library_game("chess")], "c2c3\na7a6\nd2d3\nb7b6\nd2\n");
    let asked = said.out.split("`d2` may mean several moves").nth(1).unwrap();
    assert!(asked.contains("N b1 - d2") && asked.contains("Q d1 - d2"), "{asked}");
    let said = run(&["moves", &library_game("chess"), "--play", "c2c3; a7a6; d2d3; b7b6; d2"], "");
    assert!(said.err.contains("`d2` may mean "), "{}", said.err);
}

#[test]
fn dice_fall_differently_each_time_and_can_be_repeated() {
    let ur = library_game("royal-ur");
    let said = run(&["play", &ur], "");
    let seed = said.out.split("--seed ").nth(1).unwrap().split(' ').next().unwrap().to_owned();
    let again = run(&["play", &ur, "--seed", &seed], "");
    assert_eq!(said.out, again.out);
    let seeds: Vec<_> = (0..4).map(|_| run(&["play", &ur], "").out).collect();
    assert!(seeds.iter().any(|it| *it != said.out), "the seed comes from the clock");
    let said = run(&["play", &library_game("chess")], "e2e4\n");
    assert!(!said.out.contains("seed"), "there is no chance in chess");
}

#[test]
fn lists_show_short_texts_and_take_the_raw_ones() {
    let chess = library_game("chess");
    let said = run(&["play", &chess], "e2e4\ne7e5\nMOVES\nKing e1 - e2 @ e2 0 0\nboard\n");
    assert!(said.out.contains("  K e1 - e2\n"), "{}", said.out);
    assert!(!said.out.contains('@'), "{}", said.out);
    assert!(said.out.contains("Black to move, move 2"), "{}", said.out);
}

#[test]
fn names_of_pieces_are_not_doubled() {
    let said = run(&["play", &library_game("chess")], "Pieces\n");
    assert!(said.out.contains("King: "), "{}", said.out);
    assert!(!said.out.contains("King: King"), "{}", said.out);
}

#[test]
fn a_random_opponent_can_be_chosen_within_a_game() {
    let file = case("results/G01.zrf");
    let said = run(&["play", &file], "random\nRandom black\n1\nrandom Green\nrandom black\n2\n");
    assert!(said.out.contains("name a player: `random White or Black`"), "{}", said.out);
    assert!(said.out.contains("Black moves at random now."), "{}", said.out);
    assert_eq!(said.out.matches("Black: Black P").count(), 1, "{}", said.out);
    assert!(said.out.contains("no player is called `Green`"), "{}", said.out);
    assert!(said.out.contains("Black moves by hand now."), "{}", said.out);
}

#[test]
fn a_finished_game_says_nobody_is_to_move() {
    let said = run(&["play", &case("results/G01.zrf")], "a3\na1\nb3\nb1\nc3\n");
    let end = said.out.rsplit("> ").nth(1).unwrap();
    assert!(end.contains("The game is over: White wins"), "{end}");
    assert!(!end.contains("to move"), "{end}");
}

#[test]
fn an_edit_of_an_unknown_place_speaks_of_a_position() {
    let (_dir, save) = with_save("(White P zz)\r\n");
    let said = run(&["replay", &save], "");
    assert!(said.out.contains("no position is called `zz`"), "{}", said.out);
}

#[test]
fn perft_refuses_a_depth_that_would_overflow_the_stack() {
    let file = case("results/G01.zrf");
    let said = run(&["perft", &file, "-d", "100000", "--divide"], "");
    assert_eq!(said.code, 2);
    assert!(said.err.contains("100000 is not in"), "{}", said.err);
    let said = run(&["perft", &case("rules/T08.zrf"), "-d", "1000", "--divide"], "");
    assert_eq!(said.code, 0, "{}", said.err);
}

#[cfg(unix)]
#[test]
fn replay_looks_past_a_folder_it_may_not_read() {
    use std::os::unix::fs::PermissionsExt;
    let (dir, save) = with_save("");
    let closed = dir.path().join("aaa");
    fs::create_dir(&closed).unwrap();
    fs::create_dir(dir.path().join("zzz")).unwrap();
    fs::rename(dir.path().join("t.zrf"), dir.path().join("zzz/t.zrf")).unwrap();
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o000)).unwrap();
    let said = run(&["replay", &save], "");
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o700)).unwrap();
    assert!(said.out.contains("0/0 ok"), "{}", said.out);
}

/// The menu, in a folder of one's own.
fn menu(folder: &std::path::Path, input: &str) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_boardwright"))
        .arg("games")
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    // Where there is no library it may be gone before it is told anything.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap()
}

#[test]
fn the_menu_reaches_every_variant() {
    let dir = tempfile::tempdir().unwrap();
    let game = dir.path().join("games/pair");
    fs::create_dir_all(&game).unwrap();
    fs::copy(case("rules/T06.zrf"), game.join("pair.zrf")).unwrap();
    let out = menu(dir.path(), "1\n\nQUIT\n");
    assert!(out.contains("Which one? Its number or name; Enter for T."), "{out}");
    assert!(out.contains("\n> T\n\n"), "Enter takes the default: {out}");
    for typed in ["t\nv\n", "V\n"] {
        assert!(menu(dir.path(), typed).contains("> V\n\n"), "{typed}");
    }
}

#[test]
fn an_empty_folder_of_games_does_not_hide_the_library() {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("games")).unwrap();
    assert!(menu(dir.path(), "Quit\n").contains(" Chess"));
}

#[test]
fn the_library_is_inside_the_program() {
    let dir = tempfile::tempdir().unwrap();
    let program = dir.path().join("boardwright");
    fs::copy(env!("CARGO_BIN_EXE_boardwright"), &program).unwrap();
    let temp = dir.path().join("temp");
    fs::create_dir(&temp).unwrap();
    let mut child = Command::new(&program)
        .arg("games")
        .current_dir(dir.path())
        .env("TMPDIR", &temp)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"tic-tac-toe\n1\nquit\n").unwrap();
    let out = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    assert!(out.contains(" Chess") && out.contains("> Tic-Tac-Toe\n"), "{out}");
    assert_eq!(fs::read_dir(&temp).unwrap().count(), 0, "what was unpacked is removed");
}

#[test]
fn titles_are_shown_translated() {
    let dir = tempfile::tempdir().unwrap();
    let game = dir.path().join("games/pair");
    fs::create_dir_all(&game).unwrap();
    let text = fs::read_to_string(case("rules/T06.zrf")).unwrap();
    let text = format!("(translate (\"T\" \"Paar\") (\"V\" \"Quartett\"))\n{text}");
    fs::write(game.join("pair.zrf"), text).unwrap();
    let file = game.join("pair.zrf").display().to_string();
    assert!(run(&["show", &file], "").out.starts_with("Paar\n"));
    assert!(run(&["play", &file, "--variant", "Quartett"], "quit\n").out.contains("Quartett\n"));
    let out = menu(dir.path(), "quartett\nquit\n");
    assert!(out.contains(" Paar +1") && out.contains("> Quartett\n"), "{out}");
}

fn shown(game: &str) -> String {
    let said = run(&["show", &library_game(game)], "");
    assert!(said.out.lines().all(|it| it.chars().count() <= 120), "{}", said.out);
    said.out
}

#[test]
fn sites_beside_a_grid_do_not_spoil_its_picture() {
    let out = shown("go");
    assert!(
        out.contains("\n1 . . . . . . . . .\n  a b c d e f g h j\n\nBeside the board: first-pass")
    );
    let said = run(&["show", &library_game("go"), "--variant", "Go 19x19"], "");
    assert!(said.out.contains("\n19 . . . "), "{}{}", said.out, said.err);
    assert!(shown("raumschach").contains("\nP:Aa2 P:Ab2 P:Ac2 P:Ad2 P:Ae2     P:Ba2 "));
    assert!(shown("hex").contains("a1  b1  c1"), "{}", shown("hex"));
}

#[test]
fn numbered_tiles_show_their_numbers() {
    assert!(shown("fifteen-puzzle").contains("\n2 1  10 9  12\n"), "{}", shown("fifteen-puzzle"));
    assert!(shown("towers-of-hanoi").contains("You: 1 Disk-1, 2 Disk-2, 3 Disk-3\n"));
}

#[test]
fn a_puzzle_shows_where_its_goals_are() {
    let out = shown("sokoban");
    assert!(out.contains("3 w P C . + w\n") && out.contains("+ an empty goal\n"), "{out}");
    assert!(!shown("chess").contains('+'));
}

#[test]
fn occupied_positions_show_their_names_where_no_edge_does() {
    let out = shown("english-draughts");
    assert!(out.contains("M:1 ") && out.contains(" m:32\n") && out.contains("13 "), "{out}");
}

#[test]
fn hands_stand_apart_from_an_empty_board() {
    let out = shown("connect-four");
    assert!(out.contains("  a b c d e f g\n\nRed in hand: Disc 21\n"), "{out}");
}
