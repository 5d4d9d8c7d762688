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

mod check;
mod columns;
mod error;
mod events;
mod files;
mod games;
mod guests;
mod matches;
mod presets;
mod schema;
mod settings;
mod transaction;

use std::{path::Path, sync::Arc, time::Duration};

use sqlx::{
    ConnectOptions, Connection, SqliteConnection, SqlitePool,
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous},
};
use tokio::sync::Mutex;

pub use error::StoreError;
pub use events::{EventKind, EventRow};
pub use files::{DataFiles, SystemFiles};
pub use games::GameRow;
pub use matches::{MatchRow, StoredMatch, Summary};

/// Connections that are open at the same time: one writes, the others read.
const MAX_CONNECTIONS: u32 = 4;
/// Time that a statement waits for a lock of another process before it fails as busy.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

/// Time for the check at the start; what is not checked by then is left to
/// [`Store::verify`].
const CHECK_TIME: Duration = Duration::from_secs(2);

/// The database. Clones share its connections.
#[derive(Clone, Debug)]
pub struct Store {
    pool: SqlitePool,
    /// Held by the transaction that writes. SQLite lets only one write at a time; waiting here
    /// is fair, whereas waiting for its lock is polling.
    writer: Arc<Mutex<()>>,
    /// A connection that does nothing, and so never fails. As long as one is open, SQLite keeps
    /// in memory where the write-ahead log ends. After the last one it would read that from the
    /// log again, and could find a transaction there whose commit was reported as failed.
    keeper: Arc<Mutex<Option<SqliteConnection>>>,
}

impl Store {
    /// Opens a file, creates it if there is none, checks it, and migrates it to the newest
    /// schema.
    ///
    /// A file of an older version is copied first: `data.db` to `data.db.before-v5` if 5 is
    /// the version of the newest schema. A file that is damaged is not changed: that fails with
    /// [`StoreError::Corrupt`].
    pub async fn open(path: &Path) -> Result<Store, StoreError> {
        Store::open_on(path, &SystemFiles).await
    }

    /// Opens a file that is reached in another way than usual, see [`Store::open`].
    pub async fn open_on(path: &Path, files: &dyn DataFiles) -> Result<Store, StoreError> {
        let is_checked = match files.exists(path)? {
            true => check::before_opening(path, files, CHECK_TIME).await?,
            false => true,
        };
        let options = writer_options(path, files);
        let mut keeper = options.connect().await?;
        let prepared = async {
            if !is_checked {
                check::run(&mut keeper, Some(CHECK_TIME)).await?;
            }
            schema::refuse_newer(&mut keeper).await?;
            store_log(&mut keeper).await
        };
        if let Err(error) = prepared.await {
            // The first error says more than one of closing.
            let _ = keeper.close().await;
            return Err(error);
        }
        let pool = SqlitePoolOptions::new().max_connections(MAX_CONNECTIONS);
        let store = Store {
            pool: pool.connect_lazy_with(options),
            writer: Arc::new(Mutex::new(())),
            keeper: Arc::new(Mutex::new(Some(keeper))),
        };
        match store.migrate(path, files).await {
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
        if let Some(keeper) = self.keeper.lock().await.take() {
            // What was confirmed is on the disk already, in the write-ahead log.
            let _ = keeper.close().await;
        }
    }
}

/// How every connection is made.
fn basic_options(path: &Path, files: &dyn DataFiles) -> SqliteConnectOptions {
    let options = SqliteConnectOptions::new().filename(path).busy_timeout(BUSY_TIMEOUT);
    match files.vfs() {
        Some(vfs) => options.vfs(vfs),
        None => options,
    }
}

/// How connections that write are made.
fn writer_options(path: &Path, files: &dyn DataFiles) -> SqliteConnectOptions {
    basic_options(path, files)
        .create_if_missing(true)
        .foreign_keys(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .pragma("wal_autocheckpoint", files.checkpoint_after().to_string())
}

/// Moves the write-ahead log that an earlier process has left into the file, and empties it.
///
/// If a sync failed in that process, a part of the log may be readable and yet not on the
/// disk, and no later sync of the log would store it. In the file it is written again.
async fn store_log(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    let row = sqlx::query_as("PRAGMA wal_checkpoint(TRUNCATE)").fetch_one(connection).await?;
    let (is_busy, _, _): (bool, i64, i64) = row;
    match is_busy {
        true => Err(StoreError::Busy("the write-ahead log is in use".into())),
        false => Ok(()),
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
