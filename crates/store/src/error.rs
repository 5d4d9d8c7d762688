//! What can go wrong with the database, in terms of what a user can do about it.

use std::{error::Error, fmt, io};

/// The error below ours, for logs.
type Cause = Box<dyn Error + Send + Sync>;

/// Why the database could not do what it was asked for.
///
/// `Display` says what is wrong in plain words; `source` is the cause, for the log.
#[derive(Debug)]
pub enum StoreError {
    /// The disk is full. Nothing of the write was kept; it can be tried again later.
    Full(Cause),
    /// The file or its folder cannot be written.
    ReadOnly(Cause),
    /// Another process held the database for too long.
    Busy(Cause),
    /// The file is not a database of this program, or it is damaged.
    Corrupt(Cause),
    /// The write does not continue what is stored: a row with this key exists, or the first
    /// event is not the next one of the match.
    Conflict(Cause),
    /// There is no match with this id.
    NoMatch,
    /// A newer version of the program has written the file.
    Newer {
        /// Version of the schema in the file.
        found: i64,
        /// Newest version of the schema that this program knows.
        known: i64,
    },
    /// Anything else.
    Other(Cause),
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreError::Full(_) => f.write_str("the disk is full"),
            StoreError::ReadOnly(_) => f.write_str("the data folder cannot be written"),
            StoreError::Busy(_) => f.write_str("another program is using the database"),
            StoreError::Corrupt(_) => {
                f.write_str("the database is damaged or not one of this program")
            }
            StoreError::Conflict(_) => f.write_str("the database already holds something else"),
            StoreError::NoMatch => f.write_str("there is no such match"),
            StoreError::Newer { found, known } => write!(
                f,
                "the data folder belongs to a newer version of Boardwright: \
                 its database has version {found}, and this program knows versions up to {known}"
            ),
            StoreError::Other(_) => f.write_str("the database cannot be used"),
        }
    }
}

impl Error for StoreError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            StoreError::Full(cause)
            | StoreError::ReadOnly(cause)
            | StoreError::Busy(cause)
            | StoreError::Corrupt(cause)
            | StoreError::Conflict(cause)
            | StoreError::Other(cause) => Some(cause.as_ref()),
            StoreError::NoMatch | StoreError::Newer { .. } => None,
        }
    }
}

/// SQLite's primary result codes, <https://www.sqlite.org/rescode.html>.
mod code {
    pub const BUSY: i32 = 5;
    pub const LOCKED: i32 = 6;
    pub const READONLY: i32 = 8;
    pub const CORRUPT: i32 = 11;
    pub const FULL: i32 = 13;
    pub const NOTADB: i32 = 26;
    /// Extended: the shared memory of the write-ahead log cannot grow, for want of space.
    pub const IOERR_SHMSIZE: i32 = 4874;
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> StoreError {
        let wrap: fn(Cause) -> StoreError = match &error {
            sqlx::Error::Database(it) => {
                let code = it.code().and_then(|it| it.parse::<i32>().ok()).unwrap_or(0);
                match (code, code & 0xff) {
                    (code::IOERR_SHMSIZE, _) | (_, code::FULL) => StoreError::Full,
                    (_, code::READONLY) => StoreError::ReadOnly,
                    (_, code::BUSY | code::LOCKED) => StoreError::Busy,
                    (_, code::CORRUPT | code::NOTADB) => StoreError::Corrupt,
                    _ if it.is_unique_violation() => StoreError::Conflict,
                    _ => StoreError::Other,
                }
            }
            sqlx::Error::PoolTimedOut => StoreError::Busy,
            sqlx::Error::ColumnDecode { .. }
            | sqlx::Error::ColumnNotFound(_)
            | sqlx::Error::Decode(_) => StoreError::Corrupt,
            _ => StoreError::Other,
        };
        wrap(Box::new(error))
    }
}

impl From<io::Error> for StoreError {
    fn from(error: io::Error) -> StoreError {
        let wrap: fn(Cause) -> StoreError = match error.kind() {
            io::ErrorKind::StorageFull => StoreError::Full,
            io::ErrorKind::ReadOnlyFilesystem | io::ErrorKind::PermissionDenied => {
                StoreError::ReadOnly
            }
            _ => StoreError::Other,
        };
        wrap(Box::new(error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Store, testing::new_store};

    #[tokio::test]
    async fn a_file_that_is_no_database_is_corrupt() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("data.db");
        std::fs::write(&path, "no database at all, but long enough ".repeat(100)).expect("written");
        let error = Store::open(&path).await.expect_err("not a database");
        assert!(matches!(error, StoreError::Corrupt(_)), "{error:?}");
        let cause = error.source().expect("a cause").to_string();
        assert!(cause.contains("not a database"), "{cause}");
    }

    #[tokio::test]
    async fn a_database_of_a_newer_program_is_named_as_such() {
        let (dir, store) = new_store().await;
        sqlx::raw_sql("PRAGMA user_version = 99").execute(&store.pool).await.expect("set");
        store.close().await;
        let error = Store::open(&dir.path().join("data.db")).await.expect_err("too new");
        assert!(matches!(error, StoreError::Newer { found: 99, .. }), "{error:?}");
        assert!(error.to_string().contains("newer version of Boardwright"), "{error}");
    }

    #[tokio::test]
    async fn a_lock_of_another_connection_is_busy() {
        let (_dir, store) = new_store().await;
        let mut other = store.pool.acquire().await.expect("a connection");
        sqlx::raw_sql("BEGIN IMMEDIATE").execute(&mut *other).await.expect("locked");
        let mut blocked = store.pool.acquire().await.expect("a connection");
        sqlx::raw_sql("PRAGMA busy_timeout = 1").execute(&mut *blocked).await.expect("set");
        let refused = sqlx::raw_sql("BEGIN IMMEDIATE").execute(&mut *blocked).await;
        let error = StoreError::from(refused.expect_err("locked"));
        assert!(matches!(error, StoreError::Busy(_)), "{error:?}");
    }

    #[tokio::test]
    async fn a_database_that_cannot_be_written_is_read_only() {
        let (_dir, store) = new_store().await;
        let mut connection = store.pool.acquire().await.expect("a connection");
        sqlx::raw_sql("PRAGMA query_only = 1").execute(&mut *connection).await.expect("set");
        let refused = sqlx::raw_sql("DELETE FROM settings").execute(&mut *connection).await;
        let error = StoreError::from(refused.expect_err("read only"));
        assert!(matches!(error, StoreError::ReadOnly(_)), "{error:?}");
    }
}
