//! Records, saved games and pictures that are hostile.

use boardwright_preset::Bundle;

use crate::{
    input::{Input, Kind},
    texts::Frame,
};

/// A record with turns and a preset whose code is given.
fn record(name: &str, head: &str, turns: &str, code: &str) -> Input {
    let settings = "game: Pond\ncode: k6/7K\ncolumns: 8\n";
    let text = format!("{settings}post-game-1:\n  {0}\npost-game-2:\n  {0}\n", code);
    let (bundle, _) = Bundle::read(&text);
    let brought: String = bundle.write().lines().map(|it| format!("  {it}\n")).collect();
    let hash = bundle.hash();
    let text = format!(
        "boardwright record 1\ngame: Pond\npreset: {hash}\nseed: 1\n{head}{turns}with preset:\n{brought}"
    );
    Input::new(Kind::Record, name, [("pond.txt", text), ("preset.txt", settings.to_owned())])
}

pub(crate) fn records() -> Vec<Input> {
    let passes = |n: usize| "turn: pass\n".repeat(n);
    let heavy = "set n 0; do while < #n 200000: inc n; loop;";
    let deep = format!("{}null{}", "(\"a\":".repeat(5000), ")".repeat(5000));
    vec![
        record("19000 passes", "", &passes(19_000), ""),
        record("19000 passes with long code", "", &passes(19_000), heavy),
        record("passes with endless code", "", &passes(10), "do: set a 1; loop;"),
        record("passes whose code grows an array", "", &passes(500), "push a range 1 1000;"),
        record("passes whose constants grow", "", &passes(500), "setconst c range 1 190000;"),
        record(
            "moves back and forth",
            "",
            &"turn: k a2-b2\nturn: K h1-g1\nback: 0\n".repeat(3000),
            "",
        ),
        record("a turn of 1 MB", "", &format!("turn: {}\n", "pass; ".repeat(200_000)), ""),
        record(
            "a comment of 1 MB",
            "",
            &format!("turn: pass // {}\n", "wolf ".repeat(200_000)),
            "",
        ),
        record(
            "100000 constants",
            &(0..100_000).map(|it| format!("constant \"c{it}\": 1\n")).collect::<String>(),
            "",
            "",
        ),
        record("a constant 5000 deep", &format!("constant \"c\": {deep}\n"), "", ""),
        record(
            "a constant without an end",
            &format!("constant \"c\": (\"{}\n", "w".repeat(1 << 20)),
            "",
            "",
        ),
        record("a seed beyond counting", &format!("seed: {}\n", "9".repeat(100_000)), "", ""),
        record("back beyond counting", "", &"back: 18446744073709551615\n".repeat(10_000), ""),
        record("names of 1 MB", &format!("player 1: {}\n", "wolf".repeat(1 << 18)), "", ""),
    ]
}

/// A saved game of a rule file.
fn save(name: &str, bytes: impl Into<Vec<u8>>, rules: &Frame) -> Input {
    let (save, rules) = (bytes.into(), rules.text().into_bytes());
    Input::new(Kind::Save, name, [("pond.zsg", save), ("pond.zrf", rules)])
}

pub(crate) fn saves() -> Vec<Input> {
    let head = "VariantName=Pond\nRulesFile=pond.zrf\nSeats=HH\n";
    let with = |name: &str, lines: String| save(name, format!("{head}{lines}"), &Frame::default());
    let step = |n: usize| {
        let mv = ["Wolf x0y7 - x0y6", "Wolf x6y0 - x7y0"];
        (0..n).map(|it| format!("{}. {}\n", it / 2 + 1, mv[it % 2])).collect::<String>()
    };
    let slow = Frame {
        moves: format!("(n {} (verify not-friend?) add)", "s n ".repeat(40_000)),
        ..Frame::default()
    };
    vec![
        with("100000 illegal moves", step(100_000)),
        with("a move of 1 MB", format!("1. {}\n", "Wolf x0y7 - x0y6 ".repeat(60_000))),
        with("a million empty lines", "\n".repeat(1 << 20)),
        with("edits without number", "1. (White Wolf x3y3)\n".repeat(50_000)),
        with("edits in one line", format!("1. {}\n", "(White Wolf x3y3) (x x3y3) ".repeat(30_000))),
        with("move numbers beyond counting", format!("{}. Wolf x0y7 - x0y6\n", "9".repeat(10_000))),
        with(
            "comments without an end",
            format!("1. Wolf x0y7 - x0y6 {{{}", "wolf ".repeat(200_000)),
        ),
        with("a variant of 1 MB", format!("VariantName={}\n", "wolf".repeat(1 << 18))),
        save("NULs in a save", vec![0; 1 << 20], &Frame::default()),
        save("all bytes in a save", (0..=255).collect::<Vec<u8>>().repeat(4000), &Frame::default()),
        save("a save by slow rules", format!("{head}{}", step(400)), &slow),
        save(
            "a save of another rule file",
            "VariantName=Pond\nRulesFile=../../etc/passwd\n1. pass\n",
            &Frame::default(),
        ),
    ]
}

/// A rule file with this picture for its pieces and its board.
fn picture(name: &str, file: &str, bytes: Vec<u8>) -> Input {
    let mut frame =
        Frame { piece: format!("(image White \"{file}\" Black \"{file}\")"), ..Frame::default() };
    frame.board = format!("(image \"{file}\") {}", frame.board);
    let rules = frame.text().into_bytes();
    Input {
        kind: Kind::Pictures,
        name: name.to_owned(),
        files: vec![("pond.zrf".to_owned(), rules), (file.to_owned(), bytes)],
    }
}

