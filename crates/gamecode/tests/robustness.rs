//! Any text gives an answer or a clear error, within bounds.

#![expect(clippy::disallowed_methods, reason = "the environment makes tests longer")]

mod common;

use std::sync::Arc;

use boardwright_gamecode::{CodeLimits, Compiler, Machine, NoCodeFiles, SpaceMap, forsythe};
use common::{CHESS, STANDARD, Setting, check};

/// Compiles and runs whatever it is; gives the code of what stopped it.
fn survive(text: &str, steps: u64) -> String {
    let limits = CodeLimits { steps, ..CodeLimits::default() };
    let mut files = NoCodeFiles;
    let mut compiler = Compiler::new(limits, &mut files);
    let part = compiler.part("pond", text);
    let program = Arc::new(compiler.finish());
    let _ = program.listing(None);
    let cells = forsythe::read(CHESS, 8).expect("reads");
    let board = SpaceMap::grid(8, &cells, &[], &[]).expect("is a board");
    let mut machine = Machine::new(program, Arc::new(board), &cells, 1);
    let result = machine.run(part);
    let _ = machine.play(text);
    let _ = machine.constants();
    result.err().and_then(|it| it.diagnostic()).map_or("", |it| it.code.0).to_owned()
}

/// A small array of references to one long text, printed.
const LONG_REFERENCES: &str = "set s abcdefgh; for i range 1 12: set s join #s #s; next; \
     for i range 1 5000: push a #s; next; set t join #a #a;";

/// The same, to be kept.
const LONG_CONSTANT: &str = "set s abcdefgh; for i range 1 12: set s join #s #s; next; \
     for i range 1 50: push a #s; next; setconst c #a;";

#[test]
fn endless_things_end() {
    for (text, code) in [
        ("do: set a 1; loop;", "G0201"),
        ("for v (a): redo; next;", "G0201"),
        ("def f fn f; print fn f;", "G0202"),
        ("def f fn f #0; print fn f 1;", "G0202"),
        ("sub s: gosub s; endsub; gosub s;", "G0202"),
        ("sub s: return sub s; endsub; print sub s;", "G0202"),
        ("set a (eval #a); print eval #a;", "G0202"),
        ("set s \"eval #s\"; eval #s;", "G0202"),
        ("do: echo 0123456789012345678901234567890123456789; loop;", "G0204"),
        ("set a x; do: set a join #a #a; loop;", "G0203"),
        ("set a (x); do: set a merge #a #a; loop;", "G0203"),
        ("set a (x); do: set a (#a #a); loop;", "G0203"),
        ("set a (x); do: set a (#a); loop;", "G0203"),
        ("set i 0; do: push a #i; inc i; loop;", "G0203"),
        ("set i 0; do: inc i; set x join w #i; loop;", "G0203"),
        ("print range 0 99999999;", "G0203"),
        ("print range -9223372036854775808 9223372036854775807;", "G0203"),
        ("do: say x; loop;", "G0204"),
        ("do: store; restore; loop;", "G0201"),
        ("set i 0; do: inc i; set x join w #i; setflag #x; store; loop;", "G0201"),
        ("set i 0; do: inc i; set x join w #i; my #x; loop;", "G0203"),
        ("sub s: set i 0; do: inc i; set x join w #i; local #x; loop; endsub; gosub s;", "G0203"),
        (LONG_REFERENCES, "G0203"),
        (LONG_CONSTANT, "G0203"),
        ("for a spaces: next; for (a v) spaces: for (b v) spaces: setlegal #a #b; next; next;", ""),
    ] {
        assert_eq!(survive(text, 30_000_000), code, "{text}");
    }
}

