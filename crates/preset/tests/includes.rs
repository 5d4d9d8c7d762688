//! The include files of the library, called as presets written elsewhere call them.

mod common;

use std::sync::Arc;

use boardwright_gamecode::CodeLimits;
use boardwright_preset::{Bundle, Field, Folder, Game, Preset, PresetOutcome};
use common::{OnDisk, play, refusal, root, start};

/// A game of a preset with these settings and this code before the game.
fn game(settings: &[(&str, &str)]) -> Game {
    let mut bundle = Bundle::default();
    for (key, value) in settings {
        let field = Field::named(key).expect("is a field");
        bundle.settings.set(field, value).expect("takes it");
    }
    bundle.gather(&mut OnDisk(root().join("chess")));
    let preset = Arc::new(Preset::new(bundle, &CodeLimits::default()).expect("has a board"));
    let wrong: Vec<_> = preset.diagnostics().iter().map(|it| it.message.clone()).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
    match Game::start(preset.clone(), 1) {
        Ok(game) => game,
        Err(stop) => panic!("{}", common::show(&preset, &stop)),
    }
}

/// What lines of code print after an include.
fn printed(include: &str, code: &str, lines: &str) -> Vec<String> {
    let pre_game = format!("include {include}; {lines}");
    let game = game(&[("code", code), ("pre-game", &pre_game)]);
    game.output().to_vec()
}

#[test]
fn functions_of_chess_take_from_and_to() {
    let chess = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    for include in ["chess", "chess2", "fischer", "grotesque", "extramove"] {
        let lines = "print fn N b1 c3; print fn N b1 b3; print fn B c1 e3; print fn K e1 e2; print fn R a1 a2;";
        let said = printed(include, chess, lines);
        assert_eq!(said, ["true", "false", "false", "true", "true"], "{include}");
    }
    // In `chess` a pawn's function tells where it captures, in `chess2` where it may go.
    assert_eq!(printed("chess", chess, "print fn P e2 d3; print fn P e2 e3;"), ["true", "false"]);
    let lines =
        "print fn P e2 d3; print fn P e2 e3; print fn P e2 e4; print fn P e3 e5; print fn p e7 e5;";
    let said = printed("chess2", chess, lines);
    assert_eq!(said, ["false", "true", "true", "false", "true"]);
}

#[test]
fn chess_tells_which_spaces_are_attacked_and_by_what() {
    let code = "4k3/8/8/8/8/8/4r3/4K3";
    let lines = "print fn ATTACKEDBYB e1; print fn ATTACKEDBYW e2; print fn ATTACKEDBYW a5;
        print fn ROOK e1 (r q); print fn KNIGHT e1 n; print fn WPAWN e1; print fn KING e2 K;";
    let said = printed("chess", code, lines);
    assert_eq!(said, ["true", "true", "false", "true", "false", "false", "true"]);
}

#[test]
fn mate_and_stalemate_are_told_by_where_the_king_stands() {
    for include in ["chess", "chess2"] {
        let ask = "set K a1; set k e8; print sub checked #K; print sub checkmated #K;
            print sub stalemated #K; print count sub checks #K;";
        let mated = printed(include, "4k3/8/8/8/8/8/7r/K5r1", ask);
        assert_eq!(mated, ["true", "true", "true", "1"], "{include}");
        let stuck = printed(include, "4k3/8/8/8/8/1r6/7r/K7", ask);
        assert_eq!(stuck, ["false", "false", "true", "0"], "{include}");
        let free = printed(include, "4k3/8/8/8/8/8/7r/K7", ask);
        assert_eq!(free, ["false", "false", "false", "0"], "{include}");
    }
}

/// A preset with nothing but the names of the guide: its own judging after each move.
#[test]
fn a_preset_may_judge_moves_with_the_subroutines_of_chess() {
    let after = |mine: &str, other: &str, king: &str, attacked: &str| {
        format!(
            "if not {mine} moved: die Not yours.; endif;
             if match moved (P p K k):
               if not sub moved origin dest: die No.; endif;
             else:
               if not fn moved origin dest: die No.; endif;
             endif;
             if fn {attacked} #{king}: die You are in check.; endif;
             set other {other};"
        )
    };
    let end = |king: &str, attacked: &str| {
        format!(
            "if fn {attacked} #{king}:
               if sub checkmated #{king}: say Checkmate!; won; else: say Check!; endif;
             elseif sub stalemated #{king}: say Stalemate!; drawn; endif;"
        )
    };
    let mut game = game(&[
        ("pre-game", "include chess; setflag a1 e1 h1 a8 e8 h8; set K e1; set k e8;"),
        ("post-move-1", &after("isupper", "k", "K", "ATTACKEDBYB")),
        ("post-move-2", &after("islower", "K", "k", "ATTACKEDBYW")),
        ("post-game-1", &end("k", "ATTACKEDBYW")),
        ("post-game-2", &end("K", "ATTACKEDBYB")),
    ]);
    play(&mut game, "P e2-e4, p e7-e5, N g1-f3, n b8-c6, B f1-c4, n g8-f6");
    assert_eq!(refusal(&game, "K e1-e3"), "refused: No.");
    // Castling by nothing but flags.
    play(&mut game, "K e1-g1");
    let board = game.machine().board().clone();
    assert_eq!(game.piece(board.space("f1").expect("is there")), Some("R"));
    play(&mut game, "n f6-e4, N f3-g5, n e4-f2, B c4-f7");
    assert_eq!(game.messages(), ["Check!"]);
    assert_eq!(game.outcome(), PresetOutcome::Undecided);
}

