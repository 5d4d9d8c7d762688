//! Authors' pictures: sound ones, damaged ones, and none at all.

#![expect(clippy::unwrap_used, reason = "a test may stop where it stands")]

use std::io::Cursor;

use boardwright_render::bitmap::{BitmapError, Subject, png};
use image::{ImageFormat, Rgb, RgbImage};

/// A picture of 6 by 4: green, with one red pixel and one that is nearly green.
fn picture() -> RgbImage {
    let mut image = RgbImage::from_pixel(6, 4, Rgb([0, 255, 0]));
    image.put_pixel(2, 1, Rgb([200, 10, 20]));
    image.put_pixel(3, 1, Rgb([0, 254, 0]));
    image
}

fn file(format: ImageFormat) -> Vec<u8> {
    let mut out = Cursor::new(Vec::new());
    picture().write_to(&mut out, format).unwrap();
    out.into_inner()
}

/// A BMP of `depth` bits with a palette of `n_colours`, each pixel its column's number.
fn palette_bmp(depth: u16, n_colours: u32, width: u32, height: u32) -> Vec<u8> {
    let row = (width * u32::from(depth)).div_ceil(32) * 4;
    let n_entries = n_colours.min(1 << depth);
    let pixels = 14 + 40 + 4 * n_entries;
    let mut file = b"BM".to_vec();
    file.extend((pixels + row * height).to_le_bytes());
    file.extend([0; 4]);
    file.extend(pixels.to_le_bytes());
    file.extend(40_u32.to_le_bytes());
    file.extend(width.to_le_bytes());
    file.extend(height.to_le_bytes());
    file.extend(1_u16.to_le_bytes());
    file.extend(depth.to_le_bytes());
    file.extend([0; 16]);
    file.extend(n_colours.to_le_bytes());
    file.extend([0; 4]);
    for n in 0..n_entries {
        file.extend([(n * 40) as u8, 0, 7, 0]);
    }
    for _ in 0..height {
        let per_byte = 8 / u32::from(depth);
        for byte in 0..row {
            let mut bits = 0_u8;
            for n in 0..per_byte {
                let column = byte * per_byte + n;
                let number = if column < width { column % n_entries } else { 0 };
                bits |= (number as u8) << (8 - u32::from(depth) * (n + 1));
            }
            file.push(bits);
        }
    }
    file
}

fn pixels(bytes: &[u8]) -> image::RgbaImage {
    image::load_from_memory_with_format(bytes, ImageFormat::Png).unwrap().into_rgba8()
}

#[test]
fn green_is_see_through_on_pieces_only() {
    for format in [ImageFormat::Bmp, ImageFormat::Png, ImageFormat::Gif] {
        let piece = png(&file(format), Subject::Piece).unwrap();
        assert_eq!((piece.width, piece.height, piece.is_repaired), (6, 4, false));
        let image = pixels(&piece.bytes);
        assert_eq!(image.get_pixel(0, 0).0[3], 0, "{format:?}");
        assert_eq!(image.get_pixel(2, 1).0, [200, 10, 20, 255], "{format:?}");
        assert_eq!(image.get_pixel(3, 1).0[3], 255, "{format:?}: nearly green stays");
        let board = png(&file(format), Subject::Board).unwrap();
        assert_eq!(pixels(&board.bytes).get_pixel(0, 0).0, [0, 255, 0, 255], "{format:?}");
    }
    let photo = png(&file(ImageFormat::Jpeg), Subject::Board).unwrap();
    assert_eq!((photo.width, photo.height), (6, 4));
}

#[test]
fn wrong_planes_are_repaired() {
    let mut file = file(ImageFormat::Bmp);
    file[26] = 0;
    let repaired = png(&file, Subject::Board).unwrap();
    assert!(repaired.is_repaired);
    assert_eq!(pixels(&repaired.bytes).get_pixel(2, 1).0, [200, 10, 20, 255]);
}

#[test]
fn a_palette_that_is_too_large_is_repaired() {
    let sound = png(&palette_bmp(4, 16, 5, 3), Subject::Board).unwrap();
    let mut file = palette_bmp(4, 16, 5, 3);
    file[46..50].copy_from_slice(&300_u32.to_le_bytes());
    let repaired = png(&file, Subject::Board).unwrap();
    assert!(!sound.is_repaired && repaired.is_repaired);
    assert_eq!(pixels(&repaired.bytes), pixels(&sound.bytes));
}

#[test]
fn missing_pixels_are_background() {
    let whole = palette_bmp(8, 256, 10, 6);
    for cut in [1, 7, 30, 59] {
        let repaired = png(&whole[..whole.len() - cut], Subject::Board).unwrap();
        assert!(repaired.is_repaired, "{cut}");
        let image = pixels(&repaired.bytes);
        assert_eq!(image.dimensions(), (10, 6));
        // Rows run upwards: what is cut off is the top.
        assert_eq!(image.get_pixel(3, 5).0, [7, 0, 120, 255], "{cut}");
    }
}

#[test]
fn hopeless_files_are_refused() {
    assert_eq!(png(b"", Subject::Piece), Err(BitmapError::UnknownFormat));
    assert_eq!(png(b"MZ nothing to see", Subject::Piece), Err(BitmapError::UnknownFormat));
    assert!(matches!(png(b"BM", Subject::Piece), Err(BitmapError::Damaged(_))));
    let mut huge = file(ImageFormat::Bmp);
    huge[18..22].copy_from_slice(&16_000_u32.to_le_bytes());
    huge[22..26].copy_from_slice(&16_000_u32.to_le_bytes());
    assert_eq!(png(&huge, Subject::Board), Err(BitmapError::TooLarge));
}

#[test]
fn no_damage_panics() {
    for sound in [file(ImageFormat::Bmp), file(ImageFormat::Gif), palette_bmp(4, 16, 9, 5)] {
        for end in 0..sound.len() {
            let _ = png(&sound[..end], Subject::Piece);
        }
        for at in 0..sound.len().min(80) {
            for value in [0, 1, 127, 128, 255] {
                let mut damaged = sound.clone();
                damaged[at] = value;
                let _ = png(&damaged, Subject::Piece);
            }
        }
    }
}
