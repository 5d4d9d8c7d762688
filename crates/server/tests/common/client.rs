//! A client of a server, over HTTP and WebSocket, for tests of the server and of the program.

use std::{net::IpAddr, time::Duration};

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpSocket, TcpStream},
};
use tokio_tungstenite::{
    WebSocketStream,
    tungstenite::{self, Message, client::IntoClientRequest, protocol::CloseFrame},
};

/// Somebody who talks to a server.
#[derive(Clone)]
pub struct Client {
    /// Host and port of the server.
    pub address: String,
    /// The key of the person at the machine; empty for guests.
    pub key: String,
    /// The address to come from, if it matters.
    pub from: Option<IpAddr>,
}

/// An answer to a request.
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("JSON: {}", self.text()))
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn header(&self, name: &str) -> Option<String> {
        self.head.lines().find_map(|line| {
            let (key, value) = line.split_once(':')?;
            key.eq_ignore_ascii_case(name).then(|| value.trim().to_owned())
        })
    }
}

impl Client {
    /// The client that a printed address is for: `http://127.0.0.1:8080/#key=…`
    pub fn of_url(url: &str) -> Client {
        let bare = url.trim().strip_prefix("http://").unwrap_or_else(|| panic!("{url}"));
        let (address, key) = bare.split_once("/#key=").unwrap_or_else(|| panic!("{url}"));
        Client { address: address.to_owned(), key: key.to_owned(), from: None }
    }

    /// The same server for somebody without the key.
    pub fn guest(&self) -> Client {
        Client { key: String::new(), ..self.clone() }
    }

    /// The same for somebody without the key at another address of this machine.
    pub fn guest_from(&self, last: [u8; 2]) -> Client {
        Client { from: Some([127, 9, last[0], last[1]].into()), ..self.guest() }
    }

    /// A connection on which nothing was sent.
    pub async fn stream(&self) -> TcpStream {
        let socket = TcpSocket::new_v4().expect("a socket");
        if let Some(from) = self.from {
            socket.bind((from, 0).into()).expect("an address of this machine");
        }
        let address = self.address.parse().expect("an address and a port");
        socket.connect(address).await.expect("it listens")
    }

    /// Sends bytes as they are, and reads all that comes back.
    pub async fn raw(&self, bytes: &[u8]) -> Answer {
        let mut stream = self.stream().await;
        // A server that refuses early may close while we still write.
        let _ = stream.write_all(bytes).await;
        let mut read = Vec::new();
        let _ = tokio::time::timeout(Duration::from_secs(60), stream.read_to_end(&mut read)).await;
        let at = read.windows(4).position(|it| it == b"\r\n\r\n").unwrap_or(read.len());
        let head = String::from_utf8_lossy(&read[..at]).into_owned();
        let status = head.split(' ').nth(1).and_then(|it| it.parse().ok()).unwrap_or(0);
        let body = read.get(at + 4..).unwrap_or(&[]).to_vec();
        let chunked = head.to_lowercase().contains("transfer-encoding: chunked");
        Answer { status, body: if chunked { unchunked(&body) } else { body }, head }
    }

    pub async fn send(&self, method: &str, path: &str, headers: &str, body: &[u8]) -> Answer {
        let key = match self.key.as_str() {
            "" => String::new(),
            key => format!("X-Boardwright-Key: {key}\r\n"),
        };
        let mut request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n{key}{headers}Content-Length: {}\r\n\r\n",
            self.address,
            body.len()
        )
        .into_bytes();
        request.extend_from_slice(body);
        self.raw(&request).await
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.send("GET", path, "", b"").await
    }

    pub async fn post(&self, path: &str, body: &Value) -> Answer {
        let headers = "Content-Type: application/json\r\n";
        self.send("POST", path, headers, body.to_string().as_bytes()).await
    }

    /// Uploads files by name.
    pub async fn upload(&self, files: &[(&str, &[u8])]) -> Answer {
        let mut body = Vec::new();
        for (name, bytes) in files {
            let head = format!(
                "--pond\r\nContent-Disposition: form-data; name=\"files\"; filename=\"{name}\"\r\n\
                 Content-Type: application/octet-stream\r\n\r\n"
            );
            body.extend_from_slice(head.as_bytes());
            body.extend_from_slice(bytes);
            body.extend_from_slice(b"\r\n");
        }
        body.extend_from_slice(b"--pond--\r\n");
        let headers = "Content-Type: multipart/form-data; boundary=pond\r\n";
        self.send("POST", "/api/games", headers, &body).await
    }

    /// A new match: its id and the owner's key.
    pub async fn new_match(&self, game: &str, n: usize, seats: Value) -> (String, String) {
        let body = json!({ "game": game, "n": n, "seats": seats, "setup": null });
        let answer = self.post("/api/matches", &body).await;
        assert_eq!(answer.status, 201, "{}", answer.text());
        let made = answer.json();
        (text(&made["id"]), text(&made["key"]))
    }

    pub async fn connect(&self, id: &str, key: &str) -> Socket {
        self.try_connect(id, key).await.unwrap_or_else(|status| panic!("it answers {status}"))
    }

    /// A connection to a match, or the status with which it is refused.
    pub async fn try_connect(&self, id: &str, key: &str) -> Result<Socket, u16> {
        let url = format!("ws://{}/api/matches/{id}/socket?key={key}", self.address);
        let request = url.into_client_request().expect("an address");
        match tokio_tungstenite::client_async(request, self.stream().await).await {
            Ok((stream, _)) => Ok(Socket { stream, seen: Value::Null, farewell: None }),
            Err(tungstenite::Error::Http(answer)) => Err(answer.status().as_u16()),
            Err(cause) => panic!("it does not connect: {cause}"),
        }
    }
}

