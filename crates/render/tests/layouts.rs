//! Every board of our games: what it is recognised as, and that its picture is sound.

#![allow(clippy::disallowed_methods, reason = "tables are files")]
#![expect(clippy::unwrap_used, reason = "a test may stop where it stands")]

mod xml;

use std::{fmt::Write, path::PathBuf};

use boardwright_game::{Rect, Ruleset};
use boardwright_golden::LAYOUTS;
use boardwright_render::{
    Layout, Style, looks,
    svg::{DrawOptions, Marks, Theme, board_svg, setup_svg},
};
use boardwright_test_kit::{files_below, load, playable_files, root, sound_variants, variant};

fn table_file() -> PathBuf {
    root().join("crates/render/tests/layouts.txt")
}

/// File, title, style, words and the family of pieces of every variant.
fn table() -> String {
    let mut text = String::new();
    for path in files_below("games", "zrf") {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        for ruleset in sound_variants(&path) {
            let layout = Layout::of(&ruleset);
            let family = looks::family(&ruleset).map_or("-".to_owned(), |it| format!("{it:?}"));
            let (style, words) = (layout.style.name(), &layout.words);
            writeln!(text, "{name} | {} | {style} | {words} | {family}", ruleset.title).unwrap();
        }
    }
    text
}

/// `BLESS_LAYOUTS=1` rewrites the table.
#[test]
fn every_game_has_the_board_that_players_expect() {
    LAYOUTS.compare(&table_file(), &table()).unwrap();
}

#[test]
fn well_known_boards_have_their_styles() {
    let style_of = |file: &str| {
        let path = root().join(format!("games/{file}/{file}.zrf"));
        let ruleset = sound_variants(&path).into_iter().next().unwrap();
        Layout::of(&ruleset).style.name()
    };
    let expected = [
        ("chess", "checkered"),
        ("english-draughts", "checkered"),
        ("international-draughts", "checkered"),
        ("shogi", "grid"),
        ("reversi", "grid"),
        ("xiangqi", "points"),
        ("janggi", "points"),
        ("go", "points"),
        ("gomoku", "points"),
        ("nine-mens-morris", "points"),
        ("glinski", "hex"),
        ("hex", "hex"),
        ("raumschach", "levels"),
        ("royal-ur", "tiles"),
        ("mancala", "tiles"),
    ];
    for (file, style) in expected {
        assert_eq!(style_of(file), style, "{file}");
    }
}

fn check_layout(ruleset: &Ruleset, layout: &Layout) {
    let title = &ruleset.title;
    assert_eq!(layout.cells.len(), ruleset.board.n_sites(), "{title}");
    let numbers = [layout.width, layout.height, layout.unit, layout.pad];
    assert!(numbers.iter().all(|it| it.is_finite() && *it >= 0.0), "{title}: {numbers:?}");
    assert!(layout.unit > 0.0 && layout.width > 0.0 && layout.height > 0.0, "{title}");
    let area = |it: Rect| {
        let side = |a: i32, b: i32| (f64::from(b) - f64::from(a)).abs().max(1.0);
        side(it.left, it.right) * side(it.top, it.bottom)
    };
    let areas = ruleset.board.sites.iter().filter_map(|it| it.rect.map(area));
    let largest = areas.fold(0.0, f64::max);
    for (cell, info) in layout.cells.iter().zip(&ruleset.board.sites) {
        let is_speck = info.rect.is_some_and(|it| area(it) * 16.0 <= largest);
        let is_drawn = info.rect.is_some() && !info.is_dummy;
        assert!(cell.hidden || is_drawn, "{title}: {}", info.name);
        // A menu ends with its last button.
        let may_hide = is_speck || ruleset.is_selection_screen();
        assert!(!cell.hidden || !is_drawn || may_hide, "{title}: {}", info.name);
        let inside = |at: f64, end: f64| (-0.5..=end + 0.5).contains(&at);
        assert!(
            cell.hidden || (inside(cell.x, layout.width) && inside(cell.y, layout.height)),
            "{title}: {} at {} {} of {} {}",
            info.name,
            cell.x,
            cell.y,
            layout.width,
            layout.height
        );
        let d = cell.d.as_deref().unwrap_or("M");
        assert!(d.starts_with('M') && !d.contains("NaN") && !d.contains("inf"), "{title}: {d}");
    }
    let strokes = layout.under.iter().chain(&layout.over);
    for it in strokes {
        assert!(it.width.is_finite() && !it.d.contains("NaN") && !it.d.contains("inf"), "{title}");
    }
    let coords = layout.coords.iter();
    assert!(coords.into_iter().all(|it| it.x.is_finite() && it.y.is_finite()), "{title}");
    assert_eq!(layout.style == Style::Levels, !layout.levels.is_empty(), "{title}");
}

