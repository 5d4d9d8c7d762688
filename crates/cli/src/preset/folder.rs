//! Reading presets from disk.
//!
//! Names of included files are plain words without separators, so no include can leave the
//! folders in which includes are found.

use std::{
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
        text(&self.0.join(name))
    }

    fn include(&mut self, name: &str) -> Option<String> {
        include(&self.0, name)
    }
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
    let near = folder.join("../include");
    [folder.join(&file), near.join(&file), folder.join("include").join(&file)]
        .iter()
        .find_map(|it| text(it))
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
