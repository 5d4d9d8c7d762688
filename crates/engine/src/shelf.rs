//! A folder where what is found out about rules is kept, one file for each ruleset.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use boardwright_game::Ruleset;
use boardwright_play::Rules;

use crate::{
    engine::{Engine, Method, Settings},
    limits::Stop,
    trial::Trial,
    tuned::Tuned,
};

/// A folder of [`Tuned`]; without one nothing is kept, and all else goes on.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Shelf(Option<PathBuf>);

impl Shelf {
    /// The shelf in a folder, which need not be there yet.
    pub fn new(folder: Option<PathBuf>) -> Shelf {
        Shelf(folder)
    }

    /// The folder.
    pub fn folder(&self) -> Option<&Path> {
        self.0.as_deref()
    }

    /// The file for these rules.
    pub fn path(&self, ruleset: &Ruleset) -> Option<PathBuf> {
        let name = format!("{:016x}.txt", ruleset.fingerprint());
        self.0.as_ref().map(|it| it.join(name))
    }

    /// What is known of these rules; `None` if nothing is, or nothing that can be read.
    pub fn load(&self, ruleset: &Ruleset) -> Option<Tuned> {
        let path = self.path(ruleset)?;
        let found = fs::metadata(&path).ok()?;
        if !found.is_file() || found.len() > Tuned::LARGEST {
            return None;
        }
        Tuned::from_text(&fs::read_to_string(path).ok()?)
    }

    /// Keeps what was found out.
    ///
    /// # Errors
    ///
    /// If there is no folder, or it cannot be written to.
    pub fn save(&self, ruleset: &Ruleset, tuned: &Tuned) -> io::Result<PathBuf> {
        let path = self.path(ruleset).ok_or(io::ErrorKind::NotFound)?;
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        // Whoever reads at the same time must see all or nothing, whoever else writes.
        let fresh = path.with_extension(format!("{}.new", std::process::id()));
        let written = fs::write(&fresh, tuned.to_text()).and_then(|()| fs::rename(&fresh, &path));
        if written.is_err() {
            let _ = fs::remove_file(&fresh);
        }
        written.map(|()| path)
    }

    /// An engine with what is known of its rules.
    pub fn engine(&self, rules: Arc<Rules>, settings: Settings) -> Engine {
        match self.load(&rules.ruleset) {
            Some(tuned) => Engine::with_tuned(rules, settings, &tuned),
            None => Engine::new(rules, settings),
        }
    }

    /// Lets an engine try out which way of looking suits its rules, where they leave that in
    /// doubt and it is not known yet: that takes seconds, once. What comes of it is kept.
    pub fn try_out(&self, engine: &mut Engine, stop: &Stop) {
        if !engine.is_tried()
            && let Some(method) = self.trial(engine.rules(), stop)
        {
            engine.suit(method);
        }
    }

    /// Finds out which way of looking suits rules, and keeps it; `None` where they leave no
    /// doubt, or it was stopped.
    pub fn trial(&self, rules: &Arc<Rules>, stop: &Stop) -> Option<Method> {
        let found = Trial::new(rules)?.run(stop)?;
        let known = self.load(&rules.ruleset).unwrap_or_else(|| Tuned::of(&rules.ruleset));
        // Where nothing can be kept it is tried again the next time.
        let _ = self.save(&rules.ruleset, &Tuned { tried: Some(found), ..known });
        Some(found)
    }
}
