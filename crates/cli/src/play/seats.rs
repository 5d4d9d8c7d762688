//! Who moves for which player.

use boardwright_game::Ruleset;

use crate::codec;

/// Who moves for a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Seat {
    Person,
    Random,
    /// The engine at this level.
    Engine(u8),
}

/// A letter for each player, as saves have them: who is played by a computer.
pub(crate) fn letters(seats: &[Seat]) -> String {
    seats.iter().map(|&it| if it == Seat::Person { 'H' } else { 'C' }).collect()
}

/// Gives the engine the seat of every player who chooses moves, but for the person's.
pub(crate) fn seat_engine(ruleset: &Ruleset, seats: &mut [Seat], level: u8, person: Option<usize>) {
    for mover in codec::movers(ruleset) {
        if Some(mover.idx()) != person
            && let Some(seat) = seats.get_mut(mover.idx())
        {
            *seat = Seat::Engine(level);
        }
    }
}
