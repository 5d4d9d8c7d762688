//! A game ready to be shown and played, whatever language its rules are in.

use std::sync::Arc;

use boardwright_game::Player;
use boardwright_render::{Layout, looks::PieceSet, svg::Placed};

use crate::{courier::Courier, variant::Variant};

/// A game ready to be shown and played.
#[derive(Clone)]
pub(crate) enum Playable {
    /// A variant of a rule file.
    Rules(Arc<Variant>),
    /// A Game Courier preset.
    Preset(Arc<Courier>),
}

impl Playable {
    /// The game's id.
    pub fn game(&self) -> &str {
        match self {
            Playable::Rules(it) => &it.game,
            Playable::Preset(it) => &it.game,
        }
    }

    /// The variant's number.
    pub fn n(&self) -> usize {
        match self {
            Playable::Rules(it) => it.n,
            Playable::Preset(it) => it.n,
        }
    }

    pub fn title(&self) -> &str {
        match self {
            Playable::Rules(it) => &it.title,
            Playable::Preset(it) => &it.title,
        }
    }

    /// The players that somebody plays, in the order of the rules.
    pub fn seats(&self) -> &[Player] {
        match self {
            Playable::Rules(it) => &it.seats,
            Playable::Preset(it) => &it.seats,
        }
    }

    /// The name of a player as people see it.
    pub fn player_name(&self, player: Player) -> String {
        match self {
            Playable::Rules(it) => it.player_name(player),
            Playable::Preset(it) => it.player_name(player),
        }
    }

    /// The number of a player's seat.
    pub fn seat_of(&self, player: Player) -> Option<usize> {
        self.seats().iter().position(|&it| it == player)
    }

    /// Whether an engine can play it.
    pub fn has_engine(&self) -> bool {
        match self {
            Playable::Rules(_) => true,
            Playable::Preset(it) => it.has_engine(),
        }
    }

    pub fn layout(&self) -> &Layout {
        match self {
            Playable::Rules(it) => &it.layout,
            Playable::Preset(it) => &it.layout,
        }
    }

    pub fn sets(&self) -> &[PieceSet] {
        match self {
            Playable::Rules(it) => &it.sets,
            Playable::Preset(it) => &it.sets,
        }
    }

    /// The pieces of a state, and those of its last move if its text tells.
    pub fn placed(&self, state: &str) -> Option<(Vec<Placed>, Vec<boardwright_game::Site>)> {
        match self {
            Playable::Rules(it) => {
                let state =
                    boardwright_play::State::from_text(Arc::clone(&it.rules), state).ok()?;
                let last = state.last_from().into_iter().chain(state.last_to()).collect();
                Some((boardwright_render::svg::placed(&state), last))
            }
            Playable::Preset(it) => Some((it.placed(state), Vec::new())),
        }
    }
}
