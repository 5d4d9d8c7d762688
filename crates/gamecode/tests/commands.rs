//! Every command, each with what it is for and what it does at the edges.

mod common;

use common::{Memory, STANDARD, Setting, check, stop};

#[test]
fn pieces_come_and_go() {
    check("add Q e4; echo space e4; print space e4;", &["space e4", "Q"]);
    check("add Q all e4 e5; print list space e4 space e5;", &["Q Q"]);
    check("add Q z9;", &["G0301: the board has no space `z9`"]);
    check("add Q;", &["G0105: `add` needs a piece and a space"]);
    check("add \"a b\" e4;", &["G0305: `a b` cannot be a piece"]);
    check("capture e4; print capture; echo old;", &["false", "@"]);
    check("capture e7 e8; echo captured old;", &["k k"]);
    check("copy a1 e4; print list space a1 space e4;", &["R R"]);
    check("move a1 e4; print list space a1 space e4;", &["@ R"]);
    check("move a1 a1; print space a1;", &["R"]);
    check("swap a1 b1; print list space a1 space b1;", &["N R"]);
    check("replace P Q; print count filter lambda (== #0 Q) values onlyupper;", &["9"]);
    check("replace P Q a2 e4; print list space a2 space b2;", &["Q P"]);
    check("empty a1 a2; print list space a1 space a2 space b1;", &["@ @ N"]);
    check("empty all; print count onlyupper;", &["0"]);
    check("flip a1 a8 e4; print list space a1 space a8 space e4;", &["r R @"]);
    check("flip (a1 b1); print list space a1 space b1;", &["r n"]);
    check("move e2;", &["G0105: `move` needs two spaces"]);
}

#[test]
fn rows_of_pieces_turn() {
    check("shift a1 b1 c1; print list space a1 space b1 space c1;", &["B R N"]);
    check("rotate (a1 b1 c1); print list space a1 space b1 space c1;", &["B R N"]);
    check("mirror a1 b1 c1; print list space a1 space b1 space c1;", &["B N R"]);
    check("set a (x y z); shift a; echo #a;", &["y z"]);
    check(
        "shuffle a1 b1 c1 d1; print sort array space a1 space b1 space c1 space d1;",
        &["B N Q R"],
    );
    let first = STANDARD.run("shuffle a1 b1 c1 d1 e1 f1 g1 h1; echo done; print values onlyupper;");
    let again = STANDARD.run("shuffle a1 b1 c1 d1 e1 f1 g1 h1; echo done; print values onlyupper;");
    assert_eq!(first, again, "the same seed shuffles the same way");
}

#[test]
fn dropping_finds_an_empty_space() {
    check("empty c1; drop X a1 b1 c1; print space c1;", &["X"]);
    check("drop X a1 b1;", &["G0306: no space is left to drop `X` on"]);
}

#[test]
fn cleared_pieces_go_off_the_board() {
    let setting = Setting { code: "pq-2", columns: 5, files: "a b  !h !i", ..STANDARD };
    setting.check(
        "clear a1; print list space a1 space h1; clear board; print list space h1 space i1;",
        &["@ p", "p q"],
    );
    check("clear e2; print space e2;", &["@"]);
}

#[test]
fn what_is_stored_comes_back_again_and_again() {
    check(
        "setflag x; store; move e2 e4; unsetflag x; restore; print list space e2 ?x;
         empty all; restore; print space e1;",
        &["P true", "K"],
    );
    check("restore;", &["G0307: there is nothing to restore"]);
    check(
        "sub try: store; empty all; restore; endsub;
         store; gosub try; empty e1; restore; print space e1;
         sub later: restore; endsub; empty all; gosub later; print space e1;",
        &["K", "K"],
    );
}

