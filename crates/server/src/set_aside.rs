//! Own games that are not read any more because reading them did not end well.
//!
//! Whether a game was being read when the process died is written down before it is read, so
//! that a file that kills the process does so twice at most.

use std::{fs, io, path::PathBuf};

use crate::error::LogError;

/// Times that reading a game may be cut short: the process may have been ended for any reason.
const MAX_ATTEMPTS: usize = 2;
/// Bytes of a reason.
const MAX_REASON: usize = 500;

/// The notes about games, in a folder.
#[derive(Clone, Debug)]
pub(crate) struct SetAside(PathBuf);

impl SetAside {
    pub fn new(folder: PathBuf) -> SetAside {
        SetAside(folder)
    }

    fn file(&self, id: &str, ending: &str) -> PathBuf {
        let plain: String =
            id.chars().filter(|it| it.is_ascii_alphanumeric() || "-.".contains(*it)).collect();
        self.0.join(format!("{plain}{ending}"))
    }

    fn write(&self, path: PathBuf, text: &str) {
        let written = fs::create_dir_all(&self.0).and_then(|()| fs::write(path, text));
        written.or_warn("what is known of a game that was set aside cannot be written");
    }

    /// Why a game is set aside, if it is.
    pub fn reason(&self, id: &str) -> Option<String> {
        let text = fs::read_to_string(self.file(id, ".reason")).ok()?;
        Some(text.chars().take(MAX_REASON).collect())
    }

    /// Sets a game aside.
    pub fn put(&self, id: &str, reason: &str) {
        tracing::warn!(game = %id, reason, "a game is set aside");
        self.write(self.file(id, ".reason"), reason);
    }

    /// Forgets everything about a game, so that it is read again.
    pub fn clear(&self, id: &str) {
        for ending in [".reason", ".reading"] {
            remove(self.file(id, ending));
        }
    }

    /// A game is about to be read. If that was cut short too often, it is set aside instead, and
    /// the reason given.
    pub fn begin(&self, id: &str) -> Result<(), String> {
        if let Some(reason) = self.reason(id) {
            return Err(reason);
        }
        let path = self.file(id, ".reading");
        let n = fs::read_to_string(&path).map_or(0, |it| it.len());
        if n >= MAX_ATTEMPTS {
            let reason = "Boardwright ended twice while reading it";
            self.put(id, reason);
            return Err(reason.to_owned());
        }
        self.write(path, &"x".repeat(n + 1));
        Ok(())
    }

    /// A game has been read, well or not.
    pub fn end(&self, id: &str) {
        remove(self.file(id, ".reading"));
    }
}

fn remove(path: PathBuf) {
    match fs::remove_file(path) {
        Err(cause) if cause.kind() != io::ErrorKind::NotFound => {
            tracing::warn!(%cause, "what is known of a game cannot be removed");
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_that_kills_the_process_twice_is_not_read_again() {
        let dir = tempfile::tempdir().expect("a folder");
        let aside = SetAside::new(dir.path().join("set-aside"));
        assert_eq!(aside.begin("my-pond"), Ok(()));
        // The process was killed, and starts again.
        assert_eq!(aside.begin("my-pond"), Ok(()));
        assert!(aside.begin("my-pond").is_err() && aside.reason("my-pond").is_some());
        assert_eq!(aside.begin("my-lake"), Ok(()));
        aside.end("my-lake");
        aside.clear("my-pond");
        assert_eq!(aside.begin("my-pond"), Ok(()));
        aside.put("../my-lake", "reasons");
        assert!(!dir.path().join("my-lake.reason").exists(), "it stays in its folder");
    }
}
