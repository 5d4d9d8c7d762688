//! Matches: what they were begun with, the log of their events, and a summary for lists.

use sqlx::AssertSqlSafe;

use crate::{
    EventRow, Store, StoreError,
    columns::columns,
    events::{insert_events, last_seq, read_events},
};

/// A match without its events.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MatchRow {
    /// Id of the match.
    pub id: String,
    /// Id of the game.
    pub game: String,
    /// Number of the variant within the game.
    pub variant: i64,
    /// Title of the variant.
    pub title: String,
    /// Secret of the owner, who may do everything.
    pub owner_key: String,
    /// Who began the match: empty for the person at the machine, else a word that stands for
    /// the address of a guest.
    pub creator: String,
    /// Seed of the random numbers by which chance moves.
    pub seed: i64,
    /// Whether the match only shows a solution; such a match is not listed.
    pub is_solution: bool,
    /// Hash of the preset that is played, if it is one.
    pub preset: Option<String>,
    /// Number of turns in which the problem is to be solved, if it is one.
    pub problem: Option<i64>,
    /// Time when the match was begun, in Unix milliseconds.
    pub created: i64,
    /// Time when the match was deleted, in Unix milliseconds, if it was.
    pub deleted: Option<i64>,
    /// The present of the match, for lists.
    pub summary: Summary,
}

columns!(
    MatchRow: id, game, variant, title, owner_key, creator, seed, is_solution, preset, problem, created,
    deleted; nested summary: Summary
);

/// What lists show of a match. All of it follows from the events and the rules, and is rewritten
/// whenever events are appended.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    /// Number of the node where play goes on.
    pub current: i64,
    /// Number of moves from the start to that node.
    pub ply: i64,
    /// Number of the last move as players count, one for each round of all seats.
    pub round: i64,
    /// Name of the player whose turn it is.
    pub mover: Option<String>,
    /// Whether it is the turn of a person at this machine.
    pub your_turn: bool,
    /// How the match ended, if it did.
    pub outcome: Option<String>,
    /// The state as text, for a picture.
    pub state: String,
    /// All seats as JSON: the text of the last event of kind `Seats`.
    pub seats: String,
    /// Time of the last change, in Unix milliseconds.
    pub updated: i64,
}

columns!(Summary: current, ply, round, mover, your_turn, outcome, state, seats, updated);

/// A match with all its events.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredMatch {
    /// The match.
    pub row: MatchRow,
    /// Its events in order.
    pub events: Vec<EventRow>,
}

/// `SELECT` of everything a [`MatchRow`] needs, followed by a condition.
fn select_where(condition: &'static str) -> AssertSqlSafe<String> {
    let (begun, summary) = (MatchRow::COLUMNS, Summary::COLUMNS);
    AssertSqlSafe(format!("SELECT {begun}, {summary} FROM matches WHERE {condition}"))
}

impl Store {
    /// Adds a match with the events it has so far, numbered from 1 on.
    ///
    /// Fails with [`StoreError::Conflict`] if there is a match with this id.
    pub async fn add_match(&self, row: &MatchRow, events: &[EventRow]) -> Result<(), StoreError> {
        let sql = format!(
            "INSERT INTO matches ({}, {}) VALUES ({}, {})",
            MatchRow::COLUMNS,
            Summary::COLUMNS,
            MatchRow::PARAMETERS,
            Summary::PARAMETERS,
        );
        let statement = row.summary.bind(row.bind(sqlx::query(AssertSqlSafe(sql))));
        let mut transaction = self.begin_write().await?;
        statement.execute(&mut *transaction).await?;
        insert_events(&mut transaction, &row.id, events).await?;
        transaction.commit().await
    }

