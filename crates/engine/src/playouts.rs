//! Monte-Carlo tree search: a tree that grows where random games go well.
//!
//! Each round walks down the tree by promise, adds the moves of a new state,
//! plays a random game from there and brings the result back up. What was good
//! anywhere in a random game counts a little for the same move here (all moves
//! as first). Certain results are never tried again. A random game that does not end is
//! scored as it stands.

use boardwright_fast::{GameTree, TreeMove};
use boardwright_game::{Player, Site};
use boardwright_play::{Ending, SplitMix64, State};

use crate::{
    eval::Eval,
    keep::Kept,
    levels::Blindness,
    limits::{Control, Pace, Spent},
    report::{Info, Line},
    score::{Score, WIN},
};

/// What is certain about a node, for the player who moved to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Known {
    Open,
    Won(u16),
    Lost(u16),
    Drawn,
}

impl Known {
    /// The same, seen by the other side.
    pub fn for_the_other(self) -> Known {
        match self {
            Known::Won(n) => Known::Lost(n),
            Known::Lost(n) => Known::Won(n),
            other => other,
        }
    }
}

/// A state of the tree.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub choice: TreeMove,
    /// Who moved here; at the root, who is to move.
    pub by: Player,
    /// The first child and how many there are.
    pub children: (u32, u32),
    pub is_grown: bool,
    pub known: Known,
    pub visits: u32,
    /// Sum of results for `by`, [`FULL`] for a win.
    pub gained: u64,
    /// The same for games in which the move came later.
    later_visits: u32,
    later_gained: u64,
}

/// Random games know no depth: a limit of one counts as so many games.
const PER_DEPTH: u32 = 1000;

/// What a won game counts.
pub(crate) const FULL: u64 = 1000;

/// How playouts are done.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Manner {
    pub seed: u64,
    /// Bytes for the tree.
    pub memory: usize,
    /// Longest random game.
    pub max_plies: u32,
    /// Whether two play without chance, so that results can be certain.
    pub is_duel: bool,
    /// How many players there are.
    pub n_players: u32,
    pub blindness: Blindness,
}

/// What another thread found out about the moves of the root.
pub(crate) struct Gist(Vec<Node>);

/// One search by playouts.
pub(crate) struct Playouts<'a> {
    tree: GameTree<'a>,
    control: &'a Control<'a>,
    eval: &'a Eval,
    /// By player: 1 for the first side, -1 for the second, 0 for nobody's.
    signs: Vec<i32>,
    spent: Spent,
    pace: Pace,
    rng: SplitMix64,
    nodes: Vec<Node>,
    max_nodes: usize,
    manner: Manner,
    /// By player and move: the number of the last round that saw it.
    seen: Vec<u32>,
    round: u32,
    moves: Vec<TreeMove>,
}

/// Slots for moves that a random game saw.
const SEEN: usize = 1 << 16;

fn slot(player: Player, from: Option<Site>, to: Option<Site>) -> usize {
    let part = |it: Option<Site>| it.map_or(0, |it| u32::from(it.0) + 1);
    let mixed = part(from).wrapping_mul(0x9E37_79B1) ^ part(to).wrapping_mul(0x85EB_CA77);
    ((mixed ^ u32::from(player.0).wrapping_mul(0xC2B2_AE3D)) >> 9) as usize % SEEN
}

/// The binary logarithm, by straight lines: the same on every machine.
fn log2(n: u32) -> f32 {
    let n = n.max(1);
    let whole = n.ilog2();
    whole as f32 + (n - (1 << whole)) as f32 / (1u64 << whole) as f32
}

/// What a random game came to.
#[derive(Clone, Copy, Debug)]
enum Finish {
    End(Ending),
    /// It did not end: what it seemed worth to the first side.
    Cut(u64),
}

