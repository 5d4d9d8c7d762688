//! Chess as a preset: everything that a chess player would try.

#![allow(clippy::disallowed_methods, reason = "our problems are files")]

mod common;

use std::sync::Arc;

use boardwright_gamecode::{CodeLimits, Compiler, Machine, forsythe};
use boardwright_preset::{Enforcement, Game, Judgement, PresetOutcome, Problem, Record, TurnText};
use common::{bundle, play, preset, refusal, start};

#[test]
fn the_first_moves_are_counted() {
    let game = start("chess");
    assert_eq!(game.enforcement(), Enforcement::Enforced);
    let counts: Vec<_> = (1..=3).map(|it| game.perft(it)).collect();
    assert_eq!(counts, [Some(20), Some(400), Some(8902)]);
}

#[test]
fn a_hard_middle_game_is_counted() {
    // Castling, en passant, promotion and pins, all at once; the counts are well known.
    let problem = Problem {
        code: "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R".to_owned(),
        setup: "gosub begin 1;".to_owned(),
        moves: 1,
        ..Problem::default()
    };
    let game = problem.start(&bundle("chess"), &CodeLimits::default()).expect("starts");
    assert_eq!((game.perft(1), game.perft(2)), (Some(48), Some(2039)));
}

#[test]
fn fools_mate() {
    let mut game = start("chess");
    play(&mut game, "f2-f3, p e7-e5, P g2-g4, q d8-h4");
    assert_eq!(game.outcome(), PresetOutcome::Win(1));
    assert_eq!(game.messages(), ["Checkmate!"]);
    assert_eq!(refusal(&game, "a2-a3"), "refused: The game is over.");
}

#[test]
fn castling_both_ways() {
    let mut game = start("chess");
    play(&mut game, "e2-e4, e7-e5, g1-f3, b8-c6, f1-c4, d7-d6");
    assert_eq!(refusal(&game, "K e1-c1"), "refused: You cannot capture your own piece.");
    play(&mut game, "K e1-g1, c8-e6, h2-h3, d8-d7, d2-d3");
    let mut early = game.clone();
    play(&mut early, "r a8-b8, h3-h4, r b8-a8, h4-h5");
    assert_eq!(refusal(&early, "k e8-c8"), "refused: The king cannot move so.");
    play(&mut game, "k e8-c8");
    let code = forsythe::write(&game.cells(), 8);
    assert_eq!(code, "2kr1bnr/pppq1ppp/2npb3/4p3/2B1P3/3P1N1P/PPP2PP1/RNBQ1RK1");
}

#[test]
fn en_passant_at_once_or_never() {
    let mut game = start("chess");
    play(&mut game, "e2-e4, a7-a6, e4-e5, d7-d5");
    let mut later = game.clone();
    play(&mut later, "h2-h3, h7-h6");
    assert_eq!(refusal(&later, "e5-d6"), "refused: The P cannot move so.");
    play(&mut game, "P e5-d6");
    let code = forsythe::write(&game.cells(), 8);
    assert_eq!(code, "rnbqkbnr/1pp1pppp/p2P4/8/8/8/PPPP1PPP/RNBQKBNR");
}

#[test]
fn promotion_asks() {
    let mut game = start("chess");
    play(&mut game, "a2-a4, b7-b5, a4-b5, a7-a6, b5-a6, c8-b7, a6-b7, h7-h6");
    assert_eq!(refusal(&game, "P b7-a8"), "ask Q R B N");
    assert_eq!(refusal(&game, "P b7-a8; K-a8"), "refused: it cannot become `K`");
    play(&mut game, "P b7-a8; Q-a8 // at last");
    let last = game.turns().last().expect("a turn was played");
    assert_eq!((last.text.as_str(), last.comment.as_str()), ("P b7-a8; Q-a8", "at last"));
}

#[test]
fn what_is_not_allowed_is_said() {
    let mut game = start("chess");
    for (turn, expected) in [
        ("e2-e5", "refused: The P cannot move so."),
        ("e7-e5", "refused: That is not your piece."),
        ("d1-d2", "refused: You cannot capture your own piece."),
        ("e2-e4; Q-e4", "refused: A pawn promotes on the last rank only."),
        ("g1-f3; Q-f3", "refused: Only pawns promote."),
        ("e2-e2", "refused: A move goes from one space to another."),
        ("N e2-e4", "G0401: the piece on e2 is `P`, not `N`"),
        ("add Q e4", "G0401: `add Q e4`: a command is not allowed here"),
        ("pass", "G0401: `pass`: passing is not allowed here"),
    ] {
        assert_eq!(refusal(&game, turn), expected, "{turn}");
    }
    play(&mut game, "e2-e4, e7-e5, d1-h5, b8-c6");
    play(&mut game, "h5-f7");
    assert_eq!(game.messages(), ["Check!"]);
    assert_eq!(refusal(&game, "a7-a6"), "refused: Your king is in check.");
    play(&mut game, "e8-f7");
}

#[test]
fn stalemate_draws() {
    let problem = Problem {
        code: "k7/8/1K6/8/8/8/8/2Q5".to_owned(),
        setup: "clearflags; gosub begin 1;".to_owned(),
        moves: 1,
        ..Problem::default()
    };
    let mut game = problem.start(&bundle("chess"), &CodeLimits::default()).expect("starts");
    play(&mut game, "Q c1-c7");
    assert_eq!(game.outcome(), PresetOutcome::Draw);
}

