//! Moves in as few signs as tell them apart: `e2–e4`, `Ng1×f3`, `d7–d8=Q`, `P@e5`.
//!
//! Our own, for lists beside a board. The original's two texts are in `notation`.
//! A piece is named by its notation. One without is not named, unless no piece has one and
//! somebody has more than two kinds. What a move does beside its key movement is left out
//! unless another legal move would then look the same.

use std::collections::HashMap;

use boardwright_game::{PieceKind, Ruleset, Site};
use smallvec::SmallVec;

use crate::{
    mv::{Move, MoveList},
    notation::{PASS, Part, parts, shown_parts},
    state::State,
};

/// A notation longer than this stands apart from the site behind it.
const SIGN: usize = 2;

impl State {
    /// By move of a list of legal moves: its brief text. No two are the same.
    pub fn brief_texts(&self, list: &MoveList) -> Vec<String> {
        let brief = Brief::of(self);
        let mut texts: Vec<String> = list.iter().map(|it| brief.key(it)).collect();
        for more in [Brief::whole, Brief::full] {
            let mut seen: HashMap<&str, usize> = HashMap::new();
            for text in &texts {
                *seen.entry(text).or_default() += 1;
            }
            let is_shared = |it: &String| seen.get(it.as_str()).is_some_and(|&it| it > 1);
            let shared: Vec<bool> = texts.iter().map(is_shared).collect();
            for ((text, mv), is_shared) in texts.iter_mut().zip(list).zip(shared) {
                if is_shared {
                    *text = more(&brief, mv);
                }
            }
        }
        texts
    }

    /// The brief text of one move of a list of legal moves.
    pub fn brief_text(&self, list: &MoveList, mv: &Move) -> String {
        let brief = Brief::of(self);
        let text = brief.key(mv);
        let sites = mv.key_sites();
        let others = || list.iter().filter(|it| *it != mv && it.key_sites() == sites);
        let is_shared = others().any(|it| brief.key(it) == text);
        if !is_shared {
            return text;
        }
        let whole = brief.whole(mv);
        let alike = others().filter(|it| brief.key(it) == text);
        match alike.into_iter().any(|it| brief.whole(it) == whole) {
            true => brief.full(mv),
            false => whole,
        }
    }
}

/// Which pieces of a game are named.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Named {
    /// There is only one kind, or few without a notation.
    None,
    /// Those with a notation.
    Noted,
    /// None has a notation, and somebody has many kinds.
    All,
}

impl Named {
    fn of(ruleset: &Ruleset) -> Named {
        let mut noted = Vec::new();
        for (idx, info) in ruleset.pieces.iter().enumerate() {
            if !info.is_dummy && !ruleset.is_thrown(PieceKind(idx as u16)) {
                noted.push(info.notation.is_some());
            }
        }
        let placed = ruleset.setup.pieces.iter().map(|it| (it.player, it.kind));
        let held = ruleset.setup.hands.iter().map(|it| (it.player, it.kind));
        let mut owned: Vec<_> = placed.chain(held).collect();
        owned.sort_unstable();
        owned.dedup();
        owned.retain(|it| !ruleset.is_thrown(it.1));
        let has_many = |&(player, _): &_| owned.iter().filter(|it| it.0 == player).count() > 2;
        match noted.iter().any(|&it| it) {
            _ if noted.len() < 2 => Named::None,
            true => Named::Noted,
            false if owned.iter().any(has_many) => Named::All,
            false => Named::None,
        }
    }
}

/// What all texts of a state have in common.
struct Brief<'a> {
    state: &'a State,
    ruleset: &'a Ruleset,
    /// Which pieces are named.
    named: Named,
    dash: &'static str,
    cross: &'static str,
}

