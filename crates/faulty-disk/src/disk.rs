//! Files, handles and faults of one simulated disk.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
};

use crate::{
    content::Content,
    faults::{DiskFault, DiskOperation, FaultRule},
    locks::FileLocks,
    memory::SharedMemory,
    random::SeededRandom,
};

/// Why a request to the disk is not carried out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Refused {
    /// Something goes wrong.
    Fault(DiskFault),
    /// The process of this handle has ended.
    Ended,
    /// There is no such file.
    Missing,
    /// The lock is held by another handle.
    Locked,
    /// The file was opened for reading only.
    NotWritable,
}

/// A file, with or without a name.
#[derive(Default, Debug)]
struct Node {
    content: Content,
    locks: FileLocks,
    memory: Weak<SharedMemory>,
    n_handles: usize,
}

/// An open file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Handle {
    number: u64,
    node: u64,
    /// The process that opened it.
    process: u64,
    pub is_writable: bool,
}

/// How a file is to be opened.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Opening {
    pub is_writable: bool,
    pub creates: bool,
    /// Whether a file that exists is an error.
    pub is_exclusive: bool,
}

/// Everything about a disk.
#[derive(Debug)]
pub(crate) struct Inner {
    random: SeededRandom,
    names: BTreeMap<String, u64>,
    nodes: BTreeMap<u64, Node>,
    /// What deleted files held on the disk, while the deletion itself may still be lost.
    deleted: BTreeMap<String, Vec<u8>>,
    next_number: u64,
    /// The number of the process that uses the disk; handles of earlier ones are dead.
    process: u64,
    pub rules: Vec<FaultRule>,
    /// Bytes that all files may have together.
    pub room: Option<u64>,
    pub n_operations: u64,
    pub injected: BTreeMap<(DiskFault, DiskOperation), u64>,
}

/// A disk that several handles share.
pub(crate) type Shared = Arc<Mutex<Inner>>;

