//! Training: learning the values of kinds and sites from self-play (Texel tuning).
//!
//! The engine plays quick games against itself. Each quiet state is recorded with the result of
//! its game. Then the values are fitted by gradient descent so that the evaluation predicts
//! the results best; values of rare pieces and sites stay near those measured from the rules.

use std::sync::Arc;

use boardwright_game::{PieceKind, Player, Site};
use boardwright_play::SplitMix64;
use boardwright_rules::{GameMove, GameRules, GameState};

use crate::{
    engine::{Engine, EngineSettings, Method},
    limits::{SearchLimits, StopFlag},
    symmetry::mirror,
    tuning::{MOST_CHANGE, Tuning},
};

/// A state of a game and the result of the game.
struct Sample {
    /// The static evaluation for the first player before training, in points.
    base: f32,
    /// The result of the first player: 1, 0.5 or 0.
    result: f32,
    /// The phase: 1 with all pieces, 0 with none.
    phase: f32,
    /// The weight of the sample: long games weigh no more than short ones.
    weight: f32,
    /// The index of its first piece among those of all samples.
    first: usize,
}

/// A piece in a sample.
#[derive(Clone, Copy)]
struct SamplePiece {
    kind: u16,
    /// The index of its site value; `u32::MAX` in hand.
    place: u32,
    /// 1 for the first player's, -1 for the second's.
    sign: f32,
}

/// Plays games and learns from them.
pub struct Trainer {
    engine: Engine,
    /// The engine before training, which evaluates all samples.
    untrained: Engine,
    first: Player,
    second: Player,
    /// By site: the site of the first player that corresponds to one of the second player.
    mirror: Option<Vec<Site>>,
    samples: Vec<Sample>,
    pieces: Vec<SamplePiece>,
    n_games: u64,
    seed: u64,
}

/// Plies after which a game counts as drawn.
const LONGEST: u32 = 300;
/// Largest total weight of the samples of a game.
const GAME_WEIGHT: f32 = 8.0;
/// Standard deviation of the prior on values of kinds, in points.
const KIND_SPREAD: f32 = 60.0;
/// Standard deviation of the prior on values of sites, in points.
const SITE_SPREAD: f32 = 20.0;
/// Passes over all samples.
const EPOCHS: usize = 120;
/// Most pieces of samples that are kept in memory.
const MOST_PIECES: usize = 60_000_000;

impl Trainer {
    /// A trainer for these rules; `None` where nothing can be learned: games that are not for
    /// two players, and games without pieces.
    pub fn new(rules: &Arc<GameRules>, seed: u64) -> Option<Trainer> {
        let settings =
            EngineSettings { method: Method::Search, memory: 8 << 20, ..EngineSettings::default() };
        let engine = Engine::new(Arc::clone(rules), settings);
        let small = EngineSettings { memory: 1 << 16, ..EngineSettings::default() };
        let untrained = Engine::new(Arc::clone(rules), small);
        let [first, second] = *engine.movers() else { return None };
        let mirror = mirror(rules.ruleset(), first, second);
        let (samples, pieces) = (Vec::new(), Vec::new());
        let is_empty = rules.ruleset().pieces.is_empty();
        let n_games = 0;
        let it =
            Trainer { engine, untrained, first, second, mirror, samples, pieces, n_games, seed };
        (!is_empty).then_some(it)
    }

    /// The number of games played and of states recorded.
    pub fn counts(&self) -> (u64, usize) {
        (self.n_games, self.samples.len())
    }

