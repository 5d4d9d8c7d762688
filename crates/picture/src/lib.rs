//! Boards as PNG, GIF and JPEG.
//!
//! An [`Easel`] draws a scene: the board once for as long as it stays the same,
//! each piece once a size, and then only copies pixels. The font is within, so that a
//! picture is the same on every machine.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic))]

mod easel;
mod encode;
mod palette;
mod text;

pub use easel::{Easel, MOST_PIXELS, Picture, PictureError};
pub use encode::Format;
