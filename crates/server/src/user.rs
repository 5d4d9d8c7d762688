//! The user's favourites and settings.

use axum::{Json, extract::State};
use boardwright_protocol::{Preference, SeatSetup, UserView};

use crate::{app::App, error::ApiError};

const NAME: &str = "user";
const MAX_LIST: usize = 500;
const MAX_TEXT: usize = 4000;

pub(crate) async fn get(State(app): State<App>) -> Result<Json<UserView>, ApiError> {
    let stored = app.store.setting(NAME).await?;
    let view = stored.and_then(|it| serde_json::from_str(&it).ok());
    Ok(Json(view.unwrap_or_default()))
}

/// How the user lets the engine play, where nothing else is said.
pub(crate) async fn engine(app: &App) -> SeatSetup {
    let stored = app.store.setting(NAME).await.ok().flatten();
    let view: UserView = stored.and_then(|it| serde_json::from_str(&it).ok()).unwrap_or_default();
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

pub(crate) async fn put(
    State(app): State<App>,
    Json(mut view): Json<UserView>,
) -> Result<Json<UserView>, ApiError> {
    view.favourites.truncate(MAX_LIST);
    view.recent.truncate(MAX_LIST);
    let text = serde_json::to_string(&view).map_err(|_| ApiError::internal())?;
    let is_long = |it: &String| it.len() > MAX_TEXT;
    let lists = view.favourites.iter().chain(&view.recent).chain(view.preferences.keys());
    if view.preferences.len() > MAX_LIST || lists.into_iter().any(is_long) || text.len() > 1 << 20 {
        return Err(ApiError::bad("these settings are too long"));
    }
    app.store.set_setting(NAME, &text).await?;
    Ok(Json(view))
}
