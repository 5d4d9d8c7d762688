//! Accepts connections and serves them, within limits of number and time.
//!
//! A connection that has not sent a whole request waits. Those may be closed for others: the
//! one that has waited longest, when an address or the server has too many. So half-sent
//! requests keep nobody out, however many there are.

mod body;
mod io;

use std::{
    collections::HashMap,
    io::ErrorKind,
    net::SocketAddr,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use axum::{
    Router,
    body::Body,
    extract::ConnectInfo,
    http::{Request, Response},
};
use hyper::{
    body::{Body as _, Incoming},
    server::conn::http1,
    service::{Service, service_fn},
};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::{Notify, watch},
    task::JoinSet,
    time::sleep,
};

use self::{
    body::{AnswerBody, RequestBody},
    io::PatientIo,
};
use crate::{
    address::{self, Household, Network},
    limits::ServerLimits,
};

/// How long the head of a request may take, and how long a connection may stay open between
/// two requests.
const HEAD: Duration = Duration::from_secs(15);
/// Bytes of the head of a request.
const MAX_HEAD: usize = 64 << 10;
/// How long to wait when the system has no room for another connection.
const CROWDED: Duration = Duration::from_millis(50);
/// What a connection is told that is one too many.
const TOO_MANY: &[u8] =
    b"HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";

/// What serves connections.
pub(crate) struct Connections {
    slots: Arc<Slots>,
    trusted: Arc<[Network]>,
    tasks: JoinSet<()>,
}

impl Connections {
    pub fn new(limits: Arc<ServerLimits>, trusted: &[Network]) -> Connections {
        let slots = Slots { limits, next: AtomicU64::new(0), all: Mutex::default() };
        Connections { slots: Arc::new(slots), trusted: trusted.into(), tasks: JoinSet::new() }
    }

    /// Serves until the server ends.
    pub async fn serve(
        &mut self,
        listener: TcpListener,
        router: &Router,
        ending: &watch::Sender<bool>,
    ) {
        let mut over = ending.subscribe();
        loop {
            let accepted = tokio::select! {
                it = listener.accept() => it,
                // The sender lives as long as the server.
                _ = over.wait_for(|it| *it) => break,
            };
            while self.tasks.try_join_next().is_some() {}
            let (stream, peer) = match accepted {
                Ok(it) => it,
                Err(cause) => {
                    self.not_accepted(&cause).await;
                    continue;
                }
            };
            let Some(slot) = self.slots.enter(Household::of(peer.ip())) else {
                // Whoever does not read it is closed all the same.
                let _ = stream.try_write(TOO_MANY);
                continue;
            };
            let (router, trusted) = (router.clone(), Arc::clone(&self.trusted));
            let ending = ending.subscribe();
            self.tasks.spawn(connection(stream, peer, slot, router, trusted, ending));
        }
    }

    async fn not_accepted(&self, cause: &std::io::Error) {
        use ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
        if matches!(cause.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset) {
            return;
        }
        tracing::warn!(%cause, "a connection cannot be accepted");
        self.slots.close_oldest(|_| true);
        sleep(CROWDED).await;
    }

    /// Waits until every connection is closed.
    pub async fn finish(mut self) {
        while self.tasks.join_next().await.is_some() {}
    }
}

/// Serves one connection.
async fn connection(
    stream: TcpStream,
    peer: SocketAddr,
    slot: SlotGuard,
    router: Router,
    trusted: Arc<[Network]>,
    mut ending: watch::Receiver<bool>,
) {
    // Moves are small, and somebody waits for each.
    let _ = stream.set_nodelay(true);
    let inner = TowerToHyperService::new(router);
    let of_connection = Arc::clone(&slot.0);
    let service = service_fn(move |mut request: Request<Incoming>| {
        let slot = Arc::clone(&of_connection);
        slot.has_head.store(true, Ordering::Relaxed);
        if request.body().is_end_stream() {
            slot.is_whole();
        }
        let client = address::client(peer.ip(), request.headers(), &trusted);
        request.extensions_mut().insert(ConnectInfo(SocketAddr::new(client, peer.port())));
        let reading = Arc::clone(&slot);
        let request = request.map(|it| Body::new(RequestBody::new(it, move || reading.is_whole())));
        let answer = inner.call(request);
        async move {
            let answer: Response<Body> = answer.await?;
            Ok::<_, std::convert::Infallible>(
                answer.map(|it| Body::new(AnswerBody::new(it, move || slot.waits()))),
            )
        }
    });
    let serving = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD)
        .max_buf_size(MAX_HEAD)
        .serve_connection(
            TokioIo::new(PatientIo::new(stream, Arc::clone(&slot.0.is_stalled))),
            service,
        )
        .with_upgrades();
    let mut serving = std::pin::pin!(serving);
    let mut is_ending = false;
    loop {
        tokio::select! {
            // What breaks on the way is the client's to notice.
            _ = &mut serving => break,
            () = slot.0.close.notified() => break,
            _ = ending.wait_for(|it| *it), if !is_ending => {
                // A request whose body is on its way may still come; half a head says nothing.
                if slot.0.is_waiting() && !slot.0.has_head.load(Ordering::Relaxed) {
                    break;
                }
                is_ending = true;
                serving.as_mut().graceful_shutdown();
            }
        }
    }
}

