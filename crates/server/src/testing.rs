//! What tests inside the crate share.

use axum::{Json, extract::State};
use boardwright_store::Store;
use serde_json::json;

use crate::{
    app::{App, AppParts},
    limits::ServerLimits,
    matches,
    visitor::Visitor,
};

/// What requests work with, on data of its own.
pub(crate) async fn app(data: &tempfile::TempDir) -> App {
    let store = Store::open(&data.path().join("pond.db")).await.expect("a database");
    app_on(store, data).await
}

/// What requests work with, on a store that a test has opened.
pub(crate) async fn app_on(store: Store, data: &tempfile::TempDir) -> App {
    let parts = AppParts {
        store,
        games: data.path().join("games"),
        tuned: data.path().join("tuned"),
        host: [127, 0, 0, 1].into(),
        names: Vec::new(),
        key: "key".to_owned(),
        limits: ServerLimits::default(),
    };
    App::new(parts).await.expect("it opens")
}

/// The person at the machine.
pub(crate) fn owner() -> Visitor {
    Visitor::new([127, 0, 0, 1].into(), true, "key")
}

/// A new match between people; its id.
pub(crate) async fn new_match(app: &App) -> String {
    new_match_with_key(app).await.0
}

/// A new match between people; its id and the key of its owner.
pub(crate) async fn new_match_with_key(app: &App) -> (String, String) {
    let wanted = json!({ "game": "tic-tac-toe", "n": 0, "seats": [], "setup": null });
    let wanted = serde_json::from_value(wanted).expect("a match");
    let made = matches::create(State(app.clone()), owner(), Json(wanted)).await;
    let made = made.expect("it is made").1.0;
    (made.id, made.key)
}