impl Finish {
    /// What it gives a player, from 0 to [`FULL`].
    fn reward(self, player: Player, signs: &[i32]) -> u64 {
        match self {
            Finish::End(Ending::Draw) => FULL / 2,
            Finish::End(Ending::Win(it)) => FULL * u64::from(it == player),
            Finish::End(Ending::Loss(it)) => FULL * u64::from(it != player),
            Finish::Cut(value) => match signs.get(player.idx()) {
                Some(1) => value,
                Some(-1) => FULL - value,
                _ => FULL / 2,
            },
        }
    }
}

impl<'a> Playouts<'a> {
    /// A search, with the tree that an earlier one left, if any.
    pub fn new(
        mut tree: GameTree<'a>,
        control: &'a Control<'a>,
        eval: &'a Eval,
        signs: Vec<i32>,
        manner: Manner,
        kept: Option<Vec<Node>>,
    ) -> Playouts<'a> {
        let by = tree.mover();
        let mut moves = Vec::new();
        tree.moves(&mut moves);
        let mut it = Playouts {
            tree,
            control,
            eval,
            signs,
            spent: Spent::default(),
            pace: Pace::default(),
            rng: SplitMix64::new(manner.seed),
            nodes: Vec::new(),
            max_nodes: (manner.memory / size_of::<Node>()).max(4096),
            manner,
            seen: vec![0; SEEN],
            round: 0,
            moves,
        };
        let pass = it.moves.first().copied();
        match (kept, pass) {
            (Some(kept), _) if kept.len() < it.max_nodes / 2 => it.nodes = kept,
            (_, Some(choice)) => {
                it.nodes.push(fresh(choice, by));
                it.add_children(0);
            }
            _ => {}
        }
        it
    }

    /// Runs rounds until a limit says stop or all is known.
    pub fn run(&mut self, news: &mut dyn FnMut(&Info)) {
        if self.nodes.is_empty() {
            return;
        }
        let mut next_news = 1000;
        let most = self.control.max_depth.saturating_mul(PER_DEPTH);
        while self.control.spend(&mut self.spent) {
            self.round += 1;
            self.play_round();
            let is_known = self.nodes[0].known != Known::Open;
            if self.round >= next_news || is_known {
                next_news = next_news * 3 / 2;
                news(&self.info());
            }
            let is_only = self.nodes[0].children.1 == 1 && self.control.is_timed();
            if is_known || (is_only && self.round > 50) {
                break;
            }
            if self.round >= most {
                break;
            }
            // Rounds without end, but nothing left to learn about the choice.
            if self.round.is_multiple_of(256) && !self.control.may_deepen(1.5) {
                break;
            }
        }
        self.control.settle(&mut self.spent);
    }

    fn add_children(&mut self, at: usize) {
        let first = self.nodes.len() as u32;
        let by = self.tree.mover();
        let mut moves = std::mem::take(&mut self.moves);
        if !self.manner.blindness.is_none() && !self.tree.is_chance() {
            self.manner.blindness.apply(self.tree.hash(), &mut moves);
        }
        self.nodes.extend(moves.iter().map(|&it| fresh(it, by)));
        self.nodes[at].children = (first, moves.len() as u32);
        self.nodes[at].is_grown = true;
        self.moves = moves;
    }

    fn play_round(&mut self) {
        let mut path = vec![0usize];
        let mut at = 0;
        let mut over;
        // 1. Down the tree.
        loop {
            over = self.tree.decided();
            if over.is_some() {
                break;
            }
            let node = &self.nodes[at];
            if !node.is_grown {
                // 2. A new state gets its moves once it was met before.
                if node.visits == 0 && at != 0 || self.nodes.len() > self.max_nodes {
                    break;
                }
                let mut moves = std::mem::take(&mut self.moves);
                over = self.tree.moves(&mut moves);
                self.moves = moves;
                if over.is_some() {
                    break;
                }
                self.add_children(at);
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
        // 3. A random game from there.
        let result = match over {
            Some(end) => {
                let result = Finish::End(end);
                let node = &mut self.nodes[at];
                node.known = match result.reward(node.by, &self.signs) {
                    FULL => Known::Won(0),
                    0 => Known::Lost(0),
                    _ => Known::Drawn,
                };
                result
            }
            None => self.play_on(),
        };
        let round = self.round;
        // 4. Back up.
        for (depth, &idx) in path.iter().enumerate().rev() {
            if depth > 0 {
                self.tree.undo();
            }
            let node = &mut self.nodes[idx];
            node.visits += 1;
            node.gained += result.reward(node.by, &self.signs);
            let (first, n) = node.children;
            for child in &mut self.nodes[first as usize..(first + n) as usize] {
                let it = &child.choice;
                if self.seen[slot(child.by, it.from, it.to)] == round {
                    child.later_visits += 1;
                    child.later_gained += result.reward(child.by, &self.signs);
                }
            }
            let choice = self.nodes[idx].choice;
            self.seen[slot(self.nodes[idx].by, choice.from, choice.to)] = round;
            self.settle_node(idx);
        }
    }

    /// Plays a random game from here, and comes back.
    fn play_on(&mut self) -> Finish {
        let Playouts { tree, rng, seen, manner, eval, signs, round, control, pace, .. } = self;
        let ply = tree.ply();
        let ending = tree.play_on(rng, manner.max_plies, |player, from, to| {
            seen[slot(player, from, to)] = *round;
            control.go_on(pace)
        });
        let result = match ending {
            Some(end) => Finish::End(end),
            None => {
                let (account, _) = eval.open(tree, signs);
                let score = i64::from(eval.score(tree, &account, signs));
                // Three pieces ahead are a share of about 80 %.
                let half = FULL as i64 / 2;
                Finish::Cut((half + half * score / (200 + score.abs())) as u64)
            }
        };
        tree.come_back(ply);
        result
    }

    /// Works out whether a node is certain by now.
    fn settle_node(&mut self, at: usize) {
        let node = &self.nodes[at];
        if node.known != Known::Open || !node.is_grown || !self.manner.is_duel {
            return;
        }
        let (first, n) = node.children;
        let children = &self.nodes[first as usize..(first + n) as usize];
        let Some(mover) = children.first().map(|it| it.by) else { return };
        let (mut all_known, mut can_draw, mut longest) = (true, false, 0);
        let mut shortest = u16::MAX;
        for child in children {
            match child.known {
                Known::Won(n) => shortest = shortest.min(n),
                Known::Lost(n) => longest = longest.max(n),
                Known::Drawn => can_draw = true,
                Known::Open => all_known = false,
            }
        }
        let by_mover = match () {
            () if shortest < u16::MAX => Known::Won(shortest + 1),
            () if !all_known => return,
            () if can_draw => Known::Drawn,
            () => Known::Lost(longest + 1),
        };
        let same = node.by == mover;
        self.nodes[at].known = if same { by_mover } else { by_mover.for_the_other() };
    }

    /// The child to look at next.
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
        let share = |gained: u64, visits: f32| gained as f32 / (FULL as f32 * visits);
        let is_own = self.nodes.get(range.start).is_some_and(|it| it.by == parent.by);
        let prior = match parent.visits {
            0 => 0.5,
            n if is_own => share(parent.gained, n as f32),
            n => 1.0 - share(parent.gained, n as f32),
        };
        let mut best = (f32::MIN, range.start);
        for idx in range {
            let child = &self.nodes[idx];
            let promise = match child.known {
                Known::Won(_) => 10.0,
                Known::Lost(_) => -10.0,
                Known::Drawn => 0.5,
                Known::Open => {
                    let visits = child.visits as f32;
                    let later = child.later_visits as f32;
                    let mean =
                        if child.visits == 0 { prior - 0.05 } else { share(child.gained, visits) };
                    let amaf = if child.later_visits == 0 {
                        mean
                    } else {
                        share(child.later_gained, later)
                    };
                    // How much the other games count falls as real ones come in.
                    let trust = later / (visits + later + visits * later * 0.002 + 1.0);
                    let value = mean * (1.0 - trust) + amaf * trust;
                    value
                        + 0.35 * (log / (visits + 1.0)).sqrt()
                        + self.rng.below(1024) as f32 * 1e-7
                }
            };
            if promise > best.0 {
                best = (promise, idx);
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
            let class = match node.known {
                Known::Won(n) => (2, i64::from(u16::MAX - n)),
                Known::Lost(n) => (0, i64::from(n)),
                _ => (1, i64::from(node.visits)),
            };
            std::cmp::Reverse(class)
        });
        order
    }

    fn score_of(&self, at: usize) -> Score {
        let node = &self.nodes[at];
        match node.known {
            Known::Won(n) => Score(WIN - i32::from(n) - 1),
            Known::Lost(n) => Score(i32::from(n) + 1 - WIN),
            Known::Drawn => Score::EVEN,
            Known::Open => {
                // A share of 75 % counts as three pieces ahead.
                let visits = node.visits.max(1) as f32;
                let share = (node.gained as f32 / (FULL as f32 * visits)).clamp(0.01, 0.99);
                // Among four who are even each wins a quarter.
                let others = self.manner.n_players.max(2) as f32 - 1.0;
                let share = match self.manner.n_players {
                    0..=2 => share,
                    _ => (share * others / (share * others + 1.0 - share)).clamp(0.01, 0.99),
                };
                Score((100.0 * (share - 0.5) / (share * (1.0 - share)) * 0.55) as i32)
            }
        }
    }

    fn line_from(&self, start: usize) -> Vec<TreeMove> {
        let mut line = vec![self.nodes[start].choice];
        let mut at = start;
        while line.len() < 24 && self.nodes[at].is_grown {
            let Some(&next) = self.ranked(at).first() else { break };
            if self.nodes[next].visits < 8 {
                break;
            }
            line.push(self.nodes[next].choice);
            at = next;
        }
        line
    }

    fn info(&mut self) -> Info {
        let line = self.lines(1).pop();
        let depth = line.as_ref().map_or(0, |it| it.depth);
        Info {
            depth,
            nodes: self.spent.count,
            time: self.control.elapsed(),
            rank: 0,
            line,
            current: None,
        }
    }

    /// The best lines, best first.
    pub fn lines(&mut self, n: usize) -> Vec<Line> {
        if self.nodes.is_empty() {
            return Vec::new();
        }
        let ranked = self.ranked(0);
        let lines = ranked.into_iter().take(n.max(1)).map(|at| {
            let line = self.line_from(at);
            let moves = crate::engine::moves_of(&mut self.tree, &line);
            Line { depth: moves.len() as u32, moves, score: self.score_of(at) }
        });
        lines.collect()
    }

    /// What was found out about the moves of the root, for another thread.
    pub fn gist(&self) -> Gist {
        let (first, n) = self.nodes.first().map_or((0, 0), |it| it.children);
        Gist(self.nodes[first as usize..(first + n) as usize].to_vec())
    }

    /// Adds what another thread found out.
    pub fn join(&mut self, gist: &Gist) {
        let (first, n) = self.nodes.first().map_or((0, 0), |it| it.children);
        for child in &mut self.nodes[first as usize..(first + n) as usize] {
            let Some(other) = gist.0.iter().find(|it| it.choice.key == child.choice.key) else {
                continue;
            };
            child.visits += other.visits;
            child.gained += other.gained;
            if child.known == Known::Open {
                child.known = other.known;
            }
        }
        if !self.nodes.is_empty() {
            self.settle_node(0);
        }
    }

    /// The tree, for the next search.
    pub fn keep(self, state: &State) -> Option<Kept> {
        (!self.nodes.is_empty()).then(|| Kept::new(self.nodes, state))
    }

    /// Whether the root is certain to be a draw.
    pub fn is_drawn(&self) -> bool {
        self.nodes.first().is_some_and(|it| it.known == Known::Drawn)
    }
}

fn fresh(choice: TreeMove, by: Player) -> Node {
    Node {
        choice,
        by,
        children: (0, 0),
        is_grown: false,
        known: Known::Open,
        visits: 0,
        gained: 0,
        later_visits: 0,
        later_gained: 0,
    }
}
