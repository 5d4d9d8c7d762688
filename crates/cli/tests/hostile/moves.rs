//! Rule files that are short and valid, and hard to play by: endless or countless moves,
//! effects and goals.

use crate::{
    input::Input,
    texts::{Frame, grid},
};

const FOUR: &str = "(n 0 -1) (s 0 1) (e 1 0) (w -1 0)";

/// A full board of wolves for White and a sheep for Black.
fn crowd(n: usize) -> Frame {
    let sites: String = (0..n)
        .flat_map(|x| (0..n).map(move |y| (x, y)))
        .filter(|&(x, y)| (x, y) != (n - 1, n - 1))
        .map(|(x, y)| format!("x{x}y{y} "))
        .collect();
    Frame {
        board: grid(n, n, FOUR),
        setup: format!("(White (Wolf {sites})) (Black (Wolf x{0}y{0}))", n - 1),
        ..Frame::default()
    }
}

/// All sites of a square board of this size.
fn everywhere(n: usize) -> String {
    (0..n).flat_map(|x| (0..n).map(move |y| format!("x{x}y{y} "))).collect()
}

fn players(n: usize) -> String {
    (0..n).map(|it| format!("P{it} ")).collect()
}

/// Moves without number or end.
pub(crate) fn generation() -> Vec<Input> {
    let goto: String =
        (0..64).flat_map(|x| (0..64).map(move |y| format!("x{x}y{y} add "))).collect();
    let one =
        |name: &str, moves: &str| Frame { moves: moves.to_owned(), ..Frame::default() }.input(name);
    let all = |name: &str, n: usize, moves: &str| {
        Frame { moves: moves.to_owned(), ..crowd(n) }.input(name)
    };
    let effects = |n: usize, effect: &str| effect.repeat(n);
    vec![
        all("262144 moves in a state", 64, &format!("({})", &goto[..goto.len() / 64 * 60])),
        all("4096 moves of each of 4096 pieces", 64, &format!("({goto})")),
        all("4000 moves of each of 60 pieces", 8, &format!("({})", "x0y0 add ".repeat(4000))),
        all("262144 drops", 128, "(n add)) (drops (add) (n add) (s add) (e add) (w add)"),
        one("a loop without an end", "((while on-board? (if empty? n s else s n)) add)"),
        one("a loop that adds without an end", "((while true x0y0 add x0y1 add))"),
        all("endless loops of all pieces", 64, "((while true x0y0 x0y1))"),
        all("long loops of all pieces", 64, &format!("({} add)", "x0y0 ".repeat(40_000))),
        one("30000 effects in a move", &format!("({} x0y0 add)", effects(30_000, "x0y0 flip "))),
        one("100000 effects in a move", &format!("({} x0y0 add)", effects(100_000, "x0y0 flip "))),
        all(
            "1000 effects in each of 4096 moves",
            64,
            &format!("({} add)", effects(1000, "x3y3 flip ")),
        ),
        all("4000 captures in each move", 64, &format!("({} add)", effects(4000, "x3y3 capture "))),
        one(
            "1000 cascades in a move",
            &format!("({} add)", "x0y0 from x0y1 cascade ".repeat(1000)),
        ),
        one(
            "5000 cascades in a move",
            &format!("({} add)", "x0y0 from x0y1 cascade ".repeat(5000)),
        ),
        all(
            "cascades of all pieces",
            64,
            &format!("({} add)", "x0y0 from x0y1 cascade ".repeat(900)),
        ),
        one(
            "creates on one site",
            &format!("({} add)", effects(20_000, "(create Black Wolf x3y3) ")),
        ),
        one(
            "changes of type on one site",
            &format!("({} add)", effects(20_000, "(change-type Wolf x3y3) ")),
        ),
        all(
            "attack probes of all pieces",
            64,
            "(n (verify (not-attacked? x0y0)) add) (s (verify (defended? x9y9)) add)",
        ),
        all(
            "attack probes in a loop",
            32,
            "((while (not-attacked? x31y31) x0y0 (if (defended? x0y0) x1y1)) add)",
        ),
        all("adjacent enemies in a loop", 64, "((while not-adjacent-to-enemy? x0y0 x1y1) add)"),
        all(
            "flags on all sites",
            64,
            &format!(
                "({} add)",
                (0..900)
                    .map(|it| format!("(set-position-flag f{it} true) n s "))
                    .collect::<String>()
            ),
        ),
        all(
            "64 attributes",
            32,
            "((set-attribute a0 (not a0)) n add)) (attribute a0 true) (attribute a1 false) (moves (n add)",
        ),
    ]
}

