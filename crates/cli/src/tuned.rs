//! What training found out, kept beside the user's data: one file for each set of rules.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::{Context, Result};
use boardwright_engine::{Engine, Settings, Tuned};
use boardwright_game::Ruleset;
use boardwright_play::Rules;

use crate::serve;

/// The file for these rules.
pub(crate) fn path(ruleset: &Ruleset) -> Option<PathBuf> {
    home().map(|it| it.join(Tuned::file_name(ruleset)))
}

/// The folder for what training found out.
pub(crate) fn home() -> Option<PathBuf> {
    serve::data_folder().map(|it| it.join("tuned"))
}

/// What is known of these rules; `None` if nothing is, or nothing that can be read.
pub(crate) fn load(ruleset: &Ruleset) -> Option<Tuned> {
    let path = path(ruleset)?;
    if fs::metadata(&path).ok()?.len() > Tuned::LARGEST {
        return None;
    }
    Tuned::from_text(&fs::read_to_string(path).ok()?)
}

/// Keeps what was found out.
pub(crate) fn save(path: &Path, tuned: &Tuned) -> Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    // Whoever reads at the same time must see all or nothing.
    let fresh = path.with_extension("new");
    fs::write(&fresh, tuned.to_text())
        .and_then(|()| fs::rename(&fresh, path))
        .with_context(|| format!("cannot write {}", path.display()))
}

/// An engine with what is known of its rules.
pub(crate) fn engine(rules: Arc<Rules>, settings: Settings) -> Engine {
    match load(&rules.ruleset) {
        Some(tuned) => Engine::with_tuned(rules, settings, &tuned),
        None => Engine::new(rules, settings),
    }
}
