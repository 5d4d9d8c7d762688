//! The disk as a file system of SQLite.
//!
//! One file system serves all disks: the first folder of a path names the disk and the process
//! that uses it, so that what is left of a process that has ended cannot do anything more.
//! <https://www.sqlite.org/c3ref/vfs.html> and <https://www.sqlite.org/c3ref/io_methods.html>
//! say what each function must do.

#![expect(unsafe_code, reason = "SQLite calls a file system through pointers")]

use std::{
    collections::BTreeMap,
    ffi::{CStr, c_char, c_int, c_void},
    ptr,
    sync::{
        Arc, LazyLock, Mutex, Once, PoisonError, Weak,
        atomic::{AtomicU64, Ordering, fence},
    },
    thread,
    time::{Duration, SystemTime},
};

use libsqlite3_sys as sys;

use crate::{
    disk::{self, Handle, Inner, Opening, Refused, Shared},
    faults::{DiskFault, DiskOperation},
    memory::SharedMemory,
};

/// The name by which SQLite finds the file system.
pub(crate) const NAME: &str = "boardwright-faulty-disk";
const C_NAME: &CStr = c"boardwright-faulty-disk";
/// The longest path.
const MAX_PATH: c_int = 512;
/// The longest real sleep: time that SQLite waits for a lock passes faster here.
const MAX_SLEEP: Duration = Duration::from_micros(50);
/// Milliseconds between the beginning of the Julian calendar of SQLite and of Unix time.
const JULIAN_TO_UNIX: i64 = 210_866_760_000_000;

static DISKS: LazyLock<Mutex<BTreeMap<u64, Weak<Mutex<Inner>>>>> = LazyLock::new(Mutex::default);
static NEXT_DISK: AtomicU64 = AtomicU64::new(1);

/// Makes a disk known to SQLite; returns its number.
pub(crate) fn register(disk: &Shared) -> u64 {
    static REGISTERED: Once = Once::new();
    REGISTERED.call_once(|| {
        // SAFETY: the table lives as long as the process, and all its functions are those below.
        let code = unsafe { sys::sqlite3_vfs_register(Box::leak(Box::new(table())), 0) };
        assert_eq!(code, sys::SQLITE_OK, "SQLite takes another file system");
    });
    let number = NEXT_DISK.fetch_add(1, Ordering::Relaxed);
    let mut disks = DISKS.lock().unwrap_or_else(PoisonError::into_inner);
    disks.retain(|_, it| it.strong_count() > 0);
    disks.insert(number, Arc::downgrade(disk));
    number
}

/// The folder in which a process sees a disk.
pub(crate) fn folder(disk: u64, process: u64) -> String {
    format!("/disk-{disk}-{process}/")
}

/// A path: the disk, the process, and the name of the file.
pub(crate) fn parts(path: &str) -> Option<(u64, u64, &str)> {
    let (folder, name) = path.strip_prefix("/disk-")?.split_once('/')?;
    let (disk, process) = folder.split_once('-')?;
    Some((disk.parse().ok()?, process.parse().ok()?, name))
}

/// The disk, the process and the file that a path names.
fn find(path: &str) -> Option<(Shared, u64, &str)> {
    let (number, process, name) = parts(path)?;
    let disks = DISKS.lock().unwrap_or_else(PoisonError::into_inner);
    let disk = disks.get(&number).and_then(Weak::upgrade)?;
    Some((disk, process, name))
}

/// A file as SQLite allocates it: its own part first, ours behind it.
#[repr(C)]
struct OpenFile {
    base: sys::sqlite3_file,
    ours: *mut Ours,
}

/// What belongs to an open file.
struct Ours {
    disk: Shared,
    handle: Handle,
    /// The file to delete when it is closed.
    deletes: Option<String>,
    memory: Option<Arc<SharedMemory>>,
}

