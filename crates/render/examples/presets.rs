//! Writes a page with the boards of all presets, to be looked at: `presets OUT [WORD]`.

#![allow(clippy::disallowed_methods, reason = "it reads presets and writes a page")]

use std::{fs, path::Path, sync::Arc};

use boardwright_gamecode::CodeLimits;
use boardwright_preset::{Bundle, Folder, Game, Preset};
use boardwright_render::{
    scene::Scene,
    svg::{DrawOptions, Marks, board_svg},
};

struct Disk<'a>(&'a Path);

impl Folder for Disk<'_> {
    fn file(&mut self, name: &str) -> Option<String> {
        fs::read_to_string(self.0.join(name)).ok()
    }

    fn include(&mut self, name: &str) -> Option<String> {
        fs::read_to_string(self.0.join("../include").join(format!("{name}.gc"))).ok()
    }
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let out = args.first().map_or("presets.html", |it| it.as_str());
    let word = args.get(1).map_or("", |it| it.as_str());
    let mut folders: Vec<_> = fs::read_dir("presets")
        .expect("run it where presets/ is")
        .filter_map(|it| it.ok().map(|it| it.path()))
        .filter(|it| it.join("preset.txt").is_file() && it.to_string_lossy().contains(word))
        .collect();
    folders.sort();
    let mut page = "<meta charset=utf-8><style>body{background:#f3ece0;font:13px sans-serif;display:flex;flex-wrap:wrap;gap:10px}figure{margin:0;width:560px}svg{width:100%;height:520px}</style>".to_owned();
    for path in folders {
        let (bundle, _) = Bundle::open(&mut Disk(&path));
        let preset = Preset::new(bundle, &CodeLimits::default()).expect("has a board");
        let game = Game::start(Arc::new(preset), 1).expect("starts");
        let Scene { layout, set, pieces, .. } = Scene::of(&game, None);
        let svg = board_svg(
            &layout,
            &set,
            &pieces,
            &[],
            &Marks::default(),
            DrawOptions::default(),
            &Default::default(),
        );
        let (title, style) = (path.display(), layout.style.name());
        let words = &layout.words;
        page.push_str(&format!(
            "<figure>{svg}<figcaption>{title} ({style}, {words})</figcaption></figure>\n"
        ));
    }
    fs::write(out, page).expect("the page can be written");
}
