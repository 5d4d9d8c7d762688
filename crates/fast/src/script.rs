//! The blocks of a turn as one piece of straight code.
//!
//! Each operation owns a register: the starts that come to it. It takes its
//! register, leaves it empty for the next time, splits it, and adds the parts to
//! the registers of the operations that follow. Parents come first, so one pass
//! runs every block for every piece. Where no start reaches an operation, all
//! that only it leads to is skipped.

use boardwright_game::{PieceKind, Player};

use crate::{
    bits::Bits,
    game::{FastGame, FastState, Start},
    lanes::{
        FIRST_KIND, FRIEND, LaneDraft, LaneKind, LaneOffer, Lanes, MAX_OPS, MAX_SETS, NONE,
        REGISTERS, Run,
    },
    spread::{Split, Spread},
};

/// Where starts come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct ScriptSource<const W: usize> {
    /// The owner's pieces in this set, or a hand.
    set: u8,
    /// The slot that must not be empty, or `NONE`.
    hand: u16,
    lanes: Bits<W>,
}

/// A source and what begins there: ranges of `heads` and of `leaves`.
#[derive(Clone, Copy, Debug)]
struct Feed<const W: usize> {
    source: ScriptSource<W>,
    first: u16,
    end: u16,
    first_leaf: u16,
    end_leaf: u16,
}

/// A question that all starts of a feed are asked, and the one offer that hangs on it.
#[derive(Clone, Copy, Debug)]
struct Leaf<const W: usize> {
    starts: Bits<W>,
    ask: ScriptAsk<W>,
    offer: LaneOffer,
}

/// A question about what stands at a distance.
#[derive(Clone, Copy, Debug)]
struct ScriptAsk<const W: usize> {
    /// The starts whose place is on the board.
    mask: Bits<W>,
    /// All lanes if the answer counts the other way round.
    flip: Bits<W>,
    set: u8,
    by: u16,
}

impl<const W: usize> ScriptAsk<W> {
    fn new(lanes: &Lanes<W>, draft: &LaneDraft, is_turned: bool) -> ScriptAsk<W> {
        ScriptAsk {
            mask: lanes.masks[draft.mask as usize],
            flip: if is_turned { !Bits::NONE } else { Bits::NONE },
            set: draft.set,
            by: draft.arg,
        }
    }

    /// The starts for which the answer is yes.
    #[inline]
    fn answer(&self, sets: &[Bits<W>; MAX_SETS]) -> Bits<W> {
        (sets[self.set as usize].ahead(self.by) & self.mask) ^ self.flip
    }
}

/// All that the usual operation needs is in it, so that no list has to be looked up. A
/// child that is not there is a register nobody reads.
#[derive(Clone, Copy, Debug)]
struct ScriptOp<const W: usize> {
    ask: ScriptAsk<W>,
    yes_mask: Bits<W>,
    no_mask: Bits<W>,
    /// The starts that offer, of those on the side of the yes.
    offer_mask: Bits<W>,
    offer: LaneOffer,
    /// The same on the side of the no.
    other_mask: Bits<W>,
    other: LaneOffer,
    yes: u16,
    no: u16,
    /// Where to go on when no start comes here.
    skip: u16,
    /// What makes it unusual, or `NONE`, or `AT_LANE` if that is all.
    more: u16,
    /// Further targets of the starts: the number of entries of `pushes`.
    first_push: u32,
    n_pushes: u16,
}

/// What an operation asks instead of the usual question.
#[derive(Clone, Copy, Debug)]
enum ScriptTest<const W: usize> {
    Usual,
    /// The usual one and another.
    Both(ScriptAsk<W>),
    /// What stands on the lane with the number of the distance.
    IsAt,
    /// A fixed set of starts.
    Among(Bits<W>),
    /// The step of a ray that ends in this set, or outside it.
    Ray(u8, Bits<W>),
}

/// An unusual operation: its test, the starts that make the offer, and a range of `sides`.
#[derive(Clone, Copy, Debug)]
struct More<const W: usize> {
    test: ScriptTest<W>,
    offer_mask: Bits<W>,
    first_side: u32,
    end_side: u32,
}

