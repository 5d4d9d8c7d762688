//! Draws scenes as pixels.

use std::{collections::HashMap, fmt};

use boardwright_render::scene::{Image, Scene, Sprite, Stage};
use resvg::{
    tiny_skia::{Pixmap, PixmapPaint, Transform},
    usvg::{self, Tree},
};

use crate::text;

/// The most pixels of a picture.
pub const MOST_PIXELS: u64 = 16_000_000;

/// The longest side of a picture, in pixels; the limit of the file formats.
const LONGEST: u32 = 65_000;

/// The most drawn pieces that are cached.
const MOST_KEPT: usize = 512;

/// Why a scene cannot be drawn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PictureError {
    /// The picture would have too many pixels.
    TooLarge {
        /// Its width.
        width: u64,
        /// Its height.
        height: u64,
    },
    /// A part of the scene cannot be drawn.
    Broken(String),
}

impl fmt::Display for PictureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PictureError::TooLarge { width, height } => {
                write!(
                    f,
                    "the picture would have {width} × {height} pixels; the limit is {MOST_PIXELS} in all"
                )
            }
            PictureError::Broken(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for PictureError {}

/// A picture as pixels.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Picture {
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Red, green, blue and opacity of each pixel, by rows from the top.
    pub rgba: Vec<u8>,
}

/// Draws scenes, and caches the board and the pieces that they share.
#[derive(Default)]
pub struct Rasterizer {
    /// The last board without pieces.
    backdrop: Option<(String, Pixmap)>,
    pieces: HashMap<(Image, u32, bool), Option<Pixmap>>,
}

impl Rasterizer {
    /// A rasterizer with an empty cache.
    pub fn new() -> Rasterizer {
        Rasterizer::default()
    }

    /// Draws a scene in its natural size.
    pub fn draw(&mut self, scene: &Scene) -> Result<Picture, PictureError> {
        let stage = scene.stage();
        let pixels = scene.pixels();
        let (width, height) = stage.size();
        let (width, height) = ((width * pixels).ceil() as u64, (height * pixels).ceil() as u64);
        let is_too_long = width.max(height) > u64::from(LONGEST);
        if is_too_long || width * height > MOST_PIXELS {
            return Err(PictureError::TooLarge { width, height });
        }
        let mut canvas = self.backdrop(&stage, (width as u32, height as u32), pixels)?;
        for sprite in &stage.sprites {
            self.put(&mut canvas, &stage, sprite, pixels);
        }
        let (width, height) = (canvas.width(), canvas.height());
        Ok(Picture { width, height, rgba: canvas.take_demultiplied() })
    }

    /// The board without its pieces.
    fn backdrop(
        &mut self,
        stage: &Stage,
        (width, height): (u32, u32),
        pixels: f64,
    ) -> Result<Pixmap, PictureError> {
        let svg = stage.backdrop();
        let kept = self.backdrop.as_ref().filter(|(it, pixmap)| {
            *it == svg && (pixmap.width(), pixmap.height()) == (width, height)
        });
        if let Some((_, pixmap)) = kept {
            return Ok(pixmap.clone());
        }
        let broken = |it: usvg::Error| PictureError::Broken(format!("the board: {it}"));
        let tree = tree(&text::outlined(&svg)).map_err(broken)?;
        let too_large = PictureError::TooLarge { width: width.into(), height: height.into() };
        let mut pixmap = Pixmap::new(width, height).ok_or(too_large)?;
        // Trees measure from the corner of what is seen.
        let scale = Transform::from_scale(pixels as f32, pixels as f32);
        resvg::render(&tree, scale, &mut pixmap.as_mut());
        self.backdrop = Some((svg, pixmap.clone()));
        Ok(pixmap)
    }

