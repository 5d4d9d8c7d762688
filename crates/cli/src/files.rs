//! Reading rule files from disk.
//!
//! An include may name a file in the folder of the rule file or below it, with any
//! letter case and either slash, as on Windows. No include can leave that folder,
//! whether by `..`, by a drive letter or by a symbolic link.

use std::{
    fs,
    io::Read,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail};
use boardwright_zrf::{CompileLimits, Files, IncludeError, Included, RuleFile};

/// Reads a rule file and the files it includes.
pub(crate) fn load(path: &Path) -> Result<RuleFile> {
    let limits = CompileLimits::default();
    let name = path.display().to_string();
    let bytes = read_bounded(path, limits.file_bytes)?;
    let folder = path.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let root =
        folder.canonicalize().with_context(|| format!("cannot open {}", folder.display()))?;
    let mut files = Folder { root, shown: folder.to_owned(), limit: limits.file_bytes };
    Ok(boardwright_zrf::load(&name, &bytes, &mut files, &limits))
}

/// The bytes of a regular file. Reads at most `limit + 1` bytes, so that the caller can tell
/// that the file is too large.
pub(crate) fn read_bounded(path: &Path, limit: usize) -> Result<Vec<u8>> {
    let shown = path.display();
    let meta = fs::metadata(path).with_context(|| format!("cannot read {shown}"))?;
    if meta.is_dir() {
        bail!("{shown} is a folder; name a file in it");
    }
    if !meta.is_file() {
        bail!("{shown} is not a file");
    }
    let file = fs::File::open(path).with_context(|| format!("cannot read {shown}"))?;
    let mut bytes = Vec::new();
    file.take(limit as u64 + 1)
        .read_to_end(&mut bytes)
        .with_context(|| format!("cannot read {shown}"))?;
    Ok(bytes)
}

/// The folder of a rule file.
struct Folder {
    /// The path without symbolic links, for comparison.
    root: PathBuf,
    /// The path as the user wrote it, for messages.
    shown: PathBuf,
    /// Bytes of one file that are read at most.
    limit: usize,
}

impl Files for Folder {
    fn include(&mut self, from: &str, path: &str) -> Result<Included, IncludeError> {
        // Relative to the including file first, then to the rule file's folder.
        let beside = Path::new(from).parent().and_then(|it| it.strip_prefix(&self.shown).ok());
        let beside = beside.map(|it| self.root.join(it)).unwrap_or_else(|| self.root.clone());
        let found = match self.find(&beside, path) {
            Err(IncludeError::Missing) if beside != self.root => self.find(&self.root, path),
            found => found,
        }?;
        let inside = found.strip_prefix(&self.root).map_err(|_| IncludeError::Outside)?;
        let name = self.shown.join(inside).display().to_string();
        let bytes = read_bounded(&found, self.limit)
            .map_err(|it| IncludeError::Unreadable(it.root_cause().to_string()))?;
        Ok(Included { name, bytes })
    }
}

impl Folder {
    /// Walks `path` part by part below `base`, ignoring case.
    fn find(&self, base: &Path, path: &str) -> Result<PathBuf, IncludeError> {
        if path.starts_with(['/', '\\']) || path.contains(':') || path.contains('\0') {
            return Err(IncludeError::Outside);
        }
        let mut at = base.to_owned();
        for part in path.split(['/', '\\']).filter(|it| !it.is_empty() && *it != ".") {
            if part == ".." {
                at.pop();
                if !at.starts_with(&self.root) {
                    return Err(IncludeError::Outside);
                }
                continue;
            }
            let exact = at.join(part);
            at = if exact.exists() { exact } else { entry_named(&at, part)? };
        }
        let real = at.canonicalize().map_err(|_| IncludeError::Missing)?;
        if !real.starts_with(&self.root) {
            return Err(IncludeError::Outside);
        }
        Ok(real)
    }
}

/// The entry of a folder whose name is `part` in any case.
fn entry_named(folder: &Path, part: &str) -> Result<PathBuf, IncludeError> {
    let entries = fs::read_dir(folder).map_err(|_| IncludeError::Missing)?;
    let wanted = part.to_lowercase();
    let mut found: Vec<_> = entries
        .filter_map(|it| it.ok())
        .filter(|it| it.file_name().to_string_lossy().to_lowercase() == wanted)
        .map(|it| it.path())
        .collect();
    found.sort();
    found.into_iter().next().ok_or(IncludeError::Missing)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(root: &Path) -> Folder {
        let root = root.canonicalize().expect("the folder was just made");
        Folder { shown: root.clone(), root, limit: 1000 }
    }

    #[test]
    fn includes_are_found_in_any_case_and_never_outside() {
        let dir = tempfile::tempdir().expect("a temporary folder");
        let game = dir.path().join("game");
        fs::create_dir_all(game.join("Macros")).expect("folders");
        fs::write(game.join("Macros/Slide.INC"), "x").expect("a file");
        fs::write(dir.path().join("secret.inc"), "x").expect("a file");
        #[cfg(unix)]
        std::os::unix::fs::symlink(dir.path().join("secret.inc"), game.join("link.inc"))
            .expect("a link");
        let mut files = folder(&game);
        let from = game.join("game.zrf").display().to_string();
        let mut get = |path: &str| files.include(&from, path).map(|it| it.bytes);
        assert_eq!(get("macros\\slide.inc"), Ok(b"x".to_vec()));
        assert_eq!(get("./Macros/../Macros/Slide.INC"), Ok(b"x".to_vec()));
        assert_eq!(get("nothing.inc"), Err(IncludeError::Missing));
        for path in ["../secret.inc", "Macros\\..\\..\\secret.inc", "/etc/hosts", "C:\\x", "\\x"] {
            assert_eq!(get(path), Err(IncludeError::Outside), "{path}");
        }
        #[cfg(unix)]
        assert_eq!(get("link.inc"), Err(IncludeError::Outside));
        assert!(matches!(get("Macros"), Err(IncludeError::Unreadable(_))));
    }
}
