//! The matches that are going on, each with a task of its own.
//!
//! Each match is opened under a lock of its own, so that one that is slow to load, compile
//! or replay delays nobody but its own readers.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use boardwright_store::Store;
use tokio::{sync::mpsc, task::JoinHandle};

use crate::{
    error::{ApiError, LogError},
    library::Library,
    table::{self, Message},
    thinker::Thinker,
    work::{Share, Work},
};

/// What every match works with.
#[derive(Clone)]
pub(crate) struct Tools {
    pub store: Store,
    pub library: Library,
    pub work: Work,
    pub thinker: Thinker,
}

/// The matches that are going on.
#[derive(Clone)]
pub(crate) struct Tables {
    tools: Tools,
    slots: Arc<Mutex<HashMap<String, Slot>>>,
}

/// A match's task, if it has one; locked while the task is started or ended.
type Slot = Arc<tokio::sync::Mutex<Option<Live>>>;

struct Live {
    sender: mpsc::Sender<Message>,
    task: JoinHandle<()>,
}

impl Tables {
    pub fn new(store: Store, library: Library, work: Work, thinker: Thinker) -> Tables {
        Tables { tools: Tools { store, library, work, thinker }, slots: Arc::default() }
    }

    /// Where to send messages for a match; it is read from the disk if nobody has it open.
    pub async fn open(&self, id: &str) -> Result<mpsc::Sender<Message>, ApiError> {
        let slot = self.slot(id);
        let opened = self.open_in(&slot, id).await;
        if opened.is_err() {
            self.give_back(id, slot);
        }
        opened
    }

    async fn open_in(&self, slot: &Slot, id: &str) -> Result<mpsc::Sender<Message>, ApiError> {
        let mut live = slot.lock().await;
        if let Some(it) = live.as_ref().filter(|it| !it.sender.is_closed()) {
            return Ok(it.sender.clone());
        }
        // One that is about to end must have ended, or two would write one record.
        if let Some(old) = live.take() {
            old.ended().await;
        }
        let stored = self.tools.store.match_with_events(id).await?;
        let stored = stored.ok_or_else(|| ApiError::not_found("there is no such match"))?;
        let share = Share::of_match(id, &stored.row.title);
        let tools = Tools { work: self.tools.work.on_behalf_of(share), ..self.tools.clone() };
        let (sender, task) = table::start(tools, stored).await?;
        *live = Some(Live { sender: sender.clone(), task });
        Ok(sender)
    }

    /// Ends a match's task, as before it is deleted.
    pub async fn end(&self, id: &str) {
        let slot = self.slot(id);
        if let Some(it) = slot.lock().await.take() {
            it.end().await;
        }
        self.give_back(id, slot);
    }

    /// Ends all matches; a task that does not end by itself is left to the runtime.
    pub async fn close(&self) {
        let slots: Vec<Slot> = self.lock().drain().map(|it| it.1).collect();
        let mut tasks = tokio::task::JoinSet::new();
        for slot in slots {
            tasks.spawn(async move {
                if let Some(it) = slot.lock().await.take() {
                    it.end().await;
                }
            });
        }
        tasks.join_all().await;
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Slot>> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The slot of a match; those of matches that have ended are cleared away meanwhile.
    fn slot(&self, id: &str) -> Slot {
        let mut slots = self.lock();
        slots.retain(|_, it| !is_free(it));
        Arc::clone(slots.entry(id.to_owned()).or_default())
    }

    /// Takes a slot away that nobody uses any more.
    fn give_back(&self, id: &str, slot: Slot) {
        let mut slots = self.lock();
        // Under the lock, so that of several who give it back the last one finds it free.
        drop(slot);
        if slots.get(id).is_some_and(is_free) {
            slots.remove(id);
        }
    }
}

/// Whether a slot is only in the map, and its task has ended.
fn is_free(slot: &Slot) -> bool {
    let has_ended = |it: &Option<Live>| it.as_ref().is_none_or(|it| it.task.is_finished());
    Arc::strong_count(slot) == 1 && slot.try_lock().is_ok_and(|it| has_ended(&it))
}

impl Live {
    async fn end(self) {
        // One that has closed already ends anyway.
        let _ = self.sender.send(Message::End).await;
        self.ended().await;
    }

    async fn ended(self) {
        self.task.await.or_warn("the task of a match failed");
    }
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod storing_tests;
