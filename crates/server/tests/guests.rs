//! What guests may and may not do, and how much of the server they can take.

mod common;

use std::{
    collections::BTreeSet,
    fs,
    io::{Cursor, Write},
    path::Path,
};

use common::{Client, Running, person, text};
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

fn guest_seat() -> Value {
    json!({ "type": "guest" })
}

/// A match with a seat for a guest: its id, the key of its owner, the key of the seat.
async fn match_with_guest(client: &Client, game: &str) -> [String; 3] {
    let body = json!({ "game": game, "n": 0, "seats": [person(), guest_seat()] });
    let made = client.post("/api/matches", &body).await;
    assert_eq!(made.status, 201, "{}", made.text());
    let made = made.json();
    let link = text(&made["invitations"][0]["link"]);
    let seat = link.split_once("key=").expect("a key").1.to_owned();
    [text(&made["id"]), text(&made["key"]), seat]
}

/// Everything that is asked of every visitor. `{id}` is a match.
const ROUTES: &[(&str, &str)] = &[
    ("GET", "/health"),
    ("GET", "/api/library"),
    ("GET", "/api/user"),
    ("PUT", "/api/user"),
    ("GET", "/api/visitor"),
    ("GET", "/api/matches"),
    ("POST", "/api/matches"),
    ("POST", "/api/matches/load"),
    ("POST", "/api/matches/solution"),
    ("GET", "/api/matches/{id}"),
    ("DELETE", "/api/matches/{id}"),
    ("POST", "/api/matches/{id}/restore"),
    ("GET", "/api/matches/{id}/save.zsg"),
    ("GET", "/api/matches/{id}/thumb.svg"),
    ("GET", "/api/matches/{id}/socket"),
    ("POST", "/api/games"),
    ("DELETE", "/api/games/{game}"),
    ("POST", "/api/games/{game}/restore"),
    ("GET", "/api/games/{game}/source"),
    ("GET", "/api/games/{game}/file/{*path}"),
    ("GET", "/api/games/{game}/image/{*path}"),
    ("GET", "/api/games/{game}/{n}"),
    ("GET", "/api/games/{game}/{n}/thumb.svg"),
    ("GET", "/api/games/{game}/{n}/solution"),
    ("POST", "/api/presets"),
    ("POST", "/api/presets/draft"),
    ("POST", "/api/presets/import"),
    ("GET", "/api/presets/{game}"),
    ("GET", "/api/presets/{game}/preset.txt"),
    ("GET", "/api/presets/{game}/preset.zip"),
    ("PUT", "/api/presets/{game}/picture/{name}"),
    ("GET", "/text"),
    ("GET", "/text/"),
    ("GET", "/text/game/{game}/{n}"),
    ("POST", "/text/begin"),
    ("GET", "/text/m/{id}"),
    ("POST", "/text/m/{id}"),
];

/// The paths of all routes in the source of the server.
fn routes_in_source() -> BTreeSet<String> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = BTreeSet::new();
    for file in fs::read_dir(source).expect("the source is there").flatten() {
        let Ok(text) = fs::read_to_string(file.path()) else { continue };
        for part in text.split(".route(\"").skip(1) {
            let path = part.split('"').next().unwrap_or("");
            let is_page = path == "/health" || path.starts_with("/text");
            let prefix = if is_page { "" } else { "/api" };
            found.insert(format!("{prefix}{path}"));
        }
    }
    found
}

