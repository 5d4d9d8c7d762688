//! What was found out about rules, kept beside the user's data.

use std::path::PathBuf;

use boardwright_engine::Shelf;

use crate::serve;

/// The folder for it.
pub(crate) fn home() -> Option<PathBuf> {
    serve::data_folder().map(|it| it.join("tuned"))
}

/// The shelf in that folder.
pub(crate) fn shelf() -> Shelf {
    Shelf::new(home())
}
