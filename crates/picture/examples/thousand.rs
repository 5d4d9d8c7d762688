//! Draws a thousand boards of chess, each another one, and says how long that took.

#![allow(clippy::disallowed_methods, reason = "it measures time")]

use std::{io::Write, sync::Arc, time::Instant};

use boardwright_gamecode::CodeLimits;
use boardwright_picture::{Format, Rasterizer};
use boardwright_preset::{Bundle, Game, Preset};
use boardwright_render::scene::Scene;

fn main() -> std::io::Result<()> {
    let preset =
        Preset::new(Bundle::default(), &CodeLimits::default()).expect("chess is the default");
    let game = Game::start(Arc::new(preset), 1).expect("starts");
    let mut scene = Scene::of(&game, None);
    let mut out = std::io::stdout().lock();
    for format in [Format::Png, Format::Gif, Format::Jpg] {
        let mut rasterizer = Rasterizer::new();
        let start = Instant::now();
        let mut n_bytes = 0;
        for n in 0..1000_usize {
            let n_pieces = scene.pieces.len();
            for (idx, piece) in scene.pieces.iter_mut().enumerate() {
                piece.site.0 = ((idx * 2 + n * (idx % 7 + 1)) % 64) as u16;
            }
            scene.pieces.rotate_left(n % n_pieces);
            let picture = rasterizer.draw(&scene).expect("can be drawn");
            n_bytes += picture.encode(format, &scene.finish).expect("can be written").len();
        }
        let (time, kb) = (start.elapsed(), n_bytes / 1_000_000);
        writeln!(out, "1000 boards as {format:?}: {time:.2?}, {kb} kB each")?;
    }
    let start = Instant::now();
    let n_bytes: usize = (0..1000).map(|_| scene.svg().len()).sum();
    writeln!(out, "1000 boards as Svg: {:.2?}, {} kB each", start.elapsed(), n_bytes / 1_000_000)
}
