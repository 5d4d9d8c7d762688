//! What is played at a table: a match by rules of either language, behind one face.

use std::sync::Arc;

use boardwright_game::{Player, Site};
use boardwright_play::SplitMix64;
use boardwright_protocol::{EffectView, Event, PieceView, StateSetup, StateView};
use boardwright_referee::{Match, NodeId, Played, PresetMatch, Refusal, Step, Tree};

use crate::{
    courier::Courier,
    courier_view,
    error::ApiError,
    playable::Playable,
    seating::{self, Chair},
    state_view,
    thinker::Subject,
    trial,
    variant::Variant,
};

/// What is found out beside a match, and then told.
pub(super) type Later = Box<dyn FnOnce() -> Event + Send>;

/// A match that is going on, with its rules.
pub(crate) enum Game {
    Rules(Arc<Variant>, Box<Match>),
    Preset(Arc<Courier>, Box<PresetMatch>),
}

impl Game {
    pub fn playable(&self) -> Playable {
        match self {
            Game::Rules(variant, _) => Playable::Rules(Arc::clone(variant)),
            Game::Preset(courier, _) => Playable::Preset(Arc::clone(courier)),
        }
    }

    pub fn tree(&self) -> &Tree {
        match self {
            Game::Rules(_, game) => game.tree(),
            Game::Preset(_, game) => game.tree(),
        }
    }

    pub fn tree_mut(&mut self) -> &mut Tree {
        match self {
            Game::Rules(_, game) => game.tree_mut(),
            Game::Preset(_, game) => game.tree_mut(),
        }
    }

    pub fn current(&self) -> NodeId {
        self.tree().current()
    }

    pub fn play(
        &mut self,
        node: NodeId,
        text: &str,
        request: &str,
        is_chance: bool,
    ) -> Result<Played, Refusal> {
        match self {
            Game::Rules(_, game) => game.play(node, text, request, is_chance),
            Game::Preset(_, game) => game.play(node, text, request),
        }
    }

    pub fn go_on_from(&mut self, node: NodeId) -> Result<(), Refusal> {
        match self {
            Game::Rules(_, game) => game.go_on_from(node),
            Game::Preset(_, game) => game.go_on_from(node),
        }
    }

    pub fn forget_last(&mut self) {
        match self {
            Game::Rules(_, game) => game.forget_last(),
            Game::Preset(_, game) => game.forget_last(),
        }
    }

    pub fn resign(&mut self, player: Player) -> Result<(), Refusal> {
        match self {
            Game::Rules(_, game) => game.resign(player),
            Game::Preset(_, game) => game.resign(player),
        }
    }

    /// How things stand at a node. Runs rules.
    pub fn view(&mut self, node: NodeId) -> Result<StateView, Refusal> {
        match self {
            Game::Rules(variant, game) => {
                let state = game.state_at(node).ok_or(Refusal::NoNode)?;
                Ok(state_view::state_view(variant, game, node, &state)?)
            }
            Game::Preset(courier, game) => {
                courier_view::state_view(courier, game, node).ok_or(Refusal::NoNode)
            }
        }
    }

    /// What the step to a node did, for the eye.
    pub fn effects(&mut self, node: NodeId) -> Vec<EffectView> {
        let parent = self.tree().node(node).and_then(|it| it.parent);
        match self {
            Game::Rules(_, game) => {
                let before = parent.and_then(|it| game.state_at(it));
                match (before, game.node(node).map(|it| &it.step)) {
                    (Some(before), Some(Step::Move { mv, .. })) => state_view::effects(&before, mv),
                    _ => Vec::new(),
                }
            }
            Game::Preset(courier, game) => {
                let before = parent.and_then(|it| game.game_at(it));
                match (before, game.game_at(node)) {
                    (Some(before), Some(after)) => courier_view::effects(courier, &before, &after),
                    _ => Vec::new(),
                }
            }
        }
    }

    pub fn edit(&mut self, node: NodeId, setup: &StateSetup) -> Result<NodeId, Refusal> {
        match self {
            Game::Rules(_, game) => {
                let state = game.state_at(node).ok_or(Refusal::NoNode)?;
                game.edit(node, super::edit_step(&state, setup))
            }
            Game::Preset(..) => Err(no_editing()),
        }
    }

    /// Says what would come of an edit, found out beside the match.
    pub fn try_edit(&mut self, node: NodeId, setup: StateSetup, id: u32) -> Result<Later, Refusal> {
        match self {
            Game::Rules(variant, game) => {
                let mut state = game.state_at(node).ok_or(Refusal::NoNode)?;
                let variant = Arc::clone(variant);
                Ok(Box::new(move || {
                    super::edit_step(&state, &setup).apply(&mut state);
                    trial::tried(&variant, &state, id)
                }))
            }
            Game::Preset(..) => Err(no_editing()),
        }
    }

