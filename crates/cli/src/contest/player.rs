//! Those who take part in a match, each asked for moves in its way.

use std::sync::Arc;

use anyhow::{Context, Result};
use boardwright_engine::{Engine, Limits, Settings, Stop};
use boardwright_game::Player;
use boardwright_play::{Move, MoveList, Rules, SplitMix64, State};

use super::{
    program::Program,
    spec::{self, Kind, Spec},
};
use crate::codec::{self, Dialect};

/// What a piece is worth to the greedy whose loss ends the game.
const ROYAL: i64 = 1_000_000;

/// Somebody who is asked for moves.
pub(crate) struct Contender {
    limits: Limits,
    rng: SplitMix64,
    mind: Mind,
}

enum Mind {
    Random,
    Greedy(Vec<i64>),
    Engine(Box<Engine>, Box<Settings>),
    Program(spec::Program, Option<Program>),
}

/// An answer to the question for a move.
pub(crate) enum Answer {
    /// The number of a legal move.
    Move(usize),
    /// Something that is no legal move.
    Illegal(String),
}

impl Contender {
    /// Makes a contender ready; `limits` hold where its spec says nothing else.
    pub(crate) fn new(spec: &Spec, rules: &Arc<Rules>, limits: &Limits) -> Result<Contender> {
        let mut limits = limits.clone();
        let mind = match &spec.kind {
            Kind::Random => Mind::Random,
            Kind::Greedy => {
                let engine = Engine::new(Arc::clone(rules), Settings::default());
                let values = engine.piece_values().into_iter();
                Mind::Greedy(values.map(|(_, it)| it.map_or(ROYAL, i64::from)).collect())
            }
            Kind::Engine { settings, limits: own } => {
                if *own != Limits::default() {
                    limits = own.clone();
                }
                let engine = Engine::new(Arc::clone(rules), (**settings).clone());
                Mind::Engine(Box::new(engine), settings.clone())
            }
            Kind::Program(spec) => Mind::Program(spec.clone(), Some(Program::start(spec)?)),
        };
        Ok(Contender { limits, rng: SplitMix64::new(0), mind })
    }

    /// The limits that are kept, or not.
    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The language in which it must be told the moves, if it must.
    pub(crate) fn dialect(&self) -> Option<Dialect> {
        match &self.mind {
            Mind::Program(spec, _) => Some(spec.dialect),
            _ => None,
        }
    }

    /// How many moves our own engine found that the rules refuse.
    pub(crate) fn n_refused(&self) -> u64 {
        match &self.mind {
            Mind::Engine(engine, _) => engine.n_refused(),
            _ => 0,
        }
    }

    /// Begins a game.
    pub(crate) fn new_game(&mut self, seed: u64) -> Result<()> {
        self.rng = SplitMix64::new(seed);
        match &mut self.mind {
            Mind::Random | Mind::Greedy(_) => {}
            Mind::Engine(engine, settings) => {
                engine.set(Settings { seed, ..(**settings).clone() });
                engine.forget();
            }
            Mind::Program(spec, program) => {
                // After a crash it gets another chance in the next game.
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

    /// Asks for a move. `words` are all moves so far, in the contender's language.
    pub(crate) fn choose(
        &mut self,
        state: &State,
        list: &MoveList,
        words: &[String],
    ) -> Result<Answer> {
        match &mut self.mind {
            Mind::Random => Ok(Answer::Move(self.rng.below(list.len()))),
            Mind::Greedy(values) => Ok(Answer::Move(greedy(state, list, values, &mut self.rng))),
            Mind::Engine(engine, _) => {
                let report = engine.think(state, &self.limits, &Stop::default(), &mut |_| {});
                let best = report.best.as_ref();
                let found = best.and_then(|best| list.iter().position(|it| it == best));
                let text = || best.map_or("no move".to_owned(), |it| state.move_text(it));
                Ok(found.map_or_else(|| Answer::Illegal(text()), Answer::Move))
            }
            Mind::Program(_, program) => {
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

/// The number of the move after which who moves has most, chosen by lot among equals.
fn greedy(state: &State, list: &MoveList, values: &[i64], rng: &mut SplitMix64) -> usize {
    let Some(turn) = state.turn() else { return 0 };
    let (mover, owner) = (turn.mover, turn.owner);
    let mut at = state.clone();
    let mut best = (i64::MIN, 0, 0);
    for (idx, mv) in list.iter().enumerate() {
        let worth = worth(&mut at, mv, mover, owner, values);
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

fn worth(at: &mut State, mv: &Move, mover: Player, owner: Player, values: &[i64]) -> i64 {
    let Ok(undo) = at.play_unchecked(mv) else { return i64::MIN };
    let outcome = at.outcome().ok().flatten();
    let worth = match outcome {
        Some(it) if it.is_won_by(mover) => ROYAL * 1000,
        Some(it) if it.is_lost_by(mover) => -ROYAL * 1000,
        Some(_) => 0,
        None => {
            let players = &at.ruleset().players;
            let sign = |it: Player| match players.get(it.idx()) {
                _ if it == owner => 1,
                Some(info) if info.is_neutral || info.is_random => 0,
                _ => -1,
            };
            let value = |kind: usize| values.get(kind).copied().unwrap_or(0);
            let pieces = at.placement().pieces();
            let placed: i64 = pieces.map(|(_, it)| sign(it.owner) * value(it.kind.idx())).sum();
            let all = at.ruleset().all_players();
            let hand = |player: Player| -> i64 {
                let kinds = (0..values.len()).map(|it| boardwright_game::PieceKind(it as u16));
                let kinds = kinds.map(|it| i64::from(at.hand(player, it)) * value(it.idx()));
                kinds.sum::<i64>() * sign(player)
            };
            placed + all.map(hand).sum::<i64>()
        }
    };
    at.undo(undo);
    worth
}
