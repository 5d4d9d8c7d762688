//! `boardwright serve` is killed again and again during play, and copied: no move that was
//! confirmed is lost, none is made twice.
//!
//! `KILLS=60 KILL_MOVES=100000 cargo test -p boardwright-cli --test killing` is the long run.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test may stop where it stands")]
#![expect(clippy::print_stdout, reason = "whoever runs it long wants to see what it did")]

use std::{
    env,
    io::{self, BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::Path,
    process::{Child, Command, Output, Stdio},
    sync::{
        Arc, Condvar, Mutex,
        atomic::{AtomicBool, AtomicU64, Ordering},
        mpsc,
    },
    thread,
    time::Duration,
};

use serde_json::{Value, json};

/// Matches that are played at the same time.
const PLAYERS: usize = 8;
/// Moves of a match before the next one is begun.
const MATCH_MOVES: usize = 150;

/// Where the server listens, and the key of the person at its machine if it prints one.
#[derive(Clone, Debug)]
struct Place {
    address: String,
    key: String,
    /// Counts the servers.
    start: u64,
}

/// A server as a process.
struct Process(Child);

impl Process {
    fn start(data: &Path, start: u64) -> (Process, Place) {
        let mut child = Command::new(env!("CARGO_BIN_EXE_boardwright"))
            .args(["serve", "--port", "0", "--no-open", "--log", "error", "--data"])
            .arg(data)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let url = line.trim().strip_prefix("Boardwright is at http://").unwrap_or_default();
        let (address, rest) = url.split_once('/').unwrap_or_else(|| panic!("{line}"));
        let key = rest.split_once("key=").map_or("", |it| it.1).to_owned();
        (Process(child), Place { address: address.to_owned(), key, start })
    }

    fn kill(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Perhaps it is gone already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn boardwright(arguments: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_boardwright"))
        .args(arguments)
        .arg("--data")
        .arg(folder)
        .output()
        .unwrap()
}

fn stream(place: &Place) -> io::Result<TcpStream> {
    let stream = TcpStream::connect(&place.address)?;
    stream.set_read_timeout(Some(Duration::from_secs(120)))?;
    stream.set_nodelay(true)?;
    Ok(stream)
}

fn ask(place: &Place, method: &str, path: &str, body: &str) -> io::Result<Value> {
    let mut stream = stream(place)?;
    let request = format!(
        "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nX-Boardwright-Key: {}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        place.address,
        place.key,
        body.len()
    );
    stream.write_all(request.as_bytes())?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    let body = answer.split_once("\r\n\r\n").map_or("", |it| it.1);
    let joined: String = if answer.to_lowercase().contains("transfer-encoding: chunked") {
        let lines: Vec<&str> = body.split("\r\n").collect();
        lines.iter().skip(1).step_by(2).copied().collect()
    } else {
        body.to_owned()
    };
    serde_json::from_str(&joined).map_err(io::Error::other)
}

/// A connection to a match.
struct Socket(BufReader<TcpStream>);

impl Socket {
    fn open(place: &Place, id: &str, key: &str) -> io::Result<Socket> {
        let mut stream = stream(place)?;
        let request = format!(
            "GET /api/matches/{id}/socket?key={key} HTTP/1.1\r\nHost: {}\r\n\
             Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n\
             Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
            place.address
        );
        stream.write_all(request.as_bytes())?;
        let mut socket = Socket(BufReader::new(stream));
        let mut line = String::new();
        while line != "\r\n" {
            line.clear();
            if socket.0.read_line(&mut line)? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
        Ok(socket)
    }

    /// Sends a frame, masked as clients must, with a mask of zeros.
    fn send(&mut self, opcode: u8, body: &[u8]) -> io::Result<()> {
        let mut bytes = vec![0x80 | opcode];
        match body.len() {
            n @ 0..126 => bytes.push(0x80 | n as u8),
            n => {
                bytes.push(0x80 | 126);
                bytes.extend_from_slice(&(n as u16).to_be_bytes());
            }
        }
        bytes.extend_from_slice(&[0; 4]);
        bytes.extend_from_slice(body);
        self.0.get_mut().write_all(&bytes)
    }

    /// The next event.
    fn next(&mut self) -> io::Result<Value> {
        loop {
            let mut head = [0; 2];
            self.0.read_exact(&mut head)?;
            let n_bytes = match head[1] & 0x7f {
                126 => 2,
                127 => 8,
                _ => 0,
            };
            let mut len = [0; 8];
            self.0.read_exact(&mut len[8 - n_bytes..])?;
            let len = match n_bytes {
                0 => u64::from(head[1] & 0x7f),
                _ => u64::from_be_bytes(len),
            };
            let mut body = vec![0; len as usize];
            self.0.read_exact(&mut body)?;
            match head[0] & 0x0f {
                1 => return serde_json::from_slice(&body).map_err(io::Error::other),
                8 => return Err(io::ErrorKind::ConnectionReset.into()),
                9 => self.send(10, &body)?,
                _ => {}
            }
        }
    }

    fn wait(&mut self, kinds: &[&str]) -> io::Result<Value> {
        loop {
            let event = self.next()?;
            if event["type"].as_str().is_some_and(|it| kinds.contains(&it)) {
                return Ok(event);
            }
        }
    }
}

/// A match as its player knows it.
#[derive(Default)]
struct Game {
    id: String,
    key: String,
    /// The moves that were confirmed.
    confirmed: Vec<String>,
    /// The move that was sent and not confirmed.
    open: Option<String>,
}

/// What the players share.
struct Hall {
    place: Mutex<Place>,
    moved: Condvar,
    n_confirmed: AtomicU64,
    n_repeated: AtomicU64,
    is_over: AtomicBool,
    confirmed: mpsc::Sender<()>,
}

impl Hall {
    /// The server after the one that `before` was.
    fn next_place(&self, before: u64) -> Option<Place> {
        let mut place = self.place.lock().unwrap();
        while place.start <= before && !self.is_over.load(Ordering::SeqCst) {
            place = self.moved.wait_timeout(place, Duration::from_millis(100)).unwrap().0;
        }
        (place.start > before).then(|| place.clone())
    }
}

fn moves_of(nodes: &Value) -> Vec<String> {
    let nodes = nodes.as_array().unwrap();
    nodes.iter().skip(1).map(|it| it["long"].as_str().unwrap().to_owned()).collect()
}

impl Game {
    /// Compares a match that the server shows with what was confirmed.
    fn check(&mut self, nodes: &Value, hall: &Hall) {
        let stored = moves_of(nodes);
        let n = self.confirmed.len();
        assert_eq!(stored.get(..n), Some(self.confirmed.as_slice()), "of match {}", self.id);
        match (stored.get(n), &self.open) {
            (None, _) => {}
            (Some(found), Some(open)) if found == open && stored.len() == n + 1 => {
                hall.n_repeated.fetch_add(1, Ordering::SeqCst);
                self.confirmed.push(found.clone());
                self.open = None;
            }
            (Some(_), open) => panic!("match {} has {:?} beside {open:?}", self.id, &stored[n..]),
        }
    }

    /// Plays until the match is long enough or the server is gone.
    fn play(&mut self, place: &Place, hall: &Hall, random: &mut u64) -> io::Result<()> {
        let mut socket = Socket::open(place, &self.id, &self.key)?;
        let seen = socket.wait(&["match"])?;
        self.check(&seen["match"]["nodes"], hall);
        let mut state = seen["match"]["state"].clone();
        while self.confirmed.len() < MATCH_MOVES && !hall.is_over.load(Ordering::SeqCst) {
            let moves = state["moves"].as_array().unwrap();
            if moves.is_empty() {
                return Ok(());
            }
            *random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let chosen = &moves[(*random >> 33) as usize % moves.len()]["long"];
            let mv = self.open.get_or_insert_with(|| chosen.as_str().unwrap().to_owned()).clone();
            let request = format!("m{}", self.confirmed.len());
            let command =
                json!({ "type": "play", "node": state["node"], "move": mv, "id": request });
            socket.send(1, command.to_string().as_bytes())?;
            let told = socket.wait(&["moved", "refused"])?;
            if told["type"] == "refused" {
                // Faster than a person may be; a new connection has a new allowance.
                let message = told["message"].as_str().unwrap_or_default();
                assert!(message.contains("too many"), "{told}");
                return Ok(());
            }
            assert_eq!(told["node"]["long"], json!(mv), "{told}");
            state = told["state"].clone();
            self.confirmed.push(mv);
            self.open = None;
            hall.n_confirmed.fetch_add(1, Ordering::SeqCst);
            // Nobody counts any more when it is over.
            let _ = hall.confirmed.send(());
        }
        Ok(())
    }
}

/// Begins and plays matches until it is over; returns them all.
fn player(hall: &Hall, seed: u64) -> Vec<Game> {
    let mut games: Vec<Game> = Vec::new();
    let (mut random, mut before) = (seed, 0);
    while let Some(place) = hall.next_place(before) {
        // As long as this server answers.
        let played = || -> io::Result<()> {
            while !hall.is_over.load(Ordering::SeqCst) {
                let is_played = |it: &Game| it.confirmed.len() >= MATCH_MOVES || it.key.is_empty();
                if games.last().is_none_or(is_played) {
                    let body = r#"{"game":"chess","n":0,"seats":[]}"#;
                    let made = ask(&place, "POST", "/api/matches", body)?;
                    let text = |it: &Value| it.as_str().map(str::to_owned);
                    let (Some(id), Some(key)) = (text(&made["id"]), text(&made["key"])) else {
                        return Err(io::Error::other(made.to_string()));
                    };
                    games.push(Game { id, key, ..Game::default() });
                }
                let game = games.last_mut().unwrap();
                let n_before = game.confirmed.len();
                game.play(&place, hall, &mut random)?;
                if game.confirmed.len() == n_before && game.open.is_none() {
                    // It has ended; the next match follows.
                    game.key.clear();
                }
            }
            Ok(())
        };
        let mut played = played;
        let _ = played();
        before = place.start;
    }
    games
}

fn number(name: &str, otherwise: u64) -> u64 {
    env::var(name).map_or(otherwise, |it| it.parse().expect("a number"))
}

#[test]
fn kills_during_play_lose_no_move_and_double_none() {
    let (n_kills, n_moves) = (number("KILLS", 3), number("KILL_MOVES", 400));
    let dir = tempfile::tempdir().unwrap();
    let (mut server, place) = Process::start(dir.path(), 1);
    let (confirmed, ticks) = mpsc::channel();
    let hall = Arc::new(Hall {
        place: Mutex::new(place),
        moved: Condvar::new(),
        n_confirmed: AtomicU64::new(0),
        n_repeated: AtomicU64::new(0),
        is_over: AtomicBool::new(false),
        confirmed,
    });
    let players: Vec<_> = (0..PLAYERS as u64)
        .map(|seed| {
            let hall = Arc::clone(&hall);
            thread::spawn(move || player(&hall, seed + 1))
        })
        .collect();
    let mut backed_up: Option<u64> = None;
    let copy = dir.path().join("copy");
    for kill in 1..=n_kills + 1 {
        while hall.n_confirmed.load(Ordering::SeqCst) < n_moves * kill / (n_kills + 1) {
            ticks.recv_timeout(Duration::from_secs(300)).expect("moves are made");
        }
        if backed_up.is_none() {
            // Beside the server, while moves are coming in.
            backed_up = Some(hall.n_confirmed.load(Ordering::SeqCst));
            let said = boardwright(&["backup", copy.to_str().unwrap()], dir.path());
            assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
        }
        if kill <= n_kills {
            // SIGKILL: nothing can be tidied up.
            server.kill();
            let (next, place) = Process::start(dir.path(), kill + 1);
            server = next;
            *hall.place.lock().unwrap() = place;
            hall.moved.notify_all();
        }
    }
    hall.is_over.store(true, Ordering::SeqCst);
    hall.moved.notify_all();
    let mut games: Vec<Game> = Vec::new();
    for player in players {
        games.extend(player.join().expect("what was confirmed is there"));
    }
    server.kill();
    let said = boardwright(&["verify"], dir.path());
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
    let (_server, place) = Process::start(dir.path(), n_kills + 2);
    for game in &mut games {
        let seen = ask(&place, "GET", &format!("/api/matches/{}", game.id), "").unwrap();
        game.check(&seen["nodes"], &hall);
    }
    // The copy is a data folder: what was confirmed before it began is there.
    let (_copied, place) = Process::start(&copy, 1);
    let mut n_copied = 0;
    for game in &games {
        let seen = ask(&place, "GET", &format!("/api/matches/{}", game.id), "").unwrap();
        let stored = if seen["nodes"].is_array() { moves_of(&seen["nodes"]) } else { Vec::new() };
        assert_eq!(stored.as_slice(), &game.confirmed[..stored.len()], "of match {}", game.id);
        n_copied += stored.len() as u64;
    }
    let backed_up = backed_up.unwrap();
    assert!(n_copied >= backed_up, "{n_copied} of {backed_up} moves are in the copy");
    let total: usize = games.iter().map(|it| it.confirmed.len()).sum();
    let n_repeated = hall.n_repeated.load(Ordering::SeqCst);
    println!(
        "{n_kills} kills during {total} moves of {} matches: none lost, none doubled; \
         {n_repeated} were stored without an answer; {n_copied} are in the copy",
        games.len()
    );
    assert!(total as u64 >= n_moves);
}

#[test]
fn a_second_server_on_a_data_folder_is_refused_with_the_process_of_the_first() {
    let dir = tempfile::tempdir().unwrap();
    let (mut server, _) = Process::start(dir.path(), 1);
    let said = boardwright(&["serve", "--port", "0", "--no-open"], dir.path());
    assert_eq!(said.status.code(), Some(1));
    let text = String::from_utf8_lossy(&said.stderr);
    assert!(text.contains("is in use by another server"), "{text}");
    assert!(text.contains(&format!("process {}", server.0.id())), "{text}");
    assert!(text.contains("--data"), "it says what to do: {text}");
    // The lock goes with the process.
    server.kill();
    Process::start(dir.path(), 2);
}

#[test]
fn a_damaged_database_is_refused_in_words_and_left_as_it_is() {
    let dir = tempfile::tempdir().unwrap();
    drop(Process::start(dir.path(), 1));
    let path = dir.path().join("boardwright.db");
    // Opened once more, so that everything is in the file itself.
    let copy = dir.path().join("copy");
    assert!(boardwright(&["backup", copy.to_str().unwrap()], dir.path()).status.success());
    std::fs::remove_file(dir.path().join("boardwright.db-wal")).unwrap();
    let mut bytes = std::fs::read(copy.join("boardwright.db")).unwrap();
    bytes[4096..3 * 4096].fill(0xEE);
    std::fs::write(&path, &bytes).unwrap();
    for command in [&["serve", "--port", "0", "--no-open"][..], &["verify"]] {
        let said = boardwright(command, dir.path());
        assert_eq!(said.status.code(), Some(1), "{command:?}");
        let text = String::from_utf8_lossy(&said.stderr);
        assert!(text.contains("the database is damaged"), "{text}");
        assert!(text.contains("boardwright serve --data BACKUP"), "{text}");
    }
    assert!(std::fs::read(&path).unwrap() == bytes, "it is left as it is");
    Process::start(&copy, 2);
}
