//! What outlives the process: matches, the user's own games, presets and settings, in one
//! SQLite file.
//!
//! This crate holds the only SQL of the project. It knows no rules: everything is text and
//! numbers. A match is the log of its [events](EventRow); the columns of a [`Summary`] are
//! derived from the log so that lists need neither the log nor the rules.
//!
//! Invariants:
//! - A write that returned `Ok` is on the disk: the file is in write-ahead mode with full
//!   synchronization, so neither a crash of the process nor of the machine loses it.
//! - Events are only ever added, numbered 1, 2, 3 … within their match. The database itself
//!   refuses to change or delete one.
//! - Whatever is deleted is only marked as deleted and can be restored.

mod columns;
mod error;
mod events;
mod games;
mod guests;
mod matches;
mod presets;
mod schema;
mod settings;
mod transaction;

use std::{path::Path, sync::Arc, time::Duration};

use sqlx::{
    SqlitePool,
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous},
};
use tokio::sync::Mutex;

pub use error::StoreError;
pub use events::{EventKind, EventRow};
pub use games::GameRow;
pub use matches::{MatchRow, StoredMatch, Summary};

/// Connections that are open at the same time: one writes, the others read.
const MAX_CONNECTIONS: u32 = 4;
/// Time that a statement waits for a lock of another process before it fails as busy.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

/// The database. Clones share its connections.
#[derive(Clone, Debug)]
pub struct Store {
    pool: SqlitePool,
    /// Held by the transaction that writes. SQLite lets only one write at a time; waiting here
    /// is fair, whereas waiting for its lock is polling.
    writer: Arc<Mutex<()>>,
}

impl Store {
    /// Opens a file, creates it if there is none, and migrates it to the newest schema.
    ///
    /// A file of an older version is copied first: `data.db` to `data.db.before-v5` if 5 is
    /// the version of the newest schema.
    pub async fn open(path: &Path) -> Result<Store, StoreError> {
        Store::open_with(path, SqlitePoolOptions::new()).await
    }

    async fn open_with(path: &Path, pool: SqlitePoolOptions) -> Result<Store, StoreError> {
        let options = SqliteConnectOptions::new()
            .filename(path)
            .create_if_missing(true)
            .foreign_keys(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .busy_timeout(BUSY_TIMEOUT);
        let pool = pool.max_connections(MAX_CONNECTIONS).connect_with(options).await?;
        let store = Store { pool, writer: Arc::new(Mutex::new(())) };
        match store.migrate(path).await {
            Ok(()) => Ok(store),
            Err(error) => {
                store.close().await;
                Err(error)
            }
        }
    }

    /// Closes all connections, once the work that is under way has ended.
    pub async fn close(&self) {
        self.pool.close().await;
    }
}

#[cfg(test)]
mod testing {
    use tempfile::TempDir;

    use super::Store;

    /// A new database in a folder that lives as long as the test.
    pub async fn new_store() -> (TempDir, Store) {
        let dir = tempfile::tempdir().expect("a folder");
        let store = Store::open(&dir.path().join("data.db")).await.expect("opens");
        (dir, store)
    }
}

#[cfg(test)]
mod full_disk_tests;
