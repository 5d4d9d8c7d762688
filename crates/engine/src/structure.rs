//! How the weakest pieces stand to each other: chains, and who is past the others.
//!
//! Where pieces go one way only, take otherwise than they go, and become better at
//! the end (as pawns do), it matters which of them can still be stopped by their like,
//! which protect each other and which stand alone. All of it is read from the rules.

use boardwright_fast::Fast;
use boardwright_game::{PieceKind, Player, Site};

use crate::{
    eval::{Account, Eval},
    profile::Profile,
    values::{FAR, Values},
};

/// Sites, as bits.
pub(crate) type Sites = u128;

/// What the structure is worth to the first of the two players.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Standing {
    pub middle: i32,
    pub end: i32,
    /// By player: the pieces that cannot be stopped by their like.
    pub passed: [Sites; 2],
}

/// What is known of the structure of one ruleset.
#[derive(Clone, Debug)]
pub(crate) struct Structure {
    pub kind: PieceKind,
    pub players: [Player; 2],
    sides: [Side; 2],
}

/// By site, for one player.
#[derive(Clone, Debug)]
struct Side {
    /// Where it can get to without taking.
    path: Vec<Sites>,
    /// Where it can go at once without taking.
    next: Vec<Sites>,
    /// Where pieces of the other side stand that could take it on its way or stand in it.
    stops: Vec<Sites>,
    /// Where its like protects it.
    supports: Vec<Sites>,
    /// Where its like could still come to protect it.
    helpers: Vec<Sites>,
    /// What it is worth to be past the others, early and late.
    passed: Vec<[i32; 2]>,
}

/// What a piece is worth that is past the others, in hundredths of what it becomes, by the
/// number of moves it needs.
const PASSED: [i32; 7] = [22, 15, 9, 5, 3, 2, 1];

const DOUBLED: [i32; 2] = [-8, -14];
const SUPPORTED: [i32; 2] = [7, 4];
const ALONE: [i32; 2] = [-9, -11];

impl Structure {
    /// The structure of the cheapest kind that has one.
    pub fn new(fast: Option<&Fast>, profile: &Profile, values: &Values) -> Option<Structure> {
        let fast = fast?;
        let &[one, other] = profile.movers.as_slice() else { return None };
        if values.n_sites > Sites::BITS as usize || !profile.may_skip {
            return None;
        }
        let mut kinds: Vec<PieceKind> = (0..values.n_kinds as u16).map(PieceKind).collect();
        kinds.sort_by_key(|it| values.kinds[it.idx()]);
        kinds.into_iter().find_map(|kind| {
            let mine = Ways::new(fast, values, one, kind)?;
            let theirs = Ways::new(fast, values, other, kind)?;
            let sides = [Side::new(&mine, &theirs), Side::new(&theirs, &mine)];
            Some(Structure { kind, players: [one, other], sides })
        })
    }

    /// What the pieces of the two players are worth to the first beyond themselves.
    pub fn judge(&self, pieces: [Sites; 2]) -> Standing {
        let mut standing = Standing::default();
        for (number, side) in self.sides.iter().enumerate() {
            let (mine, theirs) = (pieces[number], pieces[1 - number]);
            let sign = if number == 0 { 1 } else { -1 };
            let mut add = |[middle, end]: [i32; 2]| {
                standing.middle += sign * middle;
                standing.end += sign * end;
            };
            let mut left = mine;
            while left != 0 {
                let site = left.trailing_zeros() as usize;
                left &= left - 1;
                let is_last = mine & side.path[site] == 0;
                if !is_last {
                    add(DOUBLED);
                } else if theirs & side.stops[site] == 0 {
                    add(side.passed[site]);
                    standing.passed[number] |= 1 << site;
                }
                if mine & side.supports[site] != 0 {
                    add(SUPPORTED);
                } else if mine & side.helpers[site] == 0 {
                    add(ALONE);
                }
            }
        }
        standing
    }

    /// What else those are worth to the first, late, that are past the others: less with
    /// something before them, more with an own royal piece near and one of the other far.
    ///
    /// `lag` tells how much nearer a site is to a royal piece of the player of that number
    /// than to one of the other.
    pub fn prospects(
        &self,
        standing: &Standing,
        is_full: impl Fn(Site) -> bool,
        lag: impl Fn(usize, Site) -> i32,
    ) -> i32 {
        let mut total = 0;
        for (number, side) in self.sides.iter().enumerate() {
            for site in each(standing.passed[number]) {
                let worth = side.passed[site][1];
                let mut next = each(side.next[site]).map(|it| Site(it as u16));
                let Some(ahead) = next.next() else { continue };
                let is_free = !is_full(ahead) || next.any(|it| !is_full(it));
                let held_up = if is_free { 0 } else { worth / 2 };
                let more = lag(number, ahead) * worth / 25 - held_up;
                total += if number == 0 { more } else { -more };
            }
        }
        total
    }
}

/// What was found out about structures that come up again and again.
#[derive(Clone, Debug)]
pub(crate) struct Standings(Vec<([Sites; 2], Standing)>);

impl Standings {
    pub fn new(eval: &Eval) -> Standings {
        // No piece at all is worth nothing, so what is not filled in is right.
        let n = if eval.structure_kind().is_some() { 4096 } else { 0 };
        Standings(vec![([0; 2], Standing::default()); n])
    }

