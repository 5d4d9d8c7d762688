//! The library and its games over HTTP.

use axum::{
    Json, Router,
    body::Body,
    extract::{Path, Query, State},
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
    routing::{delete, get, post},
};
use boardwright_protocol::LibraryView;
use boardwright_render::{
    bitmap,
    looks::PieceSet,
    pictures::checked_svg,
    svg::{DrawOptions, Theme},
};
use boardwright_text::fnv1a;
use serde::Deserialize;

use crate::{
    app::App,
    assets, bounded,
    error::ApiError,
    keys,
    language::{self, Playable},
    library::Entry,
};

/// The header that says whether a browser saves an answer or shows it.
pub(crate) const HANDLING: HeaderName = HeaderName::from_static("content-disposition");

/// The query of a thumbnail: how it is drawn.
#[derive(Deserialize)]
pub(crate) struct ThumbnailQuery {
    #[serde(default)]
    theme: Option<String>,
    #[serde(default)]
    dark: Option<String>,
    /// The id of a piece set; the first set of the game if it has none with this id.
    #[serde(default)]
    set: Option<String>,
}

impl ThumbnailQuery {
    pub fn set_of<'a>(&self, playable: &'a Playable) -> Option<&'a PieceSet> {
        let sets = &playable.sets;
        let wanted = sets.iter().find(|it| Some(it.id) == self.set.as_deref());
        wanted.or(sets.first())
    }

    pub fn options(&self) -> DrawOptions {
        DrawOptions {
            theme: self.theme.as_deref().and_then(Theme::named).unwrap_or_default(),
            dark: self.dark.as_deref() == Some("1"),
            thumb: true,
        }
    }
}

pub(crate) fn router() -> Router<App> {
    Router::new()
        .route("/library", get(library))
        .route("/games/{game}", delete(remove))
        .route("/games/{game}/restore", post(restore))
        .route("/games/{game}/source", get(source))
        .route("/games/{game}/file/{*path}", get(file))
        .route("/games/{game}/image/{*path}", get(image))
        .route("/games/{game}/{n}", get(view))
        .route("/games/{game}/{n}/thumb.svg", get(thumb))
}

/// `GET /api/library`: the cards of all games, once they are made.
async fn library(State(app): State<App>) -> Json<LibraryView> {
    app.library.ready().await;
    Json(app.library.view())
}

fn entry(app: &App, game: &str) -> Result<Entry, ApiError> {
    let missing = || ApiError::not_found(format!("there is no game `{game}` here"));
    app.library.entry(game).ok_or_else(missing)
}

async fn view(
    State(app): State<App>,
    Path((game, n)): Path<(String, usize)>,
) -> Result<Response, ApiError> {
    let playable = app.playable(&game, n).await?;
    let library = app.library.clone();
    let json = app.work(move || {
        let view = language::game_view(&library, &playable)?;
        bounded::json(&view)
    });
    Ok(([(header::CONTENT_TYPE, "application/json")], json.await??).into_response())
}

async fn thumb(
    State(app): State<App>,
    Path((game, n)): Path<(String, usize)>,
    Query(look): Query<ThumbnailQuery>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let playable = app.playable(&game, n).await?;
    let svg = app.work(move || start_svg(&playable, &look));
    Ok(picture(svg.await?, &headers, "max-age=600"))
}

pub(crate) fn start_svg(playable: &Playable, look: &ThumbnailQuery) -> String {
    let Some(set) = look.set_of(playable) else { return String::new() };
    let options = look.options();
    playable.start_svg(set, options)
}

/// An SVG as an answer, or 304 if the client has it already.
pub(crate) fn picture(svg: String, headers: &HeaderMap, cache: &'static str) -> Response {
    let tag = format!("\"{:016x}\"", fnv1a(svg.as_bytes()));
    let known = headers.get(header::IF_NONE_MATCH).and_then(|it| it.to_str().ok());
    let mut response = match known.is_some_and(|it| it.contains(&tag)) {
        true => StatusCode::NOT_MODIFIED.into_response(),
        false => ([(header::CONTENT_TYPE, "image/svg+xml")], svg).into_response(),
    };
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        headers.insert(header::ETAG, tag);
    }
    response
}

