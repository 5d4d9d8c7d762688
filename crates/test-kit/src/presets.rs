//! The presets of the library, from their folders.

use std::{fs, path::PathBuf, sync::Arc};

use boardwright_gamecode::CodeLimits;
use boardwright_preset::{Bundle, Folder, Preset, Problem};
use boardwright_rules::GameRules;

use crate::root;

/// The folder of a preset on the disk.
struct OnDisk(PathBuf);

impl Folder for OnDisk {
    fn file(&mut self, name: &str) -> Option<String> {
        fs::read_to_string(self.0.join(name)).ok()
    }

    fn include(&mut self, name: &str) -> Option<String> {
        fs::read_to_string(root().join(format!("presets/include/{name}.gc"))).ok()
    }
}

fn bundle(name: &str) -> Bundle {
    let (bundle, notes) = Bundle::open(&mut OnDisk(root().join("presets").join(name)));
    assert!(notes.is_empty(), "{name}: {notes:?}");
    bundle
}

/// The rules of a preset of the library.
///
/// # Panics
///
/// If the preset has errors.
pub fn preset_rules(name: &str) -> Arc<GameRules> {
    let preset = Preset::new(bundle(name), &CodeLimits::default()).expect("it has a board");
    Arc::new(GameRules::preset(Arc::new(preset), None).expect("the game begins"))
}

/// The same beginning with another board, given as Forsythe code, and code that runs first.
///
/// # Panics
///
/// If the preset has errors.
pub fn preset_rules_at(name: &str, code: &str, setup: &str) -> Arc<GameRules> {
    let (code, setup) = (code.to_owned(), setup.to_owned());
    let problem = Problem { code, setup, ..Problem::default() };
    let preset = problem.preset(&bundle(name), &CodeLimits::default()).expect("it has a board");
    Arc::new(GameRules::preset(Arc::new(preset), None).expect("the game begins"))
}
