//! Names of pieces and players with their drawings and colours: data only.
//!
//! Names are compared in small letters without anything but letters and digits.

use super::{Family, Tone};

/// A drawing of a family: `king` of chess.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Drawing {
    pub(super) family: Family,
    pub(super) name: &'static str,
}

/// By family and drawing: the names that mean it.
pub(super) const DRAWINGS: &[(Family, &str, &[&str])] = &[
    (
        Family::Chess,
        "king",
        &["king", "shah", "raja", "rajah", "khun", "fallenking", "crownedking", "royal"],
    ),
    (
        Family::Chess,
        "queen",
        &[
            "queen",
            "lady",
            "dame",
            "counsellor",
            "counselor",
            "ferz",
            "fers",
            "firzan",
            "vizier",
            "mantri",
            "met",
            "minister",
            "withdrawer",
            "honour",
        ],
    ),
    (
        Family::Chess,
        "rook",
        &[
            "rook",
            "castle",
            "rukh",
            "ratha",
            "rua",
            "ruea",
            "boat",
            "ship",
            "tower",
            "chariot",
            "coordinator",
            "victory",
        ],
    ),
    (Family::Chess, "bishop", &["bishop", "alfil", "elephant", "gaja", "khon", "fil", "chameleon"]),
    (
        Family::Chess,
        "knight",
        &["knight", "horse", "ashva", "ma", "springer", "longleaper", "cavalier"],
    ),
    (
        Family::Chess,
        "pawn",
        &["pawn", "soldier", "padati", "footman", "bia", "bauer", "pincer", "pincerpawn"],
    ),
    (
        Family::Chess,
        "archbishop",
        &["archbishop", "cardinal", "princess", "janus", "paladin", "hawk"],
    ),
    (Family::Chess, "chancellor", &["chancellor", "marshal", "marshall", "empress", "champion"]),
    (
        Family::Chess,
        "amazon",
        &["amazon", "maharaja", "maharajah", "superqueen", "general", "aiwok"],
    ),
    (Family::Chess, "unicorn", &["unicorn", "nightrider", "immobilizer", "immobiliser"]),
    (Family::Shogi, "king", &["king", "jewel", "gyoku", "ousho", "osho"]),
    (Family::Shogi, "rook", &["rook", "hisha", "flyingchariot"]),
    (Family::Shogi, "bishop", &["bishop", "kaku", "kakugyo", "anglemover"]),
    (Family::Shogi, "gold", &["gold", "goldgeneral", "kin", "kinsho"]),
    (Family::Shogi, "silver", &["silver", "silvergeneral", "gin", "ginsho"]),
    (Family::Shogi, "knight", &["knight", "keima", "honorablehorse", "honourablehorse"]),
    (Family::Shogi, "lance", &["lance", "kyosha", "kyo"]),
    (Family::Shogi, "pawn", &["pawn", "fuhyo", "fu", "footsoldier"]),
    (Family::Shogi, "dragon", &["dragon", "dragonking", "promotedrook", "ryu", "ryuo"]),
    (Family::Shogi, "horse", &["horse", "dragonhorse", "promotedbishop", "uma", "ryuma"]),
    (Family::Shogi, "psilver", &["promotedsilver", "narigin"]),
    (Family::Shogi, "pknight", &["promotedknight", "narikei"]),
    (Family::Shogi, "plance", &["promotedlance", "narikyo"]),
    (Family::Shogi, "tokin", &["tokin", "promotedpawn", "to"]),
    (Family::Xiangqi, "general", &["general", "king", "marshal", "governor", "emperor"]),
    (
        Family::Xiangqi,
        "advisor",
        &["advisor", "adviser", "guard", "mandarin", "minister", "counsellor", "assistant"],
    ),
    (Family::Xiangqi, "elephant", &["elephant", "bishop"]),
    (Family::Xiangqi, "horse", &["horse", "knight", "mao"]),
    (Family::Xiangqi, "chariot", &["chariot", "rook", "car"]),
    (Family::Xiangqi, "cannon", &["cannon", "pao", "catapult"]),
    (Family::Xiangqi, "soldier", &["soldier", "pawn", "private"]),
    (
        Family::Draughts,
        "man",
        &[
            "man",
            "draught",
            "checker",
            "draughtsman",
            "men",
            "attacker",
            "defender",
            "swede",
            "muscovite",
            "hound",
            "goose",
            "goat",
            "sheep",
            "soldier",
            "piece",
            "hunter",
            "token",
            "car",
            "counter",
            "united",
            "pawn",
        ],
    ),
    (Family::Draughts, "king", &["king", "dame", "damone", "queen", "crowned", "crownedman"]),
    (
        Family::Stones,
        "stone",
        &[
            "stone", "disc", "disk", "marble", "peg", "seed", "bead", "ball", "pebble", "bean",
            "keystone",
        ],
    ),
    (Family::Things, "mark-x", &["cross", "x", "ex"]),
    (Family::Things, "mark-o", &["nought", "o", "naught", "ring", "circle"]),
    (Family::Things, "wall", &["wall", "brick", "bricks"]),
    (Family::Things, "crate", &["crate", "box"]),
    (Family::Things, "crate-stored", &["stored", "storedcrate"]),
    (Family::Things, "arrow", &["arrow"]),
    (Family::Things, "block", &["block", "furniture", "rock", "obstacle", "burned", "hole"]),
    (Family::Things, "flag", &["flag"]),
    (Family::Things, "dot", &["footprint", "trail", "visited"]),
    (Family::Things, "lamp-on", &["on", "lit", "lamp", "light"]),
    (Family::Things, "lamp-off", &["off", "dark", "unlit"]),
    (Family::Things, "disk-1", &["disk1", "disc1", "ring1"]),
    (Family::Things, "disk-2", &["disk2", "disc2", "ring2"]),
    (Family::Things, "disk-3", &["disk3", "disc3", "ring3"]),
    (Family::Things, "disk-4", &["disk4", "disc4", "ring4"]),
    (Family::Things, "disk-5", &["disk5", "disc5", "ring5"]),
    (Family::Things, "disk-6", &["disk6", "disc6", "ring6"]),
    (Family::Things, "disk-7", &["disk7", "disc7", "ring7"]),
    (Family::Things, "disk-8", &["disk8", "disc8", "ring8"]),
    (Family::Things, "die-0", &["zero", "none"]),
    (Family::Things, "die-1", &["one", "roll1", "die1", "throw1"]),
    (Family::Things, "die-2", &["two", "roll2", "die2", "throw2"]),
    (Family::Things, "die-3", &["three", "roll3", "die3", "throw3"]),
    (Family::Things, "die-4", &["four", "roll4", "die4", "throw4"]),
    (Family::Things, "die-5", &["five", "roll5", "die5", "throw5"]),
    (Family::Things, "die-6", &["six", "roll6", "die6", "throw6"]),
];

