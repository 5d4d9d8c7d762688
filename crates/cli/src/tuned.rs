//! What was found out about rules, kept beside the user's data.

use std::path::PathBuf;

use boardwright_engine::Shelf;

use crate::serve;

/// What is said while both ways of looking are tried against each other.
pub(crate) const TRYING: &str =
    "Finding out how best to think about this game; it takes a few seconds, once.";

/// The folder for it.
pub(crate) fn home() -> Option<PathBuf> {
    serve::data_folder().map(|it| it.join("tuned"))
}

/// The shelf in that folder.
pub(crate) fn shelf() -> Shelf {
    Shelf::new(home())
}
