//! Any text is settings, an import, a bundle, a record or a problem, if only in part.
#![no_main]

use std::sync::Arc;

use boardwright_gamecode::CodeLimits;
use boardwright_preset::{Bundle, Game, Preset, Problem, Record, Settings, import};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let imported = import::read(&text);
    let written = imported.bundle.settings.write(true);
    assert_eq!(Settings::read(&written).0.write(true), written, "settings read back");
    let (bundle, _) = Bundle::read(&text);
    assert_eq!(Bundle::read(&bundle.write()).0.hash(), bundle.hash(), "a bundle reads back");
    if let Ok(record) = Record::read(&text) {
        record.lines();
        record.turns();
    }
    let (problem, _) = Problem::read(&text);
    let limits = CodeLimits { steps: 50_000, elements: 100_000, array: 20_000, ..CodeLimits::default() };
    let _ = problem.start(&imported.bundle, &limits);
    for bundle in [imported.bundle, bundle] {
        let Ok(preset) = Preset::new(bundle, &limits) else { continue };
        let Ok(mut game) = Game::start(Arc::new(preset), 1) else { continue };
        for turn in text.lines().take(6) {
            let _ = game.play(turn);
        }
        let moves = game.told_moves().unwrap_or_default();
        for turn in moves.iter().take(3) {
            let _ = game.play(turn);
        }
    }
});
