//! Every preset of ours: it loads, plays at random, replays, and counts as it should.

mod common;

use boardwright_preset::{Bundle, Game, PresetOutcome, Record};
use common::{all, bundle, play, preset, refusal, show, start};

/// Counts of lines of play, as the same games in the other rule language have them.
#[test]
fn first_moves_are_counted() {
    for (name, counts) in [
        ("capablanca-chess", &[28, 784][..]),
        ("glinski-hexagonal-chess", &[51, 2586]),
        ("raumschach", &[61, 3615]),
        ("shogi", &[30, 900]),
        ("xiangqi", &[44, 1920]),
        ("fischer-random-chess", &[]),
        ("horseshoe", &[2]),
        ("ultima", &[32, 944]),
        ("janggi", &[32, 1024, 33000]),
    ] {
        let game = start(name);
        for (depth, &count) in (1..).zip(counts) {
            let told = game.told_moves();
            assert_eq!(game.perft(depth), Some(count), "{name} {depth} {told:?}");
        }
    }
}

#[test]
fn every_preset_plays_and_replays() {
    let names = all();
    assert!(names.len() >= 13, "{names:?}");
    for name in names {
        let mut game = start(&name);
        let mut state: u64 = 7;
        for turn in 0..24 {
            if game.outcome() != PresetOutcome::Undecided {
                break;
            }
            let Some(moves) = game.told_moves() else {
                assert!(matches!(name.as_str(), "open-board" | "dice-chess"), "{name} tells moves");
                break;
            };
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let mut text = moves[(state >> 33) as usize % moves.len()].clone();
            for _ in 0..4 {
                match game.play(&text) {
                    Ok(()) => break,
                    Err(boardwright_gamecode::CodeStop::Ask(question)) => {
                        text = question.choices[0].1.clone();
                    }
                    Err(stop) => {
                        panic!("{name} {turn} {text}: {}", show(&game.preset().clone(), &stop))
                    }
                }
            }
        }
        let record = Record::of(&game);
        let again = Record::read(&record.write()).expect("reads").replay(game.preset());
        let again = again.unwrap_or_else(|it| panic!("{name}: {it}"));
        assert_eq!(again.cells(), game.cells(), "{name}");
        assert_eq!(again.told_moves(), game.told_moves(), "{name}");
        assert_eq!(again.outcome(), game.outcome(), "{name}");
    }
}

#[test]
fn a_preset_reads_back_from_its_one_text() {
    for name in all() {
        let bundle = bundle(&name);
        let (again, notes) = Bundle::read(&bundle.write());
        assert!(notes.is_empty(), "{name}: {notes:?}");
        assert_eq!(again.hash(), bundle.hash(), "{name}");
    }
}

#[test]
fn what_the_code_tells_is_what_it_accepts() {
    for name in all() {
        let game = start(&name);
        let Some(told) = game.told_moves() else { continue };
        let whole = game.complete().expect("moves are told");
        assert!(whole.len() >= told.len(), "{name}: a move that is told is refused");
    }
}

#[test]
fn fischer_shuffles_once_and_keeps_the_order() {
    let preset = preset("fischer-random-chess");
    let mut seen = std::collections::BTreeSet::new();
    for seed in 0..12 {
        let game = Game::start(preset.clone(), seed).expect("starts");
        let cells = game.cells();
        let rank: Vec<String> = cells[56..].iter().map(|it| format!("{it:?}")).collect();
        let found = |label: &str| -> Vec<usize> {
            (0..8).filter(|&it| rank[it].contains(&format!("\"{label}\""))).collect()
        };
        let (rooks, king, bishops) = (found("R"), found("K"), found("B"));
        assert!(rooks[0] < king[0] && king[0] < rooks[1], "{rank:?}");
        assert_ne!(bishops[0] % 2, bishops[1] % 2, "{rank:?}");
        assert_eq!(game.constants().len(), 1);
        seen.insert(rank);
    }
    assert!(seen.len() > 8, "the seed matters");
}

