//! Finds the legal move that a text means.
//!
//! First the very text. If it is none, the same parts with the movements in
//! order and the rest in any: plug-in engines write captures before creates, and
//! numbers of partial moves differ between versions of a rule file. Those numbers
//! only decide between moves that are alike otherwise.
//!
//! People type less: sites in order, as they would click them. What that may mean
//! is found apart ([`State::meant_in`]); saves are never read so.

use std::cmp::Reverse;

use boardwright_game::{PieceKind, Ruleset};

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
                    let number = ruleset.save.attribute_number(attribute);
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
    /// The numbers of the legal moves that a short text may mean.
    ///
    /// Sites in order name a move, as clicks on a board would: `e2e4`, `e2 - e4`, or
    /// `e4` alone. Names of pieces may stand before (`pawn e4`), what a piece becomes
    /// behind (`e7e8=Queen`, or its beginning). Case and marks do not matter. More
    /// than one number: the text fits several moves.
    pub fn meant_in(&self, list: &MoveList, text: &str) -> Vec<usize> {
        let shown: Vec<usize> = numbers(list, |it| self.shown_text(it) == text.trim());
        if shown.len() == 1 {
            return shown;
        }
        let typed = plain(text);
        if typed.is_empty() {
            return shown;
        }
        let whole = numbers(list, |it| {
            plain(&self.shown_text(it)) == typed || plain(&self.move_text(it)) == typed
        });
        if !whole.is_empty() {
            return whole;
        }
        let spellings: Vec<Spelling> = list.iter().map(|it| Spelling::of(self, it)).collect();
        // All sites, then those of the key movement, then only where it ends.
        for reading in [Reading::Whole, Reading::Key, Reading::End] {
            let fits = |it: &Spelling| it.fits(&typed, reading);
            let found: Vec<_> = (0..spellings.len()).filter(|&it| fits(&spellings[it])).collect();
            if !found.is_empty() {
                return found;
            }
        }
        Vec::new()
    }

    /// The numbers of the legal moves most like `text`, at most `n`, best first.
    ///
    /// Sites weigh more than other words, where a move begins most.
    pub fn nearest_numbers(&self, list: &MoveList, text: &str, n: usize) -> Vec<usize> {
        let asked = self.words(text);
        let mut scored: Vec<(Reverse<usize>, usize, usize)> = list
            .iter()
            .enumerate()
            .map(|(idx, mv)| {
                let own = self.words(&self.move_text(mv));
                let begins = own.iter().find(|it| it.is_site);
                let weight = |it: &Word| match it.is_site {
                    true if begins == Some(it) => 4,
                    true => 3,
                    false => 1,
                };
                let shared = own.iter().filter(|it| asked.contains(it)).map(weight).sum();
                (Reverse(shared), own.len().abs_diff(asked.len()), idx)
            })
            .collect();
        scored.sort();
        scored.into_iter().take(n).map(|(_, _, idx)| idx).collect()
    }

    /// The texts of the legal moves most like `text`, at most `n`, best first.
    pub fn nearest_in(&self, list: &MoveList, text: &str, n: usize) -> Vec<String> {
        let nearest = self.nearest_numbers(list, text, n).into_iter();
        nearest.filter_map(|it| list.get(it)).map(|it| self.move_text(it)).collect()
    }

    /// The words of a text in small letters; `e2e4` is two.
    fn words(&self, text: &str) -> Vec<Word> {
        let board = &self.ruleset().board;
        let site = |text: &str| board.sites.iter().any(|it| it.name.eq_ignore_ascii_case(text));
        let mut words = Vec::new();
        for text in text.split_whitespace() {
            if site(text) {
                words.push(Word { text: text.to_lowercase(), is_site: true });
                continue;
            }
            let parts = text.split(|it: char| !it.is_alphanumeric()).filter(|it| !it.is_empty());
            for part in parts {
                let cuts = (1..part.len()).filter(|&it| part.is_char_boundary(it));
                let mut pairs = cuts.map(|it| part.split_at(it));
                match pairs.find(|(a, b)| site(a) && site(b)) {
                    Some((a, b)) if !site(part) => words
                        .extend([a, b].map(|it| Word { text: it.to_lowercase(), is_site: true })),
                    _ => words.push(Word { text: part.to_lowercase(), is_site: site(part) }),
                }
            }
        }
        words
    }
}

