//! The commands that think: `engine`, `match`, `think`, `solve`, and `play` with an opponent.

#![expect(clippy::unwrap_used, reason = "a test may stop where it stands")]

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    path::PathBuf,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    time::{Duration, Instant},
};

/// What a run of the program said, and how it ended.
struct Said {
    out: String,
    err: String,
    code: i32,
}

fn run(args: &[&str], input: &[u8]) -> Said {
    let mut child = command(args).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    let output = child.wait_with_output().unwrap();
    Said {
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
        code: output.status.code().unwrap(),
    }
}

fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_boardwright"));
    // What somebody trained on this machine must not change what is tested.
    command.env("BOARDWRIGHT_DATA", "/no/such/folder");
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped());
    command
}

fn game(name: &str) -> String {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    here.join("../../games").join(name).display().to_string()
}

fn chess() -> String {
    game("chess/chess.zrf")
}

fn tic_tac_toe() -> String {
    game("tic-tac-toe/tic-tac-toe.zrf")
}

/// A conversation with `boardwright engine`.
struct Talk {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

impl Talk {
    fn new(file: &str) -> Talk {
        let mut child = command(&["engine", file]).spawn().unwrap();
        let to = child.stdin.take().unwrap();
        let from = BufReader::new(child.stdout.take().unwrap());
        Talk { child, to, from }
    }

    fn say(&mut self, line: &str) {
        writeln!(self.to, "{line}").unwrap();
    }

    /// Reads until a line begins with a word; gives that line.
    fn hear(&mut self, word: &str) -> String {
        loop {
            let mut line = String::new();
            assert_ne!(self.from.read_line(&mut line).unwrap(), 0, "it ended before `{word}`");
            if line.split_whitespace().next() == Some(word) {
                return line.trim().to_owned();
            }
        }
    }

