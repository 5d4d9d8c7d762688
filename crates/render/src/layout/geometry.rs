//! The rectangles of a board's sites, and which of them are near each other.

use std::collections::BTreeMap;

use boardwright_game::{Board, Site};
use rustc_hash::FxHashMap;

use super::lattice::Lattice;

/// The most sites of one bucket that are compared: some authors draw a thousand sites in
/// one place.
const CROWD: usize = 40;

/// A site that is drawn.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Spot {
    pub(super) site: Site,
    /// The middle, in the author's pixels.
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
    /// The grid it came from.
    pub(super) grid: Option<u16>,
}

impl Spot {
    fn distance(&self, other: &Spot) -> f64 {
        (self.x - other.x).hypot(self.y - other.y)
    }
}

/// The drawn sites of a board.
pub(super) struct Geometry {
    pub(super) spots: Vec<Spot>,
    /// The usual distance of a spot from its nearest neighbour.
    pub(super) pitch: f64,
    /// By spot: the spots that links lead to, in ascending order.
    pub(super) links: Vec<Vec<usize>>,
    /// Spots that lie together, the largest group first.
    pub(super) groups: Vec<Vec<usize>>,
}

impl Geometry {
    pub(super) fn of(board: &Board) -> Geometry {
        let spots = spots(board);
        let pitch = pitch(&spots);
        let links = links(board, &spots);
        let groups = groups(&spots, pitch);
        Geometry { spots, pitch, links, groups }
    }

    /// Whether a link leads from one spot to the other, in either direction.
    pub(super) fn is_linked(&self, a: usize, b: usize) -> bool {
        let leads = |from: usize, to| self.links.get(from).is_some_and(|it| it.contains(&to));
        leads(a, b) || leads(b, a)
    }

    /// The spots that are the board proper; what is left lies beside it.
    ///
    /// That is the largest group. Where grids and single sites touch, the grids are the
    /// board; where several grids do not fit into one lattice, the largest is.
    pub(super) fn body(&self) -> Vec<usize> {
        let Some(first) = self.groups.first() else { return Vec::new() };
        let second = self.groups.get(1).map_or(0, Vec::len);
        let is_main = first.len() * 5 >= self.spots.len() * 3 || first.len() >= second * 2;
        let body = if is_main { first.clone() } else { (0..self.spots.len()).collect() };
        let in_grids: Vec<usize> =
            body.iter().copied().filter(|&it| self.spots[it].grid.is_some()).collect();
        let n_single = body.len() - in_grids.len();
        let body = if n_single * 3 < in_grids.len() { in_grids } else { body };
        if Lattice::of(self, &body).is_some_and(|it| it.is_even) {
            return body;
        }
        let mut sizes: BTreeMap<u16, usize> = BTreeMap::new();
        for grid in body.iter().filter_map(|&it| self.spots[it].grid) {
            *sizes.entry(grid).or_default() += 1;
        }
        let largest = sizes.iter().max_by_key(|&(grid, size)| (size, u16::MAX - grid));
        let Some((&largest, _)) = largest.filter(|&(_, size)| size * 2 >= body.len()) else {
            return body;
        };
        let of_largest = |&it: &usize| self.spots[it].grid == Some(largest);
        let of_grid: Vec<usize> = body.iter().copied().filter(of_largest).collect();
        if Lattice::of(self, &of_grid).is_some() { of_grid } else { body }
    }

    /// Groups of spots that are not of `body`.
    pub(super) fn beside(&self, body: &[usize]) -> Vec<Vec<usize>> {
        let mut is_body = vec![false; self.spots.len()];
        body.iter().for_each(|&it| is_body[it] = true);
        let rest: Vec<usize> = (0..self.spots.len()).filter(|&it| !is_body[it]).collect();
        let spots: Vec<Spot> = rest.iter().map(|&it| self.spots[it]).collect();
        let groups = groups(&spots, self.pitch);
        groups.into_iter().map(|it| it.into_iter().map(|it| rest[it]).collect()).collect()
    }
}

fn spots(board: &Board) -> Vec<Spot> {
    let mut spots = Vec::new();
    for (idx, info) in board.sites.iter().enumerate() {
        let Some(rect) = info.rect.filter(|_| !info.is_dummy) else { continue };
        let (left, right) = (f64::from(rect.left), f64::from(rect.right));
        let (top, bottom) = (f64::from(rect.top), f64::from(rect.bottom));
        spots.push(Spot {
            site: Site(idx as u16),
            x: f64::midpoint(left, right),
            y: f64::midpoint(top, bottom),
            width: (right - left).abs().max(1.0),
            height: (bottom - top).abs().max(1.0),
            grid: info.cell.as_ref().map(|it| it.0),
        });
    }
    let least = least_area(&spots);
    spots.retain(|it| it.width * it.height >= least);
    spots
}

