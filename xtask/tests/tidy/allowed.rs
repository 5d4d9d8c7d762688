//! Offences that are known and not yet removed: `xtask/allowed`, one file for each crate or folder.
//!
//! The lists may only become shorter. An offence that is not listed fails the test, and so does
//! an entry without an offence; `BLESS_TIDY=1 cargo test -p xtask` removes such entries.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::PathBuf,
    sync::Mutex,
};

use crate::files::root;

/// One test at a time changes the lists.
static LISTS: Mutex<()> = Mutex::new(());

/// Compares offences with the entries of the lists for one check. An offence is `path detail`,
/// as an entry has it, with a message that says where it is.
pub fn compare(check: &str, advice: &str, found: &BTreeMap<String, String>) {
    let _one_at_a_time = LISTS.lock().unwrap_or_else(|it| it.into_inner());
    let mut stale = Vec::new();
    let mut known = BTreeSet::new();
    for path in lists() {
        let text = fs::read_to_string(&path).unwrap();
        let is_stale = |line: &&str| {
            let entry = line.strip_prefix(check).and_then(|it| it.strip_prefix(' '));
            entry.is_some_and(|it| !found.contains_key(it))
        };
        known.extend(text.lines().filter_map(|it| {
            it.strip_prefix(check).and_then(|it| it.strip_prefix(' ')).map(str::to_owned)
        }));
        let gone: Vec<String> = text.lines().filter(is_stale).map(str::to_owned).collect();
        if !gone.is_empty() && std::env::var_os("BLESS_TIDY").is_some() {
            let kept: Vec<&str> = text.lines().filter(|it| !is_stale(it)).collect();
            if kept.is_empty() {
                fs::remove_file(&path).unwrap();
            } else {
                fs::write(&path, kept.join("\n") + "\n").unwrap();
            }
        } else {
            stale.extend(gone);
        }
    }
    let new: Vec<&str> =
        found.iter().filter(|(it, _)| !known.contains(*it)).map(|(_, it)| it.as_str()).collect();
    assert!(new.is_empty(), "{check}: {advice}\n{}", new.join("\n"));
    assert!(
        stale.is_empty(),
        "no longer an offence; BLESS_TIDY=1 cargo test -p xtask removes from xtask/allowed:\n{}",
        stale.join("\n")
    );
}

fn lists() -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(root().join("xtask/allowed")) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.map(|it| it.unwrap().path()).collect();
    paths.sort();
    paths
}