/// Partial moves, passes and checks that branch.
pub(crate) fn chains() -> Vec<Input> {
    let hop = "(n add-partial) (s add-partial) (e add-partial) (w add-partial)";
    let royal = "(loss-condition (White Black) (checkmated Wolf))";
    let with = |name: &str, frame: Frame| frame.input(name);
    let base =
        |moves: &str, more: String| Frame { moves: moves.to_owned(), more, ..Frame::default() };
    let big =
        |n: usize, moves: &str, more: String| Frame { moves: moves.to_owned(), more, ..crowd(n) };
    vec![
        with("a chain that never ends", base(hop, String::new())),
        with(
            "a chain that never ends, maximal",
            base(hop, "(option \"maximal captures\" true)".into()),
        ),
        with(
            "a chain that never ends, most valuable",
            base(hop, "(option \"maximal captures\" 2)".into()),
        ),
        with("a chain that never ends, with check", base(hop, royal.into())),
        with("chains of all pieces", big(32, hop, "(option \"maximal captures\" true)".into())),
        with("chains of all pieces, with check", big(16, hop, royal.into())),
        with("chains with passes", base(hop, format!("{royal} (option \"pass partial\" true)"))),
        with("chains that copy", base("(n add-copy-partial) (e add-copy-partial)", royal.into())),
        with("check of a crowd", big(64, "(n (verify not-friend?) add)", royal.into())),
        with(
            "check after 200000 moves",
            big(64, &format!("({})", "x0y0 add x0y1 add ".repeat(24)), royal.into()),
        ),
        with("passing in turn", {
            let all = players(64);
            Frame {
                players: all.clone(),
                turns: all,
                moves: "(n (verify false) add)".into(),
                setup: format!("(P0 (Wolf {}))", everywhere(8)),
                more: "(option \"pass turn\" forced)".into(),
                ..Frame::default()
            }
        }),
        with(
            "a turn order of 100000",
            Frame {
                turns: format!("{} repeat White Black", "White Black ".repeat(50_000)),
                more: "(option \"pass turn\" forced)".into(),
                ..Frame::default()
            },
        ),
        with(
            "a turn order of 100000 passes",
            Frame {
                turns: "White Black ".repeat(50_000),
                moves: "(n (verify false) add)".into(),
                more: "(option \"pass turn\" forced)".into(),
                ..Frame::default()
            },
        ),
        with(
            "random players only",
            Frame {
                players: "?White ?Black".into(),
                turns: "?White ?Black".into(),
                setup: "(?White (Wolf x0y7 x1y7)) (?Black (Wolf x6y0 x7y0))".into(),
                ..Frame::default()
            },
        ),
        with(
            "4096 priorities",
            Frame {
                moves: (0..4000).map(|it| format!("(move-type t{it}) (n add)")).collect(),
                more: format!(
                    "(move-priorities {})",
                    (0..4000).map(|it| format!("t{it} ")).collect::<String>()
                ),
                ..Frame::default()
            },
        ),
        with(
            "recycled pieces",
            Frame {
                moves: "(n (add Wolf Sheep)) (e capture add)".into(),
                piece: "(drops (add))".into(),
                setup: "(White (Wolf x0y7 off 4000000000)) (Black (Wolf x7y0 off 4000000000))"
                    .into(),
                more: "(piece (name Sheep) (drops (add))) (option \"recycle captures\" true) \
                   (option \"recycle promotions\" true)"
                    .into(),
                ..Frame::default()
            },
        ),
        with(
            "no moves at all",
            Frame { moves: "(n (verify false) add)".into(), ..Frame::default() },
        ),
        with("no pieces at all", Frame { setup: "(White)".into(), ..Frame::default() }),
        with(
            "a selection screen",
            Frame { piece: "(open \"pond.zrf\")".into(), ..Frame::default() },
        ),
    ]
}

