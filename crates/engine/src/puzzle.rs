//! Puzzles: games for one player, solved by a search for a path to the goal.
//!
//! The heuristic is the distance of the pieces from what the goal asks for. Where every move
//! adds or removes pieces, so that no state can recur, the search is depth-first; elsewhere it
//! is best-first (weighted A*) over all states met.

use std::collections::BinaryHeap;

use boardwright_fast::{GameTree, TreeMove};
use boardwright_game::{
    Goal, GoalKind, Occupant, PieceKind, Player, Ruleset, Site, SiteOrZone, Verdict, Whose,
};
use boardwright_play::Ending;
use rustc_hash::FxHashSet;

use crate::{
    distance::UNREACHABLE,
    limits::{NodeCounter, SearchControl},
    values::Values,
};

/// The distance of a state from a goal, prepared for quick evaluation.
#[derive(Clone, Debug)]
enum Heuristic {
    /// Every target needs a fitting piece: the sum of their distances.
    Targets(Vec<Target>),
    /// A player must have this number of pieces of a kind (any kind if `None`).
    Count(Player, Option<PieceKind>, u32),
    /// This number of pieces of a kind (any kind if `None`) must be on the board.
    Total(Option<PieceKind>, u32),
    Sum(Vec<Heuristic>),
    Least(Vec<Heuristic>),
    /// Nothing can be told: always 1.
    Unknown,
}

/// A set of sites of which one must be occupied as a goal asks.

#[derive(Clone, Debug)]
struct Target {
    /// One of these sites must be occupied.
    sites: Vec<Site>,
    occupants: Vec<Occupant>,
    player: Player,
    /// By occupant and site: the fewest moves from there to one of the sites.
    ways: Vec<Vec<u16>>,
}

/// A search for the solution of a puzzle.
pub(crate) struct Puzzle<'a> {
    tree: GameTree<'a>,
    control: &'a SearchControl<'a>,
    counter: NodeCounter,
    me: Player,
    heuristic: Heuristic,
    /// The hashes of the states visited.
    visited: FxHashSet<u64>,
    max_states: usize,
    /// The smallest distance from the goal so far, and the path to it.
    nearest: (i32, Vec<TreeMove>),
    /// `[kind * n_sites + site]`: how little mobility a piece has there.
    immobility: Vec<i32>,
    n_sites: usize,
    /// Whether moves remove pieces; otherwise they add them.
    removes_pieces: bool,
}

/// A state in the open set of the best-first search.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct OpenState {
    /// The negated cost, since the heap gives the largest first; the newest among equals.
    rank: i32,
    number: u32,
}

/// A visited state, by the move that led to it.
struct Step {
    /// The index of the step before; `u32::MAX` at the start.
    parent: u32,
    choice: TreeMove,
    n_moves: u32,
}

