//! What a player would notice at once: colours of corners, broken lines, whose piece is whose.

#![expect(clippy::unwrap_used, reason = "a test may stop where it stands")]

use std::sync::Arc;

use boardwright_game::{PieceKind, Player, Ruleset};
use boardwright_render::{
    Cell, Layout, Side, Style,
    looks::{self, Look, Tone},
};
use boardwright_test_kit::{load, root, rule_file, variant};

fn game(name: &str, title: Option<&str>) -> Arc<Ruleset> {
    let path = root().join(format!("games/{name}/{name}.zrf"));
    variant(name, &mut rule_file(&path), title)
}

fn cell<'a>(ruleset: &Ruleset, layout: &'a Layout, name: &str) -> &'a Cell {
    &layout.cells[ruleset.board.site_named(name).unwrap().idx()]
}

fn look(ruleset: &Ruleset, player: &str, kind: &str) -> Look {
    let (player, kind): (Player, PieceKind) =
        (ruleset.player_named(player).unwrap(), ruleset.piece_named(kind).unwrap());
    looks::sets(ruleset)[0].look(player, kind).unwrap().clone()
}

#[test]
fn a_chess_board_lies_the_right_way_round() {
    let ruleset = game("chess", Some("Chess"));
    let layout = Layout::of(&ruleset);
    assert_eq!(cell(&ruleset, &layout, "a1").tone, 2, "the left corner is dark");
    assert_eq!(cell(&ruleset, &layout, "h1").tone, 1);
    let e4 = cell(&ruleset, &layout, "e4");
    assert_eq!((e4.x, e4.y, e4.d.as_deref()), (450.0, 450.0, Some("M400 400h100v100h-100Z")));
    let letters: String = layout
        .coords
        .iter()
        .filter(|it| it.side == Side::Bottom)
        .map(|it| it.text.as_str())
        .collect();
    assert_eq!(letters, "abcdefgh");
}

#[test]
fn draughts_are_played_on_dark_squares() {
    for name in ["english-draughts", "international-draughts", "italian-draughts"] {
        let ruleset = game(name, None);
        let layout = Layout::of(&ruleset);
        let placed = ruleset.setup.pieces.iter();
        assert!(placed.into_iter().all(|it| layout.cells[it.site.idx()].tone == 2), "{name}");
    }
}

#[test]
fn no_neighbours_agree() {
    for (name, title) in [("glinski", None), ("hex", None), ("hex", Some("Hex 7x7"))] {
        let ruleset = game(name, title);
        let layout = Layout::of(&ruleset);
        let cells: Vec<&Cell> = layout.cells.iter().filter(|it| !it.hidden).collect();
        let mut n_pairs = 0;
        for (idx, a) in cells.iter().enumerate() {
            for b in &cells[idx + 1..] {
                let are_neighbours = ((a.x - b.x).hypot(a.y - b.y) - 100.0).abs() < 1.0;
                n_pairs += usize::from(are_neighbours);
                assert!(!are_neighbours || a.tone != b.tone, "{name}: {} {}", a.name, b.name);
            }
        }
        assert!(n_pairs > 100, "{name}");
    }
}

#[test]
fn the_river_breaks_the_lines_and_palaces_have_crosses() {
    let layout = Layout::of(&game("xiangqi", None));
    let lines = &layout.under[0].d;
    assert!(lines.contains("M50 50L50 950") && !lines.contains("M150 50L150 950"), "{lines}");
    assert!(lines.contains("M150 50L150 450") && lines.contains("M350 50L550 250"), "{lines}");
    let layout = Layout::of(&game("janggi", None));
    let lines = &layout.under[0].d;
    assert!(lines.contains("M150 50L150 950") && lines.contains("M350 50L550 250"), "{lines}");
}

#[test]
fn a_board_of_nineteen_has_nine_stars() {
    let layout = Layout::of(&game("go", Some("Go 19x19")));
    assert!(layout.under.iter().any(|it| it.d.matches('M').count() == 9 && it.stroke.is_none()));
}

