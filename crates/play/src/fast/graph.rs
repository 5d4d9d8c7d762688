//! Move blocks run on symbols: one graph for all sites at once.
//!
//! A block is walked with the cursor as a *distance* from wherever it starts.
//! What the board decides (edges, zones, symmetry) becomes a mask of starts,
//! what the pieces decide becomes a test node, and `add` becomes an emit node
//! with a ready-made [`Template`]. The result is a directed graph without
//! cycles, its nodes in an order in which every node follows its parents.

use boardwright_game::{AddForm, Block, BlockKind, Mark, MoveType, Op, PieceKind, Place, Player};
use rustc_hash::FxHashMap;

use super::{Refusal, bits::Bits, layout::Layout};
use crate::rules::Rules;

/// A lane, as a distance from the start or outright.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Loc {
    Rel(i16),
    Abs(u16),
}

impl Loc {
    #[inline]
    pub fn at(self, start: usize) -> usize {
        match self {
            Loc::Rel(delta) => (start as i32 + i32::from(delta)) as usize,
            Loc::Abs(lane) => lane as usize,
        }
    }
}

/// What a test asks of a lane.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Pred {
    Empty,
    Friend,
    Enemy,
    Neutral,
    NearEnemy,
    LastFrom,
    LastTo,
    Kind(u16),
    Attribute(u16),
}

/// A change that a move makes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Change {
    Create { player: u8, kind: u16, at: Loc },
    TurnInto { kind: u16, at: Loc },
    GiveTo { player: u8, at: Loc },
    Flip { at: Loc },
    Set { attribute: u16, at: Loc, value: bool },
    Capture { at: Loc },
}

/// `attacked?` or `defended?`, asked when all else about a move is known.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Guard {
    pub is_defence: bool,
    pub move_type: Option<MoveType>,
    pub at: Loc,
    pub wanted: bool,
}

/// How a move that a block can make looks, from any start.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Template {
    pub kind: PieceKind,
    pub is_drop: bool,
    pub is_copy: bool,
    /// Movements, the key one first; only `to` counts in drops.
    pub movements: Vec<(Loc, Loc)>,
    /// Changes, then captures, in the order of writing.
    pub changes: Vec<Change>,
    pub promote: Option<PieceKind>,
    pub partial: Option<Option<MoveType>>,
    pub move_type: Option<MoveType>,
    pub guards: Vec<Guard>,
    /// The block to run for the changes when the move is played: owner, kind, number.
    pub lazy: Option<(Player, PieceKind, usize)>,
}

pub(crate) type NodeId = usize;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Node<const W: usize> {
    /// Splits by what stands `at`; where that is off the board the answer is no.
    Test { pred: Pred, at: Loc, on_board: Bits<W>, yes: Option<NodeId>, no: Option<NodeId> },
    /// Splits by the start.
    Filter { starts: Bits<W>, yes: Option<NodeId>, no: Option<NodeId> },
    /// Offers moves, then goes on.
    Emit { templates: Vec<Template>, next: Option<NodeId> },
}

/// The graph of a block; children come before parents, the root is last.
#[derive(Clone, Debug)]
pub(crate) struct Graph<const W: usize> {
    pub nodes: Vec<Node<W>>,
    pub root: Option<NodeId>,
}

/// Everything that decides how a walk goes on.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Walk {
    pc: u32,
    cursor: Loc,
    from: Loc,
    to: Option<Loc>,
    mark: Option<Loc>,
    truth: bool,
    /// Flags that are set, and those whose value is known.
    flags: u64,
    known_flags: u64,
    cascades: Vec<(Loc, Loc)>,
    changes: Vec<Change>,
    captures: Vec<Loc>,
    guards: Vec<Guard>,
}

/// What making a fast form may cost: so many walks are followed for all blocks together,
/// and so many for one, counting long ones more than once.
///
/// Blocks that go beyond are walked when they are played. Without this some published
/// games took minutes and gigabytes to become fast.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    pub left: usize,
    pub left_in_block: usize,
}

impl Effort {
    pub const BLOCK: usize = 10_000;
    pub const GAME: usize = 400_000;

    fn spend(&mut self, cost: usize) -> Result<(), Refusal> {
        self.left = self.left.saturating_sub(cost);
        self.left_in_block = self.left_in_block.saturating_sub(cost);
        if self.left == 0 || self.left_in_block == 0 {
            return Err(Refusal::TooManyNodes);
        }
        Ok(())
    }
}

