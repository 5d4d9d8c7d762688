//! Learning from games of its own what pieces and places are worth.
//!
//! The engine plays quick games against itself. Each state that was not in the middle of an
//! exchange is noted with how the game ended. Then the worth of kinds and places is moved,
//! away from what the rules suggest, to where it foretells the results best, and the less
//! the rarer something was seen.

use std::sync::Arc;

use boardwright_fast::GameTree;
use boardwright_game::{PieceKind, Player, Site};
use boardwright_play::{Rules, SplitMix64, State};

use crate::{
    engine::{Engine, Method, Settings},
    likeness::mirror,
    limits::{Limits, Stop},
    tuned::{MOST, Tuned},
};

/// A state of a game and what came of it.
struct Sample {
    /// What it seemed worth to the first player, before training.
    base: f32,
    /// What the first player got: 1, 0.5 or 0.
    result: f32,
    /// How early it was: 1 with all pieces, 0 with none.
    early: f32,
    /// How much it counts: long games do not count more than short ones.
    weight: f32,
    /// Where its part of the marks begins.
    first: usize,
}

/// A piece in a sample.
#[derive(Clone, Copy)]
struct Mark {
    kind: u16,
    /// The number of its place; `u32::MAX` in hand.
    place: u32,
    /// 1 for the first player's, -1 for the second's.
    sign: f32,
}

/// Somebody who plays games and learns from them.
pub struct Trainer {
    engine: Engine,
    /// As it was before training: what all samples are measured by.
    plain: Engine,
    first: Player,
    second: Player,
    /// For the second player's places: the first player's that are like them.
    mirror: Option<Vec<Site>>,
    samples: Vec<Sample>,
    marks: Vec<Mark>,
    n_games: u64,
    seed: u64,
}

/// Longer games count as drawn.
const LONGEST: u32 = 300;
/// What a game counts, in states.
const GAME_COUNTS: f32 = 8.0;
/// How far values of kinds and of places may be expected to be off.
const KIND_SPREAD: f32 = 60.0;
const PLACE_SPREAD: f32 = 20.0;
/// How often all samples are gone through.
const ROUNDS: usize = 120;
/// More is not kept.
const MOST_MARKS: usize = 60_000_000;

impl Trainer {
    /// Somebody for these rules; `None` where nothing can be learned: games for one, for
    /// more than two, and those without pieces.
    pub fn new(rules: &Arc<Rules>, seed: u64) -> Option<Trainer> {
        let settings = Settings { method: Method::Search, memory: 8 << 20, ..Settings::default() };
        let engine = Engine::new(Arc::clone(rules), settings);
        let small = Settings { memory: 1 << 16, ..Settings::default() };
        let plain = Engine::new(Arc::clone(rules), small);
        let [first, second] = *engine.movers() else { return None };
        let mirror = mirror(&rules.ruleset, first, second);
        let (samples, marks) = (Vec::new(), Vec::new());
        let is_empty = rules.ruleset.pieces.is_empty();
        let n_games = 0;
        let it = Trainer { engine, plain, first, second, mirror, samples, marks, n_games, seed };
        (!is_empty).then_some(it)
    }

    /// How many games were played, and how many states of them are known.
    pub fn counts(&self) -> (u64, usize) {
        (self.n_games, self.samples.len())
    }

