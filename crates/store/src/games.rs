//! The user's own games: what is known of them beside their files.

use crate::{Error, Store};

/// One of the user's own games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameRow {
    /// `my-…`; the name of its folder, too.
    pub id: String,
    /// Its title.
    pub title: String,
    /// The rule file within the folder.
    pub file: String,
    /// When it came, in milliseconds since 1970.
    pub created: i64,
    /// When it was deleted, if it was.
    pub deleted: Option<i64>,
}

from_row!(GameRow: id, title, file, created, deleted);

impl Store {
    /// Notes a game.
    pub async fn add_game(&self, game: &GameRow) -> Result<(), Error> {
        sqlx::query("INSERT INTO games (id, title, file, created) VALUES (?, ?, ?, ?)")
            .bind(&game.id)
            .bind(&game.title)
            .bind(&game.file)
            .bind(game.created)
            .execute(&self.pool)
            .await?;
        Ok(())
    }

    /// All games, deleted ones too, the latest first.
    pub async fn games(&self) -> Result<Vec<GameRow>, Error> {
        sqlx::query_as("SELECT * FROM games ORDER BY created DESC").fetch_all(&self.pool).await
    }

    /// Marks a game as deleted at a time, or restores it; says whether there is one.
    pub async fn delete_game(&self, id: &str, at: Option<i64>) -> Result<bool, Error> {
        let query = sqlx::query("UPDATE games SET deleted = ? WHERE id = ?").bind(at).bind(id);
        Ok(query.execute(&self.pool).await?.rows_affected() > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_deleted_game_can_be_restored() {
        let store = Store::in_memory().await.expect("a database");
        let game = GameRow {
            id: "my-pond".into(),
            title: "Pond".into(),
            file: "pond.zrf".into(),
            created: 1,
            deleted: None,
        };
        store.add_game(&game).await.expect("works");
        assert!(store.delete_game("my-pond", Some(5)).await.expect("works"));
        assert_eq!(store.games().await.expect("works")[0].deleted, Some(5));
        assert!(store.delete_game("my-pond", None).await.expect("works"));
        assert_eq!(store.games().await.expect("works"), [game]);
        assert!(!store.delete_game("my-lake", None).await.expect("works"));
    }
}
