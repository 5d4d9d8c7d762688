//! What a match says: on the way, and at the end.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    io::{self, IsTerminal, Write},
    time::Instant,
};

use boardwright_engine::Limits;
use boardwright_text::render::printable;

use super::{
    player::Fault,
    sitting::{End, Sitting, Terms, Watch},
    stats::{BOUND, Estimate, Tally, Verdict},
};
use crate::{
    game::{self, Game},
    out, time,
};

/// All results so far.
pub(crate) struct Summary {
    pub names: [String; 2],
    pub tally: Tally,
    n_wanted: usize,
    first_points: f64,
    clocks: [Watch; 2],
    illegal: [u32; 2],
    silent: [u32; 2],
    n_too_long: u32,
    n_plies: usize,
    faults: BTreeMap<String, u32>,
    began: Instant,
}

impl Summary {
    pub(crate) fn new(names: [String; 2], n_wanted: usize) -> Summary {
        Summary {
            names,
            tally: Tally::default(),
            n_wanted,
            first_points: 0.0,
            clocks: Default::default(),
            illegal: [0; 2],
            silent: [0; 2],
            n_too_long: 0,
            n_plies: 0,
            faults: BTreeMap::new(),
            began: Instant::now(),
        }
    }

    /// Adds a game; `partner` is the score of the other game with its opening, if done.
    pub(crate) fn add(&mut self, sitting: &Sitting, partner: Option<f64>) {
        self.tally.add(sitting.score);
        if let Some(partner) = partner {
            self.tally.add_pair(sitting.score, partner);
        }
        self.first_points += sitting.first_score;
        self.n_plies += sitting.n_plies;
        for (sum, it) in self.clocks.iter_mut().zip(&sitting.clocks) {
            sum.add(it);
        }
        match &sitting.end {
            End::Fault(who, fault) => {
                let (counts, what) = match fault {
                    Fault::Illegal(it) => (&mut self.illegal, it),
                    Fault::Silent(it) => (&mut self.silent, it),
                };
                counts[*who] += 1;
                let what: String = printable(what).chars().take(100).collect();
                *self.faults.entry(format!("{}: {what}", self.names[*who])).or_default() += 1;
            }
            End::TooLong => self.n_too_long += 1,
            End::Halt => {
                *self.faults.entry("the rules came to no end".to_owned()).or_default() += 1
            }
            End::Rules(_) => {}
        }
    }

    /// The table, the difference in Elo, and what else is worth knowing.
    pub(crate) fn text(
        &self,
        game: &Game,
        limits: &Limits,
        terms: &Terms,
        sprt: Option<(f64, f64)>,
    ) -> String {
        let mut text = String::new();
        let n = self.tally.n_games();
        let games = out::count(n as usize, "game", "games");
        let title = printable(&game.ruleset.title);
        let _ = writeln!(
            text,
            "{title}: {games}, {}, openings of {} random plies\n",
            limits_text(limits),
            terms.opening_plies
        );
        let width = self.names.iter().map(|it| it.chars().count()).max().unwrap_or(0).max(6);
        let _ = writeln!(
            text,
            "{:width$}    won  drawn   lost    score  illegal  silent  late   slowest",
            ""
        );
        for who in 0..2 {
            let (won, lost) = match who {
                0 => (self.tally.won, self.tally.lost),
                _ => (self.tally.lost, self.tally.won),
            };
            let share = if who == 0 { self.tally.share() } else { 1.0 - self.tally.share() };
            let watch = &self.clocks[who];
            let _ = writeln!(
                text,
                "{:width$}  {won:5}  {:5}  {lost:5}  {:5.1} %  {:7}  {:6}  {:4}  {:>8}",
                self.names[who],
                self.tally.drawn,
                share * 100.0,
                self.illegal[who],
                self.silent[who],
                watch.n_late,
                time::shown(watch.slowest),
            );
        }
        text.push('\n');
        let certainty = self.tally.certainty() * 100.0;
        let _ = writeln!(
            text,
            "Elo of {}: {}; stronger with {certainty:.1} % certainty",
            self.names[0],
            elo_text(&self.tally.elo())
        );
        if let Some((elo0, elo1)) = sprt {
            let _ = writeln!(text, "{}", self.sprt_text(elo0, elo1));
        }
        let mean = self.n_plies as f64 / f64::from(n.max(1));
        let first = self.first_points / f64::from(n.max(1)) * 100.0;
        let _ = writeln!(text, "Mean length {mean:.0} plies; who moves first scores {first:.0} %");
        if self.n_too_long > 0 {
            let _ = writeln!(
                text,
                "{} took {} plies and count as drawn",
                self.n_too_long, terms.max_plies
            );
        }
        for (what, count) in &self.faults {
            let _ = writeln!(text, "{count} x {what}");
        }
        text
    }

    fn sprt_text(&self, elo0: f64, elo1: f64) -> String {
        let ratio = self.tally.log_likelihood(elo0, elo1);
        let name = &self.names[0];
        let verdict = match self.tally.verdict(elo0, elo1) {
            Verdict::Accepted => format!("{name} is better by about {elo1} Elo or more"),
            Verdict::Rejected => format!("{name} is not better than by {elo0} Elo"),
            Verdict::Undecided => "not decided".to_owned(),
        };
        format!("SPRT {elo0} to {elo1} Elo: {verdict} (LLR {ratio:.2}, bounds ±{BOUND:.2})")
    }

