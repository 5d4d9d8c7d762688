//! Who is connected to a match, what they may do, and what they are told.

use std::sync::Arc;

use boardwright_protocol::{ChatLine, Event, MatchView};
use boardwright_referee::{NodeId, Sitter};
use tokio::sync::{mpsc, oneshot};

use super::Table;
use crate::{keys, seating, socket, state_view};

/// Somebody who is connected.
pub(super) struct Reader {
    pub out: mpsc::Sender<Arc<str>>,
    pub is_owner: bool,
    /// The key they came with, which opens the seat of a guest.
    key: String,
    /// The seats they may move for.
    pub seats: Vec<usize>,
}

impl Table {
    /// What somebody with this key may do.
    pub(super) fn reader(&self, key: &str, out: Option<mpsc::Sender<Arc<str>>>) -> Reader {
        let is_owner = keys::is_same(key, &self.owner_key);
        let out = out.unwrap_or_else(|| mpsc::channel(1).0);
        let seats = self.seats_for(is_owner, key);
        Reader { out, is_owner, key: key.to_owned(), seats }
    }

    /// The seats that somebody may move for.
    fn seats_for(&self, is_owner: bool, key: &str) -> Vec<usize> {
        let seats = self.game.seats().iter().enumerate();
        let fits = seats.filter(|(_, it)| match it.sitter {
            Sitter::Person => is_owner,
            Sitter::Guest => keys::is_same(key, &it.key),
            Sitter::Engine(_) | Sitter::Random => false,
        });
        fits.map(|it| it.0).collect()
    }

    /// Works out again who may move for which seat.
    pub(super) fn seat_readers(&mut self) {
        let ids: Vec<u64> = self.readers.keys().copied().collect();
        for id in ids {
            let Some(it) = self.readers.get(&id) else { continue };
            let seats = self.seats_for(it.is_owner, &it.key);
            if let Some(it) = self.readers.get_mut(&id) {
                it.seats = seats;
            }
        }
    }

    pub(super) async fn join(
        &mut self,
        key: &str,
        out: mpsc::Sender<Arc<str>>,
        reply: oneshot::Sender<u64>,
    ) {
        let reader = self.reader(key, Some(out));
        let id = self.next_reader;
        self.next_reader += 1;
        let others: Vec<u64> = self.readers.keys().copied().collect();
        let has_seat = !reader.seats.is_empty();
        self.readers.insert(id, reader);
        self.tell_match(id);
        let _ = reply.send(id);
        if has_seat {
            // The others see that somebody came.
            others.into_iter().for_each(|it| self.tell_match(it));
        }
        self.drive().await;
    }

    pub(super) fn leave(&mut self, id: u64) {
        let Some(reader) = self.readers.remove(&id) else { return };
        if !reader.seats.is_empty() {
            self.tell_match_to_all();
        }
        if self.readers.is_empty() {
            // Nobody waits for an answer; whoever comes back has the engine think again.
            self.stop_thinking();
            self.due = None;
        }
    }

    /// Tells one reader.
    pub(super) fn tell(&mut self, id: u64, event: &Event) {
        let Ok(text) = serde_json::to_string(event) else { return };
        self.send(id, &text.into());
    }

    fn send(&mut self, id: u64, text: &Arc<str>) {
        let Some(reader) = self.readers.get(&id) else { return };
        if reader.out.try_send(Arc::clone(text)).is_err() {
            // It does not keep up: disconnected, it comes back and is told everything.
            self.readers.remove(&id);
        }
    }

    /// Tells all readers.
    pub(super) fn tell_all(&mut self, event: &Event) {
        let Ok(text) = serde_json::to_string(event) else { return };
        let text: Arc<str> = text.into();
        let all: Vec<u64> = self.readers.keys().copied().collect();
        all.into_iter().for_each(|it| self.send(it, &text));
    }

    /// Tells one reader the whole match.
    pub(super) fn tell_match(&mut self, id: u64) {
        let Some(reader) = self.readers.get(&id) else { return };
        let event = Event::Match { game: Box::new(self.match_view(reader)) };
        self.tell(id, &event);
    }

    /// Tells everybody the whole match.
    pub(super) fn tell_match_to_all(&mut self) {
        self.version += 1;
        let all: Vec<u64> = self.readers.keys().copied().collect();
        all.into_iter().for_each(|it| self.tell_match(it));
    }

    pub(super) fn refuse(&mut self, reader: u64, message: &str) {
        let message = message.to_owned();
        self.tell(reader, &Event::Refused { message, why: None, id: None });
    }

    fn is_here(&self, seat: usize) -> bool {
        self.readers.values().any(|it| it.seats.contains(&seat))
    }

    /// The whole match as one reader sees it.
    pub(super) fn match_view(&self, reader: &Reader) -> MatchView {
        let (playable, tree) = (&self.playable, self.game.tree());
        let nodes = (0..).zip(tree.nodes());
        let is_here = |it: usize| reader.seats.contains(&it) || self.is_here(it);
        let line = |it: &boardwright_referee::ChatEntry| ChatLine {
            name: it.name.clone(),
            text: it.text.clone(),
        };
        MatchView {
            id: self.id.clone(),
            game: playable.game.clone(),
            n: playable.n as u32,
            title: playable.title.clone(),
            seats: seating::seat_views(&self.game, is_here),
            nodes: nodes.map(|(id, it): (NodeId, _)| state_view::node_view(id, it)).collect(),
            current: self.game.current(),
            you: reader.seats.iter().map(|&it| it as u32).collect(),
            owner: reader.is_owner,
            invitations: match reader.is_owner {
                true => seating::invitations(&self.id, self.game.seats()),
                false => Vec::new(),
            },
            state: (*self.view).clone(),
            chat: self.game.chat().iter().map(line).collect(),
            thinking: self.thinking.as_ref().and_then(|it| it.view.clone()),
            paused: self.paused,
            is_solution: self.is_solution,
            version: self.version,
        }
    }

    /// Tells something that was found out beside the match.
    pub(super) fn tell_later(
        &self,
        reader: u64,
        find_out: impl FnOnce() -> Event + Send + 'static,
    ) {
        let Some(out) = self.readers.get(&reader).map(|it| it.out.clone()) else { return };
        let work = self.tools.work.clone();
        tokio::spawn(async move {
            if let Ok(event) = work.run(find_out).await {
                socket::tell(&out, event);
            }
        });
    }
}
