//! Golden sets are compared, and contributors find them.

use std::{collections::BTreeSet, fs, path::Path};

use boardwright_golden::{ALL, PROTOCOL};

#[test]
fn every_set_has_its_own_name_and_its_files() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let names: BTreeSet<_> = ALL.iter().map(|it| it.variable).collect();
    assert_eq!(names.len(), ALL.len());
    for set in ALL {
        assert!(root.join(set.files).exists(), "{} exists", set.files);
    }
}

#[test]
fn contributors_find_every_set() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../CONTRIBUTING.md");
    let text = fs::read_to_string(path).expect("CONTRIBUTING.md can be read");
    for set in ALL {
        assert!(text.contains(&set.command()), "CONTRIBUTING.md has `{}`", set.command());
        assert!(text.contains(&format!("`{}`", set.files)), "CONTRIBUTING.md has {}", set.files);
    }
}

#[test]
fn a_difference_is_told_with_its_line_and_the_command() {
    let path = std::env::temp_dir().join(format!("boardwright-golden-{}", std::process::id()));
    fs::write(&path, "one\ntwo\n").expect("can be written");
    let same = PROTOCOL.compare(&path, "one\ntwo\n");
    let differs = PROTOCOL.compare(&path, "one\nthree\n");
    fs::remove_file(&path).expect("can be removed");
    if PROTOCOL.is_blessed() {
        return;
    }
    assert_eq!(same, Ok(()));
    let message = differs.expect_err("the second line differs");
    assert!(message.contains(":2: expected `two`, found `three`"), "{message}");
    assert!(message.contains("BLESS_PROTOCOL=1 cargo test -p boardwright-protocol"), "{message}");
}
