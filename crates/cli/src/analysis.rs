//! Search results as text: lines of play and scores.

use boardwright_engine::{Score, SearchLine};
use boardwright_rules::{GameMove, GameState};
use boardwright_text::render::printable;

/// The moves of a line as `play` shows them: `P e2 - e4 | P e7 - e5`.
pub(crate) fn moves_text(state: &GameState, moves: &[GameMove]) -> String {
    let mut at = state.clone();
    let mut texts = Vec::new();
    for mv in moves {
        texts.push(printable(&at.shown_text_of(mv)));
        if at.replay(mv).is_err() {
            break;
        }
    }
    texts.join(" | ")
}

/// A score as a number, in units of the cheapest piece, or the number of moves to the end.
pub(crate) fn score_text(score: Score) -> String {
    match (score.wins_in(), score.loses_in()) {
        (Some(n), _) => format!("win in {n}"),
        (_, Some(n)) => format!("loss in {n}"),
        _ => format!("{:+.2}", f64::from(score.hundredths().unwrap_or(0)) / 100.0),
    }
}

/// A score in words, from the view of the player to move: `White is well ahead`.
pub(crate) fn score_words(state: &GameState, score: Score) -> String {
    let words = state.mover().map(|it| score.words(state.rules().ruleset(), it));
    printable(&words.unwrap_or_default())
}

/// A line found by a search: its score and its moves.
pub(crate) fn line_text(state: &GameState, line: &SearchLine) -> String {
    let score = score_text(line.score);
    format!("{score:>10}  {}", moves_text(state, &line.moves))
}