#[test]
fn links_are_made_and_cut() {
    let ask = "print logleap e4 e5 n; print logleap e4 f4 e; print logleap a1 a2 n;";
    let map = "map n 0 1 e 1 0;";
    check(&format!("{map} unlink *; {ask}"), &["false", "false", "false"]);
    check(&format!("{map} unlink (e* f*); {ask}"), &["true", "false", "true"]);
    check(&format!("{map} unlink ((e*) (f*)); {ask}"), &["true", "false", "true"]);
    check(
        &format!("{map} unlink ((e* f*) g*); {ask} print logleap f4 g4 e;"),
        &["true", "true", "true", "false"],
    );
    check(
        &format!("{map} unlink (e* f* g*); print logleap e4 f4 e; print logleap f4 g4 e;"),
        &["false", "false"],
    );
    check(&format!("{map} unlink (e4 e5 f4); {ask}"), &["false", "false", "true"]);
    check("link e h1 a1 h2 a2; print logleap h1 a1 e; print logleap a1 h1 e;", &["true", "false"]);
    check("link e h1;", &["G0105: `link` needs pairs of spaces"]);
    check("map n 0;", &["G0105: `map` needs directions, each with files and ranks"]);
}

#[test]
fn messages() {
    check("echo a \"b  c\" #x ?f null (d e);", &["a b  c #x false  d e"]);
    check("set v 5; echo #v;", &["5"]);
    check("print true; print null; print (a b);", &["true", "", "a b"]);
    let (mut machine, part) = STANDARD.machine(
        "set k e1; say Check to #k (beware)!; say \"Mate; in two\" now; say;",
        &mut Memory(Vec::new()),
    );
    machine.run(part).expect("runs");
    assert_eq!(machine.said(), ["Check to e1 (beware)!", "Mate; in two now", ""]);
    check(
        "set p N; die You cannot move #p there.; echo no;",
        &["refused: You cannot move N there."],
    );
    check(
        "set b 2; set a (x 1); setflag f; cset c y; dump;",
        &["constant c = y", "flag f", "variable a = (x 1)", "variable b = 2"],
    );
}

#[test]
fn endings() {
    use boardwright_gamecode::Status;
    for (word, status) in [("won", Status::Won), ("lost", Status::Lost), ("drawn", Status::Drawn)] {
        let (mut machine, part) = STANDARD.machine(&format!("{word};"), &mut Memory(Vec::new()));
        assert_eq!(machine.status(), Status::Ongoing);
        machine.run(part).expect("runs");
        assert_eq!(machine.status(), status);
    }
    check("echo a; end; echo b;", &["a"]);
    check("echo a; exit; echo b;", &["a"]);
    check("verify == 1 1; echo a; verify false; echo b;", &["a"]);
}

#[test]
fn variables_and_arrays() {
    check("set a 5; set a; print isset a; print #a;", &["true", ""]);
    check("set n wolf; set #n 5; print #wolf;", &["5"]);
    check("set a.x 5; set a.y 6; print elem x #a; print keys #a;", &["5", "x y"]);
    check("setelem a 2 b; setelem a 2 c; print elem 2 #a; print count #a;", &["c", "1"]);
    check("push a 1; push a 2; unshift a 0; print #a; pop a; print #a;", &["0 1 2", "0 1"]);
    check("inc a; inc a 5; dec a; dec a 2; print #a;", &["3"]);
    check("set a 5; unset a; echo #a;", &["#a"]);
    check("setconst c 5; set c 6; echo #c; print var c; unsetconst c; echo #c;", &["5", "6", "6"]);
    check("eval \"echo hi\"; eval join \"echo \" there;", &["hi", "there"]);
    check(
        "eval \"nonsense a\";",
        &["G0101: `nonsense` is not a command, and no subroutine has that name"],
    );
    check("eval \"if true:\";", &["G0102: in `if true:`: this `if` has no `endif`"]);
    check("set v \"a1 b1\"; shift #v;", &["G0301: the board has no space `a1 b1`"]);
}

