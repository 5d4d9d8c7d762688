//! The twelve programs and the worked examples that the language was rebuilt from.

mod common;

use boardwright_gamecode::{CodeLimits, Compiler};
use common::{Memory, STANDARD, Setting, check, stop};

#[test]
fn t01_stack() {
    check(
        "print minus 8 3; print * + 4 5 6; print + 1; set a + 5 6 - 8 3; \
         for v #a: print #v; next;",
        &["5", "54", "1", "5", "11"],
    );
}

#[test]
fn t02_logic() {
    check(
        "print not and equal 7 3 not less 3 4; print or (== 4 4) (/ 1 0); print nor false false;",
        &["true", "true", "true"],
    );
}

#[test]
fn t03_chain_order() {
    check(
        "def f == #0 1 or == #0 2 and > #1 5 or == #0 9; \
         print fn f 9 0; print fn f 2 6; print fn f 2 1; print fn f 1 6;",
        &["true", "true", "false", "true"],
    );
}

#[test]
fn t04_recursion() {
    check(
        "def tri + #0 fn tri dec #0 unless == #0 0 0; print fn tri 4; print fn (* #0 #0) 7;",
        &["10", "49"],
    );
}

#[test]
fn t05_named_parameters_late_binding_undefined() {
    check(
        "def d - #a #b =a =b; def twice * 2 #x; set x 4; print fn d 9 4; print fn twice; \
         set x 10; print fn twice; echo #nosuch;",
        &["5", "8", "20", "#nosuch"],
    );
}

#[test]
fn t06_scope() {
    check(
        "set g 1;
         sub show: print #g; endsub;
         sub bump: static n; inc n; local g; set g 9; gosub show; return #n; endsub;
         print sub bump; print sub bump; print #g;",
        &["9", "1", "9", "2", "1"],
    );
}

#[test]
fn t07_switch() {
    check(
        "set p N; switch #p: case B: echo b; case N K: echo nk; case R: echo r; break; \
         default: echo none; endswitch;",
        &["nk", "r"],
    );
}

#[test]
fn t08_loops() {
    check(
        "set i 0; do while < #i 9: inc i; if == #i 2: continue; endif; \
         if == #i 5: break; endif; echo #i; loop; do: echo once; loop never;",
        &["1", "3", "4", "once"],
    );
}

#[test]
fn t09_arrays_and_maps() {
    check(
        "for (k v) merge (a b) range 3 4: echo #k #v; next; print match N (B N);",
        &["0 a", "1 b", "2 3", "3 4", "true"],
    );
}

#[test]
fn t10_forsythe_code() {
    let setting = Setting { code: "2/{NB}1-/*", columns: 3, ..STANDARD };
    setting.check(
        "print space a3; print space b3; print space c3; print space a2; print space b2; \
         print space c2; print list space a1 space b1 space c1; print empty b3;",
        &["@", "@", "false", "NB", "@", "false", "@ @ @", "true"],
    );
}

#[test]
fn t11_ring() {
    let setting = Setting { code: "*", columns: 4, files: "a b c d a b", ..STANDARD };
    setting.check(
        "map e 1 0 w -1 0 ee 2 0; print logleap d1 a1 e; print logleap a1 d1 w; \
         print logleap c1 a1 ee; print logride a1 c1 e; add p b1; print logride a1 c1 e; \
         print logride a1 c1 w;",
        &["true", "true", "true", "true", "false", "true"],
    );
}

#[test]
fn t12_turn() {
    let setting = Setting { code: "3/1p1/P2", columns: 3, ..STANDARD };
    let text = "sub post: echo origin dest moved old; print space dest; print capture; \
                verify islower old; echo fine; endsub;";
    for (turn, expected) in [
        ("P a1-b2; Q-b2", &["a1 b2 P p", "Q", "true", "fine"][..]),
        ("P a1-a2", &["a1 a2 P @", "P", "false"]),
    ] {
        let (mut machine, part) = setting.machine(text, &mut Memory(Vec::new()));
        machine.run(part).expect("runs");
        machine.begin_turn(0, turn);
        machine.play(turn).expect("is a move");
        machine.call("post").expect("runs");
        assert_eq!(machine.take_output(), expected);
        assert!(!machine.has_ended(), "`verify` leaves the subroutine only");
    }
}

#[test]
fn factorial_ends_with_unless() {
    check("def fac * #0 fn fac dec #0 unless equal #0 1 1; print fn fac 5;", &["120"]);
}

