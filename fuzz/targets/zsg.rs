//! Any bytes are a saved game, if only up to the first line.
#![no_main]

use boardwright_play::zsg::SaveFile;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let save = SaveFile::read(bytes);
    if save.damage.is_none() {
        // By its look alone, other bytes might be taken for another code page.
        let again = SaveFile::read_as(&save.to_bytes(), save.encoding);
        let entries = |it: &SaveFile| it.entries.iter().map(|it| it.1.clone()).collect::<Vec<_>>();
        assert_eq!(entries(&again), entries(&save));
    }
});
