//! The results of a search for the page: scores and lines as text.

use boardwright_engine::{Score, SearchLine};
use boardwright_protocol::{LineEnds, LineView, Purpose, ThinkingView};
use boardwright_rules::GameState;

use crate::{language::Playable, thinker::Progress};

/// The score of a proven win, from which the number of moves until the win is subtracted.
const WON: i32 = 100_000;
/// Moves of a line that are shown.
const SHOWN: usize = 12;

/// A score in hundredths of the cheapest piece, from the first player's view.
pub(crate) fn hundredths(variant: &Playable, state: &GameState, score: Score) -> i32 {
    let value = match (score.wins_in(), score.loses_in()) {
        (Some(n), _) => WON - n.min(9999) as i32,
        (_, Some(n)) => n.min(9999) as i32 - WON,
        _ => score.hundredths().unwrap_or(0).clamp(20_000 - WON, WON - 20_000),
    };
    let is_first = state.mover() == variant.seats().first().copied();
    if is_first { value } else { -value }
}

/// A score in words: `White is well ahead`.
pub(crate) fn words(state: &GameState, score: Score) -> String {
    state.mover().map(|it| score.words(state.rules().ruleset(), it)).unwrap_or_default()
}

pub(crate) fn line_view(variant: &Playable, state: &GameState, line: &SearchLine) -> LineView {
    let first = line.moves.first();
    let (from, to) = first.map_or((None, None), |it| state.key_sites_of(it));
    LineView {
        score: hundredths(variant, state, line.score),
        words: words(state, line.score),
        moves: state.brief_line(&line.moves, SHOWN),
        first: LineEnds { from: from.map(|it| it.0), to: to.map(|it| it.0) },
    }
}

/// The progress of a search, as the page shows it.
pub(crate) fn thinking_view(
    progress: &Progress,
    seat: Option<u32>,
    purpose: Purpose,
    seconds: Option<f64>,
) -> ThinkingView {
    let best = progress.lines.first();
    let fraction = seconds.map_or(0.0, |it| progress.time.as_secs_f64() / it.max(0.01));
    ThinkingView {
        seat,
        purpose,
        depth: progress.depth,
        nodes: progress.nodes,
        per_second: progress.per_second(),
        score: best.map(|it| it.words.clone()).unwrap_or_default(),
        hundredths: best.map(|it| it.score),
        fraction: fraction.clamp(0.0, 1.0),
        line: best.map(|it| it.moves.join(" ")).unwrap_or_default(),
    }
}
