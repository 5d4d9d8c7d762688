//! Where tunings are kept between runs: an interface, since this crate touches no files.

use std::sync::Arc;

use boardwright_rules::GameRules;

use crate::{
    engine::{Engine, EngineSettings, Method},
    limits::StopFlag,
    method_trial::MethodTrial,
    tuning::Tuning,
};

/// Keeps the texts of [`Tuning`]s, one for each ruleset.
pub trait TuningStore {
    /// Why a text could not be kept.
    type Error;

    /// The text that was saved for these rules; `None` if there is none that can be read.
    fn load_text(&self, fingerprint: u64) -> Option<String>;

    /// Keeps a text for these rules instead of the one before.
    fn save_text(&self, fingerprint: u64, text: &str) -> Result<(), Self::Error>;

    /// The tuning of these rules, if there is one.
    fn load(&self, rules: &GameRules) -> Option<Tuning> {
        Tuning::from_text(&self.load_text(rules.fingerprint())?)
    }

    /// Keeps a tuning of these rules.
    fn save(&self, rules: &GameRules, tuning: &Tuning) -> Result<(), Self::Error> {
        self.save_text(rules.fingerprint(), &tuning.to_text())
    }

    /// An engine with the tuning of its rules.
    fn engine(&self, rules: Arc<GameRules>, settings: EngineSettings) -> Engine {
        match self.load(&rules) {
            Some(tuning) => Engine::with_tuning(rules, settings, &tuning),
            None => Engine::new(rules, settings),
        }
    }

    /// Runs a trial for an engine that has no result of one yet, where its rules leave the
    /// method in doubt, and keeps the result. Takes up to a few seconds.
    fn ensure_trial(&self, engine: &mut Engine, stop: &StopFlag) {
        if !engine.has_trial_result()
            && let Some(method) = self.run_trial(engine.rules(), stop)
        {
            engine.set_trial_result(method);
        }
    }

    /// Runs a trial and keeps its result; `None` where the rules settle the method, or if it
    /// was stopped.
    fn run_trial(&self, rules: &Arc<GameRules>, stop: &StopFlag) -> Option<Method> {
        let found = MethodTrial::new(rules)?.run(stop)?;
        let known = self.load(rules).unwrap_or_else(|| Tuning::of(rules));
        // If it cannot be kept, the trial is run again next time.
        let _ = self.save(rules, &Tuning { trial_method: Some(found), ..known });
        Some(found)
    }
}
