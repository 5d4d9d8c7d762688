//! A disk that fills up during play: what was confirmed stays, and play goes on when there is
//! room again, without a restart.

use boardwright_faulty_disk::FaultyDisk;
use boardwright_store::{EventKind, EventRow, MatchRow, Store, StoreError, Summary};

use crate::{random::block_on, simulation::FILE};

fn event(seq: i64) -> EventRow {
    let text = "x".repeat(2000);
    EventRow { node: Some(seq - 1), text, ..EventRow::new(seq, seq, EventKind::Move) }
}

async fn append(store: &Store, seq: i64) -> Result<(), StoreError> {
    let summary = Summary { updated: seq, ..Summary::default() };
    store.append("m1", &[event(seq)], &summary).await
}

/// Appends events until the disk is full; returns the number of the last one that was
/// confirmed.
async fn fill(store: &Store, first: i64) -> i64 {
    for seq in first..first + 10_000 {
        match append(store, seq).await {
            Ok(()) => {}
            Err(StoreError::Full(_)) => return seq - 1,
            Err(error) => panic!("event {seq}: {error:?}"),
        }
    }
    panic!("the disk was not full after 10,000 events");
}

async fn check_stored(store: &Store, last: i64) {
    let stored = store.match_with_events("m1").await.expect("read").expect("is there");
    let seqs: Vec<i64> = stored.events.iter().map(|it| it.seq).collect();
    assert_eq!(seqs, (1..=last).collect::<Vec<_>>());
    assert_eq!(stored.row.summary.updated, last, "the summary is of the last event");
}

#[test]
fn play_goes_on_when_there_is_room_again() {
    block_on(async {
        let disk = FaultyDisk::new(1).with_checkpoints(20);
        let store = Store::open_on(&disk.path(FILE), &disk).await.expect("opens");
        let row = MatchRow { id: "m1".into(), ..MatchRow::default() };
        store.add_match(&row, &[]).await.expect("added");
        let mut last = 0;
        for _ in 0..5 {
            disk.set_room(Some(disk.size() + 100_000));
            let before = last;
            last = fill(&store, last + 1).await;
            assert!(last > before, "there is room again");
            for _ in 0..10 {
                let refused = append(&store, last + 1).await;
                let Err(error @ StoreError::Full(_)) = refused else { panic!("{refused:?}") };
                assert_eq!(error.to_string(), "the disk is full");
                assert!(error.hint().is_some_and(|it| it.contains("Make room")), "{error:?}");
            }
            check_stored(&store, last).await;
        }
        disk.set_room(None);
        append(&store, last + 1).await.expect("there is room");
        store.set_setting("a", "1").await.expect("there is room");
        disk.cut_power();
        store.close().await;
        let disk = disk.restarted();
        let store = Store::open_on(&disk.path(FILE), &disk).await.expect("opens again");
        check_stored(&store, last + 1).await;
    });
}
