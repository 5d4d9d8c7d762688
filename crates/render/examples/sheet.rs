//! Writes a page with the boards of all games, to be looked at: `sheet OUT [WORD] [all] [large]
//! [dark] [THEME] [in=FOLDER]`.

#![allow(clippy::disallowed_methods, reason = "it writes a page")]

use std::{fmt::Write, fs};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use boardwright_render::{
    Layout, looks,
    svg::{DrawOptions, Theme, setup_svg},
};
use boardwright_test_kit::{files_below, sound_variants};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let out = args.first().map_or("sheet.html", |it| it.as_str());
    let word = args.get(1).map_or("", |it| it.as_str());
    let thumb = !args.iter().any(|it| it == "large");
    let every = args.iter().any(|it| it == "all");
    let theme = args.iter().find_map(|it| Theme::named(it)).unwrap_or_default();
    let dark = args.iter().any(|it| it == "dark");
    let folder = args.iter().find_map(|it| it.strip_prefix("in=")).unwrap_or("games");
    let mut page = "<meta charset=utf-8><style>body{background:#f3ece0;font:13px sans-serif;display:flex;flex-wrap:wrap;gap:10px}figure{margin:0;width:225px}figure.large{width:560px}img{width:100%;height:210px;object-fit:contain}.large img{height:540px}</style>".to_owned();
    for path in files_below(folder, "zrf") {
        let name = path.display().to_string();
        if !name.contains(word) {
            continue;
        }
        let variants = sound_variants(&path);
        let mut seen = Vec::new();
        for ruleset in variants {
            let layout = Layout::of(&ruleset);
            let sets = looks::sets(&ruleset);
            let options = DrawOptions { thumb, theme, dark };
            let svg = setup_svg(&ruleset, &layout, &sets[0], options, &Default::default());
            if seen.contains(&svg) || (!every && !seen.is_empty()) {
                continue;
            }
            let class = if thumb { "" } else { " class=large" };
            let _ = writeln!(
                page,
                "<figure{class}><img src=\"data:image/svg+xml;base64,{}\"><figcaption>{} ({}, {})</figcaption></figure>",
                BASE64_STANDARD.encode(&svg),
                ruleset.title,
                layout.style.name(),
                layout.words
            );
            seen.push(svg);
        }
    }
    fs::write(out, page).expect("the page can be written");
}
