//! A disk that fills up during play: what was confirmed stays, and play goes on when there is
//! room again, without a restart.

use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
};

use sqlx::{AssertSqlSafe, SqliteConnection, sqlite::SqlitePoolOptions};

use crate::{EventKind, EventRow, MatchRow, Store, StoreError, Summary};

fn event(seq: i64, len: usize) -> EventRow {
    let text = "x".repeat(len);
    EventRow { node: Some(seq - 1), text, ..EventRow::new(seq, seq, EventKind::Move) }
}

fn pond() -> MatchRow {
    MatchRow { id: "m1".into(), ..MatchRow::default() }
}

fn at(updated: i64) -> Summary {
    Summary { updated, ..Summary::default() }
}

/// Appends events of `len` bytes until the disk is full; returns the number of the last one that
/// was confirmed.
async fn fill(store: &Store, first: i64, len: usize) -> i64 {
    for seq in first..first + 10_000 {
        match store.append("m1", &[event(seq, len)], &at(seq)).await {
            Ok(()) => {}
            Err(StoreError::Full(_)) => return seq - 1,
            Err(error) => panic!("event {seq}: {error:?}"),
        }
    }
    panic!("the disk was not full after 10 000 events");
}

/// Appending and other writes fail as long as the disk is full; reading works.
async fn check_full(store: &Store, last: i64, len: usize) {
    for _ in 0..10 {
        let refused = store.append("m1", &[event(last + 1, len)], &at(-1)).await;
        assert!(matches!(refused, Err(StoreError::Full(_))), "{refused:?}");
    }
    check_stored(store, last).await;
}

async fn check_stored(store: &Store, last: i64) {
    let stored = store.match_with_events("m1").await.expect("read").expect("is there");
    let seqs: Vec<i64> = stored.events.iter().map(|it| it.seq).collect();
    assert_eq!(seqs, (1..=last).collect::<Vec<_>>());
    assert_eq!(stored.row.summary.updated, last, "the summary is of the last event");
}

/// Opens a store whose connections may use `max_pages` pages of the file.
async fn open_limited(path: &Path, max_pages: &Arc<AtomicI64>) -> Store {
    async fn limit(connection: &mut SqliteConnection, pages: i64) -> Result<(), sqlx::Error> {
        let sql = AssertSqlSafe(format!("PRAGMA max_page_count = {pages}"));
        sqlx::raw_sql(sql).execute(connection).await.map(|_| ())
    }
    let (new, used) = (Arc::clone(max_pages), Arc::clone(max_pages));
    let pool = SqlitePoolOptions::new()
        .after_connect(move |connection, _| {
            let pages = new.load(Ordering::SeqCst);
            Box::pin(limit(connection, pages))
        })
        .before_acquire(move |connection, _| {
            let pages = used.load(Ordering::SeqCst);
            Box::pin(async move { limit(connection, pages).await.map(|()| true) })
        });
    Store::open_with(path, pool).await.expect("opens")
}

#[tokio::test]
async fn play_goes_on_when_there_is_room_again() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("data.db");
    let max_pages = Arc::new(AtomicI64::new(60));
    let store = open_limited(&path, &max_pages).await;
    store.add_match(&pond(), &[]).await.expect("added");
    let mut last = 0;
    for pages in [60, 120, 180] {
        max_pages.store(pages, Ordering::SeqCst);
        let before = last;
        last = fill(&store, last + 1, 2000).await;
        assert!(last > before, "there is room again");
        check_full(&store, last, 2000).await;
    }
    max_pages.store(1000, Ordering::SeqCst);
    store.append("m1", &[event(last + 1, 2000)], &at(last + 1)).await.expect("there is room");
    store.set_setting("a", "1").await.expect("there is room");
    store.close().await;
    let store = Store::open(&path).await.expect("opens again");
    check_stored(&store, last + 1).await;
}

/// The same with a real file system of 1 MB.
///
/// `mount -t tmpfs -o size=1m none /mnt/small`, then
/// `SMALL_DISK=/mnt/small cargo test -p boardwright-store -- --ignored`
#[tokio::test]
#[ignore = "needs a small disk to fill, see SMALL_DISK above"]
async fn a_full_file_system_loses_nothing() {
    let disk = std::env::var("SMALL_DISK").expect("SMALL_DISK is the folder of a small disk");
    let dir = tempfile::tempdir_in(disk).expect("a folder");
    let path = dir.path().join("data.db");
    let filler = dir.path().join("filler");
    std::fs::write(&filler, vec![0; 300_000]).expect("there is room");
    let store = Store::open(&path).await.expect("opens");
    store.add_match(&pond(), &[]).await.expect("added");
    let last = fill(&store, 1, 2000).await;
    check_full(&store, last, 2000).await;
    std::fs::remove_file(&filler).expect("removed");
    store.append("m1", &[event(last + 1, 2000)], &at(last + 1)).await.expect("there is room");
    store.close().await;
    let store = Store::open(&path).await.expect("opens again");
    check_stored(&store, last + 1).await;
}
