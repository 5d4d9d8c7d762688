//! The engine beside a game in the terminal: as an opponent, for hints, for piece values.

use std::{io::Write, sync::Arc, time::Duration};

use anyhow::{Context, Result};
use boardwright_engine::{
    Engine, EngineSettings, SearchLimits, SearchReport, StopFlag, TuningStore,
};
use boardwright_plugin::{GuardedEngine, PlayedLine};
use boardwright_referee::Match;
use boardwright_rules::{GameRules, GameState};
use boardwright_text::render::printable;

use crate::{analysis, source, tuning};

/// The highest level of the engine.
pub(super) const FULL_STRENGTH: u8 = 10;

/// An engine that is made when it is first needed, since many games are played without.
pub(super) struct Opponent {
    rules: Arc<GameRules>,
    /// Time per move.
    time: Duration,
    engine: Option<Box<Engine>>,
    /// An engine of others, which is asked first.
    outside: Option<GuardedEngine>,
}

impl Opponent {
    pub(super) fn new(rules: Arc<GameRules>, time: Duration) -> Opponent {
        Opponent { rules, time, engine: None, outside: None }
    }

    /// Lets an engine of others play, with ours beside it.
    pub(super) fn set_outside(&mut self, outside: Option<GuardedEngine>) {
        self.outside = outside;
    }

    /// Whether an engine of others plays.
    pub(super) fn has_outside(&self) -> bool {
        self.outside.is_some()
    }

    /// The time per move.
    pub(super) fn time(&self) -> Duration {
        self.time
    }

    /// The limits of a search.
    pub(super) fn limits(&self) -> SearchLimits {
        SearchLimits::time(self.time)
    }

    /// Takes the engine out, to search on another thread; [`Opponent::give_back`] returns it.
    pub(super) fn take(&mut self, level: u8, seed: u64) -> Result<Box<Engine>> {
        let mut engine = match self.engine.take() {
            Some(engine) => engine,
            None => {
                source::check_engine(&self.rules)?;
                let rules = Arc::clone(&self.rules);
                Box::new(tuning::folder().engine(rules, EngineSettings::default()))
            }
        };
        engine.set_settings(EngineSettings { level, seed, ..EngineSettings::default() });
        Ok(engine)
    }

    /// Returns the engine that was taken out.
    pub(super) fn give_back(&mut self, engine: Box<Engine>) {
        self.engine = Some(engine);
    }

    /// Searches at a level, from 1 to 10; tells `out` if the methods are compared first.
    fn think(
        &mut self,
        state: &GameState,
        level: u8,
        seed: u64,
        out: &mut dyn Write,
    ) -> Result<SearchReport> {
        let limits = self.limits();
        let mut engine = self.take(level, seed)?;
        if engine.needs_trial(&limits) {
            writeln!(out, "{}", tuning::TRYING)?;
            out.flush()?;
            tuning::folder().ensure_trial(&mut engine, &StopFlag::default());
        }
        let report = engine.think(state, &limits, &StopFlag::default(), &mut |_| {});
        self.give_back(engine);
        Ok(report)
    }

    /// The text of the move that the engine plays; `None` if there is no move.
    pub(super) fn choose(
        &mut self,
        (state, game): (&GameState, &Match),
        level: u8,
        seed: u64,
        out: &mut dyn Write,
    ) -> Result<Option<String>> {
        if let Some(mut outside) = self.outside.take() {
            let (mut engine, limits) = (self.take(level, seed)?, self.limits());
            let line = PlayedLine::of(game, game.current()).context("there is no record")?;
            let (legal, stop) = (state.legal_moves()?, StopFlag::default());
            let (at, how) = ((state, &legal), (&limits, 0));
            let report = outside.think(&mut engine, &line, at, how, &stop, &mut |_| {});
            self.give_back(engine);
            if let Some(notice) = outside.take_notice() {
                writeln!(out, "{}", printable(&notice))?;
            }
            self.outside = Some(outside);
            return Ok(report.best.map(|it| state.text_of(&it)));
        }
        let best = self.think(state, level, seed, out)?.best;
        Ok(best.map(|it| state.text_of(&it)))
    }

    /// Forgets what it found, for a new game.
    pub(super) fn clear(&mut self) {
        if let Some(engine) = &mut self.engine {
            engine.new_game();
        }
        if let Some(outside) = &mut self.outside {
            outside.new_game();
        }
    }

    /// What it would play, and its evaluation in words; `None` if there is no move.
    pub(super) fn hint(
        &mut self,
        state: &GameState,
        out: &mut dyn Write,
    ) -> Result<Option<String>> {
        let report = self.think(state, FULL_STRENGTH, 0, out)?;
        Ok(hint_text(state, &report))
    }

    /// A line for each kind of piece with its value.
    pub(super) fn values(&mut self) -> Result<Vec<String>> {
        let engine = self.take(FULL_STRENGTH, 0)?;
        let values = engine.piece_values();
        self.give_back(engine);
        let ruleset = self.rules.ruleset();
        let is_real = |idx: usize| ruleset.pieces.get(idx).is_some_and(|it| !it.is_dummy);
        let text = |(kind, value): (boardwright_game::PieceKind, Option<i32>)| {
            let name = printable(ruleset.translated(ruleset.piece_name(kind)));
            match value {
                Some(it) => format!("{it:>7}  {name}"),
                None => format!("{:>7}  {name}: without it the game is lost", "-"),
            }
        };
        Ok(values.into_iter().filter(|it| is_real(it.0.idx())).map(text).collect())
    }
}

/// A hint in words, from what a search found.
pub(super) fn hint_text(state: &GameState, report: &SearchReport) -> Option<String> {
    let best = printable(&state.shown_text_of(report.best.as_ref()?));
    let words = analysis::score_words(state, report.score);
    Some(format!("I would play {best} ({words})."))
}
