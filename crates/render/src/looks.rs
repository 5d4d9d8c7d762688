//! How pieces look: which drawing, in which colour, or which letters on a token.

mod families;
mod letters;
mod names;

use boardwright_game::{PieceKind, Player, Ruleset};

pub(crate) use self::families::n_drawings;
pub use self::families::{Family, family};
use crate::pieces;

/// A colour of pieces and tokens.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Tone {
    /// Maple.
    White,
    /// Ebony.
    Black,
    /// Madder.
    Red,
    /// Slate.
    Blue,
    /// Moss.
    Green,
    /// Straw.
    Yellow,
    /// Amber.
    Orange,
    /// Plum.
    Violet,
}

impl Tone {
    /// All tones, in the order in which players get them.
    pub const ALL: [Tone; 8] = [
        Tone::White,
        Tone::Black,
        Tone::Red,
        Tone::Blue,
        Tone::Green,
        Tone::Yellow,
        Tone::Orange,
        Tone::Violet,
    ];

    /// The stable name, used in files and on pages.
    pub fn name(self) -> &'static str {
        match self {
            Tone::White => "white",
            Tone::Black => "black",
            Tone::Red => "red",
            Tone::Blue => "blue",
            Tone::Green => "green",
            Tone::Yellow => "yellow",
            Tone::Orange => "orange",
            Tone::Violet => "violet",
        }
    }
}

/// The outline of a token, which names its player.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Token {
    /// Of the first player.
    Circle,
    /// Of the second.
    Square,
    /// Of the third.
    Hexagon,
    /// Of the fourth.
    Shield,
}

impl Token {
    /// The stable name, used in files and on pages.
    pub fn name(self) -> &'static str {
        match self {
            Token::Circle => "circle",
            Token::Square => "square",
            Token::Hexagon => "hexagon",
            Token::Shield => "shield",
        }
    }
}

/// How one kind of piece of one player looks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Look {
    /// The owner.
    pub player: Player,
    /// The kind of piece.
    pub kind: PieceKind,
    /// The drawing, if there is one; else it is a token with letters.
    pub art: Option<&'static str>,
    /// Whether it is drawn upside down.
    pub turn: bool,
    /// For tokens: one to three letters.
    pub letters: String,
    /// For tokens: the outline.
    pub token: Token,
    /// The colour.
    pub tone: Tone,
    /// For tokens: notches at the top, one for each four players before.
    pub notches: u32,
}

/// One way to draw all pieces of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PieceSet {
    /// The stable name: `turned`, `characters`, `latin` or `letters`.
    pub id: &'static str,
    /// The name to show.
    pub title: &'static str,
    /// Whether the pieces face their players, so that they turn with the board.
    pub faces: bool,
    /// By player and kind.
    pub looks: Vec<Look>,
}

impl PieceSet {
    /// How a piece looks.
    pub fn look(&self, player: Player, kind: PieceKind) -> Option<&Look> {
        self.looks.iter().find(|it| it.player == player && it.kind == kind)
    }
}

/// The sets a game can be drawn with; the first is the one to begin with, letters are
/// always the last.
pub fn sets(ruleset: &Ruleset) -> Vec<PieceSet> {
    let looks = Looks::of(ruleset);
    let mut sets = Vec::new();
    let drawn = looks.set(|it| it);
    let has_art = drawn.iter().any(|it| it.art.is_some());
    match looks.family {
        Some(Family::Shogi | Family::Xiangqi) if has_art => {
            let faces = looks.family == Some(Family::Shogi);
            sets.push(PieceSet { id: "characters", title: "Characters", faces, looks: drawn });
            let latin = looks.set(latin);
            sets.push(PieceSet { id: "latin", title: "Latin letters", faces, looks: latin });
        }
        _ if has_art => {
            sets.push(PieceSet { id: "turned", title: "Drawn", faces: false, looks: drawn });
        }
        _ => {}
    }
    // Dice are read by their eyes: letters would only stand for them.
    let plain = looks.set(|it| if it.starts_with("die-") { it } else { "" });
    sets.push(PieceSet { id: "letters", title: "Letters", faces: false, looks: plain });
    sets
}

