//! Conventions of players: on which boards pieces stand on points, which boards are
//! chequered, and where a few well-known boards carry marks.
//!
//! Geometry alone cannot tell a chess board from one for reversi. The families of
//! pieces decide most cases; the tables below are for games that share their pieces.

use boardwright_game::{BlockKind, Ruleset, Site, Turn};

use super::{geometry::Geometry, lattice::Lattice};
use crate::looks::{Family, family, n_drawings};

/// How the squares of a lattice are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ground {
    /// Two tones.
    Checkered,
    /// One tone and lines.
    Grid,
    /// Points on lines.
    Points,
    /// Round holes in a plank.
    Pits,
}

/// By words of the title: the ground, where pieces and links do not tell it.
const GROUNDS: &[(&str, Ground)] = &[
    ("clobber", Ground::Checkered),
    ("lines of action", Ground::Checkered),
    ("konane", Ground::Pits),
    ("connect four", Ground::Pits),
    ("four in a row", Ground::Pits),
    ("gomoku", Ground::Points),
    ("renju", Ground::Points),
    ("pente", Ground::Points),
    ("morris", Ground::Points),
    ("teeko", Ground::Points),
];

/// Names of pieces that lie in holes.
const IN_PITS: &[&str] = &["peg", "marble", "seed", "bead"];

/// Words in names of zones, and the tone of their sites on boards of one tone.
const ZONES: &[(&str, u8)] = &[
    ("throne", 2),
    ("corner", 2),
    ("castle", 3),
    ("citadel", 3),
    ("fortress", 3),
    ("hill", 3),
    ("temple", 2),
    ("den", 2),
    ("trap", 3),
    ("lake", 2),
    ("water", 2),
    ("refuge", 3),
    ("safe", 3),
    ("rosette", 2),
    ("camp", 3),
    ("goal", 3),
    ("centre", 3),
    ("center", 3),
];

/// More such words for races.
const RACE_ZONES: &[(&str, u8)] = &[("start", 2), ("door", 2), ("gate", 2), ("home", 2)];

/// The ground of a lattice.
pub(super) fn ground(ruleset: &Ruleset, geometry: &Geometry, lattice: &Lattice) -> Ground {
    let family = family(ruleset);
    match family {
        Some(Family::Xiangqi) => return Ground::Points,
        Some(Family::Shogi) => return Ground::Grid,
        _ => {}
    }
    let title = ruleset.title.to_lowercase();
    let file = ruleset.save.file_name.to_lowercase().replace('-', " ");
    let has = |word: &str| title.contains(word) || file.contains(word);
    if let Some((_, ground)) = GROUNDS.iter().find(|(word, _)| has(word)) {
        return *ground;
    }
    if is_in_pits(ruleset) {
        return Ground::Pits;
    }
    if is_of_points(geometry, lattice) || is_for_stones(ruleset, lattice) {
        return Ground::Points;
    }
    let is_chess = family == Some(Family::Chess);
    let is_two_toned =
        is_chess || lattice.is_staggered() || setup_parity(ruleset, geometry, lattice).is_some();
    // Pawns race on tiles; chess with dice is still chess.
    let is_chess_set = is_chess && n_drawings(ruleset) > 2;
    match is_two_toned && (is_chess_set || !is_race(ruleset)) {
        true => Ground::Checkered,
        false => Ground::Grid,
    }
}

/// Whether pieces lie in holes.
pub(super) fn is_in_pits(ruleset: &Ruleset) -> bool {
    let is_name = |name: &str| IN_PITS.contains(&name.to_lowercase().as_str());
    ruleset.pieces.iter().any(|it| is_name(&it.name))
}

/// Whether players race with dice or sticks: chance has a turn, and several people have.
pub(super) fn is_race(ruleset: &Ruleset) -> bool {
    let player = |it: &Turn| ruleset.players.get(it.mover.idx());
    let turns = ruleset.turn_order.turns.iter();
    let (chance, people): (Vec<&Turn>, Vec<&Turn>) =
        turns.partition(|it| player(it).is_some_and(|it| it.is_random));
    !chance.is_empty() && people.iter().any(|it| it.mover != people[0].mover)
}

/// Whether the author drew points: apart from each other, or with slanting lines here and there.
fn is_of_points(geometry: &Geometry, lattice: &Lattice) -> bool {
    let straight =
        f64::midpoint(lattice.linked(geometry, (1, 0)), lattice.linked(geometry, (0, 1)));
    let slanting =
        f64::midpoint(lattice.linked(geometry, (1, 1)), lattice.linked(geometry, (1, -1)));
    let n_apart = lattice.members.iter().filter(|&&(spot, _)| {
        let it = &geometry.spots[spot];
        it.width < 0.84 * lattice.step.0 && it.height < 0.84 * lattice.step.1
    });
    let is_apart = n_apart.count() * 2 > lattice.members.len();
    if lattice.is_staggered() {
        // Points of a few crossing lines; squares of a draughts board touch at their corners.
        return is_apart && slanting > 0.5;
    }
    straight > 0.5 && (is_apart || (0.04..0.8).contains(&slanting))
}

