//! The engine finds a legal move of any rules that compile, within its nodes.
#![no_main]

use std::sync::Arc;

use boardwright_engine::{Engine, EngineSettings, SearchLimits, StopFlag};
use boardwright_play::Rules;
use boardwright_rules::{GameRules, Judging};
use boardwright_zrf::{CompileLimits, NoFiles};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let limits = CompileLimits {
        steps: 50_000,
        pasted_bytes: 1 << 16,
        sites: 64,
        links: 2000,
        ops: 5000,
        pieces: 32,
        ..CompileLimits::default()
    };
    let mut file = boardwright_zrf::load("fuzz.zrf", bytes, &mut NoFiles, &limits);
    let Some(ruleset) = file.default_variant().and_then(|it| file.compile(it)) else { return };
    let rules = Arc::new(GameRules::compiled(
        Arc::new(Rules::new(ruleset)),
        file.sources().clone(),
    ));
    let Ok(state) = rules.start(1) else { return };
    let Ok(legal) = state.legal_moves() else { return };
    let settings = EngineSettings { memory: 1 << 16, ..EngineSettings::default() };
    let mut engine = Engine::new(Arc::clone(&rules), settings);
    let report =
        engine.think(&state, &SearchLimits::nodes(200), &StopFlag::default(), &mut |_| {});
    match report.best {
        Some(best) => {
            let text = state.text_of(&best);
            assert!(state.play_text(&legal, &text, Judging::Trust).is_ok(), "{text}");
        }
        None => assert!(legal.is_empty() || state.is_chance()),
    }
});