    fn ask(&mut self, line: &str, word: &str) -> String {
        self.say(line);
        self.hear(word)
    }
}

#[test]
fn chess_programs_are_understood() {
    let mut talk = Talk::new(&chess());
    talk.ask("uci", "uciok");
    talk.say("ucinewgame");
    talk.ask("isready", "readyok");
    talk.say("position startpos moves f2f3 e7e5 g2g4");
    assert!(talk.ask("go nodes 3000", "bestmove").starts_with("bestmove d8h4"));
    talk.say("position fen 8/4P1k1/8/8/8/8/6K1/8 w - - 0 1");
    assert!(talk.ask("go nodes 3000", "bestmove").starts_with("bestmove e7e8q"));
    // Castling is written as the king's two steps.
    talk.say("position startpos moves e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1");
    assert_eq!(talk.ask("query p2turn", "response"), "response true");
    talk.say("quit");
    assert!(talk.child.wait().unwrap().success());
}

#[test]
fn any_game_is_spoken_about_in_ugi() {
    let mut talk = Talk::new(&tic_tac_toe());
    talk.ask("ugi", "ugiok");
    talk.say("position startpos moves Token@b2 Token@a1 Token@c1 Token@c3");
    assert_eq!(talk.ask("query gameover", "response"), "response false");
    assert_eq!(talk.ask("query result", "response"), "response none");
    assert_eq!(talk.ask("query p1turn", "response"), "response true");
    // a3 wins: the move must be found, and leads to the end.
    assert!(talk.ask("go depth 4", "bestmove").starts_with("bestmove Token@a3"));
    talk.say("position startpos moves Token@b2 Token@a1 Token@c1 Token@c3 Token@a3");
    assert_eq!(talk.ask("query gameover", "response"), "response true");
    assert_eq!(talk.ask("query result", "response"), "response p1win");
    assert_eq!(talk.ask("go nodes 10", "bestmove"), "bestmove (none)");
}

#[test]
fn stop_is_heard_at_once() {
    let mut talk = Talk::new(&chess());
    talk.ask("isready", "readyok");
    talk.say("go infinite");
    talk.hear("info");
    let began = Instant::now();
    talk.ask("stop", "bestmove");
    // Far more than is needed, for machines that have much to do.
    assert!(began.elapsed() < Duration::from_secs(2));
    // Even before it has begun.
    talk.say("go infinite");
    talk.ask("stop", "bestmove");
}

#[test]
fn nonsense_is_answered_and_never_the_end() {
    let lines = "go\nstop\nposition\nposition fen\nposition fen x/y w\nposition moves e2e4\n\
                 position startpos moves e2e5\nposition state on; moves\nsetoption\n\
                 setoption name Level value 99\nsetoption name Threads value -1\n\
                 setoption name\nquery\nquery p0turn\nquery p99999999999999999999turn\n\
                 go depth banana\nstop\ngo nodes 18446744073709551616\nstop\n\u{0}\u{7f}\nxyzzy\n";
    let mut input = lines.as_bytes().to_vec();
    input.extend(b"\xff\xfe\n");
    input.extend(b"position startpos moves e2e4\ngo nodes 50\n");
    let said = run(&["engine", &chess()], &input);
    assert_eq!((said.code, said.err.as_str()), (0, ""));
    assert!(said.out.contains("info string move 1, `e2e5`, is not legal"), "{}", said.out);
    assert!(said.out.contains("bestmove "), "{}", said.out);
}

#[test]
fn a_match_is_counted_and_saved_and_can_be_had_again() {
    let dir = tempfile::tempdir().unwrap();
    let saves = dir.path().display().to_string();
    let (file, rules) = (tic_tac_toe(), game("tic-tac-toe"));
    let mut args = vec!["match", &file, "--engines", "nodes:2000", "random"];
    args.extend(["--games", "6", "--nodes", "100", "--save-dir", &saves, "--concurrency", "2"]);
    // After random moves a game may be lost already.
    args.extend(["--opening-plies", "0"]);
    let said = run(&args, b"");
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(said.out.starts_with("Tic-Tac-Toe: nodes:2000 against random\n6 games: +"));
    assert!(said.out.contains(" -0, score "), "it never loses: {}", said.out);
    assert!(said.out.contains("random: 0 illegal, 0 late"), "{}", said.out);
    let table = fs::read_to_string(dir.path().join("games.tsv")).unwrap();
    assert_eq!(table.lines().count(), 7, "{table}");
    let first = dir.path().join("0001.zsg");
    let bytes = fs::read(&first).unwrap();
    let last = dir.path().join("0006.zsg").display().to_string();
    let shown = first.display().to_string();
    let replayed = run(&["replay", &shown, &last, "--rules", &rules], b"");
    assert!(replayed.out.contains("2 saves: 2 complete"), "{}", replayed.out);
    run(&args, b"");
    assert_eq!(fs::read(&first).unwrap(), bytes, "the same seed gives the same game");
}

#[test]
fn other_programs_take_part_in_matches() {
    let file = tic_tac_toe();
    let other = env!("CARGO_BIN_EXE_boardwright");
    let ugi = format!("ugi:'{other}' engine '{file}';setoption name Level value 1");
    let mut args = vec!["match", &file, "--engines", "nodes:2000", &ugi, "--games", "4"];
    args.extend(["--time", "2s", "--opening-plies", "0"]);
    let said = run(&args, b"");
    assert!(said.out.contains(" -0, score "), "{}{}", said.out, said.err);
    assert_eq!(said.out.matches("0 illegal, 0 late;").count(), 2, "{}", said.out);
    // A chess program that speaks of another game makes illegal moves.
    let uci = format!("uci:'{other}' engine '{}'", chess());
    let args = ["match", &file, "--engines", "random", &uci, "--games", "2", "--nodes", "50"];
    let said = run(&args, b"");
    assert!(said.out.contains("2 games: +2 =0 -0"), "{}", said.out);
    assert!(said.out.contains("2 illegal"), "{}", said.out);
}

#[test]
fn matches_that_cannot_be_are_refused() {
    let sokoban = game("sokoban/sokoban.zrf");
    let said = run(&["match", &sokoban, "--engines", "full", "random"], b"");
    assert_eq!(said.code, 1);
    assert!(said.err.contains("is a game for one"), "{}", said.err);
    let file = tic_tac_toe();
    let said = run(&["match", &file, "--engines", "full", "uci:/no/such/program"], b"");
    assert!(said.code == 1 && said.err.contains("cannot start"), "{}", said.err);
    let said = run(&["match", &file, "--engines", "full", "grand-master"], b"");
    assert!(said.code == 2 && said.err.contains("there is no engine"), "{}", said.err);
    let said = run(&["match", &file, "--engines", "full"], b"");
    assert_eq!(said.code, 2);
}

#[test]
fn seats_go_round_in_games_for_more_than_two() {
    let file = game("four-handed-chess/four-handed-chess.zrf");
    let dir = tempfile::tempdir().unwrap();
    let saves = dir.path().display().to_string();
    let mut args = vec!["match", &file, "--engines", "random", "greedy", "--games", "4"];
    args.extend(["--max-plies", "12", "--save-dir", &saves]);
    let said = run(&args, b"");
    assert!(said.out.contains("4 cut off as draws"), "{}{}", said.out, said.err);
    let table = fs::read_to_string(dir.path().join("games.tsv")).unwrap();
    let seats: Vec<_> = table.lines().skip(1).filter_map(|it| it.split('\t').nth(1)).collect();
    assert_eq!(seats, ["ABBB", "BAAA", "BABB", "ABAA"]);
}

#[test]
fn think_finds_the_move_and_says_what_it_is_worth() {
    let (file, before) = (chess(), "Pawn f2 - f3; Pawn e7 - e5; Pawn g2 - g4");
    let said = run(&["think", &file, "--play", before, "--depth", "3", "--lines", "2"], b"");
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(said.out.contains("Best: Q d8 - h4 (Black wins in 1)"), "{}", said.out);
    let said = run(&["think", &file, "--save", "/no/such/save.zsg"], b"");
    assert_eq!(said.code, 1);
    let said = run(&["think", &file, "--time", "soon"], b"");
    assert_eq!(said.code, 2);
}

#[test]
fn solve_proves_or_says_that_it_did_not() {
    let said = run(&["solve", &tic_tac_toe()], b"");
    assert!(said.out.starts_with("Tic-Tac-Toe: a draw with best play\n"), "{}", said.out);
    assert_eq!(said.code, 0);
    let said = run(&["solve", &game("towers-of-hanoi/towers-of-hanoi.zrf")], b"");
    assert!(said.out.contains("solved in "), "{}{}", said.out, said.err);
    let said = run(&["solve", &chess(), "--nodes", "2000", "--memory", "8"], b"");
    assert!(said.out.contains("not solved; nobody has a forced win within"), "{}", said.out);
    assert_eq!(said.code, 1);
    let said = run(&["solve", &game("royal-ur/royal-ur.zrf")], b"");
    assert!(said.code == 1 && said.err.contains("has dice"), "{}", said.err);
}

#[test]
fn the_engine_plays_against_a_person() {
    let file = tic_tac_toe();
    let mut args = vec!["play", &file, "--opponent", "10", "--time", "100ms", "--seed", "1"];
    let said = run(&args, b"b2\nhint\nvalues\nundo\nmoves\nopponent off\nb2\nquit\n");
    assert_eq!(said.code, 0, "{}", said.err);
    // Once: not any more after `opponent off`.
    assert_eq!(said.out.matches("O: O Token ").count(), 1, "{}", said.out);
    assert!(said.out.contains("I would play "), "{}", said.out);
    assert!(said.out.contains("1000  Token"), "{}", said.out);
    // After `undo` the first move is to be made again: all nine are there.
    assert!(said.out.contains("\n   9  "), "{}", said.out);
    args.extend(["--seat", "O"]);
    let said = run(&args, b"opponent 11\nquit\n");
    assert!(said.out.contains("X: X Token "), "{}", said.out);
    assert!(said.out.contains("a level from 1 to 10"), "{}", said.out);
    let said = run(&["play", &file, "--opponent", "0"], b"");
    assert_eq!(said.code, 2);
}

#[test]
fn commands_that_come_all_at_once_are_all_answered() {
    let said = run(
        &["engine", &chess()],
        b"position startpos\ngo depth 3\nposition startpos moves e2e4\ngo depth 3\n\
          setoption name Level value 3\ngo nodes 50\ngo infinite\nstop\ngo depth 1\nquit\n",
    );
    assert_eq!(said.out.matches("bestmove").count(), 5, "{}", said.out);
    assert!(!said.out.contains("info string"), "{}", said.out);
    let said = run(&["engine", &chess()], b"go infinite\ngo depth 1\n");
    assert!(said.out.contains("`stop` first"), "{}", said.out);
    assert_eq!(said.out.matches("bestmove").count(), 1, "{}", said.out);
}

/// A rule file in a folder of its own.
fn rule_file(text: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("odd.zrf");
    fs::write(&path, text).unwrap();
    let path = path.display().to_string();
    (folder, path)
}

#[test]
fn a_game_in_which_only_chance_moves_is_answered() {
    let (_folder, file) = rule_file(
        "(game (title \"Dice\") (players ?Dice) (turn-order ?Dice)
            (board (grid (start-rectangle 0 0 9 9) (dimensions (\"a/b/c\" (10 0)))
                (directions (e 1))))
            (piece (name Stone) (moves (e (verify empty?) add)))
            (board-setup (?Dice (Stone a))))",
    );
    let mut talk = Talk::new(&file);
    talk.ask("isready", "readyok");
    talk.say("position startpos");
    assert!(talk.ask("go nodes 50", "bestmove").starts_with("bestmove"));
    talk.say("quit");
    assert!(talk.child.wait().unwrap().success());
}

#[test]
fn rules_without_an_end_are_named_when_a_move_is_asked_for() {
    let (_folder, file) = rule_file(
        "(game (title \"Loop\") (players White Black) (turn-order White Black)
            (board (grid (start-rectangle 0 0 9 9) (dimensions (\"a/b/c\" (10 0)))
                (directions (e 1))))
            (piece (name Dot) (moves ((while true (set-flag x true)) add)))
            (board-setup (White (Dot a)) (Black (Dot c))))",
    );
    let mut talk = Talk::new(&file);
    talk.say("position startpos");
    talk.say("go nodes 5");
    let why = talk.hear("info");
    assert!(why.contains("ran for more than"), "{why}");
    assert_eq!(talk.hear("bestmove"), "bestmove (none)");
    talk.say("quit");
    assert!(talk.child.wait().unwrap().success());
    let output = command(&["match", &file, "--engines", "full", "random", "--games", "2"]);
    let output = { output }.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("2 of them because the rules exceed their limits"), "{said}");
}

#[test]
fn a_depth_ends_a_search_by_random_games_too() {
    for name in ["hex/hex.zrf", "clobber/clobber.zrf", "royal-ur/royal-ur.zrf"] {
        let mut talk = Talk::new(&game(name));
        talk.say("position startpos");
        assert!(talk.ask("go depth 1", "bestmove").starts_with("bestmove"), "{name}");
        talk.say("quit");
        assert!(talk.child.wait().unwrap().success());
    }
}
