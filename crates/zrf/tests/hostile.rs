//! Files made to hang, crash or eat the machine.
//!
//! None may take more than the limits allow, and what is spent is counted in
//! words and bytes, never in seconds. All run on a stack of two megabytes, with
//! the deep frames of a build without optimisation.

use std::thread;

use boardwright_zrf::{CompileLimits, NoFiles, load};

/// Loads and checks a file; the codes of its messages, and how often each came.
fn codes(bytes: &[u8]) -> Vec<(&'static str, usize)> {
    let bytes = bytes.to_vec();
    let small = thread::Builder::new().stack_size(2 << 20);
    let worker = small.spawn(move || {
        let mut file = load("pond.zrf", &bytes, &mut NoFiles, &CompileLimits::default());
        file.check();
        let mut found: Vec<(&'static str, usize)> = Vec::new();
        for diagnostic in file.diagnostics() {
            match found.iter_mut().find(|(code, _)| *code == diagnostic.code.0) {
                Some((_, n)) => *n += 1,
                None => found.push((diagnostic.code.0, 1)),
            }
        }
        file.expanded(&mut Bounded(1 << 20)).ok();
        found
    });
    worker.expect("a thread starts").join().expect("nothing panics")
}

/// Takes a number of bytes and then fails.
struct Bounded(usize);

impl std::fmt::Write for Bounded {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.0 = self.0.checked_sub(text.len()).ok_or(std::fmt::Error)?;
        Ok(())
    }
}

fn only(bytes: impl AsRef<[u8]>, code: &str) {
    let found = codes(bytes.as_ref());
    assert!(found.iter().any(|(it, _)| *it == code), "{found:?}");
    assert!(found.iter().map(|(_, n)| n).sum::<usize>() <= 3, "{found:?}");
}

/// Compiling ends because steps or memory ran out, with one message.
fn runs_out(bytes: impl AsRef<[u8]>) {
    let found = codes(bytes.as_ref());
    let is_limit = |it: &&(&str, usize)| ["Z0009", "Z0023"].contains(&it.0);
    assert_eq!(found.iter().filter(is_limit).count(), 1, "{found:?}");
    assert!(found.iter().map(|(_, n)| n).sum::<usize>() <= 3, "{found:?}");
}

/// A game on a board of one position, with this piece and these sections.
fn game(moves: &str, sections: &str) -> String {
    let frame = "(game (title \"Pond\") (players White) (turn-order White) ";
    let board = "(board (positions (a1 0 0 9 9)) (links n (a1 a1))) ";
    let setup = "(board-setup (White (Wolf a1)))";
    format!("{frame}{board}(piece (name Wolf) (moves {moves})) {setup} {sections})\n")
}

#[test]
fn macros_that_double_forty_times() {
    let mut text = game("((m0) add)", "");
    for level in 0..40 {
        text.push_str(&format!("(define m{level} (m{}) (m{}))\n", level + 1, level + 1));
    }
    text.push_str("(define m40 n)");
    runs_out(text);
}

#[test]
fn macros_that_double_forty_times_into_nothing() {
    let mut text = game("((m0) add)", "");
    for level in 0..40 {
        text.push_str(&format!("(define m{level} (m{}) (m{}))\n", level + 1, level + 1));
    }
    text.push_str("(define m40)");
    runs_out(text);
}

#[test]
fn macros_that_pass_doubled_arguments() {
    let mut text = game("((m0 n) add)", "");
    for level in 0..40 {
        text.push_str(&format!("(define m{level} (m{} $1 $1) $1 (m{}))\n", level + 1, level + 1));
    }
    text.push_str("(define m40 $1 $2)");
    runs_out(text);
}

#[test]
fn macros_that_call_themselves() {
    only(game("((hop) add)", "") + "(define hop n (hop))", "Z0022");
    only(game("((hop) add)", "") + "(define hop (hop) (hop))", "Z0022");
    only(game("((hop) add)", "") + "(define hop (skip n)) (define skip $1 (hop e))", "Z0022");
    only(game("((hop x) add)", "") + "(define hop (hop (hop $1)))", "Z0022");
    only("(define hop (hop)) (hop)", "Z0022");
}

#[test]
fn a_call_as_the_argument_of_itself() {
    let mut text = game("((m0 (m0 (m0 n))) add)", "");
    for level in 0..30 {
        text.push_str(&format!("(define m{level} (m{} (m{} $1)))\n", level + 1, level + 1));
    }
    text.push_str("(define m30 $1 $1)");
    runs_out(text);
}

#[test]
fn pasted_text_that_doubles() {
    let mut text = game("(n add)", "(m0 \"wolf\")");
    for level in 0..40 {
        text.push_str(&format!("(define m{level} (m{} \"$1$1\"))\n", level + 1));
    }
    text.push_str("(define m40 (description \"$1\"))");
    only(text, "Z0025");
}

