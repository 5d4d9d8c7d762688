//! A state of a game, in either language.

use std::sync::Arc;

use boardwright_game::{PieceKind, Player, Site};
use boardwright_gamecode::forsythe;
use boardwright_play::State;
use boardwright_preset::Game;
use boardwright_text::render::printable;

use crate::{
    edit::{BoardSetup, EditStep},
    game_rules::{GameRules, Script},
    refusal::PlayRefusal,
    scripted::{self, ScriptedState},
};

/// A piece on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlacedPiece {
    /// Where it stands.
    pub site: Site,
    /// Its owner.
    pub player: Player,
    /// Its kind.
    pub kind: PieceKind,
}

/// Messages of code that are shown, and the characters of each.
const MAX_MESSAGES: usize = 20;
const MAX_MESSAGE: usize = 500;

/// A state of a game: a value, cheap enough to copy for every node of a record that is kept.
#[derive(Clone, Debug)]
pub struct GameState {
    rules: Arc<GameRules>,
    pub(crate) inner: Inner,
}

#[derive(Clone, Debug)]
pub(crate) enum Inner {
    Compiled(Box<State>),
    Scripted(Box<ScriptedState>),
}

/// A state of compiled rules whose text is not at hand, so that messages name no lines.
impl From<State> for GameState {
    fn from(state: State) -> GameState {
        let rules = GameRules::from(Arc::clone(state.rules()));
        GameState { rules: Arc::new(rules), inner: Inner::Compiled(Box::new(state)) }
    }
}

impl GameState {
    pub(crate) fn compiled(rules: &Arc<GameRules>, state: State) -> GameState {
        GameState { rules: Arc::clone(rules), inner: Inner::Compiled(Box::new(state)) }
    }

    pub(crate) fn scripted(rules: &Arc<GameRules>, game: Game) -> GameState {
        let state = ScriptedState { game, reply: None, before: None };
        GameState { rules: Arc::clone(rules), inner: Inner::Scripted(Box::new(state)) }
    }

    /// The rules.
    pub fn rules(&self) -> &Arc<GameRules> {
        &self.rules
    }

    /// The state of compiled rules, if they come from a rule file.
    pub fn as_compiled(&self) -> Option<&State> {
        match &self.inner {
            Inner::Compiled(state) => Some(state),
            Inner::Scripted(_) => None,
        }
    }

    /// The game of a preset, if it is one.
    pub fn as_preset(&self) -> Option<&Game> {
        match &self.inner {
            Inner::Compiled(_) => None,
            Inner::Scripted(state) => Some(&state.game),
        }
    }

    /// The script behind a scripted state.
    pub(crate) fn script(&self) -> Option<&Script> {
        self.rules.script()
    }

    /// A hash of everything that decides how the game goes on, history aside.
    pub fn hash(&self) -> u64 {
        match &self.inner {
            Inner::Compiled(state) => state.hash(),
            Inner::Scripted(state) => state.game.state_hash(),
        }
    }

    /// Who chooses the next move, if the game has turns at all.
    pub fn mover(&self) -> Option<Player> {
        match &self.inner {
            Inner::Compiled(state) => state.mover(),
            Inner::Scripted(state) => Some(Player(state.game.mover() as u8)),
        }
    }

    /// Whose pieces the mover moves: for a throw of dice, the player they are thrown for.
    pub fn owner(&self) -> Option<Player> {
        match &self.inner {
            Inner::Compiled(state) => state.turn().map(|it| it.owner),
            Inner::Scripted(_) => self.mover(),
        }
    }

    /// Whether chance chooses the next move.
    pub fn is_chance(&self) -> bool {
        match &self.inner {
            Inner::Compiled(state) => state.is_chance(),
            Inner::Scripted(_) => false,
        }
    }

    /// The number of the entry of the turn order whose turn it is.
    pub fn turn_idx(&self) -> usize {
        match &self.inner {
            Inner::Compiled(state) => state.turn_idx(),
            Inner::Scripted(state) => state.game.mover(),
        }
    }

