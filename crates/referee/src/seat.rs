//! Who moves for which player.

use boardwright_rules::GameRules;

/// Characters of the name of a person.
const MAX_NAME: usize = 40;

/// How an engine plays at a seat.
#[derive(Clone, PartialEq, Debug)]
pub struct EngineSetup {
    /// From 1, a beginner, to 10, full strength.
    pub level: u8,
    /// Seconds for a move.
    pub seconds: f64,
    /// The greatest search depth, in plies.
    pub depth: Option<u32>,
    /// From 0, always the best move, to 10, the most varied.
    pub variety: u8,
}

/// Who sits on a seat.
#[derive(Clone, PartialEq, Debug)]
pub enum Sitter {
    /// The owner of the match, or somebody beside them at the same screen.
    Person,
    /// Somebody who joins by a link.
    Guest,
    /// The engine.
    Engine(EngineSetup),
    /// Nobody: moves are drawn at random.
    Random,
}

impl Sitter {
    /// The same with every number in its range.
    fn within_bounds(self) -> Sitter {
        match self {
            Sitter::Engine(it) => Sitter::Engine(EngineSetup {
                level: it.level.clamp(1, 10),
                seconds: if it.seconds.is_finite() { it.seconds.clamp(0.05, 600.0) } else { 1.0 },
                depth: it.depth.map(|it| it.clamp(1, 100)),
                variety: it.variety.min(10),
            }),
            other => other,
        }
    }

    /// Whether somebody like this can play by the rules: engines need the list of moves.
    pub fn fits(&self, rules: &GameRules) -> bool {
        let needs_moves = matches!(self, Sitter::Engine(_) | Sitter::Random);
        !needs_moves || rules.lists_moves()
    }
}

/// A seat: who moves for one player.
#[derive(Clone, PartialEq, Debug)]
pub struct Seat {
    /// Who moves.
    pub sitter: Sitter,
    /// The name they gave; may be empty.
    pub name: String,
    /// The secret with which a guest joins; empty for others. The referee only keeps it.
    pub key: String,
}

impl Seat {
    /// A seat; what is out of bounds is brought into them.
    pub fn new(sitter: Sitter, name: &str, key: String) -> Seat {
        Seat { sitter: sitter.within_bounds(), name: clean(name, MAX_NAME), key }
    }

    /// A seat for a person without a name.
    pub fn person() -> Seat {
        Seat::new(Sitter::Person, "", String::new())
    }

    /// Whether moves come from a person.
    pub fn is_person(&self) -> bool {
        matches!(self.sitter, Sitter::Person | Sitter::Guest)
    }

    pub(crate) fn rename(&mut self, name: &str) {
        self.name = clean(name, MAX_NAME);
    }
}

/// A text without control characters, cut at `max` characters.
pub(crate) fn clean(text: &str, max: usize) -> String {
    let visible = text.chars().filter(|it| !it.is_control());
    visible.take(max).collect::<String>().trim().to_owned()
}
