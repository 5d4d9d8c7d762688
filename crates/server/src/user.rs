//! The user's favourites and settings.

use axum::{Json, extract::State};
use boardwright_protocol::UserView;

use crate::{app::App, error::ApiError};

const NAME: &str = "user";
const MAX_LIST: usize = 500;
const MAX_TEXT: usize = 4000;

pub(crate) async fn get(State(app): State<App>) -> Result<Json<UserView>, ApiError> {
    let stored = app.store.setting(NAME).await?;
    let view = stored.and_then(|it| serde_json::from_str(&it).ok());
    Ok(Json(view.unwrap_or_default()))
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
