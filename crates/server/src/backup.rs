//! Backups of a data folder, while a server uses it.
//!
//! A backup is a data folder of its own: the database as it was at one moment, and the files of
//! own games and of trained engines. Files of a game are written before its row in the database,
//! and the database is copied first, so a backup has the files of every game it knows.

use std::{
    error::Error,
    ffi::OsString,
    fmt, fs, io,
    path::{Path, PathBuf},
};

use boardwright_store::{Store, StoreError};

use crate::DATABASE;

/// The folders beside the database that belong to the data.
const FOLDERS: &[&str] = &["games", "tuned"];

/// Why there is no backup, or why a data folder is not whole.
#[derive(Debug)]
#[non_exhaustive]
pub enum BackupError {
    /// The folder holds no database.
    NoData(PathBuf),
    /// There is something where the backup is to be.
    Exists(PathBuf),
    /// The database cannot be read, or its copy cannot be written or is not whole.
    Data(StoreError),
    /// A file beside the database cannot be copied.
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        cause: io::Error,
    },
}

impl fmt::Display for BackupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BackupError::NoData(path) => {
                write!(f, "there is no data of Boardwright in {}", path.display())
            }
            BackupError::Exists(path) => {
                write!(f, "{} exists already, and a backup replaces nothing", path.display())
            }
            BackupError::Data(cause) => write!(f, "{}", cause.with_causes()),
            BackupError::File { path, .. } => write!(f, "cannot copy {}", path.display()),
        }
    }
}

impl Error for BackupError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            BackupError::File { cause, .. } => Some(cause),
            // Its text has the causes of the database already.
            BackupError::NoData(_) | BackupError::Exists(_) | BackupError::Data(_) => None,
        }
    }
}

impl BackupError {
    /// What somebody at the machine can do about it.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            BackupError::Data(cause) => cause.hint(),
            _ => None,
        }
    }
}

/// What a backup holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BackupSize {
    /// Number of files.
    pub files: u64,
    /// Bytes of all files together.
    pub bytes: u64,
}

/// Checks the whole database of a data folder without changing it.
pub async fn verify(data: &Path) -> Result<(), BackupError> {
    Store::verify(&database(data)?).await.map_err(BackupError::Data)
}

/// Copies a data folder to a new folder, checks the copy, and waits until it is on the disk.
///
/// It is built beside its place and renamed in the end, so that what has the name of a backup
/// is a whole one.
pub async fn backup(data: &Path, target: &Path) -> Result<BackupSize, BackupError> {
    let database = database(data)?;
    let exists = || BackupError::Exists(target.to_owned());
    if fs::symlink_metadata(target).is_ok() {
        return Err(exists());
    }
    let partial = partial(target);
    let failed = |cause| BackupError::File { path: partial.clone(), cause };
    if let Some(parent) = partial.parent() {
        fs::create_dir_all(parent).map_err(failed)?;
    }
    fs::create_dir(&partial).map_err(failed)?;
    let copied = copy(data, &database, &partial).await;
    let renamed = copied.and_then(|size| {
        if fs::symlink_metadata(target).is_ok() {
            return Err(exists());
        }
        fs::rename(&partial, target).and_then(|()| sync_folder(target.parent())).map_err(failed)?;
        Ok(size)
    });
    if renamed.is_err() {
        // Only a part, which nobody should take for a backup.
        let _ = fs::remove_dir_all(&partial);
    }
    renamed
}

fn database(data: &Path) -> Result<PathBuf, BackupError> {
    let database = data.join(DATABASE);
    match database.is_file() {
        true => Ok(database),
        false => Err(BackupError::NoData(data.to_owned())),
    }
}

/// Where a backup is built.
fn partial(target: &Path) -> PathBuf {
    let mut name = OsString::from(target);
    name.push(format!(".partial-{}", std::process::id()));
    PathBuf::from(name)
}

async fn copy(data: &Path, database: &Path, target: &Path) -> Result<BackupSize, BackupError> {
    let copied = target.join(DATABASE);
    Store::copy(database, &copied).await.map_err(BackupError::Data)?;
    let bytes = fs::metadata(&copied).map_or(0, |it| it.len());
    let mut size = BackupSize { files: 1, bytes };
    for folder in FOLDERS {
        copy_folder(&data.join(folder), &target.join(folder), &mut size)?;
    }
    let failed = |cause| BackupError::File { path: target.to_owned(), cause };
    sync_folder(Some(target)).map_err(failed)?;
    Ok(size)
}

