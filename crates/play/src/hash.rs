//! Keys of what a state consists of; their XOR is the state's hash.
//!
//! A key is computed, not looked up: boards of sixteen thousand sites and pieces
//! of sixty-four attributes need no tables. The keys depend on ids alone, so a
//! hash means the same in every version of this program.

use boardwright_game::{MoveType, Site};

use crate::random::mix;

/// The key of a piece on a site; `cell` says what and whose it is.
#[inline]
pub(crate) fn piece(site: Site, cell: u32, attributes: u64) -> u64 {
    let place = mix((u64::from(site.0) + 1) << 32 ^ u64::from(cell));
    mix(place ^ attributes.wrapping_mul(0xD6E8_FEB8_6659_FD93))
}

/// The key of `count` pieces off the board; `slot` says what and whose they are.
#[inline]
pub(crate) fn hand(slot: usize, count: u32) -> u64 {
    if count == 0 { 0 } else { mix(1 << 62 ^ (slot as u64) << 32 ^ u64::from(count)) }
}

/// The key of an entry of the turn order.
#[inline]
pub(crate) fn turn(idx: usize) -> u64 {
    mix(2 << 60 ^ idx as u64)
}

/// The key of a chain of partial moves that goes on from `site`.
pub(crate) fn going_on(site: Site, move_type: Option<MoveType>) -> u64 {
    let move_type = move_type.map_or(0, |it| u64::from(it.0) + 1);
    mix(3 << 60 ^ u64::from(site.0) << 20 ^ move_type)
}

/// The key of the sites of the last move.
pub(crate) fn last(from: Option<Site>, to: Option<Site>) -> u64 {
    let word = |it: Option<Site>| it.map_or(0, |it| u64::from(it.0) + 1);
    if from.is_none() && to.is_none() { 0 } else { mix(5 << 60 ^ word(from) << 20 ^ word(to)) }
}
