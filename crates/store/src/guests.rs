//! Matches that guests began: how many there are, and which of them give way to new ones.

use crate::{Store, StoreError};

/// What is true of the matches of guests that are there.
const OF_GUESTS: &str = "creator <> '' AND deleted IS NULL AND (?1 IS NULL OR creator = ?1)";

impl Store {
    /// Number of matches of one guest, or of all guests with `None`; deleted ones do not count.
    pub async fn count_guest_matches(&self, creator: Option<&str>) -> Result<i64, StoreError> {
        let sql = format!("SELECT count(*) FROM matches WHERE {OF_GUESTS}");
        let query = sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).bind(creator);
        Ok(query.fetch_one(&self.pool).await?)
    }

    /// The match of one guest, or of any with `None`, that may be deleted for a new one: it has
    /// not changed since `before`, in Unix milliseconds, and nobody has moved in it; the oldest
    /// of these.
    pub async fn oldest_unplayed_guest_match(
        &self,
        creator: Option<&str>,
        before: i64,
    ) -> Result<Option<String>, StoreError> {
        let sql = format!(
            "SELECT id FROM matches WHERE {OF_GUESTS} AND ply = 0 AND updated < ?2 \
             ORDER BY updated, id LIMIT 1"
        );
        let query = sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).bind(creator).bind(before);
        Ok(query.fetch_optional(&self.pool).await?)
    }
}

#[cfg(test)]
mod tests {
    use crate::{MatchRow, Summary, testing::new_store};

    fn row(id: &str, creator: &str, ply: i64, updated: i64) -> MatchRow {
        let summary = Summary { ply, updated, ..Summary::default() };
        MatchRow { id: id.into(), creator: creator.into(), summary, ..MatchRow::default() }
    }

    #[tokio::test]
    async fn guests_are_counted_and_give_way_but_never_the_owner() {
        let (_dir, store) = new_store().await;
        for it in [
            row("own", "", 0, 1),
            row("played", "wolf", 3, 2),
            row("old", "wolf", 0, 3),
            row("older", "sheep", 0, 2),
            row("new", "wolf", 0, 90),
        ] {
            store.add_match(&it, &[]).await.expect("written");
        }
        assert_eq!(store.count_guest_matches(None).await.expect("read"), 4);
        assert_eq!(store.count_guest_matches(Some("wolf")).await.expect("read"), 3);
        let oldest = async |creator, before| {
            store.oldest_unplayed_guest_match(creator, before).await.expect("read")
        };
        assert_eq!(oldest(None, 50).await.as_deref(), Some("older"));
        assert_eq!(oldest(Some("wolf"), 50).await.as_deref(), Some("old"));
        store.delete_match("old", Some(99)).await.expect("written");
        assert_eq!(oldest(Some("wolf"), 50).await, None);
        assert_eq!(store.count_guest_matches(Some("wolf")).await.expect("read"), 2);
        let listed = store.matches("", 0, 10).await.expect("read");
        assert_eq!(listed.iter().map(|it| it.id.as_str()).collect::<Vec<_>>(), ["own"]);
        assert_eq!(store.matches("wolf", 1, 10).await.expect("read").len(), 1);
    }
}
