//! Rule files whose text is hostile: macros that multiply, numbers beyond counting, deep
//! nesting, odd bytes.

use crate::input::{Input, Kind};

/// A small game with places for what a case adds.
pub(crate) struct Frame {
    pub title: String,
    pub players: String,
    pub turns: String,
    pub board: String,
    pub piece: String,
    pub moves: String,
    pub setup: String,
    pub more: String,
    pub defines: String,
}

impl Default for Frame {
    fn default() -> Frame {
        Frame {
            title: "\"Pond\"".into(),
            players: "White Black".into(),
            turns: "White Black".into(),
            board: grid(8, 8, "(n 0 -1) (s 0 1) (e 1 0) (w -1 0)"),
            piece: String::new(),
            moves: "(n (verify not-friend?) add) (e (verify not-friend?) add)".into(),
            setup: "(White (Wolf x0y7 x1y7)) (Black (Wolf x6y0 x7y0))".into(),
            more: String::new(),
            defines: String::new(),
        }
    }
}

impl Frame {
    pub fn text(&self) -> String {
        let Frame { title, players, turns, board, piece, moves, setup, more, defines } = self;
        format!(
            "{defines}\n(game (title {title}) (players {players}) (turn-order {turns})\n\
             (board {board})\n(piece (name Wolf) {piece} (moves {moves}))\n\
             (board-setup {setup})\n{more})\n"
        )
    }

    pub fn input(&self, name: impl Into<String>) -> Input {
        Input::new(Kind::Rules, name, [("pond.zrf", self.text())])
    }
}

/// A grid whose sites are `x0y0` and so on, column by column.
pub(crate) fn grid(columns: usize, rows: usize, directions: &str) -> String {
    let labels = |letter: &str, n: usize| {
        let all: Vec<String> = (0..n).map(|it| format!("{letter}{it}")).collect();
        all.join("/")
    };
    let (x, y) = (labels("x", columns), labels("y", rows));
    format!(
        "(grid (start-rectangle 0 0 9 9) (dimensions (\"{x}\" (10 0)) (\"{y}\" (0 10))) \
         (directions {directions}))"
    )
}

/// Macros `m0` to `m{n}`, each of which stands for the next one twice.
fn doubling(n: usize, core: &str) -> String {
    let mut text = String::new();
    for level in 0..n {
        text.push_str(&format!("(define m{level} (m{0}) (m{0}))\n", level + 1));
    }
    format!("{text}(define m{n} {core})\n")
}

/// Macros `p0` to `p{n}`, each of which pastes its argument twice, around `$1` in `core`.
fn pasting(n: usize, core: &str) -> String {
    let mut text = String::new();
    for level in 0..n {
        text.push_str(&format!("(define p{level} (p{} \"$1$1\"))\n", level + 1));
    }
    format!("{text}(define p{n} {core})\n")
}

/// The places of a rule file that hold texts or lists: a name, a section with `{}` where the
/// bomb goes, what the bomb is made of, and whether the section is part of a piece.
const PLACES: &[(&str, &str, &str, bool)] = &[
    ("description", "(description {})", "\"wolves and sheep \"", false),
    ("history", "(history {})", "\"wolves and sheep \"", false),
    ("strategy", "(strategy {})", "\"wolves and sheep \"", false),
    ("music", "(music {})", "\"wolf.wav\"", false),
    ("sound", "(move-sound {})", "\"wolf.wav\"", false),
    ("solution", "(solution {})", "\"wolf.zsg\"", false),
    ("engine", "(engine {})", "\"wolf.dll\"", false),
    ("option", "(option {} true)", "\"animate drops\"", false),
    ("priorities", "(move-priorities {})", "wolf", false),
    ("win", "(win-condition (White Black) (or {}))", "(captured Wolf)", false),
    ("loss", "(loss-condition ({}) stalemated)", "White", false),
    ("count", "(count-condition ({}) (total-piece-count 3))", "White", false),
    ("config", "(win-condition (White) (absolute-config Wolf ({})))", "x0y0", false),
    ("walk", "(win-condition (White) (relative-config {}))", "Wolf n", false),
    ("help", "(help {})", "\"wolves and sheep \"", true),
    ("about", "(description {})", "\"wolves and sheep \"", true),
    ("notation", "(notation {})", "\"wolf\"", true),
    ("image", "(image White {})", "\"wolf.bmp\"", true),
    ("open", "(open {})", "\"wolf.zrf\"", true),
    ("attribute", "(attribute {} true)", "hungry?", true),
    ("drops", "(drops ({} add))", "n", true),
    ("setup", "(variant (board-setup (White (Wolf {}))))", "x0y0", false),
    ("piece", "{}", "(piece (name Sheep) (help \"wool\"))", false),
];

