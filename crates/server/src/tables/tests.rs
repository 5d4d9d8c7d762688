//! Matches are opened one beside the other.

use std::time::Duration;

use tokio::{
    sync::oneshot,
    time::{advance, pause, timeout},
};

use crate::{
    outbox::outbox,
    table::Message,
    testing::{app, new_match},
};

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

/// Longer than a match without readers stays loaded.
const LONG: Duration = Duration::from_secs(600);

/// Lets time pass, and tasks see it.
async fn let_pass(time: Duration) {
    advance(time).await;
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_match_without_readers_is_unloaded_after_a_while() {
    let data = tempfile::tempdir().expect("a folder");
    let app = app(&data).await;
    let id = new_match(&app).await;
    let sender = app.tables.open(&id).await.expect("it opens");
    let (out, mut events, _overflow) = outbox();
    let (reply, joined) = oneshot::channel();
    sender
        .send(Message::Join { key: String::new(), person: "".into(), out, reply })
        .await
        .expect("it is open");
    let reader = joined.await.expect("an answer");
    assert!(events.next().await.is_some());
    pause();
    let_pass(LONG).await;
    assert!(!sender.is_closed(), "somebody is there");
    sender.send(Message::Leave(reader)).await.expect("it is open");
    let_pass(Duration::from_secs(1)).await;
    assert!(!sender.is_closed(), "they may come back");
    let_pass(LONG).await;
    assert!(sender.is_closed());
}
