//! How sites become lanes and pieces become bits.
//!
//! A lane is a bit of a word. Sites of a grid get lanes such that a direction
//! is the same distance everywhere; where it is not, a direction is a few
//! distances, each with the lanes that it holds for.

use boardwright_game::{Board, Direction, Player, Site};
use boardwright_play::{Rules, semantics::NOWHERE};
use rustc_hash::FxHashMap;

use crate::bits::Bits;

/// A step of `delta` lanes, valid for `lanes`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stride<const W: usize> {
    pub delta: i32,
    pub lanes: Bits<W>,
}

/// The lanes of a board.
#[derive(Clone, Debug)]
pub(crate) struct LaneMap<const W: usize> {
    /// By site.
    pub lane_of: Vec<u16>,
    /// By lane; `u16::MAX` where there is no site.
    pub site_of: Vec<u16>,
    /// All lanes that are sites.
    pub all: Bits<W>,
    /// `[direction]`, without symmetry, and the same against it.
    ahead: Vec<Vec<Stride<W>>>,
    back: Vec<Vec<Stride<W>>>,
}

/// The lanes a board needs: by grids, or by where sites are drawn.
pub(crate) fn lanes(board: &Board) -> (Vec<u16>, usize) {
    let by_grid = lanes_by_grid(board);
    if !board.grids.is_empty() {
        return by_grid;
    }
    match lanes_by_place(board) {
        Some(by_place) if n_strides(board, &by_place.0) < n_strides(board, &by_grid.0) => by_place,
        _ => by_grid,
    }
}

/// How many different distances all directions together are.
fn n_strides(board: &Board, lane_of: &[u16]) -> usize {
    let n = board.n_directions();
    let mut seen = rustc_hash::FxHashSet::default();
    for (idx, &target) in board.links.iter().enumerate().filter(|(_, it)| **it != NOWHERE) {
        let from = i32::from(lane_of[idx / n]);
        seen.insert((idx % n, i32::from(lane_of[target as usize]) - from));
    }
    seen.len()
}

/// Rows and columns of a board that was given site by site, if its picture has them.
fn lanes_by_place(board: &Board) -> Option<(Vec<u16>, usize)> {
    let middles: Option<Vec<(i32, i32)>> = board
        .sites
        .iter()
        .map(|it| it.rect.map(|it| (it.left.midpoint(it.right), it.top.midpoint(it.bottom))))
        .collect();
    let middles = middles?;
    let sorted = |of: fn(&(i32, i32)) -> i32| {
        let mut all: Vec<i32> = middles.iter().map(of).collect();
        all.sort_unstable();
        all.dedup();
        all
    };
    let (columns, rows) = (sorted(|it| it.0), sorted(|it| it.1));
    let n_lanes = columns.len() * rows.len();
    if n_lanes > 256 || n_lanes > 64 && n_lanes > 4 * board.n_sites() {
        return None;
    }
    let mut lane_of: Vec<u16> = Vec::with_capacity(middles.len());
    for (x, y) in &middles {
        let (column, row) = (columns.binary_search(x).ok()?, rows.binary_search(y).ok()?);
        let lane = (row * columns.len() + column) as u16;
        if lane_of.contains(&lane) {
            return None;
        }
        lane_of.push(lane);
    }
    Some((lane_of, n_lanes))
}

/// Grid cells first, whole grids with their holes.
fn lanes_by_grid(board: &Board) -> (Vec<u16>, usize) {
    let mut first_cell = Vec::new();
    let mut next = 0usize;
    for grid in &board.grids {
        first_cell.push(next);
        next += grid.labels.iter().map(Vec::len).product::<usize>();
    }
    let dense = next > 512 || board.grids.len() > 4;
    let mut lane_of = Vec::with_capacity(board.n_sites());
    let mut used = rustc_hash::FxHashSet::default();
    for (idx, site) in board.sites.iter().enumerate() {
        let cell = site.cell.as_ref().and_then(|(grid, at)| {
            let labels = &board.grids.get(*grid as usize)?.labels;
            let within = at
                .iter()
                .zip(labels)
                .fold(0, |acc, (&it, labels)| acc * labels.len() + it as usize);
            Some(first_cell[*grid as usize] + within)
        });
        let lane = match cell {
            _ if dense => idx,
            Some(lane) if used.insert(lane) => lane,
            _ => {
                used.insert(next);
                next += 1;
                next - 1
            }
        };
        lane_of.push(lane as u16);
    }
    (lane_of, if dense { board.n_sites() } else { next })
}