/// The same drawing with Latin letters.
fn latin(art: &'static str) -> &'static str {
    let wanted = match art.split_once('-') {
        Some(("shogi", "king2")) => "shogi-latin-king".to_owned(),
        Some((family @ ("shogi" | "xiangqi"), rest)) => format!("{family}-latin-{rest}"),
        _ => return art,
    };
    pieces::known(&wanted).unwrap_or(art)
}

/// The facts about a game that all its looks share.
struct Looks<'a> {
    ruleset: &'a Ruleset,
    family: Option<Family>,
    tones: Vec<Tone>,
    letters: Vec<String>,
    /// By kind: the drawing in its family.
    drawings: Vec<Option<names::Drawing>>,
}

impl Looks<'_> {
    fn of(ruleset: &Ruleset) -> Looks<'_> {
        let family = family(ruleset);
        Looks {
            ruleset,
            family,
            tones: tones(ruleset),
            letters: letters::of(ruleset),
            drawings: families::drawings(ruleset, family),
        }
    }

    /// Every look; `change` may turn a drawing into another one, or into none: `""`.
    fn set(&self, change: impl Fn(&'static str) -> &'static str) -> Vec<Look> {
        let mut looks = Vec::new();
        for player in self.ruleset.all_players() {
            for idx in 0..self.ruleset.pieces.len() {
                let art = self.art(player, idx).map(&change).filter(|it| !it.is_empty());
                let turn = self.family == Some(Family::Shogi)
                    && player.idx() == 1
                    && art.is_some_and(|it| it.starts_with("shogi"));
                looks.push(Look {
                    player,
                    kind: PieceKind(idx as u16),
                    art,
                    turn,
                    letters: self.letters.get(idx).cloned().unwrap_or_default(),
                    token: [Token::Circle, Token::Square, Token::Hexagon, Token::Shield]
                        [player.idx() % 4],
                    tone: self.tones.get(player.idx()).copied().unwrap_or(Tone::White),
                    notches: (player.idx() / 4) as u32,
                });
            }
        }
        looks
    }

    fn art(&self, player: Player, kind: usize) -> Option<&'static str> {
        if self.ruleset.is_selection_screen() {
            // The board shows the names of its buttons.
            return pieces::known("nothing");
        }
        let tone = self.tones.get(player.idx()).copied().unwrap_or(Tone::White);
        let drawing = (*self.drawings.get(kind)?)?;
        // Noughts and crosses are players, not pieces.
        let mark = match self.ruleset.player_name(player) {
            "X" | "x" => Some("mark-x"),
            "O" | "o" => Some("mark-o"),
            _ => None,
        };
        if let Some(mark) = mark.filter(|_| self.ruleset.pieces.len() == 1) {
            return pieces::known(mark);
        }
        let name = match drawing.family {
            Family::Chess => format!("chess-{}-{}", tone.name(), drawing.name),
            Family::Draughts => format!("draughts-{}-{}", tone.name(), drawing.name),
            Family::Stones => format!("stone-{}", tone.name()),
            // Both kings of a shogi set differ by a stroke; the near one's is the humbler.
            Family::Shogi if drawing.name == "king" && player.idx() == 0 => {
                "shogi-king2".to_owned()
            }
            Family::Shogi => format!("shogi-{}", drawing.name),
            Family::Xiangqi => {
                let is_red = match self.tones.contains(&Tone::Red) {
                    true => tone == Tone::Red,
                    false => player.idx() == 0,
                };
                format!("xiangqi-{}-{}", if is_red { "red" } else { "black" }, drawing.name)
            }
            Family::Things => drawing.name.to_owned(),
        };
        pieces::known(&name)
    }
}

/// The colours of the players: what they are called, else by their number.
pub fn tones(ruleset: &Ruleset) -> Vec<Tone> {
    let named: Vec<Option<Tone>> = ruleset.players.iter().map(|it| names::tone(&it.name)).collect();
    let mut taken: Vec<Tone> = named.iter().flatten().copied().collect();
    let choose = |named: Option<Tone>| {
        named.unwrap_or_else(|| {
            let free = Tone::ALL.into_iter().find(|it| !taken.contains(it)).unwrap_or(Tone::White);
            taken.push(free);
            free
        })
    };
    named.into_iter().map(choose).collect()
}
