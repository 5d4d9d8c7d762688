//! Matches and their records.

use crate::{Error, Store};

/// A match without its record.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MatchRow {
    /// Its id.
    pub id: String,
    /// The game's id.
    pub game: String,
    /// The variant's number.
    pub variant: i64,
    /// The variant's title.
    pub title: String,
    /// May do everything.
    pub owner_key: String,
    /// Who sits where, as JSON.
    pub seats: String,
    /// What chance grows from.
    pub seed: i64,
    /// The node where play goes on.
    pub current: i64,
    /// How many moves were made.
    pub ply: i64,
    /// The number of the last move in a list.
    pub round: i64,
    /// Whose turn it is.
    pub mover: Option<String>,
    /// Whether it is the turn of somebody here.
    pub your_turn: bool,
    /// How it ended.
    pub outcome: Option<String>,
    /// The state as text, for a picture.
    pub state: String,
    /// When it began, in milliseconds since 1970.
    pub created: i64,
    /// When something last happened.
    pub updated: i64,
    /// When it was deleted, if it was.
    pub deleted: Option<i64>,
    /// Whether it only shows a solution.
    pub is_solution: bool,
    /// The hash of the preset that is played, if it is one.
    pub preset: Option<String>,
    /// In how many turns the problem is to be solved, if it is one.
    pub problem: Option<i64>,
}

from_row!(MatchRow: id, game, variant, title, owner_key, seats, seed, current, ply, round, mover, your_turn, outcome, state, created, updated, deleted, is_solution, preset, problem);

/// How a match stands: what changes with every move.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    /// The node where play goes on.
    pub current: i64,
    /// How many moves were made.
    pub ply: i64,
    /// The number of the last move in a list.
    pub round: i64,
    /// Whose turn it is.
    pub mover: Option<String>,
    /// Whether it is the turn of somebody here.
    pub your_turn: bool,
    /// How it ended.
    pub outcome: Option<String>,
    /// The state as text.
    pub state: String,
    /// Now.
    pub updated: i64,
}

/// A node of a record.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NodeRow {
    /// Its number.
    pub id: i64,
    /// The node before it.
    pub parent: Option<i64>,
    /// `start`, `move`, `chance` or `edit`
    pub kind: String,
    /// The move or edit as text.
    pub long: String,
    /// The sender's id for it.
    pub request: String,
    /// What was said about it.
    pub comment: String,
    /// What an engine thinks of it.
    pub score: Option<i64>,
    /// Who gave up here.
    pub resigned: Option<i64>,
}

from_row!(NodeRow: id, parent, kind, long, request, comment, score, resigned);

/// Something that was said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChatRow {
    /// By whom.
    pub name: String,
    /// What.
    pub text: String,
}

from_row!(ChatRow: name, text);

/// A match, whole.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stored {
    /// The match.
    pub row: MatchRow,
    /// Its record, in the order in which it came about.
    pub nodes: Vec<NodeRow>,
    /// What was said.
    pub chat: Vec<ChatRow>,
}

