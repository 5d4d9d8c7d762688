//! What runs when, and what is kept.

mod common;

use std::sync::Arc;

use boardwright_gamecode::{CodeLimits, CodeStop};
use boardwright_preset::{Bundle, Field, Game, Preset, PresetOutcome, Record, Settings, TurnText};

/// A preset of a few settings, on a board of three by three.
fn preset(text: &str) -> Arc<Preset> {
    let (settings, notes) = Settings::read(&format!("columns: 3\ncode: ppp/3/PPP\n{text}"));
    assert!(notes.is_empty(), "{notes:?}");
    let bundle = Bundle { settings, includes: Vec::new() };
    let preset = Preset::new(bundle, &CodeLimits::default()).expect("has a board");
    assert!(preset.program().is_clean(), "{:?}", preset.diagnostics());
    Arc::new(preset)
}

fn start(text: &str) -> Game {
    Game::start(preset(text), 1).expect("starts")
}

const TRACE: &str = "pre-game:\n  echo pre-game thismove;\n\
    pre-move-1:\n  echo pre1 #mln;\npre-move-2:\n  echo pre2 #mln;\n\
    post-move-1:\n  echo post1 dest;\npost-move-2:\n  echo post2 dest;\n\
    post-game-1:\n  echo end1 thismove; empty all;\npost-game-2:\n  echo end2;\n";

#[test]
fn each_field_runs_in_its_place() {
    let mut game = start(TRACE);
    assert_eq!(game.output(), ["pre-game "]);
    game.play("a1-a2").expect("is a move");
    assert_eq!(game.output(), ["pre1 0", "post1 a2", "end1 a1-a2"]);
    assert_eq!(game.mover(), 1);
    game.play("b3-b2 // why not").expect("what the end of the game did to the board is gone");
    assert_eq!(game.output(), ["pre2 1", "post2 b2", "end2"]);
    assert_eq!(game.turns()[1].comment, "why not");
}

#[test]
fn running_everything_again_gives_the_same() {
    let mut game = start(TRACE);
    game.play("a1-a2").expect("is a move");
    game.play("b3-b2").expect("is a move");
    let again = Game::replay(game.preset().clone(), 1, Vec::new(), game.turns()).expect("replays");
    assert_eq!(again.cells(), game.cells());
    assert_eq!(again.output(), game.output());
}

#[test]
fn a_refused_turn_changes_nothing() {
    let mut game = start("post-move-1:\n  set n 1; die No, #n times no.;\n");
    let before = game.cells();
    let stop = game.play("a1-a2").expect_err("is refused");
    assert!(matches!(stop, CodeStop::Refused(text, _) if text == "No, 1 times no."));
    assert_eq!(game.cells(), before);
    assert!(game.turns().is_empty());
    assert_eq!(game.machine().variable("n"), None);
}

#[test]
fn constants_last_from_run_to_run() {
    let code = "pre-game:\n  cset first rand 1000000; set shown #first;\n\
        post-game-1:\n  cset moved dest;\n";
    let mut game = start(code);
    let shown = game.machine().variable("shown").expect("is set");
    game.play("a1-a2").expect("is a move");
    game.play("a3-b2").expect("is a move");
    assert_eq!(game.machine().variable("shown"), Some(shown.clone()));
    let names: Vec<_> = game.constants().into_iter().map(|it| it.0).collect();
    assert_eq!(names, ["first", "moved"]);
    // Another seed, and yet the same number: it comes from the record.
    let mut record = Record::of(&game);
    record.seed = 99;
    let again = Record::read(&record.write()).expect("reads").replay(game.preset());
    assert_eq!(again.expect("replays").machine().variable("shown"), Some(shown));
}

#[test]
fn code_that_looks_ahead_sees_every_turn() {
    let mut game = start("pre-game:\n  set seen count #mline;\n");
    assert_eq!(game.machine().variable("seen").as_deref(), Some("0"));
    game.play("a1-a2").expect("is a move");
    game.play("a3-b2").expect("is a move");
    assert_eq!(game.machine().variable("seen").as_deref(), Some("2"));
}

#[test]
fn the_second_side_may_begin() {
    let mut game = start("side: Black\npost-move-2:\n  echo two;\n");
    assert_eq!(game.mover(), 1);
    game.play("a3-a2").expect("is a move");
    assert_eq!(game.output(), ["two"]);
    assert_eq!(start("skip-first-move: yes\n").mover(), 1);
    assert_eq!(start("side: White\n").mover(), 0);
}

