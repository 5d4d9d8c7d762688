//! The graphs read backwards: every way to take a royal piece.
//!
//! Every path on which a block removes a site becomes an [`AttackEntry`]: if that kind
//! stood there, and these lanes were empty and those were not, it could take the
//! royal piece here.

use boardwright_game::{MoveType, PieceKind, Player, Site};

use crate::{
    bits::Bits,
    game::{FastGame, FastState, Tier},
    graph::{Change, Graph, Loc, Node, Pred, Template},
    lanes::{EMPTY, FIRST_KIND},
};

/// One way to remove what stands on a lane.
#[derive(Clone, Debug)]
pub(super) struct AttackEntry<const W: usize> {
    pub start: u16,
    pub empty: Bits<W>,
    pub full: Bits<W>,
    /// Lanes on which no piece of a kind may stand, and the set of that kind.
    pub barred: Bits<W>,
    pub barred_set: u16,
    /// Whether more is asked than these masks can say.
    pub is_vague: bool,
}

impl<const W: usize> AttackEntry<W> {
    /// The barred lanes on which the wrong kind stands.
    #[inline]
    pub fn bars(&self, it: &FastState<W>) -> Bits<W> {
        self.barred & it.sets[self.barred_set as usize]
    }
}

/// A kind that could take what stands on a target.
#[derive(Clone, Copy, Debug)]
struct AttackReach<const W: usize> {
    /// The starts that matter, and where their bounds begin.
    starts: Bits<W>,
    first: u32,
    /// The set of the kind.
    set: u16,
}

/// The ways of one attacker to take pieces of one victim.
#[derive(Clone, Debug)]
pub(super) struct Index<const W: usize> {
    /// By target: where its part of `reach` begins; then where the last one's ends.
    by_target: Vec<u32>,
    reach: Vec<AttackReach<W>>,
    /// By starts, start after start: the first of its entries; then where the last one's end.
    bounds: Vec<u32>,
    entries: Vec<AttackEntry<W>>,
    /// Kinds of which some block is walked: what they can take is asked, not looked up.
    walkers: Vec<PieceKind>,
    /// The lanes that some entry depends on.
    pub watched: Bits<W>,
    /// The lanes on which it tells nothing of royal pieces.
    pub hidden: Bits<W>,
}

/// Paths of one block that the index follows.
pub(super) const MAX_PATHS: usize = 20_000;
/// Entries of one index; kinds that would give more are asked instead.
const MAX_ENTRIES: usize = 200_000;

pub(super) type Blocks<const W: usize> = [(Player, PieceKind, usize, Graph<W>)];

impl<const W: usize> Index<W> {
    /// Gives every entry against `target` whose piece is there; stops at a `false`.
    #[inline]
    pub fn each<'a>(
        &'a self,
        it: &FastState<W>,
        enemies: Bits<W>,
        target: usize,
        mut take: impl FnMut(&'a AttackEntry<W>) -> bool,
    ) {
        let [begin, end] = [self.by_target[target], self.by_target[target + 1]];
        for reach in &self.reach[begin as usize..end as usize] {
            let mut there = reach.starts & enemies & it.sets[reach.set as usize];
            while let Some(start) = there.pop() {
                let nth = reach.first as usize + reach.starts.count_below(start);
                let [begin, end] = [self.bounds[nth], self.bounds[nth + 1]];
                for entry in &self.entries[begin as usize..end as usize] {
                    if !take(entry) {
                        return;
                    }
                }
            }
        }
    }

    /// Where pieces of a kind, given by its set, would stand that could take on a target.
    pub fn starts(&self, target: usize, set: usize) -> Bits<W> {
        let [begin, end] = [self.by_target[target], self.by_target[target + 1]];
        let of_target = &self.reach[begin as usize..end as usize];
        let mut starts = Bits::NONE;
        for reach in of_target.iter().filter(|it| it.set as usize == set) {
            starts |= reach.starts;
        }
        starts
    }

