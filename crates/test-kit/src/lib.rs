//! What tests share: the project's own rule files, loaded, and random play.
//!
//! Only tests depend on this crate; it may panic where a test would.

#![expect(clippy::expect_used, clippy::panic, reason = "a test may stop where it stands")]

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use boardwright_game::Ruleset;
use boardwright_play::{Move, MoveList, SplitMix64, State};
use boardwright_zrf::{CompileLimits, Files, IncludeError, Included, NoFiles, RuleFile};

pub mod case;
pub mod perft_file;
mod presets;
pub mod prove;

pub use presets::{preset_rules, preset_rules_at};

/// The root of the project, or of another copy of it that `BOARDWRIGHT_ROOT` names.
pub fn root() -> PathBuf {
    if let Some(it) = std::env::var_os("BOARDWRIGHT_ROOT") {
        return PathBuf::from(it);
    }
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).expect("crates/test-kit lies two below the root").to_owned()
}

/// The files with this ending below a folder of the project, sorted.
pub fn files_below(folder: &str, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(at) = folders.pop() {
        let Ok(entries) = fs::read_dir(&at) else { continue };
        for path in entries.filter_map(|it| it.ok()).map(|it| it.path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|it| it == ending) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// A rule file of the project, read; it must have no errors.
pub fn rule_file(path: &Path) -> RuleFile {
    let name = path.display().to_string();
    let bytes = fs::read(path).unwrap_or_else(|it| panic!("{name}: {it}"));
    let mut files = Beside(path.parent().unwrap_or(Path::new(".")).to_owned());
    let file = boardwright_zrf::load(&name, &bytes, &mut files, &CompileLimits::default());
    no_errors(&name, &file);
    file
}

/// The files beside a rule file; ours include nothing else.
struct Beside(PathBuf);

impl Files for Beside {
    fn include(&mut self, _from: &str, path: &str) -> Result<Included, IncludeError> {
        let file = self.0.join(path);
        let bytes = fs::read(&file).map_err(|_| IncludeError::Missing)?;
        Ok(Included { name: file.display().to_string(), bytes })
    }
}

/// Rules given as text; they must have no errors.
pub fn load(name: &str, bytes: &[u8]) -> RuleFile {
    let file = boardwright_zrf::load(name, bytes, &mut NoFiles, &CompileLimits::default());
    no_errors(name, &file);
    file
}

fn no_errors(name: &str, file: &RuleFile) {
    let errors: Vec<_> = file.diagnostics().into_iter().filter(|it| it.is_error()).collect();
    assert!(errors.is_empty(), "{name}: {:?}", errors.first().map(|it| &it.message));
}

/// The variant of a rule file with this title, or the one it opens with.
pub fn variant(name: &str, file: &mut RuleFile, title: Option<&str>) -> Arc<Ruleset> {
    let idx = match title {
        Some(title) => file.variant_named(title),
        None => file.default_variant(),
    };
    let idx = idx.unwrap_or_else(|| panic!("{name} has no variant {title:?}"));
    let ruleset = file.compile(idx);
    no_errors(name, file);
    let ruleset = ruleset.unwrap_or_else(|| panic!("{name}: variant {idx} does not compile"));
    ruleset.check().expect("a compiled ruleset is sound");
    ruleset
}

/// Every variant of a rule file, separators left out.
pub fn all_variants(name: &str, file: &mut RuleFile) -> Vec<Arc<Ruleset>> {
    let entries = file.variants().to_vec();
    let titles = entries.iter().filter(|it| !it.is_separator).map(|it| it.title.clone());
    titles.map(|title| variant(name, file, Some(&title))).collect()
}

/// The variants of a rule file that have no errors; none if the file itself has some.
pub fn sound_variants(path: &Path) -> Vec<Arc<Ruleset>> {
    let name = path.display().to_string();
    let Ok(bytes) = fs::read(path) else { return Vec::new() };
    let mut files = Beside(path.parent().unwrap_or(Path::new(".")).to_owned());
    let mut file = boardwright_zrf::load(&name, &bytes, &mut files, &CompileLimits::default());
    let n_variants = file.variants().len();
    let mut sound = Vec::new();
    for idx in 0..n_variants {
        if file.variants()[idx].is_separator || has_errors(&file) {
            continue;
        }
        let Some(ruleset) = file.compile(idx) else { continue };
        if !has_errors(&file) && ruleset.check().is_ok() {
            sound.push(ruleset);
        }
    }
    sound
}

fn has_errors(file: &RuleFile) -> bool {
    file.diagnostics().into_iter().any(|it| it.is_error())
}

/// A number from the environment that makes a test longer or shorter.
pub fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|it| it.parse().ok()).unwrap_or(default)
}

/// The rule files that every law of play is tried on: our games and our cases.
pub fn playable_files() -> Vec<PathBuf> {
    let mut files = files_below("games", "zrf");
    files.extend(files_below("tests/conformance", "zrf"));
    files
}

/// A move chosen by weight, as a chance player would.
pub fn random_move<'a>(list: &'a MoveList, rng: &mut SplitMix64) -> Option<&'a Move> {
    list.drawn(rng.below(list.total_weight() as usize) as u64)
}

/// Plays `n` random moves or to the end.
pub fn random_walk(state: &mut State, n: usize, rng: &mut SplitMix64) {
    let mut list = MoveList::new();
    for _ in 0..n {
        if state.generate(&mut list).is_err() {
            return;
        }
        let Some(mv) = random_move(&list, rng) else { return };
        if state.play_unchecked(mv).is_err() {
            return;
        }
    }
}