/// Copies a folder with everything in it; links are left out, and so is what vanishes meanwhile.
fn copy_folder(from: &Path, to: &Path, size: &mut BackupSize) -> Result<(), BackupError> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |cause| BackupError::File { path, cause }
    };
    let entries = match fs::read_dir(from) {
        Ok(it) => it,
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(cause) => return Err(failed(from)(cause)),
    };
    fs::create_dir(to).map_err(failed(to))?;
    for entry in entries {
        let entry = entry.map_err(failed(from))?;
        let (path, copy) = (entry.path(), to.join(entry.file_name()));
        let kind = entry.file_type().map_err(failed(&path))?;
        if kind.is_dir() {
            copy_folder(&path, &copy, size)?;
        } else if kind.is_file() {
            match fs::copy(&path, &copy) {
                Ok(bytes) => {
                    let file = fs::File::open(&copy).map_err(failed(&copy))?;
                    file.sync_all().map_err(failed(&copy))?;
                    size.files += 1;
                    size.bytes += bytes;
                }
                Err(cause) if cause.kind() == io::ErrorKind::NotFound => {}
                Err(cause) => return Err(failed(&path)(cause)),
            }
        }
    }
    sync_folder(Some(to)).map_err(failed(to))
}

/// Waits until the entries of a folder are on the disk.
fn sync_folder(folder: Option<&Path>) -> io::Result<()> {
    let folder = folder.filter(|it| !it.as_os_str().is_empty());
    // Elsewhere folders cannot be opened, and their entries are stored at once.
    match folder {
        Some(folder) if cfg!(unix) => fs::File::open(folder)?.sync_all(),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A data folder with a game of its own and a link that leads out of it.
    async fn data_folder(data: &Path) {
        let store = Store::open(&data.join(DATABASE)).await.expect("opens");
        store.set_setting("user", "Ada").await.expect("written");
        store.close().await;
        fs::create_dir_all(data.join("games/my-pond/Images")).expect("made");
        fs::write(data.join("games/my-pond/pond.zrf"), "(game)").expect("written");
        fs::write(data.join("games/my-pond/Images/Wolf.bmp"), "x").expect("written");
        #[cfg(unix)]
        std::os::unix::fs::symlink("/", data.join("games/root")).expect("made");
    }

    #[tokio::test]
    async fn a_backup_is_a_data_folder_and_replaces_nothing() {
        let dir = tempfile::tempdir().expect("a folder");
        let (data, target) = (dir.path().join("data"), dir.path().join("backups/monday"));
        let missing = backup(&data, &target).await;
        assert!(matches!(missing, Err(BackupError::NoData(_))), "{missing:?}");
        fs::create_dir(&data).expect("made");
        data_folder(&data).await;
        let size = backup(&data, &target).await.expect("copied");
        assert_eq!(size.files, 3, "{size:?}");
        assert!(target.join("games/my-pond/Images/Wolf.bmp").is_file());
        assert!(!target.join("games/root").exists(), "links are not followed");
        verify(&target).await.expect("it is whole");
        let store = Store::open(&target.join(DATABASE)).await.expect("opens");
        assert_eq!(store.setting("user").await.expect("read").as_deref(), Some("Ada"));
        let again = backup(&data, &target).await;
        assert!(matches!(again, Err(BackupError::Exists(_))), "{again:?}");
        let names: Vec<_> = fs::read_dir(dir.path().join("backups")).expect("read").collect();
        assert_eq!(names.len(), 1, "nothing partial is left: {names:?}");
    }

    #[tokio::test]
    async fn damaged_data_gives_no_backup() {
        let dir = tempfile::tempdir().expect("a folder");
        data_folder(dir.path()).await;
        let path = dir.path().join(DATABASE);
        let mut bytes = fs::read(&path).expect("read");
        // The roots of the first tables.
        bytes[4096..4 * 4096].fill(0xEE);
        fs::write(&path, bytes).expect("written");
        let target = dir.path().join("copy");
        let refused = backup(dir.path(), &target).await.expect_err("damaged");
        assert!(refused.hint().is_some(), "{refused:?}");
        assert!(!target.exists() && verify(dir.path()).await.is_err());
    }
}
