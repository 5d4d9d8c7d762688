//! The socket of a match: commands in, events out.

use std::{sync::Arc, time::Duration};

use axum::{
    Router,
    extract::{
        Path, Query, State, WebSocketUpgrade,
        ws::{CloseFrame, Message as Frame, WebSocket, close_code},
    },
    http::StatusCode,
    response::Response,
    routing::get,
};
use boardwright_protocol::{Command, Event};
use serde::Deserialize;
use tokio::{
    sync::{mpsc, oneshot, watch},
    time,
};

use crate::{app::App, error::ApiError, table::Message};

/// Events that may wait for a slow reader. One with more is disconnected; it connects
/// again and receives the whole match.
const WAITING: usize = 256;
/// Bytes of the longest command, which edits a large board.
const MAX_FRAME: usize = 1 << 20;
/// Commands a second, on average.
const RATE: f64 = 40.0;
/// Commands in a burst.
const BURST: f64 = 120.0;
/// A connection that is silent for this long is sent a ping, and closed if that is not
/// answered within the same time.
const QUIET: Duration = Duration::from_millis(if cfg!(test) { 200 } else { 30_000 });

#[derive(Deserialize)]
struct Key {
    #[serde(default)]
    key: String,
}

pub(crate) fn router() -> Router<App> {
    Router::new().route("/matches/{id}/socket", get(open))
}

/// `GET /api/matches/{id}/socket`: connects to a match.
async fn open(
    State(app): State<App>,
    Path(id): Path<String>,
    Query(key): Query<Key>,
    upgrade: WebSocketUpgrade,
) -> Result<Response, ApiError> {
    let Ok(permit) = Arc::clone(&app.sockets).try_acquire_owned() else {
        let status = StatusCode::SERVICE_UNAVAILABLE;
        return Err(ApiError::new(status, "the server has too many open connections"));
    };
    let table = app.tables.open(&id).await?;
    let upgrade = upgrade.max_message_size(MAX_FRAME).max_frame_size(MAX_FRAME);
    Ok(upgrade.on_upgrade(move |socket| async move {
        serve(app, socket, table, key.key).await;
        drop(permit);
    }))
}

async fn serve(app: App, mut socket: WebSocket, table: mpsc::Sender<Message>, key: String) {
    let (out, mut events) = mpsc::channel::<Arc<str>>(WAITING);
    let (reply, joined) = oneshot::channel();
    if table.send(Message::Join { key, out: out.clone(), reply }).await.is_err() {
        return;
    }
    let Ok(id) = joined.await else { return };
    let mut ending = app.ending.subscribe();
    let mut rate = Rate { tokens: BURST, at: time::Instant::now() };
    let mut is_asked = false;
    loop {
        let frame = tokio::select! {
            event = events.recv() => {
                let Some(event) = event else { break };
                if socket.send(Frame::Text(event.as_ref().into())).await.is_err() {
                    break;
                }
                continue;
            }
            () = over(&mut ending) => {
                let reason = "the server is shutting down".into();
                let goodbye = CloseFrame { code: close_code::AWAY, reason };
                // Whoever is gone already needs no goodbye.
                let _ = socket.send(Frame::Close(Some(goodbye))).await;
                break;
            }
            () = time::sleep(QUIET) => {
                if is_asked || socket.send(Frame::Ping(Vec::new().into())).await.is_err() {
                    break;
                }
                is_asked = true;
                continue;
            }
            frame = socket.recv() => frame,
        };
        is_asked = false;
        let text = match frame {
            Some(Ok(Frame::Text(text))) => text,
            Some(Ok(Frame::Ping(_) | Frame::Pong(_))) => continue,
            Some(Ok(Frame::Binary(_))) => {
                tell(&out, refused("commands must be text, not binary"));
                continue;
            }
            _ => break,
        };
        if !rate.allows() {
            tell(&out, refused("too many commands in a short time"));
            time::sleep(Duration::from_millis(200)).await;
            continue;
        }
        match serde_json::from_str::<Command>(&text) {
            Ok(Command::Ping) => tell(&out, Event::Pong),
            Ok(command) => {
                if table.send(Message::Command(id, command)).await.is_err() {
                    break;
                }
            }
            Err(cause) => {
                // Without the text itself, which may hold names and chat.
                let (kind, column) = (cause.classify(), cause.column());
                tracing::debug!(?kind, column, "a command is not valid");
                tell(&out, refused("this command is not valid"));
            }
        }
    }
    // A match that has ended needs not be told.
    let _ = table.send(Message::Leave(id)).await;
}

/// Waits until the server ends.
async fn over(ending: &mut watch::Receiver<bool>) {
    let _ = ending.wait_for(|it| *it).await;
}

fn refused(message: &str) -> Event {
    Event::Refused { message: message.to_owned(), why: None, id: None }
}

/// Sends an event to one reader, unless its queue is full.
pub(crate) fn tell(out: &mpsc::Sender<Arc<str>>, event: Event) {
    if let Ok(text) = serde_json::to_string(&event) {
        let _ = out.try_send(text.into());
    }
}

/// A token bucket: each command takes a token, and tokens are added over time.
struct Rate {
    tokens: f64,
    at: time::Instant,
}

impl Rate {
    fn allows(&mut self) -> bool {
        let now = time::Instant::now();
        let more = now.duration_since(self.at).as_secs_f64() * RATE;
        self.at = now;
        self.tokens = (self.tokens + more).min(BURST);
        let allows = self.tokens >= 1.0;
        if allows {
            self.tokens -= 1.0;
        }
        allows
    }
}

#[cfg(test)]
mod tests;
