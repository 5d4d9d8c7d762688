//! Where the terminal program keeps engine tunings: beside the user's data.

use std::path::PathBuf;

use boardwright_server::TuningFolder;

use crate::serve;

/// The message that is shown while a trial of the two search methods runs.
pub(crate) const TRYING: &str =
    "Comparing search methods for this game; this takes a few seconds, once.";

/// The folder of tunings; `None` if the system names no folder for the user's data.
pub(crate) fn home() -> Option<PathBuf> {
    serve::data_folder().map(|it| it.join("tuned"))
}

/// The tunings in that folder.
pub(crate) fn folder() -> TuningFolder {
    TuningFolder::new(home())
}
