//! Databases of the version before.
//!
//! `data/version-3.db` was written by the server of version 0.1.0: matches with branches, a
//! changed start, an edit, chance, presets, a problem, guests, resignations, a solution and chat.
//! `data/version-3.json` is how that server showed them.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use boardwright_store::{EventKind, EventRow, Store, StoreError, StoredMatch};
use sqlx::{Row, SqlitePool, sqlite::SqliteRow};
use tempfile::TempDir;

/// A node of a record, as the table `nodes` of version 3 has it.
#[derive(Clone, PartialEq, Default, Debug)]
struct Node {
    parent: Option<i64>,
    kind: String,
    long: String,
    request: String,
    comment: String,
    score: Option<i64>,
    resigned: Option<i64>,
}

/// The present of a match in either version.
#[derive(Clone, PartialEq, Default, Debug)]
struct Present {
    nodes: Vec<Node>,
    current: i64,
    seats: String,
    chat: Vec<(String, String)>,
}

/// The fold of a log.
fn folded(events: &[EventRow]) -> Present {
    let start = Node { kind: "start".into(), ..Node::default() };
    let mut present = Present { nodes: vec![start], ..Present::default() };
    for (seq, event) in (1..).zip(events) {
        assert_eq!(event.seq, seq);
        let at = event.node.unwrap_or(0) as usize;
        match event.kind {
            EventKind::Setup => {
                assert_eq!(seq, 1, "a setup is the first event");
                present.nodes[0].kind = "edit".into();
                present.nodes[0].long.clone_from(&event.text);
            }
            EventKind::Move | EventKind::Chance | EventKind::Edit => {
                present.current = present.nodes.len() as i64;
                present.nodes.push(Node {
                    parent: event.node,
                    kind: event.kind.name().into(),
                    long: event.text.clone(),
                    request: event.request.clone(),
                    ..Node::default()
                });
            }
            EventKind::GoTo => present.current = event.node.expect("a node"),
            EventKind::Resign => present.nodes[at].resigned = event.player,
            EventKind::Comment => present.nodes[at].comment.clone_from(&event.text),
            EventKind::Score => present.nodes[at].score = event.number,
            EventKind::Seats => present.seats.clone_from(&event.text),
            EventKind::Chat => present.chat.push((event.name.clone(), event.text.clone())),
        }
    }
    present
}

async fn connect(path: &Path) -> SqlitePool {
    SqlitePool::connect(path.to_str().expect("Unicode")).await.expect("opens")
}

async fn rows(pool: &SqlitePool, sql: &'static str) -> Vec<SqliteRow> {
    sqlx::query(sql).fetch_all(pool).await.expect("read")
}

/// The matches of a database of version 3 by id, read from its own tables.
async fn presents(path: &Path) -> BTreeMap<String, Present> {
    let pool = connect(path).await;
    let mut found: BTreeMap<String, Present> = BTreeMap::new();
    for row in rows(&pool, "SELECT id, current, seats FROM matches").await {
        let present = found.entry(row.get("id")).or_default();
        (present.current, present.seats) = (row.get("current"), row.get("seats"));
    }
    for row in rows(&pool, "SELECT * FROM nodes ORDER BY match, id").await {
        let present = found.get_mut(row.get::<&str, _>("match")).expect("a match");
        present.nodes.push(Node {
            parent: row.get("parent"),
            kind: row.get("kind"),
            long: row.get("long"),
            request: row.get("request"),
            comment: row.get("comment"),
            score: row.get("score"),
            resigned: row.get("resigned"),
        });
    }
    for row in rows(&pool, "SELECT * FROM chats ORDER BY match, n").await {
        let present = found.get_mut(row.get::<&str, _>("match")).expect("a match");
        present.chat.push((row.get("name"), row.get("text")));
    }
    pool.close().await;
    found
}

/// A copy of the database of version 3 in a folder of its own.
fn old_database() -> (TempDir, PathBuf) {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("data.db");
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/version-3.db");
    fs::copy(data, &path).expect("copied");
    (dir, path)
}

