//! Connections that fall silent, and readers who do not keep up.

use axum::Json;
use boardwright_protocol::Created;
use serde_json::json;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpSocket, TcpStream},
};

use super::*;
use crate::{Config, Server, matches, testing::owner};

/// A ping without content.
const PING: [u8; 2] = [0x89, 0];
/// The answer to it, masked with zeros.
const PONG: [u8; 6] = [0x8a, 0x80, 0, 0, 0, 0];

/// A server with a match: its state, its address, the match.
async fn server(data: &tempfile::TempDir) -> (App, String, Created) {
    let config = Config { port: Some(0), ..Config::in_folder(data.path().to_owned()) };
    let server = Server::open(&config).await.expect("it opens");
    let seats = json!([{ "type": "person" }, { "type": "guest" }]);
    let wanted = json!({ "game": "tic-tac-toe", "n": 0, "seats": seats });
    let wanted = serde_json::from_value(wanted).expect("a match");
    let made = matches::create(State(server.app.clone()), owner(), Json(wanted)).await;
    let url = server.url().expect("it listens");
    let address = url.trim_start_matches("http://").trim_end_matches('/').to_owned();
    let app = server.app.clone();
    tokio::spawn(server.run(std::future::pending()));
    (app, address, made.expect("it is made").1.0)
}

/// A raw connection to a match, whose first event was read.
async fn connection(address: &str, id: &str, key: &str) -> TcpStream {
    let socket = TcpSocket::new_v4().expect("a socket");
    // So that a reader who stops reading is noticed soon.
    socket.set_recv_buffer_size(4096).expect("a small buffer");
    let mut stream =
        socket.connect(address.parse().expect("an address")).await.expect("it listens");
    let request = format!(
        "GET /api/matches/{id}/socket?key={key} HTTP/1.1\r\nHost: {address}\r\n\
         Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n\
         Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).await.expect("it is open");
    let mut read = Vec::new();
    while !read.ends_with(b"}}") {
        assert!(stream.read_buf(&mut read).await.expect("it is open") > 0, "it stays open");
    }
    stream
}

/// Reads until the last bytes are a ping; false if the connection is closed before.
async fn is_pinged(stream: &mut TcpStream) -> bool {
    let mut last = [0; 2];
    loop {
        let mut byte = [0];
        match stream.read(&mut byte).await {
            Ok(0) | Err(_) => return false,
            Ok(_) => last = [last[1], byte[0]],
        }
        if last == PING {
            return true;
        }
    }
}

#[tokio::test]
async fn a_connection_that_answers_pings_stays_open() {
    let data = tempfile::tempdir().expect("a folder");
    let (_, address, made) = server(&data).await;
    let mut stream = connection(&address, &made.id, "").await;
    time::pause();
    for _ in 0..4 {
        assert!(is_pinged(&mut stream).await);
        stream.write_all(&PONG).await.expect("it is open");
    }
}

#[tokio::test]
async fn a_connection_that_does_not_answer_is_closed() {
    let data = tempfile::tempdir().expect("a folder");
    let (_, address, made) = server(&data).await;
    let mut stream = connection(&address, &made.id, "").await;
    time::pause();
    assert!(is_pinged(&mut stream).await);
    assert!(!is_pinged(&mut stream).await, "it is closed, not asked again");
}

/// How long anything may take on a busy machine.
const SOON: Duration = Duration::from_secs(60);

#[tokio::test(flavor = "multi_thread")]
async fn a_reader_who_does_not_keep_up_is_told_and_disconnected() {
    let data = tempfile::tempdir().expect("a folder");
    let (app, address, made) = server(&data).await;
    let key = made.invitations[0].link.split_once("key=").expect("a key").1;
    let mut slow = connection(&address, &made.id, key).await;
    let table = app.tables.open(&made.id).await.expect("it opens");
    let (out, mut inbox, _overflow) = outbox();
    let (reply, joined) = oneshot::channel();
    let join = Message::Join { key: made.key.clone(), person: "".into(), out, reply };
    table.send(join).await.expect("it is open");
    let id = joined.await.expect("an answer");
    tokio::spawn(async move { while inbox.next().await.is_some() {} });
    // The whole match is told again and again until the slow reader has left.
    let is_there = async || {
        let (reply, view) = oneshot::channel();
        table.send(Message::View { key: String::new(), reply }).await.expect("it is open");
        view.await.expect("an answer").expect("a match").seats[1].is_here
    };
    assert!(is_there().await);
    while is_there().await {
        for paused in [true, false].repeat(50) {
            let command = Message::Command(id, Command::Pause { paused });
            table.send(command).await.expect("it is open");
        }
    }
    let mut rest = Vec::new();
    let ended = time::timeout(SOON, slow.read_to_end(&mut rest)).await;
    assert!(ended.is_ok(), "the connection stays open though events were lost");
    let goodbye = b"\x03\xf5events came faster than they were read";
    assert!(rest.windows(goodbye.len()).any(|it| it == goodbye), "a close frame with the reason");
}