/// Goals that are dear to judge.
pub(crate) fn goals() -> Vec<Input> {
    let all = players(64);
    let crowd_of = |more: String, n: usize| {
        let sites = everywhere(n);
        let rows: String = (0..64)
            .map(|it| {
                let own = sites.split(' ').skip(it).step_by(64).collect::<Vec<_>>().join(" ");
                format!("(P{it} (Wolf {own}))")
            })
            .collect();
        Frame {
            players: all.clone(),
            turns: all.clone(),
            board: grid(n, n, FOUR),
            moves: "(n (verify not-friend?) add)".into(),
            setup: rows,
            more,
            ..Frame::default()
        }
    };
    let won = |goal: &str| format!("(win-condition ({all}) {goal})");
    let sites = everywhere(64);
    let walk = "(not Wolf) n ".repeat(200);
    let with = |name: &str, more: String| crowd_of(more, 64).input(name);
    let kinds: String = (0..8000).map(|it| format!("(piece (name K{it}))")).collect();
    let listed: String = (0..8000).map(|it| format!("K{it} ")).collect();
    vec![
        with("stalemated for 64", won("stalemated")),
        with("checkmated for 64", won("(checkmated Wolf)")),
        with("counts for 64", won("(pieces-remaining 7 Wolf)").repeat(300)),
        with("total counts for 64", won("(total-piece-count 7 Wolf)").repeat(300)),
        with(
            "count-condition for 64",
            format!("(count-condition ({all}) (total-piece-count 3))").repeat(300),
        ),
        with("all sites for 64", won(&format!("(absolute-config (not Wolf) ({sites}))"))),
        with(
            "all sites for 64, 30 times",
            won(&format!("(absolute-config (not Wolf) ({sites}))")).repeat(30),
        ),
        with("a walk for 64", won(&format!("(relative-config {walk})"))),
        with("a walk for 64, 100 times", won(&format!("(relative-config {walk})")).repeat(100)),
        with("a long walk", won(&format!("(relative-config {})", "n s ".repeat(50_000)))),
        with("captured for 64", won("(captured Wolf)").repeat(1000)),
        with("repetition for 64", won("repetition").repeat(1000)),
        with(
            "390 goals in one another",
            won(&format!("{}stalemated{}", "(not ".repeat(390), ")".repeat(390))),
        ),
        with(
            "10000 goals in a row",
            won(&format!("(or {})", "(pieces-remaining 9999 Wolf)".repeat(10_000))),
        ),
        with("8000 kinds captured", format!("{kinds} {}", won(&format!("(captured {listed})")))),
        with("8000 kinds counted", format!("{kinds} {}", won("(pieces-remaining 7)").repeat(50))),
        with("8000 royal kinds", format!("{kinds} {}", won(&format!("(checkmated {listed})")))),
        with(
            "off pieces of 8000 kinds",
            format!(
                "{kinds} (option \"include off-pieces\" true) {}",
                won("(pieces-remaining 7)").repeat(20)
            ),
        ),
        with("any owner", won(&format!("(absolute-config any-owner Wolf ({sites}))")).repeat(3)),
        with("connected for 64", won("(connected Wolf (x0y0 x63y63))").repeat(100)),
        with(
            "a thousand conditions",
            (0..1000).map(|it| won(&format!("(absolute-config Wolf (x0y{}))", it % 64))).collect(),
        ),
    ]
}