impl<'a> Puzzle<'a> {
    pub fn new(
        tree: GameTree<'a>,
        control: &'a SearchControl<'a>,
        ruleset: &Ruleset,
        values: &Values,
        me: Player,
        memory: usize,
    ) -> Puzzle<'a> {
        let wins = ruleset.end_conditions.iter().filter(|it| it.verdict == Verdict::Win);
        let wins = wins.filter(|it| it.players.as_ref().is_none_or(|all| all.contains(&me)));
        let heuristic =
            Heuristic::Least(wins.map(|it| heuristic(ruleset, values, me, &it.goal)).collect());
        Puzzle {
            tree,
            control,
            counter: NodeCounter::default(),
            me,
            heuristic,
            visited: FxHashSet::default(),
            max_states: memory / 64,
            nearest: (i32::MAX, Vec::new()),
            immobility: immobility(values, me),
            n_sites: values.n_sites,
            removes_pieces: false,
        }
    }

    /// Searches for a solution; gives its moves if there is one, and whether the search was
    /// exhaustive.
    pub fn solve(&mut self) -> (Option<Vec<TreeMove>>, bool) {
        let (found, is_whole) =
            if self.is_monotonic() { self.depth_first() } else { self.best_first() };
        self.control.publish(&mut self.counter);
        (found, is_whole)
    }

    /// The path that came nearest to the goal.
    pub fn nearest(&self) -> &[TreeMove] {
        &self.nearest.1
    }

    pub fn into_tree(self) -> GameTree<'a> {
        self.tree
    }

    fn n_pieces(&self) -> u32 {
        let mut n = 0;
        self.tree.each_piece(|_, _, _| n += 1);
        n
    }

    /// Whether every move adds pieces, or every move removes some, as far as a few random
    /// games show: then no state can recur.
    fn is_monotonic(&mut self) -> bool {
        let mut rng = boardwright_play::SplitMix64::new(1);
        let mut moves = Vec::new();
        let mut sign = 0;
        let mut is_one_way = true;
        for _ in 0..8 {
            let mut n_played = 0;
            for _ in 0..12 {
                if self.tree.moves(&mut moves).is_some() {
                    break;
                }
                let before = self.n_pieces();
                self.tree.play(&moves[rng.below(moves.len())]);
                n_played += 1;
                let step = (i64::from(self.n_pieces()) - i64::from(before)).signum();
                is_one_way &= step != 0 && (sign == 0 || step == sign);
                sign = step;
            }
            for _ in 0..n_played {
                self.tree.undo();
            }
        }
        self.removes_pieces = sign < 0;
        is_one_way && sign != 0
    }

    fn is_won(&self, ending: Ending) -> bool {
        match ending {
            Ending::Win(it) => it == self.me,
            Ending::Loss(it) => it != self.me,
            Ending::Draw => false,
        }
    }

    /// Depth-first search, most promising moves first; states without a solution are kept.
    fn depth_first(&mut self) -> (Option<Vec<TreeMove>>, bool) {
        let mut path: Vec<TreeMove> = Vec::new();
        // By depth: the moves not yet tried, the next one last.
        let mut open: Vec<Vec<TreeMove>> = vec![self.sorted_moves()];
        loop {
            let Some(moves) = open.last_mut() else { return (None, true) };
            let Some(choice) = moves.pop() else {
                open.pop();
                if path.pop().is_some() {
                    self.tree.undo();
                }
                continue;
            };
            if !self.control.count_node(&mut self.counter) || self.visited.len() > self.max_states {
                while path.pop().is_some() {
                    self.tree.undo();
                }
                return (None, false);
            }
            self.tree.play(&choice);
            path.push(choice);
            if let Some(ending) = self.tree.decided() {
                if self.is_won(ending) {
                    let found = path.clone();
                    path.iter().for_each(|_| self.tree.undo());
                    return (Some(found), false);
                }
                open.push(Vec::new());
                continue;
            }
            let is_new = self.visited.insert(self.tree.hash());
            let next = if is_new && path.len() < 2000 { self.sorted_moves() } else { Vec::new() };
            self.note_nearest(&path);
            open.push(next);
        }
    }

    fn note_nearest(&mut self, path: &[TreeMove]) {
        let far = self.distance(&self.heuristic);
        if far < self.nearest.0 {
            self.nearest = (far, path.to_vec());
        }
    }

    /// The moves, the most promising last.
    fn sorted_moves(&mut self) -> Vec<TreeMove> {
        let mut moves = Vec::new();
        if self.tree.moves(&mut moves).is_some() {
            return Vec::new();
        }
        let mut next = Vec::new();
        let mut rated: Vec<(i32, usize)> = Vec::with_capacity(moves.len());
        for (idx, choice) in moves.iter().enumerate() {
            self.tree.play(choice);
            let n_next = if self.tree.moves(&mut next).is_some() { 0 } else { next.len() as i32 };
            // Pieces that will soon be out of reach first, dead ends last.
            let far = self.distance(&self.heuristic) * 64;
            let rank = match n_next {
                0 => 100_000,
                _ if self.removes_pieces => self.total_immobility() - n_next,
                _ => n_next.min(500),
            };
            rated.push((far + rank, idx));
            self.tree.undo();
        }
        rated.sort_unstable_by(|a, b| b.cmp(a));
        rated.into_iter().map(|(_, idx)| moves[idx]).collect()
    }

    /// The sum of the immobility of all own pieces.
    fn total_immobility(&self) -> i32 {
        let mut total = 0;
        self.tree.each_piece(|site, owner, kind| {
            if owner == self.me {
                total += self.immobility[kind.idx() * self.n_sites + site.idx()];
            }
        });
        total
    }

    /// Best-first search: expands the state with the least cost.
    fn best_first(&mut self) -> (Option<Vec<TreeMove>>, bool) {
        let mut steps: Vec<Step> = Vec::new();
        let mut heap: BinaryHeap<OpenState> = BinaryHeap::new();
        let mut at: Vec<u32> = Vec::new();
        let mut moves = Vec::new();
        self.visited.insert(self.tree.hash());
        let mut here: Option<u32> = None;
        loop {
            // Step 1. Expand the state that the tree is at.
            if self.tree.moves(&mut moves).is_none() {
                let n_moves = here.map_or(0, |it| steps[it as usize].n_moves) + 1;
                for choice in std::mem::take(&mut moves) {
                    if !self.control.count_node(&mut self.counter)
                        || self.visited.len() > self.max_states
                    {
                        at.iter().for_each(|_| self.tree.undo());
                        return (None, false);
                    }
                    self.tree.play(&choice);
                    let number = steps.len() as u32;
                    let step = Step { parent: here.unwrap_or(u32::MAX), choice, n_moves };
                    if let Some(ending) = self.tree.decided() {
                        self.tree.undo();
                        if self.is_won(ending) {
                            steps.push(step);
                            at.iter().for_each(|_| self.tree.undo());
                            return (Some(path_to(&steps, number)), false);
                        }
                        continue;
                    }
                    if self.visited.insert(self.tree.hash()) {
                        let far = self.distance(&self.heuristic);
                        steps.push(step);
                        heap.push(OpenState { rank: -(far * 5 + n_moves as i32), number });
                        if far < self.nearest.0 {
                            self.nearest = (far, path_to(&steps, number));
                        }
                    }
                    self.tree.undo();
                }
            }
            // Step 2. Go to the best open state.
            let Some(next) = heap.pop() else {
                at.iter().for_each(|_| self.tree.undo());
                return (None, true);
            };
            self.go_to(&steps, next.number, &mut at);
            here = Some(next.number);
        }
    }

    /// Takes back and plays moves until the tree is at the state of a step.
    fn go_to(&mut self, steps: &[Step], number: u32, at: &mut Vec<u32>) {
        let mut way = Vec::new();
        let mut it = number;
        while it != u32::MAX {
            way.push(it);
            it = steps[it as usize].parent;
        }
        way.reverse();
        let shared = at.iter().zip(&way).take_while(|(a, b)| a == b).count();
        for _ in shared..at.len() {
            self.tree.undo();
        }
        for &it in &way[shared..] {
            self.tree.play(&steps[it as usize].choice);
        }
        *at = way;
    }

    /// The estimated number of moves to the goal.
    fn distance(&self, heuristic: &Heuristic) -> i32 {
        match heuristic {
            Heuristic::Targets(targets) => targets.iter().map(|it| self.target_distance(it)).sum(),
            Heuristic::Count(player, kind, n) => {
                let count = match kind {
                    Some(kind) => self.tree.count(*player, *kind),
                    None => self.tree.count_all(*player),
                };
                count.abs_diff(*n).min(1000) as i32
            }
            Heuristic::Total(kind, n) => {
                let mut count = 0;
                self.tree
                    .each_piece(|_, _, it| count += u32::from(kind.is_none_or(|kind| kind == it)));
                count.abs_diff(*n).min(1000) as i32
            }
            Heuristic::Sum(parts) => parts.iter().map(|it| self.distance(it)).sum(),
            Heuristic::Least(parts) => parts.iter().map(|it| self.distance(it)).min().unwrap_or(0),
            Heuristic::Unknown => 1,
        }
    }

    /// The estimated number of moves until a target is occupied; 0 if it is.
    fn target_distance(&self, target: &Target) -> i32 {
        let fits = |occupant: &Occupant, owner: Player, kind: PieceKind| {
            (match occupant.whose {
                Whose::Mine => owner == target.player,
                Whose::Opponent => owner != target.player,
                Whose::Anyone => true,
            }) && occupant.kind.is_none_or(|it| it == kind)
        };
        let is_there = target.sites.iter().any(|&site| {
            target.occupants.iter().any(|it| {
                self.tree.piece(site).is_some_and(|(owner, kind)| fits(it, owner, kind))
                    != it.negated
            })
        });
        if is_there {
            return 0;
        }
        let mut least = 12;
        self.tree.each_piece(|site, owner, kind| {
            for (occupant, ways) in target.occupants.iter().zip(&target.ways) {
                if !occupant.negated
                    && fits(occupant, owner, kind)
                    && ways[site.idx()] != UNREACHABLE
                {
                    least = least.min(i32::from(ways[site.idx()]).max(1));
                }
            }
        });
        least
    }
}

