//! Any rules that compile can be drawn: a finite layout, and text that is escaped.
#![no_main]

use std::sync::Arc;

use boardwright_play::Rules;
use boardwright_render::{
    Layout,
    looks::PieceSet,
    svg::{DrawOptions, setup_svg},
};
use boardwright_rules::GameRules;
use boardwright_zrf::{CompileLimits, NoFiles};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let limits = CompileLimits {
        steps: 100_000,
        pasted_bytes: 1 << 18,
        sites: 400,
        links: 10_000,
        ..CompileLimits::default()
    };
    let mut file = boardwright_zrf::load("fuzz.zrf", bytes, &mut NoFiles, &limits);
    let Some(ruleset) = file.default_variant().and_then(|it| file.compile(it)) else { return };
    let rules = GameRules::compiled(Arc::new(Rules::new(ruleset)), file.sources().clone());
    let layout = Layout::of_game(&rules);
    for set in PieceSet::all_of(&rules).iter().take(2) {
        let svg = setup_svg(rules.ruleset(), &layout, set, DrawOptions::default());
        assert!(svg.starts_with("<svg"));
        assert!(!svg.contains("NaN") && !svg.contains("inf "), "{svg}");
    }
});
