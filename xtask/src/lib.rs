//! Checks on the shape of the project.
