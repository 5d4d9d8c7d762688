//! Finding legal moves by what a person types, and their texts for lists.

use boardwright_play::MoveList;

use crate::{
    game_state::{GameState, Inner},
    legal::{LegalMoves, List},
};

impl GameState {
    /// The text of one of the legal moves for a list of moves: as records have it, without the
    /// parts that players need not see.
    pub fn shown_text(&self, legal: &LegalMoves, idx: usize) -> Option<String> {
        match (&self.inner, &legal.list) {
            (Inner::Compiled(state), List::Compiled(list)) => {
                list.get(idx).map(|it| state.shown_text(it))
            }
            _ => self.move_text(legal, idx),
        }
    }

    /// The indices of the legal moves that a text may mean: one if it is the whole text of a
    /// move, several if it is a short form such as `e4` that fits several moves.
    pub fn matching_moves(&self, legal: &LegalMoves, text: &str) -> Vec<usize> {
        match (&self.inner, &legal.list) {
            (Inner::Compiled(state), List::Compiled(list)) => {
                let found = state.find_in(list, text).and_then(|it| index_of(list, it));
                found.map_or_else(|| state.meant_in(list, text), |it| vec![it])
            }
            (Inner::Scripted(_), List::Scripted(list)) => {
                list.iter().position(|it| it.text == text.trim()).into_iter().collect()
            }
            _ => Vec::new(),
        }
    }

    /// The indices of the legal moves whose text is most similar to `text`, at most `n`, the
    /// most similar first. None for presets, whose code says what is wrong with a turn.
    pub fn similar_moves(&self, legal: &LegalMoves, text: &str, n: usize) -> Vec<usize> {
        match (&self.inner, &legal.list) {
            (Inner::Compiled(state), List::Compiled(list)) => state.nearest_numbers(list, text, n),
            _ => Vec::new(),
        }
    }
}

/// The index of a move of the list.
fn index_of(list: &MoveList, mv: &boardwright_play::Move) -> Option<usize> {
    list.iter().position(|it| std::ptr::eq(it, mv))
}
