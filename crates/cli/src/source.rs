//! Games from disk, in either language.
//!
//! This is the only module that tells rule files from presets, apart from the commands that
//! are about one language by name. Everything else works on [`GameRules`] and [`Match`].

mod drawn;
pub(crate) mod words;

use std::{path::Path, sync::Arc};

use anyhow::{Context, Result, anyhow, bail};
use boardwright_play::{State, zsg::SaveFile};
use boardwright_preset::{Record, SETTINGS_FILE};
use boardwright_referee::{self as referee, Match, MatchSetup};
use boardwright_rules::{GameOutcome, GameRules, GameState};
use boardwright_text::render::printable;

pub(crate) use self::drawn::DrawnBoard;
use crate::{board, fen, game, preset};

/// Opens a rule file, or the folder of a preset. Only rule files have variants.
pub(crate) fn open(path: &Path, variant: Option<&str>) -> Result<Arc<GameRules>> {
    if !is_preset(path) {
        return Ok(game::open(path, variant)?.shared);
    }
    if let Some(variant) = variant {
        bail!("{} is a preset: it has no variant `{}`", path.display(), printable(variant));
    }
    let preset = preset::folder::open(path)?;
    let rules = GameRules::preset(preset, None);
    Ok(Arc::new(rules.with_context(|| path.display().to_string())?))
}

/// Whether a path is the folder of a preset or its settings file.
pub(crate) fn is_preset(path: &Path) -> bool {
    path.join(SETTINGS_FILE).is_file() || path.file_name().is_some_and(|it| it == SETTINGS_FILE)
}

/// Fails for rules that the engine cannot play: presets that list no moves.
pub(crate) fn check_engine(rules: &GameRules) -> Result<()> {
    if !rules.lists_moves() {
        let title = printable(&rules.ruleset().title);
        bail!("the engine cannot play {title}: the preset does not list its legal moves");
    }
    Ok(())
}

/// A state from our own text; presets have none.
pub(crate) fn state_of_text(rules: &Arc<GameRules>, text: &str) -> Result<GameState> {
    let compiled = rules.as_compiled().context(NO_STATES)?;
    Ok(rules.state_of(State::from_text(Arc::clone(compiled), text)?))
}

/// A state from FEN.
pub(crate) fn state_of_fen(rules: &Arc<GameRules>, text: &str) -> Result<GameState> {
    Ok(rules.state_of(fen::read(rules.as_compiled().context(NO_STATES)?, text)?))
}

/// Why a state of a preset cannot be given as text.
const NO_STATES: &str = "a preset is played from its start: write `position startpos moves ...`";

/// The number of the move, from 1, where the rules count it.
pub(crate) fn move_number(state: &GameState) -> u32 {
    state.as_compiled().map_or(0, State::move_number)
}

/// How a game ended, with the rule that ended it.
pub(crate) fn outcome_text(outcome: &GameOutcome) -> String {
    let ending = printable(&outcome.text);
    match &outcome.rule {
        Some((rule, line)) => format!("{ending} by {rule} (line {line})"),
        None => format!("{ending}: {}", printable(&outcome.why)),
    }
}

/// The title of a game, and for a preset how far its code enforces the rules.
pub(crate) fn title(rules: &GameRules) -> String {
    match rules.as_preset() {
        Some(it) => {
            let name = printable(it.preset.bundle.settings.get("game"));
            format!("{name}: {}", it.start.enforcement().text())
        }
        None => printable(rules.ruleset().translated(&rules.ruleset().title)),
    }
}

/// The rules in words, as their author wrote them.
pub(crate) fn description(rules: &GameRules) -> String {
    let text = match rules.as_preset() {
        Some(it) => it.preset.bundle.settings.get("rules").to_owned(),
        None => {
            rules.ruleset().presentation.description.as_deref().unwrap_or("").replace('\\', "\n")
        }
    };
    text.lines().map(|it| printable(it.trim_end()) + "\n").collect()
}

/// The board as text, with who is to move unless the game is over.
pub(crate) fn picture(state: &GameState, is_over: bool) -> Result<String> {
    match (state.as_compiled(), state.as_preset()) {
        (Some(state), _) => Ok(board::picture(state, is_over)),
        (None, Some(game)) => {
            let mut text = Vec::new();
            preset::show::game(game, &mut text)?;
            Ok(String::from_utf8_lossy(&text).into_owned())
        }
        (None, None) => Ok(String::new()),
    }
}

/// Who is to move, in a line.
pub(crate) fn turn(state: &GameState) -> String {
    match (state.as_compiled(), state.as_preset()) {
        (Some(state), _) => board::turn(state).trim().to_owned(),
        (None, Some(game)) => preset::show::outcome(game),
        (None, None) => String::new(),
    }
}

/// The bytes of the file that a match is saved as: a save of the original program, or a record.
pub(crate) fn saved(game: &Match) -> Result<Vec<u8>> {
    let bytes = game.save()?.bytes;
    if game.rules().as_preset().is_none() {
        return Ok(bytes);
    }
    // The preset is on this disk, so the record need not contain it.
    let mut record =
        Record::read(&String::from_utf8_lossy(&bytes)).map_err(|it| anyhow!("{it}"))?;
    record.bundle = None;
    Ok(record.write().into_bytes())
}

/// A match from a file that [`saved`] wrote, and why it ends before the end of the file.
pub(crate) fn load(
    path: &Path,
    rules: &Arc<GameRules>,
    setup: MatchSetup,
) -> Result<(Match, Option<String>)> {
    let bytes = game::read_save(path)?;
    let shown = path.display();
    if let Some(it) = rules.as_preset() {
        let text = String::from_utf8_lossy(&bytes);
        let record = Record::read(&text).map_err(|it| anyhow!("{shown}: {it}"))?;
        if record.preset != it.preset.hash() {
            bail!("{shown}: the record is of another preset");
        }
        let turns = record.turns().into_iter().map(|it| (it.text, it.comment));
        let turns: Vec<(String, String)> = turns.collect();
        let setup = MatchSetup { seed: record.seed, ..setup };
        let made = referee::from_record(Arc::clone(rules), setup, &turns);
        let (game, _) = made.map_err(|(turn, why)| match turn {
            Some(turn) => anyhow!("{shown}: turn {}: {why}", turn + 1),
            None => anyhow!("{shown}: {why}"),
        })?;
        return Ok((game, None));
    }
    let ruleset = rules.ruleset();
    let save = SaveFile::read_as(&bytes, ruleset.encoding);
    let title = game::variant_of(&save).with_context(|| shown.to_string())?;
    if title != ruleset.title {
        let (title, wanted) = (printable(title), printable(&ruleset.title));
        bail!("{shown} is a game of `{title}`, not of `{wanted}`");
    }
    let (game, _, stop) = referee::from_save(&save, Arc::clone(rules), setup)?;
    let stop = stop.map(|it| format!("line {}: {}", it.line, game::stop_text(rules, &it.reason)));
    Ok((game, stop))
}
