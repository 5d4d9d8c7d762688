//! The library inside the program, for commands that run without a checkout beside them.

use std::{fs, io, path::Path};

use crate::{folder::Folder, language};

/// An include file of the presets in the library, by its plain name: `chess`.
pub fn library_include(name: &str) -> Option<String> {
    language::preset::shared(name)
}

/// The names of the include files of the library, sorted.
pub fn library_includes() -> Vec<String> {
    let folder = Folder::of_presets("include");
    let mut names: Vec<String> =
        folder.names().iter().filter_map(|it| it.strip_suffix(".gc")).map(str::to_owned).collect();
    names.sort_unstable();
    names
}

/// Writes the games of the library into a folder, each in a folder of its own.
pub fn unpack_games(to: &Path) -> io::Result<()> {
    for name in Folder::library() {
        let folder = Folder::of_library(&name);
        for file in folder.names() {
            let Some(bytes) = folder.read(file) else { continue };
            let path = to.join(&name).join(file);
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent)?;
            }
            fs::write(path, bytes)?;
        }
    }
    Ok(())
}