impl Brief<'_> {
    fn of(state: &State) -> Brief<'_> {
        let ruleset = state.ruleset();
        let is_plain = |name: &str| name.chars().all(char::is_alphanumeric);
        let sites = &ruleset.board.sites;
        let is_plain = sites.iter().all(|it| it.is_dummy || is_plain(&it.name));
        let (dash, cross) = if is_plain { ("–", "×") } else { (" – ", " × ") };
        Brief { state, ruleset, named: Named::of(ruleset), dash, cross }
    }

    fn site(&self, site: Site) -> &str {
        self.ruleset.translated(self.ruleset.board.site_name(site))
    }

    /// A piece's notation or name.
    fn name(&self, kind: PieceKind) -> &str {
        let notation = self.notation(kind);
        notation.unwrap_or_else(|| self.ruleset.translated(self.ruleset.piece_name(kind)))
    }

    fn notation(&self, kind: PieceKind) -> Option<&str> {
        let info = self.ruleset.pieces.get(kind.idx())?;
        info.notation.as_deref().map(str::trim).filter(|it| !it.is_empty())
    }

    /// What stands before a site to name a piece, `between` them.
    fn sign(&self, kind: PieceKind, site: Site, between: &str) -> String {
        let is_named = match self.named {
            Named::None => false,
            Named::Noted => self.notation(kind).is_some(),
            Named::All => true,
        };
        if !is_named {
            return String::new();
        }
        let name = self.name(kind);
        let site = self.site(site);
        // `N` before `g1` reads well; `N` before `Ba1`, or a word before anything, does not.
        let is_close = name.chars().count() <= SIGN
            && !name.ends_with(|it: char| it.is_numeric())
            && !site.starts_with(|it: char| it.is_uppercase());
        if is_close { format!("{name}{between}") } else { format!("{name} ") }
    }

    /// What a piece becomes, behind its movement.
    fn promotion(&self, was: PieceKind, kind: PieceKind) -> String {
        let (old, new) = (self.name(was), self.name(kind));
        match new.strip_prefix('+') {
            Some(rest) if rest == old => "+".to_owned(),
            _ => format!("={new}"),
        }
    }

    /// The key movement and what the piece becomes; everything if there is none.
    fn key(&self, mv: &Move) -> String {
        if mv.is_pass() {
            return PASS.to_owned();
        }
        let shown = shown_parts(self.state, mv);
        let Some((first, rest)) = shown.split_first() else { return self.full(mv) };
        // A piece that acts from where it stands, or goes from there, is its site.
        if let (Some(from), Some(to)) = mv.key_sites()
            && from == to
        {
            let is_gone = shown.contains(&Part::Capture(from));
            return format!("{}{}", if is_gone { "×" } else { "" }, self.site(from));
        }
        let turns = |site: Site| {
            rest.iter().find_map(|it| match *it {
                Part::TurnInto { kind, site: at } | Part::Promote { kind, site: at } => {
                    (at == site).then_some(kind)
                }
                _ => None,
            })
        };
        match *first {
            Part::Walk { kind, from, to, takes } => {
                let takes = takes || rest.iter().any(|it| matches!(it, Part::Capture(_)));
                let mark = if takes { self.cross } else { self.dash };
                let sign = self.sign(kind, from, "");
                let becomes = turns(to).map(|it| self.promotion(kind, it)).unwrap_or_default();
                format!("{sign}{}{mark}{}{becomes}", self.site(from), self.site(to))
            }
            Part::Drop { kind, .. } if self.ruleset.is_thrown(kind) => self.name(kind).to_owned(),
            Part::Drop { kind, site, .. } => {
                format!("{}{}", self.sign(kind, site, "@"), self.site(site))
            }
            _ => self.whole(mv),
        }
    }

    /// Everything that players see, in signs.
    fn whole(&self, mv: &Move) -> String {
        let shown = shown_parts(self.state, mv);
        if shown.is_empty() {
            return self.full(mv);
        }
        let mut words: SmallVec<[String; 8]> = SmallVec::new();
        if let (Some(from), Some(to)) = mv.key_sites()
            && from == to
        {
            words.push(self.site(from).to_owned());
        }
        let is_key = |it: &Part| parts(self.state, mv).first() == Some(it);
        for part in &shown {
            let word = match *part {
                Part::Walk { kind, from, to, takes } => {
                    let mark = if takes { self.cross } else { self.dash };
                    format!(
                        "{}{}{mark}{}",
                        self.sign(kind, from, ""),
                        self.site(from),
                        self.site(to)
                    )
                }
                Part::Drop { kind, site, .. } if is_key(part) => {
                    format!("{}{}", self.sign(kind, site, "@"), self.site(site))
                }
                Part::Drop { player, kind, site } | Part::Create { player, kind, site } => {
                    let player = self.ruleset.translated(self.ruleset.player_name(player));
                    format!("{player} {} {}", self.name(kind), self.site(site))
                }
                Part::TurnInto { kind, site } | Part::Promote { kind, site } => {
                    match mv.key_sites().1 == Some(site) {
                        true => format!("={}", self.name(kind)),
                        false => format!("{}={}", self.site(site), self.name(kind)),
                    }
                }
                Part::GiveTo { player, site } => {
                    let player = self.ruleset.translated(self.ruleset.player_name(player));
                    format!("{}={player}", self.site(site))
                }
                Part::Flip(site) => format!("↻{}", self.site(site)),
                Part::Capture(site) => format!("×{}", self.site(site)),
                Part::Partial(_) | Part::Set { .. } => continue,
            };
            words.push(word);
        }
        words.join(" ")
    }

    /// The text of the original's list.
    fn full(&self, mv: &Move) -> String {
        self.state.shown_text(mv)
    }
}
