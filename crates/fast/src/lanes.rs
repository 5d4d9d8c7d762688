//! Graphs as straight code over sets of starts.
//!
//! Each node owns a register: the starts that reach it. A node takes its
//! register, leaves it empty for the next time, splits it, and adds the parts
//! to its children's. Parents come first, so one pass over the operations runs
//! a block for all pieces of a kind.

use crate::{
    bits::Bits,
    graph::{Graph, Loc, Node, Pred, Template},
};

/// Moves of one shape: the template, and the lanes of the piece that moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Run<const W: usize> {
    pub template: u32,
    /// If not `NONE`: the run is where the piece on this lane can go, `template` the number
    /// of its aims, and `lanes` are targets.
    pub from: u16,
    pub lanes: Bits<W>,
}

/// Where the answers to tests are kept: one set for each thing to ask.
pub(crate) const EMPTY: usize = 0;
pub(crate) const FRIEND: usize = 1;
pub(crate) const ENEMY: usize = 2;
pub(crate) const NEUTRAL: usize = 3;
pub(crate) const NEAR_ENEMY: usize = 4;
pub(crate) const LAST_FROM: usize = 5;
pub(crate) const LAST_TO: usize = 6;
/// Not lanes but numbers of questions that are asked once for all: see `uniform`.
pub(crate) const UNIFORM: usize = 7;
pub(crate) const FIRST_KIND: usize = 8;
pub(crate) const MAX_SETS: usize = 48;

/// The registers of a generation; with the last a power of two, so that a number can be
/// cut to fit.
pub(crate) const MAX_OPS: usize = 1023;

/// One more, for what goes nowhere.
pub(crate) const REGISTERS: usize = 1024;

pub(crate) const NONE: u16 = u16::MAX;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LaneKind {
    /// By the set at a distance.
    Test,
    /// By the set at one lane, the same for all starts.
    TestAt,
    /// By the start: `arg` is a mask.
    Filter,
    /// A test whose no is a second test of the same place that offers the same moves:
    /// the step of a ray, which goes on where it is empty and ends where it captures.
    RayStep,
}

/// What happens to the starts on one side of a split: those in one mask offer
/// moves, those in another go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Edge {
    /// The first of the offers, and how many; or `NONE`.
    pub offers: u16,
    pub n_offers: u16,
    pub offer_mask: u16,
    pub child: u16,
    pub child_mask: u16,
}

const NOWHERE: Edge = Edge { offers: NONE, n_offers: 0, offer_mask: 0, child: NONE, child_mask: 0 };

/// An operation as it is first written down.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LaneDraft {
    pub kind: LaneKind,
    pub set: u8,
    /// The second set of a ray step, and whether being in it is what counts.
    pub second: u8,
    pub wants_second: bool,
    /// The starts whose place is on the board; for the others the answer is no.
    pub mask: u16,
    /// A rotation, a lane, or a mask.
    pub arg: u16,
    pub yes: Edge,
    pub no: Edge,
}

/// What an edge offers: a template whose lanes are `by` ahead of the start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct LaneOffer {
    pub template: u32,
    pub by: u16,
    /// Whether no other offer gives the same moves and nothing has to be asked.
    pub is_direct: bool,
}

/// The code of one block for one owner, to be put into scripts; the first draft is where
/// all starts begin.
#[derive(Clone, Debug)]
pub(crate) struct Lanes<const W: usize> {
    /// Parents first.
    pub drafts: Vec<LaneDraft>,
    pub offers: Vec<LaneOffer>,
    /// Sets of starts; the first is all of them.
    pub masks: Vec<Bits<W>>,
    /// The starts that come to the first draft.
    pub head_mask: Bits<W>,
    pub uses_near_enemy: bool,
}

struct Lowering<'a, const W: usize, F> {
    graph: &'a Graph<W>,
    lanes: Lanes<W>,
    all: Bits<W>,
    intern: F,
    /// By emit node: its offers.
    emitted: rustc_hash::FxHashMap<usize, (u16, u16)>,
    /// By node that is an operation: its number.
    place: Vec<u16>,
    /// By node: the starts that can come here.
    reach: Vec<Bits<W>>,
}

