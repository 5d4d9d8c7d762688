//! Every operator, each with what it is for and what it does at the edges.

mod common;

use common::{STANDARD, Setting, check};

/// Expressions on the board of chess, and what they print.
const CASES: &[(&str, &str)] = &[
    // Logic.
    ("and true false", "false"),
    ("and 1 a", "true"),
    ("or false 0", "false"),
    ("nand true true", "false"),
    ("nand (== 1 2) (/ 1 0)", "true"),
    ("nor (== 1 1) (/ 1 0)", "false"),
    ("xor true false", "true"),
    ("xor true true", "false"),
    ("xnor false false", "true"),
    ("not (== 1 2)", "true"),
    ("not not 5", "true"),
    ("and", "false"),
    ("and 5", "true"),
    ("or 0", "false"),
    ("onlyif == 1 2 no", "no"),
    ("yes onlyif == 1 1 no", "yes"),
    ("yes unless == 1 2 no", "yes"),
    ("unless true", "true"),
    ("onlyif false", "false"),
    ("check b check a target (a c)", "true"),
    ("check b check d target (a c)", "false"),
    ("check a target a", "true"),
    // Evaluation.
    ("cond 0 a b", "b"),
    ("cond (== 1 1) (+ 1 1) (/ 1 0)", "2"),
    ("eval \"+ 2 3\"", "5"),
    ("eval (a b)", "b a"),
    ("fn (+ #0 #1) 4 5", "9"),
    ("fn (- #a #b =a =b) 9 4", "5"),
    ("fn lambda (* 2 #0) 8", "16"),
    ("fn (list #x =x) a", "a"),
    // Arithmetic.
    ("+ 1 2", "3"),
    ("plus 1 2.5", "3.5"),
    ("- 1 2", "-1"),
    ("times 3 4", "12"),
    ("over 9 3", "3"),
    ("/ 1 2", "0.5"),
    ("% 7 3", "1"),
    ("mod -7 3", "-1"),
    ("** 2 10", "1024"),
    ("** 2 -1", "0.5"),
    (">> 9 1", "4"),
    ("<< 1 4", "16"),
    (">> 1 99", "0"),
    ("band 6 3", "2"),
    ("bor 6 3", "7"),
    ("bxor 6 3", "5"),
    ("+ a 2", "2"),
    ("+ true null", "1"),
    ("+ \"7\" 1", "8"),
    ("inc 4", "5"),
    ("dec 4", "3"),
    ("abs -3", "3"),
    ("sign -9", "-1"),
    ("floor 2.7", "2"),
    ("ceil 2.1", "3"),
    ("round 2.5", "3"),
    ("sqrt 16", "4"),
    ("negative 4", "-4"),
    ("max 3 9 4", "9"),
    ("min (3 9 4)", "3"),
    ("sum 1 2 3.5", "6.5"),
    ("< rand 6 6", "true"),
    ("rand 1", "0"),
    // Comparison.
    ("== 2 \"2\"", "true"),
    ("equal a a", "true"),
    ("== null false", "true"),
    ("== (a b) (a b)", "true"),
    ("== (a b) (a c)", "false"),
    ("!= a b", "true"),
    ("notequal a a", "false"),
    ("< 2 10", "true"),
    ("less a b", "true"),
    ("> 10 9", "true"),
    ("more b a", "true"),
    ("<= 2 2", "true"),
    ("lessequal 3 2", "false"),
    (">= 2 2", "true"),
    ("moreequal 1 2", "false"),
    // Text.
    ("join a b", "ab"),
    ("ord A", "65"),
    ("chr 65", "A"),
    ("chr 10", ""),
    ("strlen wolf", "4"),
    ("join join \"<\" trim \" a \" \">\"", "<a>"),
    ("lower Wolf", "wolf"),
    ("upper Wolf", "WOLF"),
    ("flipcase N", "n"),
    ("flipcase +p", "+P"),
    ("isupper +P", "true"),
    ("islower 1ef", "true"),
    ("isupper @", "false"),
    ("isupper false", "false"),
    ("split \"-\" a-b", "a b"),
    ("count split \"\" abc", "3"),
    ("substr wolfish 0 4", "wolf"),
    ("substr wolfish -3", "ish"),
    ("isarray (a)", "true"),
    ("isarray a", "false"),
    ("isnum \"12\"", "true"),
    ("isnum a1", "false"),
    // Arrays.
    ("array a b", "a b"),
    ("list a (b c)", "a b c"),
    ("match N (B N)", "true"),
    ("match (Q N) B N", "true"),
    ("match N", "false"),
    ("range 4 2", "4 3 2"),
    ("range a c", "a b c"),
    ("merge (a b) (c)", "a b c"),
    ("elem 1 (a b c)", "b"),
    ("elem 9 (a b c)", ""),
    ("elem e1 onlyupper", "K"),
    ("in b (a b)", "true"),
    ("diff (a b c) (b)", "a c"),
    ("intersect (a b c) (c b)", "b c"),
    ("remove b (a b c)", "a c"),
    ("push (a b) c", "a b c"),
    ("count (a b c)", "3"),
    ("keys (a b)", "0 1"),
    ("elem 0 keys onlyupper", "a2"),
    ("count values onlylower", "16"),
    ("reverse (a b c)", "c b a"),
    ("sort (10 9 2)", "2 9 10"),
    ("sort (b a 1)", "1 a b"),
    ("anytrue lambda (== #0 b) (a b)", "true"),
    ("alltrue lambda (== #0 b) (a b)", "false"),
    ("filter lambda (> #0 2) (1 2 3 4)", "3 4"),
    ("map lambda (* #0 #0) (1 2 3)", "1 4 9"),
    // The board.
    ("capture", "false"),
    ("count onlyupper", "16"),
    ("count onlylower", "16"),
    ("count spaces", "64"),
    ("elem 0 keys spaces", "a8"),
    ("space z9", "false"),
    ("empty z9", "false"),
    ("empty e1", "false"),
    ("distance a1 c2", "2"),
    ("leaps a1 1 1", "b2"),
    ("leaps a1 0 0", ""),
    ("rays a1 1 1", "b2 c3 d4 e5 f6 g7 h8"),
    ("count rays d4 1 0", "14"),
    ("insight a1 0 0", "false"),
    ("checkleap e2 e2 0 0", "false"),
    ("checkstep b1 c3 1 2", "true"),
    ("checkaleap b1 a3 1 2", "false"),
    ("checkride a2 a6 0 1", "true"),
    ("checkride a2 a8 0 1", "false"),
    ("checkaride a2 a6 0 1", "true"),
    ("checkaride a6 a2 0 1", "false"),
    ("checkride a3 a3 0 1", "false"),
    ("checkhop a1 a7 0 1", "true"),
    ("checkhop a1 a8 0 1", "false"),
    ("checkahop a1 a5 0 1", "true"),
    ("checkahop a1 a5 1 0", "false"),
    ("checktwostep b1 b3 0 1 0 1", "false"),
    ("checktwostep b3 d4 1 0 1 1", "true"),
    ("checktwostep b3 c5 1 0 1 1", "true"),
    ("checkatwostep b3 c5 1 0 1 1", "false"),
    ("checkgrasshop a1 a3 0 1", "true"),
    ("checkgrasshop a1 a4 0 1", "false"),
    ("checkpath b3 c5 (0 1 1 1)", "true"),
    ("checkpath b3 c5 (0 1 1 2)", "false"),
    ("checkpath b1 b3 (0 1 0 1)", "false"),
];

