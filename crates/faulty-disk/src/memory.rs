//! Memory that the connections of one process share: the index of a write-ahead log.

use std::{
    ptr::NonNull,
    sync::{Mutex, MutexGuard, PoisonError},
};

use crate::locks::MemoryLocks;

/// A piece of memory that stays where it is until it is dropped.
#[derive(Debug)]
pub(crate) struct Region(NonNull<[u64]>);

/// Shared memory with its locks.
#[derive(Default, Debug)]
pub(crate) struct SharedMemory {
    regions: Mutex<Vec<Region>>,
    locks: Mutex<MemoryLocks>,
}

impl SharedMemory {
    /// The address of a region; if it does not exist, it is created or there is none.
    pub fn region(&self, idx: usize, size: usize, creates: bool) -> Option<NonNull<u8>> {
        let mut regions = self.regions.lock().unwrap_or_else(PoisonError::into_inner);
        while creates && regions.len() <= idx {
            regions.push(Region::new(size));
        }
        regions.get(idx).map(|it| it.0.cast())
    }

    pub fn locks(&self) -> MutexGuard<'_, MemoryLocks> {
        self.locks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Region {
    fn new(size: usize) -> Region {
        let words = vec![0u64; size.div_ceil(8)].into_boxed_slice();
        Region(NonNull::from(Box::leak(words)))
    }
}

// SAFETY: a region is plain memory on the heap, which belongs to no thread; SQLite orders the
// accesses of its connections by locks and barriers.
#[expect(unsafe_code, reason = "SQLite shares memory between connections by its address")]
unsafe impl Send for Region {}

impl Drop for Region {
    #[expect(unsafe_code, reason = "the memory was taken from a box")]
    fn drop(&mut self) {
        // SAFETY: the address is that of the box that `new` leaked, which is freed only here.
        drop(unsafe { Box::from_raw(self.0.as_ptr()) });
    }
}
