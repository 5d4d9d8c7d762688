//! Those who choose moves in a match.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

use anyhow::Result;
use boardwright_engine::{Engine, Limits, Settings, Stop};
use boardwright_game::Player as Side;
use boardwright_play::{Ending, MoveList, Rules, SplitMix64, State};

use super::{external::External, spec::Spec};
use crate::codec::{self, Dialect, Unclear};

/// Why there is no move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Fault {
    /// The rules do not have it.
    Illegal(String),
    /// There was no answer.
    Silent(String),
}

/// A player at the table, with all it needs.
pub(crate) struct Player {
    mind: Mind,
    pub limits: Limits,
    rng: SplitMix64,
    spec: Spec,
    rules: Arc<Rules>,
}

enum Mind {
    Own(Box<Engine>),
    Greedy(Box<Engine>),
    Random,
    External(Box<External>),
    /// It went away and must be started again.
    Gone,
}

impl Mind {
    fn new(spec: &Spec, rules: &Arc<Rules>) -> Result<Mind> {
        let engine = |settings: Settings| Box::new(Engine::new(Arc::clone(rules), settings));
        Ok(match spec {
            Spec::Own { settings, .. } => Mind::Own(engine(Settings::clone(settings))),
            Spec::Greedy => {
                Mind::Greedy(engine(Settings { memory: 1 << 20, ..Settings::default() }))
            }
            Spec::Random => Mind::Random,
            Spec::External { dialect, command, lines } => {
                Mind::External(Box::new(External::start(*dialect, command, lines)?))
            }
        })
    }
}

/// What is on the table: the state, and the moves so far in both dialects.
pub(crate) struct Table {
    pub state: State,
    pub ugi: Vec<String>,
    pub uci: Vec<String>,
}

impl Player {
    pub(crate) fn new(spec: &Spec, rules: &Arc<Rules>, limits: &Limits) -> Result<Player> {
        let own = match spec {
            Spec::Own { limits, .. } => limits.as_ref(),
            _ => None,
        };
        let limits = own.unwrap_or(limits).clone();
        let (spec, rules) = (spec.clone(), Arc::clone(rules));
        Ok(Player { mind: Mind::new(&spec, &rules)?, limits, rng: SplitMix64::new(0), spec, rules })
    }

    /// Forgets the last game. The same seed gives the same game, as far as limits allow.
    pub(crate) fn new_game(&mut self, seed: u64) -> Result<()> {
        self.rng = SplitMix64::new(seed);
        if matches!(self.mind, Mind::Gone) {
            self.mind = Mind::new(&self.spec, &self.rules)?;
        }
        match &mut self.mind {
            Mind::Own(engine) => {
                engine.forget();
                engine.set(Settings { seed, ..engine.settings().clone() });
            }
            Mind::External(program) => program.new_game()?,
            Mind::Greedy(_) | Mind::Random | Mind::Gone => {}
        }
        Ok(())
    }

    /// The number of the move it plays, of a list that is not empty.
    pub(crate) fn choose(&mut self, table: &Table, list: &MoveList) -> Result<usize, Fault> {
        match &mut self.mind {
            Mind::Random => Ok(self.rng.below(list.len())),
            Mind::Greedy(engine) => Ok(greedy(engine, &table.state, list, &mut self.rng)),
            Mind::Own(engine) => {
                let n_refused = engine.n_refused();
                // A bug is a lost game, and seen in the table; the match goes on.
                let thought = catch_unwind(AssertUnwindSafe(|| {
                    engine.think(&table.state, &self.limits, &Stop::default(), &mut |_| {})
                }));
                let Ok(report) = thought else {
                    self.mind = Mind::Gone;
                    return Err(Fault::Silent("the engine failed, which is a bug".to_owned()));
                };
                let found = report.best.and_then(|mv| list.iter().position(|it| *it == mv));
                match found.filter(|_| engine.n_refused() == n_refused) {
                    Some(idx) => Ok(idx),
                    None => Err(Fault::Illegal("a move that the rules refuse".to_owned())),
                }
            }
            Mind::External(program) => {
                let moves = match self.spec {
                    Spec::External { dialect: Dialect::Ugi, .. } => &table.ugi,
                    _ => &table.uci,
                };
                match program.choose(moves, &self.limits) {
                    Ok(word) => codec::decode(&table.state, list, &word).map_err(|why| match why {
                        Unclear::Unknown => Fault::Illegal(word),
                        Unclear::Several(_) => Fault::Illegal(format!("{word}, which is unclear")),
                    }),
                    Err(error) => {
                        self.mind = Mind::Gone;
                        Err(Fault::Silent(format!("{error:#}")))
                    }
                }
            }
            Mind::Gone => Err(Fault::Silent("the program went away".to_owned())),
        }
    }
}

/// The move after which the game looks best; of equal ones any.
fn greedy(engine: &Engine, state: &State, list: &MoveList, rng: &mut SplitMix64) -> usize {
    let Some(me) = state.mover() else { return 0 };
    let mut best: Vec<usize> = Vec::new();
    let mut best_score = i64::MIN;
    for (idx, mv) in list.iter().enumerate() {
        let mut next = state.clone();
        let Ok(_) = next.play_unchecked(mv) else { continue };
        let score = match next.outcome() {
            Ok(Some(outcome)) if outcome.ending == Ending::Draw => 0,
            Ok(Some(outcome)) if outcome.is_won_by(me) => i64::MAX,
            Ok(Some(_)) => i64::MIN + 1,
            _ => looks(engine, &next, me),
        };
        if score > best_score {
            best.clear();
            best_score = score;
        }
        if score == best_score {
            best.push(idx);
        }
    }
    best.get(rng.below(best.len())).copied().unwrap_or(0)
}

/// How a state looks to a side, without looking ahead.
fn looks(engine: &Engine, state: &State, me: Side) -> i64 {
    if codec::movers(state.ruleset()).len() == 2 && !state.is_chance() {
        let score = i64::from(engine.evaluate(state).original());
        return if state.mover() == Some(me) { score } else { -score };
    }
    // With more players: what is one's own, less what is others', by value.
    let values = engine.piece_values();
    let value = |kind: boardwright_game::PieceKind| {
        values.get(kind.idx()).and_then(|it| it.1).map_or(0, i64::from)
    };
    let pieces = state.placement().pieces();
    pieces.map(|(_, it)| if it.owner == me { value(it.kind) } else { -value(it.kind) }).sum()
}
