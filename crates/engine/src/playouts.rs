//! Monte-Carlo tree search: a tree that grows where random games go well.
//!
//! Each round walks down the tree by promise, adds the moves of a new state,
//! plays a random game from there and brings the result back up. What was good
//! anywhere in a random game counts a little for the same move here (all moves
//! as first). Certain results are never tried again.

use boardwright_game::{Player, Site};
use boardwright_play::{
    Ending, SplitMix64,
    tree::{Choice, Tree},
};

use crate::{
    limits::{Control, Spent},
    report::{Info, Line},
    score::{Score, WIN},
};

/// What is certain about a node, for the player who moved to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Known {
    Open,
    Won(u16),
    Lost(u16),
    Drawn,
}

#[derive(Clone, Debug)]
struct Node {
    choice: Choice,
    /// Who moved here.
    by: Player,
    /// The first child and how many there are.
    children: (u32, u32),
    is_grown: bool,
    known: Known,
    visits: u32,
    /// Sum of results for `by`: 2 for a win, 1 for a draw.
    gained: u64,
    /// The same for games in which the move came later.
    later_visits: u32,
    later_gained: u64,
}

/// One search by playouts.
pub(crate) struct Playouts<'a> {
    tree: Tree<'a>,
    control: &'a Control<'a>,
    spent: Spent,
    rng: SplitMix64,
    nodes: Vec<Node>,
    max_nodes: usize,
    /// Longest random game.
    max_plies: u32,
    /// By player and move: the number of the last round that saw it.
    seen: Vec<u32>,
    round: u32,
    is_duel: bool,
    moves: Vec<Choice>,
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

/// What an ending gives a player: 2, 1 or 0.
fn reward(ending: Option<Ending>, player: Player) -> u64 {
    match ending {
        None | Some(Ending::Draw) => 1,
        Some(Ending::Win(it)) => {
            if it == player {
                2
            } else {
                0
            }
        }
        Some(Ending::Loss(it)) => {
            if it == player {
                0
            } else {
                2
            }
        }
    }
}

impl<'a> Playouts<'a> {
    pub fn new(
        mut tree: Tree<'a>,
        control: &'a Control<'a>,
        seed: u64,
        memory: usize,
        max_plies: u32,
        is_duel: bool,
    ) -> Playouts<'a> {
        let by = tree.mover();
        let mut moves = Vec::new();
        tree.moves(&mut moves);
        let mut it = Playouts {
            tree,
            control,
            spent: Spent::default(),
            rng: SplitMix64::new(seed),
            nodes: Vec::new(),
            max_nodes: (memory / size_of::<Node>()).max(4096),
            max_plies,
            seen: vec![0; SEEN],
            round: 0,
            is_duel,
            moves,
        };
        let pass = it.moves.first().copied();
        if let Some(choice) = pass {
            it.nodes.push(fresh(choice, by));
            it.add_children(0);
        }
        it
    }

    /// Runs rounds until a limit says stop or all is known.
    pub fn run(&mut self, news: &mut dyn FnMut(&Info)) {
        if self.nodes.is_empty() {
            return;
        }
        let mut next_news = 1000;
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
        let moves = std::mem::take(&mut self.moves);
        self.nodes.extend(moves.iter().map(|&it| fresh(it, by)));
        self.nodes[at].children = (first, moves.len() as u32);
        self.nodes[at].is_grown = true;
        self.moves = moves;
    }

    fn play_round(&mut self) {
        let mut path = vec![0usize];
        let mut at = 0;
        let mut ending = None;
        let mut is_over = false;
        // 1. Down the tree.
        loop {
            if let Some(end) = self.tree.decided() {
                (ending, is_over) = (Some(end), true);
                break;
            }
            let node = &self.nodes[at];
            if !node.is_grown {
                // 2. A new state gets its moves once it was met before.
                if node.visits == 0 && at != 0 || self.nodes.len() > self.max_nodes {
                    break;
                }
                let mut moves = std::mem::take(&mut self.moves);
                let end = self.tree.moves(&mut moves);
                self.moves = moves;
                if end.is_some() {
                    (ending, is_over) = (end, true);
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
        let round = self.round;
        if !is_over {
            let Playouts { tree, rng, seen, max_plies, .. } = self;
            ending = tree.playout(rng, *max_plies, |player, from, to| {
                seen[slot(player, from, to)] = round;
            });
        } else if let Some(end) = ending {
            self.nodes[at].known = match reward(Some(end), self.nodes[at].by) {
                2 => Known::Won(0),
                0 => Known::Lost(0),
                _ => Known::Drawn,
            };
        }
        // 4. Back up.
        for (depth, &idx) in path.iter().enumerate().rev() {
            if depth > 0 {
                self.tree.undo();
            }
            let node = &mut self.nodes[idx];
            node.visits += 1;
            node.gained += reward(ending, node.by);
            let (first, n) = node.children;
            for child in &mut self.nodes[first as usize..(first + n) as usize] {
                let it = &child.choice;
                if self.seen[slot(child.by, it.from, it.to)] == round {
                    child.later_visits += 1;
                    child.later_gained += reward(ending, child.by);
                }
            }
            let choice = self.nodes[idx].choice;
            self.seen[slot(self.nodes[idx].by, choice.from, choice.to)] = round;
            self.settle_node(idx);
        }
    }

    /// Works out whether a node is certain by now.
    fn settle_node(&mut self, at: usize) {
        let node = &self.nodes[at];
        if node.known != Known::Open || !node.is_grown || !self.is_duel {
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
        let same = node.by == mover && at != 0;
        self.nodes[at].known = match by_mover {
            Known::Won(n) if !same => Known::Lost(n),
            Known::Lost(n) if !same => Known::Won(n),
            other => other,
        };
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
        let prior = if parent.visits == 0 {
            0.5
        } else {
            1.0 - parent.gained as f32 / (2 * parent.visits) as f32
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
                    let mean = if child.visits == 0 {
                        prior - 0.05
                    } else {
                        child.gained as f32 / (2.0 * visits)
                    };
                    let amaf = if child.later_visits == 0 {
                        mean
                    } else {
                        child.later_gained as f32 / (2.0 * later)
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
                let share = (node.gained as f32 / (2.0 * visits)).clamp(0.01, 0.99);
                Score((100.0 * (share - 0.5) / (share * (1.0 - share)) * 0.55) as i32)
            }
        }
    }

    fn line_from(&self, start: usize) -> Vec<Choice> {
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

    /// Whether the root is certain to be a draw.
    pub fn is_drawn(&self) -> bool {
        self.nodes.first().is_some_and(|it| it.known == Known::Drawn)
    }
}

fn fresh(choice: Choice, by: Player) -> Node {
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