#[test]
fn each_gives_its_value() {
    for (expression, expected) in CASES {
        check(&format!("print {expression};"), &[expected]);
    }
}

#[test]
fn names_are_read_by_operators_too() {
    check("set wolf 5; print var wolf; print var sheep;", &["5", ""]);
    check("setflag 1a; print flag 1a; print ?1a;", &["true", "true"]);
    check("print isset wolf; set wolf null; print isset wolf;", &["false", "true"]);
    check("alias E a; print alias a; print alias b;", &["E", "b"]);
    check(
        "setsystem maxmove 3; print system maxmove; setsystem pond 4; print system pond;",
        &["3", "4"],
    );
    check("setglobal \"origin\" e4; echo origin;", &["e4"]);
    check(
        "sub two a b: return list #b #a; endsub; print sub two x y; print sub two (p q);",
        &["y x", "q p"],
    );
}

#[test]
fn a_long_leap_jumps_enemies_one_by_one() {
    let setting = Setting { code: "L1p1p3", columns: 8, ..STANDARD };
    setting.check(
        "print checklongleap a1 d1 1 0; print checklongleap a1 f1 1 0; print checklongleap a1 b1 1 0;
         add p d1; print checklongleap a1 f1 1 0; empty d1; add P c1; print checklongleap a1 d1 1 0;",
        &["true", "true", "false", "false", "false"],
    );
}

#[test]
fn links_lead_where_directions_say() {
    let map = "map n 0 1 e 1 0 ne 1 1; empty all;";
    for (expression, expected) in [
        ("logleap a1 a2 n", "true"),
        ("logleap a1 a2 e n", "true"),
        ("logleap a1 b2 e", "false"),
        ("logleap a1 b3 (n ne)", "true"),
        ("logleap a1 a1 n", "false"),
        ("logride a1 a8 n", "true"),
        ("logride a1 c3 (n e)", "true"),
        ("logride a1 b3 (n e)", "true"),
        ("logride a1 c1 (n e)", "false"),
        ("logride a1 a3 (n 2)", "true"),
        ("logride a1 a4 (n 2)", "false"),
        ("logride a1 z9 n", "false"),
        ("logleaps a1 n e", "a2 b1"),
        ("lograys f1 e", "g1 h1"),
        ("lograys a1 (n 3)", "a2 a3 a4"),
    ] {
        check(&format!("{map} print {expression};"), &[expected]);
    }
    check(
        &format!("{map} add p a2; print logleap a1 b3 (n ne); print logride a1 a3 n;"),
        &["false", "false"],
    );
}

#[test]
fn functions_take_what_they_need_and_say_what_is_missing() {
    check("def two + #0 #1; print list fn two 1 2 3;", &["3 3"]);
    check(
        "def two + #0 #1; print fn two 1;",
        &["G0303: the function `two` takes 2 operands, and finds 1"],
    );
    check("print fn wolf 1;", &["G0302: no function is called `wolf`"]);
    check("print sub wolf 1;", &["G0302: no subroutine is called `wolf`"]);
    check("def N checkleap #0 #1 1 2; set p N; print fn #p b1 c3;", &["true"]);
    check("def wrap fn (+ #0 1); print fn wrap 5;", &["6"]);
    check("def wrap fn lambda (+ #0 1) #0; print fn wrap 5;", &["6"]);
    check(
        "def sum + #all 1 =all #0 5; print isarray var all; print fn (count #x =x) (a b);",
        &["false", "2"],
    );
}

#[test]
fn breaks_end_only_their_own_evaluation() {
    check("print list a cond true (x unless true inner) b c;", &["a inner c"]);
    check("def f 5 unless true #0; print list fn f 1 fn f 2;", &["1 2"]);
}