/// What belongs to a file that SQLite passes to one of the functions below.
///
/// # Safety
/// `file` is one that `open` has opened and `close` not yet closed.
unsafe fn ours<'a>(file: *mut sys::sqlite3_file) -> &'a mut Ours {
    // SAFETY: by the contract, `ours` was set by `open`; SQLite uses a file in one thread at a
    // time, so there is no other reference.
    unsafe { &mut *(*file.cast::<OpenFile>()).ours }
}

/// The text that SQLite passes as a path.
///
/// # Safety
/// `name` is null or a text that ends with a zero byte and stays while it is used.
unsafe fn path<'a>(name: *const c_char) -> Option<&'a str> {
    if name.is_null() {
        return None;
    }
    // SAFETY: by the contract.
    unsafe { CStr::from_ptr(name) }.to_str().ok()
}

/// The result code for a request: `failed` if it failed for no other reason.
fn code(result: Result<(), Refused>, failed: c_int) -> c_int {
    match result {
        Ok(()) => sys::SQLITE_OK,
        Err(Refused::Fault(DiskFault::Full)) => match failed {
            sys::SQLITE_IOERR_SHMMAP => sys::SQLITE_IOERR_SHMSIZE,
            sys::SQLITE_CANTOPEN => sys::SQLITE_CANTOPEN,
            _ => sys::SQLITE_FULL,
        },
        Err(Refused::Fault(DiskFault::Busy) | Refused::Locked) => sys::SQLITE_BUSY,
        Err(Refused::Fault(_) | Refused::Ended | Refused::Missing | Refused::NotWritable) => failed,
    }
}

unsafe extern "C" fn open(
    _: *mut sys::sqlite3_vfs,
    name: *const c_char,
    file: *mut sys::sqlite3_file,
    flags: c_int,
    out_flags: *mut c_int,
) -> c_int {
    // SAFETY: SQLite passes memory of the size that the table names, and a name or null.
    let (file, name) = unsafe {
        (*file).pMethods = ptr::null();
        (&mut *file.cast::<OpenFile>(), path(name))
    };
    // Temporary files never fail: what they hold is needed by nobody.
    let (disk, process, name) = match name.map(find) {
        None => (Arc::new(Mutex::new(Inner::new(0))), 0, None),
        Some(Some((disk, process, name))) => (disk, process, Some(name)),
        Some(None) => return sys::SQLITE_CANTOPEN,
    };
    let how = Opening {
        is_writable: flags & sys::SQLITE_OPEN_READWRITE != 0,
        creates: flags & sys::SQLITE_OPEN_CREATE != 0,
        is_exclusive: flags & sys::SQLITE_OPEN_EXCLUSIVE != 0,
    };
    let opened = disk::lock(&disk).open(process, name, how);
    let handle = match opened {
        Ok(it) => it,
        Err(refused) => return code(Err(refused), sys::SQLITE_CANTOPEN),
    };
    let deletes = (flags & sys::SQLITE_OPEN_DELETEONCLOSE != 0).then_some(name).flatten();
    let ours = Ours { disk, handle, deletes: deletes.map(str::to_owned), memory: None };
    file.ours = Box::into_raw(Box::new(ours));
    file.base.pMethods = &raw const METHODS;
    if !out_flags.is_null() {
        let access = match handle.is_writable {
            true => sys::SQLITE_OPEN_READWRITE,
            false => sys::SQLITE_OPEN_READONLY,
        };
        let kept = flags & !(sys::SQLITE_OPEN_READWRITE | sys::SQLITE_OPEN_READONLY);
        // SAFETY: it is not null, so it is a place for the flags.
        unsafe { *out_flags = kept | access };
    }
    sys::SQLITE_OK
}

unsafe extern "C" fn close(file: *mut sys::sqlite3_file) -> c_int {
    // SAFETY: the file is open, and SQLite does not use it after this.
    let ours = unsafe { Box::from_raw((*file.cast::<OpenFile>()).ours) };
    forget_memory(&ours);
    let mut disk = disk::lock(&ours.disk);
    disk.close(ours.handle);
    if let Some(name) = &ours.deletes {
        let _ = disk.delete(ours.handle.process(), name, false);
    }
    sys::SQLITE_OK
}

