//! Values of kinds where the rules run code of their own: measured in games played at random.
//!
//! Pieces cannot be put on sites at will, since only the code knows what else must change. So
//! the moves of the pieces are counted where they stand.

use std::sync::Arc;

use boardwright_fast::{GameTree, TreeMove};
use boardwright_game::PieceKind;
use boardwright_play::SplitMix64;
use boardwright_rules::GameRules;

use super::Values;
use crate::profile::Profile;

/// Games that are played, and turns of each.
const GAMES: usize = 6;
const TURNS: usize = 40;
/// Steps of code after which no further turn is played.
const STEP_BUDGET: u64 = 30_000_000;
/// Points before a move is counted, for each usual move, and for each of the most seen: boards
/// are full when games begin, so the usual number alone is too low for pieces that go far.
const BASE: u64 = 100;
const PER_USUAL_MOVE: u64 = 50;
const PER_MOST_MOVES: u64 = 50;
/// The same sum for a kind that was never seen.
const UNSEEN: u64 = 300;

/// The moves of the pieces of one kind.
#[derive(Clone, Copy, Default)]
struct Mobility {
    /// States in which there was one.
    n_states: u64,
    /// Moves of the one that had the most, summed over the states.
    sum: u64,
    /// The most moves that one had in any state.
    most: u64,
}

impl Values {
    /// Measures the kinds of a game whose rules run code.
    pub(crate) fn of_play(rules: &Arc<GameRules>, profile: &Profile, seed: u64) -> Values {
        let ruleset = rules.ruleset();
        let mut values = Values::blank(ruleset);
        let mut seen = vec![Mobility::default(); values.n_kinds];
        let mut rng = SplitMix64::new(seed);
        if let Ok(start) = rules.start(1) {
            for _ in 0..GAMES {
                let mut tree = start.tree(None, None);
                sample(&mut tree, profile, &mut rng, &mut seen);
            }
        }
        let sum = |it: &Mobility| match it.n_states {
            0 => UNSEEN,
            n => BASE + PER_USUAL_MOVE * it.sum / n + PER_MOST_MOVES * it.most,
        };
        let on_board = |it: &Mobility| it.n_states > 0;
        let cheapest = seen.iter().filter(|it| on_board(it)).map(sum).min().unwrap_or(UNSEEN);
        values.kinds = seen.iter().map(|it| (sum(it) * 100 / cheapest).min(3000) as i32).collect();
        values
    }
}

/// Plays one game at random and counts the moves of its pieces.
fn sample(tree: &mut GameTree<'_>, profile: &Profile, rng: &mut SplitMix64, seen: &mut [Mobility]) {
    let mut moves = Vec::new();
    for _ in 0..TURNS {
        if tree.decided().is_some() || tree.moves(&mut moves).is_some() {
            return;
        }
        count(tree, profile, &moves, seen);
        let Some(choice) = moves.get(rng.below(moves.len())) else { return };
        tree.play(choice);
        if tree.n_steps() > STEP_BUDGET / GAMES as u64 {
            return;
        }
    }
}

/// Counts the moves of the mover's pieces, by kind.
fn count(tree: &GameTree<'_>, profile: &Profile, moves: &[TreeMove], seen: &mut [Mobility]) {
    let mover = tree.mover();
    if !profile.movers.contains(&mover) {
        return;
    }
    let mut most: Vec<Option<u64>> = vec![None; seen.len()];
    tree.each_piece(|site, owner, kind| {
        // Drops go everywhere and say nothing of a piece.
        let is_its = |it: &&TreeMove| it.from == Some(site) && !it.is_drop;
        let is_held = moves.iter().any(|it| it.from == Some(site) && it.is_drop);
        if owner == mover && !is_held {
            let n_moves = moves.iter().filter(is_its).count() as u64;
            let cell: &mut Option<u64> = &mut most[PieceKind::idx(kind)];
            *cell = Some(cell.unwrap_or(0).max(n_moves));
        }
    });
    for (seen, n_moves) in seen.iter_mut().zip(most) {
        if let Some(n_moves) = n_moves {
            seen.n_states += 1;
            seen.sum += n_moves;
            seen.most = seen.most.max(n_moves);
        }
    }
}
