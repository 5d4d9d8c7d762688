//! Any bytes are a saved game, if only up to the first line.
#![no_main]

use boardwright_play::zsg::SaveFile;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let save = SaveFile::read(bytes);
    if save.damage.is_none() {
        let again = SaveFile::read(&save.to_bytes());
        let entries = |it: &SaveFile| it.entries.iter().map(|it| it.1.clone()).collect::<Vec<_>>();
        assert_eq!(entries(&again), entries(&save));
    }
});
