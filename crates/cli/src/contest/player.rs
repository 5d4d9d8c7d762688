//! The contenders of a match: engines and other programs that choose moves.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
    sync::Arc,
};

use anyhow::{Context, Result, bail};
use boardwright_engine::{Engine, EngineSettings, SearchLimits, StopFlag, TuningStore};
use boardwright_game::Player;
use boardwright_play::SplitMix64;
use boardwright_plugin::{GuardedEngine, PlayedLine, PluginFault};
use boardwright_referee::Match;
use boardwright_rules::{GameMove, GameRules, GameState, LegalMoves};

use super::{
    program::Program,
    spec::{ContenderKind, ContenderSpec, ProgramSpec},
};
use crate::{codec::Dialect, plugin, source, tuning};

/// A contender: something that chooses moves.
pub(crate) struct Contender {
    limits: SearchLimits,
    rng: SplitMix64,
    chooser: Chooser,
}

enum Chooser {
    Random,
    Greedy(Box<Engine>),
    Engine(Box<Engine>, Box<EngineSettings>),
    Program(ProgramSpec, Option<Program>),
    Plugin(Box<GuardedEngine>),
}

/// What a contender answers when it is asked for a move.
pub(crate) enum Answer {
    /// The index of a legal move.
    Move(usize),
    /// Something that is not a legal move.
    Illegal(String),
}

impl Contender {
    /// Prepares a contender; `limits` apply if its spec has none.
    pub(crate) fn new(
        spec: &ContenderSpec,
        (rules, rule_file): (&Arc<GameRules>, &Path),
        limits: &SearchLimits,
    ) -> Result<Contender> {
        let mut limits = limits.clone();
        let chooser = match &spec.kind {
            ContenderKind::Random => Chooser::Random,
            ContenderKind::Greedy => {
                let settings = EngineSettings { memory: 1 << 16, ..EngineSettings::default() };
                Chooser::Greedy(Box::new(Engine::new(Arc::clone(rules), settings)))
            }
            ContenderKind::Engine { settings, limits: own, is_plain } => {
                if *own != SearchLimits::default() {
                    limits = own.clone();
                }
                let engine = match is_plain {
                    true => Engine::new(Arc::clone(rules), (**settings).clone()),
                    false => {
                        let tunings = tuning::folder();
                        let mut engine = tunings.engine(Arc::clone(rules), (**settings).clone());
                        if engine.needs_trial(&limits) {
                            tunings.ensure_trial(&mut engine, &StopFlag::default());
                        }
                        engine
                    }
                };
                Chooser::Engine(Box::new(engine), settings.clone())
            }
            ContenderKind::Plugin(name) => {
                Chooser::Plugin(Box::new(plugin::engine(name, rule_file, rules)?))
            }
            ContenderKind::Program(spec) => {
                Chooser::Program(spec.clone(), Some(Program::start(spec)?))
            }
        };
        Ok(Contender { limits, rng: SplitMix64::new(0), chooser })
    }

    /// An engine as a contender.
    pub(crate) fn of(engine: Engine, limits: &SearchLimits) -> Contender {
        let settings = Box::new(engine.settings().clone());
        let chooser = Chooser::Engine(Box::new(engine), settings);
        Contender { limits: limits.clone(), rng: SplitMix64::new(0), chooser }
    }

    /// The limits of each of its moves.
    pub(crate) fn limits(&self) -> &SearchLimits {
        &self.limits
    }

    /// The notation in which it must be given the moves, if it is another program.
    pub(crate) fn dialect(&self) -> Option<Dialect> {
        match &self.chooser {
            Chooser::Program(spec, _) => Some(spec.dialect),
            _ => None,
        }
    }

    /// The number of moves that our engine found but the rules refuse.
    pub(crate) fn n_refused(&self) -> u64 {
        match &self.chooser {
            Chooser::Engine(engine, _) => engine.n_refused(),
            _ => 0,
        }
    }