impl Store {
    /// Stores a new match with the record it has so far.
    pub async fn add_match(&self, row: &MatchRow, nodes: &[NodeRow]) -> Result<(), Error> {
        let mut work = self.pool.begin().await?;
        sqlx::query(
            "INSERT INTO matches (id, game, variant, title, owner_key, seats, seed, current, ply,
                round, mover, your_turn, outcome, state, created, updated, is_solution, preset,
                problem)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        )
        .bind(&row.id)
        .bind(&row.game)
        .bind(row.variant)
        .bind(&row.title)
        .bind(&row.owner_key)
        .bind(&row.seats)
        .bind(row.seed)
        .bind(row.current)
        .bind(row.ply)
        .bind(row.round)
        .bind(&row.mover)
        .bind(row.your_turn)
        .bind(&row.outcome)
        .bind(&row.state)
        .bind(row.created)
        .bind(row.updated)
        .bind(row.is_solution)
        .bind(&row.preset)
        .bind(row.problem)
        .execute(&mut *work)
        .await?;
        for node in nodes {
            insert_node(&mut work, &row.id, node).await?;
        }
        work.commit().await
    }

    /// Adds a node to a record; when this returns, it is on the disk.
    pub async fn add_node(&self, id: &str, node: &NodeRow, summary: &Summary) -> Result<(), Error> {
        let mut work = self.pool.begin().await?;
        insert_node(&mut work, id, node).await?;
        update_summary(&mut work, id, summary).await?;
        work.commit().await
    }

    /// Notes how a match stands.
    pub async fn summarize(&self, id: &str, summary: &Summary) -> Result<(), Error> {
        let mut connection = self.pool.acquire().await?;
        update_summary(&mut connection, id, summary).await
    }

    /// Changes what is known of a node: request, comment, score, who gave up.
    pub async fn update_node(&self, id: &str, node: &NodeRow) -> Result<(), Error> {
        sqlx::query(
            "UPDATE nodes SET request = ?, comment = ?, score = ?, resigned = ?
             WHERE match = ? AND id = ?",
        )
        .bind(&node.request)
        .bind(&node.comment)
        .bind(node.score)
        .bind(node.resigned)
        .bind(id)
        .bind(node.id)
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// Changes who sits where.
    pub async fn set_seats(&self, id: &str, seats: &str) -> Result<(), Error> {
        let query = sqlx::query("UPDATE matches SET seats = ? WHERE id = ?").bind(seats).bind(id);
        query.execute(&self.pool).await?;
        Ok(())
    }

    /// Notes something that was said.
    pub async fn add_chat(&self, id: &str, n: i64, chat: &ChatRow) -> Result<(), Error> {
        sqlx::query("INSERT OR IGNORE INTO chats (match, n, name, text) VALUES (?, ?, ?, ?)")
            .bind(id)
            .bind(n)
            .bind(&chat.name)
            .bind(&chat.text)
            .execute(&self.pool)
            .await?;
        Ok(())
    }

    /// A match with its record, unless it is deleted.
    pub async fn load_match(&self, id: &str) -> Result<Option<Stored>, Error> {
        let query = sqlx::query_as("SELECT * FROM matches WHERE id = ? AND deleted IS NULL");
        let Some(row): Option<MatchRow> = query.bind(id).fetch_optional(&self.pool).await? else {
            return Ok(None);
        };
        let nodes = sqlx::query_as(
            "SELECT id, parent, kind, long, request, comment, score, resigned FROM nodes
             WHERE match = ? ORDER BY id",
        )
        .bind(id)
        .fetch_all(&self.pool)
        .await?;
        let chat = sqlx::query_as("SELECT name, text FROM chats WHERE match = ? ORDER BY n")
            .bind(id)
            .fetch_all(&self.pool)
            .await?;
        Ok(Some(Stored { row, nodes, chat }))
    }

    /// A match without its record, unless it is deleted.
    pub async fn match_row(&self, id: &str) -> Result<Option<MatchRow>, Error> {
        let query = sqlx::query_as("SELECT * FROM matches WHERE id = ? AND deleted IS NULL");
        query.bind(id).fetch_optional(&self.pool).await
    }

    /// The matches that somebody plays and that are not deleted, the latest first, at most so
    /// many.
    pub async fn matches(&self, limit: i64) -> Result<Vec<MatchRow>, Error> {
        sqlx::query_as(
            "SELECT * FROM matches WHERE deleted IS NULL AND NOT is_solution
             ORDER BY updated DESC, id LIMIT ?",
        )
        .bind(limit)
        .fetch_all(&self.pool)
        .await
    }

    /// Somebody plays in a match that was to show a solution: from now on it is listed.
    pub async fn take_over(&self, id: &str) -> Result<(), Error> {
        let query = sqlx::query("UPDATE matches SET is_solution = 0 WHERE id = ?").bind(id);
        query.execute(&self.pool).await?;
        Ok(())
    }

    /// Marks a match as deleted at a time, or restores it; says whether there is one.
    pub async fn delete_match(&self, id: &str, at: Option<i64>) -> Result<bool, Error> {
        let query = sqlx::query("UPDATE matches SET deleted = ? WHERE id = ?").bind(at).bind(id);
        Ok(query.execute(&self.pool).await?.rows_affected() > 0)
    }

    /// The owner's key of a match, deleted or not.
    pub async fn owner_key(&self, id: &str) -> Result<Option<String>, Error> {
        let query = sqlx::query_as("SELECT owner_key FROM matches WHERE id = ?").bind(id);
        let found: Option<(String,)> = query.fetch_optional(&self.pool).await?;
        Ok(found.map(|it| it.0))
    }
}

