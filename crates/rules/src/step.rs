//! Playing a move: from a state and a text to the next state.

use boardwright_fast::GameMove;
use boardwright_game::{Player, Site};
use boardwright_play::{Effect, Move, VisibleEffect};
use boardwright_preset::{Game, TurnText};

use crate::{
    effects,
    game_rules::Script,
    game_state::{GameState, Inner},
    legal::{LegalMoves, List},
    refusal::PlayRefusal,
    scripted::{self, ScriptedState},
};

/// Legal moves that a refusal names because their text is similar.
const N_NEAREST: usize = 3;

/// Whether a turn of a problem is judged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Judging {
    /// The solver's turns must keep the win.
    Judge,
    /// The turn was judged before, as when a record is read back.
    Trust,
}

/// A move that was played: the next state, and everything a record says of the move.
#[derive(Clone, Debug)]
pub struct Step {
    /// The state after the move.
    pub state: GameState,
    /// The move.
    pub played: GameMove,
    /// Its text as records and saves have it.
    pub long: String,
    /// Its text for a list beside the board.
    pub brief: String,
    /// What the player wrote behind `//`.
    pub comment: String,
    /// Who moved.
    pub player: Option<Player>,
    /// Whose pieces moved.
    pub owner: Option<Player>,
    /// Whether the same player goes on with a further part of the move.
    pub goes_on: bool,
    /// Where it began and ended, for highlighting.
    pub ends: Vec<Site>,
    /// What changed on the board, in order.
    pub effects: Vec<VisibleEffect>,
}

impl GameState {
    /// Plays the move with this text; `legal` are the legal moves of this state.
    pub fn play_text(
        &self,
        legal: &LegalMoves,
        text: &str,
        judging: Judging,
    ) -> Result<Step, PlayRefusal> {
        match (&self.inner, &legal.list) {
            (Inner::Compiled(state), List::Compiled(list)) => {
                let Some(mv) = state.find_in(list, text).cloned() else {
                    if list.is_empty() {
                        return Err(PlayRefusal::Over);
                    }
                    let nearest = state.nearest_in(list, text, N_NEAREST);
                    return Err(PlayRefusal::Illegal { text: text.to_owned(), nearest });
                };
                let (brief, long) = (state.brief_text(list, &mv), state.move_text(&mv));
                self.play_compiled(mv, brief, long)
            }
            (Inner::Scripted(state), _) => self.play_scripted(state, text, judging),
            (Inner::Compiled(_), List::Scripted(_)) => Err(PlayRefusal::Over),
        }
    }

    /// Plays a move of a record that was judged when it was first played.
    pub fn play_trusted(&self, text: &str) -> Result<Step, PlayRefusal> {
        match &self.inner {
            Inner::Compiled(_) => self.play_text(&self.legal_moves()?, text, Judging::Trust),
            Inner::Scripted(state) => self.play_scripted(state, text, Judging::Trust),
        }
    }

    fn play_compiled(&self, mv: Move, brief: String, long: String) -> Result<Step, PlayRefusal> {
        let Inner::Compiled(state) = &self.inner else { return Err(PlayRefusal::Over) };
        let mut next = state.clone();
        next.play_unchecked(&mv).map_err(|it| self.rules().halted(&it))?;
        Ok(Step {
            goes_on: next.going_on().is_some(),
            state: GameState::compiled(self.rules(), *next),
            player: self.mover(),
            owner: self.owner(),
            ends: ends(&mv),
            effects: state.visible_effects(&mv),
            brief,
            long,
            comment: String::new(),
            played: GameMove::Compiled(mv),
        })
    }

    fn play_scripted(
        &self,
        state: &ScriptedState,
        text: &str,
        judging: Judging,
    ) -> Result<Step, PlayRefusal> {
        let Some(script) = self.script() else { return Err(PlayRefusal::Over) };
        if !state.is_undecided() {
            return Err(PlayRefusal::Over);
        }
        let written = scripted::labelled(&state.game, text);
        let player = scripted::mover(&state.game);
        let is_solver = self.rules().seat_of(player).is_some();
        let (next, reply) = match &script.problem {
            Some(problem) if judging == Judging::Judge && is_solver => {
                scripted::judged(script, problem, &state.game, &written)?
            }
            _ => (scripted::played(script, &state.game, &written)?, None),
        };
        Ok(self.scripted_step(script, &state.game, next, reply))
    }

    fn scripted_step(
        &self,
        script: &Script,
        before: &Game,
        next: Game,
        reply: Option<String>,
    ) -> Step {
        let TurnText { text, comment } = next.turns().last().cloned().unwrap_or_default();
        let player = Some(scripted::mover(before));
        let changes = effects::of_turn(script, before, &next);
        let before = script.problem.is_some().then(|| Box::new(before.clone()));
        let mut state = GameState::scripted(self.rules(), next);
        if let Inner::Scripted(it) = &mut state.inner {
            (it.reply, it.before) = (reply, before);
        }
        Step {
            state,
            played: GameMove::Scripted(text.clone()),
            brief: short_turn(&text),
            long: text,
            comment,
            player,
            owner: player,
            goes_on: false,
            ends: changes.first().map(effects::sites).unwrap_or_default(),
            effects: changes,
        }
    }

    /// Plays a move again that was played in this very state before.
    pub fn replay(&mut self, played: &GameMove) -> Result<(), PlayRefusal> {
        match (&mut self.inner, played) {
            (Inner::Compiled(state), GameMove::Compiled(mv)) => {
                let done = state.play_unchecked(mv);
                done.map(|_| ()).map_err(|it| self.rules().halted(&it))
            }
            (Inner::Scripted(state), GameMove::Scripted(text)) => {
                let (text, state) = (text.clone(), state.clone());
                *self = self.play_scripted(&state, &text, Judging::Trust)?.state;
                Ok(())
            }
            _ => Err(PlayRefusal::Over),
        }
    }
}

/// Where a move begins and ends for the eye: its key movement, or the first piece that appears.
fn ends(mv: &Move) -> Vec<Site> {
    let (from, to) = mv.key_sites();
    let made = mv.effects.iter().find_map(|it| match *it {
        Effect::Create { site, .. }
        | Effect::GiveTo { site, .. }
        | Effect::TurnInto { site, .. }
        | Effect::Flip { site }
        | Effect::Capture { site } => Some(site),
        _ => None,
    });
    from.into_iter().chain(to.or(made)).collect()
}

/// A turn of a preset for a list: separators that only programs need are left out.
pub fn short_turn(text: &str) -> String {
    let parts: Vec<String> = text.split(';').map(|it| it.trim().replace('-', "–")).collect();
    parts.join(" ")
}
