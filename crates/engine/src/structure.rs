//! Pawn structure: passed, doubled, supported and isolated pawns, in any game.
//!
//! A kind is *like a pawn* if its pieces move one way only, capture otherwise than they move,
//! and promote at the end. All of it is read from the rules.

use boardwright_fast::Fast;
use boardwright_game::{PieceKind, Player, Site};

use crate::{
    distance::UNREACHABLE,
    eval::{Accumulator, Eval},
    params::{DOUBLED_PAWN, ISOLATED_PAWN, PASSED_PAWN, SUPPORTED_PAWN},
    profile::Profile,
    values::Values,
};

/// A set of sites, one bit each.
pub(crate) type SiteBits = u128;

/// The score of a pawn structure for the first of the two players, in points.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct StructureScore {
    pub middlegame: i32,
    pub endgame: i32,
    /// By player: the passed pawns.
    pub passed: [SiteBits; 2],
}

/// The pawn structure of one ruleset.
#[derive(Clone, Debug)]
pub(crate) struct PawnStructure {
    /// The kind whose pieces are like pawns.
    pub kind: PieceKind,
    pub players: [Player; 2],
    sides: [Side; 2],
}

/// What is known about a pawn of one player, by its site.
#[derive(Clone, Debug)]
struct Side {
    /// The sites it can reach without captures.
    path: Vec<SiteBits>,
    /// The sites it can move to at once without a capture.
    next: Vec<SiteBits>,
    /// The sites from which an enemy pawn could capture it on its path or block it.
    stops: Vec<SiteBits>,
    /// The sites from which an own pawn protects it.
    supports: Vec<SiteBits>,
    /// The sites from which an own pawn could still come to protect it.
    helpers: Vec<SiteBits>,
    /// Middlegame and endgame value of being passed, in points.
    passed: Vec<[i32; 2]>,
}

impl PawnStructure {
    /// The structure of the cheapest kind that is like a pawn, if there is one.
    pub fn new(fast: Option<&Fast>, profile: &Profile, values: &Values) -> Option<PawnStructure> {
        let fast = fast?;
        let &[one, other] = profile.movers.as_slice() else { return None };
        if values.n_sites > SiteBits::BITS as usize || !profile.allows_null_move {
            return None;
        }
        let mut kinds: Vec<PieceKind> = (0..values.n_kinds as u16).map(PieceKind).collect();
        kinds.sort_by_key(|it| values.kinds[it.idx()]);
        kinds.into_iter().find_map(|kind| {
            let mine = PawnMoves::new(fast, values, one, kind)?;
            let theirs = PawnMoves::new(fast, values, other, kind)?;
            let sides = [Side::new(&mine, &theirs), Side::new(&theirs, &mine)];
            Some(PawnStructure { kind, players: [one, other], sides })
        })
    }

    /// The score of the pawns of both players, material aside.
    pub fn score(&self, pieces: [SiteBits; 2]) -> StructureScore {
        let mut found = StructureScore::default();
        for (number, side) in self.sides.iter().enumerate() {
            let (mine, theirs) = (pieces[number], pieces[1 - number]);
            let sign = if number == 0 { 1 } else { -1 };
            let mut add = |[middlegame, endgame]: [i32; 2]| {
                found.middlegame += sign * middlegame;
                found.endgame += sign * endgame;
            };
            let mut left = mine;
            while left != 0 {
                let site = left.trailing_zeros() as usize;
                left &= left - 1;
                let is_last = mine & side.path[site] == 0;
                if !is_last {
                    add(DOUBLED_PAWN);
                } else if theirs & side.stops[site] == 0 {
                    add(side.passed[site]);
                    found.passed[number] |= 1 << site;
                }
                if mine & side.supports[site] != 0 {
                    add(SUPPORTED_PAWN);
                } else if mine & side.helpers[site] == 0 {
                    add(ISOLATED_PAWN);
                }
            }
        }
        found
    }

    /// Endgame value of passed pawns for the first player, by the pieces around them: less if
    /// blocked, more with the own royal piece near and the enemy's far away.
    ///
    /// `king_lead` tells how many steps nearer a site is to the royal piece of the player of
    /// that number than to the other's.
    pub fn passed_pawns(
        &self,
        found: &StructureScore,
        is_blocked: impl Fn(Site) -> bool,
        king_lead: impl Fn(usize, Site) -> i32,
    ) -> i32 {
        let mut total = 0;
        for (number, side) in self.sides.iter().enumerate() {
            for site in each(found.passed[number]) {
                let value = side.passed[site][1];
                let mut next = each(side.next[site]).map(|it| Site(it as u16));
                let Some(ahead) = next.next() else { continue };
                let is_free = !is_blocked(ahead) || next.any(|it| !is_blocked(it));
                let blockade = if is_free { 0 } else { value / 2 };
                let bonus = king_lead(number, ahead) * value / 25 - blockade;
                total += if number == 0 { bonus } else { -bonus };
            }
        }
        total
    }
}

/// A cache of structure scores by the pawns of both players.
#[derive(Clone, Debug)]
pub(crate) struct StructureCache(Vec<([SiteBits; 2], StructureScore)>);

impl StructureCache {
    pub fn new(eval: &Eval) -> StructureCache {
        // A structure without pawns scores 0, so empty entries are right.
        let n = if eval.pawn_kind().is_some() { 4096 } else { 0 };
        StructureCache(vec![([0; 2], StructureScore::default()); n])
    }

