//! Alpha-beta: looks ahead move by move and keeps what no side can avoid.
//!
//! Scores are for the side of the mover. Where two turns in a row belong to one
//! side, as in a chain of partial moves, the sign stays. With more than two
//! players all others are one side against the one who thinks.

use boardwright_fast::{GameTree, TreeMove};
use boardwright_play::Ending;

use crate::{
    correct::{Corrections, Spots},
    eval::{Account, Eval, RowCounts},
    levels::{BEST, Blindness},
    limits::{Control, Spent},
    order::{Memory, Track, pick},
    profile::Profile,
    quiesce::{from_table, to_table},
    score::{INFINITE, PROVEN, WIN},
    structure::Standings,
    table::{Bound, Entry, Table, short_key},
};

/// Lines are never longer.
pub(crate) const MAX_PLY: usize = 200;

/// The depth of entries that no deeper look could change.
const WHOLE: i32 = 127;

/// What is kept of each ply of the line that is looked at.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frame {
    account: Account,
    /// The choice that led from here to the next ply.
    played: Track,
    to: Option<boardwright_game::Site>,
    /// How many moves the mover had, if they were counted.
    n_moves: Option<i32>,
    /// How many of them went to or beside an enemy royal piece.
    pressure: i32,
    side: u8,
    moves: Vec<TreeMove>,
    rates: Vec<i32>,
    /// The best line from here.
    line: Vec<TreeMove>,
    is_skipped: bool,
    /// What it seemed worth to the mover, if that was asked.
    stand: Option<i32>,
    /// The move that is left out, for a look at what the others are worth.
    left_out: u32,
}

/// One thread's search.
pub(crate) struct Searcher<'a> {
    pub tree: GameTree<'a>,
    pub eval: &'a Eval,
    pub profile: &'a Profile,
    pub table: &'a Table,
    pub control: &'a Control<'a>,
    pub memory: Memory,
    pub corrections: Corrections,
    pub spent: Spent,
    /// By player: 1 for the first side, -1 for the second, 0 for nobody's.
    pub signs: Vec<i32>,
    frames: Vec<Frame>,
    counts: RowCounts,
    standings: Standings,
    /// Mixed into hashes, so that sides are never confused.
    salt: u64,
    /// Random noise on evaluations, for weaker play.
    pub noise: i32,
    /// What is overlooked, for weaker play.
    pub blindness: Blindness,
    /// Whether nothing may be guessed: for proofs.
    pub is_exact: bool,
    /// Whether something beyond the depth was taken for a draw.
    pub has_guessed: bool,
    seed: u64,
    /// How deep the look from the root is.
    pub root_depth: usize,
    reductions: Vec<i32>,
}

/// Thirty-two times the binary logarithm, by straight lines.
fn log2(n: i32) -> i32 {
    let n = n.max(1);
    let whole = n.ilog2() as i32;
    32 * whole + ((32 * (n - (1 << whole))) >> whole)
}