    /// Plays a game against itself, looking at so many states a move.
    pub fn play(&mut self, nodes: u64, stop: &Stop) {
        let number = self.n_games;
        self.n_games += 1;
        let mut rng = SplitMix64::new(self.seed ^ (number << 17));
        let mut state = State::start_of(Arc::clone(self.engine.rules()));
        let seed = rng.next_u64();
        self.engine.set(Settings { seed, variety: 2, ..self.engine.settings().clone() });
        self.engine.forget();
        let by_lot = 2 + rng.below(8) as u32;
        let (begin, begin_marks) = (self.samples.len(), self.marks.len());
        let mut result = 0.5;
        for ply in 0..LONGEST {
            let Ok(list) = state.legal_moves() else { break };
            match state.outcome_given(&list) {
                Ok(None) => {}
                Ok(Some(outcome)) => {
                    let won = outcome.is_won_by(self.first);
                    let lost = outcome.is_lost_by(self.first);
                    result = if won {
                        1.0
                    } else if lost {
                        0.0
                    } else {
                        0.5
                    };
                    break;
                }
                Err(_) => break,
            }
            let mv = if state.is_chance() || ply < by_lot {
                list.drawn(rng.below(list.total_weight() as usize) as u64).cloned()
            } else {
                let report = self.engine.think(&state, &Limits::nodes(nodes), stop, &mut |_| {});
                let is_quiet = |it: &boardwright_play::Move| {
                    it.captures().next().is_none() && it.promotion().is_none()
                };
                if report.best.as_ref().is_some_and(is_quiet) && report.score.hundredths().is_some()
                {
                    self.note(&state);
                }
                report.best
            };
            let Some(mv) = mv else { break };
            if stop.is_stopped() || state.play_unchecked(&mv).is_err() {
                self.samples.truncate(begin);
                self.marks.truncate(begin_marks);
                return;
            }
        }
        let weight = GAME_COUNTS / (self.samples.len() - begin).max(1) as f32;
        for it in &mut self.samples[begin..] {
            it.result = result;
            it.weight = weight.min(1.0);
        }
    }

    fn note(&mut self, state: &State) {
        if self.marks.len() > MOST_MARKS {
            return;
        }
        let tree = GameTree::new(None, state);
        let (base, early) = self.plain.appraise(&tree, self.first);
        let sample = Sample { base, early, result: 0.5, weight: 1.0, first: self.marks.len() };
        self.samples.push(sample);
        let n_kinds = self.engine.rules().ruleset.pieces.len() as u16;
        for (site, piece) in state.placement().pieces() {
            if let Some(sign) = self.sign(piece.owner) {
                let place = self.place(piece.owner, piece.kind, site);
                self.marks.push(Mark { kind: piece.kind.0, place, sign });
            }
        }
        for player in [self.first, self.second] {
            for kind in (0..n_kinds).map(PieceKind) {
                let held = state.hand(player, kind).min(40) as f32;
                if held > 0.0 {
                    let sign = self.sign(player).unwrap_or(0.0) * held;
                    self.marks.push(Mark { kind: kind.0, place: u32::MAX, sign });
                }
            }
        }
    }

    fn sign(&self, player: Player) -> Option<f32> {
        match player {
            _ if player == self.first => Some(1.0),
            _ if player == self.second => Some(-1.0),
            _ => None,
        }
    }

    /// The number of a piece on a site; places that are like each other share one.
    fn place(&self, player: Player, kind: PieceKind, site: Site) -> u32 {
        let ruleset = &self.engine.rules().ruleset;
        let (n_kinds, n_sites) = (ruleset.pieces.len(), ruleset.board.n_sites());
        let (player, site) = match &self.mirror {
            Some(mirror) if player == self.second => {
                (self.first, mirror.get(site.idx()).copied().unwrap_or(site))
            }
            _ => (player, site),
        };
        ((player.idx() * n_kinds + kind.idx()) * n_sites + site.idx()) as u32
    }

    /// What all games so far teach.
    pub fn learn(&self) -> Tuned {
        let ruleset = &self.engine.rules().ruleset;
        let (n_kinds, n_sites) = (ruleset.pieces.len(), ruleset.board.n_sites());
        let n_places = ruleset.players.len() * n_kinds * n_sites;
        let mut fit = Fit::new(self, n_kinds, n_places);
        fit.run(ROUNDS);
        let round = |it: f32| (it.round() as i32).clamp(-i32::from(MOST), i32::from(MOST)) as i16;
        let mut squares = vec![[0; 2]; n_places];
        for player in [self.first, self.second] {
            for kind in (0..n_kinds as u16).map(PieceKind) {
                for site in ruleset.board.all_sites() {
                    let from = self.place(player, kind, site) as usize;
                    let own = (player.idx() * n_kinds + kind.idx()) * n_sites + site.idx();
                    squares[own] = fit.places[from].map(round);
                }
            }
        }
        let kinds = fit.kinds.iter().map(|&it| round(it)).collect();
        Tuned { kinds, squares, ..Tuned::of(ruleset) }
    }