impl<const W: usize> LaneMap<W> {
    pub fn new(rules: &Rules, lane_of: Vec<u16>) -> LaneMap<W> {
        let board = &rules.ruleset.board;
        let mut site_of = vec![NOWHERE; 64 * W];
        let mut all = Bits::NONE;
        for (site, &lane) in lane_of.iter().enumerate() {
            site_of[lane as usize] = site as u16;
            all.insert(lane as usize);
        }
        let n = board.n_directions();
        let strides = |table: &[u16]| -> Vec<Vec<Stride<W>>> {
            (0..n)
                .map(|direction| {
                    let mut by_delta: FxHashMap<i32, Bits<W>> = FxHashMap::default();
                    for site in 0..board.n_sites() {
                        let target = table[site * n + direction];
                        if target != NOWHERE {
                            let from = lane_of[site] as usize;
                            let delta = i32::from(lane_of[target as usize]) - from as i32;
                            by_delta.entry(delta).or_insert(Bits::NONE).insert(from);
                        }
                    }
                    let mut list: Vec<_> = by_delta
                        .into_iter()
                        .map(|(delta, lanes)| Stride { delta, lanes })
                        .collect();
                    list.sort_by_key(|it| it.delta);
                    list
                })
                .collect()
        };
        let (ahead, back) = (strides(&board.links), strides(rules.links_back()));
        LaneMap { site_of, all, ahead, back, lane_of }
    }

    /// The strides of a direction as `player` sees it.
    pub fn strides(
        &self,
        rules: &Rules,
        player: Player,
        direction: Direction,
        back: bool,
    ) -> &[Stride<W>] {
        let seen = rules.ruleset.board.seen_by(player, direction).idx();
        if back { &self.back[seen] } else { &self.ahead[seen] }
    }

    /// Every link of the board.
    pub fn all_strides(&self) -> impl Iterator<Item = &Stride<W>> {
        self.ahead.iter().flatten()
    }

    pub fn lane(&self, site: Site) -> usize {
        self.lane_of[site.idx()] as usize
    }

    pub fn site(&self, lane: usize) -> Site {
        Site(self.site_of[lane])
    }

    /// The lanes `s` for which the lane `s + delta` is in `set`.
    pub fn starts_of(&self, set: Bits<W>, delta: i32) -> Bits<W> {
        let mut out = Bits::NONE;
        for lane in set.iter() {
            let start = lane as i32 - delta;
            if (0..64 * W as i32).contains(&start) && self.all.contains(start as usize) {
                out.insert(start as usize);
            }
        }
        out
    }
}

/// What a lane holds, as a small number: 0 is empty.
#[derive(Clone, Debug)]
pub(crate) struct Codes {
    n_kinds: u32,
    /// Attributes that the rules use, as the bits of a code.
    n_attributes: u32,
    pub n_codes: usize,
    /// By owner and kind in one number: the two again, since dividing is slow.
    whose: Vec<(u8, u16)>,
}

impl Codes {
    pub fn new(n_players: usize, n_kinds: usize, n_attributes: usize) -> Option<Codes> {
        let n_codes = (n_players * n_kinds).checked_shl(n_attributes as u32)? + 1;
        (n_attributes <= 8 && n_codes <= 4096).then_some(Codes {
            n_kinds: n_kinds as u32,
            n_attributes: n_attributes as u32,
            n_codes,
            whose: (0..n_players as u8)
                .flat_map(|owner| (0..n_kinds as u16).map(move |kind| (owner, kind)))
                .collect(),
        })
    }

    #[inline]
    pub fn code(&self, owner: u32, kind: u32, attributes: u32) -> u16 {
        (((owner * self.n_kinds + kind) << self.n_attributes | attributes) + 1) as u16
    }

    /// Owner, kind and attributes of a code that is not empty.
    #[inline]
    pub fn parts(&self, code: u16) -> (u32, u32, u32) {
        let raw = u32::from(code) - 1;
        let attributes = raw & ((1 << self.n_attributes) - 1);
        let (owner, kind) = self.whose[(raw >> self.n_attributes) as usize];
        (owner.into(), kind.into(), attributes)
    }

    /// Owner and kind of a code that is not empty, as one number.
    #[inline]
    pub fn slot(&self, code: u16) -> usize {
        ((u32::from(code) - 1) >> self.n_attributes) as usize
    }
}
