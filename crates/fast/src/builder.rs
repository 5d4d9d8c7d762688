//! Runs a block on symbols and builds its graph.

mod step;

use boardwright_game::{Block, BlockKind, PieceKind, Place, Player};
use boardwright_play::Rules;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::{
    Unsupported,
    bits::Bits,
    graph::{Change, Graph, Guard, Loc, Node, NodeId, Pred, Template},
    layout::LaneMap,
    uniform::Uniforms,
};

/// Everything that decides how a walk goes on.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct SymbolicWalk {
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
    pub layout: &'a LaneMap<W>,
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
    memo: FxHashMap<SymbolicWalk, (Bits<W>, Option<Option<NodeId>>)>,
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

/// Nodes on one path.
const DEEPEST: usize = 400;

impl<'a, const W: usize> Builder<'a, W> {
    pub fn new(
        rules: &'a Rules,
        layout: &'a LaneMap<W>,
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

    pub fn build(&mut self) -> Result<Graph<W>, Unsupported> {
        let walk = SymbolicWalk {
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

    pub(super) fn push(&mut self, node: Node<W>) -> Result<Option<NodeId>, Unsupported> {
        if let Some(&found) = self.same.get(&node) {
            return Ok(Some(found));
        }
        if self.nodes.len() >= self.budget {
            return Err(Unsupported::TooManyNodes);
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
    fn places(&self, place: Place, cursor: Loc) -> Result<Vec<(Loc, Bits<W>)>, Unsupported> {
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
            return Err(Unsupported::IrregularBoard);
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
    pub(super) fn go(
        &mut self,
        walk: SymbolicWalk,
        trail: Trail<W>,
    ) -> Result<Option<NodeId>, Unsupported> {
        let mut alive = trail.alive;
        if alive.is_empty() {
            return Ok(None);
        }
        match self.memo.get(&walk) {
            Some(&(built, Some(found))) if (alive & !built).is_empty() => return Ok(found),
            Some((_, None)) => return Err(Unsupported::EndlessBlock),
            // More starts come here than the first time: once more, for all of them.
            Some((built, _)) => alive |= *built,
            None => {}
        }
        // Long walks cost more to keep.
        let parts = walk.cascades.len() + walk.changes.len() + walk.captures.len();
        self.effort += 1 + parts / 4;
        if trail.depth > DEEPEST || self.effort > self.patience {
            return Err(Unsupported::TooManyNodes);
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

    /// Whether the walk can take over: it begins at the start of the block, so there must be no move yet.
    fn may_escape(&self, why: Unsupported) -> bool {
        self.escapes && !matches!(why, Unsupported::TooManyNodes | Unsupported::Flags)
    }

    fn escape(&mut self) -> Result<Option<NodeId>, Unsupported> {
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
        walk: SymbolicWalk,
        place: Place,
        pred: Pred,
        trail: Trail<W>,
    ) -> Result<Option<NodeId>, Unsupported> {
        let places = self.places(place, walk.cursor)?;
        let [if_yes, if_no] = self.harmless(&walk, pred, &places);
        let no = SymbolicWalk { truth: false, harmless: if_no, ..walk.clone() };
        let no = self.go(no, trail.on())?;
        let mut reach = Bits::NONE;
        for (at, starts) in &places {
            reach |= *starts & self.on_board(*at);
        }
        let yes = SymbolicWalk { truth: true, harmless: if_yes, ..walk };
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
    fn harmless(
        &self,
        walk: &SymbolicWalk,
        pred: Pred,
        places: &[(Loc, Bits<W>)],
    ) -> [Option<Loc>; 2] {
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
    ) -> Result<Option<NodeId>, Unsupported> {
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
        walk: SymbolicWalk,
        starts: Bits<W>,
        trail: Trail<W>,
    ) -> Result<Option<NodeId>, Unsupported> {
        let yes = self.go(SymbolicWalk { truth: true, ..walk.clone() }, trail.only(starts))?;
        let no = self.go(SymbolicWalk { truth: false, ..walk }, trail.only(!starts))?;
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
        walk: SymbolicWalk,
        place: Place,
        trail: Trail<W>,
        mut inside: impl FnMut(usize) -> bool,
    ) -> Result<Option<NodeId>, Unsupported> {
        let mut starts = Bits::NONE;
        for (at, of) in self.places(place, walk.cursor)? {
            starts |= self.starts_in(at, of, &mut inside);
        }
        self.decided(walk, starts, trail)
    }

    /// Moves the cursor along strides, dropping starts for which there are none.
    fn stride(
        &mut self,
        walk: SymbolicWalk,
        place: Place,
        trail: Trail<W>,
    ) -> Result<Option<NodeId>, Unsupported> {
        let mut node = None;
        for (at, starts) in self.places(place, walk.cursor)? {
            let next = self.go(SymbolicWalk { cursor: at, ..walk.clone() }, trail.only(starts))?;
            node = self.filter(starts, next, node, trail)?;
        }
        Ok(node)
    }
}
