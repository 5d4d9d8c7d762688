//! How a game ended, in words: who won, why, and which sites the reason speaks of.
//!
//! What a condition says is told from its parts, with the names of the rules:
//! "three in a row", "Black's King is checkmated", "White has no pieces left".

use boardwright_game::{
    ConfigStep, EndCondition, Goal, GoalKind, Occupant, PieceKind, Player, Ruleset, Site,
    SiteOrZone, Verdict, Whose,
};

use crate::{
    goals,
    outcome::{Ending, Outcome, Reason},
    state::State,
};

/// Why a game ended.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Why {
    /// In a few words, without a full stop.
    pub text: String,
    /// The sites that the reason speaks of; often none.
    pub sites: Vec<Site>,
}

impl Outcome {
    /// The ending in a sentence without its stop: `White wins`, `Draw`, `The Goats lose`.
    pub fn words(&self, ruleset: &Ruleset) -> String {
        let name = |it: Player| ruleset.translated(ruleset.player_name(it)).to_owned();
        let movers = movers(ruleset);
        match self.ending {
            Ending::Draw => "Draw".to_owned(),
            Ending::Win(it) if movers.len() == 1 && movers.contains(&it) => "Solved".to_owned(),
            Ending::Win(it) => format!("{} {}", name(it), verb(&name(it), "win", "wins")),
            Ending::Loss(it) => {
                let mut others = movers.iter().filter(|&&other| other != it);
                match (others.next(), others.next()) {
                    (Some(&other), None) if movers.contains(&it) => {
                        format!("{} {}", name(other), verb(&name(other), "win", "wins"))
                    }
                    _ => format!("{} {}", name(it), verb(&name(it), "lose", "loses")),
                }
            }
        }
    }
}

impl State {
    /// Why the game ended as it did, in the state in which it ended.
    pub fn why(&self, outcome: &Outcome) -> Why {
        let idx = match outcome.reason {
            Reason::Stalemate => {
                let who = self.mover().map_or_else(String::new, |it| self.shown_name(it));
                let has = verb(&who, "have", "has");
                return Why { text: format!("{who} {has} no legal move"), sites: Vec::new() };
            }
            Reason::Repetition => {
                let text = "threefold repetition".to_owned();
                return Why { text, sites: Vec::new() };
            }
            Reason::Condition { idx, .. } => idx,
        };
        let Some(condition) = self.ruleset().end_conditions.get(idx) else {
            return Why::default();
        };
        let players: Vec<Player> = match outcome.ending {
            Ending::Win(it) | Ending::Loss(it) => vec![it],
            Ending::Draw => Vec::new(),
        };
        let listed = condition.players.clone().unwrap_or_else(|| movers(self.ruleset()));
        // The one it held for may be another than who answers for it.
        let candidates = players.into_iter().chain(listed);
        let held = candidates.into_iter().find(|&it| goals::held(self, &condition.goal, it));
        let Some(player) = held.or(self.mover()) else { return Why::default() };
        let mut sites = Vec::new();
        let text = self.goal_text(&condition.goal, player, &mut sites);
        sites.sort_unstable();
        sites.dedup();
        let text = match condition.verdict {
            Verdict::Count => format!("most pieces on the board when {text}"),
            _ => text,
        };
        Why { text, sites }
    }

    fn shown_name(&self, player: Player) -> String {
        self.ruleset().translated(self.ruleset().player_name(player)).to_owned()
    }

    /// A goal that holds for a player; of alternatives only the one that does.
    fn goal_text(&self, goal: &Goal, player: Player, sites: &mut Vec<Site>) -> String {
        match &goal.kind {
            GoalKind::Or(goals) => {
                let held = goals.iter().find(|it| goals::held(self, it, player));
                match held.or(goals.first()) {
                    Some(it) => self.goal_text(it, player, sites),
                    None => String::new(),
                }
            }
            GoalKind::And(goals) => {
                let texts: Vec<_> =
                    goals.iter().map(|it| self.goal_text(it, player, sites)).collect();
                texts.join(" and ")
            }
            _ => {
                sites.extend(goals::sites_of_goal(self, goal, player));
                described(self.ruleset(), goal, Some(player))
            }
        }
    }
}

