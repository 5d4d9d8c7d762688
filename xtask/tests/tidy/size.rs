//! Files and functions stay short enough to be read in one sitting.

use std::collections::BTreeMap;

use xtask::scan::{Language, functions};

use crate::{
    allowed::compare,
    files::{has_extension, text_of, tracked},
};

/// The most lines of a file.
const LONGEST_FILE: usize = 600;

/// The most lines of a function.
const LONGEST_FUNCTION: usize = 120;

/// Files that may be longer than the limit for good, and why.
const LONG_FILES: &[(&str, &str)] = &[
    ("web/protocol/index.ts", "written by a test of crates/protocol"),
    ("crates/zrf/src/errors.rs", "a list: one function for each message"),
];

#[test]
fn files_can_be_read_in_one_sitting() {
    let mut found = BTreeMap::new();
    for path in tracked().iter().filter(|it| has_extension(it, &["rs", "ts", "svelte", "mjs"])) {
        let n_lines = text_of(path).lines().count();
        let is_listed = LONG_FILES.iter().any(|(it, _)| it == path);
        assert!(!is_listed || n_lines > LONGEST_FILE, "{path} is short: remove it from LONG_FILES");
        if n_lines > LONGEST_FILE && !is_listed {
            found.insert(path.clone(), format!("{path} has {n_lines} lines"));
        }
    }
    compare("file", "at most 600 lines; look for a second noun", &found);
}

#[test]
fn functions_can_be_read_at_a_glance() {
    let mut found = BTreeMap::new();
    let mut n_functions = 0;
    for path in tracked() {
        let Some(language) = Language::of(path) else { continue };
        for function in functions(&text_of(path), language) {
            n_functions += 1;
            if function.n_lines > LONGEST_FUNCTION {
                let (name, line, n_lines) = (&function.name, function.line, function.n_lines);
                let said = format!("{path}:{line}: `{name}` has {n_lines} lines");
                found.insert(format!("{path} {name}"), said);
            }
        }
    }
    assert!(n_functions > 4000, "the scanner finds functions: {n_functions}");
    compare("function", "at most 120 lines", &found);
}
