//! Blocks without their filters, and with pairs of questions made one.
//!
//! A filter only sorts starts, which whatever leads to it can do as well: it
//! leads to what is behind the filter instead. Two questions of which one side
//! of both goes the same way are one question.

use crate::{
    bits::Bits,
    lanes::{Edge, LaneDraft, LaneKind, Lanes, NONE},
};

/// The number of operations leading to a filter from which on it is not repeated in each.
const MAX_PARENTS: usize = 3;

/// Where the starts on one side of a split go.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Ends<const W: usize> {
    /// The first offer, and how many.
    pub offers: Vec<(u16, u16, Bits<W>)>,
    pub children: Vec<(u16, Bits<W>)>,
}

impl<const W: usize> Ends<W> {
    fn nothing() -> Ends<W> {
        Ends { offers: Vec::new(), children: Vec::new() }
    }

    /// The same for some of the starts.
    fn within(&self, starts: Bits<W>) -> Ends<W> {
        let offers = self.offers.iter().map(|it| (it.0, it.1, it.2 & starts));
        let children = self.children.iter().map(|it| (it.0, it.1 & starts));
        let mut ends = Ends {
            offers: offers.filter(|it| !it.2.is_empty()).collect(),
            children: children.filter(|it| !it.1.is_empty()).collect(),
        };
        ends.offers.sort_unstable_by_key(|it| it.0);
        ends.children.sort_unstable_by_key(|it| it.0);
        ends
    }
}

/// An operation in the making.
#[derive(Clone, Debug)]
pub(super) struct Split<const W: usize> {
    pub draft: u16,
    /// Whether a no to its question counts as a yes.
    pub is_turned: bool,
    /// Another question that has to be answered with yes as well, or with no.
    pub second: Option<(u16, bool)>,
    pub yes: Ends<W>,
    pub no: Ends<W>,
}

/// The operations of a block.
pub(super) struct Spread<const W: usize> {
    /// Where it begins, and for which starts.
    pub heads: Vec<(u16, Bits<W>)>,
    /// By draft; `None` where there is none any more.
    pub splits: Vec<Option<Split<W>>>,
}

/// What a spread is made from.
struct Maker<'a, const W: usize> {
    lanes: &'a Lanes<W>,
    /// By draft: whether it is a filter that was taken out.
    is_out: Vec<bool>,
    /// By draft: the starts that can come here.
    reach: Vec<Bits<W>>,
}

impl<const W: usize> Spread<W> {
    pub fn new(lanes: &Lanes<W>) -> Spread<W> {
        let maker = Maker::new(lanes);
        let heads = maker.heads();
        let mut sides: Vec<Option<[Ends<W>; 2]>> = vec![None; lanes.drafts.len()];
        let mut n_parents = vec![0; lanes.drafts.len()];
        heads.iter().for_each(|it| n_parents[it.0 as usize] += 2);
        for idx in 0..sides.len() {
            if n_parents[idx] > 0 {
                let ends = maker.ends(idx);
                for (child, _) in ends.iter().flat_map(|it| &it.children) {
                    n_parents[*child as usize] += 1;
                }
                sides[idx] = Some(ends);
            }
        }
        let mut splits: Vec<Option<Split<W>>> = vec![None; sides.len()];
        for idx in 0..sides.len() {
            let Some([yes, no]) = &sides[idx] else { continue };
            let draft = idx as u16;
            splits[idx] = Some(match maker.pair(idx, &sides, &n_parents) {
                Some((split, second)) => {
                    sides[second] = None;
                    split
                }
                // The side that offers is the side of the yes, if only one does.
                None if maker.can_turn(idx) && yes.offers.is_empty() && !no.offers.is_empty() => {
                    let (yes, no) = (no.clone(), yes.clone());
                    Split { draft, is_turned: true, second: None, yes, no }
                }
                None => {
                    let (yes, no) = (yes.clone(), no.clone());
                    Split { draft, is_turned: false, second: None, yes, no }
                }
            });
        }
        Spread { heads, splits }
    }
}