/// A word of a move's text.
#[derive(PartialEq, Eq, Debug)]
struct Word {
    text: String,
    is_site: bool,
}

fn numbers(list: &MoveList, is_it: impl Fn(&Move) -> bool) -> Vec<usize> {
    list.iter().enumerate().filter(|(_, it)| is_it(it)).map(|(idx, _)| idx).collect()
}

/// Letters and digits only, the letters small.
fn plain(text: &str) -> String {
    text.chars().filter(|it| it.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// How much of a move's path a short text gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Reading {
    Whole,
    Key,
    End,
}

/// The names by which a short text may call a move, all plain.
#[derive(Debug, Default)]
struct Spelling {
    /// Before the sites: the piece, or its owner and the piece.
    heads: Vec<String>,
    /// The sites of all movements in order, each by one name or two.
    path: Vec<Vec<String>>,
    /// How many of them the key movement has.
    n_key: usize,
    /// Behind the sites: what a piece becomes.
    tails: Vec<String>,
}

impl Spelling {
    /// Longer paths are not typed.
    const LONGEST: usize = 16;

    fn of(state: &State, mv: &Move) -> Spelling {
        let ruleset = state.ruleset();
        let names = |raw: &str, more: Option<&str>| {
            let mut names: Vec<String> = [Some(raw), Some(ruleset.translated(raw)), more]
                .into_iter()
                .flatten()
                .map(plain)
                .collect();
            names.retain(|it| !it.is_empty());
            names.sort();
            names.dedup();
            names
        };
        let kind_names = |it: PieceKind| {
            let notation = ruleset.pieces.get(it.idx()).and_then(|it| it.notation.as_deref());
            names(ruleset.piece_name(it), notation)
        };
        let mut spelling = Spelling::default();
        for part in notation::parts(state, mv) {
            let (head, sites) = match part {
                Part::Walk { kind, from, to, .. } => (Some((None, kind)), vec![from, to]),
                Part::Drop { player, kind, site } | Part::Create { player, kind, site } => {
                    (Some((Some(player), kind)), vec![site])
                }
                Part::TurnInto { kind, .. } | Part::Promote { kind, .. } => {
                    spelling.tails.extend(kind_names(kind));
                    continue;
                }
                // What is done where nothing moves.
                Part::Flip(site) | Part::Capture(site) | Part::GiveTo { site, .. }
                    if spelling.path.is_empty() =>
                {
                    (None, vec![site])
                }
                _ => continue,
            };
            let sites = sites.into_iter().map(|it| names(ruleset.board.site_name(it), None));
            spelling.path.extend(sites);
            if spelling.n_key > 0 {
                continue;
            }
            spelling.n_key = spelling.path.len();
            if let Some((player, kind)) = head {
                spelling.heads = kind_names(kind);
                let owners = player.map(|it| names(ruleset.player_name(it), None));
                let owned = owners.into_iter().flatten().flat_map(|owner| {
                    kind_names(kind).into_iter().map(move |kind| format!("{owner}{kind}"))
                });
                spelling.heads.extend(owned);
            }
        }
        spelling
    }

    fn fits(&self, typed: &str, reading: Reading) -> bool {
        let path = match reading {
            Reading::Whole => &self.path[..],
            Reading::Key => &self.path[..self.n_key],
            Reading::End => &self.path[self.n_key.saturating_sub(1)..self.n_key],
        };
        // One site alone is where a move ends, whether it is a drop or not.
        let is_alone = path.len() == 1 && reading != Reading::End;
        if path.is_empty() || path.len() > Self::LONGEST || is_alone {
            return false;
        }
        let behind_heads = self.heads.iter().filter_map(|it| typed.strip_prefix(it.as_str()));
        std::iter::once(typed).chain(behind_heads).any(|it| self.goes_along(it, path))
    }

    /// Whether the text is a path, perhaps with an `x` between two sites, and a tail.
    fn goes_along(&self, typed: &str, path: &[Vec<String>]) -> bool {
        let Some((names, ahead)) = path.split_first() else {
            return typed.is_empty() || self.tails.iter().any(|it| it.starts_with(typed));
        };
        names.iter().filter_map(|it| typed.strip_prefix(it.as_str())).any(|rest| {
            let behind_mark = rest.strip_prefix('x').filter(|_| !ahead.is_empty());
            self.goes_along(rest, ahead) || behind_mark.is_some_and(|it| self.goes_along(it, ahead))
        })
    }
}

#[cfg(test)]
mod tests {
    use boardwright_zrf::{CompileLimits, NoFiles, load};

    use super::*;

    const RULES: &str = r#"(game (title "Short") (players White Black) (turn-order White Black)
        (board (grid (start-rectangle 0 0 9 9)
            (dimensions ("a/b/c" (10 0)) ("4/3/2/1" (0 10)))
            (directions (n 0 -1) (e 1 0) (w -1 0)))
            ZONES)
        (board-setup (White (Pawn a3) (Rook c1) (Pawn b1) (Pawn off 1)) (Black (Rook b4)))
        (piece (name Pawn) (drops ((verify empty?) (verify (in-zone? yard)) add))
            (moves (n (verify empty?) (if (in-zone? last) (add Queen Rook Knight) else add))))
        (piece (name Rook) (moves (n (while empty? add n) (verify enemy?) add) (w (while empty? add w))))
        (piece (name Queen)) (piece (name Knight) (notation "N")))"#;

    const LAST: &str = "(zone (name last) (players White) (positions a4 b4 c4))";
    const YARD: &str = "(zone (name yard) (players White) (positions b2 b3))";

    fn state() -> State {
        let rules = RULES.replace("ZONES", &format!("{LAST} {YARD}"));
        let mut file = load("short.zrf", rules.as_bytes(), &mut NoFiles, &CompileLimits::default());
        State::start(file.compile(0).expect("the rules are sound"))
    }

    /// The texts of the moves that a short one may mean.
    fn meant(text: &str) -> Vec<String> {
        let state = state();
        let list = state.legal_moves().expect("no loops");
        let found = state.meant_in(&list, text).into_iter();
        found.filter_map(|it| list.get(it)).map(|it| state.move_text(it)).collect()
    }

    #[test]
    fn short_moves_name_the_one_that_fits() {
        for text in
            ["c1c3", "C1 c3", "c1-c3", "rook c1 - c3", "ROOK C1-C3", "rook c3", "c3", "c1xc3"]
        {
            assert_eq!(meant(text), ["Rook c1 - c3"], "{text}");
        }
        for text in ["a3a4=Queen", "a3a4 queen", "a3 - a4 q", "a4q"] {
            assert_eq!(meant(text), ["Pawn a3 - a4 = Queen"], "{text}");
        }
        assert_eq!(meant("a3a4n"), ["Pawn a3 - a4 = Knight"]);
        for text in ["b3", "pawn b3", "white pawn b3"] {
            assert_eq!(meant(text), ["White Pawn b3"], "{text}");
        }
    }

    #[test]
    fn what_fits_several_moves_names_them_all() {
        assert_eq!(meant("a3a4").len(), 3);
        assert_eq!(meant("b2"), ["Pawn b1 - b2", "White Pawn b2"]);
        assert_eq!(meant("b1b2"), ["Pawn b1 - b2"]);
        assert_eq!(meant("a1a4"), [""; 0]);
        assert_eq!(meant(" - "), [""; 0]);
    }

    #[test]
    fn advice_is_about_the_sites_that_were_typed() {
        let state = state();
        let list = state.legal_moves().expect("no loops");
        assert_eq!(state.nearest_in(&list, "b1b3", 1), ["Pawn b1 - b2"]);
        assert_eq!(state.nearest_in(&list, "rook c1-b3", 1), ["Rook c1 - c2"]);
    }
}
