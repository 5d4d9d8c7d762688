//! A variant of a rule file, ready to be played.

use std::{path::Path, sync::Arc};

use anyhow::{Context, Result, bail};
use boardwright_game::Ruleset;
use boardwright_play::{
    Halt, Outcome, Reason, State,
    zsg::{SaveFile, StopReason},
};
use boardwright_text::{Encoding, FileId, Sources, nearest, render::printable};
use boardwright_zrf::RuleFile;

use crate::files;

/// A rule file with one of its variants compiled.
pub(crate) struct Game {
    pub file: RuleFile,
    pub ruleset: Arc<Ruleset>,
}

/// Opens a variant of a rule file: the one with this title, or the one it opens with.
pub(crate) fn open(path: &Path, title: Option<&str>) -> Result<Game> {
    open_in(files::load(path)?, path, title)
}

/// Opens a variant of a rule file that was read from `path`.
pub(crate) fn open_in(mut file: RuleFile, path: &Path, title: Option<&str>) -> Result<Game> {
    let shown = path.display();
    let idx = match title {
        Some(title) => match file.variant_named(title) {
            Some(idx) => idx,
            None => bail!("{}", no_such_variant(&file, &shown.to_string(), title)),
        },
        None => file.default_variant().with_context(|| broken(&shown.to_string()))?,
    };
    let ruleset = file.compile(idx).with_context(|| broken(&shown.to_string()))?;
    ruleset.check().with_context(|| format!("{shown} was compiled incorrectly; this is a bug"))?;
    Ok(Game { file, ruleset })
}

/// The code page of a rule file, which is that of its saves.
pub(crate) fn encoding_of(file: &RuleFile) -> Encoding {
    file.sources().get(FileId(0)).map_or(Encoding::Utf8, |it| it.encoding)
}

/// The title of the variant that a save names, or why it names none.
pub(crate) fn variant_of(save: &SaveFile) -> Result<&str> {
    if !save.variant.is_empty() {
        return Ok(&save.variant);
    }
    match &save.damage {
        Some(it) => bail!("line {}: {}", it.line, printable(&it.reason)),
        None => bail!("the save names no variant"),
    }
}

fn broken(shown: &str) -> String {
    format!("{shown} has errors; `boardwright check` shows them")
}

fn no_such_variant(file: &RuleFile, shown: &str, title: &str) -> String {
    let real = || file.variants().iter().filter(|it| !it.is_separator);
    let mut message = format!("{shown} has no variant called `{}`", printable(title));
    if let Some(it) = nearest(title, real().map(|it| it.title.as_str())) {
        message.push_str(&format!("; did you mean `{}`?", printable(it)));
    } else {
        message.push_str("; `boardwright list` shows what it has");
    }
    message
}

/// The bytes of a save file, of a sensible size.
pub(crate) fn read_save(path: &Path) -> Result<Vec<u8>> {
    const LIMIT: usize = 4 << 20;
    let bytes = files::read_bounded(path, LIMIT)?;
    if bytes.len() > LIMIT {
        bail!("{} is too large for a saved game: more than 4 MB", path.display());
    }
    Ok(bytes)
}

/// Why a replay stopped, for people.
pub(crate) fn stop_text(game: &Game, reason: &StopReason) -> String {
    match reason {
        StopReason::Damage(it) | StopReason::UnknownName(it) => printable(it),
        StopReason::Illegal { text, nearest } => {
            let mut message = format!("`{}` is not legal", printable(text));
            if nearest.is_empty() {
                message.push_str("; there is no legal move");
            } else {
                let nearest: Vec<_> = nearest.iter().map(|it| printable(it)).collect();
                message.push_str(&format!("; legal moves most like it: {}", nearest.join(" | ")));
            }
            message
        }
        StopReason::GameOver(outcome) => {
            format!("the game was over: {}", outcome_text(game, outcome))
        }
        StopReason::Halt(halt) => halt_text(game, halt),
        StopReason::Differs(how) => {
            format!(
                "the fast form and the plain interpreter differ, which is a bug: {}",
                printable(how)
            )
        }
    }
}

/// A halt with names and a place.
pub(crate) fn halt_text(game: &Game, halt: &Halt) -> String {
    let name = |kind| game.ruleset.piece_name(kind).to_owned();
    let mut message = halt.message(name);
    if let Some((file, at)) = halt.span().and_then(|it| game.file.sources().line_col(it)) {
        message.push_str(&format!(" ({file}, line {})", at.line));
    }
    message
}

/// A halt as an error of the command.
pub(crate) fn halted(game: &Game, halt: Halt) -> anyhow::Error {
    anyhow::anyhow!(halt_text(game, &halt))
}

/// The end of a game in the state in which it ended, with the reason in words.
pub(crate) fn ended_text(game: &Game, state: &State, outcome: &Outcome) -> String {
    let ending = printable(&outcome.text(&game.ruleset));
    let why = printable(&state.why(outcome).text);
    match outcome.reason {
        Reason::Condition { span, .. } => {
            format!("{ending}: {why}, by {}", condition_text(game.file.sources(), span))
        }
        Reason::Stalemate | Reason::Repetition => format!("{ending}: {why}"),
    }
}

/// An outcome with the rule that decided it: `White wins: (win-condition …)`.
pub(crate) fn outcome_text(game: &Game, outcome: &Outcome) -> String {
    let ending = printable(&outcome.text(&game.ruleset));
    match outcome.reason {
        Reason::Condition { span, .. } => {
            format!("{ending} by {}", condition_text(game.file.sources(), span))
        }
        Reason::Stalemate => format!("{ending}: no legal move"),
        Reason::Repetition => format!("{ending}: the state occurred for the third time"),
    }
}

fn condition_text(sources: &Sources, span: boardwright_text::Span) -> String {
    let text: Vec<&str> = sources.snippet(span).split_whitespace().collect();
    let mut text = printable(&text.join(" "));
    if text.chars().count() > 100 {
        text = text.chars().take(97).collect::<String>() + "...";
    }
    match sources.line_col(span) {
        Some((_, at)) => format!("{text} (line {})", at.line),
        None => text,
    }
}
