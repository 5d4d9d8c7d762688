//! The limits of a process that runs rules, set by itself before it reads anything.
//!
//! Linux and other Unix systems have all of them; of those, macOS does not enforce the one on
//! memory. Elsewhere there are none, and only the deadline of the server ends a process.

/// Bytes of memory.
#[cfg(unix)]
const MEMORY: u64 = 256 << 20;
/// Seconds of processor time for one request; more with the checks of a development build.
#[cfg(unix)]
const SECONDS: u64 = if cfg!(debug_assertions) { 16 } else { 4 };

/// Sets the limits that hold for the whole process.
#[cfg(unix)]
pub(super) fn set() {
    use rustix::process::Resource;
    // No core dumps, no files written, few opened, no further processes.
    limit(Resource::Core, 0);
    limit(Resource::Fsize, 0);
    limit(Resource::Nofile, 32);
    // Not the address space, of which threads reserve much that they never use.
    limit(Resource::Data, MEMORY);
}

/// Allows processor time for one request of this many seconds beside what it needs otherwise.
#[cfg(unix)]
pub(super) fn allow_time(search: u64) {
    use rustix::{process::Resource, time::ClockId};
    let used = rustix::time::clock_gettime(ClockId::ProcessCPUTime).tv_sec;
    let most = u64::try_from(used).unwrap_or(0) + SECONDS + search;
    let rlimit = rustix::process::Rlimit { current: Some(most), maximum: None };
    // Where it cannot be set, the server's deadline remains.
    let _ = rustix::process::setrlimit(Resource::Cpu, rlimit);
}

#[cfg(unix)]
fn limit(resource: rustix::process::Resource, most: u64) {
    let rlimit = rustix::process::Rlimit { current: Some(most), maximum: Some(most) };
    let _ = rustix::process::setrlimit(resource, rlimit);
}

#[cfg(not(unix))]
pub(super) fn set() {}

#[cfg(not(unix))]
pub(super) fn allow_time(_search: u64) {}