#[test]
fn missing_operands_are_nothing_and_what_is_left_is_an_array() {
    check("print + 1; print * 1; print - 1;", &["1", "0", "1"]);
    check("print / 1;", &["G0304: division by zero"]);
    check("set a + 5 6 - 8 3; echo #a; set b array + 5 6 - 8 3; echo #b;", &["5 11", "11 5"]);
    check("print * (+ 4 5) (- 9 5);", &["0"]);
    check("print * eval (+ 4 5) eval (- 9 5);", &["36"]);
}

#[test]
fn the_published_attack_functions_see() {
    let functions = "
        def WPAWN match P what #0 1 -1 what #0 -1 -1;
        def BPAWN match p what #0 1 1 what #0 -1 1;
        def KNIGHT check what #0 1 2 check what #0 -1 2 check what #0 1 -2 check what #0 -1 -2
          check what #0 2 1 check what #0 -2 1 check what #0 2 -1 check what #0 -2 -1 target #1;
        def ROOK check insight #0 0 -1 check insight #0 -1 0 check insight #0 0 1
          check insight #0 1 0 target #1;
        def BISHOP check insight #0 -1 -1 check insight #0 -1 1 check insight #0 1 -1
          check insight #0 1 1 target #1;
        def BLACK fn BPAWN #0 or fn KNIGHT #0 n or fn ROOK #0 (r q) or fn BISHOP #0 (b q);";
    let ask = "print fn KNIGHT e4 n; add n f6; print fn KNIGHT e4 n; empty f6; print fn BPAWN e6;
        print fn WPAWN e3; print fn ROOK e6 (r q); add q a6; print fn ROOK e6 (r q);
        print fn BLACK e4; add b h7; print fn BLACK e4;";
    check(
        &format!("{functions}{ask}"),
        &["false", "true", "true", "true", "false", "true", "false", "true"],
    );
}

#[test]
fn the_published_pawn_function_knows_its_moves() {
    let function = "set ep null; set wpr 2;
        def P and == var ep join filename #1 rankname #0 checkleap #0 #1 1 1
          or and == rankname #0 var wpr checkatwostep #0 #1 0 1 0 1
          or checkleap #0 #1 0 1 and empty #1
          or and islower space #1 checkleap #0 #1 1 1 and > rank #1 rank #0;";
    let ask = "print fn P e2 e3; print fn P e2 e4; print fn P e2 e5; print fn P e2 d3;
        add p d3; print fn P e2 d3; print fn P e3 e2; add p e3; print fn P e2 e4;
        add P e5; add p d5; print fn P e5 d6; set ep d5; print fn P e5 d6;";
    check(
        &format!("{function}{ask}"),
        &["true", "true", "false", "false", "true", "false", "false", "false", "true"],
    );
}

#[test]
fn the_published_check_subroutine_finds_checks() {
    check(
        "def N checkleap #0 #1 1 2; def R checkride #0 #1 1 0; def n checkleap #0 #1 1 2;
         sub checked general:
           local piece from;
           if isupper space #general:
             def enemies onlylower;
           else:
             def enemies onlyupper;
           endif;
           for (from piece) fn enemies:
             if fn #piece #from #general:
               return true;
             endif;
           next;
           return false;
         endsub;
         empty all; add K e1; print sub checked e1; add n f3; print sub checked e1;",
        &["false", "true"],
    );
}

#[test]
fn examples_of_the_operators() {
    for (expression, expected) in [
        ("space e1", "K"),
        ("space e4", "@"),
        ("empty e4", "true"),
        ("file c1", "2"),
        ("rank c1", "0"),
        ("filename c1", "c"),
        ("rankname c1", "1"),
        ("isupper space a1", "true"),
        ("islower space a8", "true"),
        ("isupper space e4", "false"),
        ("where e2 0 2", "e4"),
        ("where a1 -1 0", "false"),
        ("what e1 0 1", "P"),
        ("what e3 0 1", "@"),
        ("what e1 0 -1", "false"),
        ("insight d4 0 1", "p"),
        ("insight d4 1 0", "false"),
        ("sort leaps b1 1 2", "a3 c3 d2"),
        ("checkleap g1 f3 1 2", "true"),
        ("checkaleap e2 e4 0 2", "true"),
        ("checkride a1 a4 1 0", "false"),
        ("checkatwostep e2 e4 0 1 0 1", "true"),
        ("match P what e4 1 -1 what e4 -1 -1", "false"),
        ("join e 4", "e4"),
        ("chr 45", "-"),
        ("range 2 4", "2 3 4"),
        ("merge (a b) (c)", "a b c"),
        ("array a b c", "a b c"),
        ("cond == 1 1 (+ 2 3) (die)", "5"),
        ("unless == 1 1 7", "7"),
    ] {
        check(&format!("print {expression};"), &[expected]);
    }
}

