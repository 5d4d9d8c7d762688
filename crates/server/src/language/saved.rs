//! Saved games and records, opened as new matches: `.zsg` saves of rule files, records of
//! presets, and the solutions that authors ship.

use std::sync::Arc;

use axum::http::StatusCode;
use boardwright_play::zsg::{SaveFile, StopReason};
use boardwright_preset::{Bundle, Record};
use boardwright_protocol::SeatSetup;
use boardwright_referee::{MatchSetup, from_record, from_save};

use super::{
    Origin, Playable, foreign_preset,
    preset::{self, Wanted},
    rule_file, rule_file_view,
};
use crate::{
    error::ApiError,
    isolate::{self, HostLine, HostStep},
    keys,
    library::Library,
    matches::NewGame,
    seating,
};

/// Bytes of the largest saved game that is read.
pub(crate) const MAX_SAVE: usize = 2 << 20;
/// The first line of a record of a preset.
const RECORD: &[u8] = b"boardwright record";

/// What a saved game may need of the store.
pub(crate) enum Needs {
    /// Nothing: it is a save of a rule file.
    Nothing,
    /// The preset with this hash, if it is kept with a match.
    Preset { record: Box<Record> },
}

/// What a saved game needs before it can be opened.
pub(crate) fn needs(body: &[u8]) -> Result<Needs, ApiError> {
    if !body.starts_with(RECORD) {
        return Ok(Needs::Nothing);
    }
    let text = String::from_utf8_lossy(body);
    let record = Record::read(&text).map_err(|it| ApiError::bad(it.to_string()))?;
    Ok(Needs::Preset { record: Box::new(record) })
}

/// Where the rules of a saved game may be found, beside the library.
pub(crate) struct Found<'f> {
    /// The id of a game that the page thinks it is of.
    pub hint: Option<&'f str>,
    /// The preset that is kept under the hash of a record.
    pub kept: Option<String>,
    /// Whether code in the record may be run, which is only for the person at the machine.
    pub may_bring_code: bool,
}

/// A match that goes on with a saved game. `engine` is how the user lets the engine play.
pub(crate) fn open_saved(
    library: &Library,
    body: &[u8],
    needs: Needs,
    found: Found<'_>,
    engine: &SeatSetup,
) -> Result<NewGame, ApiError> {
    match needs {
        Needs::Nothing => open_save(library, body, found.hint, engine),
        Needs::Preset { record } => open_record(library, &record, found),
    }
}

fn open_save(
    library: &Library,
    body: &[u8],
    hint: Option<&str>,
    engine: &SeatSetup,
) -> Result<NewGame, ApiError> {
    let save = SaveFile::read(body);
    if save.variant.is_empty() && save.entries.is_empty() {
        let why = save.damage.map_or_else(String::new, |it| it.reason);
        return Err(ApiError::bad(format!("this file is not a saved game: {why}")));
    }
    let mut found = library.by_file_name(save.rules_name());
    found.extend(hint.and_then(|it| library.entry(it)));
    let Some(entry) = found.first() else {
        let name = save.rules_name().to_owned();
        return Err(ApiError::not_found(format!("no game here has the rules `{name}`"))
            .hint("Open the rule file first, then the saved game."));
    };
    // Names in the save are in the code page of the rule file.
    let file = rule_file::load(&entry.folder, &entry.file);
    let file = file.ok_or_else(|| ApiError::not_found("the rule file is gone"))?;
    let encoding = file.sources().files().first().map_or_else(Default::default, |it| it.encoding);
    let save = SaveFile::read_as(body, encoding);
    let n = match save.variant.is_empty() {
        true => file.default_variant(),
        false => file.variant_named(&save.variant),
    };
    let n = n.ok_or_else(|| {
        ApiError::not_found(format!("the rules have no variant `{}`", save.variant))
    })?;
    replayed(library.playable(&entry.id, n)?, &save, engine)
}

/// A match from a save. Seats that a computer had are the engine's; how it played there no
/// save says, so it plays as the user has set it.
fn replayed(
    playable: Arc<Playable>,
    save: &SaveFile,
    engine: &SeatSetup,
) -> Result<NewGame, ApiError> {
    let letters: Vec<char> = save.seats.chars().collect();
    let setup = |player: &boardwright_game::Player| match letters.get(player.idx()) {
        Some('C') => engine.clone(),
        _ => SeatSetup::Person { name: String::new() },
    };
    let seats = seating::seats(playable.seats().iter().map(setup).collect());
    let seed = keys::seed();
    let new = MatchSetup { seed, setup: None, seats, now: keys::now().max(0) as u64 };
    let opened = from_save(save, Arc::clone(&playable.rules), new);
    let (game, events, stop) = opened.map_err(|it| ApiError::bad(it.text().0))?;
    if let Some(stop) = stop {
        let why = stop_text(&playable, &stop.reason);
        return Err(ApiError::bad(format!("line {} of the save: {why}", stop.line)));
    }
    Ok(NewGame { playable, game, events, seed, is_solution: false })
}

