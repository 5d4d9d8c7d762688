//! An engine of others with ours beside it, which takes over when the other fails.

use std::{
    path::PathBuf,
    sync::Arc,
    time::{Duration, Instant},
};

use boardwright_engine::{Engine, SearchInfo, SearchLimits, SearchReport, StopFlag};
use boardwright_rules::{GameRules, GameState, LegalMoves};

use crate::{HostCommand, NativeEngine, PlayedLine, PluginFault};

/// What our engine has at least, when it takes over at the end of a move's time.
const LEAST: Duration = Duration::from_millis(150);
/// How long an engine may take to start where a search has no time limit.
const STARTING: Duration = Duration::from_secs(5);

/// An engine that can be started.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EngineSource {
    /// A shared library.
    Library {
        /// What loads it.
        host: HostCommand,
        /// The library.
        path: PathBuf,
    },
}

/// An engine of others that is running.
#[derive(Debug)]
pub enum OutsideEngine {
    /// A shared library in its host.
    Native(NativeEngine),
}

impl EngineSource {
    /// Starts the engine for a game, until a deadline.
    pub fn start(
        &self,
        rules: &Arc<GameRules>,
        until: Instant,
    ) -> Result<OutsideEngine, PluginFault> {
        match self {
            EngineSource::Library { host, path } => {
                NativeEngine::start(host, path, rules, until).map(OutsideEngine::Native)
            }
        }
    }
}

impl OutsideEngine {
    /// Searches at the end of a line; see [`NativeEngine::think`].
    pub fn think(
        &mut self,
        line: &PlayedLine,
        at: (&GameState, &LegalMoves),
        how: (&SearchLimits, u8),
        stop: &StopFlag,
        on_info: &mut dyn FnMut(&SearchInfo),
    ) -> Result<SearchReport, PluginFault> {
        match self {
            OutsideEngine::Native(it) => it.think(line, at, how, stop, on_info),
        }
    }

    /// Ends its process without another word.
    pub fn kill(self) {
        match self {
            OutsideEngine::Native(mut it) => it.kill(),
        }
    }
}

/// An engine of others, and ours beside it.
#[derive(Debug)]
pub struct GuardedEngine {
    /// What people call the engine.
    name: String,
    source: EngineSource,
    running: Option<OutsideEngine>,
    dropped: Option<PluginFault>,
    /// Whether the players were told that it was dropped.
    is_told: bool,
    rules: Arc<GameRules>,
}

impl GuardedEngine {
    /// An engine that is started when it is first asked.
    pub fn new(name: &str, source: EngineSource, rules: &Arc<GameRules>) -> GuardedEngine {
        GuardedEngine {
            name: name.to_owned(),
            source,
            running: None,
            dropped: None,
            is_told: false,
            rules: Arc::clone(rules),
        }
    }

    /// What people call the engine.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Why the engine was dropped, if it was.
    pub fn dropped(&self) -> Option<&PluginFault> {
        self.dropped.as_ref()
    }

    /// Gives a dropped engine another chance, in a new game.
    pub fn new_game(&mut self) {
        self.dropped = None;
        self.is_told = false;
    }

    /// Ends the process of the engine; the next search starts another.
    pub fn end(&mut self) {
        if let Some(it) = self.running.take() {
            it.kill();
        }
    }

    /// What the players are to read, once, after the engine was dropped.
    pub fn take_notice(&mut self) -> Option<String> {
        let fault = self.dropped.as_ref().filter(|_| !self.is_told)?;
        self.is_told = true;
        Some(format!(
            "The engine {} was dropped: {fault}. Boardwright's own engine plays on.",
            self.name
        ))
    }

    /// Searches; `own` is our engine, which searches if the other cannot.
    ///
    /// Returns within the time of the limits and half a second, whatever the engine does.
    pub fn think(
        &mut self,
        own: &mut Engine,
        line: &PlayedLine,
        (state, legal): (&GameState, &LegalMoves),
        (limits, variety): (&SearchLimits, u8),
        stop: &StopFlag,
        on_info: &mut dyn FnMut(&SearchInfo),
    ) -> SearchReport {
        let began = Instant::now();
        if legal.is_empty() {
            return own.think_among(state, legal, limits, stop, on_info);
        }
        if self.dropped.is_none() {
            match self.ask(line, (state, legal), (limits, variety), stop, on_info) {
                Ok(report) => return report,
                Err(fault) => {
                    self.end();
                    self.dropped = Some(fault);
                }
            }
        }
        let time = limits.time.map(|it| it.saturating_sub(began.elapsed()).max(LEAST));
        let limits = SearchLimits { time: time.or(Some(LEAST)), ..limits.clone() };
        // A player who wants a move now still wants a sensible one.
        let own_stop = if stop.is_stopped() { StopFlag::default() } else { stop.clone() };
        let limits = if stop.is_stopped() { SearchLimits::time(LEAST) } else { limits };
        own.think_among(state, legal, &limits, &own_stop, on_info)
    }

    /// Asks the engine itself.
    pub fn ask(
        &mut self,
        line: &PlayedLine,
        at: (&GameState, &LegalMoves),
        (limits, variety): (&SearchLimits, u8),
        stop: &StopFlag,
        on_info: &mut dyn FnMut(&SearchInfo),
    ) -> Result<SearchReport, PluginFault> {
        let began = Instant::now();
        let mut limits = limits.clone();
        let engine = match &mut self.running {
            Some(it) => it,
            None => {
                let until = began + limits.time.unwrap_or(STARTING).min(STARTING);
                let started = self.source.start(&self.rules, until)?;
                limits.time = limits.time.map(|it| it.saturating_sub(began.elapsed()));
                self.running.insert(started)
            }
        };
        engine.think(line, at, (&limits, variety), stop, on_info)
    }
}
