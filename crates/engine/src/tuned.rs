//! What training found out about a game, as data and as text.

use std::fmt::Write;

use boardwright_game::Ruleset;

use crate::engine::Method;

/// Changes to what pieces and places are worth, and which way of looking is better.
///
/// Made by a [`Trainer`](crate::Trainer), kept as text, and given to
/// [`Engine::with_tuned`](crate::Engine::with_tuned).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tuned {
    /// The rules that it holds for: [`Ruleset::fingerprint`](boardwright_game::Ruleset::fingerprint).
    pub fingerprint: u64,
    /// How to look for moves, if training showed that it matters.
    pub method: Option<Method>,
    /// How to look for moves by a [`Trial`](crate::Trial), if there was one.
    pub tried: Option<Method>,
    /// By kind: what it is worth more, in hundredths.
    pub(crate) kinds: Vec<i16>,
    /// By player, kind and site: what it is worth more there, early and late.
    pub(crate) squares: Vec<[i16; 2]>,
}

/// No change goes further.
pub(crate) const MOST: i16 = 2000;
/// Texts of more numbers are refused.
const LONGEST: usize = 4_000_000;

impl Tuned {
    /// Larger files hold something else, in bytes.
    pub const LARGEST: u64 = 32 << 20;

    /// Nothing is found out about these rules yet.
    pub fn of(ruleset: &Ruleset) -> Tuned {
        Tuned { fingerprint: ruleset.fingerprint(), ..Tuned::default() }
    }

    /// Whether pieces and places are worth what they were before.
    pub fn is_plain(&self) -> bool {
        self.kinds.iter().all(|&it| it == 0) && self.squares.iter().all(|&it| it == [0; 2])
    }

    /// The text that [`from_text`](Tuned::from_text) reads.
    pub fn to_text(&self) -> String {
        let mut text = format!("boardwright-tuned 1\nrules {:016x}\n", self.fingerprint);
        let _ = writeln!(text, "method {}", word(self.method));
        if self.tried.is_some() {
            let _ = writeln!(text, "tried {}", word(self.tried));
        }
        let mut row = |name: &str, numbers: &mut dyn Iterator<Item = i16>| {
            text.push_str(name);
            numbers.for_each(|it| {
                let _ = write!(text, " {it}");
            });
            text.push('\n');
        };
        row("kinds", &mut self.kinds.iter().copied());
        row("early", &mut self.squares.iter().map(|it| it[0]));
        row("late", &mut self.squares.iter().map(|it| it[1]));
        text
    }

    /// Reads what [`to_text`](Tuned::to_text) wrote; `None` if it is anything else.
    pub fn from_text(text: &str) -> Option<Tuned> {
        let mut lines = text.lines().peekable();
        if lines.next()? != "boardwright-tuned 1" || text.len() > LONGEST * 7 {
            return None;
        }
        let fingerprint = u64::from_str_radix(lines.next()?.strip_prefix("rules ")?, 16).ok()?;
        let method = method_of(lines.next()?.strip_prefix("method ")?)?;
        let tried = match lines.next_if(|it| it.starts_with("tried ")) {
            Some(line) => method_of(line.strip_prefix("tried ")?)?,
            None => None,
        };
        let mut row = |name: &str| -> Option<Vec<i16>> {
            let numbers = lines.next()?.strip_prefix(name)?.split_ascii_whitespace();
            let number = |it: &str| {
                let read = it.parse::<i16>().ok();
                read.filter(|it| (-MOST..=MOST).contains(it))
            };
            numbers.map(number).collect()
        };
        let (kinds, early, late) = (row("kinds")?, row("early")?, row("late")?);
        if early.len() != late.len() {
            return None;
        }
        let squares = early.into_iter().zip(late).map(|(early, late)| [early, late]).collect();
        Some(Tuned { fingerprint, method, tried, kinds, squares })
    }
}

fn word(method: Option<Method>) -> &'static str {
    match method {
        Some(Method::Search) => "search",
        Some(Method::Playouts) => "playouts",
        _ => "auto",
    }
}

/// What [`word`] wrote; `None` if it is no such word.
fn method_of(word: &str) -> Option<Option<Method>> {
    match word {
        "search" => Some(Some(Method::Search)),
        "playouts" => Some(Some(Method::Playouts)),
        "auto" => Some(None),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        let tuned = Tuned {
            fingerprint: 0x00AB_CDEF,
            method: Some(Method::Playouts),
            tried: Some(Method::Search),
            kinds: vec![5, -7],
            squares: vec![[1, 2], [-3, 4]],
        };
        assert_eq!(Tuned::from_text(&tuned.to_text()), Some(tuned.clone()));
        assert_eq!(Tuned::from_text(&Tuned::default().to_text()), Some(Tuned::default()));
        let text = tuned.to_text();
        for wrong in [
            text.replace("tuned 1", "tuned 2"),
            text.replace("-7", "x"),
            text.replace("-7", "9999"),
            text.replace("late 2 4", "late 2"),
            text.replace("playouts", "magic"),
            String::new(),
        ] {
            assert_eq!(Tuned::from_text(&wrong), None, "{wrong}");
        }
    }
}
