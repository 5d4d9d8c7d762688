//! What a process that runs foreign code may do: set by itself before that code is loaded.
//!
//! Every system has fewer means than one would like; [`Measure`]s say which are in force.

use std::path::Path;

/// A means to confine a process, and whether the system has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Measure {
    /// What it prevents, in a few words.
    pub name: &'static str,
    /// Whether it is in force.
    pub is_on: bool,
}

/// Names of measures, as `plugin check` prints them.
const MEMORY: &str = "memory is limited";
const FILES: &str = "no files are written";
const READING: &str = "only its own folder and the system's libraries are read";
const NETWORK: &str = "no network";
const PROCESSES: &str = "no further processes, and no signals to others";

/// What is to be confined.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Confinement<'a> {
    /// Bytes of memory.
    pub memory: u64,
    /// The folder whose files may be read.
    pub folder: &'a Path,
    /// Whether the process goes on as another program.
    pub may_execute: bool,
}

impl Confinement<'_> {
    /// Confines this process. Must be called before it starts threads.
    pub fn enter(&self) -> Vec<Measure> {
        let (memory, files) = limits(self.memory);
        die_with_parent();
        let reading = only_reads(self.folder, self.may_execute);
        let (network, processes) = filter_calls();
        [
            (MEMORY, memory),
            (FILES, files || reading),
            (READING, reading),
            (NETWORK, network),
            (PROCESSES, processes),
        ]
        .map(|(name, is_on)| Measure { name, is_on })
        .into()
    }
}

/// Sets limits that hold for the whole process: whether memory and files are limited.
#[cfg(unix)]
fn limits(memory: u64) -> (bool, bool) {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let limit = |resource, most| {
        let rlimit = Rlimit { current: Some(most), maximum: Some(most) };
        setrlimit(resource, rlimit).is_ok()
    };
    limit(Resource::Core, 0);
    limit(Resource::Nofile, 64);
    let files = limit(Resource::Fsize, 0);
    // Not the address space, of which threads reserve much that they never use. macOS does not
    // enforce it.
    let memory = limit(Resource::Data, memory) && !cfg!(target_os = "macos");
    (memory, files)
}

#[cfg(not(unix))]
fn limits(_memory: u64) -> (bool, bool) {
    (false, false)
}

/// Allows processor time for one call that should take this number of seconds.
#[cfg(unix)]
pub(crate) fn allow_time(seconds: u64) {
    use rustix::{
        process::{Resource, Rlimit, setrlimit},
        time::ClockId,
    };
    /// What a call may use beyond its time.
    const SPARE: u64 = 20;
    let n_threads = std::thread::available_parallelism().map_or(1, |it| it.get() as u64);
    let used = rustix::time::clock_gettime(ClockId::ProcessCPUTime).tv_sec;
    let used = u64::try_from(used).unwrap_or(0);
    let most = used.saturating_add(seconds.saturating_add(SPARE).saturating_mul(n_threads));
    // Where it cannot be set, the deadline of the other side remains.
    let _ = setrlimit(Resource::Cpu, Rlimit { current: Some(most), maximum: None });
}

#[cfg(not(unix))]
pub(crate) fn allow_time(_seconds: u64) {}

/// Lets the system kill this process when the program that started it ends.
#[cfg(target_os = "linux")]
fn die_with_parent() {
    let _ = rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL));
}

#[cfg(not(target_os = "linux"))]
fn die_with_parent() {}

/// Allows reading below a folder and in the folders of the system's libraries, and no writing.
#[cfg(target_os = "linux")]
fn only_reads(folder: &Path, may_execute: bool) -> bool {
    use landlock::{
        ABI, Access, AccessFs, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
        RulesetCreatedAttr, RulesetStatus,
    };
    /// Where libraries, locales and time zones are, and devices that are no files.
    const SYSTEM: [&str; 11] = [
        "/lib",
        "/lib32",
        "/lib64",
        "/usr",
        "/etc/ld.so.cache",
        "/etc/localtime",
        "/nix/store",
        "/gnu/store",
        "/dev/null",
        "/dev/urandom",
        "/sys/devices/system/cpu",
    ];
    let abi = ABI::V5;
    let mut reads = AccessFs::ReadFile | AccessFs::ReadDir;
    if may_execute {
        reads |= AccessFs::Execute;
    }
    let restrict = || -> Result<bool, landlock::RulesetError> {
        let ruleset = Ruleset::default()
            .set_compatibility(CompatLevel::BestEffort)
            .handle_access(AccessFs::from_all(abi))?;
        let mut ruleset = ruleset.create()?;
        let paths = SYSTEM.iter().map(Path::new).chain([folder]);
        for path in paths {
            // Systems have some of them.
            let Ok(opened) = PathFd::new(path) else { continue };
            let access = if path.is_dir() { reads } else { reads & AccessFs::from_file(abi) };
            ruleset = ruleset.add_rule(PathBeneath::new(opened, access))?;
        }
        Ok(ruleset.restrict_self()?.ruleset != RulesetStatus::NotEnforced)
    };
    restrict().unwrap_or(false)
}