/// Further starts that go on, of those on one side.
#[derive(Clone, Copy, Debug)]
struct Push<const W: usize> {
    mask: Bits<W>,
    is_no: bool,
    child: u16,
}

/// Further offers, for the starts on one side.
#[derive(Clone, Copy, Debug)]
struct Side<const W: usize> {
    mask: Bits<W>,
    is_no: bool,
    first: u32,
    n: u32,
}

/// A drop that some other piece in the hand may make.
const ANY_HAND: u16 = NONE - 1;

/// What makes an operation unusual that asks what stands on a lane.
const AT_LANE: u16 = NONE - 1;

const NO_OFFER: LaneOffer = LaneOffer { template: u32::MAX, by: 0, is_direct: false };

/// Where the moves go that a script offers.
#[derive(Debug)]
pub(crate) struct Out<'a, const W: usize> {
    /// Moves that are in the list for good.
    pub runs: &'a mut Vec<Run<W>>,
    /// Moves that may equal others, or about which something has to be asked.
    pub asks: &'a mut Vec<Run<W>>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Script<const W: usize> {
    feeds: Vec<Feed<W>>,
    /// Operations where starts begin, and which of them do.
    heads: Vec<(u16, Bits<W>)>,
    ops: Vec<ScriptOp<W>>,
    leaves: Vec<Leaf<W>>,
    more: Vec<More<W>>,
    /// Whether some operations do what only a longer loop can.
    spreads: bool,
    pushes: Vec<Push<W>>,
    sides: Vec<Side<W>>,
    offers: Vec<LaneOffer>,
}

impl<const W: usize> Script<W> {
    /// Puts blocks together, in as many scripts as it takes.
    pub fn of<'a>(
        game: &FastGame<W>,
        owner: Player,
        blocks: impl IntoIterator<Item = (Start<W>, &'a Lanes<W>)>,
    ) -> Vec<Script<W>> {
        let mut scripts = vec![Script::default()];
        let mut blocks_of: Vec<(ScriptSource<W>, usize, ScriptBlock<W>)> = Vec::new();
        for (start, lanes) in blocks.into_iter().filter(|it| !it.1.drafts.is_empty()) {
            let last = scripts.last().map_or(0, |it| it.ops.len());
            if last + lanes.drafts.len() > MAX_OPS {
                scripts.push(Script::default());
            }
            let idx = scripts.len() - 1;
            blocks_of.push((source(game, owner, start), idx, scripts[idx].append(lanes)));
        }
        for (idx, script) in scripts.iter_mut().enumerate() {
            let mut left: Vec<_> = blocks_of.iter().filter(|it| it.1 == idx).collect();
            while let Some(&&(source, ..)) = left.first() {
                let (first, first_leaf) = (script.heads.len() as u16, script.leaves.len() as u16);
                for (_, _, block) in left.iter().filter(|it| it.0 == source) {
                    script.heads.extend(&block.heads);
                    script.leaves.extend(&block.leaves);
                }
                let (end, end_leaf) = (script.heads.len() as u16, script.leaves.len() as u16);
                script.feeds.push(Feed { source, first, end, first_leaf, end_leaf });
                left.retain(|it| it.0 != source);
            }
        }
        scripts.retain(|it| !it.feeds.is_empty());
        scripts
    }

    /// Adds the code of a block; gives where it begins.
    fn append(&mut self, lanes: &Lanes<W>) -> ScriptBlock<W> {
        let base = self.ops.len();
        let first_offer = self.offers.len() as u32;
        self.offers.extend(&lanes.offers);
        let Spread { heads, splits } = Spread::new(lanes);
        let mut block = ScriptBlock { heads: Vec::new(), leaves: Vec::new() };
        let mut is_leaf = vec![false; lanes.drafts.len()];
        let mut is_child = vec![false; lanes.drafts.len()];
        for ends in splits.iter().flatten().flat_map(|it| [&it.yes, &it.no]) {
            ends.children.iter().for_each(|it| is_child[it.0 as usize] = true);
        }
        for &(head, starts) in heads.iter().filter(|it| !is_child[it.0 as usize]) {
            let Some(split) = &splits[head as usize] else { continue };
            if let Some(leaves) = leaves(lanes, split, starts) {
                block.leaves.extend(leaves);
                is_leaf[head as usize] = true;
            }
        }
        let mut places = vec![NONE; lanes.drafts.len()];
        let is_op = |it: &(usize, &Option<Split<W>>)| it.1.is_some() && !is_leaf[it.0];
        let kept = splits.iter().enumerate().filter(is_op);
        kept.zip(base as u16..).for_each(|((idx, _), place)| places[idx] = place);
        let place = |child: u16| places[child as usize];
        for (idx, split) in splits.into_iter().enumerate().filter(|it| !is_leaf[it.0]) {
            if let Some(split) = split {
                self.push_op(lanes, idx, split, first_offer, place);
            }
        }
        let ops = heads.into_iter().filter(|it| !is_leaf[it.0 as usize]);
        block.heads.extend(ops.map(|(head, starts)| (place(head), starts)));
        self.find_skips(base, &block.heads);
        block
    }

