//! The contenders of a match: engines and other programs that choose moves.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

use anyhow::{Context, Result, bail};
use boardwright_engine::{Engine, Limits, Settings, Stop};
use boardwright_game::Player;
use boardwright_play::{Move, MoveList, Rules, SplitMix64, State};
use boardwright_rules::{GameState, LegalMoves};

use super::{
    program::Program,
    spec::{ContenderKind, ContenderSpec, ProgramSpec},
};
use crate::{
    codec::{self, Dialect},
    source, tuned,
};

/// A contender: something that chooses moves.
pub(crate) struct Contender {
    limits: Limits,
    rng: SplitMix64,
    chooser: Chooser,
}

enum Chooser {
    Random,
    Greedy(Box<Engine>),
    Engine(Box<Engine>, Box<Settings>),
    Program(ProgramSpec, Option<Program>),
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
        rules: &Arc<Rules>,
        limits: &Limits,
    ) -> Result<Contender> {
        let mut limits = limits.clone();
        let chooser = match &spec.kind {
            ContenderKind::Random => Chooser::Random,
            ContenderKind::Greedy => {
                let settings = Settings { memory: 1 << 16, ..Settings::default() };
                Chooser::Greedy(Box::new(Engine::new(Arc::clone(rules), settings)))
            }
            ContenderKind::Engine { settings, limits: own, is_plain } => {
                if *own != Limits::default() {
                    limits = own.clone();
                }
                let engine = match is_plain {
                    true => Engine::new(Arc::clone(rules), (**settings).clone()),
                    false => {
                        let shelf = tuned::shelf();
                        let mut engine = shelf.engine(Arc::clone(rules), (**settings).clone());
                        if engine.wants_trial(&limits) {
                            shelf.try_out(&mut engine, &Stop::default());
                        }
                        engine
                    }
                };
                Chooser::Engine(Box::new(engine), settings.clone())
            }
            ContenderKind::Program(spec) => {
                Chooser::Program(spec.clone(), Some(Program::start(spec)?))
            }
        };
        Ok(Contender { limits, rng: SplitMix64::new(0), chooser })
    }

    /// An engine as a contender.
    pub(crate) fn of(engine: Engine, limits: &Limits) -> Contender {
        let settings = Box::new(engine.settings().clone());
        let chooser = Chooser::Engine(Box::new(engine), settings);
        Contender { limits: limits.clone(), rng: SplitMix64::new(0), chooser }
    }

    /// The limits of each of its moves.
    pub(crate) fn limits(&self) -> &Limits {
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
            Chooser::Engine(engine, settings) => {
                engine.set(Settings { seed, ..(**settings).clone() });
                engine.forget();
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
    ) -> Result<Answer> {
        let (state, list) = (source::engine_state(state)?, source::engine_moves(legal)?);
        match &mut self.chooser {
            Chooser::Random => Ok(Answer::Move(self.rng.below(list.len()))),
            Chooser::Greedy(engine) => Ok(Answer::Move(greedy(engine, state, list, &mut self.rng))),
            Chooser::Engine(engine, _) => {
                let (limits, stop) = (&self.limits, Stop::default());
                let thought = AssertUnwindSafe(|| engine.think(state, limits, &stop, &mut |_| {}));
                // A panic in the engine loses this game; the match continues.
                let Ok(report) = catch_unwind(thought) else {
                    let (rules, settings) = (Arc::clone(state.rules()), engine.settings().clone());
                    **engine = tuned::shelf().engine(rules, settings);
                    bail!("the engine failed");
                };
                let best = report.best.as_ref();
                let found = best.and_then(|best| list.iter().position(|it| it == best));
                let text = || best.map_or("no move".to_owned(), |it| state.move_text(it));
                Ok(found.map_or_else(|| Answer::Illegal(text()), Answer::Move))
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
                let found = codec::decode(state, list, &word);
                Ok(found.map_or_else(|_| Answer::Illegal(word), Answer::Move))
            }
        }
    }
}

/// The index of the move with the best static evaluation for the mover, chosen at random
/// among equals. A win is preferred to everything, an immediate loss to nothing.
fn greedy(engine: &Engine, state: &State, list: &MoveList, rng: &mut SplitMix64) -> usize {
    let Some(mover) = state.mover() else { return 0 };
    let mut at = state.clone();
    let mut best = (i32::MIN, 0, 0);
    for (idx, mv) in list.iter().enumerate() {
        let worth = worth(engine, &mut at, mv, mover);
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

fn worth(engine: &Engine, at: &mut State, mv: &Move, mover: Player) -> i32 {
    let Ok(undo) = at.play_unchecked(mv) else { return i32::MIN };
    let worth = match at.outcome().ok().flatten() {
        Some(it) if it.is_won_by(mover) => i32::MAX,
        Some(it) if it.is_lost_by(mover) => i32::MIN + 1,
        Some(_) => 0,
        None => engine.glance(at, mover).original(),
    };
    at.undo(undo);
    worth
}
