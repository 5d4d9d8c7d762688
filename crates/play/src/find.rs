//! Finds the legal move that a text means.
//!
//! First the very text. If it is none, the same parts with the movements in
//! order and the rest in any: plug-in engines write captures before creates, and
//! numbers of partial moves differ between versions of a rule file. Those numbers
//! only decide between moves that are alike otherwise.

use boardwright_game::Ruleset;

use crate::{
    halt::Halt,
    mv::{Move, MoveList},
    notation::{self, PASS, Part},
    state::State,
};

impl State {
    /// The legal move that `text` means, if it means one.
    pub fn find_move(&self, text: &str) -> Result<Option<Move>, Halt> {
        let list = self.legal_moves()?;
        Ok(self.find_in(&list, text).cloned())
    }

    /// The move of a list of legal moves that `text` means, if it means one.
    pub fn find_in<'a>(&self, list: &'a MoveList, text: &str) -> Option<&'a Move> {
        let text = text.trim();
        if let Some(mv) = list.iter().find(|it| self.move_text(it) == text) {
            return Some(mv);
        }
        let asked = Meaning::of_text(self.ruleset(), text)?;
        let mut alike: Vec<(&Move, Meaning)> = list
            .iter()
            .filter(|it| !it.is_pass())
            .map(|it| (it, Meaning::of_move(self, it)))
            .filter(|(_, it)| it.walks == asked.walks && it.rest.len() == asked.rest.len())
            .collect();
        // From the strictest reading to the mildest.
        for (numbers, attributes) in [(true, true), (false, true), (true, false), (false, false)] {
            let found = alike.iter().find(|(_, it)| it.is_like(&asked, numbers, attributes));
            if let Some(&(mv, _)) = found {
                return Some(mv);
            }
        }
        // A text without any attributes, as a move list shows it.
        if asked.rest.iter().all(|it| !it.starts_with('@')) {
            alike = list.iter().map(|it| (it, Meaning::of_move(self, it))).collect();
            alike.retain(|(mv, it)| !mv.is_pass() && it.is_like_without_attributes(&asked));
            if let [(mv, _)] = alike[..] {
                return Some(mv);
            }
        }
        None
    }
}

/// What a text says, in a form that two spellings of one move share.
#[derive(Debug, Default)]
struct Meaning {
    partial: Option<String>,
    /// Movements, in order: `Pawn e2 e4`.
    walks: Vec<String>,
    /// Everything else, sorted: `x d5`, `= Queen e8`, `White Pawn e4`, `@ e4 0 1`.
    rest: Vec<String>,
}

impl Meaning {
    fn of_move(state: &State, mv: &Move) -> Meaning {
        let ruleset = state.ruleset();
        let site = |it| ruleset.board.site_name(it);
        let mut meaning = Meaning::default();
        for part in notation::parts(state, mv) {
            let word = match part {
                Part::Partial(k) => {
                    meaning.partial = Some(k.to_string());
                    continue;
                }
                Part::Walk { kind, from, to, .. } => {
                    let name = ruleset.piece_name(kind);
                    meaning.walks.push(format!("{name} {} {}", site(from), site(to)));
                    continue;
                }
                Part::Drop { player, kind, site: at } | Part::Create { player, kind, site: at } => {
                    let (player, kind) = (ruleset.player_name(player), ruleset.piece_name(kind));
                    format!("{player} {kind} {}", site(at))
                }
                Part::TurnInto { kind, site: at } | Part::Promote { kind, site: at } => {
                    format!("= {} {}", ruleset.piece_name(kind), site(at))
                }
                Part::GiveTo { player, site: at } => {
                    format!("= {} {}", ruleset.player_name(player), site(at))
                }
                Part::Flip(at) => format!("flip {}", site(at)),
                Part::Set { attribute, site: at, value } => {
                    let number = ruleset.attribute_number(attribute);
                    format!("@ {} {number} {}", site(at), u8::from(value))
                }
                Part::Capture(at) => format!("x {}", site(at)),
            };
            meaning.rest.push(word);
        }
        meaning.rest.sort_unstable();
        meaning
    }

    fn of_text(ruleset: &Ruleset, text: &str) -> Option<Meaning> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let is_site = |word: &str| ruleset.board.site_named(word).is_some();
        let mut meaning = Meaning::default();
        let mut arrived = String::new();
        let mut rest = &words[..];
        if words == [PASS] {
            return None;
        }
        while !rest.is_empty() {
            let used = match *rest {
                ["partial", k, ..] if meaning.walks.is_empty() && meaning.rest.is_empty() => {
                    meaning.partial = Some(k.to_owned());
                    2
                }
                ["@", site, number, value, ..] => {
                    meaning.rest.push(format!("@ {site} {number} {value}"));
                    4
                }
                ["x", site, ..] => {
                    meaning.rest.push(format!("x {site}"));
                    2
                }
                ["flip", site, ..] => {
                    meaning.rest.push(format!("flip {site}"));
                    2
                }
                ["=", name, "on", ref sites @ ..] => {
                    let n = sites.iter().take_while(|it| is_site(it)).count();
                    let changes = sites[..n].iter().map(|it| format!("= {name} {it}"));
                    meaning.rest.extend(changes);
                    3 + n
                }
                ["=", name, ..] => {
                    meaning.rest.push(format!("= {name} {arrived}"));
                    2
                }
                [piece, from, "-" | "x", to, ..] if is_site(from) && is_site(to) => {
                    meaning.walks.push(format!("{piece} {from} {to}"));
                    arrived = to.to_owned();
                    4
                }
                [player, piece, site, ..] => {
                    meaning.rest.push(format!("{player} {piece} {site}"));
                    arrived = site.to_owned();
                    3
                }
                _ => return None,
            };
            rest = &rest[used..];
        }
        meaning.rest.sort_unstable();
        Some(meaning)
    }

    fn is_like(&self, other: &Meaning, numbers: bool, attributes: bool) -> bool {
        let same_partial = if numbers {
            self.partial == other.partial
        } else {
            self.partial.is_some() == other.partial.is_some()
        };
        let same_word = |(a, b): (&String, &String)| {
            a == b || (!attributes && without_number(a) == without_number(b))
        };
        same_partial
            && self.walks == other.walks
            && self.rest.iter().zip(&other.rest).all(same_word)
    }

    fn is_like_without_attributes(&self, other: &Meaning) -> bool {
        let mine = self.rest.iter().filter(|it| !it.starts_with('@'));
        self.walks == other.walks && mine.eq(other.rest.iter())
    }
}

/// A part about an attribute without the attribute's number.
fn without_number(part: &str) -> Vec<&str> {
    let words: Vec<_> = part.split(' ').collect();
    match words[..] {
        ["@", site, _, value] => vec!["@", site, value],
        _ => words,
    }
}

impl State {
    /// The texts of the legal moves most like `text`, at most `n`, best first.
    pub fn nearest_in(&self, list: &MoveList, text: &str, n: usize) -> Vec<String> {
        let asked: Vec<&str> = text.split_whitespace().collect();
        let mut scored: Vec<(usize, usize, String)> = list
            .iter()
            .enumerate()
            .map(|(idx, mv)| {
                let own = self.move_text(mv);
                let shared = own.split_whitespace().filter(|it| asked.contains(it)).count();
                let length = own.split_whitespace().count().max(asked.len());
                (length - shared, idx, own)
            })
            .collect();
        scored.sort();
        scored.into_iter().take(n).map(|(_, _, text)| text).collect()
    }
}
