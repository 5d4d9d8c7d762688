//! Leaf counts of every game that independent programs have counted.
//!
//! `PERFT_NODES` raises the ceiling: 12000 keeps the run short, 10000000 takes an
//! evening.

use boardwright_test_kit::{files_below, perft_file, setting};

#[test]
fn counts_agree_with_other_programs() {
    let ceiling = setting("PERFT_NODES", 50_000);
    let files = files_below("tests/perft", "perft");
    assert!(!files.is_empty(), "there are perft files");
    let mut faults = Vec::new();
    for path in &files {
        match perft_file::check(path, ceiling) {
            Ok(0) => faults.push(format!("{}: checks nothing", path.display())),
            Ok(_) => {}
            Err(fault) => faults.push(fault),
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}
