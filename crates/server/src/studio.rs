//! Editing presets in the page: their fields, drafts that are tried, imports.
//!
//! A draft is compiled and played beside the requests, within the limits of the language;
//! saving writes a folder among the user's own games. Both are refused to other machines.

use std::{
    collections::BTreeMap,
    fs,
    io::{Cursor, Write},
    path::Path as Place,
    time::Instant,
};

use axum::{
    Json, Router,
    extract::{Path, State},
    http::{StatusCode, header},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use boardwright_preset::{Bundle, FIELDS, Field, Kind, Settings, import as original};
use boardwright_protocol::{
    ChoiceView, Draft, DraftView, FieldKind, FieldView, ImportText, ImportView, PresetFields,
    SavedPreset,
};
use boardwright_rules::{Judging, PlayRefusal};
use boardwright_store::GameRow;
use zip::{ZipWriter, result::ZipResult, write::SimpleFileOptions};

use crate::{
    app::App,
    error::ApiError,
    folder::Folder,
    games::HANDLING,
    isolate::{self, HostLine, HostStep, RulesSource},
    keys,
    language::{
        self, Playable,
        preset::{self as presets, Files, Source, Wanted},
    },
    library::{Entry, Library},
    state_view, upload,
};

/// Turns of a draft that are played.
const MAX_TURNS: usize = 200;
/// Bytes of a draft's text or of an import.
const MAX_TEXT: usize = 2 << 20;

pub(crate) fn router() -> Router<App> {
    Router::new()
        .route("/presets", post(save))
        .route("/presets/draft", post(draft))
        .route("/presets/import", post(import))
        .route("/presets/{game}", get(fields))
        .route("/presets/{game}/preset.txt", get(text))
        .route("/presets/{game}/preset.zip", get(zip))
}

/// The preset with this id.
fn preset(app: &App, game: &str) -> Result<Entry, ApiError> {
    let entry = app.library.entry(game).filter(|it| presets::is_preset(&it.file));
    entry.ok_or_else(|| ApiError::not_found(format!("there is no preset `{game}` here")))
}

/// The group of fields on the page that a field belongs to.
fn group(field: &Field) -> &'static str {
    match field.key {
        _ if field.kind == Kind::Code => "code",
        _ if field.is_look => "looks",
        "shape" | "code" | "columns" | "files" | "ranks" | "coordinates" | "sides" | "side"
        | "pieces" => "board",
        _ => "game",
    }
}

fn field_view(field: &Field, settings: &Settings) -> FieldView {
    let choices = match field.kind {
        Kind::Choice(words) => words.iter().map(|it| (*it).to_owned()).collect(),
        _ => Vec::new(),
    };
    FieldView {
        key: field.key.to_owned(),
        title: field.title.to_owned(),
        kind: match field.kind {
            Kind::Text => FieldKind::Text,
            Kind::Number => FieldKind::Number,
            Kind::Truth => FieldKind::Truth,
            Kind::Choice(_) => FieldKind::Choice,
            Kind::Lines => FieldKind::Lines,
            Kind::Code => FieldKind::Code,
        },
        choices,
        default: field.default.to_owned(),
        is_look: field.is_look,
        group: group(field).to_owned(),
        value: settings.get(field.key).to_owned(),
    }
}

fn values(settings: &Settings) -> BTreeMap<String, String> {
    FIELDS.iter().map(|it| (it.key.to_owned(), settings.get(it.key).to_owned())).collect()
}

async fn fields(
    State(app): State<App>,
    Path(game): Path<String>,
) -> Result<Json<PresetFields>, ApiError> {
    let entry = preset(&app, &game)?;
    let source = app.work(move || presets::read(&entry.folder, &entry.file)).await?;
    let settings = &source.bundle.settings;
    let fields = FIELDS.iter().map(|it| field_view(it, settings)).collect();
    let mine = app.library.entry(&game).is_some_and(|it| it.mine);
    Ok(Json(PresetFields { game, mine, fields }))
}

