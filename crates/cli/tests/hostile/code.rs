//! Presets whose code or settings are hostile.

use crate::input::{Input, Kind};

/// The settings of a small game.
const SETTINGS: &str =
    "game: Pond\ncode: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR\ncolumns: 8\n";

fn preset(name: &str, settings: String, code: &[(&'static str, String)]) -> Input {
    let files = code.iter().map(|(file, text)| (*file, text.clone()));
    Input::new(Kind::Preset, name, std::iter::once(("preset.txt", settings)).chain(files))
}

/// Code that runs, grows or nests without an end, before the first turn.
const RUNS: &[(&str, &str)] = &[
    ("an endless loop", "do: set a 1; loop;"),
    ("an endless loop of echoes", "do: echo wolf; loop;"),
    ("an endless loop of says", "do: say wolf; loop;"),
    ("an endless loop of dumps", "set a range 1 20000; do: dump; loop;"),
    ("an endless loop of prints", "set a range 1 20000; do: print #a; loop;"),
    ("a subroutine of itself", "sub wolf a: gosub wolf #a; endsub; gosub wolf 1;"),
    (
        "a subroutine of itself, twice",
        "sub wolf a: gosub wolf #a; gosub wolf #a; endsub; gosub wolf 1;",
    ),
    ("a function of itself", "def wolf fn wolf #0; print fn wolf 1;"),
    ("a function of itself, twice", "def wolf + fn wolf dec #0 fn wolf dec #0; print fn wolf 100;"),
    ("functions of each other", "def a fn b #0; def b fn a #0; print fn a 1;"),
    (
        "Fibonacci by functions",
        "def f cond < #0 2 (#0) (+ fn f - #0 1 fn f - #0 2); print fn f 60;",
    ),
    ("a text that doubles", "set a wolf; do: set a join #a #a; loop;"),
    ("a text that grows", "set a wolf; do: set a join #a w; loop;"),
    ("a hundred thousand texts", "set n 0; do: set b join wolf #n; inc n; loop;"),
    ("texts kept in an array", "set n 0; set a (); do: push a join wolf #n; inc n; loop;"),
    ("an array that doubles", "set a (1 2 3); do: set a merge #a #a; loop;"),
    ("an array that grows", "set a (); do: push a 1; loop;"),
    ("an array that grows at its front", "set a (); do: unshift a 1; loop;"),
    ("an array in an array", "set a (1); do: set a array #a; loop;"),
    ("an array in an array, twice", "set a (1); do: set a array #a #a; loop;"),
    ("an array of copies", "set a range 1 1000; set b (); do: push b #a; loop;"),
    (
        "a thousand large arrays",
        "set n 0; do: set v#n range 1 100000; eval join \"set w\" #n; inc n; loop;",
    ),
    ("an endless range", "set a range 1 9223372036854775807;"),
    ("a range of ranges", "do: set a range 1 100000; loop;"),
    ("a range backwards", "set a range 9223372036854775807 -9223372036854775807;"),
    ("sorting without an end", "set a reverse range 1 100000; do: set b sort #a; loop;"),
    ("sorting texts", "set a split w join range 1 50000 w; do: set b sort #a; loop;"),
    ("sorting arrays", "set a map (array #0 #0) range 1 20000; do: set b sort #a; loop;"),
    ("reversing without an end", "set a range 1 100000; do: set a reverse #a; loop;"),
    ("the difference of arrays", "set a range 1 100000; do: set b diff #a #a; loop;"),
    ("the intersection of arrays", "set a range 1 100000; do: set b intersect #a #a; loop;"),
    ("matching arrays", "set a range 1 100000; do: set b match #a #a; loop;"),
    ("removing from an array", "set a range 1 100000; do: set b remove 5 #a; loop;"),
    ("looking into an array", "set a range 1 100000; do: set b in 0 #a; loop;"),
    ("keys and values", "set a range 1 100000; do: set b keys #a; set b values #a; loop;"),
    ("sums without an end", "set a range 1 100000; do: set b sum #a; set b max #a; loop;"),
    ("filters in filters", "set a range 1 3000; set b filter (anytrue (== #0 -1) #a) #a;"),
    ("maps in maps", "set a range 1 3000; set b map (map (+ #0 1) #a) #a;"),
    ("all true, without an end", "set a range 1 100000; do: set b alltrue (== #0 #0) #a; loop;"),
    (
        "foreach in foreach",
        "set a range 1 2000; for x #a: for y #a: for z #a: set b #z; next; next; next;",
    ),
    ("foreach with keys", "set a range 1 100000; do: foreach (k v) #a: set b #k; next; loop;"),
    ("a loop over what grows", "set a (1); for x #a: push a #x; next;"),
    ("a redo without an end", "for x (1 2 3): redo; next;"),
    ("eval of eval", "set a \"eval #a\"; eval #a;"),
    ("eval that doubles", "set a \"set a join #a #a; eval #a\"; eval #a;"),
    (
        "eval of a long text",
        "set a \"set b 1\"; set n 0; do: set a join #a \" 1\"; inc n; eval #a; loop;",
    ),
    ("an operator eval without an end", "set a (+ 1 1); do: set b eval #a; loop;"),
    ("lambda of lambda", "set a lambda (lambda (#0)); do: set a fn #a #a; loop;"),
    (
        "splitting a long text",
        "set a w; set n 0; do while < #n 15: set a join #a #a; inc n; loop; do: set b split \"\" #a; loop;",
    ),
    ("joining a large array", "set a range 1 100000; do: set b join #a w; loop;"),
    (
        "substrings of a long text",
        "set a w; set n 0; do while < #n 15: set a join #a #a; inc n; loop; set n 0; do: set b substr #a #n 30000; inc n; loop;",
    ),
    (
        "letters of a long text",
        "set a w; set n 0; do while < #n 15: set a join #a #a; inc n; loop; do: set b upper lower trim flipcase #a; loop;",
    ),
    ("shifts and powers", "set a 2; do: set a ** #a #a; set b << 1 #a; set c >> -1 #a; loop;"),
    (
        "numbers at the edge",
        "set a 9223372036854775807; do: set b + #a #a; set b * #a #a; set b % #a -1; set b / -9223372036854775808 -1; loop;",
    ),
    ("random numbers", "do: set a rand 0; set a rand -1; set a rand 9223372036854775807; loop;"),
    ("flags without number", "set n 0; do: setflag w#n; setflag #n; inc n; loop;"),
    ("constants without number", "set n 0; do: setconst #n range 1 1000; inc n; loop;"),
    ("constants that grow", "set a (1 2 3); do: setconst c #a; set a merge #a #a; loop;"),
    ("a constant in a constant", "set a (1); do: set a array #a; setconst c #a; loop;"),
    ("variables without number", "set n 0; do: setelem a #n range 1 100; inc n; loop;"),
    (
        "local variables without number",
        "sub w: local a; set a range 1 1000; gosub w; endsub; gosub w;",
    ),
    (
        "static variables",
        "sub w: static a; set a merge #a range 1 1000; endsub; do: gosub w; loop;",
    ),
    ("aliases without number", "set n 0; do: alias #n e4; inc n; loop;"),
    ("an alias of an alias", "do: alias e4 e5 e5 e4; loop;"),
    ("storing without an end", "do: store; restore; loop;"),
    ("storing in each call", "sub w: store; set a range 1 100; gosub w; endsub; gosub w;"),
    (
        "shuffling without an end",
        "set a keys spaces; do: shuffle a1 b1 c1 d1 e1 f1 g1 h1; mirror a1 b1 c1; shift a1 b1; loop;",
    ),
    ("dropping without an end", "do: drop K a3 b3 c3 d3; empty all; loop;"),
    ("replacing without an end", "do: replace P Q; replace Q P; loop;"),
    ("clearing without an end", "do: clear board; add K e4; loop;"),
    ("links without number", "set n 0; do: link w#n a1 b1; link #n a1 b1; inc n; loop;"),
    ("mapped directions", "set n 0; do: map #n 1 1; inc n; loop;"),
    ("unlinking everything", "do: unlink *; unlink (a* b* c*); loop;"),
    ("rays without an end", "do: set a rays e4 1 1; set a leaps e4 1 2; loop;"),
    (
        "rays of a null vector",
        "do: set a rays e4 0 0; set b checkride e4 e5 0 0; set c insight e4 0 0; loop;",
    ),
    (
        "rides along a ring",
        "link r a1 b1 b1 c1 c1 a1; do: set a logride a1 h8 r; set b lograys a1 r; loop;",
    ),
    ("paths without an end", "do: set a checkpath e4 e5 range 1 10000; loop;"),
    ("legal moves without number", "set a keys spaces; do: for x #a: setlegal #x #a; next; loop;"),
    (
        "a million legal moves",
        "set n 0; set a keys spaces; do while < #n 250: for x #a: for y #a: setlegal #x #y; next; next; inc n; loop;",
    ),
    ("appended moves", "do: appendmove \"e2-e4\"; loop;"),
    ("a question of 100000 answers", "set a range 1 100000; ask wolf #a;"),
    ("a question without an end", "do: ask \"wolf\" e2-e4; loop;"),
    ("an end without an end", "do: won; lost; drawn; loop;"),
    ("bans and allowances", "do: ban all; allow all; ban moves 1 2 3 4 5; loop;"),
    ("a move index beyond counting", "do: moveindex 9223372036854775807; moveindex -5; loop;"),
];

/// Long and deep texts of code.
fn texts() -> Vec<(&'static str, String)> {
    vec![
        ("5000 parentheses", format!("set a {}1{};", "(".repeat(5000), ")".repeat(5000))),
        ("100000 operators", format!("set a {}1;", "+ ".repeat(100_000))),
        ("100000 operands", format!("set a array {};", "1 ".repeat(100_000))),
        ("a word of 3 MB", format!("set a {};", "w".repeat(3 << 20))),
        ("a text of 3 MB", format!("set a \"{}\";", "w ".repeat(3 << 19))),
        ("100000 statements", "set a 1;\n".repeat(100_000)),
        ("100000 unknown commands", "wolf a 1;\n".repeat(100_000)),
        (
            "2000 blocks in one another",
            format!("{}{}", "if true:\n".repeat(2000), "endif;\n".repeat(2000)),
        ),
        ("100000 subroutines", (0..100_000).map(|it| format!("sub w{it}:\nendsub;\n")).collect()),
        ("100000 functions", (0..100_000).map(|it| format!("def w{it} #0;\n")).collect()),
        ("an unclosed block", "do:\n".repeat(90)),
        ("an unclosed quotation", format!("set a \"{}", "wolf ".repeat(100_000))),
        ("an include of itself", "include post;\n".repeat(1000)),
        ("NULs in code", "set\0a\0;\n".repeat(100_000)),
        (
            "a switch of 50000 cases",
            format!(
                "switch 0:\n{}endswitch;",
                (0..50_000).map(|it| format!("case {}:\nbreak;\n", it + 1)).collect::<String>()
            ),
        ),
    ]
}

/// Code in the other fields: it runs at every turn, or for every move that is tried.
fn fields() -> Vec<Input> {
    let heavy = "set n 0; do while < #n 400000: inc n; loop;".to_owned();
    let list = "set a keys onlyupper; for x #a: setlegal #x keys spaces; next;".to_owned();
    let grown = "set a range 1 190000; setconst c #a;".to_owned();
    let on = |name: &str, code: &[(&'static str, &str)]| {
        let code: Vec<_> = code.iter().map(|(file, text)| (*file, (*text).to_owned())).collect();
        preset(name, SETTINGS.to_owned(), &code)
    };
    vec![
        on("heavy code before each move", &[("pre-move-1.gc", &heavy), ("pre-move-2.gc", &heavy)]),
        on("heavy code after each move", &[("post-move-1.gc", &heavy), ("post-move-2.gc", &heavy)]),
        on("heavy code at the end", &[("post-game-1.gc", &heavy), ("post-game-2.gc", &heavy)]),
        on(
            "all moves are legal, and heavy",
            &[("pre-game.gc", &list), ("post-move-1.gc", &heavy), ("post-game-1.gc", &list)],
        ),
        on(
            "all moves are legal, and grow",
            &[("pre-game.gc", &list), ("post-move-1.gc", &grown), ("post-move-2.gc", &grown)],
        ),
        on(
            "moves that refuse",
            &[("pre-game.gc", &list), ("post-move-1.gc", "die no;"), ("post-move-2.gc", "die no;")],
        ),
        on(
            "moves that ask",
            &[("pre-game.gc", &list), ("post-move-1.gc", "ask which e2-e4 e2-e3;")],
        ),
        on(
            "moves that say much",
            &[
                ("pre-game.gc", &list),
                (
                    "post-move-1.gc",
                    "set n 0; do while < #n 10000: say wolves and sheep; inc n; loop;",
                ),
            ],
        ),
        on("an end that is not reached", &[("post-game-1.gc", "do: set a 1; loop;")]),
        on("an end that is not reached after a turn", &[("post-move-1.gc", "do: set a 1; loop;")]),
    ]
}

/// Settings that are hostile by themselves.
fn settings() -> Vec<Input> {
    let of = |name: &str, settings: String| preset(name, settings, &[]);
    let game = |rest: String| format!("game: Pond\n{rest}\n");
    vec![
        of("a board of 40000 columns", game("code: k39998K\ncolumns: 40000".into())),
        of("a board of a million ranks", game(format!("code: {}\ncolumns: 2", "k1/".repeat(1_000_000)))),
        of("an empty space beyond counting", game("code: k9223372036854775807K\ncolumns: 8".into())),
        of("99 spaces, often", game(format!("code: {}\ncolumns: 99", "99/".repeat(20_000)))),
        of("a code of 3 MB", game(format!("code: {}\ncolumns: 8", "{wolf}".repeat(500_000)))),
        of("a label of 1 MB", game(format!("code: {{{}}}7\ncolumns: 8", "w".repeat(1 << 20)))),
        of("a label without an end", game(format!("code: {{{}\ncolumns: 8", "w".repeat(1 << 20)))),
        of("stars", game(format!("code: {}\ncolumns: 90", "*/".repeat(90)))),
        of("100000 file labels", game(format!("code: k6K\ncolumns: 8\nfiles: {}", "a ".repeat(100_000)))),
        of("100000 rank labels", game(format!("code: k6K\ncolumns: 8\nranks: {}", "1 ".repeat(100_000)))),
        of("no columns", game("code: k6K\ncolumns: 0".into())),
        of("negative columns", game("code: k6K\ncolumns: -8".into())),
        of("100000 kinds of pieces", game(format!(
            "code: k6K\ncolumns: 8\npieces:\n{}",
            (0..100_000).map(|it| format!("  W{it} Wolf {it}\n")).collect::<String>()
        ))),
        of("a title of 1 MB", format!("game: {}\ncode: k6K\ncolumns: 8\n", "wolf ".repeat(200_000))),
        of("sides of 1 MB", game(format!("code: k6K\ncolumns: 8\nsides: {}", "wolf ".repeat(200_000)))),
        of("20000 initial moves", game(format!(
            "code: k6K\ncolumns: 8\ninitial-moves:\n{}", "  a1-b1\n  b1-a1\n".repeat(10_000)
        ))),
        of("custom coordinates without number", game(format!(
            "code: k6K\ncolumns: 8\nshape: custom\ncoordinates:\n{}",
            (0..50_000).map(|it| format!("  a{it} {} {}\n", it * 40_000, it)).collect::<String>()
        ))),
        of("hexagons", game(format!("code: {}\ncolumns: 90\nshape: hex-horizontal", "90/".repeat(90)))),
        of("a circle", game(format!("code: {}\ncolumns: 90\nshape: circular", "90/".repeat(90)))),
        of("a scale beyond counting", game("code: k6K\ncolumns: 8\nscale: 999999999\nborder-size: 999999999\nnext-file: 99999999 99999999".into())),
        of("a pattern of 1 MB", game(format!("code: k6K\ncolumns: 8\npattern: {}\ncolors: {}", "10.01.".repeat(150_000), "FF0000 ".repeat(100_000)))),
        of("a set of 1 MB", game(format!("code: k6K\ncolumns: 8\ncustom-set:\n{}", "  K wolf.png\n".repeat(80_000)))),
        of("100000 unknown settings", (0..100_000).map(|it| format!("wolf{it}: 1\n")).collect()),
        of("settings of NULs", "\0".repeat(1 << 20)),
    ]
}

pub(crate) fn all() -> Vec<Input> {
    let runs = RUNS.iter();
    let before =
        |(name, code): (&str, String)| preset(name, SETTINGS.to_owned(), &[("pre-game.gc", code)]);
    let mut all: Vec<Input> = runs.map(|(name, code)| before((name, (*code).to_owned()))).collect();
    all.extend(texts().into_iter().map(before));
    all.extend(fields());
    all.extend(settings());
    all
}
