//! Moves and lines of play as a search gives them: the tree to search, and moves as text.

use boardwright_fast::{Fast, GameMove, GameTree};
use boardwright_game::Site;
use boardwright_play::SplitMix64;
use boardwright_text::StopSignal;

use crate::{
    game_state::{GameState, Inner},
    legal::{LegalMoves, List},
    scripted_tree::PresetTree,
    step::short_turn,
};

impl GameState {
    /// The tree of the game from here, for a search. `fast` is the fast form of the rules, if
    /// they have one. Where `legal` is given, those are the moves at the root.
    pub fn tree<'a>(&self, fast: Option<&'a Fast>, legal: Option<&LegalMoves>) -> GameTree<'a> {
        match &self.inner {
            Inner::Compiled(state) => GameTree::new(fast, state),
            Inner::Scripted(state) => {
                let choices = legal.and_then(|it| match &it.list {
                    List::Scripted(choices) => Some(choices.as_slice()),
                    List::Compiled(_) => None,
                });
                GameTree::scripted(Box::new(PresetTree::new(self.rules(), &state.game, choices)))
            }
        }
    }

    /// Sets what ends a run of a preset's code early, in this state and all that follow.
    pub fn stop_by(&mut self, stop: StopSignal) {
        match &mut self.inner {
            Inner::Compiled(state) => state.set_stop(stop),
            Inner::Scripted(state) => state.game.stop_by(stop),
        }
    }

    /// The text of a move of this state, as records have it.
    pub fn text_of(&self, mv: &GameMove) -> String {
        match (&self.inner, mv) {
            (Inner::Compiled(state), GameMove::Compiled(mv)) => state.move_text(mv),
            (_, GameMove::Scripted(text)) => text.clone(),
            (Inner::Scripted(_), GameMove::Compiled(_)) => String::new(),
        }
    }

    /// The same as people are shown it.
    pub fn shown_text_of(&self, mv: &GameMove) -> String {
        match (&self.inner, mv) {
            (Inner::Compiled(state), GameMove::Compiled(mv)) => state.shown_text(mv),
            _ => self.text_of(mv),
        }
    }

    /// The first moves of a line that begins here, each as a list beside a board has it.
    pub fn brief_line(&self, moves: &[GameMove], most: usize) -> Vec<String> {
        let mut texts = Vec::new();
        let mut at = match &self.inner {
            Inner::Compiled(state) => state.clone(),
            Inner::Scripted(_) => {
                let moves = moves.iter().take(most);
                return moves.map(|it| short_turn(&self.text_of(it))).collect();
            }
        };
        for mv in moves.iter().take(most).filter_map(GameMove::as_compiled) {
            let Ok(list) = at.legal_moves() else { break };
            texts.push(at.brief_text(&list, mv));
            if at.play_unchecked(mv).is_err() {
                break;
            }
        }
        texts
    }

    /// Where a move of this state begins and ends.
    pub fn key_sites_of(&self, mv: &GameMove) -> (Option<Site>, Option<Site>) {
        let text = match mv {
            GameMove::Compiled(mv) => return mv.key_sites(),
            GameMove::Scripted(text) => text,
        };
        let Some(script) = self.script() else { return (None, None) };
        let board = script.preset.board();
        let first = text.split(';').next().unwrap_or("");
        let site = |name: &str| board.space(name.trim()).map(crate::scripted::site);
        match first.rsplit_once('-') {
            Some((from, to)) => (from.split_whitespace().last().and_then(site), site(to)),
            None => (None, first.rsplit_once('*').and_then(|(_, to)| site(to))),
        }
    }
}

impl LegalMoves {
    /// A move of the list in full.
    pub fn get(&self, idx: usize) -> Option<GameMove> {
        match &self.list {
            List::Compiled(list) => list.get(idx).cloned().map(GameMove::Compiled),
            List::Scripted(list) => list.get(idx).map(|it| GameMove::Scripted(it.text.clone())),
        }
    }

    /// A move drawn by chance; one that the rules offer several times is drawn more often.
    pub fn drawn(&self, rng: &mut SplitMix64) -> Option<GameMove> {
        match &self.list {
            List::Compiled(list) => {
                let ticket = rng.below(list.total_weight() as usize) as u64;
                list.drawn(ticket).cloned().map(GameMove::Compiled)
            }
            List::Scripted(list) => self.get(rng.below(list.len())),
        }
    }

    /// The number of a move in the list.
    pub fn number_of(&self, mv: &GameMove) -> Option<usize> {
        match (&self.list, mv) {
            (List::Compiled(list), GameMove::Compiled(mv)) => list.iter().position(|it| it == mv),
            (List::Scripted(list), GameMove::Scripted(text)) => {
                list.iter().position(|it| it.text == *text)
            }
            _ => None,
        }
    }
}