impl<const W: usize> Lanes<W> {
    /// Turns a graph into code; `intern` gives templates their numbers.
    pub fn new(
        graph: &Graph<W>,
        all: Bits<W>,
        first_attribute: usize,
        intern: impl FnMut(Template) -> u32,
    ) -> Option<Lanes<W>> {
        let lanes = Lanes {
            drafts: Vec::new(),
            offers: Vec::new(),
            masks: vec![all],
            head_mask: all,
            uses_near_enemy: false,
        };
        if graph.nodes.len() >= NONE as usize / 2 {
            return None;
        }
        let mut lowering = Lowering {
            graph,
            lanes,
            all,
            intern,
            emitted: rustc_hash::FxHashMap::default(),
            place: vec![NONE; graph.nodes.len()],
            reach: vec![Bits::NONE; graph.nodes.len()],
        };
        lowering.run(first_attribute)?;
        Some(lowering.lanes)
    }

    pub fn n_ops(&self) -> usize {
        self.drafts.len()
    }

    /// Whether the block asks for the sites of the last move.
    pub fn asks_for_last(&self) -> bool {
        self.drafts.iter().any(|it| {
            let is_last = |set: u8| [LAST_FROM, LAST_TO].contains(&(set as usize));
            match it.kind {
                LaneKind::Test | LaneKind::TestAt => is_last(it.set),
                LaneKind::Filter => false,
                LaneKind::RayStep => is_last(it.set) || is_last(it.second),
            }
        })
    }

    /// Whether it asks for what is answered once a turn.
    pub fn asks_uniform(&self) -> bool {
        self.drafts.iter().any(|it| it.kind != LaneKind::Filter && usize::from(it.set) == UNIFORM)
    }

    /// Says of each offer whether it can go to the list as it is.
    pub fn set_direct(&mut self, mut is_direct: impl FnMut(u32) -> bool) {
        for offer in &mut self.offers {
            offer.is_direct = is_direct(offer.template);
        }
    }
}