/// One bomb of each sort at each place.
pub(crate) fn bombs() -> Vec<Input> {
    let mut all = Vec::new();
    for &(name, section, core, in_piece) in PLACES {
        let placed = |bomb: &str, defines: String| {
            let text = section.replace("{}", bomb);
            let mut frame = Frame { defines, ..Frame::default() };
            *(if in_piece { &mut frame.piece } else { &mut frame.more }) = text;
            frame
        };
        all.push(placed("(m0)", doubling(40, core)).input(format!("{name}: doubled 40 times")));
        all.push(placed("(m0)", doubling(14, core)).input(format!("{name}: repeated 16384 times")));
        let pasted = pasting(26, "\"$1\"");
        all.push(placed("(p0 wolf)", pasted).input(format!("{name}: pasted 26 times")));
    }
    all
}

/// Many pieces, sites or variants that share or repeat one long text.
pub(crate) fn copies() -> Vec<Input> {
    let long = "wolves and sheep ".repeat(60);
    let mut all = Vec::new();
    for part in ["help", "description", "notation", "open"] {
        let more = "(m0)".to_owned();
        let core = format!("(piece (name $1) ({part} \"{long}\"))");
        let pieces: String = (0..4000).map(|it| format!("(kind K{it})")).collect();
        let defines = format!("(define kind {core})\n(define m0 {pieces})\n");
        let frame = Frame { more, defines, ..Frame::default() };
        all.push(frame.input(format!("4000 pieces with one long {part}")));
    }
    let pieces: String = (0..8000).map(|it| format!("(piece (name K{it}))")).collect();
    all.push(Frame { more: pieces.clone(), ..Frame::default() }.input("8000 kinds of pieces"));
    let images = "(image White (m0) Black (m0))".to_owned();
    let defines = doubling(12, "\"wolf.bmp\"");
    all.push(Frame { piece: images, defines, ..Frame::default() }.input("4096 piece sets"));
    let name = "K".repeat(100_000);
    let more = format!("(piece (name {name}))");
    all.push(Frame { more, ..Frame::default() }.input("a piece name of 100 kB"));
    let title = format!("\"{}\"", "wolf ".repeat(50_000));
    all.push(Frame { title, ..Frame::default() }.input("a title of 250 kB"));
    let players = format!("White Black {}", "P".repeat(100_000));
    all.push(Frame { players, ..Frame::default() }.input("a player name of 100 kB"));
    let more: String =
        (0..1900).map(|it| format!("(variant (title \"V{it}\") (piece (name P{it})))")).collect();
    let defines = pieces.replace("(piece", "(define");
    let frame = Frame { defines, ..Frame::default() };
    let text = format!("{}{}", frame.text(), more.replace("))(", "))\n("));
    all.push(Input::new(Kind::Rules, "1900 variants", [("pond.zrf", text)]));
    let table: String =
        (0..5000).map(|it| format!("(\"w{it}\" \"{}\")", "ö".repeat(900))).collect();
    let text = format!("(translate {table})\n{}", Frame::default().text());
    all.push(Input::new(Kind::Rules, "5000 long translations", [("pond.zrf", text)]));
    let table = "(\"Wolf\" \"Wolf\")".repeat(100_000);
    let text = format!("(translate {table})\n{}", Frame::default().text());
    all.push(Input::new(Kind::Rules, "100000 translations", [("pond.zrf", text)]));
    all
}