/// A draft as the text of a preset, and messages about invalid values by field.
fn drafted(
    draft: &Draft,
    base: Option<&Entry>,
) -> Result<(Source, BTreeMap<String, String>), ApiError> {
    let size = draft.values.values().map(String::len).sum::<usize>();
    if size + draft.text.as_ref().map_or(0, String::len) > MAX_TEXT {
        return Err(ApiError::bad(format!("a preset may have at most {} MB", MAX_TEXT >> 20)));
    }
    let mut wrong = BTreeMap::new();
    let from = base.map(|it| presets::read(&it.folder, &it.file));
    let (mut bundle, notes) = match &draft.text {
        Some(text) => Bundle::read(text),
        None => {
            let mut settings = Settings::default();
            for (key, value) in &draft.values {
                if let Some(field) = Field::named(key)
                    && let Err(message) = settings.set(field, value)
                {
                    wrong.insert(key.clone(), message);
                }
            }
            (Bundle { settings, includes: Vec::new() }, Vec::new())
        }
    };
    if let (true, Some(from)) = (draft.looks_only, &from) {
        bundle.settings = with_looks(&from.bundle.settings, &bundle.settings);
    }
    let had = bundle.includes.clone();
    let known = from.as_ref().map(|it| it.bundle.includes.clone()).unwrap_or_default();
    let missing = Folder::of_presets("include");
    let (folder, file) = match base {
        Some(it) => (&it.folder, it.file.as_str()),
        None => (&missing, ""),
    };
    let mut files = Includes { had, known, files: Files { folder, file } };
    bundle.gather(&mut files);
    let problems = from.map(|it| it.problems).unwrap_or_default();
    Ok((Source { bundle, notes, problems }, wrong))
}

/// The settings of `rules` with the appearance of `looks`, default values included.
fn with_looks(rules: &Settings, looks: &Settings) -> Settings {
    let mut all = rules.clone();
    for field in FIELDS.iter().filter(|it| it.is_look) {
        // A value that one accepted is accepted by the other.
        let _ = all.set(field, looks.get(field.key));
    }
    all
}

/// Include files of a draft: its own, those of its base, and those that all presets share.
struct Includes<'f> {
    had: Vec<(String, String)>,
    known: Vec<(String, String)>,
    files: Files<'f>,
}

impl boardwright_preset::Folder for Includes<'_> {
    fn file(&mut self, name: &str) -> Option<String> {
        self.files.file(name)
    }

    fn include(&mut self, name: &str) -> Option<String> {
        let mut all = self.had.iter().chain(&self.known);
        let found = all.find(|it| it.0 == name).map(|it| it.1.clone());
        found.or_else(|| self.files.include(name))
    }
}

/// Tries a draft: compiles it, draws its board, and plays its turns.
async fn draft(
    State(app): State<App>,
    Json(draft): Json<Draft>,
) -> Result<Json<DraftView>, ApiError> {
    let base = app.library.entry(&draft.base).filter(|it| presets::is_preset(&it.file));
    let view = app.work(move || tried(&draft, base.as_ref()));
    Ok(Json(view.await??))
}

fn tried(draft: &Draft, base: Option<&Entry>) -> Result<DraftView, ApiError> {
    let began = Instant::now();
    let (source, wrong) = drafted(draft, base)?;
    let mut view = DraftView {
        wrong,
        text: source.bundle.write(),
        values: values(&source.bundle.settings),
        ..DraftView::default()
    };
    let titles = source.titles();
    let wanted = Wanted {
        game: "draft",
        n: 0,
        bundle: source.bundle,
        problem: None,
        titles,
        notes: &source.notes,
    };
    let rules = RulesSource::Bundle { text: view.text.clone(), moves: None };
    let steps = draft.turns.iter().map(|it| HostStep::Move(it.clone())).collect();
    isolate::current().try_line(HostLine { rules, seed: 1, steps }, "this preset")?;
    match presets::made(wanted) {
        Ok(playable) => {
            view.diagnostics = playable.diagnostics.clone();
            if draft.listing {
                view.listing = presets::listing(&playable.rules);
            }
            play(&mut view, &playable, base, &draft.turns);
        }
        Err(broken) => view.diagnostics = broken.diagnostics,
    }
    let mut told = Vec::new();
    // The programs of both sides may contain the same code.
    view.diagnostics.retain(|it| {
        let is_new = !told.contains(it);
        told.push(it.clone());
        is_new
    });
    view.ms = began.elapsed().as_millis().min(u128::from(u32::MAX)) as u32;
    Ok(view)
}