/// Names of players, and their colours.
const TONES: &[(Tone, &[&str])] = &[
    (
        Tone::White,
        &[
            "white",
            "light",
            "ivory",
            "silver",
            "defenders",
            "swedes",
            "geese",
            "goats",
            "weiss",
            "blanc",
        ],
    ),
    (
        Tone::Black,
        &["black", "dark", "ebony", "attackers", "muscovites", "hounds", "schwarz", "noir"],
    ),
    (Tone::Red, &["red", "x", "fox", "rot", "rouge", "han"]),
    (Tone::Blue, &["blue", "o", "blau", "bleu", "sky", "cho"]),
    (Tone::Green, &["green", "forest", "gruen", "vert"]),
    (Tone::Yellow, &["yellow", "gold", "gelb"]),
    (Tone::Orange, &["orange", "tigers", "tiger"]),
    (Tone::Violet, &["violet", "purple", "magenta"]),
];

/// Small letters and digits only.
pub(super) fn plain(name: &str) -> String {
    name.chars().filter(|it| it.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The drawing of a family that a name means.
pub(super) fn drawing(family: Family, name: &str) -> Option<Drawing> {
    let name = plain(name);
    let of_family = |name: &str| {
        let mut entries = DRAWINGS.iter().filter(|it| it.0 == family);
        let entry = entries.find(|(_, _, names)| names.contains(&name))?;
        Some(Drawing { family, name: entry.1 })
    };
    // A promoted piece of chess moves as its like, and looks so.
    let promoted = name.strip_prefix("promoted").filter(|_| family == Family::Chess);
    of_family(&name).or_else(|| of_family(promoted?)).or_else(|| {
        // `WhiteKing`: the colour is the owner's.
        let colours = ["white", "black", "red", "blue", "green", "yellow"];
        let without = |it: &&str| name.strip_prefix(*it).or_else(|| name.strip_suffix(*it));
        of_family(colours.iter().find_map(without)?)
    })
}

/// The colour a player is named by.
pub(super) fn tone(name: &str) -> Option<Tone> {
    let name = plain(name);
    TONES.iter().find(|(_, names)| names.contains(&name.as_str())).map(|it| it.0)
}
