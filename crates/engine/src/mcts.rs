//! Monte Carlo tree search: UCT with RAVE and proven results (MCTS-Solver).
//!
//! Each iteration selects a path by upper confidence bounds, expands a leaf, plays a playout
//! with a uniformly random policy and backs the result up. Moves that occurred later in a
//! playout count for the same move higher up too (all moves as first, AMAF). Proven nodes are
//! not searched again. A playout that reaches the ply limit is scored by the static evaluation.

use boardwright_fast::{GameTree, TreeMove};
use boardwright_game::{Player, Site};
use boardwright_play::{Ending, SplitMix64};
use boardwright_rules::GameState;

use crate::{
    eval::Eval,
    levels::Oversights,
    limits::{ClockPacer, NodeCounter, SearchControl},
    params::{EXPLORATION, FIRST_PLAY_URGENCY, RAVE_BIAS},
    report::{SearchInfo, SearchLine},
    score::{Score, WIN},
    tree_reuse::ReusableTree,
};

/// The proven result of a node, for the player who moved to it, with its distance in plies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Proven {
    Open,
    Won(u16),
    Lost(u16),
    Drawn,
}

impl Proven {
    /// The same result for the other side.
    pub fn for_the_other(self) -> Proven {
        match self {
            Proven::Won(n) => Proven::Lost(n),
            Proven::Lost(n) => Proven::Won(n),
            other => other,
        }
    }
}

/// A node of the tree.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    /// The move that leads here.
    pub choice: TreeMove,
    /// Who made that move; at the root, who is to move.
    pub by: Player,
    /// The index of the first child and the number of children.
    pub children: (u32, u32),
    pub is_expanded: bool,
    pub proven: Proven,
    pub visits: u32,
    /// Sum of rewards for `by`, [`WIN_REWARD`] for a win.
    pub reward: u64,
    /// AMAF: playouts in which the move came later, and the sum of their rewards.
    amaf_visits: u32,
    amaf_reward: u64,
}

/// MonteCarloSearch that a depth limit of one ply stands for.
const PLAYOUTS_PER_DEPTH: u32 = 1000;

/// The reward of a won playout; a draw gives half of it.
pub(crate) const WIN_REWARD: u64 = 1000;

/// The settings of one Monte Carlo search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MonteCarloConfig {
    pub seed: u64,
    /// Bytes for the tree.
    pub memory: usize,
    /// Longest playout, in plies.
    pub max_plies: u32,
    /// Whether it is a game for two without chance, so that results can be proven.
    pub is_duel: bool,
    pub n_players: u32,
    pub oversights: Oversights,
}

/// The children of another thread's root.
pub(crate) struct RootStatistics(Vec<Node>);

/// One thread's Monte Carlo search.
pub(crate) struct MonteCarloSearch<'a> {
    tree: GameTree<'a>,
    control: &'a SearchControl<'a>,
    eval: &'a Eval,
    /// By player: 1 for the first side, -1 for the second, 0 for nobody's.
    signs: Vec<i32>,
    counter: NodeCounter,
    pacer: ClockPacer,
    rng: SplitMix64,
    nodes: Vec<Node>,
    max_nodes: usize,
    config: MonteCarloConfig,
    /// AMAF: by player and move, the last iteration in which it occurred.
    seen: Vec<u32>,
    iteration: u32,
    moves: Vec<TreeMove>,
}

/// Size of the AMAF table of moves.
const AMAF_SIZE: usize = 1 << 16;

/// The entry of a move in the AMAF table.
fn amaf_slot(player: Player, from: Option<Site>, to: Option<Site>) -> usize {
    let part = |it: Option<Site>| it.map_or(0, |it| u32::from(it.0) + 1);
    let mixed = part(from).wrapping_mul(0x9E37_79B1) ^ part(to).wrapping_mul(0x85EB_CA77);
    ((mixed ^ u32::from(player.0).wrapping_mul(0xC2B2_AE3D)) >> 9) as usize % AMAF_SIZE
}

/// The binary logarithm, piecewise linear: the same on every machine.
fn log2(n: u32) -> f32 {
    let n = n.max(1);
    let whole = n.ilog2();
    whole as f32 + (n - (1 << whole)) as f32 / (1u64 << whole) as f32
}

/// The result of a playout.
#[derive(Clone, Copy, Debug)]
enum PlayoutResult {
    End(Ending),
    /// It reached the ply limit: the reward of the first side by the static evaluation.
    Cut(u64),
}

