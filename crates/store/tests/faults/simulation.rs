//! A server that uses a store on a faulty disk, reduced to what it stores.

use std::{
    collections::{BTreeMap, BTreeSet},
    slice,
};

use boardwright_faulty_disk::FaultyDisk;
use boardwright_store::{EventKind, EventRow, GameRow, MatchRow, Store, StoreError, Summary};

use crate::expected::{Expected, MatchContent, Possible, n_of_requests};

/// The name of the database.
pub const FILE: &str = "boardwright.db";

/// A server with its clients. It keeps what it knows of a match as a real one does: from when
/// it was read, with what it has stored since.
pub struct Simulation {
    pub disk: FaultyDisk,
    store: Option<Store>,
    expected: Expected,
    /// The logs as the server has them in memory.
    loaded: BTreeMap<String, Vec<EventRow>>,
    /// Requests by id that were answered with a confirmation.
    confirmed: BTreeSet<String>,
    pub counts: Counts,
}

/// How often something happened.
#[derive(Clone, Copy, Default, Debug)]
pub struct Counts {
    pub confirmed: u64,
    pub failed: u64,
    pub repeated: u64,
    pub ended: u64,
    pub failed_opens: u64,
}

fn event(seq: usize, request: &str) -> EventRow {
    EventRow {
        request: request.to_owned(),
        node: Some(seq as i64 - 1),
        // Of several lengths, some longer than a page of the database.
        text: request.repeat(1 + seq * 37 % 400),
        ..EventRow::new(seq as i64, seq as i64, EventKind::Move)
    }
}

fn summary(updated: i64) -> Summary {
    Summary { updated, ..Summary::default() }
}

/// An error that a fault of the disk may lead to. Others are faults of the program.
fn check_error(disk: &FaultyDisk, error: &StoreError) {
    use StoreError::*;
    // What a process that has ended would say is heard by nobody.
    if disk.has_ended() {
        return;
    }
    let is_expected = match error {
        Full(_) | ReadOnly(_) | CannotOpen(_) | Io(_) | Busy(_) | Unverified(_) => true,
        Corrupt(_) | Conflict(_) | NoMatch | Newer { .. } => false,
        // The transaction was ended underneath.
        Other(cause) => cause.to_string().contains("no transaction is active"),
    };
    assert!(is_expected, "{error:?}");
    assert!(error.hint().is_some() || matches!(error, Other(_)), "{error:?} has no hint");
}

impl Simulation {
    pub fn new(disk: FaultyDisk) -> Simulation {
        Simulation {
            disk,
            store: None,
            expected: Expected::default(),
            loaded: BTreeMap::new(),
            confirmed: BTreeSet::new(),
            counts: Counts::default(),
        }
    }

    /// The process ends, unless it has already, and another one takes over the disk.
    pub async fn restart(&mut self) {
        if let Some(store) = self.store.take() {
            // If the process has ended, this does nothing to the disk.
            store.close().await;
        }
        if !self.disk.has_ended() {
            self.disk.kill();
        }
        self.disk = self.disk.restarted();
        self.expected.end_process();
        self.loaded.clear();
        self.counts.ended += 1;
    }

    /// The process is killed now, and does not tidy up.
    pub async fn kill(&mut self) {
        self.disk.kill();
        self.restart().await;
    }

    pub async fn cut_power(&mut self) {
        self.disk.cut_power();
        self.restart().await;
    }

    /// The store, opened if it is not; `None` if it cannot be opened now.
    pub async fn store(&mut self) -> Option<Store> {
        if self.disk.has_ended() {
            self.restart().await;
        }
        if self.store.is_none() {
            match Store::open_on(&self.disk.path(FILE), &self.disk).await {
                Ok(store) => {
                    self.store = Some(store);
                    if self.check().await {
                        self.expected.settle();
                    }
                }
                Err(error) => {
                    check_error(&self.disk, &error);
                    self.counts.failed_opens += 1;
                }
            }
            // It may have ended in the meantime.
            if self.disk.has_ended() {
                return None;
            }
        }
        self.store.clone()
    }

    /// Waits until connections that are being closed are closed, so that a seed always leads to
    /// the same requests in the same order.
    async fn settle(&self) {
        let mut last = (0, 0);
        let mut n_equal = 0;
        while n_equal < 3 {
            tokio::task::yield_now().await;
            std::thread::yield_now();
            let now = (self.disk.n_operations(), self.disk.n_open());
            n_equal = if now == last { n_equal + 1 } else { 0 };
            last = now;
        }
    }

