//! Matches and the logs of their events, through the public interface.

use boardwright_store::{EventKind, EventRow, MatchRow, Store, StoreError, StoredMatch, Summary};
use tempfile::TempDir;

async fn new_store() -> (TempDir, Store) {
    let dir = tempfile::tempdir().expect("a folder");
    let store = Store::open(&dir.path().join("data.db")).await.expect("opens");
    (dir, store)
}

fn pond() -> MatchRow {
    MatchRow {
        id: "m1".into(),
        game: "pond".into(),
        variant: 2,
        title: "Pond".into(),
        owner_key: "k".into(),
        seed: -7,
        problem: Some(3),
        created: 5,
        summary: Summary { state: "empty".into(), seats: "[]".into(), ..Summary::default() },
        ..MatchRow::default()
    }
}

fn step(seq: i64) -> EventRow {
    EventRow {
        request: format!("r{seq}"),
        node: Some(seq - 1),
        player: Some(1),
        text: format!("Wolf {seq}"),
        ..EventRow::new(seq, 1000 + seq, EventKind::Move)
    }
}

fn at(updated: i64) -> Summary {
    Summary { current: updated, updated, seats: "[1]".into(), ..Summary::default() }
}

async fn read(store: &Store) -> StoredMatch {
    store.match_with_events("m1").await.expect("read").expect("is there")
}

#[tokio::test]
async fn every_kind_of_event_comes_back_as_it_was() {
    let (dir, store) = new_store().await;
    store.keep_preset("hash", "game: Pond").await.expect("kept");
    let row = MatchRow { preset: Some("hash".into()), ..pond() };
    let begun = EventRow { text: "(x a1)".into(), ..EventRow::new(1, 9, EventKind::Setup) };
    store.add_match(&row, std::slice::from_ref(&begun)).await.expect("added");
    let mut events = vec![begun];
    for (seq, kind) in (2..).zip(EventKind::ALL) {
        let name = "Ada’s".to_owned();
        events.push(EventRow { kind, name, number: Some(-30), ..step(seq) });
    }
    let summary = Summary {
        current: 1,
        ply: 2,
        round: 3,
        mover: Some("White".into()),
        your_turn: true,
        outcome: Some("draw".into()),
        state: "board".into(),
        seats: "[2]".into(),
        updated: 9,
    };
    store.append("m1", &events[1..], &summary).await.expect("appended");
    store.close().await;
    let store = Store::open(&dir.path().join("data.db")).await.expect("opens again");
    let stored = read(&store).await;
    assert_eq!(stored.row, MatchRow { summary, ..row });
    assert_eq!(stored.events, events);
    assert_eq!(store.events_after("m1", 3).await.expect("read"), events[3..]);
    assert_eq!(store.events_after("m2", 0).await.expect("read"), []);
    assert_eq!(store.match_row("m1").await.expect("read"), Some(stored.row));
}

#[tokio::test]
async fn events_that_do_not_continue_the_log_change_nothing() {
    let (_dir, store) = new_store().await;
    store.add_match(&pond(), &[step(1)]).await.expect("added");
    let before = read(&store).await;
    for wrong in [vec![step(1)], vec![step(3)], vec![step(0)], vec![step(2), step(2)]] {
        let refused = store.append("m1", &wrong, &at(7)).await;
        assert!(matches!(refused, Err(StoreError::Conflict(_))), "{wrong:?}: {refused:?}");
    }
    let refused = store.add_match(&pond(), &[]).await;
    assert!(matches!(refused, Err(StoreError::Conflict(_))), "{refused:?}");
    let refused = store.append("m2", &[step(1)], &at(7)).await;
    assert!(matches!(refused, Err(StoreError::NoMatch)), "{refused:?}");
    assert_eq!(read(&store).await, before);
    store.append("m1", &[step(2), step(3)], &at(8)).await.expect("appended");
    store.append("m1", &[], &at(9)).await.expect("only the summary");
    let after = read(&store).await;
    assert_eq!((after.events.len(), after.row.summary), (3, at(9)));
}

