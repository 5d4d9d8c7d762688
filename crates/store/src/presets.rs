//! Presets by the hash of their text, for the matches that were begun with them.

use crate::{Store, StoreError};

impl Store {
    /// Keeps the text of a preset under its hash; one that is there already stays.
    pub async fn keep_preset(&self, hash: &str, text: &str) -> Result<(), StoreError> {
        let statement = sqlx::query("INSERT OR IGNORE INTO presets (hash, text) VALUES (?, ?)");
        self.write(statement.bind(hash).bind(text)).await?;
        Ok(())
    }

    /// The text of the preset with this hash, if it is kept.
    pub async fn preset(&self, hash: &str) -> Result<Option<String>, StoreError> {
        let query = sqlx::query_scalar("SELECT text FROM presets WHERE hash = ?").bind(hash);
        Ok(query.fetch_optional(&self.pool).await?)
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::new_store;

    #[tokio::test]
    async fn a_preset_is_kept_once() {
        let (_dir, store) = new_store().await;
        store.keep_preset("ab", "game: Pond").await.expect("written");
        store.keep_preset("ab", "game: Lake").await.expect("written");
        assert_eq!(store.preset("ab").await.expect("read").as_deref(), Some("game: Pond"));
        assert_eq!(store.preset("cd").await.expect("read"), None);
    }
}
