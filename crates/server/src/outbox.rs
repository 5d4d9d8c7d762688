//! Events on their way to one reader.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use boardwright_protocol::Event;
use tokio::sync::{Notify, mpsc};

/// Events that may wait for a slow reader.
const MAX_EVENTS: usize = 256;
/// Bytes that may wait; an event alone may have more.
const MAX_BYTES: usize = 2 << 20;

/// Where events for one reader are put. A reader who does not keep up is cut off, is told so,
/// connects again, and is told everything.
#[derive(Clone)]
pub(crate) struct Outbox {
    queue: mpsc::Sender<Arc<str>>,
    shared: Arc<Shared>,
}

/// The other end of an [`Outbox`].
pub(crate) struct Inbox {
    queue: mpsc::Receiver<Arc<str>>,
    shared: Arc<Shared>,
}

/// Tells when an event did not fit into an [`Outbox`].
pub(crate) struct Overflow(Arc<Shared>);

#[derive(Default)]
struct Shared {
    n_bytes: AtomicUsize,
    overflow: Notify,
}

/// Both ends of a queue for one reader, and what tells when it was too short.
pub(crate) fn outbox() -> (Outbox, Inbox, Overflow) {
    let (sender, receiver) = mpsc::channel(MAX_EVENTS);
    let shared = Arc::<Shared>::default();
    let inbox = Inbox { queue: receiver, shared: Arc::clone(&shared) };
    let overflow = Overflow(Arc::clone(&shared));
    (Outbox { queue: sender, shared }, inbox, overflow)
}

impl Outbox {
    /// Puts an event in; false if there is no room, and the reader is cut off.
    pub fn send(&self, event: &Arc<str>) -> bool {
        let waiting = self.shared.n_bytes.load(Ordering::Relaxed);
        let is_in = (waiting == 0 || waiting + event.len() <= MAX_BYTES)
            && self.queue.try_send(Arc::clone(event)).is_ok();
        match is_in {
            true => {
                self.shared.n_bytes.fetch_add(event.len(), Ordering::Relaxed);
            }
            false => self.shared.overflow.notify_one(),
        }
        is_in
    }

    /// The same for an event that is not written yet.
    pub fn tell(&self, event: &Event) {
        if let Ok(text) = serde_json::to_string(event) {
            self.send(&text.into());
        }
    }
}

impl Inbox {
    /// The next event; none if nobody can put any in.
    pub async fn next(&mut self) -> Option<Arc<str>> {
        let event = self.queue.recv().await?;
        // Taken out before it was counted, it is counted below nothing for a moment.
        let less = |it: usize| Some(it.saturating_sub(event.len()));
        let _ = self.shared.n_bytes.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
        Some(event)
    }
}

impl Overflow {
    /// Waits until an event did not fit in.
    pub async fn wait(&self) {
        self.0.overflow.notified().await;
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::{Duration, timeout};

    use super::*;

    /// Whether the reader has been cut off.
    async fn is_cut(overflow: &Overflow) -> bool {
        timeout(Duration::from_secs(1), overflow.wait()).await.is_ok()
    }

    #[tokio::test(start_paused = true)]
    async fn a_reader_with_too_many_events_is_cut_off() {
        let (out, mut inbox, overflow) = outbox();
        let event: Arc<str> = "{}".into();
        assert_eq!((0..MAX_EVENTS).filter(|_| out.send(&event)).count(), MAX_EVENTS);
        assert!(!is_cut(&overflow).await);
        assert!(!out.send(&event));
        assert!(is_cut(&overflow).await);
        assert!(inbox.next().await.is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn a_reader_with_too_many_bytes_is_cut_off_but_never_by_one_event_alone() {
        let (out, mut inbox, overflow) = outbox();
        let large: Arc<str> = "x".repeat(3 * MAX_BYTES / 4).into();
        assert!(out.send(&large) && !out.send(&large));
        assert!(is_cut(&overflow).await);
        inbox.next().await.expect("an event");
        let vast: Arc<str> = "x".repeat(2 * MAX_BYTES).into();
        assert!(out.send(&vast));
    }
}