/// An end condition of a ruleset in words: `White wins when three are in a row`.
pub fn condition_words(ruleset: &Ruleset, condition: &EndCondition) -> String {
    let movers = movers(ruleset);
    let listed = condition.players.as_deref();
    let everybody = listed.is_none_or(|it| movers.iter().all(|mover| it.contains(mover)));
    let single = listed.and_then(|it| if let [one] = it { Some(*one) } else { None });
    let who = match listed {
        Some(listed) if !everybody => {
            let names: Vec<_> = listed.iter().map(|&it| shown(ruleset, it)).collect();
            names.join(" or ")
        }
        _ => "a player".to_owned(),
    };
    let goal = described(ruleset, &condition.goal, single.filter(|_| !everybody));
    match condition.verdict {
        Verdict::Win => format!("{who} {} when {goal}", verb(&who, "win", "wins")),
        Verdict::Loss => format!("{who} {} when {goal}", verb(&who, "lose", "loses")),
        Verdict::Draw => format!("a draw when {goal}"),
        Verdict::Count => format!("most pieces win when {goal}"),
    }
}

fn shown(ruleset: &Ruleset, player: Player) -> String {
    ruleset.translated(ruleset.player_name(player)).to_owned()
}

/// A goal in words, read for a player or for nobody in particular.
fn described(ruleset: &Ruleset, goal: &Goal, player: Option<Player>) -> String {
    let who = player.map_or_else(|| "the player".to_owned(), |it| shown(ruleset, it));
    let whose = match player {
        Some(_) if who == "You" => "your".to_owned(),
        Some(_) if who.ends_with('s') => format!("{who}’"),
        Some(_) => format!("{who}’s"),
        None => "the player’s".to_owned(),
    };
    let all = |goals: &[Goal], word: &str| {
        let texts: Vec<_> = goals.iter().map(|it| described(ruleset, it, player)).collect();
        texts.join(word)
    };
    match &goal.kind {
        GoalKind::Stalemated => format!("{who} cannot move"),
        GoalKind::Repetition => "the same state comes for the third time".to_owned(),
        GoalKind::Captured(kinds) => format!("{whose} {} is taken", kind_names(ruleset, kinds)),
        GoalKind::Checkmated(kinds) => {
            format!("{whose} {} is checkmated", kind_names(ruleset, kinds))
        }
        GoalKind::PiecesRemaining(n, kind) => {
            let has = verb(&who, "have", "has");
            match (n, kind.map(|it| kind_name(ruleset, it))) {
                (n, None) => format!("{who} {has} {} left", counted(*n, "piece")),
                (0, Some(name)) => format!("{who} {has} no {name} left"),
                (1, Some(name)) => format!("{who} {has} one {name} left"),
                (n, Some(name)) => format!("{who} {has} {n} left of {name}"),
            }
        }
        GoalKind::TotalPieceCount(n, kind) => match (n, kind.map(|it| kind_name(ruleset, it))) {
            (n, None) => {
                format!("{} {} on the board", counted(*n, "piece"), are(*n))
            }
            (0, Some(name)) => format!("no {name} is on the board"),
            (n, Some(name)) => format!("{} × {name} {} on the board", n, are(*n)),
        },
        GoalKind::AbsoluteConfig(occupants, places) => {
            configuration(ruleset, occupants, places, &whose)
        }
        GoalKind::RelativeConfig(steps) => pattern(ruleset, steps),
        GoalKind::Connected(_, ends) => {
            let [a, b] = ends.map(|it| place_name(ruleset, it));
            if a == b {
                format!("{whose} pieces are connected in {a}")
            } else {
                format!("a chain joins {a} and {b}")
            }
        }
        GoalKind::And(goals) => all(goals, " and "),
        GoalKind::Or(goals) => all(goals, " or "),
        GoalKind::Not(inner) => format!("it is not so that {}", described(ruleset, inner, player)),
    }
}

/// `King on e8`, `a piece in each of two zones`
fn configuration(
    ruleset: &Ruleset,
    occupants: &[Occupant],
    places: &[SiteOrZone],
    whose: &str,
) -> String {
    let name = |it: &Occupant| {
        let kind = it.kind.map_or_else(|| "piece".to_owned(), |it| kind_name(ruleset, it));
        match (it.negated, it.whose) {
            (true, Whose::Mine) => format!("no {kind} of {whose}"),
            (true, _) => format!("no {kind}"),
            // Where all is one player's, whose it is goes without saying.
            (false, Whose::Mine) if movers(ruleset).len() == 1 => kind,
            (false, Whose::Mine) => format!("{whose} {kind}"),
            (false, Whose::Opponent) => format!("an enemy {kind}"),
            (false, Whose::Anyone) => format!("a {kind}"),
        }
    };
    let mut names: Vec<String> = Vec::new();
    for it in occupants {
        let text = name(it);
        if !names.contains(&text) {
            names.push(text);
        }
    }
    let what =
        if names.len() > 4 { "one of several pieces".to_owned() } else { names.join(" or ") };
    let place = |it: &SiteOrZone| match it {
        SiteOrZone::Site(_) => format!("on {}", place_name(ruleset, *it)),
        SiteOrZone::Zone(_) => format!("in {}", place_name(ruleset, *it)),
    };
    let is_site = |it: &SiteOrZone| matches!(it, SiteOrZone::Site(_));
    match places {
        [one] => format!("{what} is {}", place(one)),
        [before @ .., last] if places.len() <= 4 && places.iter().all(is_site) => {
            let names: Vec<_> = before.iter().map(|it| place_name(ruleset, *it)).collect();
            let last = place_name(ruleset, *last);
            format!("{what} is on each of {} and {last}", names.join(", "))
        }
        [before @ .., last] if places.len() <= 4 => {
            let before: Vec<_> = before.iter().map(place).collect();
            format!("{what} is {} and {}", before.join(", "), place(last))
        }
        _ => format!("{what} is on all of {} sites", places.len()),
    }
}

