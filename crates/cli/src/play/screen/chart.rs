//! The layout of a board on a terminal, and the movement of the cursor on it.
//!
//! Sites are placed where the author drew them, scaled so that neighbours do not overlap.
//! The cursor follows the links of the board: an arrow key takes the link with the nearest
//! angle, which works on hexagons, rings and boards of several levels.

use boardwright_game::{Ruleset, Site};

use crate::board;

/// Columns or rows of characters beyond which the drawn layout is not used.
const LARGEST: i64 = 2_000;

/// The sizes of a site in characters, largest first.
const SIZES: [(u16, u16); 4] = [(7, 3), (5, 2), (4, 1), (3, 1)];

/// The direction of an arrow key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Arrow {
    Up,
    Down,
    Left,
    Right,
}

/// The layout of a board in columns and rows of characters.
pub(super) struct Chart {
    /// By site: the centre in the author's drawing; `None` for hidden sites.
    middles: Vec<Option<(i64, i64)>>,
    /// The distance of neighbours in the author's drawing.
    pitch: (i64, i64),
    /// The upper left corner of the drawing.
    least: (i64, i64),
    /// The lower right corner of the drawing.
    most: (i64, i64),
    /// By site: whether it has the darker of two colours.
    pub tones: Vec<bool>,
    is_flipped: bool,
}

impl Chart {
    pub(super) fn new(ruleset: &Ruleset) -> Chart {
        let board = &ruleset.board;
        let middle = |site: Site| {
            let rect = board.sites.get(site.idx())?.rect?;
            let half = |a: i32, b: i32| (i64::from(a) + i64::from(b)) / 2;
            let is_seen = board::is_visible(ruleset, site);
            is_seen.then(|| (half(rect.left, rect.right), half(rect.top, rect.bottom)))
        };
        let mut middles: Vec<_> = board.all_sites().map(middle).collect();
        let mut pitch = pitch_of(&middles);
        let span = |middles: &[Option<(i64, i64)>]| {
            let seen = || middles.iter().flatten();
            let least = (seen().map(|it| it.0).min(), seen().map(|it| it.1).min());
            let most = (seen().map(|it| it.0).max(), seen().map(|it| it.1).max());
            let or_zero = |it: (Option<i64>, Option<i64>)| (it.0.unwrap_or(0), it.1.unwrap_or(0));
            (or_zero(least), or_zero(most))
        };
        let (mut least, mut most) = span(&middles);
        let wide = |a: i64, b: i64, pitch: i64| (b - a) / pitch.max(1) * 3 > LARGEST;
        if wide(least.0, most.0, pitch.0) || wide(least.1, most.1, pitch.1) {
            // The drawing is too large: rows of sixteen, in the order of the rules.
            for (n, middle) in (0..).zip(middles.iter_mut().flatten()) {
                *middle = (n % 16, n / 16);
            }
            pitch = (1, 1);
            (least, most) = span(&middles);
        }
        let tones = board.sites.iter().map(|it| {
            let sum = it.cell.as_ref().map(|(_, at)| at.iter().map(|&it| u32::from(it)).sum());
            sum.is_some_and(|it: u32| it % 2 == 1)
        });
        Chart { tones: tones.collect(), middles, pitch, least, most, is_flipped: false }
    }

    /// Rotates the board by 180 degrees.
    pub(super) fn flip(&mut self) {
        self.is_flipped = !self.is_flipped;
    }

    fn seen(&self, site: Site) -> Option<(i64, i64)> {
        let (x, y) = self.middles.get(site.idx()).copied().flatten()?;
        Some(match self.is_flipped {
            true => (self.least.0 + self.most.0 - x, self.least.1 + self.most.1 - y),
            false => (x, y),
        })
    }

    /// The largest site size with which the board fits, or the smallest that shows labels.
    pub(super) fn size(&self, room: (u16, u16), label: u16) -> (u16, u16) {
        let fits = |&size: &(u16, u16)| {
            let (width, height) = self.extent(size);
            size.0 >= label + 2 && width <= room.0 && height <= room.1
        };
        SIZES.into_iter().find(fits).unwrap_or((label.max(1) + 2, 1))
    }

    /// The size of the board in characters.
    pub(super) fn extent(&self, size: (u16, u16)) -> (u16, u16) {
        let one = |least: i64, most: i64, pitch: i64, size: u16| {
            let steps = (most - least) * i64::from(size) / pitch.max(1) + i64::from(size);
            steps.clamp(1, 30_000) as u16
        };
        (
            one(self.least.0, self.most.0, self.pitch.0, size.0),
            one(self.least.1, self.most.1, self.pitch.1, size.1),
        )
    }

    /// The upper left character cell of a site.
    pub(super) fn at(&self, site: Site, size: (u16, u16)) -> Option<(u16, u16)> {
        let (x, y) = self.seen(site)?;
        let one = |at: i64, least: i64, pitch: i64, size: u16| {
            let exact = (at - least) as f64 * f64::from(size) / pitch.max(1) as f64;
            exact.round().clamp(0.0, 30_000.0) as u16
        };
        Some((
            one(x, self.least.0, self.pitch.0, size.0),
            one(y, self.least.1, self.pitch.1, size.1),
        ))
    }

    /// The sites that are shown, row by row from the upper left.
    pub(super) fn sites(&self) -> Vec<Site> {
        let mut all: Vec<_> = (0..self.middles.len() as u16)
            .map(Site)
            .filter_map(|it| self.seen(it).map(|(x, y)| (y, x, it)))
            .collect();
        all.sort_unstable();
        all.into_iter().map(|it| it.2).collect()
    }