#[test]
fn fischer_castles_onto_the_rook() {
    let game = |rank: &str| {
        let text = format!(
            "code: k7/8/8/8/8/8/8/8\nside: White\n\
             setup: empty all; clearflags; add k a8 {rank}; set castles (); gosub begin 1;\n"
        );
        let (problem, notes) = boardwright_preset::Problem::read(&text);
        assert!(notes.is_empty());
        let base = bundle("fischer-random-chess");
        problem.start(&base, &Default::default()).expect("starts")
    };
    let rank = |game: &Game| {
        let code = boardwright_gamecode::forsythe::write(&game.cells(), 8);
        code.rsplit('/').next().unwrap_or("").to_owned()
    };
    // King and rook change places.
    let mut near = game("K f1 R g1; setflag f1 g1");
    assert!(near.told_moves().expect("told").contains(&"K f1-g1".to_owned()));
    play(&mut near, "K f1-g1");
    assert_eq!(rank(&near), "5RK1");
    // The king stays where it is.
    let mut far = game("K c1 R b1; setflag c1 b1");
    play(&mut far, "K c1-b1");
    assert_eq!(rank(&far), "2KR4");
    // Not over a piece, not after one of them has moved, not through an attack.
    let refused = "refused: The king cannot castle so.";
    assert_eq!(refusal(&game("K b1 R h1 N d1; setflag b1 h1"), "K b1-h1"), refused);
    assert_eq!(refusal(&game("K b1 R h1; setflag h1"), "K b1-h1"), refused);
    assert_eq!(refusal(&game("K b1 R h1 r e8; setflag b1 h1"), "K b1-h1"), refused);
    let mut open = game("K b1 R h1; setflag b1 h1");
    play(&mut open, "K b1-h1");
    assert_eq!(rank(&open), "5RK1");
}

#[test]
fn a_shogi_pawn_may_not_be_dropped_to_mate_and_a_gold_may() {
    let problem = |code: &str| {
        let (problem, _) = boardwright_preset::Problem::read(&format!(
            "code: {code}\nside: Black\nmoves: 1\nsetup: gosub begin 1;\n"
        ));
        problem.start(&bundle("shogi"), &Default::default()).expect("starts")
    };
    // The king in the corner, a gold that guards the space before it.
    let rest = "9-5/9-5/9-5/9-5/9-5/4K4-5";
    let game = problem(&format!("8k-PG3/6S2-5/7G1-5/{rest}"));
    assert_eq!(refusal(&game, "P*1b"), "refused: A dropped pawn may not give mate.");
    let mut gold = game.clone();
    play(&mut gold, "G*1b");
    assert_eq!(gold.outcome(), PresetOutcome::Win(0), "{:?}", gold.messages());
    assert_eq!(refusal(&game, "P*1a"), "refused: Drop pieces on empty spaces.");
    assert_eq!(refusal(&game, "P*2a"), "refused: You cannot drop the P there.");
    assert_eq!(refusal(&game, "y9-1b").split(':').next(), Some("G0401"));
}

#[test]
fn shogi_pieces_promote_and_change_sides() {
    let mut game = start("shogi");
    play(&mut game, "P 7g-7f, p 3c-3d");
    assert_eq!(refusal(&game, "B 8h-2b"), "ask +B B");
    play(&mut game, "B 8h-2b; +B-2b, s 3a-2b");
    let told = game.told_moves().expect("moves are told");
    assert!(told.contains(&"B*5e".to_owned()), "the bishop is in hand");
    assert!(!told.contains(&"P*5e".to_owned()));
}

#[test]
fn generals_do_not_face_each_other() {
    let (problem, _) = boardwright_preset::Problem::read(
        "code: 4k4/9/9/9/9/9/9/9/4R4/4K4\nside: Red\nmoves: 1\nsetup: gosub begin 1;\n",
    );
    let mut game = problem.start(&bundle("xiangqi"), &Default::default()).expect("starts");
    assert_eq!(refusal(&game, "R e2-d2"), "refused: Your king is in check.");
    play(&mut game, "R e2-e5");
    assert_eq!(game.messages(), ["Check!"]);
}

#[test]
fn a_general_may_come_back_to_where_it_stood() {
    let mut game = start("xiangqi");
    play(&mut game, "K e1-e2, k e10-e9, K e2-e1, k e9-e10");
}

#[test]
fn two_passes_end_a_game_of_janggi() {
    let mut game = start("janggi");
    play(&mut game, "K e2-e2, k e9-e9");
    assert_eq!(game.outcome(), PresetOutcome::Draw);
    let mut game = start("janggi");
    play(&mut game, "P e4-d4, p e7-d7");
    assert_eq!(game.messages(), ["The generals face each other."]);
    assert_eq!(refusal(&game, "P a4-a5"), "refused: That is not allowed here.");
    play(&mut game, "E c1-e4");
}

