//! Moves in few signs, as lists beside a board show them.

use std::{collections::HashSet, sync::Arc};

use boardwright_game::PieceKind;
use boardwright_play::{Rules, SplitMix64, State};
use boardwright_test_kit::{all_variants, playable_files, random_move, root, rule_file, variant};

fn start(game: &str) -> State {
    let mut file = rule_file(&root().join(format!("games/{game}/{game}.zrf")));
    State::start_of(Arc::new(Rules::new(variant(game, &mut file, None))))
}

/// Plays moves by their whole texts, and gives the brief ones.
fn brief(state: &mut State, moves: &[&str]) -> Vec<String> {
    let mut texts = Vec::new();
    for text in moves {
        let list = state.legal_moves().expect("it is a sound game");
        let mv = state.find_in(&list, text).unwrap_or_else(|| panic!("{text} is not legal"));
        let short = state.brief_text(&list, mv);
        let idx = list.iter().position(|it| it == mv).expect("it is in the list");
        assert_eq!(state.brief_texts(&list)[idx], short, "alone and in the list");
        texts.push(short);
        let mv = mv.clone();
        state.play(&mv).expect("it is legal");
    }
    texts
}

#[test]
fn pawns_and_pieces_are_written_alike() {
    let moves = [
        "Pawn e2 - e4",
        "Pawn d7 - d5",
        "Pawn e4 x d5",
        "Knight g8 - f6",
        "Knight g1 - f3",
        "Knight f6 x d5",
    ];
    let texts = brief(&mut start("chess"), &moves);
    assert_eq!(texts, ["e2–e4", "d7–d5", "e4×d5", "Ng8–f6", "Ng1–f3", "Nf6×d5"]);
}

#[test]
fn a_drop_is_its_place_and_a_throw_its_number() {
    let reversi = start("reversi");
    let list = reversi.legal_moves().expect("it is a sound game");
    let texts = reversi.brief_texts(&list);
    assert!(texts.iter().all(|it| it.chars().count() == 2), "{texts:?}");
    let lamps = start("turn-off");
    let list = lamps.legal_moves().expect("it is a sound game");
    assert_eq!(lamps.brief_texts(&list)[0], "a5");
    let draughts = start("english-draughts");
    let list = draughts.legal_moves().expect("it is a sound game");
    assert_eq!(draughts.brief_texts(&list)[0], "9–14");
    let ur = start("royal-ur");
    let list = ur.legal_moves().expect("it is a sound game");
    let texts = ur.brief_texts(&list);
    assert_eq!(texts, ["0", "1", "2", "3", "4"]);
    let ruleset = ur.ruleset();
    let thrown = (0..ruleset.pieces.len()).filter(|&it| ruleset.is_thrown(PieceKind(it as u16)));
    let names: Vec<_> = thrown.map(|it| ruleset.pieces[it].name.as_str()).collect();
    assert_eq!(names, ["Zero", "One", "Two", "Three", "Four"]);
    // What is thrown is nobody's piece; what players drop is.
    let shogi = start("shogi");
    assert!(
        !(0..shogi.ruleset().pieces.len())
            .any(|it| shogi.ruleset().is_thrown(PieceKind(it as u16)))
    );
}

#[test]
fn no_two_moves_of_a_list_look_the_same() {
    for path in playable_files() {
        let name = path.display().to_string();
        for ruleset in all_variants(&name, &mut rule_file(&path)) {
            let mut rng = SplitMix64::new(7);
            let mut state = State::start(ruleset);
            for _ in 0..12 {
                let Ok(list) = state.legal_moves() else { break };
                let texts = state.brief_texts(&list);
                let whole: HashSet<String> = list.iter().map(|it| state.shown_text(it)).collect();
                let distinct: HashSet<&String> = texts.iter().collect();
                // The original's list may show moves alike that differ in what players do not see.
                assert!(distinct.len() >= whole.len(), "{name}: {texts:?}");
                let Some(mv) = random_move(&list, &mut rng).cloned() else { break };
                state.play(&mv).expect("it is legal");
            }
        }
    }
}
