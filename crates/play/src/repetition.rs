//! Whether a state came before.
//!
//! A state is the same if the pieces, their owners and attributes are, and the
//! turn by its number in the turn order; hands do not count. Its key is a hash of
//! sixty-four bits: that two different states of one game share one is not to be
//! feared.

/// The keys of all states since the start or the last edit, one for each turn.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct History {
    keys: Vec<u64>,
}

impl History {
    /// Begins with one state.
    pub fn starting_with(key: u64) -> History {
        History { keys: vec![key] }
    }

    /// Notes the state that a turn led to.
    pub fn push(&mut self, key: u64) {
        self.keys.push(key);
    }

    /// The keys, oldest first.
    pub fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// How many states are noted.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Forgets all but the first `len` states.
    pub fn truncate(&mut self, len: usize) {
        self.keys.truncate(len);
    }

    /// Whether the last state noted is there for the third time or more.
    pub fn is_threefold(&self) -> bool {
        let Some((last, earlier)) = self.keys.split_last() else {
            return false;
        };
        earlier.iter().rev().filter(|&it| it == last).nth(1).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_third_time_counts() {
        let mut history = History::starting_with(7);
        history.push(8);
        history.push(7);
        assert!(!history.is_threefold());
        history.push(8);
        history.push(7);
        assert!(history.is_threefold());
        history.truncate(4);
        assert!(!history.is_threefold());
    }
}
