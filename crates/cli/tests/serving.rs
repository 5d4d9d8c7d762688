//! `boardwright serve` as a process: what it prints, and that killing it loses nothing.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test may stop where it stands")]

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use serde_json::{Value, json};

/// A server as a process.
struct Process {
    child: Child,
    address: String,
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
        let url = line.trim().strip_prefix("Boardwright is at http://").unwrap_or_default();
        let address = url.trim_end_matches('/').to_owned();
        assert!(!address.is_empty(), "{line}");
        Process { child, address }
    }

    fn ask(&self, method: &str, path: &str, body: &str) -> Value {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let body = answer.split_once("\r\n\r\n").map_or("", |it| it.1);
        // Long answers come in pieces; the JSON is between the first and the last brace.
        let joined: String = if answer.to_lowercase().contains("transfer-encoding: chunked") {
            let lines: Vec<&str> = body.split("\r\n").collect();
            lines.iter().skip(1).step_by(2).copied().collect()
        } else {
            body.to_owned()
        };
        serde_json::from_str(&joined).unwrap_or(Value::Null)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Perhaps it is gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A frame of a socket, masked as clients must, with a mask of zeros.
fn frame(text: &str) -> Vec<u8> {
    let mut bytes = vec![0x81];
    match text.len() {
        n @ 0..126 => bytes.push(0x80 | n as u8),
        n => {
            bytes.push(0x80 | 126);
            bytes.extend_from_slice(&(n as u16).to_be_bytes());
        }
    }
    bytes.extend_from_slice(&[0; 4]);
    bytes.extend_from_slice(text.as_bytes());
    bytes
}

/// The text of the next frame.
fn next(stream: &mut TcpStream) -> Value {
    let mut head = [0; 2];
    stream.read_exact(&mut head).unwrap();
    let len = match head[1] & 0x7f {
        126 => {
            let mut len = [0; 2];
            stream.read_exact(&mut len).unwrap();
            u64::from(u16::from_be_bytes(len))
        }
        127 => {
            let mut len = [0; 8];
            stream.read_exact(&mut len).unwrap();
            u64::from_be_bytes(len)
        }
        n => u64::from(n),
    };
    let mut body = vec![0; len as usize];
    stream.read_exact(&mut body).unwrap();
    serde_json::from_slice(&body).unwrap_or(Value::Null)
}

/// A socket, its greeting read.
fn connect(server: &Process, id: &str, key: &str) -> TcpStream {
    let mut stream = TcpStream::connect(&server.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let request = format!(
        "GET /api/matches/{id}/socket?key={key} HTTP/1.1\r\nHost: {}\r\nUpgrade: websocket\r\n\
         Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n\
         Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
        server.address
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        stream.read_exact(&mut byte).unwrap();
        head.push(byte[0]);
    }
    assert!(head.starts_with(b"HTTP/1.1 101"), "{}", String::from_utf8_lossy(&head));
    assert_eq!(next(&mut stream)["type"], "match");
    stream
}

fn play(stream: &mut TcpStream, node: usize, mv: &str) -> Value {
    let command = json!({ "type": "play", "node": node, "move": mv, "id": format!("m{node}") });
    stream.write_all(&frame(&command.to_string())).unwrap();
    next(stream)
}

#[test]
fn a_killed_server_has_every_move_it_confirmed() {
    let dir = tempfile::tempdir().unwrap();
    let mut server = Process::start(dir.path());
    let made = server.ask("POST", "/api/matches", r#"{"game":"chess","n":0,"seats":[]}"#);
    let (id, key) =
        (made["id"].as_str().unwrap().to_owned(), made["key"].as_str().unwrap().to_owned());
    let moves = ["Pawn e2 - e4", "Pawn e7 - e5", "Knight g1 - f3", "Knight b8 - c6"];
    let mut stream = connect(&server, &id, &key);
    for (node, mv) in moves.iter().enumerate() {
        let told = play(&mut stream, node, mv);
        assert_eq!(told["node"]["long"], json!(mv), "{told}");
    }
    // SIGKILL: nothing can be tidied up.
    server.child.kill().unwrap();
    server.child.wait().unwrap();
    let server = Process::start(dir.path());
    let seen = server.ask("GET", &format!("/api/matches/{id}?key={key}"), "");
    let nodes = seen["nodes"].as_array().unwrap();
    let played: Vec<&str> = nodes.iter().skip(1).filter_map(|it| it["long"].as_str()).collect();
    assert_eq!(played, moves);
    assert_eq!(seen["current"], 4);
    // The move whose answer was lost is sent again, and play goes on.
    let mut stream = connect(&server, &id, &key);
    assert_eq!(play(&mut stream, 3, moves[3])["match"]["current"], 4);
    let told = play(&mut stream, 4, "Bishop f1 - b5");
    assert_eq!(told["node"]["ply"], 5, "{told}");
    // What is saved is accepted by `replay`.
    let mut save = TcpStream::connect(&server.address).unwrap();
    let request = format!(
        "GET /api/matches/{id}/save.zsg HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n",
        server.address
    );
    save.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    save.read_to_string(&mut answer).unwrap();
    let at = answer.find("Zillions Save Game File").unwrap();
    let path = dir.path().join("chess.zsg");
    std::fs::write(&path, &answer[at..]).unwrap();
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

#[test]
fn a_server_that_is_asked_to_stop_says_goodbye_whatever_it_is_doing() {
    let dir = tempfile::tempdir().unwrap();
    let mut server = Process::start(dir.path());
    let health = server.ask("GET", "/health", "");
    assert_eq!((&health["status"], &health["store"]), (&json!("ok"), &json!("ok")), "{health}");
    let made = server.ask("POST", "/api/matches", r#"{"game":"chess","n":0,"seats":[]}"#);
    let (id, key) = (made["id"].as_str().unwrap(), made["key"].as_str().unwrap());
    let mut stream = connect(&server, id, key);
    // An analysis goes on for a quarter of an hour, and a request whose body never comes.
    let analyse = json!({ "type": "analyse", "on": true, "node": 0, "lines": 1 });
    stream.write_all(&frame(&analyse.to_string())).unwrap();
    assert_eq!(next(&mut stream)["type"], "thinking");
    let _hanging = half_a_request(&server);
    let began = Instant::now();
    server.signal("-TERM");
    let mut rest = Vec::new();
    stream.read_to_end(&mut rest).unwrap();
    let goodbye = b"\x03\xe9the server is shutting down";
    assert!(rest.windows(goodbye.len()).any(|it| it == goodbye), "a close frame with the reason");
    assert_eq!(server.code(), Some(0));
    assert!(began.elapsed() < SOON, "{:?}", began.elapsed());
}

#[test]
fn a_second_signal_ends_a_server_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let mut server = Process::start(dir.path());
    let _hanging = half_a_request(&server);
    server.signal("-INT");
    std::thread::sleep(Duration::from_millis(100));
    server.signal("-INT");
    assert_eq!(server.code(), Some(130));
}

/// A request whose body is promised and never sent.
fn half_a_request(server: &Process) -> TcpStream {
    let mut stream = TcpStream::connect(&server.address).unwrap();
    let request = format!(
        "PUT /api/user HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n\
         Content-Length: 100\r\n\r\n{{",
        server.address
    );
    stream.write_all(request.as_bytes()).unwrap();
    // Until it is being answered.
    std::thread::sleep(Duration::from_millis(200));
    stream
}

#[test]
fn the_log_says_what_happened_and_no_secrets() {
    let dir = tempfile::tempdir().unwrap();
    let options = ["--log", "debug", "--log-format", "json"];
    let mut server = Process::start_with(dir.path(), &options, Stdio::piped());
    let mut log = server.child.stderr.take().unwrap();
    server.ask("GET", "/api/matches/nothing?key=verysecret", "");
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
    assert!(!text.contains("verysecret"), "{text}");
    assert_eq!(server.code(), Some(0));
}

#[test]
fn a_failing_disk_is_logged_with_the_reference_that_the_client_gets() {
    let dir = tempfile::tempdir().unwrap();
    let mut server = Process::start_with(dir.path(), &[], Stdio::piped());
    let mut log = server.child.stderr.take().unwrap();
    // Where the folder of games was there is a file now, so that no folder can be made in it.
    std::fs::remove_dir(dir.path().join("games")).unwrap();
    std::fs::write(dir.path().join("games"), "").unwrap();
    let draft = json!({ "base": "", "text": "game: Pond\n" });
    let answer = server.ask("POST", "/api/presets", &draft.to_string());
    let error = answer["error"].as_str().unwrap();
    let reference = error.split_once("(reference ").unwrap().1.trim_end_matches(')');
    server.signal("-TERM");
    let mut text = String::new();
    log.read_to_string(&mut text).unwrap();
    let line = text.lines().find(|it| it.contains(reference)).unwrap_or_else(|| panic!("{text}"));
    assert!(line.contains("cause=") && line.contains("/api/presets"), "{line}");
    assert_eq!(server.code(), Some(0));
}
