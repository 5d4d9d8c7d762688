//! Any bytes are a zip that is unpacked within bounds, or refused.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Some((n_files, n_bytes)) = boardwright_server::unzipped(bytes) {
        assert!(n_files <= 2000 && n_bytes <= 64 << 20);
    }
});
