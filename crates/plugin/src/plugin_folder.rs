//! The engines of a user: a folder of libraries, and which of them may run.
//!
//! A library is foreign code, so nobody but the user says which one runs. The answer is kept
//! for the hash of the file: another file of the same name is asked about again.

use std::{
    ffi::OsStr,
    fs, io,
    path::{Path, PathBuf},
};

use sha2::{Digest, Sha256};

/// Bytes of a library at most.
const MAX_BYTES: u64 = 256 << 20;
/// Folders below a rule file that are searched, one within the other.
const MAX_DEPTH: usize = 4;
/// Entries of folders that are looked at.
const MAX_ENTRIES: usize = 10_000;
/// The file with the hashes of engines that may run.
const ALLOWED: &str = "allowed.txt";

/// The folder of a user's engines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PluginFolder(PathBuf);

/// A library that may be an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineFile {
    /// Its name without extension.
    pub name: String,
    /// Where it is.
    pub path: PathBuf,
    /// The SHA-256 of its bytes, in hexadecimal digits.
    pub hash: String,
    /// The system that it was made for.
    pub made_for: MadeFor,
}

/// The system that a library was made for, by its first bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MadeFor {
    /// This one, as far as the first bytes tell.
    ThisSystem,
    /// Windows with 32 bits, as the original's engines are.
    Windows32,
    /// Another one.
    Other,
}

impl EngineFile {
    /// Reads a file; fails if it is too large to be an engine.
    pub fn open(path: &Path) -> io::Result<EngineFile> {
        if fs::metadata(path)?.len() > MAX_BYTES {
            return Err(io::Error::other("it is larger than 256 MB"));
        }
        let bytes = fs::read(path)?;
        let hash = Sha256::digest(&bytes).iter().map(|it| format!("{it:02x}")).collect();
        let name = stem(path.file_name().unwrap_or_default());
        let path = path.canonicalize()?;
        Ok(EngineFile { name, path, hash, made_for: made_for(&bytes) })
    }
}

