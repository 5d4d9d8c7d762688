//! `boardwright --licenses` names every package in the program, with the text of its licence.
//!
//! The text is a file in the repository, so that a build needs no further tool. With
//! `BLESS_LICENSES=1` it is written from the sources of the packages on this machine.

#![expect(clippy::unwrap_used, reason = "a test may stop where it stands")]

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
    fs,
    path::{Path, PathBuf},
};

use boardwright_golden::LICENSES;
use xtask::packages::{Package, Packages, is_allowed};

/// Packages of npm whose code or fonts are in the pages; all others only build or test them.
const IN_PAGES: &[&str] = &[
    "@fontsource-variable/inter",
    "@fontsource/jetbrains-mono",
    "@fontsource/vollkorn",
    "clsx",
    "esm-env",
    "svelte",
];

/// Fonts that are files of this repository.
const FONTS: &[(&str, &str)] = &[("DejaVu Sans Bold", "crates/picture/font/LICENSE")];

const HEAD: &str = "\
Boardwright is licensed under either of the MIT licence and the Apache licence 2.0, at your
choice. It contains the works of others that are listed here: first their names and licences,
then the texts of the licences. Where a package offers a choice of licences that includes MIT,
it is used under MIT.
";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

fn linked() -> Vec<Package> {
    let packages = Packages::load(&root()).unwrap();
    let linked = packages.linked_into("boardwright-cli").into_iter();
    let mut linked: Vec<Package> = linked.filter(|it| it.source.is_some()).cloned().collect();
    linked.sort_by(|a, b| (&a.name, &a.version).cmp(&(&b.name, &b.version)));
    linked
}

fn npm_version(name: &str) -> String {
    let lock = fs::read_to_string(root().join("web/package-lock.json")).unwrap();
    let lock: serde_json::Value = serde_json::from_str(&lock).unwrap();
    lock["packages"][format!("node_modules/{name}")]["version"].as_str().unwrap().to_owned()
}

/// The files of a folder that hold the licence, in the order of their names. Of a choice that
/// includes MIT only that.
fn license_texts(folder: &Path, license: &str) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().map(|it| it.unwrap().path());
    let mut files: Vec<PathBuf> = entries
        .filter(|it| {
            let name = it.file_name().unwrap().to_string_lossy().to_lowercase();
            let is_license = ["license", "licence", "copying", "notice", "unlicense", "copyright"]
                .iter()
                .any(|word| name.starts_with(word));
            it.is_file() && is_license
        })
        .collect();
    files.sort();
    let is_mit = |it: &PathBuf| it.to_string_lossy().to_lowercase().ends_with("mit");
    if is_allowed(license, &|it| it == "MIT") && files.iter().any(is_mit) {
        files.retain(is_mit);
    }
    files.iter().map(|it| String::from_utf8_lossy(&fs::read(it).unwrap()).into_owned()).collect()
}

/// A licence text apart from the lines that name who has the copyright, which differ between
/// packages with the same licence.
fn without_copyright(text: &str) -> (String, Vec<String>) {
    let is_copyright = |line: &&str| {
        let line = line.trim().to_lowercase();
        line.starts_with("copyright (c)")
            || line.starts_with("copyright ©")
            || starts_with_year(&line)
    };
    let owners = text.lines().filter(is_copyright).map(|it| it.trim().to_owned()).collect();
    let rest: Vec<&str> = text.lines().filter(|it| !is_copyright(it)).map(str::trim_end).collect();
    (rest.join("\n").trim_matches('\n').to_owned(), owners)
}

fn starts_with_year(line: &str) -> bool {
    let after = line.strip_prefix("copyright ").unwrap_or_default();
    after.starts_with("19") || after.starts_with("20")
}

/// Who uses a licence text, and the copyright lines that go with it.
#[derive(Default)]
struct Use {
    text: String,
    packages: BTreeMap<String, BTreeSet<String>>,
}

