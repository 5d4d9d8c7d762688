//! The user's own games: what is known of them besides their files.

use sqlx::AssertSqlSafe;

use crate::{Store, StoreError, columns::columns};

/// One of the user's own games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameRow {
    /// Id of the game, `my-…`; also the name of its folder.
    pub id: String,
    /// Title of the game.
    pub title: String,
    /// Path of the rule file within the folder.
    pub file: String,
    /// Time when the game was added, in Unix milliseconds.
    pub created: i64,
    /// Time when the game was deleted, in Unix milliseconds, if it was.
    pub deleted: Option<i64>,
}

columns!(GameRow: id, title, file, created, deleted);

impl Store {
    /// Adds a game.
    pub async fn add_game(&self, game: &GameRow) -> Result<(), StoreError> {
        let (columns, parameters) = (GameRow::COLUMNS, GameRow::PARAMETERS);
        let sql = format!("INSERT INTO games ({columns}) VALUES ({parameters})");
        self.write(game.bind(sqlx::query(AssertSqlSafe(sql)))).await?;
        Ok(())
    }

    /// All games, including deleted ones, the latest first.
    pub async fn games(&self) -> Result<Vec<GameRow>, StoreError> {
        let sql = format!("SELECT {} FROM games ORDER BY created DESC, id", GameRow::COLUMNS);
        Ok(sqlx::query_as(AssertSqlSafe(sql)).fetch_all(&self.pool).await?)
    }

    /// Marks a game as deleted at a time in Unix milliseconds, or restores it with `None`;
    /// returns whether there is such a game.
    pub async fn delete_game(&self, id: &str, at: Option<i64>) -> Result<bool, StoreError> {
        let statement = sqlx::query("UPDATE games SET deleted = ? WHERE id = ?");
        Ok(self.write(statement.bind(at).bind(id)).await? > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::new_store;

    #[tokio::test]
    async fn a_deleted_game_can_be_restored() {
        let (_dir, store) = new_store().await;
        let game = GameRow {
            id: "my-pond".into(),
            title: "Pond".into(),
            file: "pond.zrf".into(),
            created: 1,
            deleted: None,
        };
        store.add_game(&game).await.expect("written");
        assert!(store.delete_game("my-pond", Some(5)).await.expect("written"));
        assert_eq!(store.games().await.expect("read")[0].deleted, Some(5));
        assert!(store.delete_game("my-pond", None).await.expect("written"));
        assert_eq!(store.games().await.expect("read"), std::slice::from_ref(&game));
        assert!(!store.delete_game("my-lake", None).await.expect("written"));
        let again = store.add_game(&game).await;
        assert!(matches!(again, Err(StoreError::Conflict(_))), "{again:?}");
    }
}
