//! Boards as PNG, GIF and JPEG.
//!
//! A [`Rasterizer`] draws the board of a scene once as long as it does not change, and each
//! piece once for each size, and then only copies pixels. The font is embedded, so that a
//! picture is the same on every machine.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic))]

mod encode;
mod palette;
mod rasterizer;
mod text;

pub use encode::Format;
pub use rasterizer::{MOST_PIXELS, Picture, PictureError, Rasterizer};
