//! A variant of a rule file, compiled and ready to be played.

use std::{path::Path, sync::Arc};

use anyhow::{Context, Result, bail};
use boardwright_game::Ruleset;
use boardwright_play::{
    Halt, Outcome, Reason, Rules,
    zsg::{SaveFile, StopReason},
};
use boardwright_rules::GameRules;
use boardwright_text::{Encoding, FileId, nearest, render::printable};
use boardwright_zrf::RuleFile;

use crate::files;

/// One variant of a rule file, compiled.
pub(crate) struct CompiledGame {
    pub ruleset: Arc<Ruleset>,
    /// The rules as `play` and the engine run them.
    pub rules: Arc<Rules>,
    /// The same with the text of the rule file, for messages and for the referee.
    pub shared: Arc<GameRules>,
}

impl CompiledGame {
    /// A variant that was compiled from a file.
    pub(crate) fn new(ruleset: Arc<Ruleset>, file: &RuleFile) -> CompiledGame {
        let rules = Arc::new(Rules::new(Arc::clone(&ruleset)));
        let shared = Arc::new(GameRules::compiled(Arc::clone(&rules), file.sources().clone()));
        CompiledGame { ruleset, rules, shared }
    }
}

/// Messages need only the shared rules.
impl std::ops::Deref for CompiledGame {
    type Target = GameRules;

    fn deref(&self) -> &GameRules {
        &self.shared
    }
}

/// Opens a variant of a rule file: the one with this title, or the one it opens with.
pub(crate) fn open(path: &Path, title: Option<&str>) -> Result<CompiledGame> {
    open_in(files::load(path)?, path, title)
}

/// Opens a variant of a rule file that was read from `path`.
pub(crate) fn open_in(
    mut file: RuleFile,
    path: &Path,
    title: Option<&str>,
) -> Result<CompiledGame> {
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
    Ok(CompiledGame::new(ruleset, &file))
}

/// The code page of a rule file, which is also that of its saves.
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

/// The bytes of a save file of at most 4 MB.
pub(crate) fn read_save(path: &Path) -> Result<Vec<u8>> {
    const LIMIT: usize = 4 << 20;
    let bytes = files::read_bounded(path, LIMIT)?;
    if bytes.len() > LIMIT {
        bail!("{} is too large for a saved game: more than 4 MB", path.display());
    }
    Ok(bytes)
}

/// Why a replay stopped, in words.
pub(crate) fn stop_text(rules: &GameRules, reason: &StopReason) -> String {
    match reason {
        StopReason::Damage(it) | StopReason::UnknownName(it) => printable(it),
        StopReason::Illegal { text, nearest } => {
            let mut message = format!("`{}` is not legal", printable(text));
            if nearest.is_empty() {
                message.push_str("; there is no legal move");
            } else {
                let nearest: Vec<_> = nearest.iter().map(|it| printable(it)).collect();
                message.push_str(&format!("; similar legal moves: {}", nearest.join(" | ")));
            }
            message
        }
        StopReason::GameOver(outcome) => {
            format!("the game was over: {}", outcome_text(rules, outcome))
        }
        StopReason::Halt(halt) => rules.halt_text(halt),
        StopReason::Differs(how) => {
            format!(
                "the fast form and the plain interpreter differ, which is a bug: {}",
                printable(how)
            )
        }
    }
}

/// A halt as an error of the command.
pub(crate) fn halted(rules: &GameRules, halt: Halt) -> anyhow::Error {
    anyhow::anyhow!(rules.halt_text(&halt))
}

/// An outcome with the rule that decided it: `White won by (win-condition …) (line 9)`.
pub(crate) fn outcome_text(rules: &GameRules, outcome: &Outcome) -> String {
    let ending = printable(&outcome.text(rules.ruleset()));
    match outcome.reason {
        Reason::Condition { span, .. } => match rules.rule_at(span) {
            Some((rule, line)) => format!("{ending} by {rule} (line {line})"),
            None => ending,
        },
        Reason::Stalemate => format!("{ending}: no legal move"),
        Reason::Repetition => format!("{ending}: the state occurred for the third time"),
    }
}
