//! A simulated disk for tests of the store: it runs out of space, fails, becomes read-only,
//! and loses power in the middle of a write.
//!
//! A [`FaultyDisk`] holds files in memory and is reached by SQLite as a file system of its own
//! (a VFS). It keeps apart what a program reads and what would be left without power, so that
//! a test can cut the power at any request and go on with what is left. Every fault follows
//! from [rules](FaultRule) and a seed.
//!
//! Only tests depend on this crate. It contains the only unsafe code of the project: SQLite
//! calls a file system through pointers (`vfs`) and shares memory between connections
//! (`memory`).

mod content;
mod disk;
mod faults;
mod locks;
mod memory;
mod random;
mod vfs;

use std::{
    collections::BTreeMap,
    io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard},
};

use boardwright_store::DataFiles;

use disk::{Inner, Refused, Shared};
pub use faults::{DiskFault, DiskOperation, FaultRule};
pub use random::SeededRandom;

/// A disk in memory. Clones are the same disk.
#[derive(Clone, Debug)]
pub struct FaultyDisk {
    disk: Shared,
    number: u64,
    /// The number of the process that uses this clone.
    process: u64,
    checkpoint_after: u32,
}

impl FaultyDisk {
    /// An empty disk on which nothing goes wrong yet.
    pub fn new(seed: u64) -> FaultyDisk {
        let disk = Arc::new(Mutex::new(Inner::new(seed)));
        let number = vfs::register(&disk);
        FaultyDisk { disk, number, process: 0, checkpoint_after: 1000 }
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        disk::lock(&self.disk)
    }

    /// The path of a file on this disk, as the process of this clone sees it.
    pub fn path(&self, name: &str) -> PathBuf {
        PathBuf::from(format!("{}{name}", vfs::folder(self.number, self.process)))
    }

    /// Puts a file on the disk, stored safely.
    pub fn put(&self, name: &str, bytes: Vec<u8>) {
        self.inner().put(name, bytes);
    }

    /// What programs read of a file, if there is one.
    pub fn get(&self, name: &str) -> Option<Vec<u8>> {
        self.inner().get(name)
    }

    /// The names of all files.
    pub fn names(&self) -> Vec<String> {
        self.inner().names()
    }

    /// Adds a rule by which things go wrong.
    pub fn add_rule(&self, rule: FaultRule) {
        self.inner().rules.push(rule);
    }

    /// From now on nothing goes wrong, and there is room.
    pub fn heal(&self) {
        let mut inner = self.inner();
        inner.rules.clear();
        inner.room = None;
    }

    /// The files may have this many bytes together from now on; `None` for no limit.
    pub fn set_room(&self, bytes: Option<u64>) {
        self.inner().room = bytes;
    }

    /// Bytes of all files together.
    pub fn size(&self) -> u64 {
        let inner = self.inner();
        inner.names().iter().filter_map(|it| inner.get(it)).map(|it| it.len() as u64).sum()
    }

    /// Number of requests so far, those of ended processes not counted.
    pub fn n_operations(&self) -> u64 {
        self.inner().n_operations
    }

    /// Number of faults so far, by what went wrong with which kind of request.
    pub fn injected(&self) -> BTreeMap<(DiskFault, DiskOperation), u64> {
        self.inner().injected.clone()
    }

    /// Number of open files.
    pub fn n_open(&self) -> usize {
        self.inner().n_handles()
    }

    /// The process that uses the disk ends now.
    pub fn kill(&self) {
        self.inner().end_process();
    }

    /// The machine loses power now.
    pub fn cut_power(&self) {
        self.inner().cut_power();
    }

    /// Whether the process that uses this clone has ended.
    pub fn has_ended(&self) -> bool {
        self.inner().process() != self.process
    }

    /// The disk for the next process, after this one has ended.
    #[must_use]
    pub fn restarted(&self) -> FaultyDisk {
        FaultyDisk { process: self.inner().process(), ..self.clone() }
    }

    /// SQLite moves its write-ahead log into the file after this number of pages.
    #[must_use]
    pub fn with_checkpoints(self, checkpoint_after: u32) -> FaultyDisk {
        FaultyDisk { checkpoint_after, ..self }
    }
}

/// A refusal as the system would report it.
fn to_io(refused: Refused) -> io::Error {
    let kind = match refused {
        Refused::Fault(DiskFault::Full) => io::ErrorKind::StorageFull,
        Refused::Fault(DiskFault::ReadOnly) => io::ErrorKind::ReadOnlyFilesystem,
        Refused::Missing => io::ErrorKind::NotFound,
        Refused::NotWritable => io::ErrorKind::PermissionDenied,
        Refused::Fault(_) | Refused::Ended | Refused::Locked => io::ErrorKind::Other,
    };
    io::Error::new(kind, format!("{refused:?}"))
}

/// The process and the file that a path names.
fn file(path: &Path) -> io::Result<(u64, &str)> {
    let parts = path.to_str().and_then(vfs::parts);
    let (_, process, name) = parts.ok_or_else(|| to_io(Refused::Missing))?;
    Ok((process, name))
}

impl DataFiles for FaultyDisk {
    fn vfs(&self) -> Option<&'static str> {
        Some(vfs::NAME)
    }

    fn checkpoint_after(&self) -> u32 {
        self.checkpoint_after
    }

    fn exists(&self, path: &Path) -> io::Result<bool> {
        let (process, name) = file(path)?;
        self.inner().exists(process, name).map_err(to_io)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        let (process, name) = file(path)?;
        self.inner().delete(process, name, false).map_err(to_io)
    }

    fn sync(&self, path: &Path) -> io::Result<()> {
        let (process, name) = file(path)?;
        self.inner().sync_name(process, name).map_err(to_io)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let ((process, from), (_, to)) = (file(from)?, file(to)?);
        self.inner().rename(process, from, to).map_err(to_io)
    }
}
