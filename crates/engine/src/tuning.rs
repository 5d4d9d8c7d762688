//! A tuning: what training and trials found out about a game, as data and as text.

use std::fmt::Write;

use boardwright_rules::GameRules;

use crate::engine::Method;

/// Changes to the values of kinds and sites, and the better search method.
///
/// A [`Trainer`](crate::Trainer) makes it, a [`TuningStore`](crate::TuningStore) keeps it as
/// text, and [`Engine::with_tuning`](crate::Engine::with_tuning) uses it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tuning {
    /// The [`fingerprint`](GameRules::fingerprint) of the rules it belongs to.
    pub fingerprint: u64,
    /// The better method by training, if it made a difference.
    pub method: Option<Method>,
    /// The better method by a [`MethodTrial`](crate::MethodTrial), if there was one.
    pub trial_method: Option<Method>,
    /// By kind: the change of its value, in points.
    pub(crate) kinds: Vec<i16>,
    /// By player, kind and site: the change of its middlegame and endgame value, in points.
    pub(crate) sites: Vec<[i16; 2]>,
}

/// Largest change of a value, in points.
pub(crate) const MOST_CHANGE: i16 = 2000;
/// Most numbers in a text.
const MOST_NUMBERS: usize = 4_000_000;

impl Tuning {
    /// Most bytes of a text; longer ones are refused.
    pub const MOST_BYTES: u64 = 32 << 20;

    /// A tuning without any change.
    pub fn of(rules: &GameRules) -> Tuning {
        Tuning { fingerprint: rules.fingerprint(), ..Tuning::default() }
    }

    /// Whether it leaves all values as they are.
    pub fn is_neutral(&self) -> bool {
        self.kinds.iter().all(|&it| it == 0) && self.sites.iter().all(|&it| it == [0; 2])
    }

    /// The text that [`from_text`](Tuning::from_text) reads.
    pub fn to_text(&self) -> String {
        let mut text = format!("boardwright-tuned 1\nrules {:016x}\n", self.fingerprint);
        let _ = writeln!(text, "method {}", word(self.method));
        if self.trial_method.is_some() {
            let _ = writeln!(text, "tried {}", word(self.trial_method));
        }
        let mut row = |name: &str, numbers: &mut dyn Iterator<Item = i16>| {
            text.push_str(name);
            numbers.for_each(|it| {
                let _ = write!(text, " {it}");
            });
            text.push('\n');
        };
        row("kinds", &mut self.kinds.iter().copied());
        row("early", &mut self.sites.iter().map(|it| it[0]));
        row("late", &mut self.sites.iter().map(|it| it[1]));
        text
    }

    /// Reads what [`to_text`](Tuning::to_text) wrote; `None` for any other text.
    pub fn from_text(text: &str) -> Option<Tuning> {
        let mut lines = text.lines().peekable();
        if lines.next()? != "boardwright-tuned 1" || text.len() > MOST_NUMBERS * 7 {
            return None;
        }
        let fingerprint = u64::from_str_radix(lines.next()?.strip_prefix("rules ")?, 16).ok()?;
        let method = method_of(lines.next()?.strip_prefix("method ")?)?;
        let trial_method = match lines.next_if(|it| it.starts_with("tried ")) {
            Some(line) => method_of(line.strip_prefix("tried ")?)?,
            None => None,
        };
        let mut row = |name: &str| -> Option<Vec<i16>> {
            let numbers = lines.next()?.strip_prefix(name)?.split_ascii_whitespace();
            let number = |it: &str| {
                let read = it.parse::<i16>().ok();
                read.filter(|it| (-MOST_CHANGE..=MOST_CHANGE).contains(it))
            };
            numbers.map(number).collect()
        };
        let (kinds, early, late) = (row("kinds")?, row("early")?, row("late")?);
        if early.len() != late.len() {
            return None;
        }
        let sites = early.into_iter().zip(late).map(|(early, late)| [early, late]).collect();
        Some(Tuning { fingerprint, method, trial_method, kinds, sites })
    }
}

/// The word for a method in the text.
fn word(method: Option<Method>) -> &'static str {
    match method {
        Some(Method::Search) => "search",
        Some(Method::Playouts) => "playouts",
        _ => "auto",
    }
}

/// Reads what [`word`] wrote; `None` for any other word.
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
    fn a_tuning_survives_being_written_and_read() {
        let tuned = Tuning {
            fingerprint: 0x00AB_CDEF,
            method: Some(Method::Playouts),
            trial_method: Some(Method::Search),
            kinds: vec![5, -7],
            sites: vec![[1, 2], [-3, 4]],
        };
        assert_eq!(Tuning::from_text(&tuned.to_text()), Some(tuned.clone()));
        assert_eq!(Tuning::from_text(&Tuning::default().to_text()), Some(Tuning::default()));
        let text = tuned.to_text();
        for wrong in [
            text.replace("tuned 1", "tuned 2"),
            text.replace("-7", "x"),
            text.replace("-7", "9999"),
            text.replace("late 2 4", "late 2"),
            text.replace("playouts", "magic"),
            String::new(),
        ] {
            assert_eq!(Tuning::from_text(&wrong), None, "{wrong}");
        }
    }
}