    /// The one of `sites` that is nearest to the centre of the board.
    pub(super) fn central(&self, sites: &[Site]) -> Option<Site> {
        let middle = ((self.least.0 + self.most.0) / 2, (self.least.1 + self.most.1) / 2);
        let far = |site: &Site| {
            let (x, y) = self.seen(*site).unwrap_or(self.most);
            (x - middle.0).pow(2) + (y - middle.1).pow(2)
        };
        sites.iter().copied().min_by_key(far)
    }

    /// The site to which an arrow key moves the cursor: along the link with the nearest angle
    /// within 60 degrees, or else to the nearest site in that direction.
    pub(super) fn travel(&self, ruleset: &Ruleset, from: Site, arrow: Arrow) -> Option<Site> {
        let here = self.seen(from)?;
        let board = &ruleset.board;
        let linked = (0..board.n_directions() as u16)
            .filter_map(|it| board.step(from, boardwright_game::Direction(it)));
        let best = linked
            .filter_map(|site| {
                let (turn, distance) = self.bearing(here, self.seen(site)?, arrow)?;
                (turn <= 60.0).then_some((turn, distance, site))
            })
            .min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        if let Some((_, _, site)) = best {
            return Some(site);
        }
        let anywhere = self.sites().into_iter().filter(|&it| it != from).filter_map(|site| {
            let (turn, distance) = self.bearing(here, self.seen(site)?, arrow)?;
            (turn <= 60.0).then_some((distance * (1.0 + turn / 30.0), site))
        });
        anywhere.min_by(|a, b| a.0.total_cmp(&b.0)).map(|it| it.1)
    }

    /// The angle between the arrow and the way to a point, in degrees, and its distance.
    fn bearing(&self, here: (i64, i64), there: (i64, i64), arrow: Arrow) -> Option<(f64, f64)> {
        let x = (there.0 - here.0) as f64 / self.pitch.0.max(1) as f64;
        let y = (there.1 - here.1) as f64 / self.pitch.1.max(1) as f64;
        if x == 0.0 && y == 0.0 {
            return None;
        }
        let wanted = match arrow {
            Arrow::Right => 0.0_f64,
            Arrow::Down => 90.0,
            Arrow::Left => 180.0,
            Arrow::Up => -90.0,
        };
        let turn = (y.atan2(x).to_degrees() - wanted).rem_euclid(360.0);
        Some((turn.min(360.0 - turn), x.hypot(y)))
    }
}

/// The distance of neighbours within rows and between rows.
fn pitch_of(middles: &[Option<(i64, i64)>]) -> (i64, i64) {
    let mut seen: Vec<(i64, i64)> = middles.iter().flatten().copied().collect();
    seen.sort_unstable_by_key(|it| (it.1, it.0));
    seen.dedup();
    let in_row = seen.windows(2).filter(|it| it[0].1 == it[1].1).map(|it| it[1].0 - it[0].0);
    let mut ys: Vec<i64> = seen.iter().map(|it| it.1).collect();
    ys.dedup();
    let mut xs: Vec<i64> = seen.iter().map(|it| it.0).collect();
    xs.sort_unstable();
    xs.dedup();
    let gaps = |all: &[i64]| all.windows(2).map(|it| it[1] - it[0]).filter(|&it| it > 2).min();
    let across = in_row.filter(|&it| it > 2).min().or_else(|| gaps(&xs)).unwrap_or(1);
    (across.max(1), gaps(&ys).unwrap_or(1).max(1))
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::game;

    fn rules(game: &str) -> std::sync::Arc<Ruleset> {
        let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../games");
        game::open(&root.join(game), None).expect("it is ours").ruleset
    }

    #[test]
    fn arrows_follow_the_links_and_flipping_turns_them() {
        let ruleset = rules("chess/chess.zrf");
        let mut chart = Chart::new(&ruleset);
        let named = |name: &str| ruleset.board.site_named(name).expect("a square");
        assert_eq!(chart.travel(&ruleset, named("e4"), Arrow::Up), Some(named("e5")));
        assert_eq!(chart.travel(&ruleset, named("h4"), Arrow::Right), None);
        chart.flip();
        assert_eq!(chart.travel(&ruleset, named("e4"), Arrow::Up), Some(named("e3")));
    }

    #[test]
    fn every_site_can_be_reached_by_arrows_on_every_kind_of_board() {
        for game in ["hex/hex.zrf", "nine-mens-morris/nine-mens-morris.zrf", "chess/chess.zrf"] {
            let ruleset = rules(game);
            let chart = Chart::new(&ruleset);
            let all = chart.sites();
            let mut found = vec![all[0]];
            let mut at = 0;
            while let Some(&site) = found.get(at) {
                at += 1;
                for arrow in [Arrow::Up, Arrow::Down, Arrow::Left, Arrow::Right] {
                    let next = chart.travel(&ruleset, site, arrow);
                    found.extend(next.filter(|it| !found.contains(it)));
                }
            }
            assert_eq!(found.len(), all.len(), "{game}");
        }
    }

    #[test]
    fn sites_do_not_cover_each_other() {
        for game in ["chess/chess.zrf", "hex/hex.zrf", "shogi/shogi.zrf"] {
            let ruleset = rules(game);
            let chart = Chart::new(&ruleset);
            let size = (4, 1);
            let mut taken: Vec<_> =
                chart.sites().into_iter().filter_map(|it| chart.at(it, size)).collect();
            let n = taken.len();
            taken.sort_unstable();
            taken.dedup();
            assert_eq!(taken.len(), n, "{game}");
        }
    }
}