    /// Begins a game.
    pub(crate) fn new_game(&mut self, seed: u64) -> Result<()> {
        self.rng = SplitMix64::new(seed);
        match &mut self.chooser {
            Chooser::Random | Chooser::Greedy(_) => {}
            Chooser::Plugin(engine) => engine.new_game(),
            Chooser::Engine(engine, settings) => {
                engine.set_settings(EngineSettings { seed, ..(**settings).clone() });
                engine.new_game();
            }
            Chooser::Program(spec, program) => {
                // A program that crashed is started again for the next game.
                let running = match program {
                    Some(it) => it,
                    None => program.insert(Program::start(spec)?),
                };
                if let Err(error) = running.new_game() {
                    *program = None;
                    return Err(error);
                }
            }
        }
        Ok(())
    }

    /// Asks for a move. `words` are all moves so far, in the contender's notation.
    pub(crate) fn choose(
        &mut self,
        state: &GameState,
        legal: &LegalMoves,
        words: &[String],
        game: &Match,
    ) -> Result<Answer> {
        match &mut self.chooser {
            Chooser::Random => Ok(Answer::Move(self.rng.below(legal.len()))),
            Chooser::Greedy(engine) => {
                Ok(Answer::Move(greedy(engine, state, legal, &mut self.rng)))
            }
            Chooser::Engine(engine, _) => {
                let (limits, stop) = (&self.limits, StopFlag::default());
                let thought = AssertUnwindSafe(|| {
                    engine.think_among(state, legal, limits, &stop, &mut |_| {})
                });
                // A panic in the engine loses this game; the match continues.
                let Ok(report) = catch_unwind(thought) else {
                    let (rules, settings) = (Arc::clone(state.rules()), engine.settings().clone());
                    **engine = tuning::folder().engine(rules, settings);
                    bail!("the engine failed");
                };
                let best = report.best.as_ref();
                let found = best.and_then(|best| legal.number_of(best));
                let text = || best.map_or("no move".to_owned(), |it| state.text_of(it));
                Ok(found.map_or_else(|| Answer::Illegal(text()), Answer::Move))
            }
            Chooser::Plugin(engine) => {
                let line = PlayedLine::of(game, game.current()).context("there is no record")?;
                let (at, how) = ((state, legal), (&self.limits, 0));
                match engine.ask(&line, at, how, &StopFlag::default(), &mut |_| {}) {
                    Ok(report) => {
                        let found = report.best.and_then(|it| legal.number_of(&it));
                        Ok(found.map_or_else(|| Answer::Illegal(String::new()), Answer::Move))
                    }
                    Err(PluginFault::Illegal(text)) => Ok(Answer::Illegal(text)),
                    Err(fault) => {
                        engine.end();
                        Err(fault.into())
                    }
                }
            }
            Chooser::Program(_, program) => {
                let running = program.as_mut().context("the program has ended")?;
                let word = match running.choose(words, &self.limits) {
                    Ok(word) => word,
                    Err(error) => {
                        *program = None;
                        return Err(error);
                    }
                };
                let found = source::words::decode(state, legal, &word);
                Ok(found.map_or_else(|_| Answer::Illegal(word), Answer::Move))
            }
        }
    }
}

/// The index of the move with the best static evaluation for the mover, chosen at random
/// among equals. A win is preferred to everything, an immediate loss to nothing.
fn greedy(engine: &Engine, state: &GameState, legal: &LegalMoves, rng: &mut SplitMix64) -> usize {
    let Some(mover) = state.mover() else { return 0 };
    let mut best = (i32::MIN, 0, 0);
    for idx in 0..legal.len() {
        let worth = legal.get(idx).map_or(i32::MIN, |it| worth(engine, state, &it, mover));
        if worth > best.0 {
            best = (worth, idx, 1);
        } else if worth == best.0 {
            best.2 += 1;
            if rng.below(best.2) == 0 {
                best.1 = idx;
            }
        }
    }
    best.1
}

fn worth(engine: &Engine, state: &GameState, mv: &GameMove, mover: Player) -> i32 {
    let mut at = state.clone();
    let Some(legal) = at.replay(mv).ok().and_then(|()| at.legal_moves().ok()) else {
        return i32::MIN;
    };
    match &legal.outcome {
        Some(it) if it.winners.contains(&mover) => i32::MAX,
        Some(it) if it.losers.contains(&mover) => i32::MIN + 1,
        Some(_) => 0,
        None => engine.static_score(&at, mover).original(),
    }
}
