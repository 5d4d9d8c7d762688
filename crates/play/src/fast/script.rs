//! The blocks of a turn as one piece of straight code.
//!
//! Each operation owns a register: the starts that come to it. It takes its
//! register, leaves it empty for the next time, splits it, and adds the parts to
//! the registers of the operations that follow. Parents come first, so one pass
//! runs every block for every piece. Where nothing comes to an operation, all
//! that only it leads to is skipped.

use boardwright_game::{PieceKind, Player};

use super::{
    bits::Bits,
    game::{Game, Situation, Start},
    lanes::{Draft, Edge, FIRST_KIND, FRIEND, Kind, Lanes, MAX_OPS, NONE, Offer, REGISTERS, Run},
};

/// Where starts come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Source<const W: usize> {
    /// The owner's pieces in this set, or a hand.
    set: u8,
    /// The slot that must not be empty, or `NONE`.
    hand: u16,
    lanes: Bits<W>,
}

/// A source and the operations that begin there: a range of `heads`.
#[derive(Clone, Copy, Debug)]
struct Feed<const W: usize> {
    source: Source<W>,
    first: u16,
    end: u16,
}

/// All that the usual operation needs is in it, so that no list has to be looked up. A
/// child that is not there is a register nobody reads.
#[derive(Clone, Copy, Debug)]
struct Op<const W: usize> {
    /// The starts whose place is on the board.
    mask: Bits<W>,
    yes_mask: Bits<W>,
    no_mask: Bits<W>,
    /// The starts that offer, of those on the side of the yes.
    offer_mask: Bits<W>,
    offer: Offer,
    kind: Test,
    set: u8,
    second: u8,
    arg: u16,
    yes: u16,
    no: u16,
    /// Where to go on when no start comes here.
    skip: u16,
    /// What it offers beside, or `NONE`.
    more: u16,
}

/// The question of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Test {
    Is,
    IsNot,
    IsAt,
    /// A fixed set of starts.
    Among,
    /// The step of a ray that ends in the second set, or outside it.
    RayTo,
    RayUpTo,
}

/// Further offers of an operation, for the starts on its two sides.
#[derive(Clone, Copy, Debug)]
struct More<const W: usize> {
    yes: Side<W>,
    no: Side<W>,
}

#[derive(Clone, Copy, Debug)]
struct Side<const W: usize> {
    first: u32,
    n: u32,
    mask: Bits<W>,
}

/// A drop that some other piece in the hand may make.
const ANY_HAND: u16 = NONE - 1;

const NO_OFFER: Offer = Offer { template: u32::MAX, by: 0, is_direct: false };

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
    ops: Vec<Op<W>>,
    more: Vec<More<W>>,
    offers: Vec<Offer>,
}

impl<const W: usize> Script<W> {
    /// Puts blocks together, in as many scripts as it takes.
    pub fn of<'a>(
        game: &Game<W>,
        owner: Player,
        blocks: impl IntoIterator<Item = (Start<W>, &'a Lanes<W>)>,
    ) -> Vec<Script<W>> {
        let mut scripts = vec![Script::default()];
        let mut sources: Vec<(Source<W>, usize, (u16, Bits<W>))> = Vec::new();
        for (start, lanes) in blocks.into_iter().filter(|it| !it.1.drafts.is_empty()) {
            let last = scripts.last().map_or(0, |it| it.ops.len());
            if last + lanes.drafts.len() > MAX_OPS {
                scripts.push(Script::default());
            }
            let idx = scripts.len() - 1;
            let head = scripts[idx].ops.len() as u16;
            scripts[idx].append(lanes);
            sources.push((source(game, owner, start), idx, (head, lanes.head_mask)));
        }
        for (idx, script) in scripts.iter_mut().enumerate() {
            let mut left: Vec<_> = sources.iter().filter(|it| it.1 == idx).copied().collect();
            while let Some(&(source, ..)) = left.first() {
                let first = script.heads.len() as u16;
                script.heads.extend(left.iter().filter(|it| it.0 == source).map(|it| it.2));
                script.feeds.push(Feed { source, first, end: script.heads.len() as u16 });
                left.retain(|it| it.0 != source);
            }
        }
        scripts.retain(|it| !it.ops.is_empty());
        scripts
    }

    /// Adds the code of a block.
    fn append(&mut self, lanes: &Lanes<W>) {
        let base = self.ops.len();
        let first_offer = self.offers.len() as u32;
        self.offers.extend(&lanes.offers);
        let skips = skips(&lanes.drafts);
        for (draft, skip) in lanes.drafts.iter().zip(skips) {
            let mask = |it: u16| lanes.masks[it as usize];
            let side = |edge: &Edge| match edge.offers {
                NONE => Side { first: 0, n: 0, mask: Bits::NONE },
                first => Side {
                    first: first_offer + u32::from(first),
                    n: edge.n_offers.into(),
                    mask: mask(edge.offer_mask),
                },
            };
            let Draft { yes, no, .. } = draft;
            // The side that offers is the side of the yes, if only one does.
            let turns = yes.offers == NONE && no.offers != NONE;
            let (kind, mask_of_test, turned) = match draft.kind {
                Kind::Test if turns => (Test::IsNot, mask(draft.mask), true),
                Kind::Test => (Test::Is, mask(draft.mask), false),
                Kind::TestAt => (Test::IsAt, mask(0), false),
                Kind::Filter if turns => (Test::Among, !mask(draft.arg), true),
                Kind::Filter => (Test::Among, mask(draft.arg), false),
                Kind::RayStep if draft.wants_second => (Test::RayTo, mask(0), false),
                Kind::RayStep => (Test::RayUpTo, mask(0), false),
            };
            let (yes, no) = if turned { (no, yes) } else { (yes, no) };
            let (offering, other) = (side(yes), side(no));
            let is_usual = offering.n == 1 && other.n == 0;
            let (offer, offer_mask) = if is_usual {
                (self.offers[offering.first as usize], offering.mask)
            } else {
                (NO_OFFER, Bits::NONE)
            };
            let mut more = NONE;
            if !is_usual && offering.n + other.n > 0 {
                more = self.more.len() as u16;
                self.more.push(More { yes: offering, no: other });
            }
            let child = |edge: &Edge| match edge.child {
                NONE => MAX_OPS as u16,
                child => base as u16 + child,
            };
            self.ops.push(Op {
                mask: mask_of_test,
                yes_mask: mask(yes.child_mask),
                no_mask: mask(no.child_mask),
                offer_mask,
                offer,
                kind,
                set: draft.set,
                second: draft.second,
                arg: draft.arg,
                yes: child(yes),
                no: child(no),
                skip: (base + skip) as u16,
                more,
            });
        }
    }