#[tokio::test(flavor = "multi_thread")]
async fn of_all_who_append_the_same_number_one_succeeds() {
    let (_dir, store) = new_store().await;
    store.add_match(&pond(), &[]).await.expect("added");
    for seq in 1..=10 {
        let tasks: Vec<_> = (0..8)
            .map(|_| {
                let store = store.clone();
                tokio::spawn(async move { store.append("m1", &[step(seq)], &at(seq)).await })
            })
            .collect();
        let mut n_stored = 0;
        for task in tasks {
            match task.await.expect("it ends") {
                Ok(()) => n_stored += 1,
                Err(StoreError::Conflict(_)) => {}
                Err(error) => panic!("{error:?}"),
            }
        }
        assert_eq!(n_stored, 1);
    }
    assert_eq!(read(&store).await.events, (1..=10).map(step).collect::<Vec<_>>());
}

#[tokio::test]
async fn the_database_refuses_to_change_events_and_names_unknown_kinds() {
    let (dir, store) = new_store().await;
    store.add_match(&pond(), &[step(1)]).await.expect("added");
    store.close().await;
    let path = dir.path().join("data.db");
    let raw = sqlx::SqlitePool::connect(path.to_str().expect("Unicode")).await.expect("opens");
    for sql in ["UPDATE events SET text = ''", "DELETE FROM events"] {
        assert!(sqlx::raw_sql(sql).execute(&raw).await.is_err(), "{sql}");
    }
    let sql = "INSERT INTO events (match_id, seq, at, request, kind, name, text)
        VALUES ('m1', 2, 0, '', 'castle', '', '')";
    sqlx::raw_sql(sql).execute(&raw).await.expect("inserted");
    raw.close().await;
    let store = Store::open(&path).await.expect("opens");
    let error = store.match_with_events("m1").await.expect_err("unknown");
    assert!(matches!(error, StoreError::Corrupt(_)), "{error:?}");
    let cause = std::error::Error::source(&error).expect("a cause").to_string();
    assert!(cause.contains("`castle` is not a known kind of event"), "{cause}");
}

#[tokio::test]
async fn a_deleted_match_is_gone_until_it_is_restored() {
    let (_dir, store) = new_store().await;
    store.add_match(&pond(), &[step(1)]).await.expect("added");
    assert!(store.delete_match("m1", Some(3)).await.expect("written"));
    assert!(store.match_with_events("m1").await.expect("read").is_none());
    assert!(store.match_row("m1").await.expect("read").is_none());
    assert!(store.matches("", 0, 10).await.expect("read").is_empty());
    assert_eq!(store.owner_key("m1").await.expect("read").as_deref(), Some("k"));
    assert!(store.delete_match("m1", None).await.expect("written"));
    assert_eq!(store.matches("", 0, 10).await.expect("read"), [pond()]);
    assert_eq!(read(&store).await.events, [step(1)]);
    assert!(!store.delete_match("m2", None).await.expect("written"));
}

#[tokio::test]
async fn matches_are_listed_by_their_last_change_without_solutions() {
    let (_dir, store) = new_store().await;
    let shown = MatchRow { is_solution: true, ..pond() };
    store.add_match(&shown, &[]).await.expect("added");
    for (id, updated) in [("old", 1), ("new", 9), ("middle", 5)] {
        let row = MatchRow { id: id.into(), summary: at(updated), ..pond() };
        store.add_match(&row, &[]).await.expect("added");
    }
    let ids = async |limit| -> Vec<String> {
        let listed = store.matches("", 0, limit).await.expect("read");
        listed.into_iter().map(|it| it.id).collect()
    };
    assert_eq!(ids(10).await, ["new", "middle", "old"]);
    assert_eq!(ids(2).await, ["new", "middle"]);
    assert!(store.match_with_events("m1").await.expect("read").is_some());
    store.take_over("m1").await.expect("written");
    assert_eq!(ids(10).await, ["new", "middle", "old", "m1"]);
}
