//! The schema of the database, and how files of older versions come to it.

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};

use sqlx::{AssertSqlSafe, SqliteConnection};
use tokio::fs;

use crate::{Store, StoreError};

/// The steps from an empty file to the newest schema. The version of a file is the number of
/// steps it has taken; steps are only ever added at the end.
const MIGRATIONS: &[&str] = &[
    include_str!("../migrations/0001_matches.sql"),
    include_str!("../migrations/0002_lists.sql"),
    include_str!("../migrations/0003_presets.sql"),
    include_str!("../migrations/0004_events.sql"),
    include_str!("../migrations/0005_creators.sql"),
];

/// The version of the newest schema.
const NEWEST: i64 = MIGRATIONS.len() as i64;

async fn version(connection: &mut SqliteConnection) -> Result<i64, StoreError> {
    Ok(sqlx::query_scalar("PRAGMA user_version").fetch_one(connection).await?)
}

impl Store {
    /// Brings the file to the newest schema. Each step is a transaction, so that a step that
    /// fails changes nothing.
    pub(crate) async fn migrate(&self, path: &Path) -> Result<(), StoreError> {
        let mut connection = self.pool.acquire().await?;
        let found = version(&mut connection).await?;
        if found > NEWEST {
            return Err(StoreError::Newer { found, known: NEWEST });
        }
        if found == NEWEST {
            return Ok(());
        }
        let copy = match found {
            0 => None,
            _ => Some(copy_file(&mut connection, path).await?),
        };
        drop(connection);
        let migrated = self.take_steps().await;
        if let (Err(_), Some(copy)) = (&migrated, copy) {
            // Nothing has changed, and a copy for each attempt would fill the disk.
            let _ = fs::remove_file(copy).await;
        }
        migrated
    }

    async fn take_steps(&self) -> Result<(), StoreError> {
        for (next, step) in (1..).zip(MIGRATIONS) {
            let mut transaction = self.begin_write().await?;
            // Asked for within the transaction, since another process may be faster.
            if version(&mut transaction).await? < next {
                sqlx::raw_sql(*step).execute(&mut *transaction).await?;
                let sql = AssertSqlSafe(format!("PRAGMA user_version = {next}"));
                sqlx::raw_sql(sql).execute(&mut *transaction).await?;
            }
            transaction.commit().await?;
        }
        Ok(())
    }
}

/// Copies the database beside itself, in a file of its own; returns the path of the copy.
async fn copy_file(connection: &mut SqliteConnection, path: &Path) -> Result<PathBuf, StoreError> {
    let beside = |ending: &str| {
        let mut name = OsString::from(path);
        name.push(ending);
        PathBuf::from(name)
    };
    let mut copy = beside(&format!(".before-v{NEWEST}"));
    let mut n = 1;
    // An older copy is kept: it may be the only one of what it holds.
    while fs::try_exists(&copy).await? {
        n += 1;
        copy = beside(&format!(".before-v{NEWEST}-{n}"));
    }
    let partial = beside(".copying");
    if fs::try_exists(&partial).await? {
        fs::remove_file(&partial).await?;
    }
    let name = partial.to_str().ok_or_else(|| {
        StoreError::Other("the path of the database must be valid Unicode".into())
    })?;
    // Unlike a copy by the file system, this includes the write-ahead log.
    let copied = sqlx::query("VACUUM INTO ?").bind(name).execute(connection).await;
    if let Err(error) = copied {
        // A partial copy would only take space.
        let _ = fs::remove_file(&partial).await;
        return Err(error.into());
    }
    fs::OpenOptions::new().write(true).open(&partial).await?.sync_all().await?;
    fs::rename(&partial, &copy).await?;
    Ok(copy)
}
