//! Pictures that come with rule files, converted to PNG.
//!
//! Rule files of thirty years come with bitmaps of many programs. Errors that old viewers
//! accepted are repaired: a wrong count of planes, a palette larger than its pixels can
//! name, and missing pixels, which become the background.

mod bmp;

use std::io::Cursor;

use image::{DynamicImage, ImageFormat, ImageReader, Limits, RgbaImage};

/// The most pixels of a picture.
pub const MOST_PIXELS: u64 = 16 << 20;

/// The longest side of a picture.
const LONGEST: u32 = 16_384;

/// The most bytes of memory that decoding may use.
const MOST_BYTES: u64 = 256 << 20;

/// The subject of a picture; pure green is transparent on pieces only.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Subject {
    /// A board: every pixel counts.
    Board,
    /// A piece: pixels of the colour (0, 255, 0) are transparent.
    Piece,
}

/// A picture as PNG.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Png {
    /// The file.
    pub bytes: Vec<u8>,
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
    /// Whether the file was damaged and repaired.
    pub is_repaired: bool,
}

/// Why a picture cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BitmapError {
    /// It is none of the formats we read: BMP, PNG, GIF, JPEG.
    UnknownFormat,
    /// It has more pixels than [`MOST_PIXELS`].
    TooLarge,
    /// It is damaged beyond repair; the decoder's words.
    Damaged(String),
}

impl std::fmt::Display for BitmapError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            BitmapError::UnknownFormat => write!(f, "not a BMP, PNG, GIF or JPEG picture"),
            BitmapError::TooLarge => write!(f, "more than {MOST_PIXELS} pixels"),
            BitmapError::Damaged(why) => write!(f, "damaged: {why}"),
        }
    }
}

impl std::error::Error for BitmapError {}

/// Reads a picture of any format that authors use.
pub fn png(bytes: &[u8], subject: Subject) -> Result<Png, BitmapError> {
    let format = image::guess_format(bytes).map_err(|_| BitmapError::UnknownFormat)?;
    if !matches!(format, ImageFormat::Bmp | ImageFormat::Png | ImageFormat::Gif | ImageFormat::Jpeg)
    {
        return Err(BitmapError::UnknownFormat);
    }
    let (image, is_repaired) = match decoded(bytes, format) {
        Ok(image) => (image, false),
        Err(BitmapError::Damaged(why)) if format == ImageFormat::Bmp => {
            let repaired = bmp::repaired(bytes, MOST_PIXELS).ok_or(BitmapError::Damaged(why))?;
            (decoded(&repaired, format)?, true)
        }
        Err(error) => return Err(error),
    };
    let mut image = image.into_rgba8();
    if subject == Subject::Piece {
        clear_green(&mut image);
    }
    let (width, height) = image.dimensions();
    let mut out = Cursor::new(Vec::new());
    let written = image.write_to(&mut out, ImageFormat::Png);
    written.map_err(|it| BitmapError::Damaged(it.to_string()))?;
    Ok(Png { bytes: out.into_inner(), width, height, is_repaired })
}

fn decoded(bytes: &[u8], format: ImageFormat) -> Result<DynamicImage, BitmapError> {
    let damaged = |it: image::ImageError| match it {
        image::ImageError::Limits(_) => BitmapError::TooLarge,
        it => BitmapError::Damaged(it.to_string()),
    };
    let size = ImageReader::with_format(Cursor::new(bytes), format).into_dimensions();
    let (width, height) = size.map_err(damaged)?;
    if u64::from(width) * u64::from(height) > MOST_PIXELS || width.max(height) > LONGEST {
        return Err(BitmapError::TooLarge);
    }
    if width == 0 || height == 0 {
        return Err(BitmapError::Damaged("it has no pixels".to_owned()));
    }
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    let mut limits = Limits::default();
    limits.max_image_width = Some(LONGEST);
    limits.max_image_height = Some(LONGEST);
    limits.max_alloc = Some(MOST_BYTES);
    reader.limits(limits);
    reader.decode().map_err(damaged)
}

fn clear_green(image: &mut RgbaImage) {
    for pixel in image.pixels_mut() {
        if pixel.0[..3] == [0, 255, 0] {
            pixel.0 = [0, 0, 0, 0];
        }
    }
}
