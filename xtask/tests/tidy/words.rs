//! Plain standard English: words that readers stumbled over do not come back.

use std::collections::BTreeMap;

use xtask::scan::{Language, code_only, is_word};

use crate::{
    allowed::compare,
    files::{has_extension, text_of, tracked},
};

/// Phrases that no comment, message, document or page uses, and what to write instead.
const BANNED: &[(&str, &str)] = &[
    ("so many", "name the number and its unit"),
    ("so long", "name the time and its unit"),
    ("anew", "again, or what happens: is rebuilt, is written"),
    ("by lot", "at random, random"),
    ("mend", "fix, repair"),
    ("mends", "fixes, repairs"),
    ("mended", "fixed, repaired"),
    ("mending", "fixing, repairing"),
    ("comes to", "say what is computed, or reaches"),
    ("though it be", "even if it is"),
    ("be it", "whether"),
    ("situation", "state"),
    ("situations", "states"),
];

/// Longer phrases of plain English that contain a banned one.
const FINE: &[&str] = &["so long as", "when it comes to", "would be it", "may be it"];

/// Documentation that says nothing: a question word in place of a description.
const BARE: &[&str] = &[
    "which",
    "what",
    "where",
    "who",
    "whose",
    "whom",
    "how",
    "when",
    "why",
    "how many",
    "how much",
    "how long",
    "how often",
    "how far",
    "by whom",
    "to whom",
    "into what",
    "what for",
    "where to",
    "where from",
    "of whom",
    "of what",
    "by what",
    "then",
];

/// Files that name banned words on purpose.
const EXEMPT: &[&str] = &["GLOSSARY.md", "xtask/tests/tidy/words.rs", "xtask/tests/tidy/main.rs"];

fn texts() -> impl Iterator<Item = &'static String> {
    tracked().iter().filter(|it| {
        let is_text = has_extension(
            it,
            &["rs", "ts", "mjs", "js", "svelte", "md", "html", "css", "toml", "zrf"],
        );
        let is_script =
            ["run", "test", "web/build", "fuzz/run", "bench/instructions"].contains(&it.as_str());
        // Written by a test from comments that are checked where they stand.
        let is_generated = it.as_str() == "web/protocol/index.ts";
        (is_text || is_script) && !is_generated && !EXEMPT.contains(&it.as_str())
    })
}

#[test]
fn nothing_is_said_in_words_of_a_dialect() {
    let mut found = BTreeMap::new();
    for path in texts() {
        for (line, words) in phrases(&text_of(path)) {
            for (phrase, instead) in BANNED {
                let is_fine =
                    FINE.iter().any(|it| it.contains(phrase) && words.contains(&format!(" {it} ")));
                // In the rules of a game a piece may come to a row.
                let is_fine = is_fine || (*phrase == "comes to" && path.ends_with(".zrf"));
                if words.contains(&format!(" {phrase} ")) && !is_fine {
                    let said = format!("{path}:{line}: \"{phrase}\"; better: {instead}");
                    found.entry(format!("{path} {phrase}")).or_insert(said);
                }
            }
        }
    }
    compare("word", "plain words", &found);
}

/// The words of each line, in lower case with one space around each, and with the first two
/// words of the next line: a phrase may be broken between lines. Identifiers count as words.
fn phrases(text: &str) -> Vec<(usize, String)> {
    let lines: Vec<Vec<String>> = text.lines().map(words_of).collect();
    let mut out = Vec::new();
    for (idx, words) in lines.iter().enumerate() {
        let next = lines.get(idx + 1).into_iter().flatten().take(2);
        let joined: Vec<&str> = words.iter().chain(next).map(String::as_str).collect();
        // What stands wholly in the next line is found there.
        if !words.is_empty() {
            out.push((idx + 1, format!(" {} ", joined.join(" "))));
        }
    }
    out
}

fn words_of(line: &str) -> Vec<String> {
    let mut spaced = String::new();
    let mut before = ' ';
    for ch in line.chars() {
        if ch.is_uppercase() && before.is_lowercase() {
            spaced.push(' ');
        }
        let is_letter = ch.is_alphanumeric() || ch == '\'';
        spaced.push(if is_letter { ch } else { ' ' });
        before = ch;
    }
    spaced.split_whitespace().map(str::to_lowercase).collect()
}

#[test]
fn documentation_is_more_than_a_question_word() {
    let mut found = BTreeMap::new();
    for path in texts().filter(|it| Language::of(it).is_some()) {
        for (idx, line) in text_of(path).lines().enumerate() {
            let line = line.trim();
            let Some(said) =
                ["/// ", "//! ", "/** ", "* "].iter().find_map(|it| line.strip_prefix(it))
            else {
                continue;
            };
            let said = said.trim_end_matches("*/").trim_end().trim_end_matches(['.', '?']);
            if BARE.contains(&said.to_lowercase().as_str()) {
                found.entry(path.clone()).or_insert(format!("{path}:{}: \"{line}\"", idx + 1));
            }
        }
    }
    compare("bare", "say what the item is", &found);
}

/// *Square* is the name of one style of drawing; a place on the board is a site.
#[test]
fn play_and_engine_do_not_say_square() {
    let mut found = BTreeMap::new();
    let sources = tracked().iter().filter(|it| {
        ["crates/play/src/", "crates/engine/src/", "crates/fast/src/"]
            .iter()
            .any(|folder| it.starts_with(folder))
    });
    for path in sources {
        let code: String = code_only(&text_of(path), Language::Rust).into_iter().collect();
        for (idx, line) in code.lines().enumerate() {
            let said = line.split(|it: char| !is_word(it)).any(|it| {
                it.split('_').any(|it| ["square", "squares"].contains(&it.to_lowercase().as_str()))
            });
            if said {
                found.entry(path.clone()).or_insert(format!("{path}:{}: {}", idx + 1, line.trim()));
            }
        }
    }
    compare("square", "the code says site", &found);
}
