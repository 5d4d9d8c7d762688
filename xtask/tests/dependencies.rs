//! Licences, sources and bans of `deny.toml`, checked with nothing but Cargo.

#![expect(clippy::unwrap_used, reason = "a test may stop where it stands")]

use std::{fs, path::Path};

use xtask::packages::{Packages, is_allowed};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// The lines of the list `key = [ … ]` in a section of `deny.toml`.
fn list(section: &str, key: &str) -> Vec<String> {
    let text = fs::read_to_string(root().join("deny.toml")).unwrap();
    let (_, section) = text.split_once(&format!("\n[{section}]\n")).unwrap();
    let section = section.split_once("\n[").map_or(section, |it| it.0);
    let (_, list) = section.split_once(&format!("{key} = [")).unwrap();
    let mut depth = 1;
    let end = list.find(|ch| {
        depth += match ch {
            '[' => 1,
            ']' => -1,
            _ => 0,
        };
        depth == 0
    });
    let lines = list.get(..end.unwrap()).unwrap().lines().map(str::trim);
    lines.filter(|it| !it.is_empty() && !it.starts_with('#')).map(str::to_owned).collect()
}

/// The texts in quotes of a line.
fn quoted(line: &str) -> Vec<&str> {
    line.split('"').skip(1).step_by(2).collect()
}

#[test]
fn every_licence_is_allowed() {
    let allowed = list("licenses", "allow");
    let allowed: Vec<&str> = allowed.iter().flat_map(|it| quoted(it)).collect();
    assert!(allowed.contains(&"MIT"), "{allowed:?}");
    assert!(!allowed.iter().any(|it| it.contains("GPL")), "the program links no GPL code");
    let exceptions = list("licenses", "exceptions");
    let packages = Packages::load(root()).unwrap();
    for package in packages.all.values() {
        let mut allowed = allowed.clone();
        for exception in &exceptions {
            if let [name, licenses @ ..] = quoted(exception).as_slice()
                && *name == package.name
            {
                allowed.extend(licenses);
            }
        }
        let license = package.license.as_deref().unwrap_or("none");
        assert!(
            is_allowed(license, &|it| allowed.contains(&it)),
            "{} {} has the licence {license}, which deny.toml does not allow",
            package.name,
            package.version
        );
    }
}

#[test]
fn every_exception_is_needed() {
    let packages = Packages::load(root()).unwrap();
    let exceptions = list("licenses", "exceptions");
    assert!(!exceptions.is_empty());
    for exception in &exceptions {
        let names = quoted(exception);
        let package = packages.all.values().find(|it| names.first() == Some(&it.name.as_str()));
        assert!(package.is_some(), "no package needs the exception {exception}");
    }
}

#[test]
fn every_package_comes_from_an_allowed_source() {
    let registries = list("sources", "allow-registry");
    let registries: Vec<&str> = registries.iter().flat_map(|it| quoted(it)).collect();
    let packages = Packages::load(root()).unwrap();
    let foreign: Vec<_> = packages.all.values().filter(|it| it.source.is_some()).collect();
    assert!(foreign.len() > 100, "{} packages", foreign.len());
    for package in foreign {
        let source = package.source.as_deref().unwrap_or_default();
        let is_known = registries.iter().any(|it| source == format!("registry+{it}"));
        assert!(is_known, "{} comes from {source}", package.name);
    }
    for package in packages.all.values().filter(|it| it.source.is_none()) {
        assert!(package.folder.starts_with(root()), "{} is outside the project", package.name);
    }
}

#[test]
fn no_package_is_banned() {
    let lock = fs::read_to_string(root().join("Cargo.lock")).unwrap();
    let banned = list("bans", "deny");
    assert!(!banned.is_empty());
    for line in &banned {
        for name in quoted(line) {
            assert!(!lock.contains(&format!("name = \"{name}\"\n")), "{name} is banned");
        }
    }
}
