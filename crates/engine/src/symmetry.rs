//! Symmetry of boards: which sites are equivalent, so that what is learned of one counts for
//! all.

use boardwright_game::{Board, Direction, Player, Ruleset, Site, SiteSet};

/// By site: the number of its equivalence class, for one player.
///
/// Colour refinement: sites with as many links in the same zones begin in one class, and
/// classes are split by the classes of their neighbours until nothing changes.
pub(crate) fn site_classes(board: &Board, player: Player) -> Vec<u32> {
    let n = board.n_sites();
    let near: Vec<Vec<usize>> = board
        .all_sites()
        .map(|site| {
            let steps = (0..board.n_directions() as u16).map(Direction);
            steps.filter_map(|it| board.step(site, it)).map(|it| it.idx()).collect()
        })
        .collect();
    let first = |site: usize| {
        let in_zone = |sites: &SiteSet| sites.contains(Site(site as u16));
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

/// A number for each distinct value, in order of first appearance.
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

/// For each site of the second player, the corresponding site of the first, if board, symmetry
/// and setup make the two players mirror images of each other.
pub(crate) fn mirror(ruleset: &Ruleset, first: Player, second: Player) -> Option<Vec<Site>> {
    let board = &ruleset.board;
    let pieces = &ruleset.setup.pieces;
    let of = |player: Player| {
        let mine = pieces.iter().filter(move |it| it.player == player);
        let mut mine: Vec<_> = mine.map(|it| (it.kind, it.site)).collect();
        mine.sort_unstable();
        mine
    };
    let (mine, theirs) = (of(first), of(second));
    let start = theirs.first().map_or(Site(0), |it| it.1);
    board.all_sites().find_map(|image| {
        let map = image_of(board, first, second, start, image)?;
        let mut seen: Vec<_> = theirs.iter().map(|it| (it.0, map[it.1.idx()])).collect();
        seen.sort_unstable();
        (seen == mine).then_some(map)
    })
}

/// The map of all sites that maps `start` to `image` and the second player's directions to the
/// first player's, if there is one.
fn image_of(
    board: &Board,
    first: Player,
    second: Player,
    start: Site,
    image: Site,
) -> Option<Vec<Site>> {
    let mut map: Vec<Option<Site>> = vec![None; board.n_sites()];
    let mut is_taken = vec![false; board.n_sites()];
    map[start.idx()] = Some(image);
    is_taken[image.idx()] = true;
    let mut queue = vec![start];
    while let Some(site) = queue.pop() {
        let at = map[site.idx()]?;
        for direction in (0..board.n_directions() as u16).map(Direction) {
            let to = board.step(site, board.seen_by(second, direction));
            let like = board.step(at, board.seen_by(first, direction));
            let (to, like) = match (to, like) {
                (None, None) => continue,
                (Some(to), Some(like)) => (to, like),
                _ => return None,
            };
            match map[to.idx()] {
                Some(known) if known == like => {}
                None if !is_taken[like.idx()] => {
                    map[to.idx()] = Some(like);
                    is_taken[like.idx()] = true;
                    queue.push(to);
                }
                _ => return None,
            }
        }
    }
    map.into_iter().collect()
}