impl<'a, const W: usize> Maker<'a, W> {
    fn new(lanes: &'a Lanes<W>) -> Maker<'a, W> {
        let drafts = &lanes.drafts;
        let mut n_parents = vec![0; drafts.len()];
        let mut reach = vec![Bits::NONE; drafts.len()];
        reach[0] = lanes.head_mask;
        for (idx, draft) in drafts.iter().enumerate() {
            for (edge, starts) in sides(lanes, draft, reach[idx]) {
                if edge.child != NONE {
                    n_parents[edge.child as usize] += 1;
                    reach[edge.child as usize] |= starts & lanes.masks[edge.child_mask as usize];
                }
            }
        }
        let is_out = drafts.iter().zip(&n_parents);
        let is_out =
            is_out.map(|(it, n)| it.kind == LaneKind::Filter && *n <= MAX_PARENTS).collect();
        let mut maker = Maker { lanes, is_out, reach };
        // What offers at once has to be an operation.
        let mut ends = Ends::nothing();
        maker.reach_to(0, lanes.head_mask, &mut ends);
        maker.is_out[0] &= ends.offers.is_empty();
        maker
    }

    /// Where the block begins.
    fn heads(&self) -> Vec<(u16, Bits<W>)> {
        let mut ends = Ends::nothing();
        self.reach_to(0, self.lanes.head_mask, &mut ends);
        ends.children
    }

    fn can_turn(&self, idx: usize) -> bool {
        matches!(self.lanes.drafts[idx].kind, LaneKind::Test | LaneKind::Filter)
    }

    /// A draft and the one that it leads to as one operation, if one side of both is the same.
    fn pair(
        &self,
        idx: usize,
        all: &[Option<[Ends<W>; 2]>],
        n_parents: &[usize],
    ) -> Option<(Split<W>, usize)> {
        let draft = &self.lanes.drafts[idx];
        let mine = all[idx].as_ref()?;
        for through in [0, 1] {
            let starts = sides(self.lanes, draft, self.reach[idx])[through].1;
            let &[(child, mask)] = mine[through].children.as_slice() else { continue };
            let second = &self.lanes.drafts[child as usize];
            let is_pair = draft.kind == LaneKind::Test
                && second.kind == LaneKind::Test
                && mine[through].offers.is_empty()
                && mask == starts
                && n_parents[child as usize] == 1;
            let Some(theirs) = all[child as usize].as_ref().filter(|_| is_pair) else { continue };
            for same in [0, 1] {
                let there = sides(self.lanes, second, starts)[same].1;
                let aside = &mine[1 - through];
                if aside.within(there) == theirs[same].within(there) {
                    let split = Split {
                        draft: idx as u16,
                        is_turned: through == 1,
                        second: Some((child, same == 0)),
                        yes: theirs[1 - same].clone(),
                        no: aside.clone(),
                    };
                    return Some((split, child as usize));
                }
            }
        }
        None
    }

    /// The two sides of a draft.
    fn ends(&self, idx: usize) -> [Ends<W>; 2] {
        sides(self.lanes, &self.lanes.drafts[idx], self.reach[idx]).map(|(edge, starts)| {
            let mut ends = Ends::nothing();
            self.follow(edge, starts, &mut ends);
            ends
        })
    }

    fn follow(&self, edge: &Edge, starts: Bits<W>, ends: &mut Ends<W>) {
        let narrow = |mask: u16| starts & self.lanes.masks[mask as usize];
        if edge.offers != NONE && !narrow(edge.offer_mask).is_empty() {
            ends.offers.push((edge.offers, edge.n_offers, narrow(edge.offer_mask)));
        }
        if edge.child != NONE {
            self.reach_to(edge.child, narrow(edge.child_mask), ends);
        }
    }

    fn reach_to(&self, child: u16, starts: Bits<W>, ends: &mut Ends<W>) {
        if starts.is_empty() {
            return;
        }
        if self.is_out[child as usize] {
            for (edge, starts) in sides(self.lanes, &self.lanes.drafts[child as usize], starts) {
                self.follow(edge, starts, ends);
            }
        } else if let Some(known) = ends.children.iter_mut().find(|it| it.0 == child) {
            known.1 |= starts;
        } else {
            ends.children.push((child, starts));
        }
    }
}

/// The edges of a draft, with those of some starts that may take them.
fn sides<'a, const W: usize>(
    lanes: &Lanes<W>,
    draft: &'a LaneDraft,
    starts: Bits<W>,
) -> [(&'a Edge, Bits<W>); 2] {
    let mask = |it: u16| lanes.masks[it as usize];
    let (yes, no) = match draft.kind {
        LaneKind::Filter => (starts & mask(draft.arg), starts & !mask(draft.arg)),
        LaneKind::Test => (starts & mask(draft.mask), starts),
        LaneKind::TestAt | LaneKind::RayStep => (starts, starts),
    };
    [(&draft.yes, yes), (&draft.no, no)]
}