    /// Adds an operation.
    fn push_op(
        &mut self,
        lanes: &Lanes<W>,
        idx: usize,
        split: Split<W>,
        first_offer: u32,
        place: impl Fn(u16) -> u16,
    ) {
        let draft = &lanes.drafts[idx];
        let Split { second, is_turned, mut yes, mut no, .. } = split;
        let mask = |it: u16| lanes.masks[it as usize];
        let test = match (draft.kind, second) {
            (LaneKind::Test, None) => ScriptTest::Usual,
            (LaneKind::Test, Some((second, is_turned))) => {
                ScriptTest::Both(ScriptAsk::new(lanes, &lanes.drafts[second as usize], is_turned))
            }
            (LaneKind::TestAt, _) => ScriptTest::IsAt,
            (LaneKind::Filter, _) if is_turned => ScriptTest::Among(!mask(draft.arg)),
            (LaneKind::Filter, _) => ScriptTest::Among(mask(draft.arg)),
            (LaneKind::RayStep, _) if draft.wants_second => {
                ScriptTest::Ray(draft.second, Bits::NONE)
            }
            (LaneKind::RayStep, _) => ScriptTest::Ray(draft.second, !Bits::NONE),
        };
        let only = |offers: &mut Vec<(u16, u16, Bits<W>)>| match *offers.as_slice() {
            [(first, 1, mask)] => {
                offers.clear();
                (lanes.offers[first as usize], mask)
            }
            _ => (NO_OFFER, Bits::NONE),
        };
        let (offer, offer_mask) = only(&mut yes.offers);
        let (other, other_mask) = only(&mut no.offers);
        let first_of = |list: &mut Vec<(u16, Bits<W>)>| {
            if list.is_empty() {
                return (MAX_OPS as u16, Bits::NONE);
            }
            let (child, mask) = list.remove(0);
            (place(child), mask)
        };
        let (yes_child, yes_mask) = first_of(&mut yes.children);
        let (no_child, no_mask) = first_of(&mut no.children);
        let more = More {
            test,
            offer_mask,
            first_side: self.sides.len() as u32,
            end_side: (self.sides.len() + yes.offers.len() + no.offers.len()) as u32,
        };
        let (first_push, n_pushes) = (self.pushes.len(), yes.children.len() + no.children.len());
        for (is_no, ends) in [(false, yes), (true, no)] {
            let push = |&(child, mask): &(u16, Bits<W>)| Push { mask, is_no, child: place(child) };
            self.pushes.extend(ends.children.iter().map(push));
            self.sides.extend(ends.offers.iter().map(|&(first, n, mask)| Side {
                mask,
                is_no,
                first: first_offer + u32::from(first),
                n: n.into(),
            }));
        }
        let is_simple = more.first_side == more.end_side;
        let number = match test {
            ScriptTest::Usual if is_simple => NONE,
            ScriptTest::IsAt if is_simple => AT_LANE,
            _ => self.more.len() as u16,
        };
        let is_usual = number >= AT_LANE;
        self.spreads |= number == AT_LANE || n_pushes > 0 || !other_mask.is_empty();
        self.ops.push(ScriptOp {
            ask: ScriptAsk::new(lanes, draft, is_turned),
            yes_mask,
            no_mask,
            offer_mask: if is_usual { offer_mask } else { Bits::NONE },
            offer,
            other_mask,
            other,
            yes: yes_child,
            no: no_child,
            skip: 0,
            more: number,
            first_push: first_push as u32,
            n_pushes: n_pushes as u16,
        });
        if !is_usual {
            self.more.push(more);
        }
    }

