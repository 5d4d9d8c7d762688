//! Pictures that are added to a preset of one's own: its board, its pieces.

use std::{fs, path::PathBuf};

use axum::{
    Json, Router,
    body::Bytes,
    extract::{DefaultBodyLimit, Path, State},
    http::StatusCode,
    routing::put,
};
use boardwright_protocol::PictureAdded;
use boardwright_render::{
    bitmap::{self, Subject},
    pictures::checked_svg,
};

use crate::{app::App, error::ApiError, language, library::Entry};

/// Bytes of a picture.
const MOST: usize = 4 << 20;
/// Pictures in the folder of a preset.
const MANY: usize = 500;

pub(crate) fn router() -> Router<App> {
    Router::new()
        .route("/presets/{game}/picture/{name}", put(add))
        .layer(DefaultBodyLimit::max(MOST))
}

/// A plain file name whose ending is that of a picture.
fn is_picture(name: &str) -> bool {
    let is_good = |it: char| it.is_ascii_alphanumeric() || matches!(it, '-' | '_' | '.' | '+');
    let ending = name.rsplit_once('.').map(|it| it.1.to_ascii_lowercase());
    let is_known = ending
        .is_some_and(|it| matches!(it.as_str(), "bmp" | "png" | "gif" | "jpg" | "jpeg" | "svg"));
    is_known && name.len() <= 100 && !name.starts_with('.') && name.chars().all(is_good)
}

/// `PUT /api/presets/{game}/picture/{name}`: puts a picture beside the settings.
async fn add(
    State(app): State<App>,
    Path((game, name)): Path<(String, String)>,
    bytes: Bytes,
) -> Result<(StatusCode, Json<PictureAdded>), ApiError> {
    let entry = app.library.entry(&game).filter(|it| language::is_preset(&it.file));
    let entry =
        entry.ok_or_else(|| ApiError::not_found(format!("there is no preset `{game}` here")))?;
    if !entry.mine {
        let error = ApiError::bad("pictures can only be added to a preset of your own");
        return Err(error.hint("Save this one as your own first."));
    }
    if !is_picture(&name) {
        let error = ApiError::bad("this is not the name of a picture");
        return Err(error.hint("Use letters, digits, - and _, and one of png, gif, jpg, bmp, svg."));
    }
    let added = app.work(move || kept(&entry, &name, &bytes)).await??;
    let file = app.store.games().await?.into_iter().find(|it| it.id == game);
    if let Some(row) = file {
        // The list of its files is read again.
        app.library.forget(&game);
        app.library.add_own(&row.id, &row.title, &row.file);
        app.make_card(&game).await;
    }
    Ok((StatusCode::CREATED, Json(added)))
}

fn kept(entry: &Entry, name: &str, bytes: &[u8]) -> Result<PictureAdded, ApiError> {
    let missing = || ApiError::not_found("this preset has no folder");
    let root: &PathBuf = entry.folder.path().ok_or_else(missing)?;
    let beside = entry.file.rsplit_once('/').map_or("", |it| it.0);
    if entry.folder.names().iter().filter(|it| is_picture(it)).count() >= MANY {
        return Err(ApiError::bad(format!("a preset may have at most {MANY} pictures")));
    }
    let (width, height) = if name.to_ascii_lowercase().ends_with(".svg") {
        checked_svg(bytes)
            .map_err(|_| ApiError::bad("this is no SVG of shapes and colours alone"))?;
        (0, 0)
    } else {
        let png = bitmap::png(bytes, Subject::Board);
        let png = png.map_err(|it| ApiError::bad(format!("this picture cannot be read: {it}")))?;
        (png.width, png.height)
    };
    let path = root.join(beside).join(name);
    let new = path.with_extension("new");
    let written = fs::write(&new, bytes).and_then(|()| fs::rename(&new, &path));
    written.map_err(|cause| ApiError::disk("the picture could not be stored", cause))?;
    Ok(PictureAdded { name: name.to_owned(), width, height })
}