/// Builds the graph of a block for an owner.
pub(crate) struct Builder<'a, const W: usize> {
    pub rules: &'a Rules,
    pub layout: &'a Layout<W>,
    pub owner: Player,
    pub kind: PieceKind,
    pub block: &'a Block,
    pub block_idx: usize,
    /// Leave effects out and find them when a move is played.
    pub lazy: bool,
    pub budget: usize,
    effort: &'a mut Effort,
    nodes: Vec<Node<W>>,
    /// Equal nodes are one: walks that differ in what nothing asks for again meet here.
    same: FxHashMap<Node<W>, NodeId>,
    memo: FxHashMap<Walk, Option<NodeId>>,
    on_path: rustc_hash::FxHashSet<Walk>,
}

const ZERO: Loc = Loc::Rel(0);

/// Instructions without a question between two nodes, and nodes on one path.
const STRAIGHT: usize = 4000;
const DEEPEST: usize = 400;

impl<'a, const W: usize> Builder<'a, W> {
    pub fn new(
        rules: &'a Rules,
        layout: &'a Layout<W>,
        owner: Player,
        kind: PieceKind,
        block_idx: usize,
        effort: &'a mut Effort,
    ) -> Builder<'a, W> {
        effort.left_in_block = Effort::BLOCK;
        let block = &rules.ruleset.pieces[kind.idx()].blocks[block_idx];
        Builder {
            block_idx,
            rules,
            layout,
            owner,
            kind,
            block,
            lazy: false,
            budget: 1500,
            effort,
            nodes: Vec::new(),
            same: FxHashMap::default(),
            memo: FxHashMap::default(),
            on_path: rustc_hash::FxHashSet::default(),
        }
    }

    pub fn build(mut self) -> Result<Graph<W>, Refusal> {
        let walk = Walk {
            pc: self.block.entry,
            cursor: ZERO,
            from: ZERO,
            to: None,
            mark: None,
            truth: false,
            flags: 0,
            known_flags: 0,
            cascades: Vec::new(),
            changes: Vec::new(),
            captures: Vec::new(),
            guards: Vec::new(),
        };
        let root = self.go(walk, 0)?;
        Ok(Graph { nodes: self.nodes, root }.simplified(self.layout.all))
    }

    fn push(&mut self, node: Node<W>) -> Result<Option<NodeId>, Refusal> {
        if let Some(&found) = self.same.get(&node) {
            return Ok(Some(found));
        }
        if self.nodes.len() >= self.budget {
            return Err(Refusal::TooManyNodes);
        }
        self.same.insert(node.clone(), self.nodes.len());
        self.nodes.push(node);
        Ok(Some(self.nodes.len() - 1))
    }

    /// The starts for which a location is a site.
    fn on_board(&self, at: Loc) -> Bits<W> {
        match at {
            Loc::Rel(delta) => self.layout.starts_of(self.layout.all, i32::from(delta)),
            Loc::Abs(_) => self.layout.all,
        }
    }

    /// A place as locations, each for some starts; no location: off the board.
    fn places(&self, place: Place, cursor: Loc) -> Result<Vec<(Loc, Bits<W>)>, Refusal> {
        let (direction, back) = match place {
            Place::Here => return Ok(vec![(cursor, self.layout.all)]),
            Place::Site(site) => {
                return Ok(vec![(Loc::Abs(self.layout.lane(site) as u16), self.layout.all)]);
            }
            Place::Step(direction) => (direction, false),
            Place::Back(direction) => (direction, true),
        };
        let strides = self.layout.strides(self.rules, self.owner, direction, back);
        if strides.len() > 8 {
            return Err(Refusal::IrregularBoard);
        }
        let mut found = Vec::new();
        for stride in strides {
            match cursor {
                Loc::Rel(delta) => {
                    let starts = self.layout.starts_of(stride.lanes, i32::from(delta));
                    if !starts.is_empty() {
                        let sum = i32::from(delta) + stride.delta;
                        found.push((Loc::Rel(sum as i16), starts));
                    }
                }
                Loc::Abs(lane) => {
                    if stride.lanes.contains(lane as usize) {
                        let to = i32::from(lane) + stride.delta;
                        found.push((Loc::Abs(to as u16), self.layout.all));
                    }
                }
            }
        }
        Ok(found)
    }

    /// Goes on from `walk` up to the next node.
    fn go(&mut self, walk: Walk, depth: usize) -> Result<Option<NodeId>, Refusal> {
        if let Some(&found) = self.memo.get(&walk) {
            return Ok(found);
        }
        if depth > DEEPEST {
            return Err(Refusal::TooManyNodes);
        }
        let parts = walk.cascades.len() + walk.changes.len() + walk.captures.len();
        self.effort.spend(1 + parts / 4)?;
        if !self.on_path.insert(walk.clone()) {
            return Err(Refusal::EndlessBlock);
        }
        let found = self.step(walk.clone(), depth);
        self.on_path.remove(&walk);
        let found = found?;
        self.memo.insert(walk, found);
        Ok(found)
    }

    /// Splits by a test whose answer goes to the truth register.
    fn test(
        &mut self,
        walk: Walk,
        place: Place,
        pred: Pred,
        depth: usize,
    ) -> Result<Option<NodeId>, Refusal> {
        let places = self.places(place, walk.cursor)?;
        let no = self.go(Walk { truth: false, ..walk.clone() }, depth + 1)?;
        let yes = self.go(Walk { truth: true, ..walk }, depth + 1)?;
        if yes == no {
            return Ok(yes);
        }
        let mut rest = no;
        for (at, starts) in places {
            let on_board = starts & self.on_board(at);
            let node = self.push(Node::Test { pred, at, on_board, yes, no })?;
            // Off the board the answer is no, which the test knows by itself. Only where
            // the same question goes to several places must they be told apart.
            rest = if rest == no { node } else { self.filter(on_board, node, rest)? };
        }
        Ok(rest)
    }

    fn filter(
        &mut self,
        starts: Bits<W>,
        yes: Option<NodeId>,
        no: Option<NodeId>,
    ) -> Result<Option<NodeId>, Refusal> {
        if yes == no || starts.is_empty() {
            return Ok(no);
        }
        if starts == self.layout.all {
            return Ok(yes);
        }
        self.push(Node::Filter { starts, yes, no })
    }

    /// Splits by an answer that the start decides.
    fn decided(
        &mut self,
        walk: Walk,
        starts: Bits<W>,
        depth: usize,
    ) -> Result<Option<NodeId>, Refusal> {
        let yes = if starts.is_empty() {
            None
        } else {
            self.go(Walk { truth: true, ..walk.clone() }, depth + 1)?
        };
        let no = if starts == self.layout.all {
            None
        } else {
            self.go(Walk { truth: false, ..walk }, depth + 1)?
        };
        self.filter(starts, yes, no)
    }

    /// The starts whose location is one of some sites.
    fn starts_in(
        &self,
        at: Loc,
        starts: Bits<W>,
        mut inside: impl FnMut(usize) -> bool,
    ) -> Bits<W> {
        let mut out = Bits::NONE;
        for start in (starts & self.on_board(at)).iter() {
            if inside(at.at(start)) {
                out.insert(start);
            }
        }
        out
    }

    fn static_test(
        &mut self,
        walk: Walk,
        place: Place,
        depth: usize,
        mut inside: impl FnMut(usize) -> bool,
    ) -> Result<Option<NodeId>, Refusal> {
        let mut starts = Bits::NONE;
        for (at, of) in self.places(place, walk.cursor)? {
            starts |= self.starts_in(at, of, &mut inside);
        }
        self.decided(walk, starts, depth)
    }

    /// Moves the cursor along strides, dropping starts for which there are none.
    fn stride(
        &mut self,
        walk: Walk,
        place: Place,
        depth: usize,
    ) -> Result<Option<NodeId>, Refusal> {
        let mut node = None;
        for (at, starts) in self.places(place, walk.cursor)? {
            let next = self.go(Walk { cursor: at, ..walk.clone() }, depth + 1)?;
            node = self.filter(starts, next, node)?;
        }
        Ok(node)
    }

    fn step(&mut self, mut walk: Walk, depth: usize) -> Result<Option<NodeId>, Refusal> {
        let rules = self.rules;
        let program = &rules.ruleset.pieces[self.kind.idx()].program;
        let board = &rules.ruleset.board;
        for _ in 0..STRAIGHT {
            let op = program.ops[walk.pc as usize];
            walk.pc += 1;
            return match op {
                Op::End => Ok(None),
                Op::Step(direction) => self.stride(walk, Place::Step(direction), depth),
                Op::StepBack(direction) => self.stride(walk, Place::Back(direction), depth),
                Op::Goto(site) => {
                    walk.cursor = Loc::Abs(self.layout.lane(site) as u16);
                    continue;
                }
                Op::Go(mark) => {
                    walk.cursor = match mark {
                        Mark::From => walk.from,
                        Mark::To => walk.to.unwrap_or(walk.cursor),
                        Mark::Mark => walk.mark.unwrap_or(ZERO),
                        Mark::LastFrom | Mark::LastTo => return Err(Refusal::LastSites),
                    };
                    continue;
                }
                Op::SetFrom => {
                    walk.from = walk.cursor;
                    continue;
                }
                Op::SetTo => {
                    walk.to = Some(walk.cursor);
                    continue;
                }
                Op::SetMark(place) => {
                    let places = self.places(place, walk.cursor)?;
                    let mut node = self.go(walk.clone(), depth + 1)?;
                    for (at, starts) in places {
                        let next = self.go(Walk { mark: Some(at), ..walk.clone() }, depth + 1)?;
                        node = self.filter(starts, next, node)?;
                    }
                    Ok(node)
                }
                Op::Constant(value) => {
                    walk.truth = value;
                    continue;
                }
                Op::Flag(flag) => {
                    let bit = 1u64.checked_shl(u32::from(flag)).ok_or(Refusal::Flags)?;
                    if walk.known_flags & bit == 0 {
                        return Err(Refusal::Flags);
                    }
                    walk.truth = walk.flags & bit != 0;
                    continue;
                }
                Op::SetFlag(flag) => {
                    let bit = 1u64.checked_shl(u32::from(flag)).ok_or(Refusal::Flags)?;
                    walk.known_flags |= bit;
                    walk.flags = if walk.truth { walk.flags | bit } else { walk.flags & !bit };
                    continue;
                }
                Op::SiteFlag(..) | Op::SetSiteFlag(..) => Err(Refusal::SiteFlags),
                Op::Empty(place) => self.test(walk, place, Pred::Empty, depth),
                Op::Enemy(place) => self.test(walk, place, Pred::Enemy, depth),
                Op::Friend(place) => self.test(walk, place, Pred::Friend, depth),
                Op::Neutral(place) => self.test(walk, place, Pred::Neutral, depth),
                Op::AdjacentToEnemy(place) => self.test(walk, place, Pred::NearEnemy, depth),
                Op::LastFrom(place) => self.test(walk, place, Pred::LastFrom, depth),
                Op::LastTo(place) => self.test(walk, place, Pred::LastTo, depth),
                Op::IsKind(kind, place) => self.test(walk, place, Pred::Kind(kind.0), depth),
                Op::HasAttribute(it, place) => self.test(walk, place, Pred::Attribute(it.0), depth),
                Op::OnBoard(place) => self.static_test(walk, place, depth, |_| true),
                Op::GoalSite(place) => {
                    let layout = self.layout;
                    self.static_test(walk, place, depth, |lane| {
                        rules.goal_sites.contains(layout.site(lane))
                    })
                }
                Op::InZone(zone, place) => {
                    let (layout, owner) = (self.layout, self.owner);
                    self.static_test(walk, place, depth, |lane| {
                        board.in_zone(zone, owner, layout.site(lane))
                    })
                }
                Op::IsSite(site, place) => {
                    let wanted = self.layout.lane(site);
                    self.static_test(walk, place, depth, |lane| lane == wanted)
                }
                Op::Marked(place) => {
                    let Some(mark) = walk.mark else {
                        return self.decided(walk, Bits::NONE, depth);
                    };
                    let mut starts = Bits::NONE;
                    for (at, of) in self.places(place, walk.cursor)? {
                        for start in (of & self.on_board(at)).iter() {
                            if at.at(start) == mark.at(start) {
                                starts.insert(start);
                            }
                        }
                    }
                    self.decided(walk, starts, depth)
                }
                Op::Attacked(move_type, place) => {
                    self.guard(walk, place, move_type.get(), false, depth)
                }
                Op::Defended(move_type, place) => {
                    self.guard(walk, place, move_type.get(), true, depth)
                }
                Op::Not => {
                    walk.truth = !walk.truth;
                    continue;
                }
                Op::Jump(to) => {
                    walk.pc = to;
                    continue;
                }
                Op::JumpIf(to) => {
                    walk.pc = if walk.truth { to } else { walk.pc };
                    continue;
                }
                Op::JumpUnless(to) => {
                    walk.pc = if walk.truth { walk.pc } else { to };
                    continue;
                }
                Op::Verify => {
                    if walk.truth {
                        continue;
                    }
                    Ok(None)
                }
                Op::SetAttribute(attribute, place) => {
                    let value = walk.truth;
                    self.change(walk, place, depth, |at| Change::Set {
                        attribute: attribute.0,
                        at,
                        value,
                    })
                }
                Op::Capture(place) => self.change(walk, place, depth, |at| Change::Capture { at }),
                Op::Flip(place) => self.change(walk, place, depth, |at| Change::Flip { at }),
                Op::ChangeOwner(place) => {
                    let player = self.owner.0;
                    self.change(walk, place, depth, |at| Change::GiveTo { player, at })
                }
                Op::ChangeType(kind, place) => {
                    self.change(walk, place, depth, |at| Change::TurnInto { kind: kind.0, at })
                }
                Op::Create(idx) => {
                    let form = program.creates[idx as usize];
                    let player = form.player.unwrap_or(self.owner).0;
                    let kind = form.kind.unwrap_or(self.kind).0;
                    self.change(walk, form.place, depth, |at| Change::Create { player, kind, at })
                }
                Op::Cascade => {
                    let to = walk.to.unwrap_or(walk.cursor);
                    walk.cascades.push((walk.from, to));
                    if !walk.captures.is_empty() {
                        if walk.changes.len() > 1 {
                            walk.changes.rotate_left(1);
                        }
                        walk.captures.rotate_left(1);
                    }
                    walk.from = walk.cursor;
                    walk.to = None;
                    continue;
                }
                Op::Add(idx) => self.add(walk, &program.adds[idx as usize], depth),
            };
        }
        Err(Refusal::EndlessBlock)
    }

    fn guard(
        &mut self,
        walk: Walk,
        place: Place,
        move_type: Option<MoveType>,
        is_defence: bool,
        depth: usize,
    ) -> Result<Option<NodeId>, Refusal> {
        let places = self.places(place, walk.cursor)?;
        let mut rest = self.go(Walk { truth: false, ..walk.clone() }, depth + 1)?;
        for (at, starts) in places {
            // Both answers are followed; each move asks again, and one of them is right.
            let mut fork = |wanted: bool| {
                let mut guards = walk.guards.clone();
                guards.push(Guard { is_defence, move_type, at, wanted });
                self.go(Walk { truth: wanted, guards, ..walk.clone() }, depth + 1)
            };
            let (yes, no) = (fork(true)?, fork(false)?);
            let both = match (yes, no) {
                (None, other) | (other, None) => other,
                (Some(_), Some(_)) => return Err(Refusal::Attacks),
            };
            rest = self.filter(starts & self.on_board(at), both, rest)?;
        }
        Ok(rest)
    }

    /// Notes a change at each place it may be; off the board it does not happen.
    /// Whether one on an empty site happens is asked at the `add`.
    fn change(
        &mut self,
        walk: Walk,
        place: Place,
        depth: usize,
        change: impl Fn(Loc) -> Change,
    ) -> Result<Option<NodeId>, Refusal> {
        if self.lazy {
            return self.go(walk, depth + 1);
        }
        let places = self.places(place, walk.cursor)?;
        let everywhere = places.iter().any(|(_, it)| *it == self.layout.all);
        let mut rest = if everywhere { None } else { self.go(walk.clone(), depth + 1)? };
        for (at, starts) in places {
            let mut with = walk.clone();
            match change(at) {
                Change::Capture { at } => with.captures.push(at),
                other => {
                    with.changes.push(other);
                    if with.captures.len() > 1 {
                        with.captures.rotate_left(1);
                    }
                }
            }
            let done = self.go(with, depth + 1)?;
            rest = self.filter(starts, done, rest)?;
        }
        Ok(rest)
    }

    /// An `add`: tests what it depends on, emits, and goes on.
    fn add(&mut self, walk: Walk, form: &AddForm, depth: usize) -> Result<Option<NodeId>, Refusal> {
        let is_drop = self.block.kind == BlockKind::Drop;
        let to = walk.to.unwrap_or(walk.cursor);
        let mut after = walk.clone();
        after.changes.clear();
        after.captures.clear();
        if self.rules.ruleset.options.discard_cascades {
            after.cascades.clear();
        }
        after.from = ZERO;
        after.to = None;
        let next = self.go(after, depth + 1)?;

        let mut movements = walk.cascades.clone();
        movements.push((walk.from, to));
        let fills = |at: Loc| {
            movements.iter().any(|&(_, to)| to == at)
                || walk
                    .changes
                    .iter()
                    .any(|it| matches!(it, Change::Create { at: it, .. } if *it == at))
        };
        // 1. Effects on sites that may be empty and stay so: ask, and leave them out.
        let mut doubtful: Vec<Loc> = Vec::new();
        for change in &walk.changes {
            match *change {
                Change::TurnInto { at, .. } | Change::GiveTo { at, .. } | Change::Flip { at } => {
                    doubtful.push(at);
                }
                _ => {}
            }
        }
        doubtful.extend(&walk.captures);
        doubtful.retain(|&it| !fills(it) && (is_drop || it != ZERO));
        // A site named outright may be the one a piece goes to, for some starts.
        let is_abs = |it: &Loc| matches!(it, Loc::Abs(_));
        if doubtful.iter().any(is_abs) && !movements.iter().all(|(_, to)| is_abs(to)) {
            return Err(Refusal::MixedSites);
        }
        doubtful.sort_unstable();
        doubtful.dedup();
        if doubtful.len() > 4 {
            return Err(Refusal::TooManyNodes);
        }
        // 2. Every movement needs a piece; the start has one.
        let mut needed: Vec<Loc> = Vec::new();
        if !is_drop {
            needed.extend(movements.iter().map(|&(from, _)| from).filter(|&it| it != ZERO));
            needed.sort_unstable();
            needed.dedup();
        }
        // All subsets of the doubtful sites being empty.
        let mut node = next;
        for empty in 0..1usize << doubtful.len() {
            let is_gone = |at: Loc| {
                doubtful.iter().position(|&it| it == at).is_some_and(|idx| empty >> idx & 1 != 0)
            };
            let templates = self.templates(&walk, form, &movements, is_drop, &is_gone);
            let mut inner = if templates.is_empty() {
                next
            } else {
                self.push(Node::Emit { templates, next })?
            };
            for &at in &needed {
                let on_board = self.on_board(at);
                inner = self.push(Node::Test {
                    pred: Pred::Empty,
                    at,
                    on_board,
                    yes: next,
                    no: inner,
                })?;
            }
            // A chain of tests that leads here exactly for this subset.
            if doubtful.is_empty() {
                return Ok(inner);
            }
            node = self.subset(&doubtful, empty, inner, node)?;
        }
        Ok(node)
    }

    /// `inner` for states in which exactly this subset is empty, else `other`.
    fn subset(
        &mut self,
        doubtful: &[Loc],
        empty: usize,
        inner: Option<NodeId>,
        other: Option<NodeId>,
    ) -> Result<Option<NodeId>, Refusal> {
        let mut node = inner;
        for (idx, &at) in doubtful.iter().enumerate() {
            let on_board = self.on_board(at);
            let (yes, no) = if empty >> idx & 1 != 0 { (node, other) } else { (other, node) };
            node = self.push(Node::Test { pred: Pred::Empty, at, on_board, yes, no })?;
        }
        Ok(node)
    }

    fn templates(
        &self,
        walk: &Walk,
        form: &AddForm,
        movements: &[(Loc, Loc)],
        is_drop: bool,
        is_gone: &dyn Fn(Loc) -> bool,
    ) -> Vec<Template> {
        let mut changes: Vec<Change> = walk
            .changes
            .iter()
            .copied()
            .filter(|it| match *it {
                Change::TurnInto { at, .. } | Change::GiveTo { at, .. } | Change::Flip { at } => {
                    !is_gone(at)
                }
                _ => true,
            })
            .collect();
        let first_capture = changes.len();
        for &at in &walk.captures {
            let capture = Change::Capture { at };
            if !is_gone(at) && !changes[first_capture..].contains(&capture) {
                changes.push(capture);
            }
        }
        let moves = movements.iter().any(|(from, to)| from != to);
        let promotions: Vec<Option<PieceKind>> = if form.promote.is_empty() {
            vec![None]
        } else {
            form.promote.iter().copied().map(Some).collect()
        };
        promotions
            .into_iter()
            .filter(|promote| {
                let becomes = promote.is_some_and(|it| it != self.kind || walk.from != ZERO);
                is_drop || moves || !changes.is_empty() || becomes || self.lazy
            })
            .map(|promote| Template {
                kind: self.kind,
                is_drop,
                is_copy: form.is_copy && !is_drop,
                movements: movements.to_vec(),
                changes: changes.clone(),
                promote,
                partial: form.is_partial.then_some(form.move_type),
                move_type: self.block.move_type,
                guards: walk.guards.clone(),
                lazy: self.lazy.then_some((self.owner, self.kind, self.block_idx)),
            })
            .collect()
    }
}
