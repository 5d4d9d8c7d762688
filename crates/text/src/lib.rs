//! Source text and what we say about it; knows no games.
//!
//! A [`Sources`] holds every file of one compilation, decoded. A [`Span`] is a
//! byte range in that collection, a [`Diagnostic`] a message about a span.
//! Everything above this crate speaks of text only through these three.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic))]

pub mod diagnostic;
mod encoding;
mod fnv;
mod lines;
mod nearest;
pub mod render;
mod source;
mod span;
mod stop;

pub use diagnostic::{Code, Diagnostic, Expansion, Label, Severity};
pub use encoding::Encoding;
pub use fnv::{Fnv1a, fnv1a};
pub use lines::{LineCol, LineIndex};
pub use nearest::nearest;
pub use source::{FileId, Source, Sources};
pub use span::Span;
pub use stop::StopSignal;