impl<const W: usize, F: FnMut(Template) -> u32> Lowering<'_, W, F> {
    fn run(&mut self, first_attribute: usize) -> Option<()> {
        let Some(root) = self.graph.root else { return Some(()) };
        // 1. The starts that can reach each node at all: edges of the board add up.
        self.reach[root] = self.all;
        let mut is_op = vec![false; self.graph.nodes.len()];
        for idx in (0..=root).rev() {
            let here = self.reach[idx];
            if here.is_empty() {
                continue;
            }
            let parts = match self.graph.nodes[idx] {
                Node::Test { yes, no, on_board, .. } => {
                    is_op[idx] = true;
                    [(yes, here & on_board), (no, here)]
                }
                Node::Filter { yes, no, starts } => {
                    is_op[idx] = yes.is_some() && no.is_some();
                    [(yes, here & starts), (no, here & !starts)]
                }
                Node::Emit { next, .. } => [(next, here), (None, here)],
            };
            for (child, lanes) in parts {
                if let Some(child) = child {
                    self.reach[child] |= lanes;
                }
            }
        }
        let reached: Vec<bool> = self.reach.iter().map(|it| !it.is_empty()).collect();
        // 2. Emits that an edge cannot hold beside another become filters of everything.
        for (node, _) in self.graph.nodes.iter().zip(&reached).filter(|(_, reached)| **reached) {
            if let Node::Emit { next: Some(next), .. } = *node
                && self.leads_to_emit(next, &is_op)
            {
                is_op[next] = true;
            }
        }
        if self.leads_to_emit(root, &is_op) {
            is_op[root] = true;
        }
        let order: Vec<usize> = (0..=root).rev().filter(|&it| reached[it] && is_op[it]).collect();
        for (at, &idx) in order.iter().enumerate() {
            self.place[idx] = at as u16;
        }
        // 3. The operations.
        let around = |delta: i32| delta.rem_euclid(64 * W as i32) as u16;
        for &idx in &order {
            let op = match &self.graph.nodes[idx] {
                Node::Test { pred, at, on_board, yes, no } => {
                    let set = match *pred {
                        Pred::Empty => EMPTY,
                        Pred::Friend => FRIEND,
                        Pred::Enemy => ENEMY,
                        Pred::Neutral => NEUTRAL,
                        Pred::NearEnemy => {
                            self.lanes.uses_near_enemy = true;
                            NEAR_ENEMY
                        }
                        Pred::LastFrom => LAST_FROM,
                        Pred::LastTo => LAST_TO,
                        Pred::Uniform => UNIFORM,
                        Pred::Kind(kind) => FIRST_KIND + kind as usize,
                        Pred::Attribute(it) => first_attribute + it as usize,
                    };
                    let (kind, arg) = match *at {
                        Loc::Rel(delta) => (LaneKind::Test, around(i32::from(delta))),
                        Loc::Abs(lane) => (LaneKind::TestAt, lane),
                    };
                    let here = self.reach[idx];
                    let mask = self.needed_mask(*on_board, here)?;
                    let (yes, no) = (self.edge(*yes, here & *on_board)?, self.edge(*no, here)?);
                    LaneDraft {
                        kind,
                        set: set as u8,
                        second: 0,
                        wants_second: false,
                        mask,
                        arg,
                        yes,
                        no,
                    }
                }
                Node::Filter { starts, yes, no } => {
                    let arg = self.mask(*starts)?;
                    let here = self.reach[idx];
                    let yes = self.edge(*yes, here & *starts)?;
                    let no = self.edge(*no, here & !*starts)?;
                    LaneDraft {
                        kind: LaneKind::Filter,
                        set: 0,
                        second: 0,
                        wants_second: false,
                        mask: 0,
                        arg,
                        yes,
                        no,
                    }
                }
                Node::Emit { .. } => {
                    let yes = self.edge_from(Some(idx), self.reach[idx])?;
                    LaneDraft {
                        kind: LaneKind::Filter,
                        set: 0,
                        second: 0,
                        wants_second: false,
                        mask: 0,
                        arg: 0,
                        yes,
                        no: NOWHERE,
                    }
                }
            };
            self.lanes.drafts.push(op);
        }
        let root = self.edge(Some(root), self.all)?;
        self.lanes.head_mask = self.lanes.masks[root.child_mask as usize];
        self.fuse_ray_steps();
        (self.lanes.drafts.len() <= MAX_OPS).then_some(())
    }

    /// Joins a test with the second test that only its no leads to, where both offer
    /// the same moves. The second stays behind as an operation that nothing reaches.
    fn fuse_ray_steps(&mut self) {
        let mut n_parents = vec![0u16; self.lanes.drafts.len()];
        let edges = self.lanes.drafts.iter().flat_map(|it| [it.yes, it.no]);
        for edge in edges.filter(|it| it.child != NONE) {
            n_parents[edge.child as usize] += 1;
        }
        for idx in 0..self.lanes.drafts.len() {
            let op = self.lanes.drafts[idx];
            let plain_no = op.no.offers == NONE && op.no.child != NONE && op.no.child_mask == 0;
            let offers_all = op.yes.offers != NONE && op.yes.offer_mask == 0;
            if op.kind != LaneKind::Test || op.mask != 0 || !plain_no || !offers_all {
                continue;
            }
            let second = self.lanes.drafts[op.no.child as usize];
            let same = |it: &Edge| {
                it.child == NONE
                    && it.offers != NONE
                    && it.offer_mask == 0
                    && self.same_offers(it, &op.yes)
            };
            let wants_second = match (second.yes, second.no) {
                (yes, no) if same(&yes) && no == NOWHERE => true,
                (yes, no) if same(&no) && yes == NOWHERE => false,
                _ => continue,
            };
            if second.kind != LaneKind::Test
                || second.arg != op.arg
                || n_parents[op.no.child as usize] != 1
            {
                continue;
            }
            let fused =
                LaneDraft { kind: LaneKind::RayStep, second: second.set, wants_second, ..op };
            self.lanes.drafts[idx] = LaneDraft { no: NOWHERE, ..fused };
        }
        self.drop_unreached();
    }

    fn same_offers(&self, one: &Edge, other: &Edge) -> bool {
        let of = |it: &Edge| {
            let first = it.offers as usize;
            &self.lanes.offers[first..first + it.n_offers as usize]
        };
        of(one) == of(other)
    }

    /// Renumbers the operations without those that nothing leads to.
    fn drop_unreached(&mut self) {
        let mut reached = vec![false; self.lanes.drafts.len()];
        if let Some(first) = reached.first_mut() {
            *first = true;
        }
        for (idx, op) in self.lanes.drafts.iter().enumerate() {
            if reached[idx] {
                for edge in [op.yes, op.no] {
                    if edge.child != NONE {
                        reached[edge.child as usize] = true;
                    }
                }
            }
        }
        let mut place = vec![NONE; self.lanes.drafts.len()];
        let mut kept = Vec::new();
        for (idx, op) in self.lanes.drafts.iter().enumerate().filter(|(idx, _)| reached[*idx]) {
            place[idx] = kept.len() as u16;
            kept.push(*op);
        }
        let renumber = |edge: &mut Edge| {
            if edge.child != NONE {
                edge.child = place[edge.child as usize];
            }
        };
        for op in &mut kept {
            renumber(&mut op.yes);
            renumber(&mut op.no);
        }
        self.lanes.drafts = kept;
    }

    /// Whether an emit comes before the next operation.
    fn leads_to_emit(&self, mut node: usize, is_op: &[bool]) -> bool {
        loop {
            if is_op[node] {
                return false;
            }
            match self.graph.nodes[node] {
                Node::Emit { .. } => return true,
                Node::Filter { yes, no, .. } => match yes.or(no) {
                    Some(next) => node = next,
                    None => return false,
                },
                Node::Test { .. } => return false,
            }
        }
    }

    fn mask(&mut self, mask: Bits<W>) -> Option<u16> {
        let found = self.lanes.masks.iter().position(|it| *it == mask);
        let idx = found.unwrap_or_else(|| {
            self.lanes.masks.push(mask);
            self.lanes.masks.len() - 1
        });
        (idx < NONE as usize).then_some(idx as u16)
    }

    /// The edge to a node for starts that are among `lanes`.
    fn edge(&mut self, to: Option<usize>, lanes: Bits<W>) -> Option<Edge> {
        match to {
            _ if lanes.is_empty() => Some(NOWHERE),
            Some(node) if self.place[node] != NONE => {
                Some(Edge { child: self.place[node], ..NOWHERE })
            }
            other => self.edge_from(other, lanes),
        }
    }

    /// Follows nodes that are no operations, gathering masks and one emit.
    fn edge_from(&mut self, to: Option<usize>, lanes: Bits<W>) -> Option<Edge> {
        let mut edge = NOWHERE;
        let mut mask = self.all;
        let mut at = to;
        let mut is_first = true;
        while let Some(node) = at
            && !(mask & lanes).is_empty()
        {
            if self.place[node] != NONE && !is_first {
                edge.child = self.place[node];
                edge.child_mask = self.needed_mask(mask, lanes)?;
                break;
            }
            is_first = false;
            match &self.graph.nodes[node] {
                Node::Filter { starts, yes, no } => {
                    let kept = if yes.is_some() { *starts } else { !*starts & self.all };
                    mask &= kept;
                    at = yes.or(*no);
                }
                Node::Emit { next, .. } => {
                    let (first, n) = self.offers(node)?;
                    edge.offers = first;
                    edge.n_offers = n;
                    edge.offer_mask = self.needed_mask(mask, lanes)?;
                    at = *next;
                }
                Node::Test { .. } => break,
            }
        }
        Some(edge)
    }

    /// A mask, or that of all starts where it would make no difference.
    fn needed_mask(&mut self, mask: Bits<W>, lanes: Bits<W>) -> Option<u16> {
        if (lanes & !mask).is_empty() { Some(0) } else { self.mask(mask) }
    }

    fn offers(&mut self, node: usize) -> Option<(u16, u16)> {
        if let Some(&found) = self.emitted.get(&node) {
            return Some(found);
        }
        let Node::Emit { templates, .. } = &self.graph.nodes[node] else { return None };
        let first = self.lanes.offers.len();
        for template in templates {
            let (anchored, by) = anchored(template.clone());
            let template = (self.intern)(anchored);
            let by = (-by).rem_euclid(64 * W as i32) as u16;
            self.lanes.offers.push(LaneOffer { template, by, is_direct: false });
        }
        if self.lanes.offers.len() >= NONE as usize {
            return None;
        }
        let found = (first as u16, templates.len() as u16);
        self.emitted.insert(node, found);
        Some(found)
    }
}

/// A template seen from the piece that moves (or the site of the drop), and how
/// far that is from the start of the block.
pub(crate) fn anchored(mut template: Template) -> (Template, i32) {
    use super::graph::Change;
    let key = template.movements[0];
    let copies = template.is_copy && template.movements.len() == 1;
    let anchor = if template.is_drop || copies { key.1 } else { key.0 };
    let Loc::Rel(by) = anchor else { return (template, 0) };
    if by == 0 || template.lazy.is_some() {
        return (template, 0);
    }
    let shift = |at: &mut Loc| {
        if let Loc::Rel(delta) = at {
            *delta -= by;
        }
    };
    for (from, to) in &mut template.movements {
        shift(from);
        shift(to);
    }
    for change in &mut template.changes {
        match change {
            Change::Create { at, .. }
            | Change::TurnInto { at, .. }
            | Change::GiveTo { at, .. }
            | Change::Flip { at }
            | Change::Set { at, .. }
            | Change::Capture { at } => shift(at),
        }
    }
    for guard in &mut template.guards {
        shift(&mut guard.at);
    }
    (template, i32::from(by))
}
