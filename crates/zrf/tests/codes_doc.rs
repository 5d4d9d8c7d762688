//! Keeps `docs/codes.md` and `docs/zrf.md` complete and their examples true.

#![expect(clippy::disallowed_methods, reason = "cases and documents are files")]

use std::{fs, path::Path};

use boardwright_zrf::{CODES, keywords, load, option_names};

#[path = "suite/setting.rs"]
mod setting;

use setting::{Memory, limits};

/// One entry of the document.
struct Entry {
    code: String,
    title: String,
    severity: String,
    /// What the example is put into, and limits to set.
    place: String,
    example: String,
    /// Files beside the example.
    files: Vec<(String, String)>,
}

fn read(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    fs::read_to_string(root.join(path)).expect("the file is there")
}

fn entries() -> Vec<Entry> {
    let text = read("docs/codes.md");
    text.split("\n## ").skip(1).map(entry).collect()
}

fn entry(text: &str) -> Entry {
    let (heading, rest) = text.split_once('\n').expect("an entry has a body");
    let (code, title) = heading.split_once(": ").expect("a heading is a code and a title");
    let field = |start: &str| {
        let mut lines = rest.lines().filter(|it| it.ends_with(['.', ':']));
        let line = lines.find_map(|it| it.strip_prefix(start));
        line.unwrap_or_else(|| panic!("{code} says `{start}`"))
            .trim_end_matches(['.', ':'])
            .to_owned()
    };
    let mut blocks = rest.split("```zrf\n").skip(1).map(|it| it.split("```").next().unwrap_or(""));
    let example = blocks.next().unwrap_or_else(|| panic!("{code} has an example")).to_owned();
    let names = rest.lines().filter_map(|it| it.strip_prefix("Beside it, `")?.strip_suffix("`:"));
    let files = names.map(str::to_owned).zip(blocks.map(str::to_owned)).collect();
    assert!(rest.contains("How to fix it:\n"), "{code} says how to fix it");
    let severity = field("Severity: ");
    let place = field("In ");
    Entry { code: code.to_owned(), title: title.to_owned(), severity, place, example, files }
}

#[test]
fn every_code_is_explained() {
    let expected: Vec<_> =
        CODES.iter().map(|(code, title)| (code.0.to_owned(), (*title).to_owned())).collect();
    let found: Vec<_> = entries().into_iter().map(|it| (it.code, it.title)).collect();
    assert_eq!(found, expected, "docs/codes.md has the codes and titles of errors.rs, in order");
}

#[test]
fn every_example_gives_its_code() {
    let base = read("tests/suite/base.inc");
    for entry in entries() {
        let (place, limit) = entry.place.split_once(", with ").unwrap_or((&entry.place, ""));
        let example = &entry.example;
        let text = match place {
            "a file" => example.clone(),
            "a game" => format!("(ends {example})\n{base}"),
            "a board" => format!("(on-board {example})\n{base}"),
            "`moves`" => format!("(wolf {example})\n{base}"),
            other => panic!("{}: nothing is called {other}", entry.code),
        };
        let mut files = vec![("pond.zrf".to_owned(), String::new())];
        files.extend(entry.files);
        let mut file = load("pond.zrf", text.as_bytes(), &mut Memory(&files), &limits(&[limit]));
        file.check();
        let found = file.diagnostics();
        let mut own = found.iter().filter(|it| it.code.0 == entry.code).peekable();
        assert!(own.peek().is_some(), "{}: the example gives {found:#?}", entry.code);
        for diagnostic in own {
            let severity = if diagnostic.is_error() { "error" } else { "warning" };
            assert!(entry.severity.contains(severity), "{} is an {severity}", entry.code);
        }
    }
}

#[test]
fn the_reference_names_every_keyword_and_option() {
    let text = read("docs/zrf.md");
    let mut words: Vec<_> =
        text.split(|it: char| it.is_whitespace() || "()`,;:…\"|".contains(it)).collect();
    words.sort_unstable();
    let missing: Vec<_> = keywords().filter(|it| words.binary_search(it).is_err()).collect();
    assert!(missing.is_empty(), "docs/zrf.md does not say {missing:?}");
    let missing: Vec<_> = option_names().filter(|it| !text.contains(&format!("`{it}`"))).collect();
    assert!(missing.is_empty(), "docs/zrf.md does not say {missing:?}");
}

#[test]
fn every_choice_in_the_reference_has_its_case() {
    let text = read("docs/zrf.md");
    let (_, choices) = text.split_once("## What we decided").expect("the section is there");
    let mut n_rows = 0;
    for case in choices.lines().filter_map(|it| it.rsplit_once("| `")?.1.strip_suffix("` |")) {
        let (file, name) = case.split_once(": ").expect("a case is a file and a name");
        let suite = read(&format!("tests/suite/{file}"));
        let header = format!(";;; {name}");
        let found = suite.lines().any(|it| it.split(" +").next().map(str::trim) == Some(&header));
        assert!(found, "{file} has no case {name}");
        n_rows += 1;
    }
    assert!(n_rows > 20, "the table is read");
}
