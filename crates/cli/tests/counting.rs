//! The commands that count: `perft` and `bench`.

#![expect(clippy::unwrap_used, reason = "a test may stop where it stands")]

use std::{path::PathBuf, process::Command};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn game(name: &str) -> String {
    root().join(format!("games/{name}/{name}.zrf")).display().to_string()
}

/// What the program writes; it must succeed.
fn out(args: &[&str]) -> String {
    let program = env!("CARGO_BIN_EXE_boardwright");
    let output = Command::new(program).args(args).current_dir(root()).output().unwrap();
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Whatever the form of the rules, and however many threads count.
#[test]
fn perft_counts_the_same_in_all_ways() {
    let cases: &[(&str, &[&str])] = &[
        ("chess", &["-d", "3"]),
        ("chess", &["-d", "3", "--divide"]),
        ("chess", &["-d", "2", "--divide", "--play", "e2e4; e7e5; g1f3"]),
        ("chess", &["-d", "3", "--play", "g1f3; g8f6; f3g1; f6g8; g1f3; g8f6; f3g1"]),
        ("english-draughts", &["-d", "6", "--turns"]),
        ("english-draughts", &["-d", "5", "--turns", "--divide"]),
        ("amazons", &["-d", "2", "--variant", "Amazons 6x6"]),
        ("reversi", &["-d", "4", "--divide"]),
        ("hex", &["-d", "3", "--variant", "Hex 7x7"]),
        ("tic-tac-toe", &["-d", "9"]),
        ("senet", &["-d", "3", "--divide"]),
        ("ludo", &["-d", "3"]),
        ("dodgem", &["-d", "0"]),
    ];
    for (name, more) in cases {
        let file = game(name);
        let with = |extra: &[&str]| {
            let args: Vec<&str> =
                ["perft", &file].iter().chain(*more).chain(extra).copied().collect();
            out(&args)
        };
        let plain = with(&["--plain", "--threads", "1"]);
        assert!(plain.lines().last().unwrap().starts_with("perft "), "{plain}");
        for extra in [
            &[][..],
            &["--bulk"],
            &["--threads", "1"],
            &["--threads", "3"],
            &["--plain", "--threads", "3"],
        ] {
            assert_eq!(with(extra), plain, "{name} {more:?} {extra:?}");
        }
    }
}

#[test]
fn perft_goes_deep_where_there_is_little_choice() {
    let file = game("towers-of-hanoi");
    let said = out(&["perft", &file, "-d", "12", "--threads", "2", "--bulk"]);
    assert_eq!(said, out(&["perft", &file, "-d", "12", "--plain"]));
    let file = game("pong-hau-ki");
    let said = out(&["perft", &file, "-d", "14", "--threads", "2"]);
    assert_eq!(said, out(&["perft", &file, "-d", "14", "--plain"]));
}

/// `playouts/s X, moves/s Y, mean plies Z`
fn rates(line: &str) -> [f64; 3] {
    let mut parts = line.split(", ");
    let mut number = |name: &str| -> f64 {
        let part = parts.next().unwrap();
        part.strip_prefix(name).unwrap_or_else(|| panic!("{line}")).parse().unwrap()
    };
    [number("playouts/s "), number("moves/s "), number("mean plies ")]
}

#[test]
fn bench_tells_rates_in_its_last_line() {
    let file = game("tic-tac-toe");
    for more in [
        &["--seconds", "0.05"][..],
        &["--seconds", "0.05", "--plain"],
        &["--seconds", "0.05", "--threads", "2"],
        &["--seconds", "0.05", "--variant", "Losing Tic-Tac-Toe"],
        &["--playouts", "500"],
    ] {
        let args: Vec<&str> = ["bench", &file].iter().chain(more).copied().collect();
        let said = out(&args);
        let [playouts, moves, plies] = rates(said.lines().last().unwrap());
        assert!(playouts > 100.0 && moves > playouts && (5.0..9.0).contains(&plies), "{said}");
    }
    let few = out(&["bench", &file, "--playouts", "10", "--max-plies", "3"]);
    assert_eq!(rates(few.lines().last().unwrap())[2], 3.0);
}

#[test]
fn bench_plays_the_same_games_from_the_same_seed() {
    let file = game("breakthrough");
    let plies = |seed: &str| {
        let said = out(&["bench", &file, "--playouts", "7", "--seed", seed]);
        rates(said.lines().last().unwrap())[2]
    };
    assert_eq!(plies("5"), plies("5"));
    assert_ne!(plies("5"), plies("6"));
}

#[test]
fn the_suite_has_a_line_for_each_game() {
    let said = out(&["bench", "--suite", "--seconds", "0.01", "--scale", "2"]);
    let lines: Vec<&str> = said.lines().collect();
    for game in ["Tic-Tac-Toe", "Hex 11x11", "Reversi", "Chess, to the end"] {
        let line = lines.iter().find(|it| it.starts_with(game)).unwrap();
        let numbers: Vec<f64> =
            line[24..].split_whitespace().filter_map(|it| it.parse().ok()).collect();
        let (here, scaled) = (numbers[0], numbers[1]);
        assert!(here > 0.0 && (scaled - 2.0 * here).abs() < 0.02, "{line}");
    }
    assert!(lines.last().unwrap().ends_with(" reach their target"), "{said}");
}
