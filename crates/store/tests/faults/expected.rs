//! What a store must hold, given what it was told and what it has confirmed.
//!
//! A write that failed may have happened or not, wholly. Whoever reads later learns which. As
//! long as nothing else was stored, a write that is not seen can still appear after the process
//! has ended: it may be on the disk without the mark that makes it valid.

use std::{collections::BTreeMap, fmt::Debug};

use boardwright_store::{EventRow, GameRow, Summary};

/// What one item of the store may be.
#[derive(Clone, Debug)]
pub struct Possible<T> {
    /// What a read may give; the first is what was there before any write that failed.
    now: Vec<T>,
    /// What a read may give after the process has ended, besides.
    later: Vec<T>,
}

impl<T: Clone + PartialEq + Debug> Possible<T> {
    pub fn new(it: T) -> Possible<T> {
        Possible { now: vec![it], later: Vec::new() }
    }

    /// What a read may give.
    pub fn now(&self) -> &[T] {
        &self.now
    }

    /// A write failed.
    pub fn fail(&mut self, it: T) {
        if !self.now.contains(&it) {
            self.now.push(it);
        }
    }

    /// A write was confirmed. Call [`Expected::stored`] as well.
    pub fn confirm(&mut self, it: T) {
        *self = Possible::new(it);
    }

    /// The store has refused a write that needs something else: only what is not `excluded`
    /// remains.
    pub fn exclude(&mut self, what: &str, excluded: impl Fn(&T) -> bool) {
        let before = self.now.clone();
        self.now.retain(|it| !excluded(it));
        assert!(!self.now.is_empty(), "{what}: refused, although it must be one of {before:#?}");
    }

    /// A read gave this.
    pub fn read(&mut self, what: &str, it: &T) {
        let Some(at) = self.now.iter().position(|known| known == it) else {
            panic!("{what} is {it:#?}\nbut must be one of {:#?}", self.now);
        };
        if at > 0 {
            self.later.clear();
        }
        self.later.extend(self.now.drain(at + 1..));
        self.now = vec![it.clone()];
    }

    fn end_process(&mut self) {
        self.now.append(&mut self.later);
    }
}

/// A match as the store has it.
#[derive(Clone, PartialEq, Debug)]
pub struct MatchContent {
    pub summary: Summary,
    pub events: Vec<EventRow>,
}

/// Everything that a store must hold; `None` stands for an item that is not there.
#[derive(Clone, Default, Debug)]
pub struct Expected {
    pub matches: BTreeMap<String, Possible<Option<MatchContent>>>,
    pub settings: BTreeMap<String, Possible<Option<String>>>,
    pub games: BTreeMap<String, Possible<Option<GameRow>>>,
}

impl Expected {
    /// Something was stored: what failed before it and is not seen cannot appear any more.
    pub fn stored(&mut self) {
        self.matches.values_mut().for_each(|it| it.later.clear());
        self.settings.values_mut().for_each(|it| it.later.clear());
        self.games.values_mut().for_each(|it| it.later.clear());
    }

    /// The process that used the store has ended.
    pub fn end_process(&mut self) {
        self.matches.values_mut().for_each(Possible::end_process);
        self.settings.values_mut().for_each(Possible::end_process);
        self.games.values_mut().for_each(Possible::end_process);
    }

    /// The store was opened and read: what is not seen by now will not appear.
    pub fn settle(&mut self) {
        self.stored();
    }
}

/// How many times each request is in the logs that a read gave.
pub fn n_of_requests(contents: &[MatchContent]) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    for event in contents.iter().flat_map(|it| &it.events) {
        *counts.entry(event.request.as_str()).or_default() += 1;
    }
    counts
}
