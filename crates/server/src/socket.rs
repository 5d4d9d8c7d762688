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

use crate::{
    app::App,
    error::ApiError,
    gate::{Bucket, Role},
    outbox::{Inbox, Outbox, Overflow, outbox},
    table::Message,
    visitor::Visitor,
};

/// Bytes of the longest command, which edits a large board.
const MAX_FRAME: usize = 1 << 20;
/// Commands a second, on average.
const RATE: f64 = 40.0;
/// Commands in a burst.
const BURST: f64 = 120.0;
/// A connection that is silent for this long is sent a ping, and closed if that is not
/// answered within the same time.
const QUIET: Duration = Duration::from_secs(30);
/// How long a reader may take to hear why the connection is closed.
const GOODBYE: Duration = Duration::from_secs(5);

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
    visitor: Visitor,
    upgrade: WebSocketUpgrade,
) -> Result<Response, ApiError> {
    let table = app.tables.open(&id).await?;
    let (reply, role) = oneshot::channel();
    let asked = table.send(Message::Role { key: key.key.clone(), reply }).await;
    asked.map_err(ApiError::internal)?;
    let role = role.await.map_err(ApiError::internal)?;
    let Some(permit) = app.gate.socket(role, visitor.household, &id) else {
        return Err(too_many(role));
    };
    let upgrade = upgrade.max_message_size(MAX_FRAME).max_frame_size(MAX_FRAME);
    Ok(upgrade.on_upgrade(move |socket| async move {
        serve(app, socket, table, key.key, visitor.guest).await;
        drop(permit);
    }))
}

fn too_many(role: Role) -> ApiError {
    let who = match role {
        Role::Watcher => "people are watching",
        Role::Player | Role::Owner => "pages are open",
    };
    let status = StatusCode::SERVICE_UNAVAILABLE;
    ApiError::new(status, format!("too many {who}; try again later"))
}

/// Why the server closes a connection.
struct Farewell {
    code: u16,
    reason: &'static str,
}

const SHUTTING_DOWN: Farewell =
    Farewell { code: close_code::AWAY, reason: "the server is shutting down" };
const TOO_SLOW: Farewell = Farewell {
    code: close_code::AGAIN,
    reason: "events came faster than they were read; connect again to see the match",
};

async fn serve(
    app: App,
    mut socket: WebSocket,
    table: mpsc::Sender<Message>,
    key: String,
    person: Arc<str>,
) {
    let (out, inbox, overflow) = outbox();
    let (reply, joined) = oneshot::channel();
    let join = Message::Join { key, person, out: out.clone(), reply };
    if table.send(join).await.is_err() {
        return;
    }
    let Ok(id) = joined.await else { return };
    let farewell = talk(&app, &mut socket, &table, id, (out, inbox, overflow)).await;
    // First, since whoever reads slowly hears the goodbye slowly. A match that has ended needs
    // not be told.
    let _ = table.send(Message::Leave(id)).await;
    if let Some(Farewell { code, reason }) = farewell {
        let goodbye = CloseFrame { code, reason: reason.into() };
        // Whoever is gone already needs no goodbye.
        let _ = time::timeout(GOODBYE, socket.send(Frame::Close(Some(goodbye)))).await;
    }
}

/// Passes commands and events on until one side ends it.
async fn talk(
    app: &App,
    socket: &mut WebSocket,
    table: &mpsc::Sender<Message>,
    id: u64,
    (out, mut inbox, overflow): (Outbox, Inbox, Overflow),
) -> Option<Farewell> {
    let mut ending = app.ending.subscribe();
    let mut rate = Bucket::full(BURST);
    let mut is_asked = false;
    loop {
        let frame = tokio::select! {
            event = inbox.next() => {
                let event = event?;
                tokio::select! {
                    sent = socket.send(Frame::Text(event.as_ref().into())) => sent.ok()?,
                    () = overflow.wait() => return Some(TOO_SLOW),
                }
                continue;
            }
            () = overflow.wait() => return Some(TOO_SLOW),
            () = over(&mut ending) => return Some(SHUTTING_DOWN),
            () = time::sleep(QUIET) => {
                if is_asked {
                    return None;
                }
                socket.send(Frame::Ping(Vec::new().into())).await.ok()?;
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
                out.tell(&refused("commands must be text, not binary"));
                continue;
            }
            _ => return None,
        };
        if !rate.take(RATE, BURST) {
            out.tell(&refused("too many commands in a short time"));
            time::sleep(Duration::from_millis(200)).await;
            continue;
        }
        match serde_json::from_str::<Command>(&text) {
            Ok(Command::Ping) => out.tell(&Event::Pong),
            Ok(command) => table.send(Message::Command(id, command)).await.ok()?,
            Err(cause) => {
                // Without the text itself, which may hold names and chat.
                let (kind, column) = (cause.classify(), cause.column());
                tracing::debug!(?kind, column, "a command is not valid");
                out.tell(&refused("this command is not valid"));
            }
        }
    }
}

/// Waits until the server ends.
async fn over(ending: &mut watch::Receiver<bool>) {
    let _ = ending.wait_for(|it| *it).await;
}

fn refused(message: &str) -> Event {
    Event::Refused { message: message.to_owned(), why: None, id: None }
}

#[cfg(test)]
mod tests;
