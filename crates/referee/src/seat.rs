//! Who moves for which player.

use boardwright_game::{Player, Ruleset};

/// How an engine plays at a seat.
#[derive(Clone, PartialEq, Debug)]
pub struct EngineSetup {
    /// From 1, a beginner, to 10.
    pub level: u8,
    /// Time for a move.
    pub seconds: f64,
    /// Moves to look ahead at most.
    pub depth: Option<u32>,
    /// From 0, always the best move, to 10.
    pub variety: u8,
}

/// Who sits on a seat.
#[derive(Clone, PartialEq, Debug)]
pub enum Sitter {
    /// Somebody at this machine.
    Person,
    /// Somebody who came by a link.
    Guest,
    /// The engine.
    Engine(EngineSetup),
    /// Nobody: moves are drawn.
    Random,
}

impl Sitter {
    /// Whether moves come from a person.
    pub fn is_person(&self) -> bool {
        matches!(self, Sitter::Person | Sitter::Guest)
    }
}

/// A seat: a player of the rules, and who moves for it.
#[derive(Clone, PartialEq, Debug)]
pub struct Seat {
    /// Which player.
    pub player: Player,
    /// Who moves.
    pub sitter: Sitter,
    /// What they call themselves; may be empty.
    pub name: String,
}

/// A seat for each player who chooses moves, chance aside, all for persons.
pub fn seats(ruleset: &Ruleset) -> Vec<Seat> {
    let has_turns = |it: &Player| ruleset.turn_order.turns.iter().any(|turn| turn.mover == *it);
    let is_random = |it: &Player| ruleset.players.get(it.idx()).is_some_and(|it| it.is_random);
    let players = ruleset.all_players().filter(|it| has_turns(it) && !is_random(it));
    players.map(|player| Seat { player, sitter: Sitter::Person, name: String::new() }).collect()
}

/// A letter for each player, as saves have them: `H` where a person moves, else `C`.
pub fn letters(ruleset: &Ruleset, seats: &[Seat]) -> String {
    let is_person = |player: Player| {
        let seat = seats.iter().find(|it| it.player == player);
        let is_random = ruleset.players.get(player.idx()).is_some_and(|it| it.is_random);
        seat.map_or(!is_random, |it| it.sitter.is_person())
    };
    ruleset.all_players().map(|it| if is_person(it) { 'H' } else { 'C' }).collect()
}
