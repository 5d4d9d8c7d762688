//! What lies behind a move: chains of partial moves, and the safety of royal pieces.

use std::sync::Arc;

use boardwright_game::{MaximalCaptures, PieceKind};

use super::{Buffers, Collect, can_next_remove, run_blocks, values};
use crate::{
    halt::Halt,
    mv::{Effect, Move, MoveList},
    state::{GoingOn, State},
};

/// Leaves out moves after which the next player could remove a royal piece.
pub(super) fn keep_safe(
    state: &mut State,
    buffers: &mut Buffers,
    list: &mut MoveList,
) -> Result<(), Halt> {
    if !has_royals(state) {
        return Ok(());
    }
    let mut keep = std::mem::take(&mut buffers.keep);
    keep.clear();
    let mut result = Ok(());
    for mv in list.iter() {
        match is_safe_after(state, buffers, mv, 0) {
            Ok(safe) => keep.push(safe),
            Err(halt) => {
                result = Err(halt);
                break;
            }
        }
    }
    list.retain(&keep);
    buffers.keep = keep;
    result
}

fn has_royals(state: &State) -> bool {
    let owner = state.turn().map(|it| it.owner);
    owner.is_some_and(|it| state.rules.royal.get(it.idx()).is_some_and(|it| !it.is_empty()))
}

/// Whether the turn can end with all royal pieces safe if it begins with `mv`.
///
/// Only the end of a chain counts: decision `check-in-chains`.
pub(super) fn is_safe_after(
    state: &mut State,
    buffers: &mut Buffers,
    mv: &Move,
    depth: usize,
) -> Result<bool, Halt> {
    if !has_royals(state) {
        return Ok(true);
    }
    let undo = state.try_out(mv);
    let result = can_end_safely(state, buffers, mv, depth);
    state.take_back(undo);
    result
}

fn can_end_safely(
    state: &mut State,
    buffers: &mut Buffers,
    mv: &Move,
    depth: usize,
) -> Result<bool, Halt> {
    let steps = match state.opening_of(mv) {
        Some(going_on) => continuations(state, buffers, going_on, depth)?,
        None => Vec::new(),
    };
    if steps.is_empty() {
        let rules = Arc::clone(&state.rules);
        let Some(owner) = state.turn().map(|it| it.owner) else {
            return Ok(true);
        };
        let royal = &rules.royal[owner.idx()];
        return Ok(!can_next_remove(state, buffers, |kind| royal.contains(&kind))?);
    }
    let may_stop = state.rules.ruleset.options.pass_partial;
    if may_stop && is_safe_after(state, buffers, &Move::pass(), depth + 1)? {
        return Ok(true);
    }
    for step in &steps {
        if is_safe_after(state, buffers, step, depth + 1)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The steps that may follow, before any filter.
fn continuations(
    state: &mut State,
    buffers: &mut Buffers,
    going_on: GoingOn,
    depth: usize,
) -> Result<Vec<Move>, Halt> {
    let mut moves = Vec::new();
    run_blocks(state, buffers, Some(going_on), &mut Collect { moves: &mut moves, n_effects: 0 })?;
    if !moves.is_empty() {
        let too_many = buffers.chain_steps < moves.len();
        if too_many || depth >= Halt::CHAIN_LENGTH {
            return Err(Halt::TooManyChains);
        }
        buffers.chain_steps -= moves.len();
    }
    Ok(moves)
}

/// With "maximal captures", keeps the moves that begin a longest chain.
///
/// If any move is no partial move nothing is left out, as in the original.
pub(super) fn keep_maximal(
    state: &mut State,
    buffers: &mut Buffers,
    list: &mut MoveList,
    all_partial: bool,
) -> Result<(), Halt> {
    let option = state.rules.ruleset.options.maximal_captures;
    if option == MaximalCaptures::No || !all_partial || list.len() < 2 {
        return Ok(());
    }
    let worth = match option {
        MaximalCaptures::MostValuable => values::of(&state.rules).to_vec(),
        _ => Vec::new(),
    };
    let mut chains = Vec::with_capacity(list.len());
    for mv in list.iter() {
        chains.push(longest_chain(state, buffers, mv, &worth, 0)?);
    }
    let best = chains.iter().copied().max();
    let keep: Vec<bool> = chains.iter().map(|&it| Some(it) == best).collect();
    list.retain(&keep);
    Ok(())
}

/// The most steps a chain can have that begins with `mv`, and the most worth it takes so.
fn longest_chain(
    state: &mut State,
    buffers: &mut Buffers,
    mv: &Move,
    worth: &[u64],
    depth: usize,
) -> Result<(usize, u64), Halt> {
    let taken = if worth.is_empty() { 0 } else { worth_taken(state, mv, worth) };
    let undo = state.try_out(mv);
    let result = longest_rest(state, buffers, mv, worth, depth);
    state.take_back(undo);
    result.map(|(steps, value)| (steps + 1, value.saturating_add(taken)))
}

fn longest_rest(
    state: &mut State,
    buffers: &mut Buffers,
    mv: &Move,
    worth: &[u64],
    depth: usize,
) -> Result<(usize, u64), Halt> {
    let mut best = (0, 0);
    if let Some(going_on) = state.opening_of(mv) {
        for step in continuations(state, buffers, going_on, depth)? {
            best = best.max(longest_chain(state, buffers, &step, worth, depth + 1)?);
        }
    }
    Ok(best)
}

fn worth_taken(state: &State, mv: &Move, worth: &[u64]) -> u64 {
    let placement = state.placement();
    let of = |site| placement.get(site).and_then(|it| worth.get(it.kind.idx())).copied();
    let leaves = |site| {
        mv.movements().iter().any(|it| matches!(it, Effect::Walk { from, .. } if *from == site))
    };
    let captured = mv.captures().filter_map(of);
    let displaced = mv.movements().iter().filter_map(|it| match *it {
        Effect::Walk { from, to } if from != to && !leaves(to) => of(to),
        _ => None,
    });
    captured.chain(displaced).fold(0, u64::saturating_add)
}

/// The royal kinds of the mover that the next player could remove as things stand.
pub(super) fn attacked_royals(
    state: &mut State,
    buffers: &mut Buffers,
) -> Result<Vec<PieceKind>, Halt> {
    let rules = Arc::clone(&state.rules);
    let Some(owner) = state.turn().map(|it| it.owner) else {
        return Ok(Vec::new());
    };
    let mut attacked = Vec::new();
    for &royal in &rules.royal[owner.idx()] {
        if can_next_remove(state, buffers, |kind| kind == royal)? {
            attacked.push(royal);
        }
    }
    Ok(attacked)
}
