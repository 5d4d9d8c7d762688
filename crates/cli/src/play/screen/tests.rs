//! A player at the keys.

use std::path::PathBuf;

use ratatui::{Terminal, backend::TestBackend, crossterm::event::KeyEvent};

use super::*;
use crate::{
    game::Game,
    play::{Args, Table},
};

fn open(game: &str) -> (Game, Args) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../games").join(game);
    (game::open(&path, None).expect("it is ours"), Args::for_file(path, None))
}

fn press(screen: &mut Screen<'_>, keys: &str) {
    for key in keys.chars() {
        let code = match key {
            '^' => KeyCode::Up,
            'v' => KeyCode::Down,
            '<' => KeyCode::Left,
            '>' => KeyCode::Right,
            '\n' => KeyCode::Enter,
            '~' => KeyCode::Esc,
            it => KeyCode::Char(it),
        };
        assert!(screen.key(KeyEvent::from(code)).expect("no error"), "left at {key:?}");
    }
}

fn picture(screen: &mut Screen<'_>, width: u16, height: u16) -> String {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("a screen");
    terminal.draw(|frame| view::draw(screen, frame)).expect("it draws");
    terminal.backend().to_string()
}

fn at(screen: &Screen<'_>, name: &str) -> Site {
    screen.table.game.ruleset.board.site_named(name).expect("a site")
}

#[test]
fn a_pawn_is_picked_up_and_put_down() {
    let (game, args) = open("chess/chess.zrf");
    let mut screen = Screen::new(Table::new(&game, &args).expect("a table")).expect("a screen");
    screen.cursor = at(&screen, "e2");
    press(&mut screen, "\n");
    let shown = picture(&mut screen, 100, 30);
    assert!(shown.contains("[P]"), "{shown}");
    assert!(shown.contains("•"), "{shown}");
    press(&mut screen, "^^\n");
    assert_eq!(screen.table.shown.len(), 1);
    assert_eq!(screen.cursor, at(&screen, "e4"));
    press(&mut screen, "u");
    assert!(screen.table.shown.is_empty());
    press(&mut screen, "r");
    assert_eq!(screen.table.shown.len(), 1);
}

#[test]
fn a_typed_move_and_a_wrong_one() {
    let (game, args) = open("chess/chess.zrf");
    let mut screen = Screen::new(Table::new(&game, &args).expect("a table")).expect("a screen");
    press(&mut screen, "te2e4\n");
    assert_eq!(screen.table.shown.len(), 1);
    press(&mut screen, "te2e4");
    let wrong = screen.key(KeyEvent::from(KeyCode::Enter)).expect_err("it is not legal");
    assert!(wrong.to_string().contains("most like it"), "{wrong}");
    assert_eq!(screen.table.shown.len(), 1);
}

#[test]
fn drops_need_one_key() {
    let (game, args) = open("tic-tac-toe/tic-tac-toe.zrf");
    let mut screen = Screen::new(Table::new(&game, &args).expect("a table")).expect("a screen");
    press(&mut screen, "\n<\n");
    assert_eq!(screen.table.shown.len(), 2, "{}", screen.message);
    let shown = picture(&mut screen, 80, 24);
    assert!(shown.contains("Moves"), "{shown}");
}

#[test]
fn the_engine_answers_while_the_screen_goes_on() {
    let (game, mut args) = open("tic-tac-toe/tic-tac-toe.zrf");
    args.opponent = Some(3);
    args.time = Duration::from_millis(50);
    let mut screen = Screen::new(Table::new(&game, &args).expect("a table")).expect("a screen");
    press(&mut screen, "\n");
    while screen.table.shown.len() < 2 {
        screen.others().expect("it goes on");
        picture(&mut screen, 80, 24);
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(screen.table.seat(), Seat::Person);
}

#[test]
fn any_size_of_terminal_shows_something() {
    for game in ["chess/chess.zrf", "hex/hex.zrf", "gomoku/gomoku.zrf", "shogi/shogi.zrf"] {
        let (game, args) = open(game);
        let mut screen = Screen::new(Table::new(&game, &args).expect("a table")).expect("a screen");
        for (width, height) in [(1, 1), (5, 4), (20, 8), (80, 24), (200, 60)] {
            picture(&mut screen, width, height);
            press(&mut screen, "?");
            picture(&mut screen, width, height);
            press(&mut screen, "~m");
            picture(&mut screen, width, height);
            press(&mut screen, "~");
        }
    }
}

#[test]
fn an_unsaved_game_is_not_left_by_one_key() {
    let (game, args) = open("chess/chess.zrf");
    let mut screen = Screen::new(Table::new(&game, &args).expect("a table")).expect("a screen");
    press(&mut screen, "te2e4\n");
    press(&mut screen, "qx");
    press(&mut screen, "q");
    assert!(!screen.key(KeyEvent::from(KeyCode::Char('y'))).expect("no error"));
}