    /// Plays a game against itself with a number of nodes per move.
    pub fn play(&mut self, nodes: u64, stop: &StopFlag) {
        let number = self.n_games;
        self.n_games += 1;
        let mut rng = SplitMix64::new(self.seed ^ (number << 17));
        let Ok(mut state) = self.engine.rules().start(0) else { return };
        let seed = rng.next_u64();
        self.engine.set_settings(EngineSettings {
            seed,
            variety: 2,
            ..self.engine.settings().clone()
        });
        self.engine.new_game();
        let n_random = 2 + rng.below(8) as u32;
        let (begin, begin_pieces) = (self.samples.len(), self.pieces.len());
        let mut result = 0.5;
        for ply in 0..LONGEST {
            let Ok(legal) = state.legal_moves() else { break };
            if let Some(outcome) = &legal.outcome {
                result = if outcome.winners.contains(&self.first) {
                    1.0
                } else if outcome.losers.contains(&self.first) {
                    0.0
                } else {
                    0.5
                };
                break;
            }
            let mv = if state.is_chance() || ply < n_random {
                legal.drawn(&mut rng)
            } else {
                let limits = SearchLimits::nodes(nodes);
                let report = self.engine.think_among(&state, &legal, &limits, stop, &mut |_| {});
                // What a turn of code does shows only on the board.
                let is_quiet = |it: &GameMove| {
                    let mv = it.as_compiled();
                    mv.is_none_or(|it| it.captures().next().is_none() && it.promotion().is_none())
                };
                if report.best.as_ref().is_some_and(is_quiet) && report.score.hundredths().is_some()
                {
                    self.record(&state);
                }
                report.best
            };
            let Some(mv) = mv else { break };
            if stop.is_stopped() || state.replay(&mv).is_err() {
                self.samples.truncate(begin);
                self.pieces.truncate(begin_pieces);
                return;
            }
        }
        let weight = GAME_WEIGHT / (self.samples.len() - begin).max(1) as f32;
        for it in &mut self.samples[begin..] {
            it.result = result;
            it.weight = weight.min(1.0);
        }
    }