unsafe extern "C" fn read(
    file: *mut sys::sqlite3_file,
    into: *mut c_void,
    len: c_int,
    at: i64,
) -> c_int {
    // SAFETY: the file is open, and there are `len` bytes to write to.
    let (ours, into) =
        unsafe { (ours(file), std::slice::from_raw_parts_mut(into.cast::<u8>(), len as usize)) };
    // A short read is filled with zeros.
    into.fill(0);
    let done = disk::lock(&ours.disk).read(ours.handle, at as usize, into);
    match done {
        Ok(n) if n < into.len() => sys::SQLITE_IOERR_SHORT_READ,
        other => code(other.map(drop), sys::SQLITE_IOERR_READ),
    }
}

unsafe extern "C" fn write(
    file: *mut sys::sqlite3_file,
    from: *const c_void,
    len: c_int,
    at: i64,
) -> c_int {
    // SAFETY: the file is open, and there are `len` bytes to read.
    let (ours, from) =
        unsafe { (ours(file), std::slice::from_raw_parts(from.cast::<u8>(), len as usize)) };
    let done = disk::lock(&ours.disk).write(ours.handle, at as usize, from);
    match done {
        Err(Refused::NotWritable) => sys::SQLITE_READONLY,
        other => code(other, sys::SQLITE_IOERR_WRITE),
    }
}

unsafe extern "C" fn truncate(file: *mut sys::sqlite3_file, len: i64) -> c_int {
    // SAFETY: the file is open.
    let ours = unsafe { ours(file) };
    let done = disk::lock(&ours.disk).truncate(ours.handle, len as usize);
    code(done, sys::SQLITE_IOERR_TRUNCATE)
}

unsafe extern "C" fn sync(file: *mut sys::sqlite3_file, _: c_int) -> c_int {
    // SAFETY: the file is open.
    let ours = unsafe { ours(file) };
    let done = disk::lock(&ours.disk).sync(ours.handle);
    code(done, sys::SQLITE_IOERR_FSYNC)
}

unsafe extern "C" fn file_size(file: *mut sys::sqlite3_file, size: *mut i64) -> c_int {
    // SAFETY: the file is open.
    let ours = unsafe { ours(file) };
    let found = disk::lock(&ours.disk).size(ours.handle);
    if let Ok(found) = found {
        // SAFETY: SQLite passes a place for the size.
        unsafe { *size = found as i64 };
    }
    code(found.map(drop), sys::SQLITE_IOERR_FSTAT)
}

unsafe extern "C" fn lock(file: *mut sys::sqlite3_file, level: c_int) -> c_int {
    // SAFETY: the file is open.
    let ours = unsafe { ours(file) };
    let done = disk::lock(&ours.disk).lock_file(ours.handle, level);
    code(done, sys::SQLITE_IOERR_LOCK)
}

unsafe extern "C" fn unlock(file: *mut sys::sqlite3_file, level: c_int) -> c_int {
    // SAFETY: the file is open.
    let ours = unsafe { ours(file) };
    disk::lock(&ours.disk).unlock_file(ours.handle, level);
    sys::SQLITE_OK
}

unsafe extern "C" fn check_reserved_lock(
    file: *mut sys::sqlite3_file,
    is_reserved: *mut c_int,
) -> c_int {
    // SAFETY: the file is open.
    let ours = unsafe { ours(file) };
    let found = disk::lock(&ours.disk).is_reserved(ours.handle);
    if let Ok(found) = found {
        // SAFETY: SQLite passes a place for the answer.
        unsafe { *is_reserved = c_int::from(found) };
    }
    code(found.map(drop), sys::SQLITE_IOERR_CHECKRESERVEDLOCK)
}

unsafe extern "C" fn file_control(_: *mut sys::sqlite3_file, _: c_int, _: *mut c_void) -> c_int {
    sys::SQLITE_NOTFOUND
}

