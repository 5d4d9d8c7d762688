//! What a search found, for the page: scores and lines as text.

use boardwright_engine::{Line, Score};
use boardwright_play::{Move, State};
use boardwright_protocol::{LineEnds, LineView, Purpose, ThinkingView};

use crate::{thinker::Progress, variant::Variant};

/// A proven win, less the moves it takes.
const WON: i32 = 100_000;
/// Moves of a line that are shown.
const SHOWN: usize = 12;

/// A score as hundredths for the first player.
pub(crate) fn hundredths(variant: &Variant, state: &State, score: Score) -> i32 {
    let value = match (score.wins_in(), score.loses_in()) {
        (Some(n), _) => WON - n.min(9999) as i32,
        (_, Some(n)) => n.min(9999) as i32 - WON,
        _ => score.hundredths().unwrap_or(0).clamp(20_000 - WON, WON - 20_000),
    };
    let is_first = state.mover() == variant.seats.first().copied();
    if is_first { value } else { -value }
}

/// A score in words: `White is well ahead`.
pub(crate) fn words(state: &State, score: Score) -> String {
    state.mover().map(|it| score.words(state.ruleset(), it)).unwrap_or_default()
}

/// The moves of a line as a list shows them.
pub(crate) fn short_moves(state: &State, moves: &[Move]) -> Vec<String> {
    let mut at = state.clone();
    let mut texts = Vec::new();
    for mv in moves.iter().take(SHOWN) {
        let Ok(list) = at.legal_moves() else { break };
        texts.push(at.brief_text(&list, mv));
        if at.play_unchecked(mv).is_err() {
            break;
        }
    }
    texts
}

pub(crate) fn line_view(variant: &Variant, state: &State, line: &Line) -> LineView {
    let (from, to) = line.moves.first().map_or((None, None), Move::key_sites);
    LineView {
        score: hundredths(variant, state, line.score),
        words: words(state, line.score),
        moves: short_moves(state, &line.moves),
        first: LineEnds { from: from.map(|it| it.0), to: to.map(|it| it.0) },
    }
}

/// How far a search is.
pub(crate) fn thinking_view(
    variant: &Variant,
    state: &State,
    progress: &Progress,
    seat: Option<u32>,
    purpose: Purpose,
    seconds: Option<f64>,
) -> ThinkingView {
    let best = progress.lines.first();
    let line = best.map(|it| short_moves(state, &it.moves)).unwrap_or_default();
    let fraction = seconds.map_or(0.0, |it| progress.time.as_secs_f64() / it.max(0.01));
    ThinkingView {
        seat,
        purpose,
        depth: progress.depth,
        nodes: progress.nodes,
        per_second: progress.per_second(),
        score: best.map(|it| words(state, it.score)).unwrap_or_default(),
        hundredths: best.map(|it| hundredths(variant, state, it.score)),
        fraction: fraction.clamp(0.0, 1.0),
        line: line.join(" "),
    }
}
