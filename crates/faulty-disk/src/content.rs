//! The content of one file: what programs read, and what would be left without power.
//!
//! A write changes what is read at once, but is only on the disk after a sync that succeeded.
//! After a sync that failed the writes before it may or may not be on the disk, and the system
//! may have forgotten that they are not: a later sync then succeeds without storing them. That
//! is how Linux behaves.

use crate::random::SeededRandom;

/// The unit in which a disk stores or loses a write.
const SECTOR: usize = 512;

/// A change that no sync has stored yet.
#[derive(Clone, Debug)]
enum Change {
    Write { at: usize, bytes: Vec<u8> },
    Truncate(usize),
}

/// The content of one file.
#[derive(Clone, Default, Debug)]
pub(crate) struct Content {
    cached: Vec<u8>,
    /// `None`: without power the file would not exist.
    durable: Option<Vec<u8>>,
    unsynced: Vec<Change>,
}

impl Content {
    /// A file that is on the disk.
    pub fn stored(bytes: Vec<u8>) -> Content {
        Content { cached: bytes.clone(), durable: Some(bytes), unsynced: Vec::new() }
    }

    /// What programs read.
    pub fn cached(&self) -> &[u8] {
        &self.cached
    }

    pub fn is_durable(&self) -> bool {
        self.durable.is_some()
    }

    pub fn write(&mut self, at: usize, bytes: &[u8]) {
        let change = Change::Write { at, bytes: bytes.to_vec() };
        apply(&mut self.cached, &change, 0);
        self.unsynced.push(change);
    }

    pub fn truncate(&mut self, len: usize) {
        let change = Change::Truncate(len);
        apply(&mut self.cached, &change, 0);
        self.unsynced.push(change);
    }

    /// Stores what was written.
    pub fn sync(&mut self) {
        let durable = self.durable.get_or_insert_default();
        for change in self.unsynced.drain(..) {
            apply(durable, &change, 0);
        }
    }

    /// A sync fails: a part was stored, and the rest is forgotten or still to be stored.
    pub fn fail_sync(&mut self, random: &mut SeededRandom) {
        if random.percent(50) {
            return;
        }
        let left = self.left(random);
        self.durable = left;
        self.unsynced.clear();
    }

    /// What is left when the power goes; `None` if there is no such file then.
    pub fn left(&self, random: &mut SeededRandom) -> Option<Vec<u8>> {
        let filler = if random.percent(50) { 0 } else { 0xA5 };
        let n_changes = self.unsynced.len() as u64;
        let mut left = self.durable.clone();
        let mut store = |change: &Change| apply(left.get_or_insert_default(), change, filler);
        match random.below(4) {
            // Nothing.
            0 => {}
            // Everything.
            1 => self.unsynced.iter().for_each(store),
            // What came first.
            2 => {
                let n_first = random.below(n_changes + 1) as usize;
                self.unsynced.iter().take(n_first).for_each(store);
            }
            // Any sectors, in any order of writes.
            _ => {
                for change in &self.unsynced {
                    sectors(change).iter().filter(|_| random.percent(50)).for_each(&mut store);
                }
            }
        }
        left
    }
}

/// A change as the disk stores it, sector by sector.
fn sectors(change: &Change) -> Vec<Change> {
    let Change::Write { at, bytes } = change else { return vec![change.clone()] };
    let mut parts = Vec::new();
    let mut done = 0;
    while let Some(rest) = bytes.get(done..).filter(|it| !it.is_empty()) {
        let at = at + done;
        let len = rest.len().min(SECTOR - at % SECTOR);
        parts.push(Change::Write { at, bytes: rest.iter().take(len).copied().collect() });
        done += len;
    }
    parts
}

/// Changes bytes; a gap before a write is filled with `filler`.
fn apply(content: &mut Vec<u8>, change: &Change, filler: u8) {
    match change {
        Change::Write { at, bytes } => {
            let end = at + bytes.len();
            if content.len() < end {
                content.resize(end, filler);
            }
            if let Some(part) = content.get_mut(*at..end) {
                part.copy_from_slice(bytes);
            }
        }
        Change::Truncate(len) => content.resize(*len, filler),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Everything that can be left of a file, by trying many seeds.
    fn all_left(content: &Content) -> Vec<Option<Vec<u8>>> {
        let mut found: Vec<_> =
            (0..400).map(|seed| content.left(&mut SeededRandom::new(seed))).collect();
        found.sort();
        found.dedup();
        found
    }

    #[test]
    fn what_was_synced_is_left_and_what_was_not_is_left_in_part() {
        let mut content = Content::default();
        content.write(0, b"pond");
        assert_eq!(all_left(&content), [None, Some(b"pond".to_vec())]);
        content.sync();
        content.write(0, b"lake");
        content.write(4, b"s");
        assert_eq!(content.cached(), b"lakes");
        let found = all_left(&content);
        for left in [&b"pond"[..], b"lake", b"ponds", b"lakes"] {
            assert!(found.contains(&Some(left.to_vec())), "{left:?} in {found:?}");
        }
        content.sync();
        assert_eq!(all_left(&content), [Some(b"lakes".to_vec())]);
    }

    #[test]
    fn a_write_is_torn_between_sectors_only() {
        let mut content = Content::stored(vec![0; 1024]);
        content.write(256, &[1; 512]);
        let (old, new) = ([0; 256], [1; 256]);
        for left in all_left(&content) {
            let left = left.expect("the file is there");
            for half in [&left[256..512], &left[512..768]] {
                assert!(half == old || half == new, "{half:?}");
            }
        }
        assert_eq!(all_left(&content).len(), 4);
    }

    #[test]
    fn a_failed_sync_may_forget_what_it_did_not_store() {
        let is_forgotten = |seed| {
            let mut content = Content::stored(b"pond".to_vec());
            content.write(0, b"lake");
            content.fail_sync(&mut SeededRandom::new(seed));
            content.sync();
            assert_eq!(content.cached(), b"lake");
            content.left(&mut SeededRandom::new(0)) == Some(b"pond".to_vec())
        };
        let n_forgotten = (0..200).filter(|it| is_forgotten(*it)).count();
        assert!((20..120).contains(&n_forgotten), "{n_forgotten}");
    }
}
