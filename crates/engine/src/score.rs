//! Scores.

use boardwright_game::{Player, Ruleset};

/// Scores of at least this are proven wins, of at most its negative proven losses.
pub(crate) const PROVEN: i32 = 1_900_000;
/// The score of a win at once; a win in `n` plies scores `n` less.
pub(crate) const WIN: i32 = 2_000_000;
/// Higher than any score.
pub(crate) const INFINITE: i32 = 2_100_000;

/// A score for the player to move: in points, hundredths of the least valuable piece, or a
/// proven win or loss in a number of plies.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Score(pub(crate) i32);

impl Score {
    /// The score of an even game.
    pub const EVEN: Score = Score(0);

    /// The points, if nothing is proven.
    pub fn hundredths(self) -> Option<i32> {
        (self.0.abs() < PROVEN).then_some(self.0)
    }

    /// Plies (partial moves counted) until the player wins, if that is proven.
    pub fn wins_in(self) -> Option<u32> {
        (self.0 >= PROVEN).then(|| (WIN - self.0).max(0) as u32)
    }

    /// Plies (partial moves counted) until the player loses, if that is proven.
    pub fn loses_in(self) -> Option<u32> {
        (self.0 <= -PROVEN).then(|| (WIN + self.0).max(0) as u32)
    }

    /// The score in the units of the original's plug-ins: a thousand for the cheapest piece,
    /// and 2,130,000,000 less the number of plies for a win.
    pub fn original(self) -> i32 {
        match (self.wins_in(), self.loses_in()) {
            (Some(n), _) => 2_130_000_000 - n as i32,
            (_, Some(n)) => -2_130_000_000 + n as i32,
            _ => self.0.saturating_mul(10),
        }
    }

    /// A score in the units of the original's plug-ins; `None` if it means that none is known.
    pub fn from_original(score: i64) -> Option<Score> {
        const WON: i64 = 2_130_000_000;
        const NEAR: i64 = 150;
        match score {
            -2_140_000_000 => None,
            _ if score > WON - NEAR => Score::winning((WON - score).max(0) as u32),
            _ if score < NEAR - WON => Score::losing((score + WON).max(0) as u32),
            _ => Some(Score::from_hundredths(score / 10)),
        }
    }

    /// A score of hundredths of the cheapest piece, within the range of what is not proven.
    pub fn from_hundredths(score: i64) -> Score {
        let most = i64::from(PROVEN - 1);
        Score(score.clamp(-most, most) as i32)
    }

    /// A win in this number of plies.
    pub fn winning(plies: u32) -> Option<Score> {
        i32::try_from(plies).ok().filter(|&it| it <= WIN - PROVEN).map(|it| Score(WIN - it))
    }

    /// A loss in this number of plies.
    pub fn losing(plies: u32) -> Option<Score> {
        Score::winning(plies).map(|it| Score(-it.0))
    }

    /// The score in words, for `player` to move: `White wins in 4`, `Black is well ahead`.
    pub fn words(self, ruleset: &Ruleset, player: Player) -> String {
        let mut others = movers(ruleset).into_iter().filter(|&it| it != player);
        let name = |it: Player| ruleset.translated(ruleset.player_name(it)).to_owned();
        let me = name(player);
        let other = match (others.next(), others.next()) {
            (Some(it), None) => Some(name(it)),
            _ => None,
        };
        // In a game for two people count one turn of each side as one move.
        let is_duel = other.is_some();
        let moves = |plies: u32| if is_duel { plies.div_ceil(2) } else { plies };
        if let Some(n) = self.wins_in() {
            let verb = if movers(ruleset).len() > 1 { "wins" } else { "is done" };
            return format!("{me} {verb} in {}", moves(n));
        }
        if let Some(n) = self.loses_in() {
            return match other {
                Some(other) => format!("{other} wins in {}", moves(n)),
                None => format!("{me} loses in {}", moves(n)),
            };
        }
        let how = match self.0.abs() {
            0..40 => return "even".to_owned(),
            40..120 => "a little",
            120..300 => "clearly",
            300..700 => "well",
            _ => "far",
        };
        match (self.0 > 0, other) {
            (true, _) => format!("{me} is {how} ahead"),
            (false, Some(other)) => format!("{other} is {how} ahead"),
            (false, None) => format!("{me} is {how} behind"),
        }
    }
}

/// The players who choose moves (not chance), in the order of the rules.
pub(crate) fn movers(ruleset: &Ruleset) -> Vec<Player> {
    let has_turns = |it: &Player| ruleset.turn_order.turns.iter().any(|turn| turn.mover == *it);
    let is_random = |it: &Player| ruleset.players.get(it.idx()).is_some_and(|it| it.is_random);
    ruleset.all_players().filter(|it| has_turns(it) && !is_random(it)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proven_scores_count_moves() {
        assert_eq!(Score(WIN - 3).wins_in(), Some(3));
        assert_eq!(Score(4 - WIN).loses_in(), Some(4));
        assert_eq!(Score(WIN - 3).original(), 2_129_999_997);
        assert_eq!(Score(-120).original(), -1200);
        assert_eq!(Score(120).wins_in(), None);
    }
}