/// Boards that are too large, or made of numbers that are.
pub(crate) fn boards() -> Vec<Input> {
    let directions = "(n 0 -1) (s 0 1) (e 1 0) (w -1 0)";
    let with = |name: &str, board: String| Frame { board, ..Frame::default() }.input(name);
    let ten = (0..10).map(|it| format!("a{it}")).collect::<Vec<_>>().join("/");
    let five = format!("(\"{ten}\" (9 9))").repeat(5);
    let edge = "2147483647";
    let mut all = vec![
        with("the largest board", grid(128, 128, directions)),
        with("a board beyond the limit", grid(1000, 1000, directions)),
        with("five dimensions", format!("(grid (dimensions {five}) (directions (n 1 1 1 1 1)))")),
        with(
            "rectangles at the edge of numbers",
            format!(
                "(grid (start-rectangle -{edge} {edge} {edge} -{edge}) \
             (dimensions (\"x0/x1\" ({edge} {edge})) (\"y0/y7\" (0 -{edge}))) (directions (n {edge} -{edge})))"
            ),
        ),
        with(
            "a rectangle of a thousand digits",
            format!("(positions (x0y7 {0} -{0} {0} {0}))", "9".repeat(1000)),
        ),
        with(
            "labels of 60 kB",
            format!("(grid (dimensions (\"{}\" (1 1))))", "wolf".repeat(15_000)),
        ),
        with("empty labels", format!("(grid (dimensions (\"{}\" (1 1))))", "/".repeat(60_000))),
    ];
    let many: String = (0..1000).map(|it| format!("(d{it} {} {})", it % 31, it / 31)).collect();
    all.push(with("1000 directions", grid(40, 40, &many)));
    all.push(with("1000 directions on the largest board", grid(128, 128, &many)));
    let links: String = (0..8).map(|it| format!("(x{it}y0 x0y{it})")).collect();
    let links = format!("(links n {})", links.repeat(2000));
    all.push(with("16000 links", format!("{} {links}", grid(8, 8, directions))));
    let zones: String = (0..4000)
        .map(|it| format!("(zone (name z{it}) (players White Black) (positions (all)))"))
        .collect();
    let sites: String = (0..128).map(|it| format!("x{it}y0 ")).collect();
    let mut frame =
        Frame { board: format!("{} {zones}", grid(128, 128, directions)), ..Frame::default() };
    frame.defines = format!("(define all {sites})\n");
    all.push(frame.input("4000 zones"));
    let all_directions = "(n s) (s n) (e w) (w e)".repeat(5000);
    all.push(with(
        "20000 symmetries",
        format!("{} (symmetry Black {all_directions})", grid(8, 8, directions)),
    ));
    let sites: String =
        (0..128).flat_map(|x| (0..128).map(move |y| format!("x{x}y{y} "))).collect();
    all.push(with("unlink everything", format!("{} (unlink {sites})", grid(128, 128, directions))));
    all.push(with(
        "kill all sites",
        format!("{} (kill-positions {sites})", grid(128, 128, directions)),
    ));
    all.push(with("16384 dummies", format!("{} (dummy {sites})", grid(128, 128, directions))));
    all.push(with(
        "sites one on another",
        format!(
            "(positions {})",
            (0..16_000).map(|it| format!("(x{it}y7 0 0 9 9)")).collect::<String>()
        ),
    ));
    all.push(with(
        "far apart sites",
        format!(
            "(positions {})",
            (0..4000)
                .map(|it| format!("(x{it}y7 {0} {0} {1} {1})", it * 500_000, it * 500_000 + 9))
                .collect::<String>()
        ),
    ));
    all.push(with("two thousand boards in one", grid(2, 2, directions).repeat(2000)));
    all
}