/// Locks a disk; a test that failed elsewhere is told of there.
pub(crate) fn lock(disk: &Shared) -> MutexGuard<'_, Inner> {
    disk.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Inner {
    pub fn new(seed: u64) -> Inner {
        Inner {
            random: SeededRandom::new(seed),
            names: BTreeMap::new(),
            nodes: BTreeMap::new(),
            deleted: BTreeMap::new(),
            next_number: 1,
            process: 0,
            rules: Vec::new(),
            room: None,
            n_operations: 0,
            injected: BTreeMap::new(),
        }
    }

    pub fn process(&self) -> u64 {
        self.process
    }

    fn number(&mut self) -> u64 {
        self.next_number += 1;
        self.next_number
    }

    fn add_node(&mut self, content: Content) -> u64 {
        let id = self.number();
        self.nodes.insert(id, Node { content, ..Node::default() });
        id
    }

    /// Puts a file on the disk, without faults.
    pub fn put(&mut self, name: &str, bytes: Vec<u8>) {
        let id = self.add_node(Content::stored(bytes));
        self.names.insert(name.to_owned(), id);
    }

    /// What programs read of a file, without faults.
    pub fn get(&self, name: &str) -> Option<Vec<u8>> {
        let node = self.nodes.get(self.names.get(name)?)?;
        Some(node.content.cached().to_vec())
    }

    pub fn names(&self) -> Vec<String> {
        self.names.keys().cloned().collect()
    }

    /// Number of open handles of the present process, temporary files not counted.
    pub fn n_handles(&self) -> usize {
        self.names.values().filter_map(|it| self.nodes.get(it)).map(|it| it.n_handles).sum()
    }

    /// The process ends: its handles are dead.
    pub fn end_process(&mut self) {
        self.process += 1;
        let mut files = BTreeMap::new();
        for (name, id) in &self.names {
            if let Some(node) = self.nodes.get_mut(id) {
                files.insert(name.clone(), std::mem::take(&mut node.content));
            }
        }
        self.nodes.clear();
        self.names.clear();
        for (name, content) in files {
            let id = self.add_node(content);
            self.names.insert(name, id);
        }
    }

    /// The machine loses power.
    pub fn cut_power(&mut self) {
        self.end_process();
        let mut left: BTreeMap<String, Vec<u8>> = BTreeMap::new();
        for (name, bytes) in std::mem::take(&mut self.deleted) {
            // A deletion may not have been stored.
            if self.random.percent(50) {
                left.insert(name, bytes);
            }
        }
        for (name, id) in std::mem::take(&mut self.names) {
            let Some(node) = self.nodes.remove(&id) else { continue };
            if let Some(bytes) = node.content.left(&mut self.random) {
                left.insert(name, bytes);
            }
        }
        for (name, bytes) in left {
            self.put(&name, bytes);
        }
    }

    /// Counts a request of a process, and decides what goes wrong with it.
    pub fn begin(&mut self, process: u64, operation: DiskOperation) -> Result<(), Refused> {
        if process != self.process {
            return Err(Refused::Ended);
        }
        self.n_operations += 1;
        let (number, random) = (self.n_operations, &mut self.random);
        let rule = self.rules.iter().find(|it| it.strikes(number, operation, random));
        let Some(FaultRule { fault, .. }) = rule.copied() else { return Ok(()) };
        *self.injected.entry((fault, operation)).or_default() += 1;
        match fault {
            DiskFault::Killed => self.end_process(),
            DiskFault::PowerCut => self.cut_power(),
            _ => return Err(Refused::Fault(fault)),
        }
        Err(Refused::Ended)
    }

    fn node(&mut self, handle: Handle) -> Result<&mut Node, Refused> {
        self.nodes.get_mut(&handle.node).ok_or(Refused::Ended)
    }

    /// Opens a file; without a name, a temporary one.
    pub fn open(
        &mut self,
        process: u64,
        name: Option<&str>,
        how: Opening,
    ) -> Result<Handle, Refused> {
        let existing = name.and_then(|it| self.names.get(it).copied());
        let mut is_writable = how.is_writable;
        match self.begin(process, DiskOperation::Open) {
            Ok(()) => {}
            // Only a new file needs space.
            Err(Refused::Fault(DiskFault::Full)) if existing.is_some() => {}
            Err(Refused::Fault(DiskFault::ReadOnly)) if existing.is_some() => is_writable = false,
            Err(refused) => return Err(refused),
        }
        let node = match (existing, name) {
            (Some(_), _) if how.is_exclusive => return Err(Refused::Locked),
            (Some(node), _) => node,
            (None, Some(_)) if !how.creates => return Err(Refused::Missing),
            (None, name) => {
                let node = self.add_node(Content::default());
                if let Some(name) = name {
                    self.names.insert(name.to_owned(), node);
                }
                node
            }
        };
        let number = self.number();
        if let Some(node) = self.nodes.get_mut(&node) {
            node.n_handles += 1;
        }
        Ok(Handle { number, node, process: self.process, is_writable })
    }

    pub fn close(&mut self, handle: Handle) {
        if handle.process != self.process {
            return;
        }
        let is_named = self.names.values().any(|it| *it == handle.node);
        if let Some(node) = self.nodes.get_mut(&handle.node) {
            node.locks.unlock(handle.number, 0);
            node.n_handles -= 1;
            if node.n_handles == 0 && !is_named {
                self.nodes.remove(&handle.node);
            }
        }
    }

    /// Reads at most `into.len()` bytes; returns how many there are.
    pub fn read(&mut self, handle: Handle, at: usize, into: &mut [u8]) -> Result<usize, Refused> {
        self.begin(handle.process, DiskOperation::Read)?;
        let content = self.node(handle)?.content.cached();
        let from = content.get(at..).unwrap_or_default();
        let n = from.len().min(into.len());
        for (to, from) in into.iter_mut().zip(from) {
            *to = *from;
        }
        Ok(n)
    }

    pub fn write(&mut self, handle: Handle, at: usize, bytes: &[u8]) -> Result<(), Refused> {
        let begun = self.begin(handle.process, DiskOperation::Write);
        if !handle.is_writable {
            return Err(Refused::NotWritable);
        }
        let n = match begun {
            Ok(()) => {
                let n = self.fitting(handle, at, bytes.len());
                if n < bytes.len() {
                    let key = (DiskFault::Full, DiskOperation::Write);
                    *self.injected.entry(key).or_default() += 1;
                }
                n
            }
            Err(Refused::Fault(DiskFault::ShortWrite)) => {
                self.random.below(bytes.len() as u64) as usize
            }
            Err(refused) => return Err(refused),
        };
        if let Some(bytes) = bytes.get(..n).filter(|it| !it.is_empty()) {
            self.node(handle)?.content.write(at, bytes);
        }
        match begun {
            Ok(()) if n < bytes.len() => Err(Refused::Fault(DiskFault::Full)),
            _ => begun,
        }
    }

    /// How many bytes of a write there is room for.
    fn fitting(&self, handle: Handle, at: usize, len: usize) -> usize {
        let size = |it: &Node| it.content.cached().len();
        let Some(room) = self.room else { return len };
        let used: usize = self.nodes.values().map(size).sum();
        let own = self.nodes.get(&handle.node).map_or(0, size);
        let most = own + (room as usize).saturating_sub(used);
        len.min(most.saturating_sub(at))
    }

    pub fn truncate(&mut self, handle: Handle, len: usize) -> Result<(), Refused> {
        self.begin(handle.process, DiskOperation::Truncate)?;
        if !handle.is_writable {
            return Err(Refused::NotWritable);
        }
        self.node(handle)?.content.truncate(len);
        Ok(())
    }

    pub fn sync(&mut self, handle: Handle) -> Result<(), Refused> {
        let begun = self.begin(handle.process, DiskOperation::Sync);
        self.conclude_sync(handle.node, begun)
    }

    fn conclude_sync(&mut self, id: u64, begun: Result<(), Refused>) -> Result<(), Refused> {
        let Some(node) = self.nodes.get_mut(&id) else { return Err(Refused::Ended) };
        match begun {
            Ok(()) => {
                // The first sync of a new file is one of its folder as well, so that deletions
                // in it are final: the file system of SQLite for Unix does that for journals.
                if !node.content.is_durable() {
                    self.deleted.clear();
                }
                node.content.sync();
            }
            Err(Refused::Fault(_)) => node.content.fail_sync(&mut self.random),
            Err(_) => {}
        }
        begun
    }

    pub fn size(&mut self, handle: Handle) -> Result<usize, Refused> {
        self.begin(handle.process, DiskOperation::Size)?;
        Ok(self.node(handle)?.content.cached().len())
    }

    pub fn lock_file(&mut self, handle: Handle, level: i32) -> Result<(), Refused> {
        self.begin(handle.process, DiskOperation::Lock)?;
        if !handle.is_writable && level > crate::locks::level::SHARED {
            return Err(Refused::NotWritable);
        }
        let is_locked = self.node(handle)?.locks.lock(handle.number, level);
        if is_locked { Ok(()) } else { Err(Refused::Locked) }
    }

    pub fn unlock_file(&mut self, handle: Handle, level: i32) {
        if handle.process == self.process
            && let Ok(node) = self.node(handle)
        {
            node.locks.unlock(handle.number, level);
        }
    }

    pub fn is_reserved(&mut self, handle: Handle) -> Result<bool, Refused> {
        self.begin(handle.process, DiskOperation::Lock)?;
        Ok(self.node(handle)?.locks.is_reserved())
    }

    /// The memory that the handles of a file share.
    pub fn memory(&mut self, handle: Handle) -> Result<Arc<SharedMemory>, Refused> {
        self.begin(handle.process, DiskOperation::MemoryMap)?;
        let node = self.node(handle)?;
        let memory = node.memory.upgrade().unwrap_or_default();
        node.memory = Arc::downgrade(&memory);
        Ok(memory)
    }

    pub fn exists(&mut self, process: u64, name: &str) -> Result<bool, Refused> {
        self.begin(process, DiskOperation::Access)?;
        Ok(self.names.contains_key(name))
    }

    /// Deletes a file; unless `is_final`, a loss of power may bring it back.
    pub fn delete(&mut self, process: u64, name: &str, is_final: bool) -> Result<(), Refused> {
        self.begin(process, DiskOperation::Delete)?;
        let id = self.names.remove(name).ok_or(Refused::Missing)?;
        self.forget_name(id, name, is_final);
        Ok(())
    }

    /// A name no longer stands for a file.
    fn forget_name(&mut self, id: u64, name: &str, is_final: bool) {
        let Some(node) = self.nodes.get(&id) else { return };
        if node.content.is_durable() && !is_final {
            let left = node.content.left(&mut self.random).unwrap_or_default();
            self.deleted.insert(name.to_owned(), left);
        } else if is_final {
            self.deleted.remove(name);
        }
        if node.n_handles == 0 {
            self.nodes.remove(&id);
        }
    }

    /// Gives a file another name, for good.
    pub fn rename(&mut self, process: u64, from: &str, to: &str) -> Result<(), Refused> {
        self.begin(process, DiskOperation::Delete)?;
        let id = self.names.remove(from).ok_or(Refused::Missing)?;
        if let Some(replaced) = self.names.insert(to.to_owned(), id) {
            self.forget_name(replaced, to, true);
        }
        self.deleted.remove(from);
        self.deleted.remove(to);
        Ok(())
    }

    /// Stores a file that is not open.
    pub fn sync_name(&mut self, process: u64, name: &str) -> Result<(), Refused> {
        let begun = self.begin(process, DiskOperation::Sync);
        let id = self.names.get(name).copied();
        match id {
            Some(id) => self.conclude_sync(id, begun),
            None => begun.and(Err(Refused::Missing)),
        }
    }
}

impl Handle {
    pub fn process(self) -> u64 {
        self.process
    }

    pub fn number(self) -> u64 {
        self.number
    }
}
