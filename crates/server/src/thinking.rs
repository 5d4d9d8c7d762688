//! The results of a search for the page: scores and lines as text.

use std::time::{Duration, Instant};

use boardwright_engine::{Score, SearchLine, StopFlag};
use boardwright_game::Player;
use boardwright_play::{Move, State};
use boardwright_preset::{
    Game,
    search::{self, Found, Values},
};
use boardwright_protocol::{LineEnds, LineView, Purpose, ThinkingView};
use boardwright_rules::short_turn;

use crate::{
    language::Playable,
    thinker::{Best, Findings, Job, Progress},
};

/// The score of a proven win, from which the number of moves until the win is subtracted.
const WON: i32 = 100_000;
/// Moves of a line that are shown.
const SHOWN: usize = 12;

/// A score in hundredths of the cheapest piece, from the first player's view.
pub(crate) fn hundredths(variant: &Playable, state: &State, score: Score) -> i32 {
    let value = match (score.wins_in(), score.loses_in()) {
        (Some(n), _) => WON - n.min(9999) as i32,
        (_, Some(n)) => n.min(9999) as i32 - WON,
        _ => score.hundredths().unwrap_or(0).clamp(20_000 - WON, WON - 20_000),
    };
    let is_first = state.mover() == variant.seats().first().copied();
    if is_first { value } else { -value }
}

/// A score in words: `White is well ahead`.
pub(crate) fn words(state: &State, score: Score) -> String {
    state.mover().map(|it| score.words(state.ruleset(), it)).unwrap_or_default()
}

/// The moves of a line in short notation.
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

pub(crate) fn line_view(variant: &Playable, state: &State, line: &SearchLine) -> LineView {
    let (from, to) = line.moves.first().map_or((None, None), Move::key_sites);
    LineView {
        score: hundredths(variant, state, line.score),
        words: words(state, line.score),
        moves: short_moves(state, &line.moves),
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

/// Searches a preset, whose code lists the legal moves, a few turns deep.
pub(crate) fn by_code(
    job: &Job,
    stop: &StopFlag,
    courier: &Playable,
    game: &Game,
    news: &mut dyn FnMut(&mut dyn FnMut() -> Progress),
) -> Findings {
    let began = Instant::now();
    let end = job.limits.time.map(|it| began + it);
    let mut is_over = || stop.is_stopped() || end.is_some_and(|it| Instant::now() >= it);
    let values = match courier.label_values.get() {
        Some(values) => values.clone(),
        None => {
            let start = courier.rules.as_preset().map_or(game, |it| it.start);
            let values = Values::measure(start, &mut is_over);
            // What was measured in a hurry is not kept.
            if !is_over() {
                let _ = courier.label_values.set(values.clone());
            }
            values
        }
    };
    let level = u32::from(job.level.clamp(1, 10));
    let limits = search::Limits {
        // The weakest levels search one move deep; at level 10 only the time limits.
        depth: job.limits.depth.unwrap_or(20).min(if level < 10 { level.div_ceil(2) } else { 20 }),
        nodes: u64::MAX,
        spread: ((10 - level) * 25 + u32::from(job.variety) * 20) as i32,
        seed: job.seed,
    };
    let seen = |found: &Found, time: Duration| {
        let line = line_of(courier, game, found);
        let lines = line.into_iter().collect();
        Progress { depth: found.depth, nodes: found.nodes, time, lines }
    };
    let found = search::think(game, &values, limits, &mut is_over, &mut |found| {
        news(&mut || seen(found, began.elapsed()));
    });
    let progress = seen(&found, began.elapsed());
    let best = found.line.first().map(|text| {
        let chosen = game.choices().unwrap_or_default();
        let chosen = chosen.into_iter().find(|it| it.text == *text);
        let from = chosen.as_ref().map(|it| it.from.index() as u16);
        let to = chosen.as_ref().map(|it| it.to.index() as u16);
        Best { text: text.clone(), from, to }
    });
    let why = progress.lines.first().map(|it| it.words.clone()).unwrap_or_default();
    Findings { progress, best, why }
}

fn line_of(courier: &Playable, game: &Game, found: &Found) -> Option<LineView> {
    let first = found.line.first()?;
    let sign = if game.mover() == 0 { 1 } else { -1 };
    let score = found.score.clamp(-WON, WON);
    let name = |it: usize| courier.player_name(Player(it as u8));
    let (mover, other) = (name(game.mover()), name(1 - game.mover()));
    let turns = |n: u32| n.div_ceil(2);
    let ahead = if score >= 0 { &mover } else { &other };
    let words = match (found.wins_in(), found.loses_in()) {
        (Some(n), _) => format!("{mover} wins in {}", turns(n)),
        (_, Some(n)) => format!("{other} wins in {}", turns(n)),
        _ if score.abs() < 80 => "About equal".to_owned(),
        _ if score.abs() < 300 => format!("{ahead} is a little ahead"),
        _ if score.abs() < 800 => format!("{ahead} is ahead"),
        _ => format!("{ahead} is well ahead"),
    };
    let board = game.preset().board();
    let head = first.split(';').next().unwrap_or("");
    let ends = head.rsplit_once('-').and_then(|(from, to)| {
        let from = board.space(from.split_whitespace().last()?)?;
        Some((from.index() as u16, board.space(to.trim())?.index() as u16))
    });
    Some(LineView {
        score: sign * score,
        words,
        moves: found.line.iter().take(SHOWN).map(|it| short_turn(it)).collect(),
        first: LineEnds { from: ends.map(|it| it.0), to: ends.map(|it| it.1) },
    })
}
