//! Lines of play and scores, for people.

use boardwright_engine::Score;
use boardwright_play::{Move, State};
use boardwright_text::render::printable;

/// Moves one after the other as a move list shows them, `; ` between.
pub(crate) fn text(state: &State, moves: &[Move]) -> String {
    let mut at = state.clone();
    let mut texts = Vec::new();
    for mv in moves {
        texts.push(printable(&at.shown_text(mv)));
        if at.play_unchecked(mv).is_err() {
            break;
        }
    }
    texts.join("; ")
}

/// A score in words for who is to move, and as a number: `White is a little ahead, +0.52`.
pub(crate) fn score_text(state: &State, score: Score) -> String {
    let words = match state.mover() {
        Some(mover) => printable(&score.words(state.ruleset(), mover)),
        None => "even".to_owned(),
    };
    match score.hundredths() {
        Some(it) if it != 0 => format!("{words}, {:+.2}", f64::from(it) / 100.0),
        _ => words,
    }
}

/// As much of a text as fits into so many columns.
pub(crate) fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(width.saturating_sub(1)).collect();
    short.push('…');
    short
}

/// How wide the terminal is; `None` if standard output is none.
pub(crate) fn terminal_width() -> Option<usize> {
    use std::io::IsTerminal;
    let is_terminal = std::io::stdout().is_terminal();
    let size = || terminal_size::terminal_size().map_or(80, |(width, _)| usize::from(width.0));
    is_terminal.then(|| size().max(20))
}
