//! Every text of a program and its run, each kept once.
//!
//! Coordinates, labels, names and messages are all text to GAME Code, and it
//! compares them all the time; a number in place of each makes that cheap, and
//! lets us keep beside it what we would otherwise ask again and again: does it
//! name a space, does it read as a number, is it upper case.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::space_map::Space;

/// A text, as its number in [`Names`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Sym(u32);

impl Sym {
    /// The label of an empty space: `@`.
    pub(crate) const EMPTY: Sym = Sym(0);
    /// The text without a character.
    pub(crate) const BLANK: Sym = Sym(1);
    /// `mln`, the number of the current turn.
    pub(crate) const MLN: Sym = Sym(2);
    /// `mline`, the texts of all turns.
    pub(crate) const MLINE: Sym = Sym(3);
    /// `subargs`, all arguments of a call.
    pub(crate) const SUBARGS: Sym = Sym(4);
    /// The name of the main program, as a scope.
    pub(crate) const MAIN: Sym = Sym(5);

    const FIRST: [&str; 6] = ["@", "", "mln", "mline", "subargs", "main"];

    /// The text with this number.
    pub(crate) fn from_index(idx: usize) -> Sym {
        Sym(idx as u32)
    }

    /// The number, to index tables by.
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A number as a script sees it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Number {
    Int(i64),
    Float(f64),
}

impl Number {
    pub(crate) fn float(self) -> f64 {
        match self {
            Number::Int(it) => it as f64,
            Number::Float(it) => it,
        }
    }

    /// Reads all of `text` as a number.
    pub(crate) fn read(text: &str) -> Option<Number> {
        let first = text.strip_prefix('-').unwrap_or(text).bytes().next()?;
        if !(first.is_ascii_digit() || first == b'.') || text.len() > 40 {
            return None;
        }
        if let Ok(it) = text.parse::<i64>() {
            return Some(Number::Int(it));
        }
        let is_plain = text.bytes().all(|it| it.is_ascii_digit() || b"-.".contains(&it));
        let float = text.parse::<f64>().ok().filter(|it| is_plain && it.is_finite())?;
        Some(Number::Float(float))
    }
}

/// The side that a label belongs to, by the case of its letters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Case {
    Upper,
    Lower,
    /// No letters, or letters of both cases.
    Neither,
}

impl Case {
    pub(crate) fn of(text: &str) -> Case {
        let upper = text.chars().any(char::is_uppercase);
        let lower = text.chars().any(char::is_lowercase);
        match (upper, lower) {
            (true, false) => Case::Upper,
            (false, true) => Case::Lower,
            _ => Case::Neither,
        }
    }
}

#[derive(Clone, Debug)]
struct Entry {
    text: Arc<str>,
    number: Option<Number>,
    space: Option<Space>,
    case: Case,
}

/// All texts.
#[derive(Clone, Debug)]
pub(crate) struct Names {
    entries: Vec<Entry>,
    index: FxHashMap<Arc<str>, Sym>,
    bytes: usize,
}

impl Names {
    pub(crate) fn new() -> Names {
        let mut names = Names { entries: Vec::new(), index: FxHashMap::default(), bytes: 0 };
        for text in Sym::FIRST {
            names.intern(text);
        }
        names
    }

    /// The number of `text`, new or known.
    pub(crate) fn intern(&mut self, text: &str) -> Sym {
        if let Some(&sym) = self.index.get(text) {
            return sym;
        }
        let sym = Sym(self.entries.len() as u32);
        let shared: Arc<str> = text.into();
        self.bytes += text.len() + size_of::<Entry>();
        self.entries.push(Entry {
            text: shared.clone(),
            number: Number::read(text),
            space: None,
            case: Case::of(text),
        });
        self.index.insert(shared, sym);
        sym
    }

    /// The number of `text`, if it is known.
    pub(crate) fn get(&self, text: &str) -> Option<Sym> {
        self.index.get(text).copied()
    }

    /// All texts, in the order in which they were first met.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|it| &*it.text)
    }

    pub(crate) fn text(&self, sym: Sym) -> &str {
        self.entries.get(sym.index()).map_or("", |it| &it.text)
    }

    pub(crate) fn number(&self, sym: Sym) -> Option<Number> {
        self.entries.get(sym.index()).and_then(|it| it.number)
    }

    pub(crate) fn space(&self, sym: Sym) -> Option<Space> {
        self.entries.get(sym.index()).and_then(|it| it.space)
    }

    pub(crate) fn case(&self, sym: Sym) -> Case {
        self.entries.get(sym.index()).map_or(Case::Neither, |it| it.case)
    }

    /// Says that the text names a space.
    pub(crate) fn set_space(&mut self, sym: Sym, space: Space) {
        if let Some(entry) = self.entries.get_mut(sym.index()) {
            entry.space = Some(space);
        }
    }

    /// What all texts take, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_keeps_its_number() {
        let mut names = Names::new();
        assert_eq!(names.intern("@"), Sym::EMPTY);
        assert_eq!(names.intern("main"), Sym::MAIN);
        let e4 = names.intern("e4");
        assert_eq!(names.intern("e4"), e4);
        assert_eq!(names.text(e4), "e4");
    }

    #[test]
    fn numbers_are_only_what_reads_as_one() {
        assert_eq!(Number::read("-2"), Some(Number::Int(-2)));
        assert_eq!(Number::read("1.5"), Some(Number::Float(1.5)));
        for text in ["", "-", "e4", "1e5", "inf", "NaN", "1EF", "+2"] {
            assert_eq!(Number::read(text), None, "{text}");
        }
    }

    #[test]
    fn a_label_with_a_sign_still_has_a_side() {
        assert_eq!(Case::of("+P"), Case::Upper);
        assert_eq!(Case::of("1ef"), Case::Lower);
        assert_eq!(Case::of("@"), Case::Neither);
        assert_eq!(Case::of("Nb"), Case::Neither);
    }
}