#[test]
fn numbers_at_the_edge_do_no_harm() {
    check("print + 9223372036854775807 1;", &["9223372036854776000"]);
    check(
        "print - -9223372036854775808 1; print abs -9223372036854775808;",
        &["-9223372036854776000", "9223372036854775807"],
    );
    check(
        "print / -9223372036854775808 -1; print % -9223372036854775808 -1;",
        &["9223372036854776000", "0"],
    );
    check("print where e4 9223372036854775807 -9223372036854775808;", &["false"]);
    check(
        "print leaps e4 99999999999 1; print rand -5; print << 1 64; print sqrt -1;",
        &["", "0", "0", "NaN"],
    );
    check(
        "inc a 9223372036854775807; inc a; print #a; dec b -9223372036854775808; print #b;",
        &["9223372036854775807", "9223372036854775807"],
    );
    check("print substr abc -9223372036854775808 9223372036854775807;", &["abc"]);
    check("print chr -1; print chr 99999999999; print ** 2 99999;", &["", "", "inf"]);
}

#[test]
fn a_function_may_recurse_as_deep_as_it_says() {
    check("def f + 1 fn f dec #0 unless == #0 0 0; print fn f 300;", &["300"]);
    check(
        "sub down n: if == #n 0: return 0; endif; return + 1 sub down dec #n; endsub; print sub down 200;",
        &["200"],
    );
}

/// Pieces that make text which is nearly a program.
const PARTS: &[&str] = &[
    "set",
    "a",
    "#a",
    "#0",
    "#1",
    "?a",
    "(",
    ")",
    "\"",
    ";",
    ":",
    "\n",
    "//",
    "if",
    "else",
    "endif",
    "for",
    "next",
    "do",
    "loop",
    "while",
    "until",
    "never",
    "break",
    "continue",
    "redo",
    "sub",
    "endsub",
    "gosub",
    "return",
    "switch",
    "case",
    "default",
    "endswitch",
    "def",
    "fn",
    "lambda",
    "eval",
    "e4",
    "e2-e4",
    "MOVE:",
    "=a",
    "=b",
    "1",
    "-1",
    "1.5",
    "true",
    "null",
    "origin",
    "P",
    "local",
    "my",
    "static",
    "verify",
    "say",
    "die",
    "print",
    "echo",
    "9999999999999999999",
    "ä",
];

fn random_text(seed: u64, n_words: usize) -> String {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut next = |bound: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 33) as usize % bound
    };
    let words: Vec<&str> = boardwright_gamecode::commands()
        .chain(boardwright_gamecode::operators())
        .chain(boardwright_gamecode::keywords())
        .collect();
    let mut text = String::new();
    for _ in 0..n_words {
        let word = match next(3) {
            0 => words.get(next(words.len())),
            _ => PARTS.get(next(PARTS.len())),
        };
        text.push_str(word.copied().unwrap_or(""));
        if next(8) > 0 {
            text.push(' ');
        }
        if next(5) == 0 {
            text.push(';');
        }
    }
    text
}

#[test]
fn random_words_do_no_harm() {
    let n_texts =
        std::env::var("ROBUST_PROGRAMS").ok().and_then(|it| it.parse().ok()).unwrap_or(3000);
    for seed in 0..n_texts {
        survive(&random_text(seed, 60), 20_000);
    }
}

#[test]
fn operators_take_anything() {
    let values = ["", "e4", "(a (b) #0)", "-5", "1.5", "null", "true", "\"x y\"", "onlyupper"];
    for op in boardwright_gamecode::operators() {
        for first in values {
            for second in values {
                survive(&format!("set v {op} {first} {second} {first}; print #v;"), 100_000);
            }
        }
    }
}

#[test]
fn commands_take_anything() {
    let values = ["", "e4", "(a (b) #0)", "-5", "1.5", "null", "\"x y\"", "all", "#v"];
    for command in boardwright_gamecode::commands() {
        for first in values {
            for second in values {
                survive(&format!("set v (a b); {command} {first} {second}; echo #v;"), 100_000);
            }
        }
    }
}

#[test]
fn deep_text_is_refused() {
    for text in ["(".repeat(100_000), "if true:".repeat(5_000), "cond (".repeat(50_000)] {
        survive(&format!("print {text}"), 100_000);
        survive(&text, 100_000);
    }
}

#[test]
fn a_tight_budget_says_where_it_ran_out() {
    let setting = Setting { limits: Some(100), ..STANDARD };
    setting.check("do: inc i; loop;", &["G0201: the program stopped after 100 steps in one turn"]);
}
