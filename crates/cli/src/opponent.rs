//! The engine as an opponent in `play`, and as an adviser.

use std::{sync::Arc, time::Duration};

use anyhow::Result;
use boardwright_engine::{Engine, Limits, Report, Settings, Stop};
use boardwright_game::PieceKind;
use boardwright_play::{Move, State};
use boardwright_text::render::printable;

use crate::lines;

/// Who makes a player's moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Seat {
    Person,
    Random,
    Engine,
}

/// A letter for each player, as saves have them: who is played by a computer.
pub(crate) fn letters(seats: &[Seat]) -> String {
    seats.iter().map(|it| if *it == Seat::Person { 'H' } else { 'C' }).collect()
}

/// An engine that is made when it is first needed.
pub(crate) struct Opponent {
    engine: Option<Engine>,
    pub level: u8,
    pub variety: u8,
    pub time: Duration,
    seed: u64,
}

impl Opponent {
    pub(crate) fn new(level: u8, variety: u8, time: Duration, seed: u64) -> Opponent {
        Opponent { engine: None, level, variety, time, seed }
    }

    fn engine(&mut self, state: &State, settings: Settings) -> &mut Engine {
        let rules = state.rules();
        let engine =
            self.engine.get_or_insert_with(|| Engine::new(Arc::clone(rules), settings.clone()));
        engine.set(settings);
        engine
    }

    /// Forgets what it found out, for a new game.
    pub(crate) fn forget(&mut self) {
        if let Some(engine) = &mut self.engine {
            engine.forget();
        }
    }

    /// The move it plays; `None` if there is none.
    pub(crate) fn choose(&mut self, state: &State) -> Option<Move> {
        let settings = Settings {
            level: self.level,
            variety: self.variety,
            seed: self.seed,
            ..Settings::default()
        };
        self.think(state, settings).best
    }

    fn think(&mut self, state: &State, settings: Settings) -> Report {
        let limits = Limits::time(self.time);
        self.engine(state, settings).think(state, &limits, &Stop::default(), &mut |_| {})
    }

    /// What it would play itself, as well as it can, and what it thinks of that.
    pub(crate) fn hint(&mut self, state: &State) -> Option<String> {
        let report = self.think(state, Settings::default());
        let best = report.best?;
        let mut text = printable(&state.shown_text(&best));
        text.push_str(&format!("  ({})", lines::score_text(state, report.score)));
        let line = report.lines.first().map_or(&[][..], |it| &it.moves);
        if line.len() > 1 && line.first() == Some(&best) {
            let line = lines::cut(&lines::text(state, &line[..line.len().min(8)]), 100);
            text.push_str(&format!("\n  {line}"));
        }
        Some(text)
    }

    /// What each sort of piece is worth.
    pub(crate) fn values(&mut self, state: &State) -> Result<String> {
        let ruleset = state.ruleset();
        let mut values = self.engine(state, Settings::default()).piece_values();
        values.retain(|(kind, _)| !ruleset.pieces.get(kind.idx()).is_none_or(|it| it.is_dummy));
        let name = |it: PieceKind| printable(ruleset.translated(ruleset.piece_name(it)));
        let width = values.iter().map(|it| name(it.0).chars().count()).max().unwrap_or(0);
        // What must not be lost comes first, then the dearest.
        values.sort_by_key(|it| std::cmp::Reverse(it.1.map_or(i64::MAX, i64::from)));
        let row = |(kind, value): &(PieceKind, Option<i32>)| match value {
            Some(it) => format!("  {:width$}  {it:6}\n", name(*kind)),
            None => format!("  {:width$}  its loss ends the game\n", name(*kind)),
        };
        Ok(values.iter().map(row).collect())
    }
}
