//! The commands that think: `engine`, `think`, `solve`, `match`, `play` against the engine.

#![expect(clippy::unwrap_used, reason = "a test may stop where it stands")]

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    path::PathBuf,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    time::{Duration, Instant},
};

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
    // A program that quits early closes its input.
    let _ = child.stdin.take().unwrap().write_all(input);
    let output = child.wait_with_output().unwrap();
    Said {
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
        code: output.status.code().unwrap(),
    }
}

fn game(name: &str) -> String {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    here.join(format!("../../games/{name}/{name}.zrf")).display().to_string()
}

/// A conversation with `boardwright engine`.
struct Talk {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Talk {
    fn with(name: &str) -> Talk {
        let mut child = Command::new(env!("CARGO_BIN_EXE_boardwright"))
            .args(["engine", &game(name)])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = child.stdin.take().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        Talk { child, input, output }
    }

    fn say(&mut self, line: &str) {
        writeln!(self.input, "{line}").unwrap();
    }

    /// The first line that begins with these words.
    fn hear(&mut self, wanted: &str) -> String {
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).unwrap() > 0, "no `{wanted}` came");
            if line.starts_with(wanted) {
                return line.trim_end().to_owned();
            }
        }
    }

    /// What is said about a line, until all is done.
    fn tell(&mut self, line: &str) -> String {
        self.say(line);
        self.say("isready");
        let mut said = String::new();
        while !said.ends_with("readyok\n") {
            assert!(self.output.read_line(&mut said).unwrap() > 0, "{said}");
        }
        said.trim_end_matches("readyok\n").to_owned()
    }

    fn ask(&mut self, line: &str, wanted: &str) -> String {
        self.say(line);
        self.hear(wanted)
    }
}

