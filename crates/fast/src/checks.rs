//! What is asked after every turn, in the order it is asked.
//!
//! Most end conditions are one question about one or two sets: a piece in a
//! zone, a count, a row through the piece that just came. Those are written out
//! here for each turn; anything else goes to the goal as it is.

use boardwright_game::{PieceKind, Player};

use crate::{
    bits::Bits,
    game::{FastGame, FastState},
    lanes::FIRST_KIND,
};

/// One question, and whose condition it decides.
#[derive(Debug)]
pub(crate) struct Check<const W: usize> {
    pub condition: usize,
    pub player: Player,
    pub test: Test<W>,
}

/// Pieces of one owner, perhaps of one kind: what is in both sets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Pieces(u8, u8);

#[derive(Debug)]
pub(crate) enum Test<const W: usize> {
    /// One of these lanes holds one of the pieces.
    Reach(Pieces, Bits<W>),
    /// All of these lanes do.
    Fill(Pieces, Bits<W>),
    /// The number of these pieces on the board is this.
    Count(Pieces, u32),
    /// The number of these pieces on the board and in these hands is this.
    CountAll(Pieces, std::ops::Range<usize>, u32),
    /// One of these was removed.
    Taken(u64),
    /// The piece that came is in one of these rows; if more changed, the goal is asked.
    Rows(Pieces, Vec<Row<W>>),
    /// Ask the goal.
    Goal,
}

/// A number of pieces in a row at equal distances; `lanes` are those with a next one.
#[derive(Clone, Debug)]
pub(crate) struct Row<const W: usize> {
    delta: i32,
    len: u32,
    linked: Bits<W>,
    /// By lane: the others that can be in a row with it.
    near: Vec<Bits<W>>,
}

impl Pieces {
    pub fn new<const W: usize>(
        first_owner: usize,
        owner: Player,
        kind: Option<PieceKind>,
    ) -> Pieces {
        let owner = (first_owner + owner.idx()) as u8;
        Pieces(owner, kind.map_or(owner, |it| (FIRST_KIND + it.idx()) as u8))
    }

    #[inline]
    fn of<const W: usize>(self, it: &FastState<W>) -> Bits<W> {
        it.sets[self.0 as usize] & it.sets[self.1 as usize]
    }
}

impl<const W: usize> Test<W> {
    /// The answer, or `None` if the goal has to be asked.
    #[inline]
    pub fn holds(&self, it: &FastState<W>, player: Player) -> Option<bool> {
        Some(match self {
            Test::Reach(pieces, lanes) => !(pieces.of(it) & *lanes).is_empty(),
            Test::Fill(pieces, lanes) => (*lanes & !pieces.of(it)).is_empty(),
            Test::Count(pieces, n) => pieces.of(it).count() == *n,
            Test::CountAll(pieces, hands, n) => {
                let held: u32 = it.hands[hands.clone()].iter().map(|&it| u32::from(it)).sum();
                pieces.of(it).count() + held == *n
            }
            Test::Taken(mask) => it.taken & mask != 0,
            Test::Rows(pieces, rows) => {
                let (owner, lane) = it.gain?;
                owner == player && {
                    let mine = pieces.of(it);
                    mine.contains(lane as usize)
                        && rows.iter().any(|row| row.is_through(&mine, lane as usize))
                }
            }
            Test::Goal => return None,
        })
    }
}

impl<const W: usize> Row<W> {
    pub fn new(delta: i32, len: u32, linked: Bits<W>) -> Row<W> {
        let mut near = vec![Bits::NONE; 64 * W];
        for lane in 0..64 * W {
            let mut at = lane;
            for _ in 1..len {
                if !linked.contains(at) {
                    break;
                }
                at = (at as i32 + delta) as usize;
                near[lane].insert(at);
                near[at].insert(lane);
            }
        }
        Row { delta, len, linked, near }
    }

    /// Whether a lane of `mine` is in a row that is long enough.
    #[inline]
    pub fn is_through(&self, mine: &Bits<W>, lane: usize) -> bool {
        // As a rule there are too few about, which is soon counted.
        (*mine & self.near[lane]).count() + 1 >= self.len && self.is_long(mine, lane)
    }

    #[inline(never)]
    fn is_long(&self, mine: &Bits<W>, lane: usize) -> bool {
        if W == 1 {
            // All rows of the board at once: no branch to guess wrong.
            let by = self.delta.rem_euclid(64) as u16;
            let mut left = *mine;
            for _ in 1..self.len {
                left = *mine & self.linked & left.ahead(by);
            }
            return !left.is_empty();
        }
        let mut len = 1;
        let mut at = lane;
        while self.linked.contains(at) {
            at = (at as i32 + self.delta) as usize;
            if !mine.contains(at) {
                break;
            }
            len += 1;
        }
        let mut at = lane as i32 - self.delta;
        while (0..64 * W as i32).contains(&at)
            && mine.contains(at as usize)
            && self.linked.contains(at as usize)
        {
            len += 1;
            at -= self.delta;
        }
        len >= self.len
    }
}

impl<const W: usize> FastGame<W> {
    /// The condition that holds after a turn, if one does.
    #[inline]
    pub fn first_check(
        &self,
        it: &FastState<W>,
        just_moved: usize,
        mut ask: impl FnMut(&Check<W>) -> bool,
    ) -> Option<&Check<W>> {
        self.goals.checks[just_moved].iter().find(|check| {
            match check.test.holds(it, check.player) {
                Some(answer) => answer,
                None => ask(check),
            }
        })
    }
}
