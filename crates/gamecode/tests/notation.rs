//! Turns as players write them.

mod common;

use common::{Memory, STANDARD, Setting, stop};

/// What the board holds on some spaces after a turn, or why the turn is refused.
fn after(setting: Setting, turn: &str, spaces: &[&str]) -> String {
    let (mut machine, part) = setting.machine("alias K5 e5;", &mut Memory(Vec::new()));
    machine.run(part).expect("runs");
    machine.know_labels(["Q", "N", "NB", "+P"]);
    if let Err(it) = machine.play(turn) {
        return stop(&it);
    }
    let labels = spaces.iter().map(|it| {
        let space = machine.board().space(it).expect("is a space");
        machine.piece(space).unwrap_or("@")
    });
    labels.collect::<Vec<_>>().join(" ")
}

#[test]
fn every_form_is_read() {
    let chess = |turn, spaces: &[&str]| after(STANDARD, turn, spaces);
    assert_eq!(chess("e2-e4", &["e2", "e4"]), "@ P");
    assert_eq!(chess("P e2-e4", &["e2", "e4"]), "@ P");
    assert_eq!(chess("1. P e2 - e4 // a start", &["e2", "e4"]), "@ P");
    assert_eq!(chess("a1-a8; Q-a8", &["a1", "a8"]), "@ Q");
    assert_eq!(chess("NB-e4", &["e4"]), "NB");
    assert_eq!(chess("+P-e4", &["e4"]), "+P");
    assert_eq!(chess("e2-", &["e2"]), "@");
    assert_eq!(chess("@-e2", &["e2"]), "@");
    assert_eq!(chess("pass", &["e2"]), "P");
    assert_eq!(chess("e2-K5", &["e5"]), "P");
    assert_eq!(chess("[Q]-e4", &["e4"]), "Q");
    assert_eq!(chess("[{NB}]-e4", &["e4"]), "NB");
    assert_eq!(chess("swap a1 h8", &["a1", "h8"]), "r R");
    assert_eq!(chess("", &["a1"]), "R");
}

#[test]
fn what_cannot_be_read_is_named() {
    let chess = |turn| after(STANDARD, turn, &[]);
    assert_eq!(chess("N e2-e4"), "G0401: the piece on e2 is `P`, not `N`");
    assert_eq!(chess("e4-e5"), "G0401: there is no piece on e4");
    assert_eq!(
        chess("X e2-e4"),
        "G0401: `X e2-e4` is not a move: `X` is no piece, space, command or subroutine"
    );
    assert_eq!(
        chess("e2-e9"),
        "G0401: `e2-e9` is not a move: `e9` is no piece, space, command or subroutine"
    );
    assert_eq!(
        chess("emty e2"),
        "G0401: `emty e2` is not a move: `emty` is no piece, space, command or subroutine"
    );
    assert_eq!(chess("Q*e4"), "G0401: no `Q` is there to drop");
}

#[test]
fn a_slip_gets_a_hint() {
    let (mut machine, _) = STANDARD.machine("", &mut Memory(Vec::new()));
    let stop = machine.play("emty e2").expect_err("is no move");
    let hints = stop.diagnostic().map(|it| it.hints).unwrap_or_default();
    assert_eq!(hints, ["did you mean `empty`?"]);
}

#[test]
fn pieces_off_the_board_are_dropped_and_not_named() {
    let setting = Setting { code: "3-PN", columns: 6, files: "a b c  !h !i", ..STANDARD };
    assert_eq!(after(setting, "P*a1", &["a1", "h1"]), "P @");
    assert_eq!(after(setting, "N*a1; P*b1", &["a1", "b1", "i1"]), "N P @");
    assert_eq!(after(setting, "h1-a1", &[]), "G0401: `h1` is off the board; use `*` to drop");
}

#[test]
fn labels_may_be_ignored() {
    let (mut machine, _) = STANDARD.machine("", &mut Memory(Vec::new()));
    machine.ignore_labels();
    machine.play("R d1-d4").expect("the rook leaves the queen");
}

#[test]
fn a_promotion_leaves_the_keywords_alone() {
    let text = "sub post: echo origin dest moved old captured; endsub;";
    let (mut machine, part) = STANDARD.machine(text, &mut Memory(Vec::new()));
    machine.run(part).expect("runs");
    machine.play("P e2-e7; Q-e7; N-e5").expect("is a turn");
    machine.call("post").expect("runs");
    assert_eq!(machine.take_output(), ["e2 e7 P p p"]);
}

#[test]
fn dice_follow_the_seed() {
    let (mut machine, _) = STANDARD.machine("", &mut Memory(Vec::new()));
    let mut seen = std::collections::BTreeSet::new();
    let mut twin = machine.clone();
    for _ in 0..40 {
        machine.play("[KQRBNP]-e4").expect("rolls");
        twin.play("[KQRBNP]-e4").expect("rolls");
        let space = machine.board().space("e4").expect("is a space");
        assert_eq!(machine.piece(space), twin.piece(space));
        seen.insert(machine.piece(space).map(str::to_owned));
    }
    assert_eq!(seen.len(), 6, "every face comes up");
}