/// Whether it is for games of placing stones, as go is.
fn is_for_stones(ruleset: &Ruleset, lattice: &Lattice) -> bool {
    let is_stone = |name: &str| name.eq_ignore_ascii_case("stone");
    let mut kinds = ruleset.pieces.iter().filter(|it| is_stone(&it.name));
    let only_dropped = kinds.next().is_some_and(|it| {
        !it.blocks.is_empty() && it.blocks.iter().all(|it| it.kind == BlockKind::Drop)
    });
    only_dropped
        && lattice.n_columns == lattice.n_rows
        && lattice.n_columns >= 9
        && lattice.n_columns % 2 == 1
}

/// The colour of the squares that all pieces stand on at the start, if it is one colour.
pub(super) fn setup_parity(
    ruleset: &Ruleset,
    geometry: &Geometry,
    lattice: &Lattice,
) -> Option<i32> {
    let mut at_of = vec![None; ruleset.board.n_sites()];
    for &(spot, at) in &lattice.members {
        at_of[geometry.spots[spot].site.idx()] = Some(at);
    }
    let placed = ruleset.setup.pieces.iter();
    let mut parities = placed.filter_map(|it| at_of.get(it.site.idx()).copied().flatten());
    let (x, y) = parities.next()?;
    let (mut n, parity) = (1, (x + y) & 1);
    for (x, y) in parities {
        if (x + y) & 1 != parity {
            return None;
        }
        n += 1;
    }
    // A few pieces stand on one colour by chance.
    let enough = if family(ruleset) == Some(Family::Draughts) { 4 } else { 8 };
    (n >= enough).then_some(parity)
}

/// By site: the tone that a zone gives it, 0 for none.
pub(super) fn zone_tones(ruleset: &Ruleset) -> Vec<u8> {
    tones_by(ruleset, ZONES)
}

/// The same on the way of a race, where gates and doors count too.
pub(super) fn race_tones(ruleset: &Ruleset) -> Vec<u8> {
    tones_by(ruleset, &[ZONES, RACE_ZONES].concat())
}

fn tones_by(ruleset: &Ruleset, table: &[(&str, u8)]) -> Vec<u8> {
    let mut tones = vec![0; ruleset.board.n_sites()];
    for zone in &ruleset.board.zones {
        let name = zone.name.to_lowercase();
        let words = name.split(|it: char| !it.is_alphanumeric());
        let is_of = |word: &str, key: &str| {
            word == key || (word.strip_suffix('s') == Some(key)) || word == format!("{key}es")
        };
        let tone = words.filter_map(|word| table.iter().find(|(key, _)| is_of(word, key)));
        let Some(&(_, tone)) = tone.max_by_key(|(_, tone)| *tone) else { continue };
        let n_sites: usize = zone.sites.iter().map(|it| it.len()).sum();
        // A zone that is half of the board is not a special place.
        if n_sites * 2 > tones.len() {
            continue;
        }
        for site in zone.sites.iter().flat_map(|it| it.iter()) {
            if let Some(it) = tones.get_mut(site.idx()).filter(|it| **it != 2) {
                *it = tone;
            }
        }
    }
    tones
}

/// The sites of zones that a chequered board marks: the hill that kings climb.
pub(super) fn marked_sites(ruleset: &Ruleset) -> Vec<Site> {
    let zones = ruleset.board.zones.iter();
    let marked = zones.filter(|it| {
        let name = it.name.to_lowercase();
        ["hill", "throne", "lake", "temple"].iter().any(|key| name == *key)
    });
    let mut sites: Vec<Site> =
        marked.flat_map(|it| it.sites.iter().flat_map(|it| it.iter())).collect();
    sites.sort_unstable();
    sites.dedup();
    sites
}

/// The stars of boards for go and its relatives, in columns and rows.
pub(super) fn stars(n: i32) -> Vec<(i32, i32)> {
    let at = match n {
        9 => vec![2, 6],
        13 => vec![3, 9],
        15 => vec![3, 11],
        19 => vec![3, 9, 15],
        _ => return Vec::new(),
    };
    let mut stars: Vec<_> = at.iter().flat_map(|&x| at.iter().map(move |&y| (x, y))).collect();
    if n != 19 {
        stars.push((n / 2, n / 2));
    }
    stars
}
