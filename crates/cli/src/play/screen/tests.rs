//! Tests of the screen by simulated keys.

use std::path::PathBuf;

use ratatui::{
    Terminal,
    backend::TestBackend,
    crossterm::event::{KeyCode, KeyEvent},
};

use super::*;
use crate::play::Args;

fn args(game: &str) -> Args {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../games").join(game);
    Args::for_file(path, None)
}

fn open(args: &Args) -> Screen {
    Screen::new(args.game().expect("the game opens")).expect("the screen opens")
}

fn press(screen: &mut Screen, keys: &str) {
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

fn picture(screen: &mut Screen, width: u16, height: u16) -> String {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("a screen");
    terminal.draw(|frame| view::draw(screen, frame)).expect("it draws");
    terminal.backend().to_string()
}

fn at(screen: &Screen, name: &str) -> Site {
    screen.game.ruleset().board.site_named(name).expect("a site")
}

#[test]
fn a_pawn_is_picked_up_and_put_down() {
    let mut screen = open(&args("chess/chess.zrf"));
    screen.cursor = at(&screen, "e2");
    press(&mut screen, "\n");
    let shown = picture(&mut screen, 100, 30);
    assert!(shown.contains("[P]"), "{shown}");
    assert!(shown.contains("•"), "{shown}");
    press(&mut screen, "^^\n");
    assert_eq!(screen.game.n_steps(), 1);
    assert_eq!(screen.cursor, at(&screen, "e4"));
    press(&mut screen, "u");
    assert_eq!(screen.game.n_steps(), 0);
    press(&mut screen, "r");
    assert_eq!(screen.game.n_steps(), 1);
}

#[test]
fn a_typed_move_and_a_wrong_one() {
    let mut screen = open(&args("chess/chess.zrf"));
    press(&mut screen, "te2e4\n");
    assert_eq!(screen.game.n_steps(), 1);
    press(&mut screen, "te2e4");
    let wrong = screen.key(KeyEvent::from(KeyCode::Enter)).expect_err("it is not legal");
    assert!(wrong.to_string().contains("similar moves"), "{wrong}");
    assert_eq!(screen.game.n_steps(), 1);
}

#[test]
fn drops_need_one_key() {
    let mut screen = open(&args("tic-tac-toe/tic-tac-toe.zrf"));
    press(&mut screen, "\n<\n");
    assert_eq!(screen.game.n_steps(), 2, "{}", screen.message);
    let shown = picture(&mut screen, 80, 24);
    assert!(shown.contains("Moves"), "{shown}");
}

#[test]
fn the_engine_answers_while_the_screen_goes_on() {
    let mut args = args("tic-tac-toe/tic-tac-toe.zrf");
    args.opponent = Some(3);
    args.time = Duration::from_millis(50);
    let mut screen = open(&args);
    press(&mut screen, "\n");
    while screen.game.n_steps() < 2 {
        screen.let_others_move().expect("it goes on");
        picture(&mut screen, 80, 24);
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(screen.game.turn(), Turn::Person);
}

#[test]
fn any_size_of_terminal_shows_something() {
    for game in ["chess/chess.zrf", "hex/hex.zrf", "gomoku/gomoku.zrf", "shogi/shogi.zrf"] {
        let mut screen = open(&args(game));
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
    let mut screen = open(&args("chess/chess.zrf"));
    press(&mut screen, "te2e4\n");
    press(&mut screen, "qx");
    press(&mut screen, "q");
    assert!(!screen.key(KeyEvent::from(KeyCode::Char('y'))).expect("no error"));
}