impl Drop for Talk {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn the_engine_speaks_ugi() {
    let mut talk = Talk::with("tic-tac-toe");
    assert_eq!(talk.ask("ugi", "ugiok"), "ugiok");
    assert_eq!(talk.ask("isready", "readyok"), "readyok");
    talk.say("setoption name Seed value 7");
    talk.say("uginewgame");
    talk.say("position startpos");
    assert_eq!(talk.ask("query p1turn", "response"), "response true");
    assert_eq!(talk.ask("query gameover", "response"), "response false");
    // In full, in short, and as people type it.
    let said = talk.tell("position startpos moves X_Token_a3 b2 Token@a2 token@B3");
    assert_eq!(said, "");
    assert_eq!(talk.ask("query p1turn", "response"), "response true");
    assert_eq!(talk.ask("go nodes 2000", "bestmove").split(' ').nth(1), Some("Token@a1"));
    talk.say("quit");
    assert!(talk.child.wait().unwrap().success());
}

#[test]
fn a_win_on_the_spot_is_found_and_told() {
    let mut talk = Talk::with("chess");
    talk.say("position startpos moves f2f3 e7e5 g2g4");
    let score = talk.ask("go depth 3", "info depth 1");
    assert!(score.contains("score mate 1 "), "{score}");
    assert_eq!(talk.hear("bestmove"), "bestmove d8h4");
    talk.say("position startpos moves f2f3 e7e5 g2g4 d8h4");
    assert_eq!(talk.ask("query gameover", "response"), "response true");
    assert_eq!(talk.ask("query result", "response"), "response p2win");
    assert_eq!(talk.ask("go depth 3", "bestmove"), "bestmove (none)");
}

#[test]
fn promotions_are_written_in_both_dialects() {
    let mut talk = Talk::with("chess");
    let fen = "position fen 7k/P7/6K1/8/8/8/8/8 w - - 0 1";
    talk.say(fen);
    assert_eq!(talk.ask("go depth 4", "bestmove a7a8=").get(..14), Some("bestmove a7a8="));
    talk.ask("uci", "uciok");
    talk.say("ucinewgame");
    talk.say(fen);
    let best = talk.ask("go depth 4", "bestmove");
    assert!(best.starts_with("bestmove a7a8q") || best.starts_with("bestmove a7a8r"), "{best}");
    for word in ["a7a8n", "a7a8=Knight", "A7A8=knight", "Pawn_a7_-_a8_=_Knight"] {
        talk.say(&format!("{fen} moves {word}"));
        let state = talk.ask("d", "info string");
        assert!(state.contains("Knight a8"), "{word}: {state}");
    }
}

#[test]
fn fen_says_castling_and_en_passant() {
    let mut talk = Talk::with("chess");
    let legal = |talk: &mut Talk, fen: &str, word: &str| {
        let said = talk.tell(&format!("position fen {fen} moves {word}"));
        assert!(said.is_empty() || said.contains("is not legal"), "{said}");
        said.is_empty()
    };
    let fen = |rights: &str| format!("r3k2r/8/8/8/8/8/8/R3K2R w {rights} - 0 1");
    assert!(legal(&mut talk, &fen("KQkq"), "e1g1"));
    assert!(legal(&mut talk, &fen("K"), "e1g1"));
    assert!(!legal(&mut talk, &fen("K"), "e1c1"));
    assert!(!legal(&mut talk, &fen("kq"), "e1g1"));
    let fen = |site: &str| format!("4k3/8/8/8/3pP3/8/8/4K3 b - {site} 0 1");
    assert!(legal(&mut talk, &fen("e3"), "d4e3"));
    assert!(!legal(&mut talk, &fen("-"), "d4e3"));
    for (wrong, why) in [
        ("fen 8/8 w - - 0 1", "2 rows"),
        ("fen 9/8/8/8/8/8/8/8 w - - 0 1", "too long"),
        ("fen x7/8/8/8/8/8/8/8 w - - 0 1", "no piece is called `x`"),
        ("fen", "empty"),
        ("state on Green (P a1)", "no player is called `Green`"),
        ("somewhere", "write `position"),
    ] {
        let said = talk.tell(&format!("position {wrong}"));
        assert!(said.contains(why), "{wrong}: {said}");
    }
}

#[test]
fn a_state_in_our_own_text_can_be_set() {
    let mut talk = Talk::with("chess");
    talk.say("position state on White (King g6) (Rook a1); on Black (King g8); turn 0 White");
    assert_eq!(talk.ask("go depth 3", "bestmove"), "bestmove a1a8");
}

#[test]
fn stop_is_obeyed_at_once_and_infinite_waits_for_it() {
    let mut talk = Talk::with("chess");
    talk.ask("isready", "readyok");
    talk.say("go infinite");
    talk.hear("info depth 2");
    assert_eq!(talk.ask("isready", "readyok"), "readyok", "also while it thinks");
    assert!(talk.ask("go depth 1", "info string").contains("already thinking"));
    let began = Instant::now();
    talk.ask("stop", "bestmove");
    assert!(began.elapsed() < Duration::from_millis(1000), "{:?}", began.elapsed());
    // All is known after a few moves, but the answer must wait.
    let mut talk = Talk::with("tic-tac-toe");
    talk.ask("isready", "readyok");
    talk.say("go infinite");
    std::thread::sleep(Duration::from_millis(300));
    talk.ask("isready", "readyok");
    talk.ask("stop", "bestmove");
}

#[test]
fn time_for_a_move_is_kept() {
    let mut talk = Talk::with("reversi");
    talk.ask("isready", "readyok");
    let began = Instant::now();
    talk.ask("go movetime 200", "bestmove");
    // Generous, for machines that do other things as well.
    assert!(began.elapsed() < Duration::from_millis(1200), "{:?}", began.elapsed());
}

#[test]
fn nonsense_is_answered_and_never_fatal() {
    let lines = "\n\nhello\nsetoption\nsetoption name\nsetoption name Hash\n\
        setoption name Hash value 99999999999\nsetoption name Level value 0\n\
        setoption name Nothing value 1\nposition\nposition startpos moves e2e5 e7e5\n\
        position startpos moves\nposition fen ; moves\nquery\nquery pturn\nquery p0turn\n\
        go depth x\nstop\nstop\n position startpos moves \u{1}\n";
    let mut bytes = lines.as_bytes().to_vec();
    bytes.extend(b"\xff\xfe \xc3\nposition state \"open\nisready\n");
    let said = run_bytes(&["engine", &game("chess")], &bytes);
    assert_eq!((said.code, said.err.as_str()), (0, ""), "{}", said.out);
    assert!(said.out.contains("info string unknown command `hello`"), "{}", said.out);
    assert!(said.out.contains("`e2e5`, is not legal"), "{}", said.out);
    assert!(said.out.contains("Hash takes no `99999999999`"), "{}", said.out);
    assert!(said.out.contains("readyok"), "{}", said.out);
}

#[test]
fn the_same_nodes_and_seed_give_the_same_answer() {
    let input = "setoption name Level value 3\nsetoption name Seed value 5\ngo nodes 3000\n";
    let best = || {
        let said = run(&["engine", &game("chess")], input);
        said.out.lines().last().unwrap().to_owned()
    };
    assert!(best().starts_with("bestmove "));
    assert_eq!(best(), best());
}

#[test]
fn think_tells_depth_score_and_line() {
    let args = ["think", &game("chess"), "--play", "f2f3; e7e5; g2g4", "--depth", "3"];
    let said = run(&args, "");
    assert!(said.out.contains("Best: Q d8 - h4 (Black wins in 1)"), "{}{}", said.out, said.err);
    assert!(!said.out.contains('\x1b'), "plain where there is no terminal");
    let said = run(&["think", &game("chess"), "--nodes", "3000", "--lines", "3"], "");
    assert!(said.out.contains(" 3. "), "{}", said.out);
    let said = run(&["think", &game("chess"), "--time", "soon"], "");
    assert_eq!(said.code, 2);
}

#[test]
fn solve_proves_or_says_that_it_did_not() {
    let said = run(&["solve", &game("tic-tac-toe")], "");
    assert!(said.out.contains("A draw, if nobody errs."), "{}{}", said.out, said.err);
    let said = run(&["solve", &game("towers-of-hanoi")], "");
    assert!(said.out.contains("Solved in 7 moves."), "{}", said.out);
    let said = run(&["solve", &game("chess"), "--nodes", "5000"], "");
    assert!(said.out.contains("Not solved"), "{}", said.out);
    let said = run(&["solve", &game("chess"), "--play", "f2f3; e7e5; g2g4"], "");
    assert!(said.out.contains("Black wins, in 1 move at most."), "{}", said.out);
}

#[test]
fn a_match_counts_saves_and_says_who_is_stronger() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("games").display().to_string();
    let file = game("breakthrough");
    let args = ["match", &file, "--engines", "nodes:400", "random", "--games", "6", "--seed", "3"];
    let said = run(&[&args[..], &["--concurrency", "2", "--save-dir", &folder]].concat(), "");
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(said.out.contains("nodes:400      6      0      0  100.0 %"), "{}", said.out);
    assert!(said.out.contains("Elo of nodes:400: above +"), "{}", said.out);
    let list = fs::read_to_string(dir.path().join("games/games.tsv")).unwrap();
    assert_eq!(list.lines().count(), 7, "{list}");
    let saves: Vec<String> = (1..=6).map(|it| format!("{folder}/{it:04}.zsg")).collect();
    let mut replay = vec!["replay", "--rules", &file];
    replay.extend(saves.iter().map(|it| it.as_str()));
    let said = run(&replay, "");
    assert!(said.out.contains("6 saves: 6 complete"), "{}", said.out);
}