    /// Appends events to the log of a match and replaces its summary, both or neither. Without
    /// events, only the summary is replaced.
    ///
    /// When this returns `Ok`, the events are on the disk. It fails with
    /// [`StoreError::Conflict`] if the first event is not the next one of the log: somebody else
    /// has appended, so the caller's present is out of date. After another error nothing was
    /// stored if [`StoreError::stored_nothing`] says so; otherwise [`Store::events_after`] tells.
    pub async fn append(
        &self,
        match_id: &str,
        events: &[EventRow],
        summary: &Summary,
    ) -> Result<(), StoreError> {
        let (columns, parameters) = (Summary::COLUMNS, Summary::PARAMETERS);
        let sql = format!("UPDATE matches SET ({columns}) = ({parameters}) WHERE id = ?");
        let update = summary.bind(sqlx::query(AssertSqlSafe(sql))).bind(match_id);
        let mut transaction = self.begin_write().await?;
        if update.execute(&mut *transaction).await?.rows_affected() == 0 {
            return Err(StoreError::NoMatch);
        }
        let last = insert_events(&mut transaction, match_id, events).await?;
        transaction.commit().await?;
        // What is told to players must be in the file, whatever the driver says.
        let stored = last_seq(&mut transaction, match_id).await;
        if !stored.as_ref().is_ok_and(|&it| it >= last) {
            transaction.distrust();
            let lost = || format!("event {last} is not in the database after its commit").into();
            let cause = stored.err().map_or_else(lost, |error| Box::new(error) as _);
            return Err(StoreError::Unverified(cause));
        }
        Ok(())
    }

    /// A match with all its events, unless it is deleted.
    pub async fn match_with_events(&self, id: &str) -> Result<Option<StoredMatch>, StoreError> {
        let mut transaction = self.begin_read().await?;
        let query = sqlx::query_as(select_where("id = ? AND deleted IS NULL")).bind(id);
        let row: Option<MatchRow> = query.fetch_optional(&mut *transaction).await?;
        let events = match row {
            Some(_) => read_events(&mut transaction, id, 0).await?,
            None => Vec::new(),
        };
        transaction.commit().await?;
        Ok(row.map(|row| StoredMatch { row, events }))
    }

    /// A match without its events, unless it is deleted.
    pub async fn match_row(&self, id: &str) -> Result<Option<MatchRow>, StoreError> {
        let query = sqlx::query_as(select_where("id = ? AND deleted IS NULL")).bind(id);
        Ok(query.fetch_optional(&self.pool).await?)
    }

    /// The matches of a creator that are neither deleted nor only show a solution, the one that
    /// changed last first; at most `limit` after the first `skip`.
    pub async fn matches(
        &self,
        creator: &str,
        skip: i64,
        limit: i64,
    ) -> Result<Vec<MatchRow>, StoreError> {
        let sql = select_where(
            "creator = ? AND deleted IS NULL AND NOT is_solution \
             ORDER BY updated DESC, id LIMIT ? OFFSET ?",
        );
        let query = sqlx::query_as(sql).bind(creator).bind(limit).bind(skip);
        Ok(query.fetch_all(&self.pool).await?)
    }

    /// Lists a match from now on that was to show a solution only, because somebody plays in it.
    pub async fn take_over(&self, id: &str) -> Result<(), StoreError> {
        let statement = sqlx::query("UPDATE matches SET is_solution = 0 WHERE id = ?");
        self.write(statement.bind(id)).await?;
        Ok(())
    }

    /// Marks a match as deleted at a time in Unix milliseconds, or restores it with `None`;
    /// returns whether there is such a match.
    pub async fn delete_match(&self, id: &str, at: Option<i64>) -> Result<bool, StoreError> {
        let statement = sqlx::query("UPDATE matches SET deleted = ? WHERE id = ?");
        Ok(self.write(statement.bind(at).bind(id)).await? > 0)
    }

    /// The secret of the owner of a match, deleted or not.
    pub async fn owner_key(&self, id: &str) -> Result<Option<String>, StoreError> {
        let query = sqlx::query_scalar("SELECT owner_key FROM matches WHERE id = ?").bind(id);
        Ok(query.fetch_optional(&self.pool).await?)
    }
}