unsafe extern "C" fn sector_size(_: *mut sys::sqlite3_file) -> c_int {
    4096
}

/// As SQLite assumes of disks on Unix: a write that is torn leaves the bytes beside it alone.
unsafe extern "C" fn device_characteristics(_: *mut sys::sqlite3_file) -> c_int {
    sys::SQLITE_IOCAP_POWERSAFE_OVERWRITE
}

unsafe extern "C" fn map_memory(
    file: *mut sys::sqlite3_file,
    region: c_int,
    size: c_int,
    extends: c_int,
    out: *mut *mut c_void,
) -> c_int {
    // SAFETY: the file is open, and SQLite passes a place for the address.
    let ours = unsafe {
        *out = ptr::null_mut();
        ours(file)
    };
    let memory = match (disk::lock(&ours.disk).memory(ours.handle), &ours.memory) {
        (Ok(_), Some(memory)) => memory,
        (Ok(memory), None) => ours.memory.insert(memory),
        (Err(refused), _) => return code(Err(refused), sys::SQLITE_IOERR_SHMMAP),
    };
    let found = memory.region(region as usize, size as usize, extends != 0);
    if let Some(found) = found {
        // SAFETY: as above.
        unsafe { *out = found.as_ptr().cast() };
    }
    sys::SQLITE_OK
}

unsafe extern "C" fn lock_memory(
    file: *mut sys::sqlite3_file,
    first: c_int,
    n: c_int,
    flags: c_int,
) -> c_int {
    // SAFETY: the file is open.
    let ours = unsafe { ours(file) };
    let Some(memory) = &ours.memory else { return sys::SQLITE_IOERR_SHMLOCK };
    let (number, first, n) = (ours.handle.number(), first as usize, n as usize);
    if flags & sys::SQLITE_SHM_UNLOCK != 0 {
        memory.locks().unlock(number, first, n);
        return sys::SQLITE_OK;
    }
    let begun = disk::lock(&ours.disk).begin(ours.handle.process(), DiskOperation::MemoryLock);
    if begun.is_err() {
        return code(begun, sys::SQLITE_IOERR_SHMLOCK);
    }
    let is_locked = match flags & sys::SQLITE_SHM_SHARED != 0 {
        true => memory.locks().lock_shared(number, first, n),
        false => memory.locks().lock_exclusive(number, first, n),
    };
    if is_locked { sys::SQLITE_OK } else { sys::SQLITE_BUSY }
}

unsafe extern "C" fn memory_barrier(_: *mut sys::sqlite3_file) {
    fence(Ordering::SeqCst);
}

unsafe extern "C" fn unmap_memory(file: *mut sys::sqlite3_file, _: c_int) -> c_int {
    // SAFETY: the file is open.
    let ours = unsafe { ours(file) };
    forget_memory(ours);
    ours.memory = None;
    sys::SQLITE_OK
}

fn forget_memory(ours: &Ours) {
    if let Some(memory) = &ours.memory {
        memory.locks().forget(ours.handle.number());
    }
}

unsafe extern "C" fn delete(
    _: *mut sys::sqlite3_vfs,
    name: *const c_char,
    syncs_folder: c_int,
) -> c_int {
    // SAFETY: SQLite passes a path.
    let Some(name) = (unsafe { path(name) }) else { return sys::SQLITE_IOERR_DELETE };
    let Some((disk, process, name)) = find(name) else { return sys::SQLITE_IOERR_DELETE };
    match disk::lock(&disk).delete(process, name, syncs_folder != 0) {
        Err(Refused::Missing) => sys::SQLITE_IOERR_DELETE_NOENT,
        other => code(other, sys::SQLITE_IOERR_DELETE),
    }
}

