//! What the engine finds out about rules before a search. The only module that tells compiled
//! rules from those that run code of their own.

use std::sync::Arc;

use boardwright_fast::Fast;
use boardwright_rules::GameRules;

use crate::{profile::Profile, values::Values};

/// The seed of the sampling that measures values.
const SEED: u64 = 0x00B0_A2D5;

/// The properties of a game.
pub(crate) fn profile(rules: &GameRules) -> Profile {
    match rules.as_compiled() {
        Some(compiled) => Profile::new(&compiled.ruleset),
        None => Profile::of_code(rules.ruleset()),
    }
}

/// The fast form of the rules, if they have one.
pub(crate) fn fast(rules: &GameRules) -> Option<Fast> {
    Fast::new(rules.as_compiled()?).ok()
}

/// The values of kinds and sites.
pub(crate) fn values(rules: &Arc<GameRules>, fast: Option<&Fast>, profile: &Profile) -> Values {
    match rules.as_compiled() {
        Some(compiled) => Values::new(compiled, fast, profile, SEED),
        None => Values::of_play(rules, profile, SEED),
    }
}