#[test]
fn the_far_player_of_shogi_looks_at_us() {
    let ruleset = game("shogi", None);
    assert!(!look(&ruleset, "Black", "Gold").turn && look(&ruleset, "White", "Gold").turn);
    assert_eq!(look(&ruleset, "White", "Tokin").art, Some("shogi-tokin"));
    let ids: Vec<_> = looks::sets(&ruleset).iter().map(|it| it.id).collect();
    assert_eq!(ids, ["characters", "latin", "letters"]);
}

#[test]
fn names_that_mean_one_piece_have_one_drawing() {
    let art = |game_name: &str, title: Option<&str>, player: &str, kind: &str| {
        look(&game(game_name, title), player, kind).art
    };
    let chancellor = Some("chess-white-chancellor");
    assert_eq!(art("grand-chess", None, "White", "Marshal"), chancellor);
    assert_eq!(art("capablanca", None, "White", "Chancellor"), chancellor);
    let archbishop = Some("chess-black-archbishop");
    assert_eq!(art("capablanca", Some("Janus Chess"), "Black", "Janus"), archbishop);
    assert_eq!(art("shatranj", None, "White", "Shah"), Some("chess-white-king"));
    assert_eq!(art("makruk", None, "Black", "Khon"), Some("chess-black-bishop"));
    assert_eq!(
        art("chess", Some("Crazyhouse"), "White", "Promoted-Queen"),
        Some("chess-white-queen")
    );
    assert_eq!(art("janggi", None, "Red", "Guard"), Some("xiangqi-red-advisor"));
    assert_eq!(art("tic-tac-toe", None, "O", "Token"), Some("mark-o"));
}

#[test]
fn players_have_the_colours_they_are_named_by() {
    let tones = looks::tones(&game("four-handed-chess", None));
    assert_eq!(tones, [Tone::Red, Tone::Blue, Tone::Yellow, Tone::Green]);
    let tones = looks::tones(&game("bagh-chal", None));
    assert_eq!(tones, [Tone::White, Tone::Orange]);
    assert_eq!(looks::tones(&game("dodgem", None)), [Tone::Blue, Tone::Red]);
}

#[test]
fn levels_know_their_sites() {
    let layout = Layout::of(&game("raumschach", None));
    let sizes: Vec<_> =
        layout.levels.iter().map(|it| (it.label.as_str(), it.sites.len())).collect();
    let expected = ["Level A", "Level B", "Level C", "Level D", "Level E"].map(|it| (it, 25));
    assert_eq!(sizes, expected);
    for (idx, level) in layout.levels.iter().enumerate() {
        let is_here = |cell: &Cell| {
            cell.level == idx as u32
                && (level.x..level.x + level.width).contains(&cell.x)
                && (level.y..level.y + level.height).contains(&cell.y)
        };
        assert!(level.sites.iter().all(|it| is_here(&layout.cells[it.idx()])));
    }
}

#[test]
fn sites_on_circles_make_rings() {
    let mut sites = String::new();
    for ring in 0..4 {
        for place in 0..16 {
            let angle = f64::from(place) * std::f64::consts::TAU / 16.0;
            let radius = 105.0 + 42.0 * f64::from(ring);
            let (x, y) = (300.0 + radius * angle.cos(), 300.0 + radius * angle.sin());
            let letter = ["a", "b", "c", "d"][ring as usize];
            let (x, y) = (x.round() as i32, y.round() as i32);
            let (left, top, right, bottom) = (x - 20, y - 20, x + 20, y + 20);
            sites += &format!("({letter}{} {left} {top} {right} {bottom})", place + 1);
        }
    }
    let rules = format!(
        "(game (title \"Round\") (players White Black) (turn-order White Black)
          (board (positions {sites}))
          (board-setup (White (Rook a1 d4)) (Black (King b9)))
          (piece (name Rook)) (piece (name King)) (loss-condition (White) stalemated))"
    );
    let mut file = load("round.zrf", rules.as_bytes());
    let ruleset = variant("round.zrf", &mut file, None);
    let layout = Layout::of(&ruleset);
    assert_eq!((layout.style, layout.words.as_str()), (Style::Rings, "four rings"));
    // Rings and sectors in two tones.
    let tone = |name: &str| cell(&ruleset, &layout, name).tone;
    assert!(tone("a1") != tone("a2") && tone("a1") != tone("b1") && tone("a1") == tone("b2"));
    assert!(layout.unit > 60.0, "pieces can be seen on the inner ring");
}