/// The header of a bitmap: width, height, bits a pixel, compression.
fn bmp(width: i32, height: i32, bits: u16, compression: u32) -> Vec<u8> {
    let mut bytes = b"BM".to_vec();
    for word in [1 << 20, 0, 54, 40] {
        bytes.extend_from_slice(&u32::to_le_bytes(word));
    }
    bytes.extend(width.to_le_bytes().into_iter().chain(height.to_le_bytes()));
    bytes.extend([1, 0].into_iter().chain(bits.to_le_bytes()));
    for word in [compression, 0, 0, 0, 256, 0] {
        bytes.extend_from_slice(&word.to_le_bytes());
    }
    bytes
}

/// A PNG whose parts have the right checksums.
fn png(width: u32, height: u32, data: &[u8]) -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut part = |kind: &[u8; 4], data: &[u8]| {
        bytes.extend((data.len() as u32).to_be_bytes());
        let body: Vec<u8> = kind.iter().chain(data).copied().collect();
        bytes.extend_from_slice(&body);
        bytes.extend(crc(&body).to_be_bytes());
    };
    let size: Vec<u8> = width.to_be_bytes().into_iter().chain(height.to_be_bytes()).collect();
    part(b"IHDR", &[size.as_slice(), &[8, 6, 0, 0, 0]].concat());
    part(b"IDAT", data);
    part(b"IEND", &[]);
    bytes
}

fn crc(bytes: &[u8]) -> u32 {
    let step = |crc: u32, _| if crc & 1 == 1 { (crc >> 1) ^ 0xEDB8_8320 } else { crc >> 1 };
    let byte = |crc: u32, it: &u8| (0..8).fold(crc ^ u32::from(*it), step);
    !bytes.iter().fold(u32::MAX, byte)
}

/// A deflate stream of a single block that repeats a zero byte: 258 bytes for each bit pair.
fn deflate_bomb(n: usize) -> Vec<u8> {
    // Fixed codes: a literal 0, then matches of length 258 and distance 1, thirteen bits each.
    let mut bits: Vec<bool> = vec![true, true, false];
    bits.extend([0, 0, 1, 1, 0, 0, 0, 0].map(|it| it == 1));
    for _ in 0..n {
        bits.extend([1, 1, 0, 0, 0, 1, 0, 1].map(|it| it == 1));
        bits.extend([false; 5]);
    }
    bits.extend([false; 7]);
    let byte = |it: &[bool]| it.iter().rev().fold(0, |all, &bit| all << 1 | u8::from(bit));
    let stream: Vec<u8> = bits.chunks(8).map(byte).collect();
    [&[0x78, 0x9C], stream.as_slice()].concat()
}

fn gif(width: u16, height: u16, frames: usize, claims: u16) -> Vec<u8> {
    let mut bytes = b"GIF89a".to_vec();
    bytes.extend(width.to_le_bytes().into_iter().chain(height.to_le_bytes()));
    bytes.extend([0x80, 0, 0, 0, 0, 0, 255, 255, 255]);
    for _ in 0..frames {
        bytes.extend([0x2C, 0, 0, 0, 0]);
        bytes.extend(claims.to_le_bytes().into_iter().chain(claims.to_le_bytes()));
        bytes.extend([0, 2, 2, 0x44, 1, 0]);
    }
    bytes.push(0x3B);
    bytes
}

pub(crate) fn pictures() -> Vec<Input> {
    let rle =
        |pairs: usize| [bmp(16_000, 16_000, 8, 1), vec![0; 1024], [255, 7].repeat(pairs)].concat();
    let jpeg = |width: u16| {
        let size = [width.to_be_bytes(), width.to_be_bytes()].concat();
        [
            b"\xFF\xD8\xFF\xC0\x00\x11\x08".as_slice(),
            &size,
            &[3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1],
            &[0; 4000],
        ]
        .concat()
    };
    vec![
        picture("a bitmap of two thousand million pixels", "a.bmp", bmp(i32::MAX, 1, 24, 0)),
        picture("a bitmap of 40000 by 40000", "a.bmp", bmp(40_000, 40_000, 1, 0)),
        picture("a bitmap of negative size", "a.bmp", bmp(-40_000, i32::MIN, 32, 3)),
        picture("a bitmap of no size", "a.bmp", bmp(0, 0, 24, 0)),
        picture("a truncated bitmap", "a.bmp", bmp(4000, 4000, 24, 0)),
        picture("a run-length bomb", "a.bmp", rle(500_000)),
        picture(
            "jumps in run lengths",
            "a.bmp",
            [bmp(16_000, 16_000, 8, 1), vec![0; 1024], [0, 2, 255, 255].repeat(200_000)].concat(),
        ),
        picture(
            "a PNG bomb of 20000 by 20000",
            "a.png",
            png(20_000, 20_000, &deflate_bomb(6_300_000)),
        ),
        picture("a PNG bomb of one pixel", "a.png", png(1, 1, &deflate_bomb(2_000_000))),
        picture("a PNG beyond counting", "a.png", png(u32::MAX, u32::MAX, &deflate_bomb(1000))),
        picture("a truncated PNG", "a.png", png(8000, 8000, &deflate_bomb(10))),
        picture("a GIF of 60000 frames", "a.gif", gif(100, 100, 60_000, 100)),
        picture("a GIF of 65535 by 65535", "a.gif", gif(u16::MAX, u16::MAX, 3, u16::MAX)),
        picture("a JPEG of 65500 by 65500", "a.jpg", jpeg(65_500)),
        picture("a truncated JPEG", "a.jpg", jpeg(3000)),
        picture("a text as a picture", "a.bmp", b"wolf ".repeat(1 << 18)),
    ]
}
