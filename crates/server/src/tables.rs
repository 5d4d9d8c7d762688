//! The matches that are going on, each with a task of its own.

use std::{collections::HashMap, sync::Arc};

use boardwright_store::Store;
use tokio::{
    sync::{Mutex, mpsc},
    task::JoinHandle,
};

use crate::{
    app::Work,
    error::{ApiError, LogError},
    library::Library,
    table::{self, Message},
    thinker::Thinker,
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
    live: Arc<Mutex<HashMap<String, Live>>>,
}

struct Live {
    sender: mpsc::Sender<Message>,
    task: JoinHandle<()>,
}

impl Tables {
    pub fn new(store: Store, library: Library, work: Work, thinker: Thinker) -> Tables {
        Tables { tools: Tools { store, library, work, thinker }, live: Arc::default() }
    }

    /// The door of a match; it is read from the disk if nobody has it open.
    pub async fn open(&self, id: &str) -> Result<mpsc::Sender<Message>, ApiError> {
        let mut live = self.live.lock().await;
        if let Some(it) = live.get(id).filter(|it| !it.sender.is_closed()) {
            return Ok(it.sender.clone());
        }
        // One that is about to end must have ended, or two would write one record.
        if let Some(old) = live.remove(id) {
            old.task.await.or_warn("the task of a match failed");
        }
        live.retain(|_, it| !it.task.is_finished());
        let stored = self.tools.store.load_match(id).await?;
        let missing = || ApiError::not_found("there is no such match");
        let stored = stored.ok_or_else(missing)?;
        let (sender, task) = table::start(self.tools.clone(), stored).await?;
        live.insert(id.to_owned(), Live { sender: sender.clone(), task });
        Ok(sender)
    }

    /// Ends a match's task, as before it is deleted.
    pub async fn end(&self, id: &str) {
        let mut live = self.live.lock().await;
        if let Some(it) = live.remove(id) {
            let _ = it.sender.send(Message::End).await;
            it.task.await.or_warn("the task of a match failed");
        }
    }

    /// Ends all.
    pub async fn close(&self) {
        let all: Vec<Live> = self.live.lock().await.drain().map(|it| it.1).collect();
        for it in &all {
            let _ = it.sender.send(Message::End).await;
        }
        for it in all {
            it.task.await.or_warn("the task of a match failed");
        }
    }
}