unsafe extern "C" fn access(
    _: *mut sys::sqlite3_vfs,
    name: *const c_char,
    _: c_int,
    exists: *mut c_int,
) -> c_int {
    // SAFETY: SQLite passes a path.
    let Some(name) = (unsafe { path(name) }) else { return sys::SQLITE_IOERR_ACCESS };
    let Some((disk, process, name)) = find(name) else { return sys::SQLITE_IOERR_ACCESS };
    let found = disk::lock(&disk).exists(process, name);
    // SAFETY: SQLite passes a place for the answer.
    unsafe { *exists = c_int::from(found == Ok(true)) };
    code(found.map(drop), sys::SQLITE_IOERR_ACCESS)
}

unsafe extern "C" fn full_path_name(
    _: *mut sys::sqlite3_vfs,
    name: *const c_char,
    len: c_int,
    out: *mut c_char,
) -> c_int {
    // SAFETY: SQLite passes a path.
    let name = unsafe { CStr::from_ptr(name) }.to_bytes_with_nul();
    if name.len() > len as usize {
        return sys::SQLITE_CANTOPEN;
    }
    // SAFETY: there is room for `len` bytes, which the name does not exceed.
    unsafe { ptr::copy_nonoverlapping(name.as_ptr().cast(), out, name.len()) };
    sys::SQLITE_OK
}

/// Random bytes; SQLite seeds its own generator with those of the default file system.
unsafe extern "C" fn randomness(_: *mut sys::sqlite3_vfs, len: c_int, out: *mut c_char) -> c_int {
    // SAFETY: there is room for `len` bytes.
    unsafe { ptr::write_bytes(out, 0x55, len as usize) };
    len
}

unsafe extern "C" fn sleep(_: *mut sys::sqlite3_vfs, microseconds: c_int) -> c_int {
    let wanted = Duration::from_micros(u64::try_from(microseconds).unwrap_or(0));
    thread::sleep(wanted.min(MAX_SLEEP));
    microseconds
}

unsafe extern "C" fn current_time_int64(_: *mut sys::sqlite3_vfs, out: *mut i64) -> c_int {
    let now = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default();
    // SAFETY: SQLite passes a place for the time.
    unsafe { *out = JULIAN_TO_UNIX + now.as_millis() as i64 };
    sys::SQLITE_OK
}

unsafe extern "C" fn last_error(_: *mut sys::sqlite3_vfs, _: c_int, _: *mut c_char) -> c_int {
    0
}

/// The functions for open files.
static METHODS: sys::sqlite3_io_methods = sys::sqlite3_io_methods {
    iVersion: 2,
    xClose: Some(close),
    xRead: Some(read),
    xWrite: Some(write),
    xTruncate: Some(truncate),
    xSync: Some(sync),
    xFileSize: Some(file_size),
    xLock: Some(lock),
    xUnlock: Some(unlock),
    xCheckReservedLock: Some(check_reserved_lock),
    xFileControl: Some(file_control),
    xSectorSize: Some(sector_size),
    xDeviceCharacteristics: Some(device_characteristics),
    xShmMap: Some(map_memory),
    xShmLock: Some(lock_memory),
    xShmBarrier: Some(memory_barrier),
    xShmUnmap: Some(unmap_memory),
    xFetch: None,
    xUnfetch: None,
};

/// The functions of the file system.
fn table() -> sys::sqlite3_vfs {
    sys::sqlite3_vfs {
        iVersion: 2,
        szOsFile: size_of::<OpenFile>() as c_int,
        mxPathname: MAX_PATH,
        pNext: ptr::null_mut(),
        zName: C_NAME.as_ptr(),
        pAppData: ptr::null_mut(),
        xOpen: Some(open),
        xDelete: Some(delete),
        xAccess: Some(access),
        xFullPathname: Some(full_path_name),
        xDlOpen: None,
        xDlError: None,
        xDlSym: None,
        xDlClose: None,
        xRandomness: Some(randomness),
        xSleep: Some(sleep),
        xCurrentTime: None,
        xGetLastError: Some(last_error),
        xCurrentTimeInt64: Some(current_time_int64),
        xSetSystemCall: None,
        xGetSystemCall: None,
        xNextSystemCall: None,
    }
}
