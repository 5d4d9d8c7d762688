//! Sites in rows and columns.

use rustc_hash::FxHashMap;

use super::geometry::Geometry;

/// The most rows or columns; what is larger is not a board of rows and columns.
const LONGEST: i32 = 4096;

/// Spots as points of a lattice.
#[derive(Clone, Debug)]
pub(super) struct Lattice {
    /// Spots, and by spot its column and row; columns from the left, rows from the top.
    pub(super) members: Vec<(usize, (i32, i32))>,
    pub(super) n_columns: i32,
    pub(super) n_rows: i32,
    /// Pixels from column to column and from row to row.
    pub(super) step: (f64, f64),
    /// The pixels of column 0 and row 0.
    pub(super) origin: (f64, f64),
    /// Whether neighbours are one step apart, as on nearly all boards.
    pub(super) is_even: bool,
    index: FxHashMap<(i32, i32), usize>,
}

impl Lattice {
    /// The lattice that spots lie on, if they do.
    pub(super) fn of(geometry: &Geometry, spots: &[usize]) -> Option<Lattice> {
        let slack = geometry.pitch * 0.22;
        let xs: Vec<f64> = spots.iter().map(|&it| geometry.spots[it].x).collect();
        let ys: Vec<f64> = spots.iter().map(|&it| geometry.spots[it].y).collect();
        let (columns, x_step, x, x_even) = axis(&xs, slack)?;
        let (rows, y_step, y, y_even) = axis(&ys, slack)?;
        let steps = (x_step.or(y_step), y_step.or(x_step));
        let (x_step, y_step) = (steps.0.unwrap_or(100.0), steps.1.unwrap_or(100.0));
        let at = columns.into_iter().zip(rows);
        let members: Vec<_> = spots.iter().copied().zip(at).collect();
        let n_columns = members.iter().map(|it| it.1.0).max()? + 1;
        let n_rows = members.iter().map(|it| it.1.1).max()? + 1;
        let n_places = i64::from(n_columns) * i64::from(n_rows);
        let is_even = x_even && y_even;
        let most = if is_even { 12 } else { 2 };
        if n_places > most * members.len() as i64 {
            return None;
        }
        let index: FxHashMap<_, _> = members.iter().map(|&(spot, at)| (at, spot)).collect();
        let is_single = index.len() == members.len();
        let lattice = Lattice {
            members,
            n_columns,
            n_rows,
            step: (x_step, y_step),
            origin: (x, y),
            is_even,
            index,
        };
        is_single.then_some(lattice)
    }

    /// The spot at a column and row.
    pub(super) fn at(&self, at: (i32, i32)) -> Option<usize> {
        self.index.get(&at).copied()
    }

    /// Whether every place of the rectangle has a spot.
    pub(super) fn is_full(&self) -> bool {
        self.members.len() as i64 == i64::from(self.n_columns) * i64::from(self.n_rows)
    }

    /// Whether only places of one colour of a chequered board have spots.
    pub(super) fn is_staggered(&self) -> bool {
        let parity = |&(_, (x, y)): &(usize, (i32, i32))| (x + y) & 1;
        let first = self.members.first().map(parity);
        self.n_columns > 2
            && self.n_rows > 1
            && self.members.iter().all(|it| Some(parity(it)) == first)
    }

    /// The share of spots with a neighbour `by` columns and rows off that a link joins.
    pub(super) fn linked(&self, geometry: &Geometry, by: (i32, i32)) -> f64 {
        let (mut n, mut n_linked) = (0, 0);
        for &(spot, (x, y)) in &self.members {
            if let Some(other) = self.at((x + by.0, y + by.1)) {
                n += 1;
                n_linked += u32::from(geometry.is_linked(spot, other));
            }
        }
        if n == 0 { 0.0 } else { f64::from(n_linked) / f64::from(n) }
    }
}

/// Values as whole steps from the smallest: numbers, step, the smallest, and whether a
/// step is the least distance.
fn axis(values: &[f64], slack: f64) -> Option<(Vec<i32>, Option<f64>, f64, bool)> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let first = values[*order.first()?];
    // Values that belong together, as their first and their mean.
    let mut clusters: Vec<(f64, f64, u32)> = Vec::new();
    let mut cluster_of = vec![0; values.len()];
    for &idx in &order {
        let value = values[idx];
        match clusters.last_mut().filter(|it| value - it.0 <= slack) {
            Some((_, sum, n)) => {
                *sum += value;
                *n += 1;
            }
            None => clusters.push((value, value, 1)),
        }
        cluster_of[idx] = clusters.len() - 1;
    }
    let means: Vec<f64> = clusters.iter().map(|&(_, sum, n)| sum / f64::from(n)).collect();
    let gaps: Vec<f64> = means.windows(2).map(|it| it[1] - it[0]).collect();
    let Some(smallest) = gaps.iter().copied().min_by(f64::total_cmp) else {
        return Some((vec![0; values.len()], None, first, true));
    };
    let steps = |base: f64| -> Option<Vec<i32>> {
        let mut at = vec![0];
        for gap in &gaps {
            let n = (gap / base).round();
            if (gap / base - n).abs() > 0.22 || n < 1.0 {
                return None;
            }
            at.push(at.last()? + n as i32);
            if at.last()? > &LONGEST {
                return None;
            }
        }
        Some(at)
    };
    // Where gaps differ, as at a river, rows and columns are merely counted.
    let even = steps(smallest);
    let is_even = even.is_some();
    let n_clusters = i32::try_from(means.len()).ok().filter(|&it| it <= LONGEST)?;
    let at = even.unwrap_or_else(|| (0..n_clusters).collect());
    let n_steps = f64::from(*at.last()?);
    let step = (means.last()? - means.first()?) / n_steps;
    let numbers = cluster_of.into_iter().map(|it| at[it]).collect();
    Some((numbers, Some(step), *means.first()?, is_even))
}
