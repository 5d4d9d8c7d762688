//! Keeps the shape: crate edges, file sizes, words, and documents that stay true.

#![expect(clippy::unwrap_used, reason = "a test may stop where it stands")]

mod allowed;
mod files;
mod names;
mod size;
mod words;

use std::{collections::BTreeSet, fs, process::Command};

use xtask::scan::{Language, code_only};

use files::{crates, root, text_of, tracked};

/// Which crate may use which; the order of ARCHITECTURE.md, low to high.
const EDGES: &[(&str, &[&str])] = &[
    ("text", &[]),
    ("golden", &[]),
    ("game", &["text"]),
    ("zrf", &["game", "text"]),
    ("play", &["game", "text"]),
    ("fast", &["game", "play", "text"]),
    ("gamecode", &["text"]),
    ("preset", &["gamecode", "text"]),
    ("rules", &["text", "game", "play", "fast", "gamecode", "preset"]),
    ("engine", &["text", "game", "play", "fast", "rules"]),
    ("plugin", &["text", "rules", "engine", "referee"]),
    ("render", &["text", "game", "play", "gamecode", "preset", "rules"]),
    ("picture", &["render"]),
    ("referee", &["game", "play", "rules"]),
    ("protocol", &[]),
    ("store", &[]),
    ("faulty-disk", &["store"]),
    (
        "server",
        &[
            "text", "game", "zrf", "play", "gamecode", "preset", "rules", "engine", "render",
            "plugin", "referee", "protocol", "store",
        ],
    ),
    ("test-kit", &["text", "game", "zrf", "play", "fast", "gamecode", "preset", "rules"]),
    (
        "cli",
        &[
            "text", "game", "zrf", "play", "fast", "gamecode", "preset", "rules", "engine",
            "plugin", "referee", "render", "picture", "server",
        ],
    ),
];

#[test]
fn crates_use_only_what_lies_below_them() {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--format-version", "1", "--offline"])
        .current_dir(root())
        .output()
        .unwrap();
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let mut seen = 0;
    for package in packages {
        let Some(name) = package["name"].as_str().unwrap().strip_prefix("boardwright-") else {
            continue;
        };
        let allowed = EDGES.iter().find(|(it, _)| *it == name);
        let (_, allowed) = allowed.unwrap_or_else(|| panic!("crate {name} is not in EDGES"));
        seen += 1;
        for dependency in package["dependencies"].as_array().unwrap() {
            let is_dev = dependency["kind"].as_str() == Some("dev");
            let used = dependency["name"].as_str().unwrap().strip_prefix("boardwright-");
            if let Some(used) = used.filter(|_| !is_dev) {
                assert!(allowed.contains(&used), "{name} must not use {used}");
            }
        }
    }
    assert_eq!(seen, crates().len(), "every folder in crates/ is a package");
}

#[test]
fn architecture_names_every_crate_and_no_other() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let named: BTreeSet<String> = text
        .lines()
        .filter_map(|it| it.strip_prefix("### `crates/"))
        .filter_map(|it| it.split_once('`'))
        .map(|(name, _)| name.to_owned())
        .collect();
    assert_eq!(named, crates());
}

/// *Position* means a board place in ZRF, a line and column in editors and the
/// whole state in chess, so our code says site, span and state.
#[test]
fn code_does_not_say_position() {
    for path in tracked().iter().filter(|it| it.contains("/src/") && it.ends_with(".rs")) {
        let text = text_of(path);
        let code: String = code_only(&text, Language::Rust).into_iter().collect();
        for (idx, code) in code.lines().enumerate() {
            let said = code
                .replace(".position(", "")
                .replace(".rposition(", "")
                .replace("CONTENT_DISPOSITION", "")
                .replace("transposition", "")
                .replace("Transposition", "")
                .split(|it: char| !it.is_alphanumeric() && it != '_')
                .any(|it| it.to_lowercase().contains("position"));
            // The words of ZRF keep their spelling in `zrf`.
            let is_keyword = path.starts_with("crates/zrf/") && code.contains("Position");
            let is_parser = path.starts_with("crates/zrf/src/board") && code.contains("positions");
            assert!(!said || is_keyword || is_parser, "{path}:{}: {code}", idx + 1);
        }
    }
}

#[test]
fn no_file_names_a_machine() {
    // Put together here, so that this file does not name one either.
    let homes = ["root", "work", "farm", "home"].map(|it| format!("/{it}/"));
    for path in tracked().iter().filter(|it| !it.ends_with(".lock")) {
        let Ok(text) = fs::read_to_string(root().join(path)) else { continue };
        for home in &homes {
            let found = text.lines().position(|it| {
                it.find(home.as_str()).is_some_and(|at| {
                    let before = it.get(..at).and_then(|it| it.chars().last());
                    before.is_none_or(|it| it.is_whitespace() || "\"'`(=".contains(it))
                })
            });
            assert!(found.is_none(), "{path}:{} names a folder of a machine", found.unwrap() + 1);
        }
    }
}

#[test]
fn every_crate_takes_the_shared_lints_and_says_what_it_is() {
    for name in crates() {
        let folder = root().join("crates").join(&name);
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        assert!(manifest.contains("[lints]\nworkspace = true"), "{name} takes the shared lints");
        assert!(manifest.contains("license.workspace = true"), "{name} has a licence");
        let lib =
            ["src/lib.rs", "src/main.rs"].iter().map(|it| folder.join(it)).find(|it| it.exists());
        let text = fs::read_to_string(lib.unwrap()).unwrap();
        assert!(text.starts_with("//! "), "{name} begins with what it does");
    }
}