#[cfg(not(target_os = "linux"))]
fn only_reads(_folder: &Path, _may_execute: bool) -> bool {
    false
}

/// Refuses calls of the system: whether network, and processes, are out of reach.
#[cfg(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64")
))]
fn filter_calls() -> (bool, bool) {
    use std::collections::BTreeMap;

    use libc as sys;
    use seccompiler::{
        BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
        SeccompRule,
    };
    let apply = |rules: BTreeMap<i64, Vec<SeccompRule>>, errno: i32| -> Option<()> {
        let refuse = SeccompAction::Errno(errno as u32);
        let arch = std::env::consts::ARCH.try_into().ok()?;
        let filter = SeccompFilter::new(rules, SeccompAction::Allow, refuse, arch).ok()?;
        let program: BpfProgram = filter.try_into().ok()?;
        seccompiler::apply_filter(&program).ok()
    };
    let when = |argument: u8, op: SeccompCmpOp, value: u64| -> Option<Vec<SeccompRule>> {
        let condition = SeccompCondition::new(argument, SeccompCmpArgLen::Dword, op, value).ok()?;
        Some(vec![SeccompRule::new(vec![condition]).ok()?])
    };
    let network = [
        sys::SYS_socket,
        sys::SYS_socketpair,
        sys::SYS_connect,
        sys::SYS_bind,
        sys::SYS_io_uring_setup,
    ];
    let network = apply(network.into_iter().map(|it| (it, Vec::new())).collect(), sys::EACCES);
    let processes = || -> Option<()> {
        // Its arguments lie in memory, where a filter cannot see them; the C library then uses
        // `clone`, whose flags a filter sees.
        apply([(sys::SYS_clone3, Vec::new())].into(), sys::ENOSYS)?;
        let own = u64::from(std::process::id());
        let thread = sys::CLONE_THREAD as u64;
        let mut rules: BTreeMap<i64, Vec<SeccompRule>> = [
            sys::SYS_ptrace,
            sys::SYS_process_vm_readv,
            sys::SYS_process_vm_writev,
            sys::SYS_pidfd_open,
            sys::SYS_pidfd_send_signal,
            sys::SYS_pidfd_getfd,
            sys::SYS_setsid,
            sys::SYS_setpgid,
            sys::SYS_keyctl,
            sys::SYS_add_key,
            sys::SYS_bpf,
            sys::SYS_mount,
            sys::SYS_unshare,
            sys::SYS_setns,
            sys::SYS_prlimit64,
        ]
        .into_iter()
        .map(|it| (it, Vec::new()))
        .collect();
        // The limits of this process may be read and lowered.
        rules.insert(sys::SYS_prlimit64, other_than_self(own)?);
        rules.insert(sys::SYS_clone, when(0, SeccompCmpOp::MaskedEq(thread), 0)?);
        rules.insert(sys::SYS_kill, when(0, SeccompCmpOp::Ne, own)?);
        rules.insert(sys::SYS_tkill, Vec::new());
        rules.insert(sys::SYS_tgkill, when(0, SeccompCmpOp::Ne, own)?);
        rules.insert(sys::SYS_rt_sigqueueinfo, when(0, SeccompCmpOp::Ne, own)?);
        #[cfg(target_arch = "x86_64")]
        rules.extend([(sys::SYS_fork, Vec::new()), (sys::SYS_vfork, Vec::new())]);
        apply(rules, sys::EPERM)
    };
    fn other_than_self(own: u64) -> Option<Vec<SeccompRule>> {
        let not =
            |value| SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Ne, value).ok();
        Some(vec![SeccompRule::new(vec![not(0)?, not(own)?]).ok()?])
    }
    (network.is_some(), processes().is_some())
}

#[cfg(not(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64")
)))]
fn filter_calls() -> (bool, bool) {
    (false, false)
}

/// The measure of this name, if it is one that a host may tell of.
pub(crate) fn known(name: &str) -> Option<&'static str> {
    [MEMORY, FILES, READING, NETWORK, PROCESSES].into_iter().find(|it| *it == name)
}
