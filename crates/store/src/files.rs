//! The files of a store: those of the system, unless a test simulates a disk.

use std::{fmt, fs, io, path::Path};

/// How a store reaches its files.
pub trait DataFiles: fmt::Debug + Send + Sync {
    /// The name of the file system of SQLite (VFS) that holds the database; `None` for the
    /// usual one.
    fn vfs(&self) -> Option<&'static str> {
        None
    }

    /// Number of pages in the write-ahead log after which they are moved into the database.
    fn checkpoint_after(&self) -> u32 {
        1000
    }

    /// Whether a file exists.
    fn exists(&self, path: &Path) -> io::Result<bool>;

    /// Deletes a file.
    fn remove(&self, path: &Path) -> io::Result<()>;

    /// Waits until the content of a file is on the disk.
    fn sync(&self, path: &Path) -> io::Result<()>;

    /// Gives a file another name, and waits until that is on the disk.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
}

/// The files of the system.
#[derive(Clone, Copy, Default, Debug)]
pub struct SystemFiles;

impl DataFiles for SystemFiles {
    fn exists(&self, path: &Path) -> io::Result<bool> {
        fs::exists(path)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn sync(&self, path: &Path) -> io::Result<()> {
        fs::OpenOptions::new().write(true).open(path)?.sync_all()
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)?;
        sync_folder_of(to)
    }
}

/// Waits until the entry of a file in its folder is on the disk.
fn sync_folder_of(path: &Path) -> io::Result<()> {
    // Elsewhere folders cannot be opened, and their entries are stored at once.
    if cfg!(unix)
        && let Some(folder) = path.parent().filter(|it| !it.as_os_str().is_empty())
    {
        fs::File::open(folder)?.sync_all()?;
    }
    Ok(())
}