fn stop_text(playable: &Playable, reason: &StopReason) -> String {
    match reason {
        StopReason::Damage(it) | StopReason::UnknownName(it) => it.clone(),
        StopReason::Illegal { text, .. } => format!("`{text}` is not legal"),
        StopReason::GameOver(outcome) => {
            format!("the game was over: {}", outcome.words(playable.ruleset()))
        }
        StopReason::Halt(halt) => playable.rules.halt_text(halt),
        StopReason::Differs(how) => how.clone(),
    }
}

/// A match from a record, by its preset: one of the library, one that is kept with a match, or
/// the one that the record contains.
fn open_record(library: &Library, record: &Record, found: Found<'_>) -> Result<NewGame, ApiError> {
    let (id, bundle) = preset_of(library, record, found)?;
    let wanted = Wanted { game: &id, n: 0, bundle, problem: None, titles: Vec::new(), notes: &[] };
    let is_known = library.entry(&id).is_some_and(|it| !it.mine);
    let playable = match is_known {
        true => preset::made(wanted).map_err(preset::broken)?,
        false => foreign_preset(wanted)?,
    };
    let playable = Arc::new(playable);
    let names = record.players.iter().map(|it| SeatSetup::Person { name: it.clone() });
    let seats = seating::seats(names.collect());
    let seed = record.seed;
    let new = MatchSetup { seed, setup: None, seats, now: keys::now().max(0) as u64 };
    let turns: Vec<(String, String)> =
        record.turns().into_iter().map(|it| (it.text, it.comment)).collect();
    if let Some(rules) = playable.foreign.clone() {
        let steps = turns.iter().map(|it| HostStep::Move(it.0.clone())).collect();
        let line = HostLine { rules, seed, steps };
        isolate::current().try_line(line, &playable.title)?;
    }
    let opened = from_record(Arc::clone(&playable.rules), new, &turns);
    let (game, events) = opened.map_err(|(turn, refusal)| {
        let (message, why) = refusal.text();
        let where_it_is = match turn {
            Some(idx) => format!("turn {} of the record: {message}", idx + 1),
            None => format!("the game cannot begin: {message}"),
        };
        ApiError::bad(where_it_is).hint(why.unwrap_or_default())
    })?;
    Ok(NewGame { playable, game, events, seed, is_solution: false })
}

fn preset_of(
    library: &Library,
    record: &Record,
    found: Found<'_>,
) -> Result<(String, Bundle), ApiError> {
    for entry in library.entries().iter().filter(|it| preset::is_preset(&it.file)) {
        let bundle = preset::read(&entry.folder, &entry.file).bundle;
        if bundle.hash() == record.preset {
            return Ok((entry.id.clone(), bundle));
        }
    }
    let kept = found.kept.map(|it| Bundle::read(&it).0);
    let brought = record.bundle.clone().filter(|it| it.hash() == record.preset);
    if kept.is_none() && brought.is_some() && !found.may_bring_code {
        let status = StatusCode::FORBIDDEN;
        return Err(ApiError::new(status, "the preset of this record is not known here")
            .hint("Only the person who runs this server can add presets."));
    }
    let bundle = kept.or(brought).ok_or_else(|| {
        ApiError::not_found("the preset of this record is not in the library")
            .hint("Open the preset first, or a record that contains it.")
    })?;
    Ok((format!("kept-{}", record.preset), bundle))
}

/// The saved game that solves a puzzle.
pub(crate) fn solution_file(playable: &Playable) -> Result<Vec<u8>, ApiError> {
    let missing = || ApiError::not_found("this game has no solution");
    let Origin::RuleFile { folder, file, .. } = &playable.origin else { return Err(missing()) };
    let files = rule_file_view::Files { folder, file };
    let name = rule_file_view::solution(playable.ruleset(), files).ok_or_else(missing)?;
    folder.read(&name).filter(|it| it.len() <= MAX_SAVE).ok_or_else(missing)
}

/// A match that shows the solution; the page plays it from the start.
pub(crate) fn solution(playable: Arc<Playable>) -> Result<NewGame, ApiError> {
    let bytes = solution_file(&playable)?;
    let save = SaveFile::read_as(&bytes, playable.ruleset().save.encoding);
    let save = SaveFile { seats: String::new(), ..save };
    let person = SeatSetup::Person { name: String::new() };
    let mut new = replayed(playable, &save, &person)?;
    new.is_solution = true;
    new.go_to_start()?;
    Ok(new)
}
