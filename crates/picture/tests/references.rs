//! One board of each shape by each method, compared with what is committed.
//!
//! `BLESS_PICTURES=1` writes them; then somebody must look at them.

#![allow(clippy::disallowed_methods, reason = "references are files")]

use std::{fs, path::PathBuf, sync::Arc};

use boardwright_gamecode::CodeLimits;
use boardwright_golden::PICTURES;
use boardwright_picture::{Format, Rasterizer};
use boardwright_preset::{Bundle, Game, Preset, Settings};
use boardwright_render::{
    html,
    scene::Scene,
    text_board::{TextForm, text_board},
};

/// By name: the settings of a small board.
const BOARDS: &[(&str, &str)] = &[
    (
        "square",
        "game: Four <by> Four\ncode: r-k1/pp2/4/2PP/1K-R\ncolumns: 4\ncolors: B58863 F0D9B5\nborder-color: 224422\ntext-color: gold\n",
    ),
    (
        "hex-horizontal",
        "game: Leaning\nshape: hex-horizontal\ncode: -kp/1p1/PK-\ncolumns: 3\npattern: 012.120.201.\ncolors: D18B47 E8AB6F FFCE9E\npieces:\n  K King\n  P Man\n",
    ),
    (
        "hex-vertical",
        "game: Standing\nshape: hex-vertical\ncode: pk-/1P1/-PK\ncolumns: 3\npattern: 012.120.201.\ncolors: 8CA2AD BBCCD4 DEE3E6\npieces:\n  K King\n  P Man\n",
    ),
    (
        "circular",
        "game: Ring\nshape: circular\ncode: 1KP3kp/8\ncolumns: 8\ncolors: 7FA37F E8F0D8\npieces:\n  K King\n  P Man\n",
    ),
    (
        "grid",
        "game: Triangles\nshape: grid\ncode: p1k1p/5/P1K1P\ncolumns: 5\nnext-file: 25 15 25 -15\ncolors: B58863 F0D9B5\npieces:\n  K King\n  P Man\n",
    ),
    (
        "custom",
        "game: Horseshoe\nshape: custom\ncode: kp1PK\ncoordinates:\n  a 0 0\n  b 150 0\n  c 75 75\n  d 0 150\n  e 150 150\npieces:\n  K King\n  P Man\npre-game:\n  link x a c b c d c e c;\n  link y a d d a;\n  link z b e e b;\n  link w d e e d;\n",
    ),
    (
        "levels",
        "game: Two Levels\ncode: k2-3/3-1P1/1p1-2K\ncolumns: 7\nfiles: a b c  A B C\ncolors: B58863 F0D9B5\npieces:\n  K King\n  P Man\n",
    ),
    (
        "facing",
        "game: In Hand\ncode: gk--/p2-1/1P1-1/KG--\ncolumns: 5\nfiles: 3 2 1  !h\nranks: d c b a\nsides: Black White\npattern: 1.\ncolors: E8C98B F4E0B0\npieces:\n  K King\n  G Gold\n  P Pawn\n",
    ),
];

fn scene(name: &str, text: &str) -> Scene {
    let (settings, notes) = Settings::read(text);
    assert!(notes.is_empty(), "{name}: {notes:?}");
    let bundle = Bundle { settings, includes: Vec::new() };
    let preset = Preset::new(bundle, &CodeLimits::default()).expect("has a board");
    let game = Game::start(Arc::new(preset), 1).expect("starts");
    Scene::of(&game, None)
}

fn path(file: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/references").join(file)
}

fn compare_text(file: &str, actual: &str) {
    PICTURES.compare(&path(file), actual).unwrap_or_else(|it| panic!("{it}"));
}

/// Compared by pixels, with a little room for how numbers are rounded elsewhere.
fn compare_pixels(file: &str, actual: &[u8]) {
    if PICTURES.is_blessed() {
        fs::write(path(file), actual).expect("can be written");
        return;
    }
    let expected = fs::read(path(file)).unwrap_or_default();
    let decoded = |bytes: &[u8]| image::load_from_memory(bytes).map(|it| it.to_rgba8());
    let (Ok(expected), Ok(actual)) = (decoded(&expected), decoded(actual)) else {
        panic!("{file} cannot be read; {} writes it", PICTURES.command());
    };
    assert_eq!(expected.dimensions(), actual.dimensions(), "{file}");
    let far = |a: &image::Rgba<u8>, b: &image::Rgba<u8>| {
        a.0.iter().zip(b.0).any(|(a, b)| a.abs_diff(b) > 12)
    };
    let n_pixels = expected.pixels().len();
    let n_far = expected.pixels().zip(actual.pixels()).filter(|(a, b)| far(a, b)).count();
    assert!(n_far * 1000 <= n_pixels, "{file}: {n_far} of {n_pixels} pixels differ");
}

#[test]
fn every_shape_by_every_method() {
    let mut rasterizer = Rasterizer::new();
    for (name, text) in BOARDS {
        let mut scene = scene(name, text);
        compare_text(&format!("{name}.txt"), &text_board(&scene, TextForm::Diagram));
        compare_text(&format!("{name}.table.html"), &html::table(&scene));
        compare_text(&format!("{name}.css.html"), &html::overlay(&scene));
        compare_text(&format!("{name}.svg"), &scene.svg());
        scene.finish.scale = 50;
        let picture = rasterizer.draw(&scene).expect("can be drawn");
        for (format, end) in [(Format::Png, "png"), (Format::Gif, "gif"), (Format::Jpg, "jpg")] {
            let bytes = picture.encode(format, &scene.finish).expect("can be written");
            compare_pixels(&format!("{name}.{end}"), &bytes);
        }
    }
}

#[test]
fn the_second_player_sees_it_turned() {
    for name in ["square", "hex-vertical", "circular", "levels", "facing"] {
        let text = BOARDS.iter().find(|it| it.0 == name).expect("is one of them").1;
        let mut scene = scene(name, text);
        scene.flip();
        compare_text(&format!("{name}-flipped.txt"), &text_board(&scene, TextForm::Diagram));
        scene.finish.scale = 50;
        let picture = Rasterizer::new().draw(&scene).expect("can be drawn");
        let bytes = picture.encode(Format::Png, &scene.finish).expect("can be written");
        compare_pixels(&format!("{name}-flipped.png"), &bytes);
    }
}

#[test]
fn the_page_of_pieces_is_as_it_was() {
    let text = BOARDS.iter().find(|it| it.0 == "facing").expect("is one of them").1;
    let scene = scene("facing", text);
    let rules = "Take the <king>.\n\nDrop with `P*2b`.";
    compare_text("facing.minirules.html", &html::minirules(&scene, rules, false));
}

#[test]
fn references_stay_small() {
    let entries = fs::read_dir(path("")).expect("is a folder");
    let sizes = entries.filter_map(|it| it.ok()?.metadata().ok()).map(|it| it.len());
    let sum: u64 = sizes.sum();
    assert!(sum < 400_000, "{sum} bytes");
}
