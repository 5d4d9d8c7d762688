//! One thread's searcher: its tree, its search stack and what it learned, and the elementary
//! operations on a node that the search and the quiescence search share.
//!
//! Scores are for the side of the mover. Where two turns in a row belong to one side, as in a
//! chain of partial moves, the sign stays. With more than two players all others are one side
//! against the one who thinks.

use boardwright_fast::{GameTree, TreeMove};
use boardwright_game::{Player, Site};
use boardwright_play::Ending;

use crate::{
    correction::{CorrectionHistory, CorrectionKeys},
    eval::{Accumulator, Eval, RowCounts},
    history::{HistoryKey, MoveHistory, OrderingContext},
    levels::{BEST_LEVEL, Oversights},
    limits::{NodeCounter, SearchControl},
    params::{CORRECTION_LIMIT, LMR_DIVISOR, LMR_OFFSET, LMR_TABLE_SIZE, ROW_ORDER_WEIGHT},
    profile::Profile,
    score::{INFINITE, PROVEN, WIN},
    structure::StructureCache,
    transposition::TranspositionTable,
};

/// Longest line, in plies.
pub(crate) const MAX_PLY: usize = 200;

/// One ply of the search stack.
#[derive(Clone, Debug, Default)]
pub(crate) struct StackFrame {
    pub accumulator: Accumulator,
    /// The move that led from here to the next ply.
    pub current_move: HistoryKey,
    /// The target site of that move.
    pub current_to: Option<Site>,
    /// How many moves the mover has, if they were counted.
    pub n_moves: Option<i32>,
    /// How many of them go to or beside an enemy royal piece.
    pub king_attacks: i32,
    /// The side to move: 0 or 1.
    pub side: u8,
    /// A buffer for the moves, kept to avoid allocation.
    moves: Vec<TreeMove>,
    /// A buffer for their ordering scores.
    move_scores: Vec<i32>,
    /// The principal variation from here.
    pub pv: Vec<TreeMove>,
    /// Whether the null move led from here to the next ply.
    pub is_null_move: bool,
    /// The corrected static evaluation for the mover, if it was computed.
    pub static_eval: Option<i32>,
    /// The [`short_key`](crate::transposition::short_key) of the move that a singular search
    /// excludes; 0 if there is none.
    pub excluded_move: u32,
}

/// What a search works on: one ruleset's knowledge, shared by all threads.
#[derive(Clone, Copy)]
pub(crate) struct SearchContext<'a> {
    pub eval: &'a Eval,
    pub profile: &'a Profile,
    pub table: &'a TranspositionTable,
    pub control: &'a SearchControl<'a>,
}

/// One thread's search.
pub(crate) struct Searcher<'a> {
    pub tree: GameTree<'a>,
    pub eval: &'a Eval,
    pub profile: &'a Profile,
    pub table: &'a TranspositionTable,
    pub control: &'a SearchControl<'a>,
    pub history: MoveHistory,
    pub corrections: CorrectionHistory,
    pub counter: NodeCounter,
    /// By player: 1 for the first side, -1 for the second, 0 for nobody's.
    pub signs: Vec<i32>,
    pub stack: Vec<StackFrame>,
    row_counts: RowCounts,
    structures: StructureCache,
    /// XORed into hashes, so that entries of different sides and levels differ.
    salt: u64,
    /// Largest random error of the static evaluation, in points: for weaker play.
    pub noise: i32,
    /// The moves that are overlooked: for weaker play.
    pub oversights: Oversights,
    /// Whether only proven scores count: no pruning, no static evaluation.
    pub is_proof: bool,
    /// Whether some score rests on an estimate: beyond the depth, or by a repetition.
    pub used_estimate: bool,
    seed: u64,
    /// The depth of the current iteration at the root, in plies.
    pub root_depth: usize,
    /// Late-move reductions in plies, by depth and move number.
    reductions: Vec<i32>,
}

/// The binary logarithm in 32nds, piecewise linear: the same on every machine.
fn log2_in_32nds(n: i32) -> i32 {
    let n = n.max(1);
    let whole = n.ilog2() as i32;
    32 * whole + ((32 * (n - (1 << whole))) >> whole)
}

