//! The schema of the database, and how files of older versions come to it.

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};

use sqlx::{AssertSqlSafe, SqliteConnection};

use crate::{DataFiles, Store, StoreError};

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

/// The version of the first schema with a log of events.
pub(crate) const FIRST_WITH_EVENTS: i64 = 4;

/// The version of the schema in a file; 0 if it is new.
async fn version(connection: &mut SqliteConnection) -> Result<i64, StoreError> {
    Ok(sqlx::query_scalar("PRAGMA user_version").fetch_one(connection).await?)
}

/// Fails if a newer version of the program has written the file.
pub(crate) async fn refuse_newer(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    match version(connection).await? {
        found if found > NEWEST => Err(StoreError::Newer { found, known: NEWEST }),
        _ => Ok(()),
    }
}

impl Store {
    /// Brings the file to the newest schema. Each step is a transaction, so that a step that
    /// fails changes nothing.
    pub(crate) async fn migrate(
        &self,
        path: &Path,
        files: &dyn DataFiles,
    ) -> Result<(), StoreError> {
        let mut connection = self.pool.acquire().await?;
        let found = version(&mut connection).await?;
        if found >= NEWEST {
            return Ok(());
        }
        let copy = match found {
            0 => None,
            _ => Some(copy_file(&mut connection, path, files).await?),
        };
        // What it knows of the schema will be out of date.
        connection.close_on_drop();
        drop(connection);
        let migrated = self.take_steps().await;
        if let (Err(_), Some(copy)) = (&migrated, copy) {
            // Nothing has changed, and a copy for each attempt would fill the disk.
            let _ = files.remove(&copy);
        }
        migrated
    }

    async fn take_steps(&self) -> Result<(), StoreError> {
        for (next, step) in (1..).zip(MIGRATIONS) {
            let mut transaction = self.begin_migration().await?;
            // Asked for within the transaction, since another process may be faster.
            if version(&mut transaction).await? < next {
                sqlx::raw_sql(*step).execute(&mut *transaction).await?;
                let sql = AssertSqlSafe(format!("PRAGMA user_version = {next}"));
                sqlx::raw_sql(sql).execute(&mut *transaction).await?;
            }
            transaction.commit().await?;
            // A connection that knows an earlier schema would have to read the newer one, and
            // if that fails it says that a column is missing.
            transaction.distrust();
        }
        Ok(())
    }
}

/// Copies the database beside itself, in a file of its own; returns the path of the copy.
async fn copy_file(
    connection: &mut SqliteConnection,
    path: &Path,
    files: &dyn DataFiles,
) -> Result<PathBuf, StoreError> {
    let beside = |ending: &str| {
        let mut name = OsString::from(path);
        name.push(ending);
        PathBuf::from(name)
    };
    let mut copy = beside(&format!(".before-v{NEWEST}"));
    let mut n = 1;
    // An older copy is kept: it may be the only one of what it holds.
    while files.exists(&copy)? {
        n += 1;
        copy = beside(&format!(".before-v{NEWEST}-{n}"));
    }
    let partial = beside(".copying");
    if files.exists(&partial)? {
        files.remove(&partial)?;
    }
    if let Err(error) = copy_into(connection, &partial, files).await {
        // A partial copy would only take space.
        let _ = files.remove(&partial);
        return Err(error);
    }
    files.rename(&partial, &copy)?;
    Ok(copy)
}

/// Copies the database into a new file, as it is at this moment, and waits until the copy is
/// on the disk.
pub(crate) async fn copy_into(
    connection: &mut SqliteConnection,
    target: &Path,
    files: &dyn DataFiles,
) -> Result<(), StoreError> {
    let name = target.to_str().ok_or_else(|| {
        StoreError::Other("the path of the database must be valid Unicode".into())
    })?;
    // Unlike a copy by the file system, this includes the write-ahead log.
    sqlx::query("VACUUM INTO ?").bind(name).execute(connection).await?;
    files.sync(target)?;
    Ok(())
}
