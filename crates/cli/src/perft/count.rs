//! Counting lines of play on several threads.
//!
//! The tree is divided into subtrees by its first moves, and each thread takes the next one
//! that is not counted yet. The counts do not depend on the number of threads.

use std::{
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    thread,
};

use anyhow::{Context, Result, anyhow};
use boardwright_fast::Shadow;
use boardwright_play::{Halt, State, perft, perft_turns};
use boardwright_text::StopSignal;

/// Bytes of stack of each thread: a line of a thousand moves needs a thousand nested calls.
const STACK: usize = 64 << 20;

/// How lines are counted.
#[derive(Clone, Copy)]
pub(super) struct CountOptions<'s> {
    /// Whether a chain of partial moves counts as one move.
    pub turns: bool,
    /// Whether the moves of the last ply are counted without playing them.
    pub bulk: bool,
    /// Ends the count early, with [`Halt::Stopped`]; asked before each subtree.
    pub stop: &'s StopSignal,
}

/// A state in either form of the rules, plain or fast.
pub(super) trait Countable: Clone + Send + Sync {
    fn n_moves(&mut self) -> Result<usize, Halt>;
    /// Plays the move with this number.
    fn step(&mut self, n: usize) -> Result<(), Halt>;
    fn is_going_on(&mut self) -> bool;
    fn count(&mut self, depth: u32, what: CountOptions<'_>) -> Result<u64, Halt>;
}

impl Countable for State {
    fn n_moves(&mut self) -> Result<usize, Halt> {
        Ok(self.legal_moves()?.len())
    }

    fn step(&mut self, n: usize) -> Result<(), Halt> {
        if let Some(mv) = self.legal_moves()?.get(n) {
            self.play_unchecked(mv)?;
        }
        Ok(())
    }

    fn is_going_on(&mut self) -> bool {
        self.going_on().is_some()
    }

    fn count(&mut self, depth: u32, what: CountOptions<'_>) -> Result<u64, Halt> {
        if what.turns { perft_turns(self, depth) } else { perft(self, depth) }
    }
}

impl Countable for Shadow<'_> {
    fn n_moves(&mut self) -> Result<usize, Halt> {
        Shadow::n_moves(self)
    }

    fn step(&mut self, n: usize) -> Result<(), Halt> {
        self.play_nth(n).map(|_| ())
    }

    fn is_going_on(&mut self) -> bool {
        Shadow::is_going_on(self)
    }

    fn count(&mut self, depth: u32, what: CountOptions<'_>) -> Result<u64, Halt> {
        if what.turns { self.perft_turns(depth) } else { self.perft(depth, what.bulk) }
    }
}

/// A part of the work: the subtree after some first moves.
struct Subtree {
    /// The indices of the moves that lead to it.
    line: Vec<usize>,
    /// The number of plies left to count.
    left: u32,
}

/// The number of lines of play after each first move. `depth` must not be 0.
pub(super) fn by_first_move<W: Countable>(
    root: &W,
    depth: u32,
    what: CountOptions<'_>,
    threads: usize,
) -> Result<Result<Vec<u64>, Halt>> {
    // Everything runs on threads of our own, which have a large enough stack.
    thread::scope(|scope| {
        let work = || count_parts(root, depth, what, threads);
        let main = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        main.context("no thread can be started")?.join().map_err(|_| anyhow!("a count failed"))?
    })
}

fn count_parts<W: Countable>(
    root: &W,
    depth: u32,
    what: CountOptions<'_>,
    threads: usize,
) -> Result<Result<Vec<u64>, Halt>> {
    let (n_first, parts) = match parts(root, depth, what, threads) {
        Ok(it) => it,
        Err(halt) => return Ok(Err(halt)),
    };
    let next = AtomicUsize::new(0);
    let failed = AtomicBool::new(false);
    let work = || -> Result<Vec<(usize, u64)>, Halt> {
        let mut counts = Vec::new();
        let mut at = root.clone();
        while let Some(part) = parts.get(next.fetch_add(1, Ordering::Relaxed)) {
            if failed.load(Ordering::Relaxed) {
                break;
            }
            if what.stop.is_raised() {
                failed.store(true, Ordering::Relaxed);
                return Err(Halt::Stopped);
            }
            at.clone_from(root);
            let mut steps = part.line.iter().map(|&it| at.step(it));
            let count = steps.try_for_each(|it| it).and_then(|()| at.count(part.left, what));
            let first = part.line.first().copied().unwrap_or(0);
            counts.push((first, count.inspect_err(|_| failed.store(true, Ordering::Relaxed))?));
        }
        Ok(counts)
    };
    let mut total = vec![0; n_first];
    let mut add = |counts: Vec<(usize, u64)>| {
        counts.into_iter().for_each(|(first, n)| total[first] += n);
    };
    let found = thread::scope(|scope| -> Result<Result<(), Halt>> {
        let others: Vec<_> = (1..threads)
            .map(|_| thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work))
            .collect::<std::io::Result<_>>()
            .context("no thread can be started")?;
        let mut found = work().map(&mut add);
        for other in others {
            let counts = other.join().map_err(|_| anyhow!("a count failed"))?;
            found = found.and(counts.map(&mut add));
        }
        Ok(found)
    })?;
    Ok(found.map(|()| total))
}

/// The number of first moves, and the subtrees to count: enough to keep all threads busy.
fn parts<W: Countable>(
    root: &W,
    depth: u32,
    what: CountOptions<'_>,
    threads: usize,
) -> Result<(usize, Vec<Subtree>), Halt> {
    let wanted = if threads > 1 { threads * 12 } else { 0 };
    let mut parts = vec![Subtree { line: Vec::new(), left: depth }];
    let mut n_first = 0;
    for round in 0..3 {
        let mut longer = Vec::new();
        for part in parts {
            if round > 0 && part.left < 2 {
                longer.push(part);
                continue;
            }
            let mut at = root.clone();
            part.line.iter().try_for_each(|&it| at.step(it))?;
            let n_moves = at.n_moves()?;
            if round == 0 {
                n_first = n_moves;
            }
            for n in 0..n_moves {
                let goes_on = what.turns && {
                    let mut next = at.clone();
                    next.step(n)?;
                    next.is_going_on()
                };
                let line = part.line.iter().copied().chain([n]).collect();
                longer.push(Subtree { line, left: part.left - u32::from(!goes_on) });
            }
        }
        parts = longer;
        if parts.len() >= wanted {
            break;
        }
    }
    Ok((n_first, parts))
}