#[test]
fn the_four_scopes() {
    check(
        "sub inner: echo #l #m; endsub;
         sub outer: local l; my m; set l 1; set m 2; gosub inner; echo #l #m; endsub;
         set m 9; gosub outer; echo #l #m;",
        &["1 9", "1 2", "#l 9"],
    );
    check(
        "sub tally: static n; inc n; return #n; endsub;
         sub other: return #n; endsub;
         print sub tally; print sub tally; print sub other;",
        &["1", "2", "#n"],
    );
    check(
        "sub s a b: echo #a #b #subargs; endsub; gosub s x y z; gosub s x;",
        &["x y x y z", "x  x"],
    );
    check("set a 1; sub s a: inc a; return #a; endsub; print sub s 5; print #a;", &["6", "1"]);
    check("set x 1; do: local x; set x 2; echo #x; loop never; echo #x;", &["2", "1"]);
    check("set x 1; if true: my x; set x 2; echo #x; endif; echo #x;", &["2", "1"]);
    check("if true: set y 3; endif; echo #y;", &["3"]);
    check("for v (1 2): my t; echo #t; set t #v; next; echo #t;", &["", "", "#t"]);
    check(
        "sub down n: if == #n 0: return done; endif; my k; set k #n; set r sub down dec #n;
         return join #k #r; endsub; print sub down 3;",
        &["321done"],
    );
}

#[test]
fn conditions_and_loops() {
    let ladder = "if == #x 1: echo one; elseif == #x 2: echo two; else: echo many; endif;";
    for (x, expected) in [(1, "one"), (2, "two"), (3, "many")] {
        check(&format!("set x {x}; {ladder}"), &[expected]);
    }
    check("if false: echo a; endif\necho b;", &["b"]);
    check("for v (): echo a; next; for v null: echo b; next; echo c;", &["c"]);
    check("foreach (k, v) (a b): echo #k #v; next;", &["0 a", "1 b"]);
    check("for v (a b c): if == #v b: continue; endif; echo #v; next;", &["a", "c"]);
    check("for v (a b c): if == #v b: break; endif; echo #v; next; echo #v;", &["a", "b"]);
    check(
        "set n 0; for v (a b): inc n; if == #n 1: redo; endif; echo #v #n; next;",
        &["a 2", "b 3"],
    );
    check(
        "for v (1 2): for w (a b): if == #w b: break; endif; echo #v #w; next; next;",
        &["1 a", "2 a"],
    );
    check("set i 0; do: inc i; loop until == #i 3; echo #i;", &["3"]);
    check("set i 0; do until == #i 3: inc i; loop while < #i 2; echo #i;", &["2"]);
    check("set i 5; do while < #i 3: echo a; loop; echo b;", &["b"]);
    check("set i 0; do: inc i; if > #i 4: break; endif; loop; echo #i;", &["5"]);
    check("set i 0; do: inc i; if < #i 3: redo; endif; echo #i; loop never;", &["3"]);
    check("switch 5: case 1 5: echo a; break; default: echo b; endswitch;", &["a"]);
    check("switch x: case 1: echo a; endswitch; echo c;", &["c"]);
    check("switch x: default: echo d; case 1: echo a; endswitch;", &["d", "a"]);
    check(
        "for v (a b): switch #v: case a: continue; case b: echo #v; break; endswitch; echo after; next;",
        &["b", "after"],
    );
    check("do: local x; if true: break; endif; loop; echo #x;", &["#x"]);
}

#[test]
fn subroutines() {
    check("sub a: return 5; endsub; print sub a; sub b: endsub; print sub b;", &["5", ""]);
    check("wolf x; sub wolf n: echo #n; endsub;", &["x"]);
    check("set s wolf; gosub #s; sub wolf: echo here; endsub;", &["here"]);
    check("sub v: verify false; return 1; endsub; print sub v; echo on;", &["false", "on"]);
    check("gosub nowhere;", &["G0302: no subroutine is called `nowhere`"]);
    check("gosub;", &["G0105: `gosub` needs the name of a subroutine"]);
    check("sub e: end; endsub; gosub e; echo never;", &[]);
    check(
        "def f 1; sub redefine: def f 2; endsub; print fn f; gosub redefine; print fn f;",
        &["1", "2"],
    );
}

