//! Runs a block on symbols and builds its graph.

use boardwright_game::{Block, BlockKind, Mark, MoveType, Op, PieceKind, Place, Player};
use boardwright_play::Rules;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::{
    Refusal,
    bits::Bits,
    graph::{Change, Graph, Guard, Loc, Node, NodeId, Pred, Template},
    layout::Layout,
    uniform::Uniforms,
};

/// Everything that decides how a walk goes on.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Walk {
    pc: u32,
    pub cursor: Loc,
    pub from: Loc,
    pub to: Option<Loc>,
    mark: Option<Loc>,
    truth: bool,
    /// Flags that are set, and those whose value is known.
    flags: u64,
    known_flags: u64,
    pub cascades: SmallVec<[(Loc, Loc); 2]>,
    pub changes: SmallVec<[Change; 4]>,
    pub captures: SmallVec<[Loc; 4]>,
    pub guards: SmallVec<[Guard; 1]>,
    /// Where changes were left out.
    pub touched: SmallVec<[(Loc, bool); 4]>,
    /// Whether there was a move already; kept only where walks may take over.
    pub has_emitted: bool,
    /// Where no royal piece stands; kept only where attacks are all that matters.
    pub harmless: Option<Loc>,
}

/// How much of the effects a graph keeps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Detail {
    /// All of them.
    Full,
    /// What is captured, and where something else changes.
    Captures,
    /// Movements only.
    Movements,
    /// What may remove a royal piece, and no more.
    Attacks,
}

/// Builds the graph of a block for an owner.
pub(crate) struct Builder<'a, const W: usize> {
    pub rules: &'a Rules,
    pub layout: &'a Layout<W>,
    pub uniforms: &'a Uniforms,
    pub owner: Player,
    pub kind: PieceKind,
    pub block: &'a Block,
    /// The walk of the block.
    pub walk: u32,
    /// Effects left out are found when a move is played.
    pub detail: Detail,
    /// Whether the walk may take over where the graph cannot go on.
    pub escapes: bool,
    pub budget: usize,
    /// How often walks may be followed.
    pub patience: usize,
    /// What [`Detail::Attacks`] goes by: the one royal kind, and lanes where it never is.
    pub royal: Option<PieceKind>,
    pub hidden: Bits<W>,
    /// Questions asked once for all, with the answers they are taken to have; if one has
    /// the other, the walk takes over from the beginning.
    pub assumed: Vec<(u16, bool)>,
    escape: Option<NodeId>,
    nodes: Vec<Node<W>>,
    /// Equal nodes are one: walks that differ in what nothing asks for again meet here.
    same: FxHashMap<Node<W>, NodeId>,
    /// What became of each walk, and for which starts; `None` while it is being followed.
    memo: FxHashMap<Walk, (Bits<W>, Option<Option<NodeId>>)>,
    /// How often a walk was followed.
    pub effort: usize,
}

/// How a walk came about: how deep it is, and the starts that can come here.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trail<const W: usize> {
    depth: usize,
    pub alive: Bits<W>,
}

impl<const W: usize> Trail<W> {
    pub fn on(self) -> Trail<W> {
        Trail { depth: self.depth + 1, ..self }
    }

    /// The same for starts that have none of these places.
    fn except(self, places: &[(Loc, Bits<W>)]) -> Trail<W> {
        let mut rest = self.alive;
        for (_, starts) in places {
            rest &= !*starts;
        }
        Trail { depth: self.depth + 1, alive: rest }
    }

    /// The same for some of the starts.
    fn only(self, starts: Bits<W>) -> Trail<W> {
        Trail { depth: self.depth + 1, alive: self.alive & starts }
    }
}

pub(super) const ZERO: Loc = Loc::Rel(0);

/// Instructions without a question between two nodes, and nodes on one path.
const STRAIGHT: usize = 4000;
const DEEPEST: usize = 400;