async fn stored(store: &Store, id: &str) -> StoredMatch {
    // Deleted ones are compared as well.
    store.delete_match(id, None).await.expect("restored");
    store.match_with_events(id).await.expect("read").expect("is there")
}

#[tokio::test]
async fn all_matches_of_the_version_before_come_out_equal() {
    let (dir, path) = old_database();
    let before = presents(&path).await;
    assert_eq!(before.len(), 10);
    let store = Store::open(&path).await.expect("opens");
    assert_eq!(store.matches("", 0, 99).await.expect("listed").len(), 8);
    let mut kinds = Vec::new();
    for (id, old) in &before {
        let new = stored(&store, id).await;
        assert_eq!(&folded(&new.events), old, "{id}");
        assert_eq!((new.row.summary.current, &new.row.summary.seats), (old.current, &old.seats));
        assert!(new.events.iter().all(|it| it.at == new.row.summary.updated));
        kinds.extend(new.events.into_iter().map(|it| it.kind));
        if let Some(hash) = new.row.preset {
            assert!(store.preset(&hash).await.expect("read").is_some());
        }
    }
    for kind in EventKind::ALL {
        assert!(kinds.contains(&kind), "the old database has something for {kind:?}");
    }
    assert_eq!(store.games().await.expect("read").len(), 1);
    let user = store.setting("user").await.expect("read").expect("set");
    assert!(user.contains("chess"), "{user}");
    // It goes on where it was.
    let id = before.keys().next().expect("a match");
    let StoredMatch { row, events } = stored(&store, id).await;
    let next = EventRow::new(events.len() as i64 + 1, 0, EventKind::Chat);
    store.append(id, std::slice::from_ref(&next), &row.summary).await.expect("appended");
    store.close().await;
    // The file as it was is kept.
    let copy = dir.path().join("data.db.before-v5");
    assert_eq!(presents(&copy).await, before);
    let store = Store::open(&path).await.expect("opens again");
    assert_eq!(stored(&store, id).await.events.last(), Some(&next));
    store.close().await;
    let n_copies = fs::read_dir(dir.path()).expect("listed").flatten();
    let is_copy = |it: &fs::DirEntry| it.file_name().to_string_lossy().contains("before");
    assert_eq!(n_copies.filter(is_copy).count(), 1, "a newer file is not copied");
}

#[tokio::test]
async fn nodes_with_gaps_are_numbered_again() {
    let (_dir, path) = old_database();
    let pool = connect(&path).await;
    let sql = "UPDATE nodes SET id = id * 10 + 1000, parent = parent * 10 + 1000;
        UPDATE matches SET current = current * 10 + 1000";
    let before = presents(&path).await;
    sqlx::raw_sql(sql).execute(&pool).await.expect("changed");
    pool.close().await;
    let store = Store::open(&path).await.expect("opens");
    for (id, old) in &before {
        let new = stored(&store, id).await;
        assert_eq!(&folded(&new.events), old, "{id}");
        assert_eq!(new.row.summary.current, old.current);
    }
}

#[tokio::test]
async fn a_migration_that_fails_changes_nothing() {
    let (dir, path) = old_database();
    let before = presents(&path).await;
    let pool = connect(&path).await;
    // In the way of the last step.
    sqlx::raw_sql("CREATE TABLE events (a)").execute(&pool).await.expect("created");
    let refused = Store::open(&path).await;
    assert!(matches!(refused, Err(StoreError::Other(_))), "{refused:?}");
    assert_eq!(presents(&path).await, before);
    assert!(!dir.path().join("data.db.before-v5").exists(), "no copy for each attempt");
    sqlx::raw_sql("DROP TABLE events").execute(&pool).await.expect("dropped");
    pool.close().await;
    fs::write(dir.path().join("data.db.before-v5"), "an older copy").expect("written");
    Store::open(&path).await.expect("opens").close().await;
    let older = fs::read_to_string(dir.path().join("data.db.before-v5")).expect("read");
    assert_eq!(older, "an older copy", "it is kept");
    assert_eq!(presents(&dir.path().join("data.db.before-v5-2")).await, before);
}