#[tokio::test(flavor = "multi_thread")]
async fn no_answer_holds_the_keys_of_others() {
    let known: BTreeSet<String> = ROUTES.iter().map(|it| it.1.to_owned()).collect();
    assert_eq!(known, routes_in_source(), "every route is asked");
    let server = Running::start().await;
    let (ann, bob) = (server.guest_from([1, 1]), server.guest_from([1, 2]));
    let own = match_with_guest(&server, "chess").await;
    let anns = match_with_guest(&ann, "chess").await;
    let (own_keys, anns_keys) = (own[1..].to_vec(), anns[1..].to_vec());
    let all = [own_keys.clone(), anns_keys.clone(), vec![server.key.clone()]].concat();
    // Who asks, with which key of a match, and which keys are secrets to them.
    let bobs_secrets: Vec<String> = all.iter().filter(|it| **it != anns[2]).cloned().collect();
    let visitors = [
        ("a guest", server.guest(), "", all.clone()),
        ("a player of another match", bob, anns[2].as_str(), bobs_secrets),
        ("the owner", (*server).clone(), "", [anns_keys, vec![server.key.clone()]].concat()),
    ];
    for (who, client, key, secrets) in &visitors {
        for (method, path) in ROUTES {
            for id in [&own[0], &anns[0]] {
                let path = path.replace("{id}", id).replace("{game}", "preset-chess");
                let path =
                    path.replace("{n}", "0").replace("{*path}", "x.wav").replace("{name}", "x.png");
                let path = if key.is_empty() { path } else { format!("{path}?key={key}") };
                let body = json!({ "game": "tic-tac-toe", "n": 0, "seats": [], "text": "" });
                let headers = "Content-Type: application/json\r\n";
                let body = body.to_string();
                let answer = client.send(method, &path, headers, body.as_bytes()).await;
                assert!((200..500).contains(&answer.status), "{method} {path}: {}", answer.status);
                let said = format!("{}{}", answer.head, answer.text());
                for secret in secrets {
                    assert!(!said.contains(secret), "{who}: {method} {path}: {said}");
                }
            }
        }
        for id in [&own[0], &anns[0]] {
            let mut board = client.connect(id, key).await;
            let told = board.wait("match").await.to_string();
            assert!(secrets.iter().all(|it| !told.contains(it)), "{who}: {told}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn behind_a_proxy_nobody_counts_as_the_owner() {
    let server = Running::start().await;
    server.new_match("chess", 0, json!([])).await;
    // From this very machine, as everybody is behind a proxy or tunnel.
    let guest = server.guest();
    assert_eq!(guest.get("/api/matches").await.json(), json!([]));
    assert_eq!(server.get("/api/matches").await.json().as_array().map(Vec::len), Some(1));
    assert_eq!(guest.get("/api/visitor").await.json()["isOwner"], false);
    assert_eq!(server.get("/api/visitor").await.json()["isOwner"], true);
    let wrong = Client { key: "a".repeat(26), ..guest.clone() };
    for client in [&guest, &wrong] {
        for (method, path) in [
            ("GET", "/api/user"),
            ("PUT", "/api/user"),
            ("POST", "/api/games"),
            ("DELETE", "/api/games/chess"),
            ("POST", "/api/games/my-pond/restore"),
            ("POST", "/api/presets"),
            ("POST", "/api/presets/draft"),
            ("POST", "/api/presets/import"),
        ] {
            let answer =
                client.send(method, path, "Content-Type: application/json\r\n", b"{}").await;
            assert_eq!(answer.status, 403, "{method} {path}: {}", answer.text());
            assert!(text(&answer.json()["hint"]).contains("boardwright key"));
        }
    }
    // Guests still play.
    let (id, key) = guest.new_match("tic-tac-toe", 0, json!([])).await;
    let mut board = guest.connect(&id, &key).await;
    board.wait("match").await;
    let mv = board.moves()[0].clone();
    board.play(&mv, "x").await;
    board.wait("moved").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn only_trusted_proxies_say_where_a_request_comes_from() {
    let begin = async |server: &Running, from: &str| {
        let body = json!({ "game": "tic-tac-toe", "n": 0, "seats": [] }).to_string();
        let headers = format!("Content-Type: application/json\r\nX-Forwarded-For: {from}\r\n");
        server.guest().send("POST", "/api/matches", &headers, body.as_bytes()).await.status
    };
    let open = Running::start_with(|it| it.limits.matches_by_address = 1).await;
    assert_eq!(begin(&open, "192.0.2.1").await, 201);
    assert_eq!(begin(&open, "192.0.2.2").await, 429, "it is the same connection's address");
    let proxied = Running::start_with(|it| {
        it.limits.matches_by_address = 1;
        it.trusted_proxies = vec!["127.0.0.0/8".parse().expect("a network")];
        it.names = vec!["games.example.org".to_owned()];
    })
    .await;
    assert_eq!(begin(&proxied, "192.0.2.1").await, 201);
    assert_eq!(begin(&proxied, "192.0.2.2").await, 201);
    assert_eq!(begin(&proxied, "203.0.113.7, 192.0.2.2").await, 429, "the first hop is forged");
    for (host, status) in [("games.example.org", 200), ("evil.example", 403)] {
        let head =
            format!("GET /api/library HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        assert_eq!(proxied.raw(head.as_bytes()).await.status, status, "{host}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guests_record_names_only_presets_that_the_server_knows() {
    let elsewhere = Running::start().await;
    let files: &[(&str, &[u8])] =
        &[("pond/preset.txt", b"game: Pond\ncode: k2/3/2K\ncolumns: 3\n")];
    let game = text(&elsewhere.upload(files).await.json()["games"][0]["id"]);
    let record = async |server: &Running, game: &str| {
        let (id, _) = server.new_match(game, 0, json!([])).await;
        server.get(&format!("/api/matches/{id}/save.zsg")).await.body
    };
    let foreign = record(&elsewhere, &game).await;
    let known = record(&elsewhere, "preset-chess").await;
    let server = Running::start().await;
    let load = async |client: &Client, body: &[u8]| {
        client.send("POST", "/api/matches/load", "", body).await.status
    };
    assert_eq!(load(&server.guest(), &foreign).await, 403);
    assert_eq!(load(&server.guest(), &known).await, 201);
    assert_eq!(load(&server, &foreign).await, 201);
}

#[tokio::test(flavor = "multi_thread")]
async fn watchers_do_not_lock_players_and_owner_out() {
    let server = Running::start_with(|it| it.limits.watchers = 6).await;
    let [id, key, seat] = match_with_guest(&server, "tic-tac-toe").await;
    let mut watching = Vec::new();
    for n in 0..10 {
        match server.guest_from([2, n]).try_connect(&id, "").await {
            Ok(socket) => watching.push(socket),
            Err(status) => assert_eq!(status, 503),
        }
    }
    assert_eq!(watching.len(), 6);
    let mut owner = server.connect(&id, &key).await;
    let mut guest = server.guest_from([2, 1]).connect(&id, &seat).await;
    owner.wait("match").await;
    guest.wait("match").await;
    let mv = owner.moves()[0].clone();
    owner.play(&mv, "o").await;
    for board in watching.iter_mut().chain([&mut owner, &mut guest]) {
        board.wait("moved").await;
    }
    drop(watching);
    // Their places are free again once the server has noticed.
    while server.guest().try_connect(&id, "").await.is_err() {
        tokio::task::yield_now().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn half_sent_requests_lock_nobody_out() {
    let server = Running::start_with(|it| {
        it.limits.connections = 30;
        it.limits.waiting_by_address = 5;
    })
    .await;
    let (id, key) = server.new_match("tic-tac-toe", 0, json!([])).await;
    let mut half = Vec::new();
    for n in 0..120 {
        // From the owner's address, and from many others.
        let client = if n % 2 == 0 { server.guest() } else { server.guest_from([3, n]) };
        let mut stream = client.stream().await;
        let head = format!("POST /api/matches HTTP/1.1\r\nHost: {}\r\n", server.address);
        let body = "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{";
        let sent = if n % 3 == 0 { format!("{head}{body}") } else { head };
        // One that was closed for a later one may fail.
        let _ = stream.write_all(sent.as_bytes()).await;
        half.push(stream);
    }
    let mut board = server.connect(&id, &key).await;
    board.wait("match").await;
    for n in 0..4 {
        let mv = board.moves()[0].clone();
        board.play(&mv, &n.to_string()).await;
        board.wait("moved").await;
    }
    assert_eq!(server.get("/health").await.status, 200);
    // They do not keep the server from stopping either.
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn too_many_requests_of_one_address_are_refused_but_not_the_owners() {
    let server = Running::start_with(|it| {
        it.limits.requests_in_a_burst = 20.0;
        it.limits.requests_per_second = 0.01;
    })
    .await;
    let guest = server.guest_from([4, 1]);
    let mut statuses = Vec::new();
    for _ in 0..30 {
        statuses.push(guest.get("/api/visitor").await.status);
    }
    assert_eq!(statuses.iter().filter(|it| **it == 200).count(), 20);
    assert_eq!(statuses.last(), Some(&429));
    assert_eq!(server.guest_from([4, 2]).get("/api/visitor").await.status, 200);
    for _ in 0..30 {
        assert_eq!(server.get("/api/visitor").await.status, 200);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_matches_of_guests_leave_the_owners_list_alone() {
    let server = Running::start_with(|it| {
        it.limits.matches_by_address = 5;
        it.limits.matches_of_guests = 8;
    })
    .await;
    for _ in 0..3 {
        server.new_match("tic-tac-toe", 0, json!([])).await;
    }
    let body = json!({ "game": "tic-tac-toe", "n": 0, "seats": [] });
    let mut made = Vec::new();
    for n in 0..30 {
        let answer = server.guest_from([5, n % 3]).post("/api/matches", &body).await;
        assert!(matches!(answer.status, 201 | 429), "{}", answer.text());
        made.push(answer.status);
    }
    assert_eq!(made.iter().filter(|it| **it == 201).count(), 8);
    let listed = server.get("/api/matches").await.json();
    assert_eq!(listed.as_array().map(Vec::len), Some(3));
    let rest = server.get("/api/matches?skip=2").await.json();
    assert_eq!(rest[0], listed[2], "the list goes on");
    assert_eq!(rest.as_array().map(Vec::len), Some(1));
    // The owner may begin any number.
    for _ in 0..10 {
        server.new_match("tic-tac-toe", 0, json!([])).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_opponent_is_not_sent_what_the_other_asks_the_engine() {
    let server = Running::start().await;
    let [id, key, seat] = match_with_guest(&server, "chess").await;
    let mut owner = server.connect(&id, &key).await;
    let mut guest = server.guest().connect(&id, &seat).await;
    guest.wait("match").await;
    let mut told = Vec::new();
    owner.tell(&json!({ "type": "hint" })).await;
    owner.wait("hint").await;
    owner.tell(&json!({ "type": "analyse", "on": true, "node": 0, "lines": 2 })).await;
    owner.wait("analysis").await;
    owner.wait("score").await;
    guest.tell(&json!({ "type": "chat", "text": "are you thinking?" })).await;
    loop {
        let event = guest.next().await.expect("it is open");
        if event["type"] == "chat" {
            break;
        }
        told.push(event);
    }
    let late = server.guest().connect(&id, &seat).await.wait("match").await;
    assert_eq!(late["match"]["thinking"]["line"], "", "{late}");
    assert!(told.iter().any(|it| it["type"] == "thinking"), "that it thinks is no secret");
    for event in &told {
        let kind = text(&event["type"]);
        assert!(!["hint", "analysis", "score"].contains(&kind.as_str()), "{event}");
        let thinking = &event["thinking"];
        let says_nothing = thinking["line"] == "" && thinking["hundredths"].is_null();
        assert!(kind != "thinking" || thinking.is_null() || says_nothing, "{event}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_owner_cannot_resign_for_a_guest() {
    let server = Running::start().await;
    let [id, key, seat] = match_with_guest(&server, "tic-tac-toe").await;
    let mut owner = server.connect(&id, &key).await;
    owner.tell(&json!({ "type": "resign", "seat": 1 })).await;
    assert_eq!(owner.wait_refused().await["message"], "you do not sit on that seat");
    let mut guest = server.guest().connect(&id, &seat).await;
    guest.tell(&json!({ "type": "resign", "seat": 1 })).await;
    while owner.wait("match").await["match"]["state"]["outcome"].is_null() {}
}

#[tokio::test(flavor = "multi_thread")]
async fn a_zip_whose_files_overlap_is_refused_before_it_is_unpacked() {
    let server = Running::start().await;
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    zip.start_file("0.bmp", options).expect("a zip is written");
    zip.write_all(&vec![0; 8 << 20]).expect("a zip is written");
    for n in 1..1500 {
        zip.shallow_copy_file("0.bmp", &format!("{n}.bmp")).expect("a zip is written");
    }
    let zip = zip.finish().expect("a zip is written").into_inner();
    assert!(zip.len() < 300_000, "{}", zip.len());
    let answer = server.upload(&[("bomb.zip", &zip)]).await;
    assert_eq!(answer.status, 400, "{}", answer.text());
    assert!(answer.text().contains("overlap"), "{}", answer.text());
}

#[tokio::test(flavor = "multi_thread")]
async fn files_that_do_not_belong_to_a_game_are_not_unpacked_and_failures_leave_nothing() {
    let server = Running::start().await;
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    for n in 0..40 {
        zip.start_file(format!("{n}.exe"), options).expect("a zip is written");
        zip.write_all(&vec![0; 4 << 20]).expect("a zip is written");
    }
    zip.start_file("readme.txt", options).expect("a zip is written");
    let zip = zip.finish().expect("a zip is written").into_inner();
    // 160 MB, of which nothing is wanted; and there is no game.
    let answer = server.upload(&[("large.zip", &zip)]).await;
    assert_eq!(answer.status, 400, "{}", answer.text());
    let games = fs::read_dir(server.data.path().join("games")).expect("a folder");
    let left = games.flatten().filter(|it| it.file_name().to_string_lossy().starts_with("my-"));
    assert_eq!(left.count(), 0);
}