/// Lists in lists, and text that is no rule file.
pub(crate) fn shapes() -> Vec<Input> {
    let of = |name: &str, bytes: Vec<u8>| Input::new(Kind::Rules, name, [("pond.zrf", bytes)]);
    let text = |name: &str, text: String| of(name, text.into_bytes());
    let moves = |name: &str, moves: String| Frame { moves, ..Frame::default() }.input(name);
    let nest = |open: &str, core: &str, close: &str, n: usize| {
        format!("{}{core}{}", open.repeat(n), close.repeat(n))
    };
    let utf16 = |it: &str| -> Vec<u8> {
        [0xFEFF].into_iter().chain(it.encode_utf16()).flat_map(u16::to_le_bytes).collect()
    };
    let game = Frame::default().text();
    vec![
        text("a million parentheses", "(".repeat(1_000_000)),
        text("a million closing parentheses", ")".repeat(1_000_000)),
        text("a million empty lists", "()".repeat(1_000_000)),
        text("six megabytes of words", "a ".repeat(3 << 20)),
        text("a word of six megabytes", "a".repeat(6 << 20)),
        text("a string without an end", format!("(game (title \"{}", "wolf ".repeat(1 << 20))),
        text("a comment of six megabytes", format!(";{}", "wolf".repeat(3 << 19))),
        of("NULs", vec![0; 1 << 20]),
        of("all bytes", (0..=255).collect::<Vec<u8>>().repeat(4000)),
        of("NULs inside", game.replace(' ', "\0").into_bytes()),
        of("UTF-16 with lone surrogates", {
            let lone = std::iter::repeat_n(0xD800_u16, 500_000);
            [0xFEFF].into_iter().chain(lone).flat_map(u16::to_le_bytes).collect()
        }),
        of("UTF-16", utf16(&game)),
        of("Windows-1251", game.bytes().flat_map(|it| [it, 0xCF, 0xF0]).collect()),
        text("combining letters", game.replace("Wolf", &format!("W{}", "\u{301}".repeat(190)))),
        text("right to left", game.replace("Wolf", "\u{202e}floW\u{202d}")),
        text("carriage returns only", game.replace('\n', "\r").repeat(50)),
        text("a hundred games", format!("{game}\n").repeat(100)),
        text("a macro of itself", format!("{game}(define wolf (wolf) (wolf))(wolf)")),
        text(
            "a million arguments",
            format!("{game}(define wolf $1) (wolf {})", "n ".repeat(1_000_000)),
        ),
        text("a hundred thousand macros", {
            let macros: String = (0..100_000).map(|it| format!("(define w{it} n)")).collect();
            format!("{macros}{game}")
        }),
        text("a hundred thousand misspelled calls", {
            let calls: String = (0..100_000).map(|it| format!("(wulf{it})")).collect();
            Frame { moves: format!("({calls} add)"), ..Frame::default() }.text()
        }),
        text(
            "a version of a million digits",
            format!("(version \"{}\") {game}", "9".repeat(1 << 20)),
        ),
        Input::new(
            Kind::Rules,
            "a file that includes itself",
            [("pond.zrf", format!("(include \"pond.zrf\")(include \"pond.zrf\"){game}"))],
        ),
        Input::new(
            Kind::Rules,
            "two files that include each other",
            [
                ("pond.zrf", format!("{}{game}", "(include \"b.zrf\")".repeat(100))),
                ("b.zrf", "(include \"pond.zrf\")".repeat(100)),
            ],
        ),
        Input::new(
            Kind::Rules,
            "includes from outside",
            [(
                "pond.zrf",
                format!("(include \"/etc/passwd\")(include \"../../../etc/passwd\"){game}"),
            )],
        ),
        Input::new(
            Kind::Rules,
            "a large file included 900 times",
            [
                ("pond.zrf", format!("{}{game}", "(include \"b.zrf\")".repeat(900))),
                ("b.zrf", "a ".repeat(200_000)),
            ],
        ),
        moves(
            "390 conditions in one another",
            format!("({} add)", nest("(if empty? ", "n", ")", 390)),
        ),
        moves(
            "5000 conditions in one another",
            format!("({} add)", nest("(if empty? ", "n", ")", 5000)),
        ),
        moves("390 negations", format!("((verify {}) add)", nest("(not ", "empty?", ")", 390))),
        moves("20000 move blocks", "(n add)".repeat(20_000)),
        moves("a block of 500000 steps", format!("({} add)", "n s ".repeat(250_000))),
        moves("100000 types of moves", {
            (0..100_000).map(|it| format!("(move-type t{it}) (n (add-partial t{it}))")).collect()
        }),
        moves("4000 promotions", format!("(n (add {}))", "Wolf ".repeat(4000))),
    ]
}
