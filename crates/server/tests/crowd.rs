//! A crowd of sockets and half-sent requests beside the owner's match.
//!
//! `CROWD=2000 cargo test -p boardwright-server --release --test crowd -- --nocapture` runs it at
//! full size and prints how long the owner's moves took.

mod common;

use std::time::{Duration, Instant};

use common::Running;
use serde_json::json;
use tokio::io::AsyncWriteExt;

/// Sockets and half-sent requests, each, unless the environment says otherwise.
const USUAL: usize = 60;
/// Connections from one address.
const BY_ADDRESS: usize = 50;

#[tokio::test(flavor = "multi_thread")]
#[allow(clippy::print_stderr, reason = "the figures are what a run by hand is for")]
async fn a_crowd_leaves_the_owners_moves_alone() {
    let n = std::env::var("CROWD").ok().and_then(|it| it.parse().ok()).unwrap_or(USUAL);
    let server = Running::start().await;
    let mut matches = Vec::new();
    for _ in 0..4 {
        matches.push(server.new_match("chess", 0, json!([])).await);
    }
    let mut n_watching = 0;
    for idx in 0..n {
        let client = server.guest_from([(idx / BY_ADDRESS) as u8, 1]);
        let (id, _) = &matches[idx % matches.len()];
        if let Ok(socket) = client.try_connect(id, "").await {
            n_watching += 1;
            tokio::spawn(socket.drain());
        }
    }
    let mut half = Vec::new();
    for idx in 0..n {
        let mut stream = server.guest_from([(idx / BY_ADDRESS) as u8, 2]).stream().await;
        stream.write_all(b"GET /api/library HTTP/1.1\r\nHo").await.expect("it is open");
        half.push(stream);
    }
    let (id, key) = &matches[0];
    let mut board = server.connect(id, key).await;
    board.wait("match").await;
    let mut times: Vec<Duration> = Vec::new();
    for side in 0..2 {
        let names = ["Knight g1 - f3", "Knight g8 - f6", "Knight f3 - g1", "Knight f6 - g8"];
        for (n, mv) in names.iter().cycle().take(if side == 0 { 4 } else { 2 }).enumerate() {
            let began = Instant::now();
            board.play(mv, &format!("{side} {n}")).await;
            board.wait("moved").await;
            times.push(began.elapsed());
        }
        for (file, rank) in [('a', 3), ('b', 3), ('c', 3), ('d', 3), ('e', 3), ('h', 3)] {
            for mv in [format!("Pawn {file}2 - {file}{rank}"), format!("Pawn {file}7 - {file}6")] {
                if !board.moves().contains(&mv) {
                    continue;
                }
                let began = Instant::now();
                board.play(&mv, &mv).await;
                board.wait("moved").await;
                times.push(began.elapsed());
            }
        }
    }
    times.sort_unstable();
    assert!(times.len() >= 16, "the owner plays on: {}", times.len());
    assert_eq!(n_watching, n, "every watcher has room");
    let (half_of, worst) = (times[times.len() / 2], times[times.len() - 1]);
    eprintln!(
        "{n_watching} sockets, {} half-sent requests: {} moves, p50 {half_of:?}, max {worst:?}",
        half.len(),
        times.len()
    );
}
