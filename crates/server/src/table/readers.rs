//! Who is connected to a match, what they may do, and what they are told.

use std::sync::Arc;

use boardwright_protocol::{ChatLine, Event, MatchView};
use boardwright_referee::{NodeId, Sitter};
use tokio::sync::oneshot;

use super::Table;
use crate::{gate::Role, keys, outbox::Outbox, seating, state_view};

/// Who uses the engine's time at the matches of the person at the machine.
const OWNER: &str = "owner";

/// What somebody may do at a match.
pub(super) struct Rights {
    pub is_owner: bool,
    /// The seats they may move for.
    pub seats: Vec<usize>,
}

/// Somebody who is connected.
pub(super) struct Reader {
    out: Outbox,
    /// Whether events were lost, so that none is sent any more.
    is_cut: bool,
    pub rights: Rights,
    /// The key they came with, which opens the seat of a guest.
    key: String,
    /// Stands for their address.
    person: Arc<str>,
}

impl Table {
    /// What somebody with this key may do.
    pub(super) fn rights(&self, key: &str) -> Rights {
        let is_owner = keys::is_same(key, &self.owner_key);
        Rights { is_owner, seats: self.seats_for(is_owner, key) }
    }

    pub(super) fn role(&self, key: &str) -> Role {
        let rights = self.rights(key);
        match rights.is_owner {
            true if self.creator.is_empty() => Role::Owner,
            true => Role::Player,
            false if !rights.seats.is_empty() => Role::Player,
            false => Role::Watcher,
        }
    }

    /// Whose share of the engine's time a search takes that a reader asked for, or that the
    /// match itself needs.
    pub(super) fn person(&self, reader: Option<u64>) -> Arc<str> {
        let reader = reader.and_then(|it| self.readers.get(&it));
        match reader.filter(|it| !it.rights.is_owner) {
            Some(guest) => Arc::clone(&guest.person),
            None if self.creator.is_empty() => OWNER.into(),
            None => Arc::clone(&self.creator),
        }
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
            let seats = self.seats_for(it.rights.is_owner, &it.key);
            if let Some(it) = self.readers.get_mut(&id) {
                it.rights.seats = seats;
            }
        }
    }

    pub(super) async fn join(
        &mut self,
        key: &str,
        person: Arc<str>,
        out: Outbox,
        reply: oneshot::Sender<u64>,
    ) {
        let rights = self.rights(key);
        let reader = Reader { out, is_cut: false, rights, key: key.to_owned(), person };
        let id = self.next_reader;
        self.next_reader += 1;
        let others: Vec<u64> = self.readers.keys().copied().collect();
        let has_seat = !reader.rights.seats.is_empty();
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
        if !reader.rights.seats.is_empty() {
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
        let Some(reader) = self.readers.get_mut(&id).filter(|it| !it.is_cut) else { return };
        // Who does not keep up is disconnected, comes back and is told everything.
        reader.is_cut = !reader.out.send(text);
    }

    /// All readers in the order in which they are told, so that no player waits for a crowd of
    /// watchers.
    fn players_first(&self) -> Vec<u64> {
        let watches = |it: &Reader| !it.rights.is_owner && it.rights.seats.is_empty();
        let mut all: Vec<(bool, u64)> =
            self.readers.iter().map(|(id, it)| (watches(it), *id)).collect();
        all.sort_unstable();
        all.into_iter().map(|it| it.1).collect()
    }

    /// Tells all readers.
    pub(super) fn tell_all(&mut self, event: &Event) {
        let Ok(text) = serde_json::to_string(event) else { return };
        let text: Arc<str> = text.into();
        self.players_first().into_iter().for_each(|it| self.send(it, &text));
    }

    /// Tells one reader the whole match.
    pub(super) fn tell_match(&mut self, id: u64) {
        let Some(reader) = self.readers.get(&id) else { return };
        let view = self.match_view(&reader.rights, Some(id));
        let event = Event::Match { game: Box::new(view) };
        self.tell(id, &event);
    }

    /// Tells everybody the whole match.
    pub(super) fn tell_match_to_all(&mut self) {
        self.version += 1;
        self.players_first().into_iter().for_each(|it| self.tell_match(it));
    }

    pub(super) fn refuse(&mut self, reader: u64, message: &str) {
        let message = message.to_owned();
        self.tell(reader, &Event::Refused { message, why: None, id: None });
    }

    fn is_here(&self, seat: usize) -> bool {
        self.readers.values().any(|it| it.rights.seats.contains(&seat))
    }

    /// The whole match as somebody sees it; `reader` is their connection, if they have one.
    pub(super) fn match_view(&self, rights: &Rights, reader: Option<u64>) -> MatchView {
        let (playable, tree) = (&self.playable, self.game.tree());
        let nodes = (0..).zip(tree.nodes());
        let is_here = |it: usize| rights.seats.contains(&it) || self.is_here(it);
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
            you: rights.seats.iter().map(|&it| it as u32).collect(),
            owner: rights.is_owner,
            invitations: match rights.is_owner {
                true => seating::invitations(&self.id, self.game.seats()),
                false => Vec::new(),
            },
            state: (*self.view).clone(),
            chat: self.game.chat().iter().map(line).collect(),
            thinking: self.thinking.as_ref().and_then(|it| it.view_for(reader)),
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
                out.tell(&event);
            }
        });
    }
}