async fn insert_node(
    connection: &mut sqlx::SqliteConnection,
    id: &str,
    node: &NodeRow,
) -> Result<(), Error> {
    sqlx::query(
        "INSERT INTO nodes (match, id, parent, kind, long, request, comment, score, resigned)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
    )
    .bind(id)
    .bind(node.id)
    .bind(node.parent)
    .bind(&node.kind)
    .bind(&node.long)
    .bind(&node.request)
    .bind(&node.comment)
    .bind(node.score)
    .bind(node.resigned)
    .execute(connection)
    .await?;
    Ok(())
}

async fn update_summary(
    connection: &mut sqlx::SqliteConnection,
    id: &str,
    summary: &Summary,
) -> Result<(), Error> {
    sqlx::query(
        "UPDATE matches SET current = ?, ply = ?, round = ?, mover = ?, your_turn = ?, outcome = ?,
            state = ?, updated = ?
         WHERE id = ?",
    )
    .bind(summary.current)
    .bind(summary.ply)
    .bind(summary.round)
    .bind(&summary.mover)
    .bind(summary.your_turn)
    .bind(&summary.outcome)
    .bind(&summary.state)
    .bind(summary.updated)
    .bind(id)
    .execute(connection)
    .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pond() -> MatchRow {
        MatchRow {
            id: "m1".into(),
            game: "pond".into(),
            title: "Pond".into(),
            owner_key: "k".into(),
            seats: "[]".into(),
            seed: -7,
            ..MatchRow::default()
        }
    }

    fn step(id: i64) -> NodeRow {
        let kind = if id == 0 { "start" } else { "move" };
        let parent = (id > 0).then(|| id - 1);
        NodeRow { id, parent, kind: kind.into(), long: format!("Wolf {id}"), ..NodeRow::default() }
    }

    #[tokio::test]
    async fn a_record_comes_back_as_it_was() {
        let store = Store::in_memory().await.expect("a database");
        store.add_match(&pond(), &[step(0)]).await.expect("works");
        let summary = Summary { current: 1, ply: 1, updated: 9, ..Summary::default() };
        store.add_node("m1", &step(1), &summary).await.expect("works");
        let mut commented = step(1);
        commented.comment = "bold".into();
        commented.score = Some(-30);
        store.update_node("m1", &commented).await.expect("works");
        let said = ChatRow { name: "wolf".into(), text: "hello".into() };
        store.add_chat("m1", 0, &said).await.expect("works");
        let stored = store.load_match("m1").await.expect("works").expect("is there");
        assert_eq!(stored.nodes, [step(0), commented]);
        assert_eq!((stored.row.current, stored.row.updated), (1, 9));
        assert_eq!(stored.chat, [said]);
    }

    #[tokio::test]
    async fn a_node_that_is_there_already_changes_nothing() {
        let store = Store::in_memory().await.expect("a database");
        store.add_match(&pond(), &[step(0)]).await.expect("works");
        let summary = Summary { current: 5, ..Summary::default() };
        assert!(store.add_node("m1", &step(0), &summary).await.is_err());
        let stored = store.load_match("m1").await.expect("works").expect("is there");
        assert_eq!((stored.row.current, stored.nodes.len()), (0, 1));
    }

    #[tokio::test]
    async fn a_deleted_match_is_gone_until_it_is_restored() {
        let store = Store::in_memory().await.expect("a database");
        store.add_match(&pond(), &[step(0)]).await.expect("works");
        assert!(store.delete_match("m1", Some(3)).await.expect("works"));
        assert!(store.load_match("m1").await.expect("works").is_none());
        assert!(store.matches(10).await.expect("works").is_empty());
        assert_eq!(store.owner_key("m1").await.expect("works").as_deref(), Some("k"));
        assert!(store.delete_match("m1", None).await.expect("works"));
        assert_eq!(store.matches(10).await.expect("works").len(), 1);
        assert!(!store.delete_match("m2", None).await.expect("works"));
    }

    #[tokio::test]
    async fn a_solution_is_listed_once_somebody_plays_in_it() {
        let store = Store::in_memory().await.expect("a database");
        let shown = MatchRow { is_solution: true, ..pond() };
        store.add_match(&shown, &[step(0)]).await.expect("works");
        assert!(store.matches(10).await.expect("works").is_empty());
        assert!(store.load_match("m1").await.expect("works").is_some());
        store.take_over("m1").await.expect("works");
        assert_eq!(store.matches(10).await.expect("works").len(), 1);
    }
}
