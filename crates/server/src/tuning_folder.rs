//! Engine tunings in a folder, one file for each ruleset.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use boardwright_engine::{Tuning, TuningStore};
use boardwright_rules::GameRules;

/// A folder of tunings. Without a folder nothing is kept, and everything else works.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TuningFolder(Option<PathBuf>);

impl TuningFolder {
    /// The tunings in a folder, which is made when the first one is saved.
    pub fn new(folder: Option<PathBuf>) -> TuningFolder {
        TuningFolder(folder)
    }

    /// The file of the rules; `None` without a folder.
    pub fn path(&self, rules: &GameRules) -> Option<PathBuf> {
        self.file(rules.fingerprint())
    }

    fn file(&self, fingerprint: u64) -> Option<PathBuf> {
        self.0.as_deref().map(|it: &Path| it.join(format!("{fingerprint:016x}.txt")))
    }
}

impl TuningStore for TuningFolder {
    type Error = io::Error;

    fn load_text(&self, fingerprint: u64) -> Option<String> {
        let path = self.file(fingerprint)?;
        let found = fs::metadata(&path).ok()?;
        if !found.is_file() || found.len() > Tuning::MOST_BYTES {
            return None;
        }
        fs::read_to_string(path).ok()
    }

    fn save_text(&self, fingerprint: u64, text: &str) -> io::Result<()> {
        let path = self.file(fingerprint).ok_or(io::ErrorKind::NotFound)?;
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        // Written beside it and renamed, so that a concurrent reader sees the old or the new text.
        let fresh = path.with_extension(format!("{}.new", std::process::id()));
        let written = fs::write(&fresh, text).and_then(|()| fs::rename(&fresh, &path));
        if written.is_err() {
            let _ = fs::remove_file(&fresh);
        }
        written
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_kept_and_replaced() {
        let folder = tempfile::tempdir().expect("a folder");
        let tunings = TuningFolder::new(Some(folder.path().join("tuned")));
        assert_eq!(tunings.load_text(7), None);
        for text in ["one", "two"] {
            tunings.save_text(7, text).expect("it is kept");
            assert_eq!(tunings.load_text(7).as_deref(), Some(text));
        }
        assert_eq!(tunings.load_text(8), None);
        assert!(TuningFolder::new(None).save_text(7, "text").is_err());
        // A folder that cannot be made is an error, not a panic.
        let file = folder.path().join("file");
        fs::write(&file, "").expect("it is written");
        assert!(TuningFolder::new(Some(file)).save_text(7, "text").is_err());
    }
}
