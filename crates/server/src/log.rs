//! The events of a match between the referee and the store.

use boardwright_game::Player;
use boardwright_referee::{Change, MatchEvent, NodeId};
use boardwright_store::{EventKind, EventRow};

use crate::seating;

/// Numbers in the store begin at 1, those of the referee at 0.
const FIRST: i64 = 1;

/// An event as it is stored.
pub(crate) fn to_row(event: &MatchEvent) -> EventRow {
    let row = |kind: EventKind| EventRow {
        request: event.request.clone(),
        ..EventRow::new(event.seq as i64 + FIRST, event.at as i64, kind)
    };
    let at =
        |kind: EventKind, node: &NodeId| EventRow { node: Some(i64::from(*node)), ..row(kind) };
    match &event.change {
        Change::Setup { text } => EventRow { text: text.clone(), ..row(EventKind::Setup) },
        Change::Moved { parent, text, is_chance } => {
            let kind = if *is_chance { EventKind::Chance } else { EventKind::Move };
            EventRow { text: text.clone(), ..at(kind, parent) }
        }
        Change::Edited { parent, text } => {
            EventRow { text: text.clone(), ..at(EventKind::Edit, parent) }
        }
        Change::WentTo { node } => at(EventKind::GoTo, node),
        Change::Resigned { node, player } => {
            EventRow { player: Some(i64::from(player.0)), ..at(EventKind::Resign, node) }
        }
        Change::Commented { node, text } => {
            EventRow { text: text.clone(), ..at(EventKind::Comment, node) }
        }
        Change::Scored { node, score } => {
            EventRow { number: score.map(i64::from), ..at(EventKind::Score, node) }
        }
        Change::Seated { seats } => {
            EventRow { text: seating::to_json(seats), ..row(EventKind::Seats) }
        }
        Change::Said { name, text } => {
            EventRow { name: name.clone(), text: text.clone(), ..row(EventKind::Chat) }
        }
    }
}

/// A stored event; nothing if a field that it needs is missing or damaged.
pub(crate) fn from_row(row: &EventRow) -> Option<MatchEvent> {
    let node = || NodeId::try_from(row.node?).ok();
    let text = row.text.clone();
    let change = match row.kind {
        EventKind::Setup => Change::Setup { text },
        EventKind::Move => Change::Moved { parent: node()?, text, is_chance: false },
        EventKind::Chance => Change::Moved { parent: node()?, text, is_chance: true },
        EventKind::Edit => Change::Edited { parent: node()?, text },
        EventKind::GoTo => Change::WentTo { node: node()? },
        EventKind::Resign => {
            let player = Player(u8::try_from(row.player?).ok()?);
            Change::Resigned { node: node()?, player }
        }
        EventKind::Comment => Change::Commented { node: node()?, text },
        EventKind::Score => {
            let score = row.number.map(i32::try_from).transpose().ok()?;
            Change::Scored { node: node()?, score }
        }
        EventKind::Seats => Change::Seated { seats: seating::from_json(&text)? },
        EventKind::Chat => Change::Said { name: row.name.clone(), text },
    };
    Some(MatchEvent {
        seq: u64::try_from(row.seq - FIRST).ok()?,
        at: u64::try_from(row.at).ok()?,
        request: row.request.clone(),
        change,
    })
}