    /// Whether the mover is in the middle of a move in several parts.
    pub fn is_going_on(&self) -> bool {
        match &self.inner {
            Inner::Compiled(state) => state.going_on().is_some(),
            Inner::Scripted(_) => false,
        }
    }

    /// The pieces on the board.
    pub fn pieces(&self) -> Vec<PlacedPiece> {
        match &self.inner {
            Inner::Compiled(state) => placed(state),
            Inner::Scripted(state) => {
                self.script().map_or_else(Vec::new, |it| scripted::pieces(it, &state.game))
            }
        }
    }

    /// The pieces off the board: owner, kind, number.
    pub fn hands(&self) -> Vec<(Player, PieceKind, u32)> {
        let Inner::Compiled(state) = &self.inner else { return Vec::new() };
        let ruleset = state.ruleset();
        let kinds = || (0..ruleset.pieces.len() as u16).map(PieceKind);
        let all = ruleset.all_players().flat_map(|player| kinds().map(move |kind| (player, kind)));
        let counted = all.map(|(player, kind)| (player, kind, state.hand(player, kind)));
        counted.filter(|it| it.2 > 0).collect()
    }

    /// The royal pieces of the mover that could be taken.
    pub fn royals_in_check(&self) -> Result<Vec<Site>, PlayRefusal> {
        match &self.inner {
            Inner::Compiled(state) => state.royals_in_check().map_err(|it| self.rules.halted(&it)),
            Inner::Scripted(_) => Ok(Vec::new()),
        }
    }

    /// The state as text: what `State::to_text` writes, or Forsythe code.
    pub fn text(&self) -> String {
        match &self.inner {
            Inner::Compiled(state) => state.to_text(),
            Inner::Scripted(state) => {
                let n_columns = self.script().map_or(1, Script::n_columns);
                forsythe::write(&state.game.cells(), n_columns)
            }
        }
    }

    /// What the code of a preset says to the players.
    pub fn messages(&self) -> Vec<String> {
        let Inner::Scripted(state) = &self.inner else { return Vec::new() };
        let said = state.game.messages().iter().chain(state.game.output());
        let short = said.map(|it| printable(it).chars().take(MAX_MESSAGE).collect::<String>());
        short.filter(|it| !it.trim().is_empty()).take(MAX_MESSAGES).collect()
    }

    /// Whether the rules themselves make the next move: the reply to the solver of a problem.
    pub fn awaits_reply(&self) -> bool {
        match &self.inner {
            Inner::Compiled(_) => false,
            Inner::Scripted(state) => {
                self.script().is_some_and(|it| it.problem.is_some())
                    && state.is_undecided()
                    && self.mover().is_some_and(|it| self.rules.seat_of(it).is_none())
            }
        }
    }

    /// The reply to the solver's last turn, where it is to be made. May run code for a while.
    pub fn reply(&self) -> Option<String> {
        let Inner::Scripted(state) = &self.inner else { return None };
        let problem = self.script()?.problem.as_ref()?;
        if !self.awaits_reply() {
            return None;
        }
        state.reply(problem)
    }

    /// The step from here to a board as somebody set it up.
    pub fn edit_to(&self, setup: &BoardSetup) -> Result<EditStep, PlayRefusal> {
        match &self.inner {
            Inner::Compiled(state) => {
                Ok(EditStep::to(state, &setup.pieces, &setup.hands, setup.turn))
            }
            Inner::Scripted(_) => Err(no_editing()),
        }
    }

    /// Changes the board outside of play.
    pub fn edit(&mut self, step: &EditStep) -> Result<(), PlayRefusal> {
        match &mut self.inner {
            Inner::Compiled(state) => {
                step.apply(state);
                Ok(())
            }
            Inner::Scripted(_) => Err(no_editing()),
        }
    }
}

pub(crate) fn placed(state: &State) -> Vec<PlacedPiece> {
    let pieces = state.placement().pieces();
    pieces.map(|(site, it)| PlacedPiece { site, player: it.owner, kind: it.kind }).collect()
}

fn no_editing() -> PlayRefusal {
    PlayRefusal::Unsupported {
        message: "the board of a preset cannot be edited in a match".to_owned(),
        why: Some("Change its setup with Edit preset.".to_owned()),
    }
}
