//! What results prove: scores, Elo with its error, and the sequential test.
//!
//! Each opening is played from both sides, so two games belong together and their
//! scores are not independent; errors are taken over such pairs.

/// 95 % of a normal distribution lie within so many standard deviations.
const WIDTH: f64 = 1.96;

/// Results from one player's view.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    pub won: u32,
    pub drawn: u32,
    pub lost: u32,
    /// The sum of all scores; with many players a score may be any share of one.
    pub points: f64,
    /// The mean scores of pairs that are complete.
    pairs: Vec<f64>,
}

/// An estimate with what lies within 95 %.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Estimate {
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

/// Where a sequential test stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It is at least as strong as the second hypothesis says.
    Accepted,
    /// It is no stronger than the first one says.
    Rejected,
    Undecided,
}

impl Tally {
    pub(crate) fn add(&mut self, score: f64) {
        self.points += score;
        match score {
            _ if score > 0.5 => self.won += 1,
            _ if score < 0.5 => self.lost += 1,
            _ => self.drawn += 1,
        }
    }

    /// Notes that both games of an opening are done.
    pub(crate) fn add_pair(&mut self, one: f64, other: f64) {
        self.pairs.push((one + other) / 2.0);
    }

    pub(crate) fn n_games(&self) -> u32 {
        self.won + self.drawn + self.lost
    }

    /// The mean score.
    pub(crate) fn share(&self) -> f64 {
        if self.n_games() == 0 { 0.5 } else { self.points / f64::from(self.n_games()) }
    }

    /// The variance of the mean score.
    fn variance_of_mean(&self) -> f64 {
        let n = self.pairs.len() as f64;
        if n >= 2.0 {
            let mean = self.pairs.iter().sum::<f64>() / n;
            let squares: f64 = self.pairs.iter().map(|it| (it - mean).powi(2)).sum();
            return squares / (n - 1.0) / n;
        }
        let (n, mean) = (f64::from(self.n_games()).max(1.0), self.share());
        let parts = [(self.won, 1.0), (self.drawn, 0.5), (self.lost, 0.0)];
        let squares: f64 =
            parts.iter().map(|(count, it)| f64::from(*count) * (it - mean).powi(2)).sum();
        squares / n / n
    }

    /// The difference in Elo to the other player.
    pub(crate) fn elo(&self) -> Estimate {
        let n = f64::from(self.n_games()).max(1.0);
        let mean = self.share();
        let spread = self.variance_of_mean().sqrt();
        // Where all games end alike there is no spread to see, but there may be one:
        // then as far as the rule of Wilson goes.
        let (low, high) = if spread > 0.0 {
            (mean - WIDTH * spread, mean + WIDTH * spread)
        } else {
            let z2 = WIDTH * WIDTH;
            let middle = (mean + z2 / (2.0 * n)) / (1.0 + z2 / n);
            let half =
                WIDTH / (1.0 + z2 / n) * (mean * (1.0 - mean) / n + z2 / (4.0 * n * n)).sqrt();
            ((middle - half).min(mean), (middle + half).max(mean))
        };
        Estimate { value: elo_of(mean), low: elo_of(low), high: elo_of(high) }
    }

    /// How likely it is that this player is the stronger one.
    pub(crate) fn certainty(&self) -> f64 {
        let spread = self.variance_of_mean().sqrt();
        let lead = self.share() - 0.5;
        match spread {
            0.0 if lead == 0.0 => 0.5,
            // All games ended alike: as after so many throws of one coin.
            0.0 => {
                let doubt = 0.5f64.powf(f64::from(self.n_games()) + 1.0);
                if lead > 0.0 { 1.0 - doubt } else { doubt }
            }
            _ => normal(lead / spread),
        }
    }

    /// The logarithm of how much better the results fit `elo1` than `elo0`.
    pub(crate) fn log_likelihood(&self, elo0: f64, elo1: f64) -> f64 {
        if self.pairs.is_empty() {
            return 0.0;
        }
        // A trace of every result, lest a lucky streak look like certainty.
        const TRACE: f64 = 0.05;
        let traces = [0.0, 0.25, 0.5, 0.75, 1.0];
        let total = self.pairs.len() as f64 + TRACE * traces.len() as f64;
        let sum = |f: &dyn Fn(f64) -> f64| {
            let real: f64 = self.pairs.iter().map(|&it| f(it)).sum();
            (real + TRACE * traces.iter().map(|&it| f(it)).sum::<f64>()) / total
        };
        let mean = sum(&|it| it);
        let variance = sum(&|it| (it - mean).powi(2));
        let (s0, s1) = (share_of(elo0), share_of(elo1));
        total * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance)
    }

    /// The sequential test with 5 % for either error.
    pub(crate) fn verdict(&self, elo0: f64, elo1: f64) -> Verdict {
        match self.log_likelihood(elo0, elo1) {
            it if it >= BOUND => Verdict::Accepted,
            it if it <= -BOUND => Verdict::Rejected,
            _ => Verdict::Undecided,
        }
    }
}

