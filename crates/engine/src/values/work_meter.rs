//! A budget of work for sampling.

use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering},
};

use boardwright_play::{Rules, State};
use boardwright_text::StopSignal;

/// Questions that a meter answers with no; one is asked after about a million instructions of
/// move blocks.
const WORK_BUDGET: u32 = 200;

/// Ends sampling of rules whose moves take very long to find, after the same work on every
/// machine.
#[derive(Clone, Default)]
pub(super) struct WorkMeter(Arc<AtomicU32>);

impl WorkMeter {
    /// Raised when the budget is spent.
    pub fn signal(&self) -> StopSignal {
        let spent = Arc::clone(&self.0);
        StopSignal::new(move || spent.fetch_add(1, Ordering::Relaxed) >= WORK_BUDGET)
    }

    /// Whether more than one slice of work was done: finding moves is not cheap here.
    pub fn is_begun(&self) -> bool {
        self.0.load(Ordering::Relaxed) > 1
    }

    /// Whether the budget is spent.
    pub fn is_spent(&self) -> bool {
        self.0.load(Ordering::Relaxed) > WORK_BUDGET
    }

    /// The start of a game whose generations are metered.
    pub fn start_of(&self, rules: &Arc<Rules>) -> State {
        let mut state = State::start_of(Arc::clone(rules));
        state.set_stop(self.signal());
        state
    }
}
