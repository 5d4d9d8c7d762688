//! The options, as one table of names, values and what they set.

use boardwright_game::{Flipping, MaximalCaptures, Options, PassTurn};
use boardwright_text::nearest;

use crate::words::Kw;

/// A value as the file has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Value {
    True,
    False,
    Default,
    Forced,
    Number(i64),
}

impl Value {
    pub(crate) fn parse(text: &str) -> Option<Value> {
        match text {
            "true" => Some(Value::True),
            "false" => Some(Value::False),
            "default" => Some(Value::Default),
            "forced" => Some(Value::Forced),
            _ => text.parse().ok().map(Value::Number),
        }
    }

    fn switch(self) -> Option<bool> {
        match self {
            Value::True | Value::Number(1) => Some(true),
            Value::False | Value::Number(0) | Value::Default => Some(false),
            _ => None,
        }
    }
}

type Setter = fn(&mut Options, Value) -> Option<()>;

struct Entry {
    name: &'static str,
    values: &'static str,
    set: Setter,
}

const SWITCH: &str = "`true` and `false`";
const CHOICE: &str = "`true`, `false` and `default`";

macro_rules! switch {
    ($name:literal $field:ident) => {
        Entry {
            name: $name,
            values: SWITCH,
            set: |options, value| {
                options.$field = value.switch()?;
                Some(())
            },
        }
    };
}

macro_rules! choice {
    ($name:literal $field:ident) => {
        Entry {
            name: $name,
            values: CHOICE,
            set: |options, value| {
                let unset = value == Value::Default;
                options.$field = if unset { None } else { Some(value.switch()?) };
                Some(())
            },
        }
    };
}

const TABLE: &[Entry] = &[
    choice!("animate captures" animate_captures),
    choice!("animate drops" animate_drops),
    choice!("show moves list" show_moves_list),
    choice!("smart moves" smart_moves),
    choice!("highlight goals" highlight_goals),
    choice!("selection screen" selection_screen),
    switch!("discard cascades" discard_cascades),
    switch!("include off-pieces" include_off_pieces),
    switch!("pass partial" pass_partial),
    switch!("progressive levels" progressive_levels),
    switch!("recycle captures" recycle_captures),
    switch!("recycle promotions" recycle_promotions),
    switch!("silent ? moves" silent_random_moves),
    Entry {
        name: "maximal captures",
        values: "`true`, `false` and `2`",
        set: |options, value| {
            options.maximal_captures = match value {
                Value::Number(2) => MaximalCaptures::MostValuable,
                _ if value.switch()? => MaximalCaptures::Longest,
                _ => MaximalCaptures::No,
            };
            Some(())
        },
    },
    Entry {
        name: "pass turn",
        values: "`true`, `false` and `forced`",
        set: |options, value| {
            options.pass_turn = match value {
                // Published files write 2 where the manual has `forced`.
                Value::Forced | Value::Number(2) => PassTurn::Forced,
                _ if value.switch()? => PassTurn::Always,
                _ => PassTurn::Never,
            };
            Some(())
        },
    },
    Entry {
        name: "prevent flipping",
        values: "`true`, `false`, `2` and `3`",
        set: |options, value| {
            options.flipping = match value {
                Value::Number(2) => Flipping::SitesOnly,
                Value::Number(3) => Flipping::SitesOnlyTight,
                _ if value.switch()? => Flipping::Prevented,
                _ => Flipping::Allowed,
            };
            Some(())
        },
    },
];

/// What became of an option.
pub(crate) enum Set {
    Done,
    /// The option has no such value; these are its values.
    BadValue(&'static str),
    /// The original ignores options it does not know; this one is much like it, if any.
    Unknown(Option<&'static str>),
}

/// Sets the option called `name`, in whatever case and with whatever blanks around it.
pub(crate) fn set(options: &mut Options, name: &str, value: Option<Value>) -> Set {
    let name = name.trim();
    let Some(entry) = TABLE.iter().find(|it| it.name.eq_ignore_ascii_case(name)) else {
        return Set::Unknown(nearest(name, option_names()));
    };
    match value.and_then(|it| (entry.set)(options, it)) {
        Some(()) => Set::Done,
        None => Set::BadValue(entry.values),
    }
}

/// The option that a keyword of version 1 stands for.
pub(crate) fn deprecated(kw: Kw) -> Option<&'static str> {
    Some(match kw {
        Kw::AllowFlipping => "prevent flipping",
        Kw::AnimateCaptures => "animate captures",
        Kw::AnimateDrops => "animate drops",
        Kw::IncludeOffPieces => "include off-pieces",
        Kw::MaximalCaptures => "maximal captures",
        Kw::PassPartial => "pass partial",
        Kw::PassTurn => "pass turn",
        Kw::RecycleCaptures => "recycle captures",
        Kw::RecyclePromotions => "recycle promotions",
        _ => return None,
    })
}

/// Every option's name.
pub fn option_names() -> impl Iterator<Item = &'static str> {
    TABLE.iter().map(|it| it.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_go_where_they_belong() {
        let mut options = Options::default();
        let mut try_set = |name: &str, value: &str| {
            matches!(set(&mut options, name, Value::parse(value)), Set::Done)
        };
        assert!(try_set("pass turn", "forced"));
        assert!(try_set(" Maximal Captures ", "2"));
        assert!(try_set("prevent flipping", "3"));
        assert!(try_set("smart moves", "true"));
        assert!(try_set("recycle captures", "true"));
        assert!(try_set("recycle captures", "default"));
        assert!(!try_set("pass partial", "forced"));
        assert!(!try_set("no such option", "true"));
        assert_eq!(options.pass_turn, PassTurn::Forced);
        assert_eq!(options.maximal_captures, MaximalCaptures::MostValuable);
        assert_eq!(options.flipping, Flipping::SitesOnlyTight);
        assert_eq!(options.smart_moves, Some(true));
        assert!(!options.recycle_captures);
    }
}