#[test]
fn included_files_run_where_they_stand_and_once() {
    let files = || {
        Memory(vec![
            ("pond", "include deep; echo pond; sub s: return pond; endsub;"),
            ("deep", "include pond; def f 7; echo deep;"),
        ])
    };
    let text = "echo a; include pond; include pond; print fn f; print sub s;";
    let (mut machine, part) = STANDARD.machine(text, &mut files());
    machine.run(part).expect("runs");
    assert_eq!(machine.take_output(), ["a", "deep", "pond", "7", "pond"]);
    let own = "sub s: return own; endsub; include pond; print sub s;";
    let (mut machine, part) = STANDARD.machine(own, &mut files());
    machine.run(part).expect("runs");
    assert_eq!(machine.take_output(), ["deep", "pond", "own"], "the preset's own comes first");
}

#[test]
fn flags_have_their_own_names() {
    check(
        "set e1 5; setflag e1 (a b); echo #e1 ?e1 ?a; resetflag a; echo ?a;",
        &["5 true true", "false"],
    );
    check("setflag a; moveflag a b; echo ?a ?b; clearflags; echo ?b;", &["false true", "false"]);
    check(
        "setflag a; copyflag b a; echo ?a; copyflag b;",
        &["false", "G0105: `copyflag` needs two flags"],
    );
}

#[test]
fn what_players_may_write_is_limited() {
    check("ban wolves;", &["G0308: no kind of move is called `wolves`"]);
    let plays = |rules: &str, turn: &str| {
        let (mut machine, part) = STANDARD.machine(rules, &mut Memory(Vec::new()));
        machine.run(part).expect("runs");
        machine.play(turn).is_ok()
    };
    assert!(plays("", "echo a"));
    assert!(!plays("forbid commands;", "echo a"));
    assert!(!plays("deny captures 1;", "a1-a7"));
    assert!(plays("deny captures 2;", "a1-a7"));
    assert!(plays("ban all; permit pass;", "pass"));
    for (kind, turn) in [
        ("moves", "e2-e4"),
        ("captures", "e2-e7"),
        ("promotions", "Q-e2"),
        ("freedrops", "Q-e4"),
        ("removals", "e2-"),
        ("removals", "@-e2"),
        ("dice", "[KQ]-e4"),
        ("pass", "pass"),
        ("commands", "empty e2"),
    ] {
        assert!(plays(&format!("ban all; allow {kind};"), turn), "{kind}");
        assert!(!plays(&format!("ban {kind};"), turn), "{kind}");
    }
}

#[test]
fn legal_moves_are_told() {
    let told = |text: &str| {
        let (mut machine, part) = STANDARD.machine(text, &mut Memory(Vec::new()));
        machine.run(part).expect("runs");
        let name = |it| machine.board().name(it).to_owned();
        let moves: Vec<_> =
            machine.legal().iter().map(|&(a, b)| format!("{}{}", name(a), name(b))).collect();
        moves.join(" ")
    };
    assert_eq!(told("setlegal e2 e4;"), "e2e4");
    assert_eq!(told("setlegal e2 e4 e3;"), "e2e4 e2e3");
    assert_eq!(told("setlegal e2 (e4 e3) b1 (c3);"), "e2e4 e2e3 b1c3");
    assert_eq!(told("set t (a3 c3); setlegal b1 #t;"), "b1a3 b1c3");
    assert_eq!(told("setlegal b1 (leaps b1 1 2); setlegal b1 c3;"), "b1c3 b1a3 b1d2");
    assert_eq!(told("setlegal a1 (array where a1 -1 0 where a1 1 0);"), "a1b1");
    check("setlegal (e4);", &["G0105: `setlegal` needs a space to move from first"]);
}

#[test]
fn players_are_asked() {
    let turn = |text: &str, written: &str| {
        let (mut machine, part) = STANDARD.machine(text, &mut Memory(Vec::new()));
        machine.run(part).expect("runs");
        machine.begin_turn(0, written);
        let result = machine.play(written).and_then(|()| machine.call("post"));
        match result {
            Ok(()) => machine.turn_text().unwrap_or("").to_owned(),
            Err(it) => stop(&it),
        }
    };
    let promote = "sub post: askpromote Q (R B); endsub;";
    assert_eq!(turn(promote, "P a2-a8"), "ask: (Q R B)");
    assert_eq!(turn(promote, "P a2-a8; R-a8"), "P a2-a8; R-a8");
    assert_eq!(turn(promote, "P a2-a8; K-a8"), "refused: it cannot become `K`");
    assert_eq!(turn("sub post: askpromote Q; endsub;", "a2-a8"), "a2-a8; Q-a8");
    let either = "sub post: ask \"Which way?\" \"a2-a4\" \"a2-a3\"; endsub;";
    assert_eq!(turn(either, "a2-a8"), "ask: Which way?(a2-a4 a2-a3)");
    assert_eq!(turn(either, " a2-a3 "), "a2-a3");
    assert_eq!(turn("sub post: appendmove h1-f1; endsub;", "e1-g1"), "e1-g1; h1-f1");
}

