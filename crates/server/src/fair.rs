//! A queue in which those who wait take turns, whoever asked more often or earlier.

use std::{
    collections::{HashMap, VecDeque},
    hash::Hash,
};

/// Items that wait, each on behalf of somebody: a match, a game, a person.
///
/// Whoever has items waiting gets one served in each round, so one who queues a thousand
/// items delays another by one item and not by a thousand.
pub(crate) struct FairQueue<K, T> {
    /// Those who have items waiting, each once, next one first.
    turns: VecDeque<K>,
    waiting: HashMap<K, VecDeque<T>>,
}

impl<K, T> Default for FairQueue<K, T> {
    fn default() -> FairQueue<K, T> {
        FairQueue { turns: VecDeque::new(), waiting: HashMap::new() }
    }
}

impl<K: Clone + Eq + Hash, T> FairQueue<K, T> {
    pub fn push(&mut self, key: K, item: T) {
        let items = self.waiting.entry(key.clone()).or_default();
        if items.is_empty() {
            self.turns.push_back(key);
        }
        items.push_back(item);
    }

    /// The next item of the first in the round who `may` be served now.
    pub fn pop_if(&mut self, may: impl Fn(&K) -> bool) -> Option<(K, T)> {
        let at = self.turns.iter().position(may)?;
        self.pop_at(at)
    }

    /// Who has the least `score` of those who wait, the first of them in the round: the score
    /// and their place.
    pub fn least<S: Ord>(&self, score: impl Fn(&K) -> S) -> Option<(S, usize)> {
        let scores = self.turns.iter().enumerate().map(|(at, key)| (score(key), at));
        scores.min()
    }

    /// The next item of whoever is at this place of the round.
    pub fn pop_at(&mut self, at: usize) -> Option<(K, T)> {
        let key = self.turns.remove(at)?;
        let items = self.waiting.get_mut(&key)?;
        let item = items.pop_front()?;
        if items.is_empty() {
            self.waiting.remove(&key);
        } else {
            self.turns.push_back(key.clone());
        }
        Some((key, item))
    }

    /// The next item of the first in the round.
    pub fn pop(&mut self) -> Option<(K, T)> {
        self.pop_if(|_| true)
    }

    pub fn is_empty(&self) -> bool {
        self.turns.is_empty()
    }

    /// Those who have items waiting.
    pub fn keys(&self) -> impl Iterator<Item = &K> {
        self.turns.iter()
    }

    /// Takes all items out, in the order in which they would be served.
    pub fn drain(&mut self) -> Vec<T> {
        std::iter::from_fn(|| self.pop()).map(|it| it.1).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_who_wait_take_turns() {
        let mut queue = FairQueue::default();
        for n in 1..=3 {
            queue.push("wolf", n);
        }
        queue.push("sheep", 1);
        queue.push("pond", 1);
        let order: Vec<_> = std::iter::from_fn(|| queue.pop()).collect();
        assert_eq!(order, [("wolf", 1), ("sheep", 1), ("pond", 1), ("wolf", 2), ("wolf", 3)]);
        assert!(queue.is_empty() && queue.waiting.is_empty());
    }

    #[test]
    fn who_may_not_be_served_keeps_the_turn() {
        let mut queue = FairQueue::default();
        queue.push("wolf", 1);
        queue.push("sheep", 2);
        assert_eq!(queue.pop_if(|it| *it != "wolf"), Some(("sheep", 2)));
        assert_eq!(queue.pop_if(|it| *it != "wolf"), None);
        assert_eq!(queue.drain(), [1]);
    }
}
