//! The life of a match: played, taken back, branched, edited, saved.

use std::sync::Arc;

use boardwright_game::Player;
use boardwright_play::{Rules, State, zsg};
use boardwright_referee::{EditStep, Match, NotWritable, Refusal, from_save, letters, save, seats};

fn rules(game: &str) -> Arc<Rules> {
    let path = boardwright_test_kit::root().join(format!("games/{game}/{game}.zrf"));
    let mut file = boardwright_test_kit::rule_file(&path);
    Arc::new(Rules::new(boardwright_test_kit::variant(game, &mut file, None)))
}

fn played(game: &mut Match, moves: &[&str]) {
    for mv in moves {
        let done = game.play(game.current(), mv, mv, false);
        assert!(done.is_ok(), "{mv}: {done:?}");
    }
}

#[test]
fn a_command_sent_twice_is_obeyed_once() {
    let mut game = Match::new(rules("chess"), None);
    let first = game.play(0, "Pawn e2 - e4", "a", false).expect("it is legal");
    assert!(!first.was_there);
    let again = game.play(0, "Pawn e2 - e4", "a", false).expect("it was obeyed");
    assert!(again.was_there && again.node == first.node);
    assert_eq!(game.nodes().len(), 2);
    assert_eq!(game.play(0, "Pawn e2 - e3", "b", false), Err(Refusal::Stale));
    assert_eq!(game.play(9, "Pawn e2 - e3", "b", false), Err(Refusal::NoNode));
    let refused = game.play(1, "Pawn e2 - e4", "c", false);
    assert!(matches!(refused, Err(Refusal::Illegal(..))), "{refused:?}");
    assert_eq!(game.current(), 1);
}

#[test]
fn branches_are_kept_and_states_found_again() {
    let mut game = Match::new(rules("chess"), None);
    played(&mut game, &["Pawn e2 - e4", "Pawn e7 - e5", "Knight g1 - f3"]);
    let there = game.state().clone();
    game.go_on_from(1).expect("it is there");
    played(&mut game, &["Pawn c7 - c5"]);
    assert_eq!(game.nodes().len(), 5);
    assert_eq!(game.state_at(3), Some(there));
    // A move of the record is gone along.
    game.go_on_from(1).expect("it is there");
    let known = game.play(1, "Pawn e7 - e5", "x", false).expect("it is legal");
    assert_eq!((known.node, known.was_there, game.nodes().len()), (2, true, 5));
    assert_eq!(game.tree().before(|it| it == Player(0)), Ok(0));
    assert_eq!(game.tree().before(|it| it == Player(1)), Ok(1));
    game.go_on_from(0).expect("it is there");
    assert_eq!(game.tree().before(|_| true), Err(Refusal::AtStart));
}

#[test]
fn long_records_give_back_every_state() {
    let mut game = Match::new(rules("chess"), None);
    let moves = ["Knight g1 - f3", "Knight g8 - f6", "Knight f3 - g1", "Knight f6 - g8"];
    let mut states = vec![game.state().clone()];
    // The third time the same state comes, the game is over.
    for mv in moves.iter().cycle().take(7) {
        played(&mut game, &[mv]);
        states.push(game.state().clone());
    }
    for (id, state) in states.iter().enumerate() {
        assert_eq!(game.state_at(id as u32).as_ref(), Some(state), "{id}");
    }
}

#[test]
fn giving_up_belongs_to_its_node() {
    let mut game = Match::new(rules("chess"), None);
    played(&mut game, &["Pawn e2 - e4"]);
    game.resign(Player(1)).expect("the game goes on");
    assert_eq!(game.resign(Player(0)), Err(Refusal::Over));
    assert_eq!(game.play(1, "Pawn e7 - e5", "", false), Err(Refusal::Over));
    game.go_on_from(0).expect("it is there");
    assert_eq!(game.resigned(0), None);
    assert!(game.legal().is_ok_and(|it| it.len() == 20));
}

