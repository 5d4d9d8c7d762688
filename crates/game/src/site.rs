//! Places on a board, and sets of them.

/// A place on the board where at most one piece can stand.
///
/// ZRF says *position*, GAME Code *space*, chess *square*; we say site. The
/// number indexes [`Board::sites`](crate::Board::sites), which keeps the name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Site(pub u16);

impl Site {
    /// The place in a list that is kept by site.
    pub fn idx(self) -> usize {
        self.0 as usize
    }
}

/// A set of sites of one board.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct SiteSet {
    words: Vec<u64>,
}

impl SiteSet {
    /// An empty set with room for the sites of a board.
    pub fn new(n_sites: usize) -> SiteSet {
        SiteSet { words: vec![0; n_sites.div_ceil(64)] }
    }

    /// Puts `site` in.
    pub fn insert(&mut self, site: Site) {
        let word = site.idx() / 64;
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        if let Some(it) = self.words.get_mut(word) {
            *it |= 1 << (site.idx() % 64);
        }
    }

    /// Takes `site` out.
    pub fn remove(&mut self, site: Site) {
        if let Some(it) = self.words.get_mut(site.idx() / 64) {
            *it &= !(1 << (site.idx() % 64));
        }
    }

    /// Whether `site` is in.
    #[inline]
    pub fn contains(&self, site: Site) -> bool {
        self.words.get(site.idx() / 64).is_some_and(|it| it >> (site.idx() % 64) & 1 != 0)
    }

    /// Puts every site of `other` in.
    pub fn extend(&mut self, other: &SiteSet) {
        if other.words.len() > self.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        for (mine, theirs) in self.words.iter_mut().zip(&other.words) {
            *mine |= theirs;
        }
    }

    /// The sites, in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = Site> + '_ {
        self.words.iter().enumerate().flat_map(|(idx, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                (rest != 0).then(|| {
                    let bit = rest.trailing_zeros();
                    rest &= rest - 1;
                    Site((idx * 64) as u16 + bit as u16)
                })
            })
        })
    }

    /// How many sites are in.
    pub fn len(&self) -> usize {
        self.words.iter().map(|it| it.count_ones() as usize).sum()
    }

    /// Whether no site is in.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&it| it == 0)
    }

    /// The bits, 64 sites a word, lowest site in the lowest bit.
    pub fn words(&self) -> &[u64] {
        &self.words
    }
}

impl FromIterator<Site> for SiteSet {
    fn from_iter<I: IntoIterator<Item = Site>>(iter: I) -> SiteSet {
        let mut set = SiteSet::default();
        for site in iter {
            set.insert(site);
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_gives_back_what_was_put_in() {
        let sites = [Site(0), Site(63), Site(64), Site(200)];
        let mut set: SiteSet = sites.into_iter().collect();
        assert_eq!(set.iter().collect::<Vec<_>>(), sites);
        assert_eq!(set.len(), 4);
        set.remove(Site(63));
        assert!(!set.contains(Site(63)) && set.contains(Site(64)));
        assert!(!set.contains(Site(4000)));
    }
}