impl PlayoutResult {
    /// The reward of a player, from 0 to [`WIN_REWARD`].
    fn reward(self, player: Player, signs: &[i32]) -> u64 {
        match self {
            PlayoutResult::End(Ending::Draw) => WIN_REWARD / 2,
            PlayoutResult::End(Ending::Win(it)) => WIN_REWARD * u64::from(it == player),
            PlayoutResult::End(Ending::Loss(it)) => WIN_REWARD * u64::from(it != player),
            PlayoutResult::Cut(value) => match signs.get(player.idx()) {
                Some(1) => value,
                Some(-1) => WIN_REWARD - value,
                _ => WIN_REWARD / 2,
            },
        }
    }
}

impl<'a> MonteCarloSearch<'a> {
    /// A search that begins with the tree of an earlier one, if there is any.
    pub fn new(
        mut tree: GameTree<'a>,
        control: &'a SearchControl<'a>,
        eval: &'a Eval,
        signs: Vec<i32>,
        config: MonteCarloConfig,
        reused: Option<Vec<Node>>,
    ) -> MonteCarloSearch<'a> {
        let by = tree.mover();
        let mut moves = Vec::new();
        tree.moves(&mut moves);
        let mut it = MonteCarloSearch {
            tree,
            control,
            eval,
            signs,
            counter: NodeCounter::default(),
            pacer: ClockPacer::default(),
            rng: SplitMix64::new(config.seed),
            nodes: Vec::new(),
            max_nodes: (config.memory / size_of::<Node>()).max(4096),
            config,
            seen: vec![0; AMAF_SIZE],
            iteration: 0,
            moves,
        };
        // The root has no move that leads to it: any will do.
        let any_move = it.moves.first().copied();
        match (reused, any_move) {
            (Some(reused), _) if reused.len() < it.max_nodes / 2 => it.nodes = reused,
            (_, Some(choice)) => {
                it.nodes.push(new_node(choice, by));
                it.expand(0);
            }
            _ => {}
        }
        it
    }

    /// Runs iterations until a limit is reached or the root is proven.
    pub fn run(&mut self, on_info: &mut dyn FnMut(&SearchInfo)) {
        if self.nodes.is_empty() {
            return;
        }
        let mut next_info = 1000;
        let most = self.control.max_depth.saturating_mul(PLAYOUTS_PER_DEPTH);
        while self.control.count_node(&mut self.counter) {
            self.iteration += 1;
            self.iterate();
            let is_proven = self.nodes[0].proven != Proven::Open;
            if self.iteration >= next_info || is_proven {
                next_info = next_info * 3 / 2;
                on_info(&self.info());
            }
            let is_only = self.nodes[0].children.1 == 1 && self.control.is_timed();
            if is_proven || (is_only && self.iteration > 50) {
                break;
            }
            if self.iteration >= most {
                break;
            }
            // The soft time limit.
            if self.iteration.is_multiple_of(256) && !self.control.may_deepen(1.5) {
                break;
            }
        }
        self.control.publish(&mut self.counter);
    }

    /// Expansion: adds the moves in the buffer as children of a node.
    fn expand(&mut self, at: usize) {
        let first = self.nodes.len() as u32;
        let by = self.tree.mover();
        let mut moves = std::mem::take(&mut self.moves);
        if !self.config.oversights.is_none() && !self.tree.is_chance() {
            self.config.oversights.apply(self.tree.hash(), &mut moves);
        }
        self.nodes.extend(moves.iter().map(|&it| new_node(it, by)));
        self.nodes[at].children = (first, moves.len() as u32);
        self.nodes[at].is_expanded = true;
        self.moves = moves;
    }

    /// One iteration: selection, expansion, playout, backpropagation.
    fn iterate(&mut self) {
        let mut path = vec![0usize];
        let mut at = 0;
        let mut over;
        // Step 1. Selection.
        loop {
            over = self.tree.decided();
            if over.is_some() {
                break;
            }
            let node = &self.nodes[at];
            if !node.is_expanded {
                // Step 2. Expansion, at the second visit.
                if node.visits == 0 && at != 0 || self.nodes.len() > self.max_nodes {
                    break;
                }
                let mut moves = std::mem::take(&mut self.moves);
                over = self.tree.moves(&mut moves);
                self.moves = moves;
                if over.is_some() {
                    break;
                }
                self.expand(at);
            }
            let child = self.select(at);
            let choice = self.nodes[child].choice;
            self.tree.play(&choice);
            path.push(child);
            at = child;
            if path.len() > 400 {
                break;
            }
        }
        // Step 3. Playout.
        let result = match over {
            Some(end) => {
                let result = PlayoutResult::End(end);
                let node = &mut self.nodes[at];
                node.proven = match result.reward(node.by, &self.signs) {
                    WIN_REWARD => Proven::Won(0),
                    0 => Proven::Lost(0),
                    _ => Proven::Drawn,
                };
                result
            }
            None => self.playout(),
        };
        let iteration = self.iteration;
        // Step 4. Backpropagation.
        for (depth, &idx) in path.iter().enumerate().rev() {
            if depth > 0 {
                self.tree.undo();
            }
            let node = &mut self.nodes[idx];
            node.visits += 1;
            node.reward += result.reward(node.by, &self.signs);
            let (first, n) = node.children;
            for child in &mut self.nodes[first as usize..(first + n) as usize] {
                let it = &child.choice;
                if self.seen[amaf_slot(child.by, it.from, it.to)] == iteration {
                    child.amaf_visits += 1;
                    child.amaf_reward += result.reward(child.by, &self.signs);
                }
            }
            let choice = self.nodes[idx].choice;
            self.seen[amaf_slot(self.nodes[idx].by, choice.from, choice.to)] = iteration;
            self.update_proof(idx);
        }
    }

    /// Plays random moves from here to the end or the ply limit, and takes them back.
    fn playout(&mut self) -> PlayoutResult {
        let MonteCarloSearch {
            tree,
            rng,
            seen,
            config,
            eval,
            signs,
            iteration,
            control,
            pacer,
            ..
        } = self;
        let ply = tree.ply();
        let ending = tree.play_on(rng, config.max_plies, |player, from, to| {
            seen[amaf_slot(player, from, to)] = *iteration;
            control.count_playout_move(pacer)
        });
        let result = match ending {
            Some(end) => PlayoutResult::End(end),
            None => {
                let (accumulator, _) = eval.refresh(tree, signs);
                let score = i64::from(eval.score(tree, &accumulator, signs));
                // An advantage of 200 points is a reward of 75 %.
                let half = WIN_REWARD as i64 / 2;
                PlayoutResult::Cut((half + half * score / (200 + score.abs())) as u64)
            }
        };
        tree.come_back(ply);
        result
    }

    /// Derives the proven result of a node from its children, if they allow it.
    fn update_proof(&mut self, at: usize) {
        let node = &self.nodes[at];
        if node.proven != Proven::Open || !node.is_expanded || !self.config.is_duel {
            return;
        }
        let (first, n) = node.children;
        let children = &self.nodes[first as usize..(first + n) as usize];
        let Some(mover) = children.first().map(|it| it.by) else { return };
        let (mut all_proven, mut can_draw, mut longest) = (true, false, 0);
        let mut shortest = u16::MAX;
        for child in children {
            match child.proven {
                Proven::Won(n) => shortest = shortest.min(n),
                Proven::Lost(n) => longest = longest.max(n),
                Proven::Drawn => can_draw = true,
                Proven::Open => all_proven = false,
            }
        }
        let by_mover = if shortest < u16::MAX {
            Proven::Won(shortest + 1)
        } else if !all_proven {
            return;
        } else if can_draw {
            Proven::Drawn
        } else {
            Proven::Lost(longest + 1)
        };
        let same = node.by == mover;
        self.nodes[at].proven = if same { by_mover } else { by_mover.for_the_other() };
    }

    /// The child to visit next: by upper confidence bound, or at random for a chance node.
    fn select(&mut self, at: usize) -> usize {
        let (first, n) = self.nodes[at].children;
        let range = first as usize..(first + n) as usize;
        if self.tree.is_chance() {
            let children = &self.nodes[range.clone()];
            let total: usize = children.iter().map(|it| usize::from(it.choice.weight)).sum();
            let mut ticket = self.rng.below(total);
            for (idx, child) in children.iter().enumerate() {
                let weight = usize::from(child.choice.weight);
                if ticket < weight {
                    return range.start + idx;
                }
                ticket -= weight;
            }
        }
        let log = log2(self.nodes[at].visits + 1) * std::f32::consts::LN_2;
        let parent = &self.nodes[at];
        let share = |reward: u64, visits: f32| reward as f32 / (WIN_REWARD as f32 * visits);
        let is_own = self.nodes.get(range.start).is_some_and(|it| it.by == parent.by);
        let prior = match parent.visits {
            0 => 0.5,
            n if is_own => share(parent.reward, n as f32),
            n => 1.0 - share(parent.reward, n as f32),
        };
        let mut best = (f32::MIN, range.start);
        for idx in range {
            let child = &self.nodes[idx];
            let bound = match child.proven {
                Proven::Won(_) => 10.0,
                Proven::Lost(_) => -10.0,
                Proven::Drawn => 0.5,
                Proven::Open => {
                    let visits = child.visits as f32;
                    let later = child.amaf_visits as f32;
                    let mean = if child.visits == 0 {
                        prior - FIRST_PLAY_URGENCY
                    } else {
                        share(child.reward, visits)
                    };
                    let amaf =
                        if child.amaf_visits == 0 { mean } else { share(child.amaf_reward, later) };
                    // RAVE: the weight of AMAF falls as the node's own visits come in.
                    let rave = later / (visits + later + visits * later * RAVE_BIAS + 1.0);
                    let value = mean * (1.0 - rave) + amaf * rave;
                    value
                        + EXPLORATION * (log / (visits + 1.0)).sqrt()
                        + self.rng.below(1024) as f32 * 1e-7
                }
            };
            if bound > best.0 {
                best = (bound, idx);
            }
        }
        best.1
    }

    /// The children of a node, best first.
    fn ranked(&self, at: usize) -> Vec<usize> {
        let (first, n) = self.nodes[at].children;
        let mut order: Vec<usize> = (first as usize..(first + n) as usize).collect();
        order.sort_by_key(|&it| {
            let node = &self.nodes[it];
            let class = match node.proven {
                Proven::Won(n) => (2, i64::from(u16::MAX - n)),
                Proven::Lost(n) => (0, i64::from(n)),
                _ => (1, i64::from(node.visits)),
            };
            std::cmp::Reverse(class)
        });
        order
    }

    /// The score of a node for the player who moved to it.
    fn score_of(&self, at: usize) -> Score {
        let node = &self.nodes[at];
        match node.proven {
            Proven::Won(n) => Score(WIN - i32::from(n) - 1),
            Proven::Lost(n) => Score(i32::from(n) + 1 - WIN),
            Proven::Drawn => Score::EVEN,
            Proven::Open => {
                // A mean reward of 75 % is about 73 points.
                let visits = node.visits.max(1) as f32;
                let share = (node.reward as f32 / (WIN_REWARD as f32 * visits)).clamp(0.01, 0.99);
                // With n players an even game gives each one nth: bring that to a half.
                let others = self.config.n_players.max(2) as f32 - 1.0;
                let share = match self.config.n_players {
                    0..=2 => share,
                    _ => (share * others / (share * others + 1.0 - share)).clamp(0.01, 0.99),
                };
                Score((100.0 * (share - 0.5) / (share * (1.0 - share)) * 0.55) as i32)
            }
        }
    }

    /// The most visited line from a node.
    fn line_from(&self, start: usize) -> Vec<TreeMove> {
        let mut line = vec![self.nodes[start].choice];
        let mut at = start;
        while line.len() < 24 && self.nodes[at].is_expanded {
            let Some(&next) = self.ranked(at).first() else { break };
            if self.nodes[next].visits < 8 {
                break;
            }
            line.push(self.nodes[next].choice);
            at = next;
        }
        line
    }

    fn info(&mut self) -> SearchInfo {
        let line = self.lines(1).pop();
        let depth = line.as_ref().map_or(0, |it| it.depth);
        SearchInfo {
            depth,
            nodes: self.counter.count,
            time: self.control.elapsed(),
            rank: 0,
            line,
            current: None,
        }
    }

    /// The best lines, best first.
    pub fn lines(&mut self, n: usize) -> Vec<SearchLine> {
        if self.nodes.is_empty() {
            return Vec::new();
        }
        let ranked = self.ranked(0);
        let lines = ranked.into_iter().take(n.max(1)).map(|at| {
            let line = self.line_from(at);
            let moves = crate::engine::moves_of(&mut self.tree, &line);
            SearchLine { depth: moves.len() as u32, moves, score: self.score_of(at) }
        });
        lines.collect()
    }

    /// The children of the root, for another thread.
    pub fn root_statistics(&self) -> RootStatistics {
        let (first, n) = self.nodes.first().map_or((0, 0), |it| it.children);
        RootStatistics(self.nodes[first as usize..(first + n) as usize].to_vec())
    }

    /// Adds the statistics of another thread's root.
    pub fn merge(&mut self, statistics: &RootStatistics) {
        let (first, n) = self.nodes.first().map_or((0, 0), |it| it.children);
        for child in &mut self.nodes[first as usize..(first + n) as usize] {
            let Some(other) = statistics.0.iter().find(|it| it.choice.key == child.choice.key)
            else {
                continue;
            };
            child.visits += other.visits;
            child.reward += other.reward;
            if child.proven == Proven::Open {
                child.proven = other.proven;
            }
        }
        if !self.nodes.is_empty() {
            self.update_proof(0);
        }
    }

    /// The tree, for the search of the next move.
    pub fn into_reusable(self, state: &GameState) -> Option<ReusableTree> {
        (!self.nodes.is_empty()).then(|| ReusableTree::new(self.nodes, state))
    }

    /// Whether the root is a proven draw.
    pub fn is_drawn(&self) -> bool {
        self.nodes.first().is_some_and(|it| it.proven == Proven::Drawn)
    }
}

/// A node without visits.
fn new_node(choice: TreeMove, by: Player) -> Node {
    Node {
        choice,
        by,
        children: (0, 0),
        is_expanded: false,
        proven: Proven::Open,
        visits: 0,
        reward: 0,
        amaf_visits: 0,
        amaf_reward: 0,
    }
}