#[test]
fn edits_are_texts_and_back() {
    let rules = rules("shogi");
    let start = State::start_of(Arc::clone(&rules));
    let pieces: Vec<_> =
        start.placement().pieces().map(|(at, it)| (at, it.owner, it.kind)).collect();
    let hands = [(Player(1), pieces[0].2, 2)];
    let step = EditStep::to(&start, &pieces[1..], &hands, 1);
    let text = step.to_text(&rules.ruleset);
    assert_eq!(EditStep::from_text(&rules.ruleset, &text), Ok(step.clone()));
    assert!(EditStep::from_text(&rules.ruleset, "(Nobody Wolf a1)").is_err());
    let mut game = Match::new(Arc::clone(&rules), None);
    game.edit(0, step).expect("there is room");
    assert_eq!(game.state().mover(), Some(Player(1)));
    assert_eq!(game.state().hand(Player(1), pieces[0].2), 2);
    // Save files have no words for hands and turns.
    assert_eq!(save(&game, 1, "HH"), Err(NotWritable::Arranged));
    assert!(EditStep::to(&start, &pieces, &[], 0).is_nothing());
}

#[test]
fn a_save_is_written_read_and_written_the_same() {
    let rules = rules("chess");
    let mut game = Match::new(Arc::clone(&rules), None);
    played(&mut game, &["Pawn e2 - e4"]);
    let state = game.state().clone();
    let mut pieces: Vec<_> =
        state.placement().pieces().map(|(at, it)| (at, it.owner, it.kind)).collect();
    pieces.pop();
    game.edit(1, EditStep::to(&state, &pieces, &[], state.turn_idx())).expect("there is room");
    played(&mut game, &["Pawn e7 - e5"]);
    let seats = seats(&rules.ruleset);
    let file =
        save(&game, game.current(), &letters(&rules.ruleset, &seats)).expect("it is writable");
    assert!(file.to_text().contains("Version 0.02 HH\r\n"), "{}", file.to_text());
    let read = zsg::SaveFile::read(&file.to_bytes());
    let (again, stop) = from_save(&read, Arc::clone(&rules));
    assert_eq!(stop, None);
    assert_eq!(again.state(), game.state());
    let written = save(&again, again.current(), "HH").expect("it is writable");
    assert_eq!(written.to_bytes(), file.to_bytes());
}

#[test]
fn rounds_count_moves_and_not_plies() {
    let mut game = Match::new(rules("chess"), None);
    played(&mut game, &["Pawn e2 - e4", "Pawn e7 - e5", "Knight g1 - f3"]);
    let seats = [Player(0), Player(1)];
    let rounds: Vec<u32> = (0..4).map(|node| game.round(node, &seats)).collect();
    assert_eq!(rounds, [0, 1, 1, 2]);
    // A branch counts from where it leaves: 1. e4 d5 2. Nf3, all of it counted at once.
    game.go_on_from(1).expect("it is in the record");
    played(&mut game, &["Pawn d7 - d5", "Knight g1 - f3"]);
    assert_eq!(game.tree().rounds(&seats), [0, 1, 1, 2, 1, 2]);
}

#[test]
fn a_throw_belongs_to_whom_it_was_thrown_for() {
    let mut game = Match::new(rules("royal-ur"), None);
    let seats = [Player(0), Player(1)];
    game.play(0, "White Two dice", "", true).expect("it is legal");
    let thrown = game.node(1).expect("it was made");
    assert_eq!((thrown.owner, thrown.short.as_str()), (Some(Player(0)), "2"));
    assert_ne!(thrown.player, thrown.owner);
    assert_eq!(game.round(1, &seats), 1);
    let entered = game.legal().expect("it is a sound game").get(0).cloned().expect("there is one");
    let text = game.state().move_text(&entered);
    game.play(1, &text, "", false).expect("it is legal");
    assert_eq!(game.round(2, &seats), 1);
    game.play(2, "Black One dice", "", true).expect("it is legal");
    assert_eq!(game.round(3, &seats), 1);
}