#[test]
fn every_layout_is_sound_and_the_same_again() {
    for path in playable_files() {
        for ruleset in sound_variants(&path) {
            let layout = Layout::of(&ruleset);
            check_layout(&ruleset, &layout);
            assert_eq!(layout, Layout::of(&ruleset), "{}", ruleset.title);
        }
    }
}

#[test]
fn every_picture_is_well_formed() {
    for path in playable_files() {
        for ruleset in sound_variants(&path) {
            let layout = Layout::of(&ruleset);
            for set in looks::sets(&ruleset) {
                for thumb in [true, false] {
                    let options = DrawOptions { thumb, dark: thumb, theme: Theme::Slate };
                    let svg = setup_svg(&ruleset, &layout, &set, options, &Default::default());
                    let known = xml::check(&svg);
                    assert_eq!(known, Ok(()), "{}, {}", ruleset.title, set.id);
                    assert!(svg.len() < 600_000, "{}: {}", ruleset.title, svg.len());
                }
            }
        }
    }
}

#[test]
fn every_set_has_every_piece_and_letters_tell_kinds_apart() {
    for path in files_below("games", "zrf") {
        for ruleset in sound_variants(&path) {
            let sets = looks::sets(&ruleset);
            for set in &sets {
                let n_looks = ruleset.players.len() * ruleset.pieces.len();
                assert_eq!(set.looks.len(), n_looks, "{}", ruleset.title);
            }
            let letters = sets.last().unwrap();
            assert_eq!(letters.id, "letters");
            let n_kinds = ruleset.pieces.len();
            let mut seen: Vec<&str> = Vec::new();
            for look in letters.looks.iter().take(n_kinds) {
                // Dice alone keep their eyes.
                assert!(look.art.is_none_or(|it| it.starts_with("die-")), "{look:?}");
                assert!((1..=3).contains(&look.letters.chars().count()), "{look:?}");
                assert!(!seen.contains(&look.letters.as_str()), "{}: {look:?}", ruleset.title);
                seen.push(&look.letters);
            }
        }
    }
}

#[test]
fn text_of_rule_files_is_escaped() {
    let rules = r#"
        (game (title "A <b>&'") (players White Black) (turn-order White Black)
          (board (grid (start-rectangle 0 0 150 50)
            (dimensions ("<i>/b" (150 0)) ("1/2" (0 50)))))
          (board-setup (White (Button b1)))
          (piece (name Button) (notation "<script>alert('&')</script>"))
          (option "selection screen" true)
          (loss-condition (White) stalemated))"#;
    let mut file = load("hostile.zrf", rules.as_bytes());
    let ruleset = variant("hostile.zrf", &mut file, None);
    let layout = Layout::of(&ruleset);
    let sets = looks::sets(&ruleset);
    let svg = setup_svg(&ruleset, &layout, &sets[0], DrawOptions::default(), &Default::default());
    assert_eq!(xml::check(&svg), Ok(()));
    assert!(!svg.contains("<script") && !svg.contains("<i>") && svg.contains("&lt;script&gt;"));
}