/// Plays the turns of a draft as far as they are accepted.
fn play(view: &mut DraftView, playable: &Playable, base: Option<&Entry>, turns: &[String]) {
    let Ok(mut state) = playable.rules.start(1) else { return };
    for turn in turns.iter().take(MAX_TURNS) {
        let played =
            state.legal_moves().and_then(|legal| state.play_text(&legal, turn, Judging::Judge));
        match played {
            Ok(step) => {
                view.turns.push(step.long);
                state = step.state;
            }
            Err(PlayRefusal::Asked(question)) => {
                let choice =
                    |it: &(String, String)| ChoiceView { label: it.0.clone(), mv: it.1.clone() };
                view.choices = question.choices.iter().take(100).map(choice).collect();
                break;
            }
            Err(refusal) => {
                view.refused = Some(refusal.to_string());
                break;
            }
        }
    }
    let ply = view.turns.len() as u32;
    view.state = state.legal_moves().ok().map(|legal| {
        let shown = state_view::Shown { state: &state, legal: &legal, ply };
        state_view::of_state(&playable.rules, shown)
    });
    view.game = language::draft_view(playable, base);
}

/// Reads settings of Game Courier as data; nothing in them is run.
async fn import(
    State(app): State<App>,
    Json(text): Json<ImportText>,
) -> Result<Json<ImportView>, ApiError> {
    if text.text.len() > MAX_TEXT {
        return Err(ApiError::bad(format!("settings may have at most {} MB", MAX_TEXT >> 20)));
    }
    let read = app.work(move || original::read(&text.text)).await?;
    let printed = |it: &String| boardwright_text::render::printable(it);
    Ok(Json(ImportView {
        values: values(&read.bundle.settings),
        n_fields: read.n_fields as u32,
        report: read.report.iter().take(200).map(printed).collect(),
    }))
}

/// The files of a preset's folder, without the includes that all presets share.
fn files_of(source: &Source) -> Vec<(String, String)> {
    let mut files = source.bundle.files();
    for (name, text) in &source.bundle.includes {
        if presets::shared(name).as_deref().map(str::trim_end) != Some(text.trim_end()) {
            files.push((format!("include/{name}.gc"), text.clone()));
        }
    }
    for (idx, problem) in source.problems.iter().enumerate() {
        files.push((format!("problems/{:02}.txt", idx + 1), problem.write()));
    }
    let is_plain = |it: &str| {
        it.split('/').all(|it| !it.is_empty() && it != ".." && it != ".")
            && it.chars().all(|it| it.is_alphanumeric() || "-_./+ ".contains(it))
    };
    files.retain(|it| is_plain(&it.0));
    files
}

/// Saves a draft: over the user's own preset that it was made from, else as a new one.
async fn save(
    State(app): State<App>,
    Json(draft): Json<Draft>,
) -> Result<(StatusCode, Json<SavedPreset>), ApiError> {
    let base = app.library.entry(&draft.base).filter(|it| presets::is_preset(&it.file));
    let is_new = !base.as_ref().is_some_and(|it| it.mine);
    if is_new {
        upload::check_number(&app).await?;
    }
    let library = app.library.clone();
    let saved = app.work(move || kept(&library, &draft, base.as_ref())).await??;
    if is_new {
        app.store.add_game(&saved).await?;
    }
    app.library.forget(&saved.id);
    app.library.add_own(&saved.id, &saved.title, &saved.file);
    app.library.set_aside().clear(&saved.id);
    app.make_card(&saved.id).await;
    Ok((StatusCode::CREATED, Json(SavedPreset { game: saved.id })))
}