    /// The structure score of an accumulator, computed if it is not in the cache.
    pub fn score(&mut self, eval: &Eval, accumulator: &Accumulator) -> StructureScore {
        if self.0.is_empty() {
            return StructureScore::default();
        }
        let fold = |it: SiteBits| (it as u64) ^ ((it >> 64) as u64).rotate_left(32);
        let mixed = fold(accumulator.pawns[0]).wrapping_mul(0x9E37_79B9_7F4A_7C15)
            ^ fold(accumulator.pawns[1]).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        let cell = &mut self.0[(mixed >> 52) as usize];
        if cell.0 != accumulator.pawns {
            *cell = (accumulator.pawns, eval.structure_score(accumulator));
        }
        cell.1
    }
}

/// How one player's pieces of a kind move and capture, by site.
struct PawnMoves {
    path: Vec<SiteBits>,
    next: Vec<SiteBits>,
    captures: Vec<SiteBits>,
    /// Moves to promotion.
    distance: Vec<u16>,
    /// What promotion gains, in points.
    gain: i32,
}

impl PawnMoves {
    fn new(fast: &Fast, values: &Values, player: Player, kind: PieceKind) -> Option<PawnMoves> {
        let (distance, gain) = values.promotion(player, kind)?;
        let n = values.n_sites;
        let quiet = values.quiet_steps(player, kind);
        let next: Vec<SiteBits> =
            quiet.iter().map(|it| it.iter().fold(0, |acc, to| acc | 1 << to.idx())).collect();
        if next.len() != n || next.iter().all(|&it| it == 0) {
            return None;
        }
        let mut path = next.clone();
        // Each round doubles the length of the paths; none is longer than the board has sites.
        for _ in 0..8 {
            path = path.iter().map(|&it| each(it).fold(it, |acc, to| acc | path[to])).collect();
        }
        if path.iter().enumerate().any(|(site, &it)| it >> site & 1 != 0) {
            return None;
        }
        let mut captures = vec![0; n];
        for target in 0..n {
            for start in fast.takers(player, kind, Site(target as u16)) {
                captures[start.idx()] |= 1 << target;
            }
        }
        let captures_aside =
            captures.iter().zip(&path).any(|(&captures, &path)| captures & !path != 0);
        captures_aside.then_some(PawnMoves { path, next, captures, distance, gain })
    }

    /// The sites it can capture on from a site or anywhere on its path.
    fn ever_captures(&self, site: usize) -> SiteBits {
        each(self.path[site] | 1 << site).fold(0, |acc, it| acc | self.captures[it])
    }
}

impl Side {
    fn new(mine: &PawnMoves, theirs: &PawnMoves) -> Side {
        let n = mine.path.len();
        let set = |holds: &dyn Fn(usize) -> bool| {
            (0..n).filter(|&it| holds(it)).fold(0, |acc: SiteBits, it| acc | 1 << it)
        };
        let mut side = Side {
            path: mine.path.clone(),
            next: mine.next.clone(),
            stops: Vec::with_capacity(n),
            supports: Vec::with_capacity(n),
            helpers: Vec::with_capacity(n),
            passed: Vec::with_capacity(n),
        };
        for site in 0..n {
            let way = mine.path[site] | 1 << site;
            side.stops.push(set(&|it| {
                mine.path[site] >> it & 1 != 0 || theirs.ever_captures(it) & way != 0
            }));
            side.supports.push(set(&|it| mine.captures[it] >> site & 1 != 0));
            side.helpers.push(set(&|it| it != site && mine.ever_captures(it) & way != 0));
            let distance = mine.distance[site];
            let share =
                if distance == UNREACHABLE { 0 } else { PASSED_PAWN[usize::from(distance).min(6)] };
            let value = mine.gain.min(1200) * share / 100;
            side.passed.push([value / 2, value]);
        }
        side
    }
}

/// The sites of a set.
fn each(mut sites: SiteBits) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let site = (sites != 0).then(|| sites.trailing_zeros() as usize)?;
        sites &= sites - 1;
        Some(site)
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use boardwright_play::Rules;

    use super::*;

    #[test]
    fn chess_pawns_are_passed_and_doubled_as_chess_players_say() {
        let path = boardwright_test_kit::root().join("games/chess/chess.zrf");
        let mut file = boardwright_test_kit::rule_file(&path);
        let ruleset = boardwright_test_kit::variant("chess", &mut file, None);
        let rules = Arc::new(Rules::new(ruleset));
        let fast = Fast::new(&rules).ok();
        let profile = Profile::new(&rules.ruleset);
        let values = Values::new(&rules, fast.as_ref(), &profile, 7);
        let structure =
            PawnStructure::new(fast.as_ref(), &profile, &values).expect("pawns have one");
        assert_eq!(rules.ruleset.piece_name(structure.kind), "Pawn");
        let sites = |names: &str| {
            let site = |it| rules.ruleset.board.site_named(it).expect("a site").idx();
            names.split_whitespace().map(site).fold(0, |acc: SiteBits, it| acc | 1 << it)
        };
        // The pawns of White and Black, and those of either that are passed.
        let cases = [
            ("e5", "d7", "", ""),
            ("e5", "e7", "", ""),
            ("e5", "d5 f5", "e5", "d5 f5"),
            ("e4", "d5", "", ""),
            ("a4 a5", "h5", "a5", "h5"),
            ("b6", "a7 c4", "", "c4"),
        ];
        for (white, black, whites, blacks) in cases {
            let found = structure.score([sites(white), sites(black)]);
            assert_eq!(found.passed, [sites(whites), sites(blacks)], "{white} against {black}");
        }
        let value = |white: &str| structure.score([sites(white), sites("a7 b7 c7 h7")]).middlegame;
        assert!(value("a3 b2") > value("a2 b2"), "a chain is worth more");
        assert!(value("a2 b2") > value("a2 c2"), "neighbours can protect each other");
        assert!(value("a2 c2") > value("a2 a3"), "doubled pawns are worth less");
    }
}