/// The logarithm of 0.95 / 0.05: beyond it the test is decided.
pub(crate) const BOUND: f64 = 2.944_438_979_166_44;

fn elo_of(share: f64) -> f64 {
    match share {
        ..=0.0 => f64::NEG_INFINITY,
        1.0.. => f64::INFINITY,
        _ => -400.0 * (1.0 / share - 1.0).log10(),
    }
}

fn share_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The share of a normal distribution below `x`, to seven digits.
fn normal(x: f64) -> f64 {
    // Abramowitz and Stegun 26.2.17.
    let t = 1.0 / (1.0 + 0.231_641_9 * x.abs());
    let factors = [0.319_381_530, -0.356_563_782, 1.781_477_937, -1.821_255_978, 1.330_274_429];
    let polynomial = factors.iter().rev().fold(0.0, |sum, it| (sum + it) * t);
    let tail = (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt() * polynomial;
    if x >= 0.0 { 1.0 - tail } else { tail }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(won: u32, drawn: u32, lost: u32) -> Tally {
        let mut tally = Tally::default();
        let scores = [(won, 1.0), (drawn, 0.5), (lost, 0.0)];
        let all: Vec<f64> =
            scores.iter().flat_map(|&(n, it)| std::iter::repeat_n(it, n as usize)).collect();
        all.iter().for_each(|&it| tally.add(it));
        tally
    }

    #[test]
    fn elo_follows_the_score() {
        let even = tally(10, 5, 10).elo();
        assert_eq!(even.value, 0.0);
        assert!((even.low + even.high).abs() < 1e-9 && even.high > 50.0);
        let three_quarters = tally(75, 0, 25).elo();
        assert!((three_quarters.value - 190.8).abs() < 0.1, "{three_quarters:?}");
        let all = tally(20, 0, 0).elo();
        assert_eq!(all.value, f64::INFINITY);
        assert_eq!((tally(2, 0, 0).certainty(), tally(0, 0, 2).certainty()), (0.875, 0.125));
        assert!((tally(3, 4, 3).certainty() - 0.5).abs() < 1e-6);
        assert!((270.0..300.0).contains(&all.low), "{all:?}");
        assert!((normal(1.96) - 0.975).abs() < 1e-4 && (normal(-1.0) - 0.158_66).abs() < 1e-4);
    }

    #[test]
    fn pairs_tell_that_an_opening_decides() {
        // Nearly every opening is won by the first player: the pairs are even.
        let mut decided = Tally::default();
        let mut mixed = Tally::default();
        for idx in 0..50 {
            for tally in [&mut decided, &mut mixed] {
                tally.add(1.0);
                tally.add(0.0);
            }
            let same = f64::from(idx % 2);
            match idx {
                0 | 1 => decided.add_pair(same, same),
                _ => decided.add_pair(1.0, 0.0),
            }
            mixed.add_pair(same, same);
        }
        assert!(decided.elo().high < 30.0 && mixed.elo().high > 50.0);
    }

    #[test]
    fn the_test_decides_for_who_is_right() {
        let run = |score: [f64; 2], n: usize| {
            let mut tally = Tally::default();
            for idx in 0..n {
                let (one, other) = if idx % 3 == 0 { (0.5, 0.5) } else { (score[0], score[1]) };
                tally.add(one);
                tally.add(other);
                tally.add_pair(one, other);
            }
            tally.verdict(0.0, 20.0)
        };
        assert_eq!(run([1.0, 0.5], 200), Verdict::Accepted);
        assert_eq!(run([0.0, 0.5], 200), Verdict::Rejected);
        assert_eq!(run([1.0, 0.5], 1), Verdict::Undecided);
        assert_eq!(Tally::default().verdict(0.0, 5.0), Verdict::Undecided);
    }
}