#[test]
fn generals_of_xiangqi_are_checked_by_where_they_stand() {
    let columns = ("columns", "9");
    let code = ("code", "4k4/9/9/9/9/9/9/4c4/4P4/4K4");
    let lines = "include xiangqi; set K e1; set k e10; print sub checked #K; print fn C e3 e1;
        print fn H b1 c3; print sub stalemated #K;";
    let game = game(&[columns, code, ("pre-game", lines)]);
    assert_eq!(game.output(), ["true", "true", "true", "false"]);
}

#[test]
fn shogi_tells_where_pieces_may_be_dropped() {
    let mut folder = OnDisk(root().join("shogi"));
    let (mut bundle, _) = Bundle::open(&mut folder);
    let code = format!(
        "{} print sub legaldrop P 5e; print sub legaldrop N 5a; print sub legaldrop G 5e;
         print fn G 4i 4h; print sub checked #K; print fn ATTACKEDBYW 5f;",
        folder.file("pre-game.gc").expect("is there")
    );
    let field = Field::named("pre-game").expect("is a field");
    bundle.settings.set(field, &code).expect("takes it");
    let preset = Arc::new(Preset::new(bundle, &CodeLimits::default()).expect("has a board"));
    let game = Game::start(preset, 1).expect("starts");
    assert_eq!(game.output(), ["false", "false", "true", "true", "false", "true"]);
}

#[test]
fn extra_moves_are_by_another_piece_and_capture_nothing() {
    let mut game = start("extra-move-chess");
    let one = "refused: That is one move too many.";
    assert_eq!(refusal(&game, "P e2-e4; P d2-d4"), one);
    play(&mut game, "P e2-e4");
    assert_eq!(refusal(&game, "p d7-d5"), "refused: The p cannot move so.");
    play(&mut game, "p e7-e6; p d7-d5");
    let same = "refused: The second move is by another piece.";
    assert_eq!(refusal(&game, "N g1-f3; N f3-e5"), same);
    assert_eq!(refusal(&game, "N g1-f3; P e4-d5"), "refused: The second move captures nothing.");
    play(&mut game, "P e4-d5; P f2-f4");
    let board = game.machine().board().clone();
    assert_eq!(game.piece(board.space("f4").expect("is there")), Some("P"));
    // The double step was the last move, so it may be captured in passing.
    assert!(game.told_moves().expect("told").contains(&"p e6-d5".to_owned()));
}

#[test]
fn a_pawn_of_hexagonal_shogi_guards_two_spaces_from_drops() {
    let (problem, _) = boardwright_preset::Problem::read(
        "code: k8-5/9-5/9-5/9-5/9-5/9-5/4P4-5/9-5/4K4-P4\nside: Black\nmoves: 1\n\
         setup: gosub begin 1;\n",
    );
    let bundle = common::bundle("hex-shogi");
    let game = problem.start(&bundle, &Default::default()).expect("starts");
    let told = game.told_moves().expect("told");
    let drops: Vec<_> = told.iter().filter(|it| it.starts_with("P*")).collect();
    // The pawn on 5g guards 5f and 6f; pawns are not dropped on the last rank, nor to
    // give check to the king on 9a from 9b or 8b.
    for guarded in ["P*5f", "P*6f", "P*1a"] {
        assert!(!drops.iter().any(|it| *it == guarded), "{guarded} {drops:?}");
    }
    assert!(drops.iter().any(|it| *it == "P*5e"), "{drops:?}");
    assert_eq!(refusal(&game, "P*9b"), "refused: A dropped pawn may not give check.");
}

#[test]
fn arrows_say_where_pieces_may_go() {
    let game = start("arrow-chess");
    let told = game.told_moves().expect("told");
    // a1 has an even sum and so diagonal arrows; b1 has none.
    assert!(told.contains(&"R a1-b2".to_owned()), "{told:?}");
    assert!(refusal(&game, "H b1-d3").starts_with("refused: The H cannot move so"));
    let mut open = game.clone();
    play(&mut open, "R a1-b2");
}
