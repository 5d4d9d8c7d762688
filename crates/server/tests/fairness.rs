//! Rules that take long delay only those who use them.

mod common;

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use common::{Running, text};
use serde_json::json;
use tokio::task::JoinSet;

/// A preset whose code runs until it is stopped, whenever it is opened.
const ENDLESS: &[(&str, &[u8])] = &[
    ("pond/preset.txt", b"game: Pond\ncode: k2/3/2K\ncolumns: 3\n"),
    ("pond/pre-game.gc", b"do:\nset a 1;\nloop;"),
];

/// The promise is a tenth of a second; test machines are busy.
const SOON: Duration = Duration::from_secs(1);

#[tokio::test(flavor = "multi_thread")]
async fn heavy_rules_delay_nobody_elses_moves() {
    let server = Arc::new(Running::start().await);
    let made = server.upload(ENDLESS).await.json();
    let game = text(&made["games"][0]["id"]);
    let (id, key) = server.new_match("chess", 0, json!([])).await;
    let mut board = server.connect(&id, &key).await;
    board.wait("match").await;
    let mut heavy = JoinSet::new();
    for _ in 0..12 {
        let (server, path) = (Arc::clone(&server), format!("/api/games/{game}/0"));
        heavy.spawn(async move { server.get(&path).await.status });
    }
    tokio::time::sleep(Duration::from_millis(200)).await;
    let mut slowest = Duration::ZERO;
    for file in 'a'..='h' {
        for mv in [format!("Pawn {file}2 - {file}3"), format!("Pawn {file}7 - {file}6")] {
            let began = Instant::now();
            board.play(&mv, &mv).await;
            board.wait("moved").await;
            slowest = slowest.max(began.elapsed());
        }
    }
    assert!(slowest < SOON, "{slowest:?}");
    let mut n_done = 0;
    while heavy.try_join_next().is_some() {
        n_done += 1;
    }
    assert!(n_done < 12, "the heavy rules must be running all the while");
}
