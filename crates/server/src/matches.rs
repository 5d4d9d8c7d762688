//! Matches over HTTP: made, listed, loaded, saved, put away.

use std::sync::Arc;

use axum::{
    Json,
    body::Bytes,
    extract::{Path, Query, Request, State},
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use boardwright_play::{
    State as Situation,
    zsg::{SaveFile, StopReason},
};
use boardwright_preset::Record;
use boardwright_protocol::{Created, MatchCard, MatchView, NewMatch, SeatSetup, Solution};
use boardwright_referee::{EditStep, Match, PresetMatch};
use boardwright_render::svg::{self, Marks};
use serde::Deserialize;
use tokio::sync::oneshot;

use crate::{
    app::App,
    courier::{Courier, Wanted},
    error::ApiError,
    game_view,
    games::{HANDLING, Look, picture},
    guard, keys, library,
    playable::Playable,
    seating::{self, Chair},
    table::{self, Game, Message, NewRow},
    user,
    variant::Variant,
};

/// So many matches are listed.
const LISTED: i64 = 300;
/// The largest save file that is read.
const MAX_SAVE: usize = 2 << 20;

#[derive(Deserialize)]
pub(crate) struct Key {
    #[serde(default)]
    key: String,
}

pub(crate) async fn create(
    State(app): State<App>,
    Json(new): Json<NewMatch>,
) -> Result<(StatusCode, Json<Created>), ApiError> {
    let playable = app.playable(&new.game, new.n as usize).await?;
    let seed = keys::seed();
    let made = app.work(move || {
        let chairs = seating::chairs(&playable, new.seats);
        let game = match playable {
            Playable::Rules(variant) => {
                if variant.ruleset().is_selection_screen() {
                    return Err(ApiError::bad("this is a menu; there is nothing to play"));
                }
                let start = Situation::start_of(Arc::clone(&variant.rules));
                let setup: Option<EditStep> =
                    new.setup.as_ref().map(|it| table::edit_step(&start, it));
                let game = Match::new(Arc::clone(&variant.rules), setup);
                Game::Rules(variant, Box::new(game))
            }
            Playable::Preset(courier) => preset_game(courier, seed)?,
        };
        Ok((game, chairs))
    });
    let (game, chairs) = made.await??;
    store(&app, Made { game, chairs, seed, is_solution: false }).await
}

/// A match of a preset at its start.
fn preset_game(courier: Arc<Courier>, seed: u64) -> Result<Game, ApiError> {
    let (preset, problem) = (Arc::clone(&courier.preset), courier.problem.clone());
    match PresetMatch::new(preset, seed, problem) {
        Ok(game) => Ok(Game::Preset(courier, Box::new(game))),
        Err(refusal) => {
            let (message, why) = table::refusal_text(&Playable::Preset(courier), &refusal);
            Err(ApiError::bad(format!("the game cannot begin: {message}"))
                .hint(why.unwrap_or_else(|| "The preset's code stopped it.".to_owned())))
        }
    }
}

/// A match that was just made.
struct Made {
    game: Game,
    chairs: Vec<Chair>,
    seed: u64,
    is_solution: bool,
}

impl Made {
    fn of((variant, game, chairs): Loaded, is_solution: bool) -> Made {
        Made { game: Game::Rules(variant, Box::new(game)), chairs, seed: keys::seed(), is_solution }
    }
}

/// Stores a match that was just made.
async fn store(app: &App, made: Made) -> Result<(StatusCode, Json<Created>), ApiError> {
    let Made { mut game, chairs, seed, is_solution } = made;
    let rows = app.work(move || {
        let row = NewRow { game: &mut game, chairs: &chairs, seed, is_solution }.row();
        let row = row
            .map_err(|refusal| ApiError::bad(table::refusal_text(&game.playable(), &refusal).0))?;
        let invitations = seating::invitations(&row.id, &chairs);
        let preset = match &game {
            Game::Rules(..) => None,
            Game::Preset(courier, _) => Some(courier.preset.bundle.write()),
        };
        Ok::<_, ApiError>((row, table::new_rows(&game), invitations, preset))
    });
    let (row, nodes, invitations, preset) = rows.await??;
    if let (Some(hash), Some(text)) = (&row.preset, preset) {
        app.store.keep_preset(hash, &text).await?;
    }
    app.store.add_match(&row, &nodes).await?;
    let created = Created { id: row.id, key: row.owner_key, invitations };
    Ok((StatusCode::CREATED, Json(created)))
}

/// The matches of whoever sits at this machine, with their keys; strangers see none.
pub(crate) async fn list(
    State(app): State<App>,
    request: Request,
) -> Result<Json<Vec<MatchCard>>, ApiError> {
    if !guard::is_local(request.extensions()) {
        return Ok(Json(Vec::new()));
    }
    let rows = app.store.matches(LISTED).await?;
    let card = |row: boardwright_store::MatchRow| {
        let chairs: Vec<Chair> = serde_json::from_str(&row.seats).unwrap_or_default();
        let name = |it: &Chair| match &it.setup {
            _ if !it.name.is_empty() => it.name.clone(),
            SeatSetup::Person { name } if !name.is_empty() => name.clone(),
            SeatSetup::Person { .. } => "You".to_owned(),
            SeatSetup::Guest => "Guest".to_owned(),
            SeatSetup::Engine { level, .. } => format!("Engine, level {level}"),
            SeatSetup::Random => "Random".to_owned(),
        };
        MatchCard {
            thumb: format!("/api/matches/{}/thumb.svg?v={}", row.id, row.updated),
            seats: chairs.iter().map(name).collect(),
            id: row.id,
            key: row.owner_key,
            game: row.game,
            n: row.variant as u32,
            title: row.title,
            ply: row.ply as u32,
            round: row.round as u32,
            mover: row.mover,
            your_turn: row.your_turn,
            outcome: row.outcome,
            updated: row.updated,
        }
    };
    Ok(Json(rows.into_iter().map(card).collect()))
}

/// Asks a match's task for something.
async fn ask<T>(
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
    Query(look): Query<Look>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let missing = || ApiError::not_found("there is no such match");
    let row = app.store.match_row(&id).await?.ok_or_else(missing)?;
    let (playable, options) = (app.playable_of(&row).await?, look.options());
    let svg = app.work(move || -> Result<String, ApiError> {
        let (placed, last) = playable.placed(&row.state).ok_or_else(missing)?;
        let marks = Marks { last, ..Marks::default() };
        let set = look.set_of(&playable).ok_or_else(missing)?;
        Ok(svg::board_svg(playable.layout(), set, &placed, &[], &marks, options))
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
        false => Err(ApiError::new(StatusCode::FORBIDDEN, "only who began this match may do that")),
    }
}

/// Goes on with a saved game.
pub(crate) async fn load(
    State(app): State<App>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<(StatusCode, Json<Created>), ApiError> {
    if body.len() > MAX_SAVE {
        return Err(ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "this is no saved game"));
    }
    let hint = headers.get("x-game").and_then(|it| it.to_str().ok()).map(str::to_owned);
    app.library.ready().await;
    let library = app.library.clone();
    if body.starts_with(b"boardwright record") {
        return open_record(&app, &body).await;
    }
    let engine = user::engine(&app).await;
    let made = app.work(move || {
        let save = SaveFile::read(&body);
        if save.variant.is_empty() && save.entries.is_empty() {
            let why = save.damage.map_or_else(String::new, |it| it.reason);
            return Err(ApiError::bad(format!("this is no saved game: {why}")));
        }
        let mut found = library.by_file_name(save.rules_name());
        found.extend(hint.as_deref().and_then(|it| library.entry(it)));
        let Some(entry) = found.first() else {
            let name = save.rules_name().to_owned();
            return Err(ApiError::not_found(format!("no game here has the rules `{name}`"))
                .hint("Open the rule file first, then the saved game."));
        };
        // Names in the save are in the code page of the rule file.
        let file = crate::variant::load(&entry.folder, &entry.file);
        let file = file.ok_or_else(|| ApiError::not_found("the rule file is gone"))?;
        let encoding =
            file.sources().files().first().map_or_else(Default::default, |it| it.encoding);
        let save = SaveFile::read_as(&body, encoding);
        let n = match save.variant.is_empty() {
            true => file.default_variant(),
            false => file.variant_named(&save.variant),
        };
        let n = n.ok_or_else(|| {
            ApiError::not_found(format!("the rules have no variant `{}`", save.variant))
        })?;
        let variant = library.variant(&entry.id, n)?;
        played(&variant, &save, &engine)
    });
    store(&app, Made::of(made.await??, false)).await
}

/// Goes on with a record of a preset, by the preset that it brings along or one here.
async fn open_record(app: &App, body: &[u8]) -> Result<(StatusCode, Json<Created>), ApiError> {
    let text = String::from_utf8_lossy(body).into_owned();
    let record = Record::read(&text).map_err(|it| ApiError::bad(it.to_string()))?;
    let library = app.library.clone();
    let kept = app.store.preset(&record.preset).await?;
    let made = app.work(move || {
        let (id, bundle) = library.preset_of(&record, kept)?;
        let seed = record.seed;
        let titles = Vec::new();
        let wanted = Wanted { game: &id, n: 0, bundle, problem: None, titles, notes: &[] };
        let courier = Courier::new(wanted).map_err(library::broken)?;
        let mut game = preset_game(Arc::new(courier), seed)?;
        let turns = record.turns();
        for (idx, turn) in turns.iter().enumerate() {
            let text = match turn.comment.is_empty() {
                true => turn.text.clone(),
                false => format!("{} // {}", turn.text, turn.comment),
            };
            let played = game.play(game.current(), &text, "", false);
            played.map_err(|refusal| {
                let (message, _) = table::refusal_text(&game.playable(), &refusal);
                ApiError::bad(format!("turn {} of the record: {message}", idx + 1))
            })?;
        }
        let names = record.players.iter().map(|it| SeatSetup::Person { name: it.clone() });
        let chairs = seating::chairs(&game.playable(), names.collect());
        Ok::<Made, ApiError>(Made { game, chairs, seed, is_solution: false })
    });
    store(app, made.await??).await
}

type Loaded = (Arc<Variant>, Match, Vec<Chair>);

/// A match from a save; seats that a computer had are the engine's. How it played there no
/// save says, so it plays as the user has set it.
fn played(variant: &Arc<Variant>, save: &SaveFile, engine: &SeatSetup) -> Result<Loaded, ApiError> {
    let (game, stop) = boardwright_referee::from_save(save, Arc::clone(&variant.rules));
    if let Some(stop) = stop {
        let why = stop_text(variant, &stop.reason);
        return Err(ApiError::bad(format!("line {} of the save: {why}", stop.line)));
    }
    let letters: Vec<char> = save.seats.chars().collect();
    let setup = |player: &boardwright_game::Player| match letters.get(player.idx()) {
        Some('C') => engine.clone(),
        _ => SeatSetup::Person { name: String::new() },
    };
    let playable = Playable::Rules(Arc::clone(variant));
    let chairs = seating::chairs(&playable, variant.seats.iter().map(setup).collect());
    Ok((Arc::clone(variant), game, chairs))
}

fn stop_text(variant: &Variant, reason: &StopReason) -> String {
    match reason {
        StopReason::Damage(it) | StopReason::UnknownName(it) => it.clone(),
        StopReason::Illegal { text, .. } => format!("`{text}` is not legal"),
        StopReason::GameOver(outcome) => {
            format!("the game was over: {}", outcome.words(variant.ruleset()))
        }
        StopReason::Halt(halt) => variant.halt_text(halt),
        StopReason::Differs(how) => how.clone(),
    }
}

/// The saved game that solves a puzzle.
fn solution_of(variant: &Variant) -> Result<Vec<u8>, ApiError> {
    let missing = || ApiError::not_found("there is no solution here");
    let name = game_view::solution(variant).ok_or_else(missing)?;
    variant.folder.read(&name).filter(|it| it.len() <= MAX_SAVE).ok_or_else(missing)
}

pub(crate) async fn solution_file(
    State(app): State<App>,
    Path((game, n)): Path<(String, usize)>,
) -> Result<Response, ApiError> {
    let library = app.library.clone();
    let bytes = app.work(move || solution_of(&*library.variant(&game, n)?));
    let headers = [
        (header::CONTENT_TYPE, "application/octet-stream"),
        (HANDLING, "attachment; filename=\"solution.zsg\""),
    ];
    Ok((headers, bytes.await??).into_response())
}

/// A match that shows the solution, at its end.
pub(crate) async fn solution(
    State(app): State<App>,
    Json(wanted): Json<Solution>,
) -> Result<(StatusCode, Json<Created>), ApiError> {
    let library = app.library.clone();
    let made = app.work(move || {
        let variant = library.variant(&wanted.game, wanted.n as usize)?;
        let bytes = solution_of(&variant)?;
        let save = SaveFile::read_as(&bytes, variant.ruleset().encoding);
        let person = SeatSetup::Person { name: String::new() };
        let (_, game, _) = played(&variant, &save, &person)?;
        let playable = Playable::Rules(Arc::clone(&variant));
        let chairs = seating::chairs(&playable, vec![person; variant.seats.len()]);
        Ok::<Loaded, ApiError>((variant, game, chairs))
    });
    let (variant, mut game, chairs) = made.await??;
    // The page plays it from the start.
    let _ = game.go_on_from(0);
    store(&app, Made::of((variant, game, chairs), true)).await
}
