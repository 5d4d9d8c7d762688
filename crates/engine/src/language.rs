//! What the engine finds out about rules before a search. The only module that tells compiled
//! rules from those that run code of their own.

use std::sync::Arc;

use boardwright_fast::Fast;
use boardwright_rules::{GameMove, GameRules};

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

/// Whether a move is known to capture and promote nothing; what a turn of code does shows only
/// on the board, so it counts as quiet.
pub(crate) fn is_quiet(mv: &GameMove) -> bool {
    let mv = mv.as_compiled();
    mv.is_none_or(|it| it.captures().next().is_none() && it.promotion().is_none())
}
