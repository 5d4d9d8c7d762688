//! Checks on the shape of the project: see `tests/tidy.rs`.
