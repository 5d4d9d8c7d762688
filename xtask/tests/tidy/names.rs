//! A public type name stands for one thing in the workspace, and every term of ours is explained.

use std::collections::{BTreeMap, BTreeSet};

use xtask::scan::{Language, code_only, is_word};

use crate::{
    allowed::compare,
    files::{has_extension, text_of, tracked},
};

/// Words that mean something particular in our code, which a reader finds in GLOSSARY.md.
/// Common terms of the field (null move, bitboard, killer move …) are not among them.
const TERMS: &[&str] = &[
    "aim",
    "block",
    "bundle",
    "courier",
    "cursor",
    "draft",
    "effect",
    "hand",
    "label",
    "lane",
    "layout",
    "look",
    "loud",
    "mover",
    "owner",
    "partial",
    "placement",
    "playable",
    "playthrough",
    "ply",
    "preset",
    "primitive",
    "record",
    "ruleset",
    "seat",
    "setup",
    "site",
    "state",
    "table",
    "template",
    "track",
    "trial",
    "tuning",
    "vague",
    "variant",
    "zone",
];

fn sources() -> impl Iterator<Item = &'static String> {
    tracked().iter().filter(|it| {
        it.starts_with("crates/") && it.contains("/src/") && has_extension(it, &["rs"])
    })
}

/// The name that a line of code declares as public; `pub(crate)` is not public.
fn declared_type(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix("pub ")?;
    let rest = ["struct ", "enum ", "trait ", "type ", "union "]
        .iter()
        .find_map(|it| rest.strip_prefix(it))?;
    let end = rest.find(|it| !is_word(it)).unwrap_or(rest.len());
    rest.get(..end)
}

#[test]
fn a_public_type_name_stands_for_one_thing() {
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for path in sources() {
        let code: String = code_only(&text_of(path), Language::Rust).into_iter().collect();
        // What follows is seen by tests only.
        let code = code.split_once("#[cfg(test)]\nmod tests {").map_or(code.as_str(), |it| it.0);
        for name in code.lines().filter_map(declared_type) {
            places.entry(name.to_owned()).or_default().push(path.clone());
        }
    }
    assert!(places.len() > 200, "the test finds public types: {}", places.len());
    let mut found = BTreeMap::new();
    for (name, paths) in places.iter().filter(|(_, it)| it.len() > 1) {
        for path in paths {
            let said = format!("`{name}` is declared in {}", paths.join(", "));
            found.insert(format!("{path} {name}"), said);
        }
    }
    compare("type", "a public type name is used once in the workspace", &found);
}

/// The words in the first column of the table, in lower case and one by one: `Link / Direction`
/// explains *link* and *direction*.
fn explained() -> BTreeSet<String> {
    let text = text_of("GLOSSARY.md");
    let mut words = BTreeSet::new();
    for line in text.lines().filter(|it| it.starts_with("| **")) {
        let term = line.split('|').nth(1).unwrap_or_default().to_lowercase();
        words.extend(term.split(|it: char| !is_word(it)).map(str::to_owned));
        words.insert(term.replace("**", "").trim().to_owned());
    }
    words
}

#[test]
fn the_glossary_explains_every_term_that_is_ours() {
    let explained = explained();
    let mut used: BTreeMap<&str, &str> = BTreeMap::new();
    for path in sources() {
        let code: String = code_only(&text_of(path), Language::Rust).into_iter().collect();
        for name in code.split(|it: char| !is_word(it)).filter(|it| !it.is_empty()) {
            for part in words_of(name) {
                if let Some(term) =
                    TERMS.iter().find(|it| **it == part.trim_end_matches('s') || **it == part)
                {
                    used.entry(term).or_insert(path);
                }
            }
        }
    }
    let mut found = BTreeMap::new();
    for (term, path) in used.into_iter().filter(|(it, _)| !explained.contains(*it)) {
        found.insert(term.to_owned(), format!("`{term}`, used in {path} and elsewhere"));
    }
    compare("term", "a row in GLOSSARY.md explains it", &found);
}

/// The words of an identifier in lower case: `n_laneRuns` is n, lane, runs.
fn words_of(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for ch in name.chars() {
        if ch == '_' || ch.is_uppercase() {
            words.push(String::new());
        }
        if let Some(last) = words.last_mut().filter(|_| ch != '_') {
            last.extend(ch.to_lowercase());
        }
    }
    words
}
