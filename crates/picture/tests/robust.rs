//! Any settings give a picture or a plain refusal, in little time and memory.

#![allow(clippy::disallowed_methods, reason = "the environment makes tests longer")]

use std::sync::Arc;

use boardwright_gamecode::CodeLimits;
use boardwright_picture::{Format, PictureError, Rasterizer};
use boardwright_preset::{Bundle, Field, Game, Preset, SHAPES, Settings, import};
use boardwright_render::{
    html,
    pictures::Pictures,
    scene::Scene,
    text_board::{TextForm, text_board},
};

/// Numbers that are the same on every run.
struct Chance(u64);

impl Chance {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % n.max(1)
    }

    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }

    fn words(&mut self, of: &[&str], most: usize, between: &str) -> String {
        let n = self.below(most + 1);
        (0..n).map(|_| self.pick(of)).collect::<Vec<_>>().join(between)
    }
}

const NUMBERS: &[&str] = &[
    "0",
    "1",
    "2",
    "8",
    "50",
    "-25",
    "99999999",
    "4294967295",
    "1e308",
    "NaN",
    "-inf",
    "0.001",
    "x",
];

fn settings(chance: &mut Chance) -> String {
    let pieces =
        ["K", "q", "{+P}", "{long-label}", "1", "3", "12", "-", "*", "/", "Ж", "{<b>}", "{7}"];
    let labels = ["a", "b", "c", "", "!h", "aa", "<i>", "1", "é", "d", "e", "f", "g"];
    let colours = ["red", "#fff", "123456", "x", "#12", "gold", "00FF00"];
    let mut text = format!("game: {}\n", chance.pick(&["A & B", "<script>", "\u{202e}x", ""]));
    let mut put = |key: &str, value: String| text.push_str(&format!("{key}: {value}\n"));
    put("shape", chance.pick(SHAPES).to_owned());
    put("code", chance.words(&pieces, 40, ""));
    put("columns", chance.pick(&["1", "2", "3", "5", "8", "26", "300", "0", "4096"]).to_owned());
    if chance.below(2) == 0 {
        put("files", chance.words(&labels, 14, " "));
    }
    if chance.below(3) == 0 {
        put("ranks", chance.words(&labels, 14, " "));
    }
    put("pattern", chance.words(&["0", "1", "2", "9", ".", "..", "x"], 12, ""));
    put("colors", chance.words(&colours, 12, " "));
    put("next-file", chance.words(NUMBERS, 6, " "));
    put("next-rank", chance.words(NUMBERS, 6, " "));
    put("patterns", chance.words(&["-", ":", "\u{7}", "Ж", " "], 4, ""));
    for key in ["border-size", "point", "scale", "quality", "max-colors"] {
        put(key, chance.pick(&["0", "1", "12", "100", "4000000000"]).to_owned());
    }
    put(
        "background",
        chance.pick(&["", "board.png", "../x", "\"><script>", "javascript:1"]).to_owned(),
    );
    put("border-color", chance.pick(&colours).to_owned());
    let mut lines = String::from("coordinates:\n");
    for idx in 0..chance.below(12) {
        lines.push_str(&format!("  s{idx} {} {}\n", chance.pick(NUMBERS), chance.pick(NUMBERS)));
    }
    text + &lines
}

/// Pictures of more pixels are drawn now and then only, so that many can be tried.
const LARGE: f64 = 200_000.0;

/// Every method, on what may be any board.
fn draw(scene: &Scene, rasterizer: &mut Rasterizer, may_be_large: bool) -> bool {
    let texts = [
        text_board(scene, TextForm::Diagram),
        text_board(scene, TextForm::Play),
        html::table(scene),
        html::overlay(scene),
        scene.svg(),
        html::minirules(scene, "<b>`x", true),
    ];
    for text in &texts {
        assert!(text.len() < 20_000_000, "{} bytes", text.len());
        assert!(!text.contains("NaN") || scene.title.contains("NaN"), "a number is none");
    }
    for page in &texts[2..] {
        assert!(!page.contains("<script") && !page.contains("<i>"), "text became markup");
    }
    let (width, height) = scene.stage().size();
    if width * height * scene.pixels() * scene.pixels() > LARGE && !may_be_large {
        return true;
    }
    match rasterizer.draw(scene) {
        Ok(picture) => {
            for format in [Format::Png, Format::Gif, Format::Jpg] {
                let bytes = picture.encode(format, &scene.finish).expect("can be written");
                assert!(!bytes.is_empty());
            }
            true
        }
        Err(PictureError::TooLarge { .. }) => false,
        Err(PictureError::Broken(why)) => panic!("{why}"),
    }
}

