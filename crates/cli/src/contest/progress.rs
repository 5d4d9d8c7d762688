//! The progress of a match, on standard error.

use std::{
    io::{self, IsTerminal, Write},
    time::{Duration, Instant},
};

use super::tally::Tally;
use crate::time;

/// Shows progress: on a terminal one line that is redrawn, otherwise a line per tenth.
pub(crate) struct Progress {
    n_games: usize,
    began: Instant,
    is_live: bool,
    /// The tenths of the match that were reported.
    told: usize,
}

impl Progress {
    pub(crate) fn new(n_games: usize) -> Progress {
        let is_live = io::stderr().is_terminal();
        Progress { n_games, began: Instant::now(), is_live, told: 0 }
    }

    pub(crate) fn show(&mut self, tally: &Tally) {
        let done = tally.n_games();
        let tenth = done * 10 / self.n_games.max(1);
        if !self.is_live && tenth == self.told {
            return;
        }
        self.told = tenth;
        let left = self.n_games.saturating_sub(done) as u32;
        let left =
            self.began.elapsed().checked_mul(left).unwrap_or(Duration::MAX) / done.max(1) as u32;
        let (wins, draws, losses) = (tally.wins, tally.draws, tally.losses);
        let bar = "#".repeat(done * 20 / self.n_games.max(1));
        let text = format!(
            "[{bar:<20}] {done}/{}  +{wins} ={draws} -{losses}  {:.1} %  {} left",
            self.n_games,
            tally.score() * 100.0,
            time::shown(left)
        );
        // If standard error is closed, progress is not shown.
        let mut err = io::stderr().lock();
        let _ = if self.is_live { write!(err, "\r{text}\x1b[K") } else { writeln!(err, "{text}") };
        let _ = err.flush();
    }

    pub(crate) fn end(&self) {
        if self.is_live {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}