#[test]
fn a_pasted_call_that_pastes_a_call() {
    let mut text = game("((m0 (m1 n)) add)", "");
    for level in 0..60 {
        text.push_str(&format!("(define m{level} (m{} x$1$1 (m{} $1)))\n", level + 1, level + 1));
    }
    text.push_str("(define m60 w$1)");
    let found = codes(text.as_bytes());
    assert!(!found.is_empty(), "{found:?}");
}

#[test]
fn a_million_parentheses() {
    only("(".repeat(1_000_000), "Z0006");
    only(")".repeat(1_000_000), "Z0005");
    let found = codes("()".repeat(900_000).as_bytes());
    assert_eq!(found, [("Z0030", 1), ("Z0040", 500)]);
}

#[test]
fn ten_megabytes() {
    only("a ".repeat(5 << 20), "Z0002");
    only(format!("(define pond {})", "a ".repeat(3 << 20)), "Z0007");
    let found = codes("a ".repeat(3 << 20).as_bytes());
    assert!(found.iter().map(|(_, n)| n).sum::<usize>() <= 501, "{found:?}");
    let found = codes("(a)".repeat(600_000).as_bytes());
    assert!(found.iter().map(|(_, n)| n).sum::<usize>() <= 501, "{found:?}");
}

#[test]
fn grids_beyond_counting() {
    let board = |grid: &str| {
        format!("(game (title \"Pond\") (players White) (turn-order White) (board {grid}))")
    };
    // Sixty thousand labels in each of five dimensions: the product needs 80 bits.
    let labels = "x/".repeat(60_000);
    let dimension = format!("(\"{labels}\" (1 1))");
    only(board(&format!("(grid (dimensions {}))", dimension.repeat(5))), "Z0061");
    let edge = "99999999999999999999999";
    let found = codes(board(&format!("(positions (a1 {edge} 0 1 1))")).as_bytes());
    assert!(found.iter().any(|(it, _)| *it == "Z0046"), "{found:?}");
    let steps = "(grid (start-rectangle 2147483647 0 2147483647 0) \
                 (dimensions (\"a/b/c\" (2147483647 -2147483648))) (directions (n 2147483647)))";
    codes(board(steps).as_bytes());
    let labels: String = (0..16_384).map(|it| format!("s{it}/")).collect();
    let directions: String = (0..900).map(|it| format!("(d{it} {it})")).collect();
    let wide =
        format!("(grid (dimensions (\"{}\" (1 1))) (directions {directions}))", &labels[..80_000]);
    only(board(&wide), "Z0061");
}

#[test]
fn a_hundred_thousand_variants() {
    let mut text = game("(n add)", "");
    for idx in 0..100_000 {
        text.push_str(&format!("(variant (title \"{idx}\"))\n"));
    }
    only(text, "Z0038");
}

#[test]
fn two_thousand_variants_of_a_large_game() {
    let blocks = "(n (while empty? n add) (verify not-friend?) add) ".repeat(500);
    let mut text = game(&blocks, "");
    for idx in 0..1990 {
        text.push_str(&format!("(variant (title \"{idx}\") (piece (name P{idx})))\n"));
    }
    codes(text.as_bytes());
}

#[test]
fn a_million_arguments() {
    let many = "n ".repeat(1_000_000);
    codes((game(&format!("((hop {many}) add)"), "") + "(define hop $1)").as_bytes());
    // Each of these calls inherits all of them.
    let calls = "(hop) ".repeat(1000);
    let text = game(&format!("((all {many}) add)"), "") + "(define hop $1)";
    runs_out(format!("{text}(define all {calls})"));
}

#[test]
fn strange_bytes() {
    only(b"\0\0\0\0\0\0\0\0\0\0\0\0".repeat(100), "Z0001");
    only((0..=255u8).collect::<Vec<_>>().repeat(100), "Z0001");
    let mut text = game("(n add)", "").into_bytes();
    text.splice(0..0, *b"\0\0");
    text.extend(*b"\x1a\0");
    assert_eq!(codes(&text), []);
    // UTF-16 whose surrogates stand alone.
    let words = std::iter::repeat_n(0xD800u16, 5000);
    let bytes: Vec<u8> = [0xFEFFu16].into_iter().chain(words).flat_map(u16::to_le_bytes).collect();
    only(bytes, "Z0001");
    let odd = [0xFF, 0xFE, b'('];
    assert!(!codes(&odd).is_empty());
}

#[test]
fn a_hundred_thousand_slips_of_the_pen() {
    let macros: String = (0..100_000).map(|it| format!("(define macro{it} n)")).collect();
    let calls: String = (0..100_000).map(|it| format!("(makro{it})")).collect();
    let found = codes((game(&format!("({calls} add)"), "") + &macros).as_bytes());
    assert_eq!(found, [("Z0100", 500)]);
}

