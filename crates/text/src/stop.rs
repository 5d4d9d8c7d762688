//! A way to end long work early from outside.

use std::{fmt, sync::Arc};

/// Asked at intervals by long work: once it answers yes, the work ends with an error.
///
/// The crates that read and run rules know no clock. Whoever calls them gives a
/// signal that does, for example one that compares the time with a deadline, or
/// one that reads an atomic flag. The default signal never asks for an end.
#[derive(Clone, Default)]
pub struct StopSignal(Option<Arc<dyn Fn() -> bool + Send + Sync>>);

impl StopSignal {
    /// A signal that asks `should_stop` each time.
    pub fn new(should_stop: impl Fn() -> bool + Send + Sync + 'static) -> StopSignal {
        StopSignal(Some(Arc::new(should_stop)))
    }

    /// Whether the work should end now.
    pub fn is_raised(&self) -> bool {
        self.0.as_ref().is_some_and(|it| it())
    }
}

impl fmt::Debug for StopSignal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "StopSignal(set)" } else { "StopSignal(never)" })
    }
}

/// Two signals are equal if they are the same one, or if neither ever asks.
impl PartialEq for StopSignal {
    fn eq(&self, other: &StopSignal) -> bool {
        match (&self.0, &other.0) {
            (None, None) => true,
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }
}

impl Eq for StopSignal {}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    #[test]
    fn a_signal_is_raised_when_its_owner_says_so() {
        let flag = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&flag);
        let signal = StopSignal::new(move || seen.load(Ordering::Relaxed));
        assert!(!signal.is_raised());
        flag.store(true, Ordering::Relaxed);
        assert!(signal.is_raised());
        assert!(!StopSignal::default().is_raised());
        assert_eq!(signal, signal.clone());
        assert_ne!(signal, StopSignal::default());
    }
}
