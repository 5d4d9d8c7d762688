//! Whether the server works, for whoever watches over it.

use std::time::Duration;

use axum::{Json, Router, extract::State, http::StatusCode, routing::get};
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::{app::App, error::LogError, user};

/// How long the database may take to answer.
const PATIENCE: Duration = Duration::from_secs(1);

pub(crate) fn router() -> Router<App> {
    Router::new().route("/health", get(health))
}

/// `GET /health`: 200 if the process is up and its database answers, else 503.
async fn health(State(app): State<App>) -> (StatusCode, Json<Value>) {
    let asked = timeout(PATIENCE, app.store.setting(user::NAME)).await;
    let answered = asked.or_warn("the database does not answer in time");
    let works = answered.and_then(|it| it.or_warn("the database cannot be read")).is_some();
    let status = if works { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    let word = if works { "ok" } else { "failing" };
    let version = env!("CARGO_PKG_VERSION");
    (status, Json(json!({ "status": word, "store": word, "version": version })))
}
