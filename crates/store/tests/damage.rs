//! Damaged files are recognized, said in words, and left as they are; whole ones are copied.

use std::{error::Error, fs, path::Path};

use boardwright_store::{EventKind, EventRow, MatchRow, Store, StoreError, Summary};
use sqlx::{AssertSqlSafe, SqlitePool};

fn event(seq: i64) -> EventRow {
    let text = "Wolf ".repeat(200);
    EventRow { node: Some(seq - 1), text, ..EventRow::new(seq, seq, EventKind::Move) }
}

/// A closed database with a match of 40 events.
async fn new_database(path: &Path) {
    let store = Store::open(path).await.expect("opens");
    let row = MatchRow { id: "m1".into(), ..MatchRow::default() };
    store.add_match(&row, &[]).await.expect("added");
    for seq in 1..=40 {
        store.append("m1", &[event(seq)], &Summary::default()).await.expect("appended");
    }
    store.close().await;
}

/// Changes a closed database behind the back of the store.
async fn change(path: &Path, sql: &str) {
    let pool = SqlitePool::connect(path.to_str().expect("Unicode")).await.expect("opens");
    let triggers = "DROP TRIGGER events_are_not_changed; DROP TRIGGER events_are_not_deleted;
        PRAGMA foreign_keys = OFF;";
    let sql = AssertSqlSafe(format!("{triggers}{sql}"));
    sqlx::raw_sql(sql).execute(&pool).await.expect("changed");
    pool.close().await;
}

/// Opening and verifying say that the file is damaged; returns the cause.
async fn check_damaged(path: &Path) -> String {
    let before = fs::read(path).expect("read");
    let verified = Store::verify(path).await.expect_err("damaged");
    assert!(matches!(verified, StoreError::Corrupt(_)), "{verified:?}");
    let error = Store::open(path).await.expect_err("damaged");
    assert!(matches!(error, StoreError::Corrupt(_)), "{error:?}");
    assert!(error.to_string().contains("damaged"), "{error}");
    assert!(error.hint().is_some_and(|it| it.contains("backup")), "{:?}", error.hint());
    assert!(fs::read(path).expect("read") == before, "the file is left as it is");
    error.source().expect("a cause").to_string()
}

#[tokio::test]
async fn a_damaged_page_is_told_as_damage_and_the_file_stays_as_it_is() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("data.db");
    new_database(&path).await;
    Store::verify(&path).await.expect("whole");
    let whole = fs::read(&path).expect("read");
    let mut n_found = 0;
    let n_pages = whole.len() / 4096;
    // Page 1 has the header; bytes that nothing uses may change without harm.
    for page in 1..n_pages {
        let mut bytes = whole.clone();
        bytes[page * 4096..page * 4096 + 100].fill(0xEE);
        fs::write(&path, &bytes).expect("written");
        check_damaged(&path).await;
        n_found += 1;
    }
    assert!(n_found > 10, "{n_found}");
    fs::write(&path, &whole).expect("written");
    Store::open(&path).await.expect("opens again").close().await;
}

#[tokio::test]
async fn a_damaged_log_is_told_with_the_match_and_what_is_wrong() {
    let damages = [
        ("DELETE FROM events WHERE seq = 7", "the events of match m1 are not numbered"),
        ("DELETE FROM matches", "there are events of match m1, but not the match"),
        ("UPDATE matches SET current = 41", "match m1 continues at node 41"),
        ("UPDATE matches SET preset = 'ab'", "the preset of match m1 is missing"),
    ];
    for (sql, said) in damages {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("data.db");
        new_database(&path).await;
        change(&path, sql).await;
        let cause = check_damaged(&path).await;
        assert!(cause.contains(said), "{sql}: {cause}");
    }
}

#[tokio::test]
async fn a_copy_has_everything_and_replaces_nothing() {
    let dir = tempfile::tempdir().expect("a folder");
    let (path, copy) = (dir.path().join("data.db"), dir.path().join("copy.db"));
    new_database(&path).await;
    let store = Store::open(&path).await.expect("opens");
    store.append("m1", &[event(41)], &Summary::default()).await.expect("appended");
    // The last event is still in the write-ahead log.
    Store::copy(&path, &copy).await.expect("copied");
    store.append("m1", &[event(42)], &Summary::default()).await.expect("goes on");
    let again = Store::copy(&path, &copy).await.expect_err("it exists");
    assert!(matches!(again, StoreError::Conflict(_)), "{again:?}");
    let copied = Store::open(&copy).await.expect("opens");
    let read = copied.match_with_events("m1").await.expect("read").expect("is there");
    assert_eq!(read.events, (1..=41).map(event).collect::<Vec<_>>());
    copied.close().await;
    store.close().await;
    // A damaged database gives no backup.
    change(&path, "DELETE FROM events WHERE seq = 7").await;
    let other = dir.path().join("other.db");
    let refused = Store::copy(&path, &other).await.expect_err("damaged");
    assert!(matches!(refused, StoreError::Corrupt(_)), "{refused:?}");
    assert!(!other.exists(), "what is not whole is not kept");
}
