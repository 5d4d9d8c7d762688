//! What players may write: kinds of moves, and where in a turn.

/// A kind of what players write, as a set of one bit; sets are sums of bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Kinds(u16);

impl Kinds {
    pub(crate) const MOVES: Kinds = Kinds(1);
    pub(crate) const CAPTURES: Kinds = Kinds(2);
    pub(crate) const PROMOTIONS: Kinds = Kinds(4);
    pub(crate) const DROPS: Kinds = Kinds(8);
    pub(crate) const FREE_DROPS: Kinds = Kinds(16);
    pub(crate) const REMOVALS: Kinds = Kinds(32);
    pub(crate) const PASS: Kinds = Kinds(64);
    pub(crate) const DICE: Kinds = Kinds(128);
    pub(crate) const COMMANDS: Kinds = Kinds(256);

    /// The words for kinds, and for groups of them.
    pub(crate) const WORDS: &[(&str, Kinds)] = &[
        ("moves", Kinds::MOVES),
        ("captures", Kinds::CAPTURES),
        ("promotions", Kinds::PROMOTIONS),
        ("drops", Kinds::DROPS),
        ("freedrops", Kinds::FREE_DROPS),
        ("removals", Kinds::REMOVALS),
        ("pass", Kinds::PASS),
        ("dice", Kinds::DICE),
        ("commands", Kinds::COMMANDS),
        ("allmoves", Kinds(255)),
        ("all", Kinds(511)),
    ];

    pub(crate) fn named(text: &str) -> Option<Kinds> {
        Kinds::WORDS.iter().find(|it| it.0 == text).map(|it| it.1)
    }

    fn meets(self, other: Kinds) -> bool {
        self.0 & other.0 != 0
    }

    /// What one of the kind is called in messages.
    pub(crate) fn describe(self) -> &'static str {
        match self {
            Kinds::MOVES => "a move",
            Kinds::CAPTURES => "a capture",
            Kinds::PROMOTIONS => "a promotion",
            Kinds::DROPS => "a drop",
            Kinds::FREE_DROPS => "putting a piece on the board",
            Kinds::REMOVALS => "taking a piece off",
            Kinds::PASS => "passing",
            Kinds::DICE => "rolling dice",
            _ => "a command",
        }
    }
}

/// A rule: these kinds, at this place in the turn, or anywhere.
type Rule = (Kinds, Option<u32>);

/// What is forbidden, what is allowed all the same, and how much makes a turn.
#[derive(Clone, Debug, Default)]
pub(crate) struct Filter {
    banned: Vec<Rule>,
    allowed: Vec<Rule>,
    /// The most primitives of a turn; no limit if nought.
    pub(crate) most: u32,
}

impl Filter {
    const MOST_RULES: usize = 1000;

    /// Forbids kinds; what was allowed of them is forbidden again.
    pub(crate) fn ban(&mut self, kinds: Kinds, place: Option<u32>) {
        if place.is_none() {
            for rule in &mut self.allowed {
                rule.0 = Kinds(rule.0.0 & !kinds.0);
            }
            self.allowed.retain(|it| it.0.0 != 0);
        }
        if self.banned.len() < Filter::MOST_RULES && !self.banned.contains(&(kinds, place)) {
            self.banned.push((kinds, place));
        }
    }

    /// Allows kinds although they are forbidden.
    pub(crate) fn allow(&mut self, kinds: Kinds, place: Option<u32>) {
        if self.allowed.len() < Filter::MOST_RULES && !self.allowed.contains(&(kinds, place)) {
            self.allowed.push((kinds, place));
        }
    }

    /// Whether a primitive of this kind may stand at `place`, counted from one.
    pub(crate) fn accepts(&self, kind: Kinds, place: u32) -> bool {
        let holds = |rule: &Rule| rule.0.meets(kind) && rule.1.is_none_or(|it| it == place);
        !self.banned.iter().any(holds) || self.allowed.iter().any(holds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_banned_may_be_allowed_at_a_place() {
        let mut filter = Filter::default();
        assert!(filter.accepts(Kinds::DICE, 3));
        filter.ban(Kinds::named("allmoves").expect("is a word"), None);
        filter.allow(Kinds::MOVES, Some(1));
        assert!(filter.accepts(Kinds::MOVES, 1));
        assert!(!filter.accepts(Kinds::MOVES, 2));
        assert!(!filter.accepts(Kinds::CAPTURES, 1));
        assert!(filter.accepts(Kinds::COMMANDS, 1));
        filter.ban(Kinds::MOVES, None);
        assert!(!filter.accepts(Kinds::MOVES, 1), "the last word counts");
    }
}
