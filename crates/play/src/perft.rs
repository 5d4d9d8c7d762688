//! Counts the lines of play of a given length: the yardstick of move generators.

use crate::{halt::Halt, mv::MoveList, state::State};

/// How many lines of `depth` moves there are; a finished game has none to offer.
pub fn perft(state: &mut State, depth: u32) -> Result<u64, Halt> {
    let mut lists: Vec<MoveList> = (0..depth).map(|_| MoveList::new()).collect();
    count(state, &mut lists)
}

/// The same with a chain of partial moves counted as one.
pub fn perft_turns(state: &mut State, depth: u32) -> Result<u64, Halt> {
    count_turns(state, depth, 0)
}

fn count(state: &mut State, lists: &mut [MoveList]) -> Result<u64, Halt> {
    let Some((list, deeper)) = lists.split_first_mut() else {
        return Ok(1);
    };
    state.generate(list)?;
    if deeper.is_empty() {
        return Ok(list.len() as u64);
    }
    let mut total = 0;
    for mv in list.iter() {
        let undo = state.play_unchecked(mv)?;
        let n = count(state, deeper);
        state.undo(undo);
        total += n?;
    }
    Ok(total)
}

/// `chain` is how many partial moves of the present turn were made.
fn count_turns(state: &mut State, depth: u32, chain: usize) -> Result<u64, Halt> {
    if depth == 0 {
        return Ok(1);
    }
    if chain > Halt::CHAIN_LENGTH {
        return Err(Halt::TooManyChains);
    }
    let mut list = MoveList::new();
    state.generate(&mut list)?;
    if depth == 1 && list.iter().all(|it| it.partial.is_none()) {
        return Ok(list.len() as u64);
    }
    let mut total = 0;
    for mv in &list {
        let undo = state.play_unchecked(mv)?;
        let n = match state.going_on() {
            Some(_) => count_turns(state, depth, chain + 1),
            None => count_turns(state, depth - 1, 0),
        };
        state.undo(undo);
        total += n?;
    }
    Ok(total)
}
