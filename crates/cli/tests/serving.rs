//! `boardwright serve` as a process: what it prints, and that killing it loses nothing.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test may stop where it stands")]

#[path = "../../server/tests/common/client.rs"]
#[allow(dead_code, reason = "the tests of the server use the rest")]
mod client;

use std::{
    io::{BufRead, BufReader, Read},
    ops::Deref,
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use client::{Client, Socket};
use serde_json::{Value, json};
use tokio::{io::AsyncWriteExt, net::TcpStream};

/// A server as a process, and the person at its machine as a client.
struct Process {
    child: Child,
    owner: Client,
}

impl Deref for Process {
    type Target = Client;

    fn deref(&self) -> &Client {
        &self.owner
    }
}

impl Process {
    fn start(data: &Path) -> Process {
        Process::start_with(data, &[], Stdio::inherit())
    }

    fn start_with(data: &Path, options: &[&str], log: Stdio) -> Process {
        let mut child = Command::new(env!("CARGO_BIN_EXE_boardwright"))
            .args(["serve", "--port", "0", "--no-open", "--data"])
            .arg(data)
            .args(options)
            .env_remove("BOARDWRIGHT_LOG")
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let url =
            line.trim().strip_prefix("Boardwright is at ").unwrap_or_else(|| panic!("{line}"));
        Process { child, owner: Client::of_url(url) }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Perhaps it is gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Plays a move; what is told then.
async fn play(board: &mut Socket, node: usize, mv: &str) -> Value {
    let command = json!({ "type": "play", "node": node, "move": mv, "id": format!("m{node}") });
    board.tell(&command).await;
    board.next().await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_server_has_every_move_it_confirmed() {
    let dir = tempfile::tempdir().unwrap();
    let mut server = Process::start(dir.path());
    let (id, key) = server.new_match("chess", 0, json!([])).await;
    let moves = ["Pawn e2 - e4", "Pawn e7 - e5", "Knight g1 - f3", "Knight b8 - c6"];
    let mut board = server.connect(&id, &key).await;
    board.wait("match").await;
    for (node, mv) in moves.iter().enumerate() {
        let told = play(&mut board, node, mv).await;
        assert_eq!(told["node"]["long"], json!(mv), "{told}");
    }
    // SIGKILL: nothing can be tidied up.
    server.child.kill().unwrap();
    server.child.wait().unwrap();
    let server = Process::start(dir.path());
    let seen = server.get(&format!("/api/matches/{id}?key={key}")).await.json();
    let nodes = seen["nodes"].as_array().unwrap();
    let played: Vec<&str> = nodes.iter().skip(1).filter_map(|it| it["long"].as_str()).collect();
    assert_eq!(played, moves);
    assert_eq!(seen["current"], 4);
    // The move whose answer was lost is sent again, and play goes on.
    let mut board = server.connect(&id, &key).await;
    board.wait("match").await;
    assert_eq!(play(&mut board, 3, moves[3]).await["match"]["current"], 4);
    let told = play(&mut board, 4, "Bishop f1 - b5").await;
    assert_eq!(told["node"]["ply"], 5, "{told}");
    // What is saved is accepted by `replay`.
    let save = server.get(&format!("/api/matches/{id}/save.zsg")).await;
    let path = dir.path().join("chess.zsg");
    std::fs::write(&path, &save.body).unwrap();
    let rules = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/chess/chess.zrf");
    std::fs::copy(rules, dir.path().join("chess.zrf")).unwrap();
    let said =
        Command::new(env!("CARGO_BIN_EXE_boardwright")).arg("replay").arg(&path).output().unwrap();
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stdout));
}

impl Process {
    fn signal(&self, name: &str) {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args([name, &pid]).status().unwrap().success());
    }

    /// The exit code, once the process has ended by itself.
    fn code(&mut self) -> Option<i32> {
        self.child.wait().unwrap().code()
    }
}

/// The promise is two seconds; test machines are busy.
const SOON: Duration = Duration::from_secs(10);

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_asked_to_stop_says_goodbye_whatever_it_is_doing() {
    let dir = tempfile::tempdir().unwrap();
    let mut server = Process::start(dir.path());
    let health = server.get("/health").await.json();
    assert_eq!((&health["status"], &health["store"]), (&json!("ok"), &json!("ok")), "{health}");
    let (id, key) = server.new_match("chess", 0, json!([])).await;
    let mut board = server.connect(&id, &key).await;
    // An analysis goes on for a quarter of an hour, and requests whose head or body never come.
    board.tell(&json!({ "type": "analyse", "on": true, "node": 0, "lines": 1 })).await;
    board.wait("thinking").await;
    let _hanging = half_a_request(&server).await;
    let mut headless = server.stream().await;
    headless.write_all(b"GET /api/lib").await.unwrap();
    let began = Instant::now();
    server.signal("-TERM");
    while board.next().await.is_some() {}
    let farewell = board.farewell.map(|it| (u16::from(it.code), it.reason.to_string()));
    assert_eq!(farewell, Some((1001, "the server is shutting down".to_owned())));
    assert_eq!(server.code(), Some(0));
    assert!(began.elapsed() < SOON, "{:?}", began.elapsed());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_signal_ends_a_server_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let mut server = Process::start(dir.path());
    let _hanging = half_a_request(&server).await;
    server.signal("-INT");
    std::thread::sleep(Duration::from_millis(100));
    server.signal("-INT");
    assert_eq!(server.code(), Some(130));
}

/// A request whose body is promised and never sent.
async fn half_a_request(server: &Process) -> TcpStream {
    let mut stream = server.stream().await;
    let request = format!(
        "PUT /api/user HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n\
         X-Boardwright-Key: {}\r\nContent-Length: 100\r\n\r\n{{",
        server.address, server.key
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    // Until it is being answered.
    assert_eq!(server.get("/health").await.status, 200);
    stream
}

#[tokio::test(flavor = "multi_thread")]
async fn the_log_says_what_happened_and_no_secrets() {
    let dir = tempfile::tempdir().unwrap();
    let options = ["--log", "debug", "--log-format", "json"];
    let mut server = Process::start_with(dir.path(), &options, Stdio::piped());
    let mut log = server.child.stderr.take().unwrap();
    server.get("/api/matches/nothing?key=verysecret").await;
    server.signal("-TERM");
    let mut text = String::new();
    log.read_to_string(&mut text).unwrap();
    let lines: Vec<Value> =
        text.lines().map(|it| serde_json::from_str(it).expect("one JSON object a line")).collect();
    let said = |message: &str| lines.iter().find(|it| it["message"] == message);
    assert!(said("started").is_some() && said("stopped").is_some(), "{text}");
    let answered = said("answered").unwrap_or_else(|| panic!("{text}"));
    assert_eq!(answered["status"], 404);
    assert_eq!(answered["span"]["path"], "/api/matches/nothing");
    assert!(!text.contains("verysecret") && !text.contains(&server.key), "{text}");
    assert_eq!(server.code(), Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failing_disk_is_logged_with_the_reference_that_the_client_gets() {
    let dir = tempfile::tempdir().unwrap();
    let mut server = Process::start_with(dir.path(), &[], Stdio::piped());
    let mut log = server.child.stderr.take().unwrap();
    // Where the folder of games was there is a file now, so that no folder can be made in it.
    std::fs::remove_dir(dir.path().join("games")).unwrap();
    std::fs::write(dir.path().join("games"), "").unwrap();
    let draft = json!({ "base": "", "text": "game: Pond\n" });
    let answer = server.post("/api/presets", &draft).await.json();
    let error = answer["error"].as_str().unwrap();
    let reference = error.split_once("(reference ").unwrap().1.trim_end_matches(')');
    server.signal("-TERM");
    let mut text = String::new();
    log.read_to_string(&mut text).unwrap();
    let line = text.lines().find(|it| it.contains(reference)).unwrap_or_else(|| panic!("{text}"));
    assert!(line.contains("cause=") && line.contains("/api/presets"), "{line}");
    assert_eq!(server.code(), Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_key_is_printed_again_and_opens_what_is_the_owners() {
    let dir = tempfile::tempdir().unwrap();
    let server = Process::start(dir.path());
    let printed = Command::new(env!("CARGO_BIN_EXE_boardwright"))
        .args(["key", "--port", "8123", "--data"])
        .arg(dir.path())
        .output()
        .unwrap();
    let printed = String::from_utf8(printed.stdout).unwrap();
    assert_eq!(printed, format!("http://127.0.0.1:8123/#key={}\n", server.key));
    assert_eq!(server.get("/api/user").await.status, 200);
    assert_eq!(server.guest().get("/api/user").await.status, 403);
    let key = server.key.clone();
    drop(server);
    assert_eq!(Process::start(dir.path()).key, key, "it stays the same");
}

/// The processes that another one has started and that run rules.
#[cfg(target_os = "linux")]
fn rules_hosts(parent: u32) -> Vec<u32> {
    let pids = std::fs::read_dir("/proc")
        .unwrap()
        .filter_map(|it| it.ok()?.file_name().into_string().ok()?.parse().ok());
    let is_it = |pid: &u32| {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let line = std::fs::read_to_string(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        let after = stat.rsplit(')').next().unwrap_or("").split_whitespace().nth(1);
        after == Some(&parent.to_string()) && line.contains("rules-host")
    };
    pids.filter(is_it).collect()
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn foreign_rules_run_in_processes_that_do_not_outlive_a_killed_server() {
    let dir = tempfile::tempdir().unwrap();
    let mut server = Process::start_with(dir.path(), &["--isolate"], Stdio::inherit());
    let rules = b"(game (title \"Pond\") (players Wolf Sheep) (turn-order Wolf Sheep)
        (board (grid (start-rectangle 0 0 9 9) (dimensions (\"a/b/c\" (10 0))) (directions (e 1))))
        (piece (name Stone) (moves (e (verify empty?) add)))
        (board-setup (Wolf (Stone a))))";
    let uploaded = server.upload(&[("pond.zrf", rules.as_slice())]).await.json();
    let game = uploaded["games"][0]["id"].as_str().unwrap().to_owned();
    let (id, key) = server.new_match(&game, 0, json!([])).await;
    let mut board = server.connect(&id, &key).await;
    board.wait("match").await;
    let told = play(&mut board, 0, "Stone a - b").await;
    assert_eq!(told["node"]["long"], "Stone a - b", "{told}");
    let hosts = rules_hosts(server.child.id());
    assert!(!hosts.is_empty(), "the rules ran elsewhere first");
    server.child.kill().unwrap();
    server.child.wait().unwrap();
    let is_alive = |pid: &u32| {
        let line = std::fs::read_to_string(format!("/proc/{pid}/cmdline"));
        line.is_ok_and(|it| it.contains("rules-host"))
    };
    while hosts.iter().any(is_alive) {
        tokio::task::yield_now().await;
    }
}
