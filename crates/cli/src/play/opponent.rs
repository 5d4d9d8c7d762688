//! The engine at the table: as an opponent, for a hint, for the worth of pieces.

use std::{
    io::{self, Write},
    sync::Arc,
    time::Duration,
};

use boardwright_engine::{
    Engine, EngineSettings, SearchLimits, SearchReport, StopFlag, TuningStore,
};
use boardwright_play::{Rules, State};
use boardwright_text::render::printable;

use crate::{analysis, tuning};

/// The level that plays as well as it can.
pub(crate) const BEST: u8 = 10;

/// An engine that is made when it is first asked, since most tables need none.
pub(crate) struct Mind {
    rules: Arc<Rules>,
    /// Time for a move.
    time: Duration,
    engine: Option<Box<Engine>>,
}

impl Mind {
    pub(crate) fn new(rules: Arc<Rules>, time: Duration) -> Mind {
        Mind { rules, time, engine: None }
    }

    /// How long it may think about a move.
    pub(crate) fn time(&self) -> Duration {
        self.time
    }

    /// The rules it plays by.
    pub(crate) fn rules(&self) -> &Arc<Rules> {
        &self.rules
    }

    /// Where the engine is kept, for those who let it think elsewhere.
    pub(crate) fn engine_slot(&mut self) -> &mut Option<Box<Engine>> {
        &mut self.engine
    }

    fn engine(&mut self) -> &mut Engine {
        let make = || {
            Box::new(tuning::folder().engine(Arc::clone(&self.rules), EngineSettings::default()))
        };
        self.engine.get_or_insert_with(make)
    }

    /// Thinks at a level, from 1 to 10; says so if that takes longer than usual.
    pub(crate) fn think(
        &mut self,
        state: &State,
        level: u8,
        seed: u64,
        out: &mut dyn Write,
    ) -> io::Result<SearchReport> {
        let limits = SearchLimits::time(self.time);
        let engine = self.engine();
        engine.set_settings(EngineSettings { level, seed, ..EngineSettings::default() });
        if engine.needs_trial(&limits) {
            writeln!(out, "{}", tuning::TRYING)?;
            out.flush()?;
            tuning::folder().ensure_trial(engine, &StopFlag::default());
        }
        Ok(engine.think(state, &limits, &StopFlag::default(), &mut |_| {}))
    }

    /// Forgets what it found, for a new game.
    pub(crate) fn forget(&mut self) {
        if let Some(engine) = &mut self.engine {
            engine.new_game();
        }
    }

    /// What it would play, and what it thinks of the game; `None` if there is no move.
    pub(crate) fn hint(
        &mut self,
        state: &State,
        out: &mut dyn Write,
    ) -> io::Result<Option<String>> {
        let report = self.think(state, BEST, 0, out)?;
        let Some(best) = &report.best else { return Ok(None) };
        let best = printable(&state.shown_text(best));
        let words = analysis::score_words(state, report.score);
        Ok(Some(format!("I would play {best} ({words}).")))
    }

    /// A line for each sort of piece: what it is worth.
    pub(crate) fn values(&mut self) -> Vec<String> {
        let ruleset = Arc::clone(&self.rules.ruleset);
        let is_real = |idx: usize| ruleset.pieces.get(idx).is_some_and(|it| !it.is_dummy);
        let values = self.engine().piece_values().into_iter();
        let text = |(kind, value): (boardwright_game::PieceKind, Option<i32>)| {
            let name = printable(ruleset.translated(ruleset.piece_name(kind)));
            match value {
                Some(it) => format!("{it:>7}  {name}"),
                None => format!("{:>7}  {name}: without it the game is lost", "-"),
            }
        };
        values.filter(|it| is_real(it.0.idx())).map(text).collect()
    }
}
