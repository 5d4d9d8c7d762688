//! Any bytes are a picture or none, within the limits of pixels.
#![no_main]

use boardwright_render::bitmap::{Subject, png};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    for subject in [Subject::Board, Subject::Piece] {
        if let Ok(found) = png(bytes, subject) {
            assert!(found.bytes.starts_with(b"\x89PNG"));
            assert!(found.width > 0 && found.height > 0);
        }
    }
});