/// The moves from the start to a step.
fn path_to(steps: &[Step], number: u32) -> Vec<TreeMove> {
    let mut path = Vec::new();
    let mut it = number;
    while it != u32::MAX {
        path.push(steps[it as usize].choice);
        it = steps[it as usize].parent;
    }
    path.reverse();
    path
}

/// The heuristic of a goal for a player.
fn heuristic(ruleset: &Ruleset, values: &Values, me: Player, goal: &Goal) -> Heuristic {
    match &goal.kind {
        GoalKind::PiecesRemaining(n, kind) => Heuristic::Count(me, *kind, *n),
        GoalKind::TotalPieceCount(n, kind) => Heuristic::Total(*kind, *n),
        GoalKind::AbsoluteConfig(occupants, args) => {
            let target = |arg: &SiteOrZone| {
                let sites: Vec<Site> = match *arg {
                    SiteOrZone::Site(site) => vec![site],
                    SiteOrZone::Zone(zone) => {
                        let of = ruleset.board.zone_sites(zone, me);
                        of.map(|it| it.iter().collect()).unwrap_or_default()
                    }
                };
                let ways = |it: &Occupant| match it.kind {
                    Some(kind) => values.distances_to(&ruleset.board, me, kind, &sites),
                    None => vec![1; values.n_sites],
                };
                let ways = occupants.iter().map(ways).collect();
                Target { ways, sites, occupants: occupants.clone(), player: me }
            };
            Heuristic::Targets(args.iter().map(target).collect())
        }
        GoalKind::And(goals) => {
            Heuristic::Sum(goals.iter().map(|it| heuristic(ruleset, values, me, it)).collect())
        }
        GoalKind::Or(goals) => {
            Heuristic::Least(goals.iter().map(|it| heuristic(ruleset, values, me, it)).collect())
        }
        _ => Heuristic::Unknown,
    }
}

/// By kind and site: how much less mobility a piece has there than on its best site.
fn immobility(values: &Values, me: Player) -> Vec<i32> {
    let mut all = Vec::with_capacity(values.n_kinds * values.n_sites);
    for kind in (0..values.n_kinds as u16).map(PieceKind) {
        let at = |site: usize| values.mobility_at(me, kind, site);
        let most = (0..values.n_sites).filter_map(at).max().unwrap_or(0);
        all.extend((0..values.n_sites).map(|it| at(it).map_or(0, |it| (most - it) / 8)));
    }
    all
}
