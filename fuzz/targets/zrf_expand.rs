//! Any text expands within its limits.
#![no_main]

use boardwright_zrf::{CompileLimits, NoFiles};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let limits = CompileLimits {
        steps: 200_000,
        pasted_bytes: 1 << 18,
        printed_bytes: 1 << 22,
        ..CompileLimits::default()
    };
    let mut file = boardwright_zrf::load("fuzz.zrf", bytes, &mut NoFiles, &limits);
    let mut out = String::new();
    let _ = file.expanded(&mut out);
});
