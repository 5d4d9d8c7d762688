//! Reading presets from disk.
//!
//! Names of included files are plain words without separators, so no include can leave the
//! folders in which includes are found.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::{Result, bail};
use boardwright_preset::{Bundle, Folder, Note, Preset, SETTINGS_FILE};
use boardwright_text::render::printable;

use crate::files::read_bounded;

/// Bytes of one file at most.
const MOST_BYTES: usize = 1 << 20;

/// The folder of a preset.
struct OnDisk(PathBuf);

impl Folder for OnDisk {
    fn file(&mut self, name: &str) -> Option<String> {
        text_in(&self.0, name)
    }

    fn include(&mut self, name: &str) -> Option<String> {
        include(&self.0, name)
    }
}

/// The text of a file in a folder; a link that leads out of the folder is not followed.
fn text_in(folder: &Path, name: &str) -> Option<String> {
    let path = fs::canonicalize(folder.join(name)).ok()?;
    let is_inside = path.starts_with(fs::canonicalize(folder).ok()?);
    is_inside.then(|| text(&path))?
}

fn text(path: &Path) -> Option<String> {
    let bytes = read_bounded(path, MOST_BYTES).ok().filter(|it| it.len() <= MOST_BYTES)?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// The text of an include file of a preset in `folder`: from that folder, from the folder
/// `include` beside or within it, or from the library inside the program.
pub(crate) fn include(folder: &Path, name: &str) -> Option<String> {
    let is_plain = !name.is_empty()
        && name.chars().all(|it| it.is_ascii_alphanumeric() || it == '-' || it == '_');
    if !is_plain {
        return None;
    }
    let file = format!("{name}.gc");
    text_in(folder, &file)
        .or_else(|| text_in(&folder.join("../include"), &file))
        .or_else(|| text_in(folder, &format!("include/{file}")))
        .or_else(|| boardwright_server::library_include(name))
}

/// Reads the folder of a preset.
pub(super) fn read(path: &Path) -> Result<(Bundle, Vec<Note>)> {
    let path = match path.file_name().and_then(|it| it.to_str()) {
        Some(SETTINGS_FILE) => path.parent().unwrap_or(path),
        _ => path,
    };
    if !path.join(SETTINGS_FILE).is_file() {
        bail!("{} is not the folder of a preset: it has no `{SETTINGS_FILE}`", path.display());
    }
    Ok(Bundle::open(&mut OnDisk(path.to_owned())))
}

/// Opens a preset to play it; errors in its code are reported when they are reached.
pub(crate) fn open(path: &Path) -> Result<Arc<Preset>> {
    let (bundle, _) = read(path)?;
    match Preset::new(bundle, &Default::default()) {
        Ok(preset) => Ok(Arc::new(preset)),
        Err(error) => bail!("{}: {}", path.display(), printable(&error)),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn code_behind_a_link_out_of_the_folder_is_not_read() {
        let dir = tempfile::tempdir().expect("a folder");
        let (pond, other) = (dir.path().join("pond"), dir.path().join("other"));
        fs::create_dir_all(&pond).expect("works");
        fs::create_dir_all(&other).expect("works");
        fs::write(other.join("secret.gc"), "secret").expect("works");
        fs::write(pond.join("own.gc"), "own").expect("works");
        symlink(other.join("secret.gc"), pond.join("pre-game.gc")).expect("works");
        symlink(&other, pond.join("include")).expect("works");
        symlink(pond.join("own.gc"), pond.join("alias.gc")).expect("works");
        assert_eq!(text_in(&pond, "pre-game.gc"), None);
        assert_eq!(include(&pond, "secret"), None);
        assert_eq!(include(&pond, "alias").as_deref(), Some("own"));
    }
}