/// The name of a file without its extension.
fn stem(name: &OsStr) -> String {
    Path::new(name).file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn made_for(bytes: &[u8]) -> MadeFor {
    let at = |offset: usize, n: usize| bytes.get(offset..offset + n).unwrap_or_default();
    let is_pe = at(0, 2) == b"MZ";
    let header = at(0x3c, 4).try_into().map_or(0, u32::from_le_bytes) as usize;
    let is_32 = is_pe && at(header, 6) == [b'P', b'E', 0, 0, 0x4c, 0x01];
    let is_own = match std::env::consts::OS {
        "windows" => is_pe && !is_32,
        "macos" => {
            [[0xcf, 0xfa, 0xed, 0xfe], [0xca, 0xfe, 0xba, 0xbe]].iter().any(|it| at(0, 4) == it)
        }
        _ => at(0, 4) == b"\x7fELF",
    };
    match (is_own, is_32) {
        (true, _) => MadeFor::ThisSystem,
        (_, true) => MadeFor::Windows32,
        _ => MadeFor::Other,
    }
}

impl PluginFolder {
    /// A folder that need not exist yet.
    pub fn new(path: PathBuf) -> PluginFolder {
        PluginFolder(path)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The engines in it, by name.
    pub fn list(&self) -> Vec<EngineFile> {
        let entries = fs::read_dir(&self.0).into_iter().flatten().flatten();
        let files = entries.map(|it| it.path()).filter(|it| is_library(it));
        let mut found: Vec<EngineFile> =
            files.filter_map(|it| EngineFile::open(&it).ok()).collect();
        found.sort_by_key(|it| it.name.to_lowercase());
        found
    }

    /// Copies an engine into the folder and allows it to run.
    pub fn add(&self, file: &EngineFile) -> io::Result<EngineFile> {
        fs::create_dir_all(&self.0)?;
        let name = file.path.file_name().ok_or_else(|| io::Error::other("it has no name"))?;
        let copy = self.0.join(name);
        if copy.canonicalize().ok().as_ref() != Some(&file.path) {
            fs::copy(&file.path, &copy)?;
        }
        let added = EngineFile::open(&copy)?;
        self.allow(&added)?;
        Ok(added)
    }

    /// Removes an engine from the folder, and what was allowed.
    pub fn remove(&self, file: &EngineFile) -> io::Result<()> {
        fs::remove_file(&file.path)?;
        let kept = self.allowed().into_iter().filter(|it| !it.starts_with(&file.hash));
        self.write(&kept.collect::<Vec<_>>())
    }

    /// Whether the user has allowed exactly this file.
    pub fn is_allowed(&self, file: &EngineFile) -> bool {
        self.allowed().iter().any(|it| it.split(' ').next() == Some(file.hash.as_str()))
    }

    /// Remembers that the user allows exactly this file.
    pub fn allow(&self, file: &EngineFile) -> io::Result<()> {
        if self.is_allowed(file) {
            return Ok(());
        }
        let mut lines = self.allowed();
        lines.push(format!("{} {}", file.hash, boardwright_text::render::printable(&file.name)));
        self.write(&lines)
    }

    fn allowed(&self) -> Vec<String> {
        let text = fs::read_to_string(self.0.join(ALLOWED)).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    fn write(&self, lines: &[String]) -> io::Result<()> {
        fs::create_dir_all(&self.0)?;
        // Whole or not at all: half a file would forget answers.
        let new = self.0.join(format!("{ALLOWED}.new"));
        fs::write(&new, lines.join("\n") + "\n")?;
        fs::rename(new, self.0.join(ALLOWED))
    }

    /// The engine that a rule file or a person names: `Engines\Foo.dll` is looked for as `Foo`,
    /// in any letter case and with the extension of this system, below the folder of the rule
    /// file and in this one. A library for Windows is found if there is no other.
    pub fn find(&self, wanted: &str, tree: Option<&Path>) -> Option<EngineFile> {
        let last = wanted.rsplit(['\\', '/']).next().unwrap_or_default();
        let wanted = stem(OsStr::new(last)).to_lowercase();
        if wanted.is_empty() {
            return None;
        }
        let mut paths = Vec::new();
        if let Some(tree) = tree {
            libraries_below(tree, MAX_DEPTH, &mut MAX_ENTRIES.clone(), &mut paths);
        }
        libraries_below(&self.0, 0, &mut MAX_ENTRIES.clone(), &mut paths);
        let names = |path: &Path| {
            let name = stem(path.file_name().unwrap_or_default()).to_lowercase();
            name == wanted || name.strip_prefix("lib") == Some(&wanted)
        };
        let found = paths.iter().filter(|it| names(it)).filter_map(|it| EngineFile::open(it).ok());
        let mut found: Vec<EngineFile> = found.collect();
        found.sort_by_key(|it| it.made_for != MadeFor::ThisSystem);
        found.into_iter().next()
    }
}

fn is_library(path: &Path) -> bool {
    let extension = path.extension().and_then(OsStr::to_str).unwrap_or_default();
    [std::env::consts::DLL_EXTENSION, "dll"].iter().any(|it| it.eq_ignore_ascii_case(extension))
}

/// Files that may be libraries, in a folder and in folders within it; links are not followed.
fn libraries_below(folder: &Path, depth: usize, left: &mut usize, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut entries: Vec<_> = entries.flatten().take(*left).collect();
    *left -= entries.len();
    entries.sort_by_key(|it| it.file_name());
    for entry in entries {
        let Ok(kind) = entry.file_type() else { continue };
        if kind.is_file() && is_library(&entry.path()) {
            found.push(entry.path());
        } else if kind.is_dir() && depth > 0 {
            libraries_below(&entry.path(), depth - 1, left, found);
        }
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may stop where it stands")]
mod tests {
    use super::*;

    fn own(bytes: &str) -> Vec<u8> {
        let mark: &[u8] = match std::env::consts::OS {
            "windows" => b"MZ",
            "macos" => &[0xcf, 0xfa, 0xed, 0xfe],
            _ => b"\x7fELF",
        };
        [mark, bytes.as_bytes()].concat()
    }

    #[test]
    fn an_engine_is_found_as_rule_files_of_windows_name_it() {
        let (tree, home) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let folder = PluginFolder::new(home.path().to_owned());
        let extension = std::env::consts::DLL_EXTENSION;
        let named = |it: &str| folder.find(it, Some(tree.path())).map(|it| it.path);
        assert_eq!(named("Engines\\Jello.dll"), None);
        fs::write(home.path().join(format!("libjello.{extension}")), own("home")).unwrap();
        assert!(
            named("Engines\\Jello.dll").unwrap().starts_with(home.path().canonicalize().unwrap())
        );
        fs::create_dir(tree.path().join("ENGINES")).unwrap();
        fs::write(tree.path().join(format!("ENGINES/JELLO.{extension}")), own("tree")).unwrap();
        assert!(
            named("Engines\\Jello.dll").unwrap().starts_with(tree.path().canonicalize().unwrap())
        );
        for nothing in ["", "\\", "Engines\\", "..", "../Jello.dll/.."] {
            assert_eq!(named(nothing), None, "{nothing}");
        }
        // Only the name counts: no path leads out of the two folders.
        assert!(named("../../../Jello.dll").is_some());
    }

    #[test]
    fn a_changed_file_is_asked_about_again() {
        let home = tempfile::tempdir().unwrap();
        let folder = PluginFolder::new(home.path().join("plugins"));
        let path = home.path().join(format!("foo.{}", std::env::consts::DLL_EXTENSION));
        fs::write(&path, own("one")).unwrap();
        let file = EngineFile::open(&path).unwrap();
        assert!(!folder.is_allowed(&file));
        folder.allow(&file).unwrap();
        assert!(folder.is_allowed(&file));
        fs::write(&path, own("two")).unwrap();
        assert!(!folder.is_allowed(&EngineFile::open(&path).unwrap()));
        let added = folder.add(&file).unwrap();
        assert!(folder.is_allowed(&added));
        assert_eq!(folder.list().len(), 1);
        folder.remove(&added).unwrap();
        assert!(folder.list().is_empty() && !folder.is_allowed(&added));
    }

    #[test]
    fn libraries_of_old_windows_are_told_from_others() {
        let mut pe = vec![0; 0x80];
        pe[..2].copy_from_slice(b"MZ");
        pe[0x3c] = 0x40;
        pe[0x40..0x46].copy_from_slice(&[b'P', b'E', 0, 0, 0x4c, 1]);
        assert_eq!(made_for(&pe), MadeFor::Windows32);
        assert_eq!(made_for(&own("")), MadeFor::ThisSystem);
        assert_eq!(made_for(b"text"), MadeFor::Other);
        assert_eq!(
            made_for(b"MZ"),
            if cfg!(windows) { MadeFor::ThisSystem } else { MadeFor::Other }
        );
    }
}