    /// Where to go on after each operation from `base` on to which nothing comes: at the
    /// first after it that something else leads to as well.
    fn find_skips(&mut self, base: usize, heads: &[(u16, Bits<W>)]) {
        let mut first_parent = vec![usize::MAX; self.ops.len()];
        for idx in base..self.ops.len() {
            let op = &self.ops[idx];
            let others = op.others(&self.pushes).iter().map(|it| it.child);
            for child in others.chain([op.yes, op.no]).filter(|it| *it != MAX_OPS as u16) {
                let first = &mut first_parent[child as usize];
                *first = idx.min(*first);
            }
        }
        for (head, _) in heads {
            first_parent[*head as usize] = usize::MAX;
        }
        for idx in base..self.ops.len() {
            let only = |it: &usize| first_parent[*it] != usize::MAX && first_parent[*it] >= idx;
            let n = (idx + 1..self.ops.len()).take_while(only).count();
            self.ops[idx].skip = (idx + 1 + n) as u16;
        }
    }

    /// Offers every move of the blocks from the starts `within`. `registers` are empty
    /// before and after.
    pub fn run(
        &self,
        it: &FastState<W>,
        within: Bits<W>,
        registers: &mut [Bits<W>; REGISTERS],
        out: &mut Out<'_, W>,
    ) {
        let sets = &it.sets;
        let mut is_fed = false;
        for feed in &self.feeds {
            let ScriptSource { set, hand, lanes } = feed.source;
            let mut starts = within & lanes;
            if hand == NONE {
                starts &= sets[FRIEND] & sets[set as usize];
            } else if hand != ANY_HAND && it.hands[hand as usize] == 0 {
                continue;
            }
            if starts.is_empty() {
                continue;
            }
            for leaf in &self.leaves[feed.first_leaf as usize..feed.end_leaf as usize] {
                let offering = starts & leaf.starts & leaf.ask.answer(sets);
                if !offering.is_empty() {
                    out.take(&leaf.offer, offering);
                }
            }
            for (head, mask) in &self.heads[feed.first as usize..feed.end as usize] {
                registers[*head as usize % REGISTERS] = starts & *mask;
                is_fed = true;
            }
        }
        if is_fed && !self.spreads {
            self.go::<false>(sets, registers, out);
        } else if is_fed {
            self.go::<true>(sets, registers, out);
        }
    }

    /// Runs the operations; `SPREADS` says whether some lead to more than two, offer on both
    /// sides or ask of one lane.
    fn go<const SPREADS: bool>(
        &self,
        sets: &[Bits<W>; MAX_SETS],
        registers: &mut [Bits<W>; REGISTERS],
        out: &mut Out<'_, W>,
    ) {
        let mut idx = 0;
        while let Some(op) = self.ops.get(idx) {
            let here = registers[idx % REGISTERS];
            if here.is_empty() {
                idx = op.skip as usize;
                continue;
            }
            registers[idx % REGISTERS] = Bits::NONE;
            idx += 1;
            let yes = if op.more == NONE {
                here & op.ask.answer(sets)
            } else if SPREADS && op.more == AT_LANE {
                if sets[op.ask.set as usize].contains(op.ask.by as usize) {
                    here
                } else {
                    Bits::NONE
                }
            } else {
                self.unusual(op, here, sets, out)
            };
            let no = here & !yes;
            registers[op.yes as usize % REGISTERS] |= yes & op.yes_mask;
            registers[op.no as usize % REGISTERS] |= no & op.no_mask;
            if SPREADS && op.n_pushes != 0 {
                for push in op.others(&self.pushes) {
                    let part = if push.is_no { no } else { yes } & push.mask;
                    registers[push.child as usize % REGISTERS] |= part;
                }
            }
            let offering = yes & op.offer_mask;
            if !offering.is_empty() {
                out.take(&op.offer, offering);
            }
            if SPREADS {
                let offering = no & op.other_mask;
                if !offering.is_empty() {
                    out.take(&op.other, offering);
                }
            }
        }
    }

