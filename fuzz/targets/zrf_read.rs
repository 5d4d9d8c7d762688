//! Any bytes are read: no panic, and messages that can be drawn.
#![no_main]

use boardwright_zrf::{Files, IncludeError, Included, CompileLimits};

/// Every include gives the bytes behind the first NUL, so that files open and
/// close each other's lists.
struct Tail(Vec<u8>);

impl Files for Tail {
    fn include(&mut self, _from: &str, path: &str) -> Result<Included, IncludeError> {
        Ok(Included { name: path.to_owned(), bytes: self.0.clone() })
    }
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let at = bytes.iter().position(|&it| it == 0).unwrap_or(bytes.len());
    let (main, tail) = bytes.split_at(at);
    let limits = CompileLimits { includes: 20, include_depth: 4, ..CompileLimits::default() };
    let file = boardwright_zrf::load("fuzz.zrf", main, &mut Tail(tail.to_vec()), &limits);
    for diagnostic in file.diagnostics().iter().take(20) {
        boardwright_text::render::render(diagnostic, file.sources(), false);
    }
});
