//! Pieces that reach far: where each could go, as a set of targets.
//!
//! A script costs the same for one queen as for nine, and a queen has fifty-six
//! ways to go. For a few pieces with many ways it is cheaper to take them one by
//! one: leaps are a set of targets, a ray is a set of lanes of which the first
//! that is occupied ends it. Blocks whose every path asks for no more than that
//! (empty lanes between, and what stands on the target) become aims.

use boardwright_game::{PieceKind, Player};
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

use crate::{
    bits::Bits,
    game::{FastGame, FastState},
    graph::{Change, Graph, Loc, Pred, Template},
    index::{MAX_PATHS, Path, follow},
    lanes::{EMPTY, ENEMY, FIRST_KIND, FRIEND, NONE, Run},
};

/// What may stand on a lane, as bits.
const NOTHING: u8 = 1;
const FRIENDS: u8 = 2;
const ENEMIES: u8 = 4;
const ANYTHING: u8 = NOTHING | FRIENDS | ENEMIES;

/// One way to go: from a start to a target with these lanes empty between.
#[derive(Clone, Copy, Debug)]
struct Shot<const W: usize> {
    start: u16,
    target: u16,
    between: Bits<W>,
    may_hold: u8,
    template: u32,
}

/// All ways of a block, if they are simple enough.
#[derive(Clone, Debug)]
pub(crate) struct Shots<const W: usize>(Vec<Shot<W>>);

/// Where a piece on one lane can go.
#[derive(Clone, Copy, Debug)]
struct Aim<const W: usize> {
    to_empty: Bits<W>,
    to_enemy: Bits<W>,
    /// Rays to higher lanes, then rays to lower ones.
    first_ray: u32,
    first_back: u32,
    end_ray: u32,
    first_lame: u32,
    end_lame: u32,
}

/// Targets that need other lanes to be empty.
#[derive(Clone, Copy, Debug)]
struct Lame<const W: usize> {
    between: Bits<W>,
    to_empty: Bits<W>,
    to_enemy: Bits<W>,
}

/// The ways of all pieces of one kind and owner.
#[derive(Clone, Debug)]
pub(crate) struct Aims<const W: usize> {
    pub kind: PieceKind,
    by_lane: Vec<Aim<W>>,
    rays: Vec<Bits<W>>,
    /// Whether rays may end on enemies; on empty lanes they always may.
    rays_take: bool,
    lame: Vec<Lame<W>>,
    /// By distance from start to target, `64 * W` more than it is.
    templates: Vec<u32>,
    /// Whether the moves are copies, which templates see from the target.
    pub are_copies: bool,
    /// Whether what is written of a move does not tell which piece makes it.
    pub are_nameless: bool,
    /// Whether all its moves are one piece going to one lane and no more.
    pub is_plain: bool,
    /// Whether other moves may equal some of these.
    pub is_doubtful: bool,
    /// Whether even moves of pieces that are not pinned may matter to royal pieces.
    pub needs_look: bool,
}

impl<const W: usize> Shots<W> {
    /// Reads the paths of a graph; `None` if one asks for more than an aim can know.
    pub fn of(
        game: &FastGame<W>,
        kind: PieceKind,
        graph: &Graph<W>,
        id_of: impl Fn(&Template) -> Option<u32>,
    ) -> Option<Shots<W>> {
        let mut shots = Vec::new();
        if let Some(root) = graph.root {
            let mut add = |path: &Path, starts: Bits<W>, template: &Template| {
                let aim = target_of(template)?;
                let id = id_of(template)?;
                for start in starts.iter() {
                    match shot(game, kind, path, start, aim.at(start))? {
                        Some((between, may_hold)) => shots.push(Shot {
                            start: start as u16,
                            target: aim.at(start) as u16,
                            between,
                            may_hold,
                            template: id,
                        }),
                        None => continue,
                    }
                }
                Some(())
            };
            // Most blocks show on their first path that they are no aims.
            let mut left = MAX_PATHS;
            let mut take = |path: &Path, starts: Bits<W>, template: &Template| {
                left -= 1;
                if left == 0 { None } else { add(path, starts, template) }
            };
            follow(graph, root, &mut Vec::new(), game.layout.all, &mut take)?;
        }
        (shots.len() <= 1 << 16).then_some(Shots(shots))
    }

