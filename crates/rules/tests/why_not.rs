//! A refused move says why, in the words of the game.

use std::sync::Arc;

use boardwright_game::Site;
use boardwright_play::Rules;
use boardwright_rules::{GameRules, GameState, Judging, MoveObstacle};
use boardwright_test_kit::{root, rule_file, variant};

fn start(game: &str) -> GameState {
    let mut file = rule_file(&root().join(format!("games/{game}/{game}.zrf")));
    let rules = Arc::new(Rules::new(variant(game, &mut file, None)));
    let rules = Arc::new(GameRules::compiled(rules, file.sources().clone()));
    rules.start(0).expect("it begins")
}

fn after(game: &str, moves: &[&str]) -> GameState {
    let mut state = start(game);
    for text in moves {
        let legal = state.legal_moves().expect("it is a sound game");
        state = state.play_text(&legal, text, Judging::Trust).expect("it is legal").state;
    }
    state
}

fn site(state: &GameState, name: &str) -> Site {
    let board = &state.rules().ruleset().board;
    board.all_sites().find(|&it| board.site_name(it) == name).expect("it is on the board")
}

/// The state after the move between two sites.
fn moved(state: &GameState, from: Option<&str>, to: &str) -> GameState {
    let legal = state.legal_moves().expect("it is a sound game");
    let (from, to) = (from.map(|it| site(state, it)), Some(site(state, to)));
    let meant = state.move_details(&legal).into_iter().find(|it| it.from == from && it.to == to);
    let text = meant.expect("it is legal").long;
    state.play_text(&legal, &text, Judging::Trust).expect("it is legal").state
}

fn asked(state: &GameState, from: Option<&str>, to: Option<&str>) -> Option<MoveObstacle> {
    let legal = state.legal_moves().expect("it is a sound game");
    let at = |it: Option<&str>| it.map(|it| site(state, it));
    state.why_not(&legal, at(from), at(to)).expect("the game goes on")
}

fn said(state: &GameState, from: &str, to: &str) -> String {
    asked(state, Some(from), Some(to)).map_or_else(String::new, |it| it.text)
}

#[test]
fn in_check_a_move_that_does_not_stop_it_is_refused_with_that_reason() {
    let checked = after("chess", &["Pawn e2 - e4", "Pawn f7 - f6", "Queen d1 - h5"]);
    let why = "Your king is in check, and this move does not stop it.";
    assert_eq!(said(&checked, "b8", "c6"), why);
    assert_eq!(asked(&checked, Some("b8"), None).expect("it cannot move").text, why);
    assert_eq!(asked(&checked, Some("g7"), Some("g6")), None, "this is legal");
}

#[test]
fn a_pinned_piece_says_that_the_king_would_be_in_check() {
    let moves = ["Pawn e2 - e4", "Pawn e7 - e5", "Pawn d2 - d3", "Bishop f8 - b4"];
    let pinned = after("chess", &moves);
    assert_eq!(said(&pinned, "b1", "a3"), "Your king is in check, and this move does not stop it.");
    let blocked = after("chess", &[&moves[..], &["Knight b1 - c3", "Pawn a7 - a6"]].concat());
    assert_eq!(said(&blocked, "c3", "d5"), "Not legal: your king would be in check.");
}

#[test]
fn pieces_say_what_is_in_their_way() {
    let state = start("chess");
    assert_eq!(said(&state, "a1", "a5"), "The way of your rook to a5 is blocked.");
    assert_eq!(said(&state, "a1", "a2"), "Your own pawn is on a2.");
    assert_eq!(said(&state, "e2", "d3"), "Your pawn moves to d3 only to capture.");
    assert_eq!(said(&state, "g1", "g3"), "Your knight cannot move to g3.");
    assert_eq!(
        asked(&state, Some("a1"), None).expect("shut in").text,
        "Your rook has no legal move."
    );
    let faced = after("chess", &["Pawn e2 - e4", "Pawn e7 - e5"]);
    assert_eq!(said(&faced, "e4", "e5"), "Your pawn cannot capture on e5.");
}

#[test]
fn draughts_say_that_capturing_is_compulsory() {
    let state = start("english-draughts");
    let state = moved(&moved(&state, Some("11"), "15"), Some("22"), "18");
    assert_eq!(said(&state, "9", "13"), "You can capture, so you must.");
}

#[test]
fn stones_say_that_a_place_is_taken() {
    let state = moved(&start("gomoku"), None, "h8");
    assert_eq!(
        asked(&state, None, Some("h8")).expect("it is taken").text,
        "There is already a piece on h8."
    );
}

#[test]
fn nothing_is_said_of_the_opponents_pieces_and_of_sites_that_are_not_there() {
    let state = start("chess");
    assert_eq!(asked(&state, Some("e7"), Some("e5")), None);
    let legal = state.legal_moves().expect("it is a sound game");
    assert_eq!(state.why_not(&legal, Some(Site(900)), Some(Site(3))), Ok(None));
}