/// `three in a row`, if it is that.
fn pattern(ruleset: &Ruleset, steps: &[ConfigStep]) -> String {
    let mut occupants = Vec::new();
    let mut ways = Vec::new();
    for step in steps {
        match *step {
            ConfigStep::Occupant(it) => occupants.push(it),
            ConfigStep::Step(it) => ways.push((it, false)),
            ConfigStep::Back(it) => ways.push((it, true)),
        }
    }
    let wanted = occupants.iter().filter(|it| !it.negated).count();
    let is_straight = ways.windows(2).all(|it| it[0] == it[1]);
    let first = occupants.iter().find(|it| !it.negated);
    let is_alike = occupants
        .iter()
        .filter(|it| !it.negated)
        .all(|it| Some(it.whose) == first.map(|it| it.whose));
    let number = number(wanted as u32);
    match first {
        Some(_) if wanted == 1 && ways.is_empty() => {
            let kind = first.and_then(|it| it.kind).map(|it| kind_name(ruleset, it));
            format!("{} is on the board", kind.map_or("a piece".to_owned(), |it| format!("a {it}")))
        }
        Some(_) if is_straight && is_alike && wanted > 1 => format!("{number} in a row"),
        Some(_) if wanted == 1 => "a piece stands as it should".to_owned(),
        Some(_) => format!("{number} pieces form a pattern"),
        None => "a pattern is empty".to_owned(),
    }
}

fn place_name(ruleset: &Ruleset, place: SiteOrZone) -> String {
    match place {
        SiteOrZone::Site(it) => ruleset.translated(ruleset.board.site_name(it)).to_owned(),
        SiteOrZone::Zone(it) => {
            let zone = ruleset.board.zones.get(it.idx());
            let name = zone.map_or("", |it| it.name.as_str());
            format!("the {}", ruleset.translated(name).replace(['-', '_'], " "))
        }
    }
}

fn kind_name(ruleset: &Ruleset, kind: PieceKind) -> String {
    ruleset.translated(ruleset.piece_name(kind)).to_owned()
}

fn kind_names(ruleset: &Ruleset, kinds: &[PieceKind]) -> String {
    let mut names: Vec<String> = Vec::new();
    for &kind in kinds {
        let name = kind_name(ruleset, kind);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names.join(" or ")
}

const NUMBERS: [&str; 13] = [
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve",
];

fn number(n: u32) -> String {
    NUMBERS.get(n as usize).map_or_else(|| n.to_string(), |it| (*it).to_owned())
}

fn counted(n: u32, what: &str) -> String {
    if n == 1 { format!("one {what}") } else { format!("{} {what}s", number(n)) }
}

fn are(n: u32) -> &'static str {
    if n == 1 { "is" } else { "are" }
}

/// Names of sides are often plurals: `Goats win`, `White wins`.
fn verb(name: &str, plural: &'static str, singular: &'static str) -> &'static str {
    let is_plural = name.ends_with('s') && !name.ends_with("ss") && name.chars().count() > 3;
    if is_plural || name == "You" { plural } else { singular }
}

/// The players who choose moves, chance aside, in the order of the rules.
pub(crate) fn movers(ruleset: &Ruleset) -> Vec<Player> {
    let has_turns = |it: &Player| ruleset.turn_order.turns.iter().any(|turn| turn.mover == *it);
    let is_random = |it: &Player| ruleset.players.get(it.idx()).is_some_and(|it| it.is_random);
    ruleset.all_players().filter(|it| has_turns(it) && !is_random(it)).collect()
}