    /// The templates that the block offers.
    pub fn templates(&self) -> impl Iterator<Item = u32> {
        self.0.iter().map(|it| it.template)
    }
}

/// Whether a change is a mark on a piece, such as that it has moved.
fn is_mark(change: &Change) -> bool {
    matches!(change, Change::Set { .. })
}

/// The one lane besides its own that a move is about.
fn target_of(template: &Template) -> Option<Loc> {
    let &[(Loc::Rel(0), to)] = template.movements.as_slice() else { return None };
    let is_simple = !template.is_drop
        && template.lazy.is_none()
        && template.guards.is_empty()
        && (template.promote.is_none() || template.is_copy);
    let target = match (to, template.changes.as_slice()) {
        (Loc::Rel(0), &[Change::Create { at, .. }]) if !template.is_copy => at,
        (to, changes) if changes.iter().all(is_mark) => to,
        _ => return None,
    };
    (is_simple && matches!(target, Loc::Rel(it) if it != 0)).then_some(target)
}

/// What a path asks from one start: the lanes that must be empty and what the target may
/// hold. The outer `None` says that an aim cannot tell, the inner that it never happens.
#[expect(clippy::option_option, reason = "the two mean different things")]
fn shot<const W: usize>(
    game: &FastGame<W>,
    kind: PieceKind,
    path: &Path,
    start: usize,
    target: usize,
) -> Option<Option<(Bits<W>, u8)>> {
    // Lanes and what they may hold; rays of most boards fit without an allocation.
    let mut asked: SmallVec<[(usize, u8); 16]> = smallvec![(start, FRIENDS), (target, ANYTHING)];
    for &(pred, at, answer) in path {
        let Loc::Rel(_) = at else { return None };
        let lane = at.at(start);
        if lane >= 64 * W || !game.layout.all.contains(lane) {
            if answer {
                return Some(None);
            }
            continue;
        }
        let holds = match pred {
            Pred::Empty => NOTHING,
            Pred::Friend => FRIENDS,
            Pred::Enemy => ENEMIES,
            Pred::Kind(it) if lane == start => {
                if (it == kind.0) != answer {
                    return Some(None);
                }
                continue;
            }
            _ => return None,
        };
        let holds = if answer { holds } else { ANYTHING & !holds };
        match asked.iter_mut().find(|it| it.0 == lane) {
            Some(known) => known.1 &= holds,
            None => asked.push((lane, holds)),
        }
    }
    if asked.iter().any(|it| it.1 == 0) {
        return Some(None);
    }
    let mut between = Bits::NONE;
    for &(lane, holds) in &asked[2..] {
        match holds {
            NOTHING => between.insert(lane),
            ANYTHING => {}
            _ => return None,
        }
    }
    let may_hold = asked[1].1;
    (may_hold & FRIENDS == 0).then_some(Some((between, may_hold)))
}