impl<'a> Searcher<'a> {
    pub fn new(
        tree: GameTree<'a>,
        eval: &'a Eval,
        profile: &'a Profile,
        table: &'a Table,
        control: &'a Control<'a>,
        signs: Vec<i32>,
        seed: u64,
    ) -> Searcher<'a> {
        let (account, counts) = eval.open(&tree, &signs);
        let mut frames = vec![Frame::default(); MAX_PLY + 4];
        frames[0].account = account;
        let salt = signs.iter().fold(0, |acc, &it| (acc * 3 + it + 1) as u32 as i32) as u64;
        // Depth and number together decide how much less deep a late move is looked at.
        let reduction = |idx: i32| {
            let (depth, number) = (idx / 64, idx % 64);
            (log2(depth) * log2(number) / 32 + 24) / 80
        };
        Searcher {
            memory: eval.memory(),
            corrections: Corrections::new(eval.scaled(60)),
            tree,
            eval,
            profile,
            table,
            control,
            spent: Spent::default(),
            signs,
            frames,
            counts,
            standings: Standings::new(eval),
            salt: salt.wrapping_mul(0x9E37_79B9_7F4A_7C15),
            noise: 0,
            blindness: Blindness::default(),
            is_exact: false,
            has_guessed: false,
            seed,
            root_depth: 0,
            reductions: (0..64 * 64).map(reduction).collect(),
        }
    }

    /// Makes evaluations uncertain; what other levels noted in the table is not used.
    pub fn weaken(&mut self, noise: i32, level: u8) {
        self.noise = noise;
        if level < BEST {
            self.salt ^= u64::from(level.max(1)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        }
    }

    /// The hash of the state, for the table.
    pub fn key(&mut self) -> u64 {
        self.tree.hash() ^ self.salt
    }

    fn side(&self) -> i32 {
        if self.signs[self.tree.mover().idx()] >= 0 { 1 } else { -1 }
    }

    /// Counts the node; gives a score if the game is over here or the search must end.
    #[inline]
    pub fn arrive(&mut self, ply: usize) -> Option<i32> {
        self.frames[ply].line.clear();
        if !self.control.spend(&mut self.spent) {
            return Some(0);
        }
        if let Some(ending) = self.tree.decided() {
            return Some(self.ending(ending, ply));
        }
        self.frames[ply].side = (self.side() < 0) as u8;
        if ply > 0 && self.profile.repeats_draw && self.tree.n_repeats() > 0 {
            self.has_guessed = true;
            return Some(self.draw());
        }
        None
    }

    /// A draw is a little worse than an even game that goes on.
    fn draw(&self) -> i32 {
        0
    }

    /// What an ending is worth to the side of the mover.
    pub fn ending(&self, ending: Ending, ply: usize) -> i32 {
        let sign = |player: boardwright_game::Player| {
            self.signs.get(player.idx()).copied().unwrap_or(0) * self.side()
        };
        let win = WIN - ply as i32;
        match ending {
            Ending::Draw => 0,
            Ending::Win(player) if sign(player) != 0 => sign(player) * win,
            // Nobody of either side wins: both lose, so it is the mover's loss.
            Ending::Win(_) => -win,
            Ending::Loss(player) if sign(player) != 0 => -sign(player) * win,
            Ending::Loss(_) => 0,
        }
    }

    pub fn take_moves(&mut self, ply: usize) -> Vec<TreeMove> {
        std::mem::take(&mut self.frames[ply].moves)
    }

    pub fn give_moves(&mut self, ply: usize, moves: Vec<TreeMove>) {
        self.frames[ply].moves = moves;
    }

    pub fn take_rates(&mut self, ply: usize) -> Vec<i32> {
        std::mem::take(&mut self.frames[ply].rates)
    }

    pub fn give_rates(&mut self, ply: usize, rates: Vec<i32>) {
        self.frames[ply].rates = rates;
    }

    pub fn track_before(&self, ply: usize) -> Track {
        ply.checked_sub(1).map_or(Track(0), |it| self.frames[it].played)
    }

    pub fn last_to(&self, ply: usize) -> Option<boardwright_game::Site> {
        ply.checked_sub(1).and_then(|it| self.frames[it].to)
    }

    /// Notes how many moves the mover has, for the evaluation.
    pub fn note_mobility(&mut self, ply: usize, moves: &[TreeMove], in_check: bool) {
        let n = moves.iter().filter(|it| !it.is_drop || !self.profile.has_moves).count();
        let pressure =
            self.eval.pressure(&self.frames[ply].account, &self.signs, self.side(), moves);
        let frame = &mut self.frames[ply];
        frame.n_moves = (!in_check && !self.tree.is_going_on()).then_some(n as i32);
        frame.pressure = pressure;
    }

    /// Lists the loud moves of a state without check and notes how many there are of all.
    pub fn take_loud(&mut self, ply: usize, moves: &mut Vec<TreeMove>) -> Option<Ending> {
        let near = self.eval.pressed(&self.frames[ply].account, &self.signs, self.side());
        match self.tree.loud_moves(near, moves) {
            Ok(tally) => {
                let frame = &mut self.frames[ply];
                frame.n_moves = Some(tally.n_moves as i32);
                frame.pressure = tally.n_near as i32;
                None
            }
            Err(ending) => Some(ending),
        }
    }

    /// Scores the state for the side of the mover.
    pub fn evaluate(&mut self, ply: usize) -> i32 {
        let account = &self.frames[ply].account;
        let standing = self.standings.find(self.eval, account);
        let mut score =
            self.eval.score_with(&self.tree, account, &self.signs, &standing) * self.side();
        let frame = &self.frames[ply];
        if self.eval.mobility != 0
            && self.profile.movers.len() == 2
            && let Some(mine) = frame.n_moves
        {
            let other = |it: &&Frame| it.side != frame.side && it.n_moves.is_some();
            let theirs = self.frames[ply.saturating_sub(4)..ply].iter().rev().find(other);
            if let Some((it, theirs)) = theirs.and_then(|it| Some((it, it.n_moves?))) {
                score += self.eval.mobility * (mine - theirs).clamp(-60, 60);
                score += self.eval.danger(&frame.account, frame.pressure, it.pressure);
            }
        }
        if self.noise > 0 {
            let mut rng = boardwright_play::SplitMix64::new(self.tree.hash() ^ self.seed);
            let width = self.noise as usize * 2 + 1;
            score += rng.below(width) as i32 - self.noise;
        }
        score.clamp(1 - PROVEN, PROVEN - 1)
    }

    /// Where it is noted how far off evaluations like this one are.
    pub fn spots(&self, ply: usize) -> Spots {
        let track =
            |back: usize| ply.checked_sub(back).map_or(Track(0), |it| self.frames[it].played);
        let frame = &self.frames[ply];
        Corrections::spots(usize::from(frame.side), frame.account.chain, [track(1), track(2)])
    }

    pub fn corrected(&self, looks: i32, spots: Spots) -> i32 {
        (looks + self.corrections.of(spots)).clamp(1 - PROVEN, PROVEN - 1)
    }

    /// Plays a move, looks further, and takes it back. `work` is told whether the side changes.
    #[inline]
    pub fn descend(
        &mut self,
        ply: usize,
        choice: &TreeMove,
        work: impl FnOnce(&mut Searcher<'a>, usize, bool) -> i32,
    ) -> i32 {
        let side = self.side();
        let mover = self.tree.mover().idx();
        self.frames[ply].played = self.memory.track(mover, choice);
        self.frames[ply].to = choice.to;
        self.tree.play(choice);
        let before = self.frames[ply].account;
        let after = self.eval.after(&self.tree, before, &mut self.counts, &self.signs);
        self.frames[ply + 1].account = after;
        self.frames[ply + 1].n_moves = None;
        let flips = self.side() != side;
        let score = work(self, ply + 1, flips);
        self.eval.take_back(&self.tree, &mut self.counts, &self.signs);
        self.tree.undo();
        score
    }

    /// The mean over what chance may do, each looked at with an open window.
    pub fn chance(&mut self, ply: usize, depth: i32, _alpha: i32, _beta: i32) -> i32 {
        let mut moves = self.take_moves(ply);
        if let Some(ending) = self.tree.moves(&mut moves) {
            self.give_moves(ply, moves);
            return self.ending(ending, ply);
        }
        let side = self.side();
        let (mut total, mut weights) = (0i64, 0i64);
        for choice in &moves {
            let score = if ply + 2 >= MAX_PLY {
                self.evaluate(ply)
            } else {
                // Chance has no side of its own: bring each score to this one.
                self.descend(ply, choice, |it, ply, _| {
                    let score = it.search(ply, depth, -INFINITE, INFINITE, true);
                    if it.side() == side { score } else { -score }
                })
            };
            if self.control.is_over() {
                break;
            }
            // A mean of certainties is none.
            let score = score.clamp(1 - PROVEN, PROVEN - 1);
            total += i64::from(score) * i64::from(choice.weight);
            weights += i64::from(choice.weight);
        }
        self.give_moves(ply, moves);
        if weights == 0 { 0 } else { (total / weights) as i32 }
    }

    /// Scores a state for its mover, looking `depth` turns ahead.
    pub fn search(
        &mut self,
        ply: usize,
        mut depth: i32,
        mut alpha: i32,
        mut beta: i32,
        is_pv: bool,
    ) -> i32 {
        if depth <= 0 {
            return if self.is_exact {
                self.horizon(ply)
            } else {
                self.quiesce(ply, alpha, beta, 0)
            };
        }
        // 1. The end, a repetition, a limit.
        if let Some(score) = self.arrive(ply) {
            return score;
        }
        if ply + 2 >= MAX_PLY {
            self.has_guessed = true;
            return if self.is_exact { 0 } else { self.evaluate(ply) };
        }
        if self.tree.is_chance() {
            self.has_guessed = true;
            return self.chance(ply, depth - 1, alpha, beta);
        }
        // 2. A shorter win elsewhere makes this line pointless.
        alpha = alpha.max(ply as i32 - WIN);
        beta = beta.min(WIN - ply as i32 - 1);
        if alpha >= beta {
            return alpha;
        }
        // 3. What is known already.
        let hash = self.key();
        let known = self.table.get(hash);
        let left_out = std::mem::take(&mut self.frames[ply].left_out);
        let serves = |it: &Entry| it.depth >= depth || (self.is_exact && it.score.abs() >= PROVEN);
        if let Some(entry) = known.filter(|it| serves(it) && !is_pv && left_out == 0) {
            let score = from_table(entry.score, ply);
            let holds = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => score >= beta,
                Bound::Upper => score <= alpha,
            };
            if holds {
                // A whole entry is as good as a proof; another may hide a guess.
                self.has_guessed |= entry.depth < WHOLE && entry.score.abs() < PROVEN;
                return score;
            }
        }
        let table_move = known.map_or(0, |it| it.mv);
        let in_check = self.profile.has_check && self.tree.is_in_check();
        let is_going_on = self.tree.is_going_on();
        if self.is_exact {
            // Every turn counts one, so that depth means the same everywhere.
        } else if in_check {
            depth += 1;
        } else if depth >= 4 && table_move == 0 && !is_going_on {
            // Without a good first move a full look is too dear.
            depth -= 1;
        }
        let may_prune =
            !self.is_exact && !is_pv && !in_check && !is_going_on && beta.abs() < PROVEN;
        let may_give_up = may_prune && self.profile.may_skip && left_out == 0;
        // 4. So far ahead that it will hold.
        let looks = if may_prune { self.evaluate(ply) } else { 0 };
        let spots = self.spots(ply);
        let mut stand = if may_prune { self.corrected(looks, spots) } else { 0 };
        self.frames[ply].stand = may_prune.then_some(stand);
        let earlier = ply.checked_sub(2).and_then(|it| self.frames[it].stand);
        let is_better = !self.profile.may_skip || earlier.is_none_or(|it| stand > it);
        if may_give_up && let Some(entry) = known.filter(|it| it.score.abs() < PROVEN) {
            // What a search found is surer than a look.
            let is_surer = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => entry.score > stand,
                Bound::Upper => entry.score < stand,
            };
            if is_surer {
                stand = entry.score;
            }
        }
        let margin = self.eval.scaled(85 * (depth - i32::from(is_better)));
        if may_give_up && depth <= 7 && stand - margin >= beta {
            return stand;
        }
        // So far behind that only what takes something could help.
        if may_give_up && depth <= 3 && stand + self.eval.scaled(120 + 180 * depth) <= alpha {
            let score = self.quiesce(ply, alpha, alpha + 1, 0);
            if score <= alpha || self.control.is_over() {
                return score;
            }
        }
        // 5. So far ahead that even a turn without a move holds.
        let skipped = ply.checked_sub(1).is_some_and(|it| self.frames[it].is_skipped);
        if may_give_up && depth >= 3 && !skipped && stand >= beta && self.has_force() {
            let score = self.skip(
                ply,
                depth - 3 - depth / 5 - ((stand - beta) / self.eval.scaled(200)).min(3),
                beta,
            );
            if self.control.is_over() {
                return 0;
            }
            if score >= beta {
                return if score >= PROVEN { beta } else { score };
            }
        }
        // 6. A move that is much better than all others is looked at more deeply.
        let mut deeper = 0;
        if let Some(entry) = known
            && !self.is_exact
            && self.profile.may_skip
            && depth >= 7
            && table_move != 0
            && left_out == 0
            && !is_going_on
            && ply < 2 * self.root_depth
            && entry.bound != Bound::Upper
            && entry.depth >= depth - 3
            && entry.score.abs() < PROVEN
        {
            let mark = entry.score - self.eval.scaled(2 * depth);
            self.frames[ply].left_out = table_move;
            let score = self.search(ply, (depth - 1) / 2, mark - 1, mark, false);
            self.frames[ply].left_out = 0;
            if self.control.is_over() {
                return 0;
            }
            if score < mark {
                deeper = 1;
            } else if mark >= beta && !is_pv {
                // Two moves are too good already.
                return mark;
            }
        }
        // 7. The moves, best first.
        let mut moves = self.take_moves(ply);
        if let Some(ending) = self.tree.moves(&mut moves) {
            self.give_moves(ply, moves);
            return self.ending(ending, ply);
        }
        self.note_mobility(ply, &moves, in_check);
        self.blindness.apply(hash, &mut moves);
        self.heed_rows(ply, &mut moves);
        let is_only = moves.len() == 1;
        let mover = self.tree.mover().idx();
        let before = self.track_before(ply);
        let mut rates = self.take_rates(ply);
        self.memory.rate(self.eval, &self.tree, &moves, ply, mover, table_move, before, &mut rates);
        self.rate_rows(&moves, &mut rates);
        let wide = if self.profile.has_moves || self.is_exact || is_pv {
            usize::MAX
        } else {
            12 + 6 * depth as usize
        };
        let (mut best, mut best_at, old_alpha) = (-INFINITE, 0, alpha);
        let mut n_quiet = 0;
        let guessed_before = std::mem::take(&mut self.has_guessed);
        for at in 0..moves.len() {
            pick(&mut moves, &mut rates, at);
            let choice = moves[at];
            if left_out != 0 && short_key(choice.key) == left_out {
                continue;
            }
            let is_quiet = !choice.is_loud() && !choice.is_vague;
            // In games of stones only those that do something in rows are worth a look.
            if at > wide && self.eval.has_rows() {
                break;
            }
            // 8. Quiet moves that come late at low depth change nothing.
            if may_prune && best > -PROVEN && is_quiet && self.profile.may_skip {
                let most = 4 + depth * depth;
                if depth <= 7 && n_quiet > if is_better { most } else { most / 2 + 1 } {
                    continue;
                }
                if depth <= 6 && stand + self.eval.scaled(80 + 90 * depth) <= alpha && at > 0 {
                    continue;
                }
            }
            if may_prune
                && best > -PROVEN
                && at > 0
                && depth <= 6
                && self.profile.may_skip
                && (is_quiet || rates[at] < 0)
            {
                let least = if is_quiet { -60 * depth } else { -25 * depth * depth };
                let comes_to = self.tree.exchange(&choice, &self.eval.worth);
                if comes_to.is_some_and(|it| it < self.eval.scaled(least)) {
                    continue;
                }
            }
            n_quiet += i32::from(is_quiet);
            // 9. Late moves are looked at less deeply first.
            let mut less = 0;
            if depth >= 3 && at >= 2 && !in_check && !is_only && !self.is_exact {
                if is_quiet {
                    let place = depth.min(63) * 64 + at.min(63) as i32;
                    less = self.reductions[place as usize];
                    less += i32::from(may_prune && !is_better) - i32::from(is_pv);
                    let quiet = self.memory.quiet(before, self.memory.track(mover, &choice));
                    less -= (quiet / 4000).clamp(-2, 2);
                } else if rates[at] < 0 {
                    less = 1;
                }
                less = less.clamp(0, depth - 2);
            }
            let score = self.descend(ply, &choice, |it, ply, flips| {
                let goes_on = !flips && it.tree.is_going_on();
                let more = if table_move != 0 && at == 0 { deeper } else { 0 };
                let next = if goes_on { depth } else { depth - 1 + more };
                let look = |it: &mut Searcher<'a>, depth: i32, low: i32, high: i32, is_pv| {
                    if flips {
                        -it.search(ply, depth, -high, -low, is_pv)
                    } else {
                        it.search(ply, depth, low, high, is_pv)
                    }
                };
                if at == usize::from(left_out != 0) {
                    return look(it, next, alpha, beta, is_pv);
                }
                let mut score = look(it, next - less, alpha, alpha + 1, false);
                if score > alpha && less > 0 {
                    score = look(it, next, alpha, alpha + 1, false);
                }
                if score > alpha && score < beta {
                    score = look(it, next, alpha, beta, is_pv);
                }
                score
            });
            if self.control.is_over() {
                break;
            }
            if score > best {
                best = score;
                best_at = at;
                if score > alpha {
                    alpha = score;
                    if is_pv {
                        self.extend_line(ply, choice);
                    }
                    if alpha >= beta {
                        break;
                    }
                }
            }
        }
        if !self.control.is_over() {
            // 10. What was learned.
            if best >= beta {
                let tried: Vec<TreeMove> =
                    moves[..best_at].iter().filter(|it| !it.is_loud()).copied().collect();
                self.memory.reward(ply, mover, &moves[best_at], &tried, before, depth);
            }
            let bound = match () {
                () if best >= beta => Bound::Lower,
                () if best > old_alpha => Bound::Exact,
                () => Bound::Upper,
            };
            let is_calm = best <= old_alpha || !moves[best_at].is_loud();
            let is_telling = match bound {
                Bound::Lower => best > looks,
                Bound::Upper => best < looks,
                Bound::Exact => true,
            };
            if may_prune && is_calm && is_telling && left_out == 0 && best.abs() < PROVEN {
                self.corrections.learn(spots, best - looks, depth);
            }
            let mv = if best > old_alpha { short_key(moves[best_at].key) } else { 0 };
            let depth = if self.is_exact && !self.has_guessed { WHOLE } else { depth };
            if left_out == 0 {
                self.table.put(hash, Entry { mv, score: to_table(best, ply), depth, bound });
            }
        }
        self.has_guessed |= guessed_before;
        self.give_moves(ply, moves);
        self.give_rates(ply, rates);
        if self.control.is_over() {
            return 0;
        }
        // With the only move left out nothing is known.
        best.max(-WIN)
    }

    /// Where stones complete rows: a win at once, or the moves that prevent one.
    pub fn heed_rows(&mut self, ply: usize, moves: &mut Vec<TreeMove>) {
        if self.profile.has_moves || !self.eval.has_rows() || !self.blindness.is_none() {
            return;
        }
        let (side, account) = (self.side(), self.frames[ply].account);
        let wanted = |it: &Searcher<'_>, side: i32| {
            it.eval.wanted(&account, &it.counts, &it.signs, side, &it.tree)
        };
        let lands = |sites: &[boardwright_game::Site], it: &TreeMove| {
            it.to.is_some_and(|to| sites.contains(&to))
        };
        let mine = wanted(self, side);
        if moves.iter().any(|it| lands(&mine, it)) {
            moves.retain(|it| lands(&mine, it));
            return;
        }
        let theirs = wanted(self, -side);
        if moves.iter().any(|it| lands(&theirs, it)) {
            moves.retain(|it| lands(&theirs, it));
        }
    }

    /// Stones that do much in rows come first.
    pub fn rate_rows(&self, moves: &[TreeMove], rates: &mut [i32]) {
        if self.profile.has_moves || !self.eval.has_rows() {
            return;
        }
        for (choice, rate) in moves.iter().zip(rates) {
            if let Some(to) = choice.to {
                *rate += self.eval.pull(&self.counts, to) * 24;
            }
        }
    }

    /// The end of an exact look: the game's own end, or a guess.
    fn horizon(&mut self, ply: usize) -> i32 {
        if let Some(score) = self.arrive(ply) {
            return score;
        }
        let mut moves = self.take_moves(ply);
        let ending = self.tree.moves(&mut moves);
        self.give_moves(ply, moves);
        match ending {
            Some(ending) => self.ending(ending, ply),
            None => {
                self.has_guessed = true;
                0
            }
        }
    }

    /// Whether the mover has more than royal pieces and a few others, so that a turn
    /// without a move is not likely to be its best.
    fn has_force(&self) -> bool {
        let owner = self.tree.owner();
        let n_all = self.tree.count_all(owner);
        match self.eval.structure_kind() {
            // Pieces that go one way only are the first to be better off without a move.
            Some(kind) => n_all >= 3 && n_all - self.tree.count(owner, kind) >= 2,
            None => n_all >= 4,
        }
    }

    fn skip(&mut self, ply: usize, depth: i32, beta: i32) -> i32 {
        self.frames[ply].played = Track(0);
        self.frames[ply].to = None;
        self.frames[ply].is_skipped = true;
        self.tree.skip();
        self.frames[ply + 1].account = self.frames[ply].account;
        self.frames[ply + 1].n_moves = None;
        let score = -self.search(ply + 1, depth, -beta, 1 - beta, false);
        self.tree.undo();
        self.frames[ply].is_skipped = false;
        score
    }

    fn extend_line(&mut self, ply: usize, choice: TreeMove) {
        let (here, next) = self.frames.split_at_mut(ply + 1);
        let line = &mut here[ply].line;
        line.clear();
        line.push(choice);
        line.extend_from_slice(&next[0].line);
    }

    /// The best line from the root that was found last.
    pub fn line_after(&self, choice: TreeMove) -> Vec<TreeMove> {
        let mut line = vec![choice];
        line.extend_from_slice(&self.frames[1].line);
        line
    }

    /// The best line from the root, as the last search left it.
    pub fn line_here(&self) -> Vec<TreeMove> {
        self.frames[0].line.clone()
    }
}
