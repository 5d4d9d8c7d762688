//! The scores of a match: mean, error, Elo and the sequential test.
//!
//! Games come in pairs: one opening, played from both sides. The error is estimated from the
//! variance of pairs, so that unbalanced openings do not count as noise.

/// Standard deviations of the two-sided 95 % interval of a normal distribution.
const SIGMAS: f64 = 1.96;

/// Scores of the first engine, by pairs of games.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    /// The scores of the games so far, by pair.
    pairs: Vec<Vec<f64>>,
    pub wins: u32,
    pub draws: u32,
    pub losses: u32,
}

impl Tally {
    /// Adds the score of a game, from 0 to 1.
    pub(crate) fn add(&mut self, pair: usize, score: f64) {
        if self.pairs.len() <= pair {
            self.pairs.resize(pair + 1, Vec::new());
        }
        self.pairs[pair].push(score);
        match score {
            0.75.. => self.wins += 1,
            ..0.25 => self.losses += 1,
            _ => self.draws += 1,
        }
    }

    pub(crate) fn n_games(&self) -> usize {
        self.pairs.iter().map(Vec::len).sum()
    }

    /// The mean score, from 0 to 1.
    pub(crate) fn score(&self) -> f64 {
        self.pairs.iter().flatten().sum::<f64>() / self.n_games().max(1) as f64
    }

    /// Half the width of the 95 % interval of the score.
    pub(crate) fn error(&self) -> Option<f64> {
        let (_, variance, n) = self.sample();
        (n >= 2.0 && variance > 0.0).then(|| SIGMAS * (variance / n).sqrt())
    }

    /// The mean and the variance of complete pairs, and their number.
    fn sample(&self) -> (f64, f64, f64) {
        let whole = || self.pairs.iter().filter(|it| it.len() == 2);
        let means: Vec<f64> = whole().map(|it| it.iter().sum::<f64>() / 2.0).collect();
        let n = means.len() as f64;
        let mean = means.iter().sum::<f64>() / n.max(1.0);
        let spread: f64 = means.iter().map(|it| (it - mean).powi(2)).sum();
        (mean, spread / (n - 1.0).max(1.0), n)
    }

    /// Whether the first engine is significantly better, at 95 %.
    pub(crate) fn is_better(&self) -> bool {
        let (mean, variance, n) = self.sample();
        // One drawn pair is added, so that a sample of equal pairs has a variance.
        let mean = (mean * n + 0.5) / (n + 1.0);
        let error = ((variance + 0.25 / (n + 1.0)) / n.max(1.0)).sqrt();
        n >= 4.0 && mean - SIGMAS * error > 0.5
    }

    /// Whether the second engine is significantly better.
    pub(crate) fn is_worse(&self) -> bool {
        let pairs = self.pairs.iter().map(|it| it.iter().map(|it| 1.0 - it).collect()).collect();
        Tally { pairs, ..Tally::default() }.is_better()
    }

    /// Elo with its error, in words.
    pub(crate) fn elo_text(&self) -> String {
        let (score, n) = (self.score(), self.n_games() as f64);
        if n == 0.0 {
            return "no games".to_owned();
        }
        // The score that would still give such a sweep with a probability of 5 %.
        let bound = 0.05_f64.powf(1.0 / n);
        if score >= 1.0 {
            return format!("Elo above {:+.0} (95 %)", elo(bound));
        }
        if score <= 0.0 {
            return format!("Elo below {:+.0} (95 %)", elo(1.0 - bound));
        }
        match self.error() {
            Some(error) => {
                let low = elo((score - error).max(0.001));
                let high = elo((score + error).min(0.999));
                format!("Elo {:+.0} ± {:.0}", elo(score), (high - low) / 2.0)
            }
            None => format!("Elo {:+.0}", elo(score)),
        }
    }

    /// The logarithm of the likelihood ratio of `elo1` to `elo0`, from complete pairs.
    pub(crate) fn likelihood(&self, sprt: Sprt) -> f64 {
        let (mean, variance, n) = self.sample();
        if n < 2.0 {
            return 0.0;
        }
        // A pair of each result is added: without it, equal pairs would give an infinite ratio.
        let prior = [0.0, 0.5, 1.0].iter().map(|it| (it - mean) * (it - mean) / 3.0).sum::<f64>();
        let variance = (variance * (n - 1.0) + prior) / n;
        let (low, high) = (score_of(sprt.elo0), score_of(sprt.elo1));
        n * (high - low) * (2.0 * mean - low - high) / (2.0 * variance)
    }
}

