//! A game being played, in both languages: start, legal moves, refusals, outcomes, the tree.

use std::sync::Arc;

use boardwright_game::Player;
use boardwright_play::{Rules, SplitMix64};
use boardwright_rules::{GameRules, GameState, Judging, LegalMoves, PlayRefusal};
use boardwright_test_kit::{preset_rules, root, rule_file, variant};

/// The rules of a rule file of the library.
fn compiled(name: &str) -> Arc<GameRules> {
    let mut file = rule_file(&root().join(format!("games/{name}/{name}.zrf")));
    let rules = Arc::new(Rules::new(variant(name, &mut file, None)));
    Arc::new(GameRules::compiled(rules, file.sources().clone()))
}

/// Chess as a rule file and as a preset.
fn both() -> [Arc<GameRules>; 2] {
    [compiled("chess"), preset_rules("chess")]
}

fn legal(state: &GameState) -> LegalMoves {
    state.legal_moves().expect("the rules keep their limits")
}

/// Everything that people see of a state.
fn shown(state: &GameState) -> (String, Option<Player>, u64, usize) {
    (state.text(), state.mover(), state.hash(), legal(state).len())
}

/// The state after moves that are given by the sites of their ends.
fn after(rules: &Arc<GameRules>, moves: &[(&str, &str)]) -> GameState {
    let mut state = rules.start(1).expect("it begins");
    for &(from, to) in moves {
        let board = &rules.ruleset().board;
        let ends = (board.site_named(from), board.site_named(to));
        let all = legal(&state);
        let moves = (0..all.len()).filter_map(|it| all.get(it));
        let mut meant = moves.filter(|it| state.key_sites_of(it) == ends);
        let mv = meant.next().unwrap_or_else(|| panic!("{from}-{to} is legal"));
        state.replay(&mv).expect("a listed move can be played");
    }
    state
}

#[test]
fn both_languages_begin_alike() {
    for rules in both() {
        let state = rules.start(1).expect("it begins");
        assert_eq!(state.mover(), Some(Player(0)));
        assert_eq!(state.pieces().len(), 32);
        let all = legal(&state);
        assert_eq!((all.len(), all.is_free, all.outcome.is_none()), (20, false, true));
        assert_eq!(rules.seats(), [Player(0), Player(1)]);
        assert!(rules.lists_moves());
    }
}

#[test]
fn every_listed_move_can_be_played_and_changes_the_state() {
    for rules in both() {
        let state = after(&rules, &[("e2", "e4"), ("d7", "d5")]);
        let all = legal(&state);
        assert_eq!(all.len(), 31, "captures count");
        let before = shown(&state);
        for idx in 0..all.len() {
            let text = state.move_text(&all, idx).expect("it is listed");
            let step = state.play_text(&all, &text, Judging::Judge).expect("it is legal");
            assert_eq!(step.player, Some(Player(0)));
            assert_eq!(step.long, text);
            assert!(!step.effects.is_empty(), "{text}");
            assert_ne!(shown(&step.state), before, "{text}");
        }
        assert_eq!(shown(&state), before, "a state is a value");
    }
}

#[test]
fn a_refused_move_leaves_the_state_unchanged() {
    for rules in both() {
        let state = rules.start(1).expect("it begins");
        let before = shown(&state);
        for text in ["e2-e5", "Pawn e2 - e5", "nonsense", ""] {
            let refused = state.play_text(&legal(&state), text, Judging::Judge);
            assert!(refused.is_err(), "{text}");
        }
        assert_eq!(shown(&state), before);
    }
}

#[test]
fn a_finished_game_has_an_outcome_and_takes_no_move() {
    let mate = [("f2", "f3"), ("e7", "e5"), ("g2", "g4"), ("d8", "h4")];
    for rules in both() {
        let state = after(&rules, &mate);
        let all = legal(&state);
        let outcome = all.outcome.as_ref().expect("it is mate");
        assert_eq!(
            (&outcome.winners[..], &outcome.losers[..]),
            (&[Player(1)][..], &[Player(0)][..])
        );
        assert!(!outcome.is_draw() && !outcome.why.is_empty(), "{outcome:?}");
        assert!(all.is_empty());
        let refused = state.play_text(&all, "a2-a3", Judging::Judge);
        assert!(matches!(refused, Err(PlayRefusal::Over)), "{refused:?}");
    }
}

#[test]
fn the_same_moves_give_the_same_state() {
    let moves = [("g1", "f3"), ("g8", "f6"), ("b1", "c3")];
    for rules in both() {
        let (one, other) = (after(&rules, &moves), after(&rules, &moves));
        assert_eq!(shown(&one), shown(&other));
        // Another order gives the same board and the same hash.
        let turned = after(&rules, &[("b1", "c3"), ("g8", "f6"), ("g1", "f3")]);
        assert_eq!(turned.text().split(';').next(), one.text().split(';').next());
        let later = after(&rules, &[("g1", "f3"), ("g8", "f6")]);
        assert_ne!(later.hash(), one.hash());
    }
}

#[test]
fn the_tree_of_a_game_lists_what_the_game_lists_and_comes_back() {
    let presets = ["chess", "shogi", "xiangqi", "ultima", "dice-chess"];
    let games = [compiled("chess")].into_iter().chain(presets.map(preset_rules));
    for rules in games {
        let title = rules.ruleset().title.clone();
        let mut state = rules.start(1).expect("it begins");
        let mut rng = SplitMix64::new(5);
        for ply in 0..5 {
            let all = legal(&state);
            if all.is_empty() {
                break;
            }
            let mut tree = state.tree(None, Some(&all));
            let mut moves = Vec::new();
            assert_eq!(tree.moves(&mut moves), None, "{title}");
            assert_eq!(moves.len(), all.len(), "{title}, ply {ply}");
            let before = (tree.hash(), tree.mover());
            for choice in moves.iter().take(4) {
                let text = state.text_of(&tree.move_of(choice));
                tree.play(choice);
                let step = state.play_text(&all, &text, Judging::Trust).expect("it is legal");
                assert_eq!(Some(tree.mover()), step.state.mover(), "{title}: {text}");
                for piece in step.state.pieces() {
                    let found = tree.piece(piece.site);
                    assert_eq!(found, Some((piece.player, piece.kind)), "{title}: {text}");
                }
                tree.undo();
                assert_eq!((tree.hash(), tree.mover()), before, "{title}: {text}");
            }
            let mv = all.drawn(&mut rng).expect("there is a move");
            state.replay(&mv).expect("it is legal");
        }
    }
}

#[test]
fn a_preset_that_enforces_nothing_lists_nothing() {
    let rules = preset_rules("open-board");
    assert!(!rules.lists_moves());
    let state = rules.start(1).expect("it begins");
    assert!(legal(&state).is_free && legal(&state).is_empty());
}