impl<const W: usize> Aims<W> {
    /// Joins the blocks of a kind; `None` if two of them mean different moves by one target.
    pub fn of<'a>(
        game: &FastGame<W>,
        kind: PieceKind,
        blocks: impl IntoIterator<Item = &'a Shots<W>>,
    ) -> Option<Aims<W>> {
        let n_lanes = 64 * W;
        let mut by_start: Vec<Vec<Shot<W>>> = vec![Vec::new(); n_lanes];
        let mut templates = vec![u32::MAX; 2 * n_lanes];
        let mut rays_take = false;
        for shot in blocks.into_iter().flat_map(|it| &it.0) {
            let known = &mut templates[n_lanes + shot.target as usize - shot.start as usize];
            let same =
                |id: u32| game.canonical[id as usize] == game.canonical[shot.template as usize];
            if *known == u32::MAX {
                *known = shot.template;
            } else if !same(*known) {
                return None;
            }
            rays_take |= !shot.between.is_empty() && shot.may_hold & ENEMIES != 0;
            let list = &mut by_start[shot.start as usize];
            let equal = |it: &&mut Shot<W>| (it.target, it.between) == (shot.target, shot.between);
            match list.iter_mut().find(equal) {
                Some(known) => known.may_hold |= shot.may_hold,
                None => list.push(*shot),
            }
        }
        let ids = || templates.iter().filter(|it| **it != u32::MAX);
        let is_copy = |id: &u32| game.templates[*id as usize].is_copy;
        let are_copies = ids().any(is_copy);
        if are_copies && !ids().all(is_copy) {
            return None;
        }
        let stays = |id: &u32| {
            let (from, to) = game.templates[*id as usize].movements[0];
            from == to
        };
        let are_nameless = are_copies || ids().any(stays);
        let is_plain = templates.iter().filter(|it| **it != u32::MAX).all(|&it| {
            let template = &game.templates[it as usize];
            let is_harmless = template.changes.iter().all(is_mark);
            is_harmless && template.partial.is_none() && !template.is_copy
        });
        let is_doubtful = ids().any(|id| game.shapes[*id as usize].is_doubtful);
        let mut aims = Aims {
            kind,
            by_lane: Vec::with_capacity(n_lanes),
            rays: Vec::new(),
            rays_take,
            lame: Vec::new(),
            are_copies,
            are_nameless,
            is_doubtful,
            is_plain,
            needs_look: !is_plain || game.rules.royal_kinds().iter().any(|it| it.contains(&kind)),
            templates,
        };
        for shots in by_start {
            aims.add(shots);
        }
        (aims.lame.len() <= 1 << 14).then_some(aims)
    }

    /// Adds the aim of the next lane.
    fn add(&mut self, mut shots: Vec<Shot<W>>) {
        shots.sort_unstable_by_key(|it| it.between.count());
        // Chains of targets, each with all before it between: by those lanes.
        let mut chains: Vec<Vec<Shot<W>>> = Vec::new();
        let mut by_lanes: FxHashMap<Bits<W>, usize> = FxHashMap::default();
        let mut rest: Vec<Shot<W>> = Vec::new();
        let whole = NOTHING | if self.rays_take { ENEMIES } else { 0 };
        for shot in shots {
            let goes_on = |chain: &[Shot<W>]| match chain {
                [.., last] => {
                    let up = last.target > last.start;
                    up == (shot.target > last.target)
                }
                [] => false,
            };
            if shot.may_hold != whole {
                rest.push(shot);
                continue;
            }
            let found = if shot.between.is_empty() {
                chains.push(Vec::new());
                Some(chains.len() - 1)
            } else {
                by_lanes.remove(&shot.between).filter(|&it| goes_on(&chains[it]))
            };
            match found {
                Some(idx) => {
                    chains[idx].push(shot);
                    let mut lanes = shot.between;
                    lanes.insert(shot.target as usize);
                    by_lanes.insert(lanes, idx);
                }
                None => rest.push(shot),
            }
        }
        let mut rays: Vec<(bool, Bits<W>)> = Vec::new();
        for chain in chains {
            if let [only] = chain.as_slice() {
                rest.push(*only);
                continue;
            }
            let mut lanes = Bits::NONE;
            chain.iter().for_each(|it| lanes.insert(it.target as usize));
            rays.push((chain[0].target < chain[0].start, lanes));
        }
        rays.sort_by_key(|it| it.0);
        let mut aim = Aim {
            to_empty: Bits::NONE,
            to_enemy: Bits::NONE,
            first_ray: self.rays.len() as u32,
            first_back: (self.rays.len() + rays.iter().filter(|it| !it.0).count()) as u32,
            end_ray: (self.rays.len() + rays.len()) as u32,
            first_lame: self.lame.len() as u32,
            end_lame: 0,
        };
        self.rays.extend(rays.into_iter().map(|it| it.1));
        for shot in rest {
            let first = aim.first_lame as usize;
            let (to_empty, to_enemy) = if shot.between.is_empty() {
                (&mut aim.to_empty, &mut aim.to_enemy)
            } else {
                let found = self.lame[first..].iter().position(|it| it.between == shot.between);
                let idx = found.map_or(self.lame.len(), |it| first + it);
                if idx == self.lame.len() {
                    let (to_empty, to_enemy) = (Bits::NONE, Bits::NONE);
                    self.lame.push(Lame { between: shot.between, to_empty, to_enemy });
                }
                let lame = &mut self.lame[idx];
                (&mut lame.to_empty, &mut lame.to_enemy)
            };
            if shot.may_hold & NOTHING != 0 {
                to_empty.insert(shot.target as usize);
            }
            if shot.may_hold & ENEMIES != 0 {
                to_enemy.insert(shot.target as usize);
            }
        }
        aim.end_lame = self.lame.len() as u32;
        self.by_lane.push(aim);
    }

    /// About how many instructions a piece takes.
    pub fn cost(&self) -> usize {
        let n = self.by_lane.len().max(1);
        30 + (8 * self.rays.len() + 10 * self.lame.len()) / n
    }

    /// Offers the moves of every piece `within`; `number` is this one's among all.
    pub fn run(&self, it: &FastState<W>, within: Bits<W>, number: u32, runs: &mut Vec<Run<W>>) {
        let (empty, enemies) = (it.sets[EMPTY], it.sets[ENEMY]);
        let on_rays = if self.rays_take { empty | enemies } else { empty };
        let mut pieces = within & it.sets[FRIEND] & it.sets[FIRST_KIND + self.kind.idx()];
        while let Some(from) = pieces.pop() {
            let aim = &self.by_lane[from];
            let mut open = Bits::NONE;
            for ray in &self.rays[aim.first_ray as usize..aim.first_back as usize] {
                open |= ray.up_to_first(*ray & !empty);
            }
            for ray in &self.rays[aim.first_back as usize..aim.end_ray as usize] {
                open |= ray.down_to_last(*ray & !empty);
            }
            let mut lanes = aim.to_empty & empty | aim.to_enemy & enemies | open & on_rays;
            for lame in &self.lame[aim.first_lame as usize..aim.end_lame as usize] {
                if (lame.between & !empty).is_empty() {
                    lanes |= lame.to_empty & empty | lame.to_enemy & enemies;
                }
            }
            if !lanes.is_empty() {
                runs.push(Run { template: number, from: from as u16, lanes });
            }
        }
    }
}

impl<const W: usize> FastGame<W> {
    /// The template and the start of one of the moves of a run.
    #[inline]
    pub fn one_of(&self, run: &Run<W>, lane: usize) -> (u32, usize) {
        if run.from == NONE {
            return (run.template, lane);
        }
        let from = run.from as usize;
        let aims = &self.aims[run.template as usize];
        (aims.templates[64 * W + lane - from], if aims.are_copies { lane } else { from })
    }

    /// All moves of a run.
    pub fn each_of(&self, run: Run<W>) -> impl Iterator<Item = (u32, usize)> + '_ {
        run.lanes.iter().map(move |lane| self.one_of(&run, lane))
    }

    /// How many pieces of a kind an owner begins with.
    pub fn n_at_start(&self, owner: Player, kind: PieceKind) -> usize {
        let pieces = self.rules.ruleset.setup.pieces.iter();
        pieces.filter(|it| it.player == owner && it.kind == kind).count()
    }
}
