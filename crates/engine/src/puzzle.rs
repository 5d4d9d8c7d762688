//! Games for one: a way to the goal is looked for, best states first.
//!
//! A state is judged by how far its pieces are from what the goal asks for. Where
//! every move brings or takes pieces, so that nothing ever comes back, the search
//! goes deep at once; elsewhere it keeps all states it met and always goes on from
//! the one that looks best, moves made counting a little.

use std::collections::BinaryHeap;

use boardwright_fast::{GameTree, TreeMove};
use boardwright_game::{
    Goal, GoalKind, Occupant, PieceKind, Player, Ruleset, Site, SiteOrZone, Verdict, Whose,
};
use boardwright_play::Ending;
use rustc_hash::FxHashSet;

use crate::{
    limits::{Control, Spent},
    values::{FAR, Values},
};

/// How far a state is from a goal, as a plan that can be asked quickly.
#[derive(Clone, Debug)]
enum Far {
    /// Each place needs one of these pieces; by kind the ways to it.
    Places(Vec<Place>),
    /// So many pieces of a kind must be left.
    Count(Player, Option<PieceKind>, u32),
    /// So many pieces must be on the board.
    Total(Option<PieceKind>, u32),
    Sum(Vec<Far>),
    Least(Vec<Far>),
    Unknown,
}

#[derive(Clone, Debug)]
struct Place {
    /// Any of these sites will do.
    sites: Vec<Site>,
    occupants: Vec<Occupant>,
    player: Player,
    /// By occupant: by site, the moves from there.
    ways: Vec<Vec<u16>>,
}

/// A puzzle and what has been found out about it.
pub(crate) struct Puzzle<'a> {
    tree: GameTree<'a>,
    control: &'a Control<'a>,
    spent: Spent,
    me: Player,
    far: Far,
    /// States that were met, by hash.
    met: FxHashSet<u64>,
    max_states: usize,
    /// The way that came nearest to the goal so far, and how near.
    nearest: (i32, Vec<TreeMove>),
    /// `[kind * n_sites + site]`: how hard it is to get a piece away from there.
    stuck: Vec<i32>,
    n_sites: usize,
    /// Whether moves take pieces rather than bring them.
    takes: bool,
}

/// A state that waits to be looked at.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Waiting {
    /// The smaller the better, so the heap gets it negated; then the newest.
    rank: i32,
    number: u32,
}

struct Step {
    parent: u32,
    choice: TreeMove,
    n_moves: u32,
}

