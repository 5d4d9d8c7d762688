//! Transactions that leave no broken connection behind.
//!
//! On a full disk or a failed read SQLite ends a transaction by itself, at whatever statement
//! that happens. The driver's own transactions count their depth and do not notice, so these
//! here are plain `BEGIN` and `COMMIT`, and a connection on which anything failed is closed
//! instead of being used again.

use std::ops::{Deref, DerefMut};

use sqlx::{Sqlite, SqliteConnection, pool::PoolConnection};
use tokio::sync::OwnedMutexGuard;

use crate::{MAX_CONNECTIONS, Store, StoreError, columns::Statement};

/// A transaction. One that is dropped before it has been committed, because of an error or
/// because nobody waits for it any more, is rolled back and its connection closed.
pub(crate) struct Transaction {
    connection: PoolConnection<Sqlite>,
    is_committed: bool,
    /// Lets the next transaction write once it is dropped.
    turn: Option<OwnedMutexGuard<()>>,
}

impl Transaction {
    /// Commits, and makes sure of it. Statements that follow are outside of any transaction.
    pub async fn commit(&mut self) -> Result<(), StoreError> {
        // Fails if SQLite has ended the transaction by itself.
        sqlx::raw_sql("COMMIT").execute(&mut *self.connection).await?;
        // Fails if the transaction is still open.
        let ended = sqlx::raw_sql("BEGIN; ROLLBACK").execute(&mut *self.connection).await;
        ended.map_err(|error| StoreError::Unverified(Box::new(error)))?;
        self.is_committed = true;
        Ok(())
    }

    /// Something is wrong after all: the connection will not be used again.
    pub fn distrust(&mut self) {
        self.is_committed = false;
    }
}

impl Deref for Transaction {
    type Target = SqliteConnection;

    fn deref(&self) -> &SqliteConnection {
        &self.connection
    }
}

impl DerefMut for Transaction {
    fn deref_mut(&mut self) -> &mut SqliteConnection {
        &mut self.connection
    }
}

impl Drop for Transaction {
    fn drop(&mut self) {
        if !self.is_committed {
            self.connection.close_on_drop();
        }
    }
}

impl Store {
    /// Begins a transaction that only reads: it sees the database as it is now.
    pub(crate) async fn begin_read(&self) -> Result<Transaction, StoreError> {
        self.begin("BEGIN", None).await
    }

    /// Begins a transaction that writes, once no other one does.
    pub(crate) async fn begin_write(&self) -> Result<Transaction, StoreError> {
        let turn = self.writer.clone().lock_owned().await;
        // A transaction that locks only at its first write could fail there as busy. On a
        // connection that cannot write, `BEGIN IMMEDIATE` succeeds all the same, and only an
        // update fails, also one of nothing.
        let statement = "BEGIN IMMEDIATE; UPDATE settings SET value = value WHERE 0";
        self.begin(statement, Some(turn)).await
    }

    /// Begins a transaction that may write to a database without any tables.
    pub(crate) async fn begin_migration(&self) -> Result<Transaction, StoreError> {
        let turn = self.writer.clone().lock_owned().await;
        self.begin("BEGIN IMMEDIATE", Some(turn)).await
    }

    async fn begin(
        &self,
        statement: &'static str,
        turn: Option<OwnedMutexGuard<()>>,
    ) -> Result<Transaction, StoreError> {
        let (mut turn, mut n_stale) = (turn, 0);
        loop {
            let connection = self.pool.acquire().await?;
            let mut transaction =
                Transaction { connection, is_committed: false, turn: turn.take() };
            let begun = sqlx::raw_sql(statement).execute(&mut *transaction).await;
            match begun.map_err(StoreError::from) {
                Ok(_) => return Ok(transaction),
                // A connection that was made while the file could not be written stays so.
                Err(StoreError::ReadOnly(_)) if n_stale < MAX_CONNECTIONS => {
                    n_stale += 1;
                    turn = transaction.turn.take();
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Executes one statement in a transaction of its own; returns how many rows it affected.
    pub(crate) async fn write(&self, statement: Statement<'_>) -> Result<u64, StoreError> {
        let mut transaction = self.begin_write().await?;
        let done = statement.execute(&mut *transaction).await?;
        transaction.commit().await?;
        Ok(done.rows_affected())
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::new_store;

    #[tokio::test]
    async fn a_transaction_that_is_dropped_is_rolled_back_and_the_next_one_works() {
        let (_dir, store) = new_store().await;
        let mut transaction = store.begin_write().await.expect("begun");
        let statement = "INSERT INTO settings (name, value) VALUES ('a', '1')";
        sqlx::raw_sql(statement).execute(&mut *transaction).await.expect("inserted");
        drop(transaction);
        store.set_setting("b", "2").await.expect("written");
        assert_eq!(store.setting("a").await.expect("read"), None);
        assert_eq!(store.setting("b").await.expect("read").as_deref(), Some("2"));
    }

    #[tokio::test]
    async fn a_transaction_that_was_ended_underneath_is_not_reported_as_committed() {
        let (_dir, store) = new_store().await;
        let mut transaction = store.begin_write().await.expect("begun");
        let statement = "INSERT INTO settings (name, value) VALUES ('a', '1'); ROLLBACK";
        sqlx::raw_sql(statement).execute(&mut *transaction).await.expect("executed");
        assert!(transaction.commit().await.is_err());
        drop(transaction);
        store.set_setting("b", "2").await.expect("written");
        assert_eq!(store.setting("a").await.expect("read"), None);
    }
}