    /// Offers every move of the blocks from the starts `within`. `registers` are empty
    /// before and after.
    pub fn run(
        &self,
        it: &Situation<W>,
        within: Bits<W>,
        registers: &mut [Bits<W>; REGISTERS],
        out: &mut Out<'_, W>,
    ) {
        let sets = &it.sets;
        for feed in &self.feeds {
            let Source { set, hand, lanes } = feed.source;
            let mut starts = within & lanes;
            if hand == NONE {
                starts &= sets[FRIEND] & sets[set as usize];
            } else if hand != ANY_HAND && it.hands[hand as usize] == 0 {
                continue;
            }
            if starts.is_empty() {
                continue;
            }
            for (head, mask) in &self.heads[feed.first as usize..feed.end as usize] {
                registers[*head as usize % REGISTERS] = starts & *mask;
            }
        }
        let mut idx = 0;
        while let Some(op) = self.ops.get(idx) {
            let here = registers[idx % REGISTERS];
            if here.is_empty() {
                idx = op.skip as usize;
                continue;
            }
            registers[idx % REGISTERS] = Bits::NONE;
            idx += 1;
            let at = |set: u8| sets[set as usize].ahead(op.arg);
            let mut ends = Bits::NONE;
            let yes = match op.kind {
                Test::Is => here & at(op.set) & op.mask,
                Test::IsNot => here & !(at(op.set) & op.mask),
                Test::Among => here & op.mask,
                Test::IsAt => {
                    if sets[op.set as usize].contains(op.arg as usize) {
                        here
                    } else {
                        Bits::NONE
                    }
                }
                Test::RayTo => {
                    ends = here & at(op.second);
                    here & at(op.set)
                }
                Test::RayUpTo => {
                    ends = here & !at(op.second);
                    here & at(op.set)
                }
            };
            let no = here & !yes;
            registers[op.yes as usize % REGISTERS] |= yes & op.yes_mask;
            registers[op.no as usize % REGISTERS] |= no & op.no_mask;
            let offering = (yes | ends) & op.offer_mask;
            if !offering.is_empty() {
                out.take(&op.offer, offering);
            }
            if op.more != NONE {
                let More { yes: first, no: second } = &self.more[op.more as usize];
                self.offer(first, yes | ends, out);
                self.offer(second, no, out);
            }
        }
    }

    fn offer(&self, side: &Side<W>, starts: Bits<W>, out: &mut Out<'_, W>) {
        let offering = starts & side.mask;
        if !offering.is_empty() {
            for offer in &self.offers[side.first as usize..][..side.n as usize] {
                out.take(offer, offering);
            }
        }
    }
}

impl<const W: usize> Out<'_, W> {
    #[inline]
    fn take(&mut self, offer: &Offer, offering: Bits<W>) {
        let run = Run { template: offer.template, from: NONE, lanes: offering.ahead(offer.by) };
        let list = if offer.is_direct { &mut *self.runs } else { &mut *self.asks };
        list.push(run);
    }
}

/// By operation: the first after it that something else leads to as well.
fn skips(drafts: &[Draft]) -> Vec<usize> {
    let mut first_parent = vec![usize::MAX; drafts.len()];
    for (idx, draft) in drafts.iter().enumerate() {
        for edge in [draft.yes, draft.no].into_iter().filter(|it| it.child != NONE) {
            let first = &mut first_parent[edge.child as usize];
            *first = idx.min(*first);
        }
    }
    let skip = |idx: usize| {
        let mut skip = idx + 1;
        while skip < drafts.len() && first_parent[skip] != usize::MAX && first_parent[skip] >= idx {
            skip += 1;
        }
        skip
    };
    (0..drafts.len()).map(skip).collect()
}

fn source<const W: usize>(game: &Game<W>, owner: Player, start: Start<W>) -> Source<W> {
    let set = |kind: PieceKind| (FIRST_KIND + kind.idx()) as u8;
    match start {
        Start::Pieces(kind) => Source { set: set(kind), hand: NONE, lanes: game.layout.all },
        Start::Drop(kind, lanes) => {
            // A block that can drop other kinds runs whatever the hand holds.
            let others = game.rules.droppers.contains(&(kind, true));
            let slot = game.hand_slot(owner, kind) as u16;
            Source { set: 0, hand: if others { ANY_HAND } else { slot }, lanes }
        }
    }
}
