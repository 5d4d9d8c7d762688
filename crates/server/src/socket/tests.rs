//! Connections that fall silent.

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::{Config, Server, testing::new_match};

/// A ping without content.
const PING: [u8; 2] = [0x89, 0];
/// The answer to it, masked with zeros.
const PONG: [u8; 6] = [0x8a, 0x80, 0, 0, 0, 0];

/// A server with a match, and a raw connection to it whose first event was read.
async fn connection(data: &tempfile::TempDir) -> TcpStream {
    let config = Config {
        host: [127, 0, 0, 1].into(),
        port: Some(0),
        data: data.path().to_owned(),
        tuned: data.path().join("tuned"),
    };
    let server = Server::open(&config).await.expect("it opens");
    let id = new_match(&server.app).await;
    let url = server.url().expect("it listens");
    let address = url.trim_start_matches("http://").trim_end_matches('/').to_owned();
    tokio::spawn(server.run(std::future::pending()));
    let mut stream = TcpStream::connect(&address).await.expect("it listens");
    let request = format!(
        "GET /api/matches/{id}/socket?key= HTTP/1.1\r\nHost: {address}\r\n\
         Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n\
         Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).await.expect("it is open");
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

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_that_answers_pings_stays_open() {
    let data = tempfile::tempdir().expect("a folder");
    let mut stream = connection(&data).await;
    for _ in 0..4 {
        assert!(is_pinged(&mut stream).await);
        stream.write_all(&PONG).await.expect("it is open");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_that_does_not_answer_is_closed() {
    let data = tempfile::tempdir().expect("a folder");
    let mut stream = connection(&data).await;
    assert!(is_pinged(&mut stream).await);
    assert!(!is_pinged(&mut stream).await, "it is closed, not asked again");
}
