//! What strangers and broken clients send.

mod common;

use std::io::{Cursor, Write};

use common::{Running, person};
use serde_json::json;
use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

const POND: &str = r#"(game (title "Pond") (players Wolf Sheep) (turn-order Wolf Sheep)
    (board (image "images/pond.bmp")
      (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (10 0))) (directions (e 1))))
    (piece (name Stone) (image Wolf "images\stone.bmp" Sheep "images\stone.bmp")
      (moves (e (verify empty?) add)))
    (board-setup (Wolf (Stone a))))"#;

/// A picture of one colour: a header and 24 bits a pixel.
fn bmp(width: u32, height: u32, colour: [u8; 3]) -> Vec<u8> {
    let row = (width * 3).div_ceil(4) * 4;
    let size = row * height;
    let mut bytes = b"BM".to_vec();
    for word in [54 + size, 0, 54, 40, width, height] {
        bytes.extend_from_slice(&word.to_le_bytes());
    }
    bytes.extend_from_slice(&[1, 0, 24, 0]);
    for word in [0, size, 0, 0, 0, 0] {
        bytes.extend_from_slice(&u32::to_le_bytes(word));
    }
    for _ in 0..height {
        let line: Vec<u8> = colour.iter().copied().cycle().take(width as usize * 3).collect();
        bytes.extend_from_slice(&line);
        bytes.resize(bytes.len() + (row - width * 3) as usize, 0);
    }
    bytes
}

