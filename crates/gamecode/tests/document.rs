//! Keeps `docs/game-code.md` complete and its claims tested.

#![expect(clippy::disallowed_methods, reason = "documents and tests are files")]

mod common;

use std::{fs, path::Path};

use boardwright_gamecode::{
    CODES, CodeLimits, Compiler, NoCodeFiles, commands, keywords, operators,
};
use common::check;

fn read(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    fs::read_to_string(root.join(path)).expect("the file is there")
}

#[test]
fn every_word_is_explained() {
    let text = read("docs/game-code.md");
    let mut words: Vec<_> =
        text.split(|it: char| it.is_whitespace() || "`();:,|".contains(it)).collect();
    words.sort_unstable();
    let all = commands().chain(operators()).chain(keywords());
    let missing: Vec<_> = all.filter(|it| words.binary_search(it).is_err()).collect();
    assert!(missing.is_empty(), "docs/game-code.md does not say {missing:?}");
}

#[test]
fn every_code_is_listed() {
    let text = read("docs/game-code.md");
    for (code, title) in CODES {
        assert!(text.contains(&format!("| {code} | {title} |")), "{code}: {title}");
    }
}

#[test]
fn every_choice_has_its_test() {
    let text = read("docs/game-code.md");
    let (_, choices) = text.split_once("## What we decided").expect("the section is there");
    let tests = ["commands", "document", "notation", "operators", "programs", "robustness"];
    let tests = tests.map(|it| read(&format!("crates/gamecode/tests/{it}.rs"))).concat();
    let tests = tests + &read("crates/preset/tests/runs.rs");
    let mut n_rows = 0;
    for name in choices.lines().filter_map(|it| it.rsplit_once("| `")?.1.strip_suffix("` |")) {
        assert!(tests.contains(&format!("fn {name}()")), "there is no test {name}");
        n_rows += 1;
    }
    assert!(n_rows > 25, "the tables are read");
}

#[test]
fn an_unknown_word_is_reported_before_it_runs() {
    let mut files = NoCodeFiles;
    let mut compiler = Compiler::new(CodeLimits::default(), &mut files);
    compiler.part("pond", "if false:\n  wolfe a;\nendif;\nsub wolf: endsub;");
    let program = compiler.finish();
    let [found] = program.diagnostics() else { panic!("one message: {:?}", program.diagnostics()) };
    assert_eq!(found.message, "`wolfe` is not a command, and no subroutine has that name");
    assert_eq!(found.hints, ["did you mean `wolf`?"]);
    let (name, at) = program.sources().line_col(found.span).expect("has a place");
    assert_eq!((name, at.line, at.column), ("pond", 2, 3));
    let listing = program.listing(Some(found.span));
    let marked: Vec<_> = listing.lines().filter(|it| it.starts_with('>')).collect();
    assert_eq!(marked, [">    2    wolfe a;"]);
}

#[test]
fn a_slip_in_an_operator_is_warned_of() {
    let mut files = NoCodeFiles;
    let mut compiler = Compiler::new(CodeLimits::default(), &mut files);
    compiler.part("pond", "def N checkleep #0 #1 1 2; print sub checkers; sub checkers: endsub;");
    let program = compiler.finish();
    let messages: Vec<_> = program.diagnostics().iter().map(|it| it.message.as_str()).collect();
    assert_eq!(messages, ["`checkleep` is not an operator, so it is taken as text"]);
    assert!(program.is_clean(), "a warning keeps nothing from running");
}

#[test]
fn a_comment_may_come_first() {
    check("// a start\necho a;", &["a"]);
}

#[test]
fn false_is_no_space() {
    check("print space false; print checkleap where a1 -1 0 b2 0 1;", &["false", "false"]);
    check("move false e4;", &["G0301: the board has no space `false`"]);
}

#[test]
fn operators_force_only_code() {
    check("set data (a b c); print cond true #data x;", &["a b c"]);
    check("set code (+ 1 2); print cond true #code x;", &["3"]);
}
