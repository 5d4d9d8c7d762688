//! The user's favourites and settings over HTTP.

use axum::{Json, Router, extract::State, routing};
use boardwright_protocol::{Preference, SeatSetup, UserView, VisitorView};

use crate::{
    app::App,
    error::{ApiError, LogError},
    visitor::Visitor,
};

/// The name of the setting that holds them.
pub(crate) const NAME: &str = "user";
const MAX_LIST: usize = 500;
const MAX_TEXT: usize = 4000;

pub(crate) fn router() -> Router<App> {
    Router::new().route("/user", routing::get(get).put(put)).route("/visitor", routing::get(who))
}

/// What the sender of the request is to this server.
async fn who(visitor: Visitor) -> Json<VisitorView> {
    Json(VisitorView { is_owner: visitor.is_owner })
}

async fn get(State(app): State<App>) -> Result<Json<UserView>, ApiError> {
    let stored = app.store.setting(NAME).await?;
    Ok(Json(stored.and_then(read).unwrap_or_default()))
}

/// Settings as they are stored; those that cannot be read are replaced by the defaults.
fn read(stored: String) -> Option<UserView> {
    serde_json::from_str(&stored).or_warn("the stored settings cannot be read")
}

/// How the engine plays in a new match unless the user says otherwise.
pub(crate) async fn engine(app: &App) -> SeatSetup {
    let stored = app.store.setting(NAME).await.or_warn("the settings cannot be loaded").flatten();
    let view: UserView = stored.and_then(read).unwrap_or_default();
    let number = |name: &str, otherwise: f64| match view.preferences.get(name) {
        Some(Preference::Number(it)) => *it,
        _ => otherwise,
    };
    SeatSetup::Engine {
        level: number("level", 5.0) as u8,
        seconds: number("seconds", 3.0),
        depth: None,
        variety: number("variety", 1.0) as u8,
    }
}

async fn put(
    State(app): State<App>,
    Json(mut view): Json<UserView>,
) -> Result<Json<UserView>, ApiError> {
    view.favourites.truncate(MAX_LIST);
    view.recent.truncate(MAX_LIST);
    let text = serde_json::to_string(&view).map_err(ApiError::internal)?;
    let is_long = |it: &String| it.len() > MAX_TEXT;
    let lists = view.favourites.iter().chain(&view.recent).chain(view.preferences.keys());
    if view.preferences.len() > MAX_LIST || lists.into_iter().any(is_long) || text.len() > 1 << 20 {
        return Err(ApiError::bad("these settings are too large"));
    }
    app.store.set_setting(NAME, &text).await?;
    Ok(Json(view))
}
