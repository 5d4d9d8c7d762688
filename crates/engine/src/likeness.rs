//! Which sites are alike, so that what is learned of one counts for all.

use boardwright_game::{Board, Direction, Player};

/// By site: the number of its class, for one player.
///
/// Sites begin alike if they have as many links and lie in the same zones, the player's
/// and the others' apart; then classes split by what their neighbours are, until they hold.
pub(crate) fn classes(board: &Board, player: Player) -> Vec<u32> {
    let n = board.n_sites();
    let near: Vec<Vec<usize>> = board
        .all_sites()
        .map(|site| {
            let steps = (0..board.n_directions() as u16).map(Direction);
            steps.filter_map(|it| board.step(site, it)).map(|it| it.idx()).collect()
        })
        .collect();
    let first = |site: usize| {
        let in_zone =
            |sites: &boardwright_game::SiteSet| sites.contains(boardwright_game::Site(site as u16));
        let zones = board.zones.iter().map(|zone| {
            let mine = zone.sites.get(player.idx()).is_some_and(in_zone);
            let others = zone.sites.iter().enumerate();
            let theirs = others.filter(|it| it.0 != player.idx()).any(|it| in_zone(it.1));
            (mine, theirs)
        });
        (near[site].len(), zones.collect::<Vec<_>>())
    };
    let mut classes = numbered((0..n).map(first).collect());
    for _ in 0..8 {
        let finer = numbered(
            (0..n)
                .map(|site| {
                    let mut around: Vec<u32> = near[site].iter().map(|&it| classes[it]).collect();
                    around.sort_unstable();
                    (classes[site], around)
                })
                .collect(),
        );
        if finer == classes {
            break;
        }
        classes = finer;
    }
    classes
}

/// Numbers for values, in the order in which they first appear.
fn numbered<T: PartialEq + Ord + Clone>(values: Vec<T>) -> Vec<u32> {
    let mut known: std::collections::BTreeMap<T, u32> = std::collections::BTreeMap::new();
    values
        .into_iter()
        .map(|it| {
            let next = known.len() as u32;
            *known.entry(it).or_insert(next)
        })
        .collect()
}