/// Sites smaller than this are not drawn: some authors use rows of them beside the board
/// as counters.
fn least_area(spots: &[Spot]) -> f64 {
    let mut areas: Vec<f64> = spots.iter().map(|it| it.width * it.height).collect();
    areas.sort_by(|a, b| b.total_cmp(a));
    // A large button or two do not make specks of squares.
    let usual = areas.get((areas.len() / 10).max(8)).copied().unwrap_or(0.0);
    usual / 16.0
}

fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}

/// Spots by the square of the plane they lie in.
struct Buckets {
    size: f64,
    spots: FxHashMap<(i64, i64), Vec<usize>>,
}

impl Buckets {
    fn new(spots: &[Spot], size: f64) -> Buckets {
        let mut buckets = Buckets { size: size.max(1.0), spots: FxHashMap::default() };
        for (idx, spot) in spots.iter().enumerate() {
            buckets.spots.entry(buckets.key(spot)).or_default().push(idx);
        }
        buckets
    }

    fn key(&self, spot: &Spot) -> (i64, i64) {
        ((spot.x / self.size).floor() as i64, (spot.y / self.size).floor() as i64)
    }

    /// The spots in the square of a spot and the eight around it.
    fn around(&self, spot: &Spot) -> impl Iterator<Item = usize> + '_ {
        let (x, y) = self.key(spot);
        (-1..=1).flat_map(move |dy| (-1..=1).map(move |dx| (x + dx, y + dy))).flat_map(|key| {
            let found = self.spots.get(&key).map_or(&[][..], Vec::as_slice);
            found.iter().take(CROWD).copied()
        })
    }
}

/// The usual distance to the nearest neighbour.
fn pitch(spots: &[Spot]) -> f64 {
    let sizes = spots.iter().map(|it| it.width.max(it.height)).collect();
    let mut size = median(sizes).unwrap_or(1.0);
    // Points of a board of lines may lie far apart.
    for _ in 0..12 {
        let buckets = Buckets::new(spots, size);
        let nearest: Vec<f64> = spots
            .iter()
            .filter_map(|spot| {
                let near = buckets.around(spot).map(|it| spot.distance(&spots[it]));
                near.filter(|&it| it > 0.5).min_by(f64::total_cmp)
            })
            .collect();
        if nearest.len() * 2 > spots.len() {
            return median(nearest).unwrap_or(size);
        }
        size *= 2.0;
    }
    median(spots.iter().map(|it| it.width.max(it.height)).collect()).unwrap_or(1.0)
}

fn links(board: &Board, spots: &[Spot]) -> Vec<Vec<usize>> {
    let mut spot_of = vec![None; board.n_sites()];
    for (idx, spot) in spots.iter().enumerate() {
        spot_of[spot.site.idx()] = Some(idx);
    }
    let n_directions = board.n_directions().max(1);
    let of_spot = |(idx, spot): (usize, &Spot)| {
        let start = spot.site.idx() * n_directions;
        let targets = board.links.get(start..start + n_directions).unwrap_or_default();
        let mut targets: Vec<usize> = targets
            .iter()
            .filter_map(|&it| spot_of.get(usize::from(it)).copied().flatten())
            .filter(|&it| it != idx)
            .collect();
        targets.sort_unstable();
        targets.dedup();
        targets
    };
    spots.iter().enumerate().map(of_spot).collect()
}

/// Spots that touch or nearly do, as groups; the largest first.
fn groups(spots: &[Spot], pitch: f64) -> Vec<Vec<usize>> {
    let widest = median(spots.iter().map(|it| it.width.max(it.height)).collect()).unwrap_or(1.0);
    let buckets = Buckets::new(spots, (1.6 * pitch).max(widest + 0.6 * pitch));
    let mut sets = DisjointSets((0..spots.len()).collect());
    for (idx, spot) in spots.iter().enumerate() {
        for other in buckets.around(spot).filter(|&it| it > idx) {
            let it = &spots[other];
            let gap = |d: f64, a: f64, b: f64| d.abs() - f64::midpoint(a, b);
            let touch = gap(spot.x - it.x, spot.width, it.width) <= 0.45 * pitch
                && gap(spot.y - it.y, spot.height, it.height) <= 0.45 * pitch;
            if touch || spot.distance(it) <= 1.6 * pitch {
                sets.join(idx, other);
            }
        }
    }
    let mut by_root: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
    for idx in 0..spots.len() {
        by_root.entry(sets.root(idx)).or_default().push(idx);
    }
    let mut groups: Vec<_> = by_root.into_values().collect();
    groups.sort_by_key(|it| (usize::MAX - it.len(), it[0]));
    groups
}

struct DisjointSets(Vec<usize>);

impl DisjointSets {
    fn root(&mut self, mut it: usize) -> usize {
        while self.0[it] != it {
            self.0[it] = self.0[self.0[it]];
            it = self.0[it];
        }
        it
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a.max(b)] = a.min(b);
    }
}
