//! Events: what happened in a match, in order.

use std::{error::Error, fmt};

use sqlx::{
    AssertSqlSafe, Decode, Encode, Sqlite, SqliteConnection, Type,
    encode::IsNull,
    error::BoxDynError,
    sqlite::{SqliteArgumentsBuffer, SqliteTypeInfo, SqliteValueRef},
};

use crate::{Store, StoreError, columns::columns};

/// What sort of thing happened.
///
/// Nodes are numbered in the order of their creation: the start is node 0, and each `Move`,
/// `Chance` and `Edit` creates the next one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EventKind {
    /// A player moved. `node`: where the move was played, the parent of the new node;
    /// `player`: who moved, if known; `text`: the move as records have it.
    Move,
    /// Chance moved. Fields as of `Move`.
    Chance,
    /// Somebody changed the board. `node`: where, the parent of the new node; `text`: the edit.
    Edit,
    /// Play goes on at another node, `node`.
    GoTo,
    /// A player resigned. `node`: where; `player`: who.
    Resign,
    /// A node got a comment in place of the one it had. `node`; `text`, empty for none.
    Comment,
    /// A node got a score in place of the one it had. `node`; `number`: hundredths of a point
    /// for the first player, `None` for no score.
    Score,
    /// The seats changed. `text`: all seats as JSON.
    Seats,
    /// Somebody wrote a chat line. `name`: who; `text`: the line.
    Chat,
    /// The match began with a changed board. `text`: the edit of the usual start. Only ever
    /// the first event.
    Setup,
}

impl EventKind {
    /// Every kind.
    pub const ALL: [EventKind; 10] = [
        EventKind::Move,
        EventKind::Chance,
        EventKind::Edit,
        EventKind::GoTo,
        EventKind::Resign,
        EventKind::Comment,
        EventKind::Score,
        EventKind::Seats,
        EventKind::Chat,
        EventKind::Setup,
    ];

    /// The name in the database. It never changes, whatever the variant is called.
    pub fn name(self) -> &'static str {
        match self {
            EventKind::Move => "move",
            EventKind::Chance => "chance",
            EventKind::Edit => "edit",
            EventKind::GoTo => "go_to",
            EventKind::Resign => "resign",
            EventKind::Comment => "comment",
            EventKind::Score => "score",
            EventKind::Seats => "seats",
            EventKind::Chat => "chat",
            EventKind::Setup => "setup",
        }
    }
}

/// A name in the database that is no kind of event.
#[derive(Debug)]
struct UnknownKind(String);

impl fmt::Display for UnknownKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not a known kind of event", self.0)
    }
}

impl Error for UnknownKind {}

impl Type<Sqlite> for EventKind {
    fn type_info() -> SqliteTypeInfo {
        <str as Type<Sqlite>>::type_info()
    }
}

impl Encode<'_, Sqlite> for EventKind {
    fn encode_by_ref(&self, buffer: &mut SqliteArgumentsBuffer) -> Result<IsNull, BoxDynError> {
        <&str as Encode<'_, Sqlite>>::encode(self.name(), buffer)
    }
}

impl<'r> Decode<'r, Sqlite> for EventKind {
    fn decode(value: SqliteValueRef<'r>) -> Result<EventKind, BoxDynError> {
        let name = <&str as Decode<'r, Sqlite>>::decode(value)?;
        let found = EventKind::ALL.into_iter().find(|it| it.name() == name);
        found.ok_or_else(|| UnknownKind(name.to_owned()).into())
    }
}

/// One event of a match. What `node`, `player`, `name`, `text` and `number` mean depends on the
/// [kind](EventKind); those that a kind does not use are `None` or empty.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EventRow {
    /// Number of the event within its match, from 1 on without gaps.
    pub seq: i64,
    /// Time of the event in Unix milliseconds. Events of matches that an older version of the
    /// program has stored all have the time of the last change.
    pub at: i64,
    /// Id of the request by which the sender recognizes the event; empty if there was none.
    pub request: String,
    /// What sort of thing happened.
    pub kind: EventKind,
    /// Number of a node of the record.
    pub node: Option<i64>,
    /// Number of a player of the rules.
    pub player: Option<i64>,
    /// Name of a person.
    pub name: String,
    /// Move, edit, comment, chat line or seats.
    pub text: String,
    /// Score.
    pub number: Option<i64>,
}

columns!(EventRow: seq, at, request, kind, node, player, name, text, number);

impl EventRow {
    /// An event of which only number, time and kind are known; the other fields are empty.
    pub fn new(seq: i64, at: i64, kind: EventKind) -> EventRow {
        EventRow {
            seq,
            at,
            request: String::new(),
            kind,
            node: None,
            player: None,
            name: String::new(),
            text: String::new(),
            number: None,
        }
    }
}

/// Events whose first number is not the next one of the log.
#[derive(Debug)]
struct OutOfSequence {
    next: i64,
    given: i64,
}

impl fmt::Display for OutOfSequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let OutOfSequence { next, given } = self;
        write!(f, "event {given} does not continue the log, whose next number is {next}")
    }
}

impl Error for OutOfSequence {}

impl Store {
    /// The events of a match after a number, in order; with 0, all of them.
    pub async fn events_after(
        &self,
        match_id: &str,
        seq: i64,
    ) -> Result<Vec<EventRow>, StoreError> {
        let mut connection = self.pool.acquire().await?;
        read_events(&mut connection, match_id, seq).await
    }
}

/// The events of a match after a number, in order.
pub(crate) async fn read_events(
    connection: &mut SqliteConnection,
    match_id: &str,
    after: i64,
) -> Result<Vec<EventRow>, StoreError> {
    let columns = EventRow::COLUMNS;
    let sql = format!("SELECT {columns} FROM events WHERE match_id = ? AND seq > ? ORDER BY seq");
    let query = sqlx::query_as(AssertSqlSafe(sql)).bind(match_id).bind(after);
    Ok(query.fetch_all(connection).await?)
}

/// The number of the last event of a match; 0 if it has none.
pub(crate) async fn last_seq(
    connection: &mut SqliteConnection,
    match_id: &str,
) -> Result<i64, StoreError> {
    let sql = "SELECT coalesce(max(seq), 0) FROM events WHERE match_id = ?";
    Ok(sqlx::query_scalar(sql).bind(match_id).fetch_one(connection).await?)
}

/// Adds events to the log of a match, which they must continue; returns the number of the last
/// event after that.
pub(crate) async fn insert_events(
    connection: &mut SqliteConnection,
    match_id: &str,
    events: &[EventRow],
) -> Result<i64, StoreError> {
    let (columns, parameters) = (EventRow::COLUMNS, EventRow::PARAMETERS);
    let sql = format!("INSERT INTO events (match_id, {columns}) VALUES (?, {parameters})");
    let mut last = last_seq(connection, match_id).await?;
    for event in events {
        if event.seq != last + 1 {
            let cause = OutOfSequence { next: last + 1, given: event.seq };
            return Err(StoreError::Conflict(Box::new(cause)));
        }
        let statement = sqlx::query(AssertSqlSafe(sql.as_str())).bind(match_id);
        event.bind(statement).execute(&mut *connection).await?;
        last = event.seq;
    }
    Ok(last)
}
