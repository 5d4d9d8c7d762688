//! Settings: texts by name.

use crate::{Store, StoreError};

impl Store {
    /// The value of a setting, if it has one.
    pub async fn setting(&self, name: &str) -> Result<Option<String>, StoreError> {
        let query = sqlx::query_scalar("SELECT value FROM settings WHERE name = ?").bind(name);
        Ok(query.fetch_optional(&self.pool).await?)
    }

    /// Gives a setting a value, in place of the one it had.
    pub async fn set_setting(&self, name: &str, value: &str) -> Result<(), StoreError> {
        let statement = sqlx::query(
            "INSERT INTO settings (name, value) VALUES (?, ?)
             ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        );
        self.write(statement.bind(name).bind(value)).await?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::{Store, testing::new_store};

    #[tokio::test]
    async fn settings_are_kept_and_replaced() {
        let (dir, store) = new_store().await;
        assert_eq!(store.setting("user").await.expect("read"), None);
        store.set_setting("user", "one").await.expect("written");
        store.set_setting("user", "two").await.expect("written");
        assert_eq!(store.setting("user").await.expect("read").as_deref(), Some("two"));
        store.close().await;
        let store = Store::open(&dir.path().join("data.db")).await.expect("opens again");
        assert_eq!(store.setting("user").await.expect("read").as_deref(), Some("two"));
    }
}