#[test]
fn a_match_by_nodes_can_be_had_again() {
    let file = game("tic-tac-toe");
    let result = |concurrency: &str| {
        let engines = ["--engines", "level:2", "greedy", "--games", "8", "--nodes", "300"];
        let args = ["match", &file, "--json", "--concurrency", concurrency];
        let said = run(&[&args[..], &engines].concat(), "");
        let value: serde_json::Value = serde_json::from_str(&said.out).unwrap();
        (value["won"].clone(), value["drawn"].clone(), value["plies"].clone())
    };
    assert_eq!(result("1"), result("3"));
}

#[test]
fn another_program_can_take_part() {
    let program = env!("CARGO_BIN_EXE_boardwright");
    let file = game("chess");
    for protocol in ["uci", "ugi"] {
        let other = format!("{protocol}:'{program}' engine '{file}';setoption name Level value 1");
        let args = ["match", &file, "--engines", "random", &other];
        let more = ["--games", "2", "--nodes", "300", "--max-plies", "60", "--json"];
        let said = run(&[&args[..], &more].concat(), "");
        let value: serde_json::Value = serde_json::from_str(&said.out)
            .unwrap_or_else(|_| panic!("{protocol}: {}{}", said.out, said.err));
        assert_eq!(value["games"], 2, "{value}");
        let other = &value["engines"][1];
        assert!(other["illegal"] == 0 && other["silent"] == 0, "{value}");
        assert!(other["moves"].as_u64().unwrap() > 10, "{value}");
    }
}

