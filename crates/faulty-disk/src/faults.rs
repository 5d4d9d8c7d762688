//! What goes wrong, and when.

use crate::random::SeededRandom;

/// A request to the disk.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum DiskOperation {
    /// A file is opened or created.
    Open,
    /// A file is deleted or renamed.
    Delete,
    /// Whether a file exists.
    Access,
    /// A part of a file is read.
    Read,
    /// A part of a file is written.
    Write,
    /// A file gets shorter.
    Truncate,
    /// What was written is to be stored.
    Sync,
    /// The size of a file.
    Size,
    /// A file is locked.
    Lock,
    /// Memory is shared between connections.
    MemoryMap,
    /// Shared memory is locked.
    MemoryLock,
}

/// What goes wrong with a request to the disk.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum DiskFault {
    /// It fails, and nothing is done.
    Failure,
    /// A write stores its beginning and fails; anything else just fails.
    ShortWrite,
    /// There is no space left on the device.
    Full,
    /// The file system cannot be written.
    ReadOnly,
    /// Another process holds the lock.
    Busy,
    /// The process ends. What it has written can still be read.
    Killed,
    /// The machine loses power. What was not synced is lost, wholly or in part.
    PowerCut,
}

impl DiskFault {
    /// Every fault.
    pub const ALL: [DiskFault; 7] = [
        DiskFault::Failure,
        DiskFault::ShortWrite,
        DiskFault::Full,
        DiskFault::ReadOnly,
        DiskFault::Busy,
        DiskFault::Killed,
        DiskFault::PowerCut,
    ];

    /// Whether this can happen to a request.
    pub fn affects(self, operation: DiskOperation) -> bool {
        use DiskOperation::*;
        match self {
            DiskFault::Failure | DiskFault::Killed | DiskFault::PowerCut => true,
            DiskFault::ShortWrite => operation == Write,
            DiskFault::Full => matches!(operation, Open | Write | MemoryMap),
            DiskFault::ReadOnly => {
                matches!(operation, Open | Write | Truncate | Delete | MemoryMap)
            }
            DiskFault::Busy => matches!(operation, Lock | MemoryLock),
        }
    }

    /// Whether the process ends with it.
    pub fn is_end(self) -> bool {
        matches!(self, DiskFault::Killed | DiskFault::PowerCut)
    }
}

/// When a fault happens.
#[derive(Clone, Copy, Debug)]
pub struct FaultRule {
    /// What goes wrong.
    pub fault: DiskFault,
    /// The number of the first request that can be affected, counted from 1.
    pub first: u64,
    /// The number of requests from the first on that can be affected.
    pub n: u64,
    /// How many percent of these requests are affected.
    pub percent: u64,
    /// The requests that can be affected; `None` for all that the fault can happen to.
    pub only: Option<DiskOperation>,
}

impl FaultRule {
    /// A fault at one request.
    pub fn once(fault: DiskFault, at: u64) -> FaultRule {
        FaultRule { fault, first: at, n: 1, percent: 100, only: None }
    }

    /// A fault at every request from one on, until the disk is [healed](crate::FaultyDisk::heal).
    pub fn from(fault: DiskFault, first: u64) -> FaultRule {
        FaultRule { n: u64::MAX, ..FaultRule::once(fault, first) }
    }

    /// Whether the fault happens at a request with this number.
    pub(crate) fn strikes(
        &self,
        number: u64,
        operation: DiskOperation,
        random: &mut SeededRandom,
    ) -> bool {
        number >= self.first
            && number - self.first < self.n
            && self.fault.affects(operation)
            && self.only.is_none_or(|it| it == operation)
            && random.percent(self.percent)
    }
}