#[test]
fn a_king_of_grotesque_chess_castles_as_far_as_it_likes() {
    let game = |code: &str| {
        let text = format!(
            "code: {code}\nside: White\nmoves: 1\nsetup: clearflags; setflag a1 e1 j1; \
             gosub begin 1;\n"
        );
        let (problem, _) = boardwright_preset::Problem::read(&text);
        problem.start(&bundle("grotesque-chess"), &Default::default()).expect("starts")
    };
    let code = "9k/10/10/10/10/10/10/R3K4R";
    let open = game(code);
    let told = open.told_moves().expect("told");
    for to in ["c1", "b1", "g1", "h1", "i1"] {
        assert!(told.contains(&format!("K e1-{to}")), "{to} {told:?}");
    }
    let mut near = open.clone();
    play(&mut near, "K e1-i1");
    let code = boardwright_gamecode::forsythe::write(&near.cells(), 10);
    assert_eq!(code.rsplit('/').next(), Some("R6RK1"));
    let watched = game("9k/10/10/10/10/6r3/10/R3K4R");
    let told = watched.told_moves().expect("told");
    assert!(!told.contains(&"K e1-h1".to_owned()) && told.contains(&"K e1-c1".to_owned()));
}

#[test]
fn each_piece_of_ultima_captures_in_its_own_way() {
    let after = |code: &str, turn: &str| {
        let (problem, _) =
            boardwright_preset::Problem::read(&format!("code: {code}\nsetup: gosub tell 1;\n"));
        let mut game = problem.start(&bundle("ultima"), &Default::default()).expect("starts");
        play(&mut game, turn);
        boardwright_gamecode::forsythe::write(&game.cells(), 8)
    };
    // Kings stand out of the way in the corners.
    for (code, turn, expected) in [
        ("7k/8/8/3wP3/3P4/2P5/8/K7", "P c3-c5", "7k/8/8/2P1P3/3P4/8/8/K7"),
        ("7k/8/8/8/2pW4/8/8/K7", "W d4-f4", "7k/8/8/8/5W2/8/8/K7"),
        ("7k/8/8/8/L1p1c3/8/8/K7", "L a4-f4", "7k/8/8/8/5L2/8/8/K7"),
        ("7k/8/p7/8/8/2C5/8/K4p2", "C c3-f6", "7k/8/5C2/8/8/8/8/K7"),
        ("7k/8/8/8/X1l5/8/8/K7", "X a4-d4", "7k/8/8/8/3X4/8/8/K7"),
        ("7k/8/8/8/8/8/1p6/K7", "K a1-b2", "7k/8/8/8/8/8/1K6/8"),
        ("7k/8/8/8/3Pi3/8/8/K7", "P d4-d4", "7k/8/8/8/4i3/8/8/K7"),
    ] {
        assert_eq!(after(code, turn), expected, "{turn}");
    }
}

#[test]
fn alice_goes_through_the_glass() {
    let mut game = start("alice-chess");
    assert_eq!(game.perft(1), Some(20));
    play(&mut game, "P e2-e4, p d7-d5");
    assert_eq!(refusal(&game, "P e4-e5"), "G0401: there is no piece on e4");
    play(&mut game, "P E4-D5");
    let board = game.machine().board().clone();
    assert_eq!(game.piece(board.space("d5").expect("is there")), Some("P"));
}

#[test]
fn a_ring_has_no_end() {
    let mut game = start("circular-chess");
    play(&mut game, "O c1-b1, p n1-o1");
    play(&mut game, "O b1-a1, p o1-p1");
    assert_eq!(refusal(&game, "O a1-p1"), "refused: The pawn cannot move so.");
    play(&mut game, "O c2-b2, p n2-o2, O b2-a2, p p1-a2");
}

#[test]
fn nothing_is_enforced_on_the_open_board() {
    let mut game = start("open-board");
    play(&mut game, "a1-e5, Q-e4; N-d4, e2-, swap a8 h1, K e1-e8; e8-e1 // as we like");
    assert_eq!(game.told_moves(), None);
    assert_eq!(game.enforcement().text(), "Nothing is enforced: move as you agree.");
}

#[test]
fn dice_decide_and_are_the_same_again() {
    let game = start("dice-chess");
    let shown = game.machine().variable("shown").expect("the die was rolled");
    assert!(["N", "P"].contains(&shown.as_str()), "{shown}");
    let told = game.told_moves().expect("moves are told");
    assert!(told.iter().all(|it| it.starts_with(&shown)));
    let again = start("dice-chess");
    assert_eq!(again.machine().variable("shown"), Some(shown));
}