#[test]
fn a_cannon_hops_and_rides() {
    let setting = Setting { code: "r2p3C", columns: 8, ..STANDARD };
    setting.check(
        "print checkhop h1 a1 1 0; print checkhop h1 c1 1 0; print checkride h1 f1 1 0;",
        &["true", "true", "true"],
    );
}

#[test]
fn examples_of_the_statements() {
    check("set r rank e4; inc r; print #r;", &["4"]);
    check(
        "setflag e1; print ?e1; print flag e8; copyflag e1 e8; print ?e8; unsetflag e1; print ?e1;",
        &["true", "false", "true", "false"],
    );
    check("cset seed 5; cset seed 6; print const seed; setconst seed 7; print #seed;", &["5", "7"]);
    check("add q e4; capture e4; print capture; echo captured;", &["true", "q"]);
    check("set v \"a1 b1\"; eval join \"swap \" #v; print space a1;", &["N"]);
    check(
        "map n 0 1; print logleap e4 e5 n; unlink (e4 e5); print logleap e4 e5 n;",
        &["true", "false"],
    );
}

#[test]
fn an_alias_is_read_as_the_label() {
    let setting = Setting { code: "a7/8", columns: 8, ..STANDARD };
    let (mut machine, part) = setting.machine("alias E a;", &mut Memory(Vec::new()));
    machine.run(part).expect("runs");
    machine.play("E a2-a1").expect("is a move");
    machine.play("a a1-a2").expect("the label itself keeps working");
}

#[test]
fn the_filter_of_chess_accepts_and_refuses() {
    let text = "setsystem maxmove 2; ban commands allmoves; \
                allow moves 1 captures 1 promotions 2;";
    for (turn, expected) in [
        ("P e2-e4; Q-e4", None),
        ("P e2-e4; Q-d2", Some("G0401: `Q-d2`: putting a piece on the board is not allowed here")),
        ("P e2-e4; e7-e5", Some("G0401: `e7-e5`: a move is not allowed here")),
        ("echo a", Some("G0401: `echo a`: a command is not allowed here")),
        ("e2-e4; Q-e4; Q-e4", Some("G0401: a turn has at most 2 parts here, and this has 3")),
        ("pass", Some("G0401: `pass`: passing is not allowed here")),
    ] {
        let (mut machine, part) = STANDARD.machine(text, &mut Memory(Vec::new()));
        machine.run(part).expect("runs");
        let found = machine.play(turn).err().map(|it| stop(&it));
        assert_eq!(found.as_deref(), expected, "{turn}");
    }
}

#[test]
fn a_function_sets_variables_of_its_own_call() {
    let text = "set v a; def s2 join #v #v =v b; print fn s2; print #v;";
    check(text, &["bb", "a"]);
    check("set v a; def f cond true (join #v =v b) 0; print fn f; print #v;", &["b", "a"]);
}

/// The guide's own factorial, from the time when placeholders were counted from 1.
#[test]
fn placeholders_may_be_counted_from_one() {
    check("def fac * #1 fn fac dec #1 unless equal #1 1 1; print fn fac 5;", &["120"]);
    // With both operands there it is the second that is meant.
    check("def second #1; print fn second a b;", &["b"]);
}

#[test]
fn names_that_are_nowhere_defined_are_reported() {
    let warnings = |text: &str| {
        let mut files = Memory(Vec::new());
        let mut compiler = Compiler::new(CodeLimits::default(), &mut files);
        compiler.part("pond", text);
        let program = compiler.finish();
        let all = program.diagnostics().iter().map(|it| format!("{}: {}", it.code, it.message));
        all.collect::<Vec<_>>()
    };
    assert_eq!(warnings("gosub lost;"), ["G0110: no subroutine is called `lost`"]);
    assert_eq!(warnings("set a fn lost 1;"), ["G0110: no function is called `lost`"]);
    assert_eq!(warnings("set a sub lost 1;"), ["G0110: no subroutine is called `lost`"]);
    assert_eq!(warnings("set a system lost;"), ["G0110: no system variable is called `lost`"]);
    let fine = "sub found: endsub; def f #0; gosub found; set a fn f 1; set b fn #a 1; \
                setsystem mood 1; set c system mood; set d system files; gosub #a;";
    assert_eq!(warnings(fine), [""; 0]);
}