    /// The standing of an account's pieces, looked up if it is there.
    pub fn find(&mut self, eval: &Eval, account: &Account) -> Standing {
        if self.0.is_empty() {
            return Standing::default();
        }
        let fold = |it: Sites| (it as u64) ^ ((it >> 64) as u64).rotate_left(32);
        let mixed = fold(account.chain[0]).wrapping_mul(0x9E37_79B9_7F4A_7C15)
            ^ fold(account.chain[1]).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        let cell = &mut self.0[(mixed >> 52) as usize];
        if cell.0 != account.chain {
            *cell = (account.chain, eval.standing(account));
        }
        cell.1
    }
}

/// How one player's pieces of a kind go and take.
struct Ways {
    path: Vec<Sites>,
    next: Vec<Sites>,
    takes: Vec<Sites>,
    far: Vec<u16>,
    gain: i32,
}

impl Ways {
    fn new(fast: &Fast, values: &Values, player: Player, kind: PieceKind) -> Option<Ways> {
        let (far, gain) = values.promotion(player, kind)?;
        let n = values.n_sites;
        let quiet = values.quiet_steps(player, kind);
        let next: Vec<Sites> =
            quiet.iter().map(|it| it.iter().fold(0, |acc, &to| acc | 1 << to)).collect();
        if next.len() != n || next.iter().all(|&it| it == 0) {
            return None;
        }
        let mut path = next.clone();
        // Twice as far each time: a way has no more steps than there are sites.
        for _ in 0..8 {
            path = path.iter().map(|&it| each(it).fold(it, |acc, to| acc | path[to])).collect();
        }
        if path.iter().enumerate().any(|(site, &it)| it >> site & 1 != 0) {
            return None;
        }
        let mut takes = vec![0; n];
        for target in 0..n {
            for start in fast.takers(player, kind, Site(target as u16)) {
                takes[start.idx()] |= 1 << target;
            }
        }
        let takes_aside = takes.iter().zip(&path).any(|(&takes, &path)| takes & !path != 0);
        takes_aside.then_some(Ways { path, next, takes, far, gain })
    }

    /// What is taken from a site or from one on the way from there.
    fn ever_takes(&self, site: usize) -> Sites {
        each(self.path[site] | 1 << site).fold(0, |acc, it| acc | self.takes[it])
    }
}

impl Side {
    fn new(mine: &Ways, theirs: &Ways) -> Side {
        let n = mine.path.len();
        let set = |holds: &dyn Fn(usize) -> bool| {
            (0..n).filter(|&it| holds(it)).fold(0, |acc: Sites, it| acc | 1 << it)
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
                mine.path[site] >> it & 1 != 0 || theirs.ever_takes(it) & way != 0
            }));
            side.supports.push(set(&|it| mine.takes[it] >> site & 1 != 0));
            side.helpers.push(set(&|it| it != site && mine.ever_takes(it) & way != 0));
            let far = mine.far[site];
            let share = if far == FAR { 0 } else { PASSED[usize::from(far).min(6)] };
            let worth = mine.gain.min(1200) * share / 100;
            side.passed.push([worth / 2, worth]);
        }
        side
    }
}

fn each(mut sites: Sites) -> impl Iterator<Item = usize> {
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
    fn chess_pawns_are_seen_as_people_see_them() {
        let path = boardwright_test_kit::root().join("games/chess/chess.zrf");
        let mut file = boardwright_test_kit::rule_file(&path);
        let ruleset = boardwright_test_kit::variant("chess", &mut file, None);
        let rules = Arc::new(Rules::new(ruleset));
        let fast = Fast::new(&rules).ok();
        let profile = Profile::new(&rules.ruleset);
        let values = Values::new(&rules, fast.as_ref(), &profile, 7);
        let structure = Structure::new(fast.as_ref(), &profile, &values).expect("pawns have one");
        assert_eq!(rules.ruleset.piece_name(structure.kind), "Pawn");
        let sites = |names: &str| {
            let site = |it| rules.ruleset.board.site_named(it).expect("a site").idx();
            names.split_whitespace().map(site).fold(0, |acc: Sites, it| acc | 1 << it)
        };
        // White's, Black's, and those of either that are past the others.
        let cases = [
            ("e5", "d7", "", ""),
            ("e5", "e7", "", ""),
            ("e5", "d5 f5", "e5", "d5 f5"),
            ("e4", "d5", "", ""),
            ("a4 a5", "h5", "a5", "h5"),
            ("b6", "a7 c4", "", "c4"),
        ];
        for (white, black, whites, blacks) in cases {
            let standing = structure.judge([sites(white), sites(black)]);
            assert_eq!(standing.passed, [sites(whites), sites(blacks)], "{white} against {black}");
        }
        let worth = |white: &str| structure.judge([sites(white), sites("a7 b7 c7 h7")]).middle;
        assert!(worth("a3 b2") > worth("a2 b2"), "a chain is worth more");
        assert!(worth("a2 b2") > worth("a2 c2"), "neighbours may help each other");
        assert!(worth("a2 c2") > worth("a2 a3"), "nobody wants to stand behind his like");
    }
}
