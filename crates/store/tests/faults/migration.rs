//! The first start and the migration of an older file, with a fault at each request in turn:
//! the next start succeeds, and what comes out is the same.

use std::path::Path;

use boardwright_faulty_disk::{DiskFault, FaultRule, FaultyDisk};
use boardwright_store::{Store, StoredMatch};

use crate::{random::block_on, simulation::FILE};

/// Starts that may fail before something is wrong.
const ATTEMPTS: usize = 3;

fn old_file() -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/version-3.db");
    std::fs::read(path).expect("read")
}

/// Opens the store as often as it takes; returns its matches and the number of requests to the
/// disk.
async fn opened(disk: FaultyDisk) -> (Vec<StoredMatch>, u64) {
    let mut disk = disk;
    for _ in 0..ATTEMPTS {
        if disk.has_ended() {
            disk = disk.restarted();
        }
        let Ok(store) = Store::open_on(&disk.path(FILE), &disk).await else { continue };
        if disk.has_ended() {
            continue;
        }
        let n_operations = disk.n_operations();
        disk.heal();
        let mut found = Vec::new();
        for row in store.matches("", 0, 100).await.expect("read") {
            let stored = store.match_with_events(&row.id).await.expect("read");
            found.push(stored.expect("it is listed"));
        }
        store.set_setting("works", "well").await.expect("written");
        store.close().await;
        // The copy that was made before is whole.
        for name in disk.names().iter().filter(|it| it.contains("before")) {
            assert_eq!(disk.get(name).map(|it| it.len() % 4096), Some(0), "{name}");
        }
        return (found, n_operations);
    }
    panic!("it did not open in {ATTEMPTS} attempts");
}

fn with_old_file(seed: u64) -> FaultyDisk {
    let disk = FaultyDisk::new(seed);
    disk.put(FILE, old_file());
    disk
}

fn interrupted(fault: DiskFault, new_disk: fn(u64) -> FaultyDisk) {
    let (wanted, n_operations) = block_on(opened(new_disk(0)));
    assert!(n_operations > 100, "{n_operations}");
    for first in 1..=n_operations {
        let disk = new_disk(first);
        disk.add_rule(FaultRule::once(fault, first));
        let (found, _) = block_on(opened(disk));
        assert_eq!(found, wanted, "{fault:?} at {first}");
    }
}

#[test]
fn a_migration_that_is_interrupted_works_at_the_next_start() {
    assert_eq!(block_on(opened(with_old_file(0))).0.len(), 8);
    for fault in DiskFault::ALL {
        interrupted(fault, with_old_file);
    }
}

#[test]
fn a_first_start_that_is_interrupted_works_at_the_next_start() {
    for fault in DiskFault::ALL {
        interrupted(fault, FaultyDisk::new);
    }
}