    /// Records a state as a sample.
    fn record(&mut self, state: &GameState) {
        if self.pieces.len() > MOST_PIECES {
            return;
        }
        let tree = state.tree(None, None);
        let (base, phase) = self.untrained.score_and_phase(&tree, self.first);
        let sample = Sample { base, phase, result: 0.5, weight: 1.0, first: self.pieces.len() };
        self.samples.push(sample);
        let n_kinds = self.engine.rules().ruleset().pieces.len() as u16;
        tree.each_piece(|site, owner, kind| {
            if let Some(sign) = self.sign(owner) {
                let place = self.place(owner, kind, site);
                self.pieces.push(SamplePiece { kind: kind.0, place, sign });
            }
        });
        for player in [self.first, self.second] {
            for kind in (0..n_kinds).map(PieceKind) {
                let held = tree.hand(player, kind).min(40) as f32;
                if held > 0.0 {
                    let sign = self.sign(player).unwrap_or(0.0) * held;
                    self.pieces.push(SamplePiece { kind: kind.0, place: u32::MAX, sign });
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

    /// The index of the site value of a piece; mirrored sites of the two players share one.
    fn place(&self, player: Player, kind: PieceKind, site: Site) -> u32 {
        let ruleset = self.engine.rules().ruleset();
        let (n_kinds, n_sites) = (ruleset.pieces.len(), ruleset.board.n_sites());
        let (player, site) = match &self.mirror {
            Some(mirror) if player == self.second => {
                (self.first, mirror.get(site.idx()).copied().unwrap_or(site))
            }
            _ => (player, site),
        };
        ((player.idx() * n_kinds + kind.idx()) * n_sites + site.idx()) as u32
    }

    /// The tuning that all games so far give.
    pub fn learn(&self) -> Tuning {
        let ruleset = self.engine.rules().ruleset();
        let (n_kinds, n_sites) = (ruleset.pieces.len(), ruleset.board.n_sites());
        let n_site_values = ruleset.players.len() * n_kinds * n_sites;
        let mut fit = Fit::new(self, n_kinds, n_site_values);
        fit.run(EPOCHS);
        let round = |it: f32| {
            (it.round() as i32).clamp(-i32::from(MOST_CHANGE), i32::from(MOST_CHANGE)) as i16
        };
        let mut site_values = vec![[0; 2]; n_site_values];
        for player in [self.first, self.second] {
            for kind in (0..n_kinds as u16).map(PieceKind) {
                for site in ruleset.board.all_sites() {
                    let from = self.place(player, kind, site) as usize;
                    let own = (player.idx() * n_kinds + kind.idx()) * n_sites + site.idx();
                    site_values[own] = fit.sites[from].map(round);
                }
            }
        }
        let kinds = fit.kinds.iter().map(|&it| round(it)).collect();
        Tuning { kinds, sites: site_values, ..Tuning::of(self.engine.rules()) }
    }

    /// Continues with a tuning.
    pub fn adopt(&mut self, tuning: &Tuning) {
        let rules = Arc::clone(self.engine.rules());
        self.engine = Engine::with_tuning(rules, self.engine.settings().clone(), tuning);
    }
}

/// A fit of values to the results of the samples.
struct Fit<'a> {
    trainer: &'a Trainer,
    kinds: Vec<f32>,
    sites: Vec<[f32; 2]>,
    /// Points that multiply the odds of a win by e.
    scale: f32,
}

impl<'a> Fit<'a> {
    fn new(trainer: &'a Trainer, n_kinds: usize, n_site_values: usize) -> Fit<'a> {
        let (kinds, sites) = (vec![0.0; n_kinds], vec![[0.0; 2]; n_site_values]);
        let mut fit = Fit { trainer, kinds, sites, scale: 100.0 };
        let scales = [40.0, 60.0, 90.0, 130.0, 200.0, 300.0, 450.0, 700.0, 1000.0];
        let mut best = (f32::MAX, fit.scale);
        for scale in scales {
            fit.scale = scale;
            let loss: f32 = trainer.samples.iter().map(|it| fit.error(it, it.base).powi(2)).sum();
            if loss < best.0 {
                best = (loss, scale);
            }
        }
        fit.scale = best.1;
        fit
    }

    /// The result less the prediction of a score.
    fn error(&self, sample: &Sample, score: f32) -> f32 {
        sample.result - 1.0 / (1.0 + (-score / self.scale).exp())
    }

    fn pieces(&self, idx: usize) -> &'a [SamplePiece] {
        let samples = &self.trainer.samples;
        let end = samples.get(idx + 1).map_or(self.trainer.pieces.len(), |it| it.first);
        &self.trainer.pieces[samples[idx].first..end]
    }

    /// Gradient descent with a step size per value (RMSprop).
    fn run(&mut self, n_epochs: usize) {
        let mut kind_sum = vec![1e-9f32; self.kinds.len()];
        let mut site_sum = vec![[1e-9f32; 2]; self.sites.len()];
        for round in 0..n_epochs {
            let mut kind_gradient = vec![0.0f32; self.kinds.len()];
            let mut site_gradient = vec![[0.0f32; 2]; self.sites.len()];
            for (idx, sample) in self.trainer.samples.iter().enumerate() {
                let shares = [sample.phase, 1.0 - sample.phase];
                let mut score = sample.base;
                for piece in self.pieces(idx) {
                    let place = self.sites.get(piece.place as usize).copied().unwrap_or([0.0; 2]);
                    let value = self.kinds[usize::from(piece.kind)]
                        + place[0] * shares[0]
                        + place[1] * shares[1];
                    score += piece.sign * value;
                }
                let gradient = self.error(sample, score) * sample.weight / self.scale;
                for piece in self.pieces(idx) {
                    kind_gradient[usize::from(piece.kind)] += gradient * piece.sign;
                    if let Some(it) = site_gradient.get_mut(piece.place as usize) {
                        it[0] += gradient * piece.sign * shares[0];
                        it[1] += gradient * piece.sign * shares[1];
                    }
                }
            }
            let rate = 12.0 / (1.0 + round as f32 / 20.0);
            let step = |value: &mut f32, gradient: f32, sum: &mut f32, spread: f32| {
                // The prior keeps rarely seen values near those measured from the rules.
                let gradient = gradient - *value / (spread * spread);
                *sum = *sum * 0.9 + gradient * gradient * 0.1;
                *value += rate * gradient / sum.sqrt().max(1e-4);
            };
            for ((value, &gradient), sum) in
                self.kinds.iter_mut().zip(&kind_gradient).zip(&mut kind_sum)
            {
                step(value, gradient, sum, KIND_SPREAD);
            }
            let sites = self.sites.iter_mut().zip(&site_gradient).zip(&mut site_sum);
            for ((value, gradient), sum) in sites {
                for ((value, &gradient), sum) in value.iter_mut().zip(gradient).zip(sum) {
                    step(value, gradient, sum, SITE_SPREAD);
                }
            }
        }
    }
}
