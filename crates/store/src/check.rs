//! Whether a database is whole: its pages, its indexes, and the logs of its matches.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use sqlx::{ConnectOptions, Connection, SqliteConnection};

use crate::{
    DataFiles, Store, StoreError, SystemFiles, basic_options,
    error::{is_interrupt, is_io_code},
    schema::{FIRST_WITH_EVENTS, copy_into},
};

/// Findings that are named; more would not help anybody.
const MAX_FINDINGS: usize = 10;
/// Instructions of SQLite between two looks at the clock.
const INTERVAL: i32 = 10_000;

/// How much of a database was checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CheckExtent {
    /// All of it.
    Whole,
    /// What the time sufficed for.
    Part,
}

/// Queries that list what is wrong with the logs, one line for each match.
const LOG_QUERIES: &[&str] = &[
    "SELECT 'the events of match ' || match_id || ' are not numbered from 1 to ' || count(*)
     FROM events GROUP BY match_id HAVING min(seq) <> 1 OR max(seq) <> count(*)",
    "SELECT 'there are events of match ' || match_id || ', but not the match'
     FROM (SELECT DISTINCT match_id FROM events) WHERE match_id NOT IN (SELECT id FROM matches)",
    "SELECT 'match ' || id || ' continues at node ' || current || ', which is not in its log'
     FROM matches WHERE current < 0 OR current > (
         SELECT count(*) FROM events
         WHERE match_id = matches.id AND kind IN ('move', 'chance', 'edit')
     )",
    "SELECT 'the preset of match ' || id || ' is missing'
     FROM matches WHERE preset IS NOT NULL AND preset NOT IN (SELECT hash FROM presets)",
];

/// Checks a file without a way to change it; returns whether that was possible.
pub(crate) async fn before_opening(
    path: &Path,
    files: &dyn DataFiles,
    time: Duration,
) -> Result<bool, StoreError> {
    match check_file(path, files, Some(time)).await {
        Ok(_) => Ok(true),
        // A transaction has to be rolled back first, which a connection that only reads cannot.
        Err(StoreError::ReadOnly(_)) => Ok(false),
        Err(error) => Err(error),
    }
}

async fn check_file(
    path: &Path,
    files: &dyn DataFiles,
    time: Option<Duration>,
) -> Result<CheckExtent, StoreError> {
    let mut connection = reader(path, files).await?;
    let checked = run(&mut connection, time).await;
    // It has only read, so nothing can be lost.
    let _ = connection.close().await;
    checked
}

/// A connection that cannot write.
async fn reader(path: &Path, files: &dyn DataFiles) -> Result<SqliteConnection, StoreError> {
    let options = basic_options(path, files).read_only(true);
    Ok(options.connect().await?)
}

impl Store {
    /// Checks a whole file without changing it; fails with [`StoreError::Corrupt`] if it is
    /// damaged. A server may be using it.
    pub async fn verify(path: &Path) -> Result<(), StoreError> {
        check_file(path, &SystemFiles, None).await?;
        Ok(())
    }

    /// Copies a database into a new file, as it is at this moment, and checks the copy. A
    /// server may be using it and goes on meanwhile.
    pub async fn copy(path: &Path, target: &Path) -> Result<(), StoreError> {
        let files = &SystemFiles;
        if files.exists(target)? {
            let cause = format!("{} exists already", target.display());
            return Err(StoreError::Conflict(cause.into()));
        }
        let mut connection = reader(path, files).await?;
        let copied = copy_into(&mut connection, target, files).await;
        // It has only read, so nothing can be lost.
        let _ = connection.close().await;
        let checked = match copied {
            Ok(()) => Store::verify(target).await,
            Err(error) => Err(error),
        };
        if checked.is_err() {
            // A copy that is not whole would be taken for a backup.
            let _ = files.remove(target);
        }
        checked
    }
}

/// Checks the database of a connection, for a limited time or wholly; fails with
/// [`StoreError::Corrupt`] if it is damaged.
pub(crate) async fn run(
    connection: &mut SqliteConnection,
    time: Option<Duration>,
) -> Result<CheckExtent, StoreError> {
    if let Some(time) = time {
        let began = Instant::now();
        let mut handle = connection.lock_handle().await?;
        handle.set_progress_handler(INTERVAL, move || began.elapsed() < time);
    }
    let found = findings(connection, time.is_none()).await;
    connection.lock_handle().await?.remove_progress_handler();
    match found {
        Ok(found) if found.is_empty() => Ok(CheckExtent::Whole),
        // What cannot be read now may be whole.
        Ok(found) if found.iter().any(|it| is_unreadable(it)) => {
            Err(StoreError::Io(found.join("; ").into()))
        }
        Ok(found) => Err(StoreError::Corrupt(found.join("; ").into())),
        Err(error) if is_interrupt(&error) => Ok(CheckExtent::Part),
        Err(error) => Err(error.into()),
    }
}

/// Whether a finding of SQLite says that the disk failed to read, not what it has read.
fn is_unreadable(finding: &str) -> bool {
    let code = finding.split("unable to get the page. error code=").nth(1);
    let digits = code.map(|it| it.split(|ch: char| !ch.is_ascii_digit()).next().unwrap_or(""));
    let is_failure = digits.and_then(|it| it.parse().ok()).is_some_and(is_io_code);
    is_failure || finding.contains("failed to get page")
}

/// What is wrong, in words; nothing if the database is whole.
async fn findings(
    connection: &mut SqliteConnection,
    is_whole: bool,
) -> Result<Vec<String>, sqlx::Error> {
    // The quick one leaves out whether indexes and tables agree.
    let check = if is_whole { "PRAGMA integrity_check(10)" } else { "PRAGMA quick_check(10)" };
    let mut found: Vec<String> = sqlx::query_scalar(check).fetch_all(&mut *connection).await?;
    found.retain(|it| it != "ok");
    let version: i64 =
        sqlx::query_scalar("PRAGMA user_version").fetch_one(&mut *connection).await?;
    if found.is_empty() && version >= FIRST_WITH_EVENTS {
        for query in LOG_QUERIES {
            found.extend(sqlx::query_scalar(*query).fetch_all(&mut *connection).await?);
        }
    }
    found.truncate(MAX_FINDINGS);
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{EventKind, EventRow, MatchRow, testing::new_store};

    #[tokio::test]
    async fn a_check_ends_when_its_time_is_over() {
        let (dir, store) = new_store().await;
        let row = MatchRow { id: "m1".into(), ..MatchRow::default() };
        let events: Vec<EventRow> =
            (1..=5000).map(|seq| EventRow::new(seq, 0, EventKind::Chat)).collect();
        store.add_match(&row, &events).await.expect("added");
        let mut connection =
            reader(&dir.path().join("data.db"), &SystemFiles).await.expect("opens");
        let part = run(&mut connection, Some(Duration::ZERO)).await.expect("not damaged");
        assert_eq!(part, CheckExtent::Part);
        let whole = run(&mut connection, None).await.expect("not damaged");
        assert_eq!(whole, CheckExtent::Whole);
    }

    #[test]
    fn a_page_that_cannot_be_read_is_no_damage() {
        for (finding, is_it) in [
            ("Tree 9 page 9: unable to get the page. error code=266", true),
            ("Tree 9 page 9 cell 2: failed to get page 5", true),
            ("Tree 9 page 9: unable to get the page. error code=11", false),
            ("wrong # of entries in index sqlite_autoindex_games_1", false),
        ] {
            assert_eq!(is_unreadable(finding), is_it, "{finding}");
        }
    }
}
