//! What is shown of moves and goals agrees with the rules.

#![expect(clippy::unwrap_used, reason = "a test may stop where it stands")]

use std::sync::Arc;

use boardwright_game::{PieceKind, Player, Ruleset, Site};
use boardwright_play::{Move, State, VisibleEffect, goal_sites, highlighted_goals};
use boardwright_zrf::{CompileLimits, NoFiles, load};

fn compiled(rules: &str) -> Arc<Ruleset> {
    let mut file = load("test.zrf", rules.as_bytes(), &mut NoFiles, &CompileLimits::default());
    file.compile(0).expect("the rules are sound")
}

fn site(state: &State, name: &str) -> Site {
    state.ruleset().board.site_named(name).unwrap()
}

fn found(state: &State, text: &str) -> Move {
    state.find_move(text).unwrap().unwrap_or_else(|| panic!("{text} is legal"))
}

/// Four sites in a row; the middle ones are flipped, whoever owns them.
const FLIPPING: &str = r#"(game (title "Flip") (players White Black None)
    (turn-order White Black)
    (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d" (10 0))) (directions (e 1))))
    (piece (name Man) (moves (e flip e flip e (verify empty?) add)))
    (piece (name Stone))
    (board-setup (White (Man a)) (None (Stone b)) (Black (Stone c))))"#;

#[test]
fn a_neutral_piece_flipped_stays_neutral() {
    let state = State::start(compiled(FLIPPING));
    let moves = state.legal_moves().unwrap();
    let effects = state.visible_effects(&moves.moves()[0]);
    let stone = state.ruleset().piece_named("Stone").unwrap();
    let neutral = state.ruleset().player_named("None").unwrap();
    let becomes = |name: &str, player: Player| VisibleEffect::Become {
        player,
        kind: stone,
        site: site(&state, name),
    };
    assert!(effects.contains(&becomes("b", neutral)), "{effects:?}");
    assert!(effects.contains(&becomes("c", Player(0))), "{effects:?}");
    assert_eq!(effects.len(), 3, "{effects:?}");
}

#[test]
fn a_promoted_piece_that_is_given_away_keeps_its_new_kind() {
    let rules = r#"(game (title "Gift") (players White Black) (turn-order White Black)
        (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b" (10 0))) (directions (e 1))))
        (piece (name Man) (moves (e (verify empty?) flip (add Queen))))
        (piece (name Queen))
        (board-setup (White (Man a))))"#;
    let state = State::start(compiled(rules));
    let mv = state.legal_moves().unwrap().moves()[0].clone();
    let mut after = state.clone();
    after.play_unchecked(&mv).unwrap();
    let piece = after.placement().get(site(&state, "b")).unwrap();
    let last = *state.visible_effects(&mv).last().unwrap();
    let VisibleEffect::Become { player, kind, .. } = last else { panic!("{last:?}") };
    assert_eq!((player, kind), (piece.owner, piece.kind));
    assert_eq!(mv.becomes(), Some(PieceKind(1)));
}

#[test]
fn a_piece_that_is_displaced_is_captured() {
    let rules = r#"(game (title "Take") (players White Black) (turn-order White Black)
        (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b" (10 0))) (directions (e 1))))
        (piece (name Man) (moves (e add)))
        (board-setup (White (Man a)) (Black (Man b))))"#;
    let state = State::start(compiled(rules));
    let mv = found(&state, "Man a - b");
    assert_eq!(state.captured_sites(&mv), [site(&state, "b")]);
    assert_eq!(state.dropped_kind(&mv), None);
}

#[test]
fn goals_written_by_macros_have_sites() {
    let rules = r#"(define reach (absolute-config Man ($1)))
        (define win-by (win-condition ($1) (or (reach $2) (not (reach $3)))))
        (game (title "Macros") (players White Black) (turn-order White Black)
        (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d" (10 0)))
            (directions (e 1)))
            (zone (name far) (players White) (positions c d))
            (zone (name far) (players Black) (positions a)))
        (piece (name Man) (moves (e (verify empty?) add)))
        (board-setup (White (Man a)))
        (win-by White far b)
        (draw-condition (White Black) stalemated)
        (loss-condition (White Black) (reach far)))"#;
    let state = State::start(compiled(rules));
    let named = |idx: usize| {
        let condition = &state.ruleset().end_conditions[idx];
        let name = |it: &Site| state.ruleset().board.site_name(*it).to_owned();
        let found = goal_sites(state.rules(), condition).into_iter();
        found.map(|(player, it)| (player.0, it.iter().map(name).collect())).collect::<Vec<_>>()
    };
    let strings = |it: &[&str]| it.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
    assert_eq!(named(0), [(0, strings(&["b", "c", "d"]))]);
    assert_eq!(named(1), []);
    assert_eq!(named(2), [(0, strings(&["c", "d"])), (1, strings(&["a"]))]);
}

#[test]
fn goals_are_highlighted_where_the_rules_ask_for_it_or_one_player_plays() {
    let rules = |players: &str, option: &str, far: &str| {
        let text = format!(
            r#"(game (title "Far") (players {players}) (turn-order {players}) {option}
            (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d" (10 0)))
                (directions (e 1)))
                (zone (name far) (players White) (positions {far})))
            (piece (name Man) (moves (e (verify empty?) add)))
            (board-setup (White (Man a)))
            (loss-condition (White) (absolute-config Man (b)))
            (win-condition (White) (absolute-config Man (far))))"#
        );
        let state = State::start(compiled(&text));
        let board = &state.ruleset().board;
        let sites = highlighted_goals(state.rules()).into_iter();
        sites.map(|it| board.site_name(it).to_owned()).collect::<Vec<_>>().join(" ")
    };
    let (on, off) = (r#"(option "highlight goals" true)"#, r#"(option "highlight goals" false)"#);
    assert_eq!(rules("White", "", "c d"), "c d");
    assert_eq!(rules("White", off, "c d"), "");
    assert_eq!(rules("White Black", "", "c d"), "");
    assert_eq!(rules("White Black", on, "c d"), "c d");
    assert_eq!(rules("White", "", "b c d"), "", "most of the board");
}
