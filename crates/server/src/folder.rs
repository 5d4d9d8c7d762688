//! The files of a game: inside the program or in the user's data folder.
//!
//! Names match in any case and with either slash, as on Windows, and never lead outside
//! the folder.

use std::{fs, path::PathBuf, sync::Arc};

use boardwright_zrf::{Files, IncludeError, Included};

use crate::error::LogError;

/// The library, inside the program.
#[derive(rust_embed::RustEmbed)]
#[folder = "$CARGO_MANIFEST_DIR/../../games"]
struct Games;

/// The presets, inside the program.
#[derive(rust_embed::RustEmbed)]
#[folder = "$CARGO_MANIFEST_DIR/../../presets"]
struct Presets;

/// Files that are listed.
const MAX_FILES: usize = 5000;
/// Depth of nested folders that are listed.
const MAX_DEPTH: usize = 12;
/// Bytes of the largest file that is read.
const MAX_BYTES: u64 = 64 << 20;

/// Where the files of a game are.
#[derive(Clone, Debug)]
enum Place {
    /// Below a folder of the library.
    Library(String),
    /// Below a folder of the presets.
    Presets(String),
    /// On the disk.
    Disk(PathBuf),
}

/// The files of a game.
#[derive(Clone, Debug)]
pub(crate) struct Folder {
    place: Place,
    /// Relative paths with slashes.
    names: Arc<Vec<String>>,
}

impl Folder {
    /// The folders of the library.
    pub fn library() -> Vec<String> {
        folders(Games::iter())
    }

    /// The folders of the presets.
    pub fn presets() -> Vec<String> {
        folders(Presets::iter())
    }

    /// A folder of the presets.
    pub fn of_presets(name: &str) -> Folder {
        let prefix = format!("{name}/");
        let names = Presets::iter().filter_map(|it| it.strip_prefix(&prefix).map(str::to_owned));
        Folder { place: Place::Presets(prefix.clone()), names: Arc::new(names.collect()) }
    }

    /// A folder of the library.
    pub fn of_library(name: &str) -> Folder {
        let prefix = format!("{name}/");
        let names = Games::iter().filter_map(|it| it.strip_prefix(&prefix).map(str::to_owned));
        Folder { place: Place::Library(prefix.clone()), names: Arc::new(names.collect()) }
    }

    /// A folder on the disk.
    pub fn on_disk(root: PathBuf) -> Folder {
        let mut names = Vec::new();
        list(&root, "", MAX_DEPTH, &mut names);
        names.sort_unstable();
        Folder { place: Place::Disk(root), names: Arc::new(names) }
    }

    /// Where it is on the disk; not known of folders inside the program.
    pub fn path(&self) -> Option<&PathBuf> {
        match &self.place {
            Place::Disk(root) => Some(root),
            Place::Library(_) | Place::Presets(_) => None,
        }
    }

    /// All files.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The actual name of a file that another file refers to by `path`.
    pub fn find(&self, from: &str, path: &str) -> Option<&str> {
        let beside = from.rsplit_once('/').map_or("", |it| it.0);
        let wanted = joined(beside, path);
        let in_root = joined("", path);
        let by_name = |wanted: &str| {
            let exact = self.names.iter().find(|it| *it == wanted);
            let lower = || wanted.to_lowercase();
            exact.or_else(|| self.names.iter().find(|it| it.to_lowercase() == lower()))
        };
        let found =
            wanted.and_then(|it| by_name(&it)).or_else(|| in_root.and_then(|it| by_name(&it)));
        found.map(|it| it.as_str())
    }

    /// The bytes of the file with this actual name.
    pub fn read(&self, name: &str) -> Option<Vec<u8>> {
        if !self.names.iter().any(|it| it == name) {
            return None;
        }
        match &self.place {
            Place::Library(prefix) => {
                Games::get(&format!("{prefix}{name}")).map(|it| it.data.into_owned())
            }
            Place::Presets(prefix) => {
                Presets::get(&format!("{prefix}{name}")).map(|it| it.data.into_owned())
            }
            Place::Disk(root) => {
                let path = root.join(name);
                let meta = fs::symlink_metadata(&path).or_warn("a file of a game is gone")?;
                // A folder on the way may have become a link since the files were listed.
                let is_inside = match (fs::canonicalize(&path), fs::canonicalize(root)) {
                    (Ok(path), Ok(root)) => path.starts_with(root),
                    _ => false,
                };
                let is_fit = is_inside && meta.is_file() && meta.len() <= MAX_BYTES;
                is_fit.then(|| fs::read(path).or_warn("a file of a game cannot be read"))?
            }
        }
    }
}