fn zipped(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    for (name, bytes) in files {
        zip.start_file(*name, options).expect("a zip is written");
        zip.write_all(bytes).expect("a zip is written");
    }
    zip.finish().expect("a zip is written").into_inner()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_zip_with_pictures_becomes_a_game() {
    let server = Running::start().await;
    let zip = zipped(&[
        ("Pond/pond.zrf", POND.as_bytes()),
        ("Pond/Images/Pond.bmp", &bmp(30, 10, [200, 100, 50])),
        ("Pond/Images/Stone.bmp", &bmp(8, 8, [0, 255, 0])),
        ("Pond/readme.exe", b"MZ"),
        ("../evil.zrf", POND.as_bytes()),
    ]);
    let answer = server.upload(&[("pond.zip", &zip)]).await;
    assert_eq!(answer.status, 201, "{}", answer.text());
    let uploaded = answer.json();
    let id = common::text(&uploaded["games"][0]["id"]);
    assert_eq!(uploaded["games"].as_array().map(Vec::len), Some(1), "{uploaded}");
    assert_eq!(uploaded["skipped"].as_array().map(Vec::len), Some(2), "{uploaded}");
    assert!(!server.data.path().join("evil.zrf").exists());
    let view = server.get(&format!("/api/games/{id}/0")).await.json();
    assert_eq!(view["title"], "Pond");
    let set = &view["images"][0];
    assert_eq!((&set["width"], &set["height"]), (&json!(30), &json!(10)), "{set}");
    let board = server.get(&common::text(&set["board"])).await;
    assert!(board.body.starts_with(b"\x89PNG"), "{}", board.head);
    assert_eq!(board.header("content-type").as_deref(), Some("image/png"));
    let (match_id, key) = server.new_match(&id, 0, json!([])).await;
    let mut table = server.connect(&match_id, &key).await;
    table.wait("match").await;
    assert_eq!(table.moves(), ["Stone a - b"]);
    // It is listed, goes, and comes back.
    let library = server.get("/api/library").await.json();
    assert_eq!(library["games"][0]["id"], json!(id));
    assert_eq!(server.send("DELETE", &format!("/api/games/{id}"), "", b"").await.status, 204);
    assert_eq!(server.get(&format!("/api/games/{id}/0")).await.status, 404);
    let back = server.send("POST", &format!("/api/games/{id}/restore"), "", b"").await;
    assert_eq!(back.status, 204);
    assert_eq!(server.get(&format!("/api/games/{id}/0")).await.status, 200);
    assert_eq!(server.send("DELETE", "/api/games/chess", "", b"").await.status, 403);
}

#[tokio::test(flavor = "multi_thread")]
async fn broken_rules_are_told_by_line() {
    let server = Running::start().await;
    let answer = server.upload(&[("bad.zrf", b"(game (title \"Bad\")\n (nonsense 1)")]).await;
    assert_eq!(answer.status, 201, "{}", answer.text());
    let uploaded = answer.json();
    assert_eq!(uploaded["games"][0]["broken"], true, "{uploaded}");
    assert_eq!(uploaded["diagnostics"][0]["severity"], "error", "{uploaded}");
    let id = common::text(&uploaded["games"][0]["id"]);
    let view = server.get(&format!("/api/games/{id}/0")).await;
    assert_eq!(view.status, 422, "{}", view.text());
    assert!(view.json()["diagnostics"].as_array().is_some_and(|it| !it.is_empty()));
}

#[tokio::test(flavor = "multi_thread")]
async fn bombs_and_odd_paths_are_refused() {
    let server = Running::start().await;
    let zeros = vec![0; 60 << 20];
    let bomb = zipped(&[("pond.zrf", POND.as_bytes()), ("a.bmp", &zeros)]);
    assert!(bomb.len() < 1 << 20);
    let answer = server.upload(&[("bomb.zip", &bomb)]).await;
    assert_eq!(answer.status, 413, "{}", answer.text());
    for (name, bytes) in [("no.zip", b"PK nothing".as_slice()), ("x.txt", b"x"), ("", b"")] {
        let answer = server.upload(&[(name, bytes)]).await;
        assert_eq!(answer.status, 400, "{name}: {}", answer.text());
    }
    let head = format!(
        "POST /api/games HTTP/1.1\r\nHost: {}\r\nX-Boardwright-Key: {}\r\nContent-Length: 90000000\r\nConnection: close\r\n\
         Content-Type: multipart/form-data; boundary=pond\r\n\r\n",
        server.address, server.key
    );
    let mut huge = head.into_bytes();
    huge.extend_from_slice(
        b"--pond\r\nContent-Disposition: form-data; name=\"files\"; filename=\"a.zrf\"\r\n\r\n",
    );
    huge.resize(huge.len() + (70 << 20), b'x');
    let status = server.raw(&huge).await.status;
    assert!(matches!(status, 0 | 400 | 413), "{status}");
    for path in [
        "/../../Cargo.toml",
        "/%2e%2e/%2e%2e/Cargo.toml",
        "/api/games/chess/file/..%2f..%2fCargo.toml",
        "/api/games/chess/file/%2e%2e/x.wav",
        "/api/games/chess/image/..%5c..%5cx.bmp",
        "/api/games/../user.wav",
        "/api/games/chess/9999",
        "/api/games/chess/-1",
        "/api/games/%00/0",
        "/api/matches/'%20OR%201=1",
        "/api/nothing",
        "/assets/missing.js",
    ] {
        let answer = server.get(path).await;
        assert!(matches!(answer.status, 400 | 404), "{path}: {}", answer.status);
    }
    assert_eq!(server.get("/api/library").await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn strangers_pages_are_refused_and_every_answer_is_marked() {
    let server = Running::start().await;
    let foreign = "Origin: http://evil.example\r\n";
    assert_eq!(server.send("GET", "/api/library", foreign, b"").await.status, 403);
    let own = format!("Origin: http://{}\r\n", server.address);
    assert_eq!(server.send("GET", "/api/user", &own, b"").await.status, 200);
    let request = "GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n";
    assert_eq!(server.raw(request.as_bytes()).await.status, 403);
    let (id, key) = server.new_match("chess", 0, json!([person()])).await;
    let upgrade = format!(
        "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
         Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n{foreign}"
    );
    let path = format!("/api/matches/{id}/socket?key={key}");
    assert_eq!(server.send("GET", &path, &upgrade, b"").await.status, 403);
    for path in
        ["/", "/play/anything", "/api/library", "/api/nothing", "/api/games/chess/0/thumb.svg"]
    {
        let answer = server.get(path).await;
        let policy = answer.header("content-security-policy").unwrap_or_default();
        assert!(policy.contains("script-src 'self'") && !policy.contains("unsafe"), "{path}");
        assert_eq!(answer.header("x-content-type-options").as_deref(), Some("nosniff"), "{path}");
        assert_eq!(answer.header("set-cookie"), None);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nonsense_is_answered_and_ends_nothing() {
    let server = Running::start().await;
    let headers = "Content-Type: application/json\r\n";
    for body in ["", "{", "[]", "{\"game\":7}", "{\"game\":\"chess\",\"n\":-1}", "null"] {
        let answer = server.send("POST", "/api/matches", headers, body.as_bytes()).await;
        assert!(matches!(answer.status, 400 | 415 | 422), "{body}: {}", answer.status);
    }
    let long = vec![b'x'; 5 << 20];
    let answer = server.send("PUT", "/api/user", headers, &long).await;
    assert!(matches!(answer.status, 0 | 400 | 413), "{}", answer.status);
    let (id, key) = server.new_match("chess", 0, json!([])).await;
    let mut board = server.connect(&id, &key).await;
    board.wait("match").await;
    for nonsense in [
        "",
        "{",
        "7",
        "{\"type\":\"fly\"}",
        "{\"type\":\"play\"}",
        "{\"type\":\"look\",\"node\":99999}",
        "{\"type\":\"play\",\"node\":0,\"move\":\"Pawn e2 - e9\",\"id\":\"x\"}",
        "{\"type\":\"probe\",\"node\":77,\"site\":60000}",
        "{\"type\":\"seat\",\"seat\":9,\"setup\":{\"type\":\"random\"}}",
    ] {
        board.say(nonsense).await;
        board.wait_refused().await;
    }
    board.tell(&json!({ "type": "ping" })).await;
    board.wait("pong").await;
    assert_eq!(board.moves().len(), 20);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hundred_connections_hear_the_same() {
    let server = Running::start().await;
    let (id, key) = server.new_match("tic-tac-toe", 0, json!([])).await;
    let mut boards = Vec::new();
    for _ in 0..100 {
        boards.push(server.connect(&id, &key).await);
    }
    boards[0].wait("match").await;
    let mv = boards[0].moves()[0].clone();
    boards[0].play(&mv, "x").await;
    for board in &mut boards {
        let told = board.wait("moved").await;
        assert_eq!(told["node"]["long"], json!(mv));
    }
}
