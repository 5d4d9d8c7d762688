//! The packages of the workspace and everything they depend on, as Cargo knows them.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;

/// A package of `Cargo.lock`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Package {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Its licence as an SPDX expression; older packages write `/` for `OR`.
    pub license: Option<String>,
    /// Where it comes from; none for our own.
    pub source: Option<String>,
    /// Who wrote it, as its manifest says.
    pub authors: Vec<String>,
    /// Where its files are.
    pub folder: PathBuf,
}

/// The packages by their ids, and which depend on which.
pub struct Packages {
    /// Every package.
    pub all: BTreeMap<String, Package>,
    /// The ids of the packages that each package links into a program, without those that are
    /// needed only by its tests or its build script.
    edges: BTreeMap<String, Vec<String>>,
}

impl Packages {
    /// Asks Cargo for the packages of all platforms; for those of this one where the others'
    /// are not on this machine. Never uses the network.
    ///
    /// # Errors
    ///
    /// What Cargo says.
    pub fn load(root: &Path) -> Result<Self, String> {
        metadata(root, None).or_else(|_| metadata(root, Some(&host()?))).map(|it| Self::of(&it))
    }

    fn of(metadata: &Value) -> Self {
        let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let mut all = BTreeMap::new();
        for it in list(&metadata["packages"]) {
            let manifest = PathBuf::from(text(&it["manifest_path"]).unwrap_or_default());
            let package = Package {
                name: text(&it["name"]).unwrap_or_default(),
                version: text(&it["version"]).unwrap_or_default(),
                license: text(&it["license"]),
                source: text(&it["source"]),
                authors: list(&it["authors"]).iter().filter_map(text).collect(),
                folder: manifest.parent().map(Path::to_owned).unwrap_or_default(),
            };
            all.insert(text(&it["id"]).unwrap_or_default(), package);
        }
        let mut edges = BTreeMap::new();
        for node in list(&metadata["resolve"]["nodes"]) {
            let is_linked =
                |it: &Value| list(&it["dep_kinds"]).iter().any(|it| it["kind"].is_null());
            let linked = list(&node["deps"]).into_iter().filter(is_linked);
            let ids = linked.filter_map(|it| text(&it["pkg"])).collect();
            edges.insert(text(&node["id"]).unwrap_or_default(), ids);
        }
        Self { all, edges }
    }

    /// The packages that are linked into the program of the package of this name, itself included.
    #[must_use]
    pub fn linked_into(&self, name: &str) -> Vec<&Package> {
        let mut open: Vec<&String> =
            self.all.iter().filter(|(_, it)| it.name == name).map(|(id, _)| id).collect();
        let mut seen = BTreeSet::new();
        while let Some(id) = open.pop() {
            if seen.insert(id) {
                open.extend(self.edges.get(id).into_iter().flatten());
            }
        }
        seen.into_iter().filter_map(|it| self.all.get(it)).collect()
    }
}

fn metadata(root: &Path, platform: Option<&str>) -> Result<Value, String> {
    let mut command = Command::new(env!("CARGO"));
    command.args(["metadata", "--format-version", "1", "--locked", "--offline"]);
    command.args(platform.map(|it| format!("--filter-platform={it}")));
    let output = command.current_dir(root).output().map_err(|it| it.to_string())?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    serde_json::from_slice(&output.stdout).map_err(|it| it.to_string())
}

fn host() -> Result<String, String> {
    let output = Command::new("rustc").arg("-vV").output().map_err(|it| it.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = text.lines().find_map(|it| it.strip_prefix("host: "));
    line.map(str::to_owned).ok_or_else(|| "rustc does not say what it runs on".to_owned())
}

/// Whether an SPDX expression can be fulfilled with the licences that are allowed.
#[must_use]
pub fn is_allowed(expression: &str, allowed: &dyn Fn(&str) -> bool) -> bool {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut rest = words.as_slice();
    any_of(&mut rest, allowed) && rest.is_empty()
}

fn any_of(rest: &mut &[&str], allowed: &dyn Fn(&str) -> bool) -> bool {
    let mut is_fulfilled = all_of(rest, allowed);
    while let Some((&"OR", after)) = rest.split_first() {
        *rest = after;
        is_fulfilled |= all_of(rest, allowed);
    }
    is_fulfilled
}

fn all_of(rest: &mut &[&str], allowed: &dyn Fn(&str) -> bool) -> bool {
    let mut is_fulfilled = one(rest, allowed);
    while let Some((&"AND", after)) = rest.split_first() {
        *rest = after;
        is_fulfilled &= one(rest, allowed);
    }
    is_fulfilled
}

fn one(rest: &mut &[&str], allowed: &dyn Fn(&str) -> bool) -> bool {
    let Some((&first, after)) = rest.split_first() else { return false };
    *rest = after;
    if first == "(" {
        let is_fulfilled = any_of(rest, allowed);
        let Some((&")", after)) = rest.split_first() else { return false };
        *rest = after;
        return is_fulfilled;
    }
    if let [with, exception, after @ ..] = *rest
        && *with == "WITH"
    {
        *rest = after;
        return allowed(&format!("{first} WITH {exception}"));
    }
    allowed(first)
}

#[cfg(test)]
mod tests {
    use super::is_allowed;

    #[test]
    fn expressions_are_fulfilled_by_their_parts() {
        let allowed =
            |it: &str| ["MIT", "BSD-3-Clause", "Apache-2.0 WITH LLVM-exception"].contains(&it);
        for fine in [
            "MIT",
            "GPL-3.0 OR MIT",
            "MIT/Apache-2.0",
            "(GPL-3.0 OR MIT) AND BSD-3-Clause",
            "Apache-2.0 WITH LLVM-exception",
        ] {
            assert!(is_allowed(fine, &allowed), "{fine}");
        }
        for wrong in ["GPL-3.0", "MIT AND GPL-3.0", "Apache-2.0", "(MIT", "MIT MIT", ""] {
            assert!(!is_allowed(wrong, &allowed), "{wrong}");
        }
    }
}
