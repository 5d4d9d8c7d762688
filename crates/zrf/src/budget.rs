//! What one compilation may still spend: steps of work, and bytes of memory.
//!
//! Both are counted where they are spent, never measured, so that a file is
//! refused at the same word on every machine. A step is about 50 nanoseconds of
//! work; bytes are those of lists and texts that last as long as the compilation,
//! or as long as the variant that is compiled.

use boardwright_text::StopSignal;

use crate::limits::CompileLimits;

/// Steps between two looks at the stop signal: a few milliseconds of work.
const SLICE: u64 = 1 << 16;

/// What a compilation ran out of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shortage {
    /// Steps of work.
    Steps,
    /// Bytes of memory.
    Memory,
    /// Nothing, but the caller's signal asked for an end.
    Stopped,
}

/// The steps and bytes that are left.
pub(crate) struct Budget {
    /// Steps left until the stop signal is asked again.
    slice: u64,
    /// Steps left after that.
    reserve: u64,
    /// Bytes left.
    bytes: usize,
    /// Bytes taken for the variant in hand, given back when the next one begins.
    variant_bytes: usize,
    stop: StopSignal,
    /// Whether the compilation is to end, which its messages have said.
    is_over: bool,
}

impl Budget {
    pub(crate) fn new(limits: &CompileLimits) -> Budget {
        Budget {
            slice: 0,
            reserve: limits.steps,
            bytes: limits.memory,
            variant_bytes: 0,
            stop: limits.stop.clone(),
            is_over: false,
        }
    }

    /// Spends one step; `false` if none is left in this slice, for [`Budget::spend`] to judge.
    #[inline]
    pub(crate) fn step(&mut self) -> bool {
        let is_left = self.slice > 0;
        self.slice -= u64::from(is_left);
        is_left
    }

    /// Spends steps.
    pub(crate) fn spend(&mut self, steps: u64) -> Result<(), Shortage> {
        while self.slice < steps {
            if self.reserve == 0 {
                return Err(Shortage::Steps);
            }
            if self.stop.is_raised() {
                return Err(Shortage::Stopped);
            }
            let more = self.reserve.min(SLICE.max(steps));
            self.reserve -= more;
            self.slice += more;
        }
        self.slice -= steps;
        Ok(())
    }

    /// Takes bytes for as long as the compilation lasts.
    pub(crate) fn take(&mut self, bytes: usize) -> Result<(), Shortage> {
        self.bytes = self.bytes.checked_sub(bytes).ok_or(Shortage::Memory)?;
        Ok(())
    }

    /// Gives back bytes that are free again.
    pub(crate) fn give_back(&mut self, bytes: usize) {
        self.bytes += bytes;
    }

    /// Takes bytes for as long as the variant in hand is compiled.
    pub(crate) fn take_for_variant(&mut self, bytes: usize) -> Result<(), Shortage> {
        self.take(bytes)?;
        self.variant_bytes += bytes;
        Ok(())
    }

    /// Begins another variant: what the last one took is free again.
    pub(crate) fn begin_variant(&mut self) {
        let bytes = std::mem::take(&mut self.variant_bytes);
        self.give_back(bytes);
    }

    /// Leaves no steps, so that everything that reads ends.
    pub(crate) fn end(&mut self) {
        self.slice = 0;
        self.reserve = 0;
        self.is_over = true;
    }

    /// Whether [`Budget::end`] was called.
    pub(crate) fn is_over(&self) -> bool {
        self.is_over
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    };

    use super::*;

    #[test]
    fn steps_run_out_exactly() {
        let limits = CompileLimits { steps: SLICE + 10, ..CompileLimits::default() };
        let mut budget = Budget::new(&limits);
        assert_eq!(budget.spend(SLICE), Ok(()));
        assert_eq!(budget.spend(10), Ok(()));
        assert!(!budget.step());
        assert_eq!(budget.spend(1), Err(Shortage::Steps));
    }

    #[test]
    fn memory_of_a_variant_is_free_for_the_next() {
        let limits = CompileLimits { memory: 100, ..CompileLimits::default() };
        let mut budget = Budget::new(&limits);
        assert_eq!(budget.take(20), Ok(()));
        assert_eq!(budget.take_for_variant(80), Ok(()));
        assert_eq!(budget.take(1), Err(Shortage::Memory));
        budget.begin_variant();
        assert_eq!(budget.take_for_variant(80), Ok(()));
        assert_eq!(budget.take_for_variant(1), Err(Shortage::Memory));
    }

    #[test]
    fn the_stop_signal_is_asked_once_a_slice() {
        let n_asked = Arc::new(AtomicU32::new(0));
        let seen = Arc::clone(&n_asked);
        let stop = StopSignal::new(move || seen.fetch_add(1, Ordering::Relaxed) >= 2);
        let limits = CompileLimits { stop, ..CompileLimits::default() };
        let mut budget = Budget::new(&limits);
        for _ in 0..2 * SLICE {
            assert_eq!(budget.spend(1), Ok(()));
        }
        assert_eq!(budget.spend(1), Err(Shortage::Stopped));
        assert_eq!(n_asked.load(Ordering::Relaxed), 3);
    }
}