    /// Whether there are pieces that have to be asked what they can take.
    pub fn has_walkers(&self) -> bool {
        !self.walkers.is_empty()
    }

    /// Whether a piece that is asked what it can take may reach one of `targets`.
    #[inline]
    pub fn is_asked(
        &self,
        game: &FastGame<W>,
        it: &FastState<W>,
        attacker: Player,
        targets: Bits<W>,
    ) -> bool {
        !self.walkers.is_empty() && self.may_reach(game, it, attacker, targets)
    }

    #[inline(never)]
    fn may_reach(
        &self,
        game: &FastGame<W>,
        it: &FastState<W>,
        attacker: Player,
        targets: Bits<W>,
    ) -> bool {
        self.walkers.iter().any(|&kind| {
            let there = it.sets[game.owner_set(attacker)] & it.sets[FIRST_KIND + kind.idx()];
            !there.is_empty() && {
                let targets: smallvec::SmallVec<[Site; 4]> =
                    targets.iter().map(|it| game.layout.site(it)).collect();
                there.iter().any(|lane| {
                    let site = game.layout.site(lane);
                    game.rules.may_touch(attacker, kind, site, &targets)
                })
            }
        })
    }

    /// Whether a piece on `target` could be taken if these lanes were occupied and what
    /// stands on `target` now were gone; `None` if that takes a closer look.
    pub fn attacks(
        &self,
        it: &FastState<W>,
        enemies: Bits<W>,
        target: usize,
        occupied: Bits<W>,
    ) -> Option<bool> {
        if self.hidden.contains(target) {
            return None;
        }
        let mut found = Some(false);
        let others = enemies & !Bits::only(target);
        self.each(it, others, target, |entry| {
            let holds = (entry.empty & occupied).is_empty()
                && (entry.full & !occupied).is_empty()
                && entry.bars(it).is_empty();
            if holds && entry.is_vague {
                found = None;
            } else if holds {
                found = Some(true);
            }
            !holds
        });
        found
    }
}

/// A path through a graph: what was asked, and the answers.
pub(super) type Path = Vec<(Pred, Loc, bool)>;