    /// A client asks for a move; returns whether it was confirmed. A request that was not must
    /// be sent again.
    pub async fn play(&mut self, id: &str, request: &str) -> bool {
        let Some(store) = self.store().await else { return false };
        if !self.loaded.contains_key(id) && !self.load(&store, id).await {
            return false;
        }
        let Some(log) = self.loaded.get(id) else { return false };
        if log.iter().any(|it| it.request == request) {
            self.counts.repeated += 1;
            self.confirmed.insert(request.to_owned());
            return true;
        }
        let event = event(log.len() + 1, request);
        let done = store.append(id, slice::from_ref(&event), &summary(event.seq)).await;
        self.conclude_play(id, event, done).await
    }

    /// Several clients ask for a move in a match of their own at the same time.
    pub async fn play_at_once(&mut self, requests: &[(String, String)]) -> Vec<bool> {
        let Some(store) = self.store().await else { return vec![false; requests.len()] };
        for (id, _) in requests {
            if !self.loaded.contains_key(id) && !self.load(&store, id).await {
                return vec![false; requests.len()];
            }
        }
        let mut tasks = Vec::new();
        for (id, request) in requests {
            let seq = self.loaded.get(id).map_or(0, Vec::len) + 1;
            let (store, id, event) = (store.clone(), id.clone(), event(seq, request));
            tasks.push(tokio::spawn(async move {
                let _ = store.match_with_events(&id).await;
                let done = store.append(&id, slice::from_ref(&event), &summary(event.seq)).await;
                (id, event, done)
            }));
        }
        let mut all = Vec::new();
        for task in tasks {
            all.push(task.await.expect("it ends"));
        }
        // What failed may have done so after the others were stored.
        all.sort_by_key(|it| it.2.is_err());
        let mut confirmed = BTreeMap::new();
        for (id, event, done) in all {
            let request = event.request.clone();
            confirmed.insert(request, self.conclude_play(&id, event, done).await);
        }
        requests.iter().map(|it| confirmed[&it.1]).collect()
    }

    async fn conclude_play(
        &mut self,
        id: &str,
        event: EventRow,
        done: Result<(), StoreError>,
    ) -> bool {
        let n_before = event.seq as usize - 1;
        let item = self.expected.matches.get_mut(id).expect("a known match");
        let is_before =
            |it: &Option<MatchContent>| it.as_ref().is_some_and(|it| it.events.len() == n_before);
        let before = item.now().iter().find(|it| is_before(it)).cloned().flatten();
        let after = before.map(|mut it| {
            it.events.push(event.clone());
            it.summary = summary(event.seq);
            it
        });
        match done {
            Ok(()) => {
                assert!(after.is_some(), "event {} does not continue {:#?}", event.seq, item.now());
                item.confirm(after);
                self.expected.stored();
                self.confirmed.insert(event.request.clone());
                self.loaded.get_mut(id).expect("it is loaded").push(event);
                self.counts.confirmed += 1;
                return true;
            }
            Err(StoreError::Conflict(_)) => {
                item.exclude(id, is_before);
                self.loaded.remove(id);
            }
            Err(error) => {
                check_error(&self.disk, &error);
                if after.is_some() && !error.stored_nothing() {
                    item.fail(after);
                }
            }
        }
        self.counts.failed += 1;
        self.settle().await;
        false
    }

    /// Reads a match, as a server does that does not have it in memory.
    async fn load(&mut self, store: &Store, id: &str) -> bool {
        match store.match_with_events(id).await {
            Ok(stored) => {
                let content =
                    stored.map(|it| MatchContent { summary: it.row.summary, events: it.events });
                let item = self.expected.matches.get_mut(id).expect("a known match");
                item.read(id, &content);
                if let Some(content) = content {
                    self.loaded.insert(id.to_owned(), content.events);
                    return true;
                }
            }
            Err(error) => check_error(&self.disk, &error),
        }
        self.settle().await;
        false
    }

    /// Begins a match; returns whether that was confirmed, now or earlier.
    pub async fn begin(&mut self, id: &str) -> bool {
        let Some(store) = self.store().await else { return false };
        let row = MatchRow { id: id.into(), summary: summary(1), ..MatchRow::default() };
        let first = event(1, &format!("begin-{id}"));
        let done = store.add_match(&row, slice::from_ref(&first)).await;
        let content = MatchContent { summary: summary(1), events: vec![first] };
        let known = self.expected.matches.entry(id.into());
        let is_done =
            conclude(id, known.or_insert_with(|| Possible::new(None)), content, done, &self.disk);
        if is_done == Some(true) {
            self.expected.stored();
        }
        self.count(is_done).await
    }

