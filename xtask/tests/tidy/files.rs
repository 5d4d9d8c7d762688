//! The files of the project.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::OnceLock,
};

/// The root of the project.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// Files that git knows or would know, relative to the root.
pub fn tracked() -> &'static [String] {
    static TRACKED: OnceLock<Vec<String>> = OnceLock::new();
    TRACKED.get_or_init(|| {
        let output = Command::new("git")
            .args(["ls-files", "--cached", "--others", "--exclude-standard"])
            .current_dir(root())
            .output()
            .unwrap();
        assert!(output.status.success(), "git ls-files works");
        let listed = String::from_utf8(output.stdout).unwrap();
        listed.lines().filter(|it| root().join(it).is_file()).map(str::to_owned).collect()
    })
}

/// The text of a tracked file.
pub fn text_of(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap()
}

/// The names of the folders in `crates/`.
pub fn crates() -> BTreeSet<String> {
    let entries = fs::read_dir(root().join("crates")).unwrap();
    entries.map(|it| it.unwrap().file_name().into_string().unwrap()).collect()
}

/// Whether a file ends with one of these extensions.
pub fn has_extension(path: &str, extensions: &[&str]) -> bool {
    path.rsplit_once('.').is_some_and(|(_, it)| extensions.contains(&it))
}
