//! What one generation may still spend.

use boardwright_text::StopSignal;

use crate::halt::Halt;

/// Instructions between two questions to the stop signal: a few milliseconds of work.
const SLICE: u64 = 1 << 20;

/// The instructions that are left.
#[derive(Debug, Default)]
pub(crate) struct Fuel {
    /// Instructions left until the stop signal is asked again.
    slice: u64,
    /// Instructions left after that.
    reserve: u64,
    stop: StopSignal,
}

impl Fuel {
    /// What a whole generation may spend.
    pub fn full(stop: &StopSignal) -> Fuel {
        Fuel { slice: SLICE, reserve: Halt::TOTAL_FUEL - SLICE, stop: stop.clone() }
    }

    /// Begins another generation.
    pub fn refill(&mut self, stop: &StopSignal) {
        // What is left of a slice is used up first, so that the signal is asked as often for
        // many short generations as for a long one.
        if self.slice == 0 {
            self.slice = SLICE;
        }
        self.reserve = Halt::TOTAL_FUEL - self.slice;
        if self.stop != *stop {
            self.stop = stop.clone();
        }
    }

    /// Spends fuel; what is missing is found out by [`Fuel::check`].
    #[inline]
    pub fn burn(&mut self, cost: u64) {
        let missing = cost.saturating_sub(self.slice);
        self.slice = self.slice.saturating_sub(cost);
        self.reserve = self.reserve.saturating_sub(missing);
    }

    /// Whether the generation may go on.
    #[inline]
    pub fn check(&mut self) -> Result<(), Halt> {
        if self.slice > 0 { Ok(()) } else { self.take_slice() }
    }

    #[cold]
    fn take_slice(&mut self) -> Result<(), Halt> {
        if self.reserve == 0 {
            return Err(Halt::OutOfFuel);
        }
        if self.stop.is_raised() {
            return Err(Halt::Stopped);
        }
        self.slice = self.reserve.min(SLICE);
        self.reserve -= self.slice;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_of_it_can_be_spent_and_no_more() {
        let mut fuel = Fuel::full(&StopSignal::default());
        let mut n_spent = 0;
        while fuel.check().is_ok() {
            fuel.burn(1000);
            n_spent += 1000;
        }
        assert!((Halt::TOTAL_FUEL..Halt::TOTAL_FUEL + SLICE).contains(&n_spent));
        assert_eq!(fuel.check(), Err(Halt::OutOfFuel));
    }

    #[test]
    fn many_short_generations_are_stopped_like_a_long_one() {
        let stop = StopSignal::new(|| true);
        let mut fuel = Fuel::full(&stop);
        let stopped = (0..2 * SLICE / 1000).any(|_| {
            fuel.refill(&stop);
            fuel.burn(1000);
            fuel.check() == Err(Halt::Stopped)
        });
        assert!(stopped);
    }

    #[test]
    fn a_signal_ends_a_generation_within_a_slice() {
        let mut fuel = Fuel::full(&StopSignal::new(|| true));
        fuel.burn(SLICE - 1);
        assert_eq!(fuel.check(), Ok(()));
        fuel.burn(1);
        assert_eq!(fuel.check(), Err(Halt::Stopped));
    }
}
