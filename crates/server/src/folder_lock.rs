//! The lock of a data folder: one server at a time.

use std::{
    fs::{File, OpenOptions, TryLockError},
    io::{self, Read, Seek, Write},
    path::Path,
};

use crate::ServeError;

/// The name of the file that is locked. It holds the id of the process that did so last.
const NAME: &str = "boardwright.lock";

/// A lock on a data folder that lasts as long as this value. The system ends it with the
/// process, however that ends, so that the file may stay.
#[derive(Debug)]
pub(crate) struct FolderLock {
    _file: File,
}

impl FolderLock {
    /// Locks a folder, or says which process has done so.
    pub fn take(data: &Path) -> Result<FolderLock, ServeError> {
        let failed = |cause| ServeError::Folder { path: data.to_owned(), cause };
        let path = data.join(NAME);
        let mut options = OpenOptions::new();
        let mut file = options
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let process = process_in(&mut file);
                return Err(ServeError::InUse { path: data.to_owned(), process });
            }
            // Some file systems of networks have no locks; the database has its own.
            Err(TryLockError::Error(cause)) if cause.kind() == io::ErrorKind::Unsupported => {
                tracing::warn!(%cause, "the data folder cannot be locked");
            }
            Err(TryLockError::Error(cause)) => return Err(failed(cause)),
        }
        // For people only: on a full disk the lock holds as well.
        if let Err(cause) = write_process(&mut file) {
            tracing::warn!(%cause, "the process id cannot be written to the lock");
        }
        Ok(FolderLock { _file: file })
    }
}

fn write_process(file: &mut File) -> io::Result<()> {
    file.set_len(0)?;
    file.rewind()?;
    writeln!(file, "{}", std::process::id())
}

/// The process that has locked the file, where the system lets others read it.
fn process_in(file: &mut File) -> Option<u32> {
    let mut text = String::new();
    file.take(20).read_to_string(&mut text).ok()?;
    text.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_locked_until_the_lock_is_dropped() {
        let data = tempfile::tempdir().expect("a folder");
        let lock = FolderLock::take(data.path()).expect("it is free");
        let refused = FolderLock::take(data.path()).expect_err("it is locked");
        let said = refused.to_string();
        assert!(said.contains(&format!("process {}", std::process::id())), "{said}");
        drop(lock);
        FolderLock::take(data.path()).expect("it is free again");
    }
}
