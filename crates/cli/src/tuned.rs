//! What training found out about rules, stored in the user's data folder.

use std::path::PathBuf;

use boardwright_engine::Shelf;

use crate::serve;

/// The message while search and playouts are compared to find the better method.
pub(crate) const TRYING: &str =
    "Comparing search methods for this game; this takes a few seconds, once.";

/// The folder in which results of training are stored.
pub(crate) fn home() -> Option<PathBuf> {
    serve::data_folder().map(|it| it.join("tuned"))
}

/// The store in that folder.
pub(crate) fn shelf() -> Shelf {
    Shelf::new(home())
}