impl<'a, const W: usize> Builder<'a, W> {
    pub fn new(
        rules: &'a Rules,
        layout: &'a Layout<W>,
        uniforms: &'a Uniforms,
        owner: Player,
        kind: PieceKind,
        block_idx: usize,
        walk: usize,
    ) -> Builder<'a, W> {
        let block = &rules.ruleset.pieces[kind.idx()].blocks[block_idx];
        Builder {
            walk: walk as u32,
            rules,
            layout,
            uniforms,
            owner,
            kind,
            block,
            detail: Detail::Full,
            escapes: false,
            budget: 1500,
            patience: 10_000,
            royal: None,
            hidden: Bits::NONE,
            assumed: Vec::new(),
            escape: None,
            nodes: Vec::new(),
            same: FxHashMap::default(),
            memo: FxHashMap::default(),
            effort: 0,
        }
    }

    pub fn build(&mut self) -> Result<Graph<W>, Refusal> {
        let walk = Walk {
            pc: self.block.entry,
            cursor: ZERO,
            from: ZERO,
            to: None,
            mark: None,
            truth: false,
            flags: 0,
            known_flags: 0,
            cascades: SmallVec::new(),
            changes: SmallVec::new(),
            captures: SmallVec::new(),
            guards: SmallVec::new(),
            touched: SmallVec::new(),
            has_emitted: false,
            harmless: None,
        };
        let mut root = self.go(walk, Trail { depth: 0, alive: self.layout.all })?;
        for (id, answer) in std::mem::take(&mut self.assumed) {
            let (escape, on_board) = (self.escape()?, self.layout.all);
            let (yes, no) = if answer { (root, escape) } else { (escape, root) };
            let at = Loc::Abs(id);
            root = self.push(Node::Test { pred: Pred::Uniform, at, on_board, yes, no })?;
        }
        Ok(Graph { nodes: std::mem::take(&mut self.nodes), root }.simplified(self.layout.all))
    }

    pub(super) fn push(&mut self, node: Node<W>) -> Result<Option<NodeId>, Refusal> {
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
    pub(super) fn on_board(&self, at: Loc) -> Bits<W> {
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
    pub(super) fn go(&mut self, walk: Walk, trail: Trail<W>) -> Result<Option<NodeId>, Refusal> {
        let mut alive = trail.alive;
        if alive.is_empty() {
            return Ok(None);
        }
        match self.memo.get(&walk) {
            Some(&(built, Some(found))) if (alive & !built).is_empty() => return Ok(found),
            Some((_, None)) => return Err(Refusal::EndlessBlock),
            // More starts come here than the first time: once more, for all of them.
            Some((built, _)) => alive |= *built,
            None => {}
        }
        // Long walks cost more to keep.
        let parts = walk.cascades.len() + walk.changes.len() + walk.captures.len();
        self.effort += 1 + parts / 4;
        if trail.depth > DEEPEST || self.effort > self.patience {
            return Err(Refusal::TooManyNodes);
        }
        self.memo.insert(walk.clone(), (alive, None));
        // Behind a guard both answers are followed, so it is the first that gives up.
        let is_bound = walk.has_emitted || !walk.guards.is_empty();
        let found = match self.step(walk.clone(), Trail { alive, ..trail }) {
            Err(why) if !is_bound && self.may_escape(why) => self.escape()?,
            Err(why) => {
                self.memo.remove(&walk);
                return Err(why);
            }
            Ok(found) => found,
        };
        self.memo.insert(walk, (alive, Some(found)));
        Ok(found)
    }

    /// Whether the walk can take over: it begins anew, so there must be no move yet.
    fn may_escape(&self, why: Refusal) -> bool {
        self.escapes && !matches!(why, Refusal::TooManyNodes | Refusal::Flags)
    }

    fn escape(&mut self) -> Result<Option<NodeId>, Refusal> {
        if self.escape.is_none() {
            let template = Template {
                kind: self.kind,
                is_drop: self.block.kind == BlockKind::Drop,
                is_copy: false,
                movements: vec![(ZERO, ZERO)],
                changes: Vec::new(),
                promote: None,
                partial: None,
                move_type: self.block.move_type,
                guards: Vec::new(),
                lazy: Some(self.walk),
                touched: None,
                is_escape: true,
            };
            self.escape = self.push(Node::Emit { templates: vec![template], next: None })?;
        }
        Ok(self.escape)
    }

    /// Splits by a test whose answer goes to the truth register.
    fn test(
        &mut self,
        walk: Walk,
        place: Place,
        pred: Pred,
        trail: Trail<W>,
    ) -> Result<Option<NodeId>, Refusal> {
        let places = self.places(place, walk.cursor)?;
        let [if_yes, if_no] = self.harmless(&walk, pred, &places);
        let no = Walk { truth: false, harmless: if_no, ..walk.clone() };
        let no = self.go(no, trail.on())?;
        let mut reach = Bits::NONE;
        for (at, starts) in &places {
            reach |= *starts & self.on_board(*at);
        }
        let yes = Walk { truth: true, harmless: if_yes, ..walk };
        let yes = self.go(yes, trail.only(reach))?;
        if yes == no {
            return Ok(yes);
        }
        let mut rest = no;
        for (at, starts) in places {
            let on_board = starts & self.on_board(at);
            if (on_board & trail.alive).is_empty() {
                continue;
            }
            let node = self.push(Node::Test { pred, at, on_board, yes, no })?;
            // Off the board the answer is no, which the test knows by itself. Only where
            // the same question goes to several places must they be told apart.
            rest = if rest == no { node } else { self.filter(on_board, node, rest, trail)? };
        }
        Ok(rest)
    }

    /// Where no royal piece stands, after a yes and after a no.
    fn harmless(&self, walk: &Walk, pred: Pred, places: &[(Loc, Bits<W>)]) -> [Option<Loc>; 2] {
        let before = walk.harmless;
        // What is ahead or behind is forgotten again, which keeps walks few.
        let &[(at, _)] = places else { return [before; 2] };
        if at != walk.cursor {
            return [before; 2];
        }
        let is_royal = |kind: u16| self.royal.is_some_and(|it| it.0 == kind);
        match pred {
            _ if self.detail != Detail::Attacks => [None; 2],
            Pred::Empty | Pred::Friend => [Some(at), before],
            Pred::Enemy => [before, Some(at)],
            Pred::Kind(kind) if is_royal(kind) => [before, Some(at)],
            Pred::Kind(_) if self.royal.is_some() => [Some(at), before],
            _ => [before; 2],
        }
    }

    pub(super) fn filter(
        &mut self,
        starts: Bits<W>,
        yes: Option<NodeId>,
        no: Option<NodeId>,
        trail: Trail<W>,
    ) -> Result<Option<NodeId>, Refusal> {
        if yes == no || (trail.alive & starts).is_empty() {
            return Ok(no);
        }
        if (trail.alive & !starts).is_empty() {
            return Ok(yes);
        }
        self.push(Node::Filter { starts, yes, no })
    }

    /// Splits by an answer that the start decides.
    fn decided(
        &mut self,
        walk: Walk,
        starts: Bits<W>,
        trail: Trail<W>,
    ) -> Result<Option<NodeId>, Refusal> {
        let yes = self.go(Walk { truth: true, ..walk.clone() }, trail.only(starts))?;
        let no = self.go(Walk { truth: false, ..walk }, trail.only(!starts))?;
        self.filter(starts, yes, no, trail)
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
        trail: Trail<W>,
        mut inside: impl FnMut(usize) -> bool,
    ) -> Result<Option<NodeId>, Refusal> {
        let mut starts = Bits::NONE;
        for (at, of) in self.places(place, walk.cursor)? {
            starts |= self.starts_in(at, of, &mut inside);
        }
        self.decided(walk, starts, trail)
    }

    /// Moves the cursor along strides, dropping starts for which there are none.
    fn stride(
        &mut self,
        walk: Walk,
        place: Place,
        trail: Trail<W>,
    ) -> Result<Option<NodeId>, Refusal> {
        let mut node = None;
        for (at, starts) in self.places(place, walk.cursor)? {
            let next = self.go(Walk { cursor: at, ..walk.clone() }, trail.only(starts))?;
            node = self.filter(starts, next, node, trail)?;
        }
        Ok(node)
    }

    fn step(&mut self, mut walk: Walk, trail: Trail<W>) -> Result<Option<NodeId>, Refusal> {
        let rules = self.rules;
        let program = &rules.ruleset.pieces[self.kind.idx()].program;
        let board = &rules.ruleset.board;
        for _ in 0..STRAIGHT {
            if let Some((id, end)) = self.uniforms.find(self.kind, walk.pc) {
                walk.pc = end;
                if let Some(&(_, answer)) = self.assumed.iter().find(|it| it.0 == id) {
                    walk.truth = answer;
                    continue;
                }
                let no = self.go(Walk { truth: false, ..walk.clone() }, trail.on())?;
                let yes = self.go(Walk { truth: true, ..walk }, trail.on())?;
                if yes == no {
                    return Ok(yes);
                }
                let on_board = self.layout.all;
                return self.push(Node::Test {
                    pred: Pred::Uniform,
                    at: Loc::Abs(id),
                    on_board,
                    yes,
                    no,
                });
            }
            let op = program.ops[walk.pc as usize];
            walk.pc += 1;
            return match op {
                Op::End => Ok(None),
                Op::Step(direction) => self.stride(walk, Place::Step(direction), trail),
                Op::StepBack(direction) => self.stride(walk, Place::Back(direction), trail),
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
                    let mut node = self.go(walk.clone(), trail.except(&places))?;
                    for (at, starts) in places {
                        let with = Walk { mark: Some(at), ..walk.clone() };
                        let next = self.go(with, trail.only(starts))?;
                        node = self.filter(starts, next, node, trail)?;
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
                Op::Empty(place) => self.test(walk, place, Pred::Empty, trail),
                Op::Enemy(place) => self.test(walk, place, Pred::Enemy, trail),
                Op::Friend(place) => self.test(walk, place, Pred::Friend, trail),
                Op::Neutral(place) => self.test(walk, place, Pred::Neutral, trail),
                Op::AdjacentToEnemy(place) => self.test(walk, place, Pred::NearEnemy, trail),
                Op::LastFrom(place) => self.test(walk, place, Pred::LastFrom, trail),
                Op::LastTo(place) => self.test(walk, place, Pred::LastTo, trail),
                Op::IsKind(kind, place) => self.test(walk, place, Pred::Kind(kind.0), trail),
                Op::HasAttribute(it, place) => self.test(walk, place, Pred::Attribute(it.0), trail),
                Op::OnBoard(place) => self.static_test(walk, place, trail, |_| true),
                Op::GoalSite(place) => {
                    let layout = self.layout;
                    self.static_test(walk, place, trail, |lane| {
                        rules.goal_sites().contains(layout.site(lane))
                    })
                }
                Op::InZone(zone, place) => {
                    let (layout, owner) = (self.layout, self.owner);
                    self.static_test(walk, place, trail, |lane| {
                        board.in_zone(zone, owner, layout.site(lane))
                    })
                }
                Op::IsSite(site, place) => {
                    let wanted = self.layout.lane(site);
                    self.static_test(walk, place, trail, |lane| lane == wanted)
                }
                Op::Marked(place) => {
                    let Some(mark) = walk.mark else {
                        return self.decided(walk, Bits::NONE, trail);
                    };
                    let mut starts = Bits::NONE;
                    for (at, of) in self.places(place, walk.cursor)? {
                        for start in (of & self.on_board(at)).iter() {
                            if at.at(start) == mark.at(start) {
                                starts.insert(start);
                            }
                        }
                    }
                    self.decided(walk, starts, trail)
                }
                Op::Attacked(move_type, place) => {
                    self.guard(walk, place, move_type.get(), false, trail)
                }
                Op::Defended(move_type, place) => {
                    self.guard(walk, place, move_type.get(), true, trail)
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
                    self.change(walk, place, trail, |at| Change::Set {
                        attribute: attribute.0,
                        at,
                        value,
                    })
                }
                Op::Capture(place) => self.change(walk, place, trail, |at| Change::Capture { at }),
                Op::Flip(place) => self.change(walk, place, trail, |at| Change::Flip { at }),
                Op::ChangeOwner(place) => {
                    let player = self.owner.0;
                    self.change(walk, place, trail, |at| Change::GiveTo { player, at })
                }
                Op::ChangeType(kind, place) => {
                    self.change(walk, place, trail, |at| Change::TurnInto { kind: kind.0, at })
                }
                Op::Create(idx) => {
                    let form = program.creates[idx as usize];
                    let player = form.player.unwrap_or(self.owner).0;
                    let kind = form.kind.unwrap_or(self.kind).0;
                    self.change(walk, form.place, trail, |at| Change::Create { player, kind, at })
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
                Op::Add(idx) => self.add(walk, &program.adds[idx as usize], trail),
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
        trail: Trail<W>,
    ) -> Result<Option<NodeId>, Refusal> {
        let places = self.places(place, walk.cursor)?;
        let off_board = trail.except(&places);
        let mut rest = self.go(Walk { truth: false, ..walk.clone() }, off_board)?;
        for (at, starts) in places {
            // Both answers are followed; each move asks again, and one of them is right.
            let mut fork = |wanted: bool| {
                let mut guards = walk.guards.clone();
                guards.push(Guard { is_defence, move_type, at, wanted });
                self.go(Walk { truth: wanted, guards, ..walk.clone() }, trail.only(starts))
            };
            let (yes, no) = (fork(true)?, fork(false)?);
            let both = match (yes, no) {
                (None, other) | (other, None) => other,
                (Some(_), Some(_)) => return Err(Refusal::Attacks),
            };
            rest = self.filter(starts & self.on_board(at), both, rest, trail)?;
        }
        Ok(rest)
    }

    /// Notes a change at each place it may be; off the board it does not happen.
    /// Whether one on an empty site happens is asked at the `add`.
    fn change(
        &mut self,
        walk: Walk,
        place: Place,
        trail: Trail<W>,
        change: impl Fn(Loc) -> Change,
    ) -> Result<Option<NodeId>, Refusal> {
        let removes = matches!(change(ZERO), Change::Capture { .. });
        if self.detail == Detail::Movements || self.detail == Detail::Attacks && !removes {
            return self.go(walk, trail.on());
        }
        let places = self.places(place, walk.cursor)?;
        let is_hidden = |at: Loc| matches!(at, Loc::Abs(it) if self.hidden.contains(it as usize));
        if self.detail == Detail::Attacks && places.iter().all(|it| is_hidden(it.0)) {
            return self.go(walk, trail.on());
        }
        let mut rest = self.go(walk.clone(), trail.except(&places))?;
        for (at, starts) in places {
            let mut with = walk.clone();
            match change(at) {
                Change::Create { .. } if self.detail != Detail::Full => {
                    return Err(Refusal::TooManyNodes);
                }
                Change::Capture { at } => with.captures.push(at),
                other if self.detail != Detail::Full => {
                    let gives = matches!(other, Change::GiveTo { .. } | Change::Flip { .. });
                    with.touched.push((at, gives));
                    with.touched.sort_unstable();
                    with.touched.dedup();
                }
                other => {
                    with.changes.push(other);
                    if with.captures.len() > 1 {
                        with.captures.rotate_left(1);
                    }
                }
            }
            let done = self.go(with, trail.only(starts))?;
            rest = self.filter(starts, done, rest, trail)?;
        }
        Ok(rest)
    }
}