fn unchunked(mut rest: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    while let Some(at) = rest.windows(2).position(|it| it == b"\r\n") {
        let size = std::str::from_utf8(&rest[..at]).ok();
        let size = size.and_then(|it| usize::from_str_radix(it.trim(), 16).ok()).unwrap_or(0);
        if size == 0 {
            break;
        }
        body.extend_from_slice(rest.get(at + 2..at + 2 + size).unwrap_or(&[]));
        rest = rest.get(at + 4 + size..).unwrap_or(&[]);
    }
    body
}

pub fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("a text: {value}")).to_owned()
}

/// A connection to a match.
pub struct Socket {
    stream: WebSocketStream<TcpStream>,
    /// The last state that was told.
    pub seen: Value,
    /// How the server closed the connection.
    pub farewell: Option<CloseFrame>,
}

impl Socket {
    pub async fn tell(&mut self, command: &Value) {
        self.say(&command.to_string()).await;
    }

    pub async fn say(&mut self, text: &str) {
        self.stream.send(Message::text(text)).await.expect("it is open");
    }

    /// Reads everything until the connection is closed, without parsing it.
    pub async fn drain(mut self) {
        while let Some(Ok(_)) = self.stream.next().await {}
    }

    /// The next event of any sort; none when the connection is closed.
    pub async fn next(&mut self) -> Option<Value> {
        loop {
            let next = tokio::time::timeout(Duration::from_secs(60), self.stream.next());
            match next.await.expect("something is told within a minute") {
                Some(Ok(Message::Text(text))) => {
                    let event: Value = serde_json::from_str(&text).expect("JSON");
                    match event["type"].as_str() {
                        Some("match") => self.seen = event["match"]["state"].clone(),
                        Some("moved") => self.seen = event["state"].clone(),
                        _ => {}
                    }
                    return Some(event);
                }
                Some(Ok(Message::Close(frame))) => {
                    self.farewell = frame;
                    return None;
                }
                Some(Err(_)) | None => return None,
                Some(Ok(_)) => {}
            }
        }
    }

    /// The next event of one sort; others are passed over, but for refusals.
    pub async fn wait(&mut self, wanted: &str) -> Value {
        loop {
            let event = self.next().await.expect("it is open");
            let kind = text(&event["type"]);
            if kind == wanted {
                return event;
            }
            assert!(kind != "refused", "refused: {event}");
        }
    }

    /// Makes a move at the state that was last told.
    pub async fn play(&mut self, mv: &str, id: &str) {
        let node = self.seen["node"].clone();
        self.tell(&json!({ "type": "play", "node": node, "move": mv, "id": id })).await;
    }

    /// The texts of the legal moves that were last told.
    pub fn moves(&self) -> Vec<String> {
        let moves = self.seen["moves"].as_array().expect("a state was told");
        moves.iter().map(|it| text(&it["long"])).collect()
    }
}

pub fn person() -> Value {
    json!({ "type": "person", "name": "" })
}

pub fn engine(level: u8) -> Value {
    json!({ "type": "engine", "level": level, "seconds": 0.2, "depth": null, "variety": 0 })
}

impl Socket {
    /// The next refusal.
    pub async fn wait_refused(&mut self) -> Value {
        loop {
            let event = self.next().await.expect("it is open");
            if event["type"] == "refused" {
                return event;
            }
        }
    }
}
