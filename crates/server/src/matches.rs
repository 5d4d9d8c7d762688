//! Matches over HTTP: made, listed, loaded, saved, put away.

use std::sync::Arc;

use axum::{
    Json, Router,
    body::Bytes,
    extract::{Path, Query, State},
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use boardwright_protocol::{Created, MatchCard, MatchView, NewMatch, Solution};
use boardwright_referee::{Actor, Match, MatchCommand, MatchEvent, MatchSetup};
use boardwright_render::svg::{self, Marks};
use boardwright_rules::PlayRefusal;
use boardwright_store::{EventRow, MatchRow};
use serde::Deserialize;
use tokio::sync::oneshot;

use crate::{
    app::App,
    error::ApiError,
    games::{HANDLING, ThumbnailQuery, picture},
    keys,
    language::{self, MAX_SAVE, Needs, Playable, kept},
    log, seating,
    table::{self, Message},
    user,
    visitor::Visitor,
};

/// Matches in one answer; further ones are asked for.
const LISTED: i64 = 300;
/// A match of a guest in which nobody has moved for this long may be deleted for another, in
/// milliseconds.
const UNPLAYED: i64 = 60 * 60 * 1000;

#[derive(Deserialize)]
pub(crate) struct Key {
    #[serde(default)]
    key: String,
}

pub(crate) fn router() -> Router<App> {
    Router::new()
        .route("/matches", get(list).post(create))
        .route("/matches/load", post(load))
        .route("/matches/solution", post(solution))
        .route("/matches/{id}", get(view).delete(remove))
        .route("/matches/{id}/restore", post(restore))
        .route("/matches/{id}/save.zsg", get(save))
        .route("/matches/{id}/thumb.svg", get(thumb))
        .route("/games/{game}/{n}/solution", get(solution_file))
}

pub(crate) async fn create(
    State(app): State<App>,
    visitor: Visitor,
    Json(new): Json<NewMatch>,
) -> Result<(StatusCode, Json<Created>), ApiError> {
    make_room(&app, &visitor).await?;
    let playable = app.playable(&new.game, new.n as usize).await?;
    let made = app.work(move || NewGame::begin(playable, new));
    store(&app, &visitor, made.await??).await
}

/// Refuses guests who begin too many matches; the person at the machine may begin any number.
///
/// Where there are too many, the oldest in which nobody has moved is deleted.
async fn make_room(app: &App, visitor: &Visitor) -> Result<(), ApiError> {
    if visitor.is_owner {
        return Ok(());
    }
    let refused = |why: &str| ApiError::new(StatusCode::TOO_MANY_REQUESTS, why);
    if !app.gate.allows_match(visitor.household) {
        let error = refused("too many games were begun from your address in a short time");
        return Err(error.hint("Wait a minute."));
    }
    let limits = &app.limits;
    let own = Some(&*visitor.guest);
    for (creator, most, why) in [
        (own, limits.matches_by_address, "your address has as many games here as one may have"),
        (None, limits.matches_of_guests, "this server has as many games of guests as it may have"),
    ] {
        if app.store.count_guest_matches(creator).await? < most as i64 {
            continue;
        }
        let before = keys::now() - UNPLAYED;
        let oldest = app.store.oldest_unplayed_guest_match(creator, before).await?;
        let Some(oldest) = oldest else {
            return Err(
                refused(why).hint("Delete one that you no longer need, or come back later.")
            );
        };
        app.tables.end(&oldest).await;
        app.store.delete_match(&oldest, Some(keys::now())).await?;
    }
    Ok(())
}

/// A match that was just made, with the events that its log begins with.
pub(crate) struct NewGame {
    pub playable: Arc<Playable>,
    pub game: Match,
    pub events: Vec<MatchEvent>,
    pub seed: u64,
    /// Whether it shows a solution, until somebody plays in it.
    pub is_solution: bool,
}

impl NewGame {
    fn begin(playable: Arc<Playable>, new: NewMatch) -> Result<NewGame, ApiError> {
        if playable.ruleset().is_selection_screen() {
            return Err(ApiError::bad("this is a menu; there is nothing to play"));
        }
        let seed = keys::seed();
        let refused = |refusal: PlayRefusal| {
            let (message, why) = refusal.text();
            let why = why.unwrap_or_else(|| "The rules stopped it.".to_owned());
            ApiError::bad(format!("the game cannot begin: {message}")).hint(why)
        };
        let setup = match &new.setup {
            Some(setup) => {
                let start = playable.rules.start(seed).map_err(refused)?;
                Some(start.edit_to(&table::board_setup(setup)).map_err(refused)?)
            }
            None => None,
        };
        let seats = seating::seats(new.seats);
        let setup = MatchSetup { seed, setup, seats, now: keys::now().max(0) as u64 };
        let begun = Match::begin(Arc::clone(&playable.rules), setup);
        let (game, events) = begun.map_err(refused)?;
        Ok(NewGame { playable, game, events, seed, is_solution: false })
    }

    /// Makes the first node the one where play goes on.
    pub fn go_to_start(&mut self) -> Result<(), ApiError> {
        let owner = Actor::Person { is_owner: true, seats: &[] };
        let now = keys::now().max(0) as u64;
        let back = self.game.apply(&MatchCommand::GoTo { node: 0 }, owner, "", now, 0);
        let back = back.map_err(|it| ApiError::bad(it.text().0))?;
        self.events.extend(back.events.iter().cloned());
        self.game.commit(back);
        Ok(())
    }

    /// The match as it is stored, with an id and a key of its own.
    fn row(&self, creator: &str) -> Result<MatchRow, PlayRefusal> {
        let rules = &self.playable.rules;
        Ok(MatchRow {
            id: keys::id(),
            game: self.playable.game.clone(),
            variant: self.playable.n as i64,
            title: self.playable.title.clone(),
            owner_key: keys::key(),
            creator: creator.to_owned(),
            seed: self.seed as i64,
            is_solution: self.is_solution,
            preset: rules.content_hash().map(str::to_owned),
            problem: rules.problem_moves().map(i64::from),
            created: keys::now(),
            deleted: None,
            summary: table::summary(rules, self.game.seats(), &self.game.standing()?),
        })
    }
}

/// Stores a match that was just made.
async fn store(
    app: &App,
    visitor: &Visitor,
    made: NewGame,
) -> Result<(StatusCode, Json<Created>), ApiError> {
    let creator = visitor.creator().to_owned();
    let rows = app.work(move || {
        let row = made.row(&creator).map_err(|it| ApiError::bad(it.text().0))?;
        let invitations = seating::invitations(&row.id, made.game.seats());
        let kept = kept::text(&made.playable);
        let events: Vec<EventRow> = made.events.iter().map(log::to_row).collect();
        Ok::<_, ApiError>((row, events, invitations, kept))
    });
    let (row, events, invitations, kept) = rows.await??;
    if let (Some(hash), Some(text)) = (&row.preset, kept) {
        app.store.keep_preset(hash, &text).await?;
    }
    app.store.add_match(&row, &events).await?;
    let created = Created { id: row.id, key: row.owner_key, invitations };
    Ok((StatusCode::CREATED, Json(created)))
}

#[derive(Deserialize)]
pub(crate) struct ListQuery {
    /// Matches to leave out at the beginning.
    #[serde(default)]
    skip: u32,
}

/// The matches that the person at the machine began, with their keys. Guests are told of none:
/// an address does not say whose matches are theirs.
pub(crate) async fn list(
    State(app): State<App>,
    visitor: Visitor,
    Query(query): Query<ListQuery>,
) -> Result<Json<Vec<MatchCard>>, ApiError> {
    if !visitor.is_owner {
        return Ok(Json(Vec::new()));
    }
    let rows = app.store.matches(visitor.creator(), i64::from(query.skip), LISTED).await?;
    let card = |row: MatchRow| {
        let seats = seating::from_json(&row.summary.seats).unwrap_or_default();
        let summary = row.summary;
        MatchCard {
            thumb: format!("/api/matches/{}/thumb.svg?v={}", row.id, summary.updated),
            seats: seating::listed_names(&seats),
            id: row.id,
            key: row.owner_key,
            game: row.game,
            n: row.variant as u32,
            title: row.title,
            ply: summary.ply as u32,
            round: summary.round as u32,
            mover: summary.mover,
            your_turn: summary.your_turn,
            outcome: summary.outcome,
            updated: summary.updated,
        }
    };
    Ok(Json(rows.into_iter().map(card).collect()))
}

/// Asks a match's task for something.
pub(crate) async fn ask<T>(
    app: &App,
    id: &str,
    message: impl FnOnce(oneshot::Sender<Result<T, ApiError>>) -> Message,
) -> Result<T, ApiError> {
    let (reply, answer) = oneshot::channel();
    app.tables.open(id).await?.send(message(reply)).await.map_err(ApiError::internal)?;
    answer.await.map_err(ApiError::internal)?
}

pub(crate) async fn view(
    State(app): State<App>,
    Path(id): Path<String>,
    Query(key): Query<Key>,
) -> Result<Json<MatchView>, ApiError> {
    let view = ask(&app, &id, |reply| Message::View { key: key.key, reply }).await?;
    Ok(Json(view))
}

pub(crate) async fn save(
    State(app): State<App>,
    Path(id): Path<String>,
) -> Result<Response, ApiError> {
    let (name, bytes) = ask(&app, &id, |reply| Message::Save { reply }).await?;
    let headers = [
        (header::CONTENT_TYPE, "application/octet-stream".to_owned()),
        (HANDLING, format!("attachment; filename=\"{name}\"")),
    ];
    Ok((headers, bytes).into_response())
}

/// The board of a match as it stands, small.
pub(crate) async fn thumb(
    State(app): State<App>,
    Path(id): Path<String>,
    Query(look): Query<ThumbnailQuery>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let missing = || ApiError::not_found("there is no such match");
    let row = app.store.match_row(&id).await?.ok_or_else(missing)?;
    let (playable, options) = (app.playable_of(&row).await?, look.options());
    let svg = app.work(move || -> Result<String, ApiError> {
        let (placed, last) = playable.placed(&row.summary.state).ok_or_else(missing)?;
        let marks = Marks { last, ..Marks::default() };
        let set = look.set_of(&playable).ok_or_else(missing)?;
        Ok(svg::board_svg(&playable.layout, set, &placed, &[], &marks, options, &playable.finish()))
    });
    Ok(picture(svg.await??, &headers, "no-cache"))
}

pub(crate) async fn remove(
    State(app): State<App>,
    Path(id): Path<String>,
    Query(key): Query<Key>,
) -> Result<StatusCode, ApiError> {
    allowed(&app, &id, &key.key).await?;
    app.tables.end(&id).await;
    app.store.delete_match(&id, Some(keys::now())).await?;
    Ok(StatusCode::NO_CONTENT)
}

pub(crate) async fn restore(
    State(app): State<App>,
    Path(id): Path<String>,
    Query(key): Query<Key>,
) -> Result<StatusCode, ApiError> {
    allowed(&app, &id, &key.key).await?;
    app.store.delete_match(&id, None).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Only who began a match may put it away.
async fn allowed(app: &App, id: &str, key: &str) -> Result<(), ApiError> {
    let owner = app.store.owner_key(id).await?;
    let owner = owner.ok_or_else(|| ApiError::not_found("there is no such match"))?;
    match keys::is_same(&owner, key) {
        true => Ok(()),
        false => {
            Err(ApiError::new(StatusCode::FORBIDDEN, "only the owner of this match can do that"))
        }
    }
}

/// Goes on with a saved game.
pub(crate) async fn load(
    State(app): State<App>,
    visitor: Visitor,
    headers: HeaderMap,
    body: Bytes,
) -> Result<(StatusCode, Json<Created>), ApiError> {
    if body.len() > MAX_SAVE {
        return Err(ApiError::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            "this file is too large for a saved game",
        ));
    }
    make_room(&app, &visitor).await?;
    let hint = headers.get("x-game").and_then(|it| it.to_str().ok()).map(str::to_owned);
    app.library.ready().await;
    let needs = language::needs(&body)?;
    let kept = match &needs {
        Needs::Nothing => None,
        Needs::Preset { record } => app.store.preset(&record.preset).await?,
    };
    let (library, engine) = (app.library.clone(), user::engine(&app).await);
    let may_bring_code = visitor.is_owner;
    let made = app.work(move || {
        let found = language::Found { hint: hint.as_deref(), kept, may_bring_code };
        language::open_saved(&library, &body, needs, found, &engine)
    });
    store(&app, &visitor, made.await??).await
}

pub(crate) async fn solution_file(
    State(app): State<App>,
    Path((game, n)): Path<(String, usize)>,
) -> Result<Response, ApiError> {
    let library = app.library.clone();
    let bytes = app.work(move || language::solution_file(&*library.playable(&game, n)?));
    let headers = [
        (header::CONTENT_TYPE, "application/octet-stream"),
        (HANDLING, "attachment; filename=\"solution.zsg\""),
    ];
    Ok((headers, bytes.await??).into_response())
}

/// A match that shows the solution, at its start.
pub(crate) async fn solution(
    State(app): State<App>,
    visitor: Visitor,
    Json(wanted): Json<Solution>,
) -> Result<(StatusCode, Json<Created>), ApiError> {
    make_room(&app, &visitor).await?;
    let library = app.library.clone();
    let made =
        app.work(move || language::solution(library.playable(&wanted.game, wanted.n as usize)?));
    store(&app, &visitor, made.await??).await
}