    /// The question and the offers of an operation that the loop does not know by heart;
    /// gives the starts whose answer is yes.
    #[inline(never)]
    fn unusual(
        &self,
        op: &ScriptOp<W>,
        here: Bits<W>,
        sets: &[Bits<W>; MAX_SETS],
        out: &mut Out<'_, W>,
    ) -> Bits<W> {
        let more = &self.more[op.more as usize];
        let mut ends = Bits::NONE;
        let yes = match &more.test {
            ScriptTest::Usual => here & op.ask.answer(sets),
            ScriptTest::Both(ask) => here & op.ask.answer(sets) & ask.answer(sets),
            ScriptTest::Among(mask) => here & *mask,
            ScriptTest::IsAt => {
                if sets[op.ask.set as usize].contains(op.ask.by as usize) {
                    here
                } else {
                    Bits::NONE
                }
            }
            ScriptTest::Ray(second, flip) => {
                ends = here & (sets[*second as usize].ahead(op.ask.by) ^ *flip);
                here & sets[op.ask.set as usize].ahead(op.ask.by)
            }
        };
        let offering = (yes | ends) & more.offer_mask;
        if !offering.is_empty() {
            out.take(&op.offer, offering);
        }
        for side in &self.sides[more.first_side as usize..more.end_side as usize] {
            let part = if side.is_no { here & !yes } else { yes | ends } & side.mask;
            if !part.is_empty() {
                for offer in &self.offers[side.first as usize..][..side.n as usize] {
                    out.take(offer, part);
                }
            }
        }
        yes
    }
}

impl<const W: usize> ScriptOp<W> {
    #[inline]
    fn others<'a>(&self, pushes: &'a [Push<W>]) -> &'a [Push<W>] {
        let first = self.first_push as usize;
        &pushes[first..first + self.n_pushes as usize]
    }
}

/// Where a block begins.
struct ScriptBlock<const W: usize> {
    heads: Vec<(u16, Bits<W>)>,
    leaves: Vec<Leaf<W>>,
}

/// A first operation as leaves, if nothing follows it and it offers little.
fn leaves<const W: usize>(
    lanes: &Lanes<W>,
    split: &Split<W>,
    starts: Bits<W>,
) -> Option<Vec<Leaf<W>>> {
    let draft = &lanes.drafts[split.draft as usize];
    let Split { second, is_turned, yes, no, .. } = split;
    let is_last = yes.children.is_empty() && no.children.is_empty();
    let offers =
        || yes.offers.iter().map(|it| (it, false)).chain(no.offers.iter().map(|it| (it, true)));
    let n_offers: u16 = offers().map(|it| it.0.1).sum();
    if draft.kind != LaneKind::Test || second.is_some() || !is_last || n_offers > 2 {
        return None;
    }
    let leaf = |(&(first, n, mask), is_no): (&(u16, u16, Bits<W>), bool)| {
        let ask = ScriptAsk::new(lanes, draft, *is_turned != is_no);
        let offers = &lanes.offers[first as usize..][..n as usize];
        offers.iter().map(move |&offer| Leaf { starts: starts & mask, ask, offer })
    };
    Some(offers().flat_map(leaf).collect())
}

impl<const W: usize> Out<'_, W> {
    #[inline]
    fn take(&mut self, offer: &LaneOffer, offering: Bits<W>) {
        let run = Run { template: offer.template, from: NONE, lanes: offering.ahead(offer.by) };
        let list = if offer.is_direct { &mut *self.runs } else { &mut *self.asks };
        list.push(run);
    }
}

fn source<const W: usize>(game: &FastGame<W>, owner: Player, start: Start<W>) -> ScriptSource<W> {
    let set = |kind: PieceKind| (FIRST_KIND + kind.idx()) as u8;
    match start {
        Start::Pieces(kind) => ScriptSource { set: set(kind), hand: NONE, lanes: game.layout.all },
        Start::Drop(kind, lanes) => {
            // A block that can drop other kinds runs whatever the hand holds.
            let others = game.rules.droppers().contains(&(kind, true));
            let slot = game.hand_slot(owner, kind) as u16;
            ScriptSource { set: 0, hand: if others { ANY_HAND } else { slot }, lanes }
        }
    }
}
