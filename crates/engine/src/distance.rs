//! Shortest distances on the graph of a board, by breadth-first search.

use boardwright_game::Site;

/// The distance of a site that cannot be reached.
pub(crate) const UNREACHABLE: u16 = u16::MAX;

/// By site: the number of steps from the nearest of `starts`, given where each site's steps
/// lead.
pub(crate) fn distances(next: &[Vec<Site>], starts: impl Iterator<Item = usize>) -> Vec<u16> {
    let mut found = vec![UNREACHABLE; next.len()];
    let mut queue: Vec<usize> = Vec::new();
    for site in starts {
        if found.get(site) == Some(&UNREACHABLE) {
            found[site] = 0;
            queue.push(site);
        }
    }
    let mut at = 0;
    while at < queue.len() {
        let site = queue[at];
        at += 1;
        for to in &next[site] {
            if found[to.idx()] == UNREACHABLE {
                found[to.idx()] = found[site] + 1;
                queue.push(to.idx());
            }
        }
    }
    found
}

/// The same graph with every step turned round.
pub(crate) fn reversed(next: &[Vec<Site>]) -> Vec<Vec<Site>> {
    let mut before: Vec<Vec<Site>> = vec![Vec::new(); next.len()];
    for (site, steps) in next.iter().enumerate() {
        steps.iter().for_each(|to| before[to.idx()].push(Site(site as u16)));
    }
    before
}

/// By site: a hundred times the mean distance to all others, less that of the most central
/// site. 0 everywhere on boards of more than 1024 sites, where it would take too long.
pub(crate) fn remoteness(near: &[Vec<Site>]) -> Vec<i32> {
    let n = near.len();
    let mut means = vec![0i32; n];
    if n > 1024 {
        return means;
    }
    for (start, mean) in means.iter_mut().enumerate() {
        let found = distances(near, std::iter::once(start));
        let reached = || found.iter().filter(|&&it| it != UNREACHABLE);
        let sum: i64 = reached().map(|&it| i64::from(it)).sum();
        *mean = (sum * 100 / reached().count() as i64) as i32;
    }
    let least = means.iter().copied().min().unwrap_or(0);
    means.iter_mut().for_each(|it| *it -= least);
    means
}
