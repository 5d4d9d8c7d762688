//! Layouts of presets: every board of ours, and any settings at all.

#![allow(clippy::disallowed_methods, reason = "presets are files")]

use std::{fs, path::Path, sync::Arc};

use boardwright_gamecode::CodeLimits;
use boardwright_preset::{Bundle, Folder, Game, Preset, Settings};
use boardwright_render::{Layout, Style, scene::Scene};
use boardwright_rules::LabelMap;

struct Disk<'a>(&'a Path);

impl Folder for Disk<'_> {
    fn file(&mut self, name: &str) -> Option<String> {
        fs::read_to_string(self.0.join(name)).ok()
    }

    fn include(&mut self, name: &str) -> Option<String> {
        fs::read_to_string(self.0.join("../include").join(format!("{name}.gc"))).ok()
    }
}

fn game(name: &str) -> Game {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../presets").join(name);
    let (bundle, notes) = Bundle::open(&mut Disk(&path));
    assert!(notes.is_empty(), "{name}: {notes:?}");
    let preset = Preset::new(bundle, &CodeLimits::default()).expect("has a board");
    Game::start(Arc::new(preset), 1).expect("starts")
}

fn layout(text: &str) -> Layout {
    let (settings, notes) = Settings::read(text);
    assert!(notes.is_empty(), "{notes:?}");
    let bundle = Bundle { settings, includes: Vec::new() };
    let preset = Preset::new(bundle, &CodeLimits::default()).expect("has a board");
    Scene::of(&preset, None).layout
}

fn at(layout: &Layout, name: &str) -> (f64, f64) {
    let cell = layout.cells.iter().find(|it| it.name == name).expect("is a site");
    ((cell.x * 10.0).round() / 10.0, (cell.y * 10.0).round() / 10.0)
}

#[test]
fn every_preset_is_drawn_as_what_it_is() {
    for (name, style, words) in [
        ("alice-chess", Style::Levels, "2 boards"),
        ("capablanca-chess", Style::Checkered, "10 × 8"),
        ("chess", Style::Checkered, "8 × 8"),
        ("circular-chess", Style::Rings, "four rings"),
        ("dice-chess", Style::Checkered, "8 × 8"),
        ("fischer-random-chess", Style::Checkered, "8 × 8"),
        ("glinski-hexagonal-chess", Style::Hex, "91 hexes"),
        ("horseshoe", Style::Points, "points and lines"),
        ("open-board", Style::Checkered, "8 × 8"),
        ("raumschach", Style::Levels, "5 levels"),
        ("shogi", Style::Grid, "9 × 9"),
        ("triangle-race", Style::Checkered, "49 triangles"),
        ("ultima", Style::Checkered, "8 × 8"),
        ("xiangqi", Style::Points, "9 × 10"),
    ] {
        let game = game(name);
        let scene = Scene::of(&game, None);
        let layout = &scene.layout;
        assert_eq!((layout.style, layout.words.as_str()), (style, words), "{name}");
        assert_eq!(layout.cells.len(), game.preset().board().spaces().len());
        assert!(layout.cells.iter().all(|it| !it.hidden), "{name} shows every site");
        let map = LabelMap::of(game.preset());
        let labels: Vec<_> = game.preset().board().all().filter_map(|it| game.piece(it)).collect();
        assert!(labels.iter().all(|it| map.piece(it).is_some()), "{name}: every label is known");
        assert_eq!(scene.pieces.len(), labels.len(), "{name}: every piece is shown");
        for it in &scene.pieces {
            let look = scene.set.look(it.player, it.kind).expect("every piece has a look");
            let is_drawn = look.art.is_some() || name == "triangle-race";
            assert!(is_drawn, "{name}: {} is drawn", scene.letters(it.player, it.kind));
        }
    }
}

#[test]
fn hexes_shift_to_the_right_or_up() {
    let lying = layout("shape: hex-horizontal\ncode: 3/3/3\ncolumns: 3\n");
    let (a1, a2, b1) = (at(&lying, "a1"), at(&lying, "a2"), at(&lying, "b1"));
    assert_eq!((a2.0 - a1.0, b1.1 - a1.1), (50.0, 0.0));
    let standing = layout("shape: hex-vertical\ncode: 3/3/3\ncolumns: 3\n");
    let (a1, a2, b1) = (at(&standing, "a1"), at(&standing, "a2"), at(&standing, "b1"));
    assert_eq!((a2.0 - a1.0, b1.1 - a1.1), (0.0, -50.0));
}

#[test]
fn rings_count_from_the_middle_and_files_from_the_left() {
    let it = layout("shape: circular\ncode: 16/16\ncolumns: 16\n");
    let middle = it.width / 2.0;
    let way = |name| (at(&it, name).0 - middle).hypot(at(&it, name).1 - middle);
    assert!(way("a1") < way("a2"));
    assert!(at(&it, "a1").0 < middle && at(&it, "d1").1 > middle && at(&it, "h1").0 > middle);
}

#[test]
fn steps_of_a_grid_go_up_the_board() {
    let it = layout("shape: grid\ncode: 3/3\ncolumns: 3\nnext-file: 50 25\npattern: 1.\n");
    let (a1, a2, b1) = (at(&it, "a1"), at(&it, "a2"), at(&it, "b1"));
    assert!(a2.1 < a1.1 && a2.0 == a1.0 && b1.0 > a1.0 && b1.1 < a1.1);
    assert_eq!(it.cells[0].d.as_deref().map(|it| it.matches('L').count()), Some(5), "six corners");
}

#[test]
fn patterns_give_colours_and_tones() {
    let it = layout("code: 2/2\ncolumns: 2\npattern: 10.01.\ncolors: 000000 white\n");
    let cell = |name: &str| it.cells.iter().find(|it| it.name == name).expect("is a site");
    assert_eq!((cell("a2").fill, cell("a2").tone), (Some([255; 3]), 1));
    assert_eq!((cell("a1").fill, cell("a1").tone), (Some([0; 3]), 2));
}

#[test]
fn what_players_cannot_name_lies_beside_the_board() {
    let it = layout("code: 3-1/3-1/3-1\ncolumns: 5\nfiles: a b c  !h\n");
    assert!(at(&it, "h1").0 > at(&it, "c1").0 + 150.0);
    assert!(!it.coords.iter().any(|it| it.text == "h"));
    assert!(it.coords.iter().any(|it| it.text == "c"));
}
