//! Any text compiles to rulesets whose every number is in range, or to errors.
#![no_main]

use boardwright_zrf::{CompileLimits, NoFiles};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let limits = CompileLimits {
        steps: 200_000,
        pasted_bytes: 1 << 18,
        sites: 500,
        links: 20_000,
        ops: 100_000,
        ..CompileLimits::default()
    };
    let mut file = boardwright_zrf::load("fuzz.zrf", bytes, &mut NoFiles, &limits);
    file.check();
    for idx in 0..file.variants().len().min(4) {
        if let Some(rules) = file.compile(idx) {
            rules.check().expect("a compiled ruleset keeps its promises");
        }
    }
    for diagnostic in file.diagnostics().iter().take(20) {
        boardwright_text::render::render(diagnostic, file.sources(), false);
    }
});