#[test]
fn a_hundred_thousand_types_of_moves() {
    let blocks: String =
        (0..100_000).map(|it| format!("(move-type t{it}) (n (add-partial t{it}))")).collect();
    only(game(&blocks, ""), "Z0052");
}

#[test]
fn a_large_board_built_again_for_each_variant() {
    let labels: String = (0..16_000).map(|it| format!("/s{it}")).collect();
    let board = format!("(board (grid (dimensions (\"a1{labels}\" (1 1))) (directions (n 1))))");
    let rest = "(piece (name Wolf)) (board-setup (White (Wolf a1))))\n";
    let mut text =
        format!("(game (title \"Pond\") (players White) (turn-order White) {board} {rest}");
    for idx in 0..1000 {
        text.push_str(&format!("(variant (title \"{idx}\") (players White P{idx}))\n"));
    }
    runs_out(text);
}

#[test]
fn zones_of_all_players_on_a_large_board() {
    let labels: String = (0..16_000).map(|it| format!("/s{it}")).collect();
    let players: String = (0..64).map(|it| format!("p{it} ")).collect();
    let zones: String = (0..4096).map(|it| format!("(zn z{it})")).collect();
    let macros = "(define zn (zone (name $1) (players (all)) (positions s15999)))\n";
    let board = format!("(board (grid (dimensions (\"a1{labels}\" (1 1)))) {zones})");
    let rest = "(piece (name Wolf)) (board-setup (p1 (Wolf a1))))\n";
    let frame = "(game (title \"Pond\") (players (all)) (turn-order p1)";
    let text = format!("(define all {players}) {macros} {frame} {board} {rest}");
    runs_out(text);
}

/// Wraps `core` `depth` times, as written.
fn nested(open: &str, core: &str, close: &str, depth: usize) -> String {
    format!("{}{core}{}", open.repeat(depth), close.repeat(depth))
}

/// The same with a macro a level, so that the text itself is flat.
fn nested_by_macros(open: &str, core: &str, close: &str, depth: usize) -> String {
    let mut text = String::new();
    for level in 0..depth {
        text.push_str(&format!("(define m{level} {open} (m{}) {close})\n", level + 1));
    }
    format!("{text}(define m{depth} {core})\n")
}

#[test]
fn deep_conditions_and_branches() {
    let shapes = [
        ("(if empty? ", "n", ")"),
        ("(if empty? n else ", "n", ")"),
        ("(while empty? ", "n", ")"),
        ("(verify (not ", "empty?", "))"),
    ];
    for (open, core, close) in shapes {
        for depth in [100, 390, 5000] {
            codes(game(&format!("({} add)", nested(open, core, close, depth)), "").as_bytes());
        }
    }
    for (open, close) in [("(not ", ")"), ("(and empty? ", ")"), ("(or (", "))"), ("(", ")")] {
        for depth in [100, 390, 5000] {
            let condition = nested(open, "empty?", close, depth);
            codes(game(&format!("((verify {condition}) add)"), "").as_bytes());
            let goal =
                format!("(win-condition (White) {})", nested(open, "stalemated", close, depth));
            codes(game("(n add)", &goal).as_bytes());
        }
        for depth in [100, 250, 300] {
            let macros = nested_by_macros(open, "empty?", close, depth);
            codes((game("((verify (m0)) add)", "") + &macros).as_bytes());
            codes((game("(n add)", "(win-condition (White) (m0))") + &macros).as_bytes());
        }
    }
    for depth in [100, 250, 300] {
        let macros = nested_by_macros("(if empty? (while friend?", "n", "))", depth);
        codes((game("((m0) add)", "") + &macros).as_bytes());
    }
    // Twenty lists a level: as deep as calls and lists together can make it.
    let macros = nested_by_macros(&"(if empty? ".repeat(20), "n", &")".repeat(20), 250);
    only(game("((m0) add)", "") + &macros, "Z0006");
    let macros = nested_by_macros(&"(x ".repeat(20), "n", &")".repeat(20), 250);
    only(format!("(game (m0))\n{macros}"), "Z0040");
}

#[test]
fn a_long_string_that_expand_would_print_a_million_times() {
    let mut text = format!("(define m0 \"{}\")", "wolf ".repeat(400));
    for n in 1..20 {
        text.push_str(&format!("(define m{n} (m{0}) (m{0}))", n - 1));
    }
    text.push_str("(game (title \"Pond\") (description (m19)))");
    let limits = CompileLimits { printed_bytes: 1 << 20, ..CompileLimits::default() };
    let mut file = load("pond.zrf", text.as_bytes(), &mut NoFiles, &limits);
    let mut printed = String::new();
    file.expanded(&mut printed).expect("a string takes everything");
    assert!(printed.len() <= limits.printed_bytes, "{}", printed.len());
    assert!(file.diagnostics().iter().any(|it| it.code.0 == "Z0023"));
}
