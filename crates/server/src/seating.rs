//! Seats between the page, the referee and the store.

use boardwright_protocol::{Invitation, SeatSetup, SeatView};
use boardwright_referee::{EngineSetup, Match, Seat, Sitter};
use serde::{Deserialize, Serialize};

use crate::keys;

/// Seats of a match; no rules have more players.
const MAX_SEATS: usize = 256;

/// A seat as it is stored.
#[derive(Serialize, Deserialize)]
struct StoredSeat {
    setup: SeatSetup,
    /// The name that a guest gave.
    #[serde(default)]
    name: String,
    /// The secret with which a guest joins.
    #[serde(default)]
    key: String,
}

/// Who shall sit on a seat, and their name, as the page asks for it.
pub(crate) fn sitter(setup: SeatSetup) -> (Sitter, String) {
    match setup {
        SeatSetup::Person { name } => (Sitter::Person, name),
        SeatSetup::Guest => (Sitter::Guest, String::new()),
        SeatSetup::Random => (Sitter::Random, String::new()),
        SeatSetup::Engine { level, seconds, depth, variety } => {
            (Sitter::Engine(EngineSetup { level, seconds, depth, variety }), String::new())
        }
    }
}

fn setup(seat: &Seat) -> SeatSetup {
    match &seat.sitter {
        Sitter::Person => SeatSetup::Person { name: seat.name.clone() },
        Sitter::Guest => SeatSetup::Guest,
        Sitter::Random => SeatSetup::Random,
        Sitter::Engine(it) => SeatSetup::Engine {
            level: it.level,
            seconds: it.seconds,
            depth: it.depth,
            variety: it.variety,
        },
    }
}

/// The seats of a new match; guests get a key to join with.
pub(crate) fn seats(setups: Vec<SeatSetup>) -> Vec<Seat> {
    let seat = |it: SeatSetup| {
        let (sitter, name) = sitter(it);
        let key = if sitter == Sitter::Guest { keys::key() } else { String::new() };
        Seat::new(sitter, &name, key)
    };
    setups.into_iter().take(MAX_SEATS).map(seat).collect()
}

/// Seats as they are stored.
pub(crate) fn to_json(seats: &[Seat]) -> String {
    let stored = |it: &Seat| StoredSeat {
        setup: setup(it),
        name: if it.sitter == Sitter::Person { String::new() } else { it.name.clone() },
        key: it.key.clone(),
    };
    let all: Vec<StoredSeat> = seats.iter().map(stored).collect();
    // Plain data is always written.
    serde_json::to_string(&all).unwrap_or_default()
}

/// Seats that were stored; nothing if the text is damaged.
pub(crate) fn from_json(text: &str) -> Option<Vec<Seat>> {
    let stored: Vec<StoredSeat> = serde_json::from_str(text).ok()?;
    let seat = |it: StoredSeat| {
        let (sitter, name) = sitter(it.setup);
        let name = if it.name.is_empty() { name } else { it.name };
        Seat::new(sitter, &name, it.key)
    };
    Some(stored.into_iter().map(seat).collect())
}

/// The names at seats as a list of matches shows them.
pub(crate) fn listed_names(seats: &[Seat]) -> Vec<String> {
    let name = |it: &Seat| match &it.sitter {
        _ if !it.name.is_empty() => it.name.clone(),
        Sitter::Person => "You".to_owned(),
        Sitter::Guest => "Guest".to_owned(),
        Sitter::Engine(it) => format!("Engine, level {}", it.level),
        Sitter::Random => "Random".to_owned(),
    };
    seats.iter().map(name).collect()
}

/// The seats as the page sees them.
pub(crate) fn seat_views(game: &Match, is_here: impl Fn(usize) -> bool) -> Vec<SeatView> {
    let resigned = game.tree().resigned(game.current());
    let view = |(idx, seat): (usize, &Seat)| {
        let player = game.rules().seats().get(idx).copied();
        SeatView {
            player: player.map_or(0, |it| it.0),
            name: game.seat_name(idx),
            setup: setup(seat),
            is_here: !seat.is_person() || is_here(idx),
            resigned: resigned.is_some() && resigned == player,
        }
    };
    game.seats().iter().enumerate().map(view).collect()
}

/// The links for guests.
pub(crate) fn invitations(id: &str, seats: &[Seat]) -> Vec<Invitation> {
    let guests = seats.iter().enumerate().filter(|(_, it)| it.sitter == Sitter::Guest);
    let link = |(seat, it): (usize, &Seat)| Invitation {
        seat: seat as u32,
        link: format!("/m/{id}?key={}", it.key),
    };
    guests.map(link).collect()
}