#[test]
fn initial_moves_are_played_and_not_recorded() {
    let mut game = start("initial-moves:\n  a1-a2\n  b3-b2\n");
    assert_eq!(game.turns().len(), 2);
    game.play("c1-c2").expect("is a move");
    let record = Record::of(&game);
    assert_eq!(record.turns(), [TurnText { text: "c1-c2".to_owned(), comment: String::new() }]);
    let again = record.replay(game.preset()).expect("replays");
    assert_eq!(again.cells(), game.cells());
}

#[test]
fn the_code_may_carry_out_turns_itself() {
    let game = {
        let mut game = start(
            "no-moves: yes\npre-game:\n  for t #mline: set v split \"-\" #t; set a elem 0 #v; set b elem 1 #v; swap #a #b; next;\n",
        );
        game.play("a1-a3").expect("is carried out by the code");
        game
    };
    assert_eq!(boardwright_gamecode::forsythe::write(&game.cells(), 3), "Ppp/3/pPP");
}

#[test]
fn the_end_of_the_game_is_about_who_moved_last() {
    for (word, outcome) in [
        ("won", PresetOutcome::Win(0)),
        ("lost", PresetOutcome::Win(1)),
        ("drawn", PresetOutcome::Draw),
    ] {
        let mut game = start(&format!("post-game-1:\n  {word};\n"));
        game.play("a1-a2").expect("is a move");
        assert_eq!(game.outcome(), outcome);
        assert!(game.play("a3-b2").is_err(), "no turn after the end");
    }
}

#[test]
fn an_ended_program_runs_no_turn() {
    let mut game = start("pre-game:\n  end;\n");
    game.play("a1-a2").expect("nothing refuses it");
    assert_eq!(boardwright_gamecode::forsythe::write(&game.cells(), 3), "ppp/3/PPP");
}

#[test]
fn settings_that_make_no_board_are_refused() {
    for (text, expected) in [
        ("code: !", "`!` means nothing here (at character 1)"),
        ("columns: 0", "a board has one column at least"),
        ("code: ---", "the board has no space"),
        ("files: a a b", "two spaces are called `a3`"),
        ("shape: custom\ncode: 3", "the board has no space"),
        (
            "shape: custom\ncode: 3\ncoordinates:\n  x 0 0\n",
            "the code has 3 cells, the coordinates 1",
        ),
    ] {
        let (settings, _) = Settings::read(&format!("columns: 3\ncode: ppp/3/PPP\n{text}"));
        let found = Preset::new(Bundle { settings, includes: Vec::new() }, &CodeLimits::default());
        assert_eq!(found.err().as_deref(), Some(expected), "{text}");
    }
}

#[test]
#[allow(clippy::disallowed_methods, reason = "the document is a file")]
fn every_setting_is_in_the_document() {
    let path = common::root().join("../docs/presets.md");
    let text = std::fs::read_to_string(path).expect("is there");
    for field in boardwright_preset::FIELDS {
        let (key, file) = (format!("`{}`", field.key), format!("`{}.gc`", field.key));
        let is_there = text.contains(&key) || text.contains(&file) || field.key == "rules";
        assert!(is_there, "docs/presets.md does not say {key}");
    }
}

#[test]
fn an_editor_may_set_every_field() {
    for field in boardwright_preset::FIELDS {
        let mut settings = Settings::default();
        settings.set(field, field.default).expect("a field takes its default");
        assert_eq!(Field::named(field.key), Some(field));
    }
}

#[test]
fn a_misspelled_move_puts_no_new_piece() {
    let mut game = start("");
    for text in ["Nb1-b2", "a1-a2-a3", "a1a2-b2", "soldier-b2", "xy-b2"] {
        let stop = game.play(text).expect_err(text);
        assert!(stop.diagnostic().is_some_and(|it| it.message.contains("not")), "{stop:?}");
    }
    // A label may stand before its space without a blank.
    game.play("Pa1-a2").expect("is a move");
    // Every set has single letters, also promoted, and code may name further labels.
    game.play("q-b2").expect("puts a piece");
    game.play("+P-c2").expect("puts a piece");
    let mut game = start("pre-game:\n  set n {NB};\n  alias NB n;\n");
    game.play("NB-b2").expect("the code names this label");
}

#[test]
fn the_turns_are_known_to_code_after_a_move() {
    let code = "  print elem #mln #mline;\n  print count #mline;\n";
    let mut game = start(&format!("post-move-1:\n{code}post-move-2:\n{code}"));
    game.play("a1-a2").expect("is a move");
    assert_eq!(game.output(), ["a1-a2", "1"]);
    game.play("b3-b2").expect("is a move");
    assert_eq!(game.output().last().map(String::as_str), Some("2"));
    assert!(game.output().contains(&"b3-b2".to_owned()), "{:?}", game.output());
}