fn add(uses: &mut BTreeMap<String, Use>, name: &str, text: &str) {
    let (rest, owners) = without_copyright(text);
    // Spaces, line breaks and the mark of the heading do not make another licence.
    let key: String = rest.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    let key =
        key.trim_start_matches("the ").trim_start_matches("mit license ").replace("(mit) ", "");
    let entry = uses.entry(key).or_default();
    if entry.text.is_empty() {
        entry.text = rest;
    }
    entry.packages.entry(name.to_owned()).or_default().extend(owners);
}

fn notices() -> String {
    let mut out = String::from(HEAD);
    let mut uses = BTreeMap::new();
    let _ = writeln!(out, "\nCrates\n");
    let mut bare: Vec<Package> = Vec::new();
    for package in linked() {
        let license = package.license.clone().unwrap_or_default();
        let name = format!("{} {}", package.name, package.version);
        let _ = writeln!(out, "  {name}: {license}");
        let texts = license_texts(&package.folder, &license);
        texts.iter().for_each(|it| add(&mut uses, &name, it));
        if texts.is_empty() {
            bare.push(package);
        }
    }
    let _ = writeln!(out, "\nIn the pages (npm)\n");
    for name in IN_PAGES {
        let folder = root().join("web/node_modules").join(name);
        let manifest = fs::read_to_string(folder.join("package.json")).unwrap();
        let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
        let license = manifest["license"].as_str().unwrap();
        let name = format!("{name} {}", npm_version(name));
        let _ = writeln!(out, "  {name}: {license}");
        license_texts(&folder, license).iter().for_each(|it| add(&mut uses, &name, it));
    }
    let _ = writeln!(out, "\nFonts in pictures\n");
    for (name, path) in FONTS {
        let _ = writeln!(out, "  {name}");
        add(&mut uses, name, &fs::read_to_string(root().join(path)).unwrap());
    }
    if !bare.is_empty() {
        let _ = writeln!(out, "\nPackages that bring no licence text, by their authors\n");
    }
    for package in bare {
        let authors = if package.authors.is_empty() {
            "its authors".to_owned()
        } else {
            package.authors.join(", ")
        };
        let license = package.license.unwrap_or_default();
        let _ =
            writeln!(out, "  {} {}: {license}, copyright {authors}", package.name, package.version);
    }
    for it in uses.values() {
        let _ = writeln!(out, "\n{}", "-".repeat(79));
        for (name, owners) in &it.packages {
            let _ = writeln!(out, "{name}");
            owners.iter().for_each(|it| {
                let _ = writeln!(out, "    {it}");
            });
        }
        let _ = writeln!(out, "\n{}", it.text);
    }
    out
}

#[test]
fn the_program_names_everything_in_it() {
    let path = root().join(LICENSES.files);
    if LICENSES.is_blessed() {
        fs::write(&path, notices()).unwrap();
    }
    let text = fs::read_to_string(&path).unwrap();
    let names =
        linked().iter().map(|it| format!("  {} {}: ", it.name, it.version)).collect::<Vec<_>>();
    assert!(names.len() > 100, "the program has dependencies: {}", names.len());
    let pages = IN_PAGES.iter().map(|it| format!("  {it} {}: ", npm_version(it)));
    let fonts = FONTS.iter().map(|(it, _)| format!("  {it}\n"));
    let missing: Vec<String> =
        names.into_iter().chain(pages).chain(fonts).filter(|it| !text.contains(it)).collect();
    assert!(missing.is_empty(), "run {}: not named:\n{}", LICENSES.command(), missing.join("\n"));
}

#[test]
fn the_texts_of_the_licences_are_there() {
    let text = fs::read_to_string(root().join(LICENSES.files)).unwrap();
    let words: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for phrase in [
        "Permission is hereby granted, free of charge, to any person obtaining a copy",
        "Apache License Version 2.0",
        "SIL OPEN FONT LICENSE Version 1.1",
        "Copyright (c) 2003 by Bitstream",
        "UNICODE LICENSE V3",
        "Redistributions in binary form must reproduce the above copyright notice",
    ] {
        assert!(words.contains(phrase), "`{phrase}`");
    }
}
