//! What the checks on the shape of the project share: see `tests/tidy`.

pub mod packages;
pub mod scan;
