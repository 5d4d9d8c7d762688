//! What a running program may still spend: steps of work and bytes of memory.
//!
//! Both are counted, never measured, so that a program stops at the same statement on
//! every machine. Steps are allowed turn by turn and for the game as a whole; elements
//! of arrays are counted while they live, so that memory has a bound whatever the
//! program keeps.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use boardwright_text::StopSignal;

use crate::limits::CodeLimits;

/// Steps between two looks at the stop signal: a few milliseconds of work.
const SLICE: u64 = 1 << 18;

/// What a program ran out of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shortage {
    /// The steps of this turn.
    Turn,
    /// The steps of the whole game.
    Game,
    /// Nothing, but the caller's signal asked for an end.
    Stopped,
}

/// The steps that are left.
#[derive(Clone, Debug)]
pub(crate) struct Budget {
    /// Steps left until the stop signal is asked again.
    slice: u64,
    /// Steps left in this turn after that.
    turn: u64,
    /// Steps left in the game after that.
    game: u64,
    /// Elements of arrays that may still be made.
    pub(crate) elements: u64,
    /// Bytes of messages so far.
    pub(crate) output_bytes: usize,
    pub(crate) live: Meter,
    pub(crate) stop: StopSignal,
}

impl Budget {
    pub(crate) fn new(limits: &CodeLimits) -> Budget {
        let mut budget = Budget {
            slice: 0,
            turn: 0,
            game: limits.game_steps,
            elements: limits.elements,
            output_bytes: 0,
            live: Meter::default(),
            stop: limits.stop.clone(),
        };
        budget.begin_turn(limits);
        budget
    }

    /// Allows the steps of one more turn, as far as the game has any left.
    pub(crate) fn begin_turn(&mut self, limits: &CodeLimits) {
        self.game += self.turn + self.slice;
        self.slice = 0;
        self.turn = self.game.min(limits.steps);
        self.game -= self.turn;
    }

    /// Spends steps.
    #[inline]
    pub(crate) fn spend(&mut self, steps: u64) -> Result<(), Shortage> {
        match self.slice.checked_sub(steps) {
            Some(left) => {
                self.slice = left;
                Ok(())
            }
            None => self.spend_slowly(steps),
        }
    }

    #[cold]
    fn spend_slowly(&mut self, steps: u64) -> Result<(), Shortage> {
        let short = if self.game == 0 { Shortage::Game } else { Shortage::Turn };
        let missing = steps - self.slice;
        if self.turn < missing {
            (self.turn, self.slice) = (0, 0);
            return Err(short);
        }
        if self.stop.is_raised() {
            return Err(Shortage::Stopped);
        }
        let more = self.turn.min(missing.max(SLICE));
        self.turn -= more;
        self.slice = self.slice + more - steps;
        Ok(())
    }

    /// Spends steps that a copy of the machine has run, as far as there are any.
    pub(crate) fn charge(&mut self, steps: u64) {
        let left = (self.game + self.turn + self.slice).saturating_sub(steps);
        // What the game has left beyond this turn is spent first.
        self.slice = self.slice.min(left);
        self.turn = self.turn.min(left - self.slice);
        self.game = left - self.slice - self.turn;
    }

    /// Steps spent so far, of those that the game was allowed.
    pub(crate) fn spent(&self, limits: &CodeLimits) -> u64 {
        limits.game_steps.saturating_sub(self.game + self.turn + self.slice)
    }
}

/// Counts the elements of arrays that live, over all copies of a machine.
#[derive(Clone, Debug, Default)]
pub(crate) struct Meter(Arc<AtomicUsize>);

impl Meter {
    /// How many elements live now.
    pub(crate) fn live(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }

    /// Counts elements until the charge is dropped.
    pub(crate) fn charge(&self, n: usize) -> Charge {
        self.0.fetch_add(n, Ordering::Relaxed);
        Charge(Some((self.clone(), n)))
    }
}

/// The elements of one array, counted as long as it lives.
#[derive(Debug, Default)]
pub(crate) struct Charge(Option<(Meter, usize)>);

impl Charge {
    /// Counts more elements of the same array.
    pub(crate) fn grow(&mut self, n: usize) {
        if let Some((meter, counted)) = &mut self.0 {
            meter.0.fetch_add(n, Ordering::Relaxed);
            *counted += n;
        }
    }

    /// Whether the array is counted at all.
    pub(crate) fn is_set(&self) -> bool {
        self.0.is_some()
    }
}

impl Clone for Charge {
    fn clone(&self) -> Charge {
        match &self.0 {
            Some((meter, n)) => meter.charge(*n),
            None => Charge(None),
        }
    }
}

impl Drop for Charge {
    fn drop(&mut self) {
        if let Some((meter, n)) = &self.0 {
            meter.0.fetch_sub(*n, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(steps: u64, game_steps: u64) -> CodeLimits {
        CodeLimits { steps, game_steps, ..CodeLimits::default() }
    }

    #[test]
    fn a_turn_and_a_game_run_out_apart() {
        let limits = limits(100, 250);
        let mut budget = Budget::new(&limits);
        assert_eq!(budget.spend(100), Ok(()));
        assert_eq!(budget.spend(1), Err(Shortage::Turn));
        budget.begin_turn(&limits);
        assert_eq!(budget.spend(60), Ok(()));
        budget.begin_turn(&limits);
        assert_eq!(budget.spend(90), Ok(()));
        assert_eq!(budget.spend(1), Err(Shortage::Game));
        assert_eq!(budget.spent(&limits), 250);
    }

    #[test]
    fn what_a_copy_runs_can_be_charged() {
        let limits = limits(100, 250);
        let mut budget = Budget::new(&limits);
        budget.charge(120);
        budget.begin_turn(&limits);
        budget.begin_turn(&limits);
        assert_eq!(budget.spend(100), Ok(()));
        budget.begin_turn(&limits);
        assert_eq!(budget.spend(31), Err(Shortage::Game));
    }

    #[test]
    fn a_charge_reaches_the_steps_of_the_turn_too() {
        let limits = limits(100, 100);
        let mut budget = Budget::new(&limits);
        budget.charge(70);
        assert_eq!(budget.spend(31), Err(Shortage::Game));
        let mut budget = Budget::new(&limits);
        budget.charge(70);
        assert_eq!(budget.spend(30), Ok(()));
        assert_eq!(budget.spent(&limits), 100);
    }

    #[test]
    fn elements_count_while_they_live() {
        let meter = Meter::default();
        let one = meter.charge(5);
        let mut two = one.clone();
        two.grow(2);
        assert_eq!(meter.live(), 12);
        drop(one);
        assert_eq!(meter.live(), 7);
        drop(two);
        assert_eq!(meter.live(), 0);
    }

    #[test]
    fn a_signal_stops_a_run() {
        let stop = StopSignal::new(|| true);
        let limits = CodeLimits { stop, ..CodeLimits::default() };
        assert_eq!(Budget::new(&limits).spend(1), Err(Shortage::Stopped));
    }
}