pub(super) fn build_index<const W: usize>(
    game: &FastGame<W>,
    graphs: &Blocks<W>,
    attacks: &Blocks<W>,
    attacker: Player,
    victim: Player,
    move_type: Option<MoveType>,
) -> Index<W> {
    let pieces = &game.rules.ruleset.pieces;
    let n_lanes = 64 * W;
    let mut walkers: Vec<PieceKind> = Vec::new();
    // Of these lanes it tells nothing anyway.
    let hidden = if attacks.is_empty() { Bits::NONE } else { game.hidden() };
    let mut n_found = 0;
    let mut found: Vec<Vec<Vec<AttackEntry<W>>>> = vec![vec![Vec::new(); n_lanes]; pieces.len()];
    let is_known = |kind: PieceKind, block: usize| {
        attacks.iter().any(|it| (it.0, it.1, it.2) == (attacker, kind, block))
    };
    // What is known of attacks alone takes the place of a graph that does not tell.
    let graphs = graphs.iter().filter(|it| !is_known(it.1, it.2)).chain(attacks);
    for (_, kind, block, graph) in graphs.filter(|it| it.0 == attacker) {
        let block = &pieces[kind.idx()].blocks[*block];
        let fits = move_type.is_none() || block.move_type == move_type;
        if !fits || block.kind != boardwright_game::BlockKind::Move {
            continue;
        }
        let mut paths = Vec::new();
        let mut take = |path: &Path, starts: Bits<W>, template| {
            paths.push((path.clone(), starts, template));
            (paths.len() <= MAX_PATHS).then_some(())
        };
        let followed = match graph.root {
            Some(root) => follow(graph, root, &mut Vec::new(), game.layout.all, &mut take),
            None => Some(()),
        };
        let is_unknown = |it: &Template| it.lazy.is_some() && it.touched.is_none();
        let is_unknown = paths.iter().any(|it| is_unknown(it.2));
        if followed.is_none() || is_unknown || n_found > MAX_ENTRIES {
            walkers.push(*kind);
            continue;
        }
        for (path, starts, template) in &paths {
            // Inside a probe `attacked?` is never true.
            if template.guards.iter().any(|it| it.wanted) {
                continue;
            }
            for start in starts.iter() {
                let removed = template
                    .movements
                    .iter()
                    .filter(|(from, to)| from != to)
                    .map(|&(_, to)| to)
                    .chain(template.changes.iter().filter_map(|it| match it {
                        Change::Capture { at } => Some(*at),
                        _ => None,
                    }));
                for at in removed {
                    let target = at.at(start);
                    if hidden.contains(target) {
                        continue;
                    }
                    if let Some(mut entry) = entry(game, path, start, target, victim, attacker) {
                        n_found += 1;
                        // Whether the hand holds what it turns into is another question.
                        entry.is_vague |= game.asks_hand(template);
                        found[kind.idx()][target].push(entry);
                    }
                }
            }
        }
    }
    let is_walked = |kind: &PieceKind| {
        game.blocks.going_on[game.hand_slot(attacker, *kind)].iter().any(
            |&(of_type, tier, block)| {
                matches!(tier, Tier::Walk(_))
                    && (move_type.is_none() || of_type == move_type)
                    && !is_known(*kind, block)
            },
        )
    };
    walkers.extend((0..pieces.len() as u16).map(PieceKind).filter(is_walked));
    let mut index = Index {
        by_target: Vec::with_capacity(n_lanes + 1),
        reach: Vec::new(),
        bounds: Vec::new(),
        entries: Vec::new(),
        walkers,
        watched: Bits::NONE,
        hidden,
    };
    for target in 0..n_lanes {
        index.by_target.push(index.reach.len() as u32);
        for (kind, by_target) in found.iter_mut().enumerate() {
            let mut entries = joined(std::mem::take(&mut by_target[target]));
            if entries.is_empty() {
                continue;
            }
            entries.sort_by_key(|it| it.start);
            let first = index.bounds.len() as u32;
            let mut starts = Bits::NONE;
            for entry in entries {
                if !starts.contains(entry.start as usize) {
                    starts.insert(entry.start as usize);
                    index.bounds.push(index.entries.len() as u32);
                }
                index.watched |= entry.empty | entry.full | entry.barred;
                index.watched |= Bits::only(entry.start as usize);
                index.entries.push(entry);
            }
            index.bounds.push(index.entries.len() as u32);
            index.reach.push(AttackReach { starts, first, set: (FIRST_KIND + kind) as u16 });
        }
    }
    index.by_target.push(index.reach.len() as u32);
    index
}

/// Joins entries that differ in one lane, which one wants empty and the other occupied.
fn joined<const W: usize>(mut entries: Vec<AttackEntry<W>>) -> Vec<AttackEntry<W>> {
    if entries.len() > 64 {
        return entries;
    }
    let mut idx = 0;
    while idx < entries.len() {
        let one = entries[idx].clone();
        let differs = |a: Bits<W>, b: Bits<W>| (a & !b) | (b & !a);
        let pair = entries.iter().position(|it| {
            let lane = differs(it.empty, one.empty);
            it.start == one.start
                && it.is_vague == one.is_vague
                && (it.barred, it.barred_set) == (one.barred, one.barred_set)
                && lane.count() == 1
                && lane == differs(it.full, one.full)
                && (lane & it.empty) != (lane & it.full)
        });
        let Some(pair) = pair.filter(|&it| it != idx) else {
            idx += 1;
            continue;
        };
        let other = entries[pair].clone();
        let (low, high) = (idx.min(pair), idx.max(pair));
        entries.remove(high);
        entries[low].empty = one.empty & other.empty;
        entries[low].full = one.full & other.full;
        // What is left may join others that were looked at before.
        idx = 0;
    }
    entries
}