    async fn count(&mut self, is_done: Option<bool>) -> bool {
        match is_done {
            Some(true) => self.counts.confirmed += 1,
            Some(false) => self.counts.repeated += 1,
            None => {
                self.counts.failed += 1;
                self.settle().await;
            }
        }
        is_done.is_some()
    }

    pub async fn set(&mut self, name: &str, value: &str) -> bool {
        let Some(store) = self.store().await else { return false };
        let done = store.set_setting(name, value).await;
        let known = self.expected.settings.entry(name.into());
        let item = known.or_insert_with(|| Possible::new(None));
        let is_done = conclude(name, item, value.to_owned(), done, &self.disk);
        if is_done.is_some() {
            self.expected.stored();
        }
        self.count(is_done).await
    }

    pub async fn add_game(&mut self, id: &str) -> bool {
        let Some(store) = self.store().await else { return false };
        let game = GameRow {
            id: id.into(),
            title: id.to_uppercase(),
            file: "game.zrf".into(),
            created: 1,
            deleted: None,
        };
        let done = store.add_game(&game).await;
        let known = self.expected.games.entry(id.into());
        let is_done =
            conclude(id, known.or_insert_with(|| Possible::new(None)), game, done, &self.disk);
        if is_done == Some(true) {
            self.expected.stored();
        }
        self.count(is_done).await
    }

    /// Reads everything and compares it with what must be there; returns whether it could be
    /// read.
    pub async fn check(&mut self) -> bool {
        let Some(store) = self.store.clone() else { return false };
        let is_read = self.read_all(&store).await;
        match is_read {
            Ok(contents) => {
                let counts = n_of_requests(&contents);
                for (request, n) in &counts {
                    assert_eq!(*n, 1, "request {request} is stored {n} times");
                }
                for request in &self.confirmed {
                    assert!(counts.contains_key(request.as_str()), "{request} is lost");
                }
                true
            }
            Err(error) => {
                check_error(&self.disk, &error);
                self.settle().await;
                false
            }
        }
    }

    async fn read_all(&mut self, store: &Store) -> Result<Vec<MatchContent>, StoreError> {
        let mut contents = Vec::new();
        for (id, item) in &mut self.expected.matches {
            let stored = store.match_with_events(id).await?;
            let content =
                stored.map(|it| MatchContent { summary: it.row.summary, events: it.events });
            for (seq, event) in (1..).zip(content.iter().flat_map(|it| &it.events)) {
                assert_eq!(event.seq, seq, "the events of {id} are numbered without a gap");
            }
            item.read(id, &content);
            contents.extend(content);
        }
        for (name, item) in &mut self.expected.settings {
            item.read(name, &store.setting(name).await?);
        }
        if !self.expected.games.is_empty() {
            let games = store.games().await?;
            for (id, item) in &mut self.expected.games {
                item.read(id, &games.iter().find(|it| it.id == *id).cloned());
            }
        }
        let listed: BTreeSet<String> =
            store.matches("", 0, 1000).await?.into_iter().map(|it| it.id).collect();
        let present = self.expected.matches.iter();
        let present = present.filter(|it| it.1.now().iter().all(Option::is_some));
        assert_eq!(listed, present.map(|it| it.0.clone()).collect());
        Ok(contents)
    }

    /// The fault is over: without a restart everything can be read, and the next write works.
    pub async fn check_works(&mut self) {
        self.disk.heal();
        if self.store().await.is_none() {
            assert!(self.store().await.is_some(), "it opens when nothing fails");
        }
        assert!(self.check().await, "everything can be read when nothing fails");
        // A value that is not there yet: SQLite writes nothing where nothing changes.
        let value = format!("after {} requests", self.disk.n_operations());
        assert!(self.set("works", &value).await, "a write works when nothing fails");
        assert!(self.check().await);
    }

    /// At the end: closed and opened once more, everything is there, and the file is whole.
    pub async fn conclude(&mut self) {
        self.check_works().await;
        self.restart().await;
        self.check_works().await;
    }
}

/// What became of a write; `Some(false)` if it was done earlier.
fn conclude<T: Clone + PartialEq + std::fmt::Debug>(
    what: &str,
    item: &mut Possible<Option<T>>,
    value: T,
    done: Result<(), StoreError>,
    disk: &FaultyDisk,
) -> Option<bool> {
    match done {
        Ok(()) => {
            item.confirm(Some(value));
            Some(true)
        }
        Err(StoreError::Conflict(_)) => {
            item.exclude(what, Option::is_none);
            Some(false)
        }
        Err(error) => {
            check_error(disk, &error);
            if !error.stored_nothing() {
                item.fail(Some(value));
            }
            None
        }
    }
}