    /// The same for programs.
    pub(crate) fn json(&self, game: &Game, sprt: Option<(f64, f64)>) -> serde_json::Value {
        let elo = self.tally.elo();
        // JSON has no infinity.
        let finite = |it: f64| it.is_finite().then(|| (it * 10.0).round() / 10.0);
        let player = |who: usize| {
            let watch = &self.clocks[who];
            serde_json::json!({
                "name": self.names[who],
                "illegal": self.illegal[who],
                "silent": self.silent[who],
                "late": watch.n_late,
                "moves": watch.n_moves,
                "slowest_ms": watch.slowest.as_millis() as u64,
                "total_ms": watch.total.as_millis() as u64,
            })
        };
        serde_json::json!({
            "title": game.ruleset.title,
            "engines": [player(0), player(1)],
            "games": self.tally.n_games(),
            "won": self.tally.won,
            "drawn": self.tally.drawn,
            "lost": self.tally.lost,
            "score": self.tally.share(),
            "elo": finite(elo.value),
            "elo_low": finite(elo.low),
            "elo_high": finite(elo.high),
            "too_long": self.n_too_long,
            "plies": self.n_plies,
            "llr": sprt.map(|(low, high)| self.tally.log_likelihood(low, high)),
        })
    }
}

fn limits_text(limits: &Limits) -> String {
    let parts = [
        limits.time.map(time::shown),
        limits.nodes.map(|it| format!("{it} nodes")),
        limits.depth.map(|it| format!("depth {it}")),
    ];
    let parts: Vec<_> = parts.into_iter().flatten().collect();
    format!("{} a move", parts.join(", "))
}

/// `+120 ± 45`, or how much at least where all games were won.
fn elo_text(elo: &Estimate) -> String {
    // Without a sign before nothing.
    let elo = &Estimate { value: elo.value + 0.0, ..*elo };
    if elo.value == f64::INFINITY {
        return format!("above {:+.0} (95 %)", elo.low);
    }
    if elo.value == f64::NEG_INFINITY {
        return format!("below {:+.0} (95 %)", elo.high);
    }
    match (elo.low.is_finite(), elo.high.is_finite()) {
        (true, true) => format!("{:+.0} ± {:.0} (95 %)", elo.value, (elo.high - elo.low) / 2.0),
        (true, false) => format!("{:+.0}, at least {:+.0} (95 %)", elo.value, elo.low),
        (false, true) => format!("{:+.0}, at most {:+.0} (95 %)", elo.value, elo.high),
        (false, false) => format!("{:+.0}, very uncertain", elo.value),
    }
}

/// How a game ended, in words.
pub(crate) fn end_text(game: &Game, end: &End, names: &[String; 2]) -> String {
    match end {
        End::Rules(outcome) => game::outcome_text(game, outcome),
        End::TooLong => "drawn: too long".to_owned(),
        End::Halt => "drawn: the rules came to no end".to_owned(),
        End::Fault(who, Fault::Illegal(it)) => {
            format!("{} lost by an illegal move: {}", names[*who], printable(it))
        }
        End::Fault(who, Fault::Silent(it)) => {
            format!("{} lost by silence: {}", names[*who], printable(it))
        }
    }
}

/// A bar on a terminal; elsewhere a line for each tenth.
pub(crate) struct Progress {
    n_wanted: usize,
    is_terminal: bool,
    tenths: usize,
}

impl Progress {
    pub(crate) fn new(n_wanted: usize) -> Progress {
        Progress { n_wanted, is_terminal: io::stderr().is_terminal(), tenths: 0 }
    }

    pub(crate) fn show(&mut self, summary: &Summary) {
        let Tally { won, drawn, lost, .. } = summary.tally;
        let n = summary.tally.n_games() as usize;
        let tenths = n * 10 / self.n_wanted.max(1);
        if !self.is_terminal && tenths == self.tenths {
            return;
        }
        self.tenths = tenths;
        let score = summary.tally.share() * 100.0;
        let spent = summary.began.elapsed();
        let left =
            spent.mul_f64((summary.n_wanted - n.min(summary.n_wanted)) as f64 / n.max(1) as f64);
        let name = &summary.names[0];
        let counts = format!("{n}/{}  {name} +{won} ={drawn} -{lost}  {score:.1} %", self.n_wanted);
        let mut err = io::stderr().lock();
        let _ = if self.is_terminal {
            let filled = n * 30 / self.n_wanted.max(1);
            let bar = "#".repeat(filled) + &"-".repeat(30 - filled.min(30));
            write!(err, "\r[{bar}] {counts}  {} left\x1b[K", time::shown(left))
        } else {
            writeln!(err, "{counts}  {} left", time::shown(left))
        };
        let _ = err.flush();
    }

    /// Makes room for what comes next.
    pub(crate) fn clear(&self) {
        if self.is_terminal {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}
