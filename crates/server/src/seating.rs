//! Who sits where, and what they may do.

use boardwright_protocol::{Invitation, SeatSetup, SeatView};
use boardwright_referee::{EngineSetup, Seat, Sitter};
use serde::{Deserialize, Serialize};

use crate::{keys, playable::Playable, variant::Variant};

/// The longest name of a person.
const MAX_NAME: usize = 40;

/// A seat as it is stored.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Chair {
    pub setup: SeatSetup,
    /// What a guest calls themselves.
    #[serde(default)]
    pub name: String,
    /// What a guest comes in with.
    #[serde(default)]
    pub key: String,
}

impl Chair {
    fn new(setup: SeatSetup) -> Chair {
        let key = if setup == SeatSetup::Guest { keys::key() } else { String::new() };
        Chair { setup: within_bounds(setup), name: String::new(), key }
    }

    /// Gives the chair to somebody else.
    pub fn give(&mut self, setup: SeatSetup) {
        let old = std::mem::take(&mut self.key);
        let is_guest = setup == SeatSetup::Guest;
        *self = Chair::new(setup);
        // A guest who was invited already keeps the link.
        if is_guest && !old.is_empty() {
            self.key = old;
        }
    }

    pub fn is_person(&self) -> bool {
        matches!(self.setup, SeatSetup::Person { .. } | SeatSetup::Guest)
    }
}

/// A name without control characters and not too long.
pub(crate) fn clean(name: &str, max: usize) -> String {
    let visible = name.chars().filter(|it| !it.is_control());
    visible.take(max).collect::<String>().trim().to_owned()
}

pub(crate) fn clean_name(name: &str) -> String {
    clean(name, MAX_NAME)
}

fn within_bounds(setup: SeatSetup) -> SeatSetup {
    match setup {
        SeatSetup::Person { name } => SeatSetup::Person { name: clean_name(&name) },
        SeatSetup::Engine { level, seconds, depth, variety } => SeatSetup::Engine {
            level: level.clamp(1, 10),
            seconds: if seconds.is_finite() { seconds.clamp(0.05, 600.0) } else { 1.0 },
            depth: depth.map(|it| it.clamp(1, 100)),
            variety: variety.min(10),
        },
        other => other,
    }
}

/// The chairs of a new match; seats that are not named are for persons.
pub(crate) fn chairs(playable: &Playable, setups: Vec<SeatSetup>) -> Vec<Chair> {
    let mut setups = setups.into_iter();
    let person = || SeatSetup::Person { name: String::new() };
    let fits = |it: SeatSetup| if can_sit(playable, &it) { it } else { person() };
    let seats = playable.seats().iter();
    seats.map(|_| Chair::new(setups.next().map_or_else(person, fits))).collect()
}

/// Whether somebody like this can play the game: engines need to be told its moves.
pub(crate) fn can_sit(playable: &Playable, setup: &SeatSetup) -> bool {
    let needs_moves = matches!(setup, SeatSetup::Engine { .. } | SeatSetup::Random);
    !needs_moves || playable.has_engine()
}

/// What people see on a chair.
pub(crate) fn shown_name(playable: &Playable, chairs: &[Chair], seat: usize) -> String {
    let player = playable.seats().get(seat);
    let player = player.map_or_else(String::new, |&it| playable.player_name(it));
    match chairs.get(seat).map(|it| (&it.setup, &it.name)) {
        Some((_, name)) if !name.is_empty() => name.clone(),
        Some((SeatSetup::Person { name }, _)) if !name.is_empty() => name.clone(),
        Some((SeatSetup::Person { .. }, _)) => player,
        Some((SeatSetup::Guest, _)) => "Guest".to_owned(),
        Some((SeatSetup::Engine { level, .. }, _)) => format!("Engine, level {level}"),
        Some((SeatSetup::Random, _)) => "Random".to_owned(),
        None => player,
    }
}

/// The seats as the page sees them.
pub(crate) fn seat_views(
    playable: &Playable,
    chairs: &[Chair],
    is_here: impl Fn(usize) -> bool,
    resigned: Option<u8>,
) -> Vec<SeatView> {
    let view = |(seat, chair): (usize, &Chair)| {
        let player = playable.seats().get(seat).map_or(0, |it| it.0);
        SeatView {
            player,
            name: shown_name(playable, chairs, seat),
            setup: chair.setup.clone(),
            is_here: !chair.is_person() || is_here(seat),
            resigned: resigned == Some(player),
        }
    };
    chairs.iter().enumerate().map(view).collect()
}

/// The links for guests.
pub(crate) fn invitations(id: &str, chairs: &[Chair]) -> Vec<Invitation> {
    let guests = chairs.iter().enumerate().filter(|(_, it)| it.setup == SeatSetup::Guest);
    let link = |(seat, it): (usize, &Chair)| Invitation {
        seat: seat as u32,
        link: format!("/m/{id}?key={}", it.key),
    };
    guests.map(link).collect()
}

/// A letter for each player, as saves have them.
pub(crate) fn letters(variant: &Variant, chairs: &[Chair]) -> String {
    let seat = |(player, chair): (&boardwright_game::Player, &Chair)| Seat {
        player: *player,
        sitter: match &chair.setup {
            SeatSetup::Person { .. } => Sitter::Person,
            SeatSetup::Guest => Sitter::Guest,
            SeatSetup::Random => Sitter::Random,
            SeatSetup::Engine { level, seconds, depth, variety } => Sitter::Engine(EngineSetup {
                level: *level,
                seconds: *seconds,
                depth: *depth,
                variety: *variety,
            }),
        },
        name: chair.name.clone(),
    };
    let seats: Vec<Seat> = variant.seats.iter().zip(chairs).map(seat).collect();
    boardwright_referee::letters(variant.ruleset(), &seats)
}
