//! What outlives the process: matches, the user's own games, settings; in one SQLite file.
//!
//! The only SQL of the project. A write that has returned is on the disk: the file
//! is in write-ahead mode with full synchronisation, so neither a crash of the process
//! nor of the machine loses it. Knows no rules: everything is text and numbers.
//!
//! Invariants: nodes are only ever added; what is deleted is marked, and can be restored.

/// Reads a row by the names of its fields. The library's own derive would build its
/// macros, and with them SQLite, a second time.
macro_rules! from_row {
    ($name:ident: $($field:ident),+) => {
        impl sqlx::FromRow<'_, sqlx::sqlite::SqliteRow> for $name {
            fn from_row(row: &sqlx::sqlite::SqliteRow) -> Result<$name, sqlx::Error> {
                Ok($name { $($field: sqlx::Row::try_get(row, stringify!($field))?),+ })
            }
        }
    };
}

mod games;
mod matches;
mod presets;

use std::{path::Path, str::FromStr, time::Duration};

use sqlx::{
    SqlitePool,
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous},
};

pub use games::GameRow;
pub use matches::{ChatRow, MatchRow, NodeRow, Stored, Summary};

/// What can go wrong: the disk, or a file that is not ours.
pub type Error = sqlx::Error;

/// The database.
#[derive(Clone, Debug)]
pub struct Store {
    pool: SqlitePool,
}

/// The steps from nothing to the newest form; a file remembers how many it has taken.
const MIGRATIONS: &[&str] = &[
    include_str!("../migrations/0001_matches.sql"),
    include_str!("../migrations/0002_lists.sql"),
    include_str!("../migrations/0003_presets.sql"),
];

impl Store {
    /// Opens a file, makes it if there is none, and brings it to the newest form.
    pub async fn open(path: &Path) -> Result<Store, Error> {
        let options = SqliteConnectOptions::new()
            .filename(path)
            .create_if_missing(true)
            .foreign_keys(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .busy_timeout(Duration::from_secs(10));
        let pool = SqlitePoolOptions::new().max_connections(4).connect_with(options).await?;
        Store { pool }.migrated().await
    }

    /// A database that is gone with the process.
    pub async fn in_memory() -> Result<Store, Error> {
        let options = SqliteConnectOptions::from_str("sqlite::memory:")?.foreign_keys(true);
        let pool = SqlitePoolOptions::new().max_connections(1).connect_with(options).await?;
        Store { pool }.migrated().await
    }

    async fn migrated(self) -> Result<Store, Error> {
        let (done,): (i64,) = sqlx::query_as("PRAGMA user_version").fetch_one(&self.pool).await?;
        if done as usize > MIGRATIONS.len() {
            let message = "the data folder belongs to a newer Boardwright";
            return Err(Error::Configuration(message.into()));
        }
        for (idx, step) in MIGRATIONS.iter().enumerate().skip(done as usize) {
            let mut work = self.pool.begin().await?;
            sqlx::raw_sql(*step).execute(&mut *work).await?;
            // A pragma takes no parameters.
            let version = VERSIONS.get(idx).copied().unwrap_or("PRAGMA user_version = 1");
            sqlx::raw_sql(version).execute(&mut *work).await?;
            work.commit().await?;
        }
        Ok(self)
    }

    /// Ends all work; what was written is on the disk.
    pub async fn close(&self) {
        self.pool.close().await;
    }

    /// A setting's value.
    pub async fn setting(&self, name: &str) -> Result<Option<String>, Error> {
        let query = sqlx::query_as("SELECT value FROM settings WHERE name = ?").bind(name);
        let found: Option<(String,)> = query.fetch_optional(&self.pool).await?;
        Ok(found.map(|it| it.0))
    }

    /// Gives a setting a value.
    pub async fn set_setting(&self, name: &str, value: &str) -> Result<(), Error> {
        sqlx::query(
            "INSERT INTO settings (name, value) VALUES (?, ?)
             ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        )
        .bind(name)
        .bind(value)
        .execute(&self.pool)
        .await?;
        Ok(())
    }
}

/// By migration: what notes that it was taken.
const VERSIONS: &[&str] =
    &["PRAGMA user_version = 1", "PRAGMA user_version = 2", "PRAGMA user_version = 3"];

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn settings_are_kept_and_replaced() {
        let store = Store::in_memory().await.expect("a database");
        assert_eq!(store.setting("user").await.expect("works"), None);
        store.set_setting("user", "one").await.expect("works");
        store.set_setting("user", "two").await.expect("works");
        assert_eq!(store.setting("user").await.expect("works").as_deref(), Some("two"));
    }

    #[test]
    fn every_migration_has_a_version() {
        assert_eq!(MIGRATIONS.len(), VERSIONS.len());
    }

    #[tokio::test]
    async fn a_file_opens_again_and_one_of_the_future_does_not() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("data.db");
        let store = Store::open(&path).await.expect("opens");
        store.set_setting("a", "1").await.expect("works");
        store.close().await;
        let store = Store::open(&path).await.expect("opens again");
        assert_eq!(store.setting("a").await.expect("works").as_deref(), Some("1"));
        sqlx::raw_sql("PRAGMA user_version = 99").execute(&store.pool).await.expect("works");
        store.close().await;
        assert!(Store::open(&path).await.is_err());
    }
}