#[test]
fn no_settings_do_harm() {
    let n_cases = std::env::var("ROBUST_FILES").ok().and_then(|it| it.parse().ok()).unwrap_or(200);
    let mut chance = Chance(0x9e37_79b9_7f4a_7c15);
    let mut rasterizer = Rasterizer::new();
    let (mut n_boards, mut n_drawn) = (0, 0);
    for _ in 0..n_cases {
        let text = settings(&mut chance);
        let (settings, _) = Settings::read(&text);
        let bundle = Bundle { settings, includes: Vec::new() };
        let Ok(preset) = Preset::new(bundle, &CodeLimits::default()) else { continue };
        let game = Game::start(Arc::new(preset), 1).expect("there is no code to stop it");
        let mut scene = Scene::of(&game, None);
        let may_be_large = chance.below(50) == 0;
        n_boards += 1;
        n_drawn += usize::from(draw(&scene, &mut rasterizer, may_be_large));
        scene.flip();
        n_drawn += usize::from(draw(&scene, &mut rasterizer, may_be_large));
    }
    assert!(n_boards * 10 > n_cases && n_drawn > n_boards, "{n_cases} {n_boards} {n_drawn}");
}

#[test]
fn what_is_imported_can_be_drawn() {
    let mut chance = Chance(77);
    let keys = ["code", "cols", "shape", "board", "colors", "nextfile", "files", "scale", "set"];
    let values =
        ["8", "rnbqkbnr%2F8%2F8", "square", "hex-vertical", "10.01.", "%00%FF", "50+0", "a+b"];
    let mut rasterizer = Rasterizer::new();
    let mut n_boards = 0;
    for _ in 0..200 {
        let pairs: Vec<String> = (0..chance.below(8))
            .map(|_| format!("{}={}", chance.pick(&keys), chance.pick(&values)))
            .collect();
        let imported = import::read(&format!("http://example.org/play?{}", pairs.join("&")));
        let Ok(preset) = Preset::new(imported.bundle, &CodeLimits::default()) else { continue };
        let mut scene = Scene::of(&preset, None);
        scene.finish.scale = 10;
        draw(&scene, &mut rasterizer, false);
        n_boards += 1;
    }
    assert!(n_boards > 20, "{n_boards}");
}

#[test]
fn no_index_of_pictures_does_harm() {
    let mut chance = Chance(5);
    let words = [
        "pieces:",
        "flipped:",
        "\n",
        "  K",
        " a.svg",
        " b.png",
        "title: x",
        "flip: yes",
        "..",
        "\u{0}",
        ":",
        " ",
    ];
    for _ in 0..300 {
        let index = chance.words(&words, 40, "");
        let noise: Vec<u8> = (0..chance.below(200)).map(|_| chance.below(256) as u8).collect();
        let (_, notes) = Pictures::read(&index, &mut |_| Some(noise.clone()));
        assert!(notes.iter().all(|it| it.to_string().len() < 400));
    }
}

#[test]
fn a_huge_picture_is_refused() {
    let (mut settings, _) = Settings::read("code: 676\ncolumns: 26\n");
    settings.set(Field::named("scale").expect("is a field"), "1000").expect("takes it");
    let bundle = Bundle { settings, includes: Vec::new() };
    let preset = Preset::new(bundle, &CodeLimits::default()).expect("has a board");
    let scene = Scene::of(&preset, None);
    assert!(matches!(Rasterizer::new().draw(&scene), Err(PictureError::TooLarge { .. })));
}