#[test]
fn problems_are_solved_or_refused_on_the_spot() {
    let base = bundle("chess");
    let read = |name: &str| {
        let path = common::root().join("chess/problems").join(name);
        let text = std::fs::read_to_string(path).expect("is there");
        let (problem, notes) = Problem::read(&text);
        assert!(notes.is_empty(), "{notes:?}");
        problem
    };
    let one = read("smothered.txt");
    let game = one.start(&base, &CodeLimits::default()).expect("starts");
    assert_eq!(game.messages(), ["White mates in one."]);
    assert!(matches!(one.judge(&game, "N h6-g8"), Judgement::Wrong));
    assert!(matches!(one.judge(&game, "N h6-h5"), Judgement::Refused(_)));
    assert!(matches!(one.judge(&game, "N h6-f7"), Judgement::Solved(_)));
    assert_eq!(one.solve(&game).as_deref(), Some("N h6-f7"));
    let two = read("two-rooks.txt");
    let game = two.start(&base, &CodeLimits::default()).expect("starts");
    assert!(matches!(two.judge(&game, "R a2-a3"), Judgement::Wrong));
    let Judgement::GoOn { game, .. } = two.judge(&game, "R a2-a7") else {
        panic!("the first rook takes the rank");
    };
    assert!(matches!(two.judge(&game, "R b1-b8"), Judgement::Solved(_)));
}

#[test]
fn a_record_replays_and_branches() {
    let mut game = start("chess");
    play(&mut game, "e2-e4, e7-e5, g1-f3");
    let mut record = Record::of(&game);
    record.back_to(1);
    record.push(TurnText { text: "c7-c5".to_owned(), comment: String::new() });
    let read = Record::read(&record.write()).expect("reads");
    let again = read.replay(&preset("chess")).expect("replays");
    assert_eq!(again.turns().len(), 2);
    assert_eq!(
        forsythe::write(&again.cells(), 8),
        "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR"
    );
    record.push(TurnText { text: "e4-e6".to_owned(), comment: String::new() });
    let error = record.replay(&preset("chess")).expect_err("is not legal");
    assert_eq!(error.to_string(), "turn 3: The P cannot move so.");
    record.preset.clear();
    let error = record.replay(&preset("chess")).expect_err("is another preset");
    assert_eq!(error.to_string(), "the record is of another preset");
}

#[test]
fn the_assembled_program_gives_the_same_board() {
    let mut game = start("chess");
    play(&mut game, "e2-e4, d7-d5, e4-d5, c7-c6, d5-c6, a7-a6, c6-b7, a6-a5, b7-a8; Q-a8, h7-h6");
    play(&mut game, "g1-f3, h6-h5, f1-e2, h5-h4, e1-g1, h4-h3");
    let text = game.assembled();
    assert!(text.contains("moveindex 8;\ngosub preauto1;\nMOVE: b7-a8;\nMOVE: Q-a8;\n"), "{text}");
    let mut files = game.preset().bundle.clone();
    let mut compiler = Compiler::new(CodeLimits::default(), &mut files);
    // What follows `end` is there to be read; the includes come in by their statement.
    let part = compiler.part("all", text.split("// --- included").next().unwrap_or(""));
    let program = Arc::new(compiler.finish());
    assert!(program.is_clean(), "{:?}", program.diagnostics());
    let preset = game.preset();
    let mut machine = Machine::new(program, preset.board().clone(), preset.cells(), 1);
    let texts: Vec<String> = game.turns().iter().map(|it| it.text.clone()).collect();
    machine.set_turns(&texts);
    machine.run(part).expect("runs");
    assert_eq!(machine.cells(), game.cells());
    assert_eq!(machine.legal(), game.machine().legal());
}

#[test]
fn a_game_of_two_hundred_moves_runs_again() {
    let mut turns: Vec<TurnText> = Vec::new();
    let mut add = |text: &str| {
        turns.push(TurnText { text: text.to_owned(), comment: String::new() });
    };
    // Knights go out and home; pawns step before fifty moves are over.
    for pawns in [["a2-a3", "h7-h6"], ["b2-b3", "g7-g6"], ["c2-c3", "f7-f6"], ["d2-d3", "e7-e6"]] {
        for _ in 0..24 {
            ["g1-f3", "b8-c6", "f3-g1", "c6-b8"].into_iter().for_each(&mut add);
        }
        pawns.into_iter().for_each(&mut add);
    }
    ["b1-d2", "b8-c6", "d2-b1", "c6-b8", "b1-d2", "b8-c6", "d2-b1", "c6-b8"]
        .into_iter()
        .for_each(&mut add);
    assert_eq!(turns.len(), 400);
    let game = Game::replay(preset("chess"), 1, Vec::new(), &turns).expect("is legal");
    assert_eq!(forsythe::write(&game.cells(), 8), "rnbqkbnr/pppp4/4pppp/8/8/PPPP4/4PPPP/RNBQKBNR");
    // A budget in steps is the same on every machine; about 20 million are run a second.
    assert!(game.machine().steps() < 1_000_000, "{} steps", game.machine().steps());
}
