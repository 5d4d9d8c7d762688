//! A game as a picture.
//!
//! [`Layout::of`] recognises what sort of board the author's rectangles and links
//! describe and where everything is drawn, [`Layout::of_game`] also knows the shapes that
//! presets name; [`looks`] says how each piece looks; [`scene::Scene::of`] puts a state of
//! either kind of game together, [`svg`] draws it as one SVG text; [`bitmap`] reads the
//! pictures that authors ship. Nothing here decides a rule, and nothing touches a disk.

pub mod bitmap;
pub mod html;
mod language;
mod layout;
pub mod looks;
pub mod pictures;
mod pieces;
pub mod scene;
pub mod svg;
pub mod text_board;

pub use language::{SceneSource, StateCodeError};
pub use layout::{Cell, Coord, Layout, Level, Paint, Side, Stroke, Style};
pub use pieces::piece_svg;
