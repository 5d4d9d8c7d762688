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
    /// The file cannot be opened.
    CannotOpen(Cause),
    /// The disk failed to read or write.
    Io(Cause),
    /// Another process held the database for too long.
    Busy(Cause),
    /// The file is not a database of this program, or it is damaged.
    Corrupt(Cause),
    /// The write was committed, but reading it back failed: it may be stored or not.
    Unverified(Cause),
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
            StoreError::CannotOpen(_) => f.write_str("the database cannot be opened"),
            StoreError::Io(_) => f.write_str("the disk failed to read or write"),
            StoreError::Busy(_) => f.write_str("another program is using the database"),
            StoreError::Corrupt(_) => {
                f.write_str("the database is damaged or not one of this program")
            }
            StoreError::Unverified(_) => f.write_str("what was written could not be read back"),
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

impl StoreError {
    /// Whether it is certain that a write which failed in this way has stored nothing. If not,
    /// the disk may have failed at the very end of it, and only reading tells.
    pub fn stored_nothing(&self) -> bool {
        match self {
            StoreError::Full(_)
            | StoreError::ReadOnly(_)
            | StoreError::CannotOpen(_)
            | StoreError::Busy(_)
            | StoreError::Conflict(_)
            | StoreError::NoMatch
            | StoreError::Newer { .. } => true,
            StoreError::Io(_)
            | StoreError::Corrupt(_)
            | StoreError::Unverified(_)
            | StoreError::Other(_) => false,
        }
    }

    /// This and what it was caused by, for the log.
    pub fn with_causes(&self) -> String {
        let mut text = self.to_string();
        let mut cause = self.source();
        while let Some(it) = cause {
            text.push_str(&format!(": {it}"));
            cause = it.source();
        }
        text
    }

    /// What somebody at the machine can do about it, as whole sentences.
    pub fn hint(&self) -> Option<&'static str> {
        Some(match self {
            StoreError::Full(_) => {
                "Nothing that was confirmed is lost. Make room on the disk and try again."
            }
            StoreError::ReadOnly(_) => {
                "Nothing that was confirmed is lost. Is the disk mounted read-only, or does the \
                 data folder belong to another user?"
            }
            StoreError::CannotOpen(_) => {
                "Is the data folder still there, and may this user read and write it?"
            }
            StoreError::Io(_) => {
                "Nothing that was confirmed is lost, but the disk may be about to fail: make a \
                 backup on another disk with `boardwright backup`, and see what the system's log \
                 says."
            }
            StoreError::Busy(_) => {
                "Try again. If it stays so, end the other program that has the data folder open."
            }
            StoreError::Corrupt(_) => {
                "The damaged file is left as it is. `boardwright verify` says what is damaged; a \
                 backup is a data folder of its own: `boardwright serve --data BACKUP`."
            }
            StoreError::Unverified(_) => {
                "Nothing that was confirmed is lost. See whether it is there before you repeat it."
            }
            StoreError::Newer { .. } => "Start the newer version of Boardwright.",
            StoreError::Conflict(_) | StoreError::NoMatch | StoreError::Other(_) => return None,
        })
    }
}

impl Error for StoreError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            StoreError::Full(cause)
            | StoreError::ReadOnly(cause)
            | StoreError::CannotOpen(cause)
            | StoreError::Io(cause)
            | StoreError::Busy(cause)
            | StoreError::Corrupt(cause)
            | StoreError::Unverified(cause)
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
    pub const INTERRUPT: i32 = 9;
    pub const IOERR: i32 = 10;
    pub const CORRUPT: i32 = 11;
    pub const FULL: i32 = 13;
    pub const CANTOPEN: i32 = 14;
    /// A lock was not to be had, whatever the order in which others took theirs.
    pub const PROTOCOL: i32 = 15;
    pub const NOTADB: i32 = 26;
    /// Extended: the file system says that it is damaged.
    pub const IOERR_CORRUPTFS: i32 = 8458;
    /// Extended: the shared memory of the write-ahead log cannot grow, for want of space.
    pub const IOERR_SHMSIZE: i32 = 4874;
}

/// The extended result code of an error of the database; 0 if it is none.
fn code_of(error: &dyn sqlx::error::DatabaseError) -> i32 {
    error.code().and_then(|it| it.parse().ok()).unwrap_or(0)
}

/// Whether a result code says that the disk failed.
pub(crate) fn is_io_code(code: i32) -> bool {
    code & 0xff == code::IOERR
}

/// Whether a statement was ended by the handler that watches it.
pub(crate) fn is_interrupt(error: &sqlx::Error) -> bool {
    let error = error.as_database_error();
    error.is_some_and(|it| code_of(it) & 0xff == code::INTERRUPT)
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> StoreError {
        let wrap: fn(Cause) -> StoreError = match &error {
            sqlx::Error::Database(it) => {
                let code = code_of(&**it);
                match (code, code & 0xff) {
                    (code::IOERR_SHMSIZE, _) | (_, code::FULL) => StoreError::Full,
                    (code::IOERR_CORRUPTFS, _) | (_, code::CORRUPT | code::NOTADB) => {
                        StoreError::Corrupt
                    }
                    (_, code::READONLY) => StoreError::ReadOnly,
                    (_, code::CANTOPEN) => StoreError::CannotOpen,
                    (_, code::IOERR) => StoreError::Io,
                    (_, code::BUSY | code::LOCKED | code::PROTOCOL) => StoreError::Busy,
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
            _ => StoreError::Io,
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