/// The text of the rule file.
async fn source(State(app): State<App>, Path(game): Path<String>) -> Result<Response, ApiError> {
    let entry = entry(&app, &game)?;
    let text = app.work(move || language::source(&entry));
    let text =
        text.await?.ok_or_else(|| ApiError::not_found("the rule file of this game is missing"))?;
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response())
}

/// A sound or music file of a game.
async fn file(
    State(app): State<App>,
    Path((game, path)): Path<(String, String)>,
) -> Result<Response, ApiError> {
    let entry = entry(&app, &game)?;
    let kind = assets::content_type(&path);
    if !kind.starts_with("audio/") {
        return Err(ApiError::not_found("only sounds and music can be downloaded"));
    }
    let bytes = app.work(move || {
        let name = entry.folder.find("", &path)?.to_owned();
        entry.folder.read(&name)
    });
    let bytes = bytes.await?.ok_or_else(|| ApiError::not_found("this game has no such file"))?;
    let headers = [
        (header::CONTENT_TYPE, kind),
        (HANDLING, "attachment"),
        (header::CACHE_CONTROL, "max-age=600"),
    ];
    Ok((headers, Body::from(bytes)).into_response())
}

#[derive(Deserialize)]
struct ImageQuery {
    #[serde(default)]
    board: Option<String>,
}

/// A picture that came with a game, converted to PNG.
async fn image(
    State(app): State<App>,
    Path((game, path)): Path<(String, String)>,
    Query(subject): Query<ImageQuery>,
) -> Result<Response, ApiError> {
    let entry = entry(&app, &game)?;
    let subject = match subject.board {
        Some(_) => bitmap::Subject::Board,
        None => bitmap::Subject::Piece,
    };
    let found = app.work(move || {
        let name = entry.folder.find("", &path)?.to_owned();
        let bytes = entry.folder.read(&name)?;
        if name.to_lowercase().ends_with(".svg") {
            return checked_svg(&bytes).is_ok().then_some((bytes, "image/svg+xml"));
        }
        Some((bitmap::png(&bytes, subject).ok()?.bytes, "image/png"))
    });
    let (bytes, kind) =
        found.await?.ok_or_else(|| ApiError::not_found("this game has no such picture"))?;
    // Pictures of presets may be replaced in Edit.
    let headers = [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "max-age=600")];
    Ok((headers, Body::from(bytes)).into_response())
}

/// Marks one of the user's own games as deleted, so that it can be restored.
async fn remove(State(app): State<App>, Path(game): Path<String>) -> Result<StatusCode, ApiError> {
    if !entry(&app, &game)?.mine {
        let error = ApiError::new(StatusCode::FORBIDDEN, "games of the library cannot be deleted");
        return Err(error);
    }
    app.store.delete_game(&game, Some(keys::now())).await?;
    app.library.remove(&game);
    Ok(StatusCode::NO_CONTENT)
}

/// Undoes a delete, and reads a game again that was set aside.
async fn restore(State(app): State<App>, Path(game): Path<String>) -> Result<StatusCode, ApiError> {
    let rows = app.store.games().await?;
    let row = rows.into_iter().find(|it| it.id == game);
    let row =
        row.ok_or_else(|| ApiError::not_found(format!("there is no deleted game `{game}`")))?;
    app.store.delete_game(&game, None).await?;
    app.library.add_own(&row.id, &row.title, &row.file);
    // Whoever asks for it again wants it to be read again.
    app.library.set_aside().clear(&row.id);
    app.make_card(&row.id).await;
    Ok(StatusCode::NO_CONTENT)
}
