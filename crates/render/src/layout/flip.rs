//! The board as the second player sees it.

use super::{Layout, Side, path};

impl Layout {
    /// The same board turned round. Boards of several turn each where it stands;
    /// labels stay on their sides and upright.
    pub fn flipped(&self) -> Layout {
        let mut layout = self.clone();
        let whole = (self.width, self.height);
        // Where the sum of a point and its image lies.
        let sums: Vec<(f64, f64)> = match self.levels.is_empty() {
            true => vec![whole],
            false => {
                let sum = |it: &super::Level| (2.0 * it.x + it.width, 2.0 * it.y + it.height);
                self.levels.iter().map(sum).collect()
            }
        };
        for cell in layout.cells.iter_mut().filter(|it| !it.hidden) {
            let (sx, sy) = sums.get(cell.level as usize).copied().unwrap_or(whole);
            (cell.x, cell.y) = (sx - cell.x, sy - cell.y);
            if let Some(d) = &mut cell.d {
                *d = path::turned(d, sx, sy);
            }
            cell.at = cell.at.map(|(x, y)| (-x, -y));
        }
        if self.levels.is_empty() {
            for it in layout.under.iter_mut().chain(&mut layout.over) {
                it.d = path::turned(&it.d, whole.0, whole.1);
            }
            if let Some(d) = &mut layout.frame {
                *d = path::turned(d, whole.0, whole.1);
            }
        }
        for coord in layout.coords.iter_mut().filter(|it| !it.big || self.levels.is_empty()) {
            let (sx, sy) = match self.levels.is_empty() {
                true => whole,
                // A label belongs to the level it is nearest to.
                false => {
                    let way = |it: &&super::Level| {
                        let (x, y) = (it.x + it.width / 2.0, it.y + it.height / 2.0);
                        (x - coord.x).hypot(y - coord.y)
                    };
                    let nearest = self.levels.iter().min_by(|a, b| way(a).total_cmp(&way(b)));
                    nearest.map_or(whole, |it| (2.0 * it.x + it.width, 2.0 * it.y + it.height))
                }
            };
            match coord.side {
                Side::Bottom | Side::Top => coord.x = sx - coord.x,
                Side::Left | Side::Right => coord.y = sy - coord.y,
                Side::Free => (coord.x, coord.y) = (sx - coord.x, sy - coord.y),
            }
        }
        layout
    }
}
