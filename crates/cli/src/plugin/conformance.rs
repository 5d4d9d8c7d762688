//! `boardwright plugin check`: a game for each seat, and everything the engine does wrong.

use std::{
    io::Write,
    process::ExitCode,
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::Result;
use boardwright_engine::{SearchLimits, StopFlag};
use boardwright_play::SplitMix64;
use boardwright_plugin::{
    EngineFile, EngineSource, LineStep, NativeEngine, OutsideEngine, PlayedLine, PluginFault,
};
use boardwright_rules::{GameRules, GameState, LegalMoves};
use boardwright_text::render::printable;

/// Time for a move.
const TIME: Duration = Duration::from_millis(200);
/// Time for a call that should return at once.
const CALL: Duration = Duration::from_secs(5);
/// Moves of a game.
const MOST_MOVES: usize = 200;

/// What a check found.
#[derive(Default)]
struct Findings {
    n_moves: usize,
    wrong: Vec<String>,
    slowest_call: Duration,
}

/// Checks an engine and prints what was found; the exit code is 1 if something is wrong.
pub(super) fn check(
    file: &EngineFile,
    source: &EngineSource,
    rules: &Arc<GameRules>,
    out: &mut dyn Write,
) -> Result<ExitCode> {
    writeln!(out, "{}, sha256 {}", file.path.display(), file.hash)?;
    let began = Instant::now();
    let OutsideEngine::Native(mut engine) = source.start(rules, began + CALL)?;
    writeln!(out, "starts in {:.1} ms", began.elapsed().as_secs_f64() * 1000.0)?;
    for it in engine.measures() {
        let sign = if it.is_on { "yes" } else { "not available here" };
        writeln!(out, "  {}: {sign}", it.name)?;
    }
    let has = |it: bool| if it { "offered" } else { "not offered" };
    writeln!(out, "legal moves by the engine: {}", has(engine.has_moves()))?;
    writeln!(out, "end of the game by the engine: {}", has(engine.has_game_over()))?;
    let mut findings = Findings::default();
    for seat in 0..rules.seats().len() {
        let name = rules.player_name(rules.seats()[seat]);
        match game(&mut engine, rules, seat, &mut findings) {
            Ok(how) => writeln!(out, "a game as {}: {how}", printable(&name))?,
            Err(fault) => {
                findings.wrong.push(format!("as {name}: {fault}"));
                break;
            }
        }
    }
    writeln!(
        out,
        "{} moves; a call takes {:.3} ms at most",
        findings.n_moves,
        findings.slowest_call.as_secs_f64() * 1000.0
    )?;
    for it in &findings.wrong {
        writeln!(out, "WRONG {}", printable(it))?;
    }
    if findings.wrong.is_empty() {
        writeln!(out, "Nothing is wrong.")?;
    }
    Ok(ExitCode::from(u8::from(!findings.wrong.is_empty())))
}

/// Plays a game: the engine for one seat, random moves for the others.
fn game(
    engine: &mut NativeEngine,
    rules: &Arc<GameRules>,
    seat: usize,
    findings: &mut Findings,
) -> Result<String, PluginFault> {
    let misfit = |why: &dyn std::fmt::Display| PluginFault::Misfit(why.to_string());
    let start = rules.start(1).map_err(|it| misfit(&it))?;
    let mut line = PlayedLine::beginning_at(start.clone());
    let mut state = start;
    let mut rng = SplitMix64::new(seat as u64 + 1);
    while line.steps.len() < MOST_MOVES {
        let legal = state.legal_moves().map_err(|it| misfit(&it))?;
        compare(engine, &line, &state, &legal, findings)?;
        if let Some(outcome) = &legal.outcome {
            return Ok(printable(&outcome.text));
        }
        let mv = if state.mover() == rules.seats().get(seat).copied() {
            findings.n_moves += 1;
            let limits = SearchLimits::time(TIME);
            let stop = StopFlag::default();
            let how = (&limits, 0);
            let report = engine.think(&line, (&state, &legal), how, &stop, &mut |_| {})?;
            report.best
        } else {
            legal.drawn(&mut rng)
        };
        let Some(mv) = mv else { return Ok("no moves".to_owned()) };
        let text = state.text_of(&mv);
        state.replay(&mv).map_err(|it| misfit(&it))?;
        line.steps.push(LineStep::Move(text));
    }
    Ok(format!("cut off after {MOST_MOVES} moves"))
}

/// Compares the optional routines with the rule file.
fn compare(
    engine: &mut NativeEngine,
    line: &PlayedLine,
    state: &GameState,
    legal: &LegalMoves,
    findings: &mut Findings,
) -> Result<(), PluginFault> {
    let after = |n: usize| format!("after {n} moves");
    if engine.has_moves() {
        let began = Instant::now();
        let theirs = engine.legal_texts(line, began + CALL)?;
        findings.slowest_call = findings.slowest_call.max(began.elapsed());
        let ours: Vec<String> =
            (0..legal.len()).filter_map(|it| state.move_text(legal, it)).collect();
        let missing = ours.iter().find(|it| !theirs.contains(it));
        let extra = theirs.iter().find(|it| !ours.contains(it));
        let at = after(line.steps.len());
        findings.wrong.extend(missing.map(|it| format!("{at} it does not list `{it}`")));
        findings
            .wrong
            .extend(extra.map(|it| format!("{at} it lists `{it}`, which the rules lack")));
    }
    if engine.has_game_over() {
        let verdict = engine.verdict(line, Instant::now() + CALL)?;
        let at = after(line.steps.len());
        match (verdict.score.is_some(), legal.outcome.is_some()) {
            (true, false) => findings.wrong.push(format!("{at} it says that the game is over")),
            (false, true) => findings.wrong.push(format!("{at} it says that the game goes on")),
            _ => {}
        }
    }
    Ok(())
}