/// Takes every path to an emit, with the starts that the board leaves it.
type Take<'t, 'a, const W: usize> = dyn FnMut(&Path, Bits<W>, &'a Template) -> Option<()> + 't;

/// Gives every path to an emit; `None` if that was given up.
pub(super) fn follow<'a, const W: usize>(
    graph: &'a Graph<W>,
    node: usize,
    path: &mut Path,
    starts: Bits<W>,
    take: &mut Take<'_, 'a, W>,
) -> Option<()> {
    if starts.is_empty() {
        return Some(());
    }
    if path.len() > 200 {
        return None;
    }
    match &graph.nodes[node] {
        Node::Test { pred, at, on_board, yes, no } => {
            for (answer, child) in [(true, yes), (false, no)] {
                let Some(child) = *child else { continue };
                let known = path.iter().find(|it| (it.0, it.1) == (*pred, *at)).map(|it| it.2);
                if known.is_some_and(|it| it != answer) {
                    continue;
                }
                let starts = if answer { starts & *on_board } else { starts };
                path.push((*pred, *at, answer));
                follow(graph, child, path, starts, take)?;
                path.pop();
            }
        }
        Node::Filter { starts: inside, yes, no } => {
            if let Some(yes) = *yes {
                follow(graph, yes, path, starts & *inside, take)?;
            }
            if let Some(no) = *no {
                follow(graph, no, path, starts & !*inside, take)?;
            }
        }
        Node::Emit { templates, next } => {
            for template in templates {
                take(path, starts, template)?;
            }
            if let Some(next) = *next {
                follow(graph, next, path, starts, take)?;
            }
        }
    }
    Some(())
}

/// The entry of a path against a royal piece on `target`; `None` if it cannot be.
fn entry<const W: usize>(
    game: &FastGame<W>,
    path: &Path,
    start: usize,
    target: usize,
    victim: Player,
    attacker: Player,
) -> Option<AttackEntry<W>> {
    if start == target {
        return None;
    }
    let royal = &game.rules.royal_kinds()[victim.idx()];
    let mut entry = AttackEntry {
        start: start as u16,
        empty: Bits::NONE,
        full: Bits::NONE,
        barred: Bits::NONE,
        barred_set: EMPTY as u16,
        is_vague: false,
    };
    let is_royal = |kind: u16| game.rules.royal_kinds().iter().flatten().any(|it| it.0 == kind);
    for &(pred, at, answer) in path {
        if pred == Pred::Uniform {
            entry.is_vague = true;
            continue;
        }
        let lane = at.at(start);
        if lane >= 64 * W || !game.layout.all.contains(lane) {
            // Asked off the board: the answer is no.
            if answer {
                return None;
            }
            continue;
        }
        let known = if lane == target {
            match pred {
                Pred::Empty | Pred::Friend => Some(false),
                Pred::Enemy => Some(victim != attacker),
                Pred::Neutral => Some(false),
                Pred::Kind(kind) => match royal.as_slice() {
                    [only] => Some(only.0 == kind),
                    _ => None,
                },
                _ => None,
            }
        } else if lane == start {
            match pred {
                Pred::Empty | Pred::Enemy => Some(false),
                Pred::Friend => Some(true),
                _ => None,
            }
        } else {
            None
        };
        match (known, pred) {
            (Some(it), _) if it != answer => return None,
            (Some(_), _) => {}
            (None, Pred::Kind(kind)) if !answer && lane != start && !is_royal(kind) => {
                let set = (FIRST_KIND + kind as usize) as u16;
                entry.is_vague |= !entry.barred.is_empty() && entry.barred_set != set;
                entry.barred.insert(lane);
                entry.barred_set = set;
            }
            (None, Pred::Empty) if lane != target => {
                if answer {
                    entry.empty.insert(lane);
                } else {
                    entry.full.insert(lane);
                }
            }
            (None, _) => entry.is_vague = true,
        }
    }
    // Asked to be both: never.
    (entry.empty & entry.full).is_empty().then_some(entry)
}
