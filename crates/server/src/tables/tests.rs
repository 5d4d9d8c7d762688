//! Matches are opened one beside the other.

use std::time::Duration;

use axum::{Json, extract::State};
use boardwright_store::Store;
use serde_json::json;
use tokio::time::timeout;

use crate::{app::App, matches};

/// What requests work with, on data of its own.
async fn app(data: &tempfile::TempDir) -> App {
    let store = Store::open(&data.path().join("pond.db")).await.expect("a database");
    let (games, tuned) = (data.path().join("games"), data.path().join("tuned"));
    App::new(store, games, tuned, [127, 0, 0, 1].into()).await.expect("it opens")
}

async fn new_match(app: &App) -> String {
    let wanted = json!({ "game": "tic-tac-toe", "n": 0, "seats": [], "setup": null });
    let wanted = serde_json::from_value(wanted).expect("a match");
    matches::create(State(app.clone()), Json(wanted)).await.expect("it is made").1.0.id
}

#[tokio::test(flavor = "multi_thread")]
async fn a_match_that_opens_slowly_delays_no_other() {
    let data = tempfile::tempdir().expect("a folder");
    let app = app(&data).await;
    let (slow, quick) = (new_match(&app).await, new_match(&app).await);
    let slot = app.tables.slot(&slow);
    let opening = slot.lock().await;
    let waits = tokio::spawn({
        let (tables, slow) = (app.tables.clone(), slow.clone());
        async move { tables.open(&slow).await.is_ok() }
    });
    let opened = timeout(Duration::from_secs(20), app.tables.open(&quick)).await;
    assert!(opened.expect("it need not wait").is_ok());
    assert!(!waits.is_finished());
    drop(opening);
    assert!(waits.await.expect("it ends"));
}

#[tokio::test(flavor = "multi_thread")]
async fn one_task_is_started_however_many_ask_at_once() {
    let data = tempfile::tempdir().expect("a folder");
    let app = app(&data).await;
    let id = new_match(&app).await;
    let mut asking = tokio::task::JoinSet::new();
    for _ in 0..20 {
        let (tables, id) = (app.tables.clone(), id.clone());
        asking.spawn(async move { tables.open(&id).await.expect("it opens") });
    }
    let senders = asking.join_all().await;
    assert!(senders.iter().all(|it| it.same_channel(&senders[0])));
    app.tables.end(&id).await;
    assert!(senders[0].is_closed());
    assert!(app.tables.lock().is_empty());
    assert!(app.tables.open(&id).await.is_ok());
}

#[tokio::test(flavor = "multi_thread")]
async fn matches_that_are_not_there_leave_nothing_behind() {
    let data = tempfile::tempdir().expect("a folder");
    let app = app(&data).await;
    for n in 0..10 {
        assert!(app.tables.open(&format!("nothing{n}")).await.is_err());
    }
    assert!(app.tables.lock().is_empty());
}
