//! Picture files: PNG, GIF and JPEG.

use boardwright_render::scene::Finish;
use image::{
    ExtendedColorType, ImageEncoder,
    codecs::{
        jpeg::JpegEncoder,
        png::{CompressionType, FilterType, PngEncoder},
    },
};

use crate::{
    palette::Palette,
    rasterizer::{Picture, PictureError},
};

/// A file format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// All colours, transparent around the board.
    Png,
    /// At most 256 colours, on white.
    Gif,
    /// All colours, lossy, on white.
    Jpg,
}

impl Picture {
    /// Encodes the picture; quality and number of colours are those of the scene.
    pub fn encode(&self, format: Format, finish: &Finish) -> Result<Vec<u8>, PictureError> {
        match format {
            Format::Png => self.png(),
            Format::Gif => self.gif(finish.max_colours),
            Format::Jpg => self.jpg(finish.quality),
        }
    }

    fn png(&self) -> Result<Vec<u8>, PictureError> {
        let mut out = Vec::new();
        let encoder =
            PngEncoder::new_with_quality(&mut out, CompressionType::Default, FilterType::NoFilter);
        encoder
            .write_image(&self.rgba, self.width, self.height, ExtendedColorType::Rgba8)
            .map_err(broken)?;
        Ok(out)
    }

    fn jpg(&self, quality: u32) -> Result<Vec<u8>, PictureError> {
        let mut out = Vec::new();
        let encoder = JpegEncoder::new_with_quality(&mut out, quality.clamp(1, 100) as u8);
        encoder
            .write_image(&self.on_white(), self.width, self.height, ExtendedColorType::Rgb8)
            .map_err(broken)?;
        Ok(out)
    }

    fn gif(&self, most: u32) -> Result<Vec<u8>, PictureError> {
        let rgb = self.on_white();
        let palette = Palette::of(&rgb, most.clamp(2, 256) as usize);
        let (Ok(width), Ok(height)) = (u16::try_from(self.width), u16::try_from(self.height))
        else {
            let (width, height) = (self.width.into(), self.height.into());
            return Err(PictureError::TooLarge { width, height });
        };
        let mut out = Vec::new();
        {
            let mut encoder =
                gif::Encoder::new(&mut out, width, height, &palette.flat()).map_err(broken)?;
            let frame = gif::Frame {
                width,
                height,
                buffer: palette.numbers(&rgb).into(),
                ..gif::Frame::default()
            };
            encoder.write_frame(&frame).map_err(broken)?;
        }
        Ok(out)
    }

    /// The pixels as red, green and blue, on white.
    pub fn on_white(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.rgba.len() / 4 * 3);
        for pixel in self.rgba.chunks_exact(4) {
            let &[r, g, b, a] = pixel else { continue };
            let over = |it: u8| {
                let (it, a) = (u32::from(it), u32::from(a));
                ((it * a + 255 * (255 - a) + 127) / 255) as u8
            };
            out.extend([over(r), over(g), over(b)]);
        }
        out
    }
}

fn broken(error: impl std::fmt::Display) -> PictureError {
    PictureError::Broken(error.to_string())
}