    /// Goes on playing with what was learned.
    pub fn adopt(&mut self, tuned: &Tuned) {
        let rules = Arc::clone(self.engine.rules());
        self.engine = Engine::with_tuned(rules, self.engine.settings().clone(), tuned);
    }
}

/// Values under way to where they foretell results best.
struct Fit<'a> {
    trainer: &'a Trainer,
    kinds: Vec<f32>,
    places: Vec<[f32; 2]>,
    /// How far ahead makes the result clear.
    scale: f32,
}

impl<'a> Fit<'a> {
    fn new(trainer: &'a Trainer, n_kinds: usize, n_places: usize) -> Fit<'a> {
        let (kinds, places) = (vec![0.0; n_kinds], vec![[0.0; 2]; n_places]);
        let mut fit = Fit { trainer, kinds, places, scale: 100.0 };
        let scales = [40.0, 60.0, 90.0, 130.0, 200.0, 300.0, 450.0, 700.0, 1000.0];
        let mut best = (f32::MAX, fit.scale);
        for scale in scales {
            fit.scale = scale;
            let loss: f32 = trainer.samples.iter().map(|it| fit.miss(it, it.base).powi(2)).sum();
            if loss < best.0 {
                best = (loss, scale);
            }
        }
        fit.scale = best.1;
        fit
    }

    /// How far the foretold result is from the true one.
    fn miss(&self, sample: &Sample, score: f32) -> f32 {
        sample.result - 1.0 / (1.0 + (-score / self.scale).exp())
    }

    fn marks(&self, idx: usize) -> &'a [Mark] {
        let samples = &self.trainer.samples;
        let end = samples.get(idx + 1).map_or(self.trainer.marks.len(), |it| it.first);
        &self.trainer.marks[samples[idx].first..end]
    }

    /// Steps along the slope, smaller for what was moved much already.
    fn run(&mut self, n_rounds: usize) {
        let mut kind_sum = vec![1e-9f32; self.kinds.len()];
        let mut place_sum = vec![[1e-9f32; 2]; self.places.len()];
        for round in 0..n_rounds {
            let mut kind_slope = vec![0.0f32; self.kinds.len()];
            let mut place_slope = vec![[0.0f32; 2]; self.places.len()];
            for (idx, sample) in self.trainer.samples.iter().enumerate() {
                let shares = [sample.early, 1.0 - sample.early];
                let mut score = sample.base;
                for mark in self.marks(idx) {
                    let place = self.places.get(mark.place as usize).copied().unwrap_or([0.0; 2]);
                    let worth = self.kinds[usize::from(mark.kind)]
                        + place[0] * shares[0]
                        + place[1] * shares[1];
                    score += mark.sign * worth;
                }
                let slope = self.miss(sample, score) * sample.weight / self.scale;
                for mark in self.marks(idx) {
                    kind_slope[usize::from(mark.kind)] += slope * mark.sign;
                    if let Some(it) = place_slope.get_mut(mark.place as usize) {
                        it[0] += slope * mark.sign * shares[0];
                        it[1] += slope * mark.sign * shares[1];
                    }
                }
            }
            let rate = 12.0 / (1.0 + round as f32 / 20.0);
            let step = |value: &mut f32, slope: f32, sum: &mut f32, spread: f32| {
                // What is seldom seen stays near to what the rules suggest.
                let slope = slope - *value / (spread * spread);
                *sum = *sum * 0.9 + slope * slope * 0.1;
                *value += rate * slope / sum.sqrt().max(1e-4);
            };
            for ((value, &slope), sum) in self.kinds.iter_mut().zip(&kind_slope).zip(&mut kind_sum)
            {
                step(value, slope, sum, KIND_SPREAD);
            }
            let places = self.places.iter_mut().zip(&place_slope).zip(&mut place_sum);
            for ((value, slope), sum) in places {
                for ((value, &slope), sum) in value.iter_mut().zip(slope).zip(sum) {
                    step(value, slope, sum, PLACE_SPREAD);
                }
            }
        }
    }
}