#[test]
fn a_program_that_cannot_play_loses_or_is_named() {
    let file = game("tic-tac-toe");
    let args = ["match", &file, "--games", "2", "--engines", "random"];
    let said = run(&[&args[..], &["uci:no-such-program-here"]].concat(), "");
    assert_eq!(said.code, 1);
    assert!(said.err.contains("cannot start `no-such-program-here`"), "{}", said.err);
    let said = run(&[&args[..], &["level:12"]].concat(), "");
    assert!(said.err.contains("a number from 1 to 10 is wanted"), "{}", said.err);
    let said = run(&["match", &game("fifteen-puzzle"), "--engines", "full", "random"], "");
    assert!(said.err.contains("a match needs two players"), "{}", said.err);
}

/// A program that answers everything, and every time with a move that is none.
#[cfg(unix)]
#[test]
fn illegal_moves_are_counted_and_lose() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().unwrap();
    let script = dir.path().join("cheat");
    let text = "#!/bin/sh\nwhile read line; do case $line in\n\
        uci) echo uciok;; isready) echo readyok;; quit) exit;;\n\
        go*) echo bestmove z9z9;; esac; done\n";
    fs::write(&script, text).unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    let cheat = format!("uci:{}", script.display());
    let file = game("tic-tac-toe");
    let said = run(&["match", &file, "--engines", "random", &cheat, "--games", "4", "--json"], "");
    let value: serde_json::Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!((&value["won"], &value["engines"][1]["illegal"]), (&4.into(), &4.into()), "{value}");
}

#[test]
fn seats_go_round_among_many_players() {
    let args = ["match", &game("four-handed-chess"), "--engines", "greedy", "random"];
    let more = ["--games", "4", "--max-plies", "30", "--json"];
    let said = run(&[&args[..], &more].concat(), "");
    let value: serde_json::Value =
        serde_json::from_str(&said.out).unwrap_or_else(|_| panic!("{}", said.err));
    assert_eq!(value["games"], 4, "{value}");
    assert!(value["engines"][0]["moves"].as_u64().unwrap() > 20, "{value}");
}

#[test]
fn the_engine_can_be_played_against() {
    let file = game("tic-tac-toe");
    let args = ["play", &file, "--opponent", "10", "--time", "50ms"];
    let said = run(&args, "1\nhint\nvalues\nundo\n2\nlevel 3\nlevel 11\ntime 20ms\n");
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(said.out.matches(": ").count() > 2, "{}", said.out);
    assert!(said.out.contains("The engine plays at level 3."), "{}", said.out);
    assert!(said.out.contains("say how strong: `level 1` to `level 10`"), "{}", said.out);
    assert!(said.out.contains("The engine takes 20 ms a move."), "{}", said.out);
    let said = run(&["play", &game("chess"), "--time", "50ms"], "engine\nvalues\nhint\n");
    assert!(said.out.contains("name a player: `engine White or Black`"), "{}", said.out);
    assert!(said.out.contains("King    its loss ends the game"), "{}", said.out);
    let value = |name: &str| {
        let row = said.out.lines().find(|it| it.trim_start().starts_with(name)).unwrap();
        row.split_whitespace().last().unwrap().parse::<i32>().unwrap()
    };
    assert!(value("Queen") > value("Rook") && value("Rook") > value("Pawn"), "{}", said.out);
    let said = run(&["play", &game("fifteen-puzzle"), "--opponent", "3"], "");
    assert!(said.err.contains("this is a game for one"), "{}", said.err);
}

#[test]
fn the_engine_never_loses_tic_tac_toe() {
    let file = game("tic-tac-toe");
    let args = ["match", &file, "--engines", "full", "random", "--opening-plies", "0"];
    let said = run(&[&args[..], &["--games", "20", "--nodes", "20000", "--json"]].concat(), "");
    let value: serde_json::Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!(value["lost"], 0, "{value}");
}