/// Late-move reductions in plies, by depth and move number.
fn reduction_table() -> Vec<i32> {
    let size = LMR_TABLE_SIZE as i32;
    let reduction = |idx: i32| {
        let (depth, number) = (idx / size, idx % size);
        (log2_in_32nds(depth) * log2_in_32nds(number) / 32 + LMR_OFFSET) / LMR_DIVISOR
    };
    (0..size * size).map(reduction).collect()
}

impl<'a> Searcher<'a> {
    pub fn new(
        tree: GameTree<'a>,
        context: SearchContext<'a>,
        signs: Vec<i32>,
        seed: u64,
    ) -> Searcher<'a> {
        let SearchContext { eval, profile, table, control } = context;
        let (accumulator, row_counts) = eval.refresh(&tree, &signs);
        let mut stack = vec![StackFrame::default(); MAX_PLY + 4];
        stack[0].accumulator = accumulator;
        let salt = signs.iter().fold(0, |acc, &it| (acc * 3 + it + 1) as u32 as i32) as u64;
        Searcher {
            history: eval.new_history(),
            corrections: CorrectionHistory::new(eval.scaled(CORRECTION_LIMIT)),
            tree,
            eval,
            profile,
            table,
            control,
            counter: NodeCounter::default(),
            signs,
            stack,
            row_counts,
            structures: StructureCache::new(eval),
            salt: salt.wrapping_mul(0x9E37_79B9_7F4A_7C15),
            noise: 0,
            oversights: Oversights::default(),
            is_proof: false,
            used_estimate: false,
            seed,
            root_depth: 0,
            reductions: reduction_table(),
        }
    }

    /// Sets the evaluation noise of a level and keeps its table entries apart from others'.
    pub fn set_level(&mut self, noise: i32, level: u8) {
        self.noise = noise;
        if level < BEST_LEVEL {
            self.salt ^= u64::from(level.max(1)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        }
    }

    /// The hash of the state, for the transposition table.
    pub fn hash_key(&mut self) -> u64 {
        self.tree.hash() ^ self.salt
    }

    /// The side to move: 1 or -1.
    pub fn side(&self) -> i32 {
        if self.signs[self.tree.mover().idx()] >= 0 { 1 } else { -1 }
    }

    /// Counts the node; gives a score if the game is over here or the search must end.
    #[inline]
    pub fn enter_node(&mut self, ply: usize) -> Option<i32> {
        self.stack[ply].pv.clear();
        if !self.control.count_node(&mut self.counter) {
            return Some(0);
        }
        if let Some(ending) = self.tree.decided() {
            return Some(self.ending_score(ending, ply));
        }
        self.stack[ply].side = (self.side() < 0) as u8;
        if ply > 0 && self.profile.repeats_draw && self.tree.n_repeats() > 0 {
            self.used_estimate = true;
            return Some(0);
        }
        None
    }

    /// The score of an ending for the side of the mover.
    pub fn ending_score(&self, ending: Ending, ply: usize) -> i32 {
        let sign =
            |player: Player| self.signs.get(player.idx()).copied().unwrap_or(0) * self.side();
        let win = WIN - ply as i32;
        match ending {
            Ending::Draw => 0,
            Ending::Win(player) if sign(player) != 0 => sign(player) * win,
            // A player of neither side wins: both lose, so it is the mover's loss.
            Ending::Win(_) => -win,
            Ending::Loss(player) if sign(player) != 0 => -sign(player) * win,
            Ending::Loss(_) => 0,
        }
    }

    pub fn take_moves(&mut self, ply: usize) -> Vec<TreeMove> {
        std::mem::take(&mut self.stack[ply].moves)
    }

    pub fn return_moves(&mut self, ply: usize, moves: Vec<TreeMove>) {
        self.stack[ply].moves = moves;
    }

    pub fn take_scores(&mut self, ply: usize) -> Vec<i32> {
        std::mem::take(&mut self.stack[ply].move_scores)
    }

    pub fn return_scores(&mut self, ply: usize, scores: Vec<i32>) {
        self.stack[ply].move_scores = scores;
    }

    /// What move ordering needs to know about a node.
    pub fn ordering(&self, ply: usize, table_move: u32) -> OrderingContext {
        let previous = ply.checked_sub(1).map_or(HistoryKey(0), |it| self.stack[it].current_move);
        OrderingContext { ply, mover: self.tree.mover().idx(), table_move, previous }
    }

    /// Where the move that led to this ply ended.
    pub fn previous_to(&self, ply: usize) -> Option<Site> {
        ply.checked_sub(1).and_then(|it| self.stack[it].current_to)
    }

    /// Stores the mover's mobility and its moves near enemy royal pieces, for the evaluation.
    pub fn count_mobility(&mut self, ply: usize, moves: &[TreeMove], in_check: bool) {
        let n = moves.iter().filter(|it| !it.is_drop || !self.profile.has_moves).count();
        let accumulator = &self.stack[ply].accumulator;
        let king_attacks = self.eval.king_attacks(accumulator, &self.signs, self.side(), moves);
        let frame = &mut self.stack[ply];
        frame.n_moves = (!in_check && !self.tree.is_going_on()).then_some(n as i32);
        frame.king_attacks = king_attacks;
    }

    /// Lists captures and promotions of a state without check, and stores how many moves
    /// there are in all.
    pub fn list_captures(&mut self, ply: usize, moves: &mut Vec<TreeMove>) -> Option<Ending> {
        let zone = self.eval.king_zone(&self.stack[ply].accumulator, &self.signs, self.side());
        match self.tree.loud_moves(zone, moves) {
            Ok(tally) => {
                let frame = &mut self.stack[ply];
                frame.n_moves = Some(tally.n_moves as i32);
                frame.king_attacks = tally.n_near as i32;
                None
            }
            Err(ending) => Some(ending),
        }
    }

    /// The static evaluation for the side of the mover, before correction.
    ///
    /// Mobility counts once both sides' moves were counted, here and up to four plies before.
    pub fn evaluate(&mut self, ply: usize) -> i32 {
        let accumulator = &self.stack[ply].accumulator;
        let structure = self.structures.score(self.eval, accumulator);
        let mut score =
            self.eval.score_with(&self.tree, accumulator, &self.signs, &structure) * self.side();
        let frame = &self.stack[ply];
        if self.eval.mobility != 0
            && self.profile.movers.len() == 2
            && let Some(mine) = frame.n_moves
        {
            let other = |it: &&StackFrame| it.side != frame.side && it.n_moves.is_some();
            let theirs = self.stack[ply.saturating_sub(4)..ply].iter().rev().find(other);
            if let Some((it, theirs)) = theirs.and_then(|it| Some((it, it.n_moves?))) {
                score += self.eval.mobility * (mine - theirs).clamp(-60, 60);
                score +=
                    self.eval.king_danger(&frame.accumulator, frame.king_attacks, it.king_attacks);
            }
        }
        if self.noise > 0 {
            let mut rng = boardwright_play::SplitMix64::new(self.tree.hash() ^ self.seed);
            let width = self.noise as usize * 2 + 1;
            score += rng.below(width) as i32 - self.noise;
        }
        score.clamp(1 - PROVEN, PROVEN - 1)
    }

    /// The entries of the correction history for the state at this ply.
    pub fn correction_keys(&self, ply: usize) -> CorrectionKeys {
        let key = |back: usize| {
            ply.checked_sub(back).map_or(HistoryKey(0), |it| self.stack[it].current_move)
        };
        let frame = &self.stack[ply];
        CorrectionHistory::keys(usize::from(frame.side), frame.accumulator.pawns, [key(1), key(2)])
    }

    /// A static evaluation with the correction history added.
    pub fn corrected(&self, raw_eval: i32, keys: CorrectionKeys) -> i32 {
        (raw_eval + self.corrections.correction(keys)).clamp(1 - PROVEN, PROVEN - 1)
    }

    /// The late-move reduction by depth and move number, in plies.
    #[inline]
    pub fn base_reduction(&self, depth: i32, number: usize) -> i32 {
        let last = LMR_TABLE_SIZE - 1;
        self.reductions[(depth as usize).min(last) * LMR_TABLE_SIZE + number.min(last)]
    }

    /// Plays a move, calls `work` at the next ply, and takes the move back. `work` is told
    /// whether the side to move changed.
    #[inline]
    pub fn with_move(
        &mut self,
        ply: usize,
        choice: &TreeMove,
        work: impl FnOnce(&mut Searcher<'a>, usize, bool) -> i32,
    ) -> i32 {
        let side = self.side();
        let mover = self.tree.mover().idx();
        self.stack[ply].current_move = self.history.key(mover, choice);
        self.stack[ply].current_to = choice.to;
        self.tree.play(choice);
        let before = self.stack[ply].accumulator;
        let after = self.eval.update(&self.tree, before, &mut self.row_counts, &self.signs);
        self.stack[ply + 1].accumulator = after;
        self.stack[ply + 1].n_moves = None;
        let flips = self.side() != side;
        let score = work(self, ply + 1, flips);
        self.eval.undo_rows(&self.tree, &mut self.row_counts, &self.signs);
        self.tree.undo();
        score
    }

    /// A chance node: the mean over the moves of chance, each searched with an open window.
    pub fn chance_node(&mut self, ply: usize, depth: i32) -> i32 {
        let mut moves = self.take_moves(ply);
        if let Some(ending) = self.tree.moves(&mut moves) {
            self.return_moves(ply, moves);
            return self.ending_score(ending, ply);
        }
        let side = self.side();
        let (mut total, mut weights) = (0i64, 0i64);
        for choice in &moves {
            let score = if ply + 2 >= MAX_PLY {
                self.evaluate(ply)
            } else {
                // Chance has no side of its own: bring each score to this one.
                self.with_move(ply, choice, |it, ply, _| {
                    let score = it.search(ply, depth, -INFINITE, INFINITE, true);
                    if it.side() == side { score } else { -score }
                })
            };
            if self.control.is_over() {
                break;
            }
            // The mean of a proven result and others is not proven.
            let score = score.clamp(1 - PROVEN, PROVEN - 1);
            total += i64::from(score) * i64::from(choice.weight);
            weights += i64::from(choice.weight);
        }
        self.return_moves(ply, moves);
        if weights == 0 { 0 } else { (total / weights) as i32 }
    }

    /// Whether the game is about completing rows with pieces that never move.
    pub fn is_row_game(&self) -> bool {
        !self.profile.has_moves && self.eval.has_rows()
    }

    /// Games of rows: keeps only the moves that complete a row, or else those that prevent
    /// the other side from completing one.
    pub fn keep_row_threats(&mut self, ply: usize, moves: &mut Vec<TreeMove>) {
        if !self.is_row_game() || !self.oversights.is_none() {
            return;
        }
        let (side, accumulator) = (self.side(), self.stack[ply].accumulator);
        let completing = |it: &Searcher<'_>, side: i32| {
            it.eval.completing_sites(&accumulator, &it.row_counts, &it.signs, side, &it.tree)
        };
        let lands = |sites: &[Site], it: &TreeMove| it.to.is_some_and(|to| sites.contains(&to));
        let mine = completing(self, side);
        if moves.iter().any(|it| lands(&mine, it)) {
            moves.retain(|it| lands(&mine, it));
            return;
        }
        let theirs = completing(self, -side);
        if moves.iter().any(|it| lands(&theirs, it)) {
            moves.retain(|it| lands(&theirs, it));
        }
    }

    /// Games of rows: adds to the ordering scores what each piece would do in rows.
    pub fn score_row_moves(&self, moves: &[TreeMove], scores: &mut [i32]) {
        if !self.is_row_game() {
            return;
        }
        for (choice, score) in moves.iter().zip(scores) {
            if let Some(to) = choice.to {
                *score += self.eval.row_potential(&self.row_counts, to) * ROW_ORDER_WEIGHT;
            }
        }
    }

    /// Puts a move before the principal variation of the next ply.
    pub fn update_pv(&mut self, ply: usize, choice: TreeMove) {
        let (here, next) = self.stack.split_at_mut(ply + 1);
        let pv = &mut here[ply].pv;
        pv.clear();
        pv.push(choice);
        pv.extend_from_slice(&next[0].pv);
    }

    /// The principal variation of a root move that was searched last.
    pub fn pv_after(&self, choice: TreeMove) -> Vec<TreeMove> {
        let mut pv = vec![choice];
        pv.extend_from_slice(&self.stack[1].pv);
        pv
    }

    /// The principal variation from the root.
    pub fn root_pv(&self) -> Vec<TreeMove> {
        self.stack[0].pv.clone()
    }
}