#[test]
fn strange_rectangles_still_give_a_picture() {
    let boards = [
        // All in one place.
        "(positions (a 0 0 10 10) (b 0 0 10 10) (c 0 0 10 10))",
        // Far apart, inside out, and empty.
        "(positions (a 0 0 10 10) (b 2000000000 0 2000000010 10) (c 50 -2000000000 40 -2000000010))",
        "(positions (a 5 5 5 5) (b 5 5 5 5))",
        "(dummy a b)",
        // Tiny steps.
        "(grid (start-rectangle 0 0 50 50) (dimensions (\"a/b/c\" (1 0)) (\"1/2/3\" (0 1))) (directions (n 0 1)))",
        // A row of specks to count with beside the board.
        "(grid (start-rectangle 0 0 50 50) (dimensions (\"a/b/c\" (50 0)) (\"1/2/3\" (0 50))))
         (grid (start-rectangle 200 0 203 2) (dimensions (\"x/y\" (4 0)) (\"1/2/3/4/5/6/7/8/9/10\" (0 2))))",
        // A river between the banks.
        "(grid (start-rectangle 0 0 50 50) (dimensions (\"a/b/c\" (50 0)) (\"6/5/4\" (0 50))))
         (grid (start-rectangle 0 220 50 270) (dimensions (\"a/b/c\" (50 0)) (\"3/2/1\" (0 50))))",
        // On a slant.
        "(grid (start-rectangle 0 0 50 50) (dimensions (\"a/b/c/d\" (30 17)) (\"1/2/3/4\" (-29 23))) (directions (n 0 1) (e 1 0)))",
        // In four dimensions.
        "(grid (start-rectangle 0 0 50 50) (dimensions (\"a/b\" (50 0)) (\"1/2\" (0 50)) (\"x/y\" (120 0)) (\"p/q\" (0 120))) (directions (n 0 1 0 0) (u 0 0 0 1)))",
        // On a circle, with a centre.
        "(positions (a 90 40 110 60) (b 76 76 94 94) (c 40 90 60 110) (d 6 76 24 94) (e -10 40 10 60) (f 6 6 24 24) (g 40 -10 60 10) (h 76 6 94 24) (i 40 40 60 60))",
    ];
    for board in boards {
        let rules = format!(
            "(game (title \"Strange\") (players White Black) (turn-order White Black)
              (board {board}) (piece (name Stone)) (loss-condition (White) stalemated))"
        );
        let mut file = load("strange.zrf", rules.as_bytes());
        let ruleset = variant("strange.zrf", &mut file, None);
        let layout = Layout::of(&ruleset);
        check_layout(&ruleset, &layout);
        let sets = looks::sets(&ruleset);
        let options = DrawOptions::default();
        let svg =
            board_svg(&layout, &sets[0], &[], &[], &Marks::default(), options, &Default::default());
        assert_eq!(xml::check(&svg), Ok(()), "{board}");
    }
}

#[test]
fn a_large_board_is_drawn_in_little_time() {
    let labels = |n: usize, letter: &str| -> String {
        (0..n).map(|it| format!("{letter}{it}")).collect::<Vec<_>>().join("/")
    };
    let rules = format!(
        "(game (title \"Large\") (players White Black) (turn-order White Black)
          (board (grid (start-rectangle 0 0 50 50)
            (dimensions (\"{}\" (50 0)) (\"{}\" (0 50)))
            (directions (n 0 -1) (e 1 0) (s 0 1) (w -1 0) (ne 1 -1) (sw -1 1))))
          (piece (name Stone)) (loss-condition (White) stalemated))",
        labels(70, "x"),
        labels(70, "y")
    );
    let mut file = load("large.zrf", rules.as_bytes());
    let ruleset = variant("large.zrf", &mut file, None);
    let start = std::time::Instant::now();
    let layout = Layout::of(&ruleset);
    check_layout(&ruleset, &layout);
    let sets = looks::sets(&ruleset);
    let svg = setup_svg(
        &ruleset,
        &layout,
        &sets[0],
        DrawOptions { thumb: true, ..DrawOptions::default() },
        &Default::default(),
    );
    // Many times what it takes; a board of squares in n² steps would take minutes.
    assert!(start.elapsed().as_secs() < 10);
    assert!(svg.len() < 1_000_000, "{}", svg.len());
    assert!(svg.matches("<path").count() < 20);
}
