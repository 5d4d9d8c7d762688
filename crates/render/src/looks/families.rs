//! The family that the pieces of a game belong to.

use boardwright_game::{PieceKindInfo, Ruleset};
use rustc_hash::FxHashMap;

use super::names::{self, Drawing};

/// A family of piece drawings.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Family {
    /// Chess, its ancestors and its variants.
    Chess,
    /// Shogi.
    Shogi,
    /// Xiangqi and janggi.
    Xiangqi,
    /// Men and kings.
    Draughts,
    /// Stones, discs, marbles.
    Stones,
    /// Objects that belong to no player: dice, walls, marks.
    Things,
}

/// Names that only one family has, so that they decide.
const TELLING: &[(Family, &[&str])] = &[
    (Family::Shogi, &["gold", "silver", "lance", "tokin", "goldgeneral", "silvergeneral"]),
    (Family::Xiangqi, &["cannon", "advisor", "adviser", "mandarin", "pao"]),
];

/// The family of a game, if most of its pieces are of one.
pub fn family(ruleset: &Ruleset) -> Option<Family> {
    let is_thing = |name: &str| names::drawing(Family::Things, name).is_some();
    let is_piece = |it: &&PieceKindInfo| !it.is_dummy && !is_thing(&it.name);
    let kinds = || ruleset.pieces.iter().filter(is_piece);
    let n_of = |family| kinds().filter(|it| names::drawing(family, &it.name).is_some()).count();
    let n_kinds = kinds().count();
    for (family, telling) in TELLING {
        let tells = |name: &str| telling.contains(&names::plain(name).as_str());
        if kinds().any(|it| tells(&it.name)) && n_of(*family) * 2 > n_kinds {
            return Some(*family);
        }
    }
    let is_of_draughts = |name: &str| {
        names::drawing(Family::Draughts, name).is_some()
            && matches!(
                names::plain(name).as_str(),
                "man" | "king" | "checker" | "draughtsman" | "dame"
            )
    };
    if kinds().count() > 0 && kinds().all(|it| is_of_draughts(&it.name)) {
        return Some(Family::Draughts);
    }
    let order = [Family::Chess, Family::Draughts, Family::Stones];
    // Of families that fit alike, the first.
    let is_chess = n_of(Family::Chess) > 2 || kinds().any(|it| is_of_chess(&it.name));
    let fits = |it: &Family| *it != Family::Chess || is_chess;
    let best = order.into_iter().filter(fits).rev().max_by_key(|&it| n_of(it))?;
    (n_of(best) * 2 >= n_kinds && n_kinds > 0).then_some(best)
}

/// The number of kinds that have a drawing in the game's family.
pub(crate) fn n_drawings(ruleset: &Ruleset) -> usize {
    let Some(family) = family(ruleset) else { return 0 };
    ruleset.pieces.iter().filter(|it| names::drawing(family, &it.name).is_some()).count()
}

/// Whether a name alone means chess; soldiers, horses and kings are in many games.
fn is_of_chess(name: &str) -> bool {
    let name = names::plain(name);
    matches!(name.as_str(), "queen" | "rook" | "bishop" | "knight" | "pawn" | "amazon")
}

/// By kind: the players who own such pieces at the start, as bits.
fn owners(ruleset: &Ruleset) -> Vec<u64> {
    let mut owners = vec![0; ruleset.pieces.len()];
    let placed = ruleset.setup.pieces.iter().map(|it| (it.player, it.kind));
    let held = ruleset.setup.hands.iter().map(|it| (it.player, it.kind));
    for (player, kind) in placed.chain(held) {
        if let Some(it) = owners.get_mut(kind.idx()) {
            *it |= 1 << player.idx().min(63);
        }
    }
    owners
}

/// Names of pieces that are drawn as men if there are many of them.
const CROWDS: &[&str] = &["goose", "goat", "hound", "sheep", "hunter", "soldier"];

/// By kind: the number of such pieces at the start.
fn counts(ruleset: &Ruleset) -> Vec<u64> {
    let mut counts = vec![0; ruleset.pieces.len()];
    let placed = ruleset.setup.pieces.iter().map(|it| (it.kind, 1));
    let held = ruleset.setup.hands.iter().map(|it| (it.kind, u64::from(it.count)));
    for (kind, n) in placed.chain(held) {
        if let Some(it) = counts.get_mut(kind.idx()) {
            *it += n;
        }
    }
    counts
}

/// By kind: the drawing in the family, else in any other; no two kinds of a player share one.
pub(super) fn drawings(ruleset: &Ruleset, family: Option<Family>) -> Vec<Option<Drawing>> {
    let own = |name: &str| names::drawing(family?, name);
    // Pieces of other families would look as if they moved like there.
    let others = [Family::Draughts, Family::Stones, Family::Things];
    let found = |name: &str| {
        let is_other = |it: &Family| Some(*it) != family;
        own(name)
            .or_else(|| others.into_iter().filter(is_other).find_map(|it| names::drawing(it, name)))
    };
    let (owners, counts) = (owners(ruleset), counts(ruleset));
    let mut taken: FxHashMap<Drawing, u64> = FxHashMap::default();
    let mut drawings: Vec<Option<Drawing>> = vec![None; ruleset.pieces.len()];
    // Kinds that are there at the start choose first; a file's other kinds may never come.
    let (first, later): (Vec<usize>, Vec<usize>) =
        (0..drawings.len()).partition(|&it| owners[it] != 0);
    let is_only = first.len() == 1 && later.iter().all(|&it| ruleset.pieces[it].is_dummy);
    for idx in first.into_iter().chain(later) {
        let name = ruleset.pieces[idx].name.as_str();
        let is_lonely = counts[idx] < 3 && CROWDS.contains(&names::plain(name).as_str());
        let is_man = |it: &Drawing| it.family == Family::Draughts;
        let stone = is_only.then_some(Drawing { family: Family::Stones, name: "stone" });
        let drawing = found(name).filter(|it| !(is_lonely && is_man(it))).or(stone);
        // Kinds that nobody has yet may come to anybody.
        let owners = if owners[idx] == 0 { u64::MAX } else { owners[idx] };
        let by = drawing.map(|it| taken.entry(it).or_default());
        let is_taken = by.is_some_and(|it| {
            let is_taken = *it & owners != 0;
            *it |= owners;
            is_taken
        });
        let is_promoted = names::plain(name).starts_with("promoted");
        drawings[idx] = drawing.filter(|_| !is_taken || is_promoted);
    }
    drawings
}