fn kept(library: &Library, draft: &Draft, base: Option<&Entry>) -> Result<GameRow, ApiError> {
    let (source, wrong) = drafted(draft, base)?;
    if let Some(message) = wrong.into_values().next() {
        return Err(ApiError::bad(message).hint("Correct the field and save again."));
    }
    let title = source.titles().swap_remove(0);
    let own = base.filter(|it| it.mine);
    let id = own.map_or_else(|| format!("my-{}", keys::id()), |it| it.id.clone());
    // The first game of an upload has the name of its folder.
    let root = id.split('.').next().unwrap_or(&id).to_owned();
    let file = own.map_or(boardwright_preset::SETTINGS_FILE, |it| it.file.as_str()).to_owned();
    let beside = file.rsplit_once('/').map_or("", |it| it.0);
    let place = library.data().join(&root).join(beside);
    written(&place, &files_of(&source))
        .map_err(|cause| ApiError::disk("the preset could not be stored", cause))?;
    let file = format!("{root}/{file}");
    Ok(GameRow { id, title, file, created: keys::now(), deleted: None })
}

/// Writes the files, and deletes those of code fields that are empty now.
fn written(place: &Place, files: &[(String, String)]) -> std::io::Result<()> {
    fs::create_dir_all(place)?;
    for field in FIELDS.iter().filter(|it| it.kind == Kind::Code) {
        let name = format!("{}.gc", field.key);
        if !files.iter().any(|it| it.0 == name) && place.join(&name).exists() {
            fs::remove_file(place.join(&name))?;
        }
    }
    for (name, text) in files {
        let path = place.join(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        // Renaming replaces the file at once: a crash leaves the old file or the new one.
        let beside = path.with_extension("new");
        fs::write(&beside, text)?;
        fs::rename(&beside, &path)?;
    }
    Ok(())
}

/// `GET /api/presets/{game}/preset.txt`: a preset as one text.
async fn text(State(app): State<App>, Path(game): Path<String>) -> Result<Response, ApiError> {
    let entry = preset(&app, &game)?;
    let text = app.work(move || presets::read(&entry.folder, &entry.file).bundle.write());
    let headers = [
        (header::CONTENT_TYPE, "text/plain; charset=utf-8"),
        (HANDLING, "attachment; filename=\"preset.txt\""),
    ];
    Ok((headers, text.await?).into_response())
}

/// `GET /api/presets/{game}/preset.zip`: a preset as a folder in a zip.
async fn zip(State(app): State<App>, Path(game): Path<String>) -> Result<Response, ApiError> {
    let entry = preset(&app, &game)?;
    let name: String = game.chars().filter(|it| it.is_ascii_alphanumeric() || *it == '-').collect();
    let folder = name.clone();
    let packed = app.work(move || {
        let source = presets::read(&entry.folder, &entry.file);
        packed(&folder, &files_of(&source))
    });
    let bytes = packed.await?.map_err(ApiError::internal)?;
    let headers = [
        (header::CONTENT_TYPE, "application/zip".to_owned()),
        (HANDLING, format!("attachment; filename=\"{name}.zip\"")),
    ];
    Ok((headers, bytes).into_response())
}

/// Files in a folder of a zip.
fn packed(folder: &str, files: &[(String, String)]) -> ZipResult<Vec<u8>> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in files {
        zip.start_file(format!("{folder}/{name}"), SimpleFileOptions::default())?;
        zip.write_all(text.as_bytes())?;
    }
    Ok(zip.finish()?.into_inner())
}