/// The top folders of the paths, each once.
fn folders(paths: impl Iterator<Item = std::borrow::Cow<'static, str>>) -> Vec<String> {
    let mut names: Vec<String> =
        paths.filter_map(|it| Some(it.split_once('/')?.0.to_owned())).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// A path below a folder with `.` and `..` resolved; `None` if it leads outside.
pub(crate) fn joined(beside: &str, path: &str) -> Option<String> {
    if path.starts_with(['/', '\\']) || path.contains([':', '\0']) {
        return None;
    }
    let mut parts: Vec<&str> = beside.split('/').filter(|it| !it.is_empty()).collect();
    for part in path.split(['/', '\\']).filter(|it| !it.is_empty() && *it != ".") {
        match part {
            ".." => {
                parts.pop()?;
            }
            _ => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

fn list(root: &std::path::Path, below: &str, depth: usize, names: &mut Vec<String>) {
    let entries = fs::read_dir(root.join(below)).or_warn("a folder of a game cannot be read");
    let Some(entries) = entries else { return };
    for entry in entries.flatten() {
        let (Ok(kind), Ok(name)) = (entry.file_type(), entry.file_name().into_string()) else {
            continue;
        };
        let name = if below.is_empty() { name } else { format!("{below}/{name}") };
        if names.len() >= MAX_FILES {
            return;
        }
        if kind.is_file() {
            names.push(name);
        } else if kind.is_dir() && depth > 0 {
            list(root, &name, depth - 1, names);
        }
    }
}

impl Files for Folder {
    fn include(&mut self, from: &str, path: &str) -> Result<Included, IncludeError> {
        let beside = from.rsplit_once('/').map_or("", |it| it.0);
        if joined(beside, path).is_none() {
            return Err(IncludeError::Outside);
        }
        let name = self.find(from, path).ok_or(IncludeError::Missing)?.to_owned();
        let bytes = self.read(&name).ok_or_else(|| IncludeError::Unreadable(name.clone()))?;
        Ok(Included { name, bytes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_stay_inside() {
        assert_eq!(joined("a", "b\\c.zrf").as_deref(), Some("a/b/c.zrf"));
        assert_eq!(joined("a", "../c.zrf").as_deref(), Some("c.zrf"));
        for path in ["../../c", "/etc/hosts", "C:\\x", "\\x", "a\0b"] {
            assert_eq!(joined("a", path), None, "{path}");
        }
    }

    #[test]
    fn files_are_found_in_any_case() {
        let dir = tempfile::tempdir().expect("a folder");
        fs::create_dir(dir.path().join("Images")).expect("works");
        fs::write(dir.path().join("Images/Wolf.BMP"), b"x").expect("works");
        let folder = Folder::on_disk(dir.path().to_owned());
        assert_eq!(folder.find("pond.zrf", "images\\wolf.bmp"), Some("Images/Wolf.BMP"));
        assert_eq!(folder.read("Images/Wolf.BMP"), Some(b"x".to_vec()));
        assert_eq!(folder.read("../secret"), None);
    }

    #[cfg(unix)]
    #[test]
    fn links_out_of_the_folder_are_not_followed() {
        use std::os::unix::fs::symlink;
        let dir = tempfile::tempdir().expect("a folder");
        let (pond, other) = (dir.path().join("pond"), dir.path().join("other"));
        fs::create_dir_all(pond.join("include")).expect("works");
        fs::create_dir(&other).expect("works");
        fs::write(other.join("secret.gc"), b"secret").expect("works");
        fs::write(pond.join("include/secret.gc"), b"own").expect("works");
        symlink(other.join("secret.gc"), pond.join("pre-game.gc")).expect("works");
        symlink(&other, pond.join("linked")).expect("works");
        let folder = Folder::on_disk(pond.clone());
        assert_eq!(folder.names(), ["include/secret.gc"]);
        assert_eq!(folder.read("pre-game.gc"), None);
        // A folder that becomes a link after the files were listed.
        fs::remove_dir_all(pond.join("include")).expect("works");
        symlink(&other, pond.join("include")).expect("works");
        assert_eq!(folder.read("include/secret.gc"), None);
    }

    #[test]
    fn the_library_is_inside() {
        assert!(Folder::library().len() > 60);
        assert!(Folder::of_library("chess").find("chess.zrf", "CHESS.zrf").is_some());
    }
}