impl<'a> Puzzle<'a> {
    pub fn new(
        tree: GameTree<'a>,
        control: &'a Control<'a>,
        ruleset: &Ruleset,
        values: &Values,
        me: Player,
        memory: usize,
    ) -> Puzzle<'a> {
        let wins = ruleset.end_conditions.iter().filter(|it| it.verdict == Verdict::Win);
        let wins = wins.filter(|it| it.players.as_ref().is_none_or(|all| all.contains(&me)));
        let far = Far::Least(wins.map(|it| far(ruleset, values, me, &it.goal)).collect());
        Puzzle {
            tree,
            control,
            spent: Spent::default(),
            me,
            far,
            met: FxHashSet::default(),
            max_states: memory / 64,
            nearest: (i32::MAX, Vec::new()),
            stuck: stuck(values, me),
            n_sites: values.n_sites,
            takes: false,
        }
    }

    /// Looks for a way to win; the moves if there is one, and whether all was looked at.
    pub fn solve(&mut self) -> (Option<Vec<TreeMove>>, bool) {
        let (found, is_whole) = if self.never_returns() { self.dive() } else { self.best_first() };
        self.control.settle(&mut self.spent);
        (found, is_whole)
    }

    /// The way that came nearest to the goal.
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

    /// Whether every move changes the number of pieces the same way, as far as some
    /// random steps show.
    fn never_returns(&mut self) -> bool {
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
        self.takes = sign < 0;
        is_one_way && sign != 0
    }

    fn is_won(&self, ending: Ending) -> bool {
        match ending {
            Ending::Win(it) => it == self.me,
            Ending::Loss(it) => it != self.me,
            Ending::Draw => false,
        }
    }

    /// Depth first, what leaves the fewest ways on first; dead ends are remembered.
    fn dive(&mut self) -> (Option<Vec<TreeMove>>, bool) {
        let mut path: Vec<TreeMove> = Vec::new();
        // By depth: the moves still to be tried, the next one last.
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
            if !self.control.spend(&mut self.spent) || self.met.len() > self.max_states {
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
            let is_new = self.met.insert(self.tree.hash());
            let next = if is_new && path.len() < 2000 { self.sorted_moves() } else { Vec::new() };
            self.note_nearest(&path);
            open.push(next);
        }
    }

    fn note_nearest(&mut self, path: &[TreeMove]) {
        let far = self.distance(&self.far);
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
            // What will soon be out of reach goes first, but a dead end goes last.
            let far = self.distance(&self.far) * 64;
            let rank = match n_next {
                0 => 100_000,
                _ if self.takes => self.n_stuck() - n_next,
                _ => n_next.min(500),
            };
            rated.push((far + rank, idx));
            self.tree.undo();
        }
        rated.sort_unstable_by(|a, b| b.cmp(a));
        rated.into_iter().map(|(_, idx)| moves[idx]).collect()
    }

    /// How hard it will be to get rid of the pieces.
    fn n_stuck(&self) -> i32 {
        let mut total = 0;
        self.tree.each_piece(|site, owner, kind| {
            if owner == self.me {
                total += self.stuck[kind.idx() * self.n_sites + site.idx()];
            }
        });
        total
    }

    /// Always from the state that looks best.
    fn best_first(&mut self) -> (Option<Vec<TreeMove>>, bool) {
        let mut steps: Vec<Step> = Vec::new();
        let mut heap: BinaryHeap<Waiting> = BinaryHeap::new();
        let mut at: Vec<u32> = Vec::new();
        let mut moves = Vec::new();
        self.met.insert(self.tree.hash());
        let mut here: Option<u32> = None;
        loop {
            // 1. The moves of the state the tree is at.
            if self.tree.moves(&mut moves).is_none() {
                let n_moves = here.map_or(0, |it| steps[it as usize].n_moves) + 1;
                for choice in std::mem::take(&mut moves) {
                    if !self.control.spend(&mut self.spent) || self.met.len() > self.max_states {
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
                    if self.met.insert(self.tree.hash()) {
                        let far = self.distance(&self.far);
                        steps.push(step);
                        heap.push(Waiting { rank: -(far * 5 + n_moves as i32), number });
                        if far < self.nearest.0 {
                            self.nearest = (far, path_to(&steps, number));
                        }
                    }
                    self.tree.undo();
                }
            }
            // 2. The best of those that wait.
            let Some(next) = heap.pop() else {
                at.iter().for_each(|_| self.tree.undo());
                return (None, true);
            };
            self.go_to(&steps, next.number, &mut at);
            here = Some(next.number);
        }
    }

    /// Takes back and plays moves until the tree is at a step.
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

    /// How far the state is from a goal, in moves as far as that can be told.
    fn distance(&self, far: &Far) -> i32 {
        match far {
            Far::Places(places) => places.iter().map(|it| self.missing(it)).sum(),
            Far::Count(player, kind, n) => {
                let count = match kind {
                    Some(kind) => self.tree.count(*player, *kind),
                    None => self.tree.count_all(*player),
                };
                count.abs_diff(*n).min(1000) as i32
            }
            Far::Total(kind, n) => {
                let mut count = 0;
                self.tree
                    .each_piece(|_, _, it| count += u32::from(kind.is_none_or(|kind| kind == it)));
                count.abs_diff(*n).min(1000) as i32
            }
            Far::Sum(parts) => parts.iter().map(|it| self.distance(it)).sum(),
            Far::Least(parts) => parts.iter().map(|it| self.distance(it)).min().unwrap_or(0),
            Far::Unknown => 1,
        }
    }

    fn missing(&self, place: &Place) -> i32 {
        let fits = |occupant: &Occupant, owner: Player, kind: PieceKind| {
            (match occupant.whose {
                Whose::Mine => owner == place.player,
                Whose::Opponent => owner != place.player,
                Whose::Anyone => true,
            }) && occupant.kind.is_none_or(|it| it == kind)
        };
        let is_there = place.sites.iter().any(|&site| {
            place.occupants.iter().any(|it| {
                self.tree.piece(site).is_some_and(|(owner, kind)| fits(it, owner, kind))
                    != it.negated
            })
        });
        if is_there {
            return 0;
        }
        let mut least = 12;
        self.tree.each_piece(|site, owner, kind| {
            for (occupant, ways) in place.occupants.iter().zip(&place.ways) {
                if !occupant.negated && fits(occupant, owner, kind) && ways[site.idx()] != FAR {
                    least = least.min(i32::from(ways[site.idx()]).max(1));
                }
            }
        });
        least
    }
}

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

fn far(ruleset: &Ruleset, values: &Values, me: Player, goal: &Goal) -> Far {
    match &goal.kind {
        GoalKind::PiecesRemaining(n, kind) => Far::Count(me, *kind, *n),
        GoalKind::TotalPieceCount(n, kind) => Far::Total(*kind, *n),
        GoalKind::AbsoluteConfig(occupants, args) => {
            let place = |arg: &SiteOrZone| {
                let sites: Vec<Site> = match *arg {
                    SiteOrZone::Site(site) => vec![site],
                    SiteOrZone::Zone(zone) => {
                        let of = ruleset.board.zone_sites(zone, me);
                        of.map(|it| it.iter().collect()).unwrap_or_default()
                    }
                };
                let ways = |it: &Occupant| match it.kind {
                    Some(kind) => values.ways_to(&ruleset.board, me, kind, &sites),
                    None => vec![1; values.n_sites],
                };
                let ways = occupants.iter().map(ways).collect();
                Place { ways, sites, occupants: occupants.clone(), player: me }
            };
            Far::Places(args.iter().map(place).collect())
        }
        GoalKind::And(goals) => {
            Far::Sum(goals.iter().map(|it| far(ruleset, values, me, it)).collect())
        }
        GoalKind::Or(goals) => {
            Far::Least(goals.iter().map(|it| far(ruleset, values, me, it)).collect())
        }
        _ => Far::Unknown,
    }
}

/// By kind and site: how much less a piece moves there than where it moves most.
fn stuck(values: &Values, me: Player) -> Vec<i32> {
    let mut all = Vec::with_capacity(values.n_kinds * values.n_sites);
    for kind in (0..values.n_kinds as u16).map(PieceKind) {
        let at = |site: usize| values.mobility_at(me, kind, site);
        let most = (0..values.n_sites).filter_map(at).max().unwrap_or(0);
        all.extend((0..values.n_sites).map(|it| at(it).map_or(0, |it| (most - it) / 8)));
    }
    all
}