    fn put(&mut self, canvas: &mut Pixmap, stage: &Stage, sprite: &Sprite, pixels: f64) {
        let Some(image) = stage.symbols.get(&sprite.symbol) else { return };
        let side = (sprite.side * pixels).round().clamp(1.0, 4000.0) as u32;
        let [left, top, ..] = stage.frame;
        let corner = |middle: f64, from: f64| {
            ((middle - from) * pixels - f64::from(side) / 2.0).round() as i32
        };
        let (x, y) = (corner(sprite.x, left), corner(sprite.y, top));
        let key = (image.clone(), side, sprite.turn);
        if !self.pieces.contains_key(&key) {
            if self.pieces.len() >= MOST_KEPT {
                self.pieces.clear();
            }
            let drawn = piece(image, side, sprite.turn);
            self.pieces.insert(key.clone(), drawn);
        }
        if let Some(Some(piece)) = self.pieces.get(&key) {
            let paint = PixmapPaint::default();
            canvas.draw_pixmap(x, y, piece.as_ref(), &paint, Transform::identity(), None);
        }
    }
}

/// A piece on a transparent ground; `None` if its picture cannot be read.
fn piece(image: &Image, side: u32, turn: bool) -> Option<Pixmap> {
    let pixmap = match image {
        Image::Drawing(inner) => {
            let svg = format!(
                r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">{inner}</svg>"#
            );
            svg_piece(&text::outlined(&svg), side)?
        }
        Image::Svg(bytes) => svg_piece(std::str::from_utf8(bytes).ok()?, side)?,
        Image::Png(bytes) => bitmap_piece(bytes, side)?,
    };
    if !turn {
        return Some(pixmap);
    }
    let mut turned = Pixmap::new(side, side)?;
    let pixels = pixmap.pixels().iter().rev();
    turned.pixels_mut().iter_mut().zip(pixels).for_each(|(to, from)| *to = *from);
    Some(turned)
}

fn svg_piece(svg: &str, side: u32) -> Option<Pixmap> {
    let tree = tree(svg).ok()?;
    let mut pixmap = Pixmap::new(side, side)?;
    let (width, height) = (tree.size().width(), tree.size().height());
    let scale = side as f32 / width.max(height);
    let (dx, dy) = ((side as f32 - width * scale) / 2.0, (side as f32 - height * scale) / 2.0);
    let place = Transform::from_scale(scale, scale).post_translate(dx, dy);
    resvg::render(&tree, place, &mut pixmap.as_mut());
    Some(pixmap)
}

fn bitmap_piece(bytes: &[u8], side: u32) -> Option<Pixmap> {
    let mut reader = image::ImageReader::new(std::io::Cursor::new(bytes));
    reader.set_format(image::ImageFormat::Png);
    let mut limits = image::Limits::default();
    limits.max_alloc = Some(64 << 20);
    (limits.max_image_width, limits.max_image_height) = (Some(4096), Some(4096));
    reader.limits(limits);
    let picture = reader.decode().ok()?.to_rgba8();
    let longest = picture.width().max(picture.height()).max(1);
    let fit = |it: u32| (it * side / longest).clamp(1, side);
    let (width, height) = (fit(picture.width()), fit(picture.height()));
    let filter = image::imageops::FilterType::CatmullRom;
    let small = image::imageops::resize(&picture, width, height, filter);
    let mut pixmap = Pixmap::new(side, side)?;
    let (dx, dy) = ((side - width) / 2, (side - height) / 2);
    for (x, y, pixel) in small.enumerate_pixels() {
        let [r, g, b, a] = pixel.0;
        let colour = resvg::tiny_skia::ColorU8::from_rgba(r, g, b, a).premultiply();
        let place = (y + dy) as usize * side as usize + (x + dx) as usize;
        if let Some(it) = pixmap.pixels_mut().get_mut(place) {
            *it = colour;
        }
    }
    Some(pixmap)
}

/// Parses an SVG text; references to other files are ignored.
fn tree(svg: &str) -> Result<Tree, usvg::Error> {
    let options = usvg::Options {
        image_href_resolver: usvg::ImageHrefResolver {
            resolve_data: Box::new(|_, _, _| None),
            resolve_string: Box::new(|_, _| None),
        },
        ..usvg::Options::default()
    };
    Tree::from_str(svg, &options)
}