/// A sequential test: is the difference `elo0` or `elo1`? Both errors are 5 %.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Sprt {
    pub elo0: f64,
    pub elo1: f64,
}

impl Sprt {
    /// Beyond this, either way, the test is decided: ln(0.95 / 0.05).
    pub(crate) const BOUND: f64 = 2.944_438_979_166_44;

    /// Reads `0,10`.
    pub(crate) fn parse(text: &str) -> Result<Sprt, String> {
        let number = |it: &str| it.trim().parse::<f64>().ok().filter(|it| it.abs() <= 1000.0);
        let (elo0, elo1) = text.split_once(',').ok_or("write two numbers: `0,10`")?;
        match (number(elo0), number(elo1)) {
            (Some(elo0), Some(elo1)) if elo0 < elo1 => Ok(Sprt { elo0, elo1 }),
            _ => Err("two numbers up to 1000, the lower one first".to_owned()),
        }
    }
}

/// The difference in Elo that gives a mean score.
fn elo(score: f64) -> f64 {
    // Subtracting from 0 avoids `-0`, which would be printed with its sign.
    0.0 - 400.0 * (1.0 / score - 1.0).log10()
}

/// The mean score that a difference in Elo gives.
fn score_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10.0_f64.powf(-elo / 400.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(pairs: &[(f64, f64)]) -> Tally {
        let mut tally = Tally::default();
        for (idx, (one, two)) in pairs.iter().enumerate() {
            tally.add(idx, *one);
            tally.add(idx, *two);
        }
        tally
    }

    #[test]
    fn elo_and_score_are_inverse() {
        assert!((elo(score_of(123.0)) - 123.0).abs() < 1e-9);
        assert!((elo(0.75) - 190.8).abs() < 0.1);
    }

    #[test]
    fn an_even_match_is_even_and_its_error_comes_from_pairs() {
        let even = tally(&[(1.0, 0.0), (0.0, 1.0), (1.0, 0.0), (0.5, 0.5)]);
        assert_eq!((even.score(), even.error()), (0.5, None));
        assert_eq!((even.wins, even.draws, even.losses), (3, 2, 3));
        assert_eq!(even.elo_text(), "Elo +0");
        let uneven = tally(&[(1.0, 1.0), (0.0, 1.0), (1.0, 0.0), (0.5, 0.5)]);
        // Mean 0.625, deviation 0.25, four pairs: 1.96 * 0.25 / 2.
        assert!(uneven.error().is_some_and(|it| (it - 0.245).abs() < 1e-6));
    }

    #[test]
    fn a_clean_sweep_gives_a_bound() {
        // 0.05 ^ (1/20) is 0.861, and 400 log10(0.861 / 0.139) is 317.
        assert_eq!(tally(&[(1.0, 1.0); 10]).elo_text(), "Elo above +317 (95 %)");
        assert_eq!(tally(&[(0.0, 0.0); 10]).elo_text(), "Elo below -317 (95 %)");
    }

    #[test]
    fn few_games_make_nobody_better() {
        assert!(tally(&[(1.0, 1.0); 10]).is_better() && tally(&[(0.0, 0.0); 10]).is_worse());
        assert!(!tally(&[(1.0, 1.0); 3]).is_better());
        assert!(!tally(&[(1.0, 0.0); 50]).is_better() && !tally(&[(1.0, 0.0); 50]).is_worse());
        assert!(tally(&[(1.0, 0.5); 40]).is_better() && !tally(&[(1.0, 0.5); 40]).is_worse());
    }

    #[test]
    fn the_test_decides_for_who_is_better() {
        let sprt = Sprt { elo0: 0.0, elo1: 50.0 };
        assert!(tally(&[(1.0, 0.5); 40]).likelihood(sprt) > Sprt::BOUND);
        assert!(tally(&[(0.0, 0.5); 40]).likelihood(sprt) < -Sprt::BOUND);
        assert_eq!(tally(&[(1.0, 1.0)]).likelihood(sprt), 0.0);
        assert_eq!(Sprt::parse("0, 50"), Ok(sprt));
        assert!(Sprt::parse("5").is_err() && Sprt::parse("5,0").is_err());
        assert!(Sprt::parse("NaN,5").is_err());
    }
}
