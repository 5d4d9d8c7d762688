//! What a search reports, while it runs and at the end.

use std::time::Duration;

use boardwright_rules::GameMove;

use crate::score::Score;

/// A line of play (principal variation) and its score for the player of its first move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchLine {
    /// The moves; each partial move is one entry.
    pub moves: Vec<GameMove>,
    /// The score of the state they lead to.
    pub score: Score,
    /// The depth of the search, in turns.
    pub depth: u32,
}

/// A message of a running search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchInfo {
    /// The depth of the current iteration, in turns.
    pub depth: u32,
    /// Nodes searched so far.
    pub nodes: u64,
    /// Time used so far.
    pub time: Duration,
    /// The rank of the line among the best ones, from 0.
    pub rank: usize,
    /// A new or changed line.
    pub line: Option<SearchLine>,
    /// The root move being searched, with its number from 1.
    pub current: Option<(GameMove, usize)>,
}

/// A proven result with best play, for the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Proof {
    /// The player wins in at most this number of moves.
    Win(u32),
    /// The player loses, in at least this number of moves.
    Loss(u32),
    /// Neither side can win.
    Draw,
}

/// The result of a search.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SearchReport {
    /// The move to play; `None` if the game is over.
    pub best: Option<GameMove>,
    /// The score for the player to move.
    pub score: Score,
    /// The depth of the search, in turns.
    pub depth: u32,
    /// Nodes searched.
    pub nodes: u64,
    /// Time used.
    pub time: Duration,
    /// The best lines, best first: as many as the settings ask for, or as there are moves.
    pub lines: Vec<SearchLine>,
    /// The proven result, if there is one.
    pub proven: Option<Proof>,
}

impl SearchReport {
    /// Nodes per second.
    pub fn nodes_per_second(&self) -> u64 {
        let micros = self.time.as_micros().max(1);
        (u128::from(self.nodes) * 1_000_000 / micros) as u64
    }
}