#[test]
fn the_turn_is_known_by_its_number() {
    let text = "sub post: echo #mln elem; print elem #mln #mline; echo thismove; moveindex 7; echo #mln; endsub;";
    let (mut machine, part) = STANDARD.machine(text, &mut Memory(Vec::new()));
    machine.set_turns(&["P e2-e4".to_owned(), "p e7-e5".to_owned()]);
    machine.run(part).expect("runs");
    machine.begin_turn(1, "p e7-e5 // well");
    machine.call("post").expect("runs");
    assert_eq!(machine.take_output(), ["1 elem", "p e7-e5", "p e7-e5", "7"]);
}

#[test]
fn moves_in_code_are_marked_as_such() {
    check("MOVE: P e2-e4; echo origin dest; MOVE: Q-e4; print space e4;", &["e2 e4", "Q"]);
    check("set p P; set m e2-e4; MOVE: #p #m; MOVE:e4-e5; print space e5;", &["P"]);
    check("MOVE: e5-e6;", &["G0401: there is no piece on e5"]);
}

#[test]
fn a_move_may_be_a_line_of_code() {
    check("P e2-e4; echo origin dest; Q-e4; print space e4;", &["e2 e4", "Q"]);
    check("e2-e4; e4-e5; print space e5;", &["P"]);
    check("[KQ]-e4; print match space e4 K Q;", &["true"]);
    check("[K Q]-e4; print match space e4 K Q;", &["true"]);
    check("e5-e6;", &["G0401: there is no piece on e5"]);
    // A subroutine of that name goes before.
    check("sub a-b: echo called; endsub; a-b;", &["called"]);
}

#[test]
fn messages_name_the_last_move() {
    let text = "MOVE: P e2-e4; say moved from origin to dest was old; say It \"moved\" to dest;";
    let (mut machine, part) = STANDARD.machine(text, &mut Memory(Vec::new()));
    machine.run(part).expect("runs");
    assert_eq!(machine.said(), ["P from e2 to e4 was @", "It moved to e4"]);
    check("MOVE: P e2-e4; die not from origin to dest;", &["refused: not from e2 to e4"]);
}

#[test]
fn system_variables_describe_the_board() {
    check("print system files; print system ranks;", &["a b c d e f g h", "1 2 3 4 5 6 7 8"]);
    check("print system columns; print elem e1 system board;", &["8", "K"]);
    check("print system code;", &["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"]);
    check("setsystem maxmove 2; print system maxmove;", &["2"]);
}

#[test]
fn a_loop_may_count_by_a_bare_name() {
    check("set i 7; do while < i 10: echo #i; inc i; loop;", &["7", "8", "9"]);
    check("set i 2; do until <= i 0: echo #i; dec i; loop;", &["2", "1"]);
    // Only a number beside it makes a word a variable.
    check("set K e1; print < K L; print == K K;", &["true", "true"]);
}

#[test]
fn every_word_has_its_test() {
    let tests =
        [include_str!("commands.rs"), include_str!("operators.rs"), include_str!("programs.rs")];
    let mut words: Vec<&str> = tests
        .iter()
        .flat_map(|it| it.split(|ch: char| ch.is_whitespace() || "();:\"".contains(ch)))
        .collect();
    words.sort_unstable();
    let all = boardwright_gamecode::commands()
        .chain(boardwright_gamecode::operators())
        .chain(boardwright_gamecode::keywords());
    let missing: Vec<_> = all.filter(|it| words.binary_search(it).is_err()).collect();
    assert!(missing.is_empty(), "no test says {missing:?}");
}
