//! What a search says, on the way and at the end.

use std::time::Duration;

use boardwright_play::Move;

use crate::score::Score;

/// A line of play and what it is worth to who plays its first move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// The moves, partial ones each for itself.
    pub moves: Vec<Move>,
    /// What they lead to.
    pub score: Score,
    /// How far was looked ahead.
    pub depth: u32,
}

/// News from a search that is under way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Info {
    /// How far is looked ahead.
    pub depth: u32,
    /// States looked at so far.
    pub nodes: u64,
    /// Time used so far.
    pub time: Duration,
    /// The place of the line among the best ones, from 0.
    pub rank: usize,
    /// The line, if it is news.
    pub line: Option<Line>,
    /// The move that is looked at now, with its number from 1, if that is the news.
    pub current: Option<(Move, usize)>,
}

/// What is proven about a state, with best play, for who is to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Proof {
    /// It wins in so many moves at most.
    Win(u32),
    /// It loses, in so many moves at least.
    Loss(u32),
    /// Neither side can win.
    Draw,
}

/// The result of a search.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// The move to play; `None` if there is none, the game being over.
    pub best: Option<Move>,
    /// What the state is worth to who is to move.
    pub score: Score,
    /// How far was looked ahead.
    pub depth: u32,
    /// States looked at.
    pub nodes: u64,
    /// Time used.
    pub time: Duration,
    /// The best lines, best first; as many as were asked for, if there are as many moves.
    pub lines: Vec<Line>,
    /// What is certain.
    pub proven: Option<Proof>,
}

impl Report {
    /// States looked at in a second.
    pub fn nodes_per_second(&self) -> u64 {
        let micros = self.time.as_micros().max(1);
        (u128::from(self.nodes) * 1_000_000 / micros) as u64
    }
}
