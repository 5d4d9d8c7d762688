//! Presets by what they hold, for the matches that were begun with them.

use crate::{Error, Store};

impl Store {
    /// Keeps a preset's text under its hash; one that is there already stays.
    pub async fn keep_preset(&self, hash: &str, text: &str) -> Result<(), Error> {
        sqlx::query("INSERT OR IGNORE INTO presets (hash, text) VALUES (?, ?)")
            .bind(hash)
            .bind(text)
            .execute(&self.pool)
            .await?;
        Ok(())
    }

    /// The text of a preset.
    pub async fn preset(&self, hash: &str) -> Result<Option<String>, Error> {
        let query = sqlx::query_as("SELECT text FROM presets WHERE hash = ?").bind(hash);
        let found: Option<(String,)> = query.fetch_optional(&self.pool).await?;
        Ok(found.map(|it| it.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_preset_is_kept_once() {
        let store = Store::in_memory().await.expect("a database");
        store.keep_preset("ab", "game: Pond").await.expect("works");
        store.keep_preset("ab", "game: Lake").await.expect("works");
        assert_eq!(store.preset("ab").await.expect("works").as_deref(), Some("game: Pond"));
        assert_eq!(store.preset("cd").await.expect("works"), None);
    }
}