/// The open connections.
struct Slots {
    limits: Arc<ServerLimits>,
    /// Numbers everything that begins to wait.
    next: AtomicU64,
    all: Mutex<HashMap<u64, Arc<Slot>>>,
}

/// One connection.
struct Slot {
    slots: Arc<Slots>,
    number: u64,
    household: Household,
    /// Whether a whole request has not been sent yet.
    waits: AtomicBool,
    /// Whether the head of a request has come that is not answered yet.
    has_head: AtomicBool,
    /// When it began to wait, as a number that only grows.
    since: AtomicU64,
    /// Whether an answer is on its way that the other side does not take yet.
    is_stalled: Arc<AtomicBool>,
    close: Notify,
}

impl Slot {
    fn is_waiting(&self) -> bool {
        self.waits.load(Ordering::Relaxed) && !self.is_stalled.load(Ordering::Relaxed)
    }

    /// A request has been sent, with all of its body.
    fn is_whole(&self) {
        self.waits.store(false, Ordering::Relaxed);
    }

    /// A request was answered, and the next may be sent.
    fn waits(&self) {
        self.since.store(self.slots.next.fetch_add(1, Ordering::Relaxed), Ordering::Relaxed);
        self.has_head.store(false, Ordering::Relaxed);
        self.waits.store(true, Ordering::Relaxed);
    }
}

/// The place of a connection, until it is dropped.
struct SlotGuard(Arc<Slot>);

impl Drop for SlotGuard {
    fn drop(&mut self) {
        self.0.slots.lock().remove(&self.0.number);
    }
}

impl Slots {
    fn lock(&self) -> MutexGuard<'_, HashMap<u64, Arc<Slot>>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A place for a connection from an address. If there is none, one that waits is closed for
    /// it; if none waits, there is none.
    fn enter(self: &Arc<Slots>, household: Household) -> Option<SlotGuard> {
        let limits = &self.limits;
        let from_there = |it: &Slot| it.household == household;
        let all = self.lock();
        let near = all.values().filter(|it| from_there(it));
        let (n_near, n_waiting) =
            near.fold((0, 0), |(all, waits), it| (all + 1, waits + usize::from(it.is_waiting())));
        let n_all = all.len();
        drop(all);
        let is_near_full =
            n_near >= limits.connections_by_address || n_waiting >= limits.waiting_by_address;
        if is_near_full && !self.close_oldest(from_there) {
            return None;
        }
        if !is_near_full && n_all >= limits.connections && !self.close_oldest(|_| true) {
            return None;
        }
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let slot = Arc::new(Slot {
            slots: Arc::clone(self),
            number,
            household,
            waits: AtomicBool::new(true),
            has_head: AtomicBool::new(false),
            since: AtomicU64::new(number),
            is_stalled: Arc::default(),
            close: Notify::new(),
        });
        self.lock().insert(number, Arc::clone(&slot));
        Some(SlotGuard(slot))
    }

    /// Closes the connection that has waited longest among some; false if none of them waits.
    fn close_oldest(&self, among: impl Fn(&Slot) -> bool) -> bool {
        let mut all = self.lock();
        let waiting = all.values().filter(|it| it.is_waiting() && among(it));
        let oldest = waiting.min_by_key(|it| it.since.load(Ordering::Relaxed)).cloned();
        let Some(it) = oldest else { return false };
        // At once, so that it is not chosen again before its task has ended.
        all.remove(&it.number);
        it.close.notify_one();
        true
    }
}

#[cfg(test)]
mod tests;
