//! What tests inside the crate share.

use axum::{Json, extract::State};
use boardwright_store::Store;
use serde_json::json;

use crate::{app::App, matches};

/// What requests work with, on data of its own.
pub(crate) async fn app(data: &tempfile::TempDir) -> App {
    let store = Store::open(&data.path().join("pond.db")).await.expect("a database");
    app_on(store, data).await
}

/// What requests work with, on a store that a test has opened.
pub(crate) async fn app_on(store: Store, data: &tempfile::TempDir) -> App {
    let (games, tuned) = (data.path().join("games"), data.path().join("tuned"));
    App::new(store, games, tuned, [127, 0, 0, 1].into()).await.expect("it opens")
}

/// A new match between people; its id.
pub(crate) async fn new_match(app: &App) -> String {
    new_match_with_key(app).await.0
}

/// A new match between people; its id and the key of its owner.
pub(crate) async fn new_match_with_key(app: &App) -> (String, String) {
    let wanted = json!({ "game": "tic-tac-toe", "n": 0, "seats": [], "setup": null });
    let wanted = serde_json::from_value(wanted).expect("a match");
    let made = matches::create(State(app.clone()), Json(wanted)).await.expect("it is made").1.0;
    (made.id, made.key)
}