    /// What an engine is to think about at a node.
    pub fn subject(&mut self, node: NodeId) -> Option<Subject> {
        match self {
            Game::Rules(variant, game) => {
                Some(Subject::Rules(Arc::clone(variant), Box::new(game.state_at(node)?)))
            }
            Game::Preset(courier, game) => {
                Some(Subject::Preset(Arc::clone(courier), Box::new(game.game_at(node)?)))
            }
        }
    }

    /// A move by chance, and whether the rules gave it to chance; the same for the same
    /// seed.
    pub fn drawn(&mut self, seed: u64, view: &StateView) -> Option<(String, bool)> {
        // Every draw has a ticket of its own, and the match can be played again from its seed.
        let n = self.tree().nodes().len() as u64;
        let mut rng = SplitMix64::new(seed ^ n.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        match self {
            Game::Rules(_, game) => {
                let list = game.legal().ok()?;
                let ticket = rng.below(list.total_weight() as usize) as u64;
                let mv = list.drawn(ticket)?;
                Some((game.state().move_text(mv), game.state().is_chance()))
            }
            Game::Preset(_, game) => {
                if let Some(reply) = game.reply() {
                    return Some((reply, false));
                }
                let n = rng.below(view.moves.len().max(1));
                view.moves.get(n).map(|it| (it.long.clone(), false))
            }
        }
    }

    /// Whether the reply to a problem's solver is to be made.
    pub fn owes_reply(&self, view: &StateView) -> bool {
        let is_problem = match self {
            Game::Rules(..) => false,
            Game::Preset(_, game) => game.problem().is_some(),
        };
        is_problem && view.outcome.is_none() && view.mover.is_some() && view.seat.is_none()
    }

    /// The match as a file: its name and what it holds.
    pub fn save(&self, chairs: &[Chair]) -> Result<(String, Vec<u8>), ApiError> {
        let name = |title: &str, ending: &str| {
            let plain = |it: char| match it {
                'a'..='z' | 'A'..='Z' | '0'..='9' | '-' => it,
                _ => '-',
            };
            format!("{}.{ending}", title.chars().map(plain).collect::<String>())
        };
        match self {
            Game::Rules(variant, game) => {
                let letters = seating::letters(variant, chairs);
                let saved = boardwright_referee::save(game, game.current(), &letters);
                let file = saved.map_err(|_| {
                    let text = "a save file cannot say who is to move after the board was edited";
                    ApiError::bad(text)
                        .hint("The match is kept here; the state can be copied as text.")
                })?;
                Ok((name(&variant.title, "zsg"), file.to_bytes()))
            }
            Game::Preset(courier, game) => {
                let mut record = game.record();
                let playable = self.playable();
                for (seat, player) in courier.seats.iter().enumerate() {
                    if let Some(it) = record.players.get_mut(player.idx()) {
                        *it = seating::shown_name(&playable, chairs, seat);
                    }
                }
                Ok((name(&courier.title, "txt"), record.write().into_bytes()))
            }
        }
    }

    /// What a piece can do, found out beside the match.
    pub fn probe(&mut self, site: u16, node: NodeId) -> Option<Later> {
        match self {
            Game::Rules(variant, game) => {
                let (state, variant) = (game.state_at(node)?, Arc::clone(variant));
                Some(Box::new(move || super::commands::probed(&variant, &state, Site(site))))
            }
            Game::Preset(courier, game) => {
                let (game, courier) = (game.game_at(node)?, Arc::clone(courier));
                Some(Box::new(move || probed(&courier, &game, site)))
            }
        }
    }
}

fn no_editing() -> Refusal {
    let why = "Change its setup in the studio.".to_owned();
    Refusal::Turn("The board of a preset is not edited here.".into(), Some(why))
}

/// What a piece of a preset is, and where the code tells that it may go.
fn probed(courier: &Courier, game: &boardwright_preset::Game, site: u16) -> Event {
    let board = game.preset().board();
    let found = board.all().find(|it| it.index() == usize::from(site));
    let piece = found.and_then(|it| game.piece(it)).and_then(|it| courier.piece(it));
    let place = found.map_or("", |it| board.name(it));
    let title = match piece {
        Some((player, kind)) => {
            let name = courier.cast.kinds().nth(kind.idx()).map_or("", |it| it.0);
            format!("{} {name} on {place}", courier.player_name(player))
        }
        None => place.to_owned(),
    };
    let legal = game.machine().legal().iter().filter(|it| it.0.index() == usize::from(site));
    Event::Probed {
        site,
        title: boardwright_text::render::printable(&title),
        piece: piece.map(|it| PieceView { player: it.0.0, kind: it.1.0 }),
        moves: legal.map(|it| it.1.index() as u16).collect(),
        attackers: Vec::new(),
        value: None,
    }
}
