//! Locks of files and of the shared memory of a write-ahead log, between the handles of one
//! simulated process.

use std::collections::BTreeMap;

/// Number of locks of a shared memory.
const N_LOCKS: usize = 8;

/// The strength of a lock on a file, as SQLite numbers them.
pub(crate) mod level {
    pub const NONE: i32 = 0;
    pub const SHARED: i32 = 1;
    pub const RESERVED: i32 = 2;
    pub const PENDING: i32 = 3;
    pub const EXCLUSIVE: i32 = 4;
}

/// The locks on one file by handle.
#[derive(Default, Debug)]
pub(crate) struct FileLocks(BTreeMap<u64, i32>);

impl FileLocks {
    /// Raises the lock of a handle; returns whether that is possible now.
    pub fn lock(&mut self, handle: u64, wanted: i32) -> bool {
        let others = self.0.iter().filter(|it| *it.0 != handle);
        let strongest = others.map(|it| *it.1).max().unwrap_or(level::NONE);
        let held = self.0.entry(handle).or_default();
        if *held >= wanted {
            return true;
        }
        match wanted {
            level::SHARED if strongest < level::PENDING => *held = wanted,
            level::RESERVED if strongest < level::RESERVED => *held = wanted,
            level::PENDING | level::EXCLUSIVE if strongest < level::RESERVED => {
                *held = level::PENDING;
                // Those who read are waited for; nobody new begins to.
                if wanted == level::EXCLUSIVE {
                    if strongest >= level::SHARED {
                        return false;
                    }
                    *held = level::EXCLUSIVE;
                }
            }
            _ => return false,
        }
        true
    }

    pub fn unlock(&mut self, handle: u64, level: i32) {
        match level {
            level::NONE => drop(self.0.remove(&handle)),
            _ => drop(self.0.insert(handle, level)),
        }
    }

    pub fn is_reserved(&self) -> bool {
        self.0.values().any(|it| *it >= level::RESERVED)
    }
}

/// The locks of one handle on a shared memory, as two sets of bits.
#[derive(Clone, Copy, Default, Debug)]
struct Held {
    shared: u8,
    exclusive: u8,
}

/// The locks on a shared memory by handle.
#[derive(Default, Debug)]
pub(crate) struct MemoryLocks(BTreeMap<u64, Held>);

impl MemoryLocks {
    fn bits(first: usize, n: usize) -> u8 {
        (first..(first + n).min(N_LOCKS)).fold(0, |bits, it| bits | 1 << it)
    }

    fn others(&self, handle: u64) -> Held {
        let others = self.0.iter().filter(|it| *it.0 != handle);
        others.fold(Held::default(), |sum, (_, it)| Held {
            shared: sum.shared | it.shared,
            exclusive: sum.exclusive | it.exclusive,
        })
    }

    pub fn lock_shared(&mut self, handle: u64, first: usize, n: usize) -> bool {
        let bits = MemoryLocks::bits(first, n);
        let is_free = self.others(handle).exclusive & bits == 0;
        if is_free {
            self.0.entry(handle).or_default().shared |= bits;
        }
        is_free
    }

    pub fn lock_exclusive(&mut self, handle: u64, first: usize, n: usize) -> bool {
        let bits = MemoryLocks::bits(first, n);
        let others = self.others(handle);
        let is_free = (others.exclusive | others.shared) & bits == 0;
        if is_free {
            self.0.entry(handle).or_default().exclusive |= bits;
        }
        is_free
    }

    pub fn unlock(&mut self, handle: u64, first: usize, n: usize) {
        let bits = MemoryLocks::bits(first, n);
        let held = self.0.entry(handle).or_default();
        held.shared &= !bits;
        held.exclusive &= !bits;
    }

    /// Ends the locks of a handle.
    pub fn forget(&mut self, handle: u64) {
        self.0.remove(&handle);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readers_share_a_file_and_a_writer_waits_for_them() {
        let mut locks = FileLocks::default();
        assert!(locks.lock(1, level::SHARED) && locks.lock(2, level::SHARED));
        assert!(locks.lock(1, level::RESERVED) && !locks.lock(2, level::RESERVED));
        assert!(!locks.lock(1, level::EXCLUSIVE), "handle 2 reads");
        assert!(!locks.lock(3, level::SHARED), "handle 1 waits");
        locks.unlock(2, level::NONE);
        assert!(locks.lock(1, level::EXCLUSIVE) && locks.is_reserved());
        locks.unlock(1, level::NONE);
        assert!(locks.lock(3, level::SHARED) && !locks.is_reserved());
    }

    #[test]
    fn a_lock_of_memory_is_exclusive_or_shared() {
        let mut locks = MemoryLocks::default();
        assert!(locks.lock_shared(1, 3, 1) && locks.lock_shared(2, 3, 1));
        assert!(!locks.lock_exclusive(3, 2, 3) && locks.lock_exclusive(3, 4, 2));
        assert!(!locks.lock_shared(1, 5, 1));
        locks.forget(3);
        locks.unlock(2, 3, 1);
        assert!(locks.lock_exclusive(1, 0, 8));
    }
}
